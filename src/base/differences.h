/* SPDX-License-Identifier: BSD-3-Clause */
/* The weights of central differences, as the lists that initialise arrays.
 *
 *     f'(x) = sum_{k=1}^{q} w_k (f(x + k e) - f(x - k e)) / e + O(e^(2q)),
 *     w_k = (-1)^(k+1) q!^2 / (k (q-k)! (q+k)!) */
#ifndef LIEGRP_SRC_BASE_DIFFERENCES_H
#define LIEGRP_SRC_BASE_DIFFERENCES_H

/* w_1, ..., w_q of order 2 q. */
#define LG_CENTRAL_4 2.0 / 3, -1.0 / 12
#define LG_CENTRAL_6 3.0 / 4, -3.0 / 20, 1.0 / 60
#define LG_CENTRAL_8 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280

/* Order four point by point: where f is evaluated in units of e, and with which weights. */
#define LG_CENTRAL_4_OFFSETS -2, -1, 1, 2
#define LG_CENTRAL_4_WEIGHTS 1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12

#endif
