/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole command lines of the tool, an argument a line, in this process. Rows go to the standard output alone, steps are
 * few, and nothing outside a folder of this process is named: other command lines are passed over. Commands that take
 * long (optimise, gait, verify, bench, figure, convergence) get a last argument that they refuse after they have read all
 * others. */
#define _GNU_SOURCE /* mkdtemp */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <liegrp/base/status.h>
#include <liegrp/base/version.h>

#include "fuzz.h"

enum { ARGUMENTS = 24, LENGTH = 200 };

int liegrp_main(int argc, char **argv); /* main() of cli/main.c */

static char folder[] = "/tmp/liegrp-fuzz-XXXXXX";

static void leave(void)
{
    (void)unlink("robot.urdf");
    (void)unlink("steps.csv");
    (void)unlink("rows.json");
    (void)rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) abort();
}

/* What --from reads. */
static void write_origin(void)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"liegrp provenance\": 1, \"library\": {\"version\": \"%s\"}, \"run\": \"model\", "
             "\"arguments\": [\"run\", \"rolling-ball\", \"--steps=3\"]}",
             lg_version());
    write_file("rows.json", text);
}

static void prepare(void)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) abort();
    (void)atexit(leave);
    write_file("steps.csv", "0,0.5\n0.02,-1\n");
    write_origin();
    write_file("robot.urdf",
               "<robot name='r'><link name='a'/><link name='b'><inertial><origin xyz='0 0 -1'/><mass value='1'/>"
               "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
               "type='continuous'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/></joint></robot>");
    (void)setenv("OMP_NUM_THREADS", "1", 1);
}

/* A word that could lead out of the folder, to a picture, to another program, or to a long run. */
static int is_barred(const char *word)
{
    static const char *const words[] = {"/",    ".so",     "plot=",  "--plot", "output", "checkpoint", "resume",
                                        "time", "threads", "random", "check",  "full",   "probe"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(word, words[i]) != NULL && strcmp(word, "--output=-") != 0 &&
            strncmp(word, "--plot-columns", 14) != 0)
            return 1;
    return strlen(word) > LENGTH;
}

static int is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0) return 1;
    return 0;
}

/* The arguments, and what keeps them short: the last of two options counts. 0: passed over. */
static int arguments(char *text, char **argv, int thorough)
{
    static const char *const run[] = {"run", NULL}, *const sweep[] = {"sweep", NULL};
    static const char *const quick[] = {"list", "info", "help", "--help", "-h", "--version", NULL};
    static const char from[] = "--from=rows.json";
    static char *const few[] = {"--steps=1", "--steps=3"};
    static char *const small[2][3] = {{"--steps=1", "--count=2", "--threads=1"},
                                      {"--steps=2", "--count=3", "--threads=1"}};
    int argc = 1;
    argv[0] = "liegrp";
    for (char *at = text; argc < ARGUMENTS; at++) {
        argv[argc++] = at;
        at = strchr(at, '\n');
        if (at == NULL) break;
        *at = '\0';
    }
    argv[argc] = NULL;
    for (int i = 1; i < argc; i++)
        if (is_barred(argv[i])) return 0;
    if (is_one_of(argv[1], run)) {
        if (is_one_of(from, (const char *const *)argv + 1)) return argc;
        argv[argc++] = few[thorough];
    } else if (is_one_of(argv[1], sweep)) {
        for (int i = 0; i < 3; i++) argv[argc++] = small[thorough][i];
    } else if (!is_one_of(argv[1], quick)) {
        argv[argc++] = "--no-such-option";
    }
    argv[argc] = NULL;
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int prepared;
    char *argv[ARGUMENTS + 8];
    if (!prepared) prepare();
    prepared = 1;
    const fuzz_bytes b = {data, size, 0};
    char *text = fuzz_text(&b);
    const int argc = arguments(text, argv, fuzz_thorough(data, size));
    if (argc > 0) {
        const int status = liegrp_main(argc, argv);
        fuzz_require(status >= 0 && status <= 3, "an exit status that the manual does not know", argv[1]);
    }
    free(text);
    return 0;
}
