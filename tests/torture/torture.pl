#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# perl torture.pl BIN MOST [SEED [ROW | KIND ...]]; prints a table: what was done to each tool's
# files, how often, and what was found, which must be nothing.  MOST: of each kind as many as this,
# where there are so many; 0: the short form.  It works in the current folder, where ./trap stands.
#
#	killed	by SIGKILL at a random call or time: on a state that goes on, on one that is being
#		made, in batches that are given again
#	call	at each system call of a run: killed before it or after it, half of it done, or it
#		fails (EIO, ENOSPC, EINTR, ENOMEM)
#	power	a state of the disk that a loss of power may leave: power.pl
#	byte	each byte of the file has another value: refused, and nothing printed
#	race	six runs at once
#	move	each system call of --state-move, and what a loss of power may leave of it
#	memory	looks into the memory of a run with -P: memory.pl
# After each the tool goes on.  Found: a step that was printed with two values, or left out, a run
# that goes on where it must not, or does not where it must; a line that is lost or counts twice;
# memory that holds what a person gave.
use strict;
use warnings;
use Cwd;
use FindBin;
use lib $FindBin::Bin;

our ($bin, $most, $seed, @rows) = @ARGV;
my %kind = map { $_ => 1 } grep { /^(killed|call|power|byte|race|move|memory)$/ } @rows;
@rows = grep { !$kind{$_} } @rows;
our (%printed, $found, $short);
$seed ||= 1;
$ENV{LD_BIND_NOW} = 1;		# or they start anew with it
$short = $most == 0;
require "$_.pl" for qw(runs kinds power memory ledger);

my %input;
$input{bits} = join '', map { ($_ % 3 == 0) . "\n" } 1 .. 4000;
$input{pairs} = join '', map { ($_ % 3 == 0 ? 'a' : 'b') . "\n" } 1 .. 4000;
$input{readings} = join '', map { $_ * 900 . ' ' . $_ % 7 . ' ' . $_ * 3 % 101 . "\n" } 1 .. 200;
$input{costs} = join '', map { ".$_ .5\n" } map { $_ % 10 } 1 .. 4000;
$input{answers} = join '', map { ($_ % 7) . "\n" } 1 .. 4000;
$input{names} = join '', map { ($_ % 3 == 0 ? 'a' : 'b') . "\n" } 1 .. 300;

# exact: without noise to speak of it prints what -e inf does
# single: a state has one answer; sparse: not each step has a row; long: the horizon is far
my @tools = (
	{ tool => 'dpcount', input => 'bits', init => [ '-T', '64', '-r', '0:7' ], exact => 1,
	    looks => [ 'number -r 0:1G -T 1k', 'number -r 0:1G -T 1k -M pan-slots',
	    'number -r 0:1G -T 1k -M input', 'keyed -v 1 -r 0:1G -k 2 --keys=x,y -T 1k',
	    'matched -m m -k 1 --keys=x,y --other -T 1k',
	    'timed -t 1 --time-format=epoch --bucket=1h --public-times -v 2 -r 0:1G -T 1k' ] },
	{ tool => 'dpwindow', input => 'bits', long => 1, exact => 1,
	    init => [ '-T', '1G', '-w', '5', '-r', '0:7' ],
	    looks => [ 'number -r 0:1G -w 5 -T 1k',
	    'keyed -v 1 -r 0:1G -k 2 --keys=x,y -w 1k -T 1k' ] },
	{ tool => 'dpdecay', input => 'bits', long => 1, exact => 1,
	    init => [ '-T', '1G', '--half-life=4', '-r', '0:7' ],
	    looks => [ 'number -r 0:1G --half-life=5 -T 1k' ] },
	{ tool => 'dpmean', input => 'bits', long => 1,
	    init => [ '-T', '1M', '-v', '1', '-r', '0:7', '-M', 'kary' ],
	    looks => [ 'number -r 0:1G -T 1k' ] },
	{ tool => 'dpquantile', input => 'bits', long => 1,
	    init => [ '-T', '1M', '-r', '0:7', '--quantile=.5', '-M', 'kary' ],
	    looks => [ 'number -r 0:1G -T 1k' ] },
	{ tool => 'dptop', input => 'names', few => 300, lines => 2, sparse => 1,
	    init => [ '-T', '64', '-k', '1', '-d', '1e-3', '--once' ] },
	{ tool => 'dpmaxsum', input => 'pairs', exact => 1,
	    init => [ '-T', '64', '-k', '1', '--keys=a,b', '-M', 'normtree' ],
	    looks => [ 'matched -k 1 --keys=x,y -T 1k',
	    'matched -k 1 --keys=x,y --select -T 1k' ] },
	{ tool => 'dpdistinct', input => 'pairs', init => [ '-T', '64' ],
	    looks => [ 'name -T 1k', 'name -T 1k -M hashed-bits', 'name -T 1k --at-end' ] },
	{ tool => 'dptransform', input => 'answers',
	    init => [ '-T', '64', '--sensitivity=1', '--changes=60' ],
	    looks => [ 'number -r 0:1T --sensitivity=10000000 --changes=3 -T 1k -M pan',
	    'number -r 0:1T --sensitivity=10000000 --changes=3 -T 1k -M output' ] },
	{ tool => 'dpexperts', input => 'costs', init => [ '-T', '64', '--columns=2' ],
	    looks => [ 'costs -r 0:999999999.00 --columns=2 --protect=cost -T 1k' ] },
	{ tool => 'dpproject', input => 'pairs', single => 1, lines => 1, sparse => 1,
	    init => [ '-v', '1', '--queries=' . Cwd::getcwd() . '/queries' ] },
	{ tool => 'dplocal', input => 'names', stateless => 1,
	    looks => [ 'name --domain=x,y,z --other=z', 'name --domain=x,y,z --other=z -M subset' ] },
	{ tool => 'dpcount', name => '--out', input => 'bits', init => [ '-T', '64', '-r', '0:7' ],
	    each => [ '--out=o', '--witness=w' ], out => 1 },
	{ tool => 'dpcount', name => '--per-user', input => 'pairs', few => 5,
	    init => [ '-T', '64', '-u', '1', '-c', '2', '-m', '.' ] },
	{ tool => 'dpwindow', name => '--counter', input => 'readings', few => 60, lines => 0, sparse => 1,
	    init => [ '-T', '64', '-w', '1', '-t', '1', '--time-format=epoch', '--bucket=1h',
	    '--public-times', '-u', '2', '-v', '3', '--counter', '-r', '0:99', '-c', '1/step' ] },
	{ tool => 'dpdistinct', name => '-k -w', input => 'readings', few => 60, lines => 0,
	    sparse => 1, init => [ '-T', '64', '-w', '1,3', '-t', '1', '--time-format=epoch',
	    '--bucket=1h', '--public-times', '-v', '3', '-k', '2', '--keys=1,2,3', '-c', '1/step' ] },
	{ tool => 'dpcount', name => '--partial', input => 'bits', partial => 1, lines => 1,
	    exact => 1,
	    init => [ '-T', '64', '-r', '0:7', '--once', '--partial' ] },
);

# What this tool prints without noise, if a run with little of it prints the same.
sub exact {
	my ($t) = @_;
	my %sure = (%$t, epsilon => 1e15, each => [ '--batch=1' ]);

	run('few', 'out', $t->{tool}, '-q', '-n', '-e', 'inf', @{$t->{init}});
	my $want = got('out');
	clean();
	run('few', 'out', $t->{tool}, making(\%sure));
	problem("$t->{name}, a batch: '" . got('out') . "' for '$want'") if got('out') ne $want;
	return $want;
}

sub prepare {
	my ($t) = @_;
	my $lines = $t->{few} // 3;

	srand($seed);
	$t->{name} //= $t->{tool};
	$t->{lines} //= $t->{out} ? 0 : $lines;
	$t->{lives} = $t->{long} ? 100 : 10;		# runs, before its horizon is near
	put('queries', "a,b\n1,0\n");
	my $all = $input{$t->{input}};
	my $few = ($all =~ /^((?:.*\n){$lines})/)[0];
	# a horizon that all its lines fit in, or a few
	my $in = $t->{long} || $lines == 300 ? $all : ($all =~ /^((?:.*\n){5})/)[0];
	# each line, and another one in its place
	for ([ '', sub { $_[0] } ], [ 'other', sub { $_[0] =~ tr/01234567ab/12345670ba/r } ]) {
		my ($which, $sub) = @$_;
		put($which || 'few', $sub->($few));
		put($which ? 'in.other' : 'in', $sub->($in));
	}
	if ($t->{partial}) {
		for my $name (qw(few other in in.other)) {
			run($name, 'part', 'dpmap', '--once', '--shard=A', '-r', '0:7');
			put($name, got('part'));
		}
	}
	$t->{exact} = exact($t) if $t->{exact};
}

my @kinds = ([ 'killed', \&killed, 20 ], [ 'call', \&call, 24 ], [ 'power', \&power, 12 ],
    [ 'byte', \&byte, 20 ], [ 'race', \&race, 2 ], [ 'move', \&move, 6 ],
    [ 'memory', \&memory, 6 ]);
my %ledger = (killed => \&ledger_killed, call => \&ledger_call, power => \&ledger_power,
    byte => \&ledger_byte, race => \&ledger_race);
my $all = 0;

# As many of a kind as there are to be; of what takes longer, fewer.
sub many {
	my ($name, $few) = @_;

	return $few if $short;
	return int($name eq 'race' ? $most / 25 + 1 : $name eq 'memory' ? $most / 10 + 1 : $most);
}

sub kind {
	my ($t, $name, $sub, $few) = @_;

	return undef if !$sub || (%kind && !$kind{$name});
	return undef if $t->{stateless} && $name ne 'memory';
	return $t->{ledger} ? $sub->(many($name, $few)) : $sub->($t, many($name, $few));
}

sub wanted {
	my ($name) = @_;

	return @rows ? grep { $_ eq $name } @rows : !$short || $name =~ /^(dpcount|dpmaxsum)$/;
}

sub row {
	my ($name, @numbers) = @_;

	printf "%-10s" . ' %7s' x 8 . "\n", $name, (map { $_ // '-' } @numbers), $found;
	$all += $found;
	$found = 0;
}

$| = 1;
mkdir 'd';
$found = 0;
printf "%-10s" . ' %7s' x 8 . "\n", 'of', (map { $_->[0] } @kinds), 'found';
for my $t (@tools) {
	wanted($t->{name} // $t->{tool}) or next;
	prepare($t);
	row($t->{name}, map { kind($t, @$_) } @kinds);
}
if (wanted('ledger')) {
	put('few', "1\n0\n1\n");
	row('ledger', map { kind({ ledger => 1 }, $_->[0], $ledger{$_->[0]}, $_->[2]) } @kinds);
}
exit($all != 0);
