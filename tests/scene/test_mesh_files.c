/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with meshes: all formats give one mesh; what is wrong is refused with place, reason and advice; nothing
 * crashes, hangs or leaks. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/allocations.h"
#include "support/meshes.h"

/* ---- what is read ---- */

/* Cyclic shifts of corners do not matter, and the vertices come in another order: compare points. */
static void same_triangles(const lg_mesh *a, const lg_mesh *b)
{
    assert_int_equal(a->triangles, b->triangles);
    assert_int_equal(a->vertices, b->vertices);
    for (size_t i = 0; i < 3 * (size_t)a->triangles; i++)
        suite_same_bits("corner", a->vertex + 3 * (size_t)a->triangle[i], b->vertex + 3 * (size_t)b->triangle[i], 3);
}

static void formats(void **unused)
{
    (void)unused;
    lg_mesh shape[4] = {mesh_cube(), mesh_tetrahedron(), mesh_octahedron(), mesh_sphere(9)}, m;
    for (size_t i = 0; i < 3 * (size_t)shape[3].vertices; i++)
        shape[3].vertex[i] = (double)(float)shape[3].vertex[i] + 0.0;
    for (int s = 0; s < 4; s++) {
        for (int style = 0; style < MESH_STYLES; style++) {
            lg_error e;
            mesh_file f = mesh_file_of(&shape[s], (mesh_style)style);
            suite_case("shape %d, style %d", s, style);
            const lg_status st =
                lg_mesh_parse(&m, f.bytes, f.size, mesh_style_name((mesh_style)style), LG_MESH_BY_NAME, &e);
            suite_ok(e.message, st);
            same_triangles(&m, &shape[s]);
            assert_int_equal(m.first, m.triangles);
            lg_mesh_free(&m);
            suite_ok("by format", lg_mesh_parse(&m, f.bytes, f.size, "x", mesh_style_format((mesh_style)style), &e));
            lg_mesh_free(&m);
            free(f.bytes);
        }
        lg_mesh_free(&shape[s]);
    }
}

static lg_mesh read_text(const char *text, lg_mesh_format format)
{
    lg_mesh m;
    lg_error e;
    suite_case("%s", text);
    suite_ok(e.message, lg_mesh_parse(&m, text, strlen(text), "it", format, &e));
    return m;
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void objects(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int vertices, triangles, first, collapsed, overlapping;
    } files[] = {
        {SQUARE "f 1 2 3 4", 4, 2, 2, 0, 0},
        {"f 1 2 3\n" SQUARE, 4, 1, 1, 0, 0},
        {SQUARE "o a\nf 1 2 3\ng b\nf 1 3 4\nf 1 3 4", 4, 3, 1, 0, 0},
        {SQUARE "o a\no b\nf 1 2 3\nusemtl c\nf 1 3 4", 4, 2, 2, 0, 0},
        {SQUARE "f 1 2 2\nf 1 1 1\nl 1 2\np 3\ns off\n", 4, 0, 0, 2, 0},
        {SQUARE "v 0 0 -0\nf 5 2 3", 4, 1, 1, 0, 0},
        {"v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5", 5, 3, 3, 0, 0},
        {"v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 5 1 2 3 4", 5, 3, 3, 0, 0},
        {"v 0 0 0\nv 4 0 0\nv 0 4 0\nv 4 4 0\nv 5 1 0\nf 1 2 5 3 4", 5, 3, 3, 0, 1}, /* crosses itself */
        {"v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4", 4, 2, 2, 0, 1},            /* and so does this */
        {"v 1 2 3 1.0\nv 1 2 3 1.0", 1, 0, 0, 0, 0},
        {"\xef\xbb\xbf" SQUARE, 4, 0, 0, 0, 0}, /* a byte-order mark */
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lg_mesh m = read_text(files[i].text, LG_MESH_OBJ);
        assert_int_equal(m.vertices, files[i].vertices);
        assert_int_equal(m.triangles, files[i].triangles);
        assert_int_equal(m.first, files[i].first);
        assert_int_equal(m.collapsed, files[i].collapsed);
        assert_int_equal(m.overlapping, files[i].overlapping);
        lg_mesh_free(&m);
    }
    /* The shorter diagonal of a bent face; of equal ones the second. */
    lg_mesh m = read_text("v 0 0 0\nv 1 0 1\nv 1 1 0\nv 0 1 1\nf 1 2 3 4", LG_MESH_OBJ);
    const int equal[6] = {1, 2, 3, 1, 3, 0}, other[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(m.triangle, equal, sizeof equal);
    lg_mesh_free(&m);
    m = read_text("v 0 0 0\nv 1 0 1\nv .9 1 0\nv 0 1 1\nf 1 2 3 4", LG_MESH_OBJ);
    assert_memory_equal(m.triangle, other, sizeof other);
    lg_mesh_free(&m);
}

/* Stars with 2 n corners, tilted, from any corner on: cut without overlap, so that the triangles have the area of the
 * star. One with a slit to a hole. */
static void concave_faces(void **unused)
{
    (void)unused;
    lg_error e;
    lg_mesh_faults faults;
    for (int n = 3; n < 40; n += 4) {
        for (int first = 0; first < 4; first++) {
            mesh_file f = {0};
            lg_mesh m;
            for (int i = 0; i < 2 * n; i++) {
                const double r = i % 2 ? 0.3 : 1 + 0.1 * (i % 3), x = r * cos(i * SUITE_PI / n),
                             y = r * sin(i * SUITE_PI / n);
                mesh_file_print(&f, "v %.17g %.17g %.17g\n", x, y, 0.3 * x - y);
            }
            mesh_file_print(&f, "f");
            for (int i = 0; i < 2 * n; i++) mesh_file_print(&f, " %d", 1 + (i + first) % (2 * n));
            suite_case("%d corners from %d", 2 * n, first);
            suite_ok("read", lg_mesh_parse(&m, f.bytes, f.size, "it", LG_MESH_OBJ, &e));
            double area = 0;
            for (int i = 0; i < 2 * n; i++) {
                const double *a = m.vertex + 3 * i, *b = m.vertex + 3 * ((i + 1) % (2 * n));
                area += (a[0] * b[1] - a[1] * b[0]) / 2 * sqrt(1 + 0.09 + 1);
            }
            assert_int_equal(m.triangles, 2 * n - 2);
            assert_int_equal(m.overlapping, 0);
            suite_ok("examine", lg_mesh_examine(&faults, &m, &e));
            suite_near1("area", faults.area, area, 1e-13, area);
            lg_mesh_free(&m), free(f.bytes);
        }
    }
    lg_mesh m = read_text("v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 3 3 0\nv 3 6 0\nv 6 6 0\nv 6 3 0\n"
                          "f 1 2 3 4 1 5 6 7 8 5",
                          LG_MESH_OBJ);
    suite_ok("examine", lg_mesh_examine(&faults, &m, &e));
    suite_near1("area", faults.area, 72, 1e-15, 72);
    lg_mesh_free(&m);
    m = read_text("v 0 0 0\nv 9 4 0\nv 0 8 0\nv 7 4 0\nf 1 2 3 4", LG_MESH_OBJ); /* the shorter diagonal is inside */
    suite_ok("examine", lg_mesh_examine(&faults, &m, &e));
    suite_near1("area", faults.area, 8, 1e-15, 8);
    lg_mesh_free(&m);
    m = read_text("v 0 0 0\nv 9 1 0\nv 0 2 0\nv 3 1 0\nf 1 2 3 4", LG_MESH_OBJ); /* it is outside */
    suite_ok("examine", lg_mesh_examine(&faults, &m, &e));
    suite_near1("area", faults.area, 6, 1e-15, 6);
    lg_mesh_free(&m);
}

/* ---- what is refused ---- */

static void rejected(const void *bytes, size_t size, lg_mesh_format format, const char *words)
{
    lg_mesh m;
    lg_error e;
    suite_case("%.*s", size < 200 ? (int)size : 200, (const char *)bytes);
    suite_status(e.message, lg_mesh_parse(&m, bytes, size, "it", format, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, words);
    assert_true(strncmp(e.message, "it:", 3) == 0 && m.vertex == NULL && m.triangle == NULL && m.vertices == 0);
}

static void wrong_obj(void **unused)
{
    (void)unused;
    static const char *const files[][2] = {
        {"", "contains no vertices"},
        {"v 0 0", "it:1: a coordinate is missing"},
        {SQUARE "v 0 0 nan", "it:5: 'nan' is no coordinate; write a finite number"},
        {"v inf 0 0", "'inf' is no coordinate"},
        {"v 1e999 0 0", "'1e999' is no coordinate"},
        {"v -1e51 0 0", "below 1e+50"},
        {"v 1,5 0 0", "'1,5' is no coordinate"},
        {"v 0x1 0 0", "'0x1' is no coordinate"},
        {"v 0 0 \\\n\n", "it:2: a coordinate is missing"},
        {"v 0 0 \x1b[31m", "'\\x1b[31m' is no coordinate"},
        {"v 0 0 00000000000000000000000000000000000000000000000000000000000000000000000001", "is no coordinate"},
        {SQUARE "\nf 1 2", "it:6: the face has 2 corners; it needs at least three"},
        {SQUARE "f", "the face has 0 corners"},
        {SQUARE "f 1 2 5", "it:5: the face has corner '5', and the file has 4 vertices, 4 of them above"},
        {SQUARE "f 0 1 2", "corner '0'"},
        {SQUARE "f -5 1 2", "corner '-5'"},
        {"f -1 1 2\n" SQUARE, "it:1: the face has corner '-1', and the file has 4 vertices, 0 of them above"},
        {SQUARE "f 1 2 99999999999999999999999", "no corner"},
        {SQUARE "f 1 2 4294967297", "corner '4294967297'"},
        {SQUARE "f 1 2 3.5", "'3.5' is no corner of a face; write v, v/vt, v/vt/vn or v//vn"},
        {SQUARE "f 1 2 /3", "'/3' is no corner"},
        {SQUARE "f 1 2 --3", "'--3' is no corner"},
        {SQUARE "f 1 2 3/x", "'3/x' is no corner"},
        {"cstype bezier\n" SQUARE, "it:1: 'cstype' is a free-form curve or surface; export triangles"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        rejected(files[i][0], strlen(files[i][0]), LG_MESH_OBJ, files[i][1]);
    char path[400], words[150];
    lg_mesh m;
    lg_error e;
    memset(path, 'a', sizeof path), snprintf(path + 380, 20, "/long.obj");
    snprintf(words, sizeof words, "%s:1: a coordinate is missing", path + strlen(path) - 120);
    suite_status("long", lg_mesh_parse(&m, "v", 1, path, LG_MESH_BY_NAME, &e), LG_ERROR_ARGUMENT);
    suite_contains("end of the name", e.message, words);
    rejected("v 0 0 1\0", 8, LG_MESH_OBJ, "it: byte 7: a zero byte; it is no OBJ file");
}

#define LOOP "outer loop vertex 0 0 0 vertex 1 0 0 "

static void wrong_stl(void **unused)
{
    (void)unused;
    static const char *const files[][2] = {
        {"", "it: byte 0: the file ends; a binary STL has 84 bytes"},
        {"v 0 0 0", "it: byte 7: the file ends"},
        {"solid", "it:1: the file ends where 'endsolid' is expected; it is cut off"},
        {"solid a\nendsolid a", "the file has no facet"},
        {"solid a\nfacet\nnormal 0 0 1 outer loop vertex 0 0 zero", "it:3: 'zero' is no coordinate"},
        {"solid a\nfacet normal 0 0 1\n" LOOP "vertex 0 1 nan", "'nan' is no coordinate"},
        {"solid a\nfacet normal 0 0 1\n" LOOP "vertex 0 1 0 vertex 1 1 1",
         "'vertex' stands where ASCII STL has 'endloop'"},
        {"solid a\nfacet normal 0 0 1\n" LOOP, "it:3: the file ends where 'vertex' is expected"},
        {"solid a\nfacet normal 0 0 1\n" LOOP "vertex 0 1 0\nendloop\nendfacet\n",
         "it:6: the file ends where 'endsolid'"},
        {"solid a\nfaset", "it:2: 'faset' stands where ASCII STL has 'facet'"},
        {"solid a\nfacet normal 0 0 1\n" LOOP "vertex 0 1 0\nendloop\nendfacet\nendsolid\nmore", "it:7: 'more'"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "it: byte 80: 858927408 triangles take 42946370484 bytes, and the file has 91; it is cut off, or no STL"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        rejected(files[i][0], strlen(files[i][0]), LG_MESH_STL, files[i][1]);
    char bytes[84] = "solid";
    rejected(bytes, 84, LG_MESH_STL, "it: byte 80: the number of triangles is 0");
    lg_mesh cube = mesh_cube();
    mesh_file f = mesh_file_of(&cube, STL_BINARY);
    rejected(f.bytes, f.size - 1, LG_MESH_STL, "12 triangles take 684 bytes, and the file has 683");
    memcpy(f.bytes + 80, "\xff\xff\xff\xff", 4);
    rejected(f.bytes, f.size, LG_MESH_STL, "4294967295 triangles take 214748364834 bytes");
    memcpy(f.bytes + 80, "\x0c\0\0\0", 4);
    memcpy(f.bytes + 84 + 50 + 16, "\0\0\xc0\x7f", 4);
    rejected(f.bytes, f.size, LG_MESH_STL, "it: byte 150: a coordinate is not a number; export the mesh again");
    memcpy(f.bytes + 84 + 50 + 16, "\0\0\x80\xff", 4);
    rejected(f.bytes, f.size, LG_MESH_STL, "a coordinate is infinite");
    free(f.bytes);
    lg_mesh_free(&cube);
}

static void wrong_msh(void **unused)
{
    (void)unused;
    lg_mesh cube = mesh_cube();
    mesh_file f = mesh_file_of(&cube, MSH);
    rejected(f.bytes, 15, LG_MESH_MSH, "it: byte 15: the file ends; an MSH file begins with four numbers");
    rejected(f.bytes, f.size - 1, LG_MESH_MSH,
             "8 vertices, 8 normals, 0 texture coordinates and 12 triangles take 352");
    rejected("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, LG_MESH_MSH, "contains no vertices");
    rejected("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0+", 17, LG_MESH_MSH, "take 16 bytes, and the file has 17");
    rejected("$MeshFormat\n4.1 0 8\n", 19, LG_MESH_MSH, "it: byte 0: this is a mesh of Gmsh, which shares the ending");
    for (size_t i = 0; i < 16; i += 4) {
        memcpy(f.bytes + i, "\xff\xff\xff\xff", 4);
        char words[60];
        snprintf(words, sizeof words, "it: byte %d: the count -1 is negative", (int)i);
        rejected(f.bytes, f.size, LG_MESH_MSH, words);
        memcpy(f.bytes + i, "\xff\xff\xff\x7f", 4);
        rejected(f.bytes, f.size, LG_MESH_MSH, "2147483647");
        memcpy(f.bytes + i, i == 8 ? "\0\0\0\0" : i == 12 ? "\x0c\0\0\0" : "\x08\0\0\0", 4);
    }
    memcpy(f.bytes + f.size - 4, "\x08\0\0\0", 4);
    rejected(f.bytes, f.size, LG_MESH_MSH, "it: byte 348: triangle 11 has corner 8, and the vertices are 0 to 7");
    memcpy(f.bytes + f.size - 4, "\xff\xff\xff\xff", 4);
    rejected(f.bytes, f.size, LG_MESH_MSH, "corner -1");
    memcpy(f.bytes + 20, "\0\0\x80\x7f", 4);
    rejected(f.bytes, f.size, LG_MESH_MSH, "it: byte 20: a coordinate is infinite");
    free(f.bytes);
    lg_mesh_free(&cube);
}

/* ---- files that are none ---- */

static void not_read(const char *path, lg_mesh_format format, lg_status want, const char *words)
{
    lg_mesh m;
    lg_error e;
    suite_case("%s", path);
    suite_status(e.message, lg_mesh_read(&m, path, format, &e), want);
    suite_contains("message", e.message, words);
    assert_null(m.vertex);
}

static void files(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/liegrp-mesh-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    lg_mesh m, cube = mesh_cube();
    lg_error e;
    mesh_file f = mesh_file_of(&cube, STL_BINARY);
    FILE *to = fopen("cube.stl", "wb");
    assert_int_equal(fwrite(f.bytes, 1, f.size, to), f.size);
    assert_int_equal(fclose(to), 0);
    suite_ok("read", lg_mesh_read(&m, "cube.stl", LG_MESH_BY_NAME, &e));
    same_triangles(&m, &cube);
    lg_mesh_free(&m), lg_mesh_free(&cube), free(f.bytes);
    not_read("none.stl", LG_MESH_BY_NAME, LG_ERROR_IO, "none.stl: No such file");
    not_read("none.dae", LG_MESH_BY_NAME, LG_ERROR_UNSUPPORTED,
             "meshes in .stl, .obj and .msh files are read; convert");
    not_read(".stl", LG_MESH_BY_NAME, LG_ERROR_UNSUPPORTED, "convert this one");
    not_read("none.stl", (lg_mesh_format)9, LG_ERROR_ARGUMENT, "format 9 is not an lg_mesh_format");
    assert_int_equal(mkfifo("fifo.stl", 0600), 0);
    not_read("fifo.stl", LG_MESH_BY_NAME, LG_ERROR_IO, "no regular file");
    assert_int_equal(mkdir("folder.obj", 0700), 0);
    not_read("folder.obj", LG_MESH_BY_NAME, LG_ERROR_IO, "folder.obj: Is a directory");
    assert_int_equal(symlink("/dev/zero", "zero.msh"), 0);
    not_read("zero.msh", LG_MESH_BY_NAME, LG_ERROR_IO, "no regular file");
    const int large = open("large.stl", O_WRONLY | O_CREAT, 0600);
    assert_true(large >= 0 && ftruncate(large, (off_t)LG_MESH_BYTES + 1) == 0 && close(large) == 0);
    not_read("large.stl", LG_MESH_BY_NAME, LG_ERROR_IO, "more than 268435456 bytes");
    suite_status("size", lg_mesh_parse(&m, "", LG_MESH_BYTES + 1, "it.stl", LG_MESH_BY_NAME, &e), LG_ERROR_IO);
    suite_contains("message", e.message, "more than 256 MiB");
    assert_int_equal(unlink("large.stl") | unlink("zero.msh") | rmdir("folder.obj") | unlink("fifo.stl") |
                         unlink("cube.stl") | chdir("/") | rmdir(folder),
                     0);
}

/* ---- any bytes ---- */

/* Whatever is read is a mesh that everything else can take. */
static void try_bytes(const char *bytes, size_t size, lg_mesh_format format)
{
    lg_mesh m, coarse, hull;
    lg_error e;
    lg_mesh_mass mass;
    lg_mesh_faults faults;
    char text[600], *own = malloc(size + 1); /* of this size: a sanitizer sees a byte too far */
    double moved;
    memcpy(own, bytes, size);
    const lg_status st = lg_mesh_parse(&m, own, size, "it", format, &e);
    free(own);
    if (st != LG_OK) {
        assert_true(strncmp(e.message, "it:", 3) == 0 && m.vertex == NULL);
        return;
    }
    assert_true(m.vertices > 0 && m.first <= m.triangles);
    for (int i = 0; i < 3 * m.triangles; i++) assert_in_range(m.triangle[i], 0, m.vertices - 1);
    suite_ok("faults", lg_mesh_examine(&faults, &m, &e));
    assert_in_range(lg_mesh_describe(text, sizeof text, &faults), 0, sizeof text - 1);
    for (int kind = LG_MESH_LEGACY; kind <= LG_MESH_SHELL; kind++) {
        if (lg_mesh_weigh(&mass, &m, (lg_mesh_kind)kind, "it", &e) != LG_OK) continue;
        assert_true(mass.measure > 0 && !suite_any_nan(mass.inertia, 9) && !suite_any_nan(mass.centre, 3));
    }
    if (lg_mesh_hull(&hull, &m, "it", &e) == LG_OK) {
        suite_ok("faults of the hull", lg_mesh_examine(&faults, &hull, &e));
        assert_true(lg_mesh_is_closed(&faults));
        lg_mesh_free(&hull);
    }
    suite_ok("coarser", lg_mesh_coarsen(&coarse, &moved, &m, LG_MESH_FEWEST, &e));
    assert_true(coarse.triangles <= LG_MESH_FEWEST);
    lg_mesh_free(&coarse), lg_mesh_free(&m);
}

static unsigned any(lg_rng *rng, unsigned below)
{
    return (unsigned)(lg_rng_uniform(rng) * below);
}

static void hostile(void **unused)
{
    (void)unused;
    static const char pieces[] = "vf solidfacetvertex 0123456789.-+e/\\\r\n#\t nan1e5 inf ";
    lg_mesh shape[2] = {mesh_tetrahedron(), mesh_cube()};
    lg_rng rng = suite_rng(40);
    for (int style = 0; style < MESH_STYLES; style++) {
        const lg_mesh_format format = mesh_style_format((mesh_style)style);
        for (int s = 0; s < 2; s++) {
            mesh_file f = mesh_file_of(&shape[s], (mesh_style)style);
            for (size_t size = 0; size <= f.size; size++) try_bytes(f.bytes, size, format);
            for (int i = 0; i < suite_count(3000); i++) {
                mesh_file g = {0};
                mesh_file_add(&g, f.bytes, f.size);
                for (unsigned k = any(&rng, 4) + 1; k > 0; k--)
                    g.bytes[any(&rng, (unsigned)g.size)] =
                        (char)(any(&rng, 2) ? any(&rng, 256) : (unsigned char)pieces[any(&rng, sizeof pieces - 1)]);
                suite_case("style %d, shape %d, change %d", style, s, i);
                try_bytes(g.bytes, g.size, format);
                free(g.bytes);
            }
            free(f.bytes);
        }
        for (int i = 0; i < suite_count(3000); i++) {
            char bytes[400];
            const size_t size = any(&rng, sizeof bytes);
            for (size_t k = 0; k < size; k++)
                bytes[k] = (char)(i & 1 ? any(&rng, 256) : (unsigned char)pieces[any(&rng, sizeof pieces - 1)]);
            if (style <= STL_ASCII && i & 2 && size > 6) memcpy(bytes, "solid\n", 6);
            if (style == STL_BINARY && i & 4 && size > 84)
                memcpy(bytes + 80, "\0\0\0", 4), bytes[80] = (char)(size / 50 - 1);
            try_bytes(bytes, style == STL_BINARY && i & 4 && size > 84 ? 84 + 50 * (size / 50 - 1) : size, format);
        }
    }
    lg_mesh_free(&shape[0]), lg_mesh_free(&shape[1]);
}

/* ---- memory ---- */

static lg_status everything(const mesh_file *f, lg_mesh_format format, lg_error *e)
{
    lg_mesh m, hull = {0}, coarse = {0};
    lg_mesh_mass mass;
    lg_mesh_faults faults;
    double moved;
    lg_status st = lg_mesh_parse(&m, f->bytes, f->size, "it", format, e);
    if (st == LG_OK) st = lg_mesh_examine(&faults, &m, e);
    if (st == LG_OK) st = lg_mesh_weigh(&mass, &m, LG_MESH_CONVEX, "it", e);
    if (st == LG_OK) st = lg_mesh_hull(&hull, &m, "it", e);
    if (st == LG_OK) st = lg_mesh_coarsen(&coarse, &moved, &m, LG_MESH_FEWEST, e);
    lg_mesh_free(&m), lg_mesh_free(&hull), lg_mesh_free(&coarse);
    return st;
}

static void no_memory(void **unused)
{
    (void)unused;
    only_if_counted();
    lg_mesh sphere = mesh_sphere(12);
    for (int style = 0; style < MESH_STYLES; style++) {
        mesh_file f = mesh_file_of(&sphere, (mesh_style)style);
        lg_error e;
        lg_status st = LG_ERROR_MEMORY;
        for (long n = 0; st != LG_OK; n++) {
            const long before = live;
            fail_at = allocations + n;
            st = everything(&f, mesh_style_format((mesh_style)style), &e);
            fail_at = -1;
            assert_int_equal(live, before);
            if (st != LG_OK) suite_status(e.message, st, LG_ERROR_MEMORY);
            if (st != LG_OK) suite_contains("message", e.message, "out of memory");
        }
        free(f.bytes);
    }
    lg_mesh_free(&sphere);
}

int main(void)
{
    suite_begin("scene/mesh_files");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),   cmocka_unit_test(objects),   cmocka_unit_test(concave_faces),
        cmocka_unit_test(wrong_obj), cmocka_unit_test(wrong_stl), cmocka_unit_test(wrong_msh),
        cmocka_unit_test(files),     cmocka_unit_test(hostile),   cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
