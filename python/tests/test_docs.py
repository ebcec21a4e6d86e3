# SPDX-License-Identifier: BSD-3-Clause
"""Every public name has a docstring with an example, which runs, and a test that mentions it."""
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re
import typing

import numpy
import pytest

import liegrp

MODULES = [name for _, name, _ in pkgutil.iter_modules(liegrp.__path__) if name != '_liegrp']
TESTS = ''.join(path.read_text() for path in pathlib.Path(__file__).parent.glob('test_*.py'))
# Objects of these are made by the library, not by users.
MADE_ELSEWHERE = ('Call', 'DomainError', 'Error', 'ArgumentError', 'Group', 'Parameter', 'Result', 'Spline', 'State')
# The classes of SO2, SO3, SE2, SE3, SE23 are not public, their methods are.
OBJECTS = {'SO2': liegrp.SO2, 'SO3': liegrp.SO3, 'SE2': liegrp.SE2, 'SE3': liegrp.SE3, 'SE23': liegrp.SE23}


def public():
    """(name, object) of all public functions and methods."""
    for name in liegrp.__all__:
        thing = getattr(liegrp, name)
        if not inspect.isclass(thing) and name not in OBJECTS:
            yield name, thing
            continue
        kind = type(OBJECTS[name]) if name in OBJECTS else thing
        if name not in OBJECTS:
            yield name, kind
        for method, what in inspect.getmembers(kind):
            if not method.startswith('_') and (callable(what) or isinstance(what, property)):
                if 'liegrp' in (getattr(inspect.unwrap(getattr(what, 'fget', None) or what), '__module__', '') or ''):
                    yield f'{name}.{method}', what


PUBLIC = dict(public())


@pytest.mark.parametrize('name', MODULES)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    found = doctest.testmod(importlib.import_module('liegrp.' + name), extraglobs={'liegrp': liegrp, 'numpy': numpy},
                            optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0


def test_docstrings():
    assert [name for name in PUBLIC if '>>> ' not in (inspect.getdoc(PUBLIC[name]) or '')] == [], 'have no example'


def test_mentioned():
    words = set(re.findall(r'\w+', TESTS))
    assert [name for name in PUBLIC if name.split('.')[-1] not in words] == [], 'no test mentions them'


def test_hints():
    """Every argument and result has a type, by names that exist."""
    for name, thing in PUBLIC.items():
        if inspect.isclass(thing):
            thing = vars(thing).get('__init__')
            if thing is None or name in MADE_ELSEWHERE:
                continue
        check_hints(name, thing)


def check_hints(name, thing):
    thing = getattr(thing, '__wrapped__', thing)
    function = getattr(thing, 'fget', None) or getattr(thing, '__func__', thing)
    known = {**vars(liegrp), **vars(inspect.getmodule(function))}
    hints = typing.get_type_hints(function, {**vars(importlib.import_module('liegrp._types')), **known})
    assert 'return' in hints, f'{name}: the result has no type'
    wanted = [key for key in inspect.signature(function).parameters if key not in ('self', 'cls')]
    assert set(wanted) <= set(hints), f'{name}: no type: {set(wanted) - set(hints)}'
