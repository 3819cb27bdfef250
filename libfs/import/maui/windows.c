#include "base/num.h"
#include "base/memory.h"
#include "import/maui/maui.h"
#include "model/maui.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the window files FS.<epoch> (src/moab/MFS.c:MFSLoadDataFile).
 *
 * The lines of a file have one of two forms:
 *  - Maui's form is `kind name seconds`, with the kind in lower case, or `TOTAL anything seconds`.
 *  - The form in Maui's manual has the kinds `User`, `Group`, `Account`, `QOS` and `Class`, and `TOTAL seconds`. Maui
 *    itself does not read this form.
 * A file with any line in Maui's form is read in that form, any other file in the manual's form. The rest of a line is
 * ignored. If two lines have the same kind and name, the later line is used.
 *
 * A server writes the file of the current window at every checkpoint (src/Server.c:ServerProcessRequests), after
 * charging the running jobs. The first line has the time of the scheduling iteration that wrote the checkpoint
 * (src/MFS.c:MFSUpdateData). The window records store this time: running jobs must be charged only from this time
 * on. */

enum { TOTAL_ENTRY = FS_CRED_KINDS };
enum window_form { NO_FORM, CODE_FORM, MANUAL_FORM };

struct window_entry {
	int kind;
	uint32_t name;
	double seconds;
	uint64_t line;
	enum window_form form;
};

struct window_file {
	struct fsi_maui_import *x;
	FSI_VEC(struct window_entry) entry;
	size_t lines[3]; /* indexed by enum window_form: number of lines in this form */
	uint64_t last_line, first_manual_line;
	int64_t written; /* time at which the file was written, seconds since the epoch; 0: unknown */
	bool is_current;	 /* true: the window was current in Maui's last iteration before the capture */
	bool adds_credentials; /* true: the entries create credentials */
	bool is_cut; /* the last line is not a complete entry */
};

static int parse_entry_kind(struct fsi_span v, enum window_form *form)
{
	static const struct {
		const char *word;
		int kind;
		enum window_form form;
	} words[] = {
		{ "user", FS_CRED_USER, CODE_FORM },      { "group", FS_CRED_GROUP, CODE_FORM },
		{ "acct", FS_CRED_ACCT, CODE_FORM },      { "qos", FS_CRED_QOS, CODE_FORM },
		{ "class", FS_CRED_CLASS, CODE_FORM },    { "sched", TOTAL_ENTRY, CODE_FORM },
		{ "TOTAL", TOTAL_ENTRY, CODE_FORM },      { "User", FS_CRED_USER, MANUAL_FORM },
		{ "Group", FS_CRED_GROUP, MANUAL_FORM },  { "Account", FS_CRED_ACCT, MANUAL_FORM },
		{ "account", FS_CRED_ACCT, MANUAL_FORM }, { "QOS", FS_CRED_QOS, MANUAL_FORM },
		{ "Class", FS_CRED_CLASS, MANUAL_FORM },
	};

	*form = NO_FORM;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_cfg_text_equals(v, words[i].word)) {
			*form = words[i].form;
			return words[i].kind;
		}
	return -1;
}

/* Parses the number at the beginning of the word, as scanf does. */
static bool parse_leading_number(struct fsi_span v, double *out)
{
	char s[64], *end;

	*out = strtod(fsi_cfg_copy_text(v, s, sizeof(s)), &end);
	return end != s && isfinite(*out);
}

static void add_window_entry(struct window_file *f, struct window_entry e, struct fsi_span name)
{
	struct fsi_import *imp = f->x->imp;

	e.line = imp->where.line;
	e.name = e.kind == TOTAL_ENTRY ? 0 : fsi_import_intern_name(imp, name);
	if (FSI_VEC_RESERVE(&f->entry)) {
		imp->m->out_of_memory = true;
		return;
	}
	f->entry.v[f->entry.n++] = e;
	if (!f->lines[MANUAL_FORM] && e.form == MANUAL_FORM)
		f->first_manual_line = e.line;
	f->lines[e.form]++;
	f->is_cut = false;
	if (e.seconds < 0)
		fsi_maui_add_warning(f->x, NULL, "the usage of \"%.*s\" is negative: %g", (int)name.len, name.s, e.seconds);
}

/* Sets the time of writing from `# FS Data File (Duration: 300 seconds)  Starting: Sun Sep 13 12:40:40`. */
static void parse_window_header(struct window_file *f, struct fsi_span line)
{
	static const char word[] = "Starting:";
	struct fsi_span w[4];

	for (size_t i = 0; i + sizeof(word) <= line.len; i++) {
		const struct fsi_span rest = { line.s + i + sizeof(word) - 1,
					       line.len - i - (sizeof(word) - 1) };

		if (!memcmp(line.s + i, word, sizeof(word) - 1) &&
		    fsi_span_split_words(rest, w, 4) == 4 && !fsi_maui_parse_ctime(f->x, w, &f->written))
			f->written = fsi_import_local_to_utc(f->x->imp, f->written);
	}
}

static int read_window_header(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	if (imp->where.line == 1)
		parse_window_header(ctx, line);
	return 0;
}

static int read_window_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct window_file *f = ctx;
	const char *hash = memchr(line.s, '#', line.len);
	struct fsi_span w[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
	struct window_entry e = { 0 };
	size_t n;

	f->last_line = imp->where.line;
	if (f->last_line == 1 && f->is_current)
		parse_window_header(f, line);
	if (hash)
		line.len = (size_t)(hash - line.s);
	n = fsi_span_split_words(line, w, 3);
	if (!n)
		return 0;
	f->is_cut = true;
	e.kind = parse_entry_kind(w[0], &e.form);
	if (n == 2 && e.kind == TOTAL_ENTRY && fsi_span_is_word(w[0], "TOTAL") && parse_leading_number(w[1], &e.seconds)) {
		e.form = MANUAL_FORM;
		add_window_entry(f, e, w[0]);
	} else if (n >= 3 && e.kind < 0) {
		fsi_maui_add_warning(f->x, NULL, "unknown kind of entry \"%.*s\": the line is skipped",
				     (int)(w[0].len < 32 ? w[0].len : 32), w[0].s);
	} else if (n >= 3 && w[1].len <= 32 && parse_leading_number(w[2], &e.seconds)) {
		add_window_entry(f, e, w[1]);
	} else if (n >= 3) {
		f->is_cut = false;
		fsi_maui_add_warning(f->x, NULL, "expected kind, name and seconds of an entry: the line is skipped");
	}
	return 0;
}

/* Adds a window record with usage 0 for the kind and name of the entry. Returns NULL if out of memory. */
static struct fsi_window *add_window_record(const struct window_file *f, int64_t start, const struct window_entry *e)
{
	fs_snapshot *m = f->x->imp->m;
	const char *kind = e->kind == TOTAL_ENTRY ? "sched" : fs_cred_kind_name((enum fs_cred_kind)e->kind);
	struct fsi_window *w = FSI_VEC_ADD(&m->window);

	m->out_of_memory |= !w;
	if (!w)
		return NULL;
	FSI_PUT(w, WINDOW, start, start);
	FSI_PUT(w, WINDOW, kind, fsi_name_intern(m, kind));
	FSI_SET(w, WINDOW, usage_s);
	if (e->name)
		FSI_PUT(w, WINDOW, name, e->name);
	if (f->written)
		FSI_PUT(w, WINDOW, written, f->written);
	return w;
}

/* Adds a window record for each entry of the window file that has the form `form`. Entries with the same kind and name
 * get one record, with the usage of the last entry. */
static void store_window_entries(struct window_file *f, int64_t start, enum window_form form)
{
	fs_snapshot *m = f->x->imp->m;
	struct fsi_intern seen = { 0 };
	const size_t first = m->window.n;

	for (size_t i = 0; i < f->entry.n; i++) {
		const struct window_entry *e = &f->entry.v[i];
		const uint32_t key[2] = { (uint32_t)e->kind, e->name };
		const uint32_t id = fsi_intern_find_id(&seen, key, sizeof(key));
		struct fsi_window *w = id ? &m->window.v[first + id - 1] : NULL;

		if (e->form != form)
			continue;
		if (e->kind != TOTAL_ENTRY && f->adds_credentials)
			fsi_maui_ensure_credential(f->x, (enum fs_cred_kind)e->kind,
						   fsi_string_to_span(fsi_name_text(m, e->name)));
		if (!w && fsi_intern_add(&seen, key, sizeof(key)) != FSI_INTERN_FAILED)
			w = add_window_record(f, start, e);
		m->out_of_memory |= !w;
		if (!w)
			break;
		w->usage_s = e->seconds;
	}
	fsi_intern_release(&seen);
	/* the file has no entries: adds a record with usage 0, which stores the time of writing */
	if (f->written && m->window.n == first)
		add_window_record(f, start, &(struct window_entry){ .kind = TOTAL_ENTRY });
}

static bool has_running_jobs(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_RUNNING)
			return true;
	return false;
}

/* Checks f->written, the time at which the window file was written. Sets f->written to 0 if this time is before the
 * window. In a simulation, also sets f->written to 0 if the time is after the capture: the window files of a simulation
 * come from another server. If a real server has running jobs and the file belongs to the current window, warns if
 * f->written is 0 or after the capture. */
static void check_write_time(struct window_file *f, int64_t start)
{
	const int64_t now = f->x->now, written = f->written;

	f->x->imp->where.line = 1;
	if (written < start || (f->x->simulation && written > now))
		f->written = 0;
	if (!f->is_current || f->x->simulation || !has_running_jobs(f->x->imp->m))
		return;
	if (!f->written)
		fsi_maui_add_warning(
			f->x, NULL,
			"the file's time of writing is missing or before its window: the usage of running jobs since the "
			"window's start is added to the window, and may be counted twice");
	else if (written > now)
		fsi_maui_add_warning(f->x, NULL, "the file was written %lld s after the capture and includes later usage",
				     (long long)(written - now));
}

/* Warns if the entries of a kind of credential do not add up to the total. Every job has a user and a group. Therefore
 * the entries of all users must add up to the total, and so must the entries of all groups. The sum of any other kind
 * must not exceed the total. */
static void check_kind_sum(struct window_file *f, int kind, double sum, double total)
{
	const char *word = fs_cred_kind_name((enum fs_cred_kind)kind);
	const double rounding = total * 1e-9 + 0.001 * (double)f->entry.n;

	if (sum > total + rounding)
		fsi_maui_add_warning(f->x, NULL, "the total %.3f is smaller than the sum %.3f of the %s entries", total,
				     sum, word);
	else if ((kind == FS_CRED_USER || kind == FS_CRED_GROUP) && sum < total - rounding)
		fsi_maui_add_warning(f->x, NULL,
				     "the sum of the %s entries is %.3f, but the total is %.3f: some entries are missing",
				     word, sum, total);
}

/* Warns if the last line of a window file is incomplete, or if the file has no line with the total usage. If there is
 * such a line, warns if the total contradicts the other entries. */
static void check_window_file(struct window_file *f, enum window_form form)
{
	double sum[TOTAL_ENTRY + 1] = { 0 }, total = NAN;
	uint64_t total_line = 0;

	for (size_t i = 0; i < f->entry.n; i++) {
		const struct window_entry *e = &f->entry.v[i];

		if (e->form != form)
			continue;
		sum[e->kind] += e->kind == TOTAL_ENTRY ? 0 : e->seconds;
		if (e->kind == TOTAL_ENTRY) {
			total = e->seconds;
			total_line = e->line;
		}
	}
	f->x->imp->where.line = f->last_line;
	if (f->is_cut)
		fsi_maui_add_warning(f->x, NULL, "the last line is incomplete; the file may be truncated");
	if (isnan(total))
		fsi_maui_add_warning(
			f->x, NULL,
			"the file has %zu entr%s but no line with the total (sched), so percentages are wrong; the file may be truncated",
			f->entry.n, f->entry.n == 1 ? "y" : "ies");
	f->x->imp->where.line = total_line;
	for (int k = 0; k < TOTAL_ENTRY; k++)
		check_kind_sum(f, k, sum[k], total);
}

/* Returns the form in which a window file is read: Maui's own form or the form in Maui's manual. Warns if the file has
 * lines in the manual's form. */
static enum window_form choose_window_form(struct window_file *f)
{
	f->x->imp->where.line = f->first_manual_line;
	if (!f->lines[MANUAL_FORM])
		return CODE_FORM;
	if (f->lines[CODE_FORM]) {
		fsi_maui_add_warning(f->x, NULL, "the import skips %zu entr%s in the format of Maui's manual, as Maui does",
				     f->lines[MANUAL_FORM], f->lines[MANUAL_FORM] == 1 ? "y" : "ies");
		return CODE_FORM;
	}
	fsi_maui_add_warning(f->x, "MANUAL_FORM",
			     "the import reads entries in the format of Maui's manual, although Maui 3.5 skips them");
	return MANUAL_FORM;
}

static void set_window_path(struct fsi_maui_import *x, const char *dir, int64_t start)
{
	snprintf(x->file, sizeof(x->file), "%s%sFS.%lld", dir, *dir ? "/" : "", (long long)start);
}

/* Returns true if Maui reads the window file when it starts at the time of the capture, and so creates the credentials
 * in the file. Maui reads FSDEPTH + 1 files, the oldest first, and none if FSPOLICY is NONE (src/moab/MFS.c:
 * MFSInitialize). */
static bool is_read_at_start(const struct fsi_maui_import *x, int64_t start, int64_t interval)
{
	struct fsi_maui_conf c;
	struct fs_error err;

	if (fsi_maui_conf_load(x->imp->m, &c, &err) || !c.has_policy)
		return true;
	return c.policy != FSI_FS_NONE && start >= x->now - x->now % interval - (int64_t)c.depth * interval;
}

/* Reads the window file FS.<start> in the folder `dir`. A missing file is not an error. `current`: the result of
 * is_current_window. `adds_credentials`: the result of is_read_at_start. */
static int read_window_file(struct fsi_maui_import *x, const char *dir, int64_t start, bool current,
			    bool adds_credentials)
{
	struct window_file f = { .x = x, .is_current = current, .adds_credentials = adds_credentials };
	char where[400];
	int rc;

	set_window_path(x, dir, start);
	snprintf(where, sizeof(where), "%s/%s", x->imp->source->name, x->file);
	rc = fsi_import_read_lines(x->imp, x->file, read_window_line, &f);
	x->imp->where = (struct fsi_input_position){ where, f.last_line, 0 };
	if (!rc) {
		const enum window_form form = choose_window_form(&f);

		check_window_file(&f, form);
		check_write_time(&f, start);
		store_window_entries(&f, start, form);
	}
	FSI_VEC_FREE(&f.entry);
	x->imp->where = (struct fsi_input_position){ 0 };
	return rc > 0 ? 0 : rc;
}

/* Lists the window files FS.<epoch>, reads the files of recent windows, and warns of missing files. */

enum { WINDOWS_READ = 25 };

struct window_list {
	FSI_VEC(int64_t) start;
};

static int add_window_start(void *ctx, const char *name)
{
	struct window_list *l = ctx;
	int64_t start;

	if (strncmp(name, "FS.", 3) != 0 || fsi_parse_i64(name + 3, strlen(name) - 3, &start) || start < 0)
		return 0;
	if (FSI_VEC_RESERVE(&l->start))
		return FS_ENOMEM;
	l->start.v[l->start.n++] = start;
	return 0;
}

/* Returns true if the window has begun and is not over at the capture. Also returns true if the window ended less than
 * one RMPOLLINTERVAL before the capture: Maui's last iteration was then within the window. */
static bool is_current_window(const struct fsi_maui_import *x, int64_t start, int64_t interval)
{
	return start <= x->now &&
	       start + interval > x->now - fsi_config_get_int(x->imp->m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S);
}

/* Returns 1 if the window file must not be read, because it was written after the capture. The file was written after
 * the capture if the window begins after the capture. In a simulation, the function also returns 1 if the file of the
 * current window was written at the end of the window or later. In all other cases, the function returns 0 or an error
 * code. */
static int is_written_later(struct fsi_maui_import *x, const char *dir, int64_t start, int64_t interval)
{
	struct window_file f = { .x = x };
	int rc;

	if (start > x->now)
		return 1;
	if (!x->simulation || !is_current_window(x, start, interval))
		return 0;
	set_window_path(x, dir, start);
	rc = fsi_import_read_lines(x->imp, x->file, read_window_header, &f);
	return rc < 0 ? rc : !rc && f.written >= start + interval;
}

static int read_all_windows(struct fsi_maui_import *x, const char *dir, const struct window_list *l, int64_t interval)
{
	const int64_t current = x->now - x->now % interval;
	size_t ignored_files = 0;
	int rc = 0;

	for (size_t i = 0; i < l->start.n && !rc; i++) {
		const int64_t start = l->start.v[i];

		if (start % interval) {
			ignored_files++;
			continue;
		}
		if (start < current - WINDOWS_READ * interval)
			continue;
		rc = is_written_later(x, dir, start, interval);
		if (!rc)
			rc = read_window_file(x, dir, start, is_current_window(x, start, interval),
					      is_read_at_start(x, start, interval));
		rc = rc > 0 ? 0 : rc;
	}
	if (!rc && ignored_files)
		fsi_model_add_warning(
			x->imp->m,
			"%s/%s: %zu file%s not read: the number in the name FS.NUMBER must be the start of a window "
			"of %lld s, as in Maui",
			x->imp->source->name, dir, ignored_files, ignored_files == 1 ? " is" : "s are",
			(long long)interval);
	return rc;
}

static bool has_window_file(const struct window_list *l, int64_t start)
{
	return bsearch(&start, l->start.v, l->start.n, sizeof(start), fsi_compare_rising_i64) != NULL;
}

/* Warns of missing window files. For Maui, a window without a file has no usage (src/moab/MFS.c:MFSLoadDataFile). Usage
 * may be lost if a file is missing, except in two cases:
 *  - the current window: Maui may not have written its file yet
 *  - windows before the oldest file: these windows may not have existed */
static void check_missing_windows(struct fsi_maui_import *x, const char *dir, const struct window_list *l,
				  int64_t interval)
{
	const int64_t current = x->now - x->now % interval;
	struct fsi_maui_conf c;
	struct fs_error err;
	size_t lost = 0, none = 0;

	if (fsi_maui_conf_load(x->imp->m, &c, &err) || c.policy == FSI_FS_NONE)
		return;
	for (int64_t i = 0; i < (int64_t)c.depth; i++) {
		const int64_t start = current - i * interval;

		if (!has_window_file(l, start))
			++*(!i || start < l->start.v[0] ? &none : &lost);
	}
	if (lost) {
		fsi_model_add_warning(x->imp->m, "%s/%s: the file FS.* is missing for %zu of the last %u windows; a missing file counts as usage 0",
				      x->imp->source->name, dir, lost, c.depth);
		fsi_import_hide_type(x->imp, "window");
	}
	if (none)
		fsi_model_add_warning(
			x->imp->m,
			"%s/%s: the file FS.* is missing for %zu of the last %u windows (the current window, or windows before "
			"the oldest file); a missing file counts as usage 0",
			x->imp->source->name, dir, none, c.depth);
}

int fsi_maui_read_windows(struct fsi_maui_import *x)
{
	static const char *const dirs[] = { "fs_in", "", "stats" };
	const int64_t interval = fsi_config_get_int(x->imp->m, "FSINTERVAL", 43200);
	const struct fs_source *source = x->imp->source;
	struct window_list l = { 0 };
	int rc = 0;

	for (size_t i = 0; source->list && i < sizeof(dirs) / sizeof(*dirs) && !rc && !l.start.n; i++) {
		rc = source->list(source->ctx, dirs[i], add_window_start, &l);
		rc = rc < 0 ? fsi_maui_fail_unreadable_folder(x, rc, dirs[i]) : 0;
		if (rc || !l.start.n)
			continue;
		qsort(l.start.v, l.start.n, sizeof(*l.start.v), fsi_compare_rising_i64);
		rc = read_all_windows(x, dirs[i], &l, interval);
		if (!rc && !x->partial)
			check_missing_windows(x, dirs[i], &l, interval);
	}
	FSI_VEC_FREE(&l.start);
	return rc;
}

/* Reads data that is used only for partial captures: weights and points from diagnose -p (src/moab/MPriority.c), usage
 * and targets from diagnose -f (src/moab/MFS.c: MFSShow).
 *
 *  - diagnose -p cuts points to five characters. Points without a decimal point may therefore lack digits.
 *  - For the component Cred, diagnose -p prints the priorities of credentials, without weight and sign.
 *  - diagnose -f prints targets as percentages. It cuts a target to seven characters, including the mark at its end
 *    that shows the kind of target. */

enum { GROUP_CELLS_MAX = 12, LINE_GROUPS_MAX = 8 };

/* A group of cells: "Serv(QTime:XFctr)" in a heading, "87.7( 31.0: 11.7)" in a row. */
struct cell_group {
	struct fsi_span name, cell[GROUP_CELLS_MAX];
	size_t cells;
};

/* Splits "NAME(CELL:CELL) NAME(CELL)" into groups. A group's name is the last word before its parenthesis. Returns the
 * number of groups. */
static size_t split_cell_groups(struct fsi_span line, struct cell_group *g)
{
	struct fsi_span before, in, cell;
	size_t n = 0;

	while (n < LINE_GROUPS_MAX && fsi_span_cut_part(&line, '(', &before) && line.s) {
		if (!fsi_span_cut_part(&line, ')', &in) || !line.s)
			break;
		g[n] = (struct cell_group){ .name = fsi_span_trim_blanks(before) };
		while (g[n].name.len && memchr(g[n].name.s, ' ', g[n].name.len))
			g[n].name = fsi_span_skip_bytes(g[n].name, 1);
		while (g[n].cells < GROUP_CELLS_MAX && fsi_span_cut_part(&in, ':', &cell))
			g[n].cell[g[n].cells++] = fsi_span_trim_blanks(cell);
		n++;
	}
	return n;
}

static const struct {
	const char *group, *cell;
	int term;
} term_cells[] = {
	{ "Cred", "User", FSI_MT_CRED_USER },  { "Cred", "Group", FSI_MT_CRED_GROUP }, { "Cred", "Accnt", FSI_MT_CRED_ACCT },
	{ "Cred", "QOS", FSI_MT_CRED_QOS },    { "Cred", "Class", FSI_MT_CRED_CLASS }, { "FS", "User", FSI_MT_FS_USER },
	{ "FS", "Group", FSI_MT_FS_GROUP },    { "FS", "Accnt", FSI_MT_FS_ACCT },      { "FS", "QOS", FSI_MT_FS_QOS },
	{ "FS", "Class", FSI_MT_FS_CLASS },    { "Serv", "QTime", FSI_MT_QUEUETIME },  { "Serv", "XFctr", FSI_MT_XFACTOR },
	{ "Serv", "SPVio", FSI_MT_SPVIOLATION }, { "Serv", "Bypas", FSI_MT_BYPASS },   { "Targ", "QTime", FSI_MT_TARGET_QUEUETIME },
	{ "Targ", "XFctr", FSI_MT_TARGET_XFACTOR }, { "Res", "Node", FSI_MT_NODE },    { "Res", "Proc", FSI_MT_PROC },
	{ "Res", "Mem", FSI_MT_MEM },	       { "Res", "Swap", FSI_MT_SWAP },	      { "Res", "Disk", FSI_MT_DISK },
	{ "Res", "PS", FSI_MT_PS },	       { "Res", "PE", FSI_MT_PE },	      { "Res", "WTime", FSI_MT_WALLTIME },
	{ "Res", "Cons", FSI_MT_CONSUMED },    { "Res", "Rem", FSI_MT_REMAINING },    { "Res", "PerC", FSI_MT_PERCENT },
};

static int find_cell_term(struct fsi_span group, struct fsi_span cell)
{
	for (size_t i = 0; i < sizeof(term_cells) / sizeof(*term_cells); i++)
		if (fsi_span_is_word(group, term_cells[i].group) && fsi_span_is_word(cell, term_cells[i].cell))
			return term_cells[i].term;
	return -1;
}

/* ---- diagnose -p */

struct priority_reader {
	struct fsi_maui_import *x;
	struct cell_group heading[LINE_GROUPS_MAX];
	size_t n;
	bool has_weights; /* the line of weights was read and matches the heading */
};

/* Stores a weight, unless it is known, for example from maui.cfg. */
static void store_weight(struct fsi_maui_import *x, const char *name, double weight)
{
	if (!fsi_config_find(x->imp->m, name))
		fsi_import_store_double(x->imp, name, weight);
}

/* Stores weight 0 for the components and terms that diagnose -p does not print. diagnose -p omits a term if its weight
 * or the weight of its component is 0. */
static void store_hidden_weights(struct fsi_maui_import *x)
{
	for (int g = 0; g < FSI_MAUI_GROUP_COUNT; g++)
		store_weight(x, fsi_maui_groups[g].weight, 0);
	for (int t = 0; t < FSI_MAUI_TERM_COUNT; t++)
		store_weight(x, fsi_maui_terms[t].weight, 0);
}

static void read_weights_line(struct priority_reader *p, struct fsi_span line)
{
	struct cell_group w[LINE_GROUPS_MAX];
	const size_t n = split_cell_groups(line, w);

	p->has_weights = n == p->n;
	for (size_t g = 0; g < n && p->has_weights; g++) {
		double weight;

		if (w[g].cells != p->heading[g].cells)
			return;
		for (size_t c = 0; c < w[g].cells; c++) {
			const int t = find_cell_term(p->heading[g].name, p->heading[g].cell[c]);

			if (t < 0)
				continue;
			if (!fsi_parse_double(w[g].cell[c].s, w[g].cell[c].len, &weight))
				store_weight(p->x, fsi_maui_terms[t].weight, weight);
			if (!fsi_parse_double(w[g].name.s, w[g].name.len, &weight))
				store_weight(p->x, fsi_maui_groups[fsi_maui_terms[t].group].weight, weight);
		}
	}
	/* nothing is hidden by an incomplete line of weights */
	if (p->has_weights && n && line.s[line.len - 1] == ')')
		store_hidden_weights(p->x);
}

/* Sets *points to the number in a cell of diagnose -p. Returns false if the cell may be cut. Also returns false for a
 * number other than 0 in the components Cred and Target: the job's points may differ from this number. */
static bool parse_term_points(int term, struct fsi_span v, double *points)
{
	const int group = fsi_maui_terms[term].group;

	if (fsi_parse_double(v.s, v.len, points) || !memchr(v.s, '.', v.len))
		return false;
	return *points == 0 || (group != FSI_MG_CRED && group != FSI_MG_TARGET);
}

static void read_job_points(const struct priority_reader *p, const struct fsi_job *job,
			    const struct cell_group *g, size_t n)
{
	fs_snapshot *m = p->x->imp->m;
	struct fsi_recorded *r;
	uint32_t items[FSI_MAUI_TERM_COUNT];
	size_t k = 0;

	for (size_t i = 0; i < n && i < p->n; i++)
		for (size_t c = 0; c < g[i].cells && g[i].cells == p->heading[i].cells; c++) {
			const int t = find_cell_term(p->heading[i].name, p->heading[i].cell[c]);
			double points;
			char text[64];

			if (t < 0 || k == FSI_MAUI_TERM_COUNT || !parse_term_points(t, g[i].cell[c], &points))
				continue;
			snprintf(text, sizeof(text), "%s %.*s", fsi_maui_terms[t].name, (int)(g[i].cell[c].len < 12 ? g[i].cell[c].len : 12),
				 g[i].cell[c].s);
			items[k++] = fsi_name_intern(m, text);
		}
	r = k ? FSI_VEC_ADD(&m->recorded) : NULL;
	m->out_of_memory |= k && !r;
	if (!r)
		return;
	FSI_PUT(r, RECORDED, job, job->id);
	FSI_PUT(r, RECORDED, terms, fsi_intern_add(&m->sets, items, k * sizeof(*items)));
}

/* Copies the text, because the line that contains it is freed. */
static struct fsi_span copy_text(fs_snapshot *m, struct fsi_span v)
{
	const char *copy = fsi_arena_strndup(&m->arena, v.s, v.len);

	m->out_of_memory |= !copy;
	return copy ? (struct fsi_span){ copy, v.len } : (struct fsi_span){ "", 0 };
}

static int read_priority_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct priority_reader *p = ctx;
	struct cell_group g[LINE_GROUPS_MAX];
	struct fsi_span w[2];
	uint32_t row;

	if (fsi_span_split_words(line, w, 2) < 2)
		return 0;
	if (fsi_span_is_word(w[0], "Job") && fsi_span_starts_with(w[1], "PRIORITY")) {
		p->n = split_cell_groups(line, p->heading);
		for (size_t i = 0; i < p->n; i++) {
			p->heading[i].name = copy_text(imp->m, p->heading[i].name);
			for (size_t c = 0; c < p->heading[i].cells; c++)
				p->heading[i].cell[c] = copy_text(imp->m, p->heading[i].cell[c]);
		}
		return 0;
	}
	if (fsi_span_is_word(w[0], "Weights")) {
		read_weights_line(p, line);
		return 0;
	}
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	row = p->has_weights && fsi_maui_is_priority_row(line, w[0], w[1]) ? fsi_maui_find_job(p->x, w[0])
									   : FSI_NO_INDEX;
	if (row != FSI_NO_INDEX)
		read_job_points(p, &imp->m->job.v[row], g, split_cell_groups(line, g));
	return 0;
}

/* ---- diagnose -f */

struct share_reader {
	struct fsi_maui_import *x;
	bool has_window_columns; /* the line FSInterval has a column for each window: 0, 1, ... */
	int kind; /* kind of the credentials in the rows that are being read; -1: unknown */
	int heading_kind; /* kind of credential named in the previous line; -1: none */
};

/* Sets the target from "30.00", "15.00-" or "50.00%". Ignores a text that Maui may have cut to seven characters: a text
 * without two decimals, and a text of seven characters without one of the marks + - % ^ at its end. */
static void read_target_cell(struct fsi_import *imp, struct fsi_credential *c, struct fsi_span v)
{
	const enum fs_target_mode mode = v.len ? fsi_maui_parse_target_mark(v.s[v.len - 1]) : FS_TARGET_EXACT;
	const size_t n = v.len - (mode != FS_TARGET_EXACT);

	if (n < 4 || v.s[n - 3] != '.' || (mode == FS_TARGET_EXACT && n > 6) || fsi_parse_double(v.s, n, &c->target))
		return;
	FSI_SET(c, CREDENTIAL, target);
	if (mode != FS_TARGET_EXACT)
		FSI_PUT(c, CREDENTIAL, target_mode, fsi_name_intern(imp->m, fs_target_mode_name(mode)));
}

static void read_printed_policy(struct fsi_maui_import *x, struct fsi_span v)
{
	for (int i = 0; i < FSI_FS_POLICIES; i++)
		if (fsi_span_is_word(v, fsi_fs_policy_names[i]) && !fsi_config_find(x->imp->m, "FSPOLICY"))
			fsi_import_store_text(x->imp, "FSPOLICY", i ? fsi_fs_policy_names[i] : "NONE");
}

/* Reads "Depth: 8 intervals   Interval Length: 00:10:00   Decay Rate: 0.90". */
static void read_interval_line(struct fsi_maui_import *x, const struct fsi_span *w)
{
	int64_t depth, interval_s;

	if (!fsi_parse_i64(w[1].s, w[1].len, &depth) && depth >= 0 && depth <= FSI_MAUI_MAX_DEPTH &&
	    !fsi_config_find(x->imp->m, "FSDEPTH"))
		fsi_import_store_int(x->imp, "FSDEPTH", depth);
	if (!fsi_maui_parse_duration(w[5], &interval_s) && interval_s > 0 && interval_s <= INT32_MAX &&
	    !fsi_config_find(x->imp->m, "FSINTERVAL"))
		fsi_import_store_int(x->imp, "FSINTERVAL", interval_s);
}

/* Reads a line of diagnose -f that shows fair-share parameters, and ignores any other line. FSDECAY is read from the
 * line FSWeight, which has more decimals than "Decay Rate". */
static void read_share_header(struct share_reader *s, const struct fsi_span *w, size_t n)
{
	double decay;

	if (n == 9 && fsi_span_is_word(w[0], "Depth:") && fsi_span_is_word(w[4], "Length:"))
		read_interval_line(s->x, w);
	if (n == 3 && fsi_span_is_word(w[0], "FS") && fsi_span_is_word(w[1], "Policy:"))
		read_printed_policy(s->x, w[2]);
	if (fsi_span_is_word(w[0], "FSInterval"))
		s->has_window_columns = n > 4 && fsi_span_is_word(w[3], "0") && fsi_span_is_word(w[4], "1");
	if (s->has_window_columns && fsi_span_is_word(w[0], "FSWeight") && !fsi_parse_double(w[4].s, w[4].len, &decay))
		store_weight(s->x, "FSDECAY", decay);
}

static int read_share_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char *const kinds[FS_CRED_KINDS] = {
		[FS_CRED_USER] = "USER", [FS_CRED_GROUP] = "GROUP", [FS_CRED_ACCT] = "ACCT", [FS_CRED_QOS] = "QOS", [FS_CRED_CLASS] = "CLASS"
	};
	struct share_reader *s = ctx;
	struct fsi_span w[9] = { { "", 0 } };
	const size_t n = fsi_span_split_words(line, w, 9);
	struct fsi_credential *c;
	double percent;

	read_share_header(s, w, n);
	if (!n) /* an empty line begins a section; its kind of credential is unknown until the section's name is read */
		s->kind = -1;
	/* a line of dashes follows the section's name; if the line of dashes is missing, other lines may be missing,
	 * too */
	if (n == 1 && fsi_span_is_word(w[0], "-------------"))
		s->kind = s->heading_kind;
	s->heading_kind = -1;
	for (int k = 0; n == 1 && k < FS_CRED_KINDS; k++)
		if (fsi_span_is_word(w[0], kinds[k])) {
			s->heading_kind = k;
			s->kind = -1;
		}
	if (n < 3 || s->kind < 0 || !memchr(w[1].s, '.', w[1].len) || fsi_parse_double(w[1].s, w[1].len, &percent))
		return 0;
	w[0].len -= w[0].len > 1 && w[0].s[w[0].len - 1] == '*';
	c = fsi_maui_ensure_credential(s->x, (enum fs_cred_kind)s->kind, w[0]);
	if (!c)
		return 0;
	FSI_PUT(c, CREDENTIAL, usage_percent, percent);
	read_target_cell(imp, c, w[2]);
	return 0;
}

int fsi_maui_read_printed_shares(struct fsi_maui_import *x)
{
	struct priority_reader p = { .x = x };
	struct share_reader s = { .x = x, .kind = -1, .heading_kind = -1 };
	int rc = fsi_import_read_lines(x->imp, "diagnose_-p.txt", read_priority_line, &p);

	if (rc >= 0)
		rc = fsi_import_read_lines(x->imp, "diagnose_-f.txt", read_share_line, &s);
	return rc < 0 ? rc : 0;
}
