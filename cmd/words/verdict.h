/* Formats a verdict (fs/verdict.h), and the limits it names, as English clauses. All commands use the same wording.
 * Buffers belong to the caller. */
#ifndef WORDS_VERDICT_H
#define WORDS_VERDICT_H

#include "words/words.h"

struct nouns;

enum { VERDICT_TEXT = 2000 };

/* Formats the verdict as a clause without a full stop: "it can never start: it asks for 3 CPUs, QOS lim allows 2
 * CPUs". Returns buf; "" for a job that is not waiting. */
const char *format_verdict_clause(char buf[VERDICT_TEXT], const struct nouns *n, const fs_snapshot *s,
				  const struct fs_verdict *v);

/* Returns true if the job is eligible but its position in the queue is unknown. get_no_position_text returns a clause
 * that says why. */
bool is_verdict_without_position(const struct fs_verdict *v);
const char *get_no_position_text(const fs_snapshot *s, const struct fs_verdict *v);

/* Returns true if the snapshot lacks jobs. Unknown jobs may then be ahead, and a plan does not include them. */
bool has_missing_jobs(const fs_snapshot *s);

/* Each returns a clause about the missing jobs; the examples are for jobs hidden by PrivateData. */
const char *get_missing_jobs_text(const fs_snapshot *s);  /* "jobs of others are hidden from you (PrivateData)" */
const char *get_missing_others_text(const fs_snapshot *s); /* "others are hidden from you (PrivateData)" */
const char *get_plan_gaps_text(const fs_snapshot *s);    /* "Jobs hidden from you (PrivateData) are not in the plan" */

/* Formats the scheduler's reason as recorded, with its detail. */
const char *format_verdict_reason(char buf[VERDICT_TEXT], const struct fs_verdict *v);

/* Formats a sentence about what must change before a job that can never start may start; "" for any other job. The
 * sentence names no amounts, because only fs_advise tries amounts on the plan. */
const char *format_verdict_remedy(char buf[VERDICT_TEXT], const struct nouns *n, const struct fs_verdict *v);

/* Formats an amount in the unit of the limit: "4 CPUs", "2:00:00", "1 job", "100 CPU minutes". Returns buf or a
 * constant string. */
const char *format_limit_amount(char buf[WORDS], const struct fs_explain_limit *l, double v);

/* Returns true if the limit is a wall-clock time: MaxWall of one job, or GrpWall of all jobs together. */
bool is_limit_on_time(const struct fs_explain_limit *l);

/* Returns the word that follows the used amount of a limit: "running", "eligible", "in the queue", "promised", "used"
 * (time and minutes), "in use". */
const char *get_limit_use_word(const struct fs_explain_limit *l);

/* Returns true if the limit is in TRES minutes. */
bool is_limit_in_minutes(const struct fs_explain_limit *l);

/* Returns true if the limit is a fair-share cap of Maui. */
bool is_limit_of_fairshare(const struct fs_explain_limit *l);

/* Returns true if the limit is a system-wide limit of Maui on what a single job may request. */
bool is_limit_of_system(const struct fs_explain_limit *l);

/* Returns true if the limit applies to each node of the job (MaxTRESPerNode). */
bool is_limit_per_node(const struct fs_explain_limit *l);

/* Returns true if a job of whole nodes exceeds the limit only on the larger nodes, so that smaller nodes would do. */
bool is_limit_of_larger_nodes(const struct fs_explain_limit *l);

/* Sets *last to the component of j's het job with the latest expected start. Returns true if that start is later than
 * the start of j itself: no component starts earlier (src/plugins/sched/backfill/backfill.c:
 * _het_job_start_compute). */
bool find_latest_component(const fs_snapshot *s, const struct fs_job *j, struct fs_job *last);

#endif
