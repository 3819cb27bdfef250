#include "model/maui.h"
#include "fs/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Credentials: the order of Maui's lists.
 *
 * Hash (src/moab/MUtil.c:MUGetHash): the 64-bit sum of the following term over all characters c of the name, modulo the
 * size of the table:
 *
 *   (int)(0x0f0f * x[i % 11] * (c - '.')) shifted left by i % 6
 *
 * Here i is the position of c in the name, and x is the array `factors` in fsi_maui_hash_name. Slot 0 is not used. A
 * name whose slot is taken goes to the next free slot (src/moab/MCred.c:MUserAdd and similar functions). QOS and
 * classes are plain arrays. */

enum { HASH_TABLE_SIZE = 1024 };

uint32_t fsi_maui_find_default(const struct fsi_creds *x, const fs_snapshot *m, enum fs_cred_kind kind)
{
	return kind == FS_CRED_CLASS ? FSI_NO_INDEX : fsi_creds_find(x, kind, fsi_name_find(m, "DEFAULT"));
}

void fsi_maui_set_number(struct fsi_credential *cr, unsigned bit, int32_t v)
{
	const struct fsi_field *f = &fsi_record_table(FSI_RECORD_CREDENTIAL)->fields[bit];

	memcpy((char *)cr + f->offset, &v, sizeof(v));
	fsi_mark_known(&cr->rec, bit);
}

int32_t fsi_maui_get_number(const struct fsi_credential *cr, unsigned bit)
{
	int32_t v;

	memcpy(&v, (const char *)cr + fsi_record_table(FSI_RECORD_CREDENTIAL)->fields[bit].offset, sizeof(v));
	return v;
}

const char *fsi_maui_job_qos_name(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t qos = fsi_job_qos_or_default(m, job);

	return qos ? fsi_name_text(m, qos) : "DEFAULT";
}

const enum fs_cred_kind fsi_maui_qlist_kinds[FSI_MAUI_QLIST_KIND_COUNT] = { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT,
									    FS_CRED_CLASS };

bool fsi_maui_may_use_qos(const fs_snapshot *m, const struct fsi_creds *creds, const struct fsi_job *job, uint32_t qos)
{
	const uint32_t fallback = fsi_name_find(m, "DEFAULT");
	uint32_t rows[FS_CRED_KINDS];

	fsi_job_find_creds(m, creds, job, rows);
	for (int i = 0; i < FSI_MAUI_QLIST_KIND_COUNT; i++) {
		const uint32_t own = rows[fsi_maui_qlist_kinds[i]],
			       other = fsi_creds_find(creds, fsi_maui_qlist_kinds[i], fallback);
		uint32_t list = own == FSI_NO_INDEX ? 0 : m->credential.v[own].qos;

		if (!list && own != FSI_NO_INDEX && other != FSI_NO_INDEX)
			list = m->credential.v[other].qos;
		if (fsi_list_has_word(m, list, fsi_name_text(m, qos)))
			return true;
	}
	return false;
}

bool fsi_maui_node_has_class(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	size_t n;
	const uint32_t *classes = fsi_list_items(m, job->partitions, &n);

	return !n || !node->partitions || fsi_list_has_word(m, node->partitions, fsi_name_text(m, classes[0]));
}

bool fsi_maui_node_has_features(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	const char *s = fsi_name_text(m, job->features);

	while (*s) {
		const size_t len = strcspn(s, "&");
		char name[128];

		if (len >= sizeof(name))
			return false;
		memcpy(name, s, len);
		name[len] = '\0';
		if (!fsi_list_has_word(m, node->features, name))
			return false;
		s += len + (s[len] == '&');
	}
	return true;
}

/* Returns true if the comparison `has` OP `wants` holds. `word` begins with the operator OP (src/MUtil.c:
 * MUCompare). */
static bool satisfies_comparison_operator(const char *word, double has, double wants)
{
	static const char *const greater[] = { ">", ">=", "<>", "!=" }, *const equal[] = { "=", "==", ">=", "<=" },
				       *const less[] = { "<", "<=", "<>", "!=" };
	const char *const *words = has > wants ? greater : has < wants ? less : equal;
	const size_t len = strspn(word, "<>=!");

	for (size_t i = 0; i < sizeof(equal) / sizeof(*equal); i++)
		if (len == strlen(words[i]) && !strncmp(word, words[i], len))
			return true;
	return false;
}

static bool is_need_named(const char *need, const char *end, const char *name)
{
	return strlen(name) == (size_t)(end - need) && !strncmp(need, name, strlen(name));
}

static bool is_need_met(const fs_snapshot *m, const struct fsi_node *node, const char *need)
{
	const char *word = need + strcspn(need, "<>=!"), *value = word + strspn(word, "<>=!"), *text = NULL;

	if (is_need_named(need, word, "opsys") && FSI_HAS(node, NODE, opsys))
		text = fsi_name_text(m, node->opsys);
	else if (is_need_named(need, word, "arch") && FSI_HAS(node, NODE, arch))
		text = fsi_name_text(m, node->arch);
	else if (is_need_named(need, word, "cpu") && FSI_HAS(node, NODE, cpus))
		return satisfies_comparison_operator(word, node->cpus, strtod(value, NULL));
	else if (is_need_named(need, word, "mem") && FSI_HAS(node, NODE, mem_mb))
		return satisfies_comparison_operator(word, (double)node->mem_mb, strtod(value, NULL));
	return !text || !strcmp(text, value);
}

const char *fsi_maui_find_unmet_need(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	size_t n;
	const uint32_t *needs = fsi_list_items(m, fsi_job_ext(m, job)->node_needs, &n);

	for (size_t i = 0; i < n; i++)
		if (!is_need_met(m, node, fsi_name_text(m, needs[i])))
			return fsi_name_text(m, needs[i]);
	return NULL;
}

uint32_t fsi_maui_partition_of_node(const struct fsi_node *node)
{
	return FSI_HAS(node, NODE, maui_partition) ? node->maui_partition : 0;
}

bool fsi_maui_is_first_of_partition(const fs_snapshot *m, size_t i)
{
	const uint32_t partition = fsi_maui_partition_of_node(&m->node.v[i]);

	if (i && fsi_maui_partition_of_node(&m->node.v[i - 1]) == partition)
		return false;
	for (size_t k = 0; k < i; k++)
		if (fsi_maui_partition_of_node(&m->node.v[k]) == partition)
			return false;
	return true;
}

bool fsi_maui_node_suits_job(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	return fsi_maui_node_has_class(m, job, node) && fsi_maui_node_has_features(m, job, node) &&
	       !fsi_maui_find_unmet_need(m, job, node);
}

int64_t fsi_maui_job_tasks(const struct fsi_job *job)
{
	return job->tasks ? job->tasks : job->cpus;
}

int64_t fsi_maui_tasks_per_node(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t each = FSI_HAS(job, JOB, tasks_per_node) ? fsi_job_ext(m, job)->tasks_per_node : 0;

	return each < fsi_maui_job_tasks(job) ? each : fsi_maui_job_tasks(job);
}

int64_t fsi_maui_amount_per_task(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	const int64_t tasks = fsi_maui_job_tasks(job);
	const int64_t each = tasks ? fsi_amount_of_tres(m, job->tres_req, fsi_name_find(m, tres)) / tasks : 0;

	return !each && tasks && !strcmp(tres, "cpu") ? job->cpus / tasks : each;
}

uint32_t fsi_maui_hash_name(const char *name)
{
	static const uint32_t factors[] = { 7, 11, 17, 23, 31, 37, 43, 47, 51, 53, 57 };
	uint64_t key = 0;

	for (size_t i = 0; name[i]; i++) {
		const int64_t v = (int64_t)0x0f0f * (int64_t)factors[i % 11] * ((signed char)name[i] - '.');

		/* Maui stores each term in an int, and extends the term's sign when it adds the term to the 64-bit
		 * sum */
		key += (uint64_t)(int64_t)(int32_t)((uint32_t)v << (i % 6));
	}
	key %= HASH_TABLE_SIZE;
	return key ? (uint32_t)key : 1;
}

struct list_position {
	uint32_t position, row;
};

static int compare_list_positions(const void *x, const void *y)
{
	const struct list_position *a = x, *b = y;

	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	return (a->row > b->row) - (a->row < b->row);
}

/* Replaces the position of each element by the hash slot of its name. If another name has that slot already, the next
 * free slot is used. */
static int replace_by_hash_slots(const fs_snapshot *m, struct list_position *v, size_t n)
{
	const size_t slots = HASH_TABLE_SIZE + n + 1;
	bool *taken = calloc(slots, sizeof(*taken));

	if (!taken)
		return -1;
	for (size_t i = 0; i < n; i++) {
		uint32_t slot = fsi_maui_hash_name(fsi_name_text(m, m->credential.v[v[i].row].name));

		while (taken[slot])
			slot++;
		taken[slot] = true;
		v[i].position = slot;
	}
	free(taken);
	return 0;
}

int64_t fsi_maui_list_credentials(const fs_snapshot *m, enum fs_cred_kind kind, uint32_t **out)
{
	struct list_position *v = calloc(m->credential.n + 1, sizeof(*v));
	size_t n = 0;

	*out = calloc(m->credential.n + 1, sizeof(**out));
	if (!v || !*out)
		goto nomem;
	for (uint32_t i = 0; i < m->credential.n; i++) {
		const struct fsi_credential *c = &m->credential.v[i];

		if (fsi_parse_cred_kind(fsi_name_text(m, c->kind)) == (int)kind)
			v[n++] = (struct list_position){ FSI_HAS(c, CREDENTIAL, position) ? c->position
										  : UINT32_MAX,
						 i };
	}
	qsort(v, n, sizeof(*v), compare_list_positions);
	if (kind != FS_CRED_QOS && kind != FS_CRED_CLASS) {
		if (replace_by_hash_slots(m, v, n))
			goto nomem;
		qsort(v, n, sizeof(*v), compare_list_positions);
	}
	for (size_t i = 0; i < n; i++)
		(*out)[i] = v[i].row;
	free(v);
	return (int64_t)n;
nomem:
	free(v);
	free(*out);
	*out = NULL;
	return -1;
}

bool fsi_maui_has_reservation(const fs_snapshot *m, const struct fsi_maui_state *state, size_t job)
{
	return state ? state->reservation_start[job] != FS_UNKNOWN : fs_job_flag(m, job, "RESERVED");
}

bool fsi_maui_reservation_admits_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *classes = fsi_list_items(m, job->partitions, &n);
	const uint32_t qos = fsi_job_qos_or_default(m, job);

	return FSI_HAS(r, RESERVATION, admits_told) && r->admits_told &&
	       ((job->user && fsi_list_has_word(m, r->users, fsi_name_text(m, job->user))) ||
		(job->group && fsi_list_has_word(m, r->groups, fsi_name_text(m, job->group))) ||
		(job->account && fsi_list_has_word(m, r->accounts, fsi_name_text(m, job->account))) ||
		(n && fsi_list_has_word(m, r->classes, fsi_name_text(m, classes[0]))) ||
		(qos && fsi_list_has_word(m, r->qos, fsi_name_text(m, qos))));
}

void fsi_maui_format_indexed(char *buf, size_t size, const char *parameter, unsigned index)
{
	if (index)
		snprintf(buf, size, "%s[%u]", parameter, index);
	else
		snprintf(buf, size, "%s", parameter);
}

void fsi_maui_read_buckets(const fs_snapshot *m, struct fsi_maui_bucket b[FSI_MAUI_BUCKETS])
{
	for (unsigned i = 0; i < FSI_MAUI_BUCKETS; i++) {
		char name[40];

		fsi_maui_format_indexed(name, sizeof(name), "RESERVATIONDEPTH", i);
		b[i].depth = fsi_config_get_int(m, name, i == 0);
		fsi_maui_format_indexed(name, sizeof(name), "RESERVATIONQOSLIST", i);
		b[i].qos = fs_snapshot_config_text(m, name);
	}
}

static bool has_listed_qos(const char *words, const char *qos)
{
	const size_t len = strlen(qos);

	for (const char *at = words; *at;) {
		const size_t word = strcspn(at, " ");

		if (word == len && !memcmp(at, qos, len))
			return true;
		at += word;
		at += strspn(at, " ");
	}
	return false;
}

bool fsi_maui_bucket_has_all(const struct fsi_maui_bucket *b)
{
	return !b->qos || has_listed_qos(b->qos, FSI_MAUI_EVERY_QOS);
}

unsigned fsi_maui_find_bucket(const struct fsi_maui_bucket *b, const char *qos)
{
	unsigned i = 0;

	while (i < FSI_MAUI_BUCKETS &&
	       (!b[i].depth || !(fsi_maui_bucket_has_all(&b[i]) || has_listed_qos(b[i].qos, qos))))
		i++;
	return i;
}

/* ---- parameters
 *
 * Default values come from Maui's code (src/moab/MPar.c: MParSetDefaults, include/msched.h), or from its manual
 * (appendix F: component weights 0, FSINTERVAL 24:00:00, FSDEPTH 7). */

#define MAUI_GROUP_ROW(tag, name, weight, cap) { name, weight, cap, FSI_MG_##tag },
const struct fsi_maui_part fsi_maui_groups[] = { FSI_MAUI_GROUPS(MAUI_GROUP_ROW) };

#define MAUI_TERM_ROW(tag, group, name, weight, cap) { name, weight, cap, FSI_MG_##group },
const struct fsi_maui_part fsi_maui_terms[] = { FSI_MAUI_TERMS(MAUI_TERM_ROW) };

const char *const fsi_fs_policy_names[] = { "[NONE]", "DEDICATEDPS", "DEDICATEDPES", "UTILIZEDPS" };

/* Reads the parameter as a number; *out keeps its value if the parameter is missing. */
static int read_number_parameter(const fs_snapshot *m, const char *name, double *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT && e->kind != FSI_CONFIG_DOUBLE)
		return fsi_config_reject_value(m, e, "a number", err);
	*out = e->kind == FSI_CONFIG_INT ? (double)e->i : e->d;
	return 0;
}

static int read_int_parameter(const fs_snapshot *m, const char *name, int64_t min, int64_t max, int64_t *out,
			      struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);
	char want[80];

	if (!e)
		return 0;
	snprintf(want, sizeof(want), "an integer from %lld to %lld", (long long)min, (long long)max);
	if (e->kind != FSI_CONFIG_INT || e->i < min || e->i > max)
		return fsi_config_reject_value(m, e, want, err);
	*out = e->i;
	return 0;
}

static int read_bool_parameter(const fs_snapshot *m, const char *name, bool *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_BOOL)
		return fsi_config_reject_value(m, e, "true or false", err);
	*out = e->i != 0;
	return 0;
}

static int read_fs_policy(const fs_snapshot *m, struct fsi_maui_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "FSPOLICY");
	const char *s = e && e->kind == FSI_CONFIG_STR ? fsi_name_text(m, (uint32_t)e->i) : NULL;
	size_t len;

	if (!e)
		return 0;
	if (!s)
		return fsi_config_reject_value(m, e, "a string", err);
	len = strcspn(s, "%");
	c->ratio = s[len] == '%';
	for (int i = FSI_FS_DEDICATEDPS; i < FSI_FS_POLICIES; i++)
		if (strlen(fsi_fs_policy_names[i]) == len && !memcmp(fsi_fs_policy_names[i], s, len))
			c->policy = (enum fsi_fs_policy)i;
	if (!c->policy && (len != 4 || memcmp(s, "NONE", 4) != 0))
		return fsi_config_reject_value(
			m, e, "NONE, DEDICATEDPS, DEDICATEDPES or UTILIZEDPS, optionally followed by %", err);
	return 0;
}

/* Reads the weights and caps of n components or terms. */
static int read_priority_parts(const fs_snapshot *m, const struct fsi_maui_part *part, int n, double *weight,
			       double *cap, struct fs_error *err)
{
	const bool unknown = fsi_is_type_hidden(m, "config");

	for (int i = 0; i < n; i++) {
		weight[i] = unknown				   ? (double)NAN
			    : part == fsi_maui_groups || i == FSI_MT_QUEUETIME ? 1
								   : 0;
		cap[i] = 0;
		if (read_number_parameter(m, part[i].weight, &weight[i], err) ||
		    read_number_parameter(m, part[i].cap, &cap[i], err))
			return FS_EDATA;
	}
	return 0;
}

/* Returns true if the value of the parameter is known. If the snapshot lacks the parameter, but has all parameters that
 * maui.cfg sets, the value is Maui's default. Returns false if maui.cfg may set a parameter that the snapshot lacks. */
static bool is_parameter_known(const fs_snapshot *m, const char *name)
{
	return fsi_config_find(m, name) || !fsi_is_type_hidden(m, "config");
}

int fsi_maui_conf_load(const fs_snapshot *m, struct fsi_maui_conf *c, struct fs_error *err)
{
	int64_t depth = 8;

	*c = (struct fsi_maui_conf){ .interval_s = 43200,
				     .poll_s = FSI_MAUI_POLL_S,
				     .xf_min_wclimit_s = 120,
				     .decay = 1,
				     .system_queue_time = true,
				     .has_policy = is_parameter_known(m, "FSPOLICY"),
				     .has_interval = is_parameter_known(m, "FSINTERVAL"),
				     .has_depth = is_parameter_known(m, "FSDEPTH"),
				     .has_decay = is_parameter_known(m, "FSDECAY") };
	if (read_fs_policy(m, c, err) || read_int_parameter(m, "FSINTERVAL", 1, INT32_MAX, &c->interval_s, err) ||
	    read_int_parameter(m, "FSDEPTH", 0, FSI_MAUI_MAX_DEPTH, &depth, err) ||
	    read_number_parameter(m, "FSDECAY", &c->decay, err) ||
	    read_int_parameter(m, "RMPOLLINTERVAL", 1, INT32_MAX, &c->poll_s, err) ||
	    read_int_parameter(m, "XFMINWCLIMIT", 0, INT32_MAX, &c->xf_min_wclimit_s, err) ||
	    read_bool_parameter(m, "REJECTNEGPRIOJOBS", &c->reject_negative, err) ||
	    read_bool_parameter(m, "ENABLENEGJOBPRIORITY", &c->enable_negative, err) ||
	    read_bool_parameter(m, "USESYSTEMQUEUETIME", &c->system_queue_time, err) ||
	    read_priority_parts(m, fsi_maui_groups, FSI_MAUI_GROUP_COUNT, c->group_weight, c->group_cap, err) ||
	    read_priority_parts(m, fsi_maui_terms, FSI_MAUI_TERM_COUNT, c->weight, c->cap, err))
		return FS_EDATA;
	c->depth = (uint32_t)depth;
	return 0;
}

/* Processor equivalents: the number of processors that other jobs cannot use because of a job.
 *
 *   PE = tasks * max(fraction of the cluster's processors, memory, disk, swap that one task uses) * processors
 *
 * Source: src/moab/MJob.c:MJobGetPE. */

double fsi_maui_requested_amount(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	return (double)fsi_amount_of_tres(m, job->tres_req, fsi_name_find(m, tres));
}

struct fsi_maui_totals fsi_maui_count_totals(const fs_snapshot *m)
{
	const uint32_t swap = fsi_name_find(m, "swap"), disk = fsi_name_find(m, "disk");
	struct fsi_maui_totals t = { 0 };

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		t.procs += node->cpus;
		t.mem_mb += (double)node->mem_mb;
		t.swap_mb += swap ? (double)fsi_amount_of_tres(m, node->tres, swap) : 0;
		t.disk_mb += disk ? (double)fsi_amount_of_tres(m, node->tres, disk) : 0;
	}
	if (fsi_is_type_hidden(m, "node") || !m->node.n)
		t = (struct fsi_maui_totals){ NAN, NAN, NAN, NAN };
	return t;
}

static double larger_share(double share, double amount, double total)
{
	return amount > 0 && total > 0 && amount / total > share ? amount / total : share;
}

double fsi_maui_processor_equivalents(const fs_snapshot *m, const struct fsi_maui_totals *t, const struct fsi_job *job)
{
	const double tasks = job->tasks;
	double share;

	if (!(t->procs > 0) || tasks <= 0)
		return isnan(t->procs) ? NAN : 0;
	share = (double)job->cpus_per_task / t->procs;
	share = larger_share(share, fsi_maui_requested_amount(m, job, "mem") / tasks, t->mem_mb);
	share = larger_share(share, fsi_maui_requested_amount(m, job, "disk") / tasks, t->disk_mb);
	share = larger_share(share, fsi_maui_requested_amount(m, job, "swap") / tasks, t->swap_mb);
	return tasks * share * t->procs;
}
