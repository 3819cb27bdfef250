/* Parts of the stream, each some whole lines, read at the same time into models of their own and moved to the whole in
 * their order. A part in which something is not as usual is read again by the reader of the whole, when its turn has
 * come: what is warned of, refused or completed is so by one reader, line by line. */
#include "snapshot/merge.h"
#include "snapshot/reader.h"

#include <string.h>

enum {
	PART_BYTES = 1024 * 1024,
	NAMES_KEPT = 200000, /* by a part's model, from one part to the next */
	MAX_PARTS = 256
};

struct text {
	char *v;
	size_t len, cap;
};

struct part {
	struct fsi_reader reader;
	struct fsi_merge map;
	struct text text;
	size_t taken; /* bytes of the lines that were as usual; what follows is for the whole */
};

struct parts {
	struct fsi_reader *whole;
	struct part *part;
	size_t n, used; /* used: hold text */
	size_t bytes;
	struct fsi_lines *lines;
	struct text left; /* the beginning of the next line */
	bool at_end, failed;
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

static int fill(struct parts *s, struct text *t)
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

static int fill_all(struct parts *s)
{
	for (s->used = 0; s->used < s->n && !s->failed && (!s->at_end || s->left.len); s->used++)
		if (fill(s, &s->part[s->used].text))
			return -1;
	return 0;
}

/* As far as all is usual. */
static void take_part(void *arg, size_t i)
{
	struct part *p = &((struct parts *)arg)->part[i];
	char *line = p->text.v, *end = line + p->text.len, *newline;

	memset(p->reader.found, 0, sizeof(p->reader.found));
	p->reader.where.line = 0;
	for (; line < end; line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline)
			newline = end;
		const char was = *newline;

		*newline = '\0';
		p->reader.where.line++;
		if (newline - line > FSI_LINE_MAX ||
		    fsi_reader_line(&p->reader, line, (size_t)(newline - line))) {
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
	fs_snapshot *m = fsi_model_new(s->whole->m->file);

	if (!m)
		return -1;
	m->head.rec.line = 1; /* that line has been read */
	fs_snapshot_free(p->reader.m);
	fsi_merge_release(&p->map);
	p->reader.m = m;
	p->reader.whole = s->whole;
	p->reader.options = s->whole->options;
	p->reader.table = NULL; /* and with it the ids last read */
	return 0;
}

static int end_part(struct parts *s, struct part *p)
{
	struct fsi_reader *whole = s->whole;
	int rc;

	if (fsi_merge(&p->map, whole->m, p->reader.m, whole->where.line + 1))
		return fsi_nomem(whole->err);
	for (int i = 0; i < FSI_COUNTED; i++)
		whole->found[i] += p->reader.found[i];
	whole->where.line += p->reader.where.line;
	rc = read_rest(whole, p);
	if (!rc && p->reader.m->names.count + p->reader.m->sets.count > NAMES_KEPT && begin_part(s, p))
		rc = fsi_nomem(whole->err);
	return rc;
}

static int take_all(struct parts *s)
{
	const struct fs_read_options *o = &s->whole->options;
	int rc = 0;

	while (!rc && !s->failed && (!s->at_end || s->left.len)) {
		if (fill_all(s))
			return fsi_nomem(s->whole->err);
		for (size_t i = 0; i < s->used; i++)
			s->part[i].reader.jobs = s->whole->jobs;
		o->parallel(o->parallel_ctx, s->used, take_part, s);
		for (size_t i = 0; !rc && i < s->used; i++)
			rc = end_part(s, &s->part[i]);
	}
	return !rc && s->failed ? fsi_read_error(s->lines, s->whole->err) : rc;
}

/* The first line, and the little that is not worth a thread. */
static int read_start(struct parts *s, bool *more)
{
	struct fsi_reader *whole = s->whole;
	size_t len, done = 0;
	char *line;
	int rc = 1;

	while (done < 2 * s->bytes || !whole->m->head.rec.line) {
		rc = fsi_lines_next(s->lines, &line, &len, whole->err);
		if (rc <= 0)
			break;
		whole->where = s->lines->where;
		done += len + 1;
		rc = fsi_reader_line(whole, line, len);
		if (rc)
			return rc;
	}
	*more = done >= 2 * s->bytes && rc >= 0 && whole->m->head.rec.line;
	return rc < 0 ? rc : 0;
}

static int take_rest(struct parts *s)
{
	int rc = set_text(&s->left, s->lines->buf + s->lines->start, s->lines->end - s->lines->start);

	s->at_end = s->lines->eof;
	s->part = calloc(s->n, sizeof(*s->part));
	if (!s->part)
		return fsi_nomem(s->whole->err);
	for (size_t i = 0; !rc && i < s->n; i++)
		rc = begin_part(s, &s->part[i]);
	rc = rc ? fsi_nomem(s->whole->err) : take_all(s);
	for (size_t i = 0; i < s->n; i++) {
		fsi_reader_release(&s->part[i].reader);
		fs_snapshot_free(s->part[i].reader.m);
		fsi_merge_release(&s->part[i].map);
		free(s->part[i].text.v);
	}
	free(s->part);
	free(s->left.v);
	return rc;
}

int fsi_reader_parts(struct fsi_reader *r, struct fsi_lines *lines)
{
	const size_t bytes = r->options.part_bytes, threads = r->options.threads;
	struct parts s = { .whole = r,
			   .lines = lines,
			   .n = threads < MAX_PARTS ? threads : MAX_PARTS,
			   .bytes = bytes ? bytes : PART_BYTES };
	bool more = false;
	const int rc = read_start(&s, &more);

	return rc || !more ? rc : take_rest(&s);
}
