/* SPDX-License-Identifier: MIT */
/* VXA and VXC: every encoding of cells, layers, regions, defaults of missing and empty elements,
 * and wrong files. The texts are made here. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "lattice/formats/format.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "support.h"

#define MATERIAL(name, extra)                                                                      \
    "<Material><Name>" name "</Name><Mechanical><Elastic_Mod>1e+006</Elastic_Mod><Density>1000"    \
    "</Density><Poissons_Ratio>.35</Poissons_Ratio><uStatic>1</uStatic><uDynamic>.5</"             \
    "uDynamic>" extra "</Mechanical></Material>"
#define PALETTE "<Palette>" MATERIAL("a", "") MATERIAL("b", "<CTE>-0.01</CTE>") "</Palette>"
#define LATTICE "<Lattice><Lattice_Dim> 0.005 </Lattice_Dim></Lattice>"
#define VXC(structure) "<VXC Version=\"0.94\">" LATTICE PALETTE structure "</VXC>"
#define SIZE(x, y, z)                                                                              \
    "<X_Voxels>" x "</X_Voxels><Y_Voxels>" y "</Y_Voxels><Z_Voxels>" z "</Z_Voxels>"

/* 2 x 2 x 2 cells 1 0 2 0 / 0 1 1 2: five voxels. */
static void expect_body(const vxe_design *design)
{
    const int32_t expected[5][4] = {
        {0, 0, 0, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}};
    assert_int_equal(design->voxel_count, 5);
    for (int v = 0; v < 5; v++) {
        for (int c = 0; c < 3; c++) {
            assert_int_equal(design->voxels[v].position[c], expected[v][c]);
        }
        assert_int_equal(design->voxels[v].material, expected[v][3]);
    }
}

static void base64_of(const unsigned char *bytes, size_t size, char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t a = bytes[i];
        const uint32_t b = i + 1 < size ? bytes[i + 1] : 0;
        const uint32_t c = i + 2 < size ? bytes[i + 2] : 0;
        const uint32_t bits = a << 16 | b << 8 | c;
        text[n++] = digits[bits >> 18];
        text[n++] = digits[bits >> 12 & 63];
        text[n++] = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        text[n++] = i + 2 < size ? digits[bits & 63] : '=';
    }
    text[n] = '\0';
}

static void all_encodings_say_the_same_body(void **state)
{
    (void)state;
    const unsigned char layers[2][4] = {{1, 0, 2, 0}, {0, 1, 1, 2}};
    static const char *const names[5] = {"ASCII_READABLE", "BASE64", "ZLIB", "QT_ZLIB",
                                         "LONG_READABLE"};
    for (int e = 0; e < 5; e++) {
        char data[2][200];
        for (int z = 0; z < 2; z++) {
            unsigned char packed[100] = {0, 0, 0, 4};
            uLongf size = 90;
            assert_int_equal(compress(packed + 4, &size, layers[z], 4), Z_OK);
            if (e == 0) {
                snprintf(data[z], 200, "%s", z ? "0112" : "1020");
            } else if (e == 1) {
                base64_of(layers[z], 4, data[z]);
            } else if (e == 4) {
                snprintf(data[z], 200, "%s", z ? "00,1, 1,2," : "1,000,2,0");
            } else {
                base64_of(packed + (e == 2 ? 4 : 0), size + (e == 2 ? 0 : 4), data[z]);
                memmove(data[z] + 6, data[z] + 4,
                        strlen(data[z] + 4) + 1); /* VoxelFuse's line breaks */
                memcpy(data[z] + 4, "\\n", 2);
            }
        }
        char text[4000];
        snprintf(text, sizeof text,
                 VXC("<Structure Compression=\"%s\">" SIZE(
                     "2", "2", "2") "<Data><Layer><![CDATA[%s]]></Layer><!-- c "
                                    "--><Layer>%s</Layer></Data></Structure>"),
                 names[e], data[0], data[1]);
        vxe_design *design = readable_vxa(text);
        expect_body(design);
        check_near("voxel size, m", design->voxel_size, 0.005, 0);
        check_near("modulus, Pa", design->materials[0].youngs_modulus, 1e6, 0);
        vxe_design_destroy(design);
    }
}

/* Blank lines before the prolog, a byte order mark, CRLF, Latin-1 bytes, the old root, an unusual
 * version. */
static void odd_but_real_files_are_read(void **state)
{
    (void)state;
    static const char body[] =
        LATTICE PALETTE "<Structure Compression=\"ASCII_READABLE\">\r\n" SIZE(
            "2", "1", "1") "<Data><Layer>1\r\n1</Layer></Data></Structure>";
    static const char *const frames[5][2] = {
        {"\n\n  <?xml version=\"1.0\"?><VXC Version=\"0.93\">", "</VXC>"},
        {"\xef\xbb\xbf<VXC>", "</VXC>"},
        {"<DMF Version=\"0.92\">", "</DMF>"},
        {"<VXC Version=\"9.9\"><!-- caf\xe9 -->", "</VXC>"},
        {"<Anything><VXC Version=\"\">", "</VXC></Anything>"}};
    for (int i = 0; i < 5; i++) {
        char text[4000];
        snprintf(text, sizeof text, "%s%s%s", frames[i][0], body, frames[i][1]);
        vxe_design *design = readable_vxa(text);
        assert_int_equal(design->voxel_count, 2);
        vxe_design_destroy(design);
    }
}

static const char experiment[] =
    "<VXA Version=\"1.0\"><Simulator><Integration><DtFrac>0.5</DtFrac></Integration>"
    "<Damping><BondDampingZ>0.7</BondDampingZ><ColDampingZ>0.6</ColDampingZ><SlowDampingZ>0.01</"
    "SlowDampingZ></Damping>"
    "<Collisions><SelfColEnabled>1</SelfColEnabled></Collisions>"
    "<StopCondition><StopConditionType>2</StopConditionType><StopConditionValue>3</"
    "StopConditionValue>"
    "<AfterlifeTime>1</AfterlifeTime><InitCmTime>0.5</InitCmTime></"
    "StopCondition><GA><FitnessFileName>f.xml</FitnessFileName></GA></Simulator>"
    "<Environment><Boundary_Conditions><NumBCs>2</NumBCs>"
    "<FRegion><PrimType>0</PrimType><X>0</X><Y>0</Y><Z>0</Z><dX>1</dX><dY>1</dY><dZ>0.5</"
    "dZ><DofFixed>63</DofFixed></FRegion>"
    "<FRegion><PrimType>0</PrimType><X>0</X><Y>0</Y><Z>0.5</Z><dX>1</dX><dY>1</dY><dZ>0.5</"
    "dZ><DofFixed>0</DofFixed>"
    "<ForceX>2</ForceX><TorqueZ>0.5</TorqueZ></FRegion></Boundary_Conditions>"
    "<Gravity><GravEnabled>1</GravEnabled><GravAcc>-3</GravAcc><FloorSlope>45</FloorSlope>"
    "</Gravity><StickyFloor>1</StickyFloor><FloorRadius>0.3</FloorRadius>"
    "<Thermal><TempEnabled>1</TempEnabled><TempAmp>39</TempAmp><TempBase>25</"
    "TempBase><TempPeriod>0.25</TempPeriod></Thermal>"
    "</Environment>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
        "2", "2", "2") "<Data><Layer>1020</Layer><Layer>0112</Layer></Data>"
                       "<PhaseOffset><Layer>0.1, 9, 0.2, 9, </Layer><Layer>9, 0.3, 0.4, 0.5, "
                       "</Layer></PhaseOffset>"
                       "<Stiffness><MinElasticMod>1</MinElasticMod><Layer>1,2,3,4</"
                       "Layer><Layer>5,6,7,8</Layer></Stiffness>"
                       "<BaseCiliaForce><Layer>1,2,3,4,5,6,7,8,9,10,11,12</Layer><Layer>1,2</"
                       "Layer></BaseCiliaForce></Structure>") "</VXA>";

static void experiment_is_read_whole(void **state)
{
    (void)state;
    vxe_design *design = readable_vxa(experiment);
    expect_body(design);
    assert_string_equal(design->written_for, "evosoro");
    check_near("DtFrac", design->time_step.fraction, 0.5, 0);
    check_near("xi", design->materials[1].bond_damping, 0.7, 0);
    check_near("contact ratio", design->materials[0].collision_damping, 0.6, 0);
    check_near("drag ratio", design->materials[0].global_damping, 0.01, 0);
    check_near("duration, s", design->stop.duration, 4, 0);
    check_near("settling, s", design->stop.settle_time, 0.5, 0);
    check_near("gravity, m/s^2", design->gravity[2], -3, 0);
    assert_false(design->floor.enabled); /* the element exists, the tag does not */
    check_near("rise of the floor along x", design->floor.slope[0], 1, 1e-15);
    check_near("end of the floor, m", design->floor.radius, 0.3, 0);
    check_near("middle of the floor, m", design->floor.center[1], 0.005, 1e-15);
    assert_true(design->floor.sticky);
    assert_true(design->self_collision);
    check_near("amplitude, K", design->actuation.amplitude, 14, 0);
    assert_true(design->actuation.enabled);
    assert_int_equal(design->region_count, 2);
    assert_int_equal(design->regions[0].fixed, 63);
    check_near("region, m", design->regions[1].low[2], 0.005, 1e-15);
    check_near("force, N", design->regions[1].force[0], 2, 0);
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const double expected[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
    for (int v = 0; v < 5; v++) {
        check_near("phase", phase->values[v], expected[v], 0);
    }
    assert_int_equal(vxe_design_find_layer(design, "BaseCiliaForce")->width, 3);
    check_near("stiffness kept", vxe_design_find_layer(design, "Stiffness")->values[4], 8, 0);
    bool named = false;
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        named = named || strcmp(vxe_design_note(design, i), "ignored: VXA/Simulator/GA") == 0;
    }
    assert_true(named);
    vxe_design_destroy(design);
}

/* Growth times as fractions of a lifetime of 4 - 0.5 - 0.5 s, and sizes from -1 to 1, are converted
 * to seconds and factors. */
static void growth_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "<VXA Version=\"1.0\"><Simulator><MinTempFact>0.4</MinTempFact><StopCondition>"
        "<StopConditionType>2</StopConditionType><StopConditionValue>3.5</StopConditionValue>"
        "<AfterlifeTime>0.5</AfterlifeTime><InitCmTime>0.5</InitCmTime><ActuationStartTime>0.7"
        "</ActuationStartTime></StopCondition></Simulator><Environment><GrowthAmplitude>0.75"
        "</GrowthAmplitude><MinGrowthTime>0.3</MinGrowthTime><ContractOnly>1</ContractOnly>"
        "</Environment>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
            "3", "1",
            "1") "<Data><Layer>111"
                 "</Layer></Data><InitialVoxelSize><Layer>-1,0,0.4</Layer></InitialVoxelSize>"
                 "<FinalVoxelSize><Layer>0.2,-0.2,1</Layer></FinalVoxelSize>"
                 "<StartGrowthTime><Layer>0,0.5,1</Layer></StartGrowthTime>"
                 "<GrowthTime><Layer>0,0.5,1</Layer></GrowthTime>"
                 "<TempAmpDamp><Layer>1,0.5,0</Layer></TempAmpDamp></Structure>") "</VXA>";
    const struct {
        const char *name;
        double values[3];
    } expected[5] = {{"InitialSize", {0.4, 1, 1.3}},
                     {"FinalSize", {1.15, 0.85, 1.75}},
                     {"GrowthStart", {0.5, 2, 3.5}},
                     {"GrowthTime", {0.3, 1.5, 3}},
                     {"Amplitude", {1, 0.5, 0}}};
    vxe_design *design = readable_vxa(text);
    for (int i = 0; i < 5; i++) {
        const vxe_layer *layer = vxe_design_find_layer(design, expected[i].name);
        assert_non_null(layer);
        for (int v = 0; v < 3; v++) {
            check_near(expected[i].name, layer->values[v], expected[i].values[v], 1e-15);
        }
    }
    check_near("start, s", design->actuation.start, 0.7, 0);
    assert_true(design->actuation.max == 1 && design->actuation.min == 0);
    vxe_design_destroy(design);
}

/* voxcraft's sticky voxels stick where attaching is enabled; its voxels collide unless the file
 * says that they do not. */
static void stickiness_is_read(void **state)
{
    (void)state;
#define STICKS(enabled, stress)                                                                    \
    "<VXA Version=\"1.1\"><Simulator><AttachDetach><EnableAttach>" enabled                         \
    "</EnableAttach><EnableDetach>1</EnableDetach></AttachDetach></Simulator>"                     \
    "<VXC Version=\"0.94\">" LATTICE                                                               \
    "<Palette>" MATERIAL("a", "<Sticky>1</Sticky><Fail_Stress>" stress "</Fail_Stress>")           \
        MATERIAL("b", "") "</Palette><Structure Compression=\"ASCII_READABLE\">" SIZE(             \
            "2", "1", "1") "<Data><Layer>12</Layer></Data></Structure></VXC></VXA>"
    vxe_design *design = readable_vxa(STICKS("1", "3e4"));
    assert_true(design->materials[0].sticky);
    assert_false(design->materials[1].sticky);
    assert_true(design->self_collision);
    check_near("detach stress, Pa", design->materials[0].detach_stress, 3e4, 0);
    vxe_design_destroy(design);
    design = readable_vxa(STICKS("1", "-1")); /* no failure */
    check_near("detach stress, Pa", design->materials[0].detach_stress, 0, 0);
    vxe_design_destroy(design);
    /* conditions that are constants: all above 0, and one that is not; another one is said */
#define CONDITION(number, formula)                                                                 \
    "</EnableAttach><AttachCondition><Condition_0><mtCONST>2</mtCONST></"                          \
    "Condition_0><Condition_" number ">" formula "</Condition_" number                             \
    "></AttachCondition><SafetyGuard>5</SafetyGuard><EnableAttach>"
    design = readable_vxa(STICKS("1" CONDITION("4", "<mtCONST>0.5</mtCONST>"), "3e4"));
    assert_true(design->materials[0].sticky);
    assert_false(is_noted(design, "Condition"));
    assert_true(is_noted(design, "SafetyGuard (new links begin without force here)"));
    vxe_design_destroy(design);
    design = readable_vxa(STICKS("1" CONDITION("4", "<mtCONST>0</mtCONST>"), "3e4"));
    assert_false(design->materials[0].sticky);
    vxe_design_destroy(design);
    design = readable_vxa(
        "<VXA><Simulator><EquilibriumMode><EquilibriumModeEnabled>1</EquilibriumModeEnabled>"
        "</EquilibriumMode></Simulator>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
            "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure>") "</VXA>");
    assert_true(is_noted(design, "EquilibriumMode (runs keep their motion"));
    vxe_design_destroy(design);
    design = readable_vxa(STICKS("1" CONDITION("1", "<mtVAR>z</mtVAR>"), "3e4"));
    assert_true(design->materials[0].sticky);
    assert_true(is_noted(design, "ignored: Condition_1 of attaching, z (only constants"));
    vxe_design_destroy(design);
    design = readable_vxa(STICKS("0", "3e4"));
    assert_false(design->materials[0].sticky);
    assert_true(design->self_collision);
    vxe_design_destroy(design);
    design =
        readable_vxa("<VXA><Simulator><AttachDetach><EnableCollision>0</EnableCollision>"
                     "</AttachDetach></Simulator><Environment><Thermal><TempEnabled>0</TempEnabled>"
                     "<VaryTempEnabled>1</VaryTempEnabled><TempAmplitude>7</TempAmplitude>"
                     "<TempPeriod>0.2</TempPeriod></Thermal></Environment>" VXC(
                         "<Structure Compression=\"ASCII_READABLE\">" SIZE(
                             "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure>") "</VXA>");
    assert_false(design->self_collision);
    assert_true(design->actuation.enabled); /* TempEnabled has no effect on it */
    vxe_design_destroy(design);
}

/* Laws with yield and failure, and Poisson's ratio where the file enables it. */
static void nonlinear_materials_are_read(void **state)
{
    (void)state;
    vxe_design *design = readable_vxa(
        "<VXA Version=\"1.1\"><Simulator><Features><VolumeEffectsEnabled>1</VolumeEffectsEnabled>"
        "</Features></Simulator><VXC Version=\"0.94\">" LATTICE "<Palette>" MATERIAL(
            "a", "<MatModel>2</MatModel><Plastic_Mod>1e5</Plastic_Mod><Yield_Stress>2e4"
                 "</Yield_Stress><Fail_Strain>0.4</Fail_Strain>")
            MATERIAL("b", "<MatModel>3</MatModel><SSData><NumDataPts>3</NumDataPts><StrainData>"
                          "<Strain>0</Strain><Strain>0.01</Strain><Strain>0.1</Strain></StrainData>"
                          "<StressData><Stress>0</Stress><Stress>2e4</Stress><Stress>5e4</Stress>"
                          "</StressData></SSData>") "</Palette><Structure "
                                                    "Compression=\"ASCII_READABLE\">" SIZE(
                                                        "2", "1", "1") "<Data><"
                                                                       "Layer>12</"
                                                                       "Layer></"
                                                                       "Data>"
                                                                       "</"
                                                                       "Structure></"
                                                                       "VXC></VXA>");
    const vxe_material *bilinear = &design->materials[0];
    const vxe_material *measured = &design->materials[1];
    assert_true(design->volume_effects);
    assert_int_equal(bilinear->model, VXE_MATERIAL_BILINEAR);
    check_near("plastic modulus, Pa", bilinear->plastic_modulus, 1e5, 0);
    check_near("yield stress, Pa", bilinear->yield_stress, 2e4, 0);
    check_near("strain at failure", bilinear->fail_strain, 0.4, 0);
    assert_int_equal(measured->model, VXE_MATERIAL_MEASURED);
    assert_int_equal(measured->curve_count, 3);
    check_near("strain of the last point", measured->curve_strain[2], 0.1, 0);
    check_near("stress of the last point, Pa", measured->curve_stress[2], 5e4, 0);
    check_near("modulus of the curve, Pa", measured->youngs_modulus, 2e6, 1e-6);
    vxe_error error = {0};
    assert_int_equal(vxe_design_check(design, &error), VXE_OK);
    vxe_design_destroy(design);
}

/* A missing Gravity element means that gravity and floor are on; without the Simulator's Damping:
 * bonds 0.1, contact 1, no drag. */
static void missing_elements_have_the_fields_defaults(void **state)
{
    (void)state;
    vxe_design *design = readable_vxa(
        "<VXA><Simulator/><Environment/>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
            "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure>") "</VXA>");
    assert_true(design->floor.enabled);
    check_near("gravity, m/s^2", design->gravity[2], -9.81, 0);
    check_near("xi", design->materials[0].bond_damping, 0.1, 0);
    check_near("drag", design->materials[0].global_damping, 0, 0);
    assert_false(design->actuation.enabled);
    vxe_design_destroy(design);
}

/* What is wrong, and what the message must name. */
static const struct {
    const char *text;
    const char *says;
    uint32_t line;
} wrong[] = {
    {"", "empty", 1},
    {"   \n ", "empty", 1},
    {"1<?xml version=\"1.0\"?><VXA/>", "XML", 1},
    {"<VXA><VXC>\n<Palette>", "XML", 2},
    {"<html/>", "VXC", 1},
    {"<VXC>" PALETTE "</VXC>", "Structure", 1},
    {"<VXC><Structure/></VXC>", "Palette", 1},
    {VXC("\n<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "1") "<Data>\n<Layer>111</Layer></Data></Structure>"),
     "3 cells, expected 2", 3},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "1") "\n<Data><Layer>13</Layer></Data></Structure>"),
     "voxel (1, 0, 0) has material 3", 2},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "2") "<Data><Layer>11</Layer></Data></Structure>"),
     "1 layers, expected 2", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "1") "<Data><Layer>00</Layer></Data></Structure>"),
     "no voxels", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE("1000", "1000",
                                                           "1000") "<Data></Data></Structure>"),
     "box of 1000 x 1000 x 1000", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE("1e300", "1",
                                                           "1") "<Data></Data></Structure>"),
     "X_Voxels", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE("nan", "1",
                                                           "1") "<Data></Data></Structure>"),
     "X_Voxels", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE("-3", "1",
                                                           "1") "<Data></Data></Structure>"),
     "X_Voxels", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE("2", "1", "1") "</Structure>"), "Data",
     1},
    {VXC("<Structure Compression=\"ZLIB\">" SIZE(
         "2", "1", "1") "<Data><Layer>AAAA</Layer></Data></Structure>"),
     "zlib", 1},
    {VXC("<Structure Compression=\"LONG_READABLE\">" SIZE(
         "2", "1", "1") "<Data><Layer>1,x</Layer></Data></Structure>"),
     "'x'", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "1") "<Data><Layer>11</Layer></Data><PhaseOffset>\n<Layer>0.1</Layer></"
                        "PhaseOffset></Structure>"),
     "1 numbers, expected 2", 2},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "2", "1", "1") "<Data><Layer>11</Layer></Data><PhaseOffset><Layer>0.1,oops</Layer></"
                        "PhaseOffset></Structure>"),
     "a layer of <PhaseOffset>: number 2 is \"oops\": expected a number", 1},
    {VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "1", "1", "1") "<Data><Layer>1</Layer></Data><PhaseOffset><Layer>nan</Layer></"
                        "PhaseOffset></Structure>"),
     "number 1 is \"nan\": expected a number", 1},
    {"<VXC>" LATTICE "<Palette>\n<Material><Mechanical><MatModel>1.5</MatModel></Mechanical>"
     "</Material></Palette><Structure/></VXC>",
     "<MatModel> holds \"1.5\": expected a whole number from 0 to 3", 2},
    {"<VXC>" LATTICE "<Palette>\n<Material><Display>\n<Red>1e308</Red></Display><Mechanical>"
     "<Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical></Material></Palette>"
     "<Structure Compression=\"ASCII_READABLE\">" SIZE("1", "1", "1") "<Data><Layer>1</Layer>"
                                                                      "</Data></Structure></VXC>",
     "red of the colour", 2},
    {"<VXC><Lattice><Lattice_Dim>-1</Lattice_Dim></Lattice>" PALETTE "<Structure/></VXC>",
     "voxel size", 1},
    {"<VXC>" LATTICE "<Palette>\n<Material><Mechanical><Density>-5</Density></Mechanical></"
     "Material></Palette><Structure Compression=\"ASCII_READABLE\">" SIZE(
         "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure></VXC>",
     "density", 2},
    {"<VXC>" LATTICE
     "<Palette>\n<Material><Mechanical><Elastic_Mod>nan</Elastic_Mod><Density>1</Density></"
     "Mechanical></Material></Palette><Structure Compression=\"ASCII_READABLE\">" SIZE(
         "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure></VXC>",
     "<Elastic_Mod> holds \"nan\": expected a number", 2},
    {"<VXA><Environment><Boundary_Conditions><FRegion><DofFixed>99</DofFixed></FRegion></"
     "Boundary_Conditions></Environment>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
         "1", "1", "1") "<Data><Layer>1</Layer></Data></Structure>") "</VXA>",
     "DofFixed", 1},
};

static void wrong_files_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        vxe_error error = {0};
        vxe_design *design = read_vxa_text(wrong[i].text, &error);
        print_message("  %s:%u:%u %s\n", error.file, error.line, error.column, error.message);
        assert_null(design);
        assert_int_equal(error.status, VXE_ERROR_INPUT);
        assert_string_equal(error.file, "test.vxa");
        assert_non_null(strstr(error.message, wrong[i].says));
        assert_int_equal(error.line, wrong[i].line);
    }
}

static void endless_nesting_is_refused(void **state)
{
    (void)state;
    char *text = test_malloc(400001);
    for (int i = 0; i < 100000; i++) {
        memcpy(text + 3 * i, "<a>", 3);
    }
    text[300000] = '\0';
    vxe_error error = {0};
    assert_null(read_vxa_text(text, &error));
    assert_non_null(strstr(error.message, "nested"));
    test_free(text);
}

/* A file by name: suffix in any case; missing; a folder; an unknown format. */
static void files_are_chosen_by_their_suffix(void **state)
{
    (void)state;
    vxe_error error = {0};
    FILE *stream = fopen("formats_vxa_test.VXA", "wb");
    assert_non_null(stream);
    fputs(experiment, stream);
    fclose(stream);
    vxe_design *design = vxe_design_read("formats_vxa_test.VXA", &error);
    assert_non_null(design);
    assert_string_equal(design->name, "formats_vxa_test");
    vxe_design_destroy(design);
    unlink("formats_vxa_test.VXA");
    assert_null(vxe_design_read("no_such_file.vxa", &error));
    assert_int_equal(error.status, VXE_ERROR_SYSTEM);
    assert_null(vxe_design_read(".", &error));
    assert_null(vxe_design_read(SOURCE_FOLDER "/README.md", &error));
    assert_non_null(strstr(error.message, "unknown kind"));
}

/* The text of a .vxa without a file, with blanks before it; cut short; empty. */
static void texts_in_memory_are_read_as_files(void **state)
{
    (void)state;
    static const char text[] = "\n <VXA>" VXC("<Structure Compression=\"ASCII_READABLE\">" SIZE(
        "2", "2", "2") "<Data><Layer>1020</Layer><Layer>0112</Layer></Data></Structure>") "</VXA>";
    vxe_error error = {0};
    vxe_design *design = vxe_design_read_text(text, sizeof text - 1, "robot", &error);
    assert_non_null(design);
    expect_body(design);
    vxe_design_destroy(design);
    assert_null(vxe_design_read_text(text, sizeof text - 9, "robot", &error));
    assert_string_equal(error.file, "robot");
    assert_true(error.line > 0);
    assert_null(vxe_design_read_text(" ", 1, "robot", &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_encodings_say_the_same_body),
                                       cmocka_unit_test(odd_but_real_files_are_read),
                                       cmocka_unit_test(stickiness_is_read),
                                       cmocka_unit_test(nonlinear_materials_are_read),
                                       cmocka_unit_test(experiment_is_read_whole),
                                       cmocka_unit_test(growth_is_read),
                                       cmocka_unit_test(missing_elements_have_the_fields_defaults),
                                       cmocka_unit_test(wrong_files_are_refused_with_their_place),
                                       cmocka_unit_test(endless_nesting_is_refused),
                                       cmocka_unit_test(files_are_chosen_by_their_suffix),
                                       cmocka_unit_test(texts_in_memory_are_read_as_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
