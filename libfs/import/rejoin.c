/* What comes first in a record that is broken is held until the rest of it has come (src/api/job_info.c:
 * slurm_sprint_job_info prints names as they are, and the owner right behind them; src/squeue/print.c: _print_str). */
#include "import/rejoin.h"
#include "base/memory/buf.h"

#include <stdlib.h>
#include <string.h>

struct rejoin {
	fsi_line_fn fn;
	void *ctx;
	struct fsi_buf held;
	uint64_t line; /* where what is held began */
	size_t heading, open; /* of squeue: length of its heading; a row up to here lacks ASSOC_ID */
};

static int hold(struct fsi_import *imp, struct rejoin *r, struct fsi_span line)
{
	if (!r->held.n)
		r->line = imp->where.line;
	else if (fsi_buf_add(&r->held, "\n", 1))
		return fsi_nomem(imp->err);
	return fsi_buf_add(&r->held, line.s, line.len) ? fsi_nomem(imp->err) : 0;
}

/* Hands over what is held, which begins where it stands. */
static int give(struct fsi_import *imp, struct rejoin *r)
{
	const uint64_t now = imp->where.line;
	const struct fsi_span all = { r->held.v, r->held.n };
	int rc;

	if (!r->held.n)
		return 0;
	imp->where.line = r->line;
	rc = r->fn(imp, r->ctx, all);
	imp->where.line = now;
	r->held.n = 0;
	return rc;
}

static int rejoined(struct fsi_import *imp, const char *file, fsi_line_fn line_fn, struct rejoin *r)
{
	int rc = fsi_import_lines(imp, file, line_fn, r);

	if (!rc)
		rc = give(imp, r);
	free(r->held.v);
	return rc;
}

/* ---- scontrol */

static bool ends_in_its_name(struct fsi_span line)
{
	return fsi_span_begins(line, "JobId=") && fsi_span_holds(line, " JobName=") && !fsi_span_holds(line, " UserId=") &&
	       !fsi_span_holds(line, " JobState=") && !fsi_span_holds(line, " Partition=");
}

static int record_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct rejoin *r = ctx;
	int rc = fsi_span_begins(line, "JobId=") ? give(imp, r) : 0;

	if (rc)
		return rc;
	if (!r->held.n && !ends_in_its_name(line))
		return r->fn(imp, r->ctx, line);
	rc = hold(imp, r, line);
	return rc || (!fsi_span_holds(line, " UserId=") && r->held.n < FSI_LINE_MAX) ? rc : give(imp, r);
}

int fsi_import_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx)
{
	struct rejoin r = { .fn = fn, .ctx = ctx };

	return rejoined(imp, "scontrol_job_o.txt", record_line, &r);
}

/* ---- squeue */

struct fsi_column fsi_squeue_column(struct fsi_span heading, const char *name)
{
	const size_t n = strlen(name);
	struct fsi_column c = { 0, 0 };
	size_t end;

	for (size_t i = 1; i + n < heading.len && !c.at; i++)
		if (heading.s[i - 1] == ' ' && heading.s[i + n] == ' ' && !memcmp(heading.s + i, name, n))
			c.at = i;
	for (end = c.at + n; c.at && end < heading.len && heading.s[end] == ' '; end++)
		;
	c.width = c.at ? end - c.at : 0;
	return c;
}

static int row_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct rejoin *r = ctx;
	int rc = 0;

	if (imp->where.line == 1) {
		r->open = fsi_squeue_column(line, "ASSOC_ID").at;
		r->heading = line.len;
		return r->fn(imp, r->ctx, line);
	}
	if (r->held.n && r->held.n + 1 + line.len > r->heading)
		rc = give(imp, r);
	if (!rc && (r->held.n || line.len <= r->open))
		rc = hold(imp, r, line);
	else if (!rc)
		return r->fn(imp, r->ctx, line);
	return rc || r->held.n <= r->open ? rc : give(imp, r);
}

int fsi_import_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx)
{
	struct rejoin r = { .fn = fn, .ctx = ctx };

	return rejoined(imp, "squeue_O.txt", row_line, &r);
}
