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
	/* stored: name under which the setting is stored; NULL in the tables: under `name`. An old name of a parameter
	 * is stored under the new name. */
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

static void warn_invalid_value(struct fsi_maui_config *c, const struct parameter *p, const char *want)
{
	fsi_maui_add_warning(c->x, NULL, "%s: expected %s: the value is ignored", p->name, want);
}

static void read_fs_depth(struct fsi_maui_config *c, int64_t v)
{
	if (v > FSI_MAUI_MAX_DEPTH)
		fsi_maui_add_note(c->x, "FSDEPTH %lld is more than Maui's maximum of %d windows, so FSDEPTH is %d",
				  (long long)v, FSI_MAUI_MAX_DEPTH, FSI_MAUI_MAX_DEPTH);
	else if (v < 0)
		fsi_maui_add_note(c->x, "FSDEPTH %lld is negative: only the current window counts", (long long)v);
	fsi_import_store_int(c->x->imp, "FSDEPTH", v > FSI_MAUI_MAX_DEPTH ? FSI_MAUI_MAX_DEPTH : v < 0 ? 0 : v);
}

static void read_int_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = (int32_t)strtol(s, NULL, 0);

	if (v == -1 || (!v && *s != '0'))
		warn_invalid_value(c, p, "a whole number other than -1");
	else if (!strcmp(p->name, "FSDEPTH"))
		read_fs_depth(c, v);
	else
		fsi_import_store_int(c->x->imp, p->stored, v);
}

static void read_weight_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	char *tail;
	const int64_t v = strtol(s, &tail, 0);

	if (*tail == '%')
		fsi_maui_add_note(c->x, "%s: Maui reads every percentage as 10", p->name);
	fsi_import_store_int(c->x->imp, p->stored, *tail == '%' ? 10 : v);
}

static void read_double_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const double v = strtod(s, NULL);

	if (!isfinite(v) || v == -1.0 || (v == 0.0 && *s != '0'))
		warn_invalid_value(c, p, "a number other than -1");
	else
		fsi_import_store_double(c->x->imp, p->stored, v);
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

static void read_time_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const int64_t v = parse_config_time(s);
	const bool zero_is_fine = !strcmp(p->name, "XFMINWCLIMIT") || !strcmp(p->name, "DEFERTIME");

	if (v < 0 || v > INT32_MAX || (!v && !zero_is_fine))
		warn_invalid_value(c, p, zero_is_fine ? "a time from 0 to 2147483647 s" : "a time from 1 to 2147483647 s");
	else
		fsi_import_store_int(c->x->imp, p->stored, v);
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

static void read_bool_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const bool v = p->kind == TRUE_IF_LISTED ? is_true_word(s) : !is_word_in_list(s, false_words);

	fsi_import_store_setting(c->x->imp, p->stored, (struct fsi_config_entry){ .kind = FSI_CONFIG_BOOL, .i = v });
}

/* Reads FSPOLICY. An unknown word leaves the policy unchanged. If an earlier line set a policy with a % at its end, the
 * policy keeps the %. */
static void read_fs_policy(struct fsi_maui_config *c, const char *s)
{
	const struct fsi_config_entry *old = fsi_config_find(c->x->imp->m, "FSPOLICY");
	const char *previous = old ? fsi_name_text(c->x->imp->m, (uint32_t)old->i) : "NONE", *name = NULL;
	const bool ratio = strchr(s, '%') || strchr(previous, '%');
	const size_t len = strcspn(s, "%");
	char word[64], value[80];

	fsi_cfg_copy_text((struct fsi_span){ s, len }, word, sizeof(word));
	if (is_true_word(word))
		name = fsi_fs_policy_names[FSI_FS_DEDICATEDPS];
	for (int i = FSI_FS_DEDICATEDPS; i < FSI_FS_POLICIES && !name; i++)
		name = strcmp(fsi_fs_policy_names[i], word) ? NULL : fsi_fs_policy_names[i];
	if (!name && !strcmp(word, "[NONE]"))
		name = "NONE";
	if (!name) {
		if (*word && strcmp(word, "NONE") != 0)
			fsi_maui_add_warning(c->x, NULL, "FSPOLICY: unknown policy \"%.60s\"; FSPOLICY remains %.*s",
					     word, (int)strcspn(previous, "%"), previous);
		fsi_cfg_copy_text((struct fsi_span){ previous, strcspn(previous, "%") }, word, sizeof(word));
		name = word;
	}
	snprintf(value, sizeof(value), "%s%s", name, ratio ? "%" : "");
	fsi_import_store_text(c->x->imp, "FSPOLICY", value);
}

static void read_word_value(struct fsi_maui_config *c, const struct parameter *p, const char *s)
{
	const size_t len = strlen(s);
	const char *at = p->valid_words;
	char want[200];

	while (at && (at = strchr(at, ' ')) && (strncmp(++at, s, len) != 0 || (at[len] && at[len] != ' ')))
		;
	if (at && len) {
		fsi_import_store_text(c->x->imp, p->stored, s);
		return;
	}
	snprintf(want, sizeof(want), "one of%s", p->valid_words);
	warn_invalid_value(c, p, want);
}

/* Stores each word of p->valid_words that occurs anywhere in the value, in the order of p->valid_words. */
static void read_word_list(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
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
		warn_invalid_value(c, p, want);
	else
		fsi_import_store_text(c->x->imp, p->stored, list);
}

/* Stores a list of QOS names, and adds credentials for QOS that do not exist. The list ends with the first word that
 * means "every QOS" (src/MSched.c:MSchedProcessOConfig). */
static void read_qos_list(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char list[1000];
	size_t len = 0;
	bool every = false;

	for (struct fsi_span word; !every && fsi_cfg_next_word(&value, &word);) {
		every = fsi_cfg_text_equals(word, FSI_MAUI_EVERY_QOS);
		if (len + word.len + 2 > sizeof(list)) {
			warn_invalid_value(c, p, "a list of QOS of less than 1000 bytes");
			return;
		}
		if (!every)
			fsi_maui_ensure_credential(c->x, FS_CRED_QOS, word);
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.*s", len ? " " : "", (int)word.len, word.s);
	}
	if (!len)
		warn_invalid_value(c, p, "a list of QOS");
	else
		fsi_import_store_text(c->x->imp, p->stored, list);
}

static void (*const value_readers[])(struct fsi_maui_config *, const struct parameter *, const char *) = {
	[INT_PARAMETER] = read_int_value,	 [BUCKET_INT_PARAMETER] = read_int_value,
	[WEIGHT_PARAMETER] = read_weight_value,	 [DOUBLE_PARAMETER] = read_double_value,
	[TIME_PARAMETER] = read_time_value,	 [WORD_PARAMETER] = read_word_value,
	[TRUE_IF_LISTED] = read_bool_value,	 [FALSE_IF_LISTED] = read_bool_value,
};

static void read_parameter_value(struct fsi_maui_config *c, const struct parameter *p, struct fsi_span value)
{
	char s[200];

	fsi_cfg_copy_text(fsi_cfg_first_word(value), s, sizeof(s));
	if (p->kind == FS_POLICY_PARAMETER)
		read_fs_policy(c, s);
	else if (p->kind == WORDS_PARAMETER)
		read_word_list(c, p, value);
	else if (p->kind == BUCKET_QOS_PARAMETER)
		read_qos_list(c, p, value);
	else
		value_readers[p->kind](c, p, s);
}

/* Reads a parameter of a reservation bucket. An index that is not a number means bucket 0. An index of FSI_MAUI_BUCKETS
 * or more means the last bucket. */
static void read_bucket_parameter(struct fsi_maui_config *c, const struct parameter *p, const struct fsi_cfg_line *l)
{
	char index[24], name[40];
	struct parameter of = *p;
	const long n = strtol(fsi_cfg_copy_text(l->index, index, sizeof(index)), NULL, 0);

	if (n < 0) {
		fsi_maui_add_warning(c->x, NULL, "%s[%ld]: the bucket number must not be negative", p->name, n);
		return;
	}
	fsi_maui_format_indexed(name, sizeof(name), p->name, n < FSI_MAUI_BUCKETS ? (unsigned)n : FSI_MAUI_BUCKETS - 1);
	of.stored = name;
	read_parameter_value(c, &of, l->value);
}

/* Reads all lines of one parameter. If the parameter has buckets, the index in brackets after its name is the number of
 * a reservation bucket. If the parameter has no buckets, the index is the name of a partition, and the line is ignored
 * with a warning. */
static void read_parameter_lines(struct fsi_maui_config *c, struct parameter p)
{
	p.stored = p.stored ? p.stored : p.name;
	for (size_t i = 0; i < c->cfg.line.n; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];

		if (l->indented || !fsi_cfg_text_equals(l->name, p.name))
			continue;
		fsi_cfg_set_location(c, l);
		if (p.kind == BUCKET_INT_PARAMETER || p.kind == BUCKET_QOS_PARAMETER)
			read_bucket_parameter(c, &p, l);
		else if (l->index.len)
			fsi_maui_add_warning(c->x, NULL, "%s[%.*s]: a setting of one partition is not supported", p.name,
					     (int)l->index.len, l->index.s);
		else
			read_parameter_value(c, &p, l->value);
	}
}

static void read_component_weights(struct fsi_maui_config *c, const struct fsi_maui_part *parts, int n,
				   enum parameter_kind weight)
{
	for (int i = 0; i < n; i++) {
		read_parameter_lines(c, (struct parameter){ parts[i].weight, NULL, weight, NULL });
		read_parameter_lines(c, (struct parameter){ parts[i].cap, NULL, INT_PARAMETER, NULL });
	}
}

void fsi_maui_read_parameters(struct fsi_maui_config *c)
{
	for (size_t i = 0; i < sizeof(early_parameters) / sizeof(*early_parameters); i++)
		read_parameter_lines(c, early_parameters[i]);
	read_component_weights(c, fsi_maui_groups, FSI_MAUI_GROUP_COUNT, WEIGHT_PARAMETER);
	read_component_weights(c, fsi_maui_terms, FSI_MAUI_TERM_COUNT, INT_PARAMETER);
	for (size_t i = 0; i < sizeof(late_parameters) / sizeof(*late_parameters); i++)
		read_parameter_lines(c, late_parameters[i]);
}

/* The older form of limits. Such a limit applies to each user, group or account that has no limit of its own
 * (src/MSched.c:MSchedProcessOConfig). For example, for users and MAXJOB:
 * - MAXJOBPERUSERCOUNT is the hard limit of USERCFG[DEFAULT].
 * - SMAXJOBPERUSERCOUNT is the soft limit of USERCFG[DEFAULT].
 * - MAXJOBPERUSERPOLICY OFF removes the limit.
 * Maui first reads the hard limit, then the policy, then the soft limit, whatever the order of the lines is. OFF
 * therefore removes the hard limit but not the soft limit. For groups and accounts, the limit named PROC limits the
 * number of nodes (src/MConst.c:MCfg). */

/* A limit in the older form, such as MAXJOBPERUSERCOUNT. */
static const struct old_limit {
	const char *name; /* the text between MAX and COUNT */
	enum fs_cred_kind kind;
	unsigned bit; /* presence bit of the hard limit; the bit of the soft limit follows */
} old_limits[] = {
	{ "JOBPERUSER", FS_CRED_USER, FSI_CREDENTIAL_max_job },
	{ "NODEPERUSER", FS_CRED_USER, FSI_CREDENTIAL_max_node },
	{ "PROCPERUSER", FS_CRED_USER, FSI_CREDENTIAL_max_proc },
	{ "PROCSECONDPERUSER", FS_CRED_USER, FSI_CREDENTIAL_max_ps },
	{ "JOBQUEUEDPERUSER", FS_CRED_USER, FSI_CREDENTIAL_max_idle_job },
	{ "JOBPERGROUP", FS_CRED_GROUP, FSI_CREDENTIAL_max_job },
	{ "PROCPERGROUP", FS_CRED_GROUP, FSI_CREDENTIAL_max_node },
	{ "PROCSECONDPERGROUP", FS_CRED_GROUP, FSI_CREDENTIAL_max_ps },
	{ "JOBQUEUEDPERGROUP", FS_CRED_GROUP, FSI_CREDENTIAL_max_idle_job },
	{ "JOBPERACCOUNT", FS_CRED_ACCT, FSI_CREDENTIAL_max_job },
	{ "PROCPERACCOUNT", FS_CRED_ACCT, FSI_CREDENTIAL_max_node },
	{ "PROCSECONDPERACCOUNT", FS_CRED_ACCT, FSI_CREDENTIAL_max_ps },
	{ "JOBQUEUEDPERACCOUNT", FS_CRED_ACCT, FSI_CREDENTIAL_max_idle_job },
};

/* Applies the lines of the parameter PREFIX<name of the limit>SUFFIX. The parameter sets the field with presence bit
 * `bit` or, if its suffix is POLICY and its value is not true, sets the hard and the soft limit to 0. */
static void apply_old_limit_lines(struct fsi_maui_config *c, struct fsi_credential *cr, const struct old_limit *l,
				  const char *prefix, const char *suffix, unsigned bit)
{
	const bool is_policy = !strcmp(suffix, "POLICY");
	char name[40], s[40];

	snprintf(name, sizeof(name), "%s%s%s", prefix, l->name, suffix);
	for (size_t k = 0; k < c->cfg.line.n; k++) {
		const struct fsi_cfg_line *line = &c->cfg.line.v[k];
		int32_t v;

		if (line->indented || !fsi_cfg_text_equals(line->name, name))
			continue;
		v = (int32_t)strtol(fsi_cfg_copy_text(fsi_cfg_first_word(line->value), s, sizeof(s)), NULL, 0);
		if (is_policy && !is_true_word(s)) {
			fsi_maui_set_number(cr, l->bit, 0);
			fsi_maui_set_number(cr, l->bit + 1, 0);
		} else if (!is_policy && v != -1 && (v || *s == '0')) {
			fsi_maui_set_number(cr, bit, v);
		}
	}
}

/* If only the hard limit or only the soft limit is set, sets the other limit to the same value. Raises the hard limit
 * to at least the soft limit (src/MConfig.c: MCfgEnforceConstraints). */
static void complete_old_limit(struct fsi_credential *cr, unsigned bit)
{
	const int32_t hard = fsi_maui_get_number(cr, bit), soft = fsi_maui_get_number(cr, bit + 1);

	if (hard && !soft)
		fsi_maui_set_number(cr, bit + 1, hard);
	else if (soft > 0 && hard < soft)
		fsi_maui_set_number(cr, bit, soft);
}

void fsi_maui_read_old_limits(struct fsi_maui_config *c)
{
	for (size_t i = 0; i < sizeof(old_limits) / sizeof(*old_limits); i++) {
		const struct old_limit *l = &old_limits[i];
		struct fsi_credential *cr =
			fsi_maui_ensure_credential(c->x, l->kind, fsi_string_to_span("DEFAULT"));

		if (!cr)
			return;
		apply_old_limit_lines(c, cr, l, "MAX", "COUNT", l->bit);
		apply_old_limit_lines(c, cr, l, "MAX", "POLICY", l->bit);
		apply_old_limit_lines(c, cr, l, "SMAX", "COUNT", l->bit + 1);
		complete_old_limit(cr, l->bit);
	}
}
