/* What to ask for instead, of a job that can never start. */
#include "words/verdict_say.h"

#include "dialect/dialect.h"

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

/* Says what the job must ask for instead: "Ask for at most 4 CPUs on a node". */
static void request_words(char buf[WORDS], const struct fs_explain_limit *l)
{
	static const char *const grown[] = { "", "Ask for no whole nodes, so that it takes",
					     "Ask for less memory, so that it takes",
					     "Ask for fewer cores, so that it takes",
					     "Ask for fewer CPUs per GPU, so that it takes" };
	const bool on_node = limit_is_by_node(l);
	char a[WORDS];

	if (l->grows)
		snprintf(buf, WORDS, "%s at %s %.80s", grown[l->grows], l->is_min ? "least" : "most",
			 limit_words(a, l, l->value));
	else if (limit_is_minutes(l))
		snprintf(buf, WORDS, "Ask for %s or for %s time: at %s %.80s", l->is_min ? "more" : "less",
			 l->is_min ? "more" : "less", l->is_min ? "least" : "most",
			 limit_words(a, l, l->value));
	else
		snprintf(buf, WORDS, "Ask for at %s %.80s%s", l->is_min ? "least" : "most",
			 limit_words(a, l, l->value), on_node ? " on a node" : "");
}

static void other_limit(char buf[VERDICT_TEXT], const struct nouns *n, const struct fs_explain_limit *l)
{
	const char *other = n->limit_elsewhere[l->scope];
	char a[WORDS];

	if (limit_is_cap(l) && l->value < 0)
		snprintf(buf, VERDICT_TEXT, "The configuration must change.");
	else if (limit_is_cap(l))
		snprintf(buf, VERDICT_TEXT,
			 "No waiting helps, only a shorter time limit, fewer processors or another cap.");
	else if (l->value == 0 && *l->tres && !is_needed(l->tres))
		snprintf(buf, VERDICT_TEXT, "Ask for %s%s%s.", none_words(a, l->tres),
			 other ? ", or use another " : "", other ? other : "");
	else if (l->value == 0 && other)
		snprintf(buf, VERDICT_TEXT, "Use another %s.", other);
	else if (l->value == 0)
		snprintf(buf, VERDICT_TEXT, "The configuration must change.");
	else {
		request_words(a, l);
		snprintf(buf, VERDICT_TEXT, "%s%s%s.", a, other ? ", or use another " : "", other ? other : "");
	}
}

/* "4 cores on a node" */
static const char *obstacle_words(char buf[WORDS], const struct nouns *n, const char *what, double v)
{
	const bool node = !strncmp(what, "node_", strlen("node_"));
	char a[WORDS];

	if (!strcmp(what, "cpu") || !strcmp(what, "node_cpu") || !strcmp(what, "partition_cpu"))
		cores_words(a, n, v);
	else
		amount_words(a, node ? "gres/gpu" : what, v);
	snprintf(buf, WORDS, "%.80s%s", a, node ? " on a node" : "");
	return buf;
}

static void other_partition(char buf[VERDICT_TEXT], const struct nouns *n, const struct fs_explain_obstacle *o)
{
	const char *each = strstr(o->what, "_each");
	const char *tres = !strcmp(o->what, "node_gpu") ? "gres/gpu" : o->what;
	char a[WORDS], of[8];

	if (each) {
		snprintf(of, sizeof(of), "%.*s", (int)(each - o->what), o->what);
		snprintf(buf, VERDICT_TEXT, "Ask for at most %s a task, or use another %s.",
			 amount_words(a, of, o->has), n->partition);
		return;
	}
	if (!strcmp(o->what, "features")) {
		snprintf(buf, VERDICT_TEXT, "Ask for features that nodes have, or use another %s.", n->partition);
		return;
	}
	if (!strcmp(o->what, "partition_cpu") && o->has > 0) {
		snprintf(buf, VERDICT_TEXT, "Ask for at most %s.", obstacle_words(a, n, o->what, o->has));
		return;
	}

	if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		snprintf(buf, VERDICT_TEXT, "Use another %s, or %s that %s admits.", n->partition,
			 !strcmp(o->what, "qos") ? "a QOS" : "an account", o->partition);
	else if (!strcmp(o->what, "time"))
		snprintf(buf, VERDICT_TEXT, "Ask for at most %s, or use another %s.",
			 duration_words(a, o->has), n->partition);
	else if (!strcmp(o->what, "min_nodes"))
		snprintf(buf, VERDICT_TEXT, "Ask for at least %s, or use another %s.",
			 amount_words(a, "node", o->has), n->partition);
	else if (o->has > 0)
		snprintf(buf, VERDICT_TEXT, "Ask for at most %s, or use another %s.",
			 obstacle_words(a, n, o->what, o->has), n->partition);
	else if (!is_needed(tres))
		snprintf(buf, VERDICT_TEXT, "Ask for %s, or use another %s.",
			 none_words(a, tres), n->partition);
	else
		snprintf(buf, VERDICT_TEXT, "Use another %s.", n->partition);
}

/* Returns what to ask for by the scheduler's reason alone, where the snapshot knows no more. */
static const char *by_reason(const struct fs_reason *r)
{
	static const struct {
		const char *reason, *remedy;
	} known[] = {
		{ "DependencyNeverSatisfied",
		  "Its dependency must be changed or removed, or the job cancelled." },
		{ "BadConstraints", "Ask for what nodes of the cluster have, and release it." },
		{ "DeadLine", "Its deadline must be put off." },
		{ "PartitionNodeLimit", "Ask for another number of nodes, or use another partition." },
		{ "PartitionTimeLimit", "Ask for less time, or use another partition." },
		{ "MaxMemPerLimit", "Ask for less memory, or use another partition." },
		{ "PartitionConfig", "Use another partition, account or QOS." },
		{ "AccountNotAllowed", "Use another account or partition." },
		{ "QOSNotAllowed", "Use another QOS or partition." },
		{ "InvalidAccount", "Use another account, or have its association restored." },
		{ "InvalidQOS", "Use another QOS, or have this one allowed again." },
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
	*buf = '\0';
	if (v->kind != FS_VERDICT_NEVER)
		return buf;
	if (v->obstacle)
		other_partition(buf, n, v->obstacle);
	else if (v->limit)
		other_limit(buf, n, v->limit);
	else
		snprintf(buf, VERDICT_TEXT, "%s", by_reason(v->reason));
	return buf;
}
