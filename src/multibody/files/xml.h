/* SPDX-License-Identifier: BSD-3-Clause */
/* xml.h: an XML document as a small tree. Text between elements, comments and processing instructions are left out. */
#ifndef LG_MULTIBODY_FILES_XML_H
#define LG_MULTIBODY_FILES_XML_H

#include <stddef.h>

#include "base/message.h"

/* Limits of a document: a larger one is refused before it fills the memory. */
enum {
    MB_XML_BYTES = 64 << 20,
    MB_XML_NODES = 1000000,
    MB_XML_DEPTH = 1000,
    MB_XML_ATTRIBUTES = 64,
    MB_XML_TAG = 8 << 20,
    MB_XML_TEXT = 80
};

typedef struct mb_attribute {
    struct mb_attribute *next;
    const char *name, *value;
    int read; /* 1: it was read */
} mb_attribute;

typedef struct mb_element {
    struct mb_element *parent, *child, *last, *next; /* `last` child */
    mb_attribute *attribute;
    const char *name;
    const char *file; /* as messages call it */
    int line;
    int read;
    const char *text;     /* of an element without children, its first MB_XML_TEXT bytes; NULL: blanks */
    void *mark;           /* the dialect's own */
    const void *settings; /* the dialect's own; NULL: those of the document */
} mb_element;

typedef struct mb_document {
    struct mb_chunk *chunk; /* all memory of the tree */
    mb_element *root;
    int nodes;         /* elements and attributes */
    const char *blank; /* the first file whose declaration blanks precede, which are skipped; NULL: none */
} mb_document;

/* Memory of the document, aligned for pointers; NULL: out of it. */
void *mb_document_take(mb_document *d, size_t bytes);
/* Reads a file, which messages call `name`, a text that lives as long as the tree. LG_ERROR_IO: the system's reason, no
 * regular file, or too large; LG_ERROR_ARGUMENT: not well-formed or too large; LG_ERROR_UNSUPPORTED: declarations of
 * entities or attributes, or no expat; LG_ERROR_MEMORY. mb_document_free() in any case. */
lg_status mb_document_read(mb_document *d, const char *path, const char *name, lg_error *e);
/* mb_document_read() of text in memory. */
lg_status mb_document_parse(mb_document *d, const char *text, size_t length, const char *name, lg_error *e);
/* *root <- the root of another file, of the same memory and limits, which stays when the document grows. Statuses as
 * mb_document_read(). */
lg_status mb_document_read_more(mb_document *d, mb_element **root, const char *path, const char *name, lg_error *e);
void mb_document_free(mb_document *d);

#endif
