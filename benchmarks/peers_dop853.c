/* SPDX-License-Identifier: BSD-3-Clause */
/* DOP853, the explicit Runge-Kutta method of order 8 with error estimates of orders 5 and 3 of Dormand and Prince:
 * E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer 1993, section
 * II.10; coefficients as published there and with their code dop853.f. Debian has no library with it. Written for small
 * systems: the state is padded to 8, 12 or 16 numbers, so that all loops have constant lengths; the step control is
 * that of dop853.f at its defaults. A step evaluates the right-hand side twelve times; the last of these begins the
 * next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/peers.h"
#include "benchmarks/problems.h"

enum { STAGES = 12 };

/* a_ij, row by row. */
#define A21   5.26001519587677318785587544488e-2
#define A31   1.97250569845378994544595329183e-2
#define A32   5.91751709536136983633785987549e-2
#define A41   2.95875854768068491816892993775e-2
#define A43   8.87627564304205475450678981324e-2
#define A51   2.41365134159266685502369798665e-1
#define A53   -8.84549479328286085344864962717e-1
#define A54   9.24834003261792003115737966543e-1
#define A61   3.7037037037037037037037037037e-2
#define A64   1.70828608729473871279604482173e-1
#define A65   1.25467687566822425016691814123e-1
#define A71   3.7109375e-2
#define A74   1.70252211019544039314978060272e-1
#define A75   6.02165389804559606850219397283e-2
#define A76   -1.7578125e-2
#define A81   3.70920001185047927108779319836e-2
#define A84   1.70383925712239993810214054705e-1
#define A85   1.07262030446373284651809199168e-1
#define A86   -1.53194377486244017527936158236e-2
#define A87   8.27378916381402288758473766002e-3
#define A91   6.24110958716075717114429577812e-1
#define A94   -3.36089262944694129406857109825
#define A95   -8.68219346841726006818189891453e-1
#define A96   2.75920996994467083049415600797e1
#define A97   2.01540675504778934086186788979e1
#define A98   -4.34898841810699588477366255144e1
#define A101  4.77662536438264365890433908527e-1
#define A104  -2.48811461997166764192642586468
#define A105  -5.90290826836842996371446475743e-1
#define A106  2.12300514481811942347288949897e1
#define A107  1.52792336328824235832596922938e1
#define A108  -3.32882109689848629194453265587e1
#define A109  -2.03312017085086261358222928593e-2
#define A111  -9.3714243008598732571704021658e-1
#define A114  5.18637242884406370830023853209
#define A115  1.09143734899672957818500254654
#define A116  -8.14978701074692612513997267357
#define A117  -1.85200656599969598641566180701e1
#define A118  2.27394870993505042818970056734e1
#define A119  2.49360555267965238987089396762
#define A1110 -3.0467644718982195003823669022
#define A121  2.27331014751653820792359768449
#define A124  -1.05344954667372501984066689879e1
#define A125  -2.00087205822486249909675718444
#define A126  -1.79589318631187989172765950534e1
#define A127  2.79488845294199600508499808837e1
#define A128  -2.85899827713502369474065508674
#define A129  -8.87285693353062954433549289258
#define A1210 1.23605671757943030647266201528e1
#define A1211 6.43392746015763530355970484046e-1
/* The weights; those of order 3; those of the difference to order 5. */
#define B1   5.42937341165687622380535766363e-2
#define B6   4.45031289275240888144113950566
#define B7   1.89151789931450038304281599044
#define B8   -5.8012039600105847814672114227
#define B9   3.1116436695781989440891606237e-1
#define B10  -1.52160949662516078556178806805e-1
#define B11  2.01365400804030348374776537501e-1
#define B12  4.47106157277725905176885569043e-2
#define BHH1 0.244094488188976377952755905512
#define BHH2 0.733846688281611857341361741547
#define BHH3 0.220588235294117647058823529412e-1
#define ER1  0.1312004499419488073250102996e-1
#define ER6  -0.1225156446376204440720569753e+1
#define ER7  -0.4957589496572501915214079952
#define ER8  0.1664377182454986536961530415e+1
#define ER9  -0.3503288487499736816886487290
#define ER10 0.3341791187130174790297318841
#define ER11 0.8192320648511571246570742613e-1
#define ER12 -0.2235530786388629525884427845e-1

typedef double numbers[PROBLEM_STATE];

typedef struct dop853 {
    const problem *p;
    problem_data data;
    numbers y0, k[STAGES]; /* k[0] holds the derivative at the start of a step */
    double H, setting;
    long evaluations;
} dop853;

static inline void derive(dop853 *o, const double *y, double *dy)
{
    o->p->equations(&o->data, y, dy);
}

#define EACH for (int i = 0; i < n; i++)

/* y + h phi(y), n numbers; k keeps the stages. */
static inline __attribute__((always_inline)) void advance(dop853 *o, const double *y, double h, double *to, int n)
{
    numbers *k = o->k, z = {0};
    const double *k1 = k[0], *k2 = k[1], *k3 = k[2], *k4 = k[3], *k5 = k[4], *k6 = k[5], *k7 = k[6], *k8 = k[7],
                 *k9 = k[8], *k10 = k[9], *k11 = k[10], *k12 = k[11];
    EACH z[i] = y[i] + h * (A21 * k1[i]);
    derive(o, z, k[1]);
    EACH z[i] = y[i] + h * (A31 * k1[i] + A32 * k2[i]);
    derive(o, z, k[2]);
    EACH z[i] = y[i] + h * (A41 * k1[i] + A43 * k3[i]);
    derive(o, z, k[3]);
    EACH z[i] = y[i] + h * (A51 * k1[i] + A53 * k3[i] + A54 * k4[i]);
    derive(o, z, k[4]);
    EACH z[i] = y[i] + h * (A61 * k1[i] + A64 * k4[i] + A65 * k5[i]);
    derive(o, z, k[5]);
    EACH z[i] = y[i] + h * (A71 * k1[i] + A74 * k4[i] + A75 * k5[i] + A76 * k6[i]);
    derive(o, z, k[6]);
    EACH z[i] = y[i] + h * (A81 * k1[i] + A84 * k4[i] + A85 * k5[i] + A86 * k6[i] + A87 * k7[i]);
    derive(o, z, k[7]);
    EACH z[i] = y[i] + h * (A91 * k1[i] + A94 * k4[i] + A95 * k5[i] + A96 * k6[i] + A97 * k7[i] + A98 * k8[i]);
    derive(o, z, k[8]);
    EACH z[i] = y[i] + h * (A101 * k1[i] + A104 * k4[i] + A105 * k5[i] + A106 * k6[i] + A107 * k7[i] + A108 * k8[i] +
                            A109 * k9[i]);
    derive(o, z, k[9]);
    EACH z[i] = y[i] + h * (A111 * k1[i] + A114 * k4[i] + A115 * k5[i] + A116 * k6[i] + A117 * k7[i] + A118 * k8[i] +
                            A119 * k9[i] + A1110 * k10[i]);
    derive(o, z, k[10]);
    EACH z[i] = y[i] + h * (A121 * k1[i] + A124 * k4[i] + A125 * k5[i] + A126 * k6[i] + A127 * k7[i] + A128 * k8[i] +
                            A129 * k9[i] + A1210 * k10[i] + A1211 * k11[i]);
    derive(o, z, k[11]);
    EACH to[i] = y[i] + h * (B1 * k1[i] + B6 * k6[i] + B7 * k7[i] + B8 * k8[i] + B9 * k9[i] + B10 * k10[i] +
                             B11 * k11[i] + B12 * k12[i]);
}

/* The error relative to the tolerance; at most 1 is good. */
static inline __attribute__((always_inline)) double estimate(const dop853 *o, const double *y, const double *to,
                                                             double h, int n)
{
    const numbers *k = o->k;
    const double tolerance = o->setting;
    numbers fifth, third;
    double e5 = 0, e3 = 0;
    EACH
    {
        const double s = 1 / (tolerance + tolerance * fmax(fabs(y[i]), fabs(to[i])));
        third[i] = s * (B1 * k[0][i] + B6 * k[5][i] + B7 * k[6][i] + B8 * k[7][i] + B9 * k[8][i] + B10 * k[9][i] +
                        B11 * k[10][i] + B12 * k[11][i] - BHH1 * k[0][i] - BHH2 * k[8][i] - BHH3 * k[11][i]);
        fifth[i] = s * (ER1 * k[0][i] + ER6 * k[5][i] + ER7 * k[6][i] + ER8 * k[7][i] + ER9 * k[8][i] + ER10 * k[9][i] +
                        ER11 * k[10][i] + ER12 * k[11][i]);
    }
    EACH e5 += fifth[i] * fifth[i], e3 += third[i] * third[i];
    const double all = e5 + 0.01 * e3;
    return fabs(h) * e5 / sqrt((all > 0 ? all : 1) * o->p->size);
}

static inline void settle(const dop853 *o, double *y, int project)
{
    if (!project) return;
    problem_project(o->p, &o->data, y, NULL);
    problem_project_energy(o->p, &o->data, y, o->H);
}

static inline __attribute__((always_inline)) int fixed(dop853 *o, double T, double *y, int project, int n)
{
    const long steps = lround(ceil(T / o->setting - 1e-9));
    if (steps > PROBLEM_STEPS) return 1;
    derive(o, y, o->k[0]);
    for (long i = 0; i < steps; i++) {
        advance(o, y, T / (double)steps, y, n);
        settle(o, y, project);
        if (i + 1 < steps) derive(o, y, o->k[0]);
    }
    o->evaluations = STAGES * steps;
    return 0;
}

static inline __attribute__((always_inline)) int adaptive(dop853 *o, double T, double *y, int project, int n)
{
    double t = 0, h = 1e-4, most = 6;
    numbers to = {0};
    derive(o, y, o->k[0]);
    o->evaluations = 1;
    for (long steps = 0; t < T; steps++) {
        const int last = t + 1.01 * h >= T;
        if (last) h = T - t;
        if (steps == PROBLEM_STEPS || !(t + 0.1 * h > t)) return 1;
        advance(o, y, h, to, n);
        const double e = estimate(o, y, to, h, n), factor = fmin(most, fmax(1. / 3, 0.9 / sqrt(sqrt(sqrt(e)))));
        o->evaluations += STAGES;
        if (!(e <= 1)) {
            h *= isfinite(e) ? fmin(1, factor) : 0.1;
            most = 1; /* a step after a refused one does not grow */
            continue;
        }
        EACH y[i] = to[i];
        settle(o, y, project);
        derive(o, y, o->k[0]);
        t = last ? T : t + h;
        h *= factor;
        most = 6;
    }
    return 0;
}

static int run(dop853 *o, double T, double *out, int is_fixed, int project)
{
    numbers y = {0};
    const int size = o->p->size;
    int bad;
    memcpy(y, o->y0, sizeof y);
    if (is_fixed)
        bad = size <= 8    ? fixed(o, T, y, project, 8)
              : size <= 12 ? fixed(o, T, y, project, 12)
                           : fixed(o, T, y, project, PROBLEM_STATE);
    else
        bad = size <= 8    ? adaptive(o, T, y, project, 8)
              : size <= 12 ? adaptive(o, T, y, project, 12)
                           : adaptive(o, T, y, project, PROBLEM_STATE);
    memcpy(out, y, (size_t)size * sizeof *out);
    return bad;
}

static void *open_dop853(const bench_problem *given, double setting)
{
    const problem *p = problem_find(given->system);
    dop853 *o = p != NULL ? calloc(1, sizeof *o) : NULL;
    if (o == NULL) return NULL;
    o->p = p;
    o->data.param = given->param;
    if (p->prepare != NULL) p->prepare(&o->data);
    memcpy(o->y0, given->y0, (size_t)p->size * sizeof *o->y0);
    o->H = problem_energy(p, &o->data, o->y0);
    o->setting = setting;
    return o;
}

static long evaluations_of(const void *opened)
{
    return ((const dop853 *)opened)->evaluations;
}

#define RUN(name, is_fixed, project)                                                                                   \
    static int name(void *opened, double T, double *y, bench_watch watch, void *context)                               \
    {                                                                                                                  \
        (void)watch, (void)context;                                                                                    \
        return run(opened, T, y, is_fixed, project);                                                                   \
    }
RUN(run_adaptive, 0, 0)
RUN(run_adaptive_projected, 0, 1)
RUN(run_fixed, 1, 0)
RUN(run_fixed_projected, 1, 1)

const bench_peer peer_dop853 = {"DOP853", "1993", open_dop853, run_adaptive, evaluations_of, free};
const bench_peer peer_dop853_projected = {"DOP853", "1993", open_dop853, run_adaptive_projected, evaluations_of, free};
/* Their `tolerance` is the step. */
const bench_peer peer_dop853_fixed = {"DOP853, fixed", "1993", open_dop853, run_fixed, evaluations_of, free};
const bench_peer peer_dop853_fixed_projected = {"DOP853, fixed",     "1993",         open_dop853,
                                                run_fixed_projected, evaluations_of, free};
