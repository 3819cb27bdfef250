/* top [-1] FILE: measures the work of fs-top on a snapshot, without a terminal. Prints wall-clock seconds, because two
 * threads do the work, and CPU seconds of three steps: read (fs_snapshot_read_with), first (up to the first screen),
 * and ordered (up to the first screen with the queue; the same as "first" if there are few jobs). Without -1, also
 * prints a line for each key, with two CPU times in milliseconds: from the key to the drawn screen, and the longest
 * slice of work that delays the next key. */
#include "top/ops.h"
#include "top/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct fs_read_options state_alone = { .without_usage = true, .without_recorded = true };

static double clock_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

static double cpu(void)
{
	return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static ptrdiff_t read_stream(void *stream, void *buf, size_t size)
{
	return (ptrdiff_t)fread(buf, 1, size, stream);
}

static void die(const struct fs_error *err)
{
	fprintf(stderr, "top: %s\n", err->message);
	exit(1);
}

static void draw(const struct model *m, struct grid *g)
{
	if (view_draw_screen(m, g))
		die(&(struct fs_error){ .message = "out of memory" });
}

/* Prints the time that an explanation takes. fs-top composes explanations in a separate thread, so the reaction to a
 * key does not wait for this work. */
static void explain(const struct model *m)
{
	const double start = cpu();
	struct explanation_request q;
	struct lines l = { 0 };

	if (!model_get_file_request(m, &q))
		return;
	words_make_explanation(&l, m->data, &q);
	printf("words %.2f ms, %zu lines\n", (cpu() - start) * 1e3, l.n);
	lines_free_all(&l);
}

static void press(struct model *m, struct grid *g, const char *what, int key)
{
	const double start = cpu();
	double drawn, slice, longest = 0;
	bool more = true;

	model_update_on_event(m, &(struct event){ .kind = EV_KEY, .key = key });
	draw(m, g);
	drawn = cpu() - start;
	while (more) {
		slice = cpu();
		more = model_continue_work(m);
		slice = cpu() - slice;
		longest = slice > longest ? slice : longest;
	}
	printf("key %-28s %8.2f %8.2f %8.2f\n", what, drawn * 1e3, longest * 1e3, (cpu() - start) * 1e3);
}

static fs_snapshot *read_file(FILE *f, const char *name)
{
	fs_snapshot *s;
	struct fs_error err;

	rewind(f);
	if (fs_snapshot_read_with(&s, read_stream, f, name, &state_alone, &err))
		die(&err);
	return s;
}

/* Reads the file again, as fs-top does if the file has changed while rows are sorted by a column. Prints the CPU
 * seconds of the loader, and the CPU milliseconds by which the reaction to a key is delayed. */
static void reload(struct model *m, struct grid *g, FILE *f, const char *name)
{
	fs_snapshot *s = read_file(f, name);
	double start = cpu(), made, taken;
	struct data *data;
	struct fs_error err;

	if (data_make_from_snapshot(
		    &data, s, NULL,
		    &(struct data_options){ .queue = &view_queue, .sorted_by = m->list[VIEW_QUEUE].sort }, m->data,
		    &err))
		die(&err);
	made = cpu() - start;
	start = cpu();
	model_update_on_event(m, &(struct event){ .kind = EV_DATA, .data = data });
	draw(m, g);
	taken = cpu() - start;
	/* the time of this call is not measured, because fs-top makes it in a thread */
	data_free_results(model_take_retired_data(m));
	printf("reload %.4f %.2f\n", made, taken * 1e3);
}

/* Does the work of fs-top after its first screen: computes the queue, and draws the screen with the queue. */
static void put_in_order(struct model *m, struct grid *g)
{
	const struct data_options o = { .queue = &view_queue, .sorted_by = SIZE_MAX, .borrow = true };
	struct data *data;
	struct fs_error err;

	if (data_make_from_snapshot(&data, m->data->snapshot, NULL, &o, NULL, &err))
		die(&err);
	model_update_on_event(m, &(struct event){ .kind = EV_DATA, .data = data });
	draw(m, g);
	data_free_results(model_take_retired_data(m));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *what;
		int key;
	} keys[] = {
		{ "down", 'j' }, { "page down", CODE_PAGE_DOWN }, { "last row", 'G' }, { "up", 'k' },
		{ "shares", CODE_TAB }, { "partitions", CODE_TAB }, { "queue", CODE_TAB }, { "turned round", 'I' },
		{ "and back", 'I' }, { "sort, first time", '>' }, { "sort by text, first time", '>' },
		{ "sort again", '<' }, { "and again", '>' }, { "filter", '\\' }, { "its first letter", 'c' },
		{ "its second", 'h' }, { "its third", 'e' }, { "its fourth, no row", '%' },
		{ "taken back", CODE_BACKSPACE }, { "filter off", CODE_ESC }, { "search", '/' },
		{ "a letter", 'z' }, { "no row has it", '%' }, { "search off", CODE_ESC }, { "tag", ' ' },
		{ "explain", CODE_ENTER }, { "help", '?' },
	};
	const bool only_first = argc == 3 && !strcmp(argv[1], "-1");
	const char *name = argv[argc - 1];
	FILE *f = argc == 2 || only_first ? fopen(name, "rb") : NULL;
	struct grid g = { 0 };
	fs_snapshot *s;
	struct data *data;
	struct model m;
	struct fs_error err;
	struct data_options o = { .queue = &view_queue, .sorted_by = SIZE_MAX };
	double read, first, ordered, read_cpu, first_cpu;

	if (!f) {
		fputs("usage: top [-1] FILE\n", stderr);
		return 2;
	}
	first_cpu = cpu();
	first = now();
	s = read_file(f, name);
	read = now() - first;
	read_cpu = cpu() - first_cpu;
	o.without_queue = data_is_large(s);
	if (data_make_from_snapshot(&data, s, NULL, &o, NULL, &err))
		die(&err);
	if (model_init_with_data(&m, data, 80, 24))
		return 1;
	draw(&m, &g);
	ordered = first;
	first = now() - first;
	if (data->unordered)
		put_in_order(&m, &g);
	printf("read %.4f first %.4f ordered %.4f cpu %.4f %.4f\n", read, first, now() - ordered, read_cpu,
	       cpu() - first_cpu);
	for (size_t i = 0; !only_first && i < sizeof(keys) / sizeof(*keys); i++)
		press(&m, &g, keys[i].what, keys[i].key);
	if (only_first)
		return 0;
	explain(&m);
	press(&m, &g, "help off", CODE_ESC);
	reload(&m, &g, f, name);
	model_free_data(&m);
	grid_free_cells(&g);
	fclose(f);
	return 0;
}
