# SPDX-License-Identifier: BSD-3-Clause
"""The package itself."""
import liegrp


def test_version():
    assert liegrp.__version__ == liegrp.version() and liegrp.version().count('.') == 2


def test_names():
    assert sorted(set(liegrp.__all__)) == liegrp.__all__ and all(hasattr(liegrp, name) for name in liegrp.__all__)


def test_errors():
    assert issubclass(liegrp.ArgumentError, ValueError) and issubclass(liegrp.DomainError, liegrp.Error)
