/* What scontrol update job and sbatch both let a job ask for. */
#include "base/num.h"
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

/* ---- generic resources */

/* Asks for a type of a resource that the cluster does not count. */
static int ask_apart(struct fsi_scenario *s, struct fsi_job *j, const char *gres, size_t len, int64_t n)
{
	char name[100];
	const int used = snprintf(name, sizeof(name), "gres/%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), gres);
	const uint32_t tres = used < (int)sizeof(name) ? fsi_name(s->m, name) : 0;
	const uint32_t set = tres && tres != FSI_INTERN_FAILED
				     ? fsi_scenario_amount(s->m, fsi_job_rare(s->m, j)->gres_req, tres, n)
				     : tres;

	if (set == FSI_INTERN_FAILED || (set && FSI_SET_RARE(s->m, j, gres_req, set)))
		return fsi_nomem(s->err);
	return 0;
}

/* The TRES "gres/NAME" of the cluster, 0 if it counts none. */
static uint32_t gres_tres(const fs_snapshot *m, const char *name, size_t len)
{
	for (size_t i = 0; i < m->tres.n; i++) {
		const char *own = fsi_str(m, m->tres.v[i].name);

		if (!strncmp(own, "gres/", 5) && fsi_same_any_case(name, len, own + 5))
			return m->tres.v[i].name;
	}
	return 0;
}

/* Cuts the number off "gpu:2" or "gpu:a100:2"; 1 where there is none. */
static uint64_t cut_number(const char *p, size_t *len)
{
	const char *count = p + *len;
	uint64_t n = 1;

	while (count > p && count[-1] != ':')
		count--;
	if (count > p && !fsi_parse_u64(count, (size_t)(p + *len - count), &n))
		*len = (size_t)(count - p) - 1;
	return n;
}

/* Asks for "gpu", "gpu:2" or "gpu:a100:2", behind "gres/" or "gres:" or not. */
static int one_gres(struct fsi_scenario *s, struct fsi_job *j, const char *p, size_t len, uint32_t nodes)
{
	uint64_t n = cut_number(p, &len);
	const char *type = memchr(p, ':', len);
	uint32_t kind, typed;

	kind = gres_tres(s->m, p, type ? (size_t)(type - p) : len);
	typed = type ? gres_tres(s->m, p, len) : 0;
	if ((!kind && !typed) || n > UINT32_MAX)
		return fsi_scenario_refuse(s, "the cluster has no generic resource \"%.*s\"",
					   (int)(len < 60 ? len : 60), p);
	n *= nodes;
	if (kind && fsi_slurm_ask(s, j, kind, (int64_t)n))
		return FS_ENOMEM;
	if (type && !typed)
		return ask_apart(s, j, p, len, (int64_t)n);
	return typed && fsi_slurm_ask(s, j, typed, (int64_t)n) ? FS_ENOMEM : 0;
}

enum asked { ASKED_NOT, ASKED_PLAIN, ASKED_BY_TYPE };

static enum asked asked_in(const fs_snapshot *m, uint32_t set, const char *kind, size_t len)
{
	enum asked how = ASKED_NOT;
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);

	for (size_t i = 0; i < n && how != ASKED_BY_TYPE; i++) {
		const char *name = fsi_str(m, a[i].tres);

		if (a[i].n > 0 && !strncmp(name, "gres/", 5) && !strncmp(name + 5, kind, len) && (!name[5 + len] || name[5 + len] == ':'))
			how = name[5 + len] ? ASKED_BY_TYPE : ASKED_PLAIN;
	}
	return how;
}

/* Before 23.02.6 what an update names joins what the job has, and a kind with a type and without is refused
 * (src/slurmctld/job_mgr.c: _update_job until fd6efe3e64; src/common/gres.c: _merge_generic_data). */
static bool joins_badly(const fs_snapshot *m, const struct fsi_job *j, const char *item, size_t len)
{
	const size_t kind = strcspn(item, ":=,");
	const char *behind = item + kind + (item[kind] != 0);
	const bool typed = item[kind] == ':' && kind < len && (*behind < '0' || *behind > '9');
	const enum asked plain = asked_in(m, j->tres_req, item, kind),
			 own = asked_in(m, fsi_job_rare(m, j)->gres_req, item, kind),
			 how = plain > own ? plain : own;

	return how != ASKED_NOT && typed != (how == ASKED_BY_TYPE);
}

static const char *cut_prefix(const char *p)
{
	return !strncmp(p, "gres/", 5) || !strncmp(p, "gres:", 5) ? p + 5 : p;
}

/* `otherwise`: see asks_otherwise; such joins in all versions. */
static int refuse_joined(struct fsi_scenario *s, const struct fsi_job *j, const char *p, bool otherwise)
{
	if (!otherwise && fs_slurm_has(s->m->info.version, FS_SLURM_GRES_REPLACED))
		return 0;
	for (; *p; p += strspn(p, ",")) {
		const char *item = cut_prefix(p);

		p += strcspn(p, ",");
		if (joins_badly(s->m, j, item, (size_t)(p - item)))
			return fsi_scenario_refuse(s, "%s goes on asking for \"%.*s\" with a type, or without, as it did",
						   otherwise ? "the job" : "before Slurm 23.02.6 a job", (int)strcspn(item, ":=,"), item);
	}
	return 0;
}

/* How many "gpu" or "gpu:a100" the job asks for, on all nodes together. */
static int64_t asked_for(const fs_snapshot *m, const struct fsi_job *j, const char *what, size_t len)
{
	char name[100];
	const int used = snprintf(name, sizeof(name), "gres/%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), what);
	const uint32_t tres = used < (int)sizeof(name) ? fsi_name_find(m, name) : 0;

	return tres ? fsi_job_asks(m, j, tres) : 0;
}

/* Does the job ask by node where the update does for all nodes together, or the other way round? What it asked for
 * then goes on, and both must agree. */
static bool asks_otherwise(const fs_snapshot *m, const struct fsi_job *j, bool in_all)
{
	const char *per = fsi_str(m, fsi_job_rare(m, j)->gres_per);

	return in_all ? !*per : !strcmp(per, "job") || !strcmp(per, "task");
}

/* So many in all, and so many on each node, are for a number of nodes that the job takes and then has
 * (src/common/gres.c, since 22.11 src/interfaces/gres.c: _test_gres_cnt); without a greatest number that is none. */
static int agree(struct fsi_scenario *s, struct fsi_job *j, const char *item, size_t len, bool in_all)
{
	const uint64_t given = cut_number(item, &len);
	const int64_t has = asked_for(s->m, j, item, len), nodes = fsi_slurm_nodes(s->m, j),
		      most = FSI_HAS(j, JOB, max_nodes) ? j->max_nodes : 0,
		      n = given > INT32_MAX ? INT32_MAX : (int64_t)given, all = in_all ? n : has,
		      each = in_all ? has / nodes : n;

	if (!has)
		return 0;
	if (!each || all % each || all / each < nodes || all / each > most)
		return fsi_scenario_refuse(s, "it goes on asking for %lld %.*s %s, which does not go with that on its nodes",
					   (long long)has, (int)(len < 60 ? len : 60), item, in_all ? "by node" : "in all");
	j->max_nodes = (uint32_t)(all / each);
	FSI_SET(j, JOB, max_nodes);
	return fsi_slurm_resize(s, j, &(const struct fsi_slurm_size){ .nodes = j->max_nodes });
}

static int set_gres(struct fsi_scenario *s, struct fsi_job *j, const char *p, bool in_all, bool otherwise)
{
	const bool none = !strcmp(p, "none") || !strcmp(p, "NONE");
	int rc = none ? 0 : refuse_joined(s, j, p, otherwise);

	if (!rc && !otherwise)
		rc = fsi_slurm_scale_gres(s, j, 0, 1);
	for (; !none && *p && !rc; p += strspn(p, ",")) {
		const char *item = cut_prefix(p);

		p += strcspn(p, ",");
		if (otherwise)
			rc = agree(s, j, item, (size_t)(p - item), in_all);
		if (!rc)
			rc = one_gres(s, j, item, (size_t)(p - item), in_all ? 1 : fsi_slurm_nodes(s->m, j));
	}
	return rc;
}

int fsi_slurm_gres(struct fsi_scenario *s, struct fsi_job *j, const char *list)
{
	return set_gres(s, j, list, false, asks_otherwise(s->m, j, false));
}

int fsi_slurm_gres_in_all(struct fsi_scenario *s, struct fsi_job *j, const char *list, bool submitted)
{
	return set_gres(s, j, list, true, !submitted && asks_otherwise(s->m, j, true));
}
