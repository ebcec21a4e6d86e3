/* SPDX-License-Identifier: BSD-3-Clause */
/* What this library says of mechanisms, for mujoco_models.mjs: reads lines "MECHANISM" or "MECHANISM OUT" from standard
 * input, a file or a name of the gallery, writes the mechanism to OUT, and prints one line of JSON: the mass matrix,
 * the bias, what springs and dampers do, and the forces of actuators at a state drawn at random, or why there is none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>
#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/file.h>
#include <liegrp/multibody/gallery.h>

enum { MOST = 400 };

static void print_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text >= ' ') putchar(*text);
    }
    putchar('"');
}

static void print_numbers(const char *key, const double *x, int count)
{
    printf(",\"%s\":[", key);
    for (int i = 0; i < count; i++) printf("%s%.17g", i > 0 ? "," : "", isfinite(x[i]) ? x[i] : 0);
    putchar(']');
}

/* The name of each coordinate: that of its joint or its position. */
static void print_names(const lg_mechanism *m, const lg_dynamics *d)
{
    const char *name[MOST] = {NULL};
    int count, position;
    for (int j = 0; j < lg_mechanism_joint_count(m); j++) {
        const int at = lg_dynamics_joint_index(d, &count, j);
        for (int i = 0; at >= 0 && i < count; i++) name[at + i] = lg_mechanism_joint_name(m, j);
    }
    for (int b = 0; b < lg_mechanism_body_count(m); b++) {
        const int at = lg_dynamics_float_index(d, b);
        for (int i = 0; at >= 0 && i < 6; i++) name[at + i] = lg_mechanism_body_name(m, b);
    }
    for (int c = 0; c < lg_mechanism_coordinate_count(m); c++) {
        const char *own = lg_mechanism_coordinate_name(m, c);
        const int at = lg_dynamics_joint_index(d, &count, lg_mechanism_joint_position(m, &position, own));
        if (at >= 0) name[at + position] = own;
    }
    printf(",\"names\":[");
    for (int i = 0; i < lg_dynamics_count(d); i++) {
        if (i > 0) putchar(',');
        print_text(name[i] != NULL ? name[i] : "");
    }
    putchar(']');
}

static const char *evaluate(const lg_mechanism *m, lg_dynamics *d, lg_rng *rng)
{
    static double M[MOST * MOST];
    double q[MOST], v[MOST], c[MOST], a[MOST], u[MOST], size = 1;
    const int n = lg_dynamics_count(d), controls = lg_mechanism_motor_count(m);
    if (n > MOST || controls > MOST) return "too many coordinates";
    for (int i = 0; i < n; i++) q[i] = 0.4 * lg_rng_normal(rng), v[i] = lg_rng_normal(rng);
    for (int i = 0; i < controls; i++) u[i] = lg_rng_normal(rng);
    if (lg_dynamics_set(d, q, v) != LG_OK || lg_dynamics_mass_matrix(d, M) != LG_OK || lg_dynamics_bias(d, c) != LG_OK)
        return lg_dynamics_message(d);
    print_numbers("q", q, n), print_numbers("v", v, n), print_numbers("M", M, n * n), print_numbers("bias", c, n);
    if (lg_dynamics_row_count(d) > 0 || lg_mechanism_thruster_count(m) > 0) return NULL;
    print_numbers("u", u, controls);
    if (lg_dynamics_acceleration(d, a, controls > 0 ? u : NULL, NULL) != LG_OK) return lg_dynamics_message(d);
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(M[i] * a[i % n]));
    if (lg_dynamics_inverse(d, a, a) != LG_OK) return lg_dynamics_message(d);
    print_numbers("actuators", a, n); /* M a + bias */
    print_numbers("scale", &size, 1);
    return NULL;
}

/* Positions at the start. */
static const char *start(lg_mechanism *m)
{
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    double q[MOST];
    lg_status st = lg_model_of_mechanism(&M, m, NULL);
    if (st == LG_OK) st = lg_motion_create(&mo, M, NULL);
    if (st == LG_OK) st = lg_motion_start_joints(mo, 0, NULL, NULL, 1);
    if (st == LG_OK && lg_motion_position_count(mo) <= MOST) st = lg_motion_positions(mo, q, NULL);
    if (st == LG_OK && lg_motion_position_count(mo) <= MOST) print_numbers("start", q, lg_motion_position_count(mo));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    return st == LG_OK ? NULL : "it does not start";
}

static void answer(char *line, lg_rng *rng)
{
    lg_mechanism *m = NULL;
    lg_dynamics *d = NULL;
    char *out = strchr(line, ' ');
    if (out != NULL) *out++ = '\0';
    const int gallery = lg_gallery_index(line);
    lg_status st = gallery >= 0 ? lg_gallery_describe(&m, gallery) : lg_mechanism_read(&m, line, NULL);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    if (st == LG_OK && out != NULL) st = lg_mechanism_write(m, out, NULL);
    const char *why = st != LG_OK ? lg_mechanism_message(m) : NULL;
    if (why == NULL && lg_dynamics_create(&d, m) != LG_OK) why = lg_dynamics_message(d);
    printf("{\"file\":");
    print_text(line);
    if (why == NULL) {
        print_names(m, d);
        why = evaluate(m, d, rng);
        if (why == NULL) why = start(m);
    }
    if (why != NULL) {
        printf(",\"refused\":");
        print_text(why);
    }
    puts("}");
    lg_dynamics_destroy(d);
    lg_mechanism_destroy(m);
}

int main(void)
{
    char line[4096];
    lg_rng rng = {1};
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        answer(line, &rng);
    }
    return 0;
}
