/* SPDX-License-Identifier: ISC */
/*
 * trap.c - a command under ptrace(2), whose calls are counted, ended, failed or written down.
 *
 * usage: trap [-n N -h HOW] [-c COUNT] [-t TRACE] [-i IDENTITIES] COMMAND ...
 *
 * At the N-th call, from the first exec on: HOW is before or after (SIGKILL, and the call is not
 * made, or is), short (half of what was to be read or written), told (before it is made, a byte
 * goes to descriptor 3 and one comes from 4), or the number of an error that the call ends with,
 * not made.  COUNT gets the number of each call, a line each, in order.  TRACE gets what was done
 * to files: power.pl reads it.  IDENTITIES has a line for each file that is to be taken for
 * another, as a file is after power has come back: its inode and birth time, and those that
 * statx(2) is to give.  The status is the command's, 128 and the signal if one ended it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
#error "registers of x86-64"
#endif

#define NAME	(2 * PATH_MAX + 2)
#define KNOWN	64

struct identity {
	uint64_t inode, born;
};

static pid_t pid;
static FILE *trace;
static struct {
	struct identity is, was;
} known[KNOWN];
static size_t knowns;

/* One call: its number, arguments, and between entry and exit what has to be seen before it. */
static struct {
	uint64_t nr, a[6];
	char path[NAME], to[NAME];
	int there;
} call;

static void
fail(const char *what)
{
	fprintf(stderr, "trap: %s: %s\n", what, strerror(errno));
	if (pid > 0)
		kill(pid, SIGKILL);
	exit(99);
}

static void
set_register(size_t at, uint64_t value)
{
	if (ptrace(PTRACE_POKEUSER, pid, at, value) != 0)
		fail("register");
}

static size_t
get(uint64_t from, void *to, size_t n)
{
	struct iovec mine = { to, n }, its = { (void *)(uintptr_t)from, n };
	ssize_t k = process_vm_readv(pid, &mine, 1, &its, 1, 0);

	return k < 0 ? 0 : (size_t)k;
}

/* The path as the tracer names it: absolute, or by the descriptor of its folder. */
static void
path(char *to, int at, uint64_t name)
{
	char link[64], text[PATH_MAX] = "";
	size_t i;
	ssize_t n = 0;

	for (i = 0; i + 1 < sizeof text && get(name + i, text + i, 1) == 1 && text[i] != '\0'; i++)
		;
	text[i] = '\0';
	if (*text != '/') {
		snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d",
		    pid, at);
		if ((n = readlink(link, to, NAME - PATH_MAX - 2)) < 0)
			n = 0;
		to[n++] = '/';
	}
	strcpy(to + n, text);
}

static struct identity
identity(const char *name)
{
	struct statx x;

	if (statx(AT_FDCWD, name, 0, STATX_INO | STATX_BTIME, &x) != 0)
		return (struct identity){ 0 };
	return (struct identity){ x.stx_ino, (uint64_t)x.stx_btime.tv_sec * 1000000000 +
	    x.stx_btime.tv_nsec };
}

/* The descriptor's file, by the identity that the command takes it for; mode: its kind */
static struct identity
file(int fd, mode_t *mode)
{
	struct stat st;
	char name[64];
	struct identity id;
	size_t i;

	snprintf(name, sizeof name, "/proc/%d/fd/%d", pid, fd);
	*mode = stat(name, &st) == 0 ? st.st_mode & S_IFMT : 0;
	id = identity(name);
	for (i = 0; i < knowns; i++)
		if (known[i].is.inode == id.inode && known[i].is.born == id.born)
			return known[i].was;
	return id;
}

static uint64_t
position(int fd)
{
	char name[64];
	long long at = 0;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", pid, fd);
	if ((f = fopen(name, "r")) == NULL || fscanf(f, "pos: %lld", &at) != 1)
		fail(name);
	fclose(f);
	return (uint64_t)at;
}

static void
put_hex(uint64_t from, size_t n)
{
	unsigned char buf[4096];
	size_t i, k;

	for (; n > 0; n -= k, from += k) {
		if ((k = get(from, buf, n < sizeof buf ? n : sizeof buf)) == 0)
			fail("its memory");
		for (i = 0; i < k; i++)
			fprintf(trace, "%02x", buf[i]);
	}
	putc('\n', trace);
}

static void
put_id(const char *what, struct identity id)
{
	fprintf(trace, "%s %llu.%llu", what, (unsigned long long)id.inode,
	    (unsigned long long)id.born);
}

static void
wrote(uint64_t value)
{
	const int fd = (int)call.a[0];
	struct identity id;
	mode_t mode;

	if (fd == 1 || fd == 2) {
		fprintf(trace, fd == 1 ? "print " : "say ");
	} else {
		id = file(fd, &mode);
		if (mode != S_IFREG)
			return;
		put_id("write", id);
		fprintf(trace, " %llu ", (unsigned long long)(call.nr == SYS_pwrite64 ? call.a[3] :
		    position(fd) - value));
	}
	put_hex(call.a[1], value);
}

/* open(2): what it made, or emptied */
static void
opened(uint64_t fd)
{
	const uint64_t flags = call.nr == SYS_openat ? call.a[2] : call.a[1];
	struct identity id;
	mode_t mode;

	if ((flags & (O_CREAT | O_TRUNC)) == 0)
		return;
	id = file((int)fd, &mode);
	if (mode != S_IFREG)
		return;
	if (!call.there) {
		put_id("create", id);
		fprintf(trace, " %s\n", call.path);
	} else if (flags & O_TRUNC) {
		put_id("cut", id);
		fprintf(trace, " 0\n");
	}
}

static void
synced(void)
{
	char name[64], at[PATH_MAX] = "";
	struct identity id;
	mode_t mode;

	id = file((int)call.a[0], &mode);
	if (mode == S_IFDIR) {
		snprintf(name, sizeof name, "/proc/%d/fd/%d", pid, (int)call.a[0]);
		if (readlink(name, at, sizeof at - 1) < 0)
			fail(name);
		fprintf(trace, "folder %s\n", at);
	} else if (mode == S_IFREG) {
		put_id("sync", id);
		putc('\n', trace);
	}
}

/* What a call will do by name, seen before it is done. */
static void
look(void)
{
	switch (call.nr) {
	case SYS_open:
		path(call.path, AT_FDCWD, call.a[0]);
		break;
	case SYS_openat:
	case SYS_unlinkat:
		path(call.path, (int)call.a[0], call.a[1]);
		break;
	case SYS_unlink:
		path(call.path, AT_FDCWD, call.a[0]);
		break;
	case SYS_rename:
	case SYS_link:
		path(call.path, AT_FDCWD, call.a[0]);
		path(call.to, AT_FDCWD, call.a[1]);
		break;
	case SYS_renameat:
	case SYS_renameat2:
	case SYS_linkat:
		path(call.path, (int)call.a[0], call.a[1]);
		path(call.to, (int)call.a[2], call.a[3]);
		break;
	default:
		return;
	}
	call.there = access(call.path, F_OK) == 0;
}

static void
done(int64_t value)
{
	struct identity id;
	mode_t mode;

	if (value < 0)
		return;
	switch (call.nr) {
	case SYS_open:
	case SYS_openat:
		opened((uint64_t)value);
		break;
	case SYS_write:
	case SYS_pwrite64:
		wrote((uint64_t)value);
		break;
	case SYS_ftruncate:
		id = file((int)call.a[0], &mode);
		put_id("cut", id);
		fprintf(trace, " %llu\n", (unsigned long long)call.a[1]);
		break;
	case SYS_fallocate:
		id = file((int)call.a[0], &mode);
		put_id("grow", id);
		fprintf(trace, " %llu\n", (unsigned long long)(call.a[2] + call.a[3]));
		break;
	case SYS_fsync:
	case SYS_fdatasync:
		synced();
		break;
	case SYS_rename:
	case SYS_renameat:
	case SYS_renameat2:
		fprintf(trace, "rename %s %s\n", call.path, call.to);
		break;
	case SYS_link:
	case SYS_linkat:
		fprintf(trace, "link %s %s\n", call.path, call.to);
		break;
	case SYS_unlink:
	case SYS_unlinkat:
		fprintf(trace, "unlink %s\n", call.path);
		break;
	case SYS_mmap:
		if ((call.a[2] & 2) == 0 || (call.a[3] & 1) == 0 || (int)call.a[4] < 0)
			break;
		/* FALLTHROUGH */
	case SYS_writev:
	case SYS_pwritev:
	case SYS_truncate:
	case SYS_copy_file_range:
	case SYS_sendfile:
	case SYS_sync_file_range:
	case SYS_mkdir:
	case SYS_symlink:
		fprintf(trace, "unknown %d\n", (int)call.nr);
		break;
	default:
		break;
	}
}

/* A file of an image of the disk has the inode that it had. */
static void
pretend(void)
{
	const uint64_t at = call.a[4];
	struct statx x;
	struct iovec mine = { &x, sizeof x }, its = { (void *)(uintptr_t)at, sizeof x };
	size_t i;
	uint64_t born;

	if (knowns == 0 || get(at, &x, sizeof x) != sizeof x)
		return;
	born = (uint64_t)x.stx_btime.tv_sec * 1000000000 + x.stx_btime.tv_nsec;
	for (i = 0; i < knowns; i++)
		if (known[i].is.inode == x.stx_ino && known[i].is.born == born) {
			x.stx_ino = known[i].was.inode;
			x.stx_btime.tv_sec = (int64_t)(known[i].was.born / 1000000000);
			x.stx_btime.tv_nsec = (uint32_t)(known[i].was.born % 1000000000);
			if (process_vm_writev(pid, &mine, 1, &its, 1, 0) != sizeof x)
				fail("statx");
			return;
		}
}

static void
read_identities(const char *name)
{
	FILE *f = fopen(name, "r");
	unsigned long long v[4];

	if (f == NULL)
		fail(name);
	while (knowns < KNOWN &&
	    fscanf(f, "%llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3]) == 4) {
		known[knowns].is = (struct identity){ v[0], v[1] };
		known[knowns++].was = (struct identity){ v[2], v[3] };
	}
	fclose(f);
}

/* Whoever began us does something now. */
static void
tell(void)
{
	char byte = 0;

	if (write(3, &byte, 1) != 1 || read(4, &byte, 1) != 1)
		fail("told");
}

/* At the entry of the call it is all about. */
static void
hit(const char *how)
{
	if (strcmp(how, "told") == 0)
		tell();
	else if (strcmp(how, "short") == 0) {
		if ((call.nr == SYS_read || call.nr == SYS_write || call.nr == SYS_pread64 ||
		    call.nr == SYS_pwrite64) && call.a[2] > 1)
			set_register(offsetof(struct user_regs_struct, rdx), (call.a[2] + 1) / 2);
	} else if (strcmp(how, "after") != 0)
		set_register(offsetof(struct user_regs_struct, orig_rax), UINT64_MAX);
	if (strcmp(how, "before") == 0)
		kill(pid, SIGKILL);
}

static void
stopped(long n, const char *how, FILE *count)
{
	static long calls;
	struct __ptrace_syscall_info info;
	size_t i;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0)
		return;			/* killed meanwhile */
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		call.nr = info.entry.nr;
		for (i = 0; i < 6; i++)
			call.a[i] = info.entry.args[i];
		if (count != NULL)
			fprintf(count, "%d\n", (int)call.nr);
		if (trace != NULL)
			look();
		if (++calls == n)
			hit(how);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		if (calls == n && atoi(how) > 0)
			set_register(offsetof(struct user_regs_struct, rax),
			    (uint64_t)-(int64_t)atoi(how));
		else if (trace != NULL)
			done(info.exit.rval);
		if (call.nr == SYS_statx && info.exit.rval == 0)
			pretend();
		if (calls == n && strcmp(how, "after") == 0)
			kill(pid, SIGKILL);
	}
}

static int
follow(long n, const char *how, FILE *count)
{
	int status, sig = 0, begun = 0;

	for (;;) {
		if (ptrace(begun ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0, sig) != 0 &&
		    errno != ESRCH)
			fail("ptrace");
		if (waitpid(pid, &status, 0) != pid)
			fail("waitpid");
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		if (WIFSIGNALED(status))
			return 128 + WTERMSIG(status);
		sig = WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			stopped(n, how, count);
		else if (status >> 16 == PTRACE_EVENT_EXEC)
			begun = 1;
		if (sig == (SIGTRAP | 0x80) || status >> 16 != 0)
			sig = 0;
	}
}

int
main(int argc, char **argv)
{
	const char *how = "";
	FILE *count = NULL;
	long n = 0;
	int c, status;

	while ((c = getopt(argc, argv, "+n:h:c:t:i:")) != -1)
		if (c == 'n')
			n = atol(optarg);
		else if (c == 'h')
			how = optarg;
		else if (c == 'i')
			read_identities(optarg);
		else if (c == '?' || (*(c == 'c' ? &count : &trace) = fopen(optarg, "we")) == NULL)
			fail("options");
	if (strcmp(how, "told") == 0 && (fcntl(3, F_SETFD, FD_CLOEXEC) != 0 ||
	    fcntl(4, F_SETFD, FD_CLOEXEC) != 0))
		fail("told");
	if ((pid = fork()) < 0)
		fail("fork");
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
			_exit(99);
		raise(SIGSTOP);
		execvp(argv[optind], argv + optind);
		_exit(99);
	}
	if (waitpid(pid, &status, 0) != pid || ptrace(PTRACE_SETOPTIONS, pid, 0,
	    PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0)
		fail("ptrace");
	return follow(n, how, count);
}
