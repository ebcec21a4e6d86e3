/* SPDX-License-Identifier: BSD-3-Clause */
/* The rolling ball on a rotating table of S. Ferraro, F. Jimenez, D. Martin de Diego, New developments on the geometric
 * nonholonomic integrator (2015), section 7.4: a homogeneous ball, I = 2/3, m = r = Omega = 1, from (x, y) = (1, 1)
 * with (x', y') = (1, 1) and omega = (0, 2, 0).
 *
 *   rolling_ball [FOLDER]     (default: demo)
 *
 * prints the errors of the GNI against the exact solution at t = 10 (the paper's figure 1) and their orders, follows
 * the ball for 10000 steps of 0.1 (figure 2), and writes FOLDER/rolling-ball.csv. `liegrp figure rolling-ball` draws
 * both. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, ELEMENT = 6, LEVELS = 6, ORBIT_STEPS = 10000 };

static const double END = 10, COARSEST = 0.2, ORBIT_STEP = 0.1;
static const char *const retractions[] = {"exp", "cayley"};
enum { RETRACTIONS = sizeof retractions / sizeof *retractions };

/* The model, with the data that are needed repeatedly. */
typedef struct ball {
    lg_model *model;
    const lg_system *system;
    double g0[ELEMENT], xi0[N];
} ball;

typedef struct errors {
    double position, omega, energy, attitude;
} errors;

static int complain(const char *what)
{
    fprintf(stderr, "rolling_ball: %s\n", what);
    return 1;
}

static int open_ball(ball *b)
{
    lg_status status = lg_catalog_create(&b->model, "rolling-ball");
    if (status == LG_OK) status = lg_model_system(b->model, &b->system);
    if (status == LG_OK) status = lg_model_initial(b->model, b->g0, b->xi0, NULL);
    return status == LG_OK ? 0 : complain(lg_model_message(b->model));
}

/* The state of the ball at time t: position and angular velocity in closed form; the attitude has none (NaN). */
static void exact_at(const ball *b, double t, double *g, double *xi)
{
    const lg_call c = lg_system_call(b->system, &t, NULL);
    if (lg_model_describe(b->model)->exact(&c, b->g0, b->xi0, g, xi) != 0) g[0] = g[1] = NAN; /* it has one */
}

static double energy_of(const ball *b, const double *xi)
{
    double H = 0;
    for (int i = 0; i < N; i++) H += b->system->inertia_diagonal[i] * xi[i] * xi[i] / 2;
    return H;
}

/* An integrator at the start; NULL after an error message. */
static lg_integrator *start(const ball *b, const char *retraction, double h)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, b->system, "gni", retraction, h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, b->g0, b->xi0, LG_START_REACTION, 0);
    if (status == LG_OK) return it;
    complain(lg_integrator_message(it));
    lg_integrator_destroy(it);
    return NULL;
}

/* Runs to END; attitude = the quaternion there. */
static int run(const ball *b, const char *retraction, double h, const double *reference, errors *e, double *attitude)
{
    lg_integrator *it = start(b, retraction, h);
    double g[ELEMENT], xi[N], v[N], distance = NAN;
    int failed = it == NULL;
    if (!failed && lg_integrator_run(it, llround(END / h), 1, NULL, NULL) != LG_OK)
        failed = complain(lg_integrator_message(it));
    if (!failed) {
        const double *q = lg_integrator_configuration(it);
        exact_at(b, END, g, xi);
        if (lg_integrator_velocity(it, v) != LG_OK) failed = complain(lg_integrator_message(it));
        e->position = hypot(q[0] - g[0], q[1] - g[1]);
        e->omega = hypot(hypot(v[2] - xi[2], v[3] - xi[3]), v[4] - xi[4]);
        e->energy = fabs(lg_integrator_energy(it) - energy_of(b, xi));
        if (reference && lg_group_distance(lg_so3(), &distance, q + 2, reference) != LG_OK) distance = NAN;
        e->attitude = distance;
        memcpy(attitude, q + 2, 4 * sizeof *attitude);
    }
    lg_integrator_destroy(it);
    return failed;
}

/* An error and, below the first row, its order. */
static void print_error(double error, const double *before)
{
    printf("   %9.2e", error);
    if (before)
        printf(" %5.2f", log2(*before / error));
    else
        printf("      ");
}

static void print_row(const char *retraction, double h, const errors *e, const errors *before)
{
    printf("%-8s %-7g", retraction, h);
    print_error(e->position, before ? &before->position : NULL);
    print_error(e->omega, before ? &before->omega : NULL);
    print_error(e->energy, before ? &before->energy : NULL);
    print_error(e->attitude, before ? &before->attitude : NULL);
    printf("\n");
}

static int convergence(const ball *b)
{
    const double finest = COARSEST / (1 << (LEVELS + 5));
    double reference[4], attitude[4];
    errors e, row[2];
    if (run(b, "exp", finest, NULL, &e, reference)) return 1;
    printf(
        "GNI, errors at t = %g and observed orders. Position, omega, energy against the exact solution, the attitude,\n"
        "which has none in closed form, against a run with exp and a step of %.2g.\n\n",
        END, finest);
    printf("tau      h         position          omega             energy            attitude\n");
    for (int r = 0; r < RETRACTIONS; r++) {
        double h = COARSEST;
        for (int k = 0; k < LEVELS; k++, h /= 2) {
            if (run(b, retractions[r], h, reference, &row[k % 2], attitude)) return 1;
            print_row(retractions[r], h, &row[k % 2], k ? &row[(k + 1) % 2] : NULL);
        }
        printf("\n");
    }
    printf("Position and omega do not depend on the retraction: the moments are equal, so Ad*_tau(h xi) p = p.\n\n");
    return 0;
}

/* One line of the orbit; updates its largest distance from the exact circle. */
static int orbit_row(const ball *b, const lg_integrator *it, FILE *file, double *worst)
{
    const double *q = lg_integrator_configuration(it), t = lg_integrator_time(it), centre[2] = {-1.5, 3.5},
                 radius = sqrt(12.5);
    double g[ELEMENT], xi[N], v[N];
    if (lg_integrator_velocity(it, v) != LG_OK) return complain(lg_integrator_message(it));
    exact_at(b, t, g, xi);
    *worst = fmax(*worst, fabs(hypot(q[0] - centre[0], q[1] - centre[1]) - radius));
    fprintf(file, "%lld,%.17g", (long long)lg_integrator_step_index(it), t);
    fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g", q[0], q[1], v[2], v[3], v[4]);
    fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g", g[0], g[1], xi[2], xi[3], xi[4]);
    fprintf(file, ",%.17g,%.17g,%.3e\n", lg_integrator_energy(it), energy_of(b, xi),
            lg_integrator_constraint_residual(it));
    return 0;
}

static int write_orbit(const ball *b, FILE *file, double *worst)
{
    lg_integrator *it = start(b, "cayley", ORBIT_STEP);
    int failed = it == NULL;
    fprintf(file, "step,t,x,y,omega_1,omega_2,omega_3,exact_x,exact_y,exact_omega_1,exact_omega_2,exact_omega_3,energy,"
                  "exact_energy,constraint\n");
    if (!failed) failed = orbit_row(b, it, file, worst);
    for (int k = 0; k < ORBIT_STEPS && !failed; k++) {
        if (lg_integrator_step(it) != LG_OK)
            failed = complain(lg_integrator_message(it));
        else
            failed = orbit_row(b, it, file, worst);
    }
    lg_integrator_destroy(it);
    return failed;
}

static int orbit(const ball *b, const char *path)
{
    FILE *file = fopen(path, "w");
    double worst = 0;
    if (!file) {
        perror(path);
        return 1;
    }
    int failed = write_orbit(b, file, &worst);
    const int unwritten = ferror(file);
    if ((fclose(file) != 0 || unwritten) && !failed) failed = complain("the orbit could not be written");
    if (!failed)
        printf("Orbit of %d steps of %g, cayley: never farther than %.1e from the exact circle.\n%s\n", ORBIT_STEPS,
               ORBIT_STEP, worst, path);
    return failed;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "demo";
    ball b = {NULL, NULL, {0}, {0}};
    char csv[1024];
    if (snprintf(csv, sizeof csv, "%s/rolling-ball.csv", folder) >= (int)sizeof csv)
        return complain("the folder's name is too long");
    const int failed = open_ball(&b) || convergence(&b) || orbit(&b, csv);
    lg_model_destroy(b.model);
    return failed;
}
