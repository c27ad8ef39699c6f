# Lines and tables as programs write them (tests/data/cases.txt): each is read right, or refused
# with the cure, or --check names it.

load ../lib/helper

# tried: runs the case that was read, if one was, and compares
tried() {
	local got s=0 text

	[ -n "$name" ] || return 0
	n=$((n + 1))
	printf %b "$input" >in
	case $command in
	*' --check '*) eval "$command in" >got 2>err || s=$? ;;
	*) eval "${command%% *} -e inf ${command#* } in" >got 2>err || s=$? ;;
	esac
	got=$(<got)
	if [ ${#said[@]} -eq 0 ]; then
		[ "$s" -ne 0 ] || [ "$got" != "${want%$'\n'}" ] || return 0
	else
		got+=$'\n'$(<err)
		s=0
		for text in "${said[@]}"; do
			[[ $got == *"$text"* ]] || s=1
		done
		[ $s -eq 1 ] || return 0
	fi
	printf '%s\n' "== $name" "\$ $command" "want: $want${said[*]}" "got: $got" "$(<err)"
	wrong=$((wrong + 1))
}

# cases GROUP N: its cases are as they should be, and there are N of them
cases() {
	local n=0 wrong=0 name='' command want input line said

	while IFS= read -r line; do
		case $line in
		"== $1: "*) name=${line#*: } want='' input='' said=() ;;
		'$ '*) command=${line#??} ;;
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
	cases system 13
}

@test "JSON lines" {
	cases json 9
}

@test "tables" {
	cases table 15
}

@test "of people" {
	cases people 6
}

@test "of sensors" {
	cases sensor 5
}
