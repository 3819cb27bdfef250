#include "prio_json.h"

#include "render/json.h"

static void write_term(struct fs_json *j, const struct fs_prio_term *t)
{
	fs_json_object(j);
	json_text(j, "factor", t->name);
	json_number(j, "value", t->value);
	json_number(j, "weight", t->weight);
	json_number(j, "points", t->points);
	fs_json_end_object(j);
}

static void write_row(struct fs_json *j, const struct fs_prio_row *r, size_t nterms)
{
	fs_json_object(j);
	fs_json_key(j, "jobid");
	fs_json_u64(j, r->job);
	json_text(j, "partition", r->partition);
	json_text(j, "user", r->user);
	json_text(j, "account", r->account);
	json_text(j, "qos", r->qos);
	json_number(j, "priority", r->priority);
	json_number(j, "sum", r->sum);
	fs_json_key(j, "direct");
	fs_json_bool(j, r->direct);
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t t = 0; t < nterms; t++)
		write_term(j, &r->terms[t]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

int prio_json(const fs_snapshot *s, fs_prios *p, const size_t *rows, size_t n)
{
	struct fs_prio_row row;
	struct fs_json j;

	json_begin(&j, "fs-prio/1", s);
	fs_json_key(&j, "rows");
	fs_json_array(&j);
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, rows[i], &row);
		write_row(&j, &row, fs_prios_terms(p));
	}
	fs_json_end_array(&j);
	return json_end(&j);
}
