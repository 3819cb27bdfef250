#include "explain_json.h"

#include "cmd.h"
#include "explain_words.h"
#include "prio/json.h"
#include "render/json.h"

#include <math.h>
#include <string.h>

static void integer(struct fs_json *j, const char *key, int64_t v)
{
	fs_json_key(j, key);
	if (v == FS_UNKNOWN)
		fs_json_null(j);
	else if (v == FS_UNLIMITED)
		fs_json_double(j, INFINITY);
	else
		fs_json_i64(j, v);
}

static void flag(struct fs_json *j, const char *key, bool v)
{
	fs_json_key(j, key);
	fs_json_bool(j, v);
}

/* ---- sums */

static void write_inputs(struct fs_json *j, const struct fs_prio_term *t, const struct fs_prio_inputs *in)
{
	static const char *const rules[] = { "", "plain", "ratio", "age", "size", "waited", "expansion" };

	if (in->rule == FS_INPUTS_NONE)
		return;
	fs_json_object(j);
	json_text(j, "factor", t->name);
	json_text(j, "rule", rules[in->rule]);
	json_number(j, "have", in->have);
	json_number(j, "of", in->rule == FS_INPUTS_PLAIN || in->rule == FS_INPUTS_WAITED ? NAN : in->of);
	json_number(j, "cpus", in->rule == FS_INPUTS_SIZE ? in->cpus : NAN);
	json_number(j, "of_cpus", in->rule == FS_INPUTS_SIZE ? in->of_cpus : NAN);
	json_number(j, "limit_s", in->rule == FS_INPUTS_EXPANSION ? in->limit_s : NAN);
	integer(j, "since", in->since);
	fs_json_end_object(j);
}

/* Flux and Maui: what makes the sum the priority; and what caps took from factors. */
static void write_steps(struct fs_json *j, const struct fs_explain_sum *s)
{
	static const char *const steps[FS_STEPS] = { "rounded", "clamped", "raised", "cut", "system", "fraction" };

	fs_json_key(j, "steps");
	fs_json_array(j);
	for (size_t i = 0; i < s->nsteps; i++) {
		fs_json_object(j);
		json_text(j, "step", steps[s->steps[i].step]);
		json_number(j, "value", s->steps[i].value);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_key(j, "caps");
	fs_json_array(j);
	for (size_t t = 0; t < s->nterms; t++) {
		if (s->terms[t].cut == 0)
			continue;
		fs_json_object(j);
		json_text(j, "factor", s->terms[t].name);
		json_number(j, "cut", s->terms[t].cut);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_sum(struct fs_json *j, const struct fs_explain_sum *s)
{
	fs_json_object(j);
	json_text(j, "partition", s->partition);
	json_text(j, "qos", s->qos);
	integer(j, "tier", s->tier);
	json_whole(j, "position", s->position != 0, s->position);
	json_whole(j, "in_line", s->position != 0, s->of);
	flag(j, "direct", s->direct);
	json_number(j, "sum", s->sum);
	json_number(j, "total", s->total);
	json_number(j, "recorded", s->recorded);
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t t = 0; t < s->nterms; t++)
		prio_json_term(j, &s->terms[t]);
	fs_json_end_array(j);
	fs_json_key(j, "inputs");
	fs_json_array(j);
	for (size_t t = 0; !s->direct && t < s->nterms; t++)
		write_inputs(j, &s->terms[t], &s->inputs[t]);
	fs_json_end_array(j);
	write_steps(j, s);
	fs_json_end_object(j);
}

/* ---- the way through the tree */

static void write_row(struct fs_json *j, const struct fs_share_row *r)
{
	json_text(j, "account", r->account);
	json_text(j, "user", r->user);
	json_text(j, "partition", r->partition);
	fs_json_key(j, "raw_shares");
	if (!r->visible || r->shares_kind == FS_SHARES_UNSET)
		fs_json_null(j);
	else if (r->shares_kind == FS_SHARES_PARENT)
		fs_json_string(j, "parent");
	else
		fs_json_u64(j, r->raw_shares);
	json_number(j, "norm_shares", r->visible ? r->norm_shares : NAN);
	json_number(j, "raw_usage", r->visible ? r->raw_usage : NAN);
	json_number(j, "norm_usage", r->visible ? r->norm_usage : NAN);
	json_number(j, "effective_usage", r->visible ? r->effective_usage : NAN);
	json_number(j, "level_fs", r->visible ? r->level_fs : NAN);
	json_number(j, "low", r->visible ? r->low : NAN);
	json_number(j, "high", r->visible ? r->high : NAN);
	json_number(j, "position", r->visible ? r->position : NAN);
}

static void write_level(struct fs_json *j, const struct explain_view *v, const struct fs_explain_level *l)
{
	fs_json_object(j);
	json_text(j, "level", fs_shares_row(v->from->shares, l->above)->account);
	write_row(j, fs_shares_row(v->from->shares, l->row));
	json_number(j, "level_shares", l->level_shares);
	json_whole(j, "place", l->place != 0, l->place);
	json_whole(j, "tied", l->place != 0, l->tied);
	fs_json_key(j, "siblings");
	fs_json_array(j);
	for (uint32_t k = 0; k < l->count; k++) {
		const struct fs_share_row *r = fs_shares_row(v->from->shares, l->siblings[k]);

		if (!r->visible)
			continue;
		fs_json_object(j);
		write_row(j, r);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static void write_path(struct fs_json *j, const struct explain_view *v, const struct fs_explain_path *p)
{
	if (!p->algorithm) {
		fs_json_null(j);
		return;
	}
	const bool open = !p->given && !p->hidden;
	const struct fs_share_row *other = v->other && open ? fs_shares_row(v->other, p->row) : NULL;

	fs_json_object(j);
	json_text(j, "algorithm", p->algorithm);
	json_number(j, "factor", p->factor);
	json_number(j, "recorded", p->recorded);
	flag(j, "hidden", !open);
	json_whole(j, "rank", open && p->rank, p->rank);
	json_whole(j, "users", open && p->rank, p->users);
	json_whole(j, "better", open && p->rank, p->better);
	json_whole(j, "tied", open && p->rank, p->tied);
	json_whole(j, "worse", open && p->rank, p->worse);
	json_text(j, "other_algorithm", other ? fs_shares_algorithm(v->other) : "");
	json_whole(j, "other_rank", other && other->rank, other ? other->rank : 0);
	json_number(j, "other_factor", other ? other->fairshare : NAN);
	fs_json_key(j, "levels");
	fs_json_array(j);
	for (size_t k = 0; open && k < p->levels; k++)
		write_level(j, v, &p->level[k]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

/* ---- ahead */

static void write_group(struct fs_json *j, const struct fs_explain_sum *own, const struct fs_explain_group *g)
{
	const bool factor = g->key == FS_KEY_PRIORITY && g->term != SIZE_MAX;

	fs_json_object(j);
	json_text(j, "account", g->account);
	json_text(j, "user", g->user);
	json_whole(j, "array", g->array != 0, g->array);
	json_whole(j, "entries", true, g->entries);
	json_whole(j, "jobs", true, g->jobs);
	integer(j, "cpus", g->cpus);
	integer(j, "gpus", g->gpus);
	json_number(j, "cpu_hours", g->cpu_hours);
	json_text(j, "key", fs_queue_key_name(g->key));
	json_text(j, "factor", factor ? own->terms[g->term].name : "");
	json_number(j, "difference", factor ? g->difference : NAN);
	json_number(j, "lowest", factor ? g->lowest : NAN);
	json_number(j, "highest", factor ? g->highest : NAN);
	json_number(j, "own", factor ? g->own : NAN);
	fs_json_end_object(j);
}

static void write_ahead(struct fs_json *j, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;

	fs_json_key(j, "ahead");
	if (!job->nsums || !job->sums->position) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_whole(j, "entries", true, a->all.entries);
	json_whole(j, "jobs", true, a->all.jobs);
	json_whole(j, "own", true, a->own_entries);
	json_whole(j, "passed_by_waiting", true, a->all.passed);
	flag(j, "at_least", a->unseen || job->jobs_hidden);
	fs_json_key(j, "groups");
	fs_json_array(j);
	for (size_t i = 0; i < a->ngroups; i++)
		write_group(j, job->sums, &a->groups[i]);
	fs_json_end_array(j);
	fs_json_key(j, "elsewhere");
	fs_json_array(j);
	for (size_t i = 0; i < a->nrivals; i++) {
		fs_json_object(j);
		json_text(j, "partition", a->rivals[i].partition);
		integer(j, "tier", a->rivals[i].tier);
		json_whole(j, "entries", true, a->rivals[i].entries);
		json_whole(j, "jobs", true, a->rivals[i].jobs);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
}

/* ---- what is in the way */

static void write_limit(struct fs_json *j, const struct fs_explain_limit *l)
{
	static const char *const scopes[] = { "association", "account", "qos", "partition_qos" };

	fs_json_object(j);
	json_text(j, "limit", l->name);
	json_text(j, "tres", l->tres);
	json_text(j, "scope", scopes[l->scope]);
	json_text(j, "of", l->of);
	json_text(j, "whose", l->whose);
	json_number(j, "value", l->value);
	json_number(j, "used", l->per_job ? NAN : l->used);
	json_number(j, "wants", l->wants);
	flag(j, "blocks", l->blocks);
	flag(j, "never", l->never);
	flag(j, "named", l->named);
	fs_json_key(j, "holders");
	fs_json_array(j);
	for (size_t i = 0; i < l->nholders; i++) {
		fs_json_object(j);
		json_text(j, "user", l->holders[i].user);
		json_text(j, "account", l->holders[i].account);
		json_whole(j, "jobs", true, l->holders[i].jobs);
		json_number(j, "amount", l->holders[i].amount);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static void write_obstacle(struct fs_json *j, const struct fs_explain_obstacle *o)
{
	fs_json_object(j);
	json_text(j, "partition", o->partition);
	json_text(j, "what", o->what);
	json_text(j, "name", o->name);
	json_number(j, "wants", o->wants);
	json_number(j, "has", o->has);
	fs_json_end_object(j);
}

static void write_reason(struct fs_json *j, const struct fs_explain_job *job)
{
	fs_json_key(j, "reason");
	if (!job->reason) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "name", job->reason->name);
	json_text(j, "meaning", job->reason->meaning);
	json_text(j, "clears", job->reason->clears);
	fs_json_end_object(j);
}

/* ---- Flux and Maui */

static void write_holds(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	fs_json_key(j, "holds");
	fs_json_array(j);
	for (size_t i = 0; i < job->nholds; i++) {
		const struct fs_hold_row *h = fs_holds_row(v->from->holds, job->job_row, i);

		fs_json_object(j);
		json_text(j, "reason", h->reason);
		json_text(j, "limit", h->limit ? h->limit : "");
		json_text(j, "scope", h->scope);
		json_number(j, "value", h->value);
		json_number(j, "used", h->used);
		json_number(j, "wants", h->wants);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_windows(struct fs_json *j, const struct fs_windows_info *info, const struct fs_window_row *r)
{
	fs_json_key(j, "windows");
	fs_json_array(j);
	for (uint32_t i = 0; i < info->depth; i++) {
		fs_json_object(j);
		integer(j, "start", info->start - (int64_t)i * info->interval_s);
		json_number(j, "weight", info->weight[i]);
		json_number(j, "usage_s", r->window_usage_s[i]);
		json_number(j, "total_usage_s", info->total_usage_s[i]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_credential(struct fs_json *j, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct fs_window_row *r = fs_windows_row(v->from->windows, window_row);
	struct fs_explain_count n;

	fs_explain_count_credential(v->x, window_row, &n);
	fs_json_object(j);
	json_text(j, "kind", fs_cred_kind_name(r->kind));
	json_text(j, "name", r->name);
	json_number(j, "target", r->target != 0 ? r->target : NAN);
	json_text(j, "mode", r->target != 0 ? fs_target_mode_name(r->mode) : "");
	flag(j, "inherited", r->inherited);
	json_number(j, "percent", r->percent);
	json_number(j, "usage_s", r->usage_s);
	json_number(j, "total_usage_s", info->usage_s);
	flag(j, "ratio", info->ratio);
	json_number(j, "factor", r->factor);
	json_whole(j, "running", true, n.running);
	json_whole(j, "pending", true, n.pending);
	json_whole(j, "blocked", true, n.blocked);
	write_windows(j, info, r);
	fs_json_end_object(j);
}

static void write_cap(struct fs_json *j, const struct fs_explain_job *job)
{
	fs_json_key(j, "blocked_by_cap");
	if (!job->capped) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "kind", fs_cred_kind_name(job->cap.kind));
	json_text(j, "credential", job->cap.name);
	json_text(j, "mode", fs_target_mode_name(job->cap.mode));
	json_number(j, "cap", job->cap.cap);
	json_number(j, "usage", job->cap.usage);
	json_number(j, "need", job->cap.need);
	fs_json_end_object(j);
}

static void write_credentials(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	fs_json_key(j, "credentials");
	fs_json_array(j);
	for (int k = 0; v->from->windows && k < FS_CRED_KINDS; k++)
		if (job->credential[k] != UINT32_MAX)
			write_credential(j, v, job->credential[k]);
	fs_json_end_array(j);
	write_cap(j, job);
}

int explain_credential_json(const struct explain_view *v, uint32_t window_row)
{
	struct fs_json j;

	json_begin(&j, "fs-explain/1", v->from->snapshot);
	json_text(&j, "kind", "credential");
	fs_json_key(&j, "credential");
	write_credential(&j, v, window_row);
	return json_end(&j);
}

/* ---- a job */

static void write_subject(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	const fs_snapshot *s = v->from->snapshot;
	struct fs_job o;
	char id[WORDS];

	fs_snapshot_job(s, job->job_row, &o);
	fs_json_key(j, "job");
	fs_json_object(j);
	fs_json_key(j, "jobid");
	fs_json_u64(j, o.id);
	json_text(j, "name", job_words(id, s, job->job_row));
	json_text(j, "user", o.user);
	json_text(j, "account", o.account);
	json_text(j, "state", o.state);
	json_text(j, "reason_text", o.reason);
	integer(j, "cpus", o.cpus);
	integer(j, "time_limit_s", o.time_limit_s);
	integer(j, "submit_time", o.submit_time);
	integer(j, "eligible_time", o.eligible_time);
	integer(j, "start_time", o.start_time);
	fs_json_end_object(j);
}

static void write_job(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	static const char *const states[] = { "ended", "running", "never", "held", "blocked", "queued" };

	write_subject(j, v, job);
	json_text(j, "verdict", states[job->state]);
	write_reason(j, job);
	fs_json_key(j, "sums");
	fs_json_array(j);
	for (size_t i = 0; i < job->nsums; i++)
		write_sum(j, &job->sums[i]);
	fs_json_end_array(j);
	write_ahead(j, job);
	prio_json_accrue(j, job->has_accrue ? &job->accrue : NULL);
	fs_json_key(j, "fairshare");
	write_path(j, v, &job->path);
	fs_json_key(j, "limits");
	fs_json_array(j);
	for (size_t i = 0; i < job->nlimits; i++)
		write_limit(j, &job->limits[i]);
	fs_json_end_array(j);
	fs_json_key(j, "obstacles");
	fs_json_array(j);
	for (size_t i = 0; i < job->nobstacles; i++)
		write_obstacle(j, &job->obstacles[i]);
	fs_json_end_array(j);
	write_holds(j, v, job);
	write_credentials(j, v, job);
	flag(j, "jobs_hidden", job->jobs_hidden);
}

int explain_job_json(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_json j;

	json_begin(&j, "fs-explain/1", v->from->snapshot);
	json_text(&j, "kind", "job");
	write_job(&j, v, job);
	return json_end(&j);
}

int explain_jobs_versus_json(const struct explain_view *v, const struct fs_explain_job *a, const struct fs_explain_job *b)
{
	struct fs_explain_parting part = { .same = true };
	struct fs_explain_versus d;
	struct fs_json j;

	fs_explain_jobs_versus(v->x, a, b, &d);
	if (a->path.algorithm && b->path.algorithm)
		fs_explain_paths_part(v->x, &a->path, &b->path, &part);
	json_begin(&j, "fs-explain/1", v->from->snapshot);
	json_text(&j, "kind", "versus");
	json_text(&j, "first", d.first < 0 ? "a" : d.first > 0 ? "b" : "");
	json_text(&j, "key", d.key == FS_KEY_NONE ? "" : fs_queue_key_name(d.key));
	json_text(&j, "factor", d.term == SIZE_MAX ? "" : a->sums[d.sum_a].terms[d.term].name);
	json_whole(&j, "parting_level", !part.same, part.level_a);
	fs_json_key(&j, "a");
	fs_json_object(&j);
	write_job(&j, v, a);
	fs_json_end_object(&j);
	fs_json_key(&j, "b");
	fs_json_object(&j);
	write_job(&j, v, b);
	fs_json_end_object(&j);
	return json_end(&j);
}

/* ---- users and accounts */

static void write_association(struct fs_json *j, const struct explain_view *v, uint32_t row)
{
	struct fs_explain_path path = { 0 };
	struct fs_explain_count n;

	fs_explain_count(v->x, row, &n);
	if (fs_explain_path(v->x, row, &path, NULL))
		path.algorithm = NULL;
	fs_json_object(j);
	write_row(j, fs_shares_row(v->from->shares, row));
	json_whole(j, "running", true, n.running);
	json_whole(j, "pending", true, n.pending);
	json_whole(j, "in_line", true, n.in_line);
	json_whole(j, "held", true, n.held);
	fs_json_key(j, "fairshare");
	write_path(j, v, &path);
	fs_json_end_object(j);
}

int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n)
{
	struct fs_json j;

	json_begin(&j, "fs-explain/1", v->from->snapshot);
	json_text(&j, "kind", kind);
	fs_json_key(&j, "associations");
	fs_json_array(&j);
	for (size_t i = 0; i < n; i++)
		write_association(&j, v, rows[i]);
	fs_json_end_array(&j);
	return json_end(&j);
}

int explain_rows_versus_json(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_parting part = { .same = true };
	struct fs_explain_path pa, pb;
	struct fs_json j;

	if (fs_explain_path(v->x, a, &pa, NULL) || fs_explain_path(v->x, b, &pb, NULL))
		return EXIT_FAILED;
	fs_explain_paths_part(v->x, &pa, &pb, &part);
	json_begin(&j, "fs-explain/1", v->from->snapshot);
	json_text(&j, "kind", "versus");
	json_text(&j, "first", part.first < 0 ? "a" : part.first > 0 ? "b" : "");
	json_whole(&j, "parting_level", !part.same, part.level_a);
	fs_json_key(&j, "associations");
	fs_json_array(&j);
	write_association(&j, v, a);
	write_association(&j, v, b);
	fs_json_end_array(&j);
	return json_end(&j);
}
