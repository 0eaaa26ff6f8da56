/* SPDX-License-Identifier: MIT */
/* The palette: materials by their ordinal (their ID attribute is decoration). */
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/vxc_internal.h"

static void read_display(vxe_xml_node *display, vxe_material *material, vxe_messages *notes)
{
    static const char *const names[4] = {"Red", "Green", "Blue", "Alpha"};
    for (int c = 0; c < 4; c++) {
        material->color[c] = (float)vxe_xml_number(display, names[c], c < 3 ? 0.5 : 1, notes);
    }
}

static void read_mechanical(vxe_xml_node *node, vxe_material *material, vxe_messages *notes)
{
    const double model = vxe_xml_number(node, "MatModel", 0, notes);
    material->model =
        model >= 0 && model <= 3 ? (vxe_material_model)(int)model : VXE_MATERIAL_LINEAR;
    material->youngs_modulus = vxe_xml_number(node, "Elastic_Mod", 0, notes);
    material->plastic_modulus = vxe_xml_number(node, "Plastic_Mod", 0, notes);
    material->yield_stress = vxe_xml_number(node, "Yield_Stress", 0, notes);
    material->fail_stress = vxe_xml_number(node, "Fail_Stress", 0, notes);
    material->fail_strain = vxe_xml_number(node, "Fail_Strain", 0, notes);
    material->density = vxe_xml_number(node, "Density", 0, notes);
    material->poissons_ratio = vxe_xml_number(node, "Poissons_Ratio", 0, notes);
    material->thermal_expansion = vxe_xml_number(node, "CTE", 0, notes);
    material->phase = vxe_xml_number(node, "MaterialTempPhase", 0, notes);
    material->static_friction = vxe_xml_number(node, "uStatic", 0, notes);
    material->dynamic_friction = vxe_xml_number(node, "uDynamic", 0, notes);
    (void)vxe_xml_child(node, "FailModel");
    if (material->model == VXE_MATERIAL_MEASURED) {
        vxe_xml_mark(vxe_xml_child(node, "SSData"));
    }
    vxe_xml_note_unused(node, notes);
}

vxe_status vxe_vxc_read_palette(vxe_vxc_reader *reader, vxe_xml_node *palette, vxe_error *error)
{
    vxe_messages *notes = reader->design->notes;
    uint32_t count = 0;
    for (vxe_xml_node *m = vxe_xml_child(palette, "Material"); m; m = vxe_xml_next(m)) {
        count++;
    }
    reader->material_line = vxe_memory_take(count, sizeof *reader->material_line);
    if (!reader->material_line) {
        return vxe_error_memory(error, count * sizeof *reader->material_line);
    }
    for (vxe_xml_node *m = vxe_xml_child(palette, "Material"); m; m = vxe_xml_next(m)) {
        vxe_material material = vxe_material_default();
        const vxe_xml_node *name = vxe_xml_child(m, "Name");
        snprintf(material.name, sizeof material.name, "%s",
                 name && name->length ? name->text : "Default");
        read_display(vxe_xml_child(m, "Display"), &material, notes);
        read_mechanical(vxe_xml_child(m, "Mechanical"), &material, notes);
        if (vxe_xml_number(m, "MatType", 0, notes) != 0) {
            material.density = 0; /* can not be simulated: refused if a voxel uses it */
        }
        uint32_t index = 0;
        if (vxe_design_add_material(reader->design, &material, &index, error)) {
            return VXE_ERROR_MEMORY;
        }
        reader->material_line[index] = m->line;
    }
    return VXE_OK;
}
