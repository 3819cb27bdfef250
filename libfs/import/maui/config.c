#include "base/num.h"
#include "import/maui/maui.h"
#include "import/outputs.h"

#include <stdlib.h>
#include <string.h>

/* Parameters of Maui 3.5 (src/moab/MConst.c:MCfg and MCredCfgParm). Any other name in maui.cfg causes a warning. */

static const char *const maui_parameters[] = { /* sorted by name */
	"ACCOUNTCAP", "ACCOUNTCFG", "ACCOUNTWEIGHT", "ADMIN1", "ADMIN2", "ADMIN3", "ADMIN4",
	"ADMINHOSTS", "ADMINS", "AFSWEIGHT", "ALLOCLOCALITYPOLICY", "AMCFG",
	"APIFAILURETHRESHHOLD", "ATTRATTRCAP", "ATTRATTRWEIGHT", "ATTRCAP", "ATTRSTATECAP",
	"ATTRSTATEWEIGHT", "ATTRWEIGHT", "BACKFILLDEPTH", "BACKFILLMAXSCHEDULES", "BACKFILLMETRIC",
	"BACKFILLPOLICY", "BACKFILLPROCFACTOR", "BACKFILLTYPE", "BANKAPPENDMACHINENAME",
	"BANKCHARGEPOLICY", "BANKDEFERONJOBFAILURE", "BANKFALLBACKACCOUNT", "BANKFLUSHINTERVAL",
	"BANKHOST", "BANKPORT", "BANKPROTOCOL", "BANKSERVER", "BANKTIMEOUT", "BANKTYPE",
	"BFCHUNKDURATION", "BFCHUNKSIZE", "BFPRIORITYPOLICY", "BYPASSCAP", "BYPASSWEIGHT",
	"CHECKPOINTEXPIRATIONTIME", "CHECKPOINTFILE", "CHECKPOINTINTERVAL", "CLASSCAP", "CLASSCFG",
	"CLASSWEIGHT", "CLIENTCFG", "CLIENTTIMEOUT", "COMINTERFRAMECOST", "COMINTRAFRAMECOST",
	"COMPUTEHOSTS", "CONSUMEDCAP", "CONSUMEDWEIGHT", "CREDCAP", "CREDWEIGHT", "DEFAULTACCOUNT",
	"DEFAULTCLASSLIST", "DEFAULTDOMAIN", "DEFAULTQMHOST", "DEFERCOUNT", "DEFERSTARTCOUNT",
	"DEFERTIME", "DIRECTORYSERVER", "DIRECTSPECWEIGHT", "DISKCAP", "DISKWEIGHT",
	"DISPLAYFLAGS", "ENABLEMULTINODEJOBS", "ENABLEMULTIREQJOBS", "ENABLENEGJOBPRIORITY",
	"EVENTSERVER", "FEATURENODETYPEHEADER", "FEATUREPARTITIONHEADER", "FEATUREPROCSPEEDHEADER",
	"FEEDBACKPROGRAM", "FSACCOUNTCAP", "FSACCOUNTWEIGHT", "FSCAP", "FSCLASSCAP",
	"FSCLASSWEIGHT", "FSCONFIGFILE", "FSDECAY", "FSDEPTH", "FSENFORCEMENT", "FSGROUPCAP",
	"FSGROUPWEIGHT", "FSINTERVAL", "FSPOLICY", "FSQOSCAP", "FSQOSWEIGHT", "FSSECONDARYGROUPS",
	"FSUSERCAP", "FSUSERWEIGHT", "FSWEIGHT", "GFSWEIGHT", "GROUPCAP", "GROUPCFG",
	"GROUPWEIGHT", "IGNPBSGROUPLIST", "JOBAGGREGATIONTIME", "JOBMAXOVERRUN", "JOBMAXSTARTTIME",
	"JOBNODEMATCHPOLICY", "JOBPRIOACCRUALPOLICY", "JOBPRIOF", "JOBPURGETIME", "JOBSIZEPOLICY",
	"JOBSYNCTIME", "LOCKFILE", "LOGDIR", "LOGFACILITY", "LOGFILE", "LOGFILEMAXSIZE",
	"LOGFILEROLLDEPTH", "LOGLEVEL", "MACHINECONFIGFILE", "MAILPROGRAM",
	"MAXJOBPERACCOUNTCOUNT", "MAXJOBPERACCOUNTPOLICY", "MAXJOBPERGROUPCOUNT",
	"MAXJOBPERGROUPPOLICY", "MAXJOBPERITERATION", "MAXJOBPERUSERCOUNT", "MAXJOBPERUSERPOLICY",
	"MAXJOBQUEUEDPERACCOUNTCOUNT", "MAXJOBQUEUEDPERACCOUNTPOLICY", "MAXJOBQUEUEDPERGROUPCOUNT",
	"MAXJOBQUEUEDPERGROUPPOLICY", "MAXJOBQUEUEDPERUSERCOUNT", "MAXJOBQUEUEDPERUSERPOLICY",
	"MAXNODEPERUSERCOUNT", "MAXNODEPERUSERPOLICY", "MAXPEPERUSERCOUNT", "MAXPEPERUSERPOLICY",
	"MAXPROCPERACCOUNTCOUNT", "MAXPROCPERACCOUNTPOLICY", "MAXPROCPERGROUPCOUNT",
	"MAXPROCPERGROUPPOLICY", "MAXPROCPERUSERCOUNT", "MAXPROCPERUSERPOLICY",
	"MAXPROCSECONDPERACCOUNTCOUNT", "MAXPROCSECONDPERACCOUNTPOLICY",
	"MAXPROCSECONDPERGROUPCOUNT", "MAXPROCSECONDPERGROUPPOLICY", "MAXPROCSECONDPERUSERCOUNT",
	"MAXPROCSECONDPERUSERPOLICY", "MAXSLEEPITERATION", "MCSOCKETPROTOCOL", "MEMCAP",
	"MEMWEIGHT", "METAMAXTASKS", "MINADMINSTIME", "MINDISPATCHTIME", "NODEACCESSPOLICY",
	"NODEALLOCATIONPOLICY", "NODEALLOCMAXPS", "NODEAVAILABILITYPOLICY", "NODECAP", "NODECFG",
	"NODECPUOVERCOMMITFACTOR", "NODEDOWNSTATEDELAYTIME", "NODELOADPOLICY", "NODEMAXLOAD",
	"NODEMEMOVERCOMMITFACTOR", "NODEPOLLFREQUENCY", "NODEPURGETIME", "NODESETATTRIBUTE",
	"NODESETDELAY", "NODESETLIST", "NODESETPOLICY", "NODESETPRIORITYTYPE", "NODESETTOLERANCE",
	"NODESYNCTIME", "NODEUNTRACKEDLOADFACTOR", "NODEWEIGHT", "NOTIFICATIONINTERVAL",
	"NOTIFICATIONPROGRAM", "PARCFG", "PARIGNQUEUELIST", "PECAP", "PERCENTCAP", "PERCENTWEIGHT",
	"PEWEIGHT", "PLOTMAXPROC", "PLOTMAXTIME", "PLOTMINPROC", "PLOTMINTIME", "PLOTPROCSCALE",
	"PLOTTIMESCALE", "PREEMPTPOLICY", "PROCCAP", "PROCWEIGHT", "PSCAP", "PSWEIGHT", "QOSCAP",
	"QOSCFG", "QOSFLAGS", "QOSNAME", "QOSPRIORITY", "QOSQTWEIGHT", "QOSTARGETQT",
	"QOSTARGETXF", "QOSWEIGHT", "QOSXFWEIGHT", "QUEUECFG", "QUEUETIMECAP",
	"QUEUETIMETARGETWEIGHT", "QUEUETIMEWEIGHT", "REJECTNEGPRIOJOBS", "REMAININGCAP",
	"REMAININGWEIGHT", "REMOTESTARTCOMMAND", "RESCAP", "RESCTLPOLICY", "RESDEPTH",
	"RESERVATIONDEPTH", "RESERVATIONPOLICY", "RESERVATIONQOSLIST", "RESERVATIONRETRYTIME",
	"RESERVATIONTHRESHOLDTYPE", "RESERVATIONTHRESHOLDVALUE", "RESLIMITPOLICY",
	"RESOURCECOLLECTIONPOLICY", "RESOURCEDAEMON", "RESOURCEDATAFILE", "RESOURCELIMITPOLICY",
	"RESOURCELOCKFILE", "RESOURCEPORT", "RESOURCEREPORTWAIT", "RESOURCESAMPLEINTERVAL",
	"RESWEIGHT", "RMAUTHTYPE", "RMCFG", "RMCONFIGFILE", "RMEPORT", "RMHOST", "RMLOCALDISKFS",
	"RMNAME", "RMNMPORT", "RMPOLLINTERVAL", "RMPORT", "RMSERVER", "RMTIMEOUT", "RMTYPE",
	"SCHEDCFG", "SERVERCONFIGFILE", "SERVERHOMEDIR", "SERVERHOST", "SERVERMODE", "SERVERNAME",
	"SERVERPORT", "SERVICETARGETWEIGHT", "SERVICEWCAP", "SERVICEWEIGHT", "SIMAUTOSHUTDOWN",
	"SIMCHECKPOINTINTERVAL", "SIMCOMRATE", "SIMCOMTYPE", "SIMDEFAULTJOBFLAGS",
	"SIMEXITITERATION", "SIMFLAGS", "SIMIGNOREJOBFLAGS", "SIMINITIALQUEUEDEPTH",
	"SIMJOBSUBMISSIONPOLICY", "SIMNODECONFIGURATION", "SIMNODECOUNT", "SIMRANDOMIZEJOBSIZE",
	"SIMRESOURCETRACEFILE", "SIMSCALEJOBRUNTIME", "SIMSTARTTIME", "SIMSTOPITERATION",
	"SIMTIMEPOLICY", "SIMWCACCURACY", "SIMWCACCURACYCHANGE", "SIMWCSCALINGPERCENT",
	"SIMWORKLOADTRACEFILE", "SMAXJOBPERACCOUNTCOUNT", "SMAXJOBPERGROUPCOUNT",
	"SMAXJOBPERUSERCOUNT", "SMAXJOBQUEUEDPERACCOUNTCOUNT", "SMAXJOBQUEUEDPERGROUPCOUNT",
	"SMAXJOBQUEUEDPERUSERCOUNT", "SMAXNODEPERUSERCOUNT", "SMAXPEPERUSERCOUNT",
	"SMAXPROCPERACCOUNTCOUNT", "SMAXPROCPERGROUPCOUNT", "SMAXPROCPERUSERCOUNT",
	"SMAXPROCSECONDPERACCOUNTCOUNT", "SMAXPROCSECONDPERGROUPCOUNT",
	"SMAXPROCSECONDPERUSERCOUNT", "SPVIOLATIONCAP", "SPVIOLATIONWEIGHT", "SRACCESS",
	"SRACCOUNTLIST", "SRCFG", "SRCHARGEACCOUNT", "SRCLASSLIST", "SRDAYS", "SRDEPTH",
	"SRENDTIME", "SRFEATURES", "SRFLAGS", "SRGROUPLIST", "SRHOSTLIST", "SRIDLETIME",
	"SRMAXTASKS", "SRMAXTIME", "SRMINLOAD", "SRMINTASKS", "SRNAME", "SRPARTITION", "SRPERIOD",
	"SRPRIORITY", "SRQOSLIST", "SRRESOURCES", "SRSTARTTIME", "SRTASKCOUNT", "SRTIMELOGIC",
	"SRTPN", "SRUSERLIST", "SRWENDTIME", "SRWSTARTTIME", "STATDIR", "STEPCOUNT", "SWAPCAP",
	"SWAPWEIGHT", "SYSCFG", "SYSTEMMAXJOBWALLTIME", "SYSTEMMAXPROCPERJOB",
	"SYSTEMMAXPROCSECONDPERJOB", "TARGETCAP", "TARGETQUEUETIMECAP", "TARGETQUEUETIMEWEIGHT",
	"TARGETWEIGHT", "TARGETXFACTORCAP", "TARGETXFACTORWEIGHT", "TASKDISTRIBUTIONPOLICY",
	"TOOLSDIR", "TRAPFUNCTION", "TRAPJOB", "TRAPNODE", "TRAPRES", "UFSWEIGHT", "UJOBWEIGHT",
	"UPROCWEIGHT", "USAGECAP", "USAGEEXECUTIONTIMECAP", "USAGEEXECUTIONTIMEWEIGHT",
	"USAGEWEIGHT", "USECPUTIME", "USEJOBREGEX", "USELOCALMACHINEPRIORITY", "USEMACHINESPEED",
	"USEMACHINESPEEDFORFS", "USERCAP", "USERCFG", "USERWEIGHT", "USESYSLOG",
	"USESYSTEMQUEUETIME", "WALLTIMECAP", "WALLTIMEWEIGHT", "WCVIOLATIONACTION", "XFACTORCAP",
	"XFACTORTARGETWEIGHT", "XFACTORWEIGHT", "XFMINWCLIMIT",
};

static int compare_parameter_name(const void *key, const void *element)
{
	const struct fsi_span *name = key;
	const char *s = *(const char *const *)element;
	const int c = strncmp(name->s, s, name->len);

	return c ? c : -(s[name->len] != '\0');
}

/* Returns true if the name is a parameter of Maui 3.5 (src/moab/MConst.c:MCfg). */
static bool is_known_parameter(struct fsi_span name)
{
	return bsearch(&name, maui_parameters, sizeof(maui_parameters) / sizeof(*maui_parameters),
		       sizeof(*maui_parameters), compare_parameter_name) != NULL;
}

const char *const *fsi_maui_parameter_names(size_t *n)
{
	*n = sizeof(maui_parameters) / sizeof(*maui_parameters);
	return maui_parameters;
}

/* Reads the lines about nodes in maui.cfg, NODECFG[name] ATTRIBUTE=VALUE ... (src/moab/MNode.c:MNodeProcessConfig,
 * MPar.c:MParAdd). Uses only the partition. Warns of the other attributes that restrict where jobs run. */

/* Stores the partition of a node. If maui.cfg gives a node several partitions, the last one takes effect. */
static void store_node_partition(struct fsi_maui_import *x, struct fsi_span node, struct fsi_span partition)
{
	const struct fsi_maui_node_partition p = {
		.node = fsi_import_intern_name(x->imp, node),
		.partition = fsi_span_is_word(partition, "DEFAULT") ? 0 : fsi_import_intern_name(x->imp, partition),
	};

	if (p.node == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&x->node_partition))
		x->imp->m->out_of_memory = true;
	else
		x->node_partition.v[x->node_partition.n++] = p;
}

static void read_node_attribute(struct fsi_maui_config *c, struct fsi_span node, struct fsi_span word)
{
	static const char *const unused_attributes[] = { "MAXJOB", "MAXJOBPERUSER", "MAXPROC", "MAXPROCPERUSER",
							 "FEATURES" };
	struct fsi_span name;

	if (!fsi_span_cut_part(&word, '=', &name) || !word.len)
		return;
	if (fsi_span_is_word(name, "PARTITION"))
		store_node_partition(c->x, node, word);
	for (size_t i = 0; i < sizeof(unused_attributes) / sizeof(*unused_attributes); i++)
		if (fsi_span_is_word(name, unused_attributes[i]))
			fsi_maui_add_warning(c->x, unused_attributes[i], "NODECFG: the attribute %s is not supported",
					     unused_attributes[i]);
}

static void read_node_settings(struct fsi_maui_config *c)
{
	for (size_t i = 0; i < c->cfg.line.n; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];
		struct fsi_span rest = l->value, word;

		if (!fsi_cfg_text_equals(l->name, "NODECFG") || !l->index.len)
			continue;
		fsi_cfg_set_location(c, l);
		while (fsi_cfg_next_word(&rest, &word))
			read_node_attribute(c, l->index, word);
	}
}

int fsi_maui_set_node_partitions(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	uint32_t *partition_of = calloc((size_t)m->names.count + 1, sizeof(*partition_of));

	if (!partition_of)
		return fsi_fail_no_memory(x->imp->err);
	for (size_t i = 0; i < x->node_partition.n; i++)
		partition_of[x->node_partition.v[i].node] = x->node_partition.v[i].partition;
	for (size_t i = 0; i < m->node.n; i++)
		if (partition_of[m->node.v[i].name])
			FSI_PUT(&m->node.v[i], NODE, maui_partition, partition_of[m->node.v[i].name]);
	free(partition_of);
	return 0;
}

/* Reads maui.cfg: parameters and credentials. Warns of lines that Maui ignores. */

/* Parameters that Maui accepts and then ignores. */
static const struct {
	const char *name, *reason;
} ignored_parameters[] = {
	{ "FSENFORCEMENT", "Maui does not read it" },
	{ "FSCONFIGFILE", "Maui does not read it" },
	{ "UPROCWEIGHT", "Maui does not use it in priorities" },
	{ "UJOBWEIGHT", "Maui does not use it in priorities" },
	{ "QUEUETIMETARGETWEIGHT", "Maui does not use it in priorities" },
	{ "XFACTORTARGETWEIGHT", "Maui does not use it in priorities" },
	{ "USAGEEXECUTIONTIMEWEIGHT", "Maui does not use it in priorities" },
};

static void warn_ignored_line(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	const bool listed = l->name.len > 3 && !memcmp(l->name.s + l->name.len - 3, "CFG", 3);
	char name[80];

	fsi_cfg_set_location(c, l);
	fsi_cfg_copy_text(l->name, name, sizeof(name));
	if (!is_known_parameter(l->name)) {
		fsi_maui_add_warning(c->x, name, "unknown parameter \"%s\": the line is skipped", name);
		return;
	}
	if (l->indented && !listed) {
		fsi_maui_add_warning(c->x, NULL, "%s is indented: Maui ignores the line", name);
		return;
	}
	for (size_t i = 0; i < sizeof(ignored_parameters) / sizeof(*ignored_parameters); i++)
		if (!strcmp(ignored_parameters[i].name, name))
			fsi_maui_add_warning(c->x, name, "%s has no effect: %s", name, ignored_parameters[i].reason);
}

/* Reads the settings that only the import uses. If SERVERMODE is not set, its value is NORMAL
 * (src/moab/MSys.c:MSysSetDefaults), and the parameters of simulations have no effect. */
static void read_simulation_settings(struct fsi_maui_config *c)
{
	struct fsi_maui_import *x = c->x;
	size_t simulation_lines = 0;
	bool by_time = false, shifted = false;

	for (size_t i = 0; i < c->cfg.line.n; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];
		const struct fsi_span word = fsi_cfg_first_word(l->value);
		uint64_t n;

		if (l->indented)
			continue;
		if (fsi_cfg_text_equals(l->name, "SERVERMODE"))
			x->simulation = fsi_cfg_text_equals(word, "SIMULATION");
		if (fsi_cfg_text_equals(l->name, "SIMINITIALQUEUEDEPTH") && !fsi_parse_u64(word.s, word.len, &n) &&
		    n < UINT32_MAX)
			x->queue_depth = (uint32_t)n;
		if (fsi_cfg_text_equals(l->name, "SIMJOBSUBMISSIONPOLICY"))
			by_time = fsi_cfg_text_equals(word, "NORMAL");
		if (fsi_cfg_text_equals(l->name, "SIMTIMEPOLICY"))
			shifted = fsi_cfg_text_equals(word, "REAL");
		if (l->name.len > 5 && !memcmp(l->name.s, "SIMWC", 5))
			x->changes_run_times = true;
		simulation_lines += l->name.len > 3 && !memcmp(l->name.s, "SIM", 3);
	}
	x->submits_by_trace = x->simulation && x->queue_depth && by_time && !shifted;
	x->imp->where = (struct fsi_input_position){ 0 };
	if (simulation_lines && !x->simulation)
		fsi_import_warn_incomplete(
			x->imp, NULL,
			"%s/maui.cfg: SERVERMODE is not SIMULATION, so %zu simulation parameter%s no effect",
			x->imp->source->name, simulation_lines, simulation_lines == 1 ? " has" : "s have");
}

int fsi_maui_read_config(struct fsi_maui_import *x)
{
	struct fsi_maui_config c = { .x = x };
	const int rc = fsi_cfg_read_file(x, &c.cfg);

	if (!rc) {
		for (size_t i = 0; i < c.cfg.line.n; i++)
			warn_ignored_line(&c, &c.cfg.line.v[i]);
		fsi_maui_read_parameters(&c);
		fsi_maui_read_credentials(&c);
		read_node_settings(&c);
		read_simulation_settings(&c);
	}
	x->imp->where = (struct fsi_input_position){ 0 };
	fsi_cfg_release_lines(&c.cfg);
	return fsi_import_check_memory(x->imp, rc);
}

/* Applies one line of maui.cfg to an existing snapshot. The line is read like a maui.cfg with no other lines. */

struct config_text {
	const char *rest;
};

static int open_config_text(void *ctx, const char *file, void **stream)
{
	*stream = ctx;
	return strcmp(file, "maui.cfg") != 0;
}

static ptrdiff_t read_config_text(void *stream, void *buf, size_t size)
{
	struct config_text *t = stream;
	const size_t n = strnlen(t->rest, size);

	memcpy(buf, t->rest, n);
	t->rest += n;
	return (ptrdiff_t)n;
}

static void close_config_text(void *stream)
{
	(void)stream;
}

/* Adds the credentials of the snapshot to x->keys, and sets x->positions to the next free position of each kind of
 * credential. */
static void index_existing_credentials(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;

	for (size_t i = 0; i < m->credential.n; i++) {
		const struct fsi_credential *c = &m->credential.v[i];
		const int kind = (int)fsi_parse_cred_kind(fsi_name_text(m, c->kind));
		const uint32_t key[2] = { (uint32_t)kind, c->name };

		m->out_of_memory |= fsi_intern_add(&x->keys, key, sizeof(key)) == FSI_INTERN_FAILED;
		if (c->position >= x->positions[kind])
			x->positions[kind] = c->position + 1;
	}
}

/* Returns true if the line sets something for credentials: USERCFG and similar, or an old form such as QOSPRIORITY. */
static bool has_credential_line(const struct fsi_cfg *cfg)
{
	const struct fsi_span name = cfg->line.n ? cfg->line.v[0].name : (struct fsi_span){ "", 0 };

	return name.len > 3 && (!memcmp(name.s + name.len - 3, "CFG", 3) || !memcmp(name.s, "QOS", 3));
}

static int read_single_line(struct fsi_maui_import *x)
{
	struct fsi_maui_config c = { .x = x };
	int rc;

	index_existing_credentials(x);
	rc = fsi_cfg_read_file(x, &c.cfg);
	if (!rc)
		fsi_maui_read_parameters(&c);
	if (!rc && has_credential_line(&c.cfg))
		fsi_maui_read_credentials(&c);
	fsi_cfg_release_lines(&c.cfg);
	fsi_intern_release(&x->keys);
	fsi_intern_release(&x->warned_keys);
	return fsi_import_check_memory(x->imp, rc);
}

/* Copies of the parts of a snapshot that a line of maui.cfg can change. The copies are compared with the snapshot after
 * the change, and restored if the line is rejected. */
struct saved_state {
	struct fsi_config_entry *config;
	struct fsi_credential *credential;
	size_t configs, credentials, warnings;
};

static bool save_config_state(struct saved_state *b, const fs_snapshot *m)
{
	*b = (struct saved_state){ .configs = m->config.n, .credentials = m->credential.n, .warnings = m->warnings.n };
	b->config = malloc((b->configs + 1) * sizeof(*b->config));
	b->credential = malloc((b->credentials + 1) * sizeof(*b->credential));
	if (b->config && b->configs)
		memcpy(b->config, m->config.v, b->configs * sizeof(*b->config));
	if (b->credential && b->credentials)
		memcpy(b->credential, m->credential.v, b->credentials * sizeof(*b->credential));
	return b->config && b->credential;
}

static bool is_state_unchanged(const struct saved_state *b, const fs_snapshot *m)
{
	return m->config.n == b->configs && m->credential.n == b->credentials &&
	       (!b->configs || !memcmp(m->config.v, b->config, b->configs * sizeof(*b->config))) &&
	       (!b->credentials || !memcmp(m->credential.v, b->credential, b->credentials * sizeof(*b->credential)));
}

static void restore_config_state(const struct saved_state *b, fs_snapshot *m)
{
	m->config.n = b->configs;
	m->credential.n = b->credentials;
	if (b->configs)
		memcpy(m->config.v, b->config, b->configs * sizeof(*b->config));
	if (b->credentials)
		memcpy(m->credential.v, b->credential, b->credentials * sizeof(*b->credential));
}

/* Returns warning i of the snapshot without its file and line number: "what is wrong" for "maui.cfg:1: what is wrong".
 * Returns NULL if there is no warning i. */
static const char *get_line_warning(const fs_snapshot *m, size_t i)
{
	const char *s = i < m->warnings.n ? strstr(m->warnings.v[i], ":1: ") : NULL;

	return s ? s + strlen(":1: ") : NULL;
}

int fsi_maui_apply_line(fs_snapshot *m, const char *line, const char **wrong, const char **note, bool *changed,
			struct fs_error *err)
{
	static const struct fsi_outputs none = { NULL, 0 };
	static const struct fs_maui_import_options options = FS_MAUI_IMPORT_OPTIONS_INIT;
	struct config_text text = { line };
	const struct fs_source source = { &text, "", open_config_text, read_config_text, close_config_text, NULL };
	struct fsi_import imp = { .m = m, .source = &source, .err = err, .outputs = &none };
	struct fsi_maui_import x = { .imp = &imp, .o = &options };
	struct saved_state b;
	int rc = save_config_state(&b, m) ? read_single_line(&x) : fsi_fail_no_memory(err);

	*wrong = *note = NULL;
	if (!rc && m->warnings.n == b.warnings + x.notes)
		*note = get_line_warning(m, b.warnings);
	else if (!rc)
		*wrong = get_line_warning(m, b.warnings);
	*changed = !rc && !is_state_unchanged(&b, m);
	m->warnings.n = b.warnings;
	if (rc || *wrong)
		restore_config_state(&b, m);
	free(b.config);
	free(b.credential);
	return rc;
}
