/* SPDX-License-Identifier: MIT */
/* The door of timestep/: the largest natural frequency, and the step that follows from it. */
#ifndef VXE_ENGINE_TIMESTEP_TIMESTEP_H
#define VXE_ENGINE_TIMESTEP_TIMESTEP_H

#include "engine/timestep/known_spectra.h"
#include "engine/timestep/spectrum.h"
#include "engine/timestep/step_plan.h"

#endif
