/* Clauses of a verdict: what its kinds share. */
#ifndef WORDS_VERDICT_SAY_H
#define WORDS_VERDICT_SAY_H

#include "words/verdict.h"

/* VERDICT_TEXT bytes, cut where they end. */
struct sentence {
	char *buf;
	size_t len;
};

void say_words(struct sentence *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "QOS lim", "account physics", "the association of bob in account physics" */
void say_owner(struct sentence *t, const struct nouns *n, const struct fs_explain_limit *l);

void say_cap(struct sentence *t, const struct fs_explain_limit *l);

/* What a job depends on: "job 45 (bin, RUNNING) to end with success". */
void say_need(struct sentence *t, const fs_snapshot *s, const struct fs_verdict_need *n);

/* "job 45 (bin, FAILED) can no longer end with success"; false, and nothing said, of what no job is named for. */
bool say_need_failed(struct sentence *t, const fs_snapshot *s, const struct fs_verdict_need *n);

/* Does it count one user or account of those that share it? */
bool limit_names_user(const struct nouns *n, const struct fs_explain_limit *l);

/* An amount of cores in the scheduler's own noun: "4 processors". */
const char *cores_words(char buf[WORDS], const struct nouns *n, double v);

/* " of queue batch"; "" where jobs have none. */
const char *partition_words(char buf[VERDICT_TEXT], const struct nouns *n, const char *partition);

/* Says the scheduler's reason as it is recorded, and what it means: "ReqNodeNotAvail, Reserved for maintenance: nodes
 * it needs are down ...". */
void say_by_reason(struct sentence *t, const struct fs_verdict *v);

/* Says the reason as it is recorded, with blanks for the underscores that scontrol prints. */
void say_reason_text(struct sentence *t, const struct fs_verdict *v);

const char *reason_meaning(const struct fs_verdict *v);

#endif
