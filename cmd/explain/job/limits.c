/* Limits in a job's way, with their present use; and what no waiting will get. */
#include "explain/text.h"
#include "words/verdict.h"

#include <math.h>
#include <string.h>

static bool of_time(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "MaxWall") || !strcmp(l->name, "GrpWall");
}

/* Words the partition and QOS in which a limit holds; both are empty if it holds in all. */
static void choice_words(char *buf, size_t size, const char *partition, const char *qos)
{
	snprintf(buf, size, "%s%s%s%s", *partition ? " in partition " : "", partition, *qos ? " with QOS " : "", qos);
}

static void scope_words(char *buf, size_t size, const struct fs_explain_limit *l)
{
	static const char *const kinds[] = { "the association of", "account", "QOS", "the partition's QOS" };
	char choice[300];

	choice_words(choice, sizeof(choice), l->partition, l->scope == FS_LIMIT_QOS ? "" : l->qos);
	if (l->scope == FS_LIMIT_ASSOC)
		snprintf(buf, size, "%s %s in account %s%s", kinds[l->scope], l->whose, l->of, choice);
	else if (*l->whose)
		snprintf(buf, size, "%s %s, for %s%s", kinds[l->scope], l->of, l->whose, choice);
	else
		snprintf(buf, size, "%s %s%s", kinds[l->scope], l->of, choice);
}

static void say_holders(struct page *p, const struct fs_explain_limit *l)
{
	enum { MAX = 4 };
	char a[WORDS], b[WORDS];

	for (size_t i = 0; i < l->nholders && i < MAX; i++) {
		const struct fs_explain_holder *h = &l->holders[i];

		page_say(p, "%s%s", i ? "" : "by ", *h->user ? h->user : "others");
		if (*l->tres)
			page_join(p, " (%s in %s)", limit_words(a, l, h->amount),
				  count_words(b, h->jobs, "job", "jobs"));
		else
			page_join(p, " (%s)", count_words(b, h->jobs, "job", "jobs"));
		page_join(p, i + 1 == l->nholders || i + 1 == MAX ? "" : ",");
	}
	if (l->nholders > MAX)
		page_say(p, "and %zu others", l->nholders - MAX);
}

static void say_grows(struct page *p, const struct fs_explain_limit *l)
{
	static const char *const why[] = { "", "takes whole nodes", "takes more for its memory", "takes whole cores",
					   "takes CPUs for each GPU" };

	if (l->grows)
		page_say(p, "It asks for less, but %s.", why[l->grows]);
}

/* "a job may ask for at most 4 CPUs on a node, this one asks for 8 CPUs." */
static void say_request(struct page *p, const struct fs_explain_limit *l)
{
	const bool on_node = limit_is_by_node(l);
	char a[WORDS], b[WORDS];

	page_join(p, " a job may ask for %s %s%s, this one %s %s.", l->is_min ? "no less than" : "at most",
		  limit_words(a, l, l->value), on_node ? " on a node" : "",
		  limit_is_by_larger_nodes(l) ? "takes at least"
		  : l->grows		      ? "takes"
					      : "asks for",
		  limit_words(b, l, l->wants));
	say_grows(p, l);
}

static void say_used(struct page *p, const struct fs_explain_limit *l)
{
	char a[WORDS], b[WORDS];

	if (isnan(l->used))
		page_join(p, "the limit is %s, how much of it is used is not known", limit_words(b, l, l->value));
	else if (of_time(l))
		page_join(p, "%s of %s used", duration_words(a, floor(l->used)), limit_words(b, l, l->value));
	else
		page_join(p, "%.0f of %s %s", l->used, limit_words(b, l, l->value), limit_use_word(l));
}

/* What there is room for: what was asked for, or, where nodes or sockets come whole, what the job would get. */
enum room { ROOM, ROOM_SEEN, ROOM_AS_ASKED };

static void say_room(struct page *p, enum room room)
{
	page_say(p, room == ROOM	? "There is room now: it is tried again in the next scheduling pass."
		    : room == ROOM_SEEN ? "With what can be seen there would be room."
					: "There is room for what it asks for, by the plan not for what it would get.");
}

static void say_use(struct page *p, const struct fs_explain_limit *l, bool hidden, enum room room)
{
	char a[WORDS];

	page_join(p, hidden && l->nholders ? " at least " : " ");
	say_used(p, l);
	if (l->nholders)
		page_join(p, ",");
	say_holders(p, l);
	if (!isnan(l->promised))
		page_join(p, "; running jobs may still use %s", limit_words(a, l, l->promised));
	if ((*l->tres || of_time(l)) && l->wants > 0)
		page_join(p, "; this job would add %s", limit_words(a, l, l->wants));
	page_join(p, ".");
	say_grows(p, l);
	if (l->factor != 1)
		page_say(p, "The limit is multiplied by the LimitFactor %s of the QOS.", number_words(a, l->factor));
	if (!strcmp(l->tres, "node") && !limit_is_minutes(l))
		page_say(p, "Nodes already in use there do not count again.");
	if (l->never && l->wants > l->value)
		page_say(p, "That is more than the whole limit: it cannot start even when nothing else runs.");
	else if (!l->blocks && !isnan(l->used))
		say_room(p, room);
}

static void say_limit(struct page *p, const struct fs_explain_limit *l, bool hidden, enum room room)
{
	char scope[800];

	scope_words(scope, sizeof(scope), l);
	page_say(p, "%s of %s:", l->name, scope);
	if (l->per_job)
		say_request(p, l);
	else
		say_use(p, l, hidden, room);
	page_end(p);
}

/* If the job asks for several partitions or QOS, names those in which no limit blocks it. */
static void say_open_choices(struct page *p, const struct fs_explain_job *job)
{
	char choice[300];
	size_t open = 0, listed = 0;

	for (size_t i = 0; i < job->nchoices; i++)
		open += !job->choices[i].blocked && !job->choices[i].never;
	if (!open || open == job->nchoices)
		return;
	page_say(p, "What is listed above does not hold it back");
	for (size_t i = 0; i < job->nchoices; i++) {
		const struct fs_explain_choice *c = &job->choices[i];

		if (c->blocked || c->never)
			continue;
		choice_words(choice, sizeof(choice), c->partition, c->qos);
		page_join(p, "%s%s", listed ? listed + 1 == open ? " or" : "," : "", choice);
		listed++;
	}
	page_join(p, ".");
	page_end(p);
}

static void say_obstacle(struct page *p, const struct fs_explain_obstacle *o)
{
	char a[WORDS], b[WORDS];

	if (!strcmp(o->what, "time"))
		page_say(p, "Partition %s: it asks for %s, at most %s are allowed there.", o->partition,
			 duration_words(a, o->wants), duration_words(b, o->has));
	else if (!strcmp(o->what, "min_nodes"))
		page_say(p, "Partition %s: it asks for at most %s, jobs there have no less than %s.", o->partition,
			 amount_words(a, "node", o->wants), amount_words(b, "node", o->has));
	else if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		page_say(p, "Partition %s: %s %s is not admitted there.", o->partition,
			 !strcmp(o->what, "qos") ? "QOS" : "account", o->name);
	else
		page_say(p, "Partition %s: it asks for %s, the partition has %s.", o->partition,
			 amount_words(a, o->what, o->wants), amount_words(b, o->what, o->has));
	page_end(p);
}

static bool names_a_limit(const struct fs_explain_job *job)
{
	return job->reason && *job->reason->limit &&
	       (job->section == FS_SECTION_ASSOC_LIMIT || job->section == FS_SECTION_QOS_LIMIT);
}

/* Says that the scheduler names a limit of a kind that the snapshot does not have. */
static void say_unknown_limit(struct page *p, const struct fs_explain_job *job)
{
	for (size_t i = 0; i < job->nlimits; i++)
		if (job->limits[i].named)
			return;
	page_say(
		p,
		"%s%s%s%s of the %s that the scheduler names is not in the snapshot: how much of it is used is not known.",
		job->reason->limit, *job->reason->resource ? " (" : "", job->reason->resource,
		*job->reason->resource ? ")" : "", job->section == FS_SECTION_QOS_LIMIT ? "QOS" : "association");
	page_end(p);
}

void explain_limits_text(struct page *p, const struct fs_explain_job *job, bool gets_too_much)
{
	const enum room room = gets_too_much ? ROOM_AS_ASKED : job->jobs_hidden ? ROOM_SEEN : ROOM;

	if (job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED)
		return;
	if (job->nobstacles) {
		page_gap(p);
		page_heading(p, "CANNOT START THERE");
		for (size_t i = 0; i < job->nobstacles; i++)
			say_obstacle(p, &job->obstacles[i]);
	}
	if (job->nlimits || names_a_limit(job)) {
		page_gap(p);
		page_heading(p, "LIMITS");
		if (names_a_limit(job))
			say_unknown_limit(p, job);
		for (size_t i = 0; i < job->nlimits; i++)
			say_limit(p, &job->limits[i], job->jobs_hidden, room);
	}
	if (job->nobstacles || job->nlimits)
		say_open_choices(p, job);
}
