#include "words/verdict_say.h"

#include "dialect/dialect.h"
#include "render/format.h"
#include "words/decimals.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void say_words(struct sentence *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = format_args(t->buf + t->len, VERDICT_TEXT - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n < VERDICT_TEXT - t->len ? (size_t)n : VERDICT_TEXT - t->len - 1;
}

void say_owner(struct sentence *t, const struct nouns *n, const struct fs_explain_limit *l)
{
	const char *of = n->limit_of[l->scope];

	if (limit_is_of_system(l))
		say_words(t, "a job");
	else if (!of && l->user && *l->user)
		say_words(t, "%s %s user %s", l->whose, l->of, l->user);
	else if (!of)
		say_words(t, "%s %s", l->whose, l->of);
	else if (l->scope == FS_LIMIT_ASSOC)
		say_words(t, "%s %s in account %s", of, l->whose, l->of);
	else
		say_words(t, "%s %s", of, l->of);
}

/* The sum of what was used and would be needed stands beside the cap: it adds up as it is printed. */
void say_cap(struct sentence *t, const struct fs_explain_limit *l)
{
	const struct sheet d = { .digits = decimals_for_sum(l->used, l->wants, l->value) };
	const int64_t used = decimal_units(&d, l->used), wants = decimal_units(&d, l->wants);
	char a[WORDS], b[WORDS], c[WORDS], e[WORDS];

	if (l->value < 0) {
		say_words(t, "%s %s has a negative FSTARGET (%s): any usage is more, so that it holds back every job",
			  l->whose, l->of, number_words(a, l->value));
		return;
	}
	say_words(t, "%s %s is capped at %s %s, has used %s and would need %s more, together %s", l->whose, l->of,
		  number_words(a, l->value), l->tres, decimal_words(b, used, d.digits),
		  decimal_words(c, wants, d.digits), decimal_words(e, used + wants, d.digits));
}

bool limit_names_user(const struct nouns *n, const struct fs_explain_limit *l)
{
	return *l->whose && n->limit_of[l->scope] && l->scope != FS_LIMIT_ASSOC;
}

const char *reason_meaning(const struct fs_verdict *v)
{
	return v->reason ? v->reason->meaning : "the scheduler gives a reason not known here";
}

/* Node names behind a colon stay as they are. */
void say_reason_text(struct sentence *t, const struct fs_verdict *v)
{
	const bool own = *v->reason_text && (!v->reason || fs_reason_find(v->reason_text) == v->reason);
	const size_t from = t->len;

	say_words(t, "%s", own ? v->reason_text : v->reason ? v->reason->name : "");
	for (size_t i = from; i < t->len && t->buf[i] != ':'; i++)
		t->buf[i] = t->buf[i] == '_' ? ' ' : t->buf[i];
}

void say_by_reason(struct sentence *t, const struct fs_verdict *v)
{
	const bool other = v->reason && !v->reason->number && strcmp(v->reason->name, "None") != 0;

	if (!*v->reason_text || other) { /* the meaning of Maui's and Flux's reasons repeats their names */
		say_words(t, "%s", reason_meaning(v));
		return;
	}
	say_reason_text(t, v);
	if (v->reason)
		say_words(t, ": %s", v->reason->meaning);
	else
		say_words(t, ", a reason not known here");
}

/* Returns what the needed job must do (Slurm: src/slurmctld/dependency.c, test_job_dependency; flux-core:
 * src/modules/job-manager/plugins/dependency-after.c); NULL: another kind of dependency. */
static const char *after_words(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} kinds[] = { { "after", "start or be cancelled" },
		      { "afterany", "end" },
		      { "afterok", "end with success" },
		      { "aftercorr", "end with success, its task of the same number" },
		      { "afternotok", "fail" },
		      { "after-start", "start" },
		      { "after-finish", "end" },
		      { "after-success", "end with success" },
		      { "after-failure", "fail" },
		      { "after-except", "end by an exception" } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].words;
	return NULL;
}

/* "job 54 (bob, RUNNING)", "job 28_3 (bob, PENDING)" */
static void say_needed_job(struct sentence *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	struct fs_job j;
	char id[WORDS], outside[FS_JOB_ID_TEXT];

	if (n->task && strchr(n->task, '*'))
		say_words(t, "all tasks of ");
	if (n->job_row == FS_NO_ROW) {
		say_words(t, "job %s", n->task ? n->task : fs_job_id_format(s, n->job, false, outside));
		return;
	}
	fs_snapshot_job(s, n->job_row, &j);
	say_words(t, "job %s (%s, %s)", n->task && !strpbrk(n->task, "*[") ? n->task : job_words(id, s, n->job_row),
		  j.user, j.state);
}

/* "03:51:20", a time of the day on which `flux jobs` ran, or "Nov25-03:51" (flux-core: job/info.py: DependencyList). */
static void say_time_of_day(struct sentence *t, const char *when)
{
	const size_t date = strcspn(when, "-");

	if (!when[date])
		say_words(t, "its begin time, %s on the day of the capture", when);
	else if (date > 3)
		say_words(t, "its begin time, %.3s %.*s, %s", when, (int)(date - 3), when + 3, when + date + 1);
	else
		say_words(t, "its begin time, %s", when);
}

void say_need(struct sentence *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	char id[WORDS];

	if (!strncmp(n->kind, "begin@", strlen("begin@"))) {
		say_time_of_day(t, n->kind + strlen("begin@"));
		return;
	}
	if (!strncmp(n->kind, "begin-time=", strlen("begin-time="))) {
		say_words(t, "its begin time, %s",
			  date_words(id, s, strtoll(n->kind + strlen("begin-time="), NULL, 10)));
		return;
	}
	if (!n->job) {
		say_words(t, "%s",
			  !strcmp(n->kind, "singleton") ? "all earlier jobs of that name and user to end (singleton)"
							: n->kind);
		return;
	}
	if (n->delay_min) {
		say_words(t, "%s to pass after ", count_words(id, n->delay_min, "minute", "minutes"));
		say_needed_job(t, s, n);
		say_words(t, " starts or is cancelled");
		return;
	}
	if (!after_words(n->kind))
		say_words(t, "%s of ", n->kind);
	say_needed_job(t, s, n);
	if (after_words(n->kind))
		say_words(t, " to %s", after_words(n->kind));
}

bool say_need_failed(struct sentence *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	if (!n->job || !after_words(n->kind))
		return false;
	say_needed_job(t, s, n);
	say_words(t, " can no longer %s", after_words(n->kind));
	return true;
}

const char *cores_words(char buf[WORDS], const struct nouns *n, double v)
{
	format_text(buf, WORDS, "%.0f %s", v, v == 1 ? n->cpu : n->cpus);
	return buf;
}

const char *partition_words(char buf[VERDICT_TEXT], const struct nouns *n, const char *partition)
{
	if (!*partition)
		return "";
	snprintf(buf, VERDICT_TEXT, " of %s %.200s", n->partition, partition);
	return buf;
}
