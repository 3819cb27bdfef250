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

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- settings stored between runs: theme, columns and order, in $XDG_CONFIG_HOME/fs-tools/fs-top. Lines are "theme
 * NAME", "VIEW show COLUMN", "VIEW hide COLUMN", "VIEW sort COLUMN" and "VIEW turned" (inverted order). Lines about
 * columns that this snapshot does not have are preserved. */

enum { SETTINGS_SIZE = 8192 };

struct settings_file {
	char file[512];		/* file name; "": there is no folder for the file, or the file must not be changed */
	/* the settings as text, just after loading; compared with the settings when fs-top ends */
	char text[SETTINGS_SIZE];
	char preserved_lines[SETTINGS_SIZE]; /* lines of the settings file that name columns missing in this snapshot */
};

static void name_settings_file(char file[512])
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

/* ---- formatting the settings */

static void append_settings_line(char text[SETTINGS_SIZE], const char *a, const char *b, const char *c)
{
	const size_t n = strlen(text);
	const int more = snprintf(text + n, SETTINGS_SIZE - n, "%s %s%s%s\n", a, b, *c ? " " : "", c);

	if (more < 0 || (size_t)more >= SETTINGS_SIZE - n)
		text[n] = '\0';
}

static void format_settings_text(const struct settings_file *s, const struct model *m, char text[SETTINGS_SIZE])
{
	struct view_column c;

	*text = '\0';
	append_settings_line(text, "theme", theme_get_name(m->screen.theme), "");
	for (int v = 0; v < VIEWS; v++) {
		const struct list *l = &m->list[v];

		for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
			view_column_get(l->ops, m->data, i, &c);
			if (m->column_choice[v][i])
				append_settings_line(text, l->ops->name, m->column_choice[v][i] > 0 ? "show" : "hide", c.name);
			if (i == l->sort)
				append_settings_line(text, l->ops->name, "sort", c.name);
		}
		if (l->inverted)
			append_settings_line(text, l->ops->name, "turned", "");
	}
	if (strlen(text) + strlen(s->preserved_lines) < SETTINGS_SIZE)
		strcat(text, s->preserved_lines);
}

/* ---- parsing the settings */

static size_t find_named_column(const struct model *m, const struct list *l, const char *name)
{
	struct view_column c;

	for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
		view_column_get(l->ops, m->data, i, &c);
		if (!strcmp(c.name, name))
			return i;
	}
	return SIZE_MAX;
}

static void apply_column_setting(struct settings_file *s, struct model *m, int v, const char *verb, const char *name)
{
	struct list *l = &m->list[v];
	const size_t i = find_named_column(m, l, name);

	if (i == SIZE_MAX)
		append_settings_line(s->preserved_lines, l->ops->name, verb, name);
	else if (!strcmp(verb, "sort"))
		l->sort = i;
	else
		m->column_choice[v][i] = !strcmp(verb, "show") ? 1 : -1;
}

/* Applies one line of the settings file. Returns NULL, or an error message about the line. */
static const char *parse_settings_line(struct settings_file *s, struct model *m, char *line)
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
		m->screen.theme = theme_find_named(verb);
		return m->screen.theme < THEMES ? NULL : "unknown theme";
	}
	while (v < VIEWS && strcmp(m->list[v].ops->name, line) != 0)
		v++;
	name = verb + strcspn(verb, " ");
	if (*name)
		*name++ = '\0';
	while (k < 4 && strcmp(verbs[k], verb) != 0)
		k++;
	if (v == VIEWS || k == 4 || (k == 3) != !*name)
		return "not a valid setting";
	if (k == 3)
		m->list[v].inverted = true;
	else
		apply_column_setting(s, m, v, verb, name);
	return NULL;
}

static void reset_model_settings(struct settings_file *s, struct model *m, enum theme theme)
{
	m->screen.theme = theme;
	memset(m->column_choice, 0, sizeof(m->column_choice));
	*s->preserved_lines = '\0';
	for (int v = 0; v < VIEWS; v++) {
		m->list[v].sort = SIZE_MAX;
		m->list[v].inverted = false;
	}
}

static const char *parse_settings_file(struct settings_file *s, struct model *m, FILE *in, unsigned *line)
{
	const char *wrong = NULL;
	char text[512];

	while (!wrong && fgets(text, sizeof(text), in)) {
		++*line;
		if (!strchr(text, '\n') && !feof(in))
			return "line too long";
		text[strcspn(text, "\n")] = '\0';
		wrong = parse_settings_line(s, m, text);
	}
	return wrong ? wrong : ferror(in) ? strerror(errno) : NULL;
}

/* Applies the settings file to the model. `themed`: an option has set the theme, so the theme in the file is ignored.
 * An invalid file is reported, ignored and never overwritten. */
static void load_settings_file(struct settings_file *s, struct model *m, bool themed)
{
	const enum theme theme = m->screen.theme;
	const char *wrong = NULL;
	unsigned line = 0;
	FILE *in;

	*s = (struct settings_file){ .file = "" };
	name_settings_file(s->file);
	in = *s->file ? fopen(s->file, "r") : NULL;
	if (in) {
		wrong = parse_settings_file(s, m, in, &line);
		fclose(in);
	}
	if (wrong) {
		model_set_message(&m->status, true, "the settings are ignored: line %u: %s; file: %s", line, wrong, s->file);
		reset_model_settings(s, m, theme);
		*s->file = '\0';
	}
	if (themed)
		m->screen.theme = theme;
	for (int v = 0; v < VIEWS; v++)
		if (list_refresh_rows(&m->list[v], m->data, false))
			model_report_no_memory(&m->status);
	format_settings_text(s, m, s->text);
	model_use_theme(m, m->screen.theme);
}

/* ---- writing the settings file */

static int write_settings_text(const void *what, FILE *to, struct fs_error *err)
{
	(void)err;
	emit_to_stream(to, "# settings of fs-top; F2 and F6 change them\n");
	for (const char *at = what; *at; at += strcspn(at, "\n") + 1)
		emit_to_stream(to, "%.*s\n", (int)strcspn(at, "\n"), at);
	return 0;
}

/* Creates the folders that contain the file, with mode 0700. */
static void make_parent_folders(const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s", file);
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

/* If the settings have changed, replaces the settings file atomically. */
static void save_settings_file(const struct settings_file *s, const struct invocation *inv, const struct model *m)
{
	char text[SETTINGS_SIZE];

	format_settings_text(s, m, text);
	if (!*s->file || !strcmp(text, s->text))
		return;
	make_parent_folders(s->file);
	save_output_file(inv, write_settings_text, text, s->file, 0600);
}

/* ---- fs-top in a terminal: waits for keys, the clock, a changed file, signals and the loader */

struct event_loop {
	struct top_run *run;
	struct loader *loader;
	struct explanation_queue asking;
	struct grid grid;
	/* identity of the snapshot file and its content when the file was last read, successfully or not */
	struct stamp read_stamp;
	int64_t next_ms;    /* time of the next check for new data, monotonic clock, ms; INT64_MAX: no check */
	int64_t started_ms; /* start time of the current load, monotonic clock, ms */
	int64_t drawn_ms;
	int64_t age_min; /* age of the snapshot, in minutes, as last reported to the model */
	enum load_kind waiting_load; /* load that starts when the plan is ready; LOAD_PLAN: none */
	bool needs_redraw, redraw_all, pending, quit;
};

static int64_t get_monotonic_time_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void feed_model_event(struct event_loop *p, const struct event *e);

static void start_data_load(struct event_loop *p, enum load_kind kind)
{
	const struct source *s = &p->run->source;

	if (kind == LOAD_SNAPSHOT && s->file)
		p->read_stamp = stamp_read_file(s->file);
	p->started_ms = get_monotonic_time_ms();
	if (!loader_is_busy(p->loader))
		source_set_what_ifs(&p->run->source, &p->run->model.what_if);
	if (!loader_start_load(p->loader, kind, p->run->model.data, p->run->model.list[VIEW_QUEUE].sort))
		p->waiting_load = kind;
	if (kind != LOAD_PLAN)
		feed_model_event(p, &(struct event){ .kind = EV_LOADING });
}

/* Starts a load that the user requested. If the loader plans starts, the load waits for the plan. */
static void request_data_load(struct event_loop *p, enum load_kind kind)
{
	if (!loader_is_busy(p->loader) || loader_get_kind(p->loader) == LOAD_PLAN)
		start_data_load(p, kind);
}

static void handle_model_reactions(struct event_loop *p, unsigned reaction)
{
	p->quit = p->quit || reaction & REACT_QUIT;
	p->redraw_all = p->redraw_all || reaction & REACT_REDRAW;
	if (reaction & REACT_WRITE)
		ask_write_file(&p->asking);
	if (reaction & (REACT_WRITE | REACT_WORDS))
		ask_start_next_request(&p->asking);
	if (reaction & REACT_RELOAD)
		request_data_load(p, LOAD_SNAPSHOT);
	if (reaction & REACT_ALGORITHM)
		request_data_load(p, LOAD_ALGORITHM);
	if (reaction & REACT_PLAN && !loader_is_busy(p->loader))
		start_data_load(p, LOAD_PLAN);
}

static void feed_model_event(struct event_loop *p, const struct event *e)
{
	p->needs_redraw = p->pending = true;
	handle_model_reactions(p, model_update_on_event(&p->run->model, e));
}

/* Handles the keys that were typed while loading. Does nothing until the queue is computed. */
static void feed_stored_keys(struct event_loop *p)
{
	struct loading *l = &p->run->loading;
	const size_t n = p->run->model.data->unordered ? 0 : l->n;

	for (size_t i = 0; i < n && !p->quit; i++)
		feed_model_event(p, &l->keys[i]);
	l->n -= n;
}

/* Sends the time to the model once a minute, when the age of the snapshot in minutes changes. The screen does not show
 * the seconds of the age. */
static void send_clock_event(struct event_loop *p)
{
	if (p->run->clock_set)
		return;

	const int64_t now = time(NULL),
		      age_min = (now - fs_snapshot_info(p->run->model.data->snapshot)->time) / 60;

	if (age_min == p->age_min)
		return;
	p->age_min = age_min;
	feed_model_event(p, &(struct event){ .kind = EV_CLOCK, .time = now });
}

/* Sets the time of the next check for new data. Captures put load on the controller, so at least four times the
 * duration of the last capture must pass before the next capture. */
static void schedule_next_check(struct event_loop *p)
{
	const int64_t now = get_monotonic_time_ms(), every = (int64_t)p->run->every_s * 1000,
		      elapsed_ms = now - p->started_ms;

	if (!p->run->source.live)
		p->next_ms = now + (every ? every : 1000);
	else
		p->next_ms = !every ? INT64_MAX : now + (every > 4 * elapsed_ms ? every : 4 * elapsed_ms);
}

static void check_for_new_data(struct event_loop *p)
{
	const struct source *s = &p->run->source;
	struct stamp stamp;

	if (get_monotonic_time_ms() < p->next_ms || loader_is_busy(p->loader))
		return;
	if (s->live) {
		start_data_load(p, LOAD_SNAPSHOT);
	} else if (s->file) {
		stamp = stamp_read_file(s->file);
		if (!stamp_is_same(&stamp, &p->read_stamp))
			start_data_load(p, LOAD_SNAPSHOT);
	}
	schedule_next_check(p);
}

/* Frees data. Runs in a thread, because freeing a million jobs takes noticeable time. */
static void free_retired_data(void *data)
{
	data_free_results(data);
}

static void finish_data_load(struct event_loop *p)
{
	struct data *data;

	if (loader_get_kind(p->loader) == LOAD_PLAN) {
		const enum load_kind waiting = p->waiting_load;

		p->waiting_load = LOAD_PLAN;
		feed_model_event(p, &(struct event){ .kind = EV_PLANNED, .chart = loader_take_chart(p->loader) });
		if (waiting != LOAD_PLAN)
			start_data_load(p, waiting);
		return;
	}
	data = loader_take_data(p->loader);
	p->age_min = INT64_MIN;
	feed_model_event(
		p, &(struct event){ .kind = data ? EV_DATA : EV_FAILED, .data = data, .text = p->run->source.error });
	worker_run_detached(free_retired_data, model_take_retired_data(&p->run->model));
	feed_stored_keys(p);
	schedule_next_check(p);
}

static void draw_terminal_screen(struct event_loop *p)
{
	if (!p->needs_redraw && !p->redraw_all)
		return;
	if (!view_draw_screen(&p->run->model, &p->grid))
		term_draw_grid(&p->grid, p->redraw_all);
	p->needs_redraw = p->redraw_all = false;
	p->drawn_ms = get_monotonic_time_ms();
}

static void handle_terminal_signal(struct event_loop *p)
{
	struct event e = { .kind = EV_RESIZE };
	bool changed = false;

	p->run->signal = term_read_signal(&changed);
	p->quit = p->quit || p->run->signal;
	if (!changed)
		return;
	term_get_size(&e.x, &e.y);
	feed_model_event(p, &e);
	p->redraw_all = true;
}

static void handle_terminal_keys(struct event_loop *p)
{
	struct event e;

	while (!p->quit && term_read_event(&e)) {
		if (e.kind == EV_KEY && e.key == CONTROL('z')) {
			term_suspend_program();
			term_get_size(&e.x, &e.y);
			e.kind = EV_RESIZE;
			p->redraw_all = true;
		}
		feed_model_event(p, &e);
	}
}

/* Waits for the next event and handles it. Does not wait while sorting, filtering or searching is incomplete
 * (p->pending). */
static void wait_for_event(struct event_loop *p)
{
	struct pollfd fds[] = { { .fd = term_get_input_fd(), .events = POLLIN },
				{ .fd = term_get_signal_fd(), .events = POLLIN },
				{ .fd = ask_get_fd(&p->asking), .events = POLLIN },
				{ .fd = ask_is_busy(&p->asking) ? -1 : loader_get_fd(p->loader), .events = POLLIN } };
	const int64_t left = p->next_ms - get_monotonic_time_ms();
	const int timeout = p->pending ? 0 : left < 0 ? 0 : left < 1000 ? (int)left : 1000;

	if (poll(fds, sizeof(fds) / sizeof(*fds), timeout) < 0 && errno != EINTR)
		p->quit = true;
	if (fds[1].revents)
		handle_terminal_signal(p);
	if (fds[2].revents & POLLIN) {
		ask_deliver_result(&p->asking);
		p->needs_redraw = true;
	}
	if (!p->quit && fds[3].revents & POLLIN && !ask_is_busy(&p->asking))
		finish_data_load(p);
	if (!p->quit && fds[0].revents & POLLIN)
		handle_terminal_keys(p);
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		p->quit = true; /* the terminal was closed */
}

/* Continues sorting and filtering for some milliseconds. Redraws the screen about ten times per second while this work
 * continues. */
static void continue_model_work(struct event_loop *p)
{
	const int64_t slice_ms = 4, redraw_ms = 100, until = get_monotonic_time_ms() + slice_ms;

	while (p->pending && get_monotonic_time_ms() < until)
		p->pending = model_continue_work(&p->run->model);
	p->needs_redraw = p->needs_redraw || !p->pending || get_monotonic_time_ms() - p->drawn_ms > redraw_ms;
}

static int run_terminal_event_loop(struct event_loop *p)
{
	struct event size = { .kind = EV_RESIZE };

	term_get_size(&size.x, &size.y);
	feed_model_event(p, &size);
	feed_stored_keys(p);
	p->started_ms = get_monotonic_time_ms();
	if (p->run->model.data->unordered)
		start_data_load(p, LOAD_ORDER);
	schedule_next_check(p);
	while (!p->quit) {
		send_clock_event(p);
		draw_terminal_screen(p);
		if (p->pending)
			continue_model_work(p);
		draw_terminal_screen(p);
		wait_for_event(p);
		if (!p->quit)
			check_for_new_data(p);
	}
	return EXIT_DONE;
}

static int run_viewer_in_terminal(struct top_run *r)
{
	struct event_loop p = {
		.run = r, .loader = loader_create_for(&r->source), .read_stamp = r->stamp, .age_min = INT64_MIN,
		.waiting_load = LOAD_PLAN
	};
	const bool ready = p.loader && !ask_open_worker(&p.asking, r);
	const char *why = !ready ? strerror(errno) : r->loading.open ? NULL : term_open_screen(r->color);
	struct settings_file setup;
	int status = EXIT_FAILED;

	if (why) {
		loading_close_screen(r);
		cmd_print_message(r->inv, "%s", why);
	} else {
		model_use_blocks(&r->model, r->model.screen.blocks && term_has_colors());
		r->loading.open = true;
		load_settings_file(&setup, &r->model, r->theme_given);
		status = run_terminal_event_loop(&p);
		loading_close_screen(r);
		save_settings_file(&setup, r->inv, &r->model);
	}
	if (ready)
		r->abandoned = !ask_end_requests(&p.asking);
	r->abandoned = !loader_end_load(p.loader) || r->abandoned;
	grid_free_cells(&p.grid);
	return status;
}

/* ---- scripts: keys from a file, screens as text, with the same model and views as in a terminal. Each line of the
 * script is a command: `key NAME...`, `type TEXT`, `click COLUMN ROW`, `dump [TITLE]`, `size COLSxROWS`, `load FILE`,
 * `clock SECONDS` (age of the snapshot), `# comment`. */

struct key_script {
	struct top_run *run;
	struct grid grid;
	const char *file;
	unsigned long line;
};

static int report_script_error(const struct key_script *s, const char *why, const char *what)
{
	cmd_print_message(s->run->inv, "%s:%lu: %s%s%s", s->file, s->line, why, *what ? ": " : "", what);
	return EXIT_USAGE;
}

static void write_explanation_file_now(struct top_run *r)
{
	struct file_request w;
	struct lines words = { 0 };

	if (!write_begin_file(r, &w))
		return;
	if (w.needs_words)
		words_make_explanation(&words, r->model.data, &w.request);
	write_finish_file(r, &w, w.needs_words ? &words : NULL);
	lines_free_all(&words);
}

static void make_explanation_text_now(struct top_run *r)
{
	struct explanation_request q;
	struct lines words = { 0 };

	if (!model_needs_explanation(&r->model, &q))
		return;
	words_make_explanation(&words, r->model.data, &q);
	if (words.failed)
		model_report_no_memory(&r->model.status);
	model_update_on_event(&r->model, &(struct event){ .kind = EV_WORDS, .request = &q, .words = &words });
	lines_free_all(&words);
}

/* Sends an event to the model and completes all work that the event causes, including loads and explanations. Returns 0
 * to continue, -1 to quit, or an exit status. */
static int feed_script_event(struct key_script *s, const struct event *e)
{
	const unsigned reaction = model_update_on_event(&s->run->model, e);
	struct data *data = NULL;

	while (model_continue_work(&s->run->model))
		;
	if (reaction & REACT_WRITE)
		write_explanation_file_now(s->run);
	if (reaction & REACT_WORDS && s->run->model.mode == MODE_TEXT)
		make_explanation_text_now(s->run);
	s->run->source.options.sorted_by = s->run->model.list[VIEW_QUEUE].sort;
	if (reaction & REACT_PLAN) {
		struct chart *chart = chart_make_planned(s->run->model.data);

		if (!chart)
			return cmd_report_no_memory(s->run->inv);
		return feed_script_event(s, &(struct event){ .kind = EV_PLANNED, .chart = chart });
	}
	source_set_what_ifs(&s->run->source, &s->run->model.what_if);
	if (reaction & (REACT_RELOAD | REACT_ALGORITHM)) {
		const bool failed =
			reaction & REACT_RELOAD
				? source_load_data(&s->run->source, s->run->model.data, &data)
				: source_load_next_algorithm(&s->run->source, s->run->model.data, &data);
		const struct event next = { .kind = failed ? EV_FAILED : EV_DATA,
					    .data = data,
					    .text = s->run->source.error };

		return feed_script_event(s, &next);
	}
	return reaction & REACT_QUIT ? -1 : 0;
}

static int feed_script_key(struct key_script *s, int key)
{
	return feed_script_event(s, &(struct event){ .kind = EV_KEY, .key = key });
}

static int run_key_command(struct key_script *s, char *names)
{
	int rc = 0;

	for (char *name = strtok(names, " \t"); name && !rc; name = strtok(NULL, " \t")) {
		const int key = key_find_by_name(name);

		rc = key ? feed_script_key(s, key) : report_script_error(s, "unknown key", name);
	}
	return rc;
}

static int run_type_command(struct key_script *s, char *text)
{
	int rc = 0;

	for (; *text && !rc; text++)
		rc = feed_script_key(s, (unsigned char)*text);
	return rc;
}

/* Parses two whole numbers from 1 to 9999 that `between` separates. Returns -1 if the text has another form. */
static int parse_two_numbers(const char *text, char between, unsigned *a, unsigned *b)
{
	const size_t first = strspn(text, "0123456789");
	const char *rest = text + first + 1;
	const size_t second = text[first] == between ? strspn(rest, "0123456789") : 0;

	if (!first || first > 4 || !second || second > 4 || rest[second])
		return -1;
	*a = (unsigned)strtoul(text, NULL, 10);
	*b = (unsigned)strtoul(rest, NULL, 10);
	return *a && *b ? 0 : -1;
}

static int run_size_command(struct key_script *s, char *text)
{
	struct event e = { .kind = EV_RESIZE };

	if (parse_two_numbers(text, 'x', &e.x, &e.y))
		return report_script_error(s, "expected COLSxROWS", text);
	return feed_script_event(s, &e);
}

static int run_click_command(struct key_script *s, char *text)
{
	struct event e = { .kind = EV_MOUSE, .key = CODE_ENTER };

	if (parse_two_numbers(text, ' ', &e.x, &e.y))
		return report_script_error(s, "expected COLUMN ROW, both at least 1", text);
	e.x--;
	e.y--;
	return feed_script_event(s, &e);
}

static int run_dump_command(struct key_script *s, char *title)
{
	make_explanation_text_now(s->run);
	if (view_draw_screen(&s->run->model, &s->grid))
		return cmd_report_no_memory(s->run->inv);
	if (*title)
		emit("=== %s\n", title);
	grid_print_as_text(&s->grid, s->run->color_always, stdout);
	return 0;
}

static int run_load_command(struct key_script *s, char *file)
{
	char *name = strdup(file);
	struct data *data = NULL;
	struct event e = { .kind = EV_FAILED, .text = s->run->source.error };
	struct source from = s->run->source;

	if (!name)
		return cmd_report_no_memory(s->run->inv);
	s->run->source.file = name;
	s->run->source.live = false;
	if (!source_load_data(&s->run->source, s->run->model.data, &data))
		e = (struct event){ .kind = EV_DATA, .data = data };
	s->run->source.file = from.file;
	s->run->source.live = from.live;
	free(name);
	return feed_script_event(s, &e);
}

static int run_clock_command(struct key_script *s, char *text)
{
	const int64_t age = strtoll(text, NULL, 10);

	return feed_script_event(s,
				 &(struct event){ .kind = EV_CLOCK,
						  .time = fs_snapshot_info(s->run->model.data->snapshot)->time + age });
}

static const struct {
	const char *name;
	int (*run)(struct key_script *s, char *rest);
} script_commands[] = {
	{ "key", run_key_command },     { "type", run_type_command }, { "dump", run_dump_command },
	{ "click", run_click_command }, { "size", run_size_command }, { "load", run_load_command },
	{ "clock", run_clock_command },
};

static int run_script_line(struct key_script *s, char *line)
{
	char *rest = line + strcspn(line, " \t");

	if (*rest)
		*rest++ = '\0';
	if (!*line || *line == '#')
		return 0;
	for (size_t i = 0; i < sizeof(script_commands) / sizeof(*script_commands); i++)
		if (!strcmp(line, script_commands[i].name))
			return script_commands[i].run(s, rest);
	return report_script_error(s, "unknown command", line);
}

/* Completes the work that the first screen needs, such as the plan of starts. */
static int feed_first_script_event(struct key_script *s)
{
	const struct model_screen *screen = &s->run->model.screen;

	return feed_script_event(s, &(struct event){ .kind = EV_RESIZE, .x = screen->cols, .y = screen->rows });
}

static int run_script_file(struct top_run *r, const char *file)
{
	struct key_script s = { .run = r, .file = file };
	FILE *in = strcmp(file, "-") ? fopen(file, "r") : stdin;
	char line[1024];
	int rc;

	if (!in) {
		cmd_print_message(r->inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	rc = feed_first_script_event(&s);
	while (!rc && fgets(line, sizeof(line), in)) {
		s.line++;
		line[strcspn(line, "\n")] = '\0';
		rc = run_script_line(&s, line);
	}
	if (ferror(in)) {
		cmd_print_message(r->inv, "%s: %s", file, strerror(errno));
		rc = EXIT_FAILED;
	}
	if (in != stdin)
		fclose(in);
	grid_free_cells(&s.grid);
	if (rc <= 0 && r->model.status.out_of_memory)
		return cmd_report_no_memory(r->inv);
	return rc < 0 ? EXIT_DONE : rc;
}

static int print_one_screen_text(struct top_run *r)
{
	struct key_script s = { .run = r };
	int status = feed_first_script_event(&s);

	r->color_always = r->color;
	if (!status)
		status = run_dump_command(&s, (char[]){ "" });
	if (!status && r->model.status.out_of_memory)
		status = cmd_report_no_memory(r->inv);
	grid_free_cells(&s.grid);
	return status;
}

/* ---- fs-top: options and start */

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct top_options {
	struct input input;
	const char *script;
	unsigned every_s, cols, rows;
	enum color_choice color;
	enum theme theme;
	bool once, ascii, theme_given;
};

enum { OPT_EVERY = OPT_FIRST_FREE, OPT_ONCE, OPT_SCRIPT, OPT_SIZE, OPT_NO_COLOR, OPT_ASCII, OPT_THEME };

#define SETS_TOP_OPTION(member) OPTION_SETS(struct top_options, member)
static const struct option_row top_option_rows[] = {
	OPTION_HEADING("Screen"),
	{ OPT_EVERY, "every", "SECONDS", "capture, or check the file for changes, at this interval",
	  OPTION_BY_COMMAND },
	{ OPT_ONCE, "once", NULL, "print one screen as text and exit", SETS_TOP_OPTION(once) },
	{ OPT_SCRIPT, "script", "FILE", "read keys from this file and print the screens that it requests",
	  SETS_TOP_OPTION(script) },
	{ OPT_SIZE, "size", "COLSxROWS", "size of the screen for --once and --script (80x24)", OPTION_BY_COMMAND },
	COLOR_OPTION,
	{ OPT_NO_COLOR, "no-color", NULL, "the same as --color=never", OPTION_BY_COMMAND },
	{ OPT_THEME, "theme", "NAME", "colour theme: auto, 16, 256, true, light or mono",
	  OPTION_BY_COMMAND_WITH_VALUES("auto 16 256 true light mono") },
	{ OPT_ASCII, "ascii", NULL, "show only ASCII characters", SETS_TOP_OPTION(ascii) },
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	OPTION_HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table top_option_table = { .synopsis = "[OPTION]...",
						  .about = "Show the queue, the share tree and "
							   "the breakdown of one row, live.",
						  OPTION_ROWS(top_option_rows) };

static int report_bad_value(const struct invocation *inv, const char *option, const char *expected, const char *arg)
{
	cmd_print_message(inv, "--%s: expected %s, got \"%s\"", option, expected, arg);
	return EXIT_USAGE;
}

static int parse_every_option(const struct invocation *inv, struct top_options *set, const char *arg)
{
	enum { MAX_EVERY_S = 86400 };
	char rest;

	if (!isdigit((unsigned char)arg[0]) || sscanf(arg, "%5u%c", &set->every_s, &rest) != 1 || !set->every_s ||
	    set->every_s > MAX_EVERY_S)
		return report_bad_value(inv, "every", "1 to 86400 seconds", arg);
	return -1;
}

static int parse_size_option(const struct invocation *inv, struct top_options *set, const char *arg)
{
	if (parse_two_numbers(arg, 'x', &set->cols, &set->rows))
		return report_bad_value(inv, "size", "COLSxROWS such as 80x24", arg);
	return -1;
}

static int parse_color_option(const struct invocation *inv, struct top_options *set, const char *arg)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(names[i], arg)) {
			set->color = (enum color_choice)i;
			return -1;
		}
	return report_bad_value(inv, "color", "auto, always or never", arg);
}

static int parse_theme_option(const struct invocation *inv, struct top_options *set, const char *arg)
{
	set->theme = theme_find_named(arg);
	set->theme_given = true;
	return set->theme < THEMES ? -1 : report_bad_value(inv, "theme", "auto, 16, 256, true, light or mono", arg);
}

static int apply_top_option(void *run, const struct options *o, int id)
{
	struct top_options *set = run;

	switch (id) {
	case OPT_EVERY:
		return parse_every_option(o->inv, set, o->arg);
	case OPT_SIZE:
		return parse_size_option(o->inv, set, o->arg);
	case OPT_COLOR:
		return parse_color_option(o->inv, set, o->arg);
	case OPT_NO_COLOR:
		return parse_color_option(o->inv, set, "never");
	default:
		return parse_theme_option(o->inv, set, o->arg);
	}
}

static int parse_top_options(struct top_run *r, struct top_options *set, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = set, .input = &set->input, .take = apply_top_option };
	int next, status = options_parse_command_line(&to, &top_option_table, argc, argv, &next);

	r->every_s = set->every_s;
	if (status < 0 && next < argc)
		status = options_report_unexpected_argument(r->inv, argv[next]);
	if (status < 0 && set->once && set->script) {
		cmd_print_message(r->inv, "--once cannot be combined with --script");
		status = EXIT_USAGE;
	}
	return status;
}

static bool is_color_enabled(const struct top_options *set)
{
	const char *no = getenv("NO_COLOR");

	return set->color == COLOR_ALWAYS || (set->color == COLOR_AUTO && !(no && *no) && isatty(STDOUT_FILENO));
}

static int load_first_data(struct top_run *r, struct top_options *set)
{
	const char *file;
	const enum input_source kind = input_find_source(&set->input, &file);
	fs_snapshot *snapshot = NULL;
	fs_usage *usage = NULL;
	struct data_options first;
	struct data *data = NULL;
	struct fs_error err;
	int status;

	/* recorded values are read, because explanations compare computed values with them */
	set->input.recorded = true;
	r->source = (struct source){ .inv = r->inv,
				     .input = &set->input,
				     .edits = &set->input.edits,
				     .ncommand_line_edits = set->input.edits.n,
				     .live = kind == INPUT_LIVE };
	if (kind == INPUT_FILE && strcmp(file, "-") != 0)
		r->source.file = file;
	r->source.options = (struct data_options){ .view = input_get_view(&set->input),
						   .queue = &view_queue,
						   .sorted_by = SIZE_MAX };
	r->stamp = r->source.file ? stamp_read_file(file) : r->stamp;
	status = input_open_snapshot(r->inv, &set->input, &snapshot);
	if (!status && usage_is_computation_requested(&set->input))
		status = usage_load_with_options(r->inv, &set->input, snapshot, NULL, NULL, &usage);
	if (status) {
		fs_usage_free(usage);
		fs_snapshot_free(snapshot);
		return status;
	}
	r->clock_set = set->input.at != NULL;
	first = r->source.options;
	first.without_queue = !set->script && !set->once && data_is_large(snapshot);
	if (data_make_from_snapshot(&data, snapshot, usage, &first, NULL, &err))
		return cmd_report_error(r->inv, &err);
	if (model_init_with_data(&r->model, data, set->cols, set->rows))
		return cmd_report_no_memory(r->inv);
	r->model.screen.writes_utf8 = text_has_utf8();
	r->model.screen.utf8 = r->model.screen.writes_utf8 && !set->ascii;
	return -1;
}

struct loading_args {
	struct top_run *r;
	struct top_options *set;
};

static int load_first_data_in_thread(void *ctx)
{
	const struct loading_args *l = ctx;

	return load_first_data(l->r, l->set);
}

/* Loads the snapshot with a loading screen. Returns -1 if data was loaded, else the exit status. If the user quits,
 * exits the process without waiting for the thread. */
static int load_with_loading_screen(struct top_run *r, struct top_options *set)
{
	struct loading_args l = { r, set };
	const char *file;
	const enum input_source kind = input_find_source(&set->input, &file);
	int status;

	r->loading.utf8 = !set->ascii && text_has_utf8();
	status = loading_run_with_screen(r, load_first_data_in_thread, &l,
					 kind == INPUT_FILE   ? file
					 : kind == INPUT_LIVE ? "the scheduler"
							      : "");
	if (status >= 0)
		loading_close_screen(r);
	if (!r->loading.quit)
		return status;
	if (kind == INPUT_LIVE || r->signal) {
		signal(r->signal ? r->signal : SIGINT, SIG_DFL);
		raise(r->signal ? r->signal : SIGINT);
	}
	_exit(EXIT_DONE);
}

/* Chooses the snapshot, and looks up the login name. Returns -1 to continue, or the exit status. */
static int prepare_top_input(const struct top_run *r, struct top_options *set)
{
	int status = clusters_choose_one(r->inv, &set->input);

	if (!status)
		status = input_know_login(r->inv, &set->input);
	return status ? status : -1;
}

static int run_top_command(const struct invocation *inv, int argc, char **argv)
{
	struct top_options set = { .cols = 80, .rows = 24 };
	struct top_run r = { .inv = inv };
	int status = parse_top_options(&r, &set, argc, argv);

	work_hide_progress();
	status = status < 0 ? prepare_top_input(&r, &set) : status;
	r.color = is_color_enabled(&set);
	r.color_always = set.color == COLOR_ALWAYS;
	if (status < 0)
		status = set.script || set.once ? load_first_data(&r, &set) : load_with_loading_screen(&r, &set);
	if (status < 0) {
		r.model.screen.theme = set.theme;
		r.theme_given = set.theme_given;
		model_use_blocks(&r.model, r.model.screen.utf8 && (set.script ? r.color_always : r.color));
		status = set.script ? run_script_file(&r, set.script)
			 : set.once ? print_one_screen_text(&r)
				    : run_viewer_in_terminal(&r);
	}
	if (r.abandoned && !r.signal)
		_exit(status);
	if (r.signal) {
		signal(r.signal, SIG_DFL);
		raise(r.signal);
	}
	if (r.model.data)
		model_free_data(&r.model);
	input_release_resources(&set.input);
	return status;
}

const struct command top_command = { "fs-top", NULL,  "the queue and the share tree, interactively",
				     "",       false, run_top_command };
