# runs.pl - runs of a tool in the current folder, and what must hold of all that they print.
use strict;
use warnings;
use POSIX ();

our ($bin, %printed, $found);
my $trapper = POSIX::getcwd() . '/trap';

sub put {
	my ($name, $text) = @_;

	open my $f, '>:raw', $name or die "$name: $!";
	print $f $text;
	close $f or die "$name: $!";
}

sub got {
	my ($name) = @_;

	local $/;
	open my $f, '<:raw', $name or return '';
	return <$f> // '';
}

# A tool on a file, or a trap with its options around one, what it prints in `out'; its process.
sub begin {
	my ($trap, $in, $out, $tool, @args) = @_;
	my $pid = fork // die "fork: $!";

	return $pid if $pid;
	open STDIN, '<', $in or POSIX::_exit(99);
	open STDOUT, '>', $out or POSIX::_exit(99);
	open STDERR, '>', "$out.err" or POSIX::_exit(99);
	exec((@$trap ? ($trapper, @$trap) : ()), "$bin/$tool", @args) or POSIX::_exit(99);
}

sub status {
	my ($pid) = @_;

	waitpid $pid, 0;
	return $? & 127 ? 128 + ($? & 127) : $? >> 8;
}

sub run {
	return status(begin([], @_));
}

sub trapped {
	my ($trap, @rest) = @_;
	my $rc = status(begin($trap, @rest));

	die "trap: " . got("$rest[1].err") if $rc == 99;
	return $rc;
}

sub problem {
	my ($what) = @_;

	$found++;
	print STDERR "found: $what\n";
}

# Whole lines: "STEP TEXT", or "STEP .. NAME TEXT" where a step has a row for each name.  No step
# has two texts.
sub take {
	my ($what, $text) = @_;

	for ($text =~ /^(.*)\n/mg) {
		my ($step, $value) = /^(\d+(?:\t.*)?)\t(.*)$/ or next;
		if (defined $printed{$step} && $printed{$step} ne $value) {
			problem("$what: step $step: '$printed{$step}' and '$value'");
		}
		$printed{$step} = $value;
	}
}

# The steps that were printed leave none out.
sub whole {
	my ($what) = @_;
	my %step;

	$step{(split /\t/)[0]} = 1 for keys %printed;
	my $n = keys %step;
	problem("$what: of $n steps some were not printed") if grep { !$step{$_} } 1 .. $n;
}

sub clean {
	unlink glob 's s.* o w d/*';
	%printed = ();
}

sub making {
	my ($t) = @_;

	return ('-q', '-n', '-e', $t->{epsilon} // 1, '--state=s', '--init', @{$t->{init}},
	    @{$t->{each} // []});
}

sub going {
	my ($t) = @_;

	return ('-q', '-n', '--state=s', @{$t->{each} // []});
}

sub fresh {
	my ($t) = @_;

	clean();
	run('few', 'out', $t->{tool}, making($t)) == 0 or die "$t->{name}: " . got('out.err');
	take($t->{name}, got('out'));
}

# What was appended to --out, once and in order.
sub appended {
	my ($t, $after) = @_;
	my @step = got('o') =~ /^(\d+)\t.*\n/mg;

	take("$t->{name}, $after", got('o'));
	problem("$t->{name}, $after: in --out stand the steps @step")
	    if "@step" ne join ' ', 1 .. @step;
}

# After what was done to it a run of few lines ends well; where none was made before, one is made.
# They are other lines: noise that is drawn beforehand does not make of them what was printed.
sub goes_on {
	my ($t, $after) = @_;
	my $rc = run('other', 'out', $t->{tool}, -e 's' ? going($t) : making($t));

	take("$t->{name}, $after", got('out'));
	appended($t, $after) if $t->{out};
	whole("$t->{name}, $after") unless $t->{sparse};
	problem("$t->{name}, $after: status $rc: " . got('out.err')) if $rc != 0 && $rc != 4;
}

# What a run says that ended well: it has printed what a whole run prints.
sub said_all {
	my ($t, $what, $rc) = @_;

	return if $rc != 0;
	my $n = () = got('out') =~ /\n/g;
	problem("$what: status 0, and $n lines") if $n < $t->{lines};
}

1;
