#include "base/error.h"
#include "base/text.h"
#include "model/model.h"
#include "snapshot/read_record.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Moves all rows of the part, whose lines count from first_line on, and leaves it with neither rows nor names; -1
 * without memory. */
static int fsi_merge(struct fsi_merge *map, fs_snapshot *whole, fs_snapshot *part, uint64_t first_line)
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

static void merge_release(struct fsi_merge *map)
{
	free(map->names.v);
	free(map->lists.v);
	free(map->amounts.v);
}

/* Parts of the stream, each some whole lines, read at the same time into models of their own and moved to the whole in
 * their order. A part in which something is not as usual is read again by the reader of the whole, when its turn has
 * come: what is warned of, refused or completed is so by one reader, line by line.
 *
 * The parts stand in a ring. Each goes through three steps: it is filled with text, one at a time; taken, as many at a
 * time as there are threads; and merged, one at a time. A thread does whichever of these comes next and is not being
 * done by another, so that nobody waits for anybody. */

enum {
	PART_BYTES = 512 * 1024,
	ALONE_BYTES = 8 * 1024 * 1024, /* one is done with them before another has begun */
	MAX_THREADS = 8, /* filling and merging keep no more busy */
	PARTS_A_THREAD = 2
};

struct text {
	char *v;
	size_t len, cap;
};

enum step { EMPTY, FILLED, TAKEN };

struct part {
	struct fsi_reader reader;
	struct fsi_merge map;
	struct text text;
	size_t taken; /* bytes of the lines that were as usual; what follows is for the whole */
	_Atomic enum step step;
};

struct parts {
	struct fsi_reader *whole;
	struct part *part; /* part i of the stream is in i % n */
	size_t n, threads;
	size_t bytes, alone; /* alone: read by one before the first part */
	struct fsi_lines *lines;
	struct text left; /* the beginning of the next line */
	bool at_end, failed, nomem;	   /* of who fills */
	int rc;				   /* of who merges */
	atomic_flag filling, merging;	   /* somebody is */
	atomic_size_t filled, claimed, merged; /* so many parts */
	atomic_size_t working;		   /* threads */
	atomic_bool ended, stop;	   /* all have been filled; nothing more is to be begun */
	atomic_int jobs;		   /* the whole's */
	atomic_size_t first_job;	   /* the part that they seem to begin in; SIZE_MAX: in none so far */
	const char *warned[FSI_WARNINGS_MAX]; /* of the whole's unknown words */
	atomic_size_t nwarned;
};

static int reserve(struct text *t, size_t cap)
{
	char *v;

	if (cap < t->cap)
		return 0;
	v = realloc(t->v, cap + 1);
	if (!v)
		return -1;
	t->v = v;
	t->cap = cap + 1;
	return 0;
}

static int set_text(struct text *t, const char *s, size_t len)
{
	if (reserve(t, len))
		return -1;
	if (len)
		memcpy(t->v, s, len);
	t->len = len;
	return 0;
}

static size_t whole_lines(const struct text *t)
{
	size_t n = t->len;

	while (n && t->v[n - 1] != '\n')
		n--;
	return n;
}

/* Reads until the text has `bytes` and whole lines in them, or a line that is too long. */
static int read_on(struct parts *s, struct text *t)
{
	size_t want = s->bytes;

	while (!s->at_end && !s->failed && (t->len < want || !memchr(t->v, '\n', t->len))) {
		if (t->len > FSI_LINE_MAX && t->len >= want)
			break;
		want = t->len < want ? want : t->len * 2;
		if (reserve(t, want))
			return -1;
		const ptrdiff_t n = s->lines->read(s->lines->ctx, t->v + t->len, want - t->len);

		s->failed = n < 0;
		s->at_end = n == 0;
		t->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int fill_text(struct parts *s, struct text *t)
{
	size_t lines;

	if (set_text(t, s->left.v, s->left.len) || read_on(s, t))
		return -1;
	lines = s->at_end ? t->len : whole_lines(t);
	if (!lines && !s->failed)
		lines = t->len; /* too long: for the whole to refuse */
	if (set_text(&s->left, t->v + lines, t->len - lines))
		return -1;
	t->len = lines;
	return 0;
}

/* Where several would take the same step with the only part whose turn it is, one of them may. */
static bool enter(atomic_flag *busy)
{
	return !atomic_flag_test_and_set_explicit(busy, memory_order_acquire);
}

static void leave(atomic_flag *busy)
{
	atomic_flag_clear_explicit(busy, memory_order_release);
}

static void fill_part(struct parts *s, struct part *p)
{
	s->nomem = fill_text(s, &p->text);
	if (s->nomem || s->failed || (s->at_end && !s->left.len))
		s->ended = true;
	if (s->nomem) {
		s->stop = true;
		return;
	}
	p->text.v[p->text.len] = '\0';
	if (s->first_job == SIZE_MAX && strstr(p->text.v, "{\"type\":\"job\","))
		s->first_job = s->filled;
	p->step = FILLED;
	s->filled++;
}

static bool fill_next(struct parts *s)
{
	bool found = false;

	if (!s->ended && enter(&s->filling)) {
		struct part *p = &s->part[s->filled % s->n];

		found = !s->ended && p->step == EMPTY;
		if (found)
			fill_part(s, p);
		leave(&s->filling);
	}
	return found;
}

/* Reads lines as long as all is usual. */
static void read_part(struct part *p)
{
	char *line = p->text.v, *end = line + p->text.len, *newline;

	for (; line < end; line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline)
			newline = end;
		const char was = *newline;

		*newline = '\0';
		p->reader.where.line++;
		if (newline - line > FSI_LINE_MAX || fsi_reader_line(&p->reader, line, (size_t)(newline - line))) {
			*newline = was;
			p->reader.where.line--;
			break;
		}
	}
	p->taken = line < end ? (size_t)(line - p->text.v) : p->text.len;
}

struct memory {
	const char *at;
	size_t left;
};

static ptrdiff_t read_memory(void *ctx, void *buf, size_t size)
{
	struct memory *m = ctx;
	const size_t n = size < m->left ? size : m->left;

	memcpy(buf, m->at, n);
	m->at += n;
	m->left -= n;
	return (ptrdiff_t)n;
}

static int read_rest(struct fsi_reader *whole, const struct part *p)
{
	struct memory rest = { p->text.v + p->taken, p->text.len - p->taken };
	struct fsi_lines lines;
	int rc;

	if (!rest.left)
		return 0;
	fsi_lines_init(&lines, read_memory, &rest, whole->m->file);
	lines.where.line = whole->where.line;
	rc = fsi_reader_lines(whole, &lines);
	fsi_lines_release(&lines);
	return rc;
}

static int begin_part(struct parts *s, struct part *p)
{
	p->reader.m = fsi_model_new(s->whole->m->file);
	if (!p->reader.m)
		return -1;
	p->reader.m->head.rec.line = 1; /* that line has been read */
	p->reader.part = true;
	p->reader.options = s->whole->options;
	p->reader.stands_in = s->whole->stands_in;
	return 0;
}

/* Tells a part's reader what the whole knows by now. */
static int share_known(struct parts *s, struct fsi_reader *r)
{
	r->jobs = s->jobs;
	r->table = NULL; /* and with it the ids last read */
	r->unknown.n = 0;
	for (const size_t n = s->nwarned; r->unknown.n < n;) {
		if (FSI_VEC_ROOM(&r->unknown))
			return -1;
		const uint32_t id = fsi_name(r->m, s->warned[r->unknown.n]);

		if (id == FSI_INTERN_FAILED)
			return -1;
		r->unknown.v[r->unknown.n++] = id;
	}
	return 0;
}

static void take_part(struct parts *s, struct part *p)
{
	memset(p->reader.found, 0, sizeof(p->reader.found));
	p->reader.where.line = 0;
	p->taken = 0;
	if (!share_known(s, &p->reader))
		read_part(p);
	p->step = TAKEN;
}

/* Whether jobs are kept is settled by the reader of the whole: parts behind the first of them would be for that one. */
static bool may_take(const struct parts *s, size_t i)
{
	return i < s->filled && (i <= s->first_job || s->jobs != FSI_JOBS_UNSETTLED || s->merged > s->first_job);
}

static bool take_next(struct parts *s)
{
	size_t i = s->claimed;

	while (may_take(s, i))
		if (atomic_compare_exchange_weak(&s->claimed, &i, i + 1)) {
			take_part(s, &s->part[i % s->n]);
			return true;
		}
	return false;
}

static void learn_known(struct parts *s)
{
	const struct fsi_reader *whole = s->whole;

	s->jobs = whole->jobs;
	for (size_t i = s->nwarned; i < whole->unknown.n; i++) {
		s->warned[i] = fsi_str(whole->m, whole->unknown.v[i]);
		s->nwarned++;
	}
}

static int merge_part(struct parts *s, struct part *p)
{
	struct fsi_reader *whole = s->whole;
	int rc;

	if (fsi_merge(&p->map, whole->m, p->reader.m, whole->where.line + 1))
		return fsi_nomem(whole->err);
	for (int i = 0; i < FSI_COUNTED; i++)
		whole->found[i] += p->reader.found[i];
	whole->where.line += p->reader.where.line;
	rc = read_rest(whole, p);
	learn_known(s);
	return rc;
}

static bool merge_next(struct parts *s)
{
	bool found = false;

	if (enter(&s->merging)) {
		struct part *p = &s->part[s->merged % s->n];

		found = !s->rc && p->step == TAKEN;
		if (found) {
			s->rc = merge_part(s, p);
			s->stop = s->stop || s->rc;
			p->step = EMPTY;
			s->merged++;
		}
		leave(&s->merging);
	}
	return found;
}

/* Who finds nothing to do leaves. When one would be left alone they all do, and begin anew together. */
static void work(void *arg, size_t i)
{
	struct parts *s = arg;

	(void)i;
	while (!s->stop && (merge_next(s) || fill_next(s) || take_next(s)))
		;
	if (--s->working <= 1)
		s->stop = true;
}

static int take_all(struct parts *s)
{
	const struct fs_read_options *o = &s->whole->options;

	while (!s->rc && !s->nomem && !(s->ended && s->merged == s->filled)) {
		while (fill_next(s))
			;
		s->stop = s->nomem;
		s->working = s->threads;
		o->parallel(o->parallel_ctx, s->threads, work, s);
	}
	if (s->rc || s->nomem)
		return s->rc ? s->rc : fsi_nomem(s->whole->err);
	return s->failed ? fsi_read_error(s->lines, s->whole->err) : 0;
}

/* Reads the first line, and the little that is not worth a thread. */
static int read_start(struct parts *s, bool *more)
{
	struct fsi_reader *whole = s->whole;
	size_t len, done = 0;
	char *line;
	int rc = 1;

	while (done < s->alone || !whole->m->head.rec.line) {
		rc = fsi_lines_next(s->lines, &line, &len, whole->err);
		if (rc <= 0)
			break;
		whole->where = s->lines->where;
		done += len + 1;
		rc = fsi_reader_line(whole, line, len);
		if (rc)
			return rc;
	}
	*more = done >= s->alone && rc >= 0 && whole->m->head.rec.line;
	return rc < 0 ? rc : 0;
}

static int take_rest(struct parts *s)
{
	int rc = set_text(&s->left, s->lines->buf + s->lines->start, s->lines->end - s->lines->start);

	s->at_end = s->lines->eof;
	s->ended = s->at_end && !s->left.len;
	learn_known(s);
	s->part = calloc(s->n, sizeof(*s->part));
	if (!s->part)
		return fsi_nomem(s->whole->err);
	for (size_t i = 0; !rc && i < s->n; i++)
		rc = begin_part(s, &s->part[i]);
	rc = rc ? fsi_nomem(s->whole->err) : take_all(s);
	for (size_t i = 0; i < s->n; i++) {
		fsi_reader_release(&s->part[i].reader);
		fs_snapshot_free(s->part[i].reader.m);
		merge_release(&s->part[i].map);
		free(s->part[i].text.v);
	}
	free(s->part);
	free(s->left.v);
	return rc;
}

/* Takes all lines of the stream in parts on o.threads threads, as fsi_reader_lines would read them. */
static int reader_parts(struct fsi_reader *r, struct fsi_lines *lines)
{
	const size_t bytes = r->options.part_bytes, threads = r->options.threads;
	struct parts s = { .whole = r,
			   .lines = lines,
			   .threads = threads < MAX_THREADS ? threads : MAX_THREADS,
			   .bytes = bytes ? bytes : PART_BYTES,
			   .alone = bytes ? 2 * bytes : ALONE_BYTES,
			   .first_job = SIZE_MAX,
			   .filling = ATOMIC_FLAG_INIT,
			   .merging = ATOMIC_FLAG_INIT };
	bool more = false;
	const int rc = read_start(&s, &more);

	s.n = s.threads * PARTS_A_THREAD + 1;
	if (!r->options.without_jobs)
		r->jobs = FSI_JOBS_KEPT;

	return rc || !more ? rc : take_rest(&s);
}

/* JSON Lines to model: one record at a time, then fsi_model_finish. */

/* A file that lost its end is noticed by the counts of the first line. */
static int verify_counts(struct fsi_reader *r)
{
	struct fsi_where where = { r->m->file, 0, 0 };

	if (!r->m->head.rec.line)
		return fsi_fail_at(r->err, where, NULL, "empty: not a snapshot");
	for (int i = 0; r->counted && i < FSI_COUNTED; i++) {
		if (r->found[i] == r->expected[i])
			continue;
		where.line = r->where.line;
		return fsi_fail_at(r->err, where, "records",
			"%s: the first line promises %llu records, the file has %llu%s",
			i < FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)i)->type : "config",
			(unsigned long long)r->expected[i], (unsigned long long)r->found[i],
			r->found[i] < r->expected[i] ? ": cut short?" : "");
	}
	return 0;
}

int fsi_warn_incomplete(fs_snapshot *m)
{
	size_t n;
	const uint32_t *all = fsi_list(m, m->head.incomplete, &n);

	for (size_t i = 0; i < n; i++)
		if (fsi_warn(m, "%s", fsi_str(m, all[i])))
			return -1;
	return 0;
}

int fs_snapshot_read_with(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			  const struct fs_read_options *options, struct fs_error *err)
{
	struct fsi_reader r = { .m = fsi_model_new(name), .err = err, };
	struct fsi_lines lines;
	int rc;

	if (!r.m)
		return fsi_nomem(err);
	fsi_lines_init(&lines, read, ctx, r.m->file);
	FSI_OPTIONS(r.options, options);
	rc = r.options.threads > 1 && r.options.parallel ? reader_parts(&r, &lines) :
					     fsi_reader_lines(&r, &lines);
	if (!rc)
		rc = verify_counts(&r);
	fsi_lines_release(&lines);
	fsi_reader_release(&r);
	r.m->info.usage_records = r.found[FSI_RECORD_USAGE];
	r.m->read_warnings = r.m->warnings.n;
	if (!rc && fsi_warn_incomplete(r.m))
		rc = fsi_nomem(err);
	if (!rc)
		rc = fsi_model_finish(r.m, err);
	if (rc)
		fs_snapshot_free(r.m);
	else
		*out = r.m;
	return rc;
}

int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	return fs_snapshot_read_with(out, read, ctx, name, NULL, err);
}

struct bytes {
	struct fsi_buf buf;
	size_t at;
};

static int keep(void *ctx, const void *data, size_t size)
{
	struct bytes *b = ctx;

	return fsi_buf_add(&b->buf, data, size);
}

static ptrdiff_t give(void *ctx, void *buf, size_t size)
{
	struct bytes *b = ctx;
	const size_t n = b->buf.n - b->at < size ? b->buf.n - b->at : size;

	if (n)
		memcpy(buf, b->buf.v + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	struct bytes b = { .at = 0 };
	struct fs_error lost; /* written to memory: nothing but memory can be lacking */
	int rc = fs_snapshot_write(s, keep, &b, &lost) ? fsi_nomem(err) : 0;

	if (!rc)
		rc = fs_snapshot_read(out, give, &b, s->file, err);
	free(b.buf.v);
	return rc;
}

/* A snapshot is opened by the name of its file: the one place where the library opens one itself. */

static ptrdiff_t read_file(void *ctx, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, ctx);

	return n || !ferror((FILE *)ctx) ? (ptrdiff_t)n : -1;
}

int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err)
{
	FILE *file = fopen(path, "rb");
	int rc;

	if (!file)
		return fsi_fail(err, FS_EIO, "%s: %s", path, strerror(errno));
	rc = fs_snapshot_read(out, read_file, file, path, err);
	fclose(file);
	return rc;
}
