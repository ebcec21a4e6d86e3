/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are read: whole, of a bounded size, and never something that is no file. The test works in a folder of its
 * own. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "suite.h"

static void not_read(const char *path, const char *why)
{
    lg_error e = {LG_OK, ""};
    void *bytes = &e;
    size_t size = 77;
    suite_case("the file '%s'", path);
    suite_status("read", lg_file_read(path, LG_FILE_MOST, &bytes, &size, &e), LG_ERROR_IO);
    assert_null(bytes);
    suite_contains("message", e.message, why);
}

static void test_reading(void **state)
{
    (void)state;
    enum { LARGE = 3 * 4096 };
    lg_error e = {LG_OK, ""};
    void *bytes = &e;
    size_t size = 77;
    suite_ok("missing", lg_file_read("absent", LG_FILE_MOST, &bytes, &size, &e));
    assert_null(bytes);
    assert_int_equal(size, 0);
    for (size_t length = 0; length <= LARGE; length += LARGE / 2) {
        FILE *f = fopen("many", "w");
        assert_non_null(f);
        for (size_t i = 0; i < length; i++) fputc((int)('a' + i % 26), f);
        assert_int_equal(fclose(f), 0);
        suite_case("%d bytes", (int)length);
        suite_ok("read", lg_file_read("many", LG_FILE_MOST, &bytes, &size, &e));
        assert_int_equal(size, length);
        for (size_t i = 0; i < length; i++) assert_int_equal(((char *)bytes)[i], 'a' + i % 26);
        free(bytes);
    }
    assert_int_equal(mkfifo("fifo", 0666), 0);
    not_read("fifo", "no regular file");
    not_read(".", "Is a directory");
    not_read("many/below", "Not a directory");
    if (access("/proc/self/mem", R_OK) == 0) not_read("/proc/self/mem", "Input/output error");
}

/* Paths other than regular files are refused at once, and files that are too large before they are read. */
static void test_bounds(void **state)
{
    (void)state;
    const struct sockaddr_un name = {AF_UNIX, "socket"};
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    lg_error e = {LG_OK, ""};
    void *bytes = &e;
    size_t size = 77;
    FILE *f = fopen("sparse", "w");
    assert_non_null(f);
    assert_int_equal(ftruncate(fileno(f), (off_t)1 << 33), 0);
    assert_int_equal(fclose(f), 0);
    assert_true(s >= 0);
    assert_int_equal(bind(s, (const struct sockaddr *)&name, sizeof name), 0);
    not_read("socket", "no regular file");
    not_read("/dev/zero", "no regular file");
    not_read("sparse", "it has more than 1073741824 bytes");
    suite_status("sparse", lg_file_open_to_read(&f, "sparse", ((uint64_t)1 << 33) - 1, &e), LG_ERROR_IO);
    assert_null(f);
    suite_ok("large", lg_file_open_to_read(&f, "sparse", (uint64_t)1 << 33, &e));
    assert_int_equal(fclose(f), 0);
    suite_ok("all", lg_file_read("many", 3 * 4096, &bytes, &size, &e));
    assert_int_equal(size, 3 * 4096);
    free(bytes);
    suite_status("all but one", lg_file_read("many", 3 * 4096 - 1, &bytes, &size, &e), LG_ERROR_IO);
    assert_null(bytes);
    if (access("/proc/self/maps", R_OK) != 0) return; /* a file whose size is reported as 0 */
    suite_status("no size", lg_file_read("/proc/self/maps", 100, &bytes, &size, &e), LG_ERROR_IO);
    assert_null(bytes);
    suite_contains("no size", e.message, "more than 100 bytes");
    assert_int_equal(unlink("socket") | unlink("sparse") | close(s), 0);
}

int main(void)
{
    char folder[] = "/tmp/liegrp-reading-XXXXXX";
    suite_begin("reading");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading), cmocka_unit_test(test_bounds)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    return chdir("/") != 0 || system(remove) != 0 ? 1 : failed;
}
