#include "import/maui/maui.h"
#include "model/maui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of maui.cfg (src/moab/MConfig.c:MCfgProcessLine, MFS.c:MFSProcessOConfig, MTime.c:MUTimeFromString,
 * MUtil.c:MUBoolFromString).
 *
 * They are handled one after the other by name, each with its lines in the order of the file; a value that cannot be
 * read leaves the one before. */

enum kind {
	INT,
	WEIGHT,
	DOUBLE,
	TIME,
	TRUE_BY_WORD,
	FALSE_BY_WORD,
	PARAMS_POLICY,
	WORD,
	WORDS,
	BUCKET_INT,
	BUCKET_QOS
};

struct parameter {
	const char *name, *stored; /* a parameter's old name is stored under its new one */
	enum kind kind;
	const char *words; /* the words that a WORD may be, each behind a blank; those of WORDS */
};

/* Parameters that are no component or term; before and after the canonical name, as in Maui's own table. */
static const struct parameter params_before[] = {
	{ "AFSWEIGHT", "FSACCOUNTWEIGHT", INT, NULL },
	{ "SERVICETARGETWEIGHT", "SERVICEWEIGHT", WEIGHT, NULL },
	{ "BACKFILLDEPTH", NULL, INT, NULL },
	{ "BACKFILLMETRIC", NULL, WORD, " PROCS NODES PROCSECONDS SECONDS" },
	{ "BACKFILLPOLICY", NULL, WORD, " NONE FIRSTFIT BESTFIT GREEDY BESTTIMEFIT LAZY PREEMPT" },
	{ "DEFERTIME", NULL, TIME, NULL },
	{ "ENABLENEGJOBPRIORITY", NULL, TRUE_BY_WORD, NULL },
	{ "FSDECAY", NULL, DOUBLE, NULL },
	{ "FSDEPTH", NULL, INT, NULL },
	{ "FSINTERVAL", NULL, TIME, NULL },
	{ "FSPOLICY", NULL, PARAMS_POLICY, NULL },
	{ "JOBNODEMATCHPOLICY", NULL, WORDS, " EXACTNODE EXACTPROC" },
	{ "JOBPRIOACCRUALPOLICY", NULL, WORD, " ALWAYS QUEUEPOLICY FULLPOLICY" },
	{ "NODEACCESSPOLICY", NULL, WORD, " SHARED SINGLEJOB SINGLETASK SINGLEUSER" },
	{ "NODEALLOCATIONPOLICY", NULL, WORD,
	  " FIRSTAVAILABLE LASTAVAILABLE MINLOCAL MINGLOBAL MINRESOURCE PRIORITY CPULOAD FIRSTSET LOCAL CONTIGUOUS "
	  "MAXBALANCE FASTEST" },
	{ "NODESETPOLICY", NULL, WORD, " ONEOF ANYOF FIRSTOF" },
	{ "REJECTNEGPRIOJOBS", NULL, TRUE_BY_WORD, NULL },
	{ "RESERVATIONDEPTH", NULL, BUCKET_INT, NULL },
	{ "RESERVATIONPOLICY", NULL, WORD, " DEFAULT HIGHEST CURRENTHIGHEST NEVER" },
	{ "RESERVATIONQOSLIST", NULL, BUCKET_QOS, NULL },
	{ "RESERVATIONTHRESHOLDTYPE", NULL, WORD, " NONE BYPASS QUEUETIME XFACTOR" },
	{ "RESERVATIONTHRESHOLDVALUE", NULL, INT, NULL },
	{ "RMPOLLINTERVAL", NULL, TIME, NULL },
	{ "SERVERMODE", NULL, WORD, " NORMAL TEST SIMULATION" },
	{ "SYSTEMMAXJOBWALLTIME", NULL, TIME, NULL },
	{ "SYSTEMMAXPROCPERJOB", NULL, INT, NULL },
	{ "SYSTEMMAXPROCSECONDPERJOB", NULL, INT, NULL },
	{ "USESYSTEMQUEUETIME", NULL, FALSE_BY_WORD, NULL },
	{ "XFMINWCLIMIT", NULL, TIME, NULL },
};
static const struct parameter after[] = {
	{ "DIRECTSPECWEIGHT", "CREDWEIGHT", WEIGHT, NULL },
	{ "GFSWEIGHT", "FSGROUPWEIGHT", INT, NULL },
	{ "UFSWEIGHT", "FSUSERWEIGHT", INT, NULL },
};

static int store(struct fsi_maui_config *c, const char *name, struct fsi_config_entry value)
{
	fs_snapshot *m = c->x->imp->m;
	struct fsi_config_entry *e = NULL;

	value.name = fsi_name(m, name);
	if (value.name == FSI_INTERN_FAILED)
		return fsi_nomem(c->x->imp->err);
	for (size_t i = 0; i < m->config.n && !e; i++)
		if (m->config.v[i].name == value.name)
			e = &m->config.v[i];
	if (!e && FSI_VEC_ROOM(&m->config))
		return fsi_nomem(c->x->imp->err);
	if (!e)
		e = &m->config.v[m->config.n++];
	*e = value;
	return 0;
}

static int store_int(struct fsi_maui_config *c, const char *name, int64_t v)
{
	return store(c, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_INT, .i = v });
}

static int not_read(struct fsi_maui_config *c, const struct parameter *p, const char *want)
{
	return fsi_maui_warn(c->x, NULL, "%s: expected %s: the value is left out of account", p->name, want);
}

static int take_depth(struct fsi_maui_config *c, int64_t v)
{
	int rc = 0;

	if (v > FSI_MAUI_MAX_DEPTH)
		rc = fsi_maui_warn(c->x, NULL, "FSDEPTH %lld: more than %d windows are not kept, so %d it is",
				   (long long)v, FSI_MAUI_MAX_DEPTH, FSI_MAUI_MAX_DEPTH);
	else if (v < 0)
		rc = fsi_maui_warn(c->x, NULL, "FSDEPTH %lld: no window counts but the current one", (long long)v);
	if (v > FSI_MAUI_MAX_DEPTH)
		v = FSI_MAUI_MAX_DEPTH;
	return rc ? rc : store_int(c, "FSDEPTH", v < 0 ? 0 : v);
}

static int take_int(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = (int32_t)strtol(s, NULL, 0);

	if (v == -1 || (!v && *s != '0'))
		return not_read(c, p, "a whole number other than -1");
	if (!strcmp(p->name, "FSDEPTH"))
		return take_depth(c, v);
	return store_int(c, p->stored ? p->stored : p->name, v);
}

static int take_weight(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	char *tail;
	const int64_t v = strtol(s, &tail, 0);
	int rc = 0;

	if (*tail == '%')
		rc = fsi_maui_warn(c->x, NULL, "%s: with a %% the weight is 10, whatever the number", p->name);
	return rc ? rc : store_int(c, p->stored ? p->stored : p->name, *tail == '%' ? 10 : v);
}

static int take_double(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const double v = strtod(s, NULL);

	if (!isfinite(v) || v == -1.0 || (v == 0.0 && *s != '0'))
		return not_read(c, p, "a number other than -1");
	return store(c, p->name, (struct fsi_config_entry){ .kind = FSI_CONFIG_DOUBLE, .d = v });
}

/* Without a colon it is seconds; two parts are hours and minutes, not what the manual says. */
static int64_t time_of(const char *s)
{
	static const int64_t units[][4] = {
		{ 1 }, { 3600, 60 }, { 3600, 60, 1 }, { 86400, 3600, 60, 1 }
	};
	int64_t total = 0;
	int parts = 1;

	if (!strncmp(s, "INFINITY", 8))
		return FSI_MAUI_FOR_EVER;
	if (!strchr(s, ':'))
		return strtol(s, NULL, 0);
	for (const char *p = s; *p; p++)
		parts += *p == ':';
	if (parts > 4)
		return -1;
	for (int i = 0; i < parts; i++) {
		const long part = strtol(s, NULL, 10);

		if (part < -INT32_MAX || part > INT32_MAX)
			return -1;
		total += part * units[parts - 1][i];
		s += strcspn(s, ":");
		s += *s == ':';
	}
	return total;
}

static int take_time(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = time_of(s);
	const bool zero_is_fine = !strcmp(p->name, "XFMINWCLIMIT") || !strcmp(p->name, "DEFERTIME");

	if (v < 0 || v > INT32_MAX || (!v && !zero_is_fine))
		return not_read(c, p, "a time above 0");
	return store_int(c, p->name, v);
}

static bool in_list(const char *s, const char *const *words)
{
	while (*words && strcmp(*words, s) != 0)
		words++;
	return *words != NULL;
}

/* Upstream's list lacks a comma: neither "on" nor "On" is in it. */
static const char *const true_words[] = { "1",   "true", "True", "TRUE", "ON",
					  "yes", "Yes",  "YES",  NULL };
static const char *const false_words[] = { "0",	  "false", "False", "FALSE", "off", "Off",
					   "OFF", "no",	   "No",    "NO",    NULL };

static bool cfg_is_true(const char *word)
{
	return in_list(word, true_words);
}

static int take_bool(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const bool v = p->kind == TRUE_BY_WORD ? cfg_is_true(s) : !in_list(s, false_words);

	return store(c, p->name, (struct fsi_config_entry){ .kind = FSI_CONFIG_BOOL, .i = v });
}

/* A word that is no policy leaves the one before; a % is kept. */
static int take_policy(struct fsi_maui_config *c, const char *s)
{
	const struct fsi_config_entry *old = fsi_config_find(c->x->imp->m, "FSPOLICY");
	const char *was = old ? fsi_str(c->x->imp->m, (uint32_t)old->i) : "NONE", *name = NULL;
	const bool ratio = strchr(s, '%') || strchr(was, '%');
	const size_t len = strcspn(s, "%");
	char word[64], value[80];
	int rc = 0;

	fsi_cfg_text((struct fsi_span){ s, len }, word, sizeof(word));
	if (cfg_is_true(word))
		name = fsi_fs_policy_names[FSI_FS_DEDICATEDPS];
	for (int i = FSI_FS_DEDICATEDPS; i < FSI_FS_POLICIES && !name; i++)
		name = strcmp(fsi_fs_policy_names[i], word) ? NULL : fsi_fs_policy_names[i];
	if (!name && !strcmp(word, "[NONE]"))
		name = "NONE";
	if (!name) {
		if (*word && strcmp(word, "NONE") != 0)
			rc = fsi_maui_warn(c->x, NULL, "FSPOLICY: there is no policy \"%.60s\": it stays %.*s", word,
					   (int)strcspn(was, "%"), was);
		fsi_cfg_text((struct fsi_span){ was, strcspn(was, "%") }, word, sizeof(word));
		name = word;
	}
	snprintf(value, sizeof(value), "%s%s", name, ratio ? "%" : "");
	return rc ? rc
		  : store(c, "FSPOLICY",
			  (struct fsi_config_entry){ .kind = FSI_CONFIG_STR,
						     .i = fsi_name(c->x->imp->m, value) });
}

static int take_word(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const size_t len = strlen(s);
	const char *at = p->words;
	char want[200];

	while (at && (at = strchr(at, ' ')) && (strncmp(++at, s, len) != 0 || (at[len] && at[len] != ' ')))
		;
	if (!at || !len) {
		snprintf(want, sizeof(want), "one of%s", p->words);
		return not_read(c, p, want);
	}
	return store(c, p->name,
		     (struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name(c->x->imp->m, s) });
}

/* Takes the words that stand anywhere in the value, in the order of their list. */
static int take_words(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char text[200], list[200] = "", want[200];
	size_t len = 0;

	fsi_cfg_text(value, text, sizeof(text));
	for (const char *at = p->words; *at;) {
		const size_t n = strcspn(++at, " ");
		char word[40];

		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (strstr(text, word))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", len ? " " : "", word);
		at += n;
	}
	snprintf(want, sizeof(want), "some of%s", p->words);
	if (!len)
		return not_read(c, p, want);
	return store(c, p->name,
		     (struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name(c->x->imp->m, list) });
}

/* Takes all names up to the one for every QOS (src/MSched.c:MSchedProcessOConfig, which makes those that there are
 * not). */
static int take_qos_list(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char list[1000];
	size_t len = 0;
	bool every = false;

	for (struct fsi_span word; !every && fsi_span_words(value, &word, 1);) {
		value.len -= (size_t)(word.s + word.len - value.s);
		value.s = word.s + word.len;
		every = fsi_cfg_is(word, FSI_MAUI_EVERY_QOS);
		if (len + word.len + 2 > sizeof(list))
			return not_read(c, p, "a list of QOS");
		if (!every && !fsi_maui_credential(c->x, FS_CRED_QOS, word))
			return fsi_nomem(c->x->imp->err);
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.*s", len ? " " : "", (int)word.len, word.s);
	}
	if (!len)
		return not_read(c, p, "a list of QOS");
	return store(c, p->stored ? p->stored : p->name,
		     (struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name(c->x->imp->m, list) });
}

static int take_value(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char s[200];

	fsi_cfg_text(fsi_cfg_first_word(value), s, sizeof(s));
	switch (p->kind) {
	case INT:
	case BUCKET_INT:
		return take_int(c, p, s);
	case WEIGHT:
		return take_weight(c, p, s);
	case DOUBLE:
		return take_double(c, p, s);
	case TIME:
		return take_time(c, p, s);
	case PARAMS_POLICY:
		return take_policy(c, s);
	case WORD:
		return take_word(c, p, s);
	case WORDS:
		return take_words(c, p, value);
	case BUCKET_QOS:
		return take_qos_list(c, p, value);
	default:
		return take_bool(c, p, s);
	}
}

/* Takes a parameter of a bucket; an index that is no number is 0, one past the last is the last. */
static int take_of_bucket(struct fsi_maui_config *c, const struct parameter *p, const struct fsi_cfg_line *l)
{
	char index[24], name[40];
	struct parameter of = *p;
	const long n = strtol(fsi_cfg_text(l->index, index, sizeof(index)), NULL, 0);

	if (n < 0)
		return fsi_maui_warn(c->x, NULL, "%s[%ld]: there is no bucket below 0", p->name, n);
	fsi_maui_indexed(name, sizeof(name), p->name, n < FSI_MAUI_BUCKETS ? (unsigned)n : FSI_MAUI_BUCKETS - 1);
	of.stored = name;
	return take_value(c, &of, l->value);
}

/* Takes all lines of one parameter; an index other than that of the whole machine is a partition's. */
static int take_parameter(struct fsi_maui_config *c, const struct parameter *p)
{
	int rc = 0;

	for (size_t i = 0; i < c->cfg.line.n && !rc; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];

		if (l->indented || !fsi_cfg_is(l->name, p->name))
			continue;
		fsi_cfg_set_location(c, l);
		rc = p->kind == BUCKET_INT || p->kind == BUCKET_QOS ? take_of_bucket(c, p, l)
		     : l->index.len
			     ? fsi_maui_warn(c->x, NULL, "%s[%.*s]: settings of single partitions are not used",
					     p->name, (int)l->index.len, l->index.s)
			     : take_value(c, p, l->value);
	}
	return rc;
}

static int parse_components(struct fsi_maui_config *c, const struct fsi_maui_part *parts, int n, enum kind weight)
{
	int rc = 0;

	for (int i = 0; i < n && !rc; i++) {
		const struct parameter w = { parts[i].weight, NULL, weight, NULL },
				       cap = { parts[i].cap, NULL, INT, NULL };

		rc = take_parameter(c, &w);
		if (!rc)
			rc = take_parameter(c, &cap);
	}
	return rc;
}

int fsi_maui_parameters(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(params_before) / sizeof(*params_before) && !rc; i++)
		rc = take_parameter(c, &params_before[i]);
	if (!rc)
		rc = parse_components(c, fsi_maui_groups, FSI_MAUI_GROUP_COUNT, WEIGHT);
	if (!rc)
		rc = parse_components(c, fsi_maui_terms, FSI_MAUI_TERM_COUNT, INT);
	for (size_t i = 0; i < sizeof(after) / sizeof(*after) && !rc; i++)
		rc = take_parameter(c, &after[i]);
	return rc;
}

/* The older form of limits, of whoever has none of his own: MAXJOBPERUSERCOUNT is the hard limit of USERCFG[DEFAULT],
 * SMAXJOBPERUSERCOUNT the soft one, and with MAXJOBPERUSERPOLICY OFF the first is none
 * (src/MSched.c:MSchedProcessOConfig). Maui takes its parameters by name, one after the other, so that OFF undoes the
 * first and not the second. What is called PROC of groups and accounts limits nodes there (src/MConst.c:MCfg). */

enum { COUNT, OLD_LIMITS_POLICY, SOFT_COUNT, STEPS };

/* A limit by its name between MAX and COUNT. */
struct old_limit {
	const char *name;
	enum fs_cred_kind kind;
	size_t hard, soft; /* offsets in the credential */
	unsigned bit, soft_bit;
};

#define OLD(name, kind, m) \
	{ name, FS_CRED_##kind, offsetof(struct fsi_credential, m), offsetof(struct fsi_credential, m##_soft), \
	  FSI_CREDENTIAL_##m, FSI_CREDENTIAL_##m##_soft }

static const struct old_limit limits[] = {
	OLD("JOBPERUSER", USER, max_job),
	OLD("NODEPERUSER", USER, max_node),
	OLD("PROCPERUSER", USER, max_proc),
	OLD("PROCSECONDPERUSER", USER, max_ps),
	OLD("JOBQUEUEDPERUSER", USER, max_idle_job),
	OLD("JOBPERGROUP", GROUP, max_job),
	OLD("PROCPERGROUP", GROUP, max_node),
	OLD("PROCSECONDPERGROUP", GROUP, max_ps),
	OLD("JOBQUEUEDPERGROUP", GROUP, max_idle_job),
	OLD("JOBPERACCOUNT", ACCT, max_job),
	OLD("PROCPERACCOUNT", ACCT, max_node),
	OLD("PROCSECONDPERACCOUNT", ACCT, max_ps),
	OLD("JOBQUEUEDPERACCOUNT", ACCT, max_idle_job),
};

static int32_t *at(struct fsi_credential *cr, size_t offset)
{
	return (int32_t *)(void *)((char *)cr + offset);
}

static void put(struct fsi_credential *cr, size_t offset, unsigned bit, int32_t v)
{
	*at(cr, offset) = v;
	fsi_mark_known(&cr->rec, bit);
}

static int set(struct fsi_maui_config *c, const struct old_limit *l, int step, const char *s)
{
	struct fsi_credential *cr = fsi_maui_credential(c->x, l->kind, fsi_span_of("DEFAULT"));
	const int32_t v = (int32_t)strtol(s, NULL, 0);

	if (!cr)
		return fsi_nomem(c->x->imp->err);
	if (step == OLD_LIMITS_POLICY) {
		if (!cfg_is_true(s)) {
			put(cr, l->hard, l->bit, 0);
			put(cr, l->soft, l->soft_bit, 0);
		}
	} else if (v != -1 && (v || *s == '0')) {
		put(cr, step == COUNT ? l->hard : l->soft, step == COUNT ? l->bit : l->soft_bit, v);
	}
	return 0;
}

/* One of the two alone is both, and a hard limit is no less than the soft one (src/MConfig.c:
 * MCfgEnforceConstraints). */
static int complete(struct fsi_maui_config *c, const struct old_limit *l)
{
	struct fsi_credential *cr = fsi_maui_credential(c->x, l->kind, fsi_span_of("DEFAULT"));

	if (!cr)
		return fsi_nomem(c->x->imp->err);
	if (*at(cr, l->hard) != 0 && *at(cr, l->soft) == 0)
		put(cr, l->soft, l->soft_bit, *at(cr, l->hard));
	else if (*at(cr, l->soft) > 0 && *at(cr, l->hard) < *at(cr, l->soft))
		put(cr, l->hard, l->bit, *at(cr, l->soft));
	return 0;
}

/* Sets what lines of that step's name say. */
static int take_step(struct fsi_maui_config *c, const struct old_limit *l, int step)
{
	static const struct {
		const char *before, *behind;
	} forms[STEPS] = { { "MAX", "COUNT" }, { "MAX", "POLICY" }, { "SMAX", "COUNT" } };
	char name[40], value[40];
	int rc = 0;

	snprintf(name, sizeof(name), "%s%s%s", forms[step].before, l->name, forms[step].behind);
	for (size_t k = 0; k < c->cfg.line.n && !rc; k++) {
		const struct fsi_cfg_line *line = &c->cfg.line.v[k];

		if (!line->indented && fsi_cfg_is(line->name, name))
			rc = set(c, l, step, fsi_cfg_text(fsi_cfg_first_word(line->value), value, sizeof(value)));
	}
	return rc;
}

int fsi_maui_old_limits(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && !rc; i++) {
		for (int step = 0; step < STEPS && !rc; step++)
			rc = take_step(c, &limits[i], step);
		rc = rc ? rc : complete(c, &limits[i]);
	}
	return rc;
}
