#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""house.py SOURCE: checks what docs/architecture.md and the style promise of the sources.

- The page names every module of src/ and cli/ (a source, with its header) in the section of its folder, and no module
  or file that does not exist. Names in folders that do not exist are ignored.
- No comment begins with "The same": a reader comes by search, without the line above."""
import pathlib
import re
import sys

SUFFIXES = {'.c', '.h', '.js', '.py', '.sh'}
FOLDERS = ('benchmarks', 'claims', 'cli', 'examples', 'include', 'python', 'scripts', 'src', 'tests', 'web')
SAME = re.compile(r'(?m)(?:/\*|//|/\*\*<?)[ \t]*The same\b|^[ \t]*#[ \t]*The same\b')


def sections(page):
    """The modules that the page names, folder by folder: backquoted words in the first column of a table."""
    found = {}
    for part in re.split(r'(?m)^### ', page)[1:]:
        title = re.match(r'`([^`]+)/`\n', part)
        if title:
            rows = re.findall(r'(?m)^\| ((?:`\w+`(?:, )?)+) \|', part)
            found[title.group(1)] = re.findall(r'`(\w+)`', ' '.join(rows))
    return found


def modules(root):
    """The modules that exist, folder by folder."""
    found = {}
    for base in ('src', 'cli'):
        for path in sorted((root / base).rglob('*.[ch]')):
            found.setdefault(path.parent.relative_to(root).as_posix(), set()).add(path.stem)
    return found


def missing_files(root, page):
    """Files that the page names, such as `rules/shared.c`, and that no folder has."""
    paths = {'/' + path.relative_to(root).as_posix() for base in FOLDERS for path in (root / base).rglob('*')}
    for name in sorted(set(re.findall(r'`(?:\.\./)*([\w./-]+\.(?:[ch]|py|js))`', page))):
        folder, _, last = name.rpartition('/')
        known = not folder or any(path.endswith('/' + folder) for path in paths)
        stands_for_any = last.partition('.')[0].isupper()  # X.c
        if known and not stands_for_any and not any(path.endswith('/' + name) for path in paths):
            yield name


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / 'docs' / 'architecture.md').read_text(encoding='utf-8')
    named, there = sections(page), modules(root)
    wrong = [f'docs/architecture.md: {name} does not exist' for name in missing_files(root, page)]
    for folder, names in there.items():
        listed = named.get(folder, [])
        faults = {'is not named': names - set(listed), 'does not exist': set(listed) - names,
                  'is named twice': {name for name in listed if listed.count(name) > 1}}
        wrong += [f'docs/architecture.md: {folder}/{name} {fault}' for fault, those in faults.items()
                  for name in sorted(those)]
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob('*')):
            if path.suffix not in SUFFIXES or path.name == pathlib.Path(__file__).name:
                continue
            text = path.read_text(encoding='utf-8', errors='replace')
            lines = [text.count('\n', 0, m.start()) + 1 for m in SAME.finditer(text)]
            wrong += [f'{path.relative_to(root)}:{line}: a comment begins with "The same"' for line in lines]
    print('\n'.join(wrong) or f'{sum(map(len, there.values()))} modules are named')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
