#include "base/num.h"
#include "import/maui/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Credentials of maui.cfg: USERCFG[name] ATTRIBUTE=VALUE ... and its like (src/moab/MCred.c:MCredProcessConfig,
 * MQOS.c:MQOSProcessConfig, MFS.c:MFSTargetFromString). Attributes add up over lines, a repeated one replaces. */

static int set_target(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	static const char flags[] = "+-%^";
	static const enum fs_target_mode modes[] = { FS_TARGET_FLOOR, FS_TARGET_CEILING, FS_TARGET_CAP_REL,
						     FS_TARGET_CAP_ABS };
	enum fs_target_mode mode = FS_TARGET_EXACT;
	const char *flag;
	char *tail;
	const double v = strtod(s, &tail);

	if (!isfinite(v))
		return fsi_maui_warn(c->x, NULL, "FSTARGET: expected a number, got \"%.60s\"", s);
	flag = *tail ? strchr(flags, *tail) : NULL;
	if (flag)
		mode = modes[flag - flags];
	FSI_PUT(cr, CREDENTIAL, target, v);
	FSI_PUT(cr, CREDENTIAL, target_mode, fsi_name(c->x->imp->m, fs_target_mode_name(mode)));
	return cr->target_mode == FSI_INTERN_FAILED ? fsi_nomem(c->x->imp->err) : 0;
}

/* QLIST=a,b:c makes the QOS that it names. The credential is found again, since the table may have moved. */
static int set_qlist(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name, const char *s, bool one)
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
		cr = fsi_maui_credential(c->x, FS_CRED_QOS, word);
		if (!cr)
			return fsi_nomem(c->x->imp->err);
		ids[n++] = cr->name;
		if (one)
			break;
	}
	cr = fsi_maui_credential(c->x, kind, name);
	if (!cr || !n)
		return cr ? 0 : fsi_nomem(c->x->imp->err);
	if (one) {
		FSI_PUT(cr, CREDENTIAL, default_qos, ids[0]);
		return 0;
	}
	FSI_PUT(cr, CREDENTIAL, qos, fsi_intern(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
	return cr->qos == FSI_INTERN_FAILED ? fsi_nomem(c->x->imp->err) : 0;
}

static int set_i32(struct fsi_credential *cr, unsigned bit, int32_t *member, const char *s)
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
		return fsi_maui_warn(c->x, NULL, "XFTARGET: expected a number, got \"%.60s\"", s);
	FSI_PUT(cr, CREDENTIAL, xfactor_target, v);
	return 0;
}

/* SOFT or SOFT,HARD (src/MCred.c:__MCredParseLimit); one number is both. Only a QOS has places for limits that take
 * the place of others (src/MQOS.c:MQOSInitialize), and of limits for each user only a class's are asked
 * (src/MJob.c:MJobCheckLimits). */
static bool has_place(enum fs_cred_kind kind, const char *attr)
{
	return *attr == 'O' ? kind == FS_CRED_QOS : !strstr(attr, "PERUSER") || kind == FS_CRED_CLASS;
}

static bool set_limit(enum fs_cred_kind kind, struct fsi_credential *cr, const char *attr, const char *s)
{
	const struct {
		const char *name;
		unsigned bit, soft_bit;
		int32_t *hard, *soft;
	} all[] = {
#define LIMIT(name, m) { name, FSI_CREDENTIAL_##m, FSI_CREDENTIAL_##m##_soft, &cr->m, &cr->m##_soft }
		LIMIT("MAXJOB", max_job),
		LIMIT("MAXPROC", max_proc),
		LIMIT("MAXNODE", max_node),
		LIMIT("MAXPS", max_ps),
		LIMIT("MAXPE", max_pe),
		LIMIT("MAXWC", max_wc),
		LIMIT("MAXIJOB", max_idle_job),
		LIMIT("MAXIPROC", max_idle_proc),
		LIMIT("MAXINODE", max_idle_node),
		LIMIT("MAXIPS", max_idle_ps),
		LIMIT("MAXIPE", max_idle_pe),
		LIMIT("MAXIWC", max_idle_wc),
		LIMIT("OMAXJOB", override_job),
		LIMIT("OMAXPROC", override_proc),
		LIMIT("OMAXNODE", override_node),
		LIMIT("OMAXPS", override_ps),
		LIMIT("OMAXPE", override_pe),
		LIMIT("OMAXWC", override_wc),
		LIMIT("OMAXIJOB", override_idle_job),
		LIMIT("OMAXIPROC", override_idle_proc),
		LIMIT("OMAXINODE", override_idle_node),
		LIMIT("OMAXIPS", override_idle_ps),
		LIMIT("MAXJOBPERUSER", user_job),
		LIMIT("MAXPROCPERUSER", user_proc),
		LIMIT("MAXNODEPERUSER", user_node),
#undef LIMIT
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, attr) && has_place(kind, attr)) {
			char *tail;

			(void)strtol(s, &tail, 0);
			set_i32(cr, all[i].soft_bit, all[i].soft, s);
			set_i32(cr, all[i].bit, all[i].hard, *tail == ',' ? tail + 1 : s);
			return true;
		}
	return false;
}

/* Flags of a QOS that do something to limits, and those that are kept for plans. NORESERVATION and RESTARTPREEMPT
 * are refused, and RUNNOW and NTR are asked for nowhere (src/MQOS.c:MQOSFlagsFromString, __MQOSSetOverrideLimits;
 * src/moab.h: QFUSER, QFSYSTEM). */
enum { NO_JOB = 1, NO_PROC = 2, NO_NODE = 4, NO_PS = 8, NO_IDLE_JOB = 16, KEPT = 32 };

static const struct {
	const char *word;
	unsigned does;
} qos_flags[] = {
	{ "IGNJOBPERUSER", NO_JOB },
	{ "IGNPROCPERUSER", NO_PROC },
	{ "IGNNODEPERUSER", NO_NODE | NO_PROC },
	{ "IGNPSPERUSER", NO_PS },
	{ "IGNJOBQUEUEDPERUSER", NO_IDLE_JOB },
	{ "IGNSYSMAXPROC", NO_NODE | NO_PROC },
	{ "IGNSYSMAXPS", NO_PS },
	{ "IGNUSER", NO_JOB | NO_NODE | NO_PROC | NO_PS | NO_IDLE_JOB },
	{ "IGNSYSTEM", NO_NODE | NO_PROC | NO_PS },
	{ "IGNALL", NO_JOB | NO_NODE | NO_PROC | NO_PS | NO_IDLE_JOB },
	{ "PREEMPTOR", KEPT },
	{ "PREEMPTEE", KEPT },
	{ "DEDICATED", KEPT },
	{ "RESERVEALWAYS", KEPT },
	{ "USERESERVED", KEPT },
	{ "NOBF", KEPT },
};

static int set_flags(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	uint32_t ids[sizeof(qos_flags) / sizeof(*qos_flags)];
	size_t n = 0;
	unsigned does = 0;

	for (size_t i = 0; i < sizeof(qos_flags) / sizeof(*qos_flags); i++) {
		if (!strstr(s, qos_flags[i].word))
			continue;
		does |= qos_flags[i].does;
		if (qos_flags[i].does & KEPT)
			ids[n++] = fsi_name(c->x->imp->m, qos_flags[i].word);
	}
#define LIFT(what, member) \
	if (does & (what)) { \
		cr->member = cr->member##_soft = -1; \
		FSI_SET(cr, CREDENTIAL, member); \
		FSI_SET(cr, CREDENTIAL, member##_soft); \
	}
	LIFT(NO_JOB, override_job)
	LIFT(NO_PROC, override_proc)
	LIFT(NO_NODE, override_node)
	LIFT(NO_PS, override_ps)
	LIFT(NO_IDLE_JOB, override_idle_job)
#undef LIFT
	FSI_PUT(cr, CREDENTIAL, flags, fsi_intern(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
	return cr->flags == FSI_INTERN_FAILED ? fsi_nomem(c->x->imp->err) : 0;
}

static int set_attribute(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name,
			 const char *attr, const char *s)
{
	struct fsi_credential *cr = fsi_maui_credential(c->x, kind, name);

	if (!cr)
		return fsi_nomem(c->x->imp->err);
	if (!strcmp(attr, "FSTARGET"))
		return set_target(c, cr, s);
	if (!strcmp(attr, "PRIORITY"))
		return set_i32(cr, FSI_CREDENTIAL_priority, &cr->priority, s);
	if (set_limit(kind, cr, attr, s))
		return 0;
	if (!strcmp(attr, "QLIST"))
		return set_qlist(c, kind, name, s, false);
	if (!strcmp(attr, "QDEF"))
		return set_qlist(c, kind, name, s, true);
	if (kind == FS_CRED_GROUP && !strcmp(attr, "CLASSWEIGHT"))
		return fsi_maui_warn(c->x, "CLASSWEIGHT", "CLASSWEIGHT of a group has no effect in Maui");
	if (!strcmp(attr, "PLIST") || !strcmp(attr, "PDEF"))
		return fsi_maui_warn(c->x, attr, "%s is not used: jobs go to partitions of nodes as if each might use all", attr);
	if (kind != FS_CRED_QOS)
		return 0;
	if (!strcmp(attr, "QTWEIGHT"))
		return set_i32(cr, FSI_CREDENTIAL_queuetime_weight, &cr->queuetime_weight, s);
	if (!strcmp(attr, "XFWEIGHT"))
		return set_i32(cr, FSI_CREDENTIAL_xfactor_weight, &cr->xfactor_weight, s);
	if (!strcmp(attr, "QTTARGET"))
		return set_i32(cr, FSI_CREDENTIAL_queuetime_target, &cr->queuetime_target, s);
	if (!strcmp(attr, "XFTARGET"))
		return set_xfactor_target(c, cr, s);
	if (!strcmp(attr, "QFLAGS"))
		return set_flags(c, cr, s);
	return 0;
}

static int take_credential(struct fsi_maui_config *c, enum fs_cred_kind kind, const struct fsi_cfg_line *l)
{
	struct fsi_span rest = l->value, word;
	int rc = 0;

	fsi_cfg_set_location(c, l);
	if (!l->index.len)
		return fsi_maui_warn(c->x, NULL, "%.*s without [name]", (int)l->name.len, l->name.s);
	if (!fsi_maui_credential(c->x, kind, l->index))
		return fsi_nomem(c->x->imp->err);
	while (!rc && fsi_span_words(rest, &word, 1)) {
		char attr[32], value[400];
		const char *eq = memchr(word.s, '=', word.len);

		rest.len -= (size_t)(word.s + word.len - rest.s);
		rest.s = word.s + word.len;
		if (!eq || eq == word.s)
			continue;
		if (eq + 1 == word.s + word.len) {
			rc = fsi_maui_warn(c->x, NULL, "%.*s has no value", (int)word.len - 1, word.s);
			continue;
		}
		fsi_cfg_text((struct fsi_span){ word.s, (size_t)(eq - word.s) }, attr,
			     sizeof(attr));
		fsi_cfg_text((struct fsi_span){ eq + 1, (size_t)(word.s + word.len - eq - 1) },
			     value, sizeof(value));
		rc = set_attribute(c, kind, l->index, attr, value);
	}
	return rc;
}

/* Takes the old form of a QOS setting: QOSPRIORITY[name] value. */
static int take_old_qos(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
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
		if (l->index.len && !l->indented && fsi_cfg_is(l->name, olds[i].name)) {
			fsi_cfg_set_location(c, l);
			return set_attribute(
				c, FS_CRED_QOS, l->index, olds[i].attr,
				fsi_cfg_text(!strcmp(olds[i].attr, "QFLAGS") ? l->value : fsi_cfg_first_word(l->value), s,
					     sizeof(s)));
		}
	return 0;
}

/* Makes what Maui makes before it reads anything: entries that others fall back on, and places for jobs without
 * credentials. */
static int make_builtin(struct fsi_maui_import *x)
{
	static const struct {
		enum fs_cred_kind kind;
		const char *name;
	} all[] = { { FS_CRED_USER, "DEFAULT" },  { FS_CRED_GROUP, "NOGROUP" },
		    { FS_CRED_GROUP, "DEFAULT" }, { FS_CRED_ACCT, "DEFAULT" },
		    { FS_CRED_QOS, "DEFAULT" },   { FS_CRED_CLASS, "[NONE]" } };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!fsi_maui_credential(x, all[i].kind, fsi_span_of(all[i].name)))
			return fsi_nomem(x->imp->err);
	return 0;
}

int fsi_maui_credentials(struct fsi_maui_config *c)
{
	static const struct {
		const char *name;
		enum fs_cred_kind kind;
	} kinds[] = { { "ACCOUNTCFG", FS_CRED_ACCT },
		      { "CLASSCFG", FS_CRED_CLASS },
		      { "GROUPCFG", FS_CRED_GROUP },
		      { "QOSCFG", FS_CRED_QOS },
		      { "USERCFG", FS_CRED_USER } };
	int rc = make_builtin(c->x);

	if (!rc)
		rc = fsi_maui_old_limits(c);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t i = 0; i < c->cfg.line.n && !rc; i++)
			if (fsi_cfg_is(c->cfg.line.v[i].name, kinds[k].name))
				rc = take_credential(c, kinds[k].kind, &c->cfg.line.v[i]);
	for (size_t i = 0; i < c->cfg.line.n && !rc; i++)
		rc = take_old_qos(c, &c->cfg.line.v[i]);
	return rc;
}

/* The credentials that jobs and nodes bring, and the QOS each job gets. */

static int credential_of(struct fsi_maui_import *x, enum fs_cred_kind kind, uint32_t name)
{
	const char *s = fsi_str(x->imp->m, name);

	if (name && !fsi_maui_credential(x, kind, fsi_span_of(s)))
		return fsi_nomem(x->imp->err);
	return 0;
}

static int class_list(struct fsi_maui_import *x, uint32_t set)
{
	size_t n;
	int rc = 0;

	for (size_t i = 0; i < (fsi_list(x->imp->m, set, &n), n) && !rc; i++)
		rc = credential_of(x, FS_CRED_CLASS, fsi_list(x->imp->m, set, &n)[i]);
	return rc;
}

/* The QOS that the job asked for where it may use it, else the default of the first credential that has one: user,
 * group, account, class, each falling back on DEFAULT's (src/moab/MQOS.c:MQOSGetAccess). */
static uint32_t delivered_qos(const fs_snapshot *m, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const uint32_t fallback = fsi_name_find(m, "DEFAULT");
	uint32_t rows[FS_CRED_KINDS], found = 0;
	size_t n;
	const uint32_t *asked = fsi_list(m, job->qos, &n);

	if (n && fsi_maui_may_use(m, creds, job, asked[0]))
		return asked[0];
	fsi_job_creds(m, creds, job, rows);
	for (int i = 0; i < FSI_MAUI_ASKED; i++) {
		uint32_t row = rows[fsi_maui_asked[i]];
		const struct fsi_credential *own = row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		const struct fsi_credential *other;

		row = fsi_creds_find(creds, fsi_maui_asked[i], fallback);
		other = row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		if (!found && own && own->default_qos)
			found = own->default_qos;
		if (!found && other)
			found = other->default_qos;
	}
	return found ? found : fallback;
}

static int resolve_qos(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_creds creds;
	int rc = 0;

	if (fsi_creds_init(&creds, m))
		return fsi_nomem(x->imp->err);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		struct fsi_job *job = &m->job.v[i];
		const uint32_t qos = x->partial ? fsi_list_first(m, job->qos) : delivered_qos(m, &creds, job);

		if (!qos)
			continue;
		FSI_PUT(job, JOB, qos, fsi_intern(&m->sets, &qos, sizeof(qos)));
		if (job->qos == FSI_INTERN_FAILED)
			rc = fsi_nomem(x->imp->err);
	}
	fsi_creds_release(&creds);
	return rc;
}

/* diagnose -u: Name Priority Flags QDef QOSList PartitionList Target Limits. Maui has a place for every user that it
 * met, whoever asked it something too. */
static int user_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, PRIORITY, COLUMNS = 8 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[COLUMNS];
	int64_t priority;

	if (fsi_span_words(line, w, COLUMNS) < COLUMNS - 1 || fsi_parse_i64(w[PRIORITY].s, w[PRIORITY].len, &priority))
		return 0;
	return fsi_maui_credential(x, FS_CRED_USER, w[NAME]) ? 0 : fsi_nomem(imp->err);
}

static int users_met(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-u.txt", "out/diagnose_-u.txt", NULL };
	const int rc = fsi_maui_first_file(x, files, user_line);

	return rc < 0 ? rc : 0;
}

int fsi_maui_resolve(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	int rc = 0;

	for (size_t i = 0; i < m->node.n && !rc; i++)
		rc = class_list(x, m->node.v[i].partitions);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		rc = credential_of(x, FS_CRED_USER, m->job.v[i].user);
		if (!rc)
			rc = credential_of(x, FS_CRED_GROUP, m->job.v[i].group);
		if (!rc)
			rc = credential_of(x, FS_CRED_ACCT, m->job.v[i].account);
		if (!rc)
			rc = class_list(x, m->job.v[i].partitions);
	}
	if (!rc)
		rc = users_met(x);
	return rc ? rc : resolve_qos(x);
}
