/* What is Slurm's alone, and what is said of a scheduler that is not known. */
#include "explain/parts.h"

/* Says why an association newer than the last calculation has another priority. */
static void say_stored_sum(struct page *p, const struct fs_explain_sum *s)
{
	for (size_t t = 0; s->recorded_points && t < s->nterms; t++)
		if (s->terms[t].factor == FS_FACTOR_FAIRSHARE && s->recorded_points[t] == 0 &&
		    s->terms[t].points >= 1)
			page_say(p, "A new association has fair-share factor 0 until the scheduler's next calculation "
				    "(PriorityCalcPeriod).");
}

const struct explain_dialect explain_slurm = {
	.held_apart = true,
	.limits = explain_limits_text,
	.stored_sum = say_stored_sum,
};
const struct explain_dialect explain_other = { .title_partition = true, .sum_in_steps = true };
