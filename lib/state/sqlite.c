/* sqlite.c - loads SQLite. */
#include <dlfcn.h>
#include <string.h>

#include "base/dp.h"
#include "sqlite.h"

#define LIBRARY	"libsqlite3.so.0"

int
dp_sqlite_load(struct dp_sqlite *s, const char **why)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), *at;

	if (library == NULL) {
		*why = dlerror();
		return DP_EIO;
	}
#define FIND(f) \
	if ((at = dlsym(library, "sqlite3_" #f)) == NULL) { \
		*why = dlerror(); \
		return DP_EIO; \
	} \
	memcpy(&s->f, &at, sizeof at);	/* POSIX: what it points at is the function */
	DP_SQLITE_FUNCTIONS(FIND)
	return 0;
}
