#include "import/keyed.h"

#include "base/bytes.h"

#include <string.h>

/* The length, the first and the last letter tell most of scontrol's keys apart. */
static uint8_t hash(const char *s, size_t len)
{
	return (uint8_t)((unsigned char)s[0] * 5u + (unsigned char)s[len - 1] * 3u + len * 17u);
}

void fsi_keyed_init(struct fsi_keyed *k, const char *const *names, size_t n, size_t nread)
{
	memset(k, 0, sizeof(*k));
	k->names = names;
	k->n = n;
	k->nread = nread;
	for (size_t i = 0; i < n; i++) {
		uint8_t *at;

		k->len[i] = (uint8_t)strlen(names[i]);
		at = &k->first[hash(names[i], k->len[i])];
		k->next[i] = *at;
		*at = (uint8_t)(i + 1);
	}
}

static size_t find_key(const struct fsi_keyed *k, const char *s, size_t len)
{
	size_t i = k->first[hash(s, len)];

	while (i && (k->len[i - 1] != len || memcmp(k->names[i - 1], s, len) != 0))
		i = k->next[i - 1];
	return i ? i - 1 : k->n;
}

size_t fsi_keyed_find(const struct fsi_keyed *k, const char *name)
{
	return name && *name ? find_key(k, name, strlen(name)) : k->n;
}

void fsi_keyed_clear(struct fsi_keyed *k)
{
	memset(k->value, 0, k->nread * sizeof(*k->value));
	memset(k->has, 0, sizeof(k->has));
}

static void end_value(struct fsi_keyed *k, size_t key, const char *from, const char *to)
{
	if (key >= k->nread || k->value[key].s)
		return;
	k->value[key] = fsi_span_trim((struct fsi_span){ from, (size_t)(to - from) });
	k->has[key / 64] |= 1ull << key % 64;
}

/* The key that last followed, if it stands here, too: a command's lines have their keys in one order. */
static size_t guess(const struct fsi_keyed *k, size_t before, const char *p, const char *end)
{
	const size_t i = k->after[before], len = i ? k->len[i - 1] : 0;

	return i && (size_t)(end - p) > len && p[len] == '=' && fsi_equal_bytes(k->names[i - 1], p, len) ? i - 1 : k->n;
}

/* The length of the key that the word begins with, or 0. */
static size_t key_at(struct fsi_keyed *k, size_t *last, const char *p, const char *stop, size_t *found)
{
	const char *equals = memchr(p, '=', (size_t)(stop - p));
	const size_t len = equals ? (size_t)(equals - p) : 0;

	*found = len ? find_key(k, p, len) : k->n;
	if (*found < k->n) {
		k->after[*last] = (uint8_t)(*found + 1);
		*last = *found;
	}
	return len && (*found < k->n || fsi_kv_key_len(p, stop) == len) ? len : 0;
}

void fsi_keyed_line(struct fsi_keyed *k, struct fsi_span line)
{
	const char *end = line.s + line.len, *value = line.s;
	size_t key = k->n, last = k->n;

	for (const char *p = line.s; p < end;) {
		size_t found = guess(k, last, p, end), len = found < k->n ? k->len[found] : 0;
		const char *blank = memchr(p + len, ' ', (size_t)(end - p) - len), *stop = blank ? blank : end;

		if (len)
			last = found;
		else
			len = key_at(k, &last, p, stop, &found);
		if (len) {
			if (p > line.s)
				end_value(k, key, value, p - 1);
			key = found;
			value = p + len + 1;
		}
		p = stop + (blank != NULL);
	}
	end_value(k, key, value, end);
}

int fsi_keyed_set_all(struct fsi_import *imp, const struct fsi_keyed *k, const struct fsi_import_map *map, size_t from,
		      size_t end, enum fsi_record_type type, struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = from; i < end && !rc; i++)
		if (k->value[i].len)
			rc = fsi_import_set(imp, t, map[i].bit, rec, k->value[i]);
	return rc;
}
