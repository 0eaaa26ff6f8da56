/* SPDX-License-Identifier: MIT */
/* The example designs at the step that a user gets. Slow: the ledger watches every step. */
#include <stdio.h>

#include "lattice/formats/format.h"
#include "support.h"

/* Every example that moves on the floor keeps its ledger at its default step: actuation lengthens
   the edges, and a step chosen for the rest state alone is unstable without bonds breaking (the
   worm at 20 % gained 1 J of the 0.05 J it exchanges). 1e-3 as in the rows, although the step here
   is the largest. */
static void examples_are_sound_at_their_default_step(void **state)
{
    (void)state;
    static const char *const names[3] = {"quadruped", "worm", "hopper"};
    static const double seconds[3] = {0.6, 1.5, 0.6};
    for (int i = 0; i < 3; i++) {
        char path[600];
        vxe_error error;
        snprintf(path, sizeof path, "%s/assets/%s.vxa", SOURCE_FOLDER, names[i]);
        vxe_design *design = vxe_design_read(path, &error);
        assert_non_null(design);
        vxe_world_def def = vxe_world_def_default();
        def.ledger = true;
        vxe_world *world = make_world(design, &def);
        check_audit(names[i], world, (uint64_t)(seconds[i] / vxe_world_describe(world).time_step),
                    1e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_sound_at_their_default_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
