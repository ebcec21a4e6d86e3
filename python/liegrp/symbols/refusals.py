# SPDX-License-Identifier: BSD-3-Clause
"""Errors of input that cannot become a system, in the user's own symbols."""
from .._core import ArgumentError


def refuse(message):
    """Raises an ArgumentError with the fault and what would be right."""
    raise ArgumentError(message)
