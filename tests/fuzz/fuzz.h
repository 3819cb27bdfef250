/* Checks that all fuzz targets perform on a snapshot: compute all results, then write the snapshot and read it back. If
 * a condition in PROMISE is false, the process aborts, and the fuzzer reports the input. */
#ifndef FUZZ_H
#define FUZZ_H

#include "fs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(c) ((c) ? (void)0 : fuzz_broken(#c, __FILE__, __LINE__))

static inline void fuzz_broken(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	abort();
}

struct fuzz_bytes {
	const char *s;
	size_t left;
};

static inline ptrdiff_t fuzz_read(void *ctx, void *buf, size_t size)
{
	struct fuzz_bytes *b = ctx;
	const size_t n = b->left < size ? b->left : size;

	if (n)
		memcpy(buf, b->s, n);
	b->s += n;
	b->left -= n;
	return (ptrdiff_t)n;
}

struct fuzz_sink {
	char *data;
	size_t len, cap;
};

static inline int fuzz_write(void *ctx, const void *data, size_t size)
{
	struct fuzz_sink *s = ctx;

	if (s->len + size > s->cap) {
		s->cap = (s->len + size) * 2;
		s->data = realloc(s->data, s->cap);
		PROMISE(s->data != NULL);
	}
	memcpy(s->data + s->len, data, size);
	s->len += size;
	return 0;
}

/* A failed call has an error message. */
static inline void fuzz_check_error(int rc, const struct fs_error *err)
{
	char text[64];

	PROMISE(rc < 0 && rc >= FS_ENODATA);
	PROMISE((int)err->code == rc);
	PROMISE(err->message[0] && strlen(err->message) < sizeof(err->message));
	PROMISE(fs_error_format(err, text, sizeof(text)) >= strlen(text));
	PROMISE(rc != FS_ENOMEM && rc != FS_EIO);
}

static inline void fuzz_shares(const fs_snapshot *m, const char *algorithm)
{
	const struct fs_view o = { .algorithm = algorithm, .viewer = "alice" };
	struct fs_tres tres[8];
	double seconds[8];
	struct fs_error err;
	fs_shares *s;
	const int rc = fs_shares_compute(&s, m, &o, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		PROMISE(r->row == i && (r->parent_row < i || r->parent_row == UINT32_MAX));
		PROMISE(isnan(r->fairshare) || (r->fairshare >= 0 && r->fairshare <= 1) ||
			!strcmp(algorithm, "maui"));
		PROMISE(r->rank <= fs_shares_users(s));
		for (int t = FS_SHARE_TRES_LIMIT; t <= FS_SHARE_TRES_RUNNING; t++) {
			fs_shares_tres(s, i, (enum fs_share_tres)t, tres, 8);
			fs_shares_tres_seconds(s, i, (enum fs_share_tres)t, seconds, 8);
		}
	}
	fs_shares_free(s);
}

static inline void fuzz_prios(const fs_snapshot *m, bool as_printed)
{
	const struct fs_prios_options o = { .view.viewer = "alice", .as_printed = as_printed };
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p;
	const int rc = fs_prios_compute(&p, m, &o, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	for (size_t i = 0; i < fs_prios_count(p); i++) {
		fs_prios_row(p, i, &row);
		PROMISE(!isnan(row.priority) || isnan(row.sum));
		PROMISE(!isnan(row.sum) || isnan(row.priority) || row.set_directly || fs_snapshot_hidden(m, "job fields") ||
			/* in Flux, row.priority may be a recorded priority although the sum is unknown */
			fs_snapshot_info(m)->kind == FS_FLUX);
		PROMISE(!(row.priority < (row.set_directly || fs_snapshot_info(m)->kind == FS_FLUX ? 0 : 1)) ||
			fs_snapshot_info(m)->kind == FS_MAUI);
	}
	fs_prios_free(p);
}

static inline void fuzz_windows(const fs_snapshot *m)
{
	struct fs_cap_row cap;
	struct fs_error err;
	fs_windows *w;
	const int rc = fs_windows_compute(&w, m, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	for (size_t i = 0; i < fs_windows_count(w); i++)
		PROMISE(*fs_windows_row(w, i)->name && fs_windows_row(w, i)->kind < FS_CRED_KINDS);
	for (uint32_t i = 0; i < fs_snapshot_info(m)->jobs; i++)
		if (fs_windows_capped(w, i, &cap))
			PROMISE(cap.name && cap.kind < FS_CRED_KINDS);
	fs_windows_free(w);
}

static inline void fuzz_accrue(const fs_snapshot *m)
{
	struct fs_accrue_row row;
	fs_accrue *a;
	const int rc = fs_accrue_compute(&a, m, 0, NULL);

	PROMISE(!rc || rc == FS_ENODATA);
	if (rc)
		return;
	for (uint32_t i = 0; i < fs_snapshot_info(m)->jobs; i++) {
		fs_accrue_job(a, i, &row);
		PROMISE(row.scope != NULL);
	}
	fs_accrue_free(a);
}

static inline void fuzz_plan(const fs_snapshot *m, enum fs_plan_mode mode)
{
	const struct fs_plan_options o = { .view.viewer = "alice", .mode = mode };
	struct fs_plan_row row;
	struct fs_error err;
	fs_plan *p;
	const int rc = fs_plan_compute(&p, m, &o, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		PROMISE(row.state != FS_PLAN_NOW || row.start_time == fs_snapshot_info(m)->time);
		PROMISE(row.state != FS_PLAN_LATER || row.start_time > fs_snapshot_info(m)->time);
		PROMISE((row.nodes == 0) == (fs_plan_node(p, i, 0) == NULL));
	}
	fs_plan_free(p);
}

static inline void fuzz_queue(const fs_snapshot *m)
{
	struct fs_queue_row row;
	struct fs_error err;
	bool behind = false;
	fs_queue *q;
	const int rc = fs_queue_compute(&q, m, NULL, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		PROMISE(row.tasks > 0 && (!behind || !row.eligible || row.key != FS_QUEUE_KEY_NONE));
		behind |= row.eligible; /* only an eligible row can be the predecessor of a later row */
	}
	fs_queue_free(q);
	fuzz_plan(m, FS_PLAN_BACKFILL);
	fuzz_plan(m, FS_PLAN_BY_PRIORITY);
}

static inline void fuzz_note(void *ctx, const char *sentence)
{
	*(size_t *)ctx += strlen(sentence);
}

static inline void fuzz_verify(const fs_snapshot *m)
{
	struct fs_verify_result r;
	struct fs_error err;
	size_t length = 0;
	const int rc = fs_snapshot_verify(m, fuzz_note, &length, &r, &err);

	if (rc) {
		fuzz_check_error(rc, &err);
		return;
	}
	PROMISE(r.columns <= FS_VERIFY_MAX);
	for (size_t i = 0; i < r.columns; i++)
		PROMISE(r.column[i].differ <= r.column[i].compared);
}

static inline void fuzz_write_snapshot(const fs_snapshot *m, struct fuzz_sink *s)
{
	*s = (struct fuzz_sink){ 0 };
	PROMISE(fs_snapshot_write(m, fuzz_write, s, NULL) == 0);
}

static inline void fuzz_same_again(const fs_snapshot *m)
{
	struct fuzz_sink first, second;
	struct fs_error err;
	fs_snapshot *again;

	fuzz_write_snapshot(m, &first);
	struct fuzz_bytes b = { first.data, first.len };
	if (fs_snapshot_read(&again, fuzz_read, &b, "again", &err)) {
		fprintf(stderr, "line %llu, %s: %s\n", (unsigned long long)err.line, err.field,
			err.message);
		fuzz_broken("what was written can be read", __FILE__, __LINE__);
	}
	fuzz_write_snapshot(again, &second);
	PROMISE(first.len == second.len && !memcmp(first.data, second.data, first.len));
	fs_snapshot_free(again);
	free(first.data);
	free(second.data);
}

static inline void fuzz_snapshot(const fs_snapshot *m)
{
	size_t length = 0;

	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		length += strlen(fs_snapshot_warning(m, i));
	fs_snapshot_check(m, fuzz_note, &length);
	fs_snapshot_user_name(m, 1000);
	fs_snapshot_config_text(m, "PriorityType");
	fs_snapshot_account_within(m, "a", "root");
	for (size_t i = 0; fs_algorithm_name(i); i++)
		fuzz_shares(m, fs_algorithm_name(i));
	fuzz_prios(m, false);
	fuzz_prios(m, true);
	fuzz_windows(m);
	fuzz_accrue(m);
	fuzz_queue(m);
	fuzz_verify(m);
	fuzz_same_again(m);
}

#endif
