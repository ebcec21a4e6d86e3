/* SPDX-License-Identifier: BSD-3-Clause */
/* A thousand seconds of a heavy top: which method keeps the energy? */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

/* A row of the table: the largest error of the energy until 10, 100, 1000. */
static lg_status measure(const char *method)
{
    lg_model *top = NULL;
    lg_status st = lg_catalog_create(&top, "heavy-top");
    printf("%-12s", method);
    for (int time = 10; time <= 1000 && st == LG_OK; time *= 10) {
        lg_motion *mo = NULL;
        lg_motion_options how = lg_motion_options_default();
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        how.method = method, how.step = 0.05, o.steps = 20 * time;
        st = lg_motion_create(&mo, top, &how);
        if (st == LG_OK) st = lg_motion_start(mo, 0, NULL, 0);
        if (st == LG_OK) st = lg_run(mo, &r, &o);
        if (st != LG_OK) fprintf(stderr, "%s\n", lg_motion_message(mo));
        lg_motion_destroy(mo);
        const double H = r.energy_first;
        const double error = fmax(r.energy_high - H, H - r.energy_low);
        printf(error < 1e-9 ? "  below 1e-9" : "  %10.1e", error);
    }
    printf("\n");
    lg_model_destroy(top);
    return st;
}

int main(void)
{
    static const char *const methods[] = {"sem", "gauss", "variational", "rk4"};
    lg_status st = LG_OK;
    printf("energy, J       until 10     until 100    until 1000\n");
    for (int i = 0; i < 4 && st == LG_OK; i++) st = measure(methods[i]);
    return st != LG_OK;
}
