/* SPDX-License-Identifier: ISC */
/*
 * spawn.c - see spawn.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/out.h"
#include "spawn.h"

extern char **environ;

static int
add_files(posix_spawn_file_actions_t *actions, int in, int out, bool quiet)
{
	int e;

	if (quiet && (e = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null",
	    O_WRONLY, 0)) != 0)
		return e;
	if (in < 0)
		e = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null",
		    O_RDONLY, 0);
	else
		e = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);
	return e != 0 ? e : posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
}

static int
add_group(posix_spawnattr_t *attr, unsigned flags)
{
	const bool apart = (flags & DP_SPAWN_APART) != 0, quiet = (flags & DP_SPAWN_QUIET) != 0;
	sigset_t pipe;
	int e;

	(void)sigemptyset(&pipe);	/* we may ignore it: a write to nobody would be an error */
	(void)sigaddset(&pipe, SIGPIPE);
	if ((apart && (e = posix_spawnattr_setpgroup(attr, 0)) != 0) ||
	    (quiet && (e = posix_spawnattr_setsigdefault(attr, &pipe)) != 0))
		return e;
	return posix_spawnattr_setflags(attr, (short)((apart ? POSIX_SPAWN_SETPGROUP : 0) |
	    (quiet ? POSIX_SPAWN_SETSIGDEF : 0)));
}

int
dp_spawn(pid_t *pid, char *const argv[], int in, unsigned flags)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int fd[2], e;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return -1;
	if ((e = posix_spawn_file_actions_init(&actions)) == 0 &&
	    (e = posix_spawnattr_init(&attr)) == 0) {
		if ((e = add_files(&actions, in, fd[1],
		    (flags & DP_SPAWN_QUIET) != 0)) == 0 && (e = add_group(&attr, flags)) == 0)
			e = posix_spawnp(pid, argv[0], &actions, &attr, argv, environ);
		(void)posix_spawnattr_destroy(&attr);
		(void)posix_spawn_file_actions_destroy(&actions);
	}
	(void)close(fd[1]);
	if (e == 0)
		return fd[0];
	(void)close(fd[0]);
	errno = e;
	return -1;
}

int
dp_spawn_read(int fd, struct dp_buf *b, size_t most)
{
	char block[65536];
	ssize_t n = 0;
	int saved;

	while (b->n <= most && b->error == 0 && (n = read(fd, block, sizeof block)) != 0) {
		if (n > 0)
			dp_buf_add(b, block, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	saved = errno;
	(void)close(fd);
	errno = saved;
	return n < 0 ? DP_EIO : b->n > most ? DP_ERANGE : b->error;
}

int
dp_spawn_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
dp_spawn_text(const char *p, size_t n)
{
	int fd = dp_os_file(), saved;

	if (fd >= 0 && (dp_write_all(fd, p, n) != 0 || lseek(fd, 0, SEEK_SET) != 0)) {
		saved = errno;
		(void)close(fd);
		errno = saved;
		fd = -1;
	}
	return fd;
}
