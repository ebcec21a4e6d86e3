# SPDX-License-Identifier: BSD-3-Clause
"""Geometric integration of mechanical systems on Lie groups, with nonholonomic constraints.

Arrays are float64 NumPy arrays whose last axis is an element, a velocity or a momentum; the axes before it are
broadcast. Elements are stored as in C: unit quaternions are (x, y, z, w), planar rotations (cos, sin), poses have the
translation first.
"""
from ._callbacks import Call, compiled
from ._core import ArgumentError, ConvergenceError, DomainError, Error, UnsupportedError, version
from ._lazy import from_sympy
from .dynamics import Dynamics
from .ensembles import Ensemble, Samples
from .gaits import Gait, gait
from .groups import SO, Group, Rn, SOpq, Sp, Tn, product, quadratic
from .identifications import Identification, identify
from .integrators import Integrator, compositions, methods
from .linearisations import Linearisation
from .mechanisms import Mechanism, Parameters, gallery
from .models import Model, Parameter, catalog, load
from .motions import Motion, run
from .optima import Optimum
from .plotting import plot
from .reductions import Chaplygin
from .retractions import Retraction, retractions
from .rotations import SE2, SE3, SE23, SO2, SO3
from .runs import Result
from .splines import Spline
from .states import State
from .systems import System, with_inputs
from .trajectories import Gradient, Trajectory
from .verification import Claim, Convergence, Measure, convergence, tool, verify
from .views import View

__version__ = version()
__all__ = [
    'ArgumentError',
    'Call',
    'Chaplygin',
    'Claim',
    'Convergence',
    'ConvergenceError',
    'DomainError',
    'Dynamics',
    'Ensemble',
    'Error',
    'Gait',
    'Gradient',
    'Group',
    'Identification',
    'Integrator',
    'Linearisation',
    'Measure',
    'Mechanism',
    'Model',
    'Motion',
    'Optimum',
    'Parameter',
    'Parameters',
    'Result',
    'Retraction',
    'Rn',
    'SE2',
    'SE23',
    'SE3',
    'SO',
    'SO2',
    'SO3',
    'SOpq',
    'Samples',
    'Sp',
    'Spline',
    'State',
    'System',
    'Tn',
    'Trajectory',
    'UnsupportedError',
    'View',
    'catalog',
    'compiled',
    'compositions',
    'convergence',
    'from_sympy',
    'gait',
    'gallery',
    'identify',
    'load',
    'methods',
    'plot',
    'product',
    'quadratic',
    'retractions',
    'run',
    'tool',
    'verify',
    'version',
    'with_inputs',
]
