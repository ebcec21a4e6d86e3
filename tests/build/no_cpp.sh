#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# no_cpp.sh ARCHIVE SHARED: the units that are C++ (src/integrators/engine/tangent.c, src/multibody/derivative.c) need
# nothing of its library, so that programs need no C++: their objects name functions of C alone and export their tables
# alone, and the shared library does not ask for libstdc++.
set -eu
archive=$1 shared=$2
nm=${NM:-nm}
names=$(mktemp)
trap 'rm -f "$names"' EXIT
"$nm" -A "$archive" 2>/dev/null | grep -E 'integrators_engine_tangent|multibody_derivative' >"$names" || true
for table in lg_tangent_table_2 lg_curved_table_2 mb_derivative_2; do
    grep -q " [DR] $table\$" "$names" || { echo "no_cpp.sh: $archive: no unit with $table" >&2; exit 1; }
done
if grep -E ' (U|[wWvV]) (_Z|__cxa|__gxx|_Unwind|__dynamic_cast)' "$names"; then
    echo "no_cpp.sh: $archive: symbols of the library of C++" >&2
    exit 1
fi
if grep -E ' [A-TV-Z] ' "$names" | grep -vE ' (lg_(tangent|curved)_table|mb_derivative)_[248]$'; then
    echo "no_cpp.sh: $archive: exports beside the tables" >&2
    exit 1
fi
if "${READELF:-readelf}" -d "$shared" | grep -E 'NEEDED.*(stdc\+\+|libc\+\+)'; then
    echo "no_cpp.sh: $shared needs a library of C++" >&2
    exit 1
fi
