#include "render/verdict.h"

#include "dialect/dialect.h"
#include "render/decimals.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- putting a sentence together */

struct text {
	char *buf;
	size_t len;
};

static void say(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, VERDICT_TEXT - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n < VERDICT_TEXT - t->len ? (size_t)n : VERDICT_TEXT - t->len - 1;
}

/* "QOS lim", "account physics", "the association of bob in account physics" */
static void say_owner(struct text *t, const struct nouns *n, const struct fs_explain_limit *l)
{
	const char *of = n->limit_of[l->scope];

	if (!of && l->user && *l->user)
		say(t, "%s %s user %s", l->whose, l->of, l->user);
	else if (!of)
		say(t, "%s %s", l->whose, l->of);
	else if (l->scope == FS_LIMIT_ASSOC)
		say(t, "%s %s in account %s", of, l->whose, l->of);
	else
		say(t, "%s %s", of, l->of);
}

/* The sum of what was used and would be needed stands beside the cap: it adds up as it is printed. */
static void say_cap(struct text *t, const struct fs_explain_limit *l)
{
	const struct sheet d = { .digits = decimals_for_sum(l->used, l->wants, l->value) };
	const int64_t used = decimal_units(&d, l->used), wants = decimal_units(&d, l->wants);
	char a[WORDS], b[WORDS], c[WORDS], e[WORDS];

	if (l->value < 0) {
		say(t, "%s %s has a negative FSTARGET (%s): any usage is more, so that it holds back every job",
		    l->whose, l->of, number_words(a, l->value));
		return;
	}
	say(t, "%s %s is capped at %s %s, has used %s and would need %s more, together %s", l->whose,
	    l->of, number_words(a, l->value), l->tres, decimal_words(b, used, d.digits),
	    decimal_words(c, wants, d.digits), decimal_words(e, used + wants, d.digits));
}

/* Does it count one user or account of those that share it? */
static bool names_user(const struct nouns *n, const struct fs_explain_limit *l)
{
	return *l->whose && n->limit_of[l->scope] && l->scope != FS_LIMIT_ASSOC;
}

static const char *meaning_of(const struct fs_verdict *v)
{
	return v->reason ? v->reason->meaning : "the scheduler gives a reason not known here";
}

/* What the job it names must come to (flux-core: src/modules/job-manager/plugins/dependency-after.c); NULL: another kind. */
static const char *after_words(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} kinds[] = { { "after-start", "to start" },
		      { "after-finish", "to end" },
		      { "after-success", "to end with success" },
		      { "after-failure", "to fail" },
		      { "after-except", "to end by an exception" } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].words;
	return NULL;
}

/* What a job depends on: "afterok of job 45 (bin, FAILED)". */
static void say_need(struct text *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	struct fs_job j;
	char id[WORDS], outside[FS_JOB_ID_TEXT];

	if (!strncmp(n->kind, "begin@", strlen("begin@"))) {
		say(t, "its begin time, %s", n->kind + strlen("begin@"));
		return;
	}
	if (!strncmp(n->kind, "begin-time=", strlen("begin-time="))) {
		say(t, "its begin time, %s", date_words(id, s, strtoll(n->kind + strlen("begin-time="), NULL, 10)));
		return;
	}
	if (!n->job) {
		say(t, "%s", !strcmp(n->kind, "singleton")
				     ? "all earlier jobs of that name and user to end (singleton)"
				     : n->kind);
		return;
	}
	const char *flux = after_words(n->kind);

	if (!flux)
		say(t, "%s of ", n->kind);
	if (n->job_row == FS_NO_ROW) {
		say(t, "job %s", fs_job_id_format(outside, s, n->job, false));
	} else {
		fs_snapshot_job(s, n->job_row, &j);
		say(t, "job %s (%s, %s)", job_words(id, s, n->job_row), j.user, j.state);
	}
	if (flux)
		say(t, " %s", flux);
}

/* ---- never */

static void never_by_limit(struct text *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;
	const bool on_node = l && !strcmp(l->name, "MaxTRESPerNode");
	char a[WORDS], b[WORDS];

	if (l && limit_is_cap(l)) {
		say_cap(t, l);
		return;
	}
	if (!l) {
		say(t, "%s (%s, which is not in the snapshot)", meaning_of(v),
		    v->reason ? v->reason->limit : "a limit");
		return;
	}
	say(t, "it %s %s%s, ", l->grows ? "takes" : "asks for",
	    limit_words(a, l, l->wants), on_node ? " on a node" : "");
	say_owner(t, n, l);
	say(t, " %s ", l->is_min ? "asks for no less than" : "allows");
	if (names_user(n, l))
		say(t, "%s ", l->whose);
	say(t, "%s%s", limit_words(b, l, l->value),
	    on_node	 ? " on each node"
	    : l->per_job ? " a job"
			 : " in all");
	say(t, " (%s)", l->name);
}

/* In the scheduler's own noun. */
static const char *cores_words(char buf[WORDS], const struct nouns *n, double v)
{
	snprintf(buf, WORDS, "%.0f %s", v, v == 1 ? n->cpu : n->cpus);
	return buf;
}

static const char *never_words(char buf[WORDS], const struct nouns *n, const char *tres, double v)
{
	return strcmp(tres, "cpu") ? amount_words(buf, tres, v) : cores_words(buf, n, v);
}

/* " of queue batch"; "" where jobs have none. */
static const char *of_partition(char buf[VERDICT_TEXT], const struct nouns *n, const char *partition)
{
	if (!*partition)
		return "";
	snprintf(buf, VERDICT_TEXT, " of %s %.200s", n->partition, partition);
	return buf;
}

static void never_by_partition(struct text *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_obstacle *o = v->obstacle;
	const char *each = strstr(o->what, "_each");
	char a[WORDS], b[WORDS], tres[8], of[VERDICT_TEXT];

	if (each) {
		snprintf(tres, sizeof(tres), "%.*s", (int)(each - o->what), o->what);
		say(t, "each of its tasks asks for %s, a node of %s %s that suits it has at most %s",
		    amount_words(a, tres, o->wants), n->partition, o->partition, amount_words(b, tres, o->has));
	} else if (!strcmp(o->what, "node_cpu")) {
		say(t, "it asks for %s on a node, no node%s has more than %s", cores_words(a, n, o->wants),
		    of_partition(of, n, o->partition), cores_words(b, n, o->has));
	} else if (!strcmp(o->what, "class")) {
		say(t, "no node has %s %s", n->partition, o->partition);
	} else if (!strcmp(o->what, "features")) {
		say(t, "no node%s has %s", of_partition(of, n, o->partition), o->name);
	} else if (!strcmp(o->what, "time"))
		say(t, "it asks for %s, partition %s allows %s", duration_words(a, o->wants),
		    o->partition, duration_words(b, o->has));
	else if (!strcmp(o->what, "min_nodes"))
		say(t, "it asks for at most %s, partition %s gives no less than %s",
		    amount_words(a, "node", o->wants), o->partition,
		    amount_words(b, "node", o->has));
	else if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		say(t, "partition %s does not admit %s %s", o->partition,
		    !strcmp(o->what, "qos") ? "QOS" : "account", o->name);
	else
		say(t, "it asks for %s, %s%s%s has %s", never_words(a, n, o->what, o->wants), *o->partition ? n->partition : "the machine",
		    *o->partition ? " " : "", o->partition, o->has > 0 ? never_words(b, n, o->what, o->has) : "none");
}

/* What can never happen any more; where the scheduler does not mark it, all that is left. */
static void never_by_dependency(struct text *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	bool marked = false, any = false;

	say(t, "%s", meaning_of(v));
	for (size_t i = 0; i < v->nneeds; i++)
		marked |= v->needs[i].failed;
	for (size_t i = 0; i < v->nneeds; i++) {
		if (marked && !v->needs[i].failed)
			continue;
		say(t, "%s", any ? " and " : " (");
		say_need(t, s, &v->needs[i]);
		any = true;
	}
	say(t, "%s", any ? ")" : "");
}

static void say_never(struct text *t, const struct nouns *n, const fs_snapshot *s,
		      const struct fs_verdict *v)
{
	say(t, "it can never start: ");
	if (v->cause == FS_VERDICT_CAUSE_LIMIT)
		never_by_limit(t, n, v);
	else if (v->obstacle)
		never_by_partition(t, n, v);
	else if (v->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		never_by_dependency(t, s, v);
	else
		say(t, "%s", meaning_of(v));
}

/* ---- waits that a change or an event ends */

static void say_held(struct text *t, const struct nouns *n, const struct fs_verdict *v)
{
	if (n->holder_unknown) {
		say(t, "held: %s", meaning_of(v));
		return;
	}
	switch (v->cause) {
	case FS_VERDICT_CAUSE_OWNER:
		say(t, "held by its owner");
		break;
	case FS_VERDICT_CAUSE_ADMINISTRATOR:
		say(t, "held by an administrator");
		break;
	case FS_VERDICT_CAUSE_REQUEUE:
		say(t, "requeued into held state, by whom is not recorded, until its owner or an administrator releases it");
		break;
	default:
		say(t, "held by the scheduler: %s", meaning_of(v));
	}
}

static void say_dependency(struct text *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	enum { MAX = 3 };

	if (!v->nneeds) {
		say(t, "%s", meaning_of(v));
		return;
	}
	say(t, "waits for ");
	for (size_t i = 0; i < v->nneeds && i < MAX; i++) {
		say(t, "%s", i ? " and " : "");
		say_need(t, s, &v->needs[i]);
	}
	if (v->nneeds > MAX)
		say(t, " and %zu more", v->nneeds - MAX);
}

static void say_begin(struct text *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	char a[WORDS];

	if (v->cause == FS_VERDICT_CAUSE_RESERVATION)
		say(t, "waits for its reservation");
	else
		say(t, "waits for its begin time");
	if (v->time != FS_UNKNOWN)
		say(t, ", %s", date_words(a, s, v->time));
}

static void say_limit(struct text *t, const struct nouns *n, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;
	char a[WORDS], b[WORDS];

	if (v->cause == FS_VERDICT_CAUSE_ARRAY && v->array_limit)
		say(t, "its array allows itself %s at a time, %" PRIu64 " run",
		    count_words(a, v->array_limit, "task", "tasks"), v->array_running);
	else if (!l)
		say(t, "%s", meaning_of(v));
	if (!l)
		return;
	if (limit_is_cap(l)) {
		say_cap(t, l);
		return;
	}
	const bool idle = !strncmp(l->name, "idle ", strlen("idle "));

	if (idle || !strncmp(l->name, "active ", strlen("active "))) {
		say(t, "it violates %s limit of %.0f for ", l->name, l->value);
		say_owner(t, n, l);
		say(t, ": %s %s, this job would add %.0f", limit_words(a, l, l->used), idle ? "eligible" : "used", l->wants);
		return;
	}
	say(t, "limit %s of ", l->name);
	say_owner(t, n, l);
	if (names_user(n, l))
		say(t, ", for %s", l->whose);
	say(t, ": %s allowed, ", limit_words(a, l, l->value));
	if (isnan(l->used))
		say(t, "how much is used is not known");
	else
		say(t, "%s used", limit_words(b, l, l->used));
	if ((*l->tres || limit_is_time(l) || n->limit_adds) && l->wants > 0)
		say(t, ", this job would add %s", limit_words(b, l, l->wants));
}

/* One part of its nodes: "2 are DOWN", "1 drained". */
static void say_away(struct text *t, uint32_t n, const char *how, bool *any)
{
	if (!n)
		return;
	say(t, "%s%" PRIu32 "%s %s", *any ? ", " : " ", n, *any ? "" : n == 1 ? " is" : " are", how);
	*any = true;
}

static void say_nodes(struct text *t, const struct nouns *nouns, const struct fs_verdict *v)
{
	const struct fs_verdict_nodes *n = &v->nodes;
	char of[VERDICT_TEXT];
	bool any = false;

	if (v->cause == FS_VERDICT_CAUSE_PARTITION) {
		say(t, "%s %s is %s", nouns->partition, v->partition, nouns->shut);
		return;
	}
	if (n->all == 1) {
		say(t, "the only node%s that suits it is %s", of_partition(of, nouns, v->partition),
		    n->down	 ? "DOWN"
		    : n->drained ? "drained"
				 : "reserved");
		return;
	}
	say(t, "of the %" PRIu32 " nodes%s that suit it", n->all, of_partition(of, nouns, v->partition));
	say_away(t, n->down, "DOWN", &any);
	say_away(t, n->drained, "drained", &any);
	say_away(t, n->reserved, "reserved", &any);
	say(t, "; it needs %" PRIu32, n->wants);
}

static void say_place(struct text *t, const struct fs_verdict *v, bool one_line)
{
	const bool of_all = one_line || !*v->partition;
	const char *in = of_all ? " in the queue" : " in ", *where = of_all ? "" : v->partition;
	char a[WORDS];

	if (v->kind == FS_VERDICT_BEHIND)
		say(t, "behind %s%s%s", entries_words(a, v->ahead, v->ahead_tasks),
		    of_all ? "" : in, where);
	else if (v->kind == FS_VERDICT_NOW)
		say(t, "first%s%s, and there is room for it", in, where);
	else
		say(t, "first%s%s: waits for resources", in, where);
}

/* What the scheduler says is all that is known. */
static void say_waits(struct text *t, const struct nouns *n, const struct fs_verdict *v)
{
	if (n->one_line || !*v->partition)
		say(t, "its place in the queue is not known");
	else
		say(t, "its place in %s is not known", v->partition);
	if (v->reason && strcmp(v->reason->name, "None") != 0)
		say(t, "; the reason shown is %s: %s", v->reason->name, v->reason->meaning);
}

const char *verdict_unplaced(const struct fs_verdict *v)
{
	return v->cause == FS_VERDICT_CAUSE_JOBS ? "others may stand before it that are not in the snapshot"
					 : "not all priorities in its line are known";
}

const char *verdict_words(char buf[VERDICT_TEXT], const struct nouns *n, const fs_snapshot *s,
			  const struct fs_verdict *v)
{
	struct text t = { .buf = buf };

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
	case FS_VERDICT_LIMIT:
		say_limit(&t, n, v);
		break;
	case FS_VERDICT_NODES:
		say_nodes(&t, n, v);
		break;
	case FS_VERDICT_WAITS:
		say_waits(&t, n, v);
		break;
	case FS_VERDICT_BEHIND:
	case FS_VERDICT_FIRST:
	case FS_VERDICT_NOW:
		say_place(&t, v, n->one_line);
		break;
	default:
		break;
	}
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
