#include "words/verdict_say.h"
#include "dialect/dialect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the job itself asks for, beside the limit. */
static void say_asked(struct sentence *t, const struct nouns *n, const struct fs_explain_limit *l)
{
	const bool on_node = limit_is_by_node(l);
	char a[WORDS], b[WORDS];

	say_words(t, "it %s %s%s, ", l->grows ? "takes" : "asks for", limit_words(a, l, l->wants),
		  on_node ? " on a node" : "");
	say_owner(t, n, l);
	say_words(t, " %s ", l->is_min ? "asks for no less than" : n->limit_of[l->scope] ? "allows" : "may have");
	if (limit_names_user(n, l))
		say_words(t, "%s ", l->whose);
	say_words(t, "%s%s", limit_words(b, l, l->value),
		  on_node		      ? " on each node"
		  : l->per_job		      ? " a job"
		  : limit_is_of_system(l) ? ""
					      : " in all");
	say_words(t, " (%s)", l->name);
}

/* ---- why a job can never start */

static void never_by_limit(struct sentence *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;

	if (l && limit_is_cap(l)) {
		say_cap(t, l);
		return;
	}
	if (!l) {
		say_words(t, "%s (%s, which is not in the snapshot)", reason_meaning(v),
			  v->reason ? v->reason->limit : "a limit");
		return;
	}
	say_asked(t, n, l);
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
	} else if (!strcmp(o->what, "partition_cpu")) {
		say_words(t, "it asks for %s in one partition of nodes, the best for it is %s with %s",
			  cores_words(a, n, o->wants), o->name, o->has > 0 ? cores_words(b, n, o->has) : "none");
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

static void say_never(struct sentence *t, const struct nouns *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	say_words(t, "it can never start: ");
	if (v->cause == FS_VERDICT_CAUSE_LIMIT)
		never_by_limit(t, n, v);
	else if (v->obstacle)
		never_by_partition(t, n, v);
	else if (v->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		never_by_dependency(t, s, v);
	else
		say_by_reason(t, v);
}

static void say_held(struct sentence *t, const struct nouns *n, const struct fs_verdict *v)
{
	if (n->holder_unknown) {
		say_words(t, "held: %s", reason_meaning(v));
		return;
	}
	switch (v->cause) {
	case FS_VERDICT_CAUSE_OWNER:
		say_words(t, "held by its owner");
		break;
	case FS_VERDICT_CAUSE_ADMINISTRATOR:
		say_words(t, "held by an administrator");
		break;
	case FS_VERDICT_CAUSE_REQUEUE:
		say_words(
			t,
			"requeued into held state, by whom is not recorded, until its owner or an administrator releases it");
		break;
	case FS_VERDICT_CAUSE_NONE:
		say_words(t, "%s", reason_meaning(v));
		break;
	default:
		say_words(t, "held by the scheduler: ");
		say_by_reason(t, v);
	}
}

static void say_dependency(struct sentence *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	enum { MAX = 3 };

	if (!v->nneeds) {
		say_by_reason(t, v);
		return;
	}
	say_words(t, "waits for ");
	for (size_t i = 0; i < v->nneeds && i < MAX; i++) {
		say_words(t, "%s", i ? " and " : "");
		say_need(t, s, &v->needs[i]);
	}
	if (v->nneeds > MAX)
		say_words(t, " and %zu more", v->nneeds - MAX);
}

static void say_begin(struct sentence *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	char a[WORDS];

	if (v->time != FS_UNKNOWN)
		say_words(t, "waits for its %s, %s",
			  v->kind == FS_VERDICT_RESERVATION ? "reservation to begin" : "begin time",
			  date_words(a, s, v->time));
	else if (v->reason && v->reason->section != FS_SECTION_ELIGIBLE)
		say_by_reason(t, v);
	else
		say_words(t, v->kind == FS_VERDICT_RESERVATION ? "its reservation cannot be used now"
							       : "waits for its begin time");
}

static void say_array_limit(struct sentence *t, const struct fs_verdict *v)
{
	char a[WORDS];

	if (!v->array_limit) {
		say_by_reason(t, v);
		return;
	}
	say_words(t, "the array's own limit (%%%" PRIu64 ") is reached", v->array_limit);
	if (v->array_running >= v->array_limit)
		say_words(t, ": %s", count_words(a, v->array_running, "task is running", "tasks are running"));
}

bool jobs_are_missing(const fs_snapshot *s)
{
	return fs_snapshot_hidden(s, "job");
}

static void say_limit(struct sentence *t, const struct nouns *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;
	char a[WORDS], b[WORDS];

	if (!l) {
		say_by_reason(t, v);
		return;
	}
	if (limit_is_cap(l)) {
		say_cap(t, l);
		return;
	}
	if (limit_is_by_node(l)) {
		say_asked(t, n, l);
		return;
	}
	if (limit_is_by_larger_nodes(l)) {
		say_words(t, "it takes whole nodes, and those it was tried on have more than ");
		say_owner(t, n, l);
		say_words(t, " allows: %s a job (%s)", limit_words(a, l, l->value), l->name);
		return;
	}
	const bool idle = !strncmp(l->name, "idle ", strlen("idle "));

	if (idle || !strncmp(l->name, "active ", strlen("active "))) {
		say_words(t, "it violates %s limit of %.0f for ", l->name, l->value);
		say_owner(t, n, l);
		say_words(t, ": %s %s, this job would add %.0f", limit_words(a, l, l->used), idle ? "eligible" : "used",
			  l->wants);
		return;
	}
	say_words(t, "limit %s of ", l->name);
	say_owner(t, n, l);
	if (limit_names_user(n, l))
		say_words(t, ", for %s", l->whose);
	say_words(t, ": %s allowed, ", limit_words(a, l, l->value));
	if (isnan(l->used))
		say_words(t, "how much is used is not known");
	else
		say_words(t, "%s%s %s", l->nholders && jobs_are_missing(s) ? "at least " : "", limit_words(b, l, l->used),
			  limit_use_word(l));
	if ((*l->tres || limit_is_time(l) || n->limit_adds) && l->wants > 0)
		say_words(t, ", this job would add %s", limit_words(b, l, l->wants));
}

/* Says what is wrong with a part of the nodes: "2 are DOWN", "1 drained". */
static void say_away(struct sentence *t, uint32_t n, const char *how, bool *any)
{
	if (!n)
		return;
	say_words(t, "%s%" PRIu32 "%s %s", *any ? ", " : " ", n, *any ? "" : n == 1 ? " is" : " are", how);
	*any = true;
}

static void say_nodes(struct sentence *t, const struct nouns *nouns, const fs_snapshot *s, const struct fs_verdict *v)
{
	const struct fs_verdict_nodes *n = &v->nodes;
	struct fs_partition p;
	char of[VERDICT_TEXT];
	bool any = false;

	if (v->cause == FS_VERDICT_CAUSE_PARTITION && v->reason && v->reason->section == FS_SECTION_PARTITION &&
	    (!fs_snapshot_partition(s, v->partition, &p) || !*p.state)) {
		say_by_reason(t, v);
		return;
	}
	if (v->cause == FS_VERDICT_CAUSE_PARTITION) {
		say_words(t, "%s %s is %s", nouns->partition, v->partition, nouns->shut);
		return;
	}
	if (!n->all) {
		say_by_reason(t, v);
		return;
	}
	if (n->all == 1) {
		say_words(t, "the only node%s that suits it is %s", partition_words(of, nouns, v->partition),
			  n->down      ? "DOWN"
			  : n->drained ? "drained"
				       : "reserved");
		return;
	}
	say_words(t, "of the %" PRIu32 " nodes%s that suit it", n->all, partition_words(of, nouns, v->partition));
	say_away(t, n->down, "DOWN", &any);
	say_away(t, n->drained, "drained", &any);
	say_away(t, n->reserved, "reserved", &any);
	say_words(t, "; it needs %" PRIu32, n->wants);
}

/* A job that is first waits for nodes where the scheduler says so or nodes are known; else nothing tells. */
static bool lacks_nodes(const fs_snapshot *s, const struct fs_verdict *v)
{
	return !(v->reason && !strcmp(v->reason->name, "Resources")) && !fs_snapshot_records(s, "node");
}

static void say_uncaptured(struct sentence *t, const struct nouns *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	struct fs_partition p;

	say_words(t, "; which nodes are free");
	if (fs_snapshot_partition(s, v->partition, &p) && !*p.state)
		say_words(t, ", and whether the %s is %s,", n->partition, n->shut);
	say_words(t, " was not captured");
}

static void say_place(struct sentence *t, const struct nouns *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	const bool of_all = n->one_line || !*v->partition;
	const char *in = of_all ? " in the queue" : " in ", *where = of_all ? "" : v->partition;
	char a[WORDS];

	if (v->kind == FS_VERDICT_BEHIND)
		say_words(t, "behind %s%s%s%s", jobs_are_missing(s) ? "at least " : "",
			  entries_words(a, v->ahead, v->ahead_tasks), of_all ? "" : in, where);
	else if (v->kind == FS_VERDICT_NOW)
		say_words(t, "first%s%s, and there is room for it", in, where);
	else if (lacks_nodes(s, v)) {
		say_words(t, "first%s%s", in, where);
		say_uncaptured(t, n, s, v);
	} else {
		say_words(t, "first%s%s: waits for resources", in, where);
	}
}

/* Says what the scheduler says, where nothing else is known. */
static void say_waits(struct sentence *t, const struct nouns *n, const struct fs_verdict *v)
{
	if (n->one_line || !*v->partition)
		say_words(t, "its place in the queue is not known");
	else
		say_words(t, "its place in %s is not known", v->partition);
	if (!v->reason || !strcmp(v->reason->name, "None"))
		return;
	say_words(t, "; the reason shown is ");
	if (*v->reason_text)
		say_by_reason(t, v);
	else
		say_words(t, "%s: %s", v->reason->name, v->reason->meaning);
}

static void say_unknown(struct sentence *t, const struct fs_verdict *v)
{
	if (*v->reason_text || (v->reason && strcmp(v->reason->name, "None") != 0))
		say_by_reason(t, v);
	else
		say_words(t, "why it waits is not in the snapshot");
}

/* Says which nodes the scheduler's reason names, beside what the snapshot tells. */
static void add_reason(struct sentence *t, const struct fs_verdict *v)
{
	if (!*v->reason_text || !v->reason || v->reason->section != FS_SECTION_NODES || !t->len)
		return;
	say_words(t, "; the reason shown is ");
	say_reason_text(t, v);
}

bool verdict_is_unplaced(const struct fs_verdict *v)
{
	return v->kind == FS_VERDICT_WAITS || v->cause == FS_VERDICT_CAUSE_JOBS ||
	       v->cause == FS_VERDICT_CAUSE_PRIORITIES;
}

/* Returns true if the configuration hides jobs from a user who is neither owner, coordinator nor operator. */
static bool jobs_are_private(const fs_snapshot *s)
{
	return !fs_snapshot_shows_jobs_of(s, "", "", "");
}

const char *missing_jobs_words(const fs_snapshot *s)
{
	return jobs_are_private(s) ? "jobs of others are hidden from you (PrivateData)"
				   : "others may stand before it that are not in the snapshot";
}

const char *missing_others_words(const fs_snapshot *s)
{
	return jobs_are_private(s) ? "others are hidden from you (PrivateData)" : "others may be missing from the snapshot";
}

const char *plan_lacks_words(const fs_snapshot *s)
{
	return jobs_are_private(s) ? "Jobs hidden from you (PrivateData) are not in the plan"
				   : "Jobs missing from the snapshot are not in the plan";
}

const char *verdict_unplaced(const fs_snapshot *s, const struct fs_verdict *v)
{
	return v->cause == FS_VERDICT_CAUSE_JOBS ? missing_jobs_words(s) : "not all priorities in its line are known";
}

const char *verdict_words(char buf[VERDICT_TEXT], const struct nouns *n, const fs_snapshot *s,
			  const struct fs_verdict *v)
{
	struct sentence t = { .buf = buf };

	*buf = '\0';
	switch (v->kind) {
	case FS_VERDICT_NEVER:
		say_never(&t, n, s, v);
		break;
	case FS_VERDICT_HELD:
		say_held(&t, n, v);
		break;
	case FS_VERDICT_DEPENDENCY:
		say_dependency(&t, s, v);
		break;
	case FS_VERDICT_BEGIN:
		say_begin(&t, s, v);
		break;
	case FS_VERDICT_RESERVATION:
		if (v->cause == FS_VERDICT_CAUSE_RESERVATION)
			say_begin(&t, s, v);
		else
			say_by_reason(&t, v);
		break;
	case FS_VERDICT_ARRAY_LIMIT:
		say_array_limit(&t, v);
		break;
	case FS_VERDICT_UNKNOWN:
		say_unknown(&t, v);
		break;
	case FS_VERDICT_LIMIT:
		say_limit(&t, n, s, v);
		break;
	case FS_VERDICT_NODES:
		say_nodes(&t, n, s, v);
		if (v->nodes.all)
			add_reason(&t, v);
		break;
	case FS_VERDICT_WAITS:
		say_waits(&t, n, v);
		break;
	case FS_VERDICT_BEHIND:
	case FS_VERDICT_FIRST:
	case FS_VERDICT_NOW:
		say_place(&t, n, s, v);
		add_reason(&t, v);
		break;
	default:
		break;
	}
	return buf;
}

const char *verdict_reason(char buf[VERDICT_TEXT], const struct fs_verdict *v)
{
	struct sentence t = { .buf = buf };

	*buf = '\0';
	say_reason_text(&t, v);
	return buf;
}

bool later_component(const fs_snapshot *s, const struct fs_job *j, struct fs_job *last)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct fs_job other;
	bool found = false;

	*last = *j;
	for (size_t i = 0; j->het_job && i < n; i++) {
		fs_snapshot_job(s, i, &other);
		if (other.het_job != j->het_job || other.start_time == FS_UNKNOWN ||
		    other.start_time <= last->start_time)
			continue;
		*last = other;
		found = true;
	}
	return found;
}
