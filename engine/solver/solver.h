/* SPDX-License-Identifier: MIT */
/* The door of solver/: a design compiled, its step, what can be measured, and the energy audit. */
#ifndef VXE_ENGINE_SOLVER_SOLVER_H
#define VXE_ENGINE_SOLVER_SOLVER_H

#include "engine/solver/compile.h"
#include "engine/solver/energy_audit.h"
#include "engine/solver/measure.h"
#include "engine/solver/simulation.h"
#include "engine/solver/step.h"

#endif
