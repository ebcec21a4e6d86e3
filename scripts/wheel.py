#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""wheel.py WHEEL FOLDER: makes a wheel of meson-python independent of the machine that built it, in FOLDER.

The shared libraries that its programs need go into liegrp.libs with a name of their own, so that none of them is taken
for a library of the system or of another wheel; the C library and libgcc_s stay the system's. The texts of their
licences, as Debian's packages have them, go beside that of liegrp. The tool becomes a file of the package, started by a
script. The name says which Python (its extension module keeps to the stable interface) and which glibc are needed: the
highest version of any symbol that is used. Needs patchelf, binutils and dpkg."""
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SYSTEM = re.compile(r'(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libgcc_s)\.so')
SCRIPT = '''#!python
import os, sys, sysconfig
tool = os.path.join(sysconfig.get_path('platlib'), 'liegrp', 'tool', 'liegrp')
os.execv(tool, [sys.argv[0], *sys.argv[1:]])
'''


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(program):
    """The paths of all shared libraries that a program loads, by the names under which it asks for them."""
    found = dict(re.findall(r'(\S+) => (/\S+)', said('ldd', str(program))))
    return {name: pathlib.Path(path).resolve() for name, path in found.items() if not SYSTEM.match(name)}


def renamed(name):
    return re.sub(r'\.so', '-liegrp.so', name, count=1)


def relink(program, libraries, folder):
    """Lets a program find the libraries in a folder, relative to its own."""
    asked = said('patchelf', '--print-needed', str(program)).split()
    for name in asked:  # one change a call: version 0.14 mixes them up
        if name in libraries:
            said('patchelf', '--replace-needed', name, renamed(name), str(program))
    said('patchelf', '--set-rpath', f'$ORIGIN{folder}', str(program))


def licence(path):
    """The text of a file's licence: that of its Debian package."""
    for name in str(path), str(path).replace('/usr/lib/', '/lib/', 1):
        owner = subprocess.run(['dpkg', '-S', name], capture_output=True, text=True).stdout
        if owner:
            return pathlib.Path('/usr/share/doc', owner.split(':')[0], 'copyright').read_text()
    sys.exit(f'wheel.py: no package has {path}, so its licence is not known')


def glibc(programs):
    """The oldest glibc that has all symbols: (2, 34)."""
    versions = re.findall(r'GLIBC_(\d+)\.(\d+)', ''.join(said('objdump', '-T', str(p)) for p in programs))
    return max((int(a), int(b)) for a, b in versions)


def records(root, info):
    """The list of all files with their digests."""
    for path in sorted(p for p in root.rglob('*') if p.is_file() and p != info / 'RECORD'):
        digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b'=').decode()
        yield f'{path.relative_to(root)},sha256={digest},{path.stat().st_size}\n'
    yield f'{info.relative_to(root)}/RECORD,,\n'


def embed(root, info):
    """Puts the libraries and their licences beside the package; returns everything that is machine code."""
    tool = root / 'liegrp/tool/liegrp'
    script, = root.glob('*.data/scripts/liegrp')
    tool.parent.mkdir()
    shutil.move(script, tool)
    tool.chmod(0o755)
    script.write_text(SCRIPT)
    script.chmod(0o755)
    extension, = root.glob('liegrp/_liegrp*.so')
    libraries = needed(tool) | needed(extension)
    libs = root / 'liegrp.libs'
    libs.mkdir()
    (info / 'licenses').mkdir(exist_ok=True)
    for name, path in libraries.items():
        copy = libs / renamed(name)
        shutil.copyfile(path, copy)
        said('patchelf', '--set-soname', renamed(name), str(copy))
        relink(copy, libraries, '')
        text = licence(path)
        (info / 'licenses' / f'{name}.txt').write_text(text)
        for common in set(re.findall(r'/usr/share/common-licenses/([\w.-]*\w)', text)):  # texts that it refers to
            shutil.copyfile(pathlib.Path('/usr/share/common-licenses', common), info / 'licenses' / f'{common}.txt')
    relink(tool, libraries, '/../../liegrp.libs')
    relink(extension, libraries, '/../liegrp.libs')
    return [tool, extension, *libs.iterdir()]


def pack(root, path):
    """The wheel: same files, same bytes."""
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(p for p in root.rglob('*') if p.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(root)))
            entry.external_attr = (0o100755 if file.stat().st_mode & 0o100 else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, file.read_bytes())


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        with zipfile.ZipFile(source) as wheel:
            wheel.extractall(root)
        info, = root.glob('*.dist-info')
        code = embed(root, info)
        machine = said('uname', '-m').strip()
        tag = 'cp39-abi3-manylinux_{}_{}_{}'.format(*glibc(code), machine)
        head = re.sub(r'^Tag: .*\n', '', (info / 'WHEEL').read_text(), flags=re.M).rstrip()
        (info / 'WHEEL').write_text(f'{head}\nTag: {tag}\n')
        (info / 'RECORD').write_text(''.join(records(root, info)))
        path = folder / f'{info.stem}-{tag}.whl'
        pack(root, path)
    print(path)


main()
