/* What scontrol update job and sbatch both let a job ask for. */
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

struct names {
	const void *first;
	size_t n, size, name_at;
	bool hidden;
};

static bool has(const struct names *t, uint32_t name)
{
	for (size_t i = 0; i < t->n; i++) {
		uint32_t own;

		memcpy(&own, (const char *)t->first + i * t->size + t->name_at, sizeof(own));
		if (own == name)
			return true;
	}
	return false;
}

/* Turns "a,b" into a list of names that the table has; where the table is hidden any name will do. */
static int names_of(struct fsi_scenario *s, const struct names *t, const char *what, const char *text,
		    uint32_t *out)
{
	const char *p = text;

	*out = 0;
	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ",");
		const uint32_t name = fsi_intern(&s->m->names, p, len);

		if (name == FSI_INTERN_FAILED)
			return fsi_nomem(s->err);
		if (t->n && !t->hidden && !has(t, name))
			return fsi_scenario_refuse(s, "there is no %s \"%.*s\"", what, (int)(len < 60 ? len : 60), p);
		*out = fsi_scenario_change_list(s->m, *out, name, true);
		if (*out == FSI_INTERN_FAILED)
			return fsi_nomem(s->err);
		p += len;
	}
	return *out ? 0 : fsi_scenario_refuse(s, "a %s is expected", what);
}

static int state_admits(struct fsi_scenario *s, uint32_t list)
{
	size_t n;
	const uint32_t *names = fsi_list(s->m, list, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(s->m, names[i]);
		const char *state = p ? fsi_str(s->m, p->state) : "";

		if (!strcmp(state, "DRAIN") || !strcmp(state, "INACTIVE"))
			return fsi_scenario_refuse(s, "partition %s takes no jobs now: it is %s",
						   fsi_str(s->m, names[i]), state);
	}
	return 0;
}

int fsi_slurm_partition(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	const struct names t = { s->m->partition.v, s->m->partition.n, sizeof(struct fsi_partition),
				 offsetof(struct fsi_partition, name), fsi_hidden(s->m, "partition") };
	uint32_t list;
	int rc = names_of(s, &t, "partition", text, &list);

	if (!rc)
		rc = state_admits(s, list);
	if (rc)
		return rc;
	j->partitions = list;
	FSI_SET(j, JOB, partitions);
	return fsi_slurm_charge(s, j, j->account);
}

/* The QOS of a job that names none: its association's default, else normal. */
static uint32_t default_qos(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t i = fsi_job_assoc(m, j);

	return i != FSI_NO_INDEX && m->association.v[i].default_qos ? m->association.v[i].default_qos
								      : fsi_name_find(m, "normal");
}

/* A user who is no operator may only use the QOS of his association. */
static void check_access(struct fsi_scenario *s, const struct fsi_job *j, uint32_t list)
{
	const uint32_t i = fsi_job_assoc(s->m, j);
	size_t n;
	const uint32_t *names = fsi_list(s->m, list, &n);
	char what[160];

	if (i == FSI_NO_INDEX || !FSI_HAS(&s->m->association.v[i], ASSOCIATION, qos))
		return;
	for (size_t k = 0; k < n; k++)
		if (!fsi_list_has(s->m, s->m->association.v[i].qos, fsi_str(s->m, names[k]))) {
			snprintf(what, sizeof(what), "QOS %.60s is not among those of account %.60s: ",
				 fsi_str(s->m, names[k]), fsi_str(s->m, j->account));
			fsi_scenario_note_who(s, FSI_OPERATOR, 0, 0, what);
		}
}

int fsi_slurm_qos(struct fsi_scenario *s, struct fsi_job *j, const char *text)
{
	const struct names t = { s->m->qos.v, s->m->qos.n, sizeof(struct fsi_qos), offsetof(struct fsi_qos, name),
				 fsi_hidden(s->m, "qos") };
	const uint32_t otherwise = default_qos(s->m, j);
	uint32_t list;
	int rc;

	if (strchr(text, ',') && !fs_slurm_has(s->m->info.version, FS_SLURM_SEVERAL_QOS))
		return fsi_scenario_refuse(s, "a job has one QOS before Slurm 24.11");
	rc = names_of(s, &t, "QOS", *text || !otherwise ? text : fsi_str(s->m, otherwise), &list);
	if (rc)
		return rc;
	check_access(s, j, list);
	j->qos = list;
	FSI_SET(j, JOB, qos);
	return 0;
}
