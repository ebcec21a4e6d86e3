# SPDX-License-Identifier: BSD-3-Clause
"""Refusals of what cannot become a system, in the user's own symbols."""
from .._core import ArgumentError


def refuse(message):
    """Raises the error that tells what is wrong, and what would be right."""
    raise ArgumentError(message)
