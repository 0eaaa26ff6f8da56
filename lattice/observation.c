/* SPDX-License-Identifier: MIT */
/* Observations: what a run reports of affine bodies. Names and checks only; the engine computes
   them. */
#include <stddef.h>

#include "common/expression_internal.h"
#include "common/status_internal.h"
#include "lattice/affine.h"

const char *vxe_observation_kind_name(vxe_observation_kind kind)
{
    static const char *const names[VXE_OBSERVATION_KINDS] = {"last", "most",   "least", "mean",
                                                             "rate", "period", "peaks", "first"};
    return kind >= 0 && kind < VXE_OBSERVATION_KINDS ? names[kind] : NULL;
}

const char *const *vxe_observation_variables(void)
{
    static const char *const names[VXE_SEEN] = {
        "t",  "x",  "y",    "z",       "vx", "vy", "vz", "wx", "wy", "wz", "ax",
        "ay", "az", "tilt", "azimuth", "lx", "ly", "lz", "fx", "fy", "fz", "gap"};
    return names;
}

vxe_status vxe_observation_check(const vxe_observation *observation, uint32_t bodies,
                                 vxe_error *error)
{
    const char *const texts[2] = {observation->of, observation->when};
    if (observation->body >= bodies) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "it is of affine body %u (from 0), but there are %u",
                              observation->body, bodies);
    }
    if (!vxe_observation_kind_name(observation->gives)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "unknown kind %d", (int)observation->gives);
    }
    if (!observation->of || (observation->gives == VXE_OBSERVE_FIRST && !observation->when)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the formula \"of\" is missing, or \"when\", which \"first\" needs");
    }
    for (int i = 0; i < 2; i++) {
        vxe_expression expression = {0};
        vxe_error inner;
        const vxe_status status =
            texts[i] ? vxe_expression_parse(&expression, texts[i], vxe_observation_variables(),
                                            VXE_SEEN, &inner)
                     : VXE_OK;
        vxe_expression_clear(&expression);
        if (status) {
            return vxe_error_fill(error, status, "formula \"%s\", %s", texts[i], inner.message);
        }
    }
    return VXE_OK;
}
