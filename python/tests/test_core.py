# SPDX-License-Identifier: BSD-3-Clause
import liegrp


def test_version():
    assert liegrp.__version__.count('.') == 2
