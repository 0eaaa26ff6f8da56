/* SPDX-License-Identifier: MIT */
/* Spectra of bodies that were met before. The robots of a search often differ in their actuation
   alone, and copies of a robot in nothing that counts at rest: then the spectrum, which is half of
   the work of compiling one, is that of a robot before it. Bodies are compared number by number, so
   that what is found has the bits of what would be computed. Any thread may ask. */
#ifndef VXE_ENGINE_TIMESTEP_KNOWN_SPECTRA_H
#define VXE_ENGINE_TIMESTEP_KNOWN_SPECTRA_H

#include "common/bytes_internal.h"
#include "engine/timestep/spectrum.h"

typedef struct vxe_known_spectra vxe_known_spectra;

/* Null without memory. */
vxe_known_spectra *vxe_known_spectra_create(void);
void vxe_known_spectra_destroy(vxe_known_spectra *known);

/* Writes all numbers of a body that its spectrum depends on. */
void vxe_spectrum_body_key(const vxe_spectrum_body *body, vxe_bytes *key);

/* The spectrum of the body with this key; false where it is not known. */
bool vxe_known_spectra_find(vxe_known_spectra *known, const vxe_bytes *key, vxe_spectrum *found);

/* How often a spectrum was known. */
uint64_t vxe_known_spectra_hits(const vxe_known_spectra *known);

/* Remembers a spectrum in the place of the oldest one, and takes the key over, which is empty then;
   a key for which memory ran out is left alone. */
void vxe_known_spectra_keep(vxe_known_spectra *known, vxe_bytes *key, const vxe_spectrum *found);

#endif
