# SPDX-License-Identifier: ISC
# Deaths and failures at every effect on files: for budget.bats and statemove.bats.

# A library whose N-th call of what changes files, of main(), dies before it or after it, or fails
# with an error; "reached" has something in it then.
preload() {
	unsanitized "a sanitizer's library comes first"
	cat >die.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <fcntl.h>
		#include <signal.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>
		static long n;
		static int hit(void) {
			const char *at = getenv("AT");
			if (at == NULL || ++n != atol(at))
				return 0;
			int fd = syscall(257, AT_FDCWD, "reached", O_WRONLY | O_CREAT, 0600);
			syscall(1, fd, "x", 1L);
			close(fd);
			return 1;
		}
		#define CALL(type, name, params, args) \
		type name params { \
			static type (*real) params; \
			const char *how = getenv("HOW"); \
			int now = hit(); \
			type result; \
			if (real == NULL) \
				real = (type (*) params)dlsym(RTLD_NEXT, #name); \
			if (now && strcmp(how, "before") == 0) \
				kill(getpid(), SIGKILL); \
			if (now && strcmp(how, "after") != 0) { \
				errno = strcmp(how, "full") == 0 ? ENOSPC : EIO; \
				return (type)-1; \
			} \
			result = real args; \
			if (now) \
				kill(getpid(), SIGKILL); \
			return result; \
		}
		CALL(ssize_t, write, (int fd, const void *p, size_t k), (fd, p, k))
		CALL(ssize_t, pwrite, (int fd, const void *p, size_t k, off_t o), (fd, p, k, o))
		CALL(ssize_t, pwrite64, (int fd, const void *p, size_t k, off64_t o), (fd, p, k, o))
		CALL(int, fsync, (int fd), (fd))
		CALL(int, fdatasync, (int fd), (fd))
		CALL(int, unlink, (const char *p), (p))
		CALL(int, unlinkat, (int d, const char *p, int f), (d, p, f))
		CALL(int, renameat, (int a, const char *p, int b, const char *q), (a, p, b, q))
		CALL(int, ftruncate64, (int fd, off64_t k), (fd, k))
		CALL(int, fchmod, (int fd, mode_t m), (fd, m))
	END
	${CC:-cc} -shared -fPIC -w -o die.so die.c
}

# dying HOW N COMMAND ...
dying() {
	: >reached
	AT=$2 HOW=$1 LD_PRELOAD=$PWD/die.so "${@:3}"
}
