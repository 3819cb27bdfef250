/* Of a part of a capture: the weights and points that diagnose -p prints (src/moab/MPriority.c), and the usage and
 * targets of diagnose -f (src/moab/MFS.c: MFSShow).
 *
 * A cell of points is cut to five characters: one without a point may lack digits. Those of Cred are the
 * priorities of credentials without weights or sign, those of Targ a percentage. A target is cut to seven, with
 * the letter of its mode. */
#include "import/maui/maui.h"

#include "base/num.h"
#include "model/maui/maui.h"

#include <stdio.h>
#include <string.h>

enum { CELLS_MAX = 12, GROUPS_MAX = 8 };

/* "Serv(QTime:XFctr)", or in rows "87.7( 31.0: 11.7)". */
struct group {
	struct fsi_span name, cell[CELLS_MAX];
	size_t cells;
};

static size_t groups_of(struct fsi_span line, struct group *g)
{
	size_t n = 0;

	while (n < GROUPS_MAX) {
		const char *open = memchr(line.s, '(', line.len), *close;
		struct fsi_span in, cell;

		if (!open)
			break;
		close = memchr(open, ')', (size_t)(line.s + line.len - open));
		if (!close)
			break;
		g[n] = (struct group){ .name = fsi_span_trim((struct fsi_span){ line.s, (size_t)(open - line.s) }) };
		while (g[n].name.len && memchr(g[n].name.s, ' ', g[n].name.len)) { /* the last word of the name */
			g[n].name.s++;
			g[n].name.len--;
		}
		in = (struct fsi_span){ open + 1, (size_t)(close - open - 1) };
		while (g[n].cells < CELLS_MAX && fsi_span_cut(&in, ':', &cell))
			g[n].cell[g[n].cells++] = fsi_span_trim(cell);
		line = (struct fsi_span){ close + 1, (size_t)(line.s + line.len - close - 1) };
		n++;
	}
	return n;
}

static const struct {
	const char *group, *cell;
	int term;
} cells[] = {
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

static int term_of(struct fsi_span group, struct fsi_span cell)
{
	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		if (fsi_span_is(group, cells[i].group) && fsi_span_is(cell, cells[i].cell))
			return cells[i].term;
	return -1;
}

/* ---- diagnose -p */

struct priorities {
	struct fsi_maui_import *x;
	struct group heading[GROUPS_MAX];
	size_t n;
	bool weights; /* seen: the heading is whole, too */
};

/* Stores a parameter, unless maui.cfg has it. */
static int put_parameter(struct fsi_import *imp, const char *name, struct fsi_config_entry e)
{
	fs_snapshot *m = imp->m;

	e.name = fsi_name(m, name);
	if (fsi_config_find(m, name))
		return 0;
	if (e.name == FSI_INTERN_FAILED || (e.kind == FSI_CONFIG_STR && e.i == FSI_INTERN_FAILED) ||
	    FSI_VEC_ROOM(&m->config))
		return fsi_nomem(imp->err);
	m->config.v[m->config.n++] = e;
	return 0;
}

static int put_weight(struct fsi_import *imp, const char *name, double weight)
{
	return put_parameter(imp, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_DOUBLE, .d = weight });
}

/* Components and terms that are not shown have no weight, or their component has none, which comes to the same. */
static int put_others(struct fsi_import *imp, bool cut)
{
	int rc = 0;

	for (int g = 0; g < FSI_MAUI_GROUP_COUNT && !rc && !cut; g++)
		rc = put_weight(imp, fsi_maui_groups[g].weight, 0);
	for (int t = 0; t < FSI_MAUI_TERM_COUNT && !rc && !cut; t++)
		rc = put_weight(imp, fsi_maui_terms[t].weight, 0);
	return rc;
}

static int take_weights(struct priorities *p, struct fsi_import *imp, struct fsi_span line)
{
	struct group w[GROUPS_MAX];
	const size_t n = groups_of(line, w), opened = n;
	const char *last = line.len ? line.s + line.len - 1 : line.s;
	int rc = 0;

	p->weights = n == p->n;
	for (size_t g = 0; g < n && p->weights && !rc; g++) {
		double weight;

		if (w[g].cells != p->heading[g].cells)
			return 0;
		for (size_t c = 0; c < w[g].cells && !rc; c++) {
			const int t = term_of(p->heading[g].name, p->heading[g].cell[c]);

			if (t < 0)
				continue;
			if (!fsi_parse_double(w[g].cell[c].s, w[g].cell[c].len, &weight))
				rc = put_weight(imp, fsi_maui_terms[t].weight, weight);
			if (!rc && !fsi_parse_double(w[g].name.s, w[g].name.len, &weight))
				rc = put_weight(imp, fsi_maui_groups[fsi_maui_terms[t].group].weight, weight);
		}
	}
	return rc ? rc : put_others(imp, !p->weights || !opened || !line.len || *last != ')');
}

/* Sets the points as they count, or none. */
static bool points_of(int term, struct fsi_span v, double *points)
{
	const int group = fsi_maui_terms[term].group;

	if (fsi_parse_double(v.s, v.len, points) || !memchr(v.s, '.', v.len))
		return false;
	return *points == 0 || (group != FSI_MG_CRED && group != FSI_MG_TARGET);
}

static int take_points(struct priorities *p, struct fsi_import *imp, struct fsi_job *job, const struct group *g,
		       size_t n)
{
	fs_snapshot *m = imp->m;
	struct fsi_recorded r = { .job = job->id };
	uint32_t items[FSI_MAUI_TERM_COUNT];
	size_t k = 0;

	for (size_t i = 0; i < n && i < p->n; i++)
		for (size_t c = 0; c < g[i].cells && g[i].cells == p->heading[i].cells; c++) {
			const int t = term_of(p->heading[i].name, p->heading[i].cell[c]);
			double points;
			char text[64];

			if (t < 0 || k == FSI_MAUI_TERM_COUNT || !points_of(t, g[i].cell[c], &points))
				continue;
			snprintf(text, sizeof(text), "%s %.*s", fsi_maui_terms[t].name, (int)(g[i].cell[c].len < 12 ? g[i].cell[c].len : 12),
				 g[i].cell[c].s);
			items[k++] = fsi_name(m, text);
		}
	if (!k || FSI_VEC_ROOM(&m->recorded))
		return k ? fsi_nomem(imp->err) : 0;
	r.terms = fsi_intern(&m->sets, items, k * sizeof(*items));
	FSI_SET(&r, RECORDED, job);
	FSI_SET(&r, RECORDED, terms);
	m->recorded.v[m->recorded.n++] = r;
	return 0;
}

static int priority_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct priorities *p = ctx;
	struct group g[GROUPS_MAX];
	struct fsi_span w[2];
	uint32_t row;

	if (fsi_span_words(line, w, 2) < 2)
		return 0;
	if (fsi_span_is(w[0], "Job") && w[1].len >= 8 && !memcmp(w[1].s, "PRIORITY", 8)) {
		p->n = groups_of(line, p->heading);
		/* what the heading's spans lie in is gone with its line */
		for (size_t i = 0; i < p->n; i++) {
			p->heading[i].name.s =
				fsi_arena_strndup(&imp->m->arena, p->heading[i].name.s, p->heading[i].name.len);
			for (size_t c = 0; c < p->heading[i].cells; c++)
				p->heading[i].cell[c].s = fsi_arena_strndup(&imp->m->arena, p->heading[i].cell[c].s,
									    p->heading[i].cell[c].len);
		}
		return 0;
	}
	if (fsi_span_is(w[0], "Weights"))
		return take_weights(p, imp, line);
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	row = p->weights && fsi_maui_is_priority(line, w[0], w[1]) ? fsi_maui_job(p->x, w[0]) : FSI_NO_INDEX;
	return row == FSI_NO_INDEX ? 0 : take_points(p, imp, &imp->m->job.v[row], g, groups_of(line, g));
}

/* ---- diagnose -f */

struct shares {
	struct fsi_maui_import *x;
	bool from_zero; /* the columns of windows are 0, 1, ... */
	int kind; /* kind of the rows at hand; -1: none */
	int named; /* kind that the line before named; -1: none */
};

/* "30.00", "15.00-", "50.00%": it is whole if it has both decimals, and so is its letter if it is less than seven
 * characters long. */
static int take_target(struct fsi_import *imp, struct fsi_credential *c, struct fsi_span v)
{
	static const char letters[] = "+-%^";
	static const char *const modes[] = { "floor", "ceiling", "cap_rel", "cap_abs" };
	const char *letter = v.len ? strchr(letters, v.s[v.len - 1]) : NULL;
	const size_t n = v.len - (letter != NULL);

	if (n < 4 || v.s[n - 3] != '.' || (!letter && n > 6) || fsi_parse_double(v.s, n, &c->target))
		return 0;
	FSI_SET(c, CREDENTIAL, target);
	if (!letter)
		return 0;
	FSI_PUT(c, CREDENTIAL, target_mode, fsi_name(imp->m, modes[letter - letters]));
	return c->target_mode == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int take_fs_policy(struct fsi_import *imp, struct fsi_span v)
{
	for (int i = 0; i < FSI_FS_POLICIES; i++)
		if (fsi_span_is(v, fsi_fs_policy_names[i]))
			return put_parameter(imp, "FSPOLICY",
					     (struct fsi_config_entry){
						     .kind = FSI_CONFIG_STR,
						     .i = fsi_name(imp->m, i ? fsi_fs_policy_names[i] : "NONE") });
	return 0;
}

/* "Depth: 8 intervals   Interval Length: 00:10:00   Decay Rate: 0.90" */
static int take_intervals(struct fsi_import *imp, const struct fsi_span *w)
{
	int64_t depth, interval_s;
	int rc = 0;

	if (!fsi_parse_i64(w[1].s, w[1].len, &depth) && depth >= 0 && depth <= FSI_MAUI_MAX_DEPTH)
		rc = put_parameter(imp, "FSDEPTH", (struct fsi_config_entry){ .kind = FSI_CONFIG_INT, .i = depth });
	if (!rc && !fsi_maui_duration(w[5], &interval_s) && interval_s > 0 && interval_s <= INT32_MAX)
		rc = put_parameter(imp, "FSINTERVAL", (struct fsi_config_entry){ .kind = FSI_CONFIG_INT, .i = interval_s });
	return rc;
}

/* Reads a line above the first section. FSWeight has more decimals of FSDECAY than "Decay Rate". */
static int head_line(struct fsi_import *imp, struct shares *s, const struct fsi_span *w, size_t n)
{
	double decay;

	if (n == 9 && fsi_span_is(w[0], "Depth:") && fsi_span_is(w[4], "Length:"))
		return take_intervals(imp, w);
	if (n == 3 && fsi_span_is(w[0], "FS") && fsi_span_is(w[1], "Policy:"))
		return take_fs_policy(imp, w[2]);
	if (fsi_span_is(w[0], "FSInterval"))
		s->from_zero = n > 4 && fsi_span_is(w[3], "0") && fsi_span_is(w[4], "1");
	if (s->from_zero && fsi_span_is(w[0], "FSWeight") && !fsi_parse_double(w[4].s, w[4].len, &decay))
		return put_weight(imp, "FSDECAY", decay);
	return 0;
}

static int share_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char *const kinds[FS_CRED_KINDS] = {
		[FS_CRED_USER] = "USER", [FS_CRED_GROUP] = "GROUP", [FS_CRED_ACCT] = "ACCT", [FS_CRED_QOS] = "QOS", [FS_CRED_CLASS] = "CLASS"
	};
	struct shares *s = ctx;
	struct fsi_span w[9] = { { "", 0 } };
	const size_t n = fsi_span_words(line, w, 9);
	struct fsi_credential *c;
	double percent;
	int rc = head_line(imp, s, w, n);

	if (rc)
		return rc;

	if (!n) /* each section begins with an empty line: where its name is lost, whose rows are they? */
		s->kind = -1;
	if (n == 1 && fsi_span_is(w[0], "-------------")) /* without this line others are lost, too */
		s->kind = s->named;
	s->named = -1;
	for (int k = 0; n == 1 && k < FS_CRED_KINDS; k++)
		if (fsi_span_is(w[0], kinds[k])) {
			s->named = k;
			s->kind = -1;
		}
	if (n < 3 || s->kind < 0 || !memchr(w[1].s, '.', w[1].len) || fsi_parse_double(w[1].s, w[1].len, &percent))
		return 0;
	w[0].len -= w[0].len > 1 && w[0].s[w[0].len - 1] == '*';
	c = fsi_maui_credential(s->x, (enum fs_cred_kind)s->kind, w[0]);
	if (!c)
		return fsi_nomem(imp->err);
	FSI_PUT(c, CREDENTIAL, usage_percent, percent);
	return take_target(imp, c, w[2]);
}

int fsi_maui_printed(struct fsi_maui_import *x)
{
	struct priorities p = { .x = x };
	struct shares s = { .x = x, .kind = -1, .named = -1 };
	int rc = fsi_import_lines(x->imp, "diagnose_-p.txt", priority_line, &p);

	if (rc >= 0)
		rc = fsi_import_lines(x->imp, "diagnose_-f.txt", share_line, &s);
	return rc < 0 ? rc : 0;
}
