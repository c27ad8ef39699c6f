# power.pl - what a loss of power may leave of a tool's files, and whether it goes on from there.
#
# A run's effects on files are written down (trap.c).  After any of them power may go.  Then a
# write, a cut or a growth that no fsync of its file followed is there, or not, or a part of it is:
# up to a border of sectors, or a byte, or from there on; and of a folder's names that no fsync of
# the folder followed each change is there or not, in whatever order.  What was printed was read.
#
# Runs: one that makes the state; one that goes on; and one that goes on after another was killed,
# whose effects no fsync followed either.  The folder is `disk'.
use strict;
use warnings;
use Cwd qw(getcwd);
use Digest::MD5 qw(md5);

our ($bin, %printed, $found, $short);

# {file}{ID}: [durable text, changes that are not]; {name}: durable PATH to ID; {late}: changes of
# names by folder; {told}: what was printed
sub empty_disk {
	return { file => {}, name => {}, late => {}, told => '' };
}

sub copy_disk {
	my ($d) = @_;
	my %file = map { $_ => [ $d->{file}{$_}[0], [ @{$d->{file}{$_}[1]} ] ] } keys %{$d->{file}};
	my %late = map { $_ => [ @{$d->{late}{$_}} ] } keys %{$d->{late}};

	return { file => \%file, name => { %{$d->{name}} }, late => \%late, told => $d->{told} };
}

# A change of a text: [write AT BYTES] or [size N]
sub change {
	my ($text, $c) = @_;

	if ($c->[0] eq 'size') {
		$$text = substr $$text . "\0" x $c->[1], 0, $c->[1];
		return;
	}
	$$text .= "\0" x ($c->[1] - length $$text) if length $$text < $c->[1];
	substr($$text, $c->[1], length $c->[2]) = $c->[2];
}

# A change of names: [create PATH ID], [unlink PATH], [rename PATH TO ID], [link PATH TO ID]
sub rename_to {
	my ($name, $c) = @_;

	if ($c->[0] eq 'create') {
		$name->{$c->[1]} = $c->[2];
	} elsif ($c->[0] eq 'unlink') {
		delete $name->{$c->[1]};
	} else {
		delete $name->{$c->[1]}
		    if $c->[0] eq 'rename' && ($name->{$c->[1]} // '') eq $c->[3];
		$name->{$c->[2]} = $c->[3];
	}
}

sub folder_of {
	return $_[0] =~ m{^(.*)/} ? $1 : '';
}

# The names as a running process sees them.
sub names_now {
	my ($d) = @_;
	my %name = %{$d->{name}};

	rename_to(\%name, $_) for map { @$_ } values %{$d->{late}};
	return \%name;
}

sub text_now {
	my ($d, $id) = @_;
	my $text = $d->{file}{$id}[0];

	change(\$text, $_) for @{$d->{file}{$id}[1]};
	return $text;
}

# One line of a trace; false where it changes nothing that power could take.
sub effect {
	my ($d, $line) = @_;
	my ($what, @a) = split / /, $line;

	if ($what eq 'print' || $what eq 'say') {
		$d->{told} .= pack 'H*', $a[0] if $what eq 'print' && @a;
		return 1;
	}
	if ($what =~ /^(write|cut|grow|sync)$/) {
		my $file = $d->{file}{$a[0]} or return 0;	# not of this folder
		if ($what eq 'sync') {
			$file->[0] = text_now($d, $a[0]);
			$file->[1] = [];
			return 0;
		}
		return 0 if $what eq 'grow' && $a[1] <= length text_now($d, $a[0]);
		push @{$file->[1]}, $what eq 'write' ? [ 'write', $a[1], pack 'H*', $a[2] ] :
		    [ 'size', $a[1] ];
		return 1;
	}
	my $here = getcwd();
	die "a call that no rule here is for: $line" if $what eq 'unknown';
	if ($what eq 'folder') {
		my ($at) = "$a[0]/" =~ m{^\Q$here\E/(.*)} or return 0;
		$at =~ s{/$}{};
		rename_to($d->{name}, $_) for @{$d->{late}{$at} // []};
		delete $d->{late}{$at};
		return 0;
	}
	if ($what eq 'create') {
		my ($at) = $a[1] =~ m{^\Q$here\E/(?:\./)*(.*)} or return 0;
		$d->{file}{$a[0]} = [ '', [] ];
		push @{$d->{late}{folder_of($at)}}, [ 'create', $at, $a[0] ];
		return 1;
	}
	my ($from, $to) = map { m{^\Q$here\E/(?:\./)*(.*)} ? $1 : return 0 } @a;
	my $id = names_now($d)->{$from} // return 0;
	push @{$d->{late}{folder_of($from)}}, [ $what, $from, $what eq 'unlink' ? () : ($to, $id) ];
	return 1;
}

# Texts that a file may have: all changes or none, all but one or one alone, the first of them, and
# each in part.
sub texts {
	my ($file) = @_;
	my ($text, $changes) = @$file;
	my $n = @$changes;
	my @sets = ([], [ 0 .. $n - 1 ]);

	return ($text) if $n == 0;
	for my $i (0 .. $n - 1) {
		push @sets, [ $i ], [ grep { $_ != $i } 0 .. $n - 1 ], [ 0 .. $i ];
	}
	my %seen;
	for my $set (@sets) {
		my $t = $text;
		change(\$t, $changes->[$_]) for @$set;
		$seen{$t} = 1;
	}
	for my $i (0 .. $n - 1) {
		my (undef, $at, $bytes) = @{$changes->[$i]};
		next unless defined $bytes && length $bytes > 1;
		my $all = length $bytes;
		my @cut = map { $_ * 512 - $at % 512 } 1 .. ($all + $at % 512 - 1) / 512;
		push @cut, map { 1 + int rand $all - 1 } 1 .. 3;
		for my $cut (@cut) {
			for my $part ([ 'write', $at, substr $bytes, 0, $cut ],
			    [ 'write', $at + $cut, substr $bytes, $cut ]) {
				for my $last ($i, $n - 1) {
					my $t = $text;
					change(\$t, $_ == $i ? $part : $changes->[$_])
					    for 0 .. $last;
					$seen{$t} = 1;
				}
			}
		}
	}
	return sort keys %seen;
}

# What names may stand for: each set of the changes that no fsync followed.
sub names {
	my ($d) = @_;
	my @late = map { @{$d->{late}{$_}} } sort keys %{$d->{late}};
	my $n = @late;
	my $all = 2 ** $n;
	my @sets = $n <= 6 ? (0 .. $all - 1) : (0, $all - 1, map { int rand $all } 1 .. 60);
	my (%seen, @names);

	for my $set (@sets) {
		my %name = %{$d->{name}};
		rename_to(\%name, $late[$_]) for grep { $set >> $_ & 1 } 0 .. $n - 1;
		my $key = join "\0", map { $_, $name{$_} } sort keys %name;
		push @names, \%name unless $seen{$key}++;
	}
	return @names;
}

# The images after this effect: each [{ PATH => [ID, text] }, told]
sub images {
	my ($d) = @_;
	my @all;

	for my $name (names($d)) {
		my @some = {};
		for my $at (sort keys %$name) {
			my $id = $name->{$at};
			my @texts = texts($d->{file}{$id});
			@some = map { my $one = $_; map { { %$one, $at => [ $id, $_ ] } } @texts }
			    @some;
			# of what is more than can be tried, some
			@some = @some[map { int rand @some } 1 .. 200] if @some > 200;
		}
		push @all, @some;
	}
	return map { [ $_, $d ] } @all;
}

# All images of a run's effects, none twice; the disk as it stands after it.
sub images_of {
	my ($d, $seen) = @_;
	my @all;

	for my $line (split /\n/, got('../trace')) {
		effect($d, $line) or next;
		for my $i (images(copy_disk($d))) {
			my $files = $i->[0];
			my $key = md5(join "\0", $d->{told}, map { $_, @{$files->{$_}} }
			    sort keys %$files);
			push @all, $i unless $seen->{$key}++;
		}
	}
	return @all;
}

sub settled {
	my ($d) = @_;

	for my $id (keys %{$d->{file}}) {
		$d->{file}{$id} = [ text_now($d, $id), [] ];
	}
	$d->{name} = names_now($d);
	$d->{late} = {};
	return $d;
}

# The folder becomes an image of the disk, whose files have the inodes that they had.
sub make_image {
	my ($files) = @_;
	my @names = sort keys %$files;
	my $ids = '';

	unlink grep { -f } glob '* d/*';
	for my $at (@names) {
		put($at, $files->{$at}[1]);
		chmod 0600, $at;
	}
	if (@names) {
		open my $stat, '-|', 'stat', '--printf=%i %.9W\n', @names or die "stat: $!";
		for my $at (@names) {
			my ($is) = (<$stat> // '') =~ /^(\d+ \d+\.\d{9})$/ or
			    die 'stat gives no birth';
			$ids .= "$is $files->{$at}[0]\n" =~ s/ (\d+)\.(\d+) (\d+)\./ $1$2 $3 /r;
		}
	}
	put('../ids', $ids);
}

sub recorded {
	my ($trap, $t, @args) = @_;
	my $rc = trapped([ '-t', '../trace', @$trap ], '../few', '../out', $t->{tool}, @args);

	return $rc;
}

# A process whose output has a file beside the state: what stands there has been read, too.
sub told {
	my ($d) = @_;
	my $id = names_now($d)->{o};

	return $d->{told} . (defined $id ? text_now($d, $id) : '');
}

# How it goes on from an image: with what was printed, or it says that no state was made yet.
sub after_power {
	my ($t, $image, $args) = @_;
	my ($files, $d) = @$image;
	my @args = exists $files->{s} ? going($t) : making($t);

	make_image($files);
	%printed = ();
	take("$t->{name}, power", told($d));
	my $had = keys %printed;
	problem("$t->{name}, power: it printed, and the state is gone")
	    if $had && !exists $files->{s};
	for my $trap ([ '-i', '../ids' ], []) {
		my $rc = trapped($trap, '../other', '../out', $t->{tool}, @args);
		take("$t->{name}, power", got('../out'));
		if ($rc != 0 && $rc != 4) {
			problem("$t->{name}, power: status $rc: " . got('../out.err') . " of " .
			    join ' ', map { "$_:" . length $files->{$_}[1] } sort keys %$files);
			return;
		}
		appended($t, 'power') if $t->{out};
		whole("$t->{name}, power") unless $t->{sparse};
		@args = going($t);
	}
}

# Calls that a kill between them can tell: those that change files.
sub telling {
	my @nr = split /\n/, got('../count');

	return grep { $nr[$_ - 1] =~ /^(1|18|74|75|77|82|87|263|264|285)$/ } 1 .. @nr;
}

sub power {
	my ($t, $most) = @_;
	my (%seen, @all, @at);
	my ($d, $first) = empty_disk();

	mkdir 'disk';
	chdir 'disk' or die 'disk';
	unlink grep { -f } glob '* d/*';
	mkdir 'd';
	recorded([ '-c', '../count' ], $t, making($t));
	push @all, images_of($d, \%seen);
	@at = telling();
	unless ($t->{single}) {
		settled($d);
		recorded([ '-c', '../count' ], $t, going($t));
		push @all, images_of($d, \%seen);
		@at = telling();
	}
	@at = @at[map { int rand @at } 1 .. 2] if $short;
	for my $at (@at) {
		unlink grep { -f } glob '* d/*';
		$d = empty_disk();
		my @args = $t->{single} ? making($t) : going($t);
		unless ($t->{single}) {
			recorded([], $t, making($t));
			images_of($d, {});
			settled($d);
		}
		recorded([ '-n', $at, '-h', 'before' ], $t, @args);
		images_of($d, {});
		recorded([], $t, -e 's' ? going($t) : making($t));
		push @all, images_of($d, \%seen);
	}
	@all = @all[map { int rand @all } 1 .. $most] if @all > $most;
	after_power($t, $_) for @all;
	chdir '..';
	return scalar @all;
}

1;
