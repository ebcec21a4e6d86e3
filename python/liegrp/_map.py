# SPDX-License-Identifier: BSD-3-Clause
"""Operations of C on arrays (..., item): broadcasting, outputs, elements that fail."""
import math

import numpy as np

from ._core import ArgumentError, DomainError, error, ffi, lib, text

# What can be wrong with single elements, while the others are right.
_OF_ELEMENTS = {lib.LG_ERROR_DOMAIN, lib.LG_ERROR_SINGULAR, lib.LG_ERROR_NOT_FINITE, lib.LG_ERROR_CONVERGENCE}

# So many elements with one: the one is not copied for a call on arrays, which would take longer.
_FEW = 64


def reals(value, name):
    """`value` as a C-contiguous float64 array; one that is such an array already is not copied. Text, truth values,
    complex numbers and None are no numbers here."""
    if type(value) is np.ndarray and value.dtype is _FLOAT64 and value.flags.c_contiguous:  # the usual case, quickly
        return value
    try:
        array = np.asarray(value)
        if array.dtype.kind == 'O':
            array = np.array([_number(each) for each in array.flat], dtype=np.float64).reshape(array.shape)
    except (TypeError, ValueError):
        raise ArgumentError(f'{name} must be an array of real numbers, got {value!r}') from None
    if array.dtype.kind not in 'fiu':
        raise ArgumentError(f'{name} must be real numbers, got {array.dtype} {value!r}')
    return np.asarray(array, dtype=np.float64, order='C')


def _number(value):
    """An object that stands for a real number, such as a fraction."""
    if isinstance(value, (str, bytes, bool, np.bool_)):
        raise TypeError
    return float(value)


_FLOAT64 = np.dtype(np.float64)


def items(value, item, name):
    """`value` as a C-contiguous float64 array (..., *item); one that is such an array already is not copied."""
    array = reals(value, name)
    if array.shape[array.ndim - len(item):] != item or array.ndim < len(item):
        raise ArgumentError(f'{name} must have the shape {shape_text(item)}, got {array.shape}')
    return array


def one(value, item, name):
    """A single item as such an array."""
    array = reals(value, name)
    if array.shape != item:
        raise ArgumentError(f'{name} must have the shape {item}, got {array.shape}')
    return array


def shape_text(item):
    """(..., 4) for an item of 4 numbers, (...) for one number."""
    return '(' + ', '.join(['...', *map(str, item)]) + ')'


def output(out, shape):
    """The array that a result goes to: a new one, or the caller's if it fits."""
    if out is None:
        return np.empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != shape:
        got = f'{out.dtype} of shape {out.shape}' if isinstance(out, np.ndarray) else type(out).__name__
        raise ArgumentError(f'out must be a float64 array of shape {shape}, got {got}')
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise ArgumentError('out must be C-contiguous and writeable')
    return out


def pointer(array):
    """The numbers of a C-contiguous array as double *; NULL for None."""
    return ffi.NULL if array is None else ffi.from_buffer('double[]', array)


def vector(value, count, name):
    """`count` numbers as an array, or None. One number need not be an array."""
    if value is None:
        return None
    array = reals(value, name)
    return one(array.reshape(1) if count == 1 and array.shape == () else array, (count,), name)


class Operation:
    """A function of C on one element (`kind` is its field in lgp_operation), and its form for many if there is one.

    `batch` is a function (count-struct, out, *inputs) -> status."""

    def __init__(self, name, kind, function, batch=None, **fields):
        self.name, self.batch = name, batch
        self.struct = ffi.new('lgp_operation *', {kind: function, **fields})

    def run(self, count, out, arrays, strides):
        """Fills `out`, whose items are contiguous."""
        if self.batch is not None and count > 1 and all(strides):
            batch = ffi.new('lg_batch *')
            lib.lg_batch_init(batch, ffi.sizeof('lg_batch'), count)
            return self.batch(batch, pointer(out), *map(pointer, arrays))
        a, b = pointer(arrays[0]), pointer(arrays[-1])
        return lib.lgp_each(self.struct, count, pointer(out), out.size // count, a, strides[0], b, strides[-1])

    def __call__(self, out_item, out, *inputs):
        """inputs: (value, item, name). The result has the broadcast shape, then out_item."""
        arrays = [items(*each) for each in inputs]
        shape = self.shape(arrays, inputs)
        result = output(out, shape + out_item)
        count = math.prod(shape)
        if count == 0:
            return result
        arrays, strides = self.spread(arrays, inputs, shape, count)
        if out is not None:
            arrays = [a.copy() if a is not out and np.may_share_memory(a, out) or a is out and a.shape != result.shape
                      else a for a in arrays]
        status = self.run(count, result, arrays, strides)
        if status != lib.LG_OK:
            raise self.failure(status, result, out_item, arrays, inputs)
        return result

    def shape(self, arrays, inputs):
        """What all inputs are broadcast to."""
        shapes = [a.shape[:a.ndim - len(each[1])] for a, each in zip(arrays, inputs)]
        if len(shapes) == 1 or shapes[0] == shapes[1]:
            return shapes[0]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            said = ', '.join(f'{each[2]} {a.shape}' for a, each in zip(arrays, inputs))
            raise ArgumentError(f'{self.name}: the shapes do not fit together: {said}') from None

    def spread(self, arrays, inputs, shape, count):
        """The inputs with one item for each result, or a stride of 0."""
        spread, strides = [], []
        for array, (_, item, _) in zip(arrays, inputs):
            size = math.prod(item)
            if array.size == size and count > 1 and (self.batch is None or len(arrays) > 1 and count < _FEW):
                strides.append(0)
            else:
                strides.append(size)
                if array.size != size * count:
                    array = np.ascontiguousarray(np.broadcast_to(array, shape + item))
            spread.append(array)
        return spread, strides

    def failure(self, status, result, out_item, arrays, inputs):
        """The exception: which elements failed."""
        if status not in _OF_ELEMENTS:
            said = text(lib.lg_status_text(status))
            return error(status, f'{self.name}: {said}')
        where = np.isnan(result).any(axis=tuple(range(result.ndim - len(out_item), result.ndim)))
        for array, (_, item, _) in zip(arrays, inputs):
            where = where & ~np.isnan(array).any(axis=tuple(range(array.ndim - len(item), array.ndim)))
        first = np.argwhere(where)
        place = '' if where.ndim == 0 or len(first) == 0 else (
            f' ({len(first)} of {where.size} elements, the first one at {tuple(map(int, first[0]))})')
        return DomainError(f'{self.name}: {text(lib.lg_status_text(status))}{place}',
                           text(lib.lg_status_name(status)), result, where)
