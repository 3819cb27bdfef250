#include "base/json/split.h"

#include "base/memory/vec.h"

#include <string.h>

/* An object being handed out, or a container in the document that is cut out of it. */
enum kind { OBJECT, LIST_OF_OBJECTS };

struct open {
	enum kind kind;
	uint32_t depth; /* brackets open inside an OBJECT, its own counted */
	size_t start;   /* of the OBJECT in text */
	uint64_t line;
};

struct split {
	const struct fsi_json_split *o;
	struct fs_error *err;
	fs_read_fn read;
	void *stream;
	struct fsi_where where;
	char in[65536];
	size_t at, end;
	FSI_VEC(char) text;
	struct fsi_json_pool pool;
	FSI_VEC(struct open) stack;
	uint32_t objects; /* on the stack */
	/* the string that ended last, in text; a key if a colon follows */
	size_t string, string_end;
	bool started, done;
};

enum { END = -1, FAILED = -2 };

static int bad(struct split *s, const char *problem)
{
	return fsi_fail_at(s->err, s->where, NULL, "%s", problem);
}

/* A byte, END, or FAILED. */
static int next(struct split *s)
{
	if (s->at == s->end) {
		const ptrdiff_t n = s->read(s->stream, s->in, sizeof(s->in));

		if (n < 0) {
			fsi_fail(s->err, FS_EIO, "%s: cannot be read", s->where.file);
			return FAILED;
		}
		if (!n)
			return END;
		s->at = 0;
		s->end = (size_t)n;
	}
	if (s->in[s->at] == '\n')
		s->where.line++;
	return (unsigned char)s->in[s->at++];
}

static int keep(struct split *s, char c)
{
	if (s->stack.n && s->text.n - s->stack.v[s->stack.n - 1].start >= FSI_JSON_OBJECT_MAX)
		return bad(s, "an object of more than 4 MiB");
	if (FSI_VEC_ROOM(&s->text))
		return fsi_nomem(s->err);
	s->text.v[s->text.n++] = c;
	return 0;
}

/* After its opening quote; raw newlines are kept, so that parsing refuses them. */
static int take_string(struct split *s)
{
	int c, rc = keep(s, '"');

	s->string = s->text.n;
	while (!rc) {
		c = next(s);
		if (c < 0)
			return c == END ? bad(s, "cut short inside a string") : FS_EIO;
		if (c == '"')
			break;
		rc = keep(s, (char)c);
		if (!rc && c == '\\') {
			c = next(s);
			if (c < 0)
				return c == END ? bad(s, "cut short inside a string") : FS_EIO;
			rc = keep(s, (char)c);
		}
	}
	s->string_end = s->text.n;
	return rc ? rc : keep(s, '"');
}

static int open_container(struct split *s, enum kind kind)
{
	struct open o = { kind, 1, s->text.n, s->where.line };

	if (s->stack.n >= FSI_JSON_NESTING)
		return bad(s, "nested too deep");
	if (FSI_VEC_ROOM(&s->stack))
		return fsi_nomem(s->err);
	s->stack.v[s->stack.n++] = o;
	if (kind != OBJECT)
		return 0;
	s->objects++;
	if (s->o->begin) {
		const int rc = s->o->begin(s->o->ctx, s->objects - 1);

		if (rc)
			return rc;
	}
	return keep(s, '{');
}

/* A finished object goes out, and nothing of it stays but `[]` in what it stands in. */
static int close_object(struct split *s)
{
	const struct open o = s->stack.v[s->stack.n - 1];
	const struct fsi_where where = { s->where.file, o.line, 0 };
	const struct fsi_json *root = NULL;
	int rc = keep(s, '\0');

	if (rc)
		return rc;
	rc = fsi_json_parse(&s->pool, &root, s->text.v + o.start, s->text.n - o.start - 1, where, s->err);
	if (rc && s->err)
		s->err->column = 0; /* of its text, not of the document's line */
	if (!rc && s->o->object)
		rc = s->o->object(s->o->ctx, s->objects - 1, root, where);
	s->text.n = o.start;
	s->stack.n--;
	s->objects--;
	return rc;
}

/* Is the value that begins now one of those cut out: directly under a key named? */
static bool under_key(const struct split *s)
{
	size_t i = s->text.n;
	const struct open *o = &s->stack.v[s->stack.n - 1];

	if (o->depth != 1)
		return false;
	while (i > o->start && s->text.v[i - 1] == ' ')
		i--;
	if (i <= o->start || s->text.v[i - 1] != ':')
		return false;
	while (i > o->start && (s->text.v[i - 1] == ' ' || s->text.v[i - 1] == ':'))
		i--;
	if (i != s->string_end + 1 || s->string < o->start)
		return false;
	for (const char *const *k = s->o->keys; *k; k++)
		if (strlen(*k) == s->string_end - s->string &&
		    !memcmp(*k, s->text.v + s->string, s->string_end - s->string))
			return true;
	return false;
}

/* `[]` stands for what was cut out. */
static int cut_out(struct split *s, enum kind kind)
{
	int rc = keep(s, '[');

	if (!rc)
		rc = keep(s, ']');
	return rc ? rc : open_container(s, kind);
}

static int in_object(struct split *s, int c)
{
	struct open *o = &s->stack.v[s->stack.n - 1];

	if (c == '"')
		return take_string(s);
	if ((c == '{' || c == '[') && under_key(s))
		return cut_out(s, c == '{' ? OBJECT : LIST_OF_OBJECTS);
	if (c == '{' || c == '[')
		o->depth++;
	if (c == '}' || c == ']')
		o->depth--;
	const int rc = keep(s, c == '\n' || c == '\r' || c == '\t' ? ' ' : (char)c);

	return rc || o->depth ? rc : close_object(s);
}

/* Between the objects of a list: commas where they belong. */
static int in_list(struct split *s, int c)
{
	struct open *o = &s->stack.v[s->stack.n - 1];
	enum { WANT_VALUE = 1, WANT_COMMA, AFTER_COMMA };

	if (c == ']' && o->depth != AFTER_COMMA) {
		s->stack.n--;
		return 0;
	}
	if (c == ',' && o->depth == WANT_COMMA) {
		o->depth = AFTER_COMMA;
		return 0;
	}
	if (c == '{' && o->depth != WANT_COMMA) {
		o->depth = WANT_COMMA;
		return open_container(s, OBJECT);
	}
	return bad(s, "not valid JSON: expected a list of objects");
}

static int take_byte(struct split *s, int c)
{
	const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';

	if (s->stack.n && s->stack.v[s->stack.n - 1].kind == OBJECT)
		return in_object(s, c);
	if (blank)
		return 0;
	if (s->stack.n)
		return in_list(s, c);
	if (s->started)
		return bad(s, "text after the JSON document");
	s->started = true;
	if (c == '{' || c == '[')
		return open_container(s, c == '{' ? OBJECT : LIST_OF_OBJECTS);
	return bad(s, "not JSON: expected an object or a list");
}

static int run(struct split *s)
{
	int c, rc = 0;

	while (!rc && (c = next(s)) >= 0)
		rc = take_byte(s, c);
	if (rc)
		return rc;
	if (c == FAILED)
		return FS_EIO;
	if (!s->started)
		return bad(s, "empty: expected JSON");
	return s->stack.n ? bad(s, "cut short") : 0;
}

int fsi_json_split(const struct fsi_json_split *split, fs_read_fn read, void *stream,
		   const char *name, struct fs_error *err)
{
	struct split *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return fsi_nomem(err);
	s->o = split;
	s->err = err;
	s->read = read;
	s->stream = stream;
	s->where = (struct fsi_where){ name, 1, 0 };
	rc = run(s);
	fsi_json_pool_release(&s->pool);
	FSI_VEC_FREE(&s->text);
	FSI_VEC_FREE(&s->stack);
	free(s);
	return rc;
}
