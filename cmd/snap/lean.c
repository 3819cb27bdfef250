/* Lines of a snapshot, each a record, are left out by halves: all of a type, then either half of what cannot all
 * go, and so on; then keys of all records of a type. The header counts what stays, and says what was done. */
#include "snap/lean.h"

#include "room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES_MAX = 32, KEYS_MAX = 192, TYPE_MAX = 40 };

struct line {
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
	struct line *line;
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

static void put(struct text *to, const char *s, size_t n)
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
	put(to, s, strlen(s));
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

static void put_record(const struct lean *t, const struct line *l, struct text *to)
{
	const char *at = l->s, *end = l->s + l->len, *from, *key;
	size_t len;
	bool first = true;

	for (from = at; next_key(&at, end, &key, &len); from = at) {
		if (key_is_out(t, l->type, key, len))
			continue;
		puts_to(to, first ? "{" : ",");
		from = key - 1;
		put(to, from, (size_t)(at - from));
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
		put(to, value + 1, (size_t)(end - value - 1));
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
			put(to, key - 1, (size_t)(at - key + 1));
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

static void note_keys(struct lean *t, const struct line *l)
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

static bool note_type(struct lean *t, struct line *l)
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
		struct line *more = room_for_one(t->line, t->n, &cap, sizeof(*more));

		if (!more)
			return false;
		t->line = more;
		eol = eol ? eol : end;
		t->line[t->n] = (struct line){ .s = at, .len = (size_t)(eol - at) };
		if (!note_type(t, &t->line[t->n++]))
			return false;
		at = eol + 1;
	}
	return t->n > 0;
}

bool lean_snapshot(const struct ustar_file *whole, uint64_t job, const char *why, lean_same_fn same, void *ctx,
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
