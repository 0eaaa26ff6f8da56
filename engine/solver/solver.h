/* SPDX-License-Identifier: MIT */
/* The interface of solver/: compiling a design, its steps, and measurements. */
#ifndef VXE_ENGINE_SOLVER_SOLVER_H
#define VXE_ENGINE_SOLVER_SOLVER_H

#include "engine/solver/compile.h"
#include "engine/solver/measure.h"
#include "engine/solver/simulation.h"
#include "engine/solver/step.h"

#endif
