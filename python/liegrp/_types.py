# SPDX-License-Identifier: BSD-3-Clause
"""Types of arguments, for hints."""
import os
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ['Array', 'ArrayLike', 'Function', 'NDArray', 'Out', 'Path', 'RandomSource', 'Shape']

Array = NDArray[np.float64]
Out = Optional[Array]
Path = Union[str, 'os.PathLike[str]']
Function = Callable[..., Any]
RandomSource = Union[None, int, np.random.Generator]
Shape = Union[int, 'tuple[int, ...]']
