/* What flux-accounting's priority plugin holds for each association (`flux jobtap query mf_priority.so`,
 * plugins/accounting.cpp: Association::to_json): of it the priority of a queue that it counts for all jobs there.
 *
 *   {"mf_priority_map": [{"userid": 1, "banks": [{"bank_name": "x", "queue_factor": 3}]}]} */
#include "import/flux/machine.h"

#include <stdlib.h>

static int add_bank(struct fsi_flux_import *f, const struct fsi_json *bank, uint64_t uid)
{
	const struct fsi_json *factor = fsi_json_member(bank, "queue_factor");
	const char *name = fsi_flux_text(fsi_json_member(bank, "bank_name"));
	struct fsi_flux_held h = { .uid = uid };
	int64_t n;

	if (!name || !factor || fsi_json_type(factor) != FSI_JNUMBER || fsi_json_i64(factor, &n) || n < INT32_MIN ||
	    n > INT32_MAX)
		return 0;
	h.bank = fsi_import_name(&f->imp, fsi_span_of(name));
	h.queue_factor = (int32_t)n;
	if (h.bank == FSI_INTERN_FAILED || FSI_VEC_ROOM(&f->held))
		return fsi_nomem(f->imp.err);
	f->held.v[f->held.n++] = h;
	return 0;
}

static int read_user(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_import *f = ctx;
	const struct fsi_json *id = fsi_json_member(v, "userid");
	uint64_t uid;
	int rc = 0;

	if (!depth && fsi_json_member(v, "mf_priority_map"))
		return 0;
	if (!id || fsi_json_type(id) != FSI_JNUMBER || fsi_json_u64(id, &uid))
		return fsi_fail_at(f->imp.err, where, "userid", "expected a number");
	for (const struct fsi_json *b = fsi_flux_first(fsi_json_member(v, "banks")); b && !rc; b = fsi_json_next(b))
		if (fsi_json_type(b) == FSI_JOBJECT)
			rc = add_bank(f, b, uid);
	return rc;
}

int fsi_flux_plugin(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "mf_priority_map", NULL };
	const struct fsi_json_split split = { keys, NULL, read_user, f };
	const int rc = fsi_import_json(&f->imp, "flux_jobtap_query.json", &split);

	return rc < 0 ? rc : 0;
}

static int by_uid(const void *a, const void *b, const void *ctx)
{
	const uint64_t x = ((const struct fsi_flux_held *)a)->uid, y = ((const struct fsi_flux_held *)b)->uid;

	(void)ctx;
	return (x > y) - (x < y);
}

static size_t first_of(const struct fsi_flux_import *f, uint64_t uid)
{
	size_t from = 0, to = f->held.n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (f->held.v[mid].uid < uid)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void set_factors(struct fsi_flux_import *f, const struct fsi_user *u)
{
	fs_snapshot *m = f->imp.m;

	for (size_t k = first_of(f, u->uid); k < f->held.n && f->held.v[k].uid == u->uid; k++) {
		const uint32_t row = fsi_assoc_find(m, f->held.v[k].bank, u->name, 0);

		if (row != FSI_NO_INDEX)
			FSI_PUT(&m->association.v[row], ASSOCIATION, queue_factor, f->held.v[k].queue_factor);
	}
}

int fsi_flux_held_factors(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;

	if (fs_sort(f->held.v, f->held.n, sizeof(*f->held.v), by_uid, NULL))
		return fsi_nomem(f->imp.err);
	for (size_t i = 0; i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid))
			set_factors(f, &m->user.v[i]);
	return 0;
}
