/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with meshes: the first byte chooses the format. Meshes that are read are weighed, examined and made coarser. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scene/mesh/mesh.h"

static void look_at(const lg_mesh *m)
{
    lg_error e;
    lg_mesh_faults faults;
    lg_mesh hull, coarse;
    char text[600];
    double moved;
    for (int kind = LG_MESH_LEGACY; kind <= LG_MESH_SHELL; kind++) {
        lg_mesh_mass mass;
        const lg_status st = lg_mesh_weigh(&mass, m, (lg_mesh_kind)kind, "it", &e);
        fuzz_require_message(st, e.message, "lg_mesh_weigh");
        fuzz_require(st != LG_OK || (mass.measure > 0 && isfinite(mass.inertia[0])), "no mass", "lg_mesh_weigh");
    }
    if (lg_mesh_hull(&hull, m, "it", &e) == LG_OK) {
        fuzz_require(lg_mesh_examine(&faults, &hull, &e) == LG_OK && lg_mesh_is_closed(&faults), "a hull with holes",
                     "");
        fuzz_require(hull.triangles == 2 * hull.vertices - 4, "a hull that is no sphere", "");
        lg_mesh_free(&hull);
    }
    fuzz_require(lg_mesh_examine(&faults, m, &e) == LG_OK, e.message, "lg_mesh_examine");
    fuzz_require(lg_mesh_describe(text, sizeof text, &faults) < (int)sizeof text, "long words", text);
    fuzz_require(lg_mesh_coarsen(&coarse, &moved, m, LG_MESH_FEWEST, &e) == LG_OK, e.message, "lg_mesh_coarsen");
    fuzz_require(coarse.triangles <= LG_MESH_FEWEST && isfinite(moved), "not coarser", "lg_mesh_coarsen");
    lg_mesh_free(&coarse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double mirror[3] = {-1e-3, 2, 0.5};
    static const lg_mesh_format format[] = {LG_MESH_STL, LG_MESH_OBJ, LG_MESH_MSH};
    lg_mesh m;
    lg_error e;
    if (size < 1) return 0;
    const lg_status st = lg_mesh_parse(&m, data + 1, size - 1, "it", format[data[0] % 3], &e);
    fuzz_require_message(st, e.message, "lg_mesh_parse");
    if (st != LG_OK) return 0;
    fuzz_require(m.vertices > 0 && m.first <= m.triangles, "wrong counts", "");
    for (int i = 0; i < 3 * m.triangles; i++)
        fuzz_require(m.triangle[i] >= 0 && m.triangle[i] < m.vertices, "no such vertex", "");
    look_at(&m);
    if (lg_mesh_scale(&m, mirror, "it", &e) == LG_OK) look_at(&m);
    lg_mesh_free(&m);
    return 0;
}
