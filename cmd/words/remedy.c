/* What must differ before a job that can never start may start: necessary, not tried, and without amounts. */
#include "words/verdict_say.h"

#include "dialect/dialect.h"
#include "render/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Does every job ask for some of it? */
static bool is_needed(const char *tres)
{
	return strncmp(tres, "gres/", 5) != 0 && strncmp(tres, "license/", 8) != 0;
}

/* "no GPUs" */
static const char *none_words(char buf[WORDS], const char *tres)
{
	char a[WORDS];

	snprintf(buf, WORDS, "no %s", strchr(amount_words(a, tres, 0), ' ') + 1);
	return buf;
}

/* Adds how much of a limit on several jobs is used: "; 8:06 of 4:00 used". */
static void say_used(struct sentence *t, const struct fs_explain_limit *l)
{
	char a[WORDS], b[WORDS];

	if (l->per_job || !(l->used > 0))
		return;
	if (limit_is_time(l))
		snprintf(a, sizeof(a), "%s", limit_words(b, l, floor(l->used)));
	else
		format_text(a, sizeof(a), "%.0f", l->used);
	say_words(t, "; %s of %s %s", a, limit_words(b, l, l->value), limit_use_word(l));
}

static const char *request_words(const struct fs_explain_limit *l)
{
	return limit_is_time(l) ? "a shorter time limit" : l->is_min ? "a larger request" : "a smaller request";
}

/* Names what would have to differ, and no amount: that a start follows was not tried. */
static void other_limit(struct sentence *t, const struct nouns *n, const struct fs_explain_limit *l)
{
	const char *other = n->limit_elsewhere[l->scope];
	const bool nothing = l->value == 0, none = nothing && *l->tres && !is_needed(l->tres);
	char a[WORDS];

	if (limit_is_cap(l) && l->value < 0) {
		say_words(t, "The configuration must change.");
		return;
	}
	if (limit_is_cap(l)) {
		say_words(t, "No waiting helps, only a shorter time limit, fewer processors or another cap.");
		return;
	}
	say_words(t, "It needs ");
	if (none)
		say_words(t, "a request for %s%s", none_words(a, l->tres), other ? ", " : " or ");
	else if (!nothing)
		say_words(t, "%s%s", request_words(l), other ? ", " : " or ");
	if (other)
		say_words(t, "another %s%s", other, nothing && !none ? " or " : ", or ");
	say_words(t, "a %s limit", l->is_min ? "lower" : "higher");
	say_used(t, l);
	say_words(t, ".");
}

static void other_partition(struct sentence *t, const struct nouns *n, const struct fs_explain_obstacle *o)
{
	const bool each = strstr(o->what, "_each") != NULL;
	const char *tres = !strcmp(o->what, "node_gpu") ? "gres/gpu" : o->what;
	char a[WORDS];

	if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		say_words(t, "It needs another %s, or %s that %s admits.", n->partition,
			  !strcmp(o->what, "qos") ? "a QOS" : "an account", o->partition);
	else if (!strcmp(o->what, "features"))
		say_words(t, "It needs features that nodes have, or another %s.", n->partition);
	else if (!strcmp(o->what, "time"))
		say_words(t, "It needs a shorter time limit or another %s.", n->partition);
	else if (!strcmp(o->what, "min_nodes"))
		say_words(t, "It needs more nodes or another %s.", n->partition);
	else if (!strcmp(o->what, "partition_cpu") && o->has > 0)
		say_words(t, "It needs a smaller request.");
	else if (each || o->has > 0)
		say_words(t, "It needs a smaller request or another %s.", n->partition);
	else if (!is_needed(tres))
		say_words(t, "It needs a request for %s, or another %s.", none_words(a, tres), n->partition);
	else
		say_words(t, "It needs another %s.", n->partition);
}

/* Returns what must differ by the scheduler's reason alone, where the snapshot knows no more. */
static const char *by_reason(const struct fs_reason *r)
{
	static const struct {
		const char *reason, *remedy;
	} known[] = {
		{ "DependencyNeverSatisfied",
		  "Its dependency must be changed or removed, or the job cancelled." },
		{ "BadConstraints", "It needs a request that nodes of the cluster meet, and a release." },
		{ "DeadLine", "Its deadline must be put off." },
		{ "PartitionNodeLimit", "It needs another number of nodes or another partition." },
		{ "PartitionTimeLimit", "It needs a shorter time limit or another partition." },
		{ "MaxMemPerLimit", "It needs less memory or another partition." },
		{ "PartitionConfig", "It needs another partition, account or QOS." },
		{ "AccountNotAllowed", "It needs another account or partition." },
		{ "QOSNotAllowed", "It needs another QOS or partition." },
		{ "InvalidAccount", "It needs another account, or its association restored." },
		{ "InvalidQOS", "It needs another QOS, or this one allowed again." },
		{ "ReservationDeleted", "Give it another reservation or none, and release it." },
		{ "ReservationInvalid", "Give it another reservation or none, and release it." },
	};

	for (size_t i = 0; r && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].reason, r->name))
			return known[i].remedy;
	return "The job or the configuration must change.";
}

const char *verdict_remedy(char buf[VERDICT_TEXT], const struct nouns *n, const struct fs_verdict *v)
{
	struct sentence t = { .buf = buf };

	*buf = '\0';
	if (v->kind != FS_VERDICT_NEVER)
		return buf;
	if (v->obstacle)
		other_partition(&t, n, v->obstacle);
	else if (v->limit)
		other_limit(&t, n, v->limit);
	else
		say_words(&t, "%s", by_reason(v->reason));
	return buf;
}
