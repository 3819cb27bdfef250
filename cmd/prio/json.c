#include "prio/json.h"

#include "render/json.h"

#include <math.h>

void prio_json_term(struct fs_json *j, const struct fs_prio_term *t)
{
	fs_json_object(j);
	json_text(j, "factor", t->name);
	json_number(j, "value", t->value);
	json_number(j, "weight", t->weight);
	json_number(j, "points", t->points);
	json_flag(j, "recorded", t->recorded);
	fs_json_end_object(j);
}

void prio_json_accrue(struct fs_json *j, const struct fs_accrue_row *a)
{
	static const char *const states[] = { "not_eligible", "ageing", "room", "waiting" };

	fs_json_key(j, "accrue");
	if (!a) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "state", states[a->state]);
	json_text(j, "limit", a->limit ? a->limit : "");
	json_text(j, "scope", a->scope);
	json_whole(j, "value", a->limit != NULL, a->value);
	json_whole(j, "used", a->limit != NULL, a->used);
	json_whole(j, "ahead", a->limit && a->state != FS_ACCRUE_AGEING, a->ahead);
	fs_json_end_object(j);
}

/* Terms whose factor a cap has cut. */
static void write_caps(struct fs_json *j, const struct fs_prio_row *r, size_t nterms)
{
	fs_json_key(j, "caps");
	fs_json_array(j);
	for (size_t t = 0; t < nterms; t++) {
		if (r->terms[t].cut == 0)
			continue;
		fs_json_object(j);
		json_text(j, "factor", r->terms[t].name);
		json_number(j, "cut", r->terms[t].cut);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_hold(struct fs_json *j, const struct fs_hold_row *h)
{
	fs_json_object(j);
	json_text(j, "reason", h->reason);
	json_text(j, "limit", h->limit ? h->limit : "");
	json_text(j, "scope", h->scope);
	json_number(j, "value", isinf(h->value) ? (double)NAN : h->value);
	json_number(j, "used", h->used);
	fs_json_end_object(j);
}

/* holds: NULL where the scheduler is not Flux. */
static void write_flux(struct fs_json *j, const fs_snapshot *s, const struct fs_prio_row *r,
		       const fs_holds *holds)
{
	json_f58(j, s, r->job);
	json_text(j, "state", r->state);
	json_number(j, "urgency", r->urgency);
	fs_json_key(j, "reasons");
	if (!holds) {
		fs_json_null(j);
		return;
	}
	fs_json_array(j);
	for (size_t i = 0; i < fs_holds_count(holds, r->job_row); i++)
		write_hold(j, fs_holds_row(holds, r->job_row, i));
	fs_json_end_array(j);
}

/* accrue: NULL where jobs do not age. */
static void write_row(struct fs_json *j, const fs_snapshot *s, const struct fs_prio_row *r, size_t nterms,
		      const struct fs_accrue_row *accrue, const fs_holds *holds)
{
	fs_json_object(j);
	fs_json_key(j, "jobid");
	fs_json_u64(j, r->job);
	json_text(j, "name", r->name);
	json_text(j, "partition", r->partition);
	json_text(j, "user", r->user);
	json_text(j, "account", r->account);
	json_text(j, "qos", r->qos);
	json_number(j, "priority", r->priority);
	json_number(j, "sum", r->sum);
	json_flag(j, "direct", r->direct);
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t t = 0; t < nterms; t++)
		prio_json_term(j, &r->terms[t]);
	fs_json_end_array(j);
	write_caps(j, r, nterms);
	prio_json_accrue(j, accrue);
	write_flux(j, s, r, holds);
	fs_json_end_object(j);
	json_row_done(j);
}

static void write_cap(struct fs_json *j, const struct fs_cap_row *c)
{
	fs_json_object(j);
	fs_json_key(j, "jobid");
	fs_json_u64(j, c->job);
	json_text(j, "name", c->job_name);
	json_text(j, "user", c->user);
	json_text(j, "kind", fs_cred_kind_name(c->kind));
	json_text(j, "credential", c->name);
	json_text(j, "mode", fs_target_mode_name(c->mode));
	json_number(j, "cap", c->cap);
	json_number(j, "usage", c->usage);
	json_number(j, "need", c->need);
	fs_json_end_object(j);
}

/* Jobs that have no row since a fair-share cap holds them back. w: NULL where there are no such caps. */
static void write_blocked(struct fs_json *j, const fs_snapshot *s, const fs_windows *w)
{
	struct fs_cap_row c;

	fs_json_key(j, "blocked");
	fs_json_array(j);
	for (uint32_t i = 0; w && i < fs_snapshot_info(s)->jobs; i++)
		if (fs_windows_capped(w, i, &c))
			write_cap(j, &c);
	fs_json_end_array(j);
}

int prio_json(const struct invocation *inv, const fs_snapshot *s, enum fs_maui_dialect dialect,
	      unsigned compat, fs_prios *p, const fs_holds *holds, const size_t *rows, size_t n,
	      enum json_form form)
{
	struct fs_accrue_row accrue;
	struct fs_prio_row row;
	struct fs_error err;
	fs_windows *w = NULL;
	fs_accrue *a = NULL;
	struct fs_json j;

	if (fs_accrue_compute(&a, s, compat, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	if (fs_windows_compute(&w, s, dialect, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	json_begin(&j, "fs-prio/1", s, form);
	if (form == JSON_LINES)
		write_blocked(&j, s, w);
	json_rows(&j);
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, rows[i], &row);
		if (a)
			fs_accrue_job(a, row.job_row, &accrue);
		write_row(&j, s, &row, fs_prios_terms(p), a ? &accrue : NULL, holds);
	}
	fs_accrue_free(a);
	json_end_rows(&j);
	if (form != JSON_LINES)
		write_blocked(&j, s, w);
	fs_windows_free(w);
	return json_end(&j);
}
