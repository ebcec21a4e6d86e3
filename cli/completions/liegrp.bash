# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of liegrp for bash: hands the words to `liegrp complete` and shows the answer.
_liegrp()
{
    local words=() word joined='' i candidate cut
    # bash splits words at = : @ as well; liegrp sees them as they were typed.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ ${#words[@]} -gt 0 && -n $joined ]] || [[ ${#words[@]} -gt 0 && $word == [=:@]* ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        joined=''
        if [[ $word == *[=:@] ]]; then joined=1; fi
    done
    word=${words[${#words[@]} - 1]}
    words[${#words[@]} - 1]=${word//\\/}
    cut=${word%"${word##*[=:@]}"} # readline replaces only what follows
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        if [[ $candidate == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "${word##*=}")
        else
            if [[ $candidate == *= ]]; then compopt -o nospace 2>/dev/null; fi
            candidate=${candidate#"$cut"}
            COMPREPLY+=("${candidate// /\\ }")
        fi
    done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _liegrp liegrp
