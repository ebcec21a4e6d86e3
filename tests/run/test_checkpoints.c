/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that are stopped and taken up again, of systems and of mechanisms: the rows are those of a run that was never
 * stopped, byte for byte, whatever the format. What cannot be taken up is refused with the reason. The test works in a
 * folder of its own. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/run.h>

#include "support/mechanisms.h"
#include "support/run_models.h"

/* Runs of both kinds ---------------------------------------------------------------------------------------------- */

enum { STEPS = 40 };

typedef struct job {
    const char *system; /* of the catalog, or NULL: the sleigh with motors */
    const char *mechanism;
    const char *output, *checkpoint, *label;
    FILE *stream;
    double every, far;   /* not 0: rows that are so far apart, with a tolerance */
    int64_t steps, stop; /* after that many states; 0: never */
    int format, resume, monitored, controlled, refuses, progressed;
    int64_t kept[2]; /* the caller's: rows so far, calls of resumed */
} job;

static int64_t states; /* of the run that continues */

static int one_more(job *j)
{
    return ++states == j->stop;
}

static int observe(const lg_motion *mo, void *context)
{
    (void)mo;
    return one_more(context);
}

static int count_row(const double *row, int columns, void *context)
{
    job *j = context;
    (void)row;
    (void)columns;
    j->kept[0]++;
    return 0;
}

/* From what they were. */
static int steer(const lg_motion *mo, double *u, void *context)
{
    const job *j = context;
    u[0] += 0.01 + lg_motion_time(mo);
    if (j->mechanism == NULL) u[1] = -0.2;
    return 0;
}

static int resumed(int64_t step, void *context)
{
    job *j = context;
    assert_in_range(step, 0, STEPS);
    j->kept[1]++;
    return j->refuses;
}

static int tick(int64_t step, int64_t steps, void *context)
{
    (void)steps;
    (void)context;
    return step >= STEPS / 2;
}

/* The second call comes on the way to the first row, once the first one was long enough ago: it sees to that. */
static int calls;

static int tick_on_the_way(int64_t step, int64_t steps, void *context)
{
    (void)step;
    (void)steps;
    (void)context;
    const struct timespec pause = {0, 120000000};
    if (++calls == 1) (void)nanosleep(&pause, NULL);
    return calls == 2;
}

static lg_status start(job *j, lg_run_result *f)
{
    const lg_run_memory memory = {&j->kept[0], sizeof j->kept[0]};
    lg_mechanism *m = NULL;
    lg_model *M;
    lg_motion *mo;
    lg_monitor *watch = NULL;
    lg_motion_options how = lg_motion_options_default();
    lg_run_options o = lg_run_options_default();
    *f = lg_run_result_default();
    states = 0;
    if (j->mechanism != NULL) mechanism_well(lg_gallery_create(&m, lg_gallery_index(j->mechanism)), m);
    suite_ok("model", m != NULL           ? lg_model_of_mechanism(&M, m, NULL)
                      : j->system != NULL ? lg_catalog_create(&M, j->system)
                                          : lg_model_create(&M, &run_models_sleigh));
    if (j->far != 0) how.method = "gauss", how.tolerance = 1e-9, how.step = j->far;
    o.steps = j->steps, o.every = 3, o.output = j->output, o.stream = j->stream, o.format = (unsigned)j->format;
    o.checkpoint = j->checkpoint, o.checkpoint_every = j->every, o.resume = j->resume, o.checkpoint_label = j->label;
    o.row = count_row, o.row_context = j, o.observe = observe, o.observe_context = j;
    o.memory = &memory, o.memory_count = 1, o.resumed = resumed, o.resumed_context = j, o.accuracy = 0;
    if (j->progressed) o.progress = j->far != 0 ? tick_on_the_way : tick;
    if (j->monitored) o.monitor = &watch;
    if (j->controlled) o.control = steer, o.control_context = j;
    motion_well(lg_motion_create(&mo, M, &how), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    const lg_status status = lg_run(mo, f, &o);
    lg_monitor_destroy(watch);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
    return status;
}

static void well(job *j, int interrupted)
{
    lg_run_result f;
    const lg_status status = start(j, &f);
    if (status != LG_OK) suite_fail("%s: %s", lg_status_name(status), f.message);
    assert_int_equal(f.interrupted, interrupted);
    assert_int_equal(access(j->checkpoint, F_OK), interrupted ? 0 : -1);
    if (!interrupted) assert_int_equal(f.steps, j->steps);
}

static void refused(job j, lg_status want, const char *why)
{
    lg_run_result f;
    suite_status(why, start(&j, &f), want);
    suite_contains("message", f.message, why);
}

static void clear(void)
{
    if (system("rm -rf ./* ./.l*") != 0) suite_fail("the folder cannot be cleared");
}

static size_t read_into(char *bytes, size_t room, const char *name)
{
    FILE *f = fopen(name, "rb");
    if (f == NULL) suite_fail("there is no %s", name);
    const size_t size = fread(bytes, 1, room, f);
    (void)fclose(f);
    return size;
}

static int count_parts(void)
{
    int count = 0;
    DIR *here = opendir(".");
    for (const struct dirent *e; here != NULL && (e = readdir(here)) != NULL;)
        count += strstr(e->d_name, ".part") != NULL;
    closedir(here);
    return count;
}

/* Kinds of runs --------------------------------------------------------------------------------------------------- */

static const job kinds[] = {
    {.system = "suslov", .monitored = 1},
    {.system = "rolling-ball", .every = 1e-9}, /* a checkpoint whenever the clock is looked at */
    {.controlled = 1, .label = "a table"},
    {.mechanism = "furuta", .controlled = 1, .every = 1e-9},
    {.mechanism = "four-bar", .label = "a label"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static job kind(int i, int format)
{
    job j = kinds[i];
    j.steps = STEPS, j.format = format, j.output = "rows", j.checkpoint = "state";
    suite_case("%s, format %d", j.mechanism ? j.mechanism : j.system ? j.system : "sleigh", format);
    clear();
    return j;
}

/* Stopped after 1, 8, 15, ... states, each time by another run. */
static void test_rows(void **state)
{
    enum { ROOM = 1 << 16 };
    static char want[ROOM], got[ROOM];
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        job j = kind(i % KINDS, i < KINDS ? LG_FORMAT_CSV : LG_FORMAT_NPY), again = j;
        well(&j, 0);
        const size_t size = read_into(want, ROOM, "rows");
        assert_int_equal(unlink("rows"), 0);
        again.stop = 1;
        for (int runs = 0; again.stop != 0; runs++, again.resume = 1, again.stop = runs < 6 ? 7 : 0) {
            well(&again, 1);
            assert_int_equal(again.kept[1], runs);
            assert_int_equal(access("rows", F_OK), -1);
            assert_int_equal(count_parts(), 1);
            again.kept[0] = -1; /* the checkpoint knows better */
        }
        well(&again, 0);
        assert_int_equal(again.kept[0], j.kept[0]);
        assert_int_equal(read_into(got, ROOM, "rows"), size);
        assert_memory_equal(got, want, size);
        assert_int_equal(count_parts(), 0);
    }
}

/* Stopped on the way to a row that is far away; the resumed run ends with the same rows. */
static void test_far(void **state)
{
    enum { ROOM = 1 << 12 };
    static char want[ROOM], got[ROOM];
    static const job far[] = {{.system = "rigid-body", .far = 3e3}, {.mechanism = "chain", .far = 50}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        job j = far[i];
        suite_case("%s, far apart", i == 0 ? j.system : j.mechanism);
        clear();
        j.steps = 1, j.output = "rows", j.checkpoint = "state";
        well(&j, 0);
        const size_t size = read_into(want, ROOM, "rows");
        assert_int_equal(unlink("rows"), 0);
        job again = j;
        again.progressed = 1, calls = 0;
        lg_run_result f;
        suite_ok("stopped", start(&again, &f));
        assert_int_equal(calls, 2);
        assert_true(f.interrupted == 1 && f.steps == 0);
        again.progressed = 0, again.resume = 1;
        well(&again, 0);
        assert_int_equal(read_into(got, ROOM, "rows"), size);
        assert_memory_equal(got, want, size);
    }
}

/* Progress stops it, without output of rows. */
static void test_progress(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        job j = kind(i, LG_FORMAT_CSV);
        j.output = NULL, j.progressed = 1;
        well(&j, 1);
        j.progressed = 0, j.resume = 1;
        well(&j, 0);
        assert_int_equal(j.kept[0], STEPS / 3 + 1);
    }
}

/* Refusals -------------------------------------------------------------------------------------------------------- */

static void test_wishes(void **state)
{
    (void)state;
    static const double never[] = {-1, -INFINITY, INFINITY, NAN};
    for (int i = 0; i < KINDS; i++) {
        job j = kind(i, LG_FORMAT_CSV), other = j;
        other.checkpoint = NULL, other.resume = 1;
        refused(other, LG_ERROR_ARGUMENT, "no checkpoint to go on from");
        for (size_t k = 0; k < sizeof never / sizeof never[0]; k++) {
            other = j, other.every = never[k];
            refused(other, LG_ERROR_ARGUMENT, "expected 0, for 60, or more");
        }
        other = j, other.stream = stderr, other.output = NULL;
        refused(other, LG_ERROR_ARGUMENT, "cannot be taken up again");
        other = j, other.output = "/dev/null";
        refused(other, LG_ERROR_ARGUMENT, "cannot be taken up again");
        other = j, other.output = "./state";
        refused(other, LG_ERROR_ARGUMENT, "need two files");
        other = j, other.checkpoint = "/dev/null";
        refused(other, LG_ERROR_IO, "needs a file");
        other = j, other.checkpoint = "nowhere/state";
        refused(other, LG_ERROR_IO, "No such file");
        other = j, other.output = "nowhere/rows";
        refused(other, LG_ERROR_IO, "No such file");
        assert_int_equal(count_parts(), 0);
        assert_int_equal(access("state", F_OK), -1);
    }
}

/* A checkpoint is there: of another run, damaged, or without its rows. It stays, for the run that it is of. */
static void test_others(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        job j = kind(i, LG_FORMAT_CSV), other;
        j.stop = 9;
        well(&j, 1);
        j.stop = 0;
        refused(j, LG_ERROR_ARGUMENT, "holds a run that is not finished");
        j.resume = 1;
        other = j, other.steps++;
        refused(other, LG_ERROR_ARGUMENT, "'steps 40', and what reads it 'steps 41'");
        other = j, other.label = "another label";
        refused(other, LG_ERROR_ARGUMENT, "another label");
        other = j, other.label = NULL;
        if (j.label != NULL) refused(other, LG_ERROR_ARGUMENT, j.label);
        other = j, other.format = LG_FORMAT_NPY;
        refused(other, LG_ERROR_ARGUMENT, "'format csv', and what reads it 'format npy'");
        other = j, other.output = NULL;
        refused(other, LG_ERROR_ARGUMENT, "'format csv', and what reads it 'format none'");
        other = j, other.refuses = 1;
        refused(other, LG_ERROR_INTERRUPTED, "was not taken up again");
        if (j.system != NULL) {
            other = j, other.system = "particle";
            refused(other, LG_ERROR_ARGUMENT, "what reads it 'system particle'");
            other = j, other.monitored = !j.monitored;
            refused(other, LG_ERROR_ARGUMENT, "monitor ");
        } else if (j.controlled) {
            other = j, other.controlled = 0;
            refused(other, LG_ERROR_ARGUMENT, "control ");
        }
        assert_int_equal(rename("state", "saved"), 0);
        FILE *f = fopen("state", "w");
        fputs("something else\n", f);
        (void)fclose(f);
        refused(j, LG_ERROR_ARGUMENT, "no checkpoint of liegrp");
        assert_int_equal(rename("saved", "state"), 0);
        well(&j, 0);
        j.stop = 9, j.resume = 0;
        well(&j, 1);
        j.stop = 0, j.resume = 1;
        if (system("rm -f rows.*.part") != 0) suite_fail("the part stays");
        refused(j, LG_ERROR_IO, "is missing or shorter");
    }
}

int main(void)
{
    char folder[] = "/tmp/liegrp-runs-XXXXXX", remove[64];
    suite_begin("checkpoints of runs");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_far), cmocka_unit_test(test_wishes),
                                       cmocka_unit_test(test_others)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    return chdir("/") != 0 || system(remove) != 0 ? 1 : failed;
}
