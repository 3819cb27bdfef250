#include "cmd.h"
#include "explain/explain.h"
#include "files/files.h"
#include "input/input.h"
#include "render/json.h"
#include "snap/snap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a snapshot, each a record, are left out by halves: all of a type, then either half of what cannot all
 * go, and so on; then keys of all records of a type. The header counts what stays, and says what was done. */

enum { TYPES_MAX = 32, KEYS_MAX = 192, TYPE_MAX = 40 };

struct lean_line {
	const char *s;
	size_t len;
	unsigned type;
	bool out;
};

struct lean {
	const struct ustar_file *whole;
	const char *why;
	lean_same_fn same;
	void *ctx;
	unsigned tries;
	struct lean_line *line;
	size_t n;
	char type[TYPES_MAX][TYPE_MAX];
	unsigned types, job_type;
	struct {
		char name[TYPE_MAX];
		unsigned type;
		bool out;
	} key[KEYS_MAX];
	size_t keys;
	bool starved;
};

/* ---- the text */

struct text {
	char *bytes;
	size_t size, cap;
	bool failed;
};

static void lean_put(struct text *to, const char *s, size_t n)
{
	if (to->size + n > to->cap) {
		const size_t cap = (to->size + n) * 2 + 4096;
		char *bytes = to->failed ? NULL : realloc(to->bytes, cap);

		to->failed = !bytes;
		if (to->failed)
			return;
		to->bytes = bytes;
		to->cap = cap;
	}
	memcpy(to->bytes + to->size, s, n);
	to->size += n;
}

static void puts_to(struct text *to, const char *s)
{
	lean_put(to, s, strlen(s));
}

static bool begins(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* Returns the end of the value that begins at s: a string, a list, an object or a plain one. */
static const char *skip_value(const char *s, const char *end)
{
	bool quoted = false;
	int depth = 0;

	for (; s < end; s++) {
		if (quoted) {
			quoted = *s != '"';
			s += *s == '\\';
		} else if (!depth && (*s == ',' || *s == '}' || *s == ']')) {
			break;
		} else {
			quoted = *s == '"';
			depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
		}
	}
	return s;
}

/* The next `"key":value` of the object, *at behind it; false at its end. */
static bool next_key(const char **at, const char *end, const char **key, size_t *len)
{
	const char *close;

	while (*at < end && (**at == '{' || **at == ','))
		++*at;
	if (*at >= end || **at != '"')
		return false;
	*key = *at + 1;
	close = memchr(*key, '"', (size_t)(end - *key));
	if (!close || close + 1 >= end || close[1] != ':')
		return false;
	*len = (size_t)(close - *key);
	*at = skip_value(close + 2, end);
	return true;
}

static bool key_is_out(const struct lean *t, unsigned type, const char *key, size_t len)
{
	for (size_t i = 0; i < t->keys; i++)
		if (t->key[i].out && t->key[i].type == type && strlen(t->key[i].name) == len &&
		    !memcmp(t->key[i].name, key, len))
			return true;
	return false;
}

static void put_record(const struct lean *t, const struct lean_line *l, struct text *to)
{
	const char *at = l->s, *end = l->s + l->len, *from, *key;
	size_t len;
	bool first = true;

	for (from = at; next_key(&at, end, &key, &len); from = at) {
		if (key_is_out(t, l->type, key, len))
			continue;
		puts_to(to, first ? "{" : ",");
		from = key - 1;
		lean_put(to, from, (size_t)(at - from));
		first = false;
	}
	puts_to(to, "}\n");
}

static void put_count(struct text *to, bool first, const char *type, size_t n)
{
	char number[32];

	puts_to(to, first ? "\"" : ",\"");
	puts_to(to, type);
	snprintf(number, sizeof(number), "\":%zu", n);
	puts_to(to, number);
}

static void put_counts(const struct lean *t, struct text *to)
{
	bool first = true;

	puts_to(to, "\"records\":{");
	for (unsigned type = 0; type < t->types; type++) {
		size_t n = 0;

		for (size_t i = 1; i < t->n; i++)
			n += t->line[i].type == type && !t->line[i].out;
		if (n)
			put_count(to, first, t->type[type], n);
		first = first && !n;
	}
	puts_to(to, "}");
}

/* Writes the list of what the capture lacked, with one more entry. */
static void put_incomplete(const struct lean *t, const char *value, const char *end, struct text *to)
{
	puts_to(to, "\"incomplete\":[\"");
	puts_to(to, t->why);
	puts_to(to, "\"");
	if (value && end > value + 2) {
		puts_to(to, ",");
		lean_put(to, value + 1, (size_t)(end - value - 1));
	} else {
		puts_to(to, "]");
	}
}

static void put_header(const struct lean *t, struct text *to)
{
	const char *at = t->line[0].s, *end = at + t->line[0].len, *key;
	size_t len;
	bool first = true, told = false;

	while (next_key(&at, end, &key, &len)) {
		puts_to(to, first ? "{" : ",");
		first = false;
		if (len == 10 && !memcmp(key, "incomplete", len)) {
			put_incomplete(t, key + len + 2, at, to);
			told = true;
		} else if (len == 7 && !memcmp(key, "records", len)) {
			if (!told) {
				put_incomplete(t, NULL, NULL, to);
				puts_to(to, ",");
			}
			put_counts(t, to);
		} else {
			lean_put(to, key - 1, (size_t)(at - key + 1));
		}
	}
	puts_to(to, "}\n");
}

static bool build(struct lean *t, struct ustar_file *out)
{
	struct text to = { 0 };

	put_header(t, &to);
	for (size_t i = 1; i < t->n; i++)
		if (!t->line[i].out)
			put_record(t, &t->line[i], &to);
	if (to.failed)
		free(to.bytes);
	else
		*out = (struct ustar_file){ to.bytes, to.size };
	return !to.failed;
}

/* Is the page the same with what is left out now? */
static bool try(struct lean *t)
{
	struct ustar_file part;
	bool same;

	if (!t->tries || t->starved)
		return false;
	t->tries--;
	t->starved = !build(t, &part);
	if (t->starved)
		return false;
	same = t->same(t->ctx, &part);
	free((char *)part.bytes);
	return same;
}

/* ---- records */

/* Marks the rows as left out, or takes the marks back; returns how many rows there are. */
static size_t mark(struct lean *t, const size_t *rows, size_t n, bool out)
{
	for (size_t i = 0; i < n; i++)
		t->line[rows[i]].out = out;
	return n;
}

static void drop_rows(struct lean *t, const size_t *rows, size_t n)
{
	if (!n || !t->tries)
		return;
	mark(t, rows, n, true);
	if (try(t))
		return;
	mark(t, rows, n, false);
	if (n == 1)
		return;
	drop_rows(t, rows + n / 2, n - n / 2); /* later records are needed more seldom */
	drop_rows(t, rows, n / 2);
}

static bool drop_records(struct lean *t, uint64_t job)
{
	size_t *rows = malloc((t->n + 1) * sizeof(*rows));
	char own[64];

	if (!rows)
		return false;
	snprintf(own, sizeof(own), "{\"type\":\"job\",\"id\":%" PRIu64 ",", job);
	for (unsigned type = 0; type < t->types; type++) {
		const unsigned left = t->tries;
		size_t n = 0;

		if (!strcmp(t->type[type], "config"))
			continue;
		for (size_t i = 1; i < t->n; i++)
			if (t->line[i].type == type && !begins(t->line[i].s, t->line[i].len, own))
				rows[n++] = i;
		t->tries = left / (t->types - type) + left / 4; /* each type gets some tries, the first ones more */
		t->tries = t->tries < left ? t->tries : left;
		const unsigned given = t->tries;

		drop_rows(t, rows, n);
		t->tries += left - given;
	}
	free(rows);
	return true;
}

/* ---- keys */

static void note_keys(struct lean *t, const struct lean_line *l)
{
	const char *at = l->s, *end = l->s + l->len, *key;
	size_t len;

	while (next_key(&at, end, &key, &len)) {
		bool known = len >= TYPE_MAX || (len == 4 && !memcmp(key, "type", 4));

		for (size_t i = 0; i < t->keys && !known; i++)
			known = t->key[i].type == l->type && strlen(t->key[i].name) == len &&
				!memcmp(t->key[i].name, key, len);
		if (known || t->keys == KEYS_MAX)
			continue;
		memcpy(t->key[t->keys].name, key, len);
		t->key[t->keys].name[len] = '\0';
		t->key[t->keys++].type = l->type;
	}
}

/* A configuration without any setting is none. */
static bool is_last_setting(const struct lean *t, size_t key)
{
	size_t left = 0;

	for (size_t k = 0; k < t->keys; k++)
		left += t->key[k].type == t->key[key].type && !t->key[k].out;
	return left == 1 && !strcmp(t->type[t->key[key].type], "config");
}

static void drop_keys(struct lean *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (!t->line[i].out)
			note_keys(t, &t->line[i]);
	for (size_t k = 0; k < t->keys && t->tries; k++) {
		if (is_last_setting(t, k))
			continue;
		t->key[k].out = true;
		t->key[k].out = try(t);
	}
}

/* ---- all of it */

static bool note_type(struct lean *t, struct lean_line *l)
{
	static const char start[] = "{\"type\":\"";
	const size_t n = sizeof(start) - 1;
	const char *close = l->len > n ? memchr(l->s + n, '"', l->len - n) : NULL;
	const size_t len = close ? (size_t)(close - l->s) - n : TYPE_MAX;

	if (!begins(l->s, l->len, start) || len >= TYPE_MAX)
		return false;
	for (l->type = 0; l->type < t->types; l->type++)
		if (strlen(t->type[l->type]) == len && !memcmp(t->type[l->type], l->s + n, len))
			return true;
	if (t->types == TYPES_MAX)
		return false;
	memcpy(t->type[t->types], l->s + n, len);
	t->type[t->types++][len] = '\0';
	return true;
}

static bool split(struct lean *t)
{
	const char *at = t->whole->bytes, *end = at + t->whole->size;
	size_t cap = 0;

	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		struct lean_line *more = room_for_one(t->line, t->n, &cap, sizeof(*more));

		if (!more)
			return false;
		t->line = more;
		eol = eol ? eol : end;
		t->line[t->n] = (struct lean_line){ .s = at, .len = (size_t)(eol - at) };
		if (!note_type(t, &t->line[t->n++]))
			return false;
		at = eol + 1;
	}
	return t->n > 0;
}

/* The text of a snapshot (fs-snapshot(5)), the job that the page is of, and how many pages may be tried. *out is the
 * caller's to free. false without memory. */
static bool lean_snapshot(const struct ustar_file *whole, uint64_t job, const char *why, lean_same_fn same, void *ctx,
			  unsigned tries, struct ustar_file *out)
{
	struct lean *t = calloc(1, sizeof(*t));
	bool done = t != NULL;

	if (!done)
		return false;
	*t = (struct lean){ .whole = whole, .why = why, .same = same, .ctx = ctx, .tries = tries };
	done = split(t) && drop_records(t, job);
	if (done) {
		drop_keys(t);
		done = !t->starved && build(t, out);
	}
	free(t->line);
	free(t);
	return done;
}

/* fs-snap ticket: what somebody else needs to see the same page of one job. */

struct ticket {
	struct ustar_file files[USTAR_MEMBERS];
	int64_t time;
};

static int put_bytes(const void *what, fs_write_fn write, void *ctx, struct fs_error *err)
{
	const struct ticket *t = what;

	*err = (struct fs_error){ .code = FS_EIO, .message = "the ticket cannot be written" };
	return ustar_write(t->files, t->time, write, ctx) ? FS_EIO : 0;
}

static int ticket_put(const void *what, FILE *to, struct fs_error *err)
{
	return put_bytes(what, stream_write, to, err);
}

static int put_packed(const void *what, FILE *to, struct fs_error *err)
{
	return pack(put_bytes, what, to, err);
}

/* ---- the members */

/* What is written into a stream becomes the file's bytes, which are the caller's to free. */
struct memory_file {
	FILE *stream;
	char *bytes;
	size_t size;
};

static bool grow_begin(struct memory_file *g)
{
	*g = (struct memory_file){ 0 };
	g->stream = open_memstream(&g->bytes, &g->size);
	return g->stream != NULL;
}

/* No member is empty: what is has lost its bytes for want of memory, which glibc 2.36 does not tell. */
static bool grow_end(struct memory_file *g, struct ustar_file *out)
{
	const bool failed = ferror(g->stream) != 0;

	if (fclose(g->stream) || failed || !g->bytes || !g->size) {
		free(g->bytes);
		return false;
	}
	*out = (struct ustar_file){ g->bytes, g->size };
	return true;
}

static int put_snapshot(const struct invocation *inv, const fs_snapshot *s, struct ustar_file *out)
{
	struct memory_file g;
	struct fs_error lost; /* nothing but memory */

	if (!grow_begin(&g))
		return no_memory(inv);
	const bool failed = fs_snapshot_write(s, stream_write, g.stream, &lost) != 0;

	return grow_end(&g, out) && !failed ? 0 : no_memory(inv);
}

struct bytes {
	const struct ustar_file *of;
	size_t at;
};

static ptrdiff_t bytes_read(void *ctx, void *buf, size_t size)
{
	struct bytes *b = ctx;
	const size_t left = b->of->size - b->at, n = left < size ? left : size;

	memcpy(buf, b->of->bytes + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

/* The pages are of the state as it is read back, under the ticket's own name. */
static int put_pages(const struct invocation *inv, const char *name, const char *job, const char *viewer,
		     struct ticket *t)
{
	const struct fs_read_options o = { .without_usage = true };
	struct bytes b = { &t->files[USTAR_SNAPSHOT], 0 };
	struct memory_file page, html;
	struct fs_error err;
	fs_snapshot *s = NULL;
	int status;

	if (fs_snapshot_read_with(&s, bytes_read, &b, name, &o, &err))
		return report(inv, &err);
	if (!grow_begin(&page)) {
		fs_snapshot_free(s);
		return no_memory(inv);
	}
	status =
		grow_begin(&html) ? explain_ticket_page(inv, s, job, viewer, page.stream, html.stream) : no_memory(inv);
	fs_snapshot_free(s);
	if (html.stream && !grow_end(&html, &t->files[USTAR_HTML]) && !status)
		status = no_memory(inv);
	return grow_end(&page, &t->files[USTAR_PAGE]) || status ? status : no_memory(inv);
}

static int put_versions(const struct invocation *inv, const fs_snapshot *s, const char *name, const char *job,
			const char *viewer, struct ustar_file *out)
{
	const char *const words[] = { "fs-explain", "-f", name, "--job", job, "--as", viewer, "--markdown" };
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char when[FS_TIME_TEXT];
	struct json_out shown = { 0 };
	struct memory_file g;
	struct fs_json j;

	if (!grow_begin(&g))
		return no_memory(inv);
	shown.file = g.stream;
	fs_time_format(s, info->time, when);
	fs_json_init(&j, json_write, &shown, true);
	fs_json_object(&j);
	json_text(&j, "fs_tools", FS_VERSION);
	json_text(&j, "cluster", info->cluster);
	json_text(&j, "scheduler", info->scheduler);
	json_integer(&j, "time", info->time);
	json_text(&j, "captured", when);
	json_list(&j, "command");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		fs_json_string(&j, words[i]);
	fs_json_end_array(&j);
	fs_json_end_object(&j);
	const bool failed = fs_json_finish(&j) != 0;

	return grow_end(&g, out) && !failed ? 0 : no_memory(inv);
}

/* ---- no more of the snapshot than the page needs (--small) */

struct trial {
	struct invocation inv;
	const char *name, *job, *viewer;
	const struct ticket *whole;
};

static bool same_file(const struct ustar_file *a, const struct ustar_file *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static bool same_pages(void *ctx, const struct ustar_file *part)
{
	const struct trial *x = ctx;
	struct ticket t = { .files[USTAR_SNAPSHOT] = *part };
	const bool same = !put_pages(&x->inv, x->name, x->job, x->viewer, &t) &&
			  same_file(&t.files[USTAR_PAGE], &x->whole->files[USTAR_PAGE]) &&
			  same_file(&t.files[USTAR_HTML], &x->whole->files[USTAR_HTML]);

	free((char *)t.files[USTAR_PAGE].bytes);
	free((char *)t.files[USTAR_HTML].bytes);
	return same;
}

/* Larger states get fewer tries: each makes a page, which takes the longer the larger the state is. */
static unsigned tries_for(size_t size)
{
	enum { MB = 1 << 20 };

	return size < MB ? 600 : size < 16 * MB ? 100 : 25;
}

static int make_small(const struct invocation *inv, const char *name, const char *job, uint64_t id, const char *viewer,
		      struct ticket *t)
{
	struct trial x = { .inv = *inv, .name = name, .job = job, .viewer = viewer, .whole = t };
	struct ustar_file part;
	char why[120];

	x.inv.quiet = true;
	snprintf(why, sizeof(why), "no more is here than the page of job %llu needs: other commands see a part",
		 (unsigned long long)id);
	if (!lean_snapshot(&t->files[USTAR_SNAPSHOT], id, why, same_pages, &x, tries_for(t->files[USTAR_SNAPSHOT].size),
			   &part))
		return no_memory(inv);
	free((char *)t->files[USTAR_SNAPSHOT].bytes);
	t->files[USTAR_SNAPSHOT] = part;
	return 0;
}

/* ---- the whole */

static const char *last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static int write_ticket(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o,
			const char *job, uint32_t row)
{
	struct ticket t = { .time = fs_snapshot_info(s)->time };
	const char *name = last_part(o->output);
	struct fs_job j;
	int status;

	fs_snapshot_job(s, row, &j);
	const char *viewer = *j.user ? j.user : "root";

	status = put_snapshot(inv, s, &t.files[USTAR_SNAPSHOT]);
	if (!status)
		status = put_pages(inv, name, job, viewer, &t);
	if (!status && o->small)
		status = make_small(inv, name, job, j.id, viewer, &t);
	if (!status)
		status = put_versions(inv, s, name, job, viewer, &t.files[USTAR_VERSIONS]);
	if (!status)
		status = save(inv, pack_wanted(o->output) ? put_packed : ticket_put, &t, o->output,
			      o->mode ? o->mode : SNAP_MODE);
	for (int i = 0; i < USTAR_MEMBERS; i++)
		free((char *)t.files[i].bytes);
	return status;
}

/* No page reads the records of past usage: the snapshot goes without them. */
static int open_state(const struct invocation *inv, const struct snap_options *o, int argc, char **argv,
		      fs_snapshot **out)
{
	const struct input in = { .recorded = true };
	struct fs_error err;

	if (argc < 2)
		return snap_take(inv, o, NULL, out);
	return input_try(&in, argv[1], out, &err) ? report(inv, &err) : 0;
}

int snap_ticket(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL, *renamed = NULL;
	uint32_t row = 0;
	size_t n;
	int status;

	if (argc < 1 || argc > 2 || !o->output || !strcmp(o->output, "-")) {
		complain(inv, "ticket: give a job, a snapshot unless one is to be captured, and the file to write: "
			      "ticket JOB [FILE] -o FILE.tar");
		return EXIT_USAGE;
	}
	status = open_state(inv, o, argc, argv, &s);
	if (!status)
		status = explain_ticket_job(inv, s, argv[0], &row);
	if (!status && (o->anonymise || o->key))
		status = snap_rename(inv, s, o->key, &renamed, &n);
	if (!status)
		status = write_ticket(inv, renamed ? renamed : s, o, argv[0], row);
	if (!status && renamed)
		snap_warn_what_identifies(inv, n);
	fs_snapshot_free(renamed);
	fs_snapshot_free(s);
	return status;
}
