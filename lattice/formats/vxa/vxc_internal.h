/* SPDX-License-Identifier: MIT */
/* Readers and writers of VoxCAD's XML: the object (VXC: lattice, palette, structure) and the
 * experiment around it (VXA: simulator, environment). */
#ifndef VXE_LATTICE_FORMATS_VXA_VXC_INTERNAL_H
#define VXE_LATTICE_FORMATS_VXA_VXC_INTERNAL_H

#include "lattice/design.h"
#include "lattice/formats/sink_internal.h"
#include "lattice/formats/text_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"
#include "lattice/topology_internal.h"

typedef struct vxe_vxc_reader {
    const char *file;
    vxe_design *design;
    int32_t cells[3];                   /* size of the workspace */
    const vxe_xml_node **material_node; /* (material_count) element of each palette entry */
    uint8_t *held;                      /* (material_count) 1: its voxels never move (Fixed) */
    double *cilia;                      /* (material_count) factor on BaseCiliaForce */
    double stretch[3];                  /* X_Dim_Adj, Y_Dim_Adj, Z_Dim_Adj */
    double afterlife;                   /* s, part of the duration */
    bool lenient;                       /* see vxe_text */
    uint64_t bytes;                     /* of the file, and of its base */
    uint64_t numbers;                   /* of all layers so far, those of empty cells too */
    vxe_error wrong;                    /* the first value that is no number, or status VXE_OK */
    uint32_t left_out;                  /* number of voxels whose material is missing */
} vxe_vxc_reader;

/* Reads lattice, palette and structure of a VXC (or DMF) element. */
vxe_status vxe_vxc_read_object(vxe_vxc_reader *reader, vxe_xml_node *object, vxe_error *error);

/* Reads the palette. */
vxe_status vxe_vxc_read_palette(vxe_vxc_reader *reader, vxe_xml_node *palette, vxe_error *error);

/* Reads cells and layers of a Structure element. */
vxe_status vxe_vxc_read_structure(vxe_vxc_reader *reader, vxe_xml_node *structure,
                                  const char *version, vxe_error *error);

/* Tags of the numbers of a boundary condition along x, y and z: corner and size in parts of the
   workspace, force N, moment N m, displacement m, rotation rad. */
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

/* Read the elements Simulator and Environment, which may be null. */
vxe_status vxe_vxa_read_simulator(vxe_vxc_reader *reader, vxe_xml_node *simulator,
                                  vxe_error *error);
vxe_status vxe_vxa_read_environment(vxe_vxc_reader *reader, vxe_xml_node *environment,
                                    vxe_error *error);

/* Reads the conditions under which voxels attach. Only constants are simulated: where one is not
   above 0, nothing sticks. */
vxe_status vxe_vxa_read_attach_conditions(vxe_vxc_reader *reader, vxe_xml_node *conditions,
                                          vxe_error *error);

/* Reads the formulas of a simulator, which may be null, after everything else of it. */
vxe_status vxe_vxa_read_formulas(vxe_vxc_reader *reader, vxe_xml_node *simulator, vxe_error *error);

/* Reads growth, after simulator, environment and layers. */
vxe_status vxe_vxa_read_growth(vxe_vxc_reader *reader, vxe_xml_node *simulator,
                               vxe_xml_node *environment, vxe_error *error);

/* Reads a .vxa or .vxc file. */
vxe_design *vxe_vxa_read(const vxe_text *source, vxe_error *error);

/* Write a .vxa, or a .vxc, which has the body only. */
vxe_status vxe_vxa_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error);
vxe_status vxe_vxc_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error);

/* Reads a .vxd as an overlay of the .vxa that it belongs to. */
vxe_design *vxe_vxd_read(const vxe_text *base, const vxe_text *overlay, vxe_error *error);

#endif
