/* SPDX-License-Identifier: MIT */
/* Why tags of VXA files have no effect (docs/from-voxcraft.md, What carries over). */
#include "lattice/formats/vxa/vxa_ignored_internal.h"

#include <stddef.h>
#include <string.h>

#define UNUSED_THERE "voxcraft does not use it"
#define GRAPHICS "memory of a graphics card"
#define REPLICATION "self-replication is not simulated"
#define SWARM "debris and walls of a fork are not simulated"
#define WATER "light and water of a fork are not simulated"

#ifdef __wasm__

/* The module of a page is to stay small: it says what is ignored, and this page of the docs why. */
const char *vxe_vxa_why_ignored(const char *tag)
{
    (void)tag;
    return NULL;
}

#else

const char *vxe_vxa_why_ignored(const char *tag)
{
    static const char *const reasons[][2] = {
        {"GPU", GRAPHICS},
        {"RecordHistory", "run records what --record says; the drop-in voxcraft-sim obeys it"},
        {"watchDistance", UNUSED_THERE},
        {"boundingRadius", UNUSED_THERE},
        {"SafetyGuard", "new links begin without force here"},
        {"ThoroughTest", "checks of the program itself"},
        {"SelfReplication", REPLICATION},
        {"SettleTimeBeforeNextRoundOfReplication", REPLICATION},
        {"MaxNewVoxelsAddedMidSim", GRAPHICS},
        {"MinimumBotSize", REPLICATION},
        {"KeepJustOneIfManyHaveSameGroupPosition", REPLICATION},
        {"RemoveFromSimulationAfterThisManySeconds", REPLICATION},
        {"EndSimIfCompletelyRemoved", REPLICATION},
        {"ForceAttachment", REPLICATION},
        {"CollisionMode", REPLICATION},
        {"WorldSize", SWARM},
        {"WallForce", SWARM},
        {"SpaceBetweenDebris", SWARM},
        {"DebrisMat", SWARM},
        {"DebrisHeight", SWARM},
        {"HighDebrisConcentration", SWARM},
        {"ReplenishDebrisEvery", SWARM},
        {"RandomizeCiliaEvery", "cilia keep the forces of the file"},
        {"RandomSeed", "nothing is random"},
        {"UsingLightSource", WATER},
        {"TurnOnLightAfterThisManySeconds", WATER},
        {"OnlySurfVoxOcclude", WATER},
        {"LightFunction", WATER},
        {"CiliaFactorInLight", WATER},
        {"CiliaDelayInLight", WATER},
        {"CiliaDecayInDark", WATER},
        {"LightPosX", WATER},
        {"LightPosY", WATER},
        {"LightPosZ", WATER},
        {"WaterLevel", WATER},
        {"Buoyancy", WATER},
        {"Transparent", "drawing only"},
        {"SurfaceGrowth", "growth by new voxels is not simulated"},
        {"EnableDisintegration", REPLICATION},
        {"LockZ", "heights that a fork locks are not"},
        {"FailStressAddedStrengthPerNeighbor", "bonds of a fork that neighbours strengthen"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (strcmp(reasons[i][0], tag) == 0) {
            return reasons[i][1];
        }
    }
    return NULL;
}

#endif
