#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""commands.py SOURCE BUILD [--all] [PAGE...]: runs the commands that README.md and docs/*.md show, as a reader would, with
the programs of a build folder, or of an installation whose prefix is BUILD.

Commands are the fenced blocks `sh` and `console`, every indented block, and text in backquotes that starts with
`liegrp COMMAND WORD`. Text with a placeholder in capitals (SYSTEM, FILE) or an ellipsis is not a command. The commands
of a page run in their order in one shell, in a scratch folder that looks like the root of the sources after a build.
Each must succeed. Lines that a block `console` shows after a command must be among its output, in their order; times
and round-off may differ, and `...` stands for the rest of a line.

HTML comments, invisible to readers of a page, list exceptions; one that fits no command is an error.
    <!-- not run | COMMAND | REASON -->        commands that start so are only parsed
    <!-- long | COMMAND | REASON -->           they run with --all alone
    <!-- run as | TEXT | TEXT | REASON -->     TEXT in commands is replaced by another, as a shorter time
    <!-- status | COMMAND | N | REASON -->     they end with the exit status N
    <!-- prepare | COMMAND | REASON -->        runs before the page's first command

Without --all sweeps that show no output are small, and from a build folder the twins of the tutorial's programs in C do
not run, since blocks.py runs them and compares what the two print. With an installation nothing is exported: the pages
say that it is not needed.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = ('ledger.md',)  # liegrp verify writes it, and a test compares
KINDS = {'not run': 2, 'long': 2, 'run as': 3, 'status': 3, 'prepare': 2}
SHELL = ('sh', 'bash')
TWINS = 'python3 examples/python/tutorial/'
POINTS = {r'(=[^\s:]+:[^\s:]+):(\d{2,})\b': r'\1:5', r'--random 1e\d\b': '--random 50'}  # of sweeps that are small
ALLOWED = r'(liegrp|python3|cc|cat|cd|export|ls|mkdir|printf|\./(?!scripts/))'  # other commands need an annotation


@functools.cache
def parses(command):
    return subprocess.run(['bash', '-n', '-c', command], capture_output=True).returncode == 0


class Page:
    """A page's commands as (line, command, output shown or None), and its annotations."""

    def __init__(self, path):
        self.path, self.commands, self.notes, self.errors = path, [], [], []
        text = path.read_text()
        for found in re.finditer(r'<!--\s*(not run|long|run as|status|prepare)\s*\|(.*?)-->', text, re.S):
            parts = [part.strip() for part in found[2].split(' | ')]
            if len(parts) != KINDS[found[1]] or not all(parts):
                self.error(text.count('\n', 0, found.start()) + 1, f'an annotation that is not understood: {found[0]}')
            else:
                self.notes.append([found[1], parts, False, text.count('\n', 0, found.start()) + 1])
        self.read(re.sub(r'<!--.*?-->', lambda found: '\n' * found[0].count('\n'), text, flags=re.S).split('\n'))
        for line, command, _ in self.commands:
            if not parses(command):
                self.error(line, f'no shell understands: {command}')

    def error(self, line, text):
        self.errors.append(f'{self.path}:{line}: {text}')

    def read(self, lines):
        fence, block, start, blank, prose = None, [], 0, True, []
        for number, line in enumerate(lines + [''], 1):
            opening = re.match(r'```(\w*)', line)
            if fence is not None:
                if line == '```':
                    self.block(start, block, fence)
                    fence, block = None, []
                else:
                    block.append(line)
            elif opening:
                fence, start = opening[1], number + 1
            elif line.startswith('    ') and (blank or block):
                start = start if block else number
                block.append(line[4:])
            else:
                if block:
                    self.block(start, block, 'sh')
                    block = []
                prose.append((number, line))
            blank = not line.strip() or line.startswith('#')
        self.inline(prose)

    def block(self, start, lines, language):
        if language == 'console':
            for number, line in enumerate(lines, start):
                if line.startswith('$ '):
                    self.commands.append([number, line[2:], []])
                elif line.startswith('> ') and not self.commands[-1][2]:
                    self.commands[-1][1] += '\n' + line[2:]
                else:
                    self.commands[-1][2].append(line)
        elif language in SHELL:
            command = ''
            for number, line in enumerate(lines, start):
                if not command and not line.strip():
                    continue
                command, first = (command + '\n' + line, first) if command else (line, number)
                if parses(command) and not command.endswith('\\'):
                    self.commands.append([first, command, None])
                    command = ''
            if command:
                self.error(first, f'no shell understands: {command}')

    def inline(self, prose):
        """Text in backquotes; it may go over the end of a line."""
        text = '\n'.join(line for _, line in prose)
        for found in re.finditer(r'(?<!`)`(liegrp\s+[a-z]+\s+[^-`\s][^`]*)`(?!`)', text):
            command = ' '.join(found[1].split())
            if not re.search(r'\b[A-Z]{3,}\b|\.\.\.', command):
                self.commands.append([prose[text.count('\n', 0, found.start())][0], command, None])
        self.commands.sort(key=lambda one: one[0])

    def noted(self, kind, command):
        """The parts of the annotations of this kind that fit."""
        for note in self.notes:
            if note[0] == kind and (note[1][0] in command if kind == 'run as' else command.startswith(note[1][0])):
                note[2] = True
                yield note[1]

    def script(self, everything, installed):
        """The shell script of the page, and (line, command, output shown, status wanted) of what it runs."""
        text, run = [], []
        for kind, parts, _, line in self.notes:
            if kind == 'prepare':
                run.append((line, parts[0], None, 0))
        for line, command, shown in self.commands:
            left_out = list(self.noted('not run', command)) or installed and command.startswith('export ')
            late = list(self.noted('long', command))
            wanted = [int(parts[1]) for parts in self.noted('status', command)]
            changes = list(self.noted('run as', command))
            for old, new, _ in changes:
                command = command.replace(old, new)
            if not left_out and not re.match(rf'(\w+=\S+ )*{ALLOWED}', command):
                self.error(line, f'is not run here, and no annotation says why: {command}')
            elif not left_out and everything:
                run.append((line, command, shown, wanted[0] if wanted else 0))
            elif not left_out and not late and (installed or not command.startswith(TWINS)):
                if command.startswith('liegrp sweep') and not shown:
                    for many, few in POINTS.items():
                        command = re.sub(many, few, command)
                run.append((line, command, shown, wanted[0] if wanted else 0))
        for i, (_, command, _, _) in enumerate(run):
            text.append(f'date +%s.%N >.said/time.{i}\n{{ {command}\n}} >.said/out.{i} 2>&1 </dev/null\n'
                        f'echo $? >.said/status.{i}\n')
        text.append(f'date +%s.%N >.said/time.{len(run)}\n')
        for kind, parts, used, line in self.notes:
            if kind != 'prepare' and not used:
                self.error(line, f'<!-- {kind} | {parts[0]} --> fits no command')
        return ''.join(text), run


def pattern(line):
    """A line of output as a regular expression: times and round-off vary, `...` is anything."""
    out = ''
    for part in re.split(r'(\.\.\.|\s+|[-+\d.]+e-1[0-9]\b|[-+\d.]+ (?:us|ms|s|min)\b)', line.rstrip()):
        if part == '...':
            out += '.*'
        elif part.strip() == '':
            out += r'\s+' if part else ''
        elif re.fullmatch(r'[-+\d.]+e-1\d', part):
            out += r'([-+\d.]+e-1\d|0)'
        elif re.fullmatch(r'[-+\d.]+ (us|ms|s|min)', part):
            out += r'[-+\d.]+ (us|ms|s|min)'
        else:
            out += re.escape(part)
    return out


def missing(shown, said):
    """The first line of what is shown that is not said, in order."""
    rest = iter(said)
    for line in shown:
        if line.strip() and not any(re.fullmatch(pattern(line), other.rstrip()) for other in rest):
            return line
    return None


def is_installed(build):
    return not (build / 'build.ninja').is_file()


def places(build):
    """Where the tool is, pkg-config's file, the library, the Python package."""
    if not is_installed(build):
        return [build / 'cli', build / 'meson-uninstalled', build / 'src', build / 'python']
    return [build / 'bin', build / 'lib/pkgconfig', build / 'lib', *build.glob('lib/python3*/*-packages')]


def scratch(source, build, folder):
    """A folder like the root of the sources, in which commands may write."""
    tool, pkg_config, library, python = map(str, places(build))
    for name in ('examples', 'include', 'benchmarks', 'python', 'scripts', 'tests'):
        (folder / name).symlink_to(source / name)
    if not is_installed(build):
        (folder / 'build').symlink_to(build)
    programs = folder / '.bin'
    programs.mkdir()
    (folder / '.said').mkdir()
    (programs / 'python3').symlink_to(sys.executable)
    compiler = os.environ.get('CC', 'cc').split()
    (programs / 'cc').write_text(f'#!/bin/sh\nexec {shutil.which(compiler[0])} {" ".join(compiler[1:])} "$@"\n')
    (programs / 'cc').chmod(0o755)
    return {**os.environ, 'PATH': f'{programs}:{tool}:{os.environ["PATH"]}', 'HOME': str(folder),
            'PKG_CONFIG_PATH': pkg_config, 'LD_LIBRARY_PATH': library, 'PYTHONPATH': python,
            'PYTHONDONTWRITEBYTECODE': '1', 'OPENBLAS_NUM_THREADS': '1', 'MPLBACKEND': 'Agg', 'LC_ALL': 'C.UTF-8'}


def check(page, source, build, everything):
    text, run = page.script(everything, is_installed(build))
    times = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(['bash'], input=text, text=True, cwd=folder, env=scratch(source, build, folder),
                       stdout=subprocess.DEVNULL, timeout=3600 if everything else 200)
        for i, (line, command, shown, wanted) in enumerate(run):
            out, status = folder / '.said' / f'out.{i}', folder / '.said' / f'status.{i}'
            if not status.exists():
                page.error(line, f'ended the shell: {command}')
                break
            said = out.read_text(errors='replace')
            if int(status.read_text()) != wanted:
                page.error(line, f'exit status {status.read_text().strip()}: {command}\n{said[-1500:]}')
            elif shown and (line_missing := missing(shown, said.splitlines())) is not None:
                page.error(line, f'{command} does not print\n{line_missing}\nbut\n{said[-3000:]}')
            at = [float((folder / '.said' / f'time.{k}').read_text()) for k in (i, i + 1)
                  if (folder / '.said' / f'time.{k}').exists()]
            times.append((at[-1] - at[0], f'{page.path.name}:{line}: {command[:90]}'))
    return times


def main():
    everything = '--all' in sys.argv
    words = [word for word in sys.argv[1:] if word != '--all']
    source, build = (pathlib.Path(word).resolve() for word in words[:2])
    paths = [source / word for word in words[2:]] or [
        source / 'README.md', *(path for path in sorted((source / 'docs').glob('*.md')) if path.name not in SKIPPED)]
    pages = [Page(path) for path in paths]
    times = []
    for page in pages:
        begin = time.time()
        times += check(page, source, build, everything)
        print(f'{page.path.name}: {len(page.commands)} commands, {time.time() - begin:.1f} s', flush=True)
    times.sort(reverse=True)
    print('slowest:', *(f'{seconds:6.1f} s  {what}' for seconds, what in times[:8]), sep='\n')
    errors = [error for page in pages for error in page.errors]
    print(*errors, sep='\n')
    print(f'{len(times)} commands run, {len(errors)} errors')
    return bool(errors) or not times


if __name__ == '__main__':
    sys.exit(main())
