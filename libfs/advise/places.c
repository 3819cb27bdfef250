/* Other partitions, QOS, accounts and reservations that take the job. */
#include "advise/advise.h"
#include "model/maui/maui.h"

#include <stdio.h>
#include <string.h>

static bool in_list(const fs_snapshot *m, uint32_t list, uint32_t name)
{
	return name && fsi_list_has(m, list, fsi_str(m, name));
}

static const struct fsi_association *association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_assoc(a->m, fsi_advise_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->m->association.v[i];
}

/* Does a partition take the job (src/slurmctld/job_mgr.c: _part_access_check, part_policy_valid_*)? Of the owner's
 * groups only the first is known. */
static bool admits(const fs_snapshot *m, const struct fsi_partition *p, const struct fsi_job *j)
{
	const char *state = fsi_str(m, p->state);
	const uint32_t qos = fsi_list_first(m, j->qos);

	if ((*state && strcmp(state, "UP") != 0) || (FSI_HAS(p, PARTITION, root_only) && p->root_only))
		return false;
	if (FSI_HAS(p, PARTITION, allow_groups) && !in_list(m, p->allow_groups, j->group))
		return false;
	if (FSI_HAS(p, PARTITION, allow_accounts) ? !in_list(m, p->allow_accounts, j->account)
						  : in_list(m, p->deny_accounts, j->account))
		return false;
	return FSI_HAS(p, PARTITION, allow_qos) ? in_list(m, p->allow_qos, qos) : !in_list(m, p->deny_qos, qos);
}

static bool time_fits(const struct fsi_partition *p, const struct fsi_job *j)
{
	if (!FSI_HAS(p, PARTITION, max_time_s) || FSI_SPECIAL(p, PARTITION, max_time_s))
		return true;
	return FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) && j->time_limit_s <= p->max_time_s;
}

/* "gpu,shared,": those it asks for, in order. */
static bool own_partitions(const struct fs_advices *a, char *out, size_t size)
{
	size_t n, len = 0;
	const uint32_t *names = fsi_list(a->m, fsi_advise_job(a)->partitions, &n);

	*out = 0;
	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s,", fsi_str(a->m, names[i]));
	return len < size;
}

static void write_partitions(const struct fs_advices *a, struct fsi_command *c, const char *own, const char *name)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_PARTITIONS, "%s%s", own, name);
}

/* A job that may run in several partitions is tried in each (src/slurmctld/job_scheduler.c: build_job_queue). */
static int try_list(struct fs_advices *a, const char *own, const char *others, int64_t *start)
{
	struct fsi_command c;

	write_partitions(a, &c, own, others);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, start);
}

/* The names of partitions with which the job gains: "gpu,shared". */
struct gainers {
	char names[FSI_ADVICE_TEXT / 2];
	size_t n;
};

static void add_gainer(struct gainers *g, const char *name)
{
	const size_t len = strlen(g->names);

	if (len + strlen(name) + 2 > sizeof(g->names))
		return;
	snprintf(g->names + len, sizeof(g->names) - len, "%s%s", len ? "," : "", name);
	g->n++;
}

/* Tries the partition beside the job's own, and alone where that starts earlier. Where it gains nothing alone a list
 * with it gains nothing either. */
static int try_partition(struct fs_advices *a, const struct fsi_partition *p, const char *own, struct gainers *g)
{
	const char *name = fsi_str(a->m, p->name);
	struct fsi_command c;
	struct fsi_trial alone;
	int64_t added = FS_UNKNOWN;
	int rc;

	write_partitions(a, &c, "", name);
	rc = fsi_advise_try(a, &c, &alone);
	if (rc || !fsi_advise_gains(a, alone.late))
		return rc;
	add_gainer(g, name);
	if (*own)
		rc = try_list(a, own, name, &added);
	if (rc || (added != FS_UNKNOWN && added < alone.late + FSI_ADVICE_MIN_S))
		return rc;
	return fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_PARTITIONS, name);
}

static int try_partitions(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	struct gainers g = { .n = 0 };
	char own[FSI_ADVICE_TEXT / 2];

	if (!own_partitions(a, own, sizeof(own)))
		return 0;
	for (size_t i = 0; i < a->saved.partition.n; i++) {
		const struct fsi_partition *p = &a->saved.partition.v[i];
		int rc;

		if (in_list(a->m, j->partitions, p->name) || !admits(a->m, p, j) || !time_fits(p, j))
			continue;
		rc = try_partition(a, p, own, &g);
		if (rc)
			return rc;
	}
	return *own && g.n > 1 ? try_list(a, own, g.names, NULL) : 0;
}

/* Each other QOS is tried; the command asks Maui's QLISTs whether the job may have it. */
static int try_credentials(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->credential.n; i++) {
		const struct fsi_credential *c = &a->m->credential.v[i];
		int rc;

		if (fsi_cred_kind(fsi_str(a->m, c->kind)) != FS_CRED_QOS ||
		    in_list(a->m, fsi_advise_job(a)->qos, c->name))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_QOS, fsi_str(a->m, c->name));
		if (rc)
			return rc;
	}
	return 0;
}

static int try_qos(struct fs_advices *a)
{
	const struct fsi_association *own = association(a);
	size_t n;
	const uint32_t *names;

	if (!own || !FSI_HAS(own, ASSOCIATION, qos))
		return 0;
	names = fsi_list(a->m, own->qos, &n);
	for (size_t i = 0; i < n; i++) {
		int rc;

		if (in_list(a->m, fsi_advise_job(a)->qos, names[i]))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_QOS, fsi_str(a->m, names[i]));
		if (rc)
			return rc;
	}
	return 0;
}

/* May the job be charged there, with the QOS it has? */
static bool charges(const struct fs_advices *a, const struct fsi_association *o)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const uint32_t qos = fsi_list_first(a->m, j->qos);

	if (!j->user || o->user != j->user || o->account == j->account)
		return false;
	if (o->partition && !in_list(a->m, j->partitions, o->partition))
		return false;
	return !qos || !FSI_HAS(o, ASSOCIATION, qos) || in_list(a->m, o->qos, qos);
}

static int try_accounts(struct fs_advices *a)
{
	uint32_t last = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];
		int rc;

		if (!charges(a, o) || o->account == last)
			continue;
		last = o->account;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_ACCOUNT, fsi_str(a->m, last));
		if (rc)
			return rc;
	}
	return 0;
}

static int try_reservations(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->reservation.n; i++) {
		const struct fsi_reservation *r = &a->m->reservation.v[i];
		int rc;

		if (r->name == fsi_advise_job(a)->reservation || !fsi_plan_admits(a->m, r, fsi_advise_job(a)))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_RESERVATION, fsi_str(a->m, r->name));
		if (rc)
			return rc;
	}
	return 0;
}

int fsi_advise_places(struct fs_advices *a)
{
	int rc = try_partitions(a);

	if (!rc)
		rc = try_qos(a);
	if (!rc)
		rc = try_credentials(a);
	if (!rc)
		rc = try_accounts(a);
	return rc ? rc : try_reservations(a);
}
