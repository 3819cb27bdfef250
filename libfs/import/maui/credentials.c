#include "base/num.h"
#include "import/maui/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Credentials in maui.cfg: USERCFG[name] ATTRIBUTE=VALUE ... and similar lines (src/moab/MCred.c:MCredProcessConfig,
 * MQOS.c:MQOSProcessConfig, MFS.c:MFSTargetFromString). If several lines are about the same credential, their
 * attributes are combined. If the lines repeat an attribute, its last value is used. */

static int set_fs_target(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	static const char flags[] = "+-%^";
	static const enum fs_target_mode modes[] = { FS_TARGET_FLOOR, FS_TARGET_CEILING, FS_TARGET_CAP_REL,
						     FS_TARGET_CAP_ABS };
	enum fs_target_mode mode = FS_TARGET_EXACT;
	const char *flag;
	char *tail;
	const double v = strtod(s, &tail);

	if (!isfinite(v))
		return fsi_maui_add_warning(c->x, NULL, "FSTARGET: expected a number, got \"%.60s\": the value is ignored", s);
	flag = *tail ? strchr(flags, *tail) : NULL;
	if (flag)
		mode = modes[flag - flags];
	FSI_PUT(cr, CREDENTIAL, target, v);
	FSI_PUT(cr, CREDENTIAL, target_mode, fsi_name_intern(c->x->imp->m, fs_target_mode_name(mode)));
	return cr->target_mode == FSI_INTERN_FAILED ? fsi_fail_no_memory(c->x->imp->err) : 0;
}

/* Sets the QOS list of the credential `name` from a text `a,b:c`, as in QLIST=a,b:c. If is_default is set, sets the
 * default QOS of the credential instead, from a text `a`, as in QDEF=a. Adds QOS that do not exist. The pointer to the
 * credential `name` is fetched last, because adding a QOS may move the table of credentials. */
static int set_qos_list(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name, const char *s,
			bool is_default)
{
	struct fsi_credential *cr;
	uint32_t ids[64];
	size_t n = 0;

	while (*s && n < 64) {
		struct fsi_span word;

		s += strspn(s, ",:&^");
		word = (struct fsi_span){ s, strcspn(s, ",:&^") };
		s += word.len;
		if (!word.len)
			break;
		cr = fsi_maui_ensure_credential(c->x, FS_CRED_QOS, word);
		if (!cr)
			return fsi_fail_no_memory(c->x->imp->err);
		ids[n++] = cr->name;
		if (is_default)
			break;
	}
	cr = fsi_maui_ensure_credential(c->x, kind, name);
	if (!cr || !n)
		return cr ? 0 : fsi_fail_no_memory(c->x->imp->err);
	if (is_default) {
		FSI_PUT(cr, CREDENTIAL, default_qos, ids[0]);
		return 0;
	}
	FSI_PUT(cr, CREDENTIAL, qos, fsi_intern_add(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
	return cr->qos == FSI_INTERN_FAILED ? fsi_fail_no_memory(c->x->imp->err) : 0;
}

static int set_i32_attribute(struct fsi_credential *cr, unsigned bit, int32_t *member, const char *s)
{
	const long v = strtol(s, NULL, 0);

	*member = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
	fsi_mark_known(&cr->rec, bit);
	return 0;
}

static int set_xfactor_target(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	const double v = strtod(s, NULL);

	if (!isfinite(v))
		return fsi_maui_add_warning(c->x, NULL, "XFTARGET: expected a number, got \"%.60s\": the value is ignored", s);
	FSI_PUT(cr, CREDENTIAL, xfactor_target, v);
	return 0;
}

/* Returns true if credentials of this kind can have the limit. A limit whose name begins with O overrides other limits;
 * only a QOS has such limits (src/MQOS.c:MQOSInitialize). Maui checks limits per user only for a class
 * (src/MJob.c:MJobCheckLimits). */
static bool has_limit_attribute(enum fs_cred_kind kind, const char *attr)
{
	return *attr == 'O' ? kind == FS_CRED_QOS : !strstr(attr, "PERUSER") || kind == FS_CRED_CLASS;
}

/* Sets a limit from SOFT or SOFT,HARD (src/MCred.c:__MCredParseLimit); a single number sets both limits. Returns false
 * if the attribute is not a limit. */
static bool set_limit_attribute(enum fs_cred_kind kind, struct fsi_credential *cr, const char *attr, const char *s)
{
	const struct {
		const char *name;
		unsigned bit, soft_bit;
		int32_t *hard, *soft;
	} all[] = {
#define LIMIT_ROW(name, m) { name, FSI_CREDENTIAL_##m, FSI_CREDENTIAL_##m##_soft, &cr->m, &cr->m##_soft }
		LIMIT_ROW("MAXJOB", max_job),
		LIMIT_ROW("MAXPROC", max_proc),
		LIMIT_ROW("MAXNODE", max_node),
		LIMIT_ROW("MAXPS", max_ps),
		LIMIT_ROW("MAXPE", max_pe),
		LIMIT_ROW("MAXWC", max_wc),
		LIMIT_ROW("MAXIJOB", max_idle_job),
		LIMIT_ROW("MAXIPROC", max_idle_proc),
		LIMIT_ROW("MAXINODE", max_idle_node),
		LIMIT_ROW("MAXIPS", max_idle_ps),
		LIMIT_ROW("MAXIPE", max_idle_pe),
		LIMIT_ROW("MAXIWC", max_idle_wc),
		LIMIT_ROW("OMAXJOB", override_job),
		LIMIT_ROW("OMAXPROC", override_proc),
		LIMIT_ROW("OMAXNODE", override_node),
		LIMIT_ROW("OMAXPS", override_ps),
		LIMIT_ROW("OMAXPE", override_pe),
		LIMIT_ROW("OMAXWC", override_wc),
		LIMIT_ROW("OMAXIJOB", override_idle_job),
		LIMIT_ROW("OMAXIPROC", override_idle_proc),
		LIMIT_ROW("OMAXINODE", override_idle_node),
		LIMIT_ROW("OMAXIPS", override_idle_ps),
		LIMIT_ROW("MAXJOBPERUSER", user_job),
		LIMIT_ROW("MAXPROCPERUSER", user_proc),
		LIMIT_ROW("MAXNODEPERUSER", user_node),
#undef LIMIT_ROW
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, attr) && has_limit_attribute(kind, attr)) {
			char *tail;

			(void)strtol(s, &tail, 0);
			set_i32_attribute(cr, all[i].soft_bit, all[i].soft, s);
			set_i32_attribute(cr, all[i].bit, all[i].hard, *tail == ',' ? tail + 1 : s);
			return true;
		}
	return false;
}

/* QOS flags of two kinds. Some flags lift limits. The other flags are stored for libfs/plan, which applies a flag or
 * reports that it ignores the flag. Maui rejects NORESERVATION and RESTARTPREEMPT, and never uses RUNNOW and NTR
 * (src/MQOS.c:MQOSFlagsFromString, __MQOSSetOverrideLimits; src/moab.h: QFUSER, QFSYSTEM). */
enum { LIFTS_JOB = 1, LIFTS_PROC = 2, LIFTS_NODE = 4, LIFTS_PS = 8, LIFTS_IDLE_JOB = 16, STORED_FLAG = 32 };

static const struct {
	const char *name;
	unsigned effects;
} qos_flags[] = {
	{ "IGNJOBPERUSER", LIFTS_JOB },
	{ "IGNPROCPERUSER", LIFTS_PROC },
	{ "IGNNODEPERUSER", LIFTS_NODE | LIFTS_PROC },
	{ "IGNPSPERUSER", LIFTS_PS },
	{ "IGNJOBQUEUEDPERUSER", LIFTS_IDLE_JOB },
	{ "IGNSYSMAXPROC", LIFTS_NODE | LIFTS_PROC },
	{ "IGNSYSMAXPS", LIFTS_PS },
	{ "IGNUSER", LIFTS_JOB | LIFTS_NODE | LIFTS_PROC | LIFTS_PS | LIFTS_IDLE_JOB },
	{ "IGNSYSTEM", LIFTS_NODE | LIFTS_PROC | LIFTS_PS },
	{ "IGNALL", LIFTS_JOB | LIFTS_NODE | LIFTS_PROC | LIFTS_PS | LIFTS_IDLE_JOB },
	{ "PREEMPTOR", STORED_FLAG },
	{ "PREEMPTEE", STORED_FLAG },
	{ "DEDICATED", STORED_FLAG },
	{ "RESERVEALWAYS", STORED_FLAG },
	{ "USERESERVED", STORED_FLAG },
	{ "NOBF", STORED_FLAG },
};

static int set_qos_flags(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	uint32_t ids[sizeof(qos_flags) / sizeof(*qos_flags)];
	size_t n = 0;
	unsigned effects = 0;

	for (size_t i = 0; i < sizeof(qos_flags) / sizeof(*qos_flags); i++) {
		if (!strstr(s, qos_flags[i].name))
			continue;
		effects |= qos_flags[i].effects;
		if (qos_flags[i].effects & STORED_FLAG)
			ids[n++] = fsi_name_intern(c->x->imp->m, qos_flags[i].name);
	}
#define LIFT_LIMIT(what, member) \
	if (effects & (what)) { \
		cr->member = cr->member##_soft = -1; \
		FSI_SET(cr, CREDENTIAL, member); \
		FSI_SET(cr, CREDENTIAL, member##_soft); \
	}
	LIFT_LIMIT(LIFTS_JOB, override_job)
	LIFT_LIMIT(LIFTS_PROC, override_proc)
	LIFT_LIMIT(LIFTS_NODE, override_node)
	LIFT_LIMIT(LIFTS_PS, override_ps)
	LIFT_LIMIT(LIFTS_IDLE_JOB, override_idle_job)
#undef LIFT_LIMIT
	FSI_PUT(cr, CREDENTIAL, flags, fsi_intern_add(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
	return cr->flags == FSI_INTERN_FAILED ? fsi_fail_no_memory(c->x->imp->err) : 0;
}

static int set_credential_attribute(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name,
				    const char *attr, const char *s)
{
	struct fsi_credential *cr = fsi_maui_ensure_credential(c->x, kind, name);

	if (!cr)
		return fsi_fail_no_memory(c->x->imp->err);
	if (!strcmp(attr, "FSTARGET"))
		return set_fs_target(c, cr, s);
	if (!strcmp(attr, "PRIORITY"))
		return set_i32_attribute(cr, FSI_CREDENTIAL_priority, &cr->priority, s);
	if (set_limit_attribute(kind, cr, attr, s))
		return 0;
	if (!strcmp(attr, "QLIST"))
		return set_qos_list(c, kind, name, s, false);
	if (!strcmp(attr, "QDEF"))
		return set_qos_list(c, kind, name, s, true);
	if (kind == FS_CRED_GROUP && !strcmp(attr, "CLASSWEIGHT"))
		return fsi_maui_add_warning(c->x, "CLASSWEIGHT", "CLASSWEIGHT of a group has no effect in Maui");
	if (!strcmp(attr, "PLIST") || !strcmp(attr, "PDEF"))
		return fsi_maui_add_warning(
			c->x, attr, "%s is not supported: plans let every job use every partition", attr);
	if (kind != FS_CRED_QOS)
		return 0;
	if (!strcmp(attr, "QTWEIGHT"))
		return set_i32_attribute(cr, FSI_CREDENTIAL_queuetime_weight, &cr->queuetime_weight, s);
	if (!strcmp(attr, "XFWEIGHT"))
		return set_i32_attribute(cr, FSI_CREDENTIAL_xfactor_weight, &cr->xfactor_weight, s);
	if (!strcmp(attr, "QTTARGET"))
		return set_i32_attribute(cr, FSI_CREDENTIAL_queuetime_target, &cr->queuetime_target, s);
	if (!strcmp(attr, "XFTARGET"))
		return set_xfactor_target(c, cr, s);
	if (!strcmp(attr, "QFLAGS"))
		return set_qos_flags(c, cr, s);
	return 0;
}

static int read_credential_line(struct fsi_maui_config *c, enum fs_cred_kind kind, const struct fsi_cfg_line *l)
{
	struct fsi_span rest = l->value, word;
	int rc = 0;

	fsi_cfg_set_location(c, l);
	if (!l->index.len)
		return fsi_maui_add_warning(c->x, NULL, "%.*s: expected a name in brackets, as in %.*s[name]",
					    (int)l->name.len, l->name.s, (int)l->name.len, l->name.s);
	if (!fsi_maui_ensure_credential(c->x, kind, l->index))
		return fsi_fail_no_memory(c->x->imp->err);
	while (!rc && fsi_span_split_words(rest, &word, 1)) {
		char attr[32], value[400];
		const char *eq = memchr(word.s, '=', word.len);

		rest.len -= (size_t)(word.s + word.len - rest.s);
		rest.s = word.s + word.len;
		if (!eq || eq == word.s)
			continue;
		if (eq + 1 == word.s + word.len) {
			rc = fsi_maui_add_warning(c->x, NULL, "attribute %.*s has no value", (int)word.len - 1, word.s);
			continue;
		}
		fsi_cfg_copy_text((struct fsi_span){ word.s, (size_t)(eq - word.s) }, attr, sizeof(attr));
		fsi_cfg_copy_text((struct fsi_span){ eq + 1, (size_t)(word.s + word.len - eq - 1) }, value,
				  sizeof(value));
		rc = set_credential_attribute(c, kind, l->index, attr, value);
	}
	return rc;
}

/* Reads the old form of a QOS setting: QOSPRIORITY[name] value. */
static int read_old_qos_line(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	static const struct {
		const char *name, *attr;
	} olds[] = { { "QOSPRIORITY", "PRIORITY" },
		     { "QOSQTWEIGHT", "QTWEIGHT" },
		     { "QOSXFWEIGHT", "XFWEIGHT" },
		     { "QOSTARGETQT", "QTTARGET" },
		     { "QOSTARGETXF", "XFTARGET" },
		     { "QOSFLAGS", "QFLAGS" } };
	char s[400];

	for (size_t i = 0; i < sizeof(olds) / sizeof(*olds); i++)
		if (l->index.len && !l->indented && fsi_cfg_text_equals(l->name, olds[i].name)) {
			fsi_cfg_set_location(c, l);
			return set_credential_attribute(c, FS_CRED_QOS, l->index, olds[i].attr,
							fsi_cfg_copy_text(!strcmp(olds[i].attr, "QFLAGS")
										  ? l->value
										  : fsi_cfg_first_word(l->value),
									  s, sizeof(s)));
		}
	return 0;
}

/* Adds the credentials that Maui creates before it reads the configuration: the defaults, and the credentials for jobs
 * without a group or class. */
static int add_builtin_credentials(struct fsi_maui_import *x)
{
	static const struct {
		enum fs_cred_kind kind;
		const char *name;
	} all[] = { { FS_CRED_USER, "DEFAULT" },  { FS_CRED_GROUP, "NOGROUP" },
		    { FS_CRED_GROUP, "DEFAULT" }, { FS_CRED_ACCT, "DEFAULT" },
		    { FS_CRED_QOS, "DEFAULT" },   { FS_CRED_CLASS, "[NONE]" } };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!fsi_maui_ensure_credential(x, all[i].kind, fsi_string_to_span(all[i].name)))
			return fsi_fail_no_memory(x->imp->err);
	return 0;
}

/* Adds the credential DEFAULT of a kind if maui.cfg has a line for it. Maui reads this line before all other lines of
 * the kind (src/moab/MSys.c: MSysLoadConfig), which determines its place in Maui's list of classes. */
static int add_default_credential(struct fsi_maui_config *c, const char *parameter, enum fs_cred_kind kind)
{
	for (size_t i = 0; i < c->cfg.line.n; i++)
		if (fsi_cfg_text_equals(c->cfg.line.v[i].name, parameter) &&
		    fsi_cfg_text_equals(c->cfg.line.v[i].index, "DEFAULT"))
			return fsi_maui_ensure_credential(c->x, kind, c->cfg.line.v[i].index)
				       ? 0
				       : fsi_fail_no_memory(c->x->imp->err);
	return 0;
}

int fsi_maui_read_credentials(struct fsi_maui_config *c)
{
	static const struct {
		const char *name;
		enum fs_cred_kind kind;
	} kinds[] = { { "ACCOUNTCFG", FS_CRED_ACCT },
		      { "CLASSCFG", FS_CRED_CLASS },
		      { "GROUPCFG", FS_CRED_GROUP },
		      { "QOSCFG", FS_CRED_QOS },
		      { "USERCFG", FS_CRED_USER } };
	int rc = add_builtin_credentials(c->x);

	if (!rc)
		rc = fsi_maui_read_old_limits(c);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds) && !rc; k++) {
		rc = add_default_credential(c, kinds[k].name, kinds[k].kind);
		for (size_t i = 0; i < c->cfg.line.n && !rc; i++)
			if (fsi_cfg_text_equals(c->cfg.line.v[i].name, kinds[k].name))
				rc = read_credential_line(c, kinds[k].kind, &c->cfg.line.v[i]);
	}
	for (size_t i = 0; i < c->cfg.line.n && !rc; i++)
		rc = read_old_qos_line(c, &c->cfg.line.v[i]);
	return rc;
}

/* Adds the credentials of jobs and nodes, and sets the QOS that each job gets. */

static int add_named_credential(struct fsi_maui_import *x, enum fs_cred_kind kind, uint32_t name)
{
	const char *s = fsi_name_text(x->imp->m, name);

	if (name && !fsi_maui_ensure_credential(x, kind, fsi_string_to_span(s)))
		return fsi_fail_no_memory(x->imp->err);
	return 0;
}

static int add_class_credentials(struct fsi_maui_import *x, uint32_t set)
{
	size_t n;
	int rc = 0;

	for (size_t i = 0; i < (fsi_list_items(x->imp->m, set, &n), n) && !rc; i++)
		rc = add_named_credential(x, FS_CRED_CLASS, fsi_list_items(x->imp->m, set, &n)[i]);
	return rc;
}

/* Returns the QOS that a job gets. The result is the first QOS in this list that exists
 * (src/moab/MQOS.c:MQOSGetAccess):
 *  - the requested QOS, if the job may use it
 *  - the default QOS of the job's user, then the default QOS of USERCFG[DEFAULT]
 *  - in the same way, the default QOS of the job's group, account and class, in this order
 *  - the QOS DEFAULT */
static uint32_t get_job_qos(const fs_snapshot *m, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const uint32_t fallback = fsi_name_find(m, "DEFAULT");
	uint32_t rows[FS_CRED_KINDS], qos = 0;
	size_t n;
	const uint32_t *requested = fsi_list_items(m, job->qos, &n);

	if (n && fsi_maui_may_use_qos(m, creds, job, requested[0]))
		return requested[0];
	fsi_job_find_creds(m, creds, job, rows);
	for (int i = 0; i < FSI_MAUI_QLIST_KIND_COUNT; i++) {
		uint32_t row = rows[fsi_maui_qlist_kinds[i]];
		const struct fsi_credential *own = row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		const struct fsi_credential *default_entry;

		row = fsi_creds_find(creds, fsi_maui_qlist_kinds[i], fallback);
		default_entry = row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		if (!qos && own && own->default_qos)
			qos = own->default_qos;
		if (!qos && default_entry)
			qos = default_entry->default_qos;
	}
	return qos ? qos : fallback;
}

static int set_all_job_qos(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_creds creds;
	int rc = 0;

	if (fsi_creds_init(&creds, m))
		return fsi_fail_no_memory(x->imp->err);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		struct fsi_job *job = &m->job.v[i];
		const uint32_t qos = x->partial ? fsi_list_first_item(m, job->qos) : get_job_qos(m, &creds, job);

		if (!qos)
			continue;
		FSI_PUT(job, JOB, qos, fsi_intern_add(&m->sets, &qos, sizeof(qos)));
		if (job->qos == FSI_INTERN_FAILED)
			rc = fsi_fail_no_memory(x->imp->err);
	}
	fsi_creds_release(&creds);
	return rc;
}

/* Reads diagnose -u: Name Priority Flags QDef QOSList PartitionList Target Limits. Maui has an entry for every user
 * that it has seen, including users who only ran a client command. */
static int read_user_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, PRIORITY, COLUMNS = 8 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[COLUMNS];
	int64_t priority;

	if (fsi_span_split_words(line, w, COLUMNS) < COLUMNS - 1 ||
	    fsi_parse_i64(w[PRIORITY].s, w[PRIORITY].len, &priority))
		return 0;
	return fsi_maui_ensure_credential(x, FS_CRED_USER, w[NAME]) ? 0 : fsi_fail_no_memory(imp->err);
}

static int read_known_users(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-u.txt", "out/diagnose_-u.txt", NULL };
	const int rc = fsi_maui_read_first_file(x, files, read_user_line);

	return rc < 0 ? rc : 0;
}

int fsi_maui_resolve_credentials(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	int rc = 0;

	for (size_t i = 0; i < m->node.n && !rc; i++)
		rc = add_class_credentials(x, m->node.v[i].partitions);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		rc = add_named_credential(x, FS_CRED_USER, m->job.v[i].user);
		if (!rc)
			rc = add_named_credential(x, FS_CRED_GROUP, m->job.v[i].group);
		if (!rc)
			rc = add_named_credential(x, FS_CRED_ACCT, m->job.v[i].account);
		if (!rc)
			rc = add_class_credentials(x, m->job.v[i].partitions);
	}
	if (!rc)
		rc = read_known_users(x);
	return rc ? rc : set_all_job_qos(x);
}
