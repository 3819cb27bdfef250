/* Runs of jobs from `sacct --json` (src/plugins/data_parser): an object with a list
 * "jobs", each with its steps, which are passed over. Numbers may stand in {"set":...,"infinite":...,"number":...}. */
#include "base/json/split.h"
#include "base/num.h"
#include "import/import.h"

#include <string.h>

/* -1 when it is not there, not set or no whole number that is not negative. */
static int number(const struct fsi_json *v, uint64_t *out)
{
	const struct fsi_json *set = fsi_json_member(v, "set");

	if (v && fsi_json_type(v) == FSI_JOBJECT) {
		if (set && fsi_json_type(set) == FSI_JBOOL && !fsi_json_bool(set))
			return -1;
		v = fsi_json_member(v, "number");
	}
	return v && fsi_json_type(v) == FSI_JNUMBER ? fsi_json_u64(v, out) : -1;
}

static struct fsi_span text(const struct fsi_json *v)
{
	if (v && fsi_json_type(v) == FSI_JARRAY) /* "current": ["COMPLETED"] */
		v = fsi_json_first(v);
	if (!v || fsi_json_type(v) != FSI_JSTRING)
		return (struct fsi_span){ "", 0 };
	return (struct fsi_span){ fsi_json_string(v), strlen(fsi_json_string(v)) };
}

/* `type`, or `type/name`; -1: does not fit. */
static int tres_name(const struct fsi_json *item, char *buf, size_t size)
{
	const struct fsi_span type = text(fsi_json_member(item, "type")),
			      name = text(fsi_json_member(item, "name"));

	if (type.len + name.len + 2 > size || !type.len)
		return -1;
	memcpy(buf, type.s, type.len);
	buf[type.len] = '\0';
	if (name.len) {
		buf[type.len] = '/';
		memcpy(buf + type.len + 1, name.s, name.len);
		buf[type.len + name.len + 1] = '\0';
	}
	return 0;
}

static int set_tres(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *list)
{
	enum { MAX = 128 };
	struct fsi_amount amounts[MAX];
	size_t n = 0;

	if (!list || fsi_json_type(list) != FSI_JARRAY)
		return 0;
	for (const struct fsi_json *v = fsi_json_first(list); v && n < MAX; v = fsi_json_next(v)) {
		char name[256];
		uint64_t count;

		if (number(fsi_json_member(v, "count"), &count) || count > INT64_MAX ||
		    tres_name(v, name, sizeof(name)))
			continue;
		amounts[n] = (struct fsi_amount){ fsi_name(imp->m, name), 0, (int64_t)count };
		if (amounts[n].tres == FSI_INTERN_FAILED)
			return fsi_nomem(imp->err);
		n++;
	}
	FSI_PUT(u, USAGE, tres, fsi_intern(&imp->m->sets, amounts, n * sizeof(*amounts)));
	return u->tres == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int set_times(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *time)
{
	uint64_t start = 0, end = 0, submit = 0, eligible = 0;

	number(fsi_json_member(time, "submission"), &submit);
	number(fsi_json_member(time, "eligible"), &eligible);
	number(fsi_json_member(time, "start"), &start);
	number(fsi_json_member(time, "end"), &end);
	if (start > (uint64_t)FSI_SECONDS_MAX || end > (uint64_t)FSI_SECONDS_MAX ||
	    submit > (uint64_t)FSI_SECONDS_MAX || eligible > (uint64_t)FSI_SECONDS_MAX)
		return fsi_fail_at(imp->err, imp->where, "time", "beyond reason");
	FSI_PUT(u, USAGE, start_time, (int64_t)start);
	if (submit)
		FSI_PUT(u, USAGE, submit_time, (int64_t)submit);
	if (eligible)
		FSI_PUT(u, USAGE, eligible_time, (int64_t)eligible);
	if (end)
		FSI_PUT(u, USAGE, end_time, (int64_t)end);
	return fsi_usage_check(u, imp->where, imp->err);
}

static int set_names(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *job)
{
	const struct fsi_json *state = fsi_json_member(job, "state"),
			      *association = fsi_json_member(job, "association");
	struct fsi_span user = text(fsi_json_member(job, "user"));
	uint64_t id;
	int rc;

	if (!user.len) /* before 22.05 only here */
		user = text(fsi_json_member(association, "user"));
	rc = FSI_IMPORT_SET(imp, USAGE, u, user, user);
	if (!rc)
		rc = FSI_IMPORT_SET(imp, USAGE, u, account, text(fsi_json_member(job, "account")));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, USAGE, u, partition, text(fsi_json_member(job, "partition")));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, USAGE, u, qos, text(fsi_json_member(job, "qos")));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, USAGE, u, state, text(fsi_json_member(state, "current")));
	if (!number(fsi_json_member(association, "id"), &id) && id && id <= UINT32_MAX)
		FSI_PUT(u, USAGE, association, (uint32_t)id);
	return rc;
}

/* Jobs that never ran are left out. */
static int job_object(void *ctx, uint32_t depth, const struct fsi_json *job, struct fsi_where where)
{
	struct fsi_import *imp = ctx;
	const struct fsi_json *time = fsi_json_member(job, "time");
	uint64_t id, start;
	struct fsi_usage *u;
	int rc;

	imp->where = where;
	if (depth != 1)
		return 0;
	if (number(fsi_json_member(job, "job_id"), &id))
		return fsi_fail_at(imp->err, where, "job_id", "expected an integer");
	if (number(fsi_json_member(time, "start"), &start) || !start)
		return 0;
	u = fsi_slurm_add_run(imp, id);
	if (!u)
		return fsi_nomem(imp->err);
	rc = set_names(imp, u, job);
	if (!rc)
		rc = set_times(imp, u, time);
	return rc ? rc
		  : set_tres(imp, u, fsi_json_member(fsi_json_member(job, "tres"), "allocated"));
}

int fsi_slurm_sacct_json(struct fsi_import *imp)
{
	static const char *const keys[] = { "jobs", "steps", NULL };
	const struct fsi_json_split split = { keys, NULL, job_object, imp };

	return fsi_import_json(imp, "sacct.json", &split);
}
