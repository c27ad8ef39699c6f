#!/usr/bin/env perl
# SPDX-License-Identifier: ISC
# usage: tells.pl A B [NAME=VALUE ...] COMMAND ARG ...; prints how many bytes of the writable memory
# of COMMAND, once it has taken in A or B and waits, tell for certain which it was: the same after
# every A, the same after every B, and not the same after both; and where, on standard error.
# Status 2: may not look.
#
# Every round runs both, so that neither the time nor a number of a process can tell.  A byte that
# tells is found in every round, so two are enough where none is.  Noise looks like it by chance, its
# signs above all: once in 2^(2n-1) words after n rounds, of which there are up to 30 (ROUNDS).
# What is named by FRESH, and all that begins so, is removed before each run.
use POSIX ();
use strict;
use warnings;
no warnings 'portable';		# addresses have 64 bits

my ($a, $b, @command) = @ARGV;
my $rounds = $ENV{ROUNDS} // 30;

sub slurp { open my $f, '<', $_[0] or return ''; local $/; return scalar <$f> // '' }

# How often it has slept, or -1 while it runs
sub sleeps
{
	my $s = slurp("/proc/$_[0]/status");
	return $s !~ /^State:\s*S/m ? -1 : $s =~ /^voluntary_ctxt_switches:\s*(\d+)/m ? $1 : 0;
}

# It has taken all of its input, and sleeps from the one look to the other.
sub settle
{
	my ($pid, $pipe) = @_;
	for (1 .. 100000) {
		my $left = pack 'i', 0;
		ioctl $pipe, 0x541b, $left or die "FIONREAD: $!";
		my $before = unpack('i', $left) == 0 ? sleeps($pid) : -1;
		select undef, undef, undef, .001;
		return if $before >= 0 && $before == sleeps($pid);
		die "it has ended\n" if slurp("/proc/$pid/status") !~ /^State:\s+[^Z]/m;
	}
	die "it does not wait\n";
}

sub memory
{
	my $pid = shift;
	my (%m, %name);
	open my $mem, '<:raw', "/proc/$pid/mem" or exit 2;
	for (split /\n/, slurp("/proc/$pid/maps")) {
		my ($from, $to, $name) = /^([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+ *(.*)/ or next;
		next if $name =~ /vvar|vsyscall/;
		my $n = hex($to) - hex $from;
		sysseek $mem, hex $from, 0 and sysread $mem, my $buf, $n or next;
		$m{"$from+$n $name"} = $buf;
	}
	exit 2 unless %m;
	return \%m;
}

# General registers, and the extended ones, as a debugger gets them; where it may not, none.
sub registers
{
	my $pid = shift;
	my %m;
	use constant { PTRACE => 101, SEIZE => 0x4206, INTERRUPT => 0x4207, GETREGSET => 0x4204 };
	return {} if (POSIX::uname())[4] ne 'x86_64' || syscall(PTRACE, SEIZE, $pid, 0, 0) != 0;
	syscall PTRACE, INTERRUPT, $pid, 0, 0;
	waitpid $pid, 0x40000000;		# __WALL
	for ([ 'general', 1 ], [ 'extended', 0x202 ]) {
		my $buf = "\0" x 65536;
		my $to = pack 'PQ', $buf, length $buf;
		syscall(PTRACE, GETREGSET, $pid, $_->[1], $to) == 0 or next;
		$m{"$_->[0] registers"} = substr $buf, 0, unpack 'x8Q', $to;
	}
	return \%m;
}

sub after
{
	my $text = shift;
	unlink glob "$ENV{FRESH}*" if $ENV{FRESH};
	pipe my $in, my $to or die;
	my $pid = fork // die;
	if (!$pid) {
		open STDIN, '<&', $in;
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null' unless $ENV{LOUD};
		close $to;
		exec 'env', '-i', 'LC_ALL=C', 'PATH=/usr/bin:/bin', 'setarch', '-R', 'env', @command or
		    die "env: $!";
	}
	close $in;
	syswrite $to, "$text\n";
	settle($pid, $to);
	my $m = { %{memory($pid)}, %{registers($pid)} };
	kill 'KILL', $pid;
	waitpid $pid, 0;
	return $m;
}

# Adds a look: [the first, what was not the same in all]
sub look
{
	my ($side, $m) = @_;
	$side->{$_} //= [ $m->{$_}, '', 0 ] for keys %$m;
	for (keys %$side) {
		my $s = $side->{$_};
		next unless defined $m->{$_};
		$s->[2]++;
		$s->[1] |= $m->{$_} ^ $s->[0];
	}
}

sub compare
{
	my ($x, $y, $n) = @_;
	my @found;
	for my $at (sort keys %{{ %$x, %$y }}) {
		my ($s, $t) = ($x->{$at}, $y->{$at});
		if (!$s || !$t) {
			push @found, "all of $at" if ($s || $t)->[2] == $n;
			next;
		}
		my ($d, $varies) = ($s->[0] ^ $t->[0], $s->[1] | $t->[1]);
		while ($d =~ /[^\0]/g) {
			my $o = $-[0];
			next if ord substr $varies, $o, 1;
			push @found, sprintf '%s at %#x: %02x or %02x', $at, $o,
			    map { ord substr $_->[0], $o, 1 } $s, $t;
		}
	}
	return @found;
}

my (%x, %y, @found);
for my $n (1 .. $rounds) {
	look(\%x, after($a));
	look(\%y, after($b));
	next if $n == 1 || ($n > 4 && $n % 4 && $n < $rounds);
	@found = compare(\%x, \%y, $n);
	last unless @found;
}
print STDERR "$_\n" for @found[0 .. ($#found < 19 ? $#found : 19)];
print scalar(@found), "\n";
