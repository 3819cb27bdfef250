/* Formats numbers, times and names for pages, and chooses decimals with which printed sums add up. Buffers belong to
 * the caller; functions that take one return it or a constant string. */
#ifndef WORDS_WORDS_H
#define WORDS_WORDS_H

#include "fs/explain.h"

enum { WORDS = 160 };

/* "7s", "30:00", "1:00:00", "7-00:00:00"; "unlimited" for FS_UNLIMITED and infinity; "unknown" for NAN and negative
 * numbers */
const char *format_time_span(char buf[WORDS], double seconds);

/* Format a time in the cluster's time zone: "2026-11-20 21:06:24", or "unknown". format_short_time omits the date if
 * it is the day of the snapshot. */
const char *format_short_time(char buf[WORDS], const fs_snapshot *s, int64_t t);
const char *format_full_time(char buf[WORDS], const fs_snapshot *s, int64_t t);

/* Format a number without an exponent, with as few decimals as identify the number: at most `max`. format_config_number
 * prints configured values, with at most 30 decimals. "unknown" for NAN. */
const char *format_config_number(char buf[WORDS], double v);
const char *format_decimal_number(char buf[WORDS], double v, int max);

const char *format_percent_value(char buf[WORDS], double v); /* fraction of 1 as percentage: "47.2 %", "0.1363 %" */
const char *format_share_ratio(char buf[WORDS], double v); /* six decimals: "0.615572"; "unknown" for NAN */
const char *format_share_level(char buf[WORDS], double level); /* "42.58", "0.000049", "inf", "unknown" */
/* factor of a priority term, at most four decimals or four significant digits: "0.7037", "12" */
const char *format_factor_value(char buf[WORDS], double v);
const char *format_ordinal_number(char buf[WORDS], uint64_t n); /* "3rd" */
const char *format_noun_count(char buf[WORDS], uint64_t n, const char *one, const char *many); /* "1 job", "12 jobs" */
/* Formats a number of jobs, and the number of queue entries if it differs because arrays are one entry: "12 jobs",
 * "30 jobs (27 entries)". */
const char *format_entry_count(char buf[WORDS], uint64_t entries, uint64_t jobs);
const char *format_tres_amount(char buf[WORDS], const char *tres, double v); /* "20 CPUs", "20000M", "2 gres/shard" */

/* Formats a job id: "12", "28_[1-20]", "28_3"; Flux: f58. */
const char *format_display_job_id(char buf[WORDS], const fs_snapshot *s, uint32_t job_row);

/* Formats a factor's name in capitals: "AGE", "TRES cpu". */
const char *format_factor_name(char buf[WORDS], const char *name);

/* Formats a name for a table cell: a name longer than 20 characters is cut and ends with '+'. */
const char *format_cell_name(char buf[WORDS], const char *name);

/* Formats how many users have a worse fair-share factor: "18 of 27 users", "none of 27 users". */
const char *format_worse_users(char buf[WORDS], const struct fs_explain_path *path);

/* Formats the name of a share row: "bob", "physics", "bob in partition gpu". */
const char *format_share_name(char buf[WORDS], const struct fs_share_row *r);

/* ---- sums that add up as printed: all numbers are whole multiples of the last decimal */

struct sum_decimals {
	int digits;
	int64_t sum, total; /* sum of the rounded points, and the total, in units of the last decimal */
	bool fits;	    /* false: the numbers do not fit into 64 bits */
};

double get_power_of_ten(int n);
int64_t convert_to_units(const struct sum_decimals *d, double v);
const char *format_decimal_units(char buf[WORDS], int64_t v, int digits);

/* Returns how many decimals to print a, b and bound with: the fewest of 0, 3, 6 or 9 that either show all three
 * exactly or (from 3 on) keep the comparison a + b > bound true or false as it is. */
int choose_comparison_decimals(double a, double b, double bound);

/* Chooses enough decimals that the printed points lead to the total in the same way as in the scheduler: by the
 * recorded steps of the sum (in_steps), or else by dropping the fraction. */
struct sum_decimals choose_sum_decimals(const struct fs_explain_sum *s, bool in_steps);

/* Returns true if dropping the fraction of the printed sum gives the total. */
bool has_truncated_total(const struct sum_decimals *d);

/* Formats a verdict (fs/verdict.h), and the limits it names, as English clauses. All commands use the same wording.
 * Buffers belong to the caller. */

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
