/* SPDX-License-Identifier: MIT */
/* Reading VoxCAD's XML: the object (VXC: lattice, palette, structure) and the experiment around it
 * (VXA: simulator, environment). */
#ifndef VXE_LATTICE_FORMATS_VXA_VXC_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_VXC_INTERNAL_H

#include "lattice/design.h"
#include "lattice/formats/text_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"
#include "lattice/topology_internal.h"

typedef struct vxe_vxc_reader {
    const char *file;
    vxe_design *design;
    int32_t cells[3];                   /* of the workspace */
    const vxe_xml_node **material_node; /* (material_count) where each palette entry stands */
    uint8_t *held;                      /* (material_count) 1: its voxels never move (Fixed) */
    double *cilia;                      /* (material_count) factor of its voxels' BaseCiliaForce */
    double stretch[3];                  /* X_Dim_Adj ... */
    double afterlife;                   /* s, of the duration */
    bool lenient;                       /* as the text's */
    uint32_t left_out;                  /* voxels of no material */
} vxe_vxc_reader;

/* Lattice, palette and structure from a VXC (or DMF) element. */
vxe_status vxe_vxc_read_object(vxe_vxc_reader *reader, vxe_xml_node *object, vxe_error *error);

/* Palette alone. */
vxe_status vxe_vxc_read_palette(vxe_vxc_reader *reader, vxe_xml_node *palette, vxe_error *error);

/* Cells and per-voxel layers of a Structure element. */
vxe_status vxe_vxc_read_structure(vxe_vxc_reader *reader, vxe_xml_node *structure,
                                  const char *version, vxe_error *error);

/* Tags of a region's numbers along x, y and z: where it begins and how far it reaches in parts of
   the workspace, N, N m, m, rad. */
enum {
    VXE_REGION_CORNER,
    VXE_REGION_EXTENT,
    VXE_REGION_FORCE,
    VXE_REGION_MOMENT,
    VXE_REGION_DISPLACEMENT,
    VXE_REGION_ROTATION,
    VXE_REGION_NUMBERS
};
extern const char *const vxe_vxa_region_tags[VXE_REGION_NUMBERS][3];

/* Simulator and Environment; either may be null. */
vxe_status vxe_vxa_read_simulator(vxe_vxc_reader *reader, vxe_xml_node *simulator,
                                  vxe_error *error);
vxe_status vxe_vxa_read_environment(vxe_vxc_reader *reader, vxe_xml_node *environment,
                                    vxe_error *error);

/* Formulas of a simulator, which may be null, once all else of it has been read. */
vxe_status vxe_vxa_read_formulas(vxe_vxc_reader *reader, vxe_xml_node *simulator, vxe_error *error);

/* Growth, once both have been read and the design has its layers. */
vxe_status vxe_vxa_read_growth(vxe_vxc_reader *reader, vxe_xml_node *simulator,
                               vxe_xml_node *environment, vxe_error *error);

/* A whole .vxa or .vxc file. */
vxe_design *vxe_vxa_read(const vxe_text *source, vxe_error *error);

/* Writes a .vxa, or a .vxc, which is the body alone. */
vxe_status vxe_vxa_write(const vxe_design *design, const vxe_topology *scan, const char *path,
                         vxe_error *error);
vxe_status vxe_vxc_write(const vxe_design *design, const vxe_topology *scan, const char *path,
                         vxe_error *error);

/* A .vxd laid over the .vxa that it belongs to. */
vxe_design *vxe_vxd_read(const vxe_text *base, const vxe_text *overlay, vxe_error *error);

#endif
