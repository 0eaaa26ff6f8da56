/* SPDX-License-Identifier: MIT */
/* Bodies of EvoGym as numpy writes them: arrays of every type, order and version become the design
 * that the same world in JSON becomes; archives hold them stored or deflated; all else is refused
 * with what was found. The files are made here, after numpy's description of its format and that of
 * zip files. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "lattice/formats/format.h"
#include "lattice/formats/others/npy_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "support.h"

/* Bytes of a file under construction. */
typedef struct file {
    uint8_t bytes[8192];
    uint64_t size;
} file;

static void put(file *f, const void *bytes, uint64_t size)
{
    assert_true(f->size + size <= sizeof f->bytes);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

static void put_little(file *f, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        put(f, &byte, 1);
    }
}

/* Begins an array in a version of the format with a head. */
static void put_head(file *f, int version, const char *head)
{
    const uint8_t magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', (uint8_t)version, 0};
    put(f, magic, 8);
    put_little(f, strlen(head), version == 1 ? 2 : 4);
    put(f, head, strlen(head));
}

/* Bits of a small whole number in a type such as <f8. */
static uint64_t bits_of(const char *type, int value)
{
    const double real = value;
    const float single = (float)value;
    uint64_t bits = 0;
    uint32_t low = 0;
    switch (type[2] * (type[1] == 'f')) {
    case '8':
        memcpy(&bits, &real, sizeof bits);
        return bits;
    case '4':
        memcpy(&low, &single, sizeof low);
        return low;
    case '2': /* 2^e (1 + m): exponent e + 15 above ten bits of m */
        return value ? (uint64_t)(ilogb(real) + 15) << 10 |
                           (uint64_t)((real / exp2(ilogb(real)) - 1) * 1024)
                     : 0;
    default:
        return (uint64_t)value;
    }
}

static void put_number(file *f, const char *type, int value)
{
    const unsigned bytes = (unsigned)(type[2] - '0');
    const uint64_t bits = bits_of(type, value);
    for (unsigned i = 0; i < bytes; i++) {
        const uint8_t byte = (uint8_t)(bits >> 8 * (type[0] == '>' ? bytes - 1 - i : i));
        put(f, &byte, 1);
    }
}

/* An array of rows * columns numbers, given row by row. */
static void put_array(file *f, int version, const char *type, bool by_columns, int rows,
                      int columns, const int *values)
{
    char head[128];
    snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }     \n",
             type, by_columns ? "True" : "False", rows, columns);
    put_head(f, version, head);
    for (int i = 0; i < rows * columns; i++) {
        const int at = by_columns ? i % rows * columns + i / rows : i;
        put_number(f, type, values[at]);
    }
}

static vxe_design *read_npy(const file *f, vxe_error *error)
{
    return vxe_npy_read(&(vxe_text){"body.npy", (const char *)f->bytes, f->size, false}, error);
}

static vxe_design *read_npz(const file *f, vxe_error *error)
{
    return vxe_npz_read(&(vxe_text){"body.npz", (const char *)f->bytes, f->size, false}, error);
}

/* A body of three rows and two columns, which falls apart without the connections (0, 1), (0, 2)
 * and (2, 4): cells 3 and 5 are bonded to nothing. */
static const int body_cells[6] = {3, 4, 1, 2, 3, 1};
static const int body_pairs[6] = {0, 0, 2, 1, 2, 4};

/* The same in JSON: EvoGym's rows count from below, those of arrays from above. */
#define WORLD                                                                                      \
    "{\"grid_width\": 2, \"grid_height\": 3, \"objects\": {\"a\": {"                               \
    "\"indices\": [0, 1, 2, 3, 4, 5], \"types\": [3, 1, 1, 2, 3, 4]"
#define WORLD_PAIRS                                                                                \
    ", \"neighbors\": {\"0\": [2], \"1\": [], \"2\": [0, 4], \"3\": [], \"4\": [2, 5], \"5\": "    \
    "[4]}"

/* The design of the world in JSON, on a floor. */
static vxe_design *expected_body(bool pairs)
{
    vxe_error error = {0};
    const char *text = pairs ? WORLD WORLD_PAIRS "}}}" : WORLD "}}}";
    vxe_design *design =
        vxe_json_read(&(vxe_text){"world.json", text, strlen(text), false}, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    design->floor.enabled = true;
    return design;
}

/* Checks a design that was read, and releases both. */
static void check_body(vxe_design *design, const vxe_error *error, bool pairs)
{
    vxe_design *expected = expected_body(pairs);
    if (!design) {
        fail_msg("%s: %s", error->file, error->message);
    }
    assert_int_equal(design->voxel_count, 6);
    assert_memory_equal(design->voxels, expected->voxels, 6 * sizeof *design->voxels);
    assert_true(vxe_design_hash(design) == vxe_design_hash(expected));
    assert_true(is_noted(design, "a body without a world"));
    assert_true(is_noted(design, "groups 1 to 3, row by row from the lowest"));
    vxe_design_destroy(design);
    vxe_design_destroy(expected);
}

static void arrays_of_every_type_are_the_same_body(void **state)
{
    (void)state;
    static const char *const types[] = {"|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8",
                                        "<u8", "<f2", "<f4", "<f8", ">i2", ">u2", ">i4",
                                        ">u4", ">i8", ">u8", ">f2", ">f4", ">f8", "<i1"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        for (int way = 0; way < 4; way++) {
            vxe_error error = {0};
            file f = {.size = 0};
            put_array(&f, 1 + way % 2, types[i], way > 1, 3, 2, body_cells);
            check_body(read_npy(&f, &error), &error, false);
        }
    }
}

/* Numbers of a head, by their definitions. */
static void numbers_are_read_by_their_types(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        uint64_t bits;
        double value;
    } rows[] = {{"<i1", 0x80, -128},
                {"|u1", 0xff, 255},
                {"<i2", 0xfffe, -2},
                {">i4", 0x80000000, -2147483648.0},
                {"<u4", 0xffffffff, 4294967295.0},
                {"<i8", UINT64_MAX, -1},
                {"<i8", 1ull << 63, -0x1p63},
                {">u8", 1ull << 63, 0x1p63},
                {"<f2", 0x3555, 0x1.554p-2},
                {"<f2", 0x0001, 0x1p-24},
                {"<f2", 0xc400, -4},
                {"<f2", 0xfc00, -(double)INFINITY},
                {"<f4", 0x3fc00000, 1.5},
                {">f8", 0xc004000000000000, -2.5},
                {"|b1", 7, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const unsigned bytes = (unsigned)(rows[i].type[2] - '0');
        vxe_error error = {0};
        vxe_npy array;
        char head[96];
        file f = {.size = 0};
        snprintf(head, sizeof head, "{\"shape\":(1,1),'fortran_order':False,'descr':'%s'}",
                 rows[i].type);
        put_head(&f, 1, head);
        for (unsigned b = 0; b < bytes; b++) {
            const unsigned shift = rows[i].type[0] == '>' ? bytes - 1 - b : b;
            put_little(&f, rows[i].bits >> 8 * shift & 255, 1);
        }
        assert_int_equal(vxe_npy_parse(&array, f.bytes, f.size, "a", &error), VXE_OK);
        const double value = vxe_npy_number(&array, 0, 0);
        print_message("  %s %016llx is %.17g\n", rows[i].type, (unsigned long long)rows[i].bits,
                      value);
        assert_true(value == rows[i].value);
    }
}

static void truth_and_bytes_behind(void **state)
{
    (void)state;
    static const int there[4] = {1, 0, 1, 1};
    vxe_error error = {0};
    file f = {.size = 0};
    put_array(&f, 1, "|b1", false, 2, 2, there);
    put(&f, "tail", 4);
    vxe_design *design = read_npy(&f, &error);
    assert_non_null(design);
    assert_int_equal(design->voxel_count, 3);
    assert_int_equal(design->voxels[2].position[0], 0);
    assert_int_equal(design->voxels[2].position[2], 1);
    assert_int_equal(design->voxels[2].material, 0);
    assert_true(design->floor.enabled);
    assert_true(is_noted(design, "ignored: 4 bytes behind the array"));
    vxe_design_destroy(design);
}

/* What is wrong with an array, as head and numbers; null: those of a good one. */
static void wrong_arrays_are_refused(void **state)
{
    (void)state;
#define HEAD(type, order, shape)                                                                   \
    "{'descr': " type ", 'fortran_order': " order ", 'shape': " shape ", }\n"
    static const struct {
        const char *head, *says;
        uint8_t first;
    } rows[] = {
        {HEAD("'<f8'", "False", "(3,)"), "the file has the shape (3); expected two dimensions", 0},
        {HEAD("'<f8'", "False", "(2, 2, 2)"), "shape (2, 2, 2)", 0},
        {HEAD("'<f8'", "False", "()"), "shape ()", 0},
        {HEAD("'<f8'", "False", "(9, 9)"), "the file is cut short: 64 bytes", 0},
        {HEAD("'<f8'", "False", "(99999999999, 2)"), "below 2^30", 0},
        {HEAD("'<f8'", "False", "(1073741823, 1073741823)"), "cut short", 0},
        {HEAD("'<f8'", "False", "(-2, 2)"), "below 2^30", 0},
        {HEAD("'<f8'", "False", "(2; 2)"), "expected ',' or ')' at '; 2)", 0},
        {HEAD("'<f8'", "False", "(0, 2)"), "the number of rows is 0", 0},
        {HEAD("'|u1'", "False", "(2, 0)"), "the number of columns is 0", 0},
        {HEAD("'<f8'", "Maybe", "(2, 2)"), "expected True or False at 'Maybe", 0},
        {HEAD("'<c16'", "False", "(2, 2)"), "type '<c16'", 0},
        {HEAD("'|O'", "False", "(2, 2)"), "type '|O'", 0},
        {HEAD("'<U1'", "False", "(2, 2)"), "type '<U1'", 0},
        {HEAD("'<f3'", "False", "(2, 2)"), "type '<f3'", 0},
        {HEAD("'<f1'", "False", "(2, 2)"), "type '<f1'", 0},
        {HEAD("'|f8'", "False", "(2, 2)"), "type '|f8'", 0},
        {HEAD("[('a', '<f8')]", "False", "(2, 2)"), "the type of one number", 0},
        {"{'descr': '<f8', 'shape': (2, 2)}", "lacks descr, fortran_order or shape", 0},
        {"{'descr': '<f8', 'order': True}", "the key 'order'", 0},
        {"{'descr': '<f8", "the type of one number", 0},
        {"{'descr'", "a key in quotes", 0},
        {"", "expected '{'", 0},
        {HEAD("'|u1'", "False", "(2, 2)"), "row 1, column 0 (from 0) holds 6", 6},
        {HEAD("'|i1'", "False", "(2, 2)"), "row 1, column 0 (from 0) holds -1", 255},
        {HEAD("'|u1'", "False", "(2, 2)"), "no voxels", 0}};
#undef HEAD
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vxe_error error = {0};
        file f = {.size = 0};
        put_head(&f, 1, rows[i].head);
        for (int k = 0; k < 64; k++) {
            put_little(&f, k == 2 ? rows[i].first : 0, 1);
        }
        assert_null(read_npy(&f, &error));
        print_message("  %s: %s\n", error.file, error.message);
        assert_string_equal(error.file, "body.npy");
        assert_non_null(strstr(error.message, rows[i].says));
    }
}

static void other_files_and_versions_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    file f = {.size = 0};
    put_head(&f, 3, "{}");
    assert_null(read_npy(&f, &error));
    assert_non_null(strstr(error.message, "version 3.0"));
    f.bytes[6] = 2;
    f.bytes[9] = 0xff;
    assert_null(read_npy(&f, &error));
    assert_non_null(strstr(error.message, "is cut short in its head"));
    f.bytes[1] = 'n';
    assert_null(read_npy(&f, &error));
    assert_non_null(strstr(error.message, "the file is no array of numpy"));
}

/* A file in an archive that is made. */
typedef struct member {
    const char *name;
    const file *content;
    bool deflated;
    uint16_t flags;
} member;

static void deflate_file(const file *from, file *to)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)from->bytes, .avail_in = (uInt)from->size};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = to->bytes;
    stream.avail_out = sizeof to->bytes;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    to->size = stream.total_out;
    deflateEnd(&stream);
}

/* Makes an archive as numpy does: heads without sizes, which the directory has. */
static void put_archive(file *f, const member *members, size_t count, const char *comment)
{
    static file directory;
    directory.size = 0;
    for (size_t i = 0; i < count; i++) {
        const member *m = &members[i];
        static file packed;
        packed = *m->content;
        if (m->deflated) {
            deflate_file(m->content, &packed);
        }
        const uint32_t sum = (uint32_t)crc32(0, m->content->bytes, (uInt)m->content->size);
        const uint32_t at = (uint32_t)f->size;
        const uint16_t letters = (uint16_t)strlen(m->name);
        put(f, "PK\3\4", 4);
        put_little(f, 45, 2);
        put_little(f, m->flags, 2);
        put_little(f, m->deflated ? 8 : 0, 2);
        put_little(f, 0, 4); /* time */
        put_little(f, sum, 4);
        put_little(f, UINT32_MAX, 4); /* both sizes are in the extra field, of 20 bytes */
        put_little(f, UINT32_MAX, 4);
        put_little(f, letters, 2);
        put_little(f, 20, 2);
        put(f, m->name, letters);
        put_little(f, 1 | 16 << 16, 4);
        put_little(f, m->content->size, 8);
        put_little(f, packed.size, 8);
        put(f, packed.bytes, packed.size);
        put(&directory, "PK\1\2", 4);
        put_little(&directory, 45, 2);
        put_little(&directory, 45, 2);
        put_little(&directory, m->flags, 2);
        put_little(&directory, m->deflated ? 8 : 0, 2);
        put_little(&directory, 0, 4);
        put_little(&directory, sum, 4);
        put_little(&directory, packed.size, 4);
        put_little(&directory, m->content->size, 4);
        put_little(&directory, letters, 2);
        put_little(&directory, 0, 8); /* extra field, comment, part, attributes */
        put_little(&directory, 0, 4);
        put_little(&directory, at, 4);
        put(&directory, m->name, letters);
    }
    const uint32_t begin = (uint32_t)f->size;
    put(f, directory.bytes, directory.size);
    put(f, "PK\5\6\0\0\0\0", 8);
    put_little(f, count, 2);
    put_little(f, count, 2);
    put_little(f, directory.size, 4);
    put_little(f, begin, 4);
    put_little(f, strlen(comment), 2);
    put(f, comment, strlen(comment));
}

/* Arrays for archives: a body, its connections, one of other shape, and none. */
static file cells_file, pairs_file, other_file, text_file;

static int make_files(void **state)
{
    (void)state;
    put_array(&cells_file, 1, "<f8", false, 3, 2, body_cells);
    put_array(&pairs_file, 1, "<i8", false, 2, 3, body_pairs);
    put_array(&other_file, 1, "<i8", false, 3, 2, body_pairs);
    put(&text_file, "hello", 5);
    return 0;
}

static void archives_hold_bodies(void **state)
{
    (void)state;
    const struct {
        member members[3];
        size_t count;
        bool pairs;
        const char *note; /* null: none of these */
    } rows[] = {
        {{{"arr_0.npy", &cells_file, false, 0}}, 1, false, NULL},
        {{{"arr_0.npy", &cells_file, true, 0}}, 1, false, NULL},
        {{{"arr_0.npy", &cells_file, false, 0}, {"arr_1.npy", &pairs_file, false, 0}},
         2,
         true,
         NULL},
        {{{"arr_1.npy", &pairs_file, true, 0}, {"arr_0.npy", &cells_file, true, 0}}, 2, true, NULL},
        {{{"connections.npy", &pairs_file, true, 0}, {"structure.npy", &cells_file, true, 0}},
         2,
         true,
         NULL},
        {{{"body.npy", &cells_file, true, 8},
          {"score.npy", &other_file, false, 0},
          {"notes.txt", &text_file, false, 0}},
         3,
         false,
         "ignored: 1 other array"},
        {{{"grid.npy", &cells_file, false, 0}, {"connections.npy", &pairs_file, false, 0}},
         2,
         true,
         NULL},
        {{{"body.npy", &cells_file, false, 0}, {"arr_1.npy", &pairs_file, false, 0}},
         2,
         false,
         "ignored: 1 other array"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vxe_error error = {0};
        file f = {.size = 0};
        put_archive(&f, rows[i].members, rows[i].count, i % 2 ? "a comment PK\5\6" : "");
        vxe_design *design = read_npz(&f, &error);
        if (design) {
            assert_int_equal(is_noted(design, "other array"), rows[i].note != NULL);
            assert_false(is_noted(design, "side by side in one object"));
        }
        check_body(design, &error, rows[i].pairs);
    }
}

/* Connections that leave out a pair of a part: it is bonded all the same, with a note. */
static void pairs_that_are_left_out_are_noted(void **state)
{
    (void)state;
    static const int square[4] = {1, 1, 1, 1};
    static const int three[6] = {0, 0, 1, 1, 2, 3};
    file cells = {.size = 0};
    file pairs = {.size = 0};
    file f = {.size = 0};
    vxe_error error = {0};
    put_array(&cells, 1, "|u1", false, 2, 2, square);
    put_array(&pairs, 1, "<f8", true, 2, 3, three);
    const member members[2] = {{"arr_0.npy", &cells, true, 0}, {"arr_1.npy", &pairs, true, 0}};
    put_archive(&f, members, 2, "");
    vxe_design *design = read_npz(&f, &error);
    assert_non_null(design);
    assert_true(is_noted(design, "1 pairs side by side in one object are bonded"));
    vxe_design_destroy(design);
}

static void expect_refusal(const file *f, const char *says)
{
    vxe_error error = {0};
    assert_null(read_npz(f, &error));
    print_message("  %s: %s\n", error.file, error.message);
    assert_string_equal(error.file, "body.npz");
    if (!strstr(error.message, says)) {
        fail_msg("does not say '%s'", says);
    }
}

static void wrong_archives_are_refused(void **state)
{
    (void)state;
    static const int pairs_wrong[4][6] = {
        {0, 0, 2, 1, 2, 6}, {0, 0, 2, 1, 2, 5}, {-1, 0, 2, 1, 2, 4}, {0, 0, 2, 1, 2, 2}};
    static const int gap[6] = {3, 4, 1, 2, 0, 1};
    file gaps = {.size = 0};
    put_array(&gaps, 1, "<f8", false, 3, 2, gap);
    const struct {
        member members[2];
        size_t count;
        const char *says;
    } rows[] = {
        {{{"notes.txt", &text_file, false, 0}}, 1, "0 arrays that may be the body"},
        {{{"a.npy", &cells_file, false, 0}, {"b.npy", &cells_file, false, 0}},
         2,
         "2 arrays that may be the body; expected one named structure, body, robot or arr_0"},
        {{{"body.npy", &cells_file, false, 0}, {"structure.npy", &cells_file, false, 0}},
         2,
         "2 arrays that may be the body"},
        {{{"arr_0.npy", &cells_file, false, 1}}, 1, "arr_0 is encrypted"},
        {{{"arr_0.npy", &text_file, true, 0}}, 1, "arr_0 is no array of numpy"},
        {{{"body.npy", &cells_file, false, 0}, {"connections.npy", &other_file, false, 0}},
         2,
         "connections has 3 rows"},
        {{{"arr_0.npy", &gaps, false, 0}, {"arr_1.npy", &pairs_file, false, 0}},
         2,
         "connection 2 (from 0) is of cells 2 and 4: the second is empty"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file f = {.size = 0};
        put_archive(&f, rows[i].members, rows[i].count, "");
        expect_refusal(&f, rows[i].says);
    }
    static const char *const says[4] = {"of cells 2 and 6: there is no such cell",
                                        "the second is not beside the first",
                                        "of cells -1 and 1: there is no such cell",
                                        "of cells 2 and 2: the second is not beside the first"};
    for (int i = 0; i < 4; i++) {
        file pairs = {.size = 0};
        file f = {.size = 0};
        put_array(&pairs, 1, "<i4", false, 2, 3, pairs_wrong[i]);
        const member members[2] = {{"arr_0.npy", &cells_file, false, 0},
                                   {"arr_1.npy", &pairs, false, 0}};
        put_archive(&f, members, 2, "");
        expect_refusal(&f, says[i]);
    }
}

/* Damages a good archive at one place behind a mark of its directory or of its end. */
static void damaged_archives_are_refused(void **state)
{
    (void)state;
    static const struct {
        char mark;
        unsigned offset, bytes;
        uint64_t value;
        const char *says;
    } rows[] = {{5, 0, 1, 'Q', "no directory"},
                {5, 20, 2, 1, "no directory"},
                {5, 10, 2, UINT16_MAX, "zip64"},
                {5, 16, 4, UINT32_MAX, "zip64"},
                {5, 12, 4, 4000, "beyond its end"},
                {5, 16, 4, 4000, "beyond its end"},
                {5, 16, 4, 0, "directory is damaged"},
                {5, 4, 2, 1, "several parts"},
                {5, 8, 4, 0x20002, "directory is damaged"},
                {1, 28, 2, 60000, "directory is cut short"},
                {1, 42, 4, 4000, "not where the directory says"},
                {1, 42, 4, 1, "not where the directory says"},
                {1, 20, 4, 4000, "cut short"},
                {1, 20, 4, 3, "arr_0 is damaged"},
                {1, 24, 4, 4000000, "larger than its data can be"},
                {1, 24, 4, 200000000, "bytes of an unpacked part"},
                {1, 24, 4, UINT32_MAX, "zip64"},
                {1, 24, 4, 150, "arr_0 is damaged"},
                {1, 20, 4, 20, "arr_0 is damaged"},
                {1, 10, 2, 12, "another method than deflate"},
                {1, 10, 2, 0, "larger than its data can be"},
                {1, 16, 4, 77, "arr_0 is damaged"}};
    const member good = {"arr_0.npy", &cells_file, true, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file f = {.size = 0};
        put_archive(&f, &good, 1, "");
        uint64_t at = 0;
        const char mark[4] = {'P', 'K', rows[i].mark, (char)(rows[i].mark + 1)};
        while (memcmp(f.bytes + at, mark, 4) != 0) {
            at++;
        }
        const uint64_t end = f.size;
        f.size = at + rows[i].offset;
        put_little(&f, rows[i].value, rows[i].bytes);
        f.size = end;
        expect_refusal(&f, rows[i].says);
    }
    file empty = {.size = 0};
    expect_refusal(&empty, "no directory");
}

/* Through the name of the file, as users do. */
static void files_are_known_by_their_names(void **state)
{
    (void)state;
    const member members[2] = {{"arr_0.npy", &cells_file, true, 0},
                               {"arr_1.npy", &pairs_file, true, 0}};
    static const char *const paths[2] = {"walker.npy", "walker.npz"};
    file archive = {.size = 0};
    put_archive(&archive, members, 2, "");
    for (int i = 0; i < 2; i++) {
        const file *content = i == 0 ? &cells_file : &archive;
        vxe_error error = {0};
        FILE *stream = fopen(paths[i], "wb");
        assert_non_null(stream);
        assert_int_equal(fwrite(content->bytes, 1, content->size, stream), content->size);
        fclose(stream);
        assert_true(vxe_design_is_readable(paths[i]));
        vxe_design *design = vxe_design_read(paths[i], &error);
        if (!design) {
            fail_msg("%s", error.message);
        }
        assert_string_equal(design->name, "walker");
        design->name[0] = '\0';
        check_body(design, &error, i == 1);
        unlink(paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_of_every_type_are_the_same_body),
                                       cmocka_unit_test(numbers_are_read_by_their_types),
                                       cmocka_unit_test(truth_and_bytes_behind),
                                       cmocka_unit_test(wrong_arrays_are_refused),
                                       cmocka_unit_test(other_files_and_versions_are_refused),
                                       cmocka_unit_test(archives_hold_bodies),
                                       cmocka_unit_test(pairs_that_are_left_out_are_noted),
                                       cmocka_unit_test(wrong_archives_are_refused),
                                       cmocka_unit_test(damaged_archives_are_refused),
                                       cmocka_unit_test(files_are_known_by_their_names)};
    return cmocka_run_group_tests(tests, make_files, NULL);
}
