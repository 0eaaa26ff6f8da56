/* SPDX-License-Identifier: MIT */
/* voxelastic view: shows designs, records and searches as replay pages, pictures, surfaces or
   recordings in other formats. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/shared/design_list.h"
#include "cli/shared/frame_source.h"
#include "cli/shared/gallery.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/studio_page.h"
#include "cli/view/movie.h"

/* Largest number of robots on a page, and of panels in a film strip. */
#define MAX_ROBOTS 64
#define MAX_PANELS 64
#define DEFAULT_CHAMPIONS 12

typedef struct view_options {
    const char *inputs[MAX_ROBOTS];
    int count;
    const char *output;
    double time;              /* s; NaN: not given */
    uint64_t frames;          /* panels of a film strip */
    uint64_t champions;       /* champions in a gallery */
    const char *for_pictures; /* describes an option that was given and applies to pictures only; or
                                 null */
    bool no_studio;           /* none in a page */
    vxe_picture_def picture;
    bool follows; /* of a movie, as the next */
    double speed;
    const char *for_movies; /* an option that was given and applies to movies only; or null */
} view_options;

static const char *const help =
    "usage: voxelastic view INPUT... -o FILE [options]\n\n"
    "Shows designs at rest, records (.vxr) of runs, or the folder of a search:\n"
    "  -o FILE.html         a page that replays them side by side, in any browser, without a\n"
    "                       network; for a search its gallery: curves, champions to replay,\n"
    "                       a map of the best fitness of each kind of body\n"
    "  -o FILE.png, .svg    a picture of one of them, or a film strip\n"
    "  -o FILE.mp4, .webm, .gif\n"
    "                       a movie of a record, by ffmpeg where that is installed\n"
    "  -o FILE.obj, .stl    the surface of one of them\n"
    "  -o FILE.vxr, .pvd, .glb, .history\n"
    "                       a record in another format: Voxelastic's, ParaView's, glTF\n"
    "                       (animated), voxcraft's\n\n"
    "  --time S             time of a picture or a surface (default: the last frame)\n"
    "  --frames N           a film strip of N frames, from the first to the last\n"
    "  --champions N        champions in a gallery, from the first to the last (12)\n"
    "  --color WHAT         material, strain, phase, contact or energy (pictures)\n"
    "  --range X            end of the colour scale of strain, contact (N) or energy (J);\n"
    "                       default: the largest value shown\n"
    "  --size WxH           pixels of each panel of a picture (960x720)\n"
    "  --azimuth DEGREES    place of the camera, about z (-50; 0 is on +x)\n"
    "  --elevation DEGREES  above the horizon (25)\n"
    "  --follow             the camera of a movie goes with the body; else it sees all of the way\n"
    "  --speed F            that many times as fast as the motion (movies; 1)\n"
    "  --no-studio          no studio in a page, which is smaller by 0.9 MB then\n"
    "  --no-edges           without the outlines of voxels\n"
    "  --no-caption         without times, bar of lengths and legend\n";

enum {
    OPTION_TIME = OPTION_OWN,
    OPTION_FRAMES,
    OPTION_CHAMPIONS,
    OPTION_COLOR,
    OPTION_SIZE,
    OPTION_AZIMUTH,
    OPTION_ELEVATION,
    OPTION_NO_STUDIO,
    OPTION_NO_EDGES,
    OPTION_NO_CAPTION,
    OPTION_RANGE,
    OPTION_FOLLOW,
    OPTION_SPEED
};

static const struct option long_options[] = {
    {"time", required_argument, NULL, OPTION_TIME},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"champions", required_argument, NULL, OPTION_CHAMPIONS},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"azimuth", required_argument, NULL, OPTION_AZIMUTH},
    {"elevation", required_argument, NULL, OPTION_ELEVATION},
    {"range", required_argument, NULL, OPTION_RANGE},
    {"follow", no_argument, NULL, OPTION_FOLLOW},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"no-studio", no_argument, NULL, OPTION_NO_STUDIO},
    {"no-edges", no_argument, NULL, OPTION_NO_EDGES},
    {"no-caption", no_argument, NULL, OPTION_NO_CAPTION},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

static bool read_size(const char *value, vxe_picture_def *picture)
{
    static const char digits[] = "0123456789";
    const size_t wide = strspn(value, digits);
    const size_t high = value[wide] == 'x' ? strspn(value + wide + 1, digits) : 0;
    return wide >= 1 && wide <= 5 && high >= 1 && high <= 5 && !value[wide + 1 + high] &&
           sscanf(value, "%5ux%5u", &picture->width, &picture->height) == 2;
}

/* Takes one option of this command. Returns 0 or an exit status. */
static int own_option(view_options *options, int option, const char *value)
{
    vxe_picture_def *picture = &options->picture;
    const double any = -1e9; /* lower bound of numbers that may have any value */
    switch (option) {
    case OPTION_TIME:
        return option_number("view", "time", value, any, &options->time) ? 0 : EXIT_USAGE;
    case OPTION_FRAMES:
        if (!option_whole("view", "frames", value, &options->frames)) {
            return EXIT_USAGE;
        }
        return options->frames <= MAX_PANELS
                   ? 0
                   : command_misused("view", "--frames %s: at most %d", value, MAX_PANELS);
    case OPTION_CHAMPIONS:
        if (!option_whole("view", "champions", value, &options->champions)) {
            return EXIT_USAGE;
        }
        return options->champions <= MAX_ROBOTS
                   ? 0
                   : command_misused("view", "--champions %s: at most %d", value, MAX_ROBOTS);
    case OPTION_AZIMUTH:
        return option_number("view", "azimuth", value, any, &picture->azimuth) ? 0 : EXIT_USAGE;
    case OPTION_ELEVATION:
        return option_number("view", "elevation", value, any, &picture->elevation) ? 0 : EXIT_USAGE;
    case OPTION_COLOR:
        picture->coloring = vxe_coloring_find(value);
        return picture->coloring < VXE_COLORINGS
                   ? 0
                   : command_misused(
                         "view",
                         "--color '%s': expected material, strain, phase, contact or energy",
                         value);
    case OPTION_SIZE:
        return read_size(value, picture)
                   ? 0
                   : command_misused("view", "--size '%s': expected pixels such as 960x720", value);
    case OPTION_NO_STUDIO:
        options->no_studio = true;
        return 0;
    case OPTION_NO_EDGES:
        picture->edges = false;
        return 0;
    case OPTION_NO_CAPTION:
        picture->caption = false;
        return 0;
    case OPTION_FOLLOW:
        options->follows = true;
        options->for_movies = "--follow";
        return 0;
    case OPTION_SPEED:
        options->for_movies = "--speed";
        return option_number("view", "speed", value, 0, &options->speed) ? 0 : EXIT_USAGE;
    case OPTION_RANGE:
        return option_number("view", "range", value, 0, &picture->range) ? 0 : EXIT_USAGE;
    case 'o':
        options->output = value;
        return 0;
    default:
        return command_misused("view", "wrong option");
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(view_options *options, int count, char **words)
{
    options->picture = vxe_picture_def_default();
    options->time = (double)NAN;
    options->speed = 1;
    options->champions = DEFAULT_CHAMPIONS;
    for (int option = 0;
         (option = options_next("view", count, words, "ho:", long_options)) != -1;) {
        if (option == 'h') {
            printf("%s", help);
            return -1;
        }
        if (option == '?') {
            return EXIT_USAGE;
        }
        const int status = own_option(options, option, optarg);
        if (option >= OPTION_OWN && option != OPTION_CHAMPIONS && option != OPTION_NO_STUDIO &&
            option != OPTION_FOLLOW && option != OPTION_SPEED) {
            options->for_pictures = "an option for size, colour, camera or time";
        }
        if (status) {
            return status;
        }
    }
    options->count = count - optind;
    if (options->count < 1 || options->count > MAX_ROBOTS) {
        return command_misused("view", "%d inputs: expected 1 to %d", options->count, MAX_ROBOTS);
    }
    for (int i = 0; i < options->count; i++) {
        options->inputs[i] = words[optind + i];
    }
    if (!options->output) {
        return command_misused("view", "no output file: give -o FILE.html, .png or .svg");
    }
    return 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Name under which a page shows an input: that of its file, where there are several inputs; with
   its folder, where another one has the same. */
static const char *name_of(const view_options *options, int input, const vxe_design *design)
{
    const char *path = options->inputs[input];
    if (options->count == 1) {
        return design->name;
    }
    for (int i = 0; i < options->count; i++) {
        if (i != input && strcmp(last_part(options->inputs[i]), last_part(path)) == 0) {
            return path;
        }
    }
    return last_part(path);
}

/* Writes a page with all frames of all inputs. */
static vxe_status write_page(const view_options *options, vxe_error *error)
{
    vxe_page *page = vxe_page_create(
        options->output, options->count == 1 ? options->inputs[0] : "Voxelastic", error);
    vxe_status status = page ? VXE_OK : error->status;
    status = status || options->no_studio ? status : studio_page_give(page, error);
    for (int i = 0; i < options->count && !status; i++) {
        frame_source input;
        status = frame_source_open(&input, options->inputs[i], error);
        status = status ? status
                        : vxe_page_begin_robot(page, input.design,
                                               name_of(options, i, input.design), error);
        for (uint64_t k = 0; k < input.count && !status; k++) {
            status = interrupted_status(error);
            status = status ? status : frame_source_read(&input, k, error);
            if (frame_source_skips(&input, status, error)) {
                status = VXE_OK;
            } else {
                status = status ? status : vxe_page_add(page, input.frame, error);
            }
        }
        /* ends the robot while its design still exists */
        status = status ? status : vxe_page_end_robot(page, error);
        frame_source_close(&input);
    }
    if (status) {
        vxe_page_abandon(page);
        return status;
    }
    return vxe_page_close(page, error);
}

static vxe_status write_recording(const view_options *options, frame_source *input,
                                  vxe_error *error)
{
    vxe_recorder *recorder = vxe_recorder_create(input->design, options->output, error);
    vxe_status status = recorder ? VXE_OK : error->status;
    if (recorder && input->design->affine_count > 0 &&
        !vxe_recorder_holds_bodies(options->output)) {
        printf("warning: %s holds voxels only; affine bodies are in .html, .vxr and .pvd\n",
               options->output);
    }
    for (uint64_t k = 0; k < input->count && !status; k++) {
        status = interrupted_status(error);
        status = status ? status : frame_source_read(input, k, error);
        if (frame_source_skips(input, status, error)) {
            status = VXE_OK;
        } else {
            status = status ? status : vxe_recorder_add(recorder, input->frame, error);
        }
    }
    if (status) {
        vxe_recorder_abandon(recorder);
        return status;
    }
    return vxe_recorder_close(recorder, error);
}

/* Number of the frame that a panel shows. */
static uint64_t frame_number(const view_options *options, frame_source *input, uint64_t panel,
                             uint64_t panels)
{
    const uint64_t last = input->count - 1;
    if (panels > 1) {
        return (uint64_t)((double)panel / (double)(panels - 1) * (double)last + 0.5);
    }
    return isnan(options->time) ? last : frame_source_nearest(input, options->time);
}

static vxe_status write_picture(const view_options *options, frame_source *input, vxe_error *error)
{
    vxe_frame *frames[MAX_PANELS] = {NULL};
    const uint64_t wanted = options->frames > 0 ? options->frames : 1;
    const uint64_t panels = wanted < input->count ? wanted : input->count;
    const uint64_t failures = vxe_memory_failures(); /* the frame nearest to a time is searched */
    vxe_status status = VXE_OK;
    for (uint64_t i = 0; i < panels && !status; i++) {
        status = frame_source_read(input, frame_number(options, input, i, panels), error);
        frames[i] = input->frame; /* each panel keeps its frame */
        input->frame =
            vxe_frame_create(input->design->voxel_count, input->design->affine_count, error);
        status = status || input->frame ? status : error->status;
    }
    status = status ? status : vxe_memory_check(failures, error);
    if (!status) {
        status = vxe_picture_write(input->design, (const vxe_frame *const *)frames,
                                   (uint32_t)panels, &options->picture, options->output, error);
    }
    for (uint64_t i = 0; i < panels; i++) {
        vxe_frame_destroy(frames[i]);
    }
    return status;
}

static vxe_status write_shape(const view_options *options, frame_source *input, vxe_error *error)
{
    const uint64_t failures = vxe_memory_failures(); /* the frame nearest to a time is searched */
    vxe_status status = frame_source_read(input, frame_number(options, input, 0, 1), error);
    status = status ? status : vxe_memory_check(failures, error);
    return status ? status : vxe_shape_write(input->design, input->frame, options->output, error);
}

/* Writes what shows one input only: a picture, a movie, a surface or a recording. */
static vxe_status write_one(const view_options *options, vxe_error *error)
{
    frame_source input;
    vxe_status status = frame_source_open(&input, options->inputs[0], error);
    if (!status) {
        const movie_def movie = {options->picture, options->follows, options->speed};
        status = vxe_picture_is_one(options->output) ? write_picture(options, &input, error)
                 : movie_is_one(options->output)
                     ? movie_write(options->output, &input, &movie, error)
                 : vxe_shape_is_one(options->output) ? write_shape(options, &input, error)
                                                     : write_recording(options, &input, error);
    }
    frame_source_close(&input);
    return status;
}

/* Says what was written, and how large it is. */
static void print_written(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode)) {
        const double kilobytes = 1e-3 * (double)facts.st_size;
        printf("%s: %.*f %s\n", path, kilobytes < 10 || kilobytes >= 1000 ? 1 : 0,
               kilobytes < 1000 ? kilobytes : 1e-3 * kilobytes, kilobytes < 1000 ? "kB" : "MB");
    }
}

/* What of the options does not go together. Returns 0 or an exit status. */
static int check(const view_options *options, bool page)
{
    const bool movie = movie_is_one(options->output);
    if (!vxe_picture_is_one(options->output) && !vxe_shape_is_one(options->output) && !movie &&
        !vxe_recorder_knows(options->output)) {
        return command_misused("view",
                               "-o '%s': expected a name in .html, .png, .svg, .mp4, .webm, .gif, "
                               ".vxr, .pvd, .glb, .obj, .stl or .history",
                               options->output);
    }
    if (page && options->for_pictures) {
        return command_misused("view", "%s is for pictures; a page has its own controls",
                               options->for_pictures);
    }
    if (!vxe_picture_is_one(options->output) && options->frames > 0) {
        return command_misused("view", "--frames is for pictures");
    }
    if (movie && !isnan(options->time)) {
        return command_misused("view", "--time is for pictures and surfaces");
    }
    if (!movie && options->for_movies) {
        return command_misused("view", "%s is for movies", options->for_movies);
    }
    return page || options->count == 1
               ? 0
               : command_misused("view",
                                 "several inputs can only be shown on a page: -o FILE.html");
}

int command_view(int count, char **words)
{
    view_options options = {0};
    vxe_error error = {0};
    int status = parse(&options, count, words);
    if (status || !options.output) {
        return status < 0 ? EXIT_OK : status;
    }
    const bool page = path_has_suffix(options.output, ".html");
    status = check(&options, page);
    if (status) {
        return status;
    }
    interrupt_catch();
    const bool search = options.count == 1 && gallery_is_search(options.inputs[0]);
    const vxe_status failed = page && search
                                  ? gallery_write(options.inputs[0], (uint32_t)options.champions,
                                                  !options.no_studio, options.output, &error)
                              : page ? write_page(&options, &error)
                                     : write_one(&options, &error);
    if (failed) {
        return interrupted() ? EXIT_INTERRUPTED : command_fail(&error);
    }
    print_written(options.output);
    return EXIT_OK;
}
