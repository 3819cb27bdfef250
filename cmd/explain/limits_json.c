/* What is in a job's way, with the numbers of limits.c. */
#include "explain/json_parts.h"

#include <math.h>

static void write_choice(struct fs_json *j, const struct fs_explain_choice *c)
{
	fs_json_object(j);
	json_text(j, "partition", c->partition);
	json_text(j, "qos", c->qos);
	json_flag(j, "blocked", c->blocked);
	json_flag(j, "never", c->never);
	fs_json_end_object(j);
}

static void write_holder(struct fs_json *j, const struct fs_explain_holder *h)
{
	fs_json_object(j);
	json_text(j, "user", h->user);
	json_text(j, "account", h->account);
	json_whole(j, "jobs", true, h->jobs);
	json_number(j, "amount", h->amount);
	fs_json_end_object(j);
}

static void write_limit(struct fs_json *j, const struct fs_explain_limit *l)
{
	static const char *const scopes[] = { "association", "account", "qos", "partition_qos" };

	fs_json_object(j);
	json_text(j, "limit", l->name);
	json_text(j, "tres", l->tres);
	json_text(j, "scope", scopes[l->scope]);
	json_text(j, "of", l->of);
	json_text(j, "whose", l->whose);
	json_text(j, "partition", l->partition);
	json_text(j, "qos", l->qos);
	json_number(j, "value", l->value);
	json_number(j, "factor", l->factor);
	json_number(j, "used", l->per_job ? (double)NAN : l->used);
	json_number(j, "promised", l->promised);
	json_number(j, "wants", l->wants);
	json_flag(j, "blocks", l->blocks);
	json_flag(j, "never", l->never);
	json_flag(j, "named", l->named);
	fs_json_key(j, "holders");
	fs_json_array(j);
	for (size_t i = 0; i < l->nholders; i++)
		write_holder(j, &l->holders[i]);
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

void explain_limits_json(struct fs_json *j, const struct fs_explain_job *job)
{
	fs_json_key(j, "choices");
	fs_json_array(j);
	for (size_t i = 0; i < job->nchoices; i++)
		write_choice(j, &job->choices[i]);
	fs_json_end_array(j);
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
}
