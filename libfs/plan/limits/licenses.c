/* Licences of the cluster: `matlab:4,ansys:2` (src/slurmctld/licenses.c: license_job_test). Without bf_licenses a job
 * that wants more than are left now is not tried; with it they are kept on the backfill map like nodes. Those that a
 * reservation has are none for jobs outside it (job_test_lic_resv). */
#include "plan/limits/licenses.h"

#include "base/num.h"

#include <string.h>

/* The item at s: the length of its name, and its amount; returns what follows. An item without an amount is one
 * licence. */
static const char *item(const char *s, uint32_t *len, int64_t *amount)
{
	const size_t n = strcspn(s, ",;|"), name = strcspn(s, ":=*,;|");

	*len = (uint32_t)(name < n ? name : n);
	if (name >= n || fsi_parse_i64(s + name + 1, n - name - 1, amount) || *amount < 0)
		*amount = 1;
	return s + n + (s[n] != '\0');
}

static struct fsi_plan_license *find(const struct fsi_plan_licenses *l, const char *name,
				     uint32_t len)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].len == len && !memcmp(l->v[i].name, name, len))
			return &l->v[i];
	return NULL;
}

int fsi_licenses_init(struct fsi_plan_licenses *l, const fs_snapshot *m, struct fsi_arena *arena)
{
	const char *text = fs_snapshot_config_text(m, "Licenses");
	uint32_t max = 1;

	*l = (struct fsi_plan_licenses){ .known = text != NULL };
	for (const char *s = text ? text : ""; *s; s++)
		max += *s == ',';
	l->v = fsi_arena_array(arena, max, sizeof(*l->v));
	l->want = fsi_arena_array(arena, max, sizeof(*l->want));
	if (!l->v || !l->want)
		return -1;
	for (const char *s = text && strcmp(text, "(null)") != 0 ? text : ""; *s;) {
		struct fsi_plan_license *v = &l->v[l->n++];

		v->name = s;
		s = item(s, &v->len, &v->total);
	}
	return 0;
}

/* Takes the next of a list: its amount; NULL: the cluster has no such licence. */
static struct fsi_plan_license *next(const struct fsi_plan_licenses *l, const char **list, int64_t *amount)
{
	const char *name = *list;
	uint32_t len;

	*list = item(name, &len, amount);
	return find(l, name, len);
}

/* Fills l->want with the amounts of a list; is all of it known? */
static bool read_list(struct fsi_plan_licenses *l, const char *s)
{
	bool known = l->known && !strchr(s, '|');

	memset(l->want, 0, l->n * sizeof(*l->want));
	while (*s) {
		int64_t amount;
		const struct fsi_plan_license *v = next(l, &s, &amount);

		known = known && v;
		if (v)
			l->want[v - l->v] += amount;
	}
	return known;
}

bool fsi_licenses_of(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	return read_list(l, fsi_str(m, fsi_job_rare(m, j)->licenses));
}

void fsi_licenses_kept(struct fsi_plan_licenses *l, const fs_snapshot *m, uint32_t reservation)
{
	read_list(l, fsi_str(m, m->reservation.v[reservation].licenses));
}

uint32_t fsi_licenses_owners(const fs_snapshot *m)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->reservation.n; i++)
		n += m->reservation.v[i].licenses != 0;
	return n;
}

uint32_t fsi_licenses_owner(const fs_snapshot *m, uint32_t name)
{
	uint32_t n = 0;

	for (size_t i = 0; name && i < m->reservation.n; i++) {
		n += m->reservation.v[i].licenses != 0;
		if (m->reservation.v[i].name == name)
			return m->reservation.v[i].licenses ? n : 0;
	}
	return 0;
}

void fsi_licenses_take(struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].used += l->want[i];
}

bool fsi_licenses_left(const struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->want[i] && l->v[i].used - l->v[i].freed + l->v[i].reserved + l->want[i] > l->v[i].total)
			return false;
	return true;
}

void fsi_licenses_free(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_str(m, fsi_job_rare(m, j)->licenses);

	while (*s) {
		int64_t amount;
		struct fsi_plan_license *v = next(l, &s, &amount);

		if (v)
			v->freed += amount;
	}
}

bool fsi_licenses_meet(const struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_str(m, fsi_job_rare(m, j)->licenses);

	while (*s) {
		int64_t amount;
		const struct fsi_plan_license *v = next(l, &s, &amount);

		if (v && l->want[v - l->v])
			return true;
	}
	return false;
}

void fsi_licenses_unreserve(struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].reserved = l->v[i].freed = 0;
}

bool fsi_licenses_reserve(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_reservation *r)
{
	const char *s = fsi_str(m, r->licenses);
	bool meets = false;

	while (*s) {
		int64_t amount;
		struct fsi_plan_license *v = next(l, &s, &amount);

		if (!v)
			continue;
		v->reserved += amount;
		meets = meets || l->want[v - l->v];
	}
	return meets;
}
