/* SPDX-License-Identifier: BSD-3-Clause */
/* model_files.h: models of several files, in a folder of the test's own. */
#ifndef LIEGRP_TESTS_SUPPORT_MODEL_FILES_H
#define LIEGRP_TESTS_SUPPORT_MODEL_FILES_H

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/mechanisms.h"

/* The path of a file in the folder, until the next call; "": of the folder, which the first call makes. */
static inline const char *model_path(const char *name)
{
    static char folder[64] = "", path[192];
    if (folder[0] == '\0') {
        (void)snprintf(folder, sizeof folder, "/tmp/liegrp-mjcf-%ld", (long)getpid());
        assert_int_equal(mkdir(folder, 0700), 0);
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void model_write(const char *name, const char *text)
{
    FILE *f = fopen(model_path(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline lg_status model_read(lg_mechanism **m, const char *name)
{
    return lg_mechanism_read(m, model_path(name), NULL);
}

/* main.xml of this text is refused. */
static inline void model_fails(const char *text, lg_status want, const char *words)
{
    lg_mechanism *m;
    suite_case("%s", text);
    model_write("main.xml", text);
    suite_status("read", model_read(&m, "main.xml"), want);
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static inline void model_remove(const char *name)
{
    assert_int_equal(unlink(model_path(name)), 0);
}

#endif
