#include "model/find.h"
#include "model/flux.h"
#include "model/maui.h"
#include "model/scheduler.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

/* ---- references between records */

struct reference_check {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;
	size_t problems;
};

static void report_job_reference(struct reference_check *c, const struct fsi_job *job, const char *what,
				 const char *name)
{
	char sentence[400];

	snprintf(sentence, sizeof(sentence), "%s:%u: job %llu: no %s \"%.100s\"", c->m->file,
		 job->rec.line, (unsigned long long)job->id, what, name);
	c->note(c->ctx, sentence);
	c->problems++;
}

/* Reports the user, group and account of a Maui job for which the snapshot has no credential. */
static void check_job_owners(struct reference_check *c, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const struct {
		enum fs_cred_kind kind;
		uint32_t name;
	} owners[] = { { FS_CRED_USER, job->user },
		       { FS_CRED_GROUP, job->group },
		       { FS_CRED_ACCT, job->account } };

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++)
		if (owners[i].name && fsi_creds_find(creds, owners[i].kind, owners[i].name) == FSI_NO_INDEX)
			report_job_reference(c, job, fs_cred_kind_name(owners[i].kind), fsi_str(c->m, owners[i].name));
}

/* Checks the user, group and account of all Maui jobs. Returns 0, without a check, if out of memory. */
static size_t check_credential_references(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct reference_check c = { m, note, ctx, 0 };
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m))
		return 0;
	for (size_t i = 0; i < m->job.n; i++)
		check_job_owners(&c, &creds, &m->job.v[i]);
	fsi_creds_release(&creds);
	return c.problems;
}

static void check_job_references(struct reference_check *c, const struct fsi_job *job)
{
	const fs_snapshot *m = c->m;
	size_t n;
	const uint32_t *names = fsi_list(m, job->partitions, &n);

	for (size_t i = 0; i < n; i++)
		if (!fsi_hidden(m, "partition") && !fsi_partition_find(m, names[i]))
			report_job_reference(c, job, "partition", fsi_str(m, names[i]));
	names = fsi_list(m, job->qos, &n);
	for (size_t i = 0; i < n; i++)
		if (!fsi_hidden(m, "qos") && !fsi_qos_find(m, names[i]))
			report_job_reference(c, job, "QOS", fsi_str(m, names[i]));
	if (job->account && !fsi_hidden(m, "association") && fsi_job_assoc(m, job) == FSI_NO_INDEX)
		report_job_reference(c, job, "association of its owner with account", fsi_str(m, job->account));
}

/* Notes that part of the association tree is hidden; which part follows from the rows and usage that are visible. */
static void note_hidden_tree(struct reference_check *c)
{
	const fs_snapshot *m = c->m;
	const uint32_t caller = m->head.captured_by;
	size_t others = 0, used = 0;
	char sentence[400];

	if (!fsi_hidden(m, "association") || !m->association.n)
		return;
	for (size_t i = 0; i < m->association.n; i++) {
		others += m->association.v[i].user && m->association.v[i].user != caller;
		used += FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s);
	}
	if (!others && caller)
		snprintf(sentence, sizeof(sentence),
			 "association: the only user listed is %.100s, who captured: others were hidden",
			 fsi_str(m, caller));
	else if (used < m->association.n)
		snprintf(sentence, sizeof(sentence), "association: the usage of %zu of %zu is not known%s",
			 m->association.n - used, m->association.n, used ? ": it was hidden from the capture" : "");
	else
		snprintf(sentence, sizeof(sentence),
			 "association: some accounts or users were hidden from the capture");
	c->note(c->ctx, sentence);
}

size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct reference_check c = { m, note, ctx, 0 };

	note_hidden_tree(&c);
	for (size_t i = 0; i < m->job.n; i++)
		check_job_references(&c, &m->job.v[i]);
	return c.problems;
}

size_t fs_snapshot_check(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	return m->scheduler->check ? m->scheduler->check(m, note, ctx) : 0;
}

/* ---- unknown values in a Flux capture */

/* Returns the number of pending jobs whose priority depends on an unknown queue, that of the last job of their
 * association. */
static size_t count_unknown_priorities(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const bool waits = job->state == FSI_STATE_PENDING && !FSI_HAS(job, JOB, priority);
		const uint32_t a = waits ? m->scheduler->charged_to(m, job) : FSI_NO_INDEX;

		n += a != FSI_NO_INDEX && !FSI_HAS(&m->association.v[a], ASSOCIATION, last_job);
	}
	return n;
}

static void note_unknown_last_jobs(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const size_t n = fsi_flux_queues_differ(m) ? count_unknown_priorities(m) : 0;
	const bool cut = fsi_hidden(m, FSI_HIDDEN_LAST_JOBS);
	char sentence[400];

	if (!n)
		return;
	snprintf(sentence, sizeof(sentence),
		 "%zu job%s no priority yet, and Flux will count with the queue of %s owner's last job, ended or not: %s",
		 n, n == 1 ? " has" : "s have", n == 1 ? "its" : "each one's",
		 cut ? "the ended jobs captured do not reach back to it, so that the priority is unknown"
		     : "jobs that ended were not captured, so that the last of those that have not is taken");
	note(ctx, sentence);
}

size_t fsi_check_flux(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	note_unknown_last_jobs(m, note, ctx);
	return fsi_check_references(m, note, ctx);
}

/* ---- unset parameters of maui.cfg, and credentials without settings */

/* A comma-separated list of names and values for one message. */
struct message_list {
	char text[1600];
	size_t len, n;
};

static void append_list_item(struct message_list *l, const char *name, const char *value)
{
	const int more = snprintf(l->text + l->len, sizeof(l->text) - l->len, "%s%s%s%s", l->n ? ", " : "", name,
				  *value ? " " : "", value);

	l->n++;
	if (more > 0)
		l->len += (size_t)more < sizeof(l->text) - l->len ? (size_t)more : sizeof(l->text) - l->len - 1;
}

static void note_message_list(const struct message_list *l, const char *what, fs_note_fn note, void *ctx)
{
	char sentence[sizeof(l->text) + 200];

	if (!l->n)
		return;
	snprintf(sentence, sizeof(sentence), "%s: %s", what, l->text);
	note(ctx, sentence);
}

static void list_unset_number(const fs_snapshot *m, struct message_list *l, const char *name, double value)
{
	char text[32];

	if (fsi_config_find(m, name))
		return;
	snprintf(text, sizeof(text), "%.0f", value);
	append_list_item(l, name, text);
}

static void list_unset_word(const fs_snapshot *m, struct message_list *l, const char *name, const char *value)
{
	if (!fsi_config_find(m, name))
		append_list_item(l, name, value);
}

/* Notes the parameters that are missing in the file. Maui sets their defaults before it reads the file
 * (src/moab/MPar.c:MParSetDefaults). */
static void note_default_parameters(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char values[] = "not set in maui.cfg, with Maui's default",
			  none[] = "not set in maui.cfg, and by default without effect";
	struct message_list l = { .n = 0 }, weights = { .n = 0 };
	struct fsi_maui_conf c;
	struct fs_error err;

	if (fsi_hidden(m, "config") || fsi_maui_conf_load(m, &c, &err))
		return;
	list_unset_word(m, &l, "FSPOLICY", fsi_fs_policy_names[c.policy]);
	list_unset_number(m, &l, "FSINTERVAL", (double)c.interval_s);
	list_unset_number(m, &l, "FSDEPTH", c.depth);
	list_unset_number(m, &l, "FSDECAY", c.decay);
	list_unset_number(m, &l, "RMPOLLINTERVAL", (double)c.poll_s);
	list_unset_number(m, &l, "XFMINWCLIMIT", (double)c.xf_min_wclimit_s);
	list_unset_word(m, &l, "REJECTNEGPRIOJOBS", "FALSE");
	list_unset_word(m, &l, "ENABLENEGJOBPRIORITY", "FALSE");
	list_unset_word(m, &l, "USESYSTEMQUEUETIME", "TRUE");
	for (size_t i = 0; i < FSI_MAUI_GROUP_COUNT; i++)
		list_unset_number(m, &l, fsi_maui_groups[i].weight, c.group_weight[i]);
	for (size_t i = 0; i < FSI_MAUI_TERM_COUNT; i++)
		if (c.weight[i] != 0)
			list_unset_number(m, &l, fsi_maui_terms[i].weight, c.weight[i]);
		else
			list_unset_word(m, &weights, fsi_maui_terms[i].weight, "");
	note_message_list(&l, values, note, ctx);
	note_message_list(&weights, none, note, ctx);
}

/* Notes caps that are not set: a sum without a cap is unbounded (src/moab/MPriority.c: MJobGetStartPriority). */
static void note_unset_caps(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct message_list l = { .n = 0 };

	for (size_t i = 0; i < FSI_MAUI_GROUP_COUNT; i++)
		list_unset_word(m, &l, fsi_maui_groups[i].cap, "");
	for (size_t i = 0; i < FSI_MAUI_TERM_COUNT; i++)
		list_unset_word(m, &l, fsi_maui_terms[i].cap, "");
	note_message_list(&l, "not set in maui.cfg, so that nothing is capped", note, ctx);
}

/* Notes missing parameters that affect only the plan; their defaults are in libfs/plan/maui_state.c. */
static void note_plan_defaults(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char *const names[] = { "BACKFILLPOLICY",	"BACKFILLMETRIC",	     "RESERVATIONPOLICY", "BACKFILLDEPTH", "NODEACCESSPOLICY",
					     "RESERVATIONDEPTH",	"RESERVATIONTHRESHOLDTYPE",  "DEFERTIME",
					     "RESERVATIONTHRESHOLDVALUE", "JOBPRIOACCRUALPOLICY", "NODEALLOCATIONPOLICY" };
	struct message_list l = { .n = 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		list_unset_word(m, &l, names[i], "");
	note_message_list(&l, "not set in maui.cfg, so that plans go by Maui's default", note, ctx);
}

/* Notes how many users, groups, accounts, QOS and classes have each setting. A credential without settings has no
 * target, no limit and priority 0. */
static void note_credential_settings(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct message_list l = { .n = 0 };
	size_t all = 0;

	for (unsigned bit = 0; bit < fsi_record_table(FSI_RECORD_CREDENTIAL)->nfields; bit++) {
		const struct fsi_field *f = &fsi_record_table(FSI_RECORD_CREDENTIAL)->fields[bit];
		char text[24];
		size_t n = 0;

		if (bit == FSI_CREDENTIAL_kind || bit == FSI_CREDENTIAL_name || bit == FSI_CREDENTIAL_position)
			continue;
		for (size_t i = 0; i < m->credential.n; i++)
			n += fsi_known(&m->credential.v[i].rec, bit);
		snprintf(text, sizeof(text), "%zu", n);
		if (n)
			append_list_item(&l, f->key, text);
		all += n;
	}
	note_message_list(&l, "settings of credentials in maui.cfg, which the others lack", note, ctx);
	if (!all && m->credential.n)
		note(ctx, "no settings of credentials in maui.cfg: none has a target, a limit or a priority");
}

/* Notes kinds without any line in a window. A credential without a line has used nothing in that window
 * (src/moab/MFS.c: MFSLoadDataFile). Lines of accounts, classes and QOS are optional in a window. */
static void note_window_kinds(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char *const kinds[] = { "acct", "class", "qos" };
	struct message_list l = { .n = 0 };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		char text[24];
		size_t without = 0;

		for (size_t i = 0, next; i < m->window.n; i = next) {
			bool has = false;

			for (next = i; next < m->window.n && m->window.v[next].start == m->window.v[i].start; next++)
				has = has || !strcmp(fsi_str(m, m->window.v[next].kind), kinds[k]);
			without += !has;
		}
		snprintf(text, sizeof(text), "%zu", without);
		if (without)
			append_list_item(&l, kinds[k], text);
	}
	note_message_list(&l, "windows without a line of the kind, so that none of it used anything", note, ctx);
}

static void note_future_jobs(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	char sentence[100];
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += m->job.v[i].state == FSI_STATE_FUTURE;
	snprintf(sentence, sizeof(sentence), "%zu job%s not submitted yet, so that plans alone heed %s", n,
		 n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
	if (n)
		note(ctx, sentence);
}

size_t fsi_check_maui(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	note_default_parameters(m, note, ctx);
	note_unset_caps(m, note, ctx);
	note_plan_defaults(m, note, ctx);
	note_credential_settings(m, note, ctx);
	note_window_kinds(m, note, ctx);
	note_future_jobs(m, note, ctx);
	return check_credential_references(m, note, ctx);
}

/* ---- cells and keys that Slurm does not print if they are unset */

struct unset_counts {
	size_t preempt, priority, billing;
};

/* Counts unset values. sacctmgr leaves the cell of an unset value empty (src/sacctmgr/common.c). scontrol omits an
 * unset TRESBillingWeights (src/api/partition_info.c: slurm_sprint_partition_info). */
static struct unset_counts count_unset_values(const fs_snapshot *m)
{
	struct unset_counts u = { 0 };

	for (size_t i = 0; i < m->qos.n; i++) {
		u.preempt += !m->qos.v[i].preempt;
		u.priority += !FSI_HAS(&m->qos.v[i], QOS, priority);
	}
	for (size_t i = 0; i < m->partition.n; i++)
		u.billing += !FSI_HAS(&m->partition.v[i], PARTITION, billing_weights);
	return u;
}

size_t fsi_check_slurm(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const struct unset_counts u = count_unset_values(m);
	char sentence[200];

	if (u.preempt) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: Preempt of %zu of %zu QOS, which preempt none", u.preempt, m->qos.n);
		note(ctx, sentence);
	}
	if (u.priority) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: Priority of %zu of %zu QOS, which have 0", u.priority, m->qos.n);
		note(ctx, sentence);
	}
	if (u.billing) {
		snprintf(sentence, sizeof(sentence), "left to Slurm: TRESBillingWeights of %zu of %zu partitions, where each CPU counts for one",
			 u.billing, m->partition.n);
		note(ctx, sentence);
	}
	return fsi_check_references(m, note, ctx);
}
