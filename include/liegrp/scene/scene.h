/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scene.h
 *  What a system looks like: bodies, and shapes that are fixed to them.
 *
 *  A scene says what there is to see; where it is at a time, poses say: lg_model_poses(), lg_motion_poses(). A pose is
 *  seven numbers, x, y, z, qx, qy, qz, qw, from the body's frame to space. Lengths are those of the system. */
#ifndef LIEGRP_SCENE_SCENE_H
#define LIEGRP_SCENE_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** A scene: opaque. */
typedef struct lg_scene lg_scene;

/** Numbers of a pose. */
enum { LG_POSE_SIZE = 7 };

/** Kinds of shapes, and what lg_shape::dimensions are. All are centred at the shape's origin but the rod. */
typedef enum lg_shape_kind {
    LG_SHAPE_AXES = 0,      /**< three arrows: their length */
    LG_SHAPE_SPHERE = 1,    /**< radius */
    LG_SHAPE_ELLIPSOID = 2, /**< three half axes */
    LG_SHAPE_CYLINDER = 3,  /**< radius and length along z; length 0: a disk */
    LG_SHAPE_TORUS = 4,     /**< about z: radius of the circle in the middle, radius of the tube */
    LG_SHAPE_BOX = 5,       /**< three edges */
    LG_SHAPE_ROD = 6,       /**< a cylinder from the shape's origin to lg_shape::end: radius */
    LG_SHAPE_PLANE = 7,     /**< z = 0: edges along x and y; 0: without end */
    LG_SHAPE_MESH = 8       /**< the triangles of the file lg_shape::mesh or lg_shape::triangle, or the convex hull of
                             *   lg_shape::point; none. It does not roll */
} lg_shape_kind;

/** The role of a shape in a picture; each role has a colour. */
typedef enum lg_shade {
    LG_SHADE_BODY = 0,   /**< the main body */
    LG_SHADE_SECOND = 1, /**< another one: a link, a trailer */
    LG_SHADE_WHEEL = 2,  /**< what rolls: with spokes or sectors, so that its turning is seen */
    LG_SHADE_METAL = 3,  /**< axles, joints, rods */
    LG_SHADE_MARK = 4,   /**< what matters: a blade, a centre of mass, a contact, a tip */
    LG_SHADE_GROUND = 5, /**< what things roll on */
    LG_SHADE_GHOST = 6   /**< transparent: a sphere of directions, a potential's valley */
} lg_shade;

/** A shape fixed to a body. Start from lg_shape_default(). */
typedef struct lg_shape {
    size_t size;          /**< sizeof(lg_shape), set by lg_shape_default() */
    const char *name;     /**< what it is, such as "blade"; copied; NULL: nothing to say */
    int64_t kind;         /**< an lg_shape_kind */
    int64_t shade;        /**< an lg_shade */
    int64_t body;         /**< the body's number, as lg_scene_add_body() counts; -1: space */
    double position[3];   /**< of the shape's origin in the body's frame */
    double attitude[4];   /**< of its axes in the body's frame: unit quaternion x, y, z, w; default 0, 0, 0, 1 */
    double dimensions[3]; /**< see lg_shape_kind */
    int64_t end_body;     /**< of a rod: the body that its end is on; default the same */
    double end[3];        /**< of a rod: its end in that body's frame */
    int64_t rolls_on;     /**< the number of the plane that it touches; -1, the default: none */
    int64_t trail;        /**< 1: its origin leaves a trail. 2: the point where it touches its plane does */
    double colour[4]; /**< red, green, blue (sRGB) and opacity, each from 0 to 1; default -1, -1, -1, 1: the colour of
                       *   the shade */
    const char *mesh; /**< of a mesh: path of an STL, OBJ or MSH file, which lg_scene_json() reads; copied */
    double scale[3];  /**< of a mesh: factors of its coordinates, not 0; default 1 */
    int64_t points; /**< of a mesh without a file: how many points `point` has, at least 4, of triangles 3; default 0 */
    const double *point; /**< three finite coordinates each, at the shape's origin; without triangles their convex hull
                          *   is shown; copied */
    int64_t triangles;   /**< of a mesh with points: how many triangles `triangle` has; default 0: the hull */
    const int *triangle; /**< three points each, counterclockwise as seen from outside; copied */
} lg_shape;

/** Initialises a shape of `size` bytes; see lg_shape_default(). */
LG_API void lg_shape_init(lg_shape *shape, size_t size);
/** A shape at the origin of a body. */
static inline lg_shape lg_shape_default(const char *name, int kind, int body)
{
    lg_shape shape;
    lg_shape_init(&shape, sizeof shape);
    shape.name = name, shape.kind = kind, shape.body = shape.end_body = body;
    return shape;
}

/** An empty scene.
 *  - LG_ERROR_ARGUMENT: `scene` is NULL.
 *  - LG_ERROR_MEMORY: out of memory; *scene is NULL. */
LG_API LG_MUST_CHECK lg_status lg_scene_create(lg_scene **scene);
/** Frees it. NULL is allowed. */
LG_API void lg_scene_destroy(lg_scene *scene);
/** Message of the last failed call; "" if no call has failed. A scene that was not created has a message too. */
LG_API const char *lg_scene_message(const lg_scene *scene);

/** Adds a body; the first has number 0. The name is copied. *index (may be NULL) is its number.
 *  - LG_ERROR_ARGUMENT: the scene or the name is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_scene_add_body(lg_scene *scene, int *index, const char *name);
/** Adds a shape; the first has number 0. *index (may be NULL) is its number. The message of a refusal names the shape
 *  and says what is wrong. A scene that is refused something stays as it was.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or the shape's size is not that of an lg_shape.
 *  - LG_ERROR_ARGUMENT: there is no such kind, shade, body or trail.
 *  - LG_ERROR_ARGUMENT: a number is not finite, a dimension is below 0, or the attitude is no unit quaternion (to
 *    1e-6).
 *  - LG_ERROR_ARGUMENT: it rolls on what is no plane of this scene, or is itself a plane, axes or a mesh.
 *  - LG_ERROR_ARGUMENT: a colour or an opacity is not from 0 to 1.
 *  - LG_ERROR_ARGUMENT: a mesh has neither a file nor 4 points, or both, or a scale is 0 or not finite.
 *  - LG_ERROR_ARGUMENT: points are no mesh's, or not finite.
 *  - LG_ERROR_ARGUMENT: triangles are of a shape without points, or name a point that is not there.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_scene_add(lg_scene *scene, int *index, const lg_shape *shape);

/** The number of bodies. */
LG_API int lg_scene_body_count(const lg_scene *scene);
/** The name of body i; NULL if i is out of range. */
LG_API const char *lg_scene_body_name(const lg_scene *scene, int i);
/** The number of shapes. */
LG_API int lg_scene_shape_count(const lg_scene *scene);
/** Shape i, owned by the scene; NULL if i is out of range. */
LG_API const lg_shape *lg_scene_shape(const lg_scene *scene, int i);

/** *gap = the height of the lowest point of shape i above the plane that it rolls on, for these poses, LG_POSE_SIZE
 *  numbers a body. With x the shape's centre, n the plane's normal and s the support function of the shape about x, the
 *  largest n.(y - x) of its points y, it is n.(x - x_plane) - s(-n). *point (3 numbers, may be NULL) is the lowest
 *  point, in space; where an edge or a face is lowest, its middle.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no such shape, or it rolls on nothing. */
LG_API LG_MUST_CHECK lg_status lg_scene_gap(const lg_scene *scene, double *gap, double *point, const double *poses,
                                            int i);

/** *text = the scene as a JSON object, without poses: {"bodies": [names], "shapes": [...]} with the fields of lg_shape
 *  by name, kinds and shades as words ("sphere", "body"); "colour" is three numbers, null where
 *  it is that of the shade, and "opacity" one. Each file of
 *  a mesh is in "meshes" once, points for each shape, and "mesh" is its number there: "name", "triangles" of it,
 *  "vertices" (base64 of little-endian float32, 3 each) and "faces" (of uint32, 3 each), or "fault", the reason why it
 *  cannot be shown. Meshes are made coarser, to about 40 000 triangles in all and 4000 each; beyond 300 files they are
 *  not shown. "parents" (of a mechanism) has for each body the body that its joint is on, -1: the world. The string is
 *  the scene's and lives until the next call.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_scene_json(lg_scene *scene, const char **text);

LG_END

#endif
