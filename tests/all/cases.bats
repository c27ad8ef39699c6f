# SPDX-License-Identifier: ISC
# Lines and tables as programs write them (tests/data/cases.txt): each is read right, or refused
# with the cure, or --check names it.

load ../lib/helper

# right COMMAND: it is, and in the end err is what it said
right() {
	eval "${1%% *} -e inf ${1#* } in" >got 2>err && [ "$(<got)" = "${want%$'\n'}" ]
}

# says: --check, or a refusal, says all that it should; the cure is a part of the cured command
says() {
	local text

	eval "$command in" >got 2>err || :
	for text in "${said[@]}"; do
		[[ $(<got) == *"$text"* || $(<err) == *"$text"* ]] || return
		[[ -z $cured || $text != [\'-]* || $cured == *"$text"* ]] || return
	done
}

# tried: runs the case that was read, if one was
tried() {
	[ -n "$name" ] || return 0
	n=$((n + 1))
	printf %b "$input" >in
	if [ ${#said[@]} -eq 0 ]; then
		right "$command" && return
	else
		says && { [ -z "$cured" ] || right "$cured"; } && return
	fi
	printf '%s\n' "== $name" "\$ $command" "want: $want" "${said[@]}" "$cured" \
	    "got: $(<got)" "$(<err)"
	wrong=$((wrong + 1))
}

# cases GROUP N: its cases are as they should be, and there are N of them
cases() {
	local n=0 wrong=0 name='' command cured want input line said

	while IFS= read -r line; do
		case $line in
		"== $1: "*) name=${line#*: } want='' input='' cured='' said=() ;;
		'$ '*) command=${line#??} ;;
		'% '*) cured=${line#??} ;;
		'> '*) want+=${line#??}$'\n' ;;
		'! '*) said+=("${line#??}") ;;
		'|'*) line=${line#|} line=${line# }; input+=${line//\\/\\\\}'\n' ;;
		'\ '*) input+=${line#??} ;;
		'') tried; name= ;;
		esac
	done <"$BATS_TEST_DIRNAME/../data/cases.txt"
	tried
	[ "$wrong" -eq 0 ] && [ "$n" -eq "$2" ]
}

@test "web servers' logs" {
	cases web 20
}

@test "logs of systems and containers" {
	cases system 14
}

@test "JSON lines" {
	cases json 11
}

@test "tables" {
	cases table 17
}

@test "of people" {
	cases people 6
}

@test "of sensors" {
	cases sensor 5
}

@test "--check names what reads lines that count nothing, or other than was meant" {
	cases check 53
}
