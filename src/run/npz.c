/* SPDX-License-Identifier: BSD-3-Clause */
/* ZIP as PKWARE's APPNOTE 6.3 describes it, sections 4.3 to 4.5: local headers with room for 64 bits, the central
 * directory, its 64-bit record where a number needs it. The time of every member is the format's first one, 1980. */
#include "run/format.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#ifdef LG_WITHOUT_ZLIB

static char *read_text(FILE *from, const char *name, lg_error *e)
{
    (void)from;
    (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: npz needs zlib, and liegrp was built without it", name);
    return NULL;
}

#define CAN                                                                                                            \
    .missing = "npz is compressed by zlib, and liegrp was built without it: install it (Debian: zlib1g-dev), "         \
               "configure with -Dzlib=enabled; or take npy"

#else

#include <zlib.h>

#define LOCAL       UINT32_C(0x04034b50)
#define CENTRAL     UINT32_C(0x02014b50)
#define END         UINT32_C(0x06054b50)
#define END_64      UINT32_C(0x06064b50)
#define LOCATOR_64  UINT32_C(0x07064b50)
#define MOST_32     UINT64_C(0xffffffff)
#define FIRST_DATE  0x0021 /* 1 January 1980 */
#define TEXT_MEMBER "provenance.npy"
#define NPY_MAGIC   "\x93NUMPY\x01"

enum { PIECE = 1 << 16, MEMBERS = 2, HEAD = 30, EXTRA = 20, CENTRAL_HEAD = 46, END_SIZE = 22 };

typedef struct member {
    const char *name;
    uint64_t at, packed, size;
    uint32_t sum;
} member;

/* Where a member's bytes come from: a file, or memory. */
typedef struct source {
    FILE *file;
    const char *bytes;
    size_t left;
} source;

typedef struct pieces {
    z_stream z;
    unsigned char in[PIECE], out[PIECE];
} pieces;

/* Writing --------------------------------------------------------------------------------------------------------- */

static unsigned char *put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

static int write_bytes(FILE *to, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, to) == size ? 0 : -1;
}

/* Both sizes are in the extra field, so they can be written later. */
static int write_local(FILE *to, const member *m)
{
    unsigned char head[HEAD + 64 + EXTRA], *at = head;
    const size_t length = strlen(m->name);
    at = put(at, LOCAL, 4), at = put(at, 45, 2), at = put(at, 0, 2), at = put(at, Z_DEFLATED, 2);
    at = put(at, 0, 2), at = put(at, FIRST_DATE, 2), at = put(at, m->sum, 4);
    at = put(at, MOST_32, 4), at = put(at, MOST_32, 4), at = put(at, length, 2), at = put(at, EXTRA, 2);
    memcpy(at, m->name, length);
    at = put(at + length, 1, 2), at = put(at, EXTRA - 4, 2), at = put(at, m->size, 8), at = put(at, m->packed, 8);
    return write_bytes(to, head, (size_t)(at - head));
}

static size_t take(source *s, unsigned char *to)
{
    size_t got = s->left < PIECE ? s->left : PIECE;
    if (s->file != NULL) return fread(to, 1, PIECE, s->file);
    if (got > 0) memcpy(to, s->bytes, got);
    s->bytes += got;
    s->left -= got;
    return got;
}

/* All that the compressor has ready. */
static int drain(FILE *to, member *m, pieces *p, int flush)
{
    do {
        p->z.next_out = p->out;
        p->z.avail_out = PIECE;
        (void)deflate(&p->z, flush);
        const size_t made = PIECE - p->z.avail_out;
        if (write_bytes(to, p->out, made) != 0) return -1;
        m->packed += made;
    } while (p->z.avail_out == 0);
    return 0;
}

static int compress_all(FILE *to, member *m, source *s, pieces *p)
{
    size_t got;
    do {
        got = take(s, p->in);
        if (got == 0 && s->file != NULL && ferror(s->file)) return -1;
        m->sum = (uint32_t)crc32(m->sum, p->in, (uInt)got);
        m->size += got;
        p->z.next_in = p->in;
        p->z.avail_in = (uInt)got;
        if (drain(to, m, p, got > 0 ? Z_NO_FLUSH : Z_FINISH) != 0) return -1;
    } while (got > 0);
    return 0;
}

static int write_member(FILE *to, member *m, source *s)
{
    pieces *p = calloc(1, sizeof *p);
    int failed;
    const off_t at = ftello(to);
    if (p == NULL || at < 0) {
        free(p);
        return -1;
    }
    m->at = (uint64_t)at;
    if (deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(p);
        errno = ENOMEM;
        return -1;
    }
    failed = write_local(to, m) != 0 || compress_all(to, m, s, p) != 0;
    (void)deflateEnd(&p->z);
    free(p);
    if (failed || fseeko(to, at, SEEK_SET) != 0 || write_local(to, m) != 0) return -1;
    return fseeko(to, 0, SEEK_END);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int write_central(FILE *to, const member *m)
{
    unsigned char head[CENTRAL_HEAD + 64 + EXTRA + 8], *at = head;
    const uint64_t numbers[] = {m->size, m->packed, m->at};
    const size_t length = strlen(m->name);
    size_t extra = 0;
    for (int i = 0; i < 3; i++) extra += numbers[i] >= MOST_32 ? 8 : 0;
    at = put(at, CENTRAL, 4), at = put(at, 45, 2), at = put(at, 45, 2), at = put(at, 0, 2);
    at = put(at, Z_DEFLATED, 2), at = put(at, 0, 2), at = put(at, FIRST_DATE, 2), at = put(at, m->sum, 4);
    at = put(at, least(m->packed, MOST_32), 4), at = put(at, least(m->size, MOST_32), 4), at = put(at, length, 2);
    at = put(at, extra > 0 ? extra + 4 : 0, 2), at = put(at, 0, 2), at = put(at, 0, 2), at = put(at, 0, 2);
    at = put(at, 0, 4), at = put(at, least(m->at, MOST_32), 4);
    memcpy(at, m->name, length);
    at += length;
    if (extra > 0) at = put(at, 1, 2), at = put(at, extra, 2);
    for (int i = 0; i < 3; i++) at = numbers[i] >= MOST_32 ? put(at, numbers[i], 8) : at;
    return write_bytes(to, head, (size_t)(at - head));
}

static int write_end(FILE *to, uint64_t count, uint64_t begun)
{
    unsigned char end[56 + 20 + END_SIZE], *at = end;
    const off_t here = ftello(to);
    if (here < 0) return -1;
    const uint64_t now = (uint64_t)here, size = now - begun;
    if (begun >= MOST_32) {
        at = put(at, END_64, 4), at = put(at, 44, 8), at = put(at, 45, 2), at = put(at, 45, 2), at = put(at, 0, 4);
        at = put(at, 0, 4), at = put(at, count, 8), at = put(at, count, 8), at = put(at, size, 8);
        at = put(at, begun, 8), at = put(at, LOCATOR_64, 4), at = put(at, 0, 4), at = put(at, now, 8);
        at = put(at, 1, 4);
    }
    at = put(at, END, 4), at = put(at, 0, 4), at = put(at, count, 2), at = put(at, count, 2);
    at = put(at, size, 4), at = put(at, least(begun, MOST_32), 4), at = put(at, 0, 2);
    return write_bytes(to, end, (size_t)(at - end));
}

/* The text as NumPy has it, <U: four bytes a character; NULL: out of memory. */
static char *text_as_array(const char *text, size_t *size)
{
    const size_t most = strlen(text);
    unsigned char *array = malloc(128 + 4 * most), *at;
    size_t count = 0;
    int head;
    if (array == NULL) return NULL;
    for (const char *c = text; *c != '\0'; count++) {
        const int bytes = lg_text_character(c, NULL);
        c += bytes > 0 ? bytes : 1;
    }
    head = snprintf((char *)array + 10, 100, "{'descr': '<U%zu', 'fortran_order': False, 'shape': (), }", count);
    memcpy(array, NPY_MAGIC "\x00", 8);
    put(array + 8, 128 - 10, 2);
    memset(array + 10 + head, ' ', (size_t)(128 - 10 - head));
    array[127] = '\n';
    at = array + 128;
    for (const char *c = text; *c != '\0';) {
        uint32_t code = (unsigned char)*c;
        const int bytes = lg_text_character(c, &code);
        at = put(at, code, 4);
        c += bytes > 0 ? bytes : 1;
    }
    *size = (size_t)(at - array);
    return (char *)array;
}

/* rows.npy, which is all that the rows' file has, and provenance.npy, an array without dimensions that holds the text.
 */
static int pack(FILE *to, const lg_table *t)
{
    const char *text = t->text;
    member m[MEMBERS] = {{.name = "rows.npy"}, {.name = TEXT_MEMBER}};
    source from[MEMBERS] = {{t->rows, NULL, 0}, {NULL, NULL, 0}};
    char *array = text != NULL ? text_as_array(text, &from[1].left) : NULL;
    const int count = text != NULL ? 2 : 1;
    int failed = text != NULL && array == NULL;
    off_t begun;
    from[1].bytes = array;
    if (fseeko(t->rows, 0, SEEK_SET) != 0) failed = 1;
    for (int i = 0; !failed && i < count; i++) failed = write_member(to, &m[i], &from[i]) != 0;
    free(array);
    begun = failed ? -1 : ftello(to);
    failed = begun < 0;
    for (int i = 0; !failed && i < count; i++) failed = write_central(to, &m[i]) != 0;
    return !failed && write_end(to, (uint64_t)count, (uint64_t)begun) == 0 && fflush(to) == 0 ? 0 : -1;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static uint64_t get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | from[i];
    return value;
}

static int read_at(FILE *f, uint64_t at, void *bytes, size_t size)
{
    return at <= INT64_MAX && fseeko(f, (off_t)at, SEEK_SET) == 0 && fread(bytes, 1, size, f) == size;
}

/* Where the central directory begins, and its length; 0: not found. */
static uint64_t find_directory(FILE *f, uint64_t *length)
{
    unsigned char end[END_SIZE], locator[20], wide[56];
    uint64_t begun;
    off_t size;
    if (fseeko(f, 0, SEEK_END) != 0 || (size = ftello(f)) < END_SIZE) return 0;
    if (!read_at(f, (uint64_t)size - END_SIZE, end, sizeof end) || get(end, 4) != END) return 0;
    begun = get(end + 16, 4);
    *length = get(end + 12, 4);
    if (begun < MOST_32) return begun;
    if (size < END_SIZE + 20 || !read_at(f, (uint64_t)size - END_SIZE - 20, locator, sizeof locator)) return 0;
    if (get(locator, 4) != LOCATOR_64 || !read_at(f, get(locator + 8, 8), wide, sizeof wide)) return 0;
    *length = get(wide + 40, 8);
    return get(wide, 4) == END_64 ? get(wide + 48, 8) : 0;
}

/* The numbers of a member that did not fit, in its extra field. */
static void widen(member *m, const unsigned char *extra, uint64_t length)
{
    uint64_t *const numbers[] = {&m->size, &m->packed, &m->at};
    while (length >= 4) {
        const uint64_t id = get(extra, 2), size = get(extra + 2, 2);
        uint64_t used = 0;
        if (size > length - 4) return;
        for (int i = 0; id == 1 && i < 3; i++) {
            if (*numbers[i] < MOST_32 || used + 8 > size) continue;
            *numbers[i] = get(extra + 4 + used, 8);
            used += 8;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
}

/* The member of that name; 0: not found. */
static int find_member(FILE *f, const char *name, member *m)
{
    uint64_t length = 0, at = find_directory(f, &length);
    unsigned char head[CENTRAL_HEAD], rest[256 + 1024];
    if (at == 0) return 0;
    for (const uint64_t end = at + length; at < end;) {
        if (!read_at(f, at, head, sizeof head) || get(head, 4) != CENTRAL) return 0;
        const uint64_t named = get(head + 28, 2), extra = get(head + 30, 2), note = get(head + 32, 2);
        at += CENTRAL_HEAD + named + extra + note;
        if (named != strlen(name) || extra > 1024) continue;
        if (fread(rest, 1, named + extra, f) != named + extra) return 0;
        if (memcmp(rest, name, named) != 0) continue;
        *m = (member){name, get(head + 42, 4), get(head + 20, 4), get(head + 24, 4), (uint32_t)get(head + 16, 4)};
        widen(m, rest + named, extra);
        return get(head + 10, 2) == Z_DEFLATED ? 1 : get(head + 10, 2) == 0 ? 2 : 0;
    }
    return 0;
}

static int inflate_all(unsigned char *to, uint64_t size, unsigned char *from, uint64_t packed)
{
    z_stream z = {.next_in = from, .avail_in = (uInt)packed, .next_out = to, .avail_out = (uInt)size};
    int end;
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return 0;
    end = inflate(&z, Z_FINISH);
    (void)inflateEnd(&z);
    return end == Z_STREAM_END && z.avail_out == 0;
}

/* Its bytes, to be freed; NULL: damaged, or out of memory. */
static unsigned char *read_member(FILE *f, const member *m, int method)
{
    unsigned char head[HEAD], *packed = NULL, *bytes = NULL;
    int good = m->size > 0 && m->size <= LG_PROVENANCE_MOST && m->packed > 0 && m->packed <= LG_PROVENANCE_MOST;
    good = good && read_at(f, m->at, head, sizeof head) && get(head, 4) == LOCAL;
    good = good && fseeko(f, (off_t)(get(head + 26, 2) + get(head + 28, 2)), SEEK_CUR) == 0;
    if (good) packed = malloc(m->packed);
    if (good) bytes = malloc(m->size);
    good = packed != NULL && bytes != NULL && fread(packed, 1, m->packed, f) == m->packed;
    if (good && method == 1) good = inflate_all(bytes, m->size, packed, m->packed);
    if (good && method == 2) good = m->size == m->packed;
    if (good && method == 2) memcpy(bytes, packed, m->size);
    good = good && (uint32_t)crc32(0, bytes, (uInt)m->size) == m->sum;
    free(packed);
    if (good) return bytes;
    free(bytes);
    return NULL;
}

static char *put_character(char *to, uint32_t code)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(unsigned char)(first[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(unsigned char)(0x80 | (code >> (6 * i) & 0x3f));
    return to;
}

/* NumPy's array of one text; NULL: it is none, or out of memory. */
static char *array_as_text(const unsigned char *bytes, uint64_t size)
{
    char head[128 + 1], *text, *to;
    unsigned long long count = 0;
    if (size < 10 || memcmp(bytes, NPY_MAGIC, 7) != 0) return NULL;
    const uint64_t begin = 10 + get(bytes + 8, 2);
    if (begin > size) return NULL;
    snprintf(head, sizeof head, "%.*s", (int)(begin - 10 < 128 ? begin - 10 : 128), (const char *)bytes + 10);
    if (sscanf(head, "{'descr': '<U%llu'", &count) != 1 || strstr(head, "'shape': ()") == NULL) return NULL;
    if (count > LG_PROVENANCE_MOST || begin + 4 * count > size) return NULL;
    text = to = malloc(4 * (size_t)count + 1);
    if (text == NULL) return NULL;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t code = get(bytes + begin + 4 * i, 4);
        if (code > 0x10ffff) break;
        to = put_character(to, (uint32_t)code);
    }
    *to = '\0';
    return text;
}

static char *read_text(FILE *from, const char *name, lg_error *e)
{
    member m = {0};
    errno = 0;
    const int method = find_member(from, TEXT_MEMBER, &m);
    unsigned char *bytes = method > 0 ? read_member(from, &m, method) : NULL;
    char *text = bytes != NULL ? array_as_text(bytes, m.size) : NULL;
    free(bytes);
    if (text == NULL && errno == ENOMEM)
        (void)lg_fail_system(e, name, ENOMEM);
    else if (text == NULL)
        (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: %s", name,
                      method > 0 ? "its member " TEXT_MEMBER " is damaged"
                                 : "it is damaged, or no archive with a member " TEXT_MEMBER);
    return text;
}

#define CAN .pack = pack

#endif

const lg_format_facts lg_npz = {
    .name = "npz", .endings = {".npz"}, LG_NPY_MOST, LG_NPY_ROWS, CAN, .magic = "PK\3\4", .text = read_text};
