#include "snapshot/merge.h"

#include <string.h>

struct merging {
	struct fsi_merge *map;
	fs_snapshot *whole;
	const fs_snapshot *part;
	uint32_t lines_before;
};

/* The set with its names exchanged; `step` is how many words apart they stand. */
static uint32_t merged_set(const struct merging *g, uint32_t set, size_t step)
{
	const uint32_t len = fsi_intern_len(&g->part->sets, set);
	const size_t words = len / sizeof(uint32_t);
	const char *from = fsi_intern_str(&g->part->sets, set);
	uint32_t small[64] = { 0 }, *copy = words > 64 ? malloc(len) : small;
	uint32_t id;

	if (!copy)
		return FSI_INTERN_FAILED;
	for (size_t i = 0; i < words; i++) {
		memcpy(&copy[i], from + i * sizeof(*copy), sizeof(*copy));
		if (i % step == 0)
			copy[i] = g->map->names.v[copy[i]];
	}
	id = fsi_intern(&g->whole->sets, copy, len);
	if (copy != small)
		free(copy);
	return id;
}

static int merge_set(const struct merging *g, uint32_t *known, uint32_t *set, size_t step)
{
	if (!known[*set])
		known[*set] = merged_set(g, *set, step);
	if (known[*set] == FSI_INTERN_FAILED) {
		known[*set] = 0;
		return -1;
	}
	*set = known[*set];
	return 0;
}

static int merge_field(const struct merging *g, enum fsi_field_type type, uint32_t *id)
{
	enum { WORDS_OF_AMOUNT = sizeof(struct fsi_amount) / sizeof(uint32_t) };

	if (!*id)
		return 0;
	if (type == FSI_STR)
		*id = g->map->names.v[*id];
	else if (type == FSI_LIST)
		return merge_set(g, g->map->lists.v, id, 1);
	else
		return merge_set(g, g->map->amounts.v, id, WORDS_OF_AMOUNT);
	return 0;
}

/* The fields of a table that hold ids, and stand in its records themselves or (rare: FSI_RARE) apart from them. */
static size_t id_fields(const struct fsi_record_table *t, unsigned rare, const struct fsi_field *out[FSI_FIELDS_MAX])
{
	size_t n = 0;

	for (unsigned k = 0; k < t->nfields; k++) {
		const enum fsi_field_type type = t->fields[k].type;

		if ((t->fields[k].flags & FSI_RARE) == rare &&
		    (type == FSI_STR || type == FSI_LIST || type == FSI_TRES || type == FSI_TRESF))
			out[n++] = &t->fields[k];
	}
	return n;
}

static int merge_ids(const struct merging *g, enum fsi_record_type type, unsigned rare, char *rows, size_t size,
		     size_t n)
{
	const struct fsi_field *fields[FSI_FIELDS_MAX];
	const size_t nfields = id_fields(fsi_record_table(type), rare, fields);

	for (size_t i = 0; i < n; i++, rows += size)
		for (size_t k = 0; k < nfields; k++)
			if (merge_field(g, fields[k]->type, (uint32_t *)(void *)(rows + fields[k]->offset)))
				return -1;
	return 0;
}

static int merge_rows(const struct merging *g, enum fsi_record_type type, char *rows, size_t n)
{
	const uint32_t size = fsi_record_table(type)->size;

	for (size_t i = 0; i < n; i++)
		((struct fsi_rec *)(void *)(rows + i * size))->line += g->lines_before;
	return merge_ids(g, type, 0, rows, size, n);
}

/* Merges the rare fields of the last n jobs of the whole, which came from the part. */
static int merge_rare(const struct merging *g, fs_snapshot *part, size_t n)
{
	fs_snapshot *whole = g->whole;
	const size_t before = whole->job_rare.n, more = part->job_rare.n;

	for (size_t i = 0; i < more; i++) {
		if (FSI_VEC_ROOM(&whole->job_rare))
			return -1;
		whole->job_rare.v[whole->job_rare.n++] = part->job_rare.v[i];
	}
	for (size_t i = whole->job.n - n; i < whole->job.n; i++)
		if (whole->job.v[i].rare)
			whole->job.v[i].rare += (uint32_t)before;
	part->job_rare.n = 0;
	return more ? merge_ids(g, FSI_RECORD_JOB, FSI_RARE, (char *)&whole->job_rare.v[before],
				sizeof(*whole->job_rare.v), more)
		    : 0;
}

/* The tables are as long as the part has ids, and all 0. */
static int begin_ids(struct fsi_ids *ids, size_t n)
{
	uint32_t *v = ids->v;

	if (n > ids->cap) {
		v = realloc(v, n * sizeof(*v));
		if (!v)
			return -1;
		ids->v = v;
		ids->cap = n;
	}
	if (n)
		memset(v, 0, n * sizeof(*v));
	return 0;
}

static int begin_map(const struct merging *g)
{
	const size_t names = g->part->names.count, sets = g->part->sets.count;

	if (begin_ids(&g->map->names, names) || begin_ids(&g->map->lists, sets) || begin_ids(&g->map->amounts, sets))
		return -1;
	return fsi_intern_all(&g->whole->names, &g->part->names, g->map->names.v);
}

#define MERGE_TABLE(TAG, name, json)                                                               \
	for (size_t i = 0; !rc && i < part->name.n; i++) {                                         \
		rc = FSI_VEC_ROOM(&whole->name);                                                   \
		if (!rc)                                                                           \
			whole->name.v[whole->name.n++] = part->name.v[i];                          \
	}                                                                                          \
	if (!rc && part->name.n)                                                                   \
		rc = merge_rows(&g, FSI_RECORD_##TAG,                                              \
				(char *)&whole->name.v[whole->name.n - part->name.n],              \
				part->name.n);                                                     \
	part->name.n = 0;

int fsi_merge(struct fsi_merge *map, fs_snapshot *whole, fs_snapshot *part, uint64_t first_line)
{
	const struct merging g = { map, whole, part, (uint32_t)(first_line - 1) };
	const size_t jobs = part->job.n;
	int rc = begin_map(&g);

	FSI_RECORD_TYPES(MERGE_TABLE)
	if (!rc)
		rc = merge_rare(&g, part, jobs);
	fsi_intern_clear(&part->names);
	fsi_intern_clear(&part->sets);
	return rc ? -1 : 0;
}

void fsi_merge_release(struct fsi_merge *map)
{
	free(map->names.v);
	free(map->lists.v);
	free(map->amounts.v);
}
