#include "model/maui_tables.h"

#include "model/maui.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

/* Notes each owner of the job (user, group or account) that is not among the credentials. */
static void check_job_owners(struct fsi_checker *c, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const struct {
		enum fs_cred_kind kind;
		uint32_t name;
	} owners[] = { { FS_CRED_USER, job->user },
		       { FS_CRED_GROUP, job->group },
		       { FS_CRED_ACCT, job->account } };

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++)
		if (owners[i].name && fsi_creds_find(creds, owners[i].kind, owners[i].name) == FSI_NO_INDEX)
			fsi_check_note_job(c, job, fs_cred_kind_name(owners[i].kind),
					   fsi_name_text(c->m, owners[i].name));
}

/* Calls check_job_owners for all jobs. Returns the number of owners that are not among the credentials. */
static size_t check_all_owners(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct fsi_checker c = { m, note, ctx, 0 };
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m))
		return 0;
	for (size_t i = 0; i < m->job.n; i++)
		check_job_owners(&c, &creds, &m->job.v[i]);
	fsi_creds_release(&creds);
	return c.count;
}

/* ---- settings that maui.cfg does not contain: Maui uses its defaults for these settings */

/* A comma-separated list of words for one sentence; a word that does not fit is cut. */
struct word_list {
	char text[1600];
	size_t len, n;
};

/* Appends a name to the list, followed by its value if the value is not empty. */
static void append_list_word(struct word_list *l, const char *name, const char *value)
{
	const int more = snprintf(l->text + l->len, sizeof(l->text) - l->len, "%s%s%s%s", l->n ? ", " : "", name,
				  *value ? " " : "", value);

	l->n++;
	if (more > 0)
		l->len += (size_t)more < sizeof(l->text) - l->len ? (size_t)more : sizeof(l->text) - l->len - 1;
}

/* Notes the sentence "WHAT: LIST". Notes nothing if the list is empty. */
static void note_word_list(const struct word_list *l, const char *what, fs_note_fn note, void *ctx)
{
	char sentence[sizeof(l->text) + 200];

	if (!l->n)
		return;
	snprintf(sentence, sizeof(sentence), "%s: %s", what, l->text);
	note(ctx, sentence);
}

/* If the configuration does not set the parameter, appends the parameter and its default `value` to the list. */
static void append_unset_number(const fs_snapshot *m, struct word_list *l, const char *name, double value)
{
	char text[32];

	if (fsi_config_find(m, name))
		return;
	snprintf(text, sizeof(text), "%.0f", value);
	append_list_word(l, name, text);
}

static void append_unset_word(const fs_snapshot *m, struct word_list *l, const char *name, const char *value)
{
	if (!fsi_config_find(m, name))
		append_list_word(l, name, value);
}

/* Calls `note` with the parameters that maui.cfg does not set. Such a parameter has the value that Maui sets before it
 * reads maui.cfg (src/moab/MPar.c:MParSetDefaults). */
static void note_unset_parameters(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char values[] = "not set in maui.cfg (Maui's default applies)",
			  none[] = "not set in maui.cfg (no effect by default)";
	struct word_list l = { .n = 0 }, weights = { .n = 0 };
	struct fsi_maui_conf c;
	struct fs_error err;

	if (fsi_is_type_hidden(m, "config") || fsi_maui_conf_load(m, &c, &err))
		return;
	append_unset_word(m, &l, "FSPOLICY", fsi_fs_policy_names[c.policy]);
	append_unset_number(m, &l, "FSINTERVAL", (double)c.interval_s);
	append_unset_number(m, &l, "FSDEPTH", c.depth);
	append_unset_number(m, &l, "FSDECAY", c.decay);
	append_unset_number(m, &l, "RMPOLLINTERVAL", (double)c.poll_s);
	append_unset_number(m, &l, "XFMINWCLIMIT", (double)c.xf_min_wclimit_s);
	append_unset_word(m, &l, "REJECTNEGPRIOJOBS", "FALSE");
	append_unset_word(m, &l, "ENABLENEGJOBPRIORITY", "FALSE");
	append_unset_word(m, &l, "USESYSTEMQUEUETIME", "TRUE");
	for (size_t i = 0; i < FSI_MAUI_GROUP_COUNT; i++)
		append_unset_number(m, &l, fsi_maui_groups[i].weight, c.group_weight[i]);
	for (size_t i = 0; i < FSI_MAUI_TERM_COUNT; i++)
		if (c.weight[i] != 0)
			append_unset_number(m, &l, fsi_maui_terms[i].weight, c.weight[i]);
		else
			append_unset_word(m, &weights, fsi_maui_terms[i].weight, "");
	note_word_list(&l, values, note, ctx);
	note_word_list(&weights, none, note, ctx);
}

/* Calls `note` with the priority caps that maui.cfg does not set. Without a cap, a sum of priority terms has no bound
 * (src/moab/MPriority.c: MJobGetStartPriority). */
static void note_unset_caps(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct word_list l = { .n = 0 };

	for (size_t i = 0; i < FSI_MAUI_GROUP_COUNT; i++)
		append_unset_word(m, &l, fsi_maui_groups[i].cap, "");
	for (size_t i = 0; i < FSI_MAUI_TERM_COUNT; i++)
		append_unset_word(m, &l, fsi_maui_terms[i].cap, "");
	note_word_list(&l, "not set in maui.cfg (no cap)", note, ctx);
}

/* Calls `note` with the parameters that maui.cfg does not set and that only plans use. Their defaults are in
 * libfs/plan/maui_state.c. */
static void note_unset_plan_parameters(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char *const names[] = { "BACKFILLPOLICY",	"BACKFILLMETRIC",	     "RESERVATIONPOLICY", "BACKFILLDEPTH", "NODEACCESSPOLICY",
					     "RESERVATIONDEPTH",	"RESERVATIONTHRESHOLDTYPE",  "DEFERTIME",
					     "RESERVATIONTHRESHOLDVALUE", "JOBPRIOACCRUALPOLICY", "NODEALLOCATIONPOLICY" };
	struct word_list l = { .n = 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		append_unset_word(m, &l, names[i], "");
	note_word_list(&l, "not set in maui.cfg (plans use Maui's default)", note, ctx);
}

/* Calls `note` with the number of credentials (users, groups, accounts, QOS and classes) that have each setting. A
 * credential without settings has no target, no limit and the priority 0. */
static void note_unset_credentials(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	struct word_list l = { .n = 0 };
	size_t all = 0;

	for (unsigned bit = 0; bit < fsi_record_table(FSI_RECORD_CREDENTIAL)->nfields; bit++) {
		const struct fsi_field *f = &fsi_record_table(FSI_RECORD_CREDENTIAL)->fields[bit];
		char text[24];
		size_t n = 0;

		if (bit == FSI_CREDENTIAL_kind || bit == FSI_CREDENTIAL_name || bit == FSI_CREDENTIAL_position)
			continue;
		for (size_t i = 0; i < m->credential.n; i++)
			n += fsi_is_field_known(&m->credential.v[i].rec, bit);
		snprintf(text, sizeof(text), "%zu", n);
		if (n)
			append_list_word(&l, f->key, text);
		all += n;
	}
	note_word_list(&l, "number of credentials with each setting in maui.cfg", note, ctx);
	if (!all && m->credential.n)
		note(ctx, "maui.cfg has no settings of credentials: no credential has a target, a limit or a priority");
}

/* Calls `note` with the number of windows whose files have no line for any account, class or QOS. Such a file is valid:
 * a credential without a line used nothing in the window (src/moab/MFS.c: MFSLoadDataFile). */
static void note_empty_windows(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	static const char *const kinds[] = { "acct", "class", "qos" };
	struct word_list l = { .n = 0 };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		char text[24];
		size_t without = 0;

		for (size_t i = 0, next; i < m->window.n; i = next) {
			bool has = false;

			for (next = i; next < m->window.n && m->window.v[next].start == m->window.v[i].start; next++)
				has = has || !strcmp(fsi_name_text(m, m->window.v[next].kind), kinds[k]);
			without += !has;
		}
		snprintf(text, sizeof(text), "%zu", without);
		if (without)
			append_list_word(&l, kinds[k], text);
	}
	note_word_list(&l, "number of usage windows without a line for each kind (no usage)", note, ctx);
}

/* Notes the jobs that are not submitted yet. Only plans use such jobs. */
static void note_future_jobs(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	char sentence[100];
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += m->job.v[i].state == FSI_STATE_FUTURE;
	snprintf(sentence, sizeof(sentence), "%zu job%s not submitted yet; only plans use %s", n,
		 n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
	if (n)
		note(ctx, sentence);
}

size_t fsi_check_maui_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	note_unset_parameters(m, note, ctx);
	note_unset_caps(m, note, ctx);
	note_unset_plan_parameters(m, note, ctx);
	note_unset_credentials(m, note, ctx);
	note_empty_windows(m, note, ctx);
	note_future_jobs(m, note, ctx);
	return check_all_owners(m, note, ctx);
}
