/* SPDX-License-Identifier: MIT */
/* Reader and writer of MagicaVoxel files. */
#ifndef VXE_LATTICE_FORMATS_OTHERS_VOX_INTERNAL_H
#define VXE_LATTICE_FORMATS_OTHERS_VOX_INTERNAL_H

#include "lattice/design.h"
#include "lattice/formats/sink_internal.h"
#include "lattice/formats/text_internal.h"
#include "lattice/topology_internal.h"

vxe_design *vxe_vox_read(const vxe_text *source, vxe_error *error);

vxe_status vxe_vox_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error);

#endif
