/*
 * process.c - the process itself: descriptors, the rights to what it makes, and that its memory
 * stays its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/options.h"
#include "process.h"

#define TIGHT	((rlim_t)64 << 20)	/* bytes */

bool
dp_process_files(void)
{
	const bool closed = fcntl(STDIN_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_RDONLY) == STDIN_FILENO;

	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		(void)!open("/dev/null", O_RDWR);
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		dp_die(DP_EX_SYSTEM, "standard output is closed");
	/* before any file is there: who dies next to a chmod would leave one without rights */
	umask(umask(0) & 077);
	(void)signal(SIGXFSZ, SIG_IGN);		/* a file that may not grow is an error */
	return !closed;
}

/* A script gets its name and its first line's option from the kernel each time it is executed. */
static bool
is_program(const char *path)
{
	char magic[4] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const bool elf = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
	    memcmp(magic, "\177ELF", sizeof magic) == 0;

	if (fd >= 0)
		close(fd);
	return elf;
}

/*
 * The dynamic linker looks a function up when it is first called, and leaves its address in the
 * caller's table and registers on the stack: traces of the line that needed it.  The tools are
 * linked with -z now; their libraries are bound at the start only by LD_BIND_NOW, which the linker
 * reads before we run.
 */
void
dp_process_bind(char **argv)
{
	const char *now = getenv("LD_BIND_NOW");
	const char *path = (const char *)(uintptr_t)getauxval(AT_EXECFN);

	if (now != NULL && *now != '\0')
		return;
	if (setenv("LD_BIND_NOW", "1", 1) == 0) {
		if (is_program(path))		/* keeps its name; /proc/self/exe may be ld.so */
			(void)execv(path, argv);
		(void)execv("/proc/self/exe", argv);	/* of a script, a closed descriptor */
	}
	dp_die(DP_EX_SYSTEM, "cannot start anew with LD_BIND_NOW=1 in the environment (%s), which "
	    "--pan-private needs: set it", strerror(errno));
}

void
dp_process_harden(void)
{
	const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
		dp_die(DP_EX_SYSTEM, "core dumps cannot be turned off: %s", strerror(errno));
}

/*
 * Under a limit that is tight, later pages stay unlocked: locking them too could leave no memory to
 * be had at all.
 */
void
dp_process_lock(bool quiet)
{
	struct rlimit most = { 0, 0 };
	bool tight = getrlimit(RLIMIT_MEMLOCK, &most) != 0 ||
	    (most.rlim_cur != RLIM_INFINITY && most.rlim_cur < TIGHT);

	if (mlockall(MCL_ONFAULT | MCL_CURRENT | (tight ? 0 : MCL_FUTURE)) != 0 && !quiet)
		dp_warn("memory cannot be locked (%s): it may be swapped out", strerror(errno));
}
