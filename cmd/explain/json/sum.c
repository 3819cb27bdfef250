/* fs-explain/1: the sum of a job in one partition. */
#include "explain/json/json.h"

#include "columns/prio.h"

/* ---- what factors are made of: a row of inputs, of its term */

COLUMN_KNOWN(has_of, void, struct fs_prio_inputs, row->rule != FS_INPUTS_PLAIN && row->rule != FS_INPUTS_WAITED)
COLUMN_KNOWN(is_size, void, struct fs_prio_inputs, row->rule == FS_INPUTS_SIZE)
COLUMN_KNOWN(is_expansion, void, struct fs_prio_inputs, row->rule == FS_INPUTS_EXPANSION)
COLUMN_GET(get_factor, struct fs_prio_term, void, of->name)

static const char *rule_name(uint32_t rule)
{
	static const char *const rules[] = { "", "plain", "ratio", "age", "size", "waited", "expansion" };

	return rules[rule];
}

#define INPUTS(m) COLUMN_MEMBER(struct fs_prio_inputs, m)

static const struct column inputs_columns[] = {
	{ NULL, "factor", .get = get_factor, .help = "name of the factor" },
	{ NULL, "rule", INPUTS(rule), .word = rule_name, .help = "how it follows from what stands here" },
	{ NULL, "have", INPUTS(have), .help = "what the job has" },
	{ NULL, "of", INPUTS(of), .known = has_of, .help = "what the whole factor takes" },
	{ NULL, "cpus", INPUTS(cpus), .known = is_size, .help = "CPUs that the job counts for" },
	{ NULL, "of_cpus", INPUTS(of_cpus), .known = is_size, .help = "CPUs of the cluster" },
	{ NULL, "limit_s", INPUTS(limit_s), .known = is_expansion, .help = "the time limit" },
	{ NULL, "since", INPUTS(since), .unit = UNIT_TIME, .help = "from when it counts" },
	{ NULL, "of_qos", INPUTS(of_qos), .help = "the QOS or queue that it is the factor of" },
};

static void write_inputs(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_sum *s = row;

	(void)of;
	fs_json_array(j);
	for (size_t t = 0; !s->direct && t < s->nterms; t++)
		if (s->inputs[t].rule != FS_INPUTS_NONE)
			columns_object(j, COLUMNS(inputs_columns), &s->terms[t], &s->inputs[t]);
	fs_json_end_array(j);
}

/* ---- Flux and Maui: what makes the sum the priority; and what caps took from factors */

static const char *step_name(uint32_t step)
{
	static const char *const steps[FS_STEPS] = { "rounded", "clamped", "raised", "cut", "system", "fraction" };

	return steps[step];
}

#define STEP(m) COLUMN_MEMBER(struct fs_prio_step, m)

static const struct column step_columns[] = {
	{ NULL, "step", STEP(step), .word = step_name, .help = "what is done" },
	{ NULL, "value", STEP(value), .help = "the sum after it" },
};

COLUMN_JSON(write_steps, void, struct fs_explain_sum,
	    columns_list(j, COLUMNS(step_columns), of, row->steps, row->nsteps, sizeof(*row->steps)))
COLUMN_JSON(write_caps, void, struct fs_explain_sum, prio_json_cuts(j, row->terms, row->nterms))

/* ---- the sum */

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_explain_sum *s = row;

	(void)of;
	fs_json_array(j);
	for (size_t t = 0; t < s->nterms; t++)
		prio_json_term(j, &s->terms[t]);
	for (size_t t = 0; !s->nterms && t < s->nprinted; t++)
		prio_json_term(j, &s->printed[t]);
	fs_json_end_array(j);
}

/* of: does the job have a place? */
COLUMN_KNOWN(is_placed, bool, struct fs_explain_sum, *of && row->position)
COLUMN_KNOWN(is_eligible, void, struct fs_explain_sum, row->position)

#define SUM(m) COLUMN_MEMBER(struct fs_explain_sum, m)

static const struct column sum_columns[] = {
	{ NULL, "partition", SUM(partition), .help = "where it is computed for" },
	{ NULL, "qos", SUM(qos), .help = "with which QOS" },
	{ NULL, "tier", SUM(tier), .help = "PriorityTier of the partition" },
	{ NULL, "position", SUM(position), .known = is_placed, .help = "place among those that are eligible" },
	{ NULL, "eligible", SUM(of), .known = is_eligible, .help = "how many are" },
	{ NULL, "in_line", SUM(of), .known = is_eligible, .help = "the same as eligible" },
	{ NULL, "direct", SUM(direct), .help = "set by an administrator: the terms do not count" },
	{ NULL, "sum", SUM(sum), .help = "before it was made a whole number" },
	{ NULL, "total", SUM(total), .help = "the priority" },
	{ NULL, "recorded", SUM(recorded), .help = "the priority that the scheduler printed" },
	{ NULL, "queue_priority", SUM(queue_priority), .help = "by which the queue was sorted" },
	{ NULL, "terms", .json = write_terms, .help = "what the sum is of" },
	{ NULL, "inputs", .json = write_inputs, .help = "what factors are made of" },
	{ NULL, "steps", .json = write_steps, .help = "from the sum to the priority" },
	{ NULL, "caps", .json = write_caps, .help = "factors that a cap has cut" },
};

void explain_json_sum(struct fs_json *j, const struct fs_explain_sum *s, bool placed)
{
	columns_object(j, COLUMNS(sum_columns), &placed, s);
}
