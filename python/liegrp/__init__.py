# SPDX-License-Identifier: BSD-3-Clause
"""Geometric integration of mechanical systems on Lie groups, with nonholonomic constraints.

Arrays are float64 NumPy arrays whose last axis is an element, a velocity or a momentum; whatever stands before it is
broadcast. Elements are stored as in C: unit quaternions are (x, y, z, w), planar rotations (cos, sin), poses
translation first.
"""
from ._core import Error, version

__version__ = version()
__all__ = ['Error', 'version']
