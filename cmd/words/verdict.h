/* The verdict in words: the same in every command. */
#ifndef WORDS_VERDICT_H
#define WORDS_VERDICT_H

#include "words/words.h"

struct nouns;

enum { VERDICT_TEXT = 2000 };

/* A clause without a full stop: "it can never start: it asks for 3 CPUs, QOS lim allows 2 CPUs"; "" for a job that does
 * not wait. */
const char *verdict_words(char buf[VERDICT_TEXT], const struct nouns *n, const fs_snapshot *s,
			  const struct fs_verdict *v);

/* Returns true if the job is eligible, but its place is not known. verdict_unplaced returns a clause that says why. */
bool verdict_is_unplaced(const struct fs_verdict *v);
const char *verdict_unplaced(const fs_snapshot *s, const struct fs_verdict *v);

/* Returns true if the snapshot lacks jobs: others may be ahead, and a plan leaves them out. */
bool jobs_are_missing(const fs_snapshot *s);

/* Clauses about the missing jobs. */
const char *missing_jobs_words(const fs_snapshot *s);  /* "jobs of others are hidden from you (PrivateData)" */
const char *missing_others_words(const fs_snapshot *s); /* "others are hidden from you (PrivateData)" */
const char *plan_lacks_words(const fs_snapshot *s);    /* "Jobs hidden from you (PrivateData) are not in the plan" */

/* The scheduler's reason as it is recorded, with its detail. */
const char *verdict_reason(char buf[VERDICT_TEXT], const struct fs_verdict *v);

/* A sentence about what must differ before a job that can never start may start; "" for any other job. It names no
 * amount: fs_advise alone tries amounts on the plan. */
const char *verdict_remedy(char buf[VERDICT_TEXT], const struct nouns *n, const struct fs_verdict *v);

/* An amount of a limit: "4 CPUs", "2:00:00", "1 job", "100 CPU minutes". */
const char *limit_words(char buf[WORDS], const struct fs_explain_limit *l, double v);

/* Does it limit how long a job, or all of them, may run? */
bool limit_is_time(const struct fs_explain_limit *l);

/* The word for what a limit counts: "running", "eligible", "in the queue", "promised", "used" (of minutes), "in
 * use". */
const char *limit_use_word(const struct fs_explain_limit *l);

/* Is it an amount of a resource times minutes? */
bool limit_is_minutes(const struct fs_explain_limit *l);

/* Is it a cap of Maui's fair share? */
bool limit_is_cap(const struct fs_explain_limit *l);

/* Is it Maui's own limit of what any job may ask for? */
bool limit_is_of_system(const struct fs_explain_limit *l);

/* Is it on what the job has on each of its nodes? */
bool limit_is_by_node(const struct fs_explain_limit *l);

/* Is it passed on some nodes alone, of which the job takes all there is? */
bool limit_is_by_larger_nodes(const struct fs_explain_limit *l);

/* The component of the job's het job that the scheduler expects to start last, if that is later than the job itself:
 * none starts before it (src/plugins/sched/backfill/backfill.c: _het_job_start_compute). */
bool later_component(const fs_snapshot *s, const struct fs_job *j, struct fs_job *last);

#endif
