#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# perl rotate.pl BIN [EVERY]: logs are rotated at each EVERY-th system call of a run that reads them,
# from where it begins to open them; prints a table: how they were rotated, how often, how many of
# the runs were refused, and what was found, which must be nothing.  It works in the current folder,
# where ./trap stands.
#
# Each time there is one day to be counted, which is over; its lines stand in two of the logs.  The
# run counts all of them, or is refused, prints nothing and leaves its state as it was: then the
# next run counts all.
use strict;
use warnings;
use FindBin;
use POSIX ();
use lib $FindBin::Bin;

our ($bin, $every) = @ARGV;
our (%printed, $found);
$found = 0;
require 'runs.pl';
$every ||= 1;
$ENV{LD_BIND_NOW} = 1;

# so many requests of each day of May 2026
sub requests {
	my (%day) = @_;

	return join '', map { my $d = $_; map { sprintf "192.0.2.%d - - [%02d/May/2026:%02d:00:07 " .
	    "+0000] \"GET /p HTTP/1.1\" 200 %d\n", $_ % 250, $d, $_ % 24, $_ } 1 .. $day{$d} }
	    sort keys %day;
}

sub add {
	my ($name, $text) = @_;

	open my $f, '>>', $name or die "$name: $!";
	print $f $text;
	close $f or die "$name: $!";
}

sub cut {
	my ($name) = @_;

	truncate $name, 0 or die "$name: $!";
}

sub move {
	my ($from, $to) = @_;

	rename $from, $to or die "$from: $!";
}

my %packed;

sub pack_one {
	my ($name) = @_;
	my $text = got($name);

	$packed{$text} //= do { my $z = `gzip -c '$name'`; $? == 0 or die; $z };
	put("$name.gz", $packed{$text});
	unlink $name;
}

# before: days 1 to 3 are over; day 2 is asked for, and the newest log has half of it
my %begin = (
	plain => sub {
		put('log.2', requests(1 => 9));
		put('log.1', requests(1 => 5, 2 => 4));
		put('log', requests(2 => 6, 3 => 2));
	},
	packed => sub {
		put($_->[0], $_->[1]), pack_one($_->[0]) for [ 'log.2', requests(1 => 9) ],
		    [ 'log.1', requests(1 => 5, 2 => 4) ];
		put('log', requests(2 => 6, 3 => 2));
	},
	delayed => sub {
		put('log.2', requests(1 => 9));
		pack_one('log.2');
		put('log.1', requests(1 => 5, 2 => 4));
		put('log', requests(2 => 6, 3 => 2));
	},
	first => sub {
		put('log.2', requests(1 => 9));
		put('log.1', '');
		put('log', requests(2 => 10, 3 => 2));
	},
);

# Name, what the logs are before, the rotation, and what completes it later; 1: the next run may be
# refused, too, as a log that is longer again looks like one that is not cut.
my @how = (
	[ 'renamed', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		move('log', 'log.1');
		put('log', requests(3 => 1));
		add('log.1', requests(3 => 3));		# by who had it open
	} ],
	[ 'half renamed', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		move('log', 'log.1');
	}, sub {
		put('log', '');
	} ],
	[ 'compressed', 'packed', sub {
		move('log.2.gz', 'log.3.gz');
		move('log.1.gz', 'log.2.gz');
		move('log', 'log.1');
		put('log', '');
		pack_one('log.1');
	} ],
	[ 'half compressed', 'packed', sub {
		move('log.2.gz', 'log.3.gz');
		move('log.1.gz', 'log.2.gz');
		move('log', 'log.1');
		put('log', '');
		my $text = got('log.1');
		pack_one('log.1');
		put('log.1', $text);
		truncate 'log.1.gz', length(got('log.1.gz')) / 2 or die;
	}, sub {
		pack_one('log.1');
	} ],
	[ 'compressed late', 'delayed', sub {
		move('log.2.gz', 'log.3.gz');
		move('log.1', 'log.2');
		pack_one('log.2');
		move('log', 'log.1');
		put('log', requests(3 => 1));
	} ],
	[ 'copied, cut', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		put('log.1', got('log'));
		cut('log');
	}, undef, 1 ],
	[ 'copied, cut, grown', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		put('log.1', got('log'));
		cut('log');
		add('log', requests(3 => 30));
	}, undef, 1 ],
	[ 'half copied', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		put('log.1', substr(got('log'), 0, 500));
	}, sub {
		put('log.1', got('log'));
		cut('log');
	}, 1 ],
	[ 'copied, not cut', 'plain', sub {
		move('log.2', 'log.3');
		move('log.1', 'log.2');
		put('log.1', got('log'));
	}, sub {
		cut('log');
	}, 1 ],
	[ 'copied over, cut', 'first', sub {
		put('log.1', got('log'));
		cut('log');
	} ],
	[ 'copied over, grown', 'first', sub {
		put('log.1', got('log'));
		cut('log');
		add('log', requests(3 => 20));
	} ],
);

my @form = qw(-q --log=combined --bucket=1d -w 1);
my @day = qw(--from=2026-05-02 --to=2026-05-03);
my $want = "2026-05-02T00:00:00Z\t10\n";

# The logs before, and with a state its first day.
sub start {
	my ($before) = @_;

	unlink glob 'log* s s.* o';
	put('o', '');
	if ($every == 1) {
		put('log', '');
		run('log', 'out', 'dpwindow', @form, qw(-e 1000000 -T 9 --state=s --init --from=2026-05-01
		    --to=2026-05-02)) == 0 or die got('out.err');
	}
	$begin{$before}->();
}

sub command {
	my @logs = sort glob 'log*';

	@logs = reverse @logs if $_[0] % 2;
	return ('log', 'out', 'dpwindow', @form, $every == 1 ? '--state=s' : qw(-e inf), @day, @logs);
}

# A run in which the n-th call waits for $sub; its status.
sub told {
	my ($n, $sub, @command) = @_;

	pipe(my $hear, my $tell) && pipe(my $wait, my $go) or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		# above those that are asked for, then there
		my @fd = map { POSIX::dup2($_->[0], $_->[1]) } [ fileno $tell, 20 ],
		    [ fileno $wait, 21 ];
		POSIX::dup2(20, 3);
		POSIX::dup2(21, 4);
		POSIX::close($_) for 5 .. 21;
		POSIX::_exit(status(begin([ '-n', $n, '-h', 'told' ], @command)));
	}
	close $tell;
	close $wait;
	if (sysread $hear, my $byte, 1) {
		$sub->();
		syswrite $go, 'x';
	}
	return status($pid);
}

# From where the logs are opened: how many files may be open is asked, and then one is looked at.
sub calls {
	trapped([ '-c', 'calls' ], command(0)) == 0 or die got('out.err');
	my @call = split /\n/, got('calls');
	my ($first) = grep { $call[$_ - 1] == 302 && $call[$_] == 262 } 1 .. $#call;
	return ($first, scalar @call);
}

my $all = 0;
printf "%-20s" . ' %7s' x 3 . "\n", 'rotated', 'calls', 'refused', 'found';
for my $i (0 .. $#how) {
	my ($name, $before, $sub, $rest, $again) = @{$how[$i]};
	my ($runs, $refused) = (0, 0);

	start($before);
	my ($first, $last) = calls();
	for (my $n = $first + $i % $every; $n <= $last; $n += $every) {
		start($before);
		my $rc = told($n, $sub, command(int($n / $every)));
		my $what = "$name at call $n";
		$runs++;
		$refused += $rc != 0;
		problem("$what: status $rc: " . got('out.err')) if $rc != 0 && $rc != 1 && $rc != 3;
		problem("$what: '" . got('out') . "'") if got('out') ne ($rc == 0 ? $want : '');
		next if $rc == 0;
		$rest->() if $rest;
		$rc = run(command($n));
		next if $again && $rc == 1 && got('out') eq '';
		problem("$what, and the next run: status $rc: '" . got('out') . "' " .
		    got('out.err')) if $rc != 0 || got('out') ne $want;
	}
	printf "%-20s" . ' %7d' x 3 . "\n", $name, $runs, $refused, $found;
	$all += $found;
	$found = 0;
}
exit($all != 0);
