#!/usr/bin/perl
# perl torture.pl BIN SECONDS [SEED]; prints a table: what was done to each tool's state, how often,
# and what was found, which must be nothing.  SECONDS are for all of it, but each kind of torture
# begins for each tool; 0: the short form, by numbers alone.  It works in the current folder.
#
#	killed	by SIGKILL at a random time, again and again on one state
#	effect	at the N-th call that changes a file: killed before it or after it, or the call
#		fails (EIO, ENOSPC), for each N that a run comes to, or some
#	byte	each byte of the state, or some, has another value: refused, and nothing printed
#	race	six runs at once on one state
# After each the tool goes on with the state.  Found: a step that was printed with two values, a run
# that goes on where it must not, or does not where it must.
use strict;
use warnings;
use POSIX ();
use Time::HiRes qw(time usleep);

my ($bin, $seconds, $seed) = @ARGV;
srand($seed // 1);
my $short = $seconds == 0;
my %input;
$input{bits} = join '', map { ($_ % 3 == 0) . "\n" } 1 .. 4000;
$input{pairs} = join '', map { ($_ % 3 == 0 ? 'a' : 'b') . "\n" } 1 .. 4000;
$input{costs} = join '', map { ".$_ .5\n" } map { $_ % 10 } 1 .. 4000;
my @tools = (
	[ 'dpcount', 'bits', [], [ '-T', '1G' ] ],
	[ 'dpwindow', 'bits', [], [ '-T', '1G', '-w', '5' ] ],
	[ 'dpdecay', 'bits', [], [ '-T', '1G', '--half-life=4' ] ],
	[ 'dpmean', 'bits', [], [ '-T', '1M', '-v', '1' ] ],
	[ 'dpquantile', 'bits', [], [ '-T', '1k', '-r', '0:7', '--quantile=.5' ] ],
	[ 'dpmaxsum', 'pairs', [], [ '-T', '1k', '-k', '1', '--keys=a,b', '-M', 'normtree' ] ],
	[ 'dpexperts', 'costs', [], [ '-T', '1k', '--columns=2' ] ],
	[ 'dpdistinct', 'pairs', [], [ '-T', '1M' ] ],
);
@tools = @tools[0, 5] if $short;

my (%printed, $found, $tried);

sub put {
	my ($name, $text) = @_;

	open my $f, '>', $name or die "$name: $!";
	print $f $text;
	close $f or die "$name: $!";
}

sub got {
	my ($name) = @_;

	local $/;
	open my $f, '<', $name or return '';
	return <$f> // '';
}

# The tool on a file, what it prints in `out'; returns its process.
sub begin {
	my ($env, $in, $out, @command) = @_;
	my $pid = fork // die "fork: $!";

	return $pid if $pid;
	$ENV{$_} = $env->{$_} for keys %$env;
	open STDIN, '<', $in or POSIX::_exit(99);
	open STDOUT, '>', $out or POSIX::_exit(99);
	open STDERR, '>', "$out.err" or POSIX::_exit(99);
	exec "$bin/$command[0]", @command[1 .. $#command] or POSIX::_exit(99);
}

sub status {
	my ($pid) = @_;

	waitpid $pid, 0;
	return $? & 127 ? 128 + ($? & 127) : $? >> 8;
}

sub run {
	return status(begin({}, @_));
}

sub problem {
	my ($what) = @_;

	$found++;
	print STDERR "found: $what\n";
}

# Whole lines of a run: "STEP TEXT"; no step has two texts.
sub take {
	my ($name, $out) = @_;

	for (got($out) =~ /^(.*)\n/mg) {
		my ($step, $text) = /^(\d+)\t(.*)$/ or next;
		if (defined $printed{$step} && $printed{$step} ne $text) {
			problem("$name: step $step: '$printed{$step}' and '$text'");
		}
		$printed{$step} = $text;
	}
}

sub fresh {
	my ($t) = @_;

	unlink glob 's s.*';
	%printed = ();
	run('in', 'out', $t->[0], @{$t->[3]}, '-q', '-e', '1', '-n', '--state=s', '--init') == 0 or
	    die "$t->[0]: " . got('out.err');
	take($t->[0], 'out');
}

sub command {
	my ($t) = @_;

	return ($t->[0], '-q', '--state=s', '-n', @_[1 .. $#_]);
}

# It goes on: a run of few lines ends well.
sub goes_on {
	my ($t, $after) = @_;
	my $rc = run('few', 'out', command($t));

	take("$t->[0], $after", 'out');
	problem("$t->[0], $after: status $rc: " . got('out.err')) if $rc != 0 && $rc != 4;
}

sub killed {
	my ($t, $until, $most) = @_;
	my $n = 0;

	fresh($t);
	while ($n < $most && time < $until) {
		fresh($t) if $n % 100 == 99;		# before its horizon is near
		my $pid = begin({}, 'in', 'out', command($t, '--line-buffered'));
		usleep(int rand 12000);
		kill 9, $pid;
		status($pid);
		take("$t->[0], killed", 'out');
		$n++;
	}
	goes_on($t, 'killed');
	return $n;
}

sub effect {
	my ($t, $until, $most) = @_;
	my $n = 0;

	for my $how (qw(before after full eio)) {
		for (my $at = 1; $n < $most && time < $until; $at += $short ? 3 : 1) {
			fresh($t);
			unlink 'reached';
			my $rc = status(begin({ AT => $at, HOW => $how, LD_PRELOAD => './die.so' },
			    'few', 'out', command($t)));
			take("$t->[0], $how $at", 'out');
			last unless -e 'reached';
			$n++;
			goes_on($t, "$how $at");
		}
	}
	return $n;
}

sub byte {
	my ($t, $until, $most) = @_;
	my $n = 0;

	fresh($t);
	my $size = -s 's';
	my $each = $most < $size ? int($size / $most) : 1;
	for (my $i = 0; $i < $size && time < $until; $i += $each) {
		open my $f, '+<', 's' or die "s: $!";
		seek $f, $i, 0;
		read $f, my $old, 1;
		seek $f, $i, 0;
		print $f chr(ord($old) ^ 1 << int rand 8);
		close $f;
		my $rc = run('few', 'out', command($t));
		problem("$t->[0]: byte $i: status $rc, printed " . -s 'out') if $rc != 5 || -s 'out';
		open $f, '+<', 's' or die "s: $!";
		seek $f, $i, 0;
		print $f $old;
		close $f;
		$n++;
	}
	goes_on($t, 'bytes');
	return $n;
}

sub race {
	my ($t, $until, $most) = @_;
	my $n = 0;

	fresh($t);
	while ($n < $most && time < $until) {
		fresh($t) if $n % 20 == 19;
		my @pid = map { begin({}, 'few', "out$_", command($t)) } 1 .. 6;
		my @rc = map { status($_) } @pid;
		for my $i (1 .. 6) {
			take("$t->[0], race", "out$i");
			problem("$t->[0], race: status $rc[$i - 1]")
			    unless $rc[$i - 1] =~ /^(0|4|75)$/;
			problem("$t->[0], race: refused, and printed")
			    if $rc[$i - 1] == 75 && -s "out$i";
		}
		problem("$t->[0], race: nobody went on") unless grep { $_ == 0 || $_ == 4 } @rc;
		$n++;
	}
	goes_on($t, 'race');
	return $n;
}

my @kinds = ([ 'killed', \&killed, 20, .5 ], [ 'effect', \&effect, 24, .2 ],
    [ 'byte', \&byte, 40, .25 ], [ 'race', \&race, 3, .05 ]);
my $all = 0;
printf "%-11s %8s %8s %8s %8s %8s\n", 'tool', (map { $_->[0] } @kinds), 'found';
for my $t (@tools) {
	my @row;
	put('in', $input{$t->[1]});
	put('few', ($input{$t->[1]} =~ /^((?:.*\n){3})/)[0]);
	# a horizon that all its lines fit in, many times, or a few lines
	put('in', ($input{$t->[1]} =~ /^((?:.*\n){5})/)[0]) if grep { $_ eq '1k' } @{$t->[3]};
	$found = 0;
	for my $k (@kinds) {
		my $until = time + ($short ? 600 : $seconds * $k->[3] / @tools);

		push @row, $k->[1]->($t, $until, $short ? $k->[2] : 1e9);
	}
	printf "%-11s %8d %8d %8d %8d %8d\n", $t->[0], @row, $found;
	$all += $found;
}
exit($all != 0);
