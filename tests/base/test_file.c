/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole: names, links, locks, permissions, devices, and what happens when something gets in the way.
 * The test works in a folder of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sum.h"
#include "suite.h"

static void touch(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void holds(const char *name, const char *text)
{
    char line[64] = "";
    FILE *f = fopen(name, "r");
    if (f == NULL) suite_fail("there is no %s", name);
    if (fgets(line, sizeof line, f) == NULL) line[0] = '\0';
    fclose(f);
    assert_string_equal(line, text);
}

/* The entry of the folder whose name has this part, or "". */
static const char *entry_with(const char *part)
{
    static char name[512];
    DIR *here = opendir(".");
    name[0] = '\0';
    for (const struct dirent *e; here != NULL && (e = readdir(here)) != NULL;)
        if (strstr(e->d_name, part) != NULL) snprintf(name, sizeof name, "%s", e->d_name);
    closedir(here);
    return name;
}

static void nothing_left(void)
{
    assert_string_equal(entry_with(".part"), "");
    assert_string_equal(entry_with(".liegrp"), "");
}

/* Writes "new" to the path, and keeps it. */
static lg_status store(const char *path, lg_error *e)
{
    lg_file *f;
    const lg_status status = lg_file_open(&f, path, e);
    if (status != LG_OK) {
        assert_null(f);
        return status;
    }
    fputs("new", lg_file_stream(f));
    return lg_file_close(f, 1, e);
}

static void refused(const char *path, const char *why)
{
    lg_error e = {LG_OK, ""};
    suite_case("the path '%.40s'", path);
    suite_status("open", store(path, &e), LG_ERROR_IO);
    suite_contains("message", e.message, why);
    suite_status("try", lg_file_try(path, &e), LG_ERROR_IO);
    suite_contains("message", e.message, why);
    nothing_left();
}

static void stored(const char *path, const char *where)
{
    lg_error e = {LG_OK, ""};
    suite_case("the path '%.40s'", path);
    if (lg_file_try(path, &e) != LG_OK) suite_fail("%s", e.message);
    if (store(path, &e) != LG_OK) suite_fail("%s", e.message);
    holds(where, "new");
    nothing_left();
}

static void test_names(void **state)
{
    (void)state;
    char long_name[300], letters[300];
    memset(long_name, 'x', sizeof long_name);
    long_name[256] = '\0';
    for (int i = 0; i < 252; i += 2) memcpy(letters + i, "\xc3\xa9", 2); /* cut before a whole letter */
    letters[252] = '\0';
    touch("file", "old");
    assert_int_equal(mkdir("folder", 0777), 0);
    refused("", "No such file");
    refused("folder/", "directory");
    refused("/dev/fd/", "directory");
    refused("folder", "directory");
    refused("file/below", "Not a directory");
    refused("nowhere/file", "No such file");
    refused(long_name, "too long");
    refused("/dev/fd/999999", "Bad file");
    refused("/dev/fd/12345678", "No such file"); /* seven digits are no descriptor of ours */
    refused("/dev/fd/x", "No such file");
    long_name[255] = '\0';
    stored(long_name, long_name);
    stored(letters, letters);
    stored("file", "file");
    stored("folder/file", "folder/file");
    stored("./folder/../file", "file");
}

static void test_links(void **state)
{
    (void)state;
    char here[1024], absolute[1100];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(absolute, sizeof absolute, "%s/far", here);
    assert_int_equal(mkdir("deep", 0777), 0);
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    refused("a", "Too many levels");
    assert_int_equal(symlink("target", "near"), 0); /* of a file that is not there yet */
    stored("near", "target");
    assert_int_equal(symlink("../other", "deep/up"), 0);
    stored("deep/up", "other");
    assert_int_equal(symlink(absolute, "to-far"), 0);
    stored("to-far", "far");
    struct stat at;
    assert_int_equal(lstat("near", &at), 0);
    assert_true(S_ISLNK(at.st_mode)); /* the link stays */
    assert_true(lg_file_same("near", "target"));
    assert_true(lg_file_same("to-far", "far"));
}

static void test_same(void **state)
{
    (void)state;
    touch("one", "");
    touch("two", "");
    assert_int_equal(link("one", "one-too"), 0);
    assert_int_equal(mkdir("room", 0777), 0);
    assert_true(lg_file_same("one", "./one"));
    assert_true(lg_file_same("one", "one-too"));
    assert_true(lg_file_same("absent", "./absent"));
    assert_true(lg_file_same("room/absent", "./room/absent"));
    assert_true(lg_file_same("room/absent", "room/../room/absent"));
    assert_false(lg_file_same("one", "two"));
    assert_false(lg_file_same("one", "absent"));
    assert_false(lg_file_same("absent", "one"));
    assert_false(lg_file_same("absent", "other"));
    assert_false(lg_file_same("absent", "room/absent"));
    assert_false(lg_file_same("nowhere/x", "one"));
    assert_false(lg_file_same("one", "nowhere/x"));
    assert_false(lg_file_same("/liegrp-absent", "/proc/liegrp-absent")); /* the same name in two file systems */
    assert_true(lg_file_same("/liegrp-absent", "/./liegrp-absent"));
    assert_false(lg_file_same("/dev/null", "/dev/null"));
    assert_false(lg_file_same("/dev/null", "/dev/zero"));
    assert_true(lg_file_names_device("/dev/null"));
    assert_true(lg_file_names_device("/dev/stderr"));
    assert_false(lg_file_names_device("one"));
    assert_false(lg_file_names_device("absent"));
    assert_false(lg_file_names_device("nowhere/x"));
}

/* Who is at a file keeps others away; what a killed one has left does not. */
static void test_lock(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    lg_file *f, *g;
    char guard[512];
    suite_ok("open", lg_file_open(&f, "locked", &e));
    assert_false(lg_file_is_device(f));
    snprintf(guard, sizeof guard, "%s", entry_with(".liegrp"));
    suite_status("again", lg_file_open(&g, "./locked", &e), LG_ERROR_IO);
    assert_null(g);
    suite_contains("again", e.message, "another run");
    suite_status("try", lg_file_try("locked", &e), LG_ERROR_IO);
    suite_ok("drop", lg_file_close(f, 0, &e));
    assert_int_equal(access("locked", F_OK), -1); /* it was not kept */
    nothing_left();
    touch(guard, ""); /* left by a writer that was killed */
    stored("locked", "locked");
    touch(guard, "not ours"); /* an unrelated file of that name stays */
    if (store("locked", &e) != LG_OK) suite_fail("%s", e.message);
    holds(guard, "not ours");
    assert_int_equal(unlink(guard), 0);
    assert_int_equal(mkdir(guard, 0777), 0);
    suite_status("a folder", store("locked", &e), LG_ERROR_IO);
    assert_int_equal(rmdir(guard), 0);
    assert_int_equal(mkfifo(guard, 0666), 0);
    suite_status("a pipe", store("locked", &e), LG_ERROR_IO);
    suite_contains("a pipe", e.message, "exists");
    assert_int_equal(unlink(guard), 0);
    suite_ok("nothing", lg_file_close(NULL, 1, &e));
}

static void test_permissions(void **state)
{
    (void)state;
    struct stat at;
    touch("mine", "old");
    assert_int_equal(chmod("mine", 0640), 0);
    if (geteuid() == 0) assert_int_equal(chown("mine", 12345, 23456), 0);
    stored("mine", "mine");
    assert_int_equal(stat("mine", &at), 0);
    assert_int_equal(at.st_mode & 0777, 0640);
    if (geteuid() == 0) assert_true(at.st_uid == 12345 && at.st_gid == 23456);
    assert_int_equal(mkdir("blind", 0300), 0); /* may be written, not read */
    stored("blind/file", "blind/file");
    assert_int_equal(mkdir("shut", 0500), 0);
    if (geteuid() != 0) refused("shut/file", "Permission denied");
    assert_int_equal(mkdir("everybody", 0777), 0);
    assert_int_equal(chmod("everybody", 01777), 0); /* as /tmp: links of other users are not followed */
    assert_int_equal(symlink("elsewhere", "everybody/mine"), 0);
    stored("everybody/mine", "everybody/elsewhere");
    if (geteuid() == 0) {
        assert_int_equal(symlink("elsewhere", "everybody/theirs"), 0);
        assert_int_equal(lchown("everybody/theirs", 12345, 23456), 0);
        refused("everybody/theirs", "another user");
    }
}

/* Devices and descriptors are written as they are. */
static void test_devices(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    lg_file *f;
    char path[64];
    suite_ok("null", store("/dev/null", &e));
    suite_ok("null", lg_file_try("/dev/null", &e));
    suite_status("full", store("/dev/full", &e), LG_ERROR_IO);
    suite_contains("full", e.message, "space");
    suite_ok("full", lg_file_open(&f, "/dev/full", &e));
    assert_true(lg_file_is_device(f));
    fputs("lost", lg_file_stream(f));
    suite_ok("dropped", lg_file_close(f, 0, &e));
    const int fd = open("through", O_RDWR | O_CREAT, 0666);
    static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        snprintf(path, sizeof path, forms[i], fd);
        stored(path, "through");
    }
    close(fd);
}

/* A folder takes the target's name before the file is closed: it stays, and no other file is left. */
static void test_in_the_way(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    lg_file *f;
    suite_ok("open", lg_file_open(&f, "place", &e));
    fputs("new", lg_file_stream(f));
    assert_int_equal(mkdir("place", 0777), 0);
    suite_status("a folder has the name", lg_file_close(f, 1, &e), LG_ERROR_IO);
    suite_contains("message", e.message, "place");
    nothing_left();
    touch("kept", "old");
    suite_ok("open", lg_file_open(&f, "kept", &e));
    fputs("new", lg_file_stream(f));
    assert_int_equal(close(fileno(lg_file_stream(f))), 0);
    suite_status("the descriptor is closed", lg_file_close(f, 1, &e), LG_ERROR_IO);
    holds("kept", "old");
    nothing_left();
    suite_ok("open", lg_file_open(&f, "gone", &e));
    assert_int_equal(unlink(entry_with(".part")), 0);
    suite_status("the part is gone", lg_file_close(f, 1, &e), LG_ERROR_IO);
    nothing_left();
}

/* Continued ------------------------------------------------------------------------------------------------------ */

/* Leaves an unfinished part with this text for "rows"; returns its name. */
static void leave(char *part, size_t room, const char *text)
{
    lg_error e = {LG_OK, ""};
    lg_file *f;
    suite_ok("open", lg_file_open(&f, "rows", &e));
    snprintf(part, room, "%s", lg_file_part(f));
    fputs(text, lg_file_stream(f));
    suite_ok("save", lg_file_save(f, &e));
    holds(part, text);
    suite_ok("leave", lg_file_leave(f, &e));
    holds(part, text);
    assert_string_equal(entry_with(".liegrp"), "");
}

static void not_reopened(const char *path, const char *part, int64_t size, const char *why)
{
    lg_error e = {LG_OK, ""};
    lg_file *f;
    suite_case("the part '%s' of %lld bytes", part, (long long)size);
    const lg_part_left left = {part, 0, size, LG_SUM};
    suite_status("reopen", lg_file_reopen(&f, path, &left, &e), LG_ERROR_IO);
    assert_null(f);
    suite_contains("message", e.message, why);
    assert_string_equal(entry_with(".liegrp"), "");
}

static void test_again(void **state)
{
    (void)state;
    static const char gone[] = "is missing or shorter";
    lg_error e = {LG_OK, ""};
    lg_file *f, *other;
    char part[512];
    leave(part, sizeof part, "abc");
    assert_int_equal(access("rows", F_OK), -1);
    not_reopened("rows", part, 4, gone); /* it is shorter than that */
    not_reopened("rows", part, -1, gone);
    not_reopened("/dev/null", part, 1, gone);
    not_reopened("nowhere/rows", part, 1, gone);
    lg_part_left left = {part, 0, 2, lg_sum(LG_SUM, "aB", 2)};
    suite_status("changed", lg_file_reopen(&f, "rows", &left, &e), LG_ERROR_IO);
    suite_contains("changed", e.message, "has changed since");
    holds(part, "abc"); /* nothing was cut off */
    left.sum = lg_sum(LG_SUM, "b", 1);
    suite_status("its first byte counts", lg_file_reopen(&f, "rows", &left, &e), LG_ERROR_IO);
    left.head = 1;
    suite_ok("reopen", lg_file_reopen(&f, "rows", &left, &e)); /* what came after is forgotten */
    suite_status("twice", lg_file_reopen(&other, "rows", &left, &e), LG_ERROR_IO);
    suite_contains("twice", e.message, "another run");
    fputs("X", lg_file_stream(f));
    suite_ok("close", lg_file_close(f, 1, &e));
    holds("rows", "abX");
    nothing_left();
    touch("deep-part", "abc");
    assert_int_equal(mkdir("below", 0777), 0);
    touch("below/a.part", "abc");
    assert_int_equal(mkdir("folder.part", 0777), 0);
    assert_int_equal(mkfifo("pipe.part", 0666), 0);
    touch("two.part", "abc");
    assert_int_equal(link("two.part", "also.part"), 0);
    assert_int_equal(symlink("two.part", "link.part"), 0);
    static const char *const names[] = {"none.part", "below/a.part", "deep-part", "a.part2", "two.part"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) not_reopened("rows", names[i], 1, gone);
    not_reopened("rows", "folder.part", 1, "rows");
    not_reopened("rows", "pipe.part", 0, "rows");
    not_reopened("rows", "link.part", 1, "rows");
    if (geteuid() == 0) {
        assert_int_equal(unlink("also.part"), 0);
        assert_int_equal(chown("two.part", 12345, 23456), 0);
        not_reopened("rows", "two.part", 1, gone);
    }
    holds("rows", "abX");
    if (system("rm -rf *.part") != 0) suite_fail("the parts stay");
}

/* Saving to a full disk is an error, and a stream that has failed stays failed. */
static void test_save(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    lg_file *f;
    suite_ok("nothing", lg_file_leave(NULL, &e));
    suite_ok("null", lg_file_open(&f, "/dev/null", &e));
    fputs("nowhere", lg_file_stream(f));
    suite_ok("null", lg_file_save(f, &e));
    suite_ok("null", lg_file_leave(f, &e));
    suite_ok("full", lg_file_open(&f, "/dev/full", &e));
    fputs("lost", lg_file_stream(f));
    suite_status("full", lg_file_leave(f, &e), LG_ERROR_IO);
    suite_contains("full", e.message, "space");
    suite_ok("full", lg_file_open(&f, "/dev/full", &e));
    assert_int_equal(setvbuf(lg_file_stream(f), NULL, _IONBF, 0), 0);
    assert_int_equal(fputs("lost", lg_file_stream(f)), EOF);
    errno = 0;
    suite_status("failed before", lg_file_save(f, &e), LG_ERROR_IO);
    suite_contains("failed before", e.message, "/dev/full");
    errno = 0;
    suite_status("failed before", lg_file_close(f, 1, &e), LG_ERROR_IO);
    suite_ok("open", lg_file_open(&f, "cut", &e));
    assert_int_equal(close(fileno(lg_file_stream(f))), 0);
    suite_status("the descriptor is closed", lg_file_leave(f, &e), LG_OK); /* nothing was to be written */
    if (system("rm -f *.part") != 0) suite_fail("the part stays");
}

/* Somebody else -------------------------------------------------------------------------------------------------- */

/* Whoever is not root meets what others have made; root is another for that time. */
static void test_others(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    lg_file *f;
    char guard[512];
    struct stat at;
    if (geteuid() != 0) return;
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(mkdir("common", 0777), 0);
    assert_int_equal(chmod("common", 01777), 0);
    assert_int_equal(chown("common", 12345, 23456), 0);
    touch("common/theirs", "old");
    touch("group", "old");
    assert_int_equal(chown("group", 0, 23456), 0);
    assert_true(chmod("common/theirs", 0666) == 0 && chmod("group", 0676) == 0);
    assert_true(mkdir("writable", 0777) == 0 && chmod("writable", 0333) == 0);
    assert_int_equal(mkdir("closed", 0755), 0);
    assert_true(mkdir("shared", 0777) == 0 && chmod("shared", 0777) == 0);
    suite_ok("open", lg_file_open(&f, "guarded", &e));
    snprintf(guard, sizeof guard, "shared/%s", entry_with(".liegrp"));
    suite_ok("drop", lg_file_close(f, 0, &e));
    touch(guard, "");
    assert_int_equal(chmod(guard, 0444), 0);
    assert_int_equal(seteuid(54321), 0);
    refused("common/theirs", "another user");
    refused("closed/file", "Permission denied");
    stored("common/mine", "common/mine");
    stored("writable/file", "writable/file"); /* it cannot be read */
    suite_ok("another's guard", store("shared/guarded", &e));
    stored("group", "group");
    assert_int_equal(seteuid(0), 0);
    holds("common/theirs", "old");
    holds("writable/file", "new");
    assert_int_equal(stat("group", &at), 0);
    assert_int_equal(at.st_uid, 54321);
    assert_int_equal(at.st_mode & 0777, 0666); /* the group is another: it may what everybody may */
    touch(guard, "");
    assert_int_equal(chmod(guard, 0), 0);
    assert_int_equal(seteuid(54321), 0);
    suite_status("a guard that cannot be opened", store("shared/guarded", &e), LG_ERROR_IO);
    assert_int_equal(seteuid(0), 0);
    suite_contains("a guard that cannot be opened", e.message, "Permission denied");
    assert_int_equal(unlink(guard), 0);
    nothing_left();
}

int main(void)
{
    char folder[] = "/tmp/liegrp-files-XXXXXX";
    suite_begin("files");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),       cmocka_unit_test(test_links),
                                       cmocka_unit_test(test_same),        cmocka_unit_test(test_lock),
                                       cmocka_unit_test(test_permissions), cmocka_unit_test(test_devices),
                                       cmocka_unit_test(test_in_the_way),  cmocka_unit_test(test_again),
                                       cmocka_unit_test(test_save),        cmocka_unit_test(test_others)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    return chdir("/") != 0 || system(remove) != 0 ? 1 : failed;
}
