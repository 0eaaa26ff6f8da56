/* SPDX-License-Identifier: MIT */
/* A team as an object, for its two sources. */
#ifndef VXE_PYTHON_CORE_TEAM_H
#define VXE_PYTHON_CORE_TEAM_H

#include "core.h"

typedef struct core_team {
    PyObject_HEAD core_state *state;
    vxe_team *team; /* null once closed */
    vxe_team_facts facts;
    core_design **designs; /* (robots); no tuple, which the garbage collector might empty before
                              they are let go of */
    size_t held;
    PyObject *obs, *status; /* arrays, and their memory, which stays in place while it is held */
    Py_buffer obs_view, status_view;
    bool busy;
    bool decides; /* networks make the targets where none are given */
} core_team;

/* Whether a team can be used now; else an exception is set. */
bool core_team_is_free(const core_team *team);
/* Fills both arrays with what is so now. */
void core_team_report(core_team *team);
/* core_control.c: a method. */
PyObject *core_team_put_networks(PyObject *self, PyObject *arguments);
/* Methods on states and single robots. */
extern PyMethodDef core_team_state_methods[];

#endif
