/* SPDX-License-Identifier: ISC */
/*
 * wide.c - a processor with more registers than this one has, as a shared object for pan.bats:
 * where they are saved, they go 16 KiB deeper below the stack pointer.
 *
 * LD_AUDIT: the dynamic linker saves them when a function is called for the first time.
 * LD_PRELOAD: the kernel says that it needs 16 KiB more for a signal, and one comes when a buffer
 * is about to be wiped: registers hold where it is, and how long.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define DEEPER	((size_t)16 << 10)
#define SAVED	((size_t)2048)		/* of the frames above, where the linker put registers */

extern void *__libc_stack_end;		/* the dynamic linker's: where the stack begins */
long	sysconf(int);
void	explicit_bzero(void *, size_t);
void	__explicit_bzero_chk(void *, size_t, size_t);

/* A copy byte by byte: a function would have a frame where it goes. */
static void
put(char *to, const char *from, size_t n)
{
	volatile char *p = to;

	while (n-- > 0)
		*p++ = *from++;
}

unsigned
la_version(unsigned version)
{
	return version;
}

unsigned
la_objopen(struct link_map *map, Lmid_t id, uintptr_t *cookie)
{
	(void)map;
	(void)id;
	(void)cookie;
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t
la_symbind64(Elf64_Sym *sym, unsigned i, uintptr_t *from, uintptr_t *to, unsigned *flags,
    const char *name)
{
	char *frame = __builtin_frame_address(0);
	const size_t above = (size_t)((char *)__libc_stack_end - frame);
	static size_t n;	/* places, or the next would hide what this one leaves */

	(void)i;
	(void)from;
	(void)to;
	(void)flags;
	(void)name;
	put(frame - getauxval(AT_MINSIGSTKSZ) - DEEPER - n++ % 16 * SAVED, frame,
	    above < SAVED ? above : SAVED);
	return sym->st_value;
}

/* Of all that is asked here only that of the kernel has more to it. */
long
sysconf(int name)
{
	long (*real)(int);

	*(void **)&real = dlsym(RTLD_NEXT, "sysconf");
	return real(name) + (name == _SC_MINSIGSTKSZ ? (long)DEEPER : 0);
}

void
explicit_bzero(void *p, size_t n)
{
	const uintptr_t registers[] = { (uintptr_t)p, n };
	volatile char *q = p;

	put((char *)__builtin_frame_address(0) - DEEPER, (const char *)registers, sizeof registers);
	while (n-- > 0)
		*q++ = 0;
}

/* A checked call (_FORTIFY_SOURCE) */
void
__explicit_bzero_chk(void *p, size_t n, size_t room)
{
	(void)room;
	explicit_bzero(p, n);
}
