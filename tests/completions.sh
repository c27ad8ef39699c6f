#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: completions.sh BINDIR OUTDIR; writes completions for bash, zsh and fish into OUTDIR, from
# what every tool in BINDIR says of its options (--help=completion), which comes from the rows that
# the parser reads.
set -eu
bin=$1
out=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Every option of every tool, a line: TOOL LETTER NAME ARGUMENT VALUES HELP, between tabs; ARGUMENT
# has its brackets if it may be left out; VALUES, with blanks between them, if they are few; @ZONES:
# those of the system when they are asked for; @FIELDS: those of the log that the line names; "-":
# none.
for tool in "$bin"/dp*; do
	"$tool" --help=completion | sed "s/^/${tool##*/}	/"
done >"$tmp/options"

# Names of time zones, a line each: zones and links of zic(8) that are installed, which not all are
# that are listed
zones="awk '{ z = \$1 == \"Z\" ? \$2 : \$1 == \"L\" ? \$3 : \"\"; f = \"/usr/share/zoneinfo/\" z }
	    z != \"\" && (getline line <f) >= 0 { print z; close(f) }' "
zones=$zones'/usr/share/zoneinfo/tzdata.zi 2>/dev/null || echo UTC'

# A line that names a log, as a case has it, and the names of that log's fields
"$bin/dpcount" --log=list | awk -F '   *' '{
	sub(/ and other names .*/, "", $NF)
	printf "\t*\" --log=%s \"* | *\" --log %s \"*) echo \"%s\" ;;\n", $1, $1, $NF
}' >"$tmp/fields"

mkdir -p "$out"

# bash: one file for all, under the name of each: it is read when the first of them is completed
{
	cat <<'EOT'
# Completions of dputils for bash.  Made by make completions.
_dputils_zones()
{
EOT
	echo "	$zones"
	cat <<'EOT'
}

_dputils_fields()
{
	local line=" ${COMP_WORDS[*]} "

	case ${line// = /=} in
EOT
	cat "$tmp/fields"
	cat <<'EOT'
	esac
}

_dputils_options()
{
	case $1 in
EOT
	awk -F '\t' '
		{ if (!($1 in all)) tools[++n] = $1
		  all[$1] = all[$1] " --" $3 ($4 == "-" || $4 ~ /^\[[^]]*\]$/ ? "" : "=") }
		END { for (i = 1; i <= n; i++)
			printf "\t%s) echo \"%s\" ;;\n", tools[i], substr(all[tools[i]], 2) }
	' "$tmp/options"
	cat <<'EOT'
	esac
}

_dputils_values()
{
	case $1$2 in
EOT
	awk -F '\t' '
		$5 != "-" { printf "\t%s--%s%s) %s ;;\n", $1, $3,
		    $2 == "-" ? "" : " | " $1 "-" $2,
		    $5 == "@ZONES" ? "_dputils_zones" : \
		    $5 == "@FIELDS" ? "_dputils_fields" : "echo \"" $5 "\"" }' "$tmp/options"
	cat <<'EOT'
	esac
}

# dpplot --run COMMAND: what follows is completed as that command's own
_dputils_run()
{
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != --run ]] || break
	done
	((i < COMP_CWORD)) || return
	COMP_WORDS=("${COMP_WORDS[@]:i + 1}")
	COMP_CWORD=$((COMP_CWORD - i - 1))
	if ((COMP_CWORD == 0)); then
		mapfile -t COMPREPLY < <(compgen -W "$_dputils_tools" -- "${COMP_WORDS[0]}"
		    compgen -c -- "${COMP_WORDS[0]}" | grep -v '^dp')
	else
		_dputils "${COMP_WORDS[0]}"
	fi
}

_dputils()
{
	if [[ ${1##*/} = dpplot ]] && _dputils_run; then
		return
	fi
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} values

	# --name=value is three words where = parts words
	if [[ $cur = = ]]; then
		cur=
	elif [[ $prev = = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur != -* && $prev = --* && " $(_dputils_options "${1##*/}") " != *" $prev= "* ]]
	then
		prev=		# it takes no value, or takes one behind = alone
	elif [[ $cur = --*=* ]]; then
		prev=${cur%%=*} cur=${cur#*=}
	fi
	COMPREPLY=()
	if [[ $cur = -* ]]; then
		values=$(_dputils_options "${1##*/}")
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
		[[ ${COMPREPLY-} != *= ]] || compopt -o nospace
	else
		values=$(_dputils_values "${1##*/}" "$prev")
		if [[ -n $values ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
		else
			compopt -o default
		fi
	fi
}
EOT
	printf '_dputils_tools="%s"\n' \
	    "$(cut -f 1 "$tmp/options" | uniq | tr '\n' ' ' | sed 's/ $//')"
	printf 'complete -F _dputils'
	cut -f 1 "$tmp/options" | uniq | tr '\n' ' ' | sed 's/^/ /; s/ $//'
	echo
} >"$out/dputils.bash"

# zsh: one function for all
{
	printf '#compdef'
	cut -f 1 "$tmp/options" | uniq | tr '\n' ' ' | sed 's/^/ /; s/ $//'
	cat <<'EOT'

# Completions of dputils for zsh.  Made by make completions.
_dputils_zones()
{
EOT
	echo "	compadd -- \$($zones)"
	cat <<'EOT'
}

_dputils_log_fields()
{
	case " ${words[*]} " in
EOT
	cat "$tmp/fields"
	cat <<'EOT'
	esac
}

_dputils_fields()
{
	local names=$(_dputils_log_fields)

	if [[ -n $names ]]; then
		compadd -- ${=names}
	else
		_files
	fi
}

_dputils_run()
{
	if ((CURRENT == 1)); then
		compadd -- ${(k)commands[(I)dp*]}
		_command_names -e
	else
		_normal
	fi
}

local -a options
case $service in
EOT
	awk -F '\t' '
		function spec(left, mark, tail) {
			return " \047" left mark "[" help "]" tail "\047"
		}
		$1 != last { if (NR > 1) print "\t) ;;"; printf "%s) options=(\n", $1; last = $1 }
		{
			help = $6
			gsub(/\047/, "\047\\\047\047", help)
			gsub(/\[|\]|:/, "\\\\&", help)
			argument = $4
			gsub(/\[|\]/, "", argument)
			gsub(/:/, "\\:", argument)
			optional = $4 ~ /^\[[^]]*\]$/
			tail = $4 == "-" ? "" : (optional ? "::" : ":") argument ":" \
			    ($5 == "@ZONES" ? "_dputils_zones" : \
			    $5 == "@FIELDS" ? "_dputils_fields" : $5 != "-" ? "(" $5 ")" : "_files")
			print "\t" spec("--" $3, $4 == "-" ? "" : optional ? "=-" : "=", tail)
			if ($2 != "-")
				print "\t" spec("-" $2, $4 == "-" ? "" : optional ? "-" : "+", tail)
		}
		END { print "\t) ;;" }' "$tmp/options"
	cat <<'EOT'
esac
if [[ $service = dpplot && ${words[(I)--run]} -gt 0 && ${words[(I)--run]} -lt $CURRENT ]]; then
	_arguments -A '-*' -s -S $options '*:::command:_dputils_run'
else
	_arguments -s -S $options '*:file:_files'
fi
EOT
} >"$out/_dputils"

# fish: a file a tool
cut -f 1 "$tmp/options" | uniq | while read -r name; do
	{
		echo '# Completions of dputils for fish.  Made by make completions.'
		awk -F '\t' -v name="$name" -v zones="$zones" '
			function quoted(s) {
				gsub(/[\\\047]/, "\\\\&", s)
				return "\047" s "\047"
			}
			$1 == name {
				printf "complete -c %s -l %s", name, $3
				if ($2 != "-")
					printf " -s %s", $2
				if ($5 != "-" && $5 != "@FIELDS")
					printf " -f -a %s",
					    quoted($5 == "@ZONES" ? "(" zones ")" : $5)
				if ($4 != "-" && $4 !~ /^\[[^]]*\]$/)
					printf " -r"
				print " -d " quoted($6)
			}' "$tmp/options"
		[ "$name" != dpplot ] || cat <<-'EOT'
			function __dputils_run
				set --local words (commandline -opc)
				set --local i (contains -i -- --run $words)
				set --local rest $words[(math $i + 1)..-1]
				if test $i -eq (count $words)
					set rest
				end
				complete -C (string join -- ' ' $rest (commandline -ct))
			end
			complete -c dpplot -n 'contains -- --run (commandline -opc)' -f -k \
			    -a '(__dputils_run)'
		EOT
	} >"$out/$name.fish"
done
