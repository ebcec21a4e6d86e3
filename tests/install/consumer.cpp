/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the installed headers and library from C++. */
#include <liegrp/liegrp.h>

#include <cmath>
#include <cstdio>

int main()
{
    const double w[3] = {0.3, -0.2, 0.5};
    double q[4], v[3];
    if (lg_group_exp(lg_so3(), q, w) != LG_OK || lg_group_log(lg_so3(), v, q) != LG_OK) return 1;
    if (std::fabs(v[0] - w[0]) + std::fabs(v[1] - w[1]) + std::fabs(v[2] - w[2]) > 1e-14) return 1;
    std::puts(lg_version());
    return 0;
}
