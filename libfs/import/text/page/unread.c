/* Pages that are known by their headings and not read: each is named once, with what to paste in its place, so that
 * none of their rows is taken for one of the page before. The headings: Maui's src/UserI.c (UIDiagnose...),
 * src/moab/MQOS.c, MClass.c, MRes.c and MPar.c (...Show, ...Diag); flux-accounting's bank-info, show-usage,
 * view-job-records and export-db; the showq of Harvard, of TACC and of Moab. */
#include "import/text/text.h"

#include <string.h>

enum { WORDS = 5, JSON_LINES = 6 };

static const struct unread {
	const char *begin;	  /* what the line begins with; NULL: by its words */
	const char *words[WORDS]; /* words of a heading: it has all of these, anywhere in it */
	const char *name, *instead;
} unread[] = {
	{ "Diagnosing blocked jobs", { NULL }, "diagnose -q", "`showq -b`, which has who is blocked" },
	{ "QOS Status", { NULL }, "diagnose -Q", "`checkjob JOB`, which has a job's QOS" },
	{ "Class/Queue Status", { NULL }, "diagnose -c", "`checkjob JOB`, which has a job's class" },
	{ "Displaying Partition Status", { NULL }, "diagnose -t", "`showres -n`" },
	{ "Displaying user information", { NULL }, "diagnose -u", "`diagnose -f`, which has shares and targets" },
	{ "Displaying group information", { NULL }, "diagnose -g", "`diagnose -f`, which has shares and targets" },
	{ "Displaying account information", { NULL }, "diagnose -a", "`diagnose -f`, which has shares and targets" },
	{ "diagnosing node table", { NULL }, "diagnose -n", "`showres -n`" },
	{ NULL, { "ResID", "Type", "StartTime", "EndTime" }, "diagnose -r", "`showres -n`" },
	{ NULL, { "JOBID", "JOBNAME", "USERNAME", "STATE" }, "the showq of Harvard and TACC", "`squeue` and `sprio -l`" },
	{ NULL, { "JOBID", "USERNAME", "STATE", "PROCS" }, "Moab's showq", "`squeue` and `sprio -l`, if Slurm runs the jobs" },
	{ NULL, { "JOBID", "USERNAME", "GROUP", "PROCS" }, "Moab's showq", "`squeue` and `sprio -l`, if Slurm runs the jobs" },
	{ NULL, { "Name", "Shares", "Norm", "Usage" }, "flux account bank-info", "`flux account view-bank root -t`" },
	{ NULL, { "Name", "Shares", "Norm_Shares" }, "flux account bank-info", "`flux account view-bank root -t`" },
	{ NULL, { "|", "jobid", "userid", "t_submit" }, "flux account view-job-records", "`flux jobs -A --json`" },
};

/* These begin a page where none is open: else they are that page's last line. */
static const struct unread sums[] = {
	{ "Total Jobs:", { NULL }, "showq -s", "`showq`, which has the jobs" },
	{ "active jobs:", { NULL }, "showq -s", "`showq`, which has the jobs" },
};
static const struct unread tree = { NULL, { NULL }, "flux account export-db", "`flux account view-bank root -t`" };
static const struct unread bars = { NULL, { NULL }, "flux account show-usage", "`flux account view-bank root -t`" };

static bool has_word(struct fsi_span line, const char *word)
{
	const bool barred = line.len && memchr(line.s, '|', line.len);
	struct fsi_span part;

	if (!strcmp(word, "|"))
		return barred;
	while (fsi_span_cut(&line, barred ? '|' : ' ', &part))
		if (fsi_span_is(fsi_span_trim(part), word))
			return true;
	return false;
}

static bool is_heading(const struct unread *u, struct fsi_span line)
{
	if (u->begin)
		return fsi_span_begins(line, u->begin);
	for (size_t k = 0; k < WORDS && u->words[k]; k++)
		if (!has_word(line, u->words[k]))
			return false;
	return true;
}

static struct fsi_span line_at(const struct fsi_text *t, size_t i)
{
	return fsi_span_trim(fsi_text_line(t, i));
}

/* `{ "root": { "bank": "root", "shares": 1, "usage": 2.5, "children": [` in a line or in several. */
static bool is_tree(const struct fsi_text *t, size_t i)
{
	bool bank = false, children = false;

	if (!line_at(t, i).len || *line_at(t, i).s != '{')
		return false;
	for (size_t k = i; k < t->lines.n && k < i + JSON_LINES; k++) {
		bank = bank || fsi_span_holds(line_at(t, k), "\"bank\":");
		children = children || fsi_span_holds(line_at(t, k), "\"children\":");
	}
	return bank && children;
}

static const struct unread *among(const struct unread *of, size_t n, struct fsi_span line)
{
	for (size_t k = 0; line.len && k < n; k++)
		if (is_heading(&of[k], line))
			return &of[k];
	return NULL;
}

static const struct unread *by_heading(struct fsi_span line)
{
	if (fsi_span_holds(line, "| \xe2\x96\x88"))
		return &bars;
	return among(unread, sizeof(unread) / sizeof(*unread), line);
}

static bool is_section(struct fsi_span line)
{
	return fsi_span_holds(line, " JOBS--") || fsi_span_holds(line, " jobs--");
}

static struct fsi_span next_line(const struct fsi_text *t, size_t i)
{
	do
		i++;
	while (i < t->lines.n && !line_at(t, i).len);
	return i < t->lines.n ? line_at(t, i) : (struct fsi_span){ NULL, 0 };
}

/* `ACTIVE JOBS-----` stands above the heading of any showq. */
static const struct unread *page_at(const struct fsi_text *t, size_t i, bool open)
{
	const struct fsi_span line = line_at(t, i);
	const struct unread *const sum = open ? NULL : among(sums, sizeof(sums) / sizeof(*sums), line);

	return sum		  ? sum
	       : is_tree(t, i)	  ? &tree
	       : is_section(line) ? by_heading(next_line(t, i))
				  : by_heading(line);
}

bool fsi_text_unread(const struct fsi_text *t, size_t line, bool open)
{
	return page_at(t, line, open) != NULL;
}

bool fsi_text_unread_goes_on(const struct fsi_text *t, size_t line)
{
	return is_section(line_at(t, line)) && fsi_text_table_of(next_line(t, line)) != TEXT_MAUI_QUEUE;
}

int fsi_text_note_unread(struct fsi_text *t)
{
	const struct unread *told[16];
	size_t kept = 0, n = 0, k;
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const struct fsi_text_piece p = t->pieces.v[i];
		const struct unread *const u = p.kind == TEXT_UNREAD ? page_at(t, p.begin, false) : NULL;

		if (!u) {
			t->pieces.v[kept++] = p;
			continue;
		}
		for (k = 0; k < n && strcmp(told[k]->name, u->name) != 0;)
			k++;
		if (k < n || n == sizeof(told) / sizeof(*told))
			continue;
		told[n++] = u;
		rc = fsi_text_warn(t, "line %u: %s is not read: paste %s", t->lines.v[p.begin].no, u->name, u->instead);
	}
	t->pieces.n = rc ? t->pieces.n : kept;
	return rc;
}
