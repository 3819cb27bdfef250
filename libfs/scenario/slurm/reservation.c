/* scontrol create, update and delete of reservations (src/scontrol/create_res.c; src/slurmctld/reservation.c:
 * create_resv, update_resv, delete_resv; permission: proc_req.c: _slurm_rpc_resv_create). */
#include "base/hostlist.h"
#include "model/find.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { YEAR_S = 365 * 86400 };

static struct fsi_reservation *rec_to_reservation(struct fsi_rec *rec)
{
	return (struct fsi_reservation *)(void *)rec;
}

/* ---- keywords */

static int set_reservation_start(FSI_SETTER_ARGS)
{
	struct fsi_reservation *r = rec_to_reservation(rec);
	const int64_t duration_s = FSI_HAS(r, RESERVATION, end_time) ? r->end_time - r->start_time : 0;
	const bool has_started = FSI_HAS(r, RESERVATION, start_time) && r->start_time <= s->m->info.time;

	if (has_started)
		return fsi_scenario_refuse(s, "%s: cannot be changed, because the reservation has already begun", w->keyword);
	if (fsi_scenario_set_field(s, FSI_RECORD_RESERVATION, rec, w->keyword, "start_time", v))
		return FS_EUSAGE;
	if (r->start_time < s->m->info.time - 60)
		return fsi_scenario_refuse(s, "%s: a reservation cannot begin in the past", w->keyword);
	if (duration_s > 0)
		r->end_time = r->start_time + duration_s;
	return 0;
}

static int set_reservation_duration(FSI_SETTER_ARGS)
{
	struct fsi_reservation *r = rec_to_reservation(rec);
	int64_t by = 0;

	if (!v.text || fsi_scenario_parse_minutes(v.text, &by))
		return fsi_scenario_refuse(
			s, "%s: expected minutes, hours:minutes:seconds, days-hours or UNLIMITED, got \"%.60s\"",
			w->keyword, v.text ? v.text : "");
	if (by == FS_UNLIMITED)
		by = YEAR_S;
	if (v.op == '=')
		r->end_time = r->start_time + by;
	else
		r->end_time += v.op == '+' ? by : -by;
	if (r->end_time < s->m->info.time)
		r->end_time = s->m->info.time;
	FSI_SET(r, RESERVATION, end_time);
	return 0;
}

static int set_reservation_nodes(FSI_SETTER_ARGS)
{
	struct fsi_reservation *r = rec_to_reservation(rec);
	uint32_t list;

	if (fsi_slurm_parse_nodes(s, w->keyword, v, r->nodes, &list))
		return FS_EUSAGE;
	if (!list)
		return fsi_scenario_refuse(s, "%s: a reservation needs at least one node", w->keyword);
	r->nodes = list;
	r->node_count = (uint32_t)fsi_hostlist_count_names(fsi_name_text(s->m, list), s->m->node.n);
	FSI_SET(r, RESERVATION, nodes);
	FSI_SET(r, RESERVATION, node_count);
	FSI_CLEAR_FIELD(r, RESERVATION, core_count);
	FSI_CLEAR_FIELD(r, RESERVATION, tres);
	return 0;
}

static int refuse_node_counts(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(
		s, "%s: the controller's choice of nodes is not modelled; name the nodes with Nodes=", w->keyword);
}

static int refuse_group_names(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	return fsi_scenario_refuse(s, "%s: the members of groups are unknown; name the users with Users=", w->keyword);
}

/* Sets Flags of a reservation. Accepts the flags that the plan and the queue use, and flags that do not affect anything
 * that this library computes. */
static int set_reservation_flags(FSI_SETTER_ARGS)
{
	static const char *const flags[] = {
		"ANY_NODES",    "DAILY",      "FLEX",         "HOURLY",
		"IGNORE_JOBS",  "MAGNETIC",   "MAINT",        "NO_HOLD_JOBS_AFTER_END",
		"OVERLAP",      "PART_NODES", "PURGE_COMP",   "REPLACE",
		"REPLACE_DOWN", "SPEC_NODES", "STATIC_ALLOC", "TIME_FLOAT",
		"USER_DELETE",  "WEEKDAY",    "WEEKEND",      "WEEKLY",
	};
	const size_t n = sizeof(flags) / sizeof(*flags);
	char flag_list[512] = "";
	int len = 0;

	for (const char *p = v.text ? v.text : ""; *p; p += strspn(p, ",")) {
		const size_t part = strcspn(p, ","), name = strcspn(p, ",="),
			     i = fsi_scenario_find_name(flags, n, sizeof(*flags), p, name);

		if (i == n)
			return fsi_scenario_refuse(s, "%s: flag \"%.*s\" is not supported; the nearest is %s",
						   w->keyword, (int)(name < 60 ? name : 60), p,
						   fsi_scenario_nearest_name(flags, n, sizeof(*flags), p, name));
		len += snprintf(flag_list + len, sizeof(flag_list) - (size_t)len, "%s%s", len ? "," : "", flags[i]);
		if (len >= (int)sizeof(flag_list) - 32)
			return fsi_scenario_refuse(s, "%s: too many flags", w->keyword);
		p += part;
	}
	v.text = flag_list;
	return fsi_scenario_set_field(s, FSI_RECORD_RESERVATION, rec, w->keyword, "flags", v);
}

static int set_reservation_partition(FSI_SETTER_ARGS)
{
	const uint32_t name = v.text ? fsi_name_find(s->m, v.text) : 0;

	if (!name || !fsi_partition_find(s->m, name))
		return fsi_scenario_refuse(s, "there is no partition \"%.60s\"", v.text ? v.text : "");
	return fsi_scenario_set_field(s, FSI_RECORD_RESERVATION, rec, w->keyword, "partition", v);
}

#define R(word, field, set, least) { word, field, FSI_OPERATOR, set, least }

/* The keywords of a reservation, in the order in which scontrol compares them. ReservationName is not in the table,
 * because find_name_value reads it. */
static const struct fsi_edit_keyword reservation_keywords[] = {
	R("Skip", NULL, fsi_scenario_note_not_modelled, 2),
	R("Accounts", "accounts", NULL, 1),
	R("AllowedPartitions", NULL, fsi_scenario_note_not_modelled, 2),
	R("Comment", NULL, fsi_scenario_note_no_effect, 3),
	R("Flags", NULL, set_reservation_flags, 2),
	R("Groups", NULL, refuse_group_names, 1),
	R("Users", "users", NULL, 1),
	R("QOS", NULL, fsi_scenario_note_not_modelled, 1),
	R("BurstBuffer", NULL, fsi_scenario_note_not_modelled, 2),
	R("StartTime", NULL, set_reservation_start, 2),
	R("EndTime", "end_time", NULL, 1),
	R("Duration", NULL, set_reservation_duration, 1),
	R("MaxStartDelay", NULL, fsi_scenario_note_no_effect, 2),
	R("NodeCnt", NULL, refuse_node_counts, 5),
	R("NodeCount", NULL, refuse_node_counts, 5),
	R("CoreCnt", NULL, refuse_node_counts, 5),
	R("CoreCount", NULL, refuse_node_counts, 5),
	R("CPUCnt", NULL, refuse_node_counts, 5),
	R("CPUCount", NULL, refuse_node_counts, 5),
	R("Nodes", NULL, set_reservation_nodes, 5),
	R("Features", "features", NULL, 2),
	R("Licenses", "licenses", NULL, 2),
	R("PartitionName", NULL, set_reservation_partition, 1),
	R("TRES", NULL, refuse_node_counts, 1),
	R("TRESPerNode", NULL, refuse_node_counts, 5),
	R("Watts", NULL, fsi_scenario_note_no_effect, 1),
};

/* ---- checks */

static bool has_reservation_flag(const fs_snapshot *m, const struct fsi_reservation *r, const char *flag)
{
	return fsi_list_has_word(m, r->flags, flag);
}

/* The nodes of one reservation. has[name id] is true if the reservation has the node of that name. */
struct reserved_hosts {
	const fs_snapshot *m;
	bool *has;
};

static int mark_host_name(void *ctx, const char *name, size_t len)
{
	const struct reserved_hosts *x = ctx;

	x->has[fsi_intern_find_id(&x->m->names, name, len)] = true;
	return 0;
}

static int is_host_marked(void *ctx, const char *name, size_t len)
{
	const struct reserved_hosts *x = ctx;
	const uint32_t id = fsi_intern_find_id(&x->m->names, name, len);

	return id && x->has[id];
}

static bool has_shared_nodes(struct reserved_hosts *x, uint32_t list)
{
	return list && fsi_hostlist_expand_each(fsi_name_text(x->m, list), FSI_MAX_HOSTS, is_host_marked, x) > 0;
}

/* Refuses a reservation if a running job has one of its nodes and may still run when the reservation begins, as
 * slurmctld does (_job_overlap). */
static int check_running_jobs(struct fsi_scenario *s, const struct fsi_reservation *r, struct reserved_hosts *x)
{
	const fs_snapshot *m = s->m;

	if (has_reservation_flag(m, r, "IGNORE_JOBS"))
		return 0;
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->state == FSI_STATE_RUNNING && j->reservation != r->name &&
		    (!FSI_HAS(j, JOB, end_time) || j->end_time > r->start_time) && has_shared_nodes(x, j->node_list))
			return fsi_scenario_refuse(s,
						   "job %llu may still run on nodes of the reservation when the "
						   "reservation begins; use Flags=IGNORE_JOBS or another time",
						   (unsigned long long)j->id);
	}
	return 0;
}

/* Refuses a reservation that overlaps another reservation both in time and in nodes, as slurmctld does
 * (_resv_overlap). */
static int check_other_reservations(struct fsi_scenario *s, const struct fsi_reservation *r, struct reserved_hosts *x)
{
	const fs_snapshot *m = s->m;

	for (size_t i = 0;
	     i < m->reservation.n && !has_reservation_flag(m, r, "MAINT") && !has_reservation_flag(m, r, "OVERLAP");
	     i++) {
		const struct fsi_reservation *o = &m->reservation.v[i];

		if (o != r && !has_reservation_flag(m, o, "MAINT") && !has_reservation_flag(m, o, "OVERLAP") &&
		    o->start_time < r->end_time && o->end_time > r->start_time && has_shared_nodes(x, o->nodes))
			return fsi_scenario_refuse(s,
						   "the reservation overlaps reservation %.60s in time and nodes; use other "
						   "nodes or another time",
						   fsi_name_text(m, o->name));
	}
	return 0;
}

static int check_reserved_nodes(struct fsi_scenario *s, const struct fsi_reservation *r)
{
	struct reserved_hosts x = { s->m, calloc((size_t)s->m->names.count + 1, sizeof(bool)) };
	int rc = x.has ? 0 : fsi_fail_no_memory(s->err);

	if (!rc)
		fsi_hostlist_expand_each(fsi_name_text(s->m, r->nodes), FSI_MAX_HOSTS, mark_host_name, &x);
	if (!rc)
		rc = check_running_jobs(s, r, &x);
	if (!rc)
		rc = check_other_reservations(s, r, &x);
	free(x.has);
	return rc;
}

static int check_reservation(struct fsi_scenario *s, struct fsi_reservation *r)
{
	const char *state = r->start_time <= s->m->info.time ? "ACTIVE" : "INACTIVE";

	if (!FSI_HAS(r, RESERVATION, start_time) || !FSI_HAS(r, RESERVATION, end_time))
		return fsi_scenario_refuse(s, "a reservation needs StartTime, and EndTime or Duration");
	if (r->end_time <= r->start_time)
		return fsi_scenario_refuse(s, "the reservation would end before it begins");
	if (!r->users && !r->accounts)
		return fsi_scenario_refuse(s, "a reservation needs Users or Accounts");
	if (check_reserved_nodes(s, r))
		return FS_EUSAGE;
	return fsi_scenario_set_field(s, FSI_RECORD_RESERVATION, &r->rec, "State", "state",
				      (struct fsi_operand){ '=', state });
}

/* ---- commands */

/* Returns the name in a word such as "ReservationName=maint". The key may be abbreviated. Returns NULL if no word from
 * s->words[at] on has that key. */
static const char *find_name_value(const struct fsi_scenario *s, size_t at)
{
	static const char *const key[] = { "ReservationName" };

	for (; at < s->n; at++) {
		const size_t len = strcspn(s->words[at], "=");

		if (s->words[at][len] && !fsi_scenario_find_name(key, 1, sizeof(*key), s->words[at], len))
			return s->words[at] + len + 1;
	}
	return NULL;
}

static bool is_name_word(const char *word, const char *value)
{
	return value && word < value && value == word + strcspn(word, "=") + 1;
}

static struct fsi_reservation *find_reservation(fs_snapshot *m, const char *name)
{
	for (size_t i = 0; name && i < m->reservation.n; i++)
		if (!strcmp(fsi_name_text(m, m->reservation.v[i].name), name))
			return &m->reservation.v[i];
	return NULL;
}

static int apply_reservation_words(struct fsi_scenario *s, struct fsi_reservation *r, size_t at, const char *name)
{
	int rc = 0;

	for (; at < s->n && !rc; at++) {
		const struct fsi_edit_keyword *w;
		struct fsi_operand v;

		if (is_name_word(s->words[at], name))
			continue;
		rc = fsi_scenario_parse_keyword(s, reservation_keywords,
						sizeof(reservation_keywords) / sizeof(*reservation_keywords),
						"reservation", s->words[at], &w, &v);
		if (!rc)
			rc = fsi_scenario_apply_keyword(s, FSI_RECORD_RESERVATION, &r->rec, w, v);
	}
	return rc;
}

/* If the reservation has no node list, adds all nodes of the reservation's partition. */
static int set_default_nodes(struct fsi_scenario *s, struct fsi_reservation *r)
{
	const struct fsi_partition *p = r->partition ? fsi_partition_find(s->m, r->partition) : NULL;
	static const struct fsi_edit_keyword w = { "Nodes", NULL, FSI_OPERATOR, set_reservation_nodes, 5 };

	if (r->nodes)
		return 0;
	if (!p || !p->nodes)
		return fsi_scenario_refuse(s,
					   "a reservation needs Nodes, or PartitionName for all nodes of a partition");
	return set_reservation_nodes(s, &r->rec, &w, (struct fsi_operand){ '=', fsi_name_text(s->m, p->nodes) });
}

int fsi_slurm_create_reservation(struct fsi_scenario *s, size_t at)
{
	const char *name = find_name_value(s, at);
	struct fsi_reservation r = { .name = 0 };
	char own[96];

	if (name && find_reservation(s->m, name))
		return fsi_scenario_refuse(s, "reservation \"%.60s\" already exists", name);
	fsi_scenario_note_privilege(s, FSI_OPERATOR, 0, 0, "changing reservations: ");
	snprintf(own, sizeof(own), "%.60s_%zu", s->o->viewer ? s->o->viewer : "root", s->m->reservation.n + 1);
	r.name = fsi_name_intern(s->m, name && *name ? name : own);
	if (r.name == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&s->m->reservation))
		return fsi_fail_no_memory(s->err);
	FSI_SET(&r, RESERVATION, name);
	if (apply_reservation_words(s, &r, at, name) || set_default_nodes(s, &r) || check_reservation(s, &r))
		return FS_EUSAGE;
	s->m->reservation.v[s->m->reservation.n++] = r;
	return 0;
}

/* Finds the word "ReservationName=NAME" from s->words[at] on, and returns the reservation NAME. Adds a note that only an
 * operator may change a reservation. Returns NULL and sets the error if there is no such reservation. */
static struct fsi_reservation *find_named_reservation(struct fsi_scenario *s, size_t at)
{
	const char *name = find_name_value(s, at);
	struct fsi_reservation *r = find_reservation(s->m, name);

	if (r)
		fsi_scenario_note_privilege(s, FSI_OPERATOR, 0, 0, "changing reservations: ");
	else
		fsi_scenario_refuse(s, "there is no reservation \"%.60s\"", name ? name : "");
	return r;
}

int fsi_slurm_update_reservation(struct fsi_scenario *s, size_t at)
{
	struct fsi_reservation *r = find_named_reservation(s, at);

	if (!r)
		return FS_EUSAGE;
	return apply_reservation_words(s, r, at, find_name_value(s, at)) || check_reservation(s, r) ? FS_EUSAGE : 0;
}

/* Runs "delete ReservationName=maint" or "delete reservation=maint". */
int fsi_slurm_delete_reservation(struct fsi_scenario *s, size_t at)
{
	struct fsi_reservation *r = find_named_reservation(s, at);

	if (!r)
		return FS_EUSAGE;
	for (size_t i = 0; i < s->m->job.n; i++)
		if (s->m->job.v[i].reservation == r->name && !fsi_job_has_ended(&s->m->job.v[i]))
			return fsi_scenario_refuse(s, "job %llu uses the reservation, so the reservation cannot be deleted",
						   (unsigned long long)s->m->job.v[i].id);
	memmove(r, r + 1, (size_t)(s->m->reservation.v + s->m->reservation.n - (r + 1)) * sizeof(*r));
	s->m->reservation.n--;
	return 0;
}
