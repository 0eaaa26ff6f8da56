#include <voxelastic/voxelastic.h>
#define EXPORT(name) __attribute__((export_name(#name)))
vxe_world *vxw_try(const void *bytes, uint32_t size);
EXPORT(vxw_try) vxe_world *vxw_try(const void *bytes, uint32_t size)
{
    vxe_error error;
    vxe_design *design = vxe_design_read_bytes(bytes, size, "a.vxa", &error);
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = vxe_world_create(design, &def, &error);
    vxe_world_advance(world, 100, &error);
    char *out; uint64_t n;
    vxe_design_write_bytes(design, "a.vxa", &out, &n, &error);
    vxe_trial *t = vxe_trial_create(design, world, &error);
    vxe_trial_advance(t, 100, &error);
    return world;
}
