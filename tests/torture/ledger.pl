# ledger.pl - what was printed was charged, and once: a budget's ledger under kills, failing calls, a
# loss of power, damage and races; a state that is made with its charge; and one that moves.
use strict;
use warnings;

our ($bin, %printed, $found, $short);
my ($runs, $released);
my @charged = ('-q', '-n', '-e', '1', '-T', '9', '--budget=L');

sub new_ledger {
	unlink glob 'L L[.-]*';
	($runs, $released) = (0, 0);
	run('few', 'out', 'dpbudget', '--init', '--total=event:1000000', 'L') == 0 or
	    die got('out.err');
}

sub spent {
	my ($rc) = run('few', 'show', 'dpbudget', '--show', 'L');

	return $rc == 0 && got('show') =~ /^spent +epsilon (\d+),/m ? $1 : undef;
}

sub charge {
	my ($trap, $in, $out) = @_;
	my $rc = trapped($trap, $in // 'few', $out // 'out', 'dpcount', @charged);

	$runs++;
	$released++ if -s ($out // 'out');
	return $rc;
}

sub paid {
	my ($what) = @_;
	my $spent = spent();

	problem("ledger, $what: it cannot be shown: " . got('show.err')), return
	    unless defined $spent;
	problem("ledger, $what: $released runs printed, of $runs; $spent were charged")
	    if $spent < $released || $spent > $runs;
}

sub ledger_killed {
	my ($most) = @_;
	my $calls;

	for my $n (0 .. $most - 1) {
		if ($n % 100 == 0) {
			new_ledger();
			charge([ '-c', 'count' ]);
			$calls = () = got('count') =~ /\n/g;
		}
		my @at = ('-n', 1 + int rand $calls, '-h', rand() < .5 ? 'before' : 'after');
		charge(\@at);
		paid("killed @at") if $n % 10 == 9;
	}
	paid('killed');
	problem('ledger, killed: it does not go on') if charge([]) != 0;
	return $most + ledger_made($most);
}

# A merge that makes its state with its charge, and is queued again.
sub merge {
	my ($trap, $out) = @_;
	my @new = -e 's' ? () : ('--init', '-e', '1', '-T', '9');

	return trapped($trap, 'few', $out, 'dpcount', '-q', '-n', '--once', '--partial',
	    '--expect=1', '--state=s', '--batch=1', '--budget=L', @new, 'part');
}

# Killed at a call as it makes its state, and at another one as it goes on: one charge, one answer,
# and no charge whose state is missing.
sub ledger_made {
	my ($most) = @_;
	my @calls;

	run('few', 'part', 'dpmap', '-q', '--once', '-m', '1', '--shard=1') == 0 or
	    die got('part.err');
	new_ledger();
	clean();
	for (0, 1) {
		merge([ '-c', 'count' ], 'out');
		push @calls, scalar(() = got('count') =~ /\n/g);
	}
	my @todo = map { my $n = $_; map { [ $n, $_ ] } 'before', 'after' } 1 .. $calls[0];
	my ($n, $every, $paid) = (0, $most < @todo ? @todo / $most : 1, 1);
	for (my $i = 0; $i < @todo; $i += $every) {
		my ($at, $how) = @{$todo[$i]};

		clean();
		merge([ '-n', $at, '-h', $how ], 'out');
		problem("ledger, merge, $how $at: a charge or an answer, and no state")
		    if !-e 's' && (-s 'out' || spent() != $paid);
		take("ledger, merge, $how $at", got('out'));
		merge([ '-n', 1 + int rand $calls[1], '-h', $how ], 'out');
		take("ledger, merge, $how $at", got('out'));
		my $rc = merge([], 'out');
		problem("ledger, merge, $how $at: status $rc, printed " . -s 'out')
		    if $rc != 0 || !-s 'out';
		take("ledger, merge, $how $at", got('out'));
		my $spent = spent();
		problem("ledger, merge, $how $at: charged " . ($spent - $paid))
		    if $spent != $paid + 1;
		$paid = $spent;
		$n++;
	}
	clean();
	return $n;
}

sub ledger_call {
	my ($most) = @_;
	my @todo;

	new_ledger();
	charge([ '-c', 'count' ]);
	my @nr = split /\n/, got('count');
	for my $how (hows()) {
		push @todo, map { [ $how, $_ ] } grep { possible($how, $nr[$_ - 1]) } 1 .. @nr;
	}
	my ($n, $every) = (0, $most < @todo ? @todo / $most : 1);
	for (my $i = 0; $i < @todo; $i += $every) {
		my ($how, $at) = @{$todo[$i]};

		new_ledger() if $n % 50 == 0;
		my $rc = charge([ '-n', $at, '-h', $how ]);
		my $lines = () = got('out') =~ /\n/g;
		problem("ledger, $how $at: status 0, and $lines lines") if $rc == 0 && $lines < 3;
		paid("$how $at");
		$n++;
	}
	problem('ledger, calls: it does not go on') if charge([]) != 0;
	return $n;
}

sub ledger_power {
	my ($most) = @_;
	my (%seen, @all);
	my $d = empty_disk();

	mkdir 'disk';
	chdir 'disk' or die 'disk';
	unlink grep { -f } glob '* d/*';
	my @new = ('--init', '--total=event:1000000', 'L');
	trapped([ '-t', '../trace' ], '../few', '../out', 'dpbudget', @new);
	push @all, images_of($d, \%seen);
	settled($d);
	trapped([ '-t', '../trace', '-c', '../count' ], '../few', '../out', 'dpcount', @charged);
	push @all, images_of($d, \%seen);
	my @at = telling();
	@at = @at[map { int rand @at } 1 .. 2] if $short;
	for my $at (@at) {
		unlink grep { -f } glob '* d/*';
		$d = empty_disk();
		for my $trap ([], [ '-n', $at, '-h', 'before' ], []) {
			my @command = $d->{began}++ ? ('dpcount', @charged) : ('dpbudget', @new);
			trapped([ '-t', '../trace', @$trap ], '../few', '../out', @command);
			my @images = images_of($d, \%seen);
			push @all, @images if $d->{began} == 3;
			settled($d) if $d->{began} == 1;
		}
	}
	@all = @all[map { int rand @all } 1 .. $most] if @all > $most;
	for my $image (@all) {
		my ($files, $disk) = @$image;
		make_image($files);
		# a run prints three lines, and begins with the first
		$released = () = $disk->{told} =~ /^1\t/mg;
		$runs = 2;
		if (!exists $files->{L}) {
			problem('ledger, power: it printed, and is gone') if $released;
			next;
		}
		$runs++;
		my $rc = trapped([ '-i', '../ids' ], '../few', '../out', 'dpcount', @charged);
		$released++ if -s '../out';
		problem("ledger, power: status $rc: " . got('../out.err')) if $rc != 0;
		# a new file has the inode that the ledger says
		$rc = trapped([ '-i', '../ids' ], '../few', '../show', 'dpbudget', '--show', 'L');
		my ($spent) = got('../show') =~ /^spent +epsilon (\d+),/m;
		problem("ledger, power: $released printed, " . ($spent // 'nothing') . ' charged')
		    if ($spent // 0) < $released || $spent > $runs;
	}
	chdir '..';
	return scalar @all;
}

# A byte that is in no record may be any.
sub ledger_byte {
	my ($most) = @_;

	new_ledger();
	charge([]) for 1 .. 2;
	my ($whole, $witness, $before) = (got('L'), got('L.witness'), spent());
	return each_byte('L', $most, sub {
		my $rc = run('few', 'out', 'dpcount', @charged);
		my $after = $rc == 0 ? spent() : $before;
		problem("ledger: byte $_[0]: status $rc, printed " . -s 'out')
		    if $rc == 0 ? ($after // 0) != $before + 1 : $rc != 5 || -s 'out';
		for ([ 'L', $whole ], [ 'L.witness', $witness ]) {	# the inode stays
			put(@$_);
		}
		unlink 'L-journal';
	});
}

sub ledger_race {
	my ($most) = @_;

	for my $n (0 .. $most - 1) {
		new_ledger() if $n % 20 == 0;
		my @pid = map { begin([], 'few', "out$_", 'dpcount', @charged) } 1 .. 6;
		my @rc = map { status($_) } @pid;
		$runs += 6;
		$released += grep { -s "out$_" } 1 .. 6;
		problem("ledger, race: status @rc") if grep { !/^(0|75)$/ } @rc;
		paid('race');
	}
	return $most;
}

# The state moves to d/t: after what was done to the move it is asked for again, and then the one
# has ended and the other goes on.
sub asked_again {
	my ($t, $what, $ids, $up) = @_;
	my @ids = $ids ? ('-i', "$up/ids") : ();
	my ($few, $out) = ("$up/other", "$up/out");
	my $rc = trapped(\@ids, $few, $out, $t->{tool}, '-q', '--state=s', '--state-move=d/t');

	problem("$what: asked again, status $rc: " . got("$out.err")) if $rc != 0;
	$rc = trapped(\@ids, $few, $out, $t->{tool}, going($t));
	problem("$what: the old one, status $rc") if $rc != 5 || -s $out;
	my @new = grep { $_ ne '--state=s' } going($t);
	for my $ids (\@ids, []) {
		$rc = trapped($ids, $few, $out, $t->{tool}, '--state=d/t', @new);
		take($what, got($out));
		problem("$what: the new one, status $rc: " . got("$out.err"))
		    if $rc != 0 && $rc != 4;
		whole($what) unless $t->{sparse};
	}
}

sub move_power {
	my ($t, $most) = @_;
	my $d = empty_disk();

	mkdir 'disk';
	chdir 'disk' or die 'disk';
	unlink grep { -f } glob '* d/*';
	mkdir 'd';
	recorded([], $t, making($t));
	images_of($d, {});
	settled($d);
	recorded([], $t, '-q', '--state=s', '--state-move=d/t');
	my @all = images_of($d, {});
	@all = @all[map { int rand @all } 1 .. $most] if @all > $most;
	for my $image (@all) {
		make_image($image->[0]);
		%printed = ();
		take($t->{name}, told($image->[1]));
		asked_again($t, "$t->{name}, move, power", 1, '..');
	}
	chdir '..';
	return scalar @all;
}

sub move {
	my ($t, $most) = @_;
	my ($n, @todo) = (0);

	return undef if $t->{out};
	fresh($t);
	mkdir 'd';
	trapped([ '-c', 'count' ], 'few', 'out', $t->{tool}, '-q', '--state=s', '--state-move=d/t');
	my @nr = split /\n/, got('count');
	for my $how (hows()) {
		push @todo, map { [ $how, $_ ] } grep { possible($how, $nr[$_ - 1]) } 1 .. @nr;
	}
	my $every = $most < @todo ? @todo / $most : 1;
	for (my $i = 0; $i < @todo; $i += $every) {
		my ($how, $at) = @{$todo[$i]};

		fresh($t);
		trapped([ '-n', $at, '-h', $how ], 'few', 'out', $t->{tool}, '-q', '--state=s',
		    '--state-move=d/t');
		asked_again($t, "$t->{name}, move, $how $at", 0, '.');
		$n++;
	}
	return $n + move_power($t, $most);
}

1;
