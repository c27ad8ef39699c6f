# SPDX-License-Identifier: ISC
# Completions, each asked of the shell it is for, at a terminal where that shell needs one.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	sh "$BATS_TEST_DIRNAME/../completions.sh" "$DP_BUILD/bin" "$BATS_FILE_TMPDIR"
}

# typed SHELL ...: what a shell on a terminal shows of the keys on standard input, once it is ready.
# Keys come line by line, each when the one before has been answered.
typed() {
	local keys n=0

	(
		until_true grep -q ready shown
		while IFS= read -r keys; do
			# what is typed has quotes, what is answered has none
			printf '%s ; echo an""swered%d\n' "$keys" $((++n))
			until_true grep -q "answered$n" shown
			sleep .1
		done
		printf 'exit\n'
	) | timeout -k 1 300 script -qefc "$*" /dev/null >shown
}

@test "bash: names of options, values, files" {
	terminal
	printf 'PS1="> "\nsource %s\nbind "set bell-style none"\necho rea""dy\n' \
	    "$BATS_FILE_TMPDIR/dputils.bash" >rc
	echo 1 >bits.txt
	: >shown
	printf '%s\n' $'dpcount -e 1 --hor\t77 --expl\t' $'dpcount -e inf -q --outp\tjs\t bi\t' \
	    $'dpcount -e inf -q -o c\t bits.txt' \
	    $'dpcount --tz=Europe/Berl\t --log=combin\t -h' |
	    typed bash --rcfile rc -i
	grep 'horizon  *77 steps' shown
	grep -F '{"step":1,"estimate":1}' shown
	grep -A 1 '^estimate' shown | grep '^1'
	[ ! -f /usr/share/zoneinfo/tzdata.zi ] || grep -F 'Europe/Berlin' shown
	grep -F -- '--log=combined' shown
}

@test "zsh: names of options, values, files" {
	needs zsh
	terminal
	mkdir zdot
	printf '%s\n' 'PS1="> "' "fpath=($BATS_FILE_TMPDIR \$fpath)" 'autoload -Uz compinit' \
	    'compinit -u -d zdot/dump' 'unsetopt beep zle_bracketed_paste' 'echo rea""dy' \
	    >zdot/.zshrc
	echo 1 >bits.txt
	: >shown
	printf '%s\n' $'dpcount -e 1 --hor\t77 --expl\t' $'dpcount -e inf -q --outp\tjs\t bi\t' \
	    $'dpcount -e inf -q -o c\t bits.txt' \
	    $'dpcount --tz=Europe/Berl\t --log=combin\t -h' |
	    TERM=dumb ZDOTDIR=$PWD/zdot typed zsh -d -i
	grep 'horizon  *77 steps' shown
	grep -F '{"step":1,"estimate":1}' shown
	grep -A 1 '^estimate' shown | grep '^1'
	[ ! -f /usr/share/zoneinfo/tzdata.zi ] || grep -F 'Europe/Berlin' shown
	grep -F -- '--log=combined' shown
}

@test "fish: names of options with their texts, values" {
	needs fish
	export HOME=$PWD
	asked() {
		fish -c "source $BATS_FILE_TMPDIR/$1.fish; complete -C '$1 $2'"
	}
	[ "$(asked dpcount --hor)" = "$(dpcount --help=all |
	    sed -n 's/.*--horizon=N  *\(.*\)/--horizon\t\1/p')" ]
	asked dpcount '-M p' | cut -f 1 | diff - <(printf 'pan\npan-slots\n')
	asked dpplot --ti | grep '^--title'
	asked dpdecay '--output=j' | grep json
	asked dpcount '--log=ng' | grep -x -- '--log=nginx-error.*'
	[ ! -f /usr/share/zoneinfo/tzdata.zi ] ||
	    asked dpcount '--tz=America/New_Y' | grep -x -- '--tz=America/New_York.*'
}

# completed WORD ...: what bash offers at the last word
completed() {
	bash -c 'source "$0"/dputils.bash; compopt() { :; }; COMP_WORDS=("$@")
	    COMP_CWORD=$(($# - 1)); _dputils "$1"; printf "%s\n" "${COMPREPLY[@]}"' \
	    "$BATS_FILE_TMPDIR" "$@"
}

@test "bash: a value behind a blank; the fields of the log that the line names" {
	completed dpcount --log comb | diff - <(echo combined)
	completed dpcount --log = comb | diff - <(echo combined)
	# --explain takes none behind a blank: that is a file
	[ -z "$(completed dpcount --explain j)" ]
	completed dpcount --log=combined -v '' >offered
	grep -qx size offered
	grep -qx status offered
	for log in '--log = combined' '--log combined'; do
		for option in -v -k -u '--value =' --key; do
			# shellcheck disable=SC2086
			completed dpcount $log $option '' | diff offered -
		done
	done
	completed dpmap --log = syslog -k pro | diff - <(echo program)
	[ -z "$(completed dpcount -v si)" ]
	# each is a field
	while read -r field; do
		dpcount -e inf -q --log=combined -v "$field" -r 0:1 </dev/null
	done <offered
}

@test "statistics, and of mechanisms those of the tool" {
	completed dpmean --statistic '' | paste -sd ' ' |
	    diff - <(echo mean sd variance count sum)
	completed dpdistinct --statistic = '' | sort | paste -sd ' ' |
	    diff - <(echo cropped density distinct f2 heavy incidence mean)
	for statistic in $(completed dpdistinct --statistic ''); do
		dpdistinct -e 9 -d 1e-6 -T 9 --statistic="$statistic" --universe=9 \
		    $(case $statistic in d*) ;; f2) echo --updates=3 ;; *) echo --tau=2 ;;
		    esac) --explain >out 2>err || {
			cat err
			return 1
		}
	done
	for tool in $(filters); do
		completed "$tool" -M '' | sort -u |
		    diff - <({ echo auto && "$tool" --help=mechanisms | awk '
			/^[A-Z]/ { on = /^Mechanisms/ } on && /^  / { print $1 }'; } | sort -u)
	done
}

@test "what follows dpplot --run is the command's" {
	completed dpplot --run dpwin | diff - <(echo dpwindow)
	completed dpplot --title x --run dpcount --hor | diff - <(echo --horizon=)
	completed dpplot --run dpcount -e 1 --output = js | diff - <(echo json)
	completed dpplot --run dpmean --statistic va | diff - <(echo variance)
	completed dpplot --si | diff - <(echo --size=)
	completed dpplot --run dpplot --si | diff - <(echo --size=)
	if command -v fish >/dev/null; then
		export HOME=$PWD
		asked() {
			fish -c "for t in $BATS_FILE_TMPDIR/*.fish; source \$t; end
			    complete -C 'dpplot $1'"
		}
		asked '--run dpcount --hor' | grep '^--horizon'
		asked '--run dpmean --statistic=va' | grep -x -- '--statistic=variance.*'
		asked '--run dpwin' | grep '^dpwindow'
		asked '--si' | grep '^--size'
	fi
}

@test "zsh: what follows dpplot --run is the command's" {
	needs zsh
	terminal
	mkdir zdot
	printf '%s\n' 'PS1="> "' "fpath=($BATS_FILE_TMPDIR \$fpath)" 'autoload -Uz compinit' \
	    'compinit -u -d zdot/dump' 'unsetopt beep zle_bracketed_paste' 'echo rea""dy' \
	    >zdot/.zshrc
	: >shown
	printf '%s\n' $'dpplot --run dpcount -e 1 --hor\t77 --expl\t' |
	    TERM=dumb ZDOTDIR=$PWD/zdot typed zsh -d -i
	grep 'horizon  *77 steps' shown
}

@test "zsh: the fields of the log that the line names" {
	needs zsh
	sed -n '/^_dputils_log_fields()/,/^}/p' "$BATS_FILE_TMPDIR/_dputils" >fields
	zsh -c '. ./fields; words=(dpcount --log=combined -v ""); _dputils_log_fields' |
	    grep -w size
	[ -z "$(zsh -c '. ./fields; words=(dpcount -v ""); _dputils_log_fields')" ]
	grep -c -- '--value=.*:_dputils_fields' "$BATS_FILE_TMPDIR/_dputils"
}

@test "logs are those of --log=list; zones those that are installed, when they are asked for" {
	bash -c "source $BATS_FILE_TMPDIR/dputils.bash; _dputils_values dpmap --log" |
	    tr ' ' '\n' >offered
	{ dpmap --log=patterns | cut -f 1; echo list; echo patterns; } | diff - offered
	grep -qx combined offered
	[ -f /usr/share/zoneinfo/tzdata.zi ] || skip 'no tzdata.zi'
	bash -c "source $BATS_FILE_TMPDIR/dputils.bash; _dputils_values dpcount --tz" >zones
	for zone in UTC Europe/Berlin Asia/Kolkata Europe/Oslo; do
		grep -qx $zone zones
	done
	# what is listed may be in another package
	while read -r zone; do
		[ -f "/usr/share/zoneinfo/$zone" ]
	done <zones
	awk '$1 == "Z" { print $2 } $1 == "L" { print $3 }' /usr/share/zoneinfo/tzdata.zi |
	    (cd /usr/share/zoneinfo && xargs ls -d 2>/dev/null) | sort | diff - <(sort zones)
	# each is one
	shuf -n 9 --random-source=zones zones >some
	while read -r zone; do
		dpcount -e 1 --tz="$zone" -t 1 --time-format=iso --bucket=1d --public-times \
		    --explain </dev/null | grep -qF "$zone"
	done <some
}

@test "every option of every tool is there, for every shell" {
	tools >tools
	while read -r tool; do
		echo "$tool:"
		$tool --help=all
	done <tools | awk '/^dp[a-z]+:$/ { tool = $1 }
	    /^  (-., |    )--[a-z-]+/ { print tool, substr($0, 7) }' |
	    sed -E 's/(--[a-z-]+).*/\1/' | sort >options
	[ "$(cut -d : -f 1 options | uniq -c | awk '$1 >= 8' | wc -l)" -eq "$(wc -l <tools)" ]
	bash -c "source $BATS_FILE_TMPDIR/dputils.bash"'
		while read -r tool; do
			printf "$tool: %s\n" $(_dputils_options $tool)
		done <tools' | tr -d = | sort | diff options -
	awk '/^dp[a-z]+\) / { tool = $1; sub(/\)/, ":", tool) }
	    { s = $0; while (tool != "" && match(s, /\x27--[a-z-]+/)) {
		print tool, substr(s, RSTART + 1, RLENGTH - 1); s = substr(s, RSTART + RLENGTH) } }
	    /;;/ { tool = "" }' "$BATS_FILE_TMPDIR/_dputils" | sort | diff options -
	while read -r tool; do
		echo "$tool:"
		cat "$BATS_FILE_TMPDIR/$tool.fish"
	done <tools | awk '/^dp[a-z]+:$/ { tool = $1 }
	    { s = $0; while (match(s, / -l [a-z-]+/)) {
		print tool, "--" substr(s, RSTART + 4, RLENGTH - 4)
		s = substr(s, RSTART + RLENGTH) } }' |
	    sort | diff options -
	grep -qx "#compdef $(tools | tr '\n' ' ' | sed 's/ $//')" "$BATS_FILE_TMPDIR/_dputils"
}

@test "every value offered is taken" {
	bash -c "source $BATS_FILE_TMPDIR/dputils.bash; declare -f _dputils_values" >values
	[ "$(grep -c -- '--output' values)" -ge 8 ]
	for tool in dpcount dpwindow; do
		for option in --output --time-format --explain --help; do
			for value in $(bash -c "source $BATS_FILE_TMPDIR/dputils.bash
			    _dputils_values $tool $option"); do
				[ $tool = dpcount ] || set -- -w 3
				$tool -e 1 -T 9 "$@" $option=$value \
				    $([ $option != --time-format ] || echo -t 1 --bucket=1d \
				    --public-times) --explain >out
				[ -s out ]
			done
		done
	done
}
