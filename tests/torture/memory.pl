# memory.pl - looks into the memory of a tool with -P: between two lines nothing of what was given
# stands there.
#
# Each line has a secret: a name that nobody else has, or a number of nine digits.  After it was
# taken in, while the tool waits for the next, all memory that it can write is searched: for the
# names, and the numbers and their exact sums, as text, as integers and as floating point.  Noise
# is so wide that it is 0 by no chance.
use strict;
use warnings;
use Time::HiRes qw(usleep);

our ($bin, %printed, $found, $short);

# Waits until all input is taken, and more is waited for; false: it has ended
sub waits {
	my ($pid, $to) = @_;

	for (1 .. 100000) {
		my $left = pack 'i', 0;
		ioctl $to, 0x541b, $left or die "FIONREAD: $!";
		my $call = got("/proc/$pid/syscall");
		return 1 if unpack('i', $left) == 0 && $call =~ /^(?:0|45) 0x0 |^7 /;
		return 0 if got("/proc/$pid/stat") !~ /\) [RSD] /;
		usleep(100);
	}
	die "it does not wait\n";
}

# All memory that it can write, in one piece
sub memory_of {
	my ($pid) = @_;
	my $all = '';

	open my $mem, '<:raw', "/proc/$pid/mem" or die "memory: $!";
	for (split /\n/, got("/proc/$pid/maps")) {
		my ($from, $to, $name) = /^([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+ *(.*)/ or next;
		next if $name =~ /vvar|vsyscall/;
		no warnings 'portable';
		sysseek $mem, hex $from, 0 or next;
		sysread $mem, my $part, hex($to) - hex $from or next;
		$all .= $part . "\0" x 16;
	}
	die "memory: none\n" if length $all < 50000;
	return $all;
}

# The forms of a secret
sub forms {
	my ($s) = @_;

	return ($s) if $s !~ /^\d+$/;
	return ($s, pack('q<', $s), pack('q<', -$s), pack('d<', $s));
}

sub name {
	return join '', 'q', map { chr 97 + int rand 26 } 1 .. 11;
}

sub number {
	return 100000000 + int rand 899999999;
}

# A line, and its number, by how a tool takes it; the step's number where it has a time
my %line = (
	number => sub { my $n = number(); return ($n, $n) },
	keyed => sub {
		my ($n, $k) = (number(), rand() < .5 ? 'x' : name());

		return ("$n $k", $n, $k);
	},
	timed => sub { my $n = number(); return (3600 * int($_[0] / 4) . " $n", $n) },
	name => sub { my $k = name(); return ($k, undef, $k) },
	matched => sub { my $k = name(); return ("$k m", undef, $k) },
	costs => sub { my $n = number(); return ("$n.25 1", $n) },
);

# looks, at most: how many there were
sub looks {
	my ($t, $kind, $most, @args) = @_;
	my ($n, $sum, @secrets) = (0, 0);
	my @command = ("$bin/$t->{tool}", '-q', '-P', '-e', '1', @args);

	pipe my $in, my $to or die;
	my $pid = fork // die;
	if (!$pid) {
		close $to;
		open STDIN, '<&', $in or POSIX::_exit(99);
		open STDOUT, '>', '/dev/null' or POSIX::_exit(99);
		open STDERR, '>', 'out.err' or POSIX::_exit(99);
		exec @command or POSIX::_exit(99);
	}
	close $in;
	while ($n < $most) {
		waits($pid, $to) or die "@command: " . got('out.err');
		my ($line, $number, @names) = $line{$kind}->($n);
		syswrite $to, "$line\n";
		waits($pid, $to) or die "@command: " . got('out.err');
		$sum = $kind eq 'timed' && $n % 4 == 0 ? 0 : $sum;
		$sum += $number if defined $number && (!@names || $names[0] eq 'x');
		@secrets = grep { defined && $_ ne 'x' } $number, @names, @secrets[0 .. 5];
		my $memory = memory_of($pid);
		for my $s (@secrets, $sum > 1 ? $sum : ()) {
			problem("$t->{tool} -P @args: line $n: its memory holds $s")
			    if grep { index($memory, $_) >= 0 } forms($s);
		}
		$n++;
	}
	kill 9, $pid;
	waitpid $pid, 0;
	return $n;
}

sub memory {
	my ($t, $most) = @_;
	my @of = @{$t->{looks} // return undef};
	my $n = 0;

	return undef if $> != 0;		# its memory is root's

	for (@of) {
		my ($kind, @args) = split / /;
		$n += looks($t, $kind, int($most / @of) + 1, @args);
	}
	return $n;
}

1;
