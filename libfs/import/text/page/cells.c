/* What may stand in the cells of tables, and what it means. */
#include "import/text/text.h"

#include "base/num.h"

#include <string.h>

bool fsi_text_job_id(struct fsi_span v)
{
	for (size_t i = 0; i < v.len; i++)
		if (!(v.s[i] >= '0' && v.s[i] <= '9') && (!i || !strchr("_[]-,%+.*", v.s[i])))
			return false;
	return v.len > 0;
}

bool fsi_text_number(struct fsi_span v, bool fraction)
{
	double d;
	int64_t n;

	return fraction ? !fsi_parse_double(v.s, v.len, &d) : !fsi_parse_i64(v.s, v.len, &n);
}

static bool is_one_of(const char *words, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = words; n && (p = strstr(p, name)) != NULL; p += n)
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

bool fsi_text_flux_id(struct fsi_span v)
{
	uint64_t n;

	return !fsi_import_flux_id(v, &n);
}

static bool fits_flux(const char *name, struct fsi_span v)
{
	if (!strcmp(name, "JOBID"))
		return fsi_text_flux_id(v);
	if (!v.len)
		return true;
	if (is_one_of("NTASKS NCORES NNODES URG PRI UID URGENCY PRIORITY QFACT FSFACTOR URGFACT BANKFACT BANKPRIO QPRIO FAIRSHARE", name))
		return fsi_text_number(v, true) || fsi_span_is(v, "-");
	if (is_one_of("ST STATE STATUS", name))
		return v.s[0] >= 'A' && v.s[0] <= 'Z' && !memchr(v.s, ' ', v.len);
	return strcmp(name, "TIME") != 0 || (v.s[0] >= '0' && v.s[0] <= '9') || fsi_span_is(v, "-");
}

bool fsi_text_fits(enum fsi_text_kind kind, const char *name, struct fsi_span v)
{
	if (kind == TEXT_FLUX_JOBS || kind == TEXT_FLUX_PRIORITIES)
		return fits_flux(name, v);
	if (!strcmp(name, "JOBID"))
		return fsi_text_job_id(v);
	if (!v.len)
		return true;
	if (is_one_of("AGE SITE ADMIN ASSOC FAIRSHARE JOBSIZE NICE NormShares NormUsage EffectvUsage FairShare RawUsage", name))
		return fsi_text_number(v, true) || v.s[v.len - 1] == '+' || fsi_span_is(v, "inf") || fsi_span_is(v, "nan");
	if (is_one_of("NODES CPUS TASKS UID ASSOC_ID", name) && kind != TEXT_SINFO)
		return v.s[0] >= '0' && v.s[0] <= '9';
	if (is_one_of("ST STATE", name) && kind == TEXT_SQUEUE)
		return v.s[0] >= 'A' && v.s[0] <= 'Z' && !memchr(v.s, ' ', v.len);
	if (!strcmp(name, "TIME") || !strcmp(name, "TIME_LIMIT") || !strcmp(name, "TIME_LIMI"))
		return (v.s[0] >= '0' && v.s[0] <= '9') || (v.s[0] >= 'A' && v.s[0] <= 'Z');
	if (!strcmp(name, "AVAIL"))
		return fsi_span_is(v, "up") || fsi_span_is(v, "down") || fsi_span_is(v, "drain") || fsi_span_is(v, "inact");
	return true;
}

size_t fsi_text_column(const struct fsi_text_table *table, const char *name)
{
	size_t i = 0;

	while (i < table->columns && strcmp(table->name[i], name) != 0)
		i++;
	return i;
}

struct fsi_span fsi_text_cell(const struct fsi_text_table *table, size_t row, const char *name)
{
	const size_t i = fsi_text_column(table, name);

	return i < table->columns ? table->cell[row * table->columns + i] : (struct fsi_span){ NULL, 0 };
}

/* src/common/slurm_protocol_defs.c: job_state_string_compact. */
static const char *const states[][2] = {
	{ "PD", "PENDING" },	{ "R", "RUNNING" },	 { "S", "SUSPENDED" },	    { "CF", "CONFIGURING" }, { "CG", "COMPLETING" },
	{ "CD", "COMPLETED" },	{ "CA", "CANCELLED" },	 { "F", "FAILED" },	    { "TO", "TIMEOUT" },     { "NF", "NODE_FAIL" },
	{ "PR", "PREEMPTED" },	{ "BF", "BOOT_FAIL" },	 { "DL", "DEADLINE" },	    { "OOM", "OUT_OF_MEMORY" }, { "RQ", "REQUEUED" },
	{ "RH", "REQUEUE_HOLD" }, { "RF", "REQUEUE_FED" }, { "SE", "SPECIAL_EXIT" }, { "RS", "RESIZING" },    { "SI", "SIGNALING" },
	{ "SO", "STAGE_OUT" },	{ "ST", "STOPPED" },	 { "RV", "REVOKED" },	    { "LF", "LAUNCH_FAILED" },
};

struct fsi_span fsi_text_state(struct fsi_span v)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (fsi_span_equals(v, fsi_span_of(states[i][0])))
			return fsi_span_of(states[i][1]);
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (fsi_span_equals(v, fsi_span_of(states[i][1])))
			return v;
	return (struct fsi_span){ NULL, 0 };
}

struct fsi_span fsi_text_limit(struct fsi_text *t, struct fsi_span v)
{
	size_t colons = 0;
	char *s;

	for (size_t i = 0; i < v.len; i++)
		colons += v.s[i] == ':';
	if (colons != 1 || memchr(v.s, '-', v.len))
		return v;
	s = fsi_arena_alloc(&t->arena, v.len + 3);
	if (!s)
		return (struct fsi_span){ NULL, 0 };
	memcpy(s, "0:", 2);
	memcpy(s + 2, v.s, v.len);
	return (struct fsi_span){ s, v.len + 2 };
}

struct fsi_span fsi_text_with_name(struct fsi_text *t, struct fsi_span list, struct fsi_span name)
{
	struct fsi_span rest = list, one;
	char *s;

	while (list.len && fsi_span_cut(&rest, ',', &one))
		if (fsi_span_equals(one, name))
			return list;
	if (!name.len)
		return list;
	s = fsi_arena_alloc(&t->arena, list.len + name.len + 2);
	if (!s)
		return (struct fsi_span){ NULL, 0 };
	if (list.len) {
		memcpy(s, list.s, list.len);
		s[list.len] = ',';
	}
	memcpy(s + list.len + (list.len > 0), name.s, name.len);
	return (struct fsi_span){ s, list.len + (list.len > 0) + name.len };
}
