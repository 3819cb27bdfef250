/* Helpers of the unit tests: checks for doubles, snapshots from and to memory, expected errors, and a random number
 * generator that gives the same numbers on every machine. Snapshot texts are written with ' instead of ", so that they
 * are readable in C. */
#ifndef FSTEST_H
#define FSTEST_H

#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FST_HEAD \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm " \
	"26.05.0'}\n"

/* One record of a snapshot. */
#define REC(type, fields) "{'type':'" type "'," fields "}\n"

/* Number of rounds with random input. Under a sanitizer, a quarter of the rounds is enough: further rounds take minutes
 * and find no more memory errors. */
#ifdef __SANITIZE_ADDRESS__
#define FST_ROUNDS(n) (((n) + 3) / 4)
#else
#define FST_ROUNDS(n) (n)
#endif

/* NAN equals NAN, and infinities of the same sign are equal. */
#define assert_near(a, b, eps) fst_near((a), (b), (eps), #a, __FILE__, __LINE__)
#define assert_same_double(a, b) fst_near((a), (b), -1, #a, __FILE__, __LINE__)

static inline void fst_near(double a, double b, double eps, const char *what, const char *file,
			    int line)
{
	const bool same = (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof(a));

	if (same || (eps >= 0 && fabs(a - b) <= eps))
		return;
	print_error("%s is %.17g, not %.17g\n", what, a, b);
	_fail(file, line);
}

/* ---- reading bytes from memory */

struct fst_text {
	const char *s;
	size_t left;
	size_t step; /* maximum number of bytes per call of fst_read; 0: no maximum */
};

static inline ptrdiff_t fst_read(void *ctx, void *buf, size_t size)
{
	struct fst_text *t = ctx;
	size_t n = t->left < size ? t->left : size;

	if (t->step && n > t->step)
		n = t->step;
	if (n)
		memcpy(buf, t->s, n);
	t->s += n;
	t->left -= n;
	return (ptrdiff_t)n;
}

/* ---- output written to memory */

struct fst_sink {
	char *data; /* NUL-terminated */
	size_t len, cap;
	size_t limit; /* maximum number of bytes in `data`; writing more fails; 0: no limit */
};

static inline int fst_write(void *ctx, const void *data, size_t size)
{
	struct fst_sink *s = ctx;

	if (s->limit && s->len + size > s->limit)
		return -1;
	if (s->len + size + 1 > s->cap) {
		s->cap = (s->len + size + 1) * 2;
		s->data = realloc(s->data, s->cap);
		assert_non_null(s->data);
	}
	memcpy(s->data + s->len, data, size);
	s->len += size;
	s->data[s->len] = '\0';
	return 0;
}

/* Appends formatted text with each ' replaced by ". */
__attribute__((format(printf, 2, 3))) static inline void fst_put(struct fst_sink *s,
								 const char *fmt, ...)
{
	char buf[4096];
	va_list ap;

	va_start(ap, fmt);
	const int n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	assert_in_range(n, 0, sizeof(buf) - 1);
	for (char *p = buf; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	fst_write(s, buf, (size_t)n);
}

static inline void fst_free(struct fst_sink *s)
{
	free(s->data);
	*s = (struct fst_sink){ 0 };
}

static inline char *fst_quoted(const char *text)
{
	const size_t len = strlen(text);
	char *copy = malloc(len + 1);

	assert_non_null(copy);
	for (size_t i = 0; i <= len; i++)
		copy[i] = text[i] == '\'' ? '"' : text[i];
	return copy;
}

/* ---- snapshots */

static inline int fst_try_bytes(const char *bytes, size_t len, size_t step, fs_snapshot **out,
				struct fs_error *err)
{
	struct fst_text t = { bytes, len, step };

	*out = NULL;
	memset(err, 0, sizeof(*err));
	return fs_snapshot_read(out, fst_read, &t, "test", err);
}

static inline void fst_no_error(int rc, const struct fs_error *err)
{
	char text[800];

	if (!rc)
		return;
	fs_error_format(err, text, sizeof(text));
	print_error("%s\n", text);
	fail();
}

static inline fs_snapshot *fst_snapshot(const char *text)
{
	char *bytes = fst_quoted(text);
	struct fs_error err;
	fs_snapshot *m;
	const int rc = fst_try_bytes(bytes, strlen(bytes), 0, &m, &err);

	free(bytes);
	fst_no_error(rc, &err);
	return m;
}

static inline fs_queue *fst_queue(const fs_snapshot *m)
{
	struct fs_error err;
	fs_queue *q = NULL;

	fst_no_error(fs_queue_compute(&q, m, NULL, &err), &err);
	return q;
}

/* Checks that both queues have the same rows in the same order. Also checks that each row reports the key by which the
 * previous row is ahead. */
static inline void fst_same_queue(const fs_queue *p, const fs_queue *q)
{
	assert_int_equal(fs_queue_count(p), fs_queue_count(q));
	for (size_t i = 0; i < fs_queue_count(p); i++) {
		struct fs_queue_row r, s;

		fs_queue_row(p, i, &r);
		fs_queue_row(q, i, &s);
		assert_int_equal(r.job, s.job);
		assert_string_equal(r.partition, s.partition);
		assert_int_equal(r.key, s.key);
		assert_int_equal(r.partition_position, s.partition_position);
		assert_ptr_equal(r.reason, s.reason);
		if (i && r.eligible)
			assert_int_equal(fs_queue_deciding_key(p, i - 1, i), r.key);
	}
}

static inline void fst_expect(const struct fs_error *err, enum fs_code code, uint64_t line,
			      const char *field, const char *message)
{
	if (!strstr(err->message, message))
		print_error("the message is \"%s\"\n", err->message);
	assert_non_null(strstr(err->message, message));
	assert_int_equal(err->code, code);
	assert_int_equal(err->line, line);
	assert_string_equal(err->field, field);
}

static inline void fst_refuses_bytes(const char *bytes, size_t len, uint64_t line,
				     const char *field, const char *message)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(fst_try_bytes(bytes, len, 0, &m, &err), FS_EDATA);
	assert_null(m);
	fst_expect(&err, FS_EDATA, line, field, message);
	assert_string_equal(err.file, "test");
}

/* Checks that reading fails with FS_EDATA at the given line and field; `message` is a part of the error message. */
static inline void fst_refuses(const char *text, uint64_t line, const char *field,
			       const char *message)
{
	char *bytes = fst_quoted(text);

	fst_refuses_bytes(bytes, strlen(bytes), line, field, message);
	free(bytes);
}

static inline struct fst_sink fst_written(const fs_snapshot *m)
{
	struct fst_sink s = { 0 };

	assert_int_equal(fs_snapshot_write(m, fst_write, &s, NULL), 0);
	return s;
}

/* Checks that the snapshot is unchanged, byte for byte, after it is written, read and written again. */
static inline void fst_same_again(const fs_snapshot *m)
{
	struct fst_sink first = fst_written(m), second;
	struct fs_error err;
	fs_snapshot *again;

	fst_no_error(fst_try_bytes(first.data, first.len, 0, &again, &err), &err);
	second = fst_written(again);
	assert_string_equal(first.data, second.data);
	fs_snapshot_free(again);
	fst_free(&first);
	fst_free(&second);
}

/* Checks that the written snapshot has a line that begins with `begin` and contains `expected`. If `expected` is NULL,
 * checks that no line begins with `begin`. Quotes are written as in REC. */
static inline void fst_check_line(const fs_snapshot *m, const char *begin, const char *expected)
{
	char *start = fst_quoted(begin), *want = fst_quoted(expected ? expected : "");
	struct fst_sink out;
	const char *line, *found;

	fst_same_again(m);
	out = fst_written(m);
	line = strstr(out.data, start);
	found = line ? strstr(line, want) : NULL;
	if (!expected != !line || (line && (!found || found > strchr(line, '\n')))) {
		print_error("%s\nis not in\n%.600s\n", want, line ? line : out.data);
		fail();
	}
	free(start);
	free(want);
	fst_free(&out);
}

/* ---- shares */

static inline fs_shares *fst_shares(const fs_snapshot *m, const char *algorithm)
{
	const struct fs_view o = { .algorithm = algorithm };
	struct fs_error err;
	fs_shares *s = NULL;

	fst_no_error(fs_shares_compute(&s, m, &o, &err), &err);
	return s;
}

static inline const struct fs_share_row *fst_row(const fs_shares *s, const char *account,
						 const char *user)
{
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		if (!strcmp(r->account, account) && !strcmp(r->user, user))
			return r;
	}
	print_error("no row %s/%s\n", account, user);
	fail();
	return NULL;
}

/* ---- random numbers: xorshift64*, never seed with 0 */

static inline uint64_t fst_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

static inline uint32_t fst_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((fst_random(state) >> 32) * n >> 32);
}

static inline void fst_shuffle(uint64_t *state, uint32_t *v, uint32_t n)
{
	for (uint32_t i = n; i > 1; i--) {
		const uint32_t k = fst_below(state, i), swap = v[i - 1];

		v[i - 1] = v[k];
		v[k] = swap;
	}
}

#endif
