/* fs-explain/1: the sum of a job in one partition. */
#include "explain/json_parts.h"

#include "columns/prio.h"

#include <math.h>
#include <string.h>

static void write_inputs(struct fs_json *j, const struct fs_prio_term *t,
			 const struct fs_prio_inputs *in)
{
	static const char *const rules[] = { "",     "plain",  "ratio",    "age",
					     "size", "waited", "expansion" };

	if (in->rule == FS_INPUTS_NONE)
		return;
	fs_json_object(j);
	json_text(j, "factor", t->name);
	json_text(j, "rule", rules[in->rule]);
	json_number(j, "have", in->have);
	json_number(j, "of",
		    in->rule == FS_INPUTS_PLAIN || in->rule == FS_INPUTS_WAITED ? NAN : in->of);
	json_number(j, "cpus", in->rule == FS_INPUTS_SIZE ? in->cpus : NAN);
	json_number(j, "of_cpus", in->rule == FS_INPUTS_SIZE ? in->of_cpus : NAN);
	json_number(j, "limit_s", in->rule == FS_INPUTS_EXPANSION ? in->limit_s : NAN);
	json_integer(j, "since", in->since);
	json_text(j, "of_qos", in->of_qos ? in->of_qos : "");
	fs_json_end_object(j);
}

/* Flux and Maui: what makes the sum the priority; and what caps took from factors. */
static void write_steps(struct fs_json *j, const struct fs_explain_sum *s)
{
	static const char *const steps[FS_STEPS] = { "rounded", "clamped", "raised",
						     "cut",     "system",  "fraction" };

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

void explain_json_sum(struct fs_json *j, const struct fs_explain_sum *s, bool placed)
{
	fs_json_object(j);
	json_text(j, "partition", s->partition);
	json_text(j, "qos", s->qos);
	json_integer(j, "tier", s->tier);
	json_whole(j, "position", placed && s->position != 0, s->position);
	json_whole(j, "eligible", s->position != 0, s->of);
	json_whole(j, "in_line", s->position != 0, s->of);
	json_flag(j, "direct", s->direct);
	json_number(j, "sum", s->sum);
	json_number(j, "total", s->total);
	json_number(j, "recorded", s->recorded);
	json_number(j, "queue_priority", s->queue_priority);
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t t = 0; t < s->nterms; t++)
		prio_json_term(j, &s->terms[t]);
	for (size_t t = 0; !s->nterms && t < s->nprinted; t++)
		prio_json_term(j, &s->printed[t]);
	fs_json_end_array(j);
	fs_json_key(j, "inputs");
	fs_json_array(j);
	for (size_t t = 0; !s->direct && t < s->nterms; t++)
		write_inputs(j, &s->terms[t], &s->inputs[t]);
	fs_json_end_array(j);
	write_steps(j, s);
	fs_json_end_object(j);
}
