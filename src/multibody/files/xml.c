/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of an XML document, by expat. */
#include "multibody/files/xml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory in pieces that are never moved. */
typedef struct mb_chunk {
    struct mb_chunk *before;
    size_t used, room;
    void *bytes[];
} mb_chunk;

void *mb_document_take(mb_document *d, size_t bytes)
{
    const size_t least = 1 << 16, pointer = sizeof(void *);
    bytes = (bytes + pointer - 1) / pointer * pointer;
    if (d->chunk == NULL || d->chunk->room - d->chunk->used < bytes) {
        const size_t room = bytes > least ? bytes : least;
        mb_chunk *c = malloc(sizeof *c + room);
        if (c == NULL) return NULL;
        *c = (mb_chunk){d->chunk, 0, room};
        d->chunk = c;
    }
    char *at = (char *)d->chunk->bytes + d->chunk->used;
    d->chunk->used += bytes;
    return at;
}

void mb_document_free(mb_document *d)
{
    while (d->chunk != NULL) {
        mb_chunk *before = d->chunk->before;
        free(d->chunk);
        d->chunk = before;
    }
    d->root = NULL;
}

#ifdef LG_WITHOUT_EXPAT

lg_status mb_document_parse(mb_document *d, const char *text, size_t length, const char *name, lg_error *e)
{
    (void)d, (void)text, (void)length;
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "%s: the library was built without expat, which reads XML; install libexpat1-dev and build again "
                   "with meson setup --reconfigure -Dexpat=enabled",
                   name);
}

lg_status mb_document_read(mb_document *d, const char *path, const char *name, lg_error *e)
{
    (void)path;
    return mb_document_parse(d, NULL, 0, name, e);
}

#else

#include <expat.h>

typedef struct parsing {
    mb_document *document;
    XML_Parser parser;
    mb_element *open; /* the innermost element that has not ended */
    const char *name;
    int depth, nodes;
    size_t bytes;
    lg_status status;
    lg_error *error;
} parsing;

static int line_of(const parsing *p)
{
    return (int)XML_GetCurrentLineNumber(p->parser);
}

/* The first failure stays. */
static void stop(parsing *p, lg_status status, const char *what)
{
    if (p->status != LG_OK) return;
    p->status = lg_fail(p->error, status, "%s:%d: %s", p->name, line_of(p), what);
    (void)XML_StopParser(p->parser, XML_FALSE);
}

static void *take(parsing *p, size_t bytes)
{
    void *at = mb_document_take(p->document, bytes);
    if (at == NULL) stop(p, LG_ERROR_MEMORY, "out of memory");
    return at;
}

static char *copy_of(parsing *p, const char *text)
{
    const size_t room = strlen(text) + 1;
    char *copy = take(p, room);
    if (copy != NULL) memcpy(copy, text, room);
    return copy;
}

static void attributes(parsing *p, mb_element *e, const char **pairs)
{
    mb_attribute **end = &e->attribute;
    if (XML_GetSpecifiedAttributeCount(p->parser) > 2 * MB_XML_ATTRIBUTES) {
        stop(p, LG_ERROR_ARGUMENT, "more than 64 attributes, which no element of a robot has");
        return;
    }
    for (; pairs[0] != NULL && p->status == LG_OK; pairs += 2) {
        mb_attribute *a = take(p, sizeof *a);
        if (a == NULL) return;
        *a = (mb_attribute){NULL, copy_of(p, pairs[0]), copy_of(p, pairs[1]), 0};
        *end = a, end = &a->next;
        p->nodes++;
    }
}

static void begin(void *context, const char *name, const char **pairs)
{
    parsing *p = context;
    if (p->status != LG_OK) return;
    if (++p->depth > MB_XML_DEPTH) {
        stop(p, LG_ERROR_ARGUMENT, "elements are nested more than 1000 deep, which no robot needs");
        return;
    }
    mb_element *e = take(p, sizeof *e);
    if (e == NULL) return;
    *e = (mb_element){.parent = p->open, .name = copy_of(p, name), .line = line_of(p)};
    p->nodes++;
    attributes(p, e, pairs);
    if (p->nodes > MB_XML_NODES)
        stop(p, LG_ERROR_ARGUMENT, "more than a million elements and attributes, which is beyond what is read");
    if (p->open == NULL)
        p->document->root = e;
    else if (p->open->last != NULL)
        p->open->last->next = e;
    else
        p->open->child = e;
    if (p->open != NULL) p->open->last = e;
    p->open = e;
}

static void end(void *context, const char *name)
{
    parsing *p = context;
    (void)name;
    if (p->status != LG_OK) return;
    p->open = p->open->parent;
    p->depth--;
}

/* No robot needs entities, and they can grow without bounds. */
static void entity(void *context, const char *name, int parameter, const char *value, int length, const char *base,
                   const char *system, const char *public, const char *notation)
{
    (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    stop(context, LG_ERROR_UNSUPPORTED, "the document declares an entity, which is not read; write the text itself");
}

static int parsing_begin(parsing *p, mb_document *d, const char *name, lg_error *e)
{
    *d = (mb_document){NULL, NULL};
    *p = (parsing){.document = d, .name = name, .error = e, .parser = XML_ParserCreate(NULL)};
    if (p->parser == NULL) {
        p->status = lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", name);
        return 0;
    }
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, begin, end);
    XML_SetEntityDeclHandler(p->parser, entity);
    return 1;
}

static void feed(parsing *p, const char *text, size_t length, int last)
{
    p->bytes += length;
    if (p->bytes > MB_XML_BYTES) {
        if (p->status == LG_OK)
            p->status =
                lg_fail(p->error, LG_ERROR_ARGUMENT,
                        "%s: more than 64 MiB, which is no description of a robot; is it the right file?", p->name);
        return;
    }
    if (XML_Parse(p->parser, text, (int)length, last) != XML_STATUS_OK && p->status == LG_OK) {
        const enum XML_Error code = XML_GetErrorCode(p->parser);
        if (code == XML_ERROR_NO_MEMORY)
            p->status = lg_fail(p->error, LG_ERROR_MEMORY, "%s: out of memory", p->name);
        else if (code == XML_ERROR_MISPLACED_XML_PI)
            p->status = lg_fail(p->error, LG_ERROR_ARGUMENT,
                                "%s:%d: <?xml ...?> must be the first thing in a file; delete the blanks and lines before "
                                "it, or the declaration",
                                p->name, line_of(p));
        else
            p->status = lg_fail(p->error, LG_ERROR_ARGUMENT, "%s:%d: this is not well-formed XML: %s", p->name,
                                line_of(p), XML_ErrorString(code));
    }
}

lg_status mb_document_parse(mb_document *d, const char *text, size_t length, const char *name, lg_error *e)
{
    parsing p;
    if (!parsing_begin(&p, d, name, e)) return p.status;
    feed(&p, text, length, 1);
    XML_ParserFree(p.parser);
    return p.status;
}

lg_status mb_document_read(mb_document *d, const char *path, const char *name, lg_error *e)
{
    char text[1 << 14];
    parsing p;
    *d = (mb_document){NULL, NULL};
    FILE *f = fopen(path, "rb");
    if (f == NULL) return lg_fail_system(e, name, errno);
    if (parsing_begin(&p, d, name, e)) {
        for (size_t got = 1; got > 0 && p.status == LG_OK;) {
            got = fread(text, 1, sizeof text, f);
            if (ferror(f))
                p.status = lg_fail_system(e, name, errno);
            else
                feed(&p, text, got, got == 0);
        }
        XML_ParserFree(p.parser);
    }
    (void)fclose(f);
    return p.status;
}

#endif
