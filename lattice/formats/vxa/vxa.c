/* SPDX-License-Identifier: MIT */
/* Reads VXA files: an object (VXC) with a simulator and an environment. The root element may have
 * any name, as in the Voxelyze family, and an object may be a file of its own. */
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* Reads the edge of the voxels. */
static vxe_status read_lattice(vxe_vxc_reader *reader, vxe_xml_node *object, vxe_error *error)
{
    static const char *const adjust[3] = {"X_Dim_Adj", "Y_Dim_Adj", "Z_Dim_Adj"};
    static const char *const drawing[] = {"X_Line_Offset", "Y_Line_Offset", "X_Layer_Offset",
                                          "Y_Layer_Offset"};
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    vxe_xml_node *lattice = vxe_xml_child(object, "Lattice");
    reader->design->voxel_size = vxe_xml_number(lattice, "Lattice_Dim", 0.001, wrong);
    for (int c = 0; c < 3; c++) {
        reader->stretch[c] = vxe_xml_number(lattice, adjust[c], 1, wrong);
    }
    if (!(reader->design->voxel_size > 0) || !(reader->stretch[0] > 0)) {
        const vxe_xml_node *node = lattice ? lattice : object;
        return vxe_xml_error(error, VXE_ERROR_INPUT, node,
                             "voxel size is %g m times %g; both must be above 0",
                             reader->design->voxel_size, reader->stretch[0]);
    }
    if (reader->stretch[0] != reader->stretch[1] || reader->stretch[0] != reader->stretch[2]) {
        vxe_messages_add(notes, "voxels of %g x %g x %g are simulated as cubes of the x edge",
                         reader->stretch[0], reader->stretch[1], reader->stretch[2]);
    }
    reader->design->voxel_size *= reader->stretch[0];
    for (size_t i = 0; i < sizeof drawing / sizeof drawing[0]; i++) {
        if (vxe_xml_number(lattice, drawing[i], 0, wrong) != 0) {
            vxe_messages_add(notes, "ignored: %s (drawing only)", drawing[i]);
        }
    }
    vxe_xml_mark(vxe_xml_child(object, "Voxel")); /* how voxels are drawn */
    return VXE_OK;
}

vxe_status vxe_vxc_read_object(vxe_vxc_reader *reader, vxe_xml_node *object, vxe_error *error)
{
    const char *version = vxe_xml_attribute(object, "Version");
    version = version ? version : "";
    static const char *const known[] = {"", "0.92", "0.93", "0.94"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        is_known = is_known || strcmp(version, known[i]) == 0;
    }
    if (!is_known) {
        vxe_messages_add(reader->design->notes, "object of version %s is read as 0.94", version);
    }
    vxe_xml_node *palette = vxe_xml_child(object, "Palette");
    vxe_xml_node *structure = vxe_xml_child(object, "Structure");
    if (!palette || !structure) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, object, "<%s> has no <%s>", object->name,
                             palette ? "Structure" : "Palette");
    }
    vxe_status status = read_lattice(reader, object, error);
    status = status ? status : vxe_vxc_read_palette(reader, palette, error);
    return status ? status : vxe_vxc_read_structure(reader, structure, version, error);
}

/* Whether there is a tag at a path below node. Does not mark it used, since it is not read. */
static bool has_tag(const vxe_xml_node *node, const char *path)
{
    while (node && *path) {
        const size_t length = strcspn(path, "/");
        const vxe_xml_node *child = node->first_child;
        while (child &&
               (strlen(child->name) != length || strncmp(child->name, path, length) != 0)) {
            child = child->next;
        }
        node = child;
        path += length + (path[length] == '/');
    }
    return node != NULL;
}

/* Finds out for which simulator the file was written, by tags that only this one reads; its frame
   of coordinates follows from that. */
static void take_dialect(vxe_design *design, const vxe_xml_node *root)
{
    static const struct {
        const char *path;
        const char *conventions;
    } signs[] = {
        {"Simulator/AttachDetach", "voxcraft"},
        {"Simulator/RecordHistory", "voxcraft"},
        {"Simulator/FitnessFunction", "voxcraft"},
        {"Simulator/ForceField", "voxcraft"},
        {"Simulator/EnableExpansion", "voxcraft"},
        {"Simulator/StopCondition/StopConditionFormula", "voxcraft"},
        {"RawPrint", "voxcraft"},
        {"GPU", "voxcraft"},
        {"Environment/RegenerationModel", "recorg"},
        {"Environment/ForwardModel", "recorg"},
        {"Environment/BlockPushing", "recorg"},
        {"Environment/FluidEnvironment", "land-water"},
        {"Simulator/GA", "evosoro"},
        {"Simulator/MinTempFact", "evosoro"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (has_tag(root, signs[i].path)) {
            char why[sizeof design->written_for_by];
            snprintf(why, sizeof why, "it has %s", signs[i].path);
            vxe_design_mark(design, signs[i].conventions, why, false);
            break;
        }
    }
    for (int c = 0; c < 3 && strcmp(design->written_for, "voxcraft") == 0; c++) {
        design->file_origin[c] = 0.5 * design->voxel_size;
    }
}

/* Takes the conventions that the file states itself, in a tag of ours that other simulators ignore.
   Where it states none and has no signs it is VoxCAD's, by its version. */
static vxe_status take_conventions(vxe_design *design, vxe_xml_node *root, vxe_error *error)
{
    vxe_xml_node *stated = vxe_xml_child(vxe_xml_child(root, "Voxelastic"), "Conventions");
    const char *version = vxe_xml_attribute(root, "Version");
    if (stated && stated->length >= sizeof design->written_for) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, stated, "conventions of more than %zu letters",
                             sizeof design->written_for - 1);
    }
    if (stated && stated->length > 0) {
        vxe_design_mark(design, stated->text, "the file says so", false);
    } else if (!design->written_for_by[0] && version && strcmp(version, "1.0") == 0) {
        vxe_design_mark(design, "evosoro", "a VXA 1.0, as of VoxCAD, on which evosoro is built",
                        true);
    } else if (!design->written_for_by[0] && version && strcmp(version, "1.1") == 0) {
        vxe_design_mark(design, "voxelyze", "a VXA 1.1, as of VoxCAD 2, which runs Voxelyze", true);
    }
    return VXE_OK;
}

/* Removes what other simulators read and voxcraft ignores, if the file was written for voxcraft. */
static void remove_foreign(vxe_design *design)
{
    if (strcmp(design->written_for, "voxcraft") != 0) {
        return;
    }
    vxe_floor *floor = &design->floor;
    vxe_actuation *heat = &design->actuation;
    bool phases = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        phases = phases || design->materials[i].phase != 0;
        design->materials[i].phase = 0;
    }
    const bool bounded = heat->min > 0 || heat->max > 0;
    const struct {
        bool there;
        const char *what;
    } foreign[] = {{phases, "MaterialTempPhase"},
                   {design->stop.settle_time > 0, "InitCmTime"},
                   {floor->sticky, "StickyFloor"},
                   {floor->slope[0] != 0, "FloorSlope"},
                   {floor->radius > 0, "FloorRadius"},
                   {heat->start > 0, "ActuationStartTime"},
                   {bounded, "ContractOnly and ExpandOnly"},
                   {design->fluid.enabled, "FluidEnvironment"}};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (foreign[i].there) {
            vxe_messages_add(design->notes, "ignored: %s (voxcraft does not read it)",
                             foreign[i].what);
        }
    }
    design->stop.settle_time = 0;
    floor->sticky = false;
    floor->slope[0] = 0;
    floor->radius = 0;
    heat->start = heat->min = heat->max = 0;
    design->fluid.enabled = false;
}

/* Adds a boundary condition for the voxels of fixed materials. */
static vxe_status hold_fixed(const vxe_vxc_reader *reader, vxe_error *error)
{
    vxe_design *design = reader->design;
    vxe_region region = {.shape = VXE_REGION_VOXELS, .fixed = VXE_FIX_ALL};
    region.voxels = vxe_memory_take(design->voxel_count, sizeof *region.voxels);
    if (!region.voxels) {
        return vxe_error_memory(error, design->voxel_count * sizeof *region.voxels);
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        VXE_ASSERT(design->voxels[v].material < design->material_count);
        if (reader->held[design->voxels[v].material]) {
            region.voxels[region.voxel_count++] = v;
        }
    }
    const vxe_status status =
        region.voxel_count > 0 ? vxe_design_add_region(design, &region, error) : VXE_OK;
    vxe_memory_release(region.voxels);
    return status;
}

/* Checks the materials here, so that an error has the place of the material in the palette.
   Materials that no voxel has may be wrong; they are replaced. */
static vxe_status check_materials(const vxe_vxc_reader *reader, vxe_error *error)
{
    const vxe_design *design = reader->design;
    uint8_t *needed = vxe_memory_take(design->material_count, 1);
    if (!needed) {
        return vxe_error_memory(error, design->material_count);
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        needed[design->voxels[v].material] = 1;
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < design->material_count && !status; i++) {
        vxe_error inner;
        vxe_material *material = &design->materials[i];
        if (vxe_material_check(material, &inner)) {
            if (needed[i]) {
                status = vxe_xml_error(error, VXE_ERROR_INPUT, reader->material_node[i], "%s",
                                       inner.message);
            } else {
                vxe_messages_add(design->notes, "unused material %u: %s; replaced by the default",
                                 i + 1, inner.message);
                vxe_material spare = vxe_material_default();
                memcpy(spare.name, material->name, sizeof spare.name);
                *material = spare;
            }
        }
    }
    vxe_memory_release(needed);
    return status;
}

static vxe_status read_root(vxe_vxc_reader *reader, vxe_xml_node *root, vxe_error *error)
{
    root->used = true;
    const bool alone = strcmp(root->name, "VXC") == 0 || strcmp(root->name, "DMF") == 0;
    vxe_xml_node *object = alone ? root : vxe_xml_child(root, "VXC");
    object = object ? object : vxe_xml_child(root, "DMF");
    if (!object && strcmp(root->name, "VXD") == 0) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, root,
                             "<VXD>: to be laid over a .vxa; name it .vxd and put base.vxa beside "
                             "it");
    }
    if (!object) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, root,
                             "<%s> holds no <VXC>, so that it is not a VoxCAD design", root->name);
    }
    vxe_status status = vxe_vxc_read_object(reader, object, error);
    if (!status && !alone) {
        take_dialect(reader->design, root);
        vxe_xml_node *simulator = vxe_xml_child(root, "Simulator");
        vxe_xml_node *environment = vxe_xml_child(root, "Environment");
        status = vxe_vxa_read_simulator(reader, simulator, error);
        status = status ? status : vxe_vxa_read_formulas(reader, simulator, error);
        status = status ? status : vxe_vxa_read_environment(reader, environment, error);
        remove_foreign(reader->design);
        status = status ? status : take_conventions(reader->design, root, error);
        status = status ? status : vxe_vxa_read_growth(reader, simulator, environment, error);
    }
    status = status ? status : hold_fixed(reader, error);
    status = status ? status : check_materials(reader, error);
    if (!status && reader->left_out > 0) {
        vxe_messages_add(reader->design->notes,
                         "%u voxels are left out: the palette has no material for them",
                         reader->left_out);
    }
    if (!status) {
        vxe_xml_note_unused(root, reader->design->notes);
        if (vxe_limit_check_design(reader->design, reader->bytes, error)) {
            vxe_error inner = *error;
            status = vxe_error_at(error, inner.status, reader->file, 0, 0, "%s", inner.message);
        }
    }
    return status;
}

/* Reads the design of a tree that was made of so many bytes, and releases the tree. */
static vxe_design *read_tree(vxe_xml_tree *tree, const vxe_text *source, uint64_t bytes,
                             vxe_error *error)
{
    vxe_vxc_reader reader = {.file = source->file,
                             .design = vxe_design_create(),
                             .lenient = source->lenient,
                             .bytes = bytes};
    vxe_status status = VXE_OK;
    if (!reader.design) {
        status = vxe_error_memory(error, sizeof *reader.design);
    } else {
        status = read_root(&reader, tree->root, error);
    }
    if (reader.wrong.status) { /* what followed from it may have failed, too */
        *error = reader.wrong;
        status = error->status;
    }
    vxe_xml_tree_clear(tree);
    vxe_memory_release(reader.material_node);
    vxe_memory_release(reader.held);
    vxe_memory_release(reader.cilia);
    if (status) {
        vxe_design_destroy(reader.design);
        return NULL;
    }
    return reader.design;
}

vxe_design *vxe_vxa_read(const vxe_text *source, vxe_error *error)
{
    vxe_xml_tree tree;
    if (vxe_xml_tree_init(&tree, source->file, source->text, source->size, error)) {
        return NULL;
    }
    return read_tree(&tree, source, source->size, error);
}

vxe_design *vxe_vxd_read(const vxe_text *base, const vxe_text *overlay, vxe_error *error)
{
    vxe_xml_tree tree;
    vxe_xml_tree over;
    if (vxe_xml_tree_init(&tree, base->file, base->text, base->size, error)) {
        return NULL;
    }
    if (vxe_xml_tree_init(&over, overlay->file, overlay->text, overlay->size, error)) {
        vxe_xml_tree_clear(&tree);
        return NULL;
    }
    tree.arena.limit += over.arena.limit; /* what is missing on a path is made in the base */
    if (vxe_xml_overlay(&tree, over.root, error)) {
        vxe_xml_tree_clear(&tree);
        vxe_xml_tree_clear(&over);
        return NULL;
    }
    vxe_design *design = read_tree(&tree, overlay, base->size + overlay->size, error);
    if (design) {
        vxe_xml_note_unused(over.root, design->notes);
    }
    vxe_xml_tree_clear(&over);
    return design;
}
