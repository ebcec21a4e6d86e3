# SPDX-License-Identifier: BSD-3-Clause
"""Geometric integration of mechanical systems on Lie groups, with nonholonomic constraints.

Arrays are float64 NumPy arrays whose last axis is an element, a velocity or a momentum; whatever stands before it is
broadcast. Elements are stored as in C: unit quaternions are (x, y, z, w), planar rotations (cos, sin), poses
translation first.
"""
from ._core import Error, version
from ._motion_state import MotionState
from .ensembles import Ensemble, Samples, with_inputs
from .mechanisms import Mechanism, Parameters, gallery
from .motion_ensembles import MotionEnsemble
from .motions import Columns, Motion
from .plotting import plot
from .verification import Claim, Convergence, Measure, convergence, tool, verify

__version__ = version()
__all__ = [
    'Claim',
    'Columns',
    'Convergence',
    'Ensemble',
    'Error',
    'Measure',
    'Mechanism',
    'Motion',
    'MotionEnsemble',
    'MotionState',
    'Parameters',
    'Samples',
    'convergence',
    'gallery',
    'plot',
    'tool',
    'verify',
    'version',
    'with_inputs',
]
