/* Keys from a file, screens as text: the same update and view as in a terminal, without one. A line is a
 * command: `key NAME...`, `type TEXT`, `click COLUMN ROW`, `dump [TITLE]`, `size COLSxROWS`, `load FILE`,
 * `clock SECONDS` (age of the snapshot), `# comment`. */
#include "render/emit.h"
#include "top/data/chart.h"
#include "top/update/keys.h"
#include "top/views/view.h"
#include "top/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Feeds an event and finishes all work, so that no screen is half done. */
static int feed(struct script *s, const struct event *e)
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
		return feed(s, &(struct event){ .kind = EV_PLANNED, .chart = chart });
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

		return feed(s, &next);
	}
	return reaction & REACT_QUIT ? -1 : 0;
}

static int feed_key(struct script *s, int key)
{
	return feed(s, &(struct event){ .kind = EV_KEY, .key = key });
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
	return feed(s, &e);
}

static int do_click(struct script *s, char *text)
{
	struct event e = { .kind = EV_MOUSE, .key = CODE_ENTER };
	char rest;

	if (sscanf(text, "%4u %4u%c", &e.x, &e.y, &rest) != 2 || !e.x-- || !e.y--)
		return bad(s, "expected COLUMN ROW, from 1", text);
	return feed(s, &e);
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
	return feed(s, &e);
}

static int do_clock(struct script *s, char *text)
{
	const int64_t age = strtoll(text, NULL, 10);

	return feed(s,
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

int run_script(struct run *r, const char *file)
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

int run_once(struct run *r)
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
