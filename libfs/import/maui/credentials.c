#include "base/num.h"
#include "import/maui/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Credentials in maui.cfg: USERCFG[name] ATTRIBUTE=VALUE ... and similar lines (src/moab/MCred.c:MCredProcessConfig,
 * MQOS.c:MQOSProcessConfig, MFS.c:MFSTargetFromString). If several lines are about the same credential, their
 * attributes are combined. If the lines repeat an attribute, its last value is used. */

static void set_fs_target(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	char *tail;
	const double v = strtod(s, &tail);

	if (!isfinite(v)) {
		fsi_maui_add_warning(c->x, NULL, "FSTARGET: expected a number, got \"%.60s\": the value is ignored", s);
		return;
	}
	FSI_PUT(cr, CREDENTIAL, target, v);
	FSI_PUT(cr, CREDENTIAL, target_mode,
		fsi_name_intern(c->x->imp->m, fs_target_mode_name(fsi_maui_parse_target_mark(*tail))));
}

/* Sets the QOS list of the credential `name` from a text `a,b:c`, as in QLIST=a,b:c. If is_default is set, sets the
 * default QOS of the credential instead, from a text `a`, as in QDEF=a. Adds QOS that do not exist. The pointer to the
 * credential `name` is fetched last, because adding a QOS may move the table of credentials. */
static void set_qos_list(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name, const char *s,
			 bool is_default)
{
	struct fsi_credential *cr;
	uint32_t ids[64];
	size_t n = 0;

	while (*s && n < (is_default ? 1 : sizeof(ids) / sizeof(*ids))) {
		struct fsi_span word;

		s += strspn(s, ",:&^");
		word = (struct fsi_span){ s, strcspn(s, ",:&^") };
		s += word.len;
		cr = word.len ? fsi_maui_ensure_credential(c->x, FS_CRED_QOS, word) : NULL;
		if (!cr)
			break;
		ids[n++] = cr->name;
	}
	cr = fsi_maui_ensure_credential(c->x, kind, name);
	if (!cr || !n)
		return;
	if (is_default)
		FSI_PUT(cr, CREDENTIAL, default_qos, ids[0]);
	else
		FSI_PUT(cr, CREDENTIAL, qos, fsi_intern_add(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
}

static int32_t parse_clamped_number(const char *s)
{
	const long v = strtol(s, NULL, 0);

	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

static void set_xfactor_target(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	const double v = strtod(s, NULL);

	if (isfinite(v))
		FSI_PUT(cr, CREDENTIAL, xfactor_target, v);
	else
		fsi_maui_add_warning(c->x, NULL, "XFTARGET: expected a number, got \"%.60s\": the value is ignored", s);
}

/* The attributes with a whole number. A limit has two fields: the hard limit, and after it the soft limit. A limit
 * whose name begins with O overrides other limits; only a QOS has such limits (src/MQOS.c:MQOSInitialize). Maui checks
 * limits per user only for a class (src/MJob.c:MJobCheckLimits). */
enum { OF_EVERY_KIND = -1 };

static const struct {
	const char *name;
	unsigned bit;
	int kind; /* the only kind of credential that has the attribute; OF_EVERY_KIND: all kinds have it */
	bool is_limit;
} number_attributes[] = {
	{ "PRIORITY", FSI_CREDENTIAL_priority, OF_EVERY_KIND, false },
	{ "QTWEIGHT", FSI_CREDENTIAL_queuetime_weight, FS_CRED_QOS, false },
	{ "XFWEIGHT", FSI_CREDENTIAL_xfactor_weight, FS_CRED_QOS, false },
	{ "QTTARGET", FSI_CREDENTIAL_queuetime_target, FS_CRED_QOS, false },
	{ "MAXJOB", FSI_CREDENTIAL_max_job, OF_EVERY_KIND, true },
	{ "MAXPROC", FSI_CREDENTIAL_max_proc, OF_EVERY_KIND, true },
	{ "MAXNODE", FSI_CREDENTIAL_max_node, OF_EVERY_KIND, true },
	{ "MAXPS", FSI_CREDENTIAL_max_ps, OF_EVERY_KIND, true },
	{ "MAXPE", FSI_CREDENTIAL_max_pe, OF_EVERY_KIND, true },
	{ "MAXWC", FSI_CREDENTIAL_max_wc, OF_EVERY_KIND, true },
	{ "MAXIJOB", FSI_CREDENTIAL_max_idle_job, OF_EVERY_KIND, true },
	{ "MAXIPROC", FSI_CREDENTIAL_max_idle_proc, OF_EVERY_KIND, true },
	{ "MAXINODE", FSI_CREDENTIAL_max_idle_node, OF_EVERY_KIND, true },
	{ "MAXIPS", FSI_CREDENTIAL_max_idle_ps, OF_EVERY_KIND, true },
	{ "MAXIPE", FSI_CREDENTIAL_max_idle_pe, OF_EVERY_KIND, true },
	{ "MAXIWC", FSI_CREDENTIAL_max_idle_wc, OF_EVERY_KIND, true },
	{ "OMAXJOB", FSI_CREDENTIAL_override_job, FS_CRED_QOS, true },
	{ "OMAXPROC", FSI_CREDENTIAL_override_proc, FS_CRED_QOS, true },
	{ "OMAXNODE", FSI_CREDENTIAL_override_node, FS_CRED_QOS, true },
	{ "OMAXPS", FSI_CREDENTIAL_override_ps, FS_CRED_QOS, true },
	{ "OMAXPE", FSI_CREDENTIAL_override_pe, FS_CRED_QOS, true },
	{ "OMAXWC", FSI_CREDENTIAL_override_wc, FS_CRED_QOS, true },
	{ "OMAXIJOB", FSI_CREDENTIAL_override_idle_job, FS_CRED_QOS, true },
	{ "OMAXIPROC", FSI_CREDENTIAL_override_idle_proc, FS_CRED_QOS, true },
	{ "OMAXINODE", FSI_CREDENTIAL_override_idle_node, FS_CRED_QOS, true },
	{ "OMAXIPS", FSI_CREDENTIAL_override_idle_ps, FS_CRED_QOS, true },
	{ "MAXJOBPERUSER", FSI_CREDENTIAL_user_job, FS_CRED_CLASS, true },
	{ "MAXPROCPERUSER", FSI_CREDENTIAL_user_proc, FS_CRED_CLASS, true },
	{ "MAXNODEPERUSER", FSI_CREDENTIAL_user_node, FS_CRED_CLASS, true },
};

/* Sets an attribute from a number or, if the attribute is a limit, from SOFT or SOFT,HARD
 * (src/MCred.c:__MCredParseLimit); a single number sets both limits. Does nothing if credentials of this kind have no
 * such attribute with a number. */
static void set_number_attribute(enum fs_cred_kind kind, struct fsi_credential *cr, const char *attr, const char *s)
{
	for (size_t i = 0; i < sizeof(number_attributes) / sizeof(*number_attributes); i++) {
		const unsigned bit = number_attributes[i].bit;
		char *tail;

		if (strcmp(number_attributes[i].name, attr) != 0 ||
		    (number_attributes[i].kind != OF_EVERY_KIND && number_attributes[i].kind != (int)kind))
			continue;
		(void)strtol(s, &tail, 0);
		if (number_attributes[i].is_limit)
			fsi_maui_set_number(cr, bit + 1, parse_clamped_number(s));
		fsi_maui_set_number(cr, bit,
				    parse_clamped_number(number_attributes[i].is_limit && *tail == ',' ? tail + 1 : s));
	}
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

static void set_qos_flags(struct fsi_maui_config *c, struct fsi_credential *cr, const char *s)
{
	static const struct {
		unsigned effect, bit; /* bit: the hard limit that the effect lifts */
	} lifts[] = { { LIFTS_JOB, FSI_CREDENTIAL_override_job },
		      { LIFTS_PROC, FSI_CREDENTIAL_override_proc },
		      { LIFTS_NODE, FSI_CREDENTIAL_override_node },
		      { LIFTS_PS, FSI_CREDENTIAL_override_ps },
		      { LIFTS_IDLE_JOB, FSI_CREDENTIAL_override_idle_job } };
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
	for (size_t i = 0; i < sizeof(lifts) / sizeof(*lifts); i++)
		if (effects & lifts[i].effect) {
			fsi_maui_set_number(cr, lifts[i].bit, -1);
			fsi_maui_set_number(cr, lifts[i].bit + 1, -1);
		}
	FSI_PUT(cr, CREDENTIAL, flags, fsi_intern_add(&c->x->imp->m->sets, ids, n * sizeof(*ids)));
}

static void set_credential_attribute(struct fsi_maui_config *c, enum fs_cred_kind kind, struct fsi_span name,
				     const char *attr, const char *s)
{
	struct fsi_credential *cr = fsi_maui_ensure_credential(c->x, kind, name);

	if (!cr)
		return;
	set_number_attribute(kind, cr, attr, s);
	if (!strcmp(attr, "FSTARGET"))
		set_fs_target(c, cr, s);
	else if (!strcmp(attr, "QLIST") || !strcmp(attr, "QDEF"))
		set_qos_list(c, kind, name, s, !strcmp(attr, "QDEF"));
	else if (kind == FS_CRED_GROUP && !strcmp(attr, "CLASSWEIGHT"))
		fsi_maui_add_warning(c->x, attr, "CLASSWEIGHT of a group has no effect in Maui");
	else if (!strcmp(attr, "PLIST") || !strcmp(attr, "PDEF"))
		fsi_maui_add_warning(c->x, attr, "%s is not supported: plans let every job use every partition", attr);
	else if (kind == FS_CRED_QOS && !strcmp(attr, "XFTARGET"))
		set_xfactor_target(c, cr, s);
	else if (kind == FS_CRED_QOS && !strcmp(attr, "QFLAGS"))
		set_qos_flags(c, cr, s);
}

static void read_credential_line(struct fsi_maui_config *c, enum fs_cred_kind kind, const struct fsi_cfg_line *l)
{
	struct fsi_span rest = l->value, word, name;

	fsi_cfg_set_location(c, l);
	if (!l->index.len) {
		fsi_maui_add_warning(c->x, NULL, "%.*s: expected a name in brackets, as in %.*s[name]",
				     (int)l->name.len, l->name.s, (int)l->name.len, l->name.s);
		return;
	}
	fsi_maui_ensure_credential(c->x, kind, l->index);
	while (fsi_cfg_next_word(&rest, &word)) {
		char attr[32], value[400];

		fsi_span_cut_part(&word, '=', &name);
		if (!word.s || !name.len)
			continue;
		if (!word.len) {
			fsi_maui_add_warning(c->x, NULL, "attribute %.*s has no value", (int)name.len, name.s);
			continue;
		}
		set_credential_attribute(c, kind, l->index, fsi_cfg_copy_text(name, attr, sizeof(attr)),
					 fsi_cfg_copy_text(word, value, sizeof(value)));
	}
}

/* Reads the old form of a QOS setting: QOSPRIORITY[name] value. */
static void read_old_qos_line(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	static const struct {
		const char *name, *attr;
	} olds[] = { { "QOSPRIORITY", "PRIORITY" },
		     { "QOSQTWEIGHT", "QTWEIGHT" },
		     { "QOSXFWEIGHT", "XFWEIGHT" },
		     { "QOSTARGETQT", "QTTARGET" },
		     { "QOSTARGETXF", "XFTARGET" },
		     { "QOSFLAGS", "QFLAGS" } };

	for (size_t i = 0; i < sizeof(olds) / sizeof(*olds); i++)
		if (l->index.len && !l->indented && fsi_cfg_text_equals(l->name, olds[i].name)) {
			const bool is_list = !strcmp(olds[i].attr, "QFLAGS");
			char s[400];

			fsi_cfg_copy_text(is_list ? l->value : fsi_cfg_first_word(l->value), s, sizeof(s));
			fsi_cfg_set_location(c, l);
			set_credential_attribute(c, FS_CRED_QOS, l->index, olds[i].attr, s);
		}
}

/* Adds the credentials that Maui creates before it reads the configuration: the defaults, and the credentials for jobs
 * without a group or class. */
static void add_builtin_credentials(struct fsi_maui_import *x)
{
	static const struct {
		enum fs_cred_kind kind;
		const char *name;
	} all[] = { { FS_CRED_USER, "DEFAULT" },  { FS_CRED_GROUP, "NOGROUP" },
		    { FS_CRED_GROUP, "DEFAULT" }, { FS_CRED_ACCT, "DEFAULT" },
		    { FS_CRED_QOS, "DEFAULT" },   { FS_CRED_CLASS, "[NONE]" } };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		fsi_maui_ensure_credential(x, all[i].kind, fsi_string_to_span(all[i].name));
}

/* Adds the credential DEFAULT of a kind if maui.cfg has a line for it. Maui reads this line before all other lines of
 * the kind (src/moab/MSys.c: MSysLoadConfig), which determines its place in Maui's list of classes. */
static void add_default_credential(struct fsi_maui_config *c, const char *parameter, enum fs_cred_kind kind)
{
	for (size_t i = 0; i < c->cfg.line.n; i++)
		if (fsi_cfg_text_equals(c->cfg.line.v[i].name, parameter) &&
		    fsi_cfg_text_equals(c->cfg.line.v[i].index, "DEFAULT"))
			fsi_maui_ensure_credential(c->x, kind, c->cfg.line.v[i].index);
}

void fsi_maui_read_credentials(struct fsi_maui_config *c)
{
	static const struct {
		const char *name;
		enum fs_cred_kind kind;
	} kinds[] = { { "ACCOUNTCFG", FS_CRED_ACCT },
		      { "CLASSCFG", FS_CRED_CLASS },
		      { "GROUPCFG", FS_CRED_GROUP },
		      { "QOSCFG", FS_CRED_QOS },
		      { "USERCFG", FS_CRED_USER } };

	add_builtin_credentials(c->x);
	fsi_maui_read_old_limits(c);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		add_default_credential(c, kinds[k].name, kinds[k].kind);
		for (size_t i = 0; i < c->cfg.line.n; i++)
			if (fsi_cfg_text_equals(c->cfg.line.v[i].name, kinds[k].name))
				read_credential_line(c, kinds[k].kind, &c->cfg.line.v[i]);
	}
	for (size_t i = 0; i < c->cfg.line.n; i++)
		read_old_qos_line(c, &c->cfg.line.v[i]);
}

/* Adds the credentials of jobs and nodes, and sets the QOS that each job gets. */

static void add_named_credential(struct fsi_maui_import *x, enum fs_cred_kind kind, uint32_t name)
{
	if (name)
		fsi_maui_ensure_credential(x, kind, fsi_string_to_span(fsi_name_text(x->imp->m, name)));
}

static void add_class_credentials(struct fsi_maui_import *x, uint32_t set)
{
	size_t n;
	const uint32_t *class = fsi_list_items(x->imp->m, set, &n);

	for (size_t i = 0; i < n; i++)
		add_named_credential(x, FS_CRED_CLASS, class[i]);
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

static void set_all_job_qos(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m)) {
		m->out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *job = &m->job.v[i];
		const uint32_t qos = x->partial ? fsi_list_first_item(m, job->qos) : get_job_qos(m, &creds, job);

		if (qos)
			FSI_PUT(job, JOB, qos, fsi_intern_add(&m->sets, &qos, sizeof(qos)));
	}
	fsi_creds_release(&creds);
}

/* Reads diagnose -u: Name Priority Flags QDef QOSList PartitionList Target Limits. Maui has an entry for every user
 * that it has seen, including users who only ran a client command. */
static int read_user_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, PRIORITY, COLUMNS = 8 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[COLUMNS];
	int64_t priority;

	(void)imp;
	if (fsi_span_split_words(line, w, COLUMNS) < COLUMNS - 1 ||
	    fsi_parse_i64(w[PRIORITY].s, w[PRIORITY].len, &priority))
		return 0;
	fsi_maui_ensure_credential(x, FS_CRED_USER, w[NAME]);
	return 0;
}

int fsi_maui_resolve_credentials(struct fsi_maui_import *x)
{
	const fs_snapshot *m = x->imp->m;
	int rc;

	for (size_t i = 0; i < m->node.n; i++)
		add_class_credentials(x, m->node.v[i].partitions);
	for (size_t i = 0; i < m->job.n; i++) {
		add_named_credential(x, FS_CRED_USER, m->job.v[i].user);
		add_named_credential(x, FS_CRED_GROUP, m->job.v[i].group);
		add_named_credential(x, FS_CRED_ACCT, m->job.v[i].account);
		add_class_credentials(x, m->job.v[i].partitions);
	}
	rc = fsi_maui_read_page(x, "diagnose_-u.txt", read_user_line, x);
	if (rc >= 0)
		set_all_job_qos(x);
	return rc < 0 ? rc : 0;
}
