/* SPDX-License-Identifier: MIT */
/* Teams of random robots, for the tests of teams. */
#ifndef VXE_TESTS_TEAMS_H
#define VXE_TESTS_TEAMS_H

#include "engine/team.h"

enum { ROBOTS = 37, TICKS = 12, GROUPS = 5 };

/* A stiff and hardly damped robot that targets which jump tear apart, before the last tick. */
enum { FRAIL = 15 };

/* A robot of about two thirds of a box, with groups of voxels by columns: of several sizes, steps,
   laws and floors, some held at one end or before a wall. One in nine has no groups; its edges
   follow a wave. */
vxe_design *team_robot(uint32_t number);

/* Robots 0 to count - 1, and their end. */
void make_designs(vxe_design **designs, uint32_t count);
void destroy_designs(vxe_design **designs, uint32_t count);

/* Target of a group in a tick: any from 0.6 to 1.6; and those of all robots, by rows. */
float target_of(uint32_t robot, uint32_t tick, uint32_t group);
void fill_targets(float *targets, uint32_t robots, uint32_t groups, uint32_t tick);

/* Choices of a team in the test's precision, with ticks of 1/240 s. */
vxe_team_def team_def(vxe_batch_schedule schedule, uint32_t threads);

/* A team, and a tick of it; a failure is one of the test. */
vxe_team *make_team(vxe_design *const *designs, uint32_t count, const vxe_team_def *def);
void step_team(vxe_team *team, const float *targets, float *observations, uint8_t *status);

#endif
