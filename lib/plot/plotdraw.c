/*
 * plotdraw.c - a picture on the terminal, or in a file that is there whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plot.h"
#include "replace.h"
#include "spawn.h"
#include "stream/out.h"

#define WIDTH	960	/* pixels */
#define HEIGHT	480
#define PAGE_WIDTH	840		/* of a page's picture: letters of 11 on a tablet */
#define PAGE_HEIGHT	420
#define NARROW_WIDTH	340		/* of the one for telephones */
#define NARROW_HEIGHT	300
#define PICTURE_MAX	((size_t)1 << 30)	/* bytes */
#define PAGE_MAX	((size_t)1 << 28)

static char gnuplot[] = "gnuplot";

static _Noreturn void
no_gnuplot(void)
{
	if (errno == ENOENT)
		dp_die(DP_EX_SYSTEM, "gnuplot is not there, and draws the charts "
		    "(Debian's package is gnuplot-nox)");
	dp_die(DP_EX_SYSTEM, "gnuplot: %s", strerror(errno));
}

static void
check_gnuplot(void)
{
	static char version[] = "-V";
	char *argv[] = { gnuplot, version, NULL };
	struct dp_buf b = { .p = NULL };
	pid_t pid;
	int fd = dp_spawn(&pid, argv, -1, 0), e;

	if (fd < 0)
		no_gnuplot();
	e = dp_spawn_read(fd, &b, PICTURE_MAX);
	dp_buf_free(&b);
	if (dp_spawn_wait(pid) != 0 || e != 0)
		dp_die(DP_EX_SYSTEM, "gnuplot does not run");
}

static bool
ends(const char *s, const char *suffix)
{
	const size_t n = strlen(s), k = strlen(suffix);

	return n > k && strcmp(s + n - k, suffix) == 0 && s[n - k - 1] != '/';
}

bool
dp_plot_is_page(const char *to)
{
	return ends(to, ".html");
}

/* --add: the page that is there, if one is. */
static void
page_before(struct dp_plot *p)
{
	int fd, e;

	if (!p->to.page)
		dp_die(DP_EX_USAGE, "--add: charts are added to a page: --to=FILE.html");
	if ((fd = open(p->to.name, O_RDONLY | O_CLOEXEC)) < 0) {
		if (errno == ENOENT)
			return;
		dp_die(DP_EX_SYSTEM, "%s: %s", p->to.name, strerror(errno));
	}
	if ((e = dp_spawn_read(fd, &p->to.before, PAGE_MAX)) == DP_EIO)
		dp_die(DP_EX_SYSTEM, "%s: %s", p->to.name, strerror(errno));
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0 || !dp_picture_is_page((struct dp_slice){ p->to.before.p, p->to.before.n }))
		dp_die(DP_EX_INPUT, "%s: not a page that this dpplot has made, so that nothing can "
		    "be added to it", p->to.name);
}

void
dp_plot_to(struct dp_plot *p, const char *to)
{
	struct stat st;

	p->to.name = to;
	p->picture.form = DP_PICTURE_TEXT;
	if (to != NULL) {
		p->to.page = dp_plot_is_page(to);
		if (!p->to.page && !ends(to, ".svg") && !ends(to, ".png"))
			dp_die(DP_EX_USAGE, "--to: '%s' must end in .png, .svg or .html", to);
		p->picture.form = ends(to, ".png") ? DP_PICTURE_PNG : DP_PICTURE_SVG;
		p->picture.width = p->to.width != 0 ? p->to.width : p->to.page ? PAGE_WIDTH :
		    WIDTH;
		p->picture.height = p->to.height != 0 ? p->to.height : p->to.page ? PAGE_HEIGHT :
		    HEIGHT;
		if (stat(to, &st) == 0 && S_ISDIR(st.st_mode))
			dp_die(DP_EX_SYSTEM, "%s: %s", to, strerror(EISDIR));
		if (dp_replace_check(to) != 0)
			dp_die(DP_EX_SYSTEM, "%s: %s", to, strerror(errno));
	}
	if (p->to.add)
		page_before(p);
	check_gnuplot();
}

/* Lines and columns that the environment names; 0: absent, or an absurd number. */
static unsigned
environment(const char *name)
{
	const char *text = getenv(name);
	uint64_t n;

	return text != NULL && dp_u64_parse(&n, text, 1, 1000) == 0 ? (unsigned)n : 0;
}

/* A terminal's size, one line less for the prompt; else what the environment says, else 80x24. */
static void
text_size(struct dp_plot *p)
{
	unsigned width = environment("COLUMNS"), height = environment("LINES");
	struct winsize w;

	if (p->to.width != 0) {
		p->picture.width = p->to.width;
		p->picture.height = p->to.height;
		return;
	}
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 1) {
		width = w.ws_col;
		height = w.ws_row - 1;
	}
	width = width == 0 ? 80 : width < 40 ? 40 : width;
	height = height == 0 ? 24 : height < 10 ? 10 : height;
	p->picture.width = width > 500 ? 500 : width;
	p->picture.height = height > 200 ? 200 : height;
}

/* Nothing in it is a command to the terminal: it may be anybody's text. */
static void
add_line(struct dp_buf *b, const char *s, size_t n, bool again)
{
	const char *end, *instead;

	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\n'))
		n--;
	for (end = s + n; s < end; s += n) {
		instead = dp_text_shown(s, end, &n);
		dp_buf_add(b, instead != NULL ? instead : s, instead != NULL ? 1 : n);
	}
	dp_buf_puts(b, again ? "\033[K\n" : "\n");
}

/* The picture's lines without what is blank at their ends, and the words below. */
static void
text(struct dp_plot *p, bool again)
{
	const char *s = p->svg.wide.p, *e = s + p->svg.wide.n, *end;
	size_t n, i;
	bool begun = false;

	if (again)
		dp_buf_puts(&p->out, "\033[H");
	for (; s < e; s = end + 1) {
		end = memchr(s, '\n', (size_t)(e - s));
		end = end == NULL ? e : end;
		for (i = 0; i < (size_t)(end - s) && (s[i] == ' ' || s[i] == '\f'); i++)
			;
		begun |= s + i < end;
		if (begun)		/* not the empty lines above it */
			add_line(&p->out, s, (size_t)(end - s), again);
	}
	for (s = p->caption; s != NULL && *s != '\0'; s = end) {
		end = dp_text_fold(s, p->picture.width - 1, &n);
		add_line(&p->out, s, n, again);
	}
	if (again)
		dp_buf_puts(&p->out, "\033[J");
}

static void
draw(struct dp_plot *p, struct dp_buf *to)
{
	static char defaults[] = "-d", dash[] = "-";
	char *argv[] = { gnuplot, defaults, dash, NULL };
	pid_t pid;
	int in, out, e;

	dp_buf_reset(&p->script);
	dp_buf_reset(to);
	dp_picture_script(&p->script, &p->picture);
	if (p->script.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	(void)setenv("LC_ALL", "C.UTF-8", 1);		/* the script is UTF-8 */
	if ((in = dp_spawn_text(p->script.p, p->script.n)) < 0)
		dp_die(DP_EX_SYSTEM, "%s", strerror(errno));
	if ((out = dp_spawn(&pid, argv, in, DP_SPAWN_APART)) < 0)
		no_gnuplot();
	(void)close(in);
	p->gnuplot = pid;
	e = dp_spawn_read(out, to, PICTURE_MAX);
	p->gnuplot = 0;
	if (dp_spawn_wait(pid) != 0 || e != 0 || to->n == 0)
		dp_die(DP_EX_SYSTEM, "gnuplot draws nothing");
}

/* gnuplot is there, and can draw this form: a rehearsal, of a picture that is not kept. */
void
dp_plot_rehearse(struct dp_plot *p)
{
	struct dp_chart made_up = { .header = false };
	const struct dp_picture picture = p->picture;

	if (dp_chart_line(&made_up, (struct dp_slice){ "1", 1 }) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (p->to.name == NULL)
		text_size(p);
	p->picture.data = &made_up;
	p->picture.truth = NULL;
	p->picture.caption = p->caption;
	draw(p, &p->svg.wide);
	p->picture = picture;
	dp_chart_free(&made_up);
}

/* A picture for a telephone, unless it has been made for one. */
static void
draw_narrow(struct dp_plot *p)
{
	const unsigned width = p->picture.width, height = p->picture.height;

	dp_buf_reset(&p->svg.narrow);
	if (width <= NARROW_WIDTH)
		return;
	p->picture.width = NARROW_WIDTH;
	p->picture.height = NARROW_HEIGHT;
	draw(p, &p->svg.narrow);
	p->picture.width = width;
	p->picture.height = height;
}

void
dp_plot_draw(struct dp_plot *p, bool again)
{
	const char *title = p->picture.title;
	struct dp_buf *out = &p->svg.wide;
	struct dp_slice svg;

	dp_plot_check_truth(p);
	dp_plot_charts(p);
	dp_buf_reset(&p->out);
	if (p->to.name == NULL)
		text_size(p);
	p->picture.caption = p->to.page ? NULL : p->caption;	/* a page says both itself */
	p->picture.title = p->to.page ? NULL : title;
	draw(p, &p->svg.wide);
	if (p->to.page)
		draw_narrow(p);
	if (p->picture.form != DP_PICTURE_PNG)
		out = &p->out;
	svg = (struct dp_slice){ p->svg.wide.p, p->svg.wide.n };
	if (p->to.name == NULL)
		text(p, again);
	p->picture.caption = p->caption;
	p->picture.title = title;
	if (p->to.page)
		dp_picture_page(&p->out, &p->picture, svg,
		    (struct dp_slice){ p->svg.narrow.p, p->svg.narrow.n }, p->more,
		    (struct dp_slice){ p->to.before.p, p->to.before.n });
	if (p->picture.form == DP_PICTURE_SVG && !p->to.page)
		dp_picture_named(&p->out, &p->picture, svg);
	if (out->error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (p->to.unfinished) {
		dp_buf_free(&p->to.before);
		p->to.before = p->out;
		p->out = (struct dp_buf){ .p = NULL };
		return;
	}
	if (p->to.name != NULL && dp_replace(p->to.name, out->p, out->n) != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", p->to.name, strerror(errno));
	if (p->to.name == NULL && dp_write_all(STDOUT_FILENO, out->p, out->n) != 0)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
}

/*
 * The caption is what stands before the table of estimates, and each later line that says that
 * something is not private.
 */
void
dp_plot_explained(struct dp_plot *p, const char *place, const char *words, size_t n)
{
	struct dp_buf b = { .p = NULL };
	const char *table, *s, *e;

	if (n == 0 || words[0] == '{' || memchr(words, '\0', n) != NULL)
		dp_die(DP_EX_INPUT, "%s: not what --explain prints", place);
	if ((p->more = strndup(words, n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	table = strstr(p->more, "\nestimates ");
	e = table == NULL ? p->more + n : table;
	for (; e > p->more && e[-1] == '\n'; e--)
		;
	dp_buf_add(&b, p->more, (size_t)(e - p->more));
	for (s = table; s != NULL && *s != '\0'; s = *e == '\0' ? e : e + 1) {
		e = s + strcspn(s, "\n");
		if (memmem(s, (size_t)(e - s), "NOT PRIVATE", 11) == NULL)
			continue;
		s += strncmp(s, "assumed:", 8) == 0 ? 8 : 0;
		s += strspn(s, " ");
		dp_buf_puts(&b, "\n");
		dp_buf_add(&b, s, (size_t)(e - s));
	}
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	p->caption = b.p;
}
