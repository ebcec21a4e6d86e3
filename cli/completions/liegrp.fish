# SPDX-License-Identifier: BSD-3-Clause
# Completion of liegrp for fish: hands the words to `liegrp complete` and shows the answer.
function __liegrp_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l word (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete -- $words 2>/dev/null)
        if test "$line" = ':files'
            set -l before (string match -r '^.*=' -- $word)
            for file in (__fish_complete_path (string replace -r '^.*=' '' -- $word))
                printf '%s%s\n' "$before" $file
            end
        else
            printf '%s\n' $line
        end
    end
end
complete -c liegrp -f -a '(__liegrp_complete)'
