/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of an XML document, by expat. */
#include "multibody/files/xml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

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

lg_status mb_document_read_more(mb_document *d, mb_element **root, const char *path, const char *name, lg_error *e)
{
    (void)root;
    return mb_document_read(d, path, name, e);
}

#else

#include <expat.h>

typedef struct parsing {
    mb_document *document;
    mb_element **root;
    XML_Parser parser;
    mb_element *open; /* the innermost element that has not ended */
    const char *name;
    int depth;
    int skipped; /* lines before what is parsed */
    char text[MB_XML_TEXT + 1];
    int letters; /* of the text of the innermost element so far */
    lg_status status;
    lg_error *error;
} parsing;

static int line_of(const parsing *p)
{
    return p->skipped + (int)XML_GetCurrentLineNumber(p->parser);
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
        p->document->nodes++;
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
    p->letters = 0;
    *e = (mb_element){.parent = p->open, .name = copy_of(p, name), .file = p->name, .line = line_of(p)};
    p->document->nodes++;
    attributes(p, e, pairs);
    if (p->document->nodes > MB_XML_NODES)
        stop(p, LG_ERROR_ARGUMENT, "more than a million elements and attributes, which is beyond what is read");
    if (p->open == NULL)
        *p->root = e;
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
    p->text[p->letters] = '\0';
    if (p->open->child == NULL && p->text[strspn(p->text, " \t\r\n")] != '\0') p->open->text = copy_of(p, p->text);
    p->letters = 0;
    p->open = p->open->parent;
    p->depth--;
}

/* Comes in pieces. */
static void letters(void *context, const char *text, int length)
{
    parsing *p = context;
    for (int i = 0; i < length && p->letters < MB_XML_TEXT; i++) p->text[p->letters++] = text[i];
}

/* No robot needs entities, and they can grow without bounds. */
static void entity(void *context, const char *name, int parameter, const char *value, int length, const char *base,
                   const char *system, const char *public, const char *notation)
{
    (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    stop(context, LG_ERROR_UNSUPPORTED, "the document declares an entity, which is not read; write the text itself");
}

/* Defaults of attributes can grow without bounds, and a type of an attribute changes its text. */
static void attribute_list(void *context, const char *element, const char *name, const char *type, const char *value,
                           int required)
{
    (void)element, (void)name, (void)type, (void)value, (void)required;
    stop(context, LG_ERROR_UNSUPPORTED,
         "the document declares attributes (<!ATTLIST>), which is not read; write them where they are used");
}

/* Without what is declared elsewhere, an entity would be left out in silence. */
static int not_alone(void *context)
{
    stop(context, LG_ERROR_UNSUPPORTED,
         "the document has declarations in another file or parameter entity, which is not read; delete its <!DOCTYPE>");
    return XML_STATUS_ERROR;
}

static void parse_piece(parsing *p, const char *text, size_t length, int last)
{
    if (XML_Parse(p->parser, text, (int)length, last) == XML_STATUS_OK || p->status != LG_OK) return;
    const enum XML_Error code = XML_GetErrorCode(p->parser);
    if (code == XML_ERROR_NO_MEMORY)
        p->status = lg_fail(p->error, LG_ERROR_MEMORY, "%s: out of memory", p->name);
    else if (code == XML_ERROR_MISPLACED_XML_PI)
        p->status = lg_fail(
            p->error, LG_ERROR_ARGUMENT,
            "%s:%d: <?xml ...?> must be the first thing in a file; delete what is before it, or the declaration",
            p->name, line_of(p));
    else
        p->status = lg_fail(p->error, LG_ERROR_ARGUMENT, "%s:%d: this is not well-formed XML: %s", p->name, line_of(p),
                            XML_ErrorString(code));
}

/* In pieces, so that a tag without an end is refused before it is read as a whole: expat reads a tag again from its
 * beginning with every piece, and keeps all its attributes. */
static void feed(parsing *p, const char *text, size_t length)
{
    enum { PIECE = 1 << 20 };
    size_t at = 0;
    do {
        const size_t piece = length - at < PIECE ? length - at : PIECE;
        parse_piece(p, text + at, piece, at + piece == length);
        at += piece;
        if (p->status == LG_OK && (XML_Index)at - XML_GetCurrentByteIndex(p->parser) > MB_XML_TAG)
            stop(p, LG_ERROR_ARGUMENT, "a tag or comment of more than 8 MiB, which no robot needs");
    } while (p->status == LG_OK && at < length);
}

/* The bytes before a declaration that only blanks and a byte-order mark precede; expat refuses blanks there. */
static size_t blanks_before(const char *text, size_t length)
{
    static const char declaration[] = "<?xml";
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const size_t first = at;
    while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') at++;
    const int declared =
        length - at >= sizeof declaration && memcmp(text + at, declaration, sizeof declaration - 1) == 0;
    return declared && at > first ? at : 0;
}

static lg_status parse(mb_document *d, mb_element **root, const char *text, size_t length, const char *name,
                       lg_error *e)
{
    if (length > MB_XML_BYTES)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: more than 64 MiB, which is no description of a robot; is it the right file?", name);
    const size_t blanks = blanks_before(text, length);
    parsing p = {.document = d, .root = root, .name = name, .error = e, .parser = XML_ParserCreate(NULL)};
    for (size_t i = 0; i < blanks; i++) p.skipped += text[i] == '\n';
    if (blanks > 0 && d->blank == NULL) d->blank = name;
    if (p.parser == NULL) return lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", name);
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, begin, end);
    XML_SetCharacterDataHandler(p.parser, letters);
    XML_SetEntityDeclHandler(p.parser, entity);
    XML_SetAttlistDeclHandler(p.parser, attribute_list);
    XML_SetNotStandaloneHandler(p.parser, not_alone);
    feed(&p, text + blanks, length - blanks);
    XML_ParserFree(p.parser);
    return p.status;
}

lg_status mb_document_parse(mb_document *d, const char *text, size_t length, const char *name, lg_error *e)
{
    *d = (mb_document){.root = NULL};
    return parse(d, &d->root, text, length, name, e);
}

lg_status mb_document_read_more(mb_document *d, mb_element **root, const char *path, const char *name, lg_error *e)
{
    void *text = NULL;
    size_t length = 0;
    lg_status status = lg_file_read(path, MB_XML_BYTES, &text, &length, e);
    if (status != LG_OK) return status;
    if (text == NULL) return lg_fail_system(e, name, ENOENT);
    status = parse(d, root, text, length, name, e);
    free(text);
    return status;
}

lg_status mb_document_read(mb_document *d, const char *path, const char *name, lg_error *e)
{
    *d = (mb_document){.root = NULL};
    return mb_document_read_more(d, &d->root, path, name, e);
}

#endif
