/* SPDX-License-Identifier: ISC */
/*
 * t_statefile.c - the files of a state: kind, copies, backups, witness, --out,
 * names and locks.
 */
#include <stdio.h>
#include <sys/resource.h>

#include "stateopen.h"

static const struct dp_state_hook none;
static const struct dp_state_rule plain = { .path = "S" };
static const struct dp_state_rule to_file = { .path = "S", .out = "O" };
static const struct dp_state_rule watched = { .path = "S", .witness = "W" };

/* On to step n, two a commit; and one commit more, with no output. */
static void
go(const struct dp_state_rule *rule, unsigned n)
{
	struct toy y = { .rule = *rule, .steps = n, .group = 2 };
	struct dp_buf b = { 0 };

	check(grab(toy_child, &y, &b) == 0);
	dp_buf_free(&b);
}

static void
make(const struct dp_state_rule *rule, unsigned n)
{
	toy_clean();
	check(toy_init(rule, none) == 0);
	if (n > 0)
		go(rule, n);
}

static void
test_missing(void)
{
	char name[NAME_MAX];
	struct dp_state *s;

	toy_clean();
	check(refused(&plain, "no such state file"));
	check(access("S.lock", F_OK) != 0);
	check(dp_state_peek(&s, "S", why) == DP_ESTATE);
	check(toy_init(&plain, none) == 0);
	check(toy_init(&plain, none) == DP_ESTATE);
	check(try_open(&plain) == 0);
	check(try_open(&(struct dp_state_rule){ .path = "none/S" }) == DP_EINVAL);
	check(try_open(&(struct dp_state_rule){ .path = "S/S" }) == DP_EINVAL);
	check(dp_state_peek(&s, "none/S", why) == DP_EINVAL);
	check(try_open(&(struct dp_state_rule){ .path = "S/" }) == DP_EINVAL);
	check(try_open(&(struct dp_state_rule){ .path = "" }) == DP_EINVAL);
	check(dp_state_peek(&s, "/no state here", why) == DP_ESTATE);
	/* ".lock" and ".tmp" need room */
	memset(name, 'x', sizeof name);
	name[NAME_MAX - 4] = '\0';
	check(try_open(&(struct dp_state_rule){ .path = name }) == DP_EINVAL);
	name[NAME_MAX - 5] = '\0';
	check(try_open(&(struct dp_state_rule){ .path = name }) == DP_ESTATE);
}

static void
test_kind(void)
{
	struct dp_state *s;

	make(&plain, 2);
	check(chmod("S", 0640) == 0 && refused(&plain, "others may read or change it"));
	check(chmod("S", 0601) == 0 && refused(&plain, "others may read or change it"));
	check(chmod("S", 0600) == 0 && try_open(&plain) == 0);
	check(link("S", "L") == 0 && refused(&plain, "2 names"));
	check(unlink("L") == 0 && try_open(&plain) == 0);
	if (geteuid() == 0) {
		check(chown("S", 1, (gid_t)-1) == 0);
		check(refused(&plain, "another user"));
		check(chown("S", 0, (gid_t)-1) == 0);
	}
	check(rename("S", "T") == 0 && symlink("T", "S") == 0);
	check(refused(&plain, "symbolic link"));
	check(unlink("S") == 0 && mkdir("S", 0700) == 0);
	check(refused(&plain, "regular"));
	check(rmdir("S") == 0 && mkfifo("S", 0600) == 0);
	check(refused(&plain, "regular"));
	check(dp_state_peek(&s, "S", why) == DP_ESTATE);	/* no hang */
	check(unlink("S") == 0 && rename("T", "S") == 0);
	check(try_open(&plain) == 0);		/* moved, but the original */
}

/* All the ways to come by an older or a second S. */
static void
test_copies(void)
{
	const struct dp_state_rule second = { .path = "T" };
	struct dp_buf b = { 0 };
	struct stat st, now;
	struct dp_state *s;
	unsigned n, again = 0;

	make(&plain, 2);
	check(slurp("S", &b) && stat("S", &st) == 0);
	check(spill("T", b.p, b.n, O_CREAT));
	check(refused(&second, "a copy"));
	check(dp_state_peek(&s, "T", why) == 0);	/* may be looked at */
	check(s->form.generation == 3);
	check(dp_state_redo(s, false, why) == DP_EINVAL);
	dp_state_free(s);
	check(rename("T", "S") == 0 && refused(&plain, "a copy"));
	/* Written over the S of today: even if that has the inode of old. */
	make(&plain, 2);
	check(slurp("S", &b) && stat("S", &st) == 0);
	for (n = 4; n <= 16; n += 2) {
		go(&plain, n);
		check(stat("S", &now) == 0);
		again += now.st_ino == st.st_ino;
		check(spill("T", b.p, b.n, O_CREAT));
		check(rename("S", "B") == 0 && rename("T", "S") == 0);
		check(refused(&plain, "a copy"));
		check(rename("B", "S") == 0 && try_open(&plain) == 0);
	}
	check(stat("S", &now) == 0 && spill("S", b.p, b.n, 0));
	check(refused(&plain, "a copy"));
	printf("same inode again: %u\n", again);
	dp_buf_free(&b);
}

/*
 * What S would be if a snapshot that keeps inode and birth time were put back:
 * the old text, naming the file as it is now.
 */
static void
forge(const char *path, const struct dp_buf *old)
{
	struct dp_buf b = { 0 };
	struct dp_stateform f;
	const char *what;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	check(dp_stateform_read(&f, old->p, old->n, true, &what) == 0);
	check(dp_os_born(fd, "", &f.inode, &f.born) == 0);
	close(fd);
	check(dp_stateform_write(&f, &b) == 0);
	check(spill(path, b.p, b.n, 0));
	dp_buf_free(&b);
}

static void
test_birth(void)
{
	struct dp_buf b = { 0 }, c = { 0 };
	struct dp_stateform f;
	const char *what;
	uint64_t inode, born;
	int fd;

	make(&plain, 2);
	check(slurp("S", &b));
	forge("S", &b);
	check(try_open(&plain) == 0);
	check(dp_stateform_read(&f, b.p, b.n, true, &what) == 0);
	f.inode++;
	check(dp_stateform_write(&f, &c) == 0 && spill("S", c.p, c.n, 0));
	check(refused(&plain, "a copy"));
	f.inode--;
	if (f.born == 0)
		printf("no birth times here: not tested\n");
	f.born++;
	check(dp_stateform_write(&f, &c) == 0 && spill("S", c.p, c.n, 0));
	check(refused(&plain, "a copy"));
	fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	check(dp_os_born(fd, "", &inode, &born) == 0 && inode != 0 && born == 0);
	close(fd);
	f.born = 0;		/* written where there were none */
	check(dp_stateform_write(&f, &c) == 0 && spill("S", c.p, c.n, 0));
	check(try_open(&plain) == 0);
	dp_buf_free(&b);
	dp_buf_free(&c);
}

static void
test_witness(void)
{
	static const char junk[] =
	    "00112233445566778899aabbccddeeff 00000000000000000001\n";
	struct dp_buf b = { 0 }, w = { 0 }, older = { 0 };
	char digits[20];
	size_t i;

	make(&watched, 2);
	check(slurp("S", &b) && slurp("W", &w) && w.n == 54);
	go(&watched, 4);
	check(try_open(&watched) == 0);
	check(slurp("S", &older));
	go(&watched, 6);
	forge("S", &older);		/* generation 5 of 7 */
	check(refused(&watched, "generation 5, but the witness has seen 7"));
	check(try_open(&plain) == 0);	/* nobody could know */
	check(spill("W", w.p, w.n, 0));	/* at 3 */
	check(refused(&watched, "seen generation 3, but the state is at 5"));
	check(strstr(why, "00000000000000000005") != NULL);
	w.p[52] = '4';			/* one behind: died before it */
	check(spill("W", w.p, w.n, 0) && try_open(&watched) == 0);
	go(&watched, 4);
	check(slurp("W", &w));
	check(spill("W", junk, sizeof junk - 1, 0));
	check(refused(&watched, "another state"));
	check(spill("W", junk, 53, 0) && refused(&watched, "not a witness"));
	for (i = 0; i < 54; i++) {
		w.p[i] ^= 64;
		check(spill("W", w.p, w.n, 0) && refused(&watched, ""));
		w.p[i] ^= 64;
	}
	memcpy(digits, w.p + 33, 20);
	for (i = 0; i < 2; i++) {	/* more than 64 bits, by a factor of ten or by one digit */
		memcpy(w.p + 33, i == 0 ? "99999999999999999999" : "18446744073709551616", 20);
		check(spill("W", w.p, w.n, 0) && refused(&watched, "not a witness"));
	}
	memcpy(w.p + 33, digits, 20);
	check(spill("W", w.p, w.n, 0) && try_open(&watched) == 0);
	check(spill("W", "x\n", 2, 0) && refused(&watched, "not a witness"));
	check(spill("W", "", 0, 0) && refused(&watched, "generation 0"));
	check(unlink("W") == 0 && refused(&watched, "not there"));
	check(mkfifo("W", 0600) == 0 && refused(&watched, "regular"));
	toy_clean();
	check(spill("W", w.p, w.n, O_CREAT));
	check(toy_init(&watched, none) == DP_ESTATE);
	check(access("S", F_OK) != 0);
	dp_buf_free(&b);
	dp_buf_free(&w);
	dp_buf_free(&older);
}

/* The power went as the first line was written: any bytes of it, zeros else. */
static void
test_torn_witness(void)
{
	struct dp_buf w = { 0 };
	char torn[55];
	size_t n, i;

	make(&watched, 0);
	check(slurp("W", &w) && w.n == 54);
	for (n = 0; n <= 54; n++) {
		memset(torn, 0, sizeof torn);
		memcpy(torn, w.p, n);
		check(spill("W", torn, 54, 0) && try_open(&watched) == 0);
		check(spill("W", torn, n, 0) && try_open(&watched) == 0);
		memset(torn, 0, sizeof torn);
		memcpy(torn + n, w.p + n, 54 - n);
		check(spill("W", torn, 54, 0) && try_open(&watched) == 0);
	}
	memset(torn, 0, sizeof torn);
	check(spill("W", torn, 55, 0) && refused(&watched, "not a witness"));
	for (i = 0; i < 54; i++) {
		torn[i] = w.p[i] == 'x' ? 'y' : 'x';
		check(spill("W", torn, 54, 0) && refused(&watched, ""));
		torn[i] = 0;
	}
	check(spill("W", torn, 54, 0));
	go(&watched, 2);
	check(slurp("W", &w) && w.n == 54 && w.p[52] == '3');
	check(spill("W", torn, 54, 0) && refused(&watched, "not a witness"));
	dp_buf_free(&w);
}

/* Somebody moves the files of a run that is at work. */
static void
test_moved(void)
{
	static const struct {
		const char *from, *to;
		const char *word;
	} move[] = {
		{ "S.lock", "L", "lock file" },
		{ "S", "T", "renamed" },
		{ "L", "S.lock", "lock file" },	/* another takes its place */
		{ "T", "S", "renamed" }
	};
	struct dp_buf body = { 0 }, before = { 0 }, after = { 0 };
	struct dp_state *s;
	size_t i;
	int want;

	for (i = 0; i < sizeof move / sizeof *move; i++) {
		make(&plain, 2);
		check(spill("L", "", 0, O_CREAT) && spill("T", "x", 1, O_CREAT));
		check(dp_state_open(&s, &plain, why) == 0);
		check(dp_state_redo(s, false, why) == 0);
		check(slurp("S", &before));
		check(rename(move[i].from, move[i].to) == 0);
		check(dp_state_commit(s, &body, "3 1\n", 4, why) == DP_ESTATE);
		check(strstr(why, move[i].word) != NULL);
		check(dp_state_commit(s, &body, "", 0, why) == DP_EIO);
		dp_state_free(s);
		check(access("S.tmp", F_OK) != 0);
		check(slurp(move[i].from[0] == 'S' && move[i].to[0] == 'T' ?
		    "T" : "S", &after));
		check(move[i].to[0] == 'S' && move[i].to[1] == '\0' ?
		    after.n == 1 : same(&before, &after));
	}
	/* The inode of old, given out again. */
	for (i = 0; i < 2; i++) {
		make(&to_file, 2);
		check(dp_state_open(&s, &to_file, why) == 0 && dp_state_redo(s, false, why) == 0);
		s->form.born = i == 0 && s->form.born != 0 ? s->form.born + 1 : 0;
		want = s->form.born != 0 ? DP_ESTATE : 0;	/* 0: not kept there */
		check(dp_state_commit(s, &body, "3 1\n", 4, why) == want);
		dp_state_free(s);
	}
	dp_buf_free(&before);
	dp_buf_free(&after);
}

/* Another run's S.tmp is not renamed to S as if it were ours. */
static int
at_swap(void *arg, enum dp_state_point p)
{
	(void)arg;
	if (p == DP_AT_RENAME)
		check(unlink("S.tmp") == 0 && spill("S.tmp", "x", 1, O_CREAT));
	return 0;
}

static void
test_swapped(void)
{
	struct dp_buf body = { 0 }, before = { 0 }, after = { 0 };
	struct dp_state *s;

	make(&plain, 2);
	check(slurp("S", &before));
	check(dp_state_open(&s, &plain, why) == 0);
	check(dp_state_redo(s, false, why) == 0);
	s->hook = (struct dp_state_hook){ at_swap, NULL };
	check(dp_state_commit(s, &body, "3 1\n", 4, why) == DP_ESTATE);
	check(strstr(why, ".tmp") != NULL);
	dp_state_free(s);
	check(slurp("S", &after) && same(&before, &after));
	dp_buf_free(&before);
	dp_buf_free(&after);
}

static void
test_out(void)
{
	const struct dp_state_rule link = { .path = "S", .out = "L" };
	struct dp_buf b = { 0 }, o = { 0 }, half = { 0 };
	struct stat st;

	make(&to_file, 4);
	check(stat("O", &st) == 0 && (st.st_mode & 07777) == 0644);
	check(slurp("O", &o) && slurp("S", &b));
	check(truncate("O", (off_t)o.n - 1) == 0);
	check(refused(&to_file, "shorter"));
	check(unlink("O") == 0 && refused(&to_file, "give that file"));
	check(strstr(why, "not there, but the state has written") != NULL);
	check(access("O", F_OK) != 0);
	check(spill("O", o.p, o.n, O_CREAT) && try_open(&to_file) == 0);
	go(&to_file, 6);
	forge("S", &b);			/* rolled back: --out has run on */
	check(refused(&to_file, "longer"));
	check(slurp("O", &half) && half.n > o.n &&
	    memcmp(half.p, o.p, o.n) == 0);
	check(symlink("O", "L") == 0 && try_open(&link) == DP_EINVAL);
	check(unlink("O") == 0 && mkfifo("O", 0600) == 0);
	check(try_open(&to_file) == DP_EINVAL);	/* no reader: does not hang */
	check(refused(&(struct dp_state_rule){ .path = "S", .out = "/dev/null" }, "regular"));
	/* A new state does not go on in an old file. */
	toy_clean();
	check(spill("O", "1 1\n", 4, O_CREAT));
	check(toy_init(&to_file, none) == DP_ESTATE);
	check(access("S", F_OK) != 0);
	dp_buf_free(&b);
	dp_buf_free(&o);
	dp_buf_free(&half);
}

/* What is owed may be in --out whole, in part, or wrong: redo writes it. */
static void
test_out_tail(void)
{
	struct dp_buf body = { 0 }, b = { 0 };
	struct dp_state *s;
	off_t n;

	for (n = 0; n <= 8; n++) {
		make(&to_file, 0);
		check(dp_state_open(&s, &to_file, why) == 0);
		check(dp_state_redo(s, false, why) == 0);
		check(dp_state_commit(s, &body, "1 5\n", 4, why) == 0);
		check(dp_state_commit(s, &body, "2 7\n", 4, why) == 0);
		dp_state_free(s);
		if (n >= 4)
			check(spill("O", "1 5\n\0\0\0\0", (size_t)n, 0));
		else
			check(truncate("O", n) == 0);
		if (n < 4) {
			check(refused(&to_file, "shorter"));
			continue;
		}
		check(dp_state_open(&s, &to_file, why) == 0);
		check(dp_state_redo(s, false, why) == 0);
		dp_state_free(s);
		check(slurp("O", &b) && b.n == 8 &&
		    memcmp(b.p, "1 5\n2 7\n", 8) == 0);
	}
	dp_buf_free(&b);
}

static void
test_names(void)
{
	static const struct dp_state_rule bad[] = {
		{ .path = "S", .out = "S" },
		{ .path = "S", .out = "./S.tmp" },
		{ .path = "S", .out = "S.lock" },
		{ .path = "S", .witness = "S" },
		{ .path = "./S", .witness = "S.lock" },
		{ .path = "S", .out = "T", .witness = "./T" }
	};
	size_t i;

	toy_clean();
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		check(toy_init(&bad[i], none) == DP_EINVAL);
		check(access("S", F_OK) != 0 && access("S.lock", F_OK) != 0);
	}
	make(&plain, 0);
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		check(try_open(&bad[i]) == DP_EINVAL);
	/* The same name in another directory, or on another disk, is another file. */
	check(mkdir("T", 0700) == 0);
	check(try_open(&(struct dp_state_rule){ .path = "S", .out = "T/S" }) == 0);
	check(unlink("T/S") == 0 && rmdir("T") == 0);
	check(refused(&(struct dp_state_rule){ .path = "S", .witness = "/proc/S" }, "not there"));
}

static int
hold_child(void *arg)
{
	char w[DP_STATE_WHY];
	struct dp_state *s;

	(void)arg;
	if (dp_state_open(&s, &plain, w) == 0) {
		dp_state_free(s);
		return 0;
	}
	return strstr(w, "in use") != NULL ? 1 : 2;
}

static void
test_lock(void)
{
	struct dp_buf b = { 0 };
	struct dp_state *s;

	make(&plain, 0);
	check(spill("S.tmp", "x", 1, O_CREAT));
	check(dp_state_open(&s, &plain, why) == 0);
	check(access("S.tmp", F_OK) != 0);
	check(grab(hold_child, NULL, &b) == 1);
	check(try_open(&plain) == DP_EBUSY);
	check(unlink("S") == 0 && toy_init(&plain, none) == DP_EBUSY);
	dp_state_free(s);
	check(access("S.lock", F_OK) == 0);	/* never removed */
	make(&plain, 0);
	check(grab(hold_child, NULL, &b) == 0);
	check(unlink("S.lock") == 0 && symlink("T", "S.lock") == 0);
	check(try_open(&plain) == DP_EINVAL && access("T", F_OK) != 0);
	check(unlink("S.lock") == 0 && mkfifo("S.lock", 0600) == 0);
	check(refused(&plain, "its lock file is not a regular file"));
	dp_buf_free(&b);
}

/* Files that two states may name are one run's at a time, by whatever name. */
static void
test_shared(void)
{
	const struct dp_state_rule first = { .path = "S", .out = "O", .witness = "W" };
	const struct dp_state_rule out = { .path = "T", .out = "L" };
	const struct dp_state_rule witness = { .path = "T", .witness = "./L" };
	const struct dp_state_rule both = { .path = "T", .out = "O", .witness = "L" };
	const struct dp_state_rule lock = { .path = "T", .out = "L" };
	struct dp_state *s;

	toy_clean();
	check(dp_state_claim(&s, &first, 0, why) == 0);
	check(link("O", "L") == 0);
	check(toy_init(&(struct dp_state_rule){ .path = "T", .out = "O" }, none) == DP_EBUSY);
	check(dp_state_claim(&(struct dp_state *){ NULL }, &out, 0, why) == DP_EBUSY);
	check(strcmp(why, "L: in use by another run; try again later") == 0);
	check(unlink("L") == 0 && link("W", "L") == 0);
	check(toy_init(&witness, none) == DP_EBUSY && access("T", F_OK) != 0);
	check(dp_state_create(s, TOY_HEAD, &(struct dp_buf){ 0 }, why) == 0);
	check(dp_state_create(s, TOY_HEAD, &(struct dp_buf){ 0 }, why) == DP_EINVAL);
	dp_state_free(s);
	/* one that goes on holds them as well */
	check(dp_state_open(&s, &first, why) == 0 && toy_init(&witness, none) == DP_EBUSY);
	check(unlink("L") == 0 && link("O", "L") == 0 && toy_init(&out, none) == DP_EBUSY);
	dp_state_free(s);
	/* nothing is left of the locks */
	check(toy_init(&out, none) == 0 && try_open(&first) == 0 && unlink("T") == 0);
	/* two names for one file of this run are no other run */
	check(toy_init(&both, none) == DP_EINVAL);
	check(unlink("L") == 0 && link("T.lock", "L") == 0 && toy_init(&lock, none) == DP_EINVAL);
	check(access("T", F_OK) != 0);
	check(dp_state_claim(&s, &plain, DP_STATE_MAX, why) == DP_ERANGE);
}

/* No room for it: refused by claim, before anything is paid for it, with nothing left there. */
static void
test_room(void)
{
	struct rlimit old, r;
	struct dp_state *s;
	int e;

	toy_clean();
	signal(SIGXFSZ, SIG_IGN);
	check(getrlimit(RLIMIT_FSIZE, &old) == 0);
	r = old;
	r.rlim_cur = 4096;
	check(setrlimit(RLIMIT_FSIZE, &r) == 0);
	e = dp_state_claim(&s, &plain, 4096, why);
	check(e == DP_EIO && errno == EFBIG && strstr(why, "S: File too large") == why);
	check(access("S", F_OK) != 0 && access("S.tmp", F_OK) != 0);
	/* one that fits has no name before it is made */
	check(dp_state_claim(&s, &plain, 0, why) == 0 && access("S.tmp", F_OK) != 0);
	check(setrlimit(RLIMIT_FSIZE, &old) == 0);
	check(dp_state_create(s, TOY_HEAD, &(struct dp_buf){ 0 }, why) == 0);
	dp_state_free(s);
}

int
main(void)
{
	char dir[32];

	umask(022);
	if (!toy_enter(dir, false)) {
		perror(dir);
		return 1;
	}
	test_missing();
	test_kind();
	test_copies();
	test_birth();
	test_witness();
	test_torn_witness();
	test_out();
	test_out_tail();
	test_names();
	test_lock();
	test_shared();
	test_room();
	test_moved();
	test_swapped();
	toy_leave(dir);
	return done();
}
