#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shared_object.sh LIEGRP MY_SYSTEM INCLUDE: user-supplied systems on the command line: the example, compiled by the
# build and by the command in its text, and files with every fault that a user can make. CC compiles.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
example=$(absolute "$2")
include=$(absolute "$3")
source=$include/../examples/my_system.c
begin "$1"
cp "$example" my-system.so


# wrong FILE TEXT...: both subcommands refuse it: status 2, one message that has the texts, no output, no file.
wrong() {
    file=$1
    shift
    for words in "info $file" "info $file --json" "run $file --output data.csv --plot data.svg"; do
        # shellcheck disable=SC2086 # words are words
        call 2 $words
        that 'standard output should be empty' test ! -s out
            that 'one message, and perhaps where to find help' few_lines err 2
        for text in "$@"; do err_has "$text"; done
        that 'no file' sh -c '! ls data.* >/dev/null 2>&1'
    done
}

# column FILE NAME: the last number of a column of a CSV file.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } { value = $c } END { print value }' "$1"
}
# near A B BOUND
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a ~ /[0-9]/ && d < e && d > -e) }'; }

# compile NAME FLAG...: NAME.so from NAME.c as the documentation says.
compile() {
    name=$1
    shift
    # shellcheck disable=SC2086 # CC may hold words
    ${CC:-cc} -shared -fPIC -I"$include" "$@" "$name.c" -o "$name.so" 2>compiled || fail "cannot compile $name.c: $(cat compiled)"
}

# --- the example ------------------------------------------------------------------------------------------------------
call 0 info ./my-system.so
out_has 'knife-edge: knife edge on an inclined plane'
out_has 'slope    = 0.2'
out_has 'inv_turning'
that 'no complaint' test ! -s err
call 0 info my-system.so --json
out_has '"name": "knife-edge"'
if command -v python3 >/dev/null 2>&1; then that 'JSON' python3 -c 'import json; json.load(open("out"))'; fi
call 0 info my-system.so --check
out_has 'check: '
call 0 info suslov --check
out_has 'check: '
# x = g sin(slope)/(2 w^2) sin^2(w t), y = g sin(slope)/(4 w^2) (2 w t - sin(2 w t)), w = 1 by default.
for method in sem gni dla rkmk4 sem@suzuki4; do
    call 0 run ./my-system.so --method $method --step 0.001 --time 2 --output data.csv
    err_has 'knife-edge, '
    that 'x(2)' near "$(column data.csv x)" 0.8057155859 2e-5
    that 'y(2)' near "$(column data.csv y)" 2.3176879597 2e-5
    that 'the turning is kept, up to the order' near "$(column data.csv inv_turning)" 0.5 1e-6
done
cp data.csv first.csv
call 0 run my-system.so --method sem@suzuki4 --step 0.001 --time 2 --output data.csv --quiet
that 'a name without a path is a file here' cmp first.csv data.csv
call 0 run "$work/my-system.so" --param slope=0 --init xi_1=1 --init xi_2=0 --init xi_3=0 --time 1 --output data.csv --quiet
that 'parameters and initial data' near "$(column data.csv x)" 1 1e-12
call 2 run ./my-system.so --param slope=7
err_has "parameter 'slope' of knife-edge must be in [0, 1.6] (rad), got 7"
call 2 run ./my-system.so --param I=1e-9
err_has 'no body is that thin'
call 2 run ./my-system.so --init xi_2=1
call 2 run ./my-system.so --method rattle
rm -f data.*
if command -v gnuplot >/dev/null 2>&1; then
    call 0 run ./my-system.so --plot knife.svg --quiet
    that 'the title has the name' grep -q 'knife-edge: method sem' knife.svg
fi
# Once more as the text in it says.
cp "$source" my_system.c
compile my_system
call 0 run ./my_system.so --method sem@suzuki4 --step 0.001 --time 2 --output data.csv --quiet
that 'the same run' near "$(column data.csv x)" "$(column first.csv x)" 1e-12
rm -f data.*

# --- files that are none ----------------------------------------------------------------------------------------------
wrong ./missing.so 'there is no file ./missing.so' 'liegrp list systems'
wrong missing.so 'there is no file ./missing.so'
wrong no/such/folder.so 'there is no file no/such/folder.so'
wrong ./ './ is not a file'
wrong my_system.c/x 'Not a directory'
wrong "./$(printf '%05000d' 0)" 'the name of the file is too long'
echo 'this is text' >text.so
wrong ./text.so './text.so cannot be loaded: ' 'cc -shared -fPIC'
: >empty.so
wrong ./empty.so './empty.so cannot be loaded: ' 'cc -shared -fPIC'
wrong ./my_system.c './my_system.c cannot be loaded: ' 'cc -shared -fPIC'
wrong "$liegrp" 'cannot be loaded: ' 'cc -shared -fPIC'
call 2 run my-system
err_has "unknown system 'my-system'"

# --- shared objects that are wrong ------------------------------------------------------------------------------------
head='#include <liegrp/liegrp.h>
#include <math.h>
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}
static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[3] = xi0[0] = xi0[1] = xi0[2] = 0;
    g0[2] = 1;
    return 0;
}
static int value(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[0];
    return 0;
}'
tail='LG_API const lg_model_definition *liegrp_system(void);
const lg_model_definition *liegrp_system(void) { return &d; }'
common='.size = sizeof(lg_model_definition), .name = "mine", .group = lg_se2, .configure = configure, .initial = initial'

# system NAME FIELDS [TEXT]: NAME.so with these fields and the common ones; TEXT precedes the definition.
system() {
    {
        echo "$head"
        echo "${3:-}"
        echo "static const lg_model_definition d = {$common, $2};"
        echo "$tail"
    } >"$1.c"
    compile "$1" -w
}

system least '.summary = "least"'
call 0 info ./least.so --check
call 0 run ./least.so --quiet
system silent '.remark = NULL' # no summary, no source, meanings left out
call 0 info ./silent.so
that 'no (null)' sh -c '! grep -q null out'
system quiet '.parameter_count = 1, .parameters = p, .invariant_count = 1, .invariants = v' \
    'static const lg_parameter p[] = {{"k", 0, 0, 1, 0, 2, 0}};
static const lg_invariant v[] = {{"i", 0, value}};'
call 0 info ./quiet.so
that 'no (null)' sh -c '! grep -q null out'
call 0 info ./quiet.so --json
out_has '"meaning": null'
call 0 run ./quiet.so --quiet

echo 'int something_else(void) { return 0; }' >none.c
compile none
wrong ./none.so './none.so does not define liegrp_system' 'const lg_model_definition *liegrp_system(void)'
system hidden '.summary = ""'
sed 's/LG_API//; s/ *const lg_model_definition \*liegrp_system/static &/' hidden.c >local.c
compile local -w
wrong ./local.so './local.so does not define liegrp_system' 'not static'
echo 'const void *liegrp_system(void) { return 0; }' >null.c
compile null
wrong ./null.so 'liegrp_system() returned NULL'
system size '.source = ""'
sed -i 's/\.size = sizeof(lg_model_definition)/.size = 8/' size.c
compile size -w
wrong ./size.so 'its size is 8, expected' 'set .size = sizeof(lg_model_definition)'
sed -i 's/\.size = 8,//' size.c
compile size -w
wrong ./size.so 'its size is 0, expected' 'set .size = sizeof(lg_model_definition)'
sed -i 's/definition d = {/definition d = {.size = sizeof(lg_model_definition) + 8, /' size.c
compile size -w
wrong ./size.so 'compiled against a newer header; update the library'
echo 'int missing_function(void); const void *liegrp_system(void) { return (void *)(long)missing_function(); }' >undefined.c
compile undefined -w
wrong ./undefined.so './undefined.so cannot be loaded: ' missing_function

# A variable of that name: a call of it ended the process.
variable() {
    { echo '#include <liegrp/liegrp.h>' && echo "$2"; } >"$1.c"
    compile "$1" -w
    wrong "./$1.so" "./$1.so defines liegrp_system as a variable" 'const lg_model_definition *liegrp_system(void)'
}
variable number 'int liegrp_system = 5;'
variable constant 'const int liegrp_system = 5;'
variable room 'char liegrp_system[1 << 20];'
variable thread '__thread int liegrp_system = 5;'
variable pointer 'static const lg_model_definition d = {.size = sizeof d}; const lg_model_definition *liegrp_system = &d;'
variable definition 'const lg_model_definition liegrp_system = {.size = sizeof(lg_model_definition), .name = "mine"};'
if [ "$(uname -m)" = x86_64 ]; then # a function that is chosen when it is loaded is one
    system chosen '.summary = "chosen"'
    sed 's/^const lg_model_definition \*liegrp_system(void).*/static const void *f(void) { return \&d; }\
static void *choose(void) { return f; }\
const lg_model_definition *liegrp_system(void) __attribute__((ifunc("choose")));/' chosen.c >indirect.c
    compile indirect -w
    call 0 info ./indirect.so
    out_has 'mine: chosen'
fi

# One definition per fault, with a part of its message.
refused() {
    system refused "$2" "${3:-}"
    wrong ./refused.so './refused.so: ' "$1"
}
refused 'has no name' '.name = NULL'
refused 'has no name' '.name = ""'
refused 'either a group or factors' '.group = NULL'
refused 'lacks configure or initial' '.configure = NULL'
refused 'lacks its parameters' '.parameter_count = 2'
refused 'lacks its invariants' '.invariant_count = 1'
refused 'either constant rows or a callback' '.constraint_count = 1'
refused 'has a step that is not' '.step = -1'
refused "parameter 2 of 2 needs a name without '='" '.parameter_count = 2, .parameters = p' \
    'static const lg_parameter p[2] = {{"k", "", "", 1, 0, 2, 0}};'
refused "parameters 1 and 2 are both named 'k'" '.parameter_count = 2, .parameters = p' \
    'static const lg_parameter p[2] = {{"k", "", "", 1, 0, 2, 0}, {"k", "", "", 1, 0, 2, 0}};'
refused "the default of parameter 'k' is 1, outside its range from 0 to 0" '.parameter_count = 1, .parameters = p' \
    'static const lg_parameter p[] = {{"k", "", "", 1}};'
refused 'invariant 1 of 1 needs a name and a value()' '.invariant_count = 1, .invariants = v' \
    'static const lg_invariant v[] = {{"i", "", 0}};'
refused 'factor 2 of 2 is not a group' '.group = NULL, .factors = f, .factor_count = 2' \
    'static const lg_group *(*const f[2])(void) = {lg_se2};'
# Counts of lists that were not set.
for count in parameter_count invariant_count constraint_count callbacks.holonomic_count callbacks.control_count; do
    refused 'more than 10000' ".parameters = p, .invariants = v, .has_constant_rows = 1, .$count = 2000000000" \
        'static const lg_parameter p[] = {{"k", "", "", 1, 0, 2, 0}};
static const lg_invariant v[] = {{"i", 0, value}};'
done
refused 'more than 10000' '.group = NULL, .factors = f, .factor_count = 2000000000' \
    'static const lg_group *(*const f[2])(void) = {lg_se2};'
# These are seen when the system is made.
refused_later() {
    system refused "$2" "${3:-}"
    wrong ./refused.so "$1"
}
refused_later 'holonomic is NULL' '.callbacks.holonomic_count = 1'
refused_later 'expected 0 to 3' '.constraint_count = 4, .has_constant_rows = 1'
refused_later 'row 1 depends' '.constraint_count = 1, .has_constant_rows = 1'
refused_later 'must be positive' '.configure = flat' 'static int flat(const lg_call *c, double *J, double *A, char *w)
{ (void)c; J[0] = J[4] = 1; return 0; }'

# --- a derivative that is wrong ---------------------------------------------------------------------------------------
system slope '.callbacks.potential = V, .callbacks.potential_gradient = dV' 'static int V(const lg_call *c, const double *g, double *V)
{ *V = g[0]; return 0; }
static int dV(const lg_call *c, const double *g, double *out) { out[0] = g[2]; out[1] = g[3]; return 0; }'
call 2 info ./slope.so --check
err_has 'potential_gradient'
that 'standard output should be empty' test ! -s out

# --- a group of its own, and errors in its operations -----------------------------------------------------------------
# planted NAME IDENTITY SED: examples/own_group.c with an error in it; --check names the identity that fails.
planted() {
    sed "$3" "$include/../examples/own_group.c" >"$1.c"
    that "sed changed $1.c" sh -c "! cmp -s '$include/../examples/own_group.c' '$1.c'"
    compile "$1"
    call 2 info "./$1.so" --check
    err_has 'lg_group_check: Heisenberg'
    err_has "$2"
    that 'standard output should be empty' test ! -s out
}
cp "$include/../examples/own_group.c" own-group.c
compile own-group
call 0 info ./own-group.so --check
out_has 'Heisenberg is a group'
planted sign 'Ad_g xi = d/ds g exp(s xi) g^-1' 's/put_matrix(M, -g\[1\], g\[0\])/put_matrix(M, g[1], -g[0])/'
planted zero 'ad_xi = d/ds Ad_exp(s xi)' 's/put_matrix(M, -xi\[1\], xi\[0\]);/put_matrix(M, 0, 0);/'
planted tangent 'exp->dtau_inv' 's/put_matrix(M, xi\[1\] \/ 2, -xi\[0\] \/ 2)/put_matrix(M, -xi[1] \/ 2, xi[0] \/ 2)/'
planted abelian 'abelian = 1' 's/\.dim = 3,/.dim = 3, .abelian = 1,/'

finish
