/* What is Slurm's alone, and what is said of a scheduler that is not known. */
#include "explain/parts.h"

#include <math.h>


static void say_stored_sum(struct page *p, const struct fs_explain_sum *s)
{
	bool differs = false;

	for (size_t t = 0; s->recorded_points && t < s->nterms; t++)
		differs = differs || fabs(s->recorded_points[t] - s->terms[t].points) >= 1;
	if (differs && s->recorded_points[FS_FACTOR_FAIRSHARE] == 0 &&
	    s->terms[FS_FACTOR_FAIRSHARE].points >= 1)
		page_say(p, "A new association has fair-share factor 0 until the scheduler's next calculation "
			    "(PriorityCalcPeriod).");
}

const struct explain_dialect explain_slurm = {
	.held_apart = true,
	.limits = explain_limits_text,
	.stored_sum = say_stored_sum,
};
const struct explain_dialect explain_other = { .title_partition = true, .sum_in_steps = true };
