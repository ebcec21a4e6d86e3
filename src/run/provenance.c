/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/version.h>
#include <liegrp/base/width.h>

#include "base/sha256.h"
#include "run/format.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

#if defined(__clang__)
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown"
#endif
#ifndef LG_BUILD_OPTIONS
#define LG_BUILD_OPTIONS ""
#endif

void lg_provenance_begin(lg_provenance *p, const char *run)
{
    lg_json *j = &p->json;
    memset(p, 0, sizeof *p);
    lg_json_open(j, NULL, '{');
    lg_json_whole(j, "liegrp provenance", 1);
    lg_json_open(j, "library", '{');
    lg_json_text(j, "version", lg_version());
    lg_json_text(j, "compiler", COMPILER);
    lg_json_text(j, "options", LG_BUILD_OPTIONS);
    lg_json_whole(j, "width", lg_width_best());
    lg_json_close(j, '}');
    p->fact[p->facts++] = (lg_fact){"version", lg_version(), 0, 0};
    lg_provenance_text(p, "run", run);
}

static void add_fact(lg_provenance *p, const char *name, const char *text, double number, int whole)
{
    if (p->facts < LG_FACTS) p->fact[p->facts++] = (lg_fact){name, text, number, whole};
}

void lg_provenance_text(lg_provenance *p, const char *name, const char *text)
{
    lg_json_text(&p->json, name, text);
    add_fact(p, name, text, 0, 0);
}

void lg_provenance_number(lg_provenance *p, const char *name, double number)
{
    lg_json_number(&p->json, name, number);
    add_fact(p, name, NULL, number, 0);
}

void lg_provenance_whole_number(lg_provenance *p, const char *name, int64_t number)
{
    lg_json_whole(&p->json, name, number);
    add_fact(p, name, NULL, (double)number, 1);
}

void lg_provenance_start(lg_provenance *p, lg_start start)
{
    lg_provenance_text(p, "start",
                       start == LG_START_LEGENDRE ? "legendre"
                       : start == LG_START_PAPER  ? "paper"
                                                  : "reaction");
}

static lg_status add_inputs(lg_json *j, const lg_provenance_caller *c, lg_error *e)
{
    lg_json_open(j, "inputs", '[');
    for (int64_t i = 0; i < c->input_count; i++) {
        char sum[LG_SHA256_TEXT];
        const lg_status status = lg_sha256_file(sum, c->inputs[i], e);
        if (status != LG_OK) return status;
        lg_json_open(j, NULL, '{');
        lg_json_text(j, "file", c->inputs[i]);
        lg_json_text(j, "sha256", sum);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
    return LG_OK;
}

lg_status lg_provenance_table(lg_provenance *p, lg_format format, const lg_provenance_caller *caller, lg_error *e)
{
    lg_json *j = &p->json;
    lg_json_text(j, "format", lg_format_at((int)format)->name);
    if (caller->argument_count > 0) {
        lg_json_open(j, "arguments", '[');
        for (int64_t i = 0; i < caller->argument_count; i++) lg_json_text(j, NULL, caller->arguments[i]);
        lg_json_close(j, ']');
    }
    const lg_status status = caller->input_count > 0 ? add_inputs(j, caller, e) : LG_OK;
    if (status == LG_OK && j->failed) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    return status;
}

lg_status lg_provenance_rows(lg_provenance *p, char *const *names, int columns, lg_format format,
                             const lg_provenance_caller *caller, lg_error *e)
{
    lg_json *j = &p->json;
    lg_json_open(j, "columns", '[');
    for (int i = 0; i < columns; i++) lg_json_text(j, NULL, names[i]);
    lg_json_close(j, ']');
    return lg_provenance_table(p, format, caller, e);
}

char *lg_provenance_whole(const lg_provenance *p, const char *ended, int64_t done)
{
    lg_json whole = p->json;
    if (p->json.failed) return NULL;
    whole.text = malloc(whole.room);
    if (whole.text == NULL) return NULL;
    memcpy(whole.text, p->json.text, p->json.used + 1);
    if (ended != NULL) {
        lg_json_whole(&whole, "done", done);
        lg_json_text(&whole, "ended", ended);
    }
    lg_json_close(&whole, '}');
    if (!whole.failed) return whole.text;
    free(whole.text);
    return NULL;
}

void lg_provenance_free(lg_provenance *p)
{
    lg_json_free(&p->json);
}
