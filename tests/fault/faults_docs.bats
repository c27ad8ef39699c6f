#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Documents that lie: a command of README.md or a page that answers another question
# than it says, or a number that is not so.  Each must make a test of the document fail.

load faults

# lies VARIABLE FILE SED TESTS NAME: with the edit in FILE, which VARIABLE names, the test whose
# name begins so fails
lies() {
	local page=$BATS_TEST_TMPDIR/${2##*/}

	sed -zE "$3" "$TOP/$2" >"$page"
	! cmp -s "$TOP/$2" "$page" || {
		echo "fault not planted: $3"
		return 1
	}
	suite "$DP_BUILD" "$4" "$5" "$1=$page"
	grep -q '^not ok 1 ' tap || {
		echo "not noticed: $3"
		cat tap
		return 1
	}
}

recipe() {
	lies RECIPES man/dputils-recipes.7 "$1" recipes "$2"
}

readme() {
	lies README README.md "$1" readme "$2"
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR"
}

@test "recipes: an allowance for all days, another range of shares, all so far for each hour's" {
	recipe 's|-c 20/step( -k)|-c 20\1|' 'page views by page, every visitor protected'
	recipe 's/dpmean -e 1 -B -v/dpmean -e 1 -B -r 0:10 -v/' 'error rate per day: so far off'
	recipe 's/\$ dpwindow -e 1 -w 1 (--log=combined --bucket=1h)/$ dpcount -e 1 \1/' \
	    'requests per hour'
}

@test "recipes: another share, amounts cut off, a number that is not so" {
	recipe "s/-m '\\^5'/-m '^[45]'/" 'error rate per day"'
	recipe 's/-r 0\.00:100\.00/-r 0.00:10.00/' 'sales by shop'
	recipe 's/up to 500,/up to 50,/' 'sales by shop'
}

@test "README.md: an allowance for all days, sums cut off, another error, a command nobody runs" {
	readme 's|(--bucket=1d) \\|\1 -w 1 \\|; s/(dpdistinct -e 1)/\1 -w 1/' 'clients so far'
	readme 's/-r 0:200/-r 0:2/' 'users who bought, revenue a user'
	readme 's/it is off by 133/it is off by 207/' 'a statistic of another program'
	readme 's/top-k/first k/g' '250 lines at most'
	readme 's/(dpcount -e 1) -T 10k bits.txt/&\n\1 bits.txt/' 'every command that prints'
}

@test "tutorial, README: a number that is not printed, a limit that is none, another first output" {
	lies TUTORIAL man/dputils-tutorial.7 's/\t750\t744/\t751\t744/' tutorial 'tutorial: each'
	lies TUTORIAL man/dputils-tutorial.7 's/total=event:1/total=event:2/' tutorial \
	    'tutorial: each'
	lies TUTORIAL man/dputils-tutorial.7 's/May 5, some 3 %/May 5, some 4 %/' tutorial \
	    'tutorial: what'
	readme 's/\n2026-05-03T00:00:00Z\t514/\n2026-05-03T00:00:00Z\t524/' 'the first command'
	readme 's/, 455 and 497 is true/, 456 and 497 is true/' 'clients so far'
}
