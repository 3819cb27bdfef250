/* Window files FS.<epoch> (src/moab/MFS.c:MFSLoadDataFile).
 *
 * A line: `kind name seconds`, kind in small letters as Maui writes it, or `TOTAL anything seconds`; what stands behind
 * is not looked at, later lines replace earlier ones. The manual shows another form, which Maui itself does not read:
 * `User`, `Group`, `Account`, `QOS`, `Class`, and `TOTAL seconds`. A file that has lines in Maui's form is read so;
 * one that has none is read as the manual has it.
 *
 * A server writes the file of the current window at every checkpoint (src/Server.c:ServerProcessRequests), after it has
 * charged the running jobs, with the time of that iteration in the first line (src/MFS.c:MFSUpdateData). The window's
 * records keep that time: running jobs are charged only from then on. */
#include "import/maui/maui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHED = FS_CRED_KINDS };
enum form { NO_FORM, CODE_FORM, MANUAL_FORM };

struct entry {
	int kind;
	uint32_t name;
	double seconds;
	uint64_t line;
	enum form form;
};

struct window_file {
	struct fsi_maui_import *x;
	FSI_VEC(struct entry) entry;
	size_t lines[3]; /* by form */
	uint64_t last, first_manual;
	int64_t written; /* time of writing by the first line; 0: unknown */
	bool current;	 /* the window is not over, or only since the last iteration */
	bool cut; /* the last line is no whole entry */
};

static int kind_by_word(struct fsi_span v, enum form *form)
{
	static const struct {
		const char *word;
		int kind;
		enum form form;
	} words[] = {
		{ "user", FS_CRED_USER, CODE_FORM },	  { "group", FS_CRED_GROUP, CODE_FORM },
		{ "acct", FS_CRED_ACCT, CODE_FORM },	  { "qos", FS_CRED_QOS, CODE_FORM },
		{ "class", FS_CRED_CLASS, CODE_FORM },	  { "sched", SCHED, CODE_FORM },
		{ "TOTAL", SCHED, CODE_FORM },		  { "User", FS_CRED_USER, MANUAL_FORM },
		{ "Group", FS_CRED_GROUP, MANUAL_FORM },  { "Account", FS_CRED_ACCT, MANUAL_FORM },
		{ "account", FS_CRED_ACCT, MANUAL_FORM }, { "QOS", FS_CRED_QOS, MANUAL_FORM },
		{ "Class", FS_CRED_CLASS, MANUAL_FORM },
	};

	*form = NO_FORM;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].word) == v.len && !memcmp(words[i].word, v.s, v.len)) {
			*form = words[i].form;
			return words[i].kind;
		}
	return -1;
}

/* The number at the beginning of the word, as scanf finds it. */
static bool leading_number(struct fsi_span v, double *out)
{
	char s[64], *end;
	const size_t n = v.len < sizeof(s) - 1 ? v.len : sizeof(s) - 1;

	memcpy(s, v.s, n);
	s[n] = '\0';
	*out = strtod(s, &end);
	return end != s && isfinite(*out);
}

static int add_entry(struct window_file *f, struct entry e, struct fsi_span name)
{
	struct fsi_import *imp = f->x->imp;
	int rc = 0;

	e.line = imp->where.line;
	e.name = e.kind == SCHED ? 0 : fsi_import_name(imp, name);
	if (e.name == FSI_INTERN_FAILED || FSI_VEC_ROOM(&f->entry))
		return fsi_nomem(imp->err);
	f->entry.v[f->entry.n++] = e;
	if (!f->lines[MANUAL_FORM] && e.form == MANUAL_FORM)
		f->first_manual = e.line;
	f->lines[e.form]++;
	f->cut = false;
	if (e.seconds < 0)
		rc = fsi_maui_warn(f->x, NULL, "negative usage %g of %.*s", e.seconds, (int)name.len, name.s);
	return rc;
}

/* Sets the time of writing from `# FS Data File (Duration: 300 seconds)  Starting: Sun Sep 13 12:40:40`. */
static void read_header(struct window_file *f, struct fsi_span line)
{
	static const char word[] = "Starting:";
	struct fsi_span w[4];

	for (size_t i = 0; i + sizeof(word) <= line.len; i++) {
		const struct fsi_span rest = { line.s + i + sizeof(word) - 1,
					       line.len - i - (sizeof(word) - 1) };

		if (!memcmp(line.s + i, word, sizeof(word) - 1) &&
		    fsi_span_words(rest, w, 4) == 4 && !fsi_maui_ctime(f->x, w, &f->written))
			f->written = fsi_import_utc(f->x->imp, f->written);
	}
}

static int header_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	if (imp->where.line == 1)
		read_header(ctx, line);
	return 0;
}

static int window_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct window_file *f = ctx;
	const char *hash = memchr(line.s, '#', line.len);
	struct fsi_span w[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
	struct entry e = { 0 };
	size_t n;

	f->last = imp->where.line;
	if (f->last == 1 && f->current)
		read_header(f, line);
	if (hash)
		line.len = (size_t)(hash - line.s);
	n = fsi_span_words(line, w, 3);
	if (!n)
		return 0;
	f->cut = true;
	e.kind = kind_by_word(w[0], &e.form);
	if (e.kind < 0)
		return n < 3 ? 0
			     : fsi_maui_warn(f->x, NULL, "unknown kind \"%.*s\" skipped",
					     (int)(w[0].len < 32 ? w[0].len : 32), w[0].s);
	if (n == 2 && fsi_span_is(w[0], "TOTAL") && leading_number(w[1], &e.seconds)) {
		e.form = MANUAL_FORM;
		return add_entry(f, e, w[0]);
	}
	if (n < 3 || w[1].len > 32 || !leading_number(w[2], &e.seconds)) {
		f->cut = n < 3;
		return n < 3 ? 0
			     : fsi_maui_warn(f->x, NULL,
					     "expected kind, name and seconds: line skipped");
	}
	return add_entry(f, e, w[1]);
}

/* There is room for it. written 0: unknown. */
static void add_window(fs_snapshot *m, int64_t start, int64_t written, const struct entry *e)
{
	const char *kind = e->kind == SCHED ? "sched" : fs_cred_kind_name((enum fs_cred_kind)e->kind);
	struct fsi_window *w = &m->window.v[m->window.n++];

	*w = (struct fsi_window){ .start = start, .kind = fsi_name(m, kind), .name = e->name };
	FSI_SET(w, WINDOW, start);
	FSI_SET(w, WINDOW, kind);
	FSI_SET(w, WINDOW, usage_s);
	if (e->name)
		FSI_SET(w, WINDOW, name);
	if (written)
		FSI_PUT(w, WINDOW, written, written);
}

/* A record for each entry of the form that counts; the last one of a name holds. */
static int keep_entries(struct window_file *f, int64_t start, enum form form)
{
	fs_snapshot *m = f->x->imp->m;
	struct fsi_intern seen = { 0 };
	const size_t first = m->window.n;
	int rc = 0;

	for (size_t i = 0; i < f->entry.n && !rc; i++) {
		const struct entry *e = &f->entry.v[i];
		const uint32_t key[2] = { (uint32_t)e->kind, e->name };
		const char *name = fsi_str(m, e->name);
		uint32_t id;

		if (form && e->form != form)
			continue;
		if (e->kind != SCHED &&
		    !fsi_maui_credential(f->x, (enum fs_cred_kind)e->kind,
					 fsi_span_of(name)))
			rc = -1;
		id = fsi_intern_find(&seen, key, sizeof(key));
		if (!id && (FSI_VEC_ROOM(&m->window) ||
			    fsi_intern(&seen, key, sizeof(key)) == FSI_INTERN_FAILED))
			rc = -1;
		if (rc)
			break;
		if (!id)
			add_window(m, start, f->written, e);
		m->window.v[id ? first + id - 1 : m->window.n - 1].usage_s = e->seconds;
	}
	fsi_intern_release(&seen);
	if (!rc && f->written && m->window.n == first) { /* nothing was used until then */
		rc = FSI_VEC_ROOM(&m->window);
		if (!rc)
			add_window(m, start, f->written, &(struct entry){ .kind = SCHED });
	}
	return rc ? fsi_nomem(f->x->imp->err) : 0;
}

static bool has_running_jobs(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_RUNNING)
			return true;
	return false;
}

/* Discards a time of writing that cannot be right: one before the window, or in a simulation, which replays the files
 * of another server, one after the capture. Warns if the running jobs' usage is then uncertain. */
static int look_at_written(struct window_file *f, int64_t start)
{
	const int64_t now = f->x->now, written = f->written;

	f->x->imp->where.line = 1;
	if (written < start || (f->x->simulation && written > now))
		f->written = 0;
	if (!f->current || f->x->simulation || !has_running_jobs(f->x->imp->m))
		return 0;
	if (!f->written)
		return fsi_maui_warn(f->x, NULL,
				     "no time of writing within the window: the usage of running jobs is added from the "
				     "window's start, and may be counted twice");
	return written <= now ? 0
			      : fsi_maui_warn(f->x, NULL, "written %lld s after the capture: it holds usage from after the capture",
					      (long long)(written - now));
}

/* Every job has a user and a group, so that what those used is all there is. */
static int look_at_sum(struct window_file *f, int kind, double sum, double total)
{
	const char *word = fs_cred_kind_name((enum fs_cred_kind)kind);
	const double rounding = total * 1e-9 + 0.001 * (double)f->entry.n;

	if (sum > total + rounding)
		return fsi_maui_warn(f->x, NULL, "the total %.3f is smaller than the %.3f of its %s entries", total, sum, word);
	if ((kind == FS_CRED_USER || kind == FS_CRED_GROUP) && sum < total - rounding)
		return fsi_maui_warn(f->x, NULL, "its %s entries are %.3f of the total %.3f: some are missing", word, sum, total);
	return 0;
}

/* What looks wrong in a whole file: no total, or one that is not that of its parts. */
static int look_over(struct window_file *f, enum form form)
{
	double sum[SCHED + 1] = { 0 }, total = NAN;
	uint64_t total_line = 0;
	int rc = 0;

	for (size_t i = 0; i < f->entry.n; i++) {
		const struct entry *e = &f->entry.v[i];

		if (form && e->form != form)
			continue;
		sum[e->kind] += e->kind == SCHED ? 0 : e->seconds;
		if (e->kind == SCHED) {
			total = e->seconds;
			total_line = e->line;
		}
	}
	f->x->imp->where.line = f->last;
	if (f->cut)
		rc = fsi_maui_warn(f->x, NULL,
				   "the last line is no whole entry: is the file cut off?");
	if (!rc && isnan(total))
		rc = fsi_maui_warn(
			f->x, NULL,
			"no total (sched) behind its %zu entr%s: is the file cut off? Without it no percentages add up",
			f->entry.n, f->entry.n == 1 ? "y" : "ies");
	f->x->imp->where.line = total_line;
	for (int k = 0; k < SCHED && !rc; k++)
		rc = look_at_sum(f, k, sum[k], total);
	return rc;
}

/* Which form counts (NO_FORM: both), told when it is not plainly Maui's own. */
static int choose_form(struct window_file *f, enum form *form)
{
	f->x->imp->where.line = f->first_manual;
	*form = CODE_FORM;
	if (f->x->o->dialect == FS_MAUI_MANUAL) {
		*form = NO_FORM;
		return 0;
	}
	if (!f->lines[MANUAL_FORM])
		return 0;
	if (f->lines[CODE_FORM])
		return fsi_maui_warn(f->x, NULL,
				     "%zu entries in the manual's form skipped, as Maui does (--maui-dialect=manual reads them)",
				     f->lines[MANUAL_FORM]);
	*form = MANUAL_FORM;
	return fsi_maui_warn(f->x, "manual's form",
			     "read in the manual's form, which Maui 3.5 itself skips");
}

static void name_file(struct fsi_maui_import *x, const char *dir, int64_t start)
{
	snprintf(x->file, sizeof(x->file), "%s%sFS.%lld", dir, *dir ? "/" : "", (long long)start);
}

int fsi_maui_window(struct fsi_maui_import *x, const char *dir, int64_t start, bool current)
{
	struct window_file f = { .x = x, .current = current };
	enum form form;
	char where[400];
	int rc;

	name_file(x, dir, start);
	snprintf(where, sizeof(where), "%s/%s", x->imp->source->name, x->file);
	rc = fsi_import_lines(x->imp, x->file, window_line, &f);
	x->imp->where = (struct fsi_where){ where, f.last, 0 };
	if (!rc)
		rc = choose_form(&f, &form);
	if (!rc)
		rc = look_over(&f, form);
	if (!rc)
		rc = look_at_written(&f, start);
	if (!rc)
		rc = keep_entries(&f, start, form);
	FSI_VEC_FREE(&f.entry);
	x->imp->where = (struct fsi_where){ 0 };
	return rc > 0 ? 0 : rc;
}

int fsi_maui_window_written(struct fsi_maui_import *x, const char *dir, int64_t start, int64_t *written)
{
	struct window_file f = { .x = x };
	int rc;

	name_file(x, dir, start);
	rc = fsi_import_lines(x->imp, x->file, header_line, &f);
	*written = f.written;
	return rc;
}
