/* SPDX-License-Identifier: MIT */
/* Reads the palette. Materials are numbered by their order; their attribute ID has no meaning. */
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

static void read_display(vxe_xml_node *display, vxe_material *material, vxe_error *wrong)
{
    static const char *const names[4] = {"Red", "Green", "Blue", "Alpha"};
    for (int c = 0; c < 4; c++) {
        material->color[c] = (float)vxe_xml_number(display, names[c], c < 3 ? 0.5 : 1, wrong);
    }
}

/* Reads the numbers of the children of that name; points beyond VXE_CURVE_POINTS are noted. */
static uint32_t read_points(vxe_vxc_reader *reader, vxe_xml_node *list, const char *name,
                            double values[VXE_CURVE_POINTS])
{
    uint32_t count = 0;
    uint32_t left = 0;
    for (vxe_xml_node *point = list ? vxe_xml_child(list, name) : NULL; point;
         point = vxe_xml_next(point)) {
        if (count < VXE_CURVE_POINTS) {
            values[count++] = vxe_xml_value(point, 0, &reader->wrong);
        } else {
            left++;
        }
    }
    if (left > 0) {
        vxe_messages_add(reader->design->notes, "%u points of %s behind the first %d are left out",
                         left, name, VXE_CURVE_POINTS);
    }
    return count;
}

/* Reads a measured curve, SSData/StrainData/Strain and SSData/StressData/Stress; its first slope is
   E. */
static void read_curve(vxe_vxc_reader *reader, vxe_xml_node *data, vxe_material *material)
{
    if (!data) {
        return;
    }
    (void)vxe_xml_number(data, "NumDataPts", 0, &reader->wrong);
    const uint32_t strains =
        read_points(reader, vxe_xml_child(data, "StrainData"), "Strain", material->curve_strain);
    const uint32_t stresses =
        read_points(reader, vxe_xml_child(data, "StressData"), "Stress", material->curve_stress);
    material->curve_count = strains < stresses ? strains : stresses;
    if (material->curve_count > 1 && material->curve_strain[1] > 0) {
        material->youngs_modulus = material->curve_stress[1] / material->curve_strain[1];
    }
}

/* Reads the element Mechanical. *held and *cilia are properties of voxels and not of our materials.
 */
static void read_mechanical(vxe_vxc_reader *reader, vxe_xml_node *node, vxe_material *material,
                            uint8_t *held, double *cilia)
{
    vxe_error *wrong = &reader->wrong;
    const double model = vxe_xml_whole(node, "MatModel", 0, VXE_MATERIAL_MEASURED, wrong);
    material->model = (vxe_material_model)(int)model;
    material->youngs_modulus = vxe_xml_number(node, "Elastic_Mod", 0, wrong);
    material->plastic_modulus = vxe_xml_number(node, "Plastic_Mod", 0, wrong);
    material->yield_stress = vxe_xml_number(node, "Yield_Stress", 0, wrong);
    material->fail_stress = vxe_xml_number(node, "Fail_Stress", 0, wrong);
    material->fail_strain = vxe_xml_number(node, "Fail_Strain", 0, wrong);
    material->density = vxe_xml_number(node, "Density", 0, wrong);
    material->poissons_ratio = vxe_xml_number(node, "Poissons_Ratio", 0, wrong);
    material->thermal_expansion = vxe_xml_number(node, "CTE", 0, wrong);
    material->phase = vxe_xml_number(node, "MaterialTempPhase", 0, wrong);
    material->static_friction = vxe_xml_number(node, "uStatic", 0, wrong);
    material->dynamic_friction = vxe_xml_number(node, "uDynamic", 0, wrong);
    material->sticky = vxe_xml_flag(node, "Sticky", false, wrong);
    material->target = vxe_xml_flag(node, "isTarget", false, wrong);
    material->unmeasured = !vxe_xml_flag(node, "isMeasured", true, wrong);
    (void)vxe_xml_child(node, "FailModel");
    if (material->model == VXE_MATERIAL_MEASURED) {
        read_curve(reader, vxe_xml_child(node, "SSData"), material);
    }
    *held = vxe_xml_flag(node, "Fixed", false, wrong);
    *cilia = vxe_xml_number(node, "Cilia", 0, wrong);
    vxe_xml_note_unused(node, reader->design->notes);
}

vxe_status vxe_vxc_read_palette(vxe_vxc_reader *reader, vxe_xml_node *palette, vxe_error *error)
{
    uint32_t count = 0;
    for (vxe_xml_node *m = vxe_xml_child(palette, "Material"); m; m = vxe_xml_next(m)) {
        count++;
    }
    vxe_error inner;
    if (vxe_limit_check(VXE_LIMIT_MATERIALS, count, reader->bytes, &inner)) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, palette, "%s", inner.message);
    }
    reader->material_node = vxe_memory_take(count, sizeof(const vxe_xml_node *));
    reader->held = vxe_memory_take(count, 1);
    reader->cilia = vxe_memory_take(count, sizeof *reader->cilia);
    if (!reader->material_node || !reader->held || !reader->cilia) {
        return vxe_error_memory(error, count * sizeof(const vxe_xml_node *));
    }
    for (vxe_xml_node *m = vxe_xml_child(palette, "Material"); m; m = vxe_xml_next(m)) {
        vxe_material material = vxe_material_default();
        const vxe_xml_node *name = vxe_xml_child(m, "Name");
        snprintf(material.name, sizeof material.name, "%s",
                 name && name->length ? name->text : "Default");
        read_display(vxe_xml_child(m, "Display"), &material, &reader->wrong);
        uint8_t held = 0;
        double cilia = 0;
        read_mechanical(reader, vxe_xml_child(m, "Mechanical"), &material, &held, &cilia);
        if (vxe_xml_number(m, "MatType", 0, &reader->wrong) != 0) {
            material.density = 0; /* another kind of material: refused if a voxel has it */
        }
        uint32_t index = 0;
        if (vxe_design_add_material(reader->design, &material, &index, error)) {
            return VXE_ERROR_MEMORY;
        }
        VXE_ASSERT(index < count);
        reader->material_node[index] = m;
        reader->held[index] = held;
        reader->cilia[index] = cilia;
    }
    return VXE_OK;
}
