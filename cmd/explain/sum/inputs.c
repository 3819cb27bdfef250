/* Where the factors of a sum come from, in words. */
#include "explain/parts.h"
#include "words/decimals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void say_age(struct page *p, const struct explain_view *v, const struct fs_prio_inputs *in)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS], b[WORDS], c[WORDS];

	if (in->since == FS_UNKNOWN) {
		page_cell(p, "it does not age now");
		return;
	}
	if (in->have >= in->of)
		page_cell(p, "full: PriorityMaxAge %s reached; counts since %s",
			  duration_words(a, in->of), time_words(b, s, in->since));
	else
		page_cell(p, "waited %s of PriorityMaxAge %s; counts since %s, full at %s",
			  duration_words(a, in->have), duration_words(b, in->of),
			  time_words(c, s, in->since),
			  time_words((char[WORDS]){ 0 }, s, in->since + (int64_t)in->of));
}

/* "; it asks for 3 CPUs, but takes whole nodes" */
static void grows_words(char out[WORDS], const struct fs_prio_inputs *in)
{
	static const char *const why[] = { "", "it takes whole nodes", "its memory takes more",
					   "it takes whole cores", "it takes CPUs for each GPU" };
	char asked[WORDS];

	*out = '\0';
	if (in->grows)
		snprintf(out, WORDS, "; it asks for %s, but %s",
			 count_words(asked, (uint64_t)in->asked_cpus, "CPU", "CPUs"), why[in->grows]);
}

static void say_size(struct page *p, const struct fs_prio_inputs *in)
{
	char more[WORDS];

	grows_words(more, in);
	if (in->by_time)
		page_cell(
			p,
			"%s%.0f of %.0f nodes, %.0f of %.0f CPUs, for %.0f %s (SMALL_RELATIVE_TO_TIME)%s",
			in->small ? "small jobs first: " : "", in->have, in->of, in->cpus,
			in->of_cpus, in->minutes, in->minutes == 1 ? "minute" : "minutes", more);
	else if (in->small)
		page_cell(
			p,
			"small jobs first: mean of %.0f/%.0f nodes and %.0f/%.0f CPUs not asked for%s",
			in->of > in->have ? in->of - in->have : 0, in->of,
			in->of_cpus > in->cpus ? in->of_cpus - in->cpus : 0, in->of_cpus, more);
	else if (in->cpus > 0)
		page_cell(p, "mean of %.0f/%.0f nodes and %.0f/%.0f CPUs%s", in->have, in->of,
			  in->cpus, in->of_cpus, more);
	else
		page_cell(p, "%.0f/%.0f nodes", in->have, in->of);
}

static void say_ratio(struct page *p, const char *what, const struct fs_prio_inputs *in, const char *flag)
{
	if (in->rule == FS_INPUTS_PLAIN)
		page_cell(p, "%s %.0f, not divided by the highest (%s)", what, in->have, flag);
	else if (in->of == 0)
		page_cell(p, "%s %.0f, and so are all", what, in->have);
	else
		page_cell(p, "%s %.0f, highest is %.0f", what, in->have, in->of);
}

static void say_tres(struct page *p, const char *tres, const struct fs_prio_inputs *in)
{
	char a[WORDS];

	if (in->rule == FS_INPUTS_PLAIN)
		page_cell(p, "%s, not divided by the partition's (NO_NORMAL_TRES)",
			  amount_words(a, tres, in->have));
	else if (!strcmp(tres, "mem"))
		page_cell(p, "%.0fM of %.0fM", in->have, in->of);
	else
		page_cell(p, "%.0f of the partition's %.0f", in->have, in->of);
}

static bool inputs_known(const struct fs_prio_inputs *in)
{
	return !isnan(in->have) && (in->rule == FS_INPUTS_PLAIN || !isnan(in->of)) &&
	       (in->rule != FS_INPUTS_SIZE || (!isnan(in->cpus) && !isnan(in->of_cpus)));
}

static void say_fairshare(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_prio_term *t)
{
	const struct fs_explain_path *path = &job->path;
	char what[WORDS];

	if (isnan(t->value) && t->recorded)
		page_cell(p, "whole points, as the scheduler printed them");
	else if (isnan(t->value))
		page_cell(p, "unknown: hidden from the capture");
	else if (job->share_row == FS_NO_ROW && !isnan(t->value) && v->dialect->explain->posted_factor)
		page_cell(p, "%s", v->dialect->explain->posted_factor);
	else if (job->share_row == FS_NO_ROW)
		page_cell(p, "no association: nothing to share");
	else if (path->given)
		page_cell(p, "as the scheduler printed it: its inputs were hidden");
	else if (isnan(path->factor))
		page_cell(p, "as the scheduler held it for this job; see below");
	else if (path->rank && fabs(t->value - path->factor) > 5e-7) /* the scheduler keeps six decimals */
		page_cell(p, "as the plugin held it for this job; %.6f by now, see below", path->factor);
	else if (path->hidden)
		page_cell(p, "see below");
	else if (path->stands && !path->ranges)
		page_cell(p, "better than %s, see below", standing_of(what, path));
	else
		page_cell(p, "%s, see below", path->algorithm ? path->algorithm : "");
}

static void say_qos(struct page *p, const struct fs_explain_job *job, const struct fs_explain_sum *s,
		    const struct fs_prio_inputs *in)
{
	const bool ended = job->state == FS_EXPLAIN_ENDED;
	char a[WORDS], b[WORDS], what[3 * WORDS];

	snprintf(what, sizeof(what), "%s", *s->qos ? cell_words(a, s->qos)
						      : ended ? "no QOS any more:" : "no QOS:");
	if (in->of_qos)
		snprintf(what, sizeof(what), "%s has 0 and takes that of %s:", cell_words(a, s->qos),
			 cell_words(b, in->of_qos));
	say_ratio(p, what, in, "NO_NORMAL_QOS");
}

static void say_queue(struct page *p, const struct fs_prio_term *t, const struct fs_prio_inputs *in,
		      const struct fs_explain_sum *s)
{
	const char *queue = in->of_qos ? in->of_qos : s->partition;
	const char *unless = in->last_job == FS_LAST_JOB_ACTIVE ? ", unless a later job of its owner has ended" : "";
	char what[WORDS];

	if (in->last_job == FS_LAST_JOB_UNKNOWN)
		page_cell(p, "unknown: its owner's last job, which may have ended, was not captured");
	else if (in->last_job == FS_LAST_JOB_HELD)
		page_cell(p, "priority of a queue as Flux keeps it since its owner's last job there; no queue has it by now");
	else if (!in->of_qos && isnan(t->value))
		page_cell(p, "unknown: queues were not captured");
	else if (in->of_qos)
		page_cell(p, "of %s%s: its owner's last job there%s", *queue ? "queue " : "no queue", cell_words(what, queue), unless);
	else
		page_cell(p, "priority of %s%s%s", *queue ? "queue " : "no queue", cell_words(what, queue), unless);
}

void explain_inputs(struct page *p, const struct explain_view *v,
		       const struct fs_explain_job *job, const struct fs_prio_term *t,
		       const struct fs_prio_inputs *in, const struct fs_explain_sum *s)
{
	char what[WORDS];

	if (t->recorded && explain_has_started(job))
		page_cell(p, "as the scheduler printed it, of when the job ran");
	else if (t->factor == FS_FACTOR_FAIRSHARE)
		say_fairshare(p, v, job, t);
	else if (t->factor == FS_FACTOR_SITE)
		page_cell(p, "set by the site's plugin or an administrator");
	else if (t->factor == FS_FACTOR_NICE)
		page_cell(p, "nice is subtracted");
	else if (t->factor == FS_FACTOR_QUEUE)
		say_queue(p, t, in, s);
	else if (t->factor == FS_FACTOR_BANK)
		page_cell(p, isnan(t->value) ? "unknown: banks were not captured" : "priority of the bank");
	else if (t->factor == FS_FACTOR_URGENCY)
		page_cell(p,
			  isnan(s->urgency) ? "unknown: not captured"
					    : "urgency %.0f less 16, the default",
			  s->urgency);
	else if (t->recorded && isnan(t->value))
		page_cell(p, "whole points, as the scheduler printed them");
	else if (t->recorded)
		page_cell(p, "as the scheduler printed it: its inputs were hidden");
	else if (!inputs_known(in))
		page_cell(p, "unknown: an input was not captured");
	else if (t->factor == FS_FACTOR_AGE)
		say_age(p, v, in);
	else if (t->factor == FS_FACTOR_JOBSIZE)
		say_size(p, in);
	else if (t->factor == FS_FACTOR_TRES)
		say_tres(p, t->name + strlen("tres/"), in);
	else if (t->factor == FS_FACTOR_ASSOC)
		say_ratio(p, "association priority", in, "NO_NORMAL_ASSOC");
	else if (t->factor == FS_FACTOR_PARTITION)
		say_ratio(p, cell_words(what, s->partition), in, "NO_NORMAL_PART");
	else if (t->factor == FS_FACTOR_QOS)
		say_qos(p, job, s, in);
	else
		page_cell(p, "%s", "");
}
