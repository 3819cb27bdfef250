/* Why a job can never start, in words. */
#include "words/verdict_say.h"

#include "dialect/dialect.h"

#include <stdio.h>
#include <string.h>

static void never_by_limit(struct sentence *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;
	const bool on_node = l && !strcmp(l->name, "MaxTRESPerNode");
	char a[WORDS], b[WORDS];

	if (l && limit_is_cap(l)) {
		say_cap(t, l);
		return;
	}
	if (!l) {
		say_words(t, "%s (%s, which is not in the snapshot)", reason_meaning(v),
			  v->reason ? v->reason->limit : "a limit");
		return;
	}
	say_words(t, "it %s %s%s, ", l->grows ? "takes" : "asks for", limit_words(a, l, l->wants),
		  on_node ? " on a node" : "");
	say_owner(t, n, l);
	say_words(t, " %s ", l->is_min ? "asks for no less than" : n->limit_of[l->scope] ? "allows" : "may have");
	if (limit_names_user(n, l))
		say_words(t, "%s ", l->whose);
	say_words(t, "%s%s", limit_words(b, l, l->value),
		  on_node      ? " on each node"
		  : l->per_job ? " a job"
			       : " in all");
	say_words(t, " (%s)", l->name);
}

/* Says an amount of cores in the scheduler's own noun. */
static const char *cores_words(char buf[WORDS], const struct nouns *n, double v)
{
	snprintf(buf, WORDS, "%.0f %s", v, v == 1 ? n->cpu : n->cpus);
	return buf;
}

static const char *never_words(char buf[WORDS], const struct nouns *n, const char *tres, double v)
{
	return strcmp(tres, "cpu") ? amount_words(buf, tres, v) : cores_words(buf, n, v);
}

static void never_by_partition(struct sentence *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_obstacle *o = v->obstacle;
	const char *each = strstr(o->what, "_each");
	char a[WORDS], b[WORDS], tres[8], of[VERDICT_TEXT];

	if (each) {
		snprintf(tres, sizeof(tres), "%.*s", (int)(each - o->what), o->what);
		say_words(t, "each of its tasks asks for %s, a node of %s %s that suits it has at most %s",
			  amount_words(a, tres, o->wants), n->partition, o->partition, amount_words(b, tres, o->has));
	} else if (!strcmp(o->what, "node_cpu")) {
		say_words(t, "it asks for %s on a node, no node%s has more than %s", cores_words(a, n, o->wants),
			  partition_words(of, n, o->partition), cores_words(b, n, o->has));
	} else if (!strcmp(o->what, "node_gpu")) {
		say_words(t, "it asks for %s on a node, no node%s that suits it has %s",
			  amount_words(a, "gres/gpu", o->wants), partition_words(of, n, o->partition),
			  o->has > 0 ? "more than " : "any");
		if (o->has > 0)
			say_words(t, "%s", amount_words(b, "gres/gpu", o->has));
	} else if (!strcmp(o->what, "class")) {
		say_words(t, "no node has %s %s", n->partition, o->partition);
	} else if (!strcmp(o->what, "features")) {
		say_words(t, "no node%s has %s", partition_words(of, n, o->partition), o->name);
	} else if (!strcmp(o->what, "time"))
		say_words(t, "it asks for %s, partition %s allows %s", duration_words(a, o->wants), o->partition,
			  duration_words(b, o->has));
	else if (!strcmp(o->what, "min_nodes"))
		say_words(t, "it asks for at most %s, partition %s gives no less than %s",
			  amount_words(a, "node", o->wants), o->partition, amount_words(b, "node", o->has));
	else if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		say_words(t, "partition %s does not admit %s %s", o->partition,
			  !strcmp(o->what, "qos") ? "QOS" : "account", o->name);
	else
		say_words(t, "it asks for %s, %s%s%s has %s", never_words(a, n, o->what, o->wants),
			  *o->partition ? n->partition : "the machine", *o->partition ? " " : "", o->partition,
			  o->has > 0 ? never_words(b, n, o->what, o->has) : "none");
}

/* Says which dependency can never be fulfilled any more, or all that are left if the scheduler does not mark it. */
static void never_by_dependency(struct sentence *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	const size_t n = v->nneeds;
	bool marked = false, any = false;

	for (size_t i = 0; i < n; i++)
		marked |= v->needs[i].failed;
	for (size_t i = 0; i < n; i++) {
		if (marked && !v->needs[i].failed)
			continue;
		say_words(t, "%s", any ? ", and " : "");
		any |= say_need_failed(t, s, &v->needs[i]);
	}
	if (!any)
		say_words(t, "%s", reason_meaning(v));
}

void say_never(struct sentence *t, const struct nouns *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	say_words(t, "it can never start: ");
	if (v->cause == FS_VERDICT_CAUSE_LIMIT)
		never_by_limit(t, n, v);
	else if (v->obstacle)
		never_by_partition(t, n, v);
	else if (v->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		never_by_dependency(t, s, v);
	else
		say_words(t, "%s", reason_meaning(v));
}
