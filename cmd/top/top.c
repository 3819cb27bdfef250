#include "cmd.h"
#include "files/files.h"
#include "input/input.h"
#include "options/options.h"
#include "render/emit.h"
#include "render/text.h"
#include "top/data.h"
#include "top/list.h"
#include "top/ops.h"
#include "top/run.h"
#include "top/terminal.h"
#include "top/model.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- settings stored between runs: theme, columns and order, in $XDG_CONFIG_HOME/fs-tools/fs-top. Lines are "theme
 * NAME", "VIEW show COLUMN", "VIEW hide COLUMN", "VIEW sort COLUMN" and "VIEW turned". Lines about columns that this
 * snapshot does not have are preserved. */

enum { SETUP_SIZE = 8192 };

struct setup {
	char file[512];		/* "": there is no folder for the file, or the file must not be changed */
	char text[SETUP_SIZE];	/* settings after loading, to detect changes */
	char others[SETUP_SIZE]; /* lines about columns of other snapshots */
};

static void name_file(char file[512])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = 0;

	if (config && *config == '/')
		n = snprintf(file, 512, "%s/fs-tools/fs-top", config);
	else if (home && *home == '/')
		n = snprintf(file, 512, "%s/.config/fs-tools/fs-top", home);
	if (n <= 0 || n >= 512)
		*file = '\0';
}

/* ---- formatting */

static void add(char text[SETUP_SIZE], const char *a, const char *b, const char *c)
{
	const size_t n = strlen(text);
	const int more = snprintf(text + n, SETUP_SIZE - n, "%s %s%s%s\n", a, b, *c ? " " : "", c);

	if (more < 0 || (size_t)more >= SETUP_SIZE - n)
		text[n] = '\0';
}

static void describe(const struct setup *s, const struct model *m, char text[SETUP_SIZE])
{
	struct view_column c;

	*text = '\0';
	add(text, "theme", theme_name(m->theme), "");
	for (int v = 0; v < VIEWS; v++) {
		const struct list *l = &m->list[v];

		for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
			view_column_get(l->ops, m->data, i, &c);
			if (m->chosen[v][i])
				add(text, l->ops->name, m->chosen[v][i] > 0 ? "show" : "hide", c.name);
			if (i == l->sort)
				add(text, l->ops->name, "sort", c.name);
		}
		if (l->inverted)
			add(text, l->ops->name, "turned", "");
	}
	if (strlen(text) + strlen(s->others) < SETUP_SIZE)
		strcat(text, s->others);
}

/* ---- parsing */

static size_t column_named(const struct model *m, const struct list *l, const char *name)
{
	struct view_column c;

	for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
		view_column_get(l->ops, m->data, i, &c);
		if (!strcmp(c.name, name))
			return i;
	}
	return SIZE_MAX;
}

static void choose(struct setup *s, struct model *m, int v, const char *verb, const char *name)
{
	struct list *l = &m->list[v];
	const size_t i = column_named(m, l, name);

	if (i == SIZE_MAX)
		add(s->others, l->ops->name, verb, name);
	else if (!strcmp(verb, "sort"))
		l->sort = i;
	else
		m->chosen[v][i] = !strcmp(verb, "show") ? 1 : -1;
}

/* Applies one line of the file. Returns NULL, or what is wrong with the line. */
static const char *take_line(struct setup *s, struct model *m, char *line)
{
	static const char *const verbs[] = { "show", "hide", "sort", "turned" };
	char *verb = line + strcspn(line, " "), *name;
	size_t k = 0;
	int v = 0;

	if (!*line || *line == '#')
		return NULL;
	if (*verb)
		*verb++ = '\0';
	if (!strcmp(line, "theme")) {
		m->theme = theme_named(verb);
		return m->theme < THEMES ? NULL : "no such theme";
	}
	while (v < VIEWS && strcmp(m->list[v].ops->name, line) != 0)
		v++;
	name = verb + strcspn(verb, " ");
	if (*name)
		*name++ = '\0';
	while (k < 4 && strcmp(verbs[k], verb) != 0)
		k++;
	if (v == VIEWS || k == 4 || (k == 3) != !*name)
		return "not a line of a set-up";
	if (k == 3)
		m->list[v].inverted = true;
	else
		choose(s, m, v, verb, name);
	return NULL;
}

static void forget(struct setup *s, struct model *m, enum theme theme)
{
	m->theme = theme;
	memset(m->chosen, 0, sizeof(m->chosen));
	*s->others = '\0';
	for (int v = 0; v < VIEWS; v++) {
		m->list[v].sort = SIZE_MAX;
		m->list[v].inverted = false;
	}
}

static const char *take_file(struct setup *s, struct model *m, FILE *in, unsigned *line)
{
	const char *wrong = NULL;
	char text[512];

	while (!wrong && fgets(text, sizeof(text), in)) {
		++*line;
		if (!strchr(text, '\n') && !feof(in))
			return "a line is too long";
		text[strcspn(text, "\n")] = '\0';
		wrong = take_line(s, m, text);
	}
	return wrong ? wrong : ferror(in) ? strerror(errno) : NULL;
}

/* Applies the settings file to the model; themed: except its theme. An invalid file is reported, ignored and never
 * overwritten. */
static void setup_load(struct setup *s, struct model *m, bool themed)
{
	const enum theme theme = m->theme;
	const char *wrong = NULL;
	unsigned line = 0;
	FILE *in;

	*s = (struct setup){ .file = "" };
	name_file(s->file);
	in = *s->file ? fopen(s->file, "r") : NULL;
	if (in) {
		wrong = take_file(s, m, in, &line);
		fclose(in);
	}
	if (wrong) {
		model_say(m, true, "set-up ignored, line %u: %s: %s", line, wrong, s->file);
		forget(s, m, theme);
		*s->file = '\0';
	}
	if (themed)
		m->theme = theme;
	for (int v = 0; v < VIEWS; v++)
		if (list_refresh(&m->list[v], m->data, false))
			model_starve(m);
	describe(s, m, s->text);
	model_use_theme(m, m->theme);
}

/* ---- writing */

static int put(const void *what, FILE *to, struct fs_error *err)
{
	(void)err;
	emit_to(to, "# set-up of fs-top: F2 and F6 change it\n");
	for (const char *at = what; *at; at += strcspn(at, "\n") + 1)
		emit_to(to, "%.*s\n", (int)strcspn(at, "\n"), at);
	return 0;
}

/* Creates the folders above the file with mode 0700. */
static void make_folders(const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s", file);
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

/* Writes the settings atomically if they have changed. */
static void setup_save(const struct setup *s, const struct invocation *inv, const struct model *m)
{
	char text[SETUP_SIZE];

	describe(s, m, text);
	if (!*s->file || !strcmp(text, s->text))
		return;
	make_folders(s->file);
	save(inv, put, text, s->file, 0600);
}

/* ---- the viewer in a terminal: waits for keys, the clock, a changed file, signals and the loader */

struct loop {
	struct run *run;
	struct loader *loader;
	struct asking asking;
	struct grid grid;
	struct stamp read;  /* of the file when it was last read, even without success */
	int64_t next_ms;    /* when to check for new data */
	int64_t started_ms; /* start of the current load */
	int64_t drawn_ms;
	int64_t age_min; /* age of the snapshot as the model knows it, minutes */
	bool dirty, whole, pending, ends;
};

static int64_t uptime_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void loop_feed(struct loop *p, const struct event *e);

static void start(struct loop *p, enum load_kind kind)
{
	const struct source *s = &p->run->source;

	if (kind == LOAD_SNAPSHOT && s->file)
		p->read = stamp_of(s->file);
	p->started_ms = uptime_ms();
	if (!loader_busy(p->loader))
		source_suppose(&p->run->source, &p->run->model.what_if);
	if (loader_start(p->loader, kind, p->run->model.data, p->run->model.list[VIEW_QUEUE].sort))
		loop_feed(p, &(struct event){ .kind = EV_LOADING });
}

static void react(struct loop *p, unsigned reaction)
{
	p->ends = p->ends || reaction & REACT_QUIT;
	p->whole = p->whole || reaction & REACT_REDRAW;
	if (reaction & REACT_WRITE)
		ask_write(&p->asking);
	if (reaction & (REACT_WRITE | REACT_WORDS))
		ask_go_on(&p->asking);
	if (reaction & REACT_RELOAD)
		start(p, LOAD_SNAPSHOT);
	if (reaction & REACT_ALGORITHM)
		start(p, LOAD_ALGORITHM);
	if (reaction & REACT_PLAN && !loader_busy(p->loader))
		start(p, LOAD_PLAN);
}

static void loop_feed(struct loop *p, const struct event *e)
{
	p->dirty = p->pending = true;
	react(p, model_update(&p->run->model, e));
}

/* Handles the keys typed while loading, as soon as the queue is computed. */
static void take_kept_keys(struct loop *p)
{
	struct loading *l = &p->run->loading;
	const size_t n = p->run->model.data->unordered ? 0 : l->n;

	for (size_t i = 0; i < n && !p->ends; i++)
		loop_feed(p, &l->kept[i]);
	l->n -= n;
}

/* Sends the time to the model once a minute; the screen shows no smaller unit. */
static void send_clock(struct loop *p)
{
	if (p->run->clock_set)
		return;

	const int64_t now = time(NULL),
		      age_min = (now - fs_snapshot_info(p->run->model.data->snapshot)->time) / 60;

	if (age_min == p->age_min)
		return;
	p->age_min = age_min;
	loop_feed(p, &(struct event){ .kind = EV_CLOCK, .time = now });
}

/* Captures put load on the controller, so at least four times the duration of the last capture must pass before the
 * next. */
static void plan_next(struct loop *p)
{
	const int64_t now = uptime_ms(), every = (int64_t)p->run->every_s * 1000,
		      took = now - p->started_ms;

	if (!p->run->source.live)
		p->next_ms = now + (every ? every : 1000);
	else
		p->next_ms = !every ? INT64_MAX : now + (every > 4 * took ? every : 4 * took);
}

static void look_for_news(struct loop *p)
{
	const struct source *s = &p->run->source;
	struct stamp stamp;

	if (uptime_ms() < p->next_ms || loader_busy(p->loader))
		return;
	if (s->live) {
		start(p, LOAD_SNAPSHOT);
	} else if (s->file) {
		stamp = stamp_of(s->file);
		if (!stamp_same(&stamp, &p->read))
			start(p, LOAD_SNAPSHOT);
	}
	plan_next(p);
}

/* Frees data; run in a thread because it takes noticeable time with a million jobs. */
static void free_data(void *data)
{
	data_free(data);
}

static void take_load(struct loop *p)
{
	struct data *data;

	if (loader_kind(p->loader) == LOAD_PLAN) {
		loop_feed(p, &(struct event){ .kind = EV_PLANNED, .chart = loader_take_chart(p->loader) });
		return;
	}
	data = loader_take(p->loader);
	p->age_min = INT64_MIN;
	loop_feed(p, &(struct event){ .kind = data ? EV_DATA : EV_FAILED,
				 .data = data,
				 .text = p->run->source.error });
	worker_leave_to(free_data, model_retired(&p->run->model));
	take_kept_keys(p);
	plan_next(p);
}

static void draw(struct loop *p)
{
	if (!p->dirty && !p->whole)
		return;
	if (!view_draw(&p->run->model, &p->grid))
		term_draw(&p->grid, p->whole);
	p->dirty = p->whole = false;
	p->drawn_ms = uptime_ms();
}

static void take_signal(struct loop *p)
{
	struct event e = { .kind = EV_RESIZE };
	bool changed = false;

	p->run->signal = term_signal(&changed);
	p->ends = p->ends || p->run->signal;
	if (!changed)
		return;
	term_size(&e.x, &e.y);
	loop_feed(p, &e);
	p->whole = true;
}

static void take_keys(struct loop *p)
{
	struct event e;

	while (!p->ends && term_event(&e)) {
		if (e.kind == EV_KEY && e.key == CONTROL('z')) {
			term_suspend();
			term_size(&e.x, &e.y);
			e.kind = EV_RESIZE;
			p->whole = true;
		}
		loop_feed(p, &e);
	}
}

/* Waits for the next event; does not wait if there is work left. */
static void wait_for(struct loop *p)
{
	struct pollfd fds[] = { { .fd = term_input(), .events = POLLIN },
				{ .fd = term_signals(), .events = POLLIN },
				{ .fd = ask_fd(&p->asking), .events = POLLIN },
				{ .fd = ask_busy(&p->asking) ? -1 : loader_fd(p->loader), .events = POLLIN } };
	const int64_t left = p->next_ms - uptime_ms();
	const int timeout = p->pending ? 0 : left < 0 ? 0 : left < 1000 ? (int)left : 1000;

	if (poll(fds, sizeof(fds) / sizeof(*fds), timeout) < 0 && errno != EINTR)
		p->ends = true;
	if (fds[1].revents)
		take_signal(p);
	if (fds[2].revents & POLLIN) {
		ask_take(&p->asking);
		p->dirty = true;
	}
	if (!p->ends && fds[3].revents & POLLIN && !ask_busy(&p->asking))
		take_load(p);
	if (!p->ends && fds[0].revents & POLLIN)
		take_keys(p);
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		p->ends = true; /* the terminal is gone */
}

/* Continues sorting and filtering between keys; redraws about ten times per second. */
static void work(struct loop *p)
{
	const int64_t slice_ms = 4, redraw_ms = 100, until = uptime_ms() + slice_ms;

	while (p->pending && uptime_ms() < until)
		p->pending = model_work(&p->run->model);
	p->dirty = p->dirty || !p->pending || uptime_ms() - p->drawn_ms > redraw_ms;
}

static int loop(struct loop *p)
{
	struct event size = { .kind = EV_RESIZE };

	term_size(&size.x, &size.y);
	loop_feed(p, &size);
	take_kept_keys(p);
	p->started_ms = uptime_ms();
	if (p->run->model.data->unordered)
		start(p, LOAD_ORDER);
	plan_next(p);
	while (!p->ends) {
		send_clock(p);
		draw(p);
		if (p->pending)
			work(p);
		draw(p);
		wait_for(p);
		if (!p->ends)
			look_for_news(p);
	}
	return EXIT_DONE;
}

static int run_terminal(struct run *r)
{
	struct loop p = {
		.run = r, .loader = loader_new(&r->source), .read = r->stamp, .age_min = INT64_MIN
	};
	const bool ready = p.loader && !ask_open(&p.asking, r);
	const char *why = !ready ? strerror(errno) : r->loading.open ? NULL : term_open(r->color);
	struct setup setup;
	int status = EXIT_FAILED;

	if (why) {
		loading_close(r);
		complain(r->inv, "%s", why);
	} else {
		model_use_blocks(&r->model, r->model.blocks && term_has_colors());
		r->loading.open = true;
		setup_load(&setup, &r->model, r->themed);
		status = loop(&p);
		loading_close(r);
		setup_save(&setup, r->inv, &r->model);
	}
	if (ready)
		r->abandoned = !ask_end(&p.asking);
	r->abandoned = !loader_end(p.loader) || r->abandoned;
	grid_free(&p.grid);
	return status;
}

/* ---- scripts: keys from a file, screens as text, with the same model and view as in a terminal. A line is a command:
 * `key NAME...`, `type TEXT`, `click COLUMN ROW`, `dump [TITLE]`, `size COLSxROWS`, `load FILE`, `clock SECONDS` (age
 * of the snapshot), `# comment`. */

struct script {
	struct run *run;
	struct grid grid;
	const char *file;
	unsigned long line;
};

static int bad(const struct script *s, const char *why, const char *what)
{
	complain(s->run->inv, "%s:%lu: %s%s%s", s->file, s->line, why, *what ? ": " : "", what);
	return EXIT_USAGE;
}

static void write_now(struct run *r)
{
	struct writing w;
	struct lines words = { 0 };

	if (!write_begin(r, &w))
		return;
	if (w.asks)
		words_make(&words, r->model.data, &w.request);
	write_end(r, &w, w.asks ? &words : NULL);
	lines_free(&words);
}

static void add_words(struct run *r)
{
	struct words_request q;
	struct lines words = { 0 };

	if (!model_words_wanted(&r->model, &q))
		return;
	words_make(&words, r->model.data, &q);
	model_update(&r->model,
		     &(struct event){ .kind = EV_WORDS, .request = &q, .words = &words });
	lines_free(&words);
}

/* Sends an event and completes all resulting work, so that every screen is final. Returns -1 to quit, 0, or an exit
 * status. */
static int script_feed(struct script *s, const struct event *e)
{
	const unsigned reaction = model_update(&s->run->model, e);
	struct data *data = NULL;

	while (model_work(&s->run->model))
		;
	if (reaction & REACT_WRITE)
		write_now(s->run);
	if (reaction & REACT_WORDS)
		add_words(s->run);
	s->run->source.options.sorted_by = s->run->model.list[VIEW_QUEUE].sort;
	if (reaction & REACT_PLAN) {
		struct chart *chart = chart_make(s->run->model.data);

		if (!chart)
			return no_memory(s->run->inv);
		return script_feed(s, &(struct event){ .kind = EV_PLANNED, .chart = chart });
	}
	source_suppose(&s->run->source, &s->run->model.what_if);
	if (reaction & (REACT_RELOAD | REACT_ALGORITHM)) {
		const bool failed =
			reaction & REACT_RELOAD
				? source_load(&s->run->source, s->run->model.data, &data)
				: source_next_algorithm(&s->run->source, s->run->model.data, &data);
		const struct event next = { .kind = failed ? EV_FAILED : EV_DATA,
					    .data = data,
					    .text = s->run->source.error };

		return script_feed(s, &next);
	}
	return reaction & REACT_QUIT ? -1 : 0;
}

static int feed_key(struct script *s, int key)
{
	return script_feed(s, &(struct event){ .kind = EV_KEY, .key = key });
}

static int do_keys(struct script *s, char *names)
{
	int rc = 0;

	for (char *name = strtok(names, " \t"); name && !rc; name = strtok(NULL, " \t")) {
		const int key = key_named(name);

		rc = key ? feed_key(s, key) : bad(s, "no such key", name);
	}
	return rc;
}

static int do_type(struct script *s, char *text)
{
	int rc = 0;

	for (; *text && !rc; text++)
		rc = feed_key(s, (unsigned char)*text);
	return rc;
}

static int do_size(struct script *s, char *text)
{
	struct event e = { .kind = EV_RESIZE };
	char rest;

	if (sscanf(text, "%4ux%4u%c", &e.x, &e.y, &rest) != 2 || !e.x || !e.y)
		return bad(s, "expected COLSxROWS", text);
	return script_feed(s, &e);
}

static int do_click(struct script *s, char *text)
{
	struct event e = { .kind = EV_MOUSE, .key = CODE_ENTER };
	char rest;

	if (sscanf(text, "%4u %4u%c", &e.x, &e.y, &rest) != 2 || !e.x-- || !e.y--)
		return bad(s, "expected COLUMN ROW, from 1", text);
	return script_feed(s, &e);
}

static int do_dump(struct script *s, char *title)
{
	if (view_draw(&s->run->model, &s->grid))
		return no_memory(s->run->inv);
	if (*title)
		emit("=== %s\n", title);
	grid_print(&s->grid, s->run->color_always, stdout);
	return 0;
}

static int do_load(struct script *s, char *file)
{
	char *name = strdup(file);
	struct data *data = NULL;
	struct event e = { .kind = EV_FAILED, .text = s->run->source.error };
	struct source from = s->run->source;

	if (!name)
		return no_memory(s->run->inv);
	s->run->source.file = name;
	s->run->source.live = false;
	if (!source_load(&s->run->source, s->run->model.data, &data))
		e = (struct event){ .kind = EV_DATA, .data = data };
	s->run->source.file = from.file;
	s->run->source.live = from.live;
	free(name);
	return script_feed(s, &e);
}

static int do_clock(struct script *s, char *text)
{
	const int64_t age = strtoll(text, NULL, 10);

	return script_feed(s,
			   &(struct event){ .kind = EV_CLOCK,
				     .time = fs_snapshot_info(s->run->model.data->snapshot)->time +
					     age });
}

static const struct {
	const char *name;
	int (*run)(struct script *s, char *rest);
} commands[] = {
	{ "key", do_keys }, { "type", do_type }, { "dump", do_dump },
	{ "click", do_click }, { "size", do_size }, { "load", do_load }, { "clock", do_clock },
};

static int do_line(struct script *s, char *line)
{
	char *rest = line + strcspn(line, " \t");

	if (*rest)
		*rest++ = '\0';
	if (!*line || *line == '#')
		return 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(line, commands[i].name))
			return commands[i].run(s, rest);
	return bad(s, "no such command", line);
}

static int run_script(struct run *r, const char *file)
{
	struct script s = { .run = r, .file = file };
	FILE *in = strcmp(file, "-") ? fopen(file, "r") : stdin;
	char line[1024];
	int rc = 0;

	if (!in) {
		complain(r->inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	while (!rc && fgets(line, sizeof(line), in)) {
		s.line++;
		line[strcspn(line, "\n")] = '\0';
		rc = do_line(&s, line);
	}
	if (ferror(in)) {
		complain(r->inv, "%s: %s", file, strerror(errno));
		rc = EXIT_FAILED;
	}
	if (in != stdin)
		fclose(in);
	grid_free(&s.grid);
	if (rc <= 0 && r->model.starved)
		return no_memory(r->inv);
	return rc < 0 ? EXIT_DONE : rc;
}

static int run_once(struct run *r)
{
	struct grid g = { 0 };
	int status = EXIT_DONE;

	if (view_draw(&r->model, &g)) {
		status = no_memory(r->inv);
	} else {
		grid_print(&g, r->color, stdout);
		if (r->model.starved)
			status = no_memory(r->inv);
	}
	grid_free(&g);
	return status;
}

/* ---- fs-top: options and start */

enum when { AUTO, ALWAYS, NEVER };

struct settings {
	struct input input;
	const char *script;
	unsigned every_s, cols, rows;
	enum when color;
	enum theme theme;
	bool once, ascii, themed;
};

enum { OPT_EVERY = OPT_FIRST_FREE, OPT_ONCE, OPT_SCRIPT, OPT_SIZE, OPT_NO_COLOR, OPT_ASCII, OPT_THEME };

#define SET(member) OPTION_SETS(struct settings, member)
static const struct option_row option_rows[] = {
	HEADING("Screen"),
	{ OPT_EVERY, "every", "SECONDS", "capture again so often, or look so often whether the file changed", TAKEN },
	{ OPT_ONCE, "once", NULL, "print one screen as text and end", SET(once) },
	{ OPT_SCRIPT, "script", "FILE", "take keys from this file and print the screens it asks for", SET(script) },
	{ OPT_SIZE, "size", "COLSxROWS", "of the screen with --once and --script (80x24)", TAKEN },
	COLOR_OPTION,
	{ OPT_NO_COLOR, "no-color", NULL, "the same as --color=never", TAKEN },
	{ OPT_THEME, "theme", "NAME", "auto, 16, 256, true, light or mono", TAKEN_OF("auto 16 256 true light mono") },
	{ OPT_ASCII, "ascii", NULL, "nothing but ASCII on the screen", SET(ascii) },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table top_option_table = { .synopsis = "[OPTION]...",
						  .about = "The queue, the share tree and one row's breakdown, live.",
						  OPTIONS(option_rows) };

static int bad_value(const struct invocation *inv, const char *option, const char *expected, const char *arg)
{
	complain(inv, "--%s: expected %s, got \"%s\"", option, expected, arg);
	return EXIT_USAGE;
}

static int parse_every(const struct invocation *inv, struct settings *set, const char *arg)
{
	enum { DAY = 86400 };
	char rest;

	if (arg[0] == '-' || sscanf(arg, "%5u%c", &set->every_s, &rest) != 1 || !set->every_s || set->every_s > DAY)
		return bad_value(inv, "every", "1 to 86400 seconds", arg);
	return -1;
}

static int parse_size(const struct invocation *inv, struct settings *set, const char *arg)
{
	char rest;

	if (arg[0] == '-' || sscanf(arg, "%4ux%4u%c", &set->cols, &set->rows, &rest) != 2 || !set->cols || !set->rows)
		return bad_value(inv, "size", "COLSxROWS such as 80x24", arg);
	return -1;
}

static int parse_color(const struct invocation *inv, struct settings *set, const char *arg)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(names[i], arg)) {
			set->color = (enum when)i;
			return -1;
		}
	return bad_value(inv, "color", "auto, always or never", arg);
}

static int parse_theme(const struct invocation *inv, struct settings *set, const char *arg)
{
	set->theme = theme_named(arg);
	set->themed = true;
	return set->theme < THEMES ? -1 : bad_value(inv, "theme", "auto, 16, 256, true, light or mono", arg);
}

static int take_option(void *run, const struct options *o, int id)
{
	struct settings *set = run;

	switch (id) {
	case OPT_EVERY:
		return parse_every(o->inv, set, o->arg);
	case OPT_SIZE:
		return parse_size(o->inv, set, o->arg);
	case OPT_COLOR:
		return parse_color(o->inv, set, o->arg);
	case OPT_NO_COLOR:
		return parse_color(o->inv, set, "never");
	default:
		return parse_theme(o->inv, set, o->arg);
	}
}

static int parse(struct run *r, struct settings *set, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = set, .input = &set->input, .take = take_option };
	int next, status = options_parse(&to, &top_option_table, argc, argv, &next);

	r->every_s = set->every_s;
	if (status < 0 && next < argc)
		status = options_unexpected(r->inv, argv[next]);
	if (status < 0 && set->once && set->script) {
		complain(r->inv, "--once and --script exclude each other");
		status = EXIT_USAGE;
	}
	return status;
}

static bool wants_color(const struct settings *set)
{
	const char *no = getenv("NO_COLOR");

	return set->color == ALWAYS || (set->color == AUTO && !(no && *no) && isatty(STDOUT_FILENO));
}

static int load(struct run *r, struct settings *set)
{
	const char *file;
	const enum input_source kind = input_source(&set->input, &file);
	fs_snapshot *snapshot = NULL;
	fs_usage *usage = NULL;
	struct data_options first;
	struct data *data = NULL;
	struct fs_error err;
	int status;

	set->input.recorded = true; /* explanations compare with recorded values */
	r->source = (struct source){ .inv = r->inv,
				     .input = &set->input,
				     .edits = &set->input.edits,
				     .given = set->input.edits.n,
				     .live = kind == INPUT_LIVE };
	if (kind == INPUT_FILE && strcmp(file, "-") != 0)
		r->source.file = file;
	r->source.options =
		(struct data_options){ .view = input_view(&set->input), .queue = &view_queue, .sorted_by = SIZE_MAX };
	r->stamp = r->source.file ? stamp_of(file) : r->stamp;
	status = input_open(r->inv, &set->input, &snapshot);
	if (!status && usage_wanted(&set->input))
		status = usage_load(r->inv, &set->input, snapshot, NULL, NULL, &usage);
	if (status) {
		fs_usage_free(usage);
		fs_snapshot_free(snapshot);
		return status;
	}
	r->clock_set = set->input.at != NULL;
	first = r->source.options;
	first.without_queue = !set->script && !set->once && data_is_large(snapshot);
	if (data_make(&data, snapshot, usage, &first, NULL, &err))
		return report(r->inv, &err);
	if (model_init(&r->model, data, set->cols, set->rows))
		return no_memory(r->inv);
	r->model.writes_utf8 = text_utf8();
	r->model.utf8 = r->model.writes_utf8 && !set->ascii;
	return -1;
}

struct loaded {
	struct run *r;
	struct settings *set;
};

static int load_with(void *ctx)
{
	const struct loaded *l = ctx;

	return load(l->r, l->set);
}

/* Loads the snapshot with a loading screen. Returns -1 if there is data to show, else the exit status. If the user
 * quits, exits without waiting for the thread. */
static int load_on_screen(struct run *r, struct settings *set)
{
	struct loaded l = { r, set };
	const char *file;
	const enum input_source kind = input_source(&set->input, &file);
	int status;

	r->loading.utf8 = !set->ascii && text_utf8();
	status = loading_run(r, load_with, &l, kind == INPUT_FILE ? file : kind == INPUT_LIVE ? "the scheduler" : "");
	if (status >= 0)
		loading_close(r);
	if (!r->loading.ends)
		return status;
	if (kind == INPUT_LIVE || r->signal) {
		signal(r->signal ? r->signal : SIGINT, SIG_DFL);
		raise(r->signal ? r->signal : SIGINT);
	}
	_exit(EXIT_DONE);
}

static int know_login(const struct run *r, struct settings *set)
{
	const int status = input_know_login(r->inv, &set->input);

	return status ? status : -1;
}

static int top_run(const struct invocation *inv, int argc, char **argv)
{
	struct settings set = { .cols = 80, .rows = 24 };
	struct run r = { .inv = inv };
	int status = parse(&r, &set, argc, argv);

	status = status < 0 ? know_login(&r, &set) : status;
	r.color = wants_color(&set);
	r.color_always = set.color == ALWAYS;
	if (status < 0)
		status = set.script || set.once ? load(&r, &set) : load_on_screen(&r, &set);
	if (status < 0) {
		r.model.theme = set.theme;
		r.themed = set.themed;
		model_use_blocks(&r.model, r.model.utf8 && (set.script ? r.color_always : r.color));
		status = set.script ? run_script(&r, set.script)
			 : set.once ? run_once(&r)
				    : run_terminal(&r);
	}
	if (r.abandoned && !r.signal)
		_exit(status);
	if (r.signal) {
		signal(r.signal, SIG_DFL);
		raise(r.signal);
	}
	if (r.model.data)
		model_free(&r.model);
	input_release(&set.input);
	return status;
}

const struct command top_command = { "fs-top", NULL, "the queue and the share tree, interactively", "", false, top_run };
