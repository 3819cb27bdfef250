#include "import/maui/maui.h"
#include "model/maui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters in maui.cfg (src/moab/MConfig.c:MCfgProcessLine, MFS.c:MFSProcessOConfig, MTime.c:MUTimeFromString,
 * MUtil.c:MUBoolFromString).
 *
 * The parameters are read one after the other. For each parameter, its lines are read in the order of the file. An
 * invalid value leaves the previous value unchanged. */

enum parameter_kind {
	INT_PARAMETER,
	WEIGHT_PARAMETER,
	DOUBLE_PARAMETER,
	TIME_PARAMETER,
	TRUE_IF_LISTED,
	FALSE_IF_LISTED,
	FS_POLICY_PARAMETER,
	WORD_PARAMETER,
	WORDS_PARAMETER,
	BUCKET_INT_PARAMETER,
	BUCKET_QOS_PARAMETER
};

struct parameter {
	/* stored: name under which the setting is stored; NULL: under `name`. An old name of a parameter is stored
	 * under the new name. */
	const char *name, *stored;
	enum parameter_kind kind;
	const char *valid_words; /* valid words, each preceded by a blank; for WORD_PARAMETER and WORDS_PARAMETER */
};

/* Parameters other than the weights and caps of components, in the order of Maui's own table. The weights and caps of
 * components are read after early_parameters and before late_parameters. */
static const struct parameter early_parameters[] = {
	{ "AFSWEIGHT", "FSACCOUNTWEIGHT", INT_PARAMETER, NULL },
	{ "SERVICETARGETWEIGHT", "SERVICEWEIGHT", WEIGHT_PARAMETER, NULL },
	{ "BACKFILLDEPTH", NULL, INT_PARAMETER, NULL },
	{ "BACKFILLMETRIC", NULL, WORD_PARAMETER, " PROCS NODES PROCSECONDS SECONDS" },
	{ "BACKFILLPOLICY", NULL, WORD_PARAMETER, " NONE FIRSTFIT BESTFIT GREEDY BESTTIMEFIT LAZY PREEMPT" },
	{ "DEFERTIME", NULL, TIME_PARAMETER, NULL },
	{ "ENABLENEGJOBPRIORITY", NULL, TRUE_IF_LISTED, NULL },
	{ "FSDECAY", NULL, DOUBLE_PARAMETER, NULL },
	{ "FSDEPTH", NULL, INT_PARAMETER, NULL },
	{ "FSINTERVAL", NULL, TIME_PARAMETER, NULL },
	{ "FSPOLICY", NULL, FS_POLICY_PARAMETER, NULL },
	{ "JOBNODEMATCHPOLICY", NULL, WORDS_PARAMETER, " EXACTNODE EXACTPROC" },
	{ "JOBPRIOACCRUALPOLICY", NULL, WORD_PARAMETER, " ALWAYS QUEUEPOLICY FULLPOLICY" },
	{ "NODEACCESSPOLICY", NULL, WORD_PARAMETER, " SHARED SINGLEJOB SINGLETASK SINGLEUSER" },
	{ "NODEALLOCATIONPOLICY", NULL, WORD_PARAMETER,
	  " FIRSTAVAILABLE LASTAVAILABLE MINLOCAL MINGLOBAL MINRESOURCE PRIORITY CPULOAD FIRSTSET LOCAL CONTIGUOUS "
	  "MAXBALANCE FASTEST" },
	{ "NODESETPOLICY", NULL, WORD_PARAMETER, " ONEOF ANYOF FIRSTOF" },
	{ "REJECTNEGPRIOJOBS", NULL, TRUE_IF_LISTED, NULL },
	{ "RESERVATIONDEPTH", NULL, BUCKET_INT_PARAMETER, NULL },
	{ "RESERVATIONPOLICY", NULL, WORD_PARAMETER, " DEFAULT HIGHEST CURRENTHIGHEST NEVER" },
	{ "RESERVATIONQOSLIST", NULL, BUCKET_QOS_PARAMETER, NULL },
	{ "RESERVATIONTHRESHOLDTYPE", NULL, WORD_PARAMETER, " NONE BYPASS QUEUETIME XFACTOR" },
	{ "RESERVATIONTHRESHOLDVALUE", NULL, INT_PARAMETER, NULL },
	{ "RMPOLLINTERVAL", NULL, TIME_PARAMETER, NULL },
	{ "SERVERMODE", NULL, WORD_PARAMETER, " NORMAL TEST SIMULATION" },
	{ "SYSTEMMAXJOBWALLTIME", NULL, TIME_PARAMETER, NULL },
	{ "SYSTEMMAXPROCPERJOB", NULL, INT_PARAMETER, NULL },
	{ "SYSTEMMAXPROCSECONDPERJOB", NULL, INT_PARAMETER, NULL },
	{ "USESYSTEMQUEUETIME", NULL, FALSE_IF_LISTED, NULL },
	{ "XFMINWCLIMIT", NULL, TIME_PARAMETER, NULL },
};
static const struct parameter late_parameters[] = {
	{ "DIRECTSPECWEIGHT", "CREDWEIGHT", WEIGHT_PARAMETER, NULL },
	{ "GFSWEIGHT", "FSGROUPWEIGHT", INT_PARAMETER, NULL },
	{ "UFSWEIGHT", "FSUSERWEIGHT", INT_PARAMETER, NULL },
};

static int store_config_entry(struct fsi_maui_config *c, const char *name, struct fsi_config_entry value)
{
	fs_snapshot *m = c->x->imp->m;
	struct fsi_config_entry *e = NULL;

	value.name = fsi_name_intern(m, name);
	if (value.name == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(c->x->imp->err);
	for (size_t i = 0; i < m->config.n && !e; i++)
		if (m->config.v[i].name == value.name)
			e = &m->config.v[i];
	if (!e && FSI_VEC_RESERVE(&m->config))
		return fsi_fail_no_memory(c->x->imp->err);
	if (!e)
		e = &m->config.v[m->config.n++];
	*e = value;
	return 0;
}

static int store_int_entry(struct fsi_maui_config *c, const char *name, int64_t v)
{
	return store_config_entry(c, name, (struct fsi_config_entry){ .kind = FSI_CONFIG_INT, .i = v });
}

static int warn_invalid_value(struct fsi_maui_config *c, const struct parameter *p, const char *want)
{
	return fsi_maui_add_warning(c->x, NULL, "%s: expected %s: the value is ignored", p->name, want);
}

static int read_fs_depth(struct fsi_maui_config *c, int64_t v)
{
	int rc = 0;

	if (v > FSI_MAUI_MAX_DEPTH)
		rc = fsi_maui_add_warning(c->x, NULL, "FSDEPTH %lld is more than Maui's maximum of %d windows, so FSDEPTH is %d",
					  (long long)v, FSI_MAUI_MAX_DEPTH, FSI_MAUI_MAX_DEPTH);
	else if (v < 0)
		rc = fsi_maui_add_warning(c->x, NULL, "FSDEPTH %lld is negative: only the current window counts",
					  (long long)v);
	if (v > FSI_MAUI_MAX_DEPTH)
		v = FSI_MAUI_MAX_DEPTH;
	return rc ? rc : store_int_entry(c, "FSDEPTH", v < 0 ? 0 : v);
}

static int read_int_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = (int32_t)strtol(s, NULL, 0);

	if (v == -1 || (!v && *s != '0'))
		return warn_invalid_value(c, p, "a whole number other than -1");
	if (!strcmp(p->name, "FSDEPTH"))
		return read_fs_depth(c, v);
	return store_int_entry(c, p->stored ? p->stored : p->name, v);
}

static int read_weight_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	char *tail;
	const int64_t v = strtol(s, &tail, 0);
	int rc = 0;

	if (*tail == '%')
		rc = fsi_maui_add_warning(c->x, NULL, "%s: Maui reads every percentage as 10", p->name);
	return rc ? rc : store_int_entry(c, p->stored ? p->stored : p->name, *tail == '%' ? 10 : v);
}

static int read_double_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const double v = strtod(s, NULL);

	if (!isfinite(v) || v == -1.0 || (v == 0.0 && *s != '0'))
		return warn_invalid_value(c, p, "a number other than -1");
	return store_config_entry(c, p->name, (struct fsi_config_entry){ .kind = FSI_CONFIG_DOUBLE, .d = v });
}

/* Parses a time: SS, HH:MM, HH:MM:SS or DD:HH:MM:SS. In Maui's manual, HH:MM has another meaning. Returns -1 if a text
 * with colons has more than four parts, or a part that does not fit into 32 bits. */
static int64_t parse_config_time(const char *s)
{
	static const int64_t units[][4] = {
		{ 1 }, { 3600, 60 }, { 3600, 60, 1 }, { 86400, 3600, 60, 1 }
	};
	int64_t total = 0;
	int parts = 1;

	if (!strncmp(s, "INFINITY", 8))
		return FSI_MAUI_MAX_TIME;
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

static int read_time_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = parse_config_time(s);
	const bool zero_is_fine = !strcmp(p->name, "XFMINWCLIMIT") || !strcmp(p->name, "DEFERTIME");

	if (v < 0 || v > INT32_MAX || (!v && !zero_is_fine))
		return warn_invalid_value(c, p, zero_is_fine ? "a time from 0 to 2147483647 s" : "a time from 1 to 2147483647 s");
	return store_int_entry(c, p->name, v);
}

static bool is_word_in_list(const char *s, const char *const *words)
{
	while (*words && strcmp(*words, s) != 0)
		words++;
	return *words != NULL;
}

/* Words that Maui reads as true. A comma is missing between "on" and "On" in Maui's own list, so the compiler joins the
 * two words, and Maui knows neither word. */
static const char *const true_words[] = { "1",   "true", "True", "TRUE", "ON",
					  "yes", "Yes",  "YES",  NULL };
static const char *const false_words[] = { "0",	  "false", "False", "FALSE", "off", "Off",
					   "OFF", "no",	   "No",    "NO",    NULL };

static bool is_true_word(const char *word)
{
	return is_word_in_list(word, true_words);
}

static int read_bool_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const bool v = p->kind == TRUE_IF_LISTED ? is_true_word(s) : !is_word_in_list(s, false_words);

	return store_config_entry(c, p->name, (struct fsi_config_entry){ .kind = FSI_CONFIG_BOOL, .i = v });
}

/* Reads FSPOLICY. An unknown word leaves the policy unchanged. If an earlier line set a policy with a % at its end, the
 * policy keeps the %. */
static int read_fs_policy(struct fsi_maui_config *c, const char *s)
{
	const struct fsi_config_entry *old = fsi_config_find(c->x->imp->m, "FSPOLICY");
	const char *previous = old ? fsi_name_text(c->x->imp->m, (uint32_t)old->i) : "NONE", *name = NULL;
	const bool ratio = strchr(s, '%') || strchr(previous, '%');
	const size_t len = strcspn(s, "%");
	char word[64], value[80];
	int rc = 0;

	fsi_cfg_copy_text((struct fsi_span){ s, len }, word, sizeof(word));
	if (is_true_word(word))
		name = fsi_fs_policy_names[FSI_FS_DEDICATEDPS];
	for (int i = FSI_FS_DEDICATEDPS; i < FSI_FS_POLICIES && !name; i++)
		name = strcmp(fsi_fs_policy_names[i], word) ? NULL : fsi_fs_policy_names[i];
	if (!name && !strcmp(word, "[NONE]"))
		name = "NONE";
	if (!name) {
		if (*word && strcmp(word, "NONE") != 0)
			rc = fsi_maui_add_warning(c->x, NULL,
						  "FSPOLICY: unknown policy \"%.60s\"; FSPOLICY remains %.*s",
						  word, (int)strcspn(previous, "%"), previous);
		fsi_cfg_copy_text((struct fsi_span){ previous, strcspn(previous, "%") }, word, sizeof(word));
		name = word;
	}
	snprintf(value, sizeof(value), "%s%s", name, ratio ? "%" : "");
	return rc ? rc
		  : store_config_entry(c, "FSPOLICY",
				       (struct fsi_config_entry){ .kind = FSI_CONFIG_STR,
								  .i = fsi_name_intern(c->x->imp->m, value) });
}

static int read_word_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const size_t len = strlen(s);
	const char *at = p->valid_words;
	char want[200];

	while (at && (at = strchr(at, ' ')) && (strncmp(++at, s, len) != 0 || (at[len] && at[len] != ' ')))
		;
	if (!at || !len) {
		snprintf(want, sizeof(want), "one of%s", p->valid_words);
		return warn_invalid_value(c, p, want);
	}
	return store_config_entry(
		c, p->name, (struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name_intern(c->x->imp->m, s) });
}

/* Stores each word of p->valid_words that occurs anywhere in the value, in the order of p->valid_words. */
static int read_word_list(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char text[200], list[200] = "", want[200];
	size_t len = 0;

	fsi_cfg_copy_text(value, text, sizeof(text));
	for (const char *at = p->valid_words; *at;) {
		const size_t n = strcspn(++at, " ");
		char word[40];

		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (strstr(text, word))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", len ? " " : "", word);
		at += n;
	}
	snprintf(want, sizeof(want), "some of%s", p->valid_words);
	if (!len)
		return warn_invalid_value(c, p, want);
	return store_config_entry(
		c, p->name,
		(struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name_intern(c->x->imp->m, list) });
}

/* Stores a list of QOS names, and adds credentials for QOS that do not exist. The list ends with the first word that
 * means "every QOS" (src/MSched.c:MSchedProcessOConfig). */
static int read_qos_list(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char list[1000];
	size_t len = 0;
	bool every = false;

	for (struct fsi_span word; !every && fsi_span_split_words(value, &word, 1);) {
		value.len -= (size_t)(word.s + word.len - value.s);
		value.s = word.s + word.len;
		every = fsi_cfg_text_equals(word, FSI_MAUI_EVERY_QOS);
		if (len + word.len + 2 > sizeof(list))
			return warn_invalid_value(c, p, "a list of QOS of less than 1000 bytes");
		if (!every && !fsi_maui_ensure_credential(c->x, FS_CRED_QOS, word))
			return fsi_fail_no_memory(c->x->imp->err);
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.*s", len ? " " : "", (int)word.len, word.s);
	}
	if (!len)
		return warn_invalid_value(c, p, "a list of QOS");
	return store_config_entry(
		c, p->stored ? p->stored : p->name,
		(struct fsi_config_entry){ .kind = FSI_CONFIG_STR, .i = fsi_name_intern(c->x->imp->m, list) });
}

static int read_parameter_value(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char s[200];

	fsi_cfg_copy_text(fsi_cfg_first_word(value), s, sizeof(s));
	switch (p->kind) {
	case INT_PARAMETER:
	case BUCKET_INT_PARAMETER:
		return read_int_value(c, p, s);
	case WEIGHT_PARAMETER:
		return read_weight_value(c, p, s);
	case DOUBLE_PARAMETER:
		return read_double_value(c, p, s);
	case TIME_PARAMETER:
		return read_time_value(c, p, s);
	case FS_POLICY_PARAMETER:
		return read_fs_policy(c, s);
	case WORD_PARAMETER:
		return read_word_value(c, p, s);
	case WORDS_PARAMETER:
		return read_word_list(c, p, value);
	case BUCKET_QOS_PARAMETER:
		return read_qos_list(c, p, value);
	default:
		return read_bool_value(c, p, s);
	}
}

/* Reads a parameter of a reservation bucket. An index that is not a number means bucket 0. An index of FSI_MAUI_BUCKETS
 * or more means the last bucket. */
static int read_bucket_parameter(struct fsi_maui_config *c, const struct parameter *p, const struct fsi_cfg_line *l)
{
	char index[24], name[40];
	struct parameter of = *p;
	const long n = strtol(fsi_cfg_copy_text(l->index, index, sizeof(index)), NULL, 0);

	if (n < 0)
		return fsi_maui_add_warning(c->x, NULL, "%s[%ld]: the bucket number must not be negative", p->name, n);
	fsi_maui_format_indexed(name, sizeof(name), p->name, n < FSI_MAUI_BUCKETS ? (unsigned)n : FSI_MAUI_BUCKETS - 1);
	of.stored = name;
	return read_parameter_value(c, &of, l->value);
}

/* Reads all lines of one parameter. If the parameter has buckets, the index in brackets after its name is the number of
 * a reservation bucket. If the parameter has no buckets, the index is the name of a partition, and the line is ignored
 * with a warning. */
static int read_parameter_lines(struct fsi_maui_config *c, const struct parameter *p)
{
	int rc = 0;

	for (size_t i = 0; i < c->cfg.line.n && !rc; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];

		if (l->indented || !fsi_cfg_text_equals(l->name, p->name))
			continue;
		fsi_cfg_set_location(c, l);
		rc = p->kind == BUCKET_INT_PARAMETER || p->kind == BUCKET_QOS_PARAMETER ? read_bucket_parameter(c, p, l)
		     : l->index.len
			     ? fsi_maui_add_warning(c->x, NULL, "%s[%.*s]: a setting of one partition is not supported",
						    p->name, (int)l->index.len, l->index.s)
			     : read_parameter_value(c, p, l->value);
	}
	return rc;
}

static int read_component_weights(struct fsi_maui_config *c, const struct fsi_maui_part *parts, int n,
				  enum parameter_kind weight)
{
	int rc = 0;

	for (int i = 0; i < n && !rc; i++) {
		const struct parameter w = { parts[i].weight, NULL, weight, NULL },
				       cap = { parts[i].cap, NULL, INT_PARAMETER, NULL };

		rc = read_parameter_lines(c, &w);
		if (!rc)
			rc = read_parameter_lines(c, &cap);
	}
	return rc;
}

int fsi_maui_read_parameters(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(early_parameters) / sizeof(*early_parameters) && !rc; i++)
		rc = read_parameter_lines(c, &early_parameters[i]);
	if (!rc)
		rc = read_component_weights(c, fsi_maui_groups, FSI_MAUI_GROUP_COUNT, WEIGHT_PARAMETER);
	if (!rc)
		rc = read_component_weights(c, fsi_maui_terms, FSI_MAUI_TERM_COUNT, INT_PARAMETER);
	for (size_t i = 0; i < sizeof(late_parameters) / sizeof(*late_parameters) && !rc; i++)
		rc = read_parameter_lines(c, &late_parameters[i]);
	return rc;
}

/* The older form of limits. Such a limit applies to each user, group or account that has no limit of its own
 * (src/MSched.c:MSchedProcessOConfig). For example, for users and MAXJOB:
 * - MAXJOBPERUSERCOUNT is the hard limit of USERCFG[DEFAULT].
 * - SMAXJOBPERUSERCOUNT is the soft limit of USERCFG[DEFAULT].
 * - MAXJOBPERUSERPOLICY OFF removes the limit.
 * Maui first reads the hard limit, then the policy, then the soft limit, whatever the order of the lines is. OFF
 * therefore removes the hard limit but not the soft limit. For groups and accounts, the limit named PROC limits the
 * number of nodes (src/MConst.c:MCfg). */

enum { HARD_LIMIT_STEP, POLICY_STEP, SOFT_LIMIT_STEP, OLD_LIMIT_STEPS };

/* A limit in the older form, such as MAXJOBPERUSERCOUNT. name: the text between MAX and COUNT, such as JOBPERUSER. */
struct old_limit {
	const char *name;
	enum fs_cred_kind kind;
	size_t hard, soft; /* offsets of the hard and of the soft limit in struct fsi_credential */
	unsigned bit, soft_bit;
};

#define OLD_LIMIT_ROW(name, kind, m) \
	{ name, FS_CRED_##kind, offsetof(struct fsi_credential, m), offsetof(struct fsi_credential, m##_soft), \
	  FSI_CREDENTIAL_##m, FSI_CREDENTIAL_##m##_soft }

static const struct old_limit old_limits[] = {
	OLD_LIMIT_ROW("JOBPERUSER", USER, max_job),
	OLD_LIMIT_ROW("NODEPERUSER", USER, max_node),
	OLD_LIMIT_ROW("PROCPERUSER", USER, max_proc),
	OLD_LIMIT_ROW("PROCSECONDPERUSER", USER, max_ps),
	OLD_LIMIT_ROW("JOBQUEUEDPERUSER", USER, max_idle_job),
	OLD_LIMIT_ROW("JOBPERGROUP", GROUP, max_job),
	OLD_LIMIT_ROW("PROCPERGROUP", GROUP, max_node),
	OLD_LIMIT_ROW("PROCSECONDPERGROUP", GROUP, max_ps),
	OLD_LIMIT_ROW("JOBQUEUEDPERGROUP", GROUP, max_idle_job),
	OLD_LIMIT_ROW("JOBPERACCOUNT", ACCT, max_job),
	OLD_LIMIT_ROW("PROCPERACCOUNT", ACCT, max_node),
	OLD_LIMIT_ROW("PROCSECONDPERACCOUNT", ACCT, max_ps),
	OLD_LIMIT_ROW("JOBQUEUEDPERACCOUNT", ACCT, max_idle_job),
};

static int32_t *get_limit_member(struct fsi_credential *cr, size_t offset)
{
	return (int32_t *)(void *)((char *)cr + offset);
}

static void set_limit_member(struct fsi_credential *cr, size_t offset, unsigned bit, int32_t v)
{
	*get_limit_member(cr, offset) = v;
	fsi_mark_known(&cr->rec, bit);
}

static int apply_old_limit(struct fsi_maui_config *c, const struct old_limit *l, int step, const char *s)
{
	struct fsi_credential *cr = fsi_maui_ensure_credential(c->x, l->kind, fsi_string_to_span("DEFAULT"));
	const int32_t v = (int32_t)strtol(s, NULL, 0);

	if (!cr)
		return fsi_fail_no_memory(c->x->imp->err);
	if (step == POLICY_STEP) {
		if (!is_true_word(s)) {
			set_limit_member(cr, l->hard, l->bit, 0);
			set_limit_member(cr, l->soft, l->soft_bit, 0);
		}
	} else if (v != -1 && (v || *s == '0')) {
		set_limit_member(cr, step == HARD_LIMIT_STEP ? l->hard : l->soft,
				 step == HARD_LIMIT_STEP ? l->bit : l->soft_bit, v);
	}
	return 0;
}

/* If only the hard limit or only the soft limit is set, sets the other limit to the same value. Raises the hard limit
 * to at least the soft limit (src/MConfig.c: MCfgEnforceConstraints). */
static int complete_old_limit(struct fsi_maui_config *c, const struct old_limit *l)
{
	struct fsi_credential *cr = fsi_maui_ensure_credential(c->x, l->kind, fsi_string_to_span("DEFAULT"));

	if (!cr)
		return fsi_fail_no_memory(c->x->imp->err);
	if (*get_limit_member(cr, l->hard) != 0 && *get_limit_member(cr, l->soft) == 0)
		set_limit_member(cr, l->soft, l->soft_bit, *get_limit_member(cr, l->hard));
	else if (*get_limit_member(cr, l->soft) > 0 && *get_limit_member(cr, l->hard) < *get_limit_member(cr, l->soft))
		set_limit_member(cr, l->hard, l->bit, *get_limit_member(cr, l->soft));
	return 0;
}

/* A limit in the older form has three parameters: MAX...COUNT, MAX...POLICY and SMAX...COUNT. `step` (0 to 2) selects
 * one parameter. Applies the lines of maui.cfg that set the selected parameter. */
static int read_old_limit_lines(struct fsi_maui_config *c, const struct old_limit *l, int step)
{
	static const struct {
		const char *prefix, *suffix;
	} forms[OLD_LIMIT_STEPS] = { { "MAX", "COUNT" }, { "MAX", "POLICY" }, { "SMAX", "COUNT" } };
	char name[40], value[40];
	int rc = 0;

	snprintf(name, sizeof(name), "%s%s%s", forms[step].prefix, l->name, forms[step].suffix);
	for (size_t k = 0; k < c->cfg.line.n && !rc; k++) {
		const struct fsi_cfg_line *line = &c->cfg.line.v[k];

		if (!line->indented && fsi_cfg_text_equals(line->name, name))
			rc = apply_old_limit(c, l, step,
					     fsi_cfg_copy_text(fsi_cfg_first_word(line->value), value, sizeof(value)));
	}
	return rc;
}

int fsi_maui_read_old_limits(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(old_limits) / sizeof(*old_limits) && !rc; i++) {
		for (int step = 0; step < OLD_LIMIT_STEPS && !rc; step++)
			rc = read_old_limit_lines(c, &old_limits[i], step);
		rc = rc ? rc : complete_old_limit(c, &old_limits[i]);
	}
	return rc;
}
