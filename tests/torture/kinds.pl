# kinds.pl - kills, failing calls, damage and races on the state of one tool.
use strict;
use warnings;
use Errno qw(EIO ENOSPC EINTR ENOMEM);
use Time::HiRes qw(usleep);

our ($bin, %printed, $found, $short);

# How many calls a run makes, and their numbers.
sub calls {
	my ($t, @args) = @_;

	trapped([ '-c', 'count' ], 'few', 'out', $t->{tool}, @args);
	take($t->{name}, got('out'));
	return split /\n/, got('count');
}

# A run that is killed at a random call or time, on a state that goes on from kill to kill.
sub kill_one {
	my ($t, $calls) = @_;
	my $in = rand() < .5 ? 'in' : 'in.other';

	if (rand() < .5) {
		my @at = ('-n', 1 + int rand $calls, '-h', rand() < .5 ? 'before' : 'after');
		trapped(\@at, $in, 'out', $t->{tool}, going($t), '--line-buffered');
		return "killed @at";
	}
	my $pid = begin([], $in, 'out', $t->{tool}, going($t), '--line-buffered');
	usleep(int rand 12000);
	kill 9, $pid;
	status($pid);
	return 'killed';
}

# One that is killed as it makes its state, or in its first steps.
sub kill_first {
	my ($t, $calls) = @_;
	my @at = ('-n', 1 + int rand $calls, '-h', rand() < .5 ? 'before' : 'after');

	clean();
	trapped(\@at, 'few', 'out', $t->{tool}, making($t));
	take("$t->{name}, first run", got('out'));
	problem("$t->{name}, first run, @at: it printed, and has no state") if -s 'out' && !-e 's';
	goes_on($t, "killed first @at");
}

# A batch without noise to speak of, killed and given again until it is done: no line is lost, none
# counts twice.
sub kill_batch {
	my ($t, $calls) = @_;
	my %sure = (%$t, epsilon => 1e15, each => [ @{$t->{each} // []}, '--batch=1',
	    '--line-buffered' ]);
	my ($rc, @at);

	clean();
	for (1 .. 3) {
		@at = ('-n', 1 + int rand $calls, '-h', rand() < .5 ? 'before' : 'after');
		trapped(\@at, 'few', 'out', $t->{tool}, -e 's' ? going(\%sure) : making(\%sure));
		take("$t->{name}, batch", got('out'));
	}
	$rc = run('few', 'out', $t->{tool}, -e 's' ? going(\%sure) : making(\%sure));
	take("$t->{name}, batch", got('out'));
	my $all = join '', map { "$_\t$printed{$_}\n" } sort { $a <=> $b } keys %printed;
	problem("$t->{name}, batch, @at: status $rc: '$all' for '$t->{exact}'")
	    if $rc != 0 || $all ne $t->{exact};
}

sub killed {
	my ($t, $most) = @_;
	my ($n, $runs) = (0, 0);

	fresh($t) unless $t->{single};
	my $calls = $t->{single} ? 400 : calls($t, going($t)) + 120;
	while ($n < $most) {
		my $how = 'first';

		if ($t->{single} || $n % 20 == 7) {
			kill_first($t, $calls);
			$runs = $t->{lives};
		} elsif ($t->{exact} && $n % 20 == 17) {
			kill_batch($t, $calls);
			$runs = $t->{lives};
			$n += 2;
		} else {
			if ($runs++ >= $t->{lives}) {
				goes_on($t, 'killed') if -e 's';
				fresh($t);
				$runs = 0;
			}
			$how = kill_one($t, $calls);
			take("$t->{name}, $how", got('out'));
		}
		$n++;
	}
	goes_on($t, 'killed');
	return $n;
}

# What is done at a call; whether it can be at one of this number.
sub hows {
	return (qw(before after short), map { 0 + $_ } EIO, ENOSPC, EINTR, ENOMEM);
}

sub possible {
	my ($how, $nr) = @_;

	return $how ne 'short' || $nr =~ /^(0|1|17|18)$/;
}

# Each call of a run that makes its state, and of one that goes on: killed before it and after it,
# half done, failing.
sub call {
	my ($t, $most) = @_;
	my ($n, $every) = (0, 1);
	my @todo;

	for my $first ($t->{single} ? 1 : (0, 1)) {
		clean();
		fresh($t) unless $first;
		my @nr = calls($t, $first ? making($t) : going($t));
		for my $how (hows()) {
			push @todo, map { [ $first, $how, $_ ] }
			    grep { possible($how, $nr[$_ - 1]) } 1 .. @nr;
		}
	}
	$every = @todo / $most if $most < @todo;
	for (my $i = 0; $i < @todo; $i += $every) {
		my ($first, $how, $at) = @{$todo[$i]};

		if ($first) {
			clean();
		} elsif ($n % ($t->{lives} / 2) == 0 || !-e 's') {
			fresh($t);
		}
		my $rc = trapped([ '-n', $at, '-h', $how ], 'few', 'out', $t->{tool},
		    $first ? making($t) : going($t));
		my $what = "$t->{name}, " . ($first ? 'first run, ' : '') . "$how $at";
		take($what, got('out'));
		said_all($t, $what, $rc);
		problem("$what: it printed, and has no state") if -s 'out' && !-e 's';
		goes_on($t, "$how $at");
		$n++;
	}
	return $n;
}

# Each byte of a file, or some of them, with one bit of it other.
sub each_byte {
	my ($name, $most, $check) = @_;
	my $size = -s $name;
	my $every = $most < $size ? $size / $most : 1;
	my $n = 0;

	for (my $i = 0; $i < $size; $i += $every) {
		my $at = int $i;
		open my $f, '+<:raw', $name or die "$name: $!";
		seek $f, $at, 0;
		read $f, my $old, 1;
		seek $f, $at, 0;
		print $f chr(ord($old) ^ 1 << int rand 8);
		close $f;
		$check->($at);
		open $f, '+<:raw', $name or die "$name: $!";
		seek $f, $at, 0;
		print $f $old;
		close $f;
		$n++;
	}
	return $n;
}

sub byte {
	my ($t, $most) = @_;

	clean();
	fresh($t);
	my $n = each_byte('s', $most, sub {
		my $rc = run('few', 'out', $t->{tool}, going($t));
		problem("$t->{name}: byte $_[0]: status $rc, printed " . -s 'out')
		    if $rc != 5 || -s 'out';
	});
	goes_on($t, 'bytes');
	if ($t->{partial}) {		# exact counts of a shard, too
		put('part', got('few'));
		$n += each_byte('part', $most, sub {
			my $rc = run('part', 'out', $t->{tool}, going($t));
			problem("$t->{name}: byte $_[0] of the input: status $rc")
			    if $rc != 3 || -s 'out';
		});
	}
	return $n;
}

sub race {
	my ($t, $most) = @_;
	my $n = 0;

	clean();
	fresh($t);
	while ($n < $most) {
		fresh($t) if $n % 3 == 2;
		my @pid = map { begin([], $_ % 2 ? 'few' : 'other', "out$_", $t->{tool},
		    going($t)) } 1 .. 6;
		my @rc = map { status($_) } @pid;
		for my $i (1 .. 6) {
			take("$t->{name}, race", got("out$i"));
			problem("$t->{name}, race: status $rc[$i - 1]")
			    unless $rc[$i - 1] =~ /^(0|4|75)$/;
			problem("$t->{name}, race: refused, and printed")
			    if $rc[$i - 1] == 75 && -s "out$i";
		}
		problem("$t->{name}, race: nobody went on") unless grep { $_ == 0 || $_ == 4 } @rc;
		$n++;
	}
	goes_on($t, 'race');
	return $n;
}

1;
