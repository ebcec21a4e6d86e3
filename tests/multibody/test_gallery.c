/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <liegrp/multibody/gallery.h>
#include "support/mechanisms.h"
int main(void)
{
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m; lg_motion *mo;
        lg_status st = lg_gallery_create(&m, i);
        printf("%s: %s; rows %d rank %d freedoms %d\n", lg_gallery_name(i), st ? lg_mechanism_message(m) : "ok",
        lg_mechanism_row_count(m), lg_mechanism_rank(m), lg_mechanism_freedoms(m));
        if (st) { lg_mechanism_destroy(m); continue; }
        st = lg_motion_create(&mo, m, NULL, lg_gallery_step(i));
        st = lg_gallery_start(mo, i);
        double H = lg_motion_energy(mo);
        printf("   start %d %s H %g gap %g slip %g\n", st, lg_motion_message(mo), H, lg_motion_gap(mo), lg_motion_slip(mo));
        for (int k = 0; k < 4 && !st; k++) {
            st = lg_motion_step(mo, 250);
            printf("   t %g %s: H %g bal %.3g gap %.3g slip %.3g it %d\n", lg_motion_time(mo), st ? lg_motion_message(mo) : "", lg_motion_energy(mo),
            lg_motion_energy(mo) - H - lg_motion_work(mo), lg_motion_gap(mo), lg_motion_slip(mo), lg_motion_iterations(mo));
        }
        lg_motion_destroy(mo); lg_mechanism_destroy(m);
    }
    return 0;
}
