/* Formats numbers, times and names for pages, and chooses the number of decimals with which printed points add up to
 * the printed sum. The caller owns the buffers. A function that takes a buffer returns the buffer or a constant
 * string. */
#ifndef WORDS_WORDS_H
#define WORDS_WORDS_H

#include "fs/explain.h"

enum { WORDS = 160 };

/* A new buffer of WORDS bytes, for a text that is used in one expression. It exists until the end of the block. */
#define BUF ((char[WORDS]){ 0 })

/* Formats like snprintf; an unknown number (NAN) is printed as '?'. Text that does not fit is cut. */
const char *format_words(char buf[WORDS], const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Formats a number with `digits` decimals; "unknown" for NAN. */
const char *format_rounded_number(char buf[WORDS], double v, int digits);

/* Formats a time span: "7s", "30:00", "1:00:00", "7-00:00:00"; "unlimited" for FS_UNLIMITED and infinity; "unknown" for
 * NAN and negative numbers. */
const char *format_time_span(char buf[WORDS], double seconds);

/* Both functions format a point in time in the cluster's time zone: "2026-11-20 21:06:24", or "unknown".
 * format_short_time omits the date if it is the snapshot's date. */
const char *format_short_time(char buf[WORDS], const fs_snapshot *s, int64_t t);
const char *format_full_time(char buf[WORDS], const fs_snapshot *s, int64_t t);

/* Both functions format a number without an exponent, with the fewest decimals that identify the number; "unknown" for
 * NAN. The maximum number of decimals is `max`, or 30 in format_config_number, which is for configured values. */
const char *format_config_number(char buf[WORDS], double v);
const char *format_decimal_number(char buf[WORDS], double v, int max);

/* formats a fraction of 1 as a percentage: "47.2 %", "0.1363 %" */
const char *format_percent_value(char buf[WORDS], double v);
/* formats a fraction with six decimals: "0.615572"; "unknown" for NAN */
const char *format_share_ratio(char buf[WORDS], double v);
/* Formats shares divided by usage (LevelFS): "42.58", "0.000049", "inf", "unknown". */
const char *format_share_level(char buf[WORDS], double level);
/* Formats the value of a priority factor with at most four decimals, or four significant digits if it is below 0.1:
 * "0.7037", "12". */
const char *format_factor_value(char buf[WORDS], double v);
const char *format_ordinal_number(char buf[WORDS], uint64_t n); /* formats an ordinal number: "3rd" */
/* Formats a number and a noun, in the singular (`one`) or the plural (`many`): "1 job", "12 jobs". */
const char *format_counted_term(char buf[WORDS], uint64_t n, const char *one, const char *many);
/* Formats a number of jobs: "12 jobs". Adds the number of queue entries if it differs, because an array is one entry:
 * "30 jobs (27 entries)". */
const char *format_entry_count(char buf[WORDS], uint64_t entries, uint64_t jobs);
/* Formats an amount of the TRES: "20 CPUs", "20000M", "2 gres/shard". */
const char *format_tres_amount(char buf[WORDS], const char *tres, double v);

/* Formats the id of a job: "12", "28_[1-20]", "28_3"; Flux: "f58". */
const char *format_display_job_id(char buf[WORDS], const fs_snapshot *s, uint32_t job_row);

/* Formats the name of a priority factor in capitals: "AGE", "TRES cpu". */
const char *format_factor_name(char buf[WORDS], const char *name);

/* Formats a name for a table cell. A name of more than 20 characters is cut and ends with '+'. */
const char *format_cell_name(char buf[WORDS], const char *name);

/* Formats path->worse (number of users with a worse rank) and path->users (number of all ranked users): "18 of 27
 * users", "none of 27 users". */
const char *format_worse_users(char buf[WORDS], const struct fs_explain_path *path);

/* Formats the name of a share row: "bob", "physics", "bob in partition gpu". */
const char *format_share_name(char buf[WORDS], const struct fs_share_row *r);

/* ---- the number of decimals with which printed points add up to the printed sum. Points are stored as whole numbers,
 * in units of the last printed decimal. */

struct sum_decimals {
	int digits;
	/* `sum`: sum of the rounded points; `total`: the scheduler's priority. The unit of both is the last printed
	 * decimal: 1234 is 12.34 if `digits` is 2 */
	int64_t sum, total;
	bool fits; /* false: `sum` or `total` does not fit into 64 bits */
};

double get_power_of_ten(int n);
int64_t convert_to_units(const struct sum_decimals *d, double v);
const char *format_decimal_units(char buf[WORDS], int64_t v, int digits);

/* Returns the number of decimals for printing `a`, `b` and `bound`: the first sufficient number among 0, 3 and 6, or 9
 * if none is sufficient. A number is sufficient if all three printed values are exact. 3 and 6 are also sufficient if
 * the printed values show correctly whether a + b > bound. */
int choose_comparison_decimals(double a, double b, double bound);

/* Chooses the number of decimals for the points of a priority sum. If possible, the sum of the printed points then
 * agrees with the scheduler's priority. If `in_steps` is true, the steps in s->steps (such as rounding) turn the sum
 * into the priority. Otherwise the priority is the sum without its fraction. */
struct sum_decimals choose_sum_decimals(const struct fs_explain_sum *s, bool in_steps);

/* Returns true if d->sum without its fraction equals d->total. */
bool has_truncated_total(const struct sum_decimals *d);

/* Formats a verdict (fs/verdict.h), and the limit that the verdict names, as English clauses. All commands use the same
 * wording. The caller owns the buffers. */

struct vocabulary;

enum { VERDICT_TEXT = 2000 };

/* Formats the verdict as a clause without a full stop: "it can never start: it asks for 3 CPUs, QOS lim allows 2 CPUs".
 * Returns buf, which is "" for a job that is not waiting. */
const char *format_verdict_clause(char buf[VERDICT_TEXT], const struct vocabulary *n, const fs_snapshot *s,
				  const struct fs_verdict *v);

/* is_verdict_without_position returns true if the job is eligible but its position in the queue is unknown.
 * get_no_position_text returns a clause that says why the position is unknown. */
bool is_verdict_without_position(const struct fs_verdict *v);
const char *get_no_position_text(const fs_snapshot *s, const struct fs_verdict *v);

/* Returns true if jobs are missing from the snapshot. Missing jobs may be ahead of a job, and a plan does not include
 * them. */
bool has_missing_jobs(const fs_snapshot *s);

/* Each function returns a clause about the missing jobs; the examples below are for jobs hidden by PrivateData. */
/* returns a text such as "jobs of others are hidden from you (PrivateData)" */
const char *get_missing_jobs_text(const fs_snapshot *s);
/* returns a text such as "others are hidden from you (PrivateData)" */
const char *get_missing_others_text(const fs_snapshot *s);
const char *get_plan_gaps_text(const fs_snapshot *s); /* "Jobs hidden from you (PrivateData) are not in the plan" */

/* Returns true if `part` occurs in `text`; upper and lower case are equal. */
bool has_text_ignoring_case(const char *text, const char *part);

/* Formats the recorded reason with its detail, with blanks in place of underscores; "": none is recorded. */
const char *format_recorded_reason(char buf[VERDICT_TEXT], const struct fs_verdict *v);

/* Formats a sentence for a job that can never start; "" for any other job. The sentence names the change that the job
 * needs, but no amount. */
const char *format_verdict_remedy(char buf[VERDICT_TEXT], const struct vocabulary *n, const struct fs_verdict *v);

/* Formats an amount in the unit of the limit: "4 CPUs", "2:00:00", "1 job", "100 CPU minutes". Returns buf or a
 * constant string. */
const char *format_limit_amount(char buf[WORDS], const struct fs_explain_limit *l, double v);

/* Formats the name of the record that has the limit, and the user or account whose jobs count if the limit applies to
 * each separately: "QOS lim", "QOS lim for bob". */
const char *format_limit_owner(char buf[VERDICT_TEXT], const struct vocabulary *n, const struct fs_explain_limit *l);

/* Returns true if the limit is on wall-clock time: MaxWall of a single job, or GrpWall of all jobs in total. */
bool is_limit_on_time(const struct fs_explain_limit *l);

/* Returns the word that is printed after the used amount: "running", "eligible", "in the queue", "used" (time and
 * minutes) or "in use". */
const char *get_limit_use_word(const struct fs_explain_limit *l);

/* Formats the used amount and the amount of the limit: "8:06 of 4:00 used". The used amount must be known. */
const char *format_limit_use(char buf[WORDS], const struct fs_explain_limit *l);

/* Returns true if the limit is in TRES minutes. */
bool is_limit_in_minutes(const struct fs_explain_limit *l);

/* Returns true if the limit is on usage, which remains after jobs end: GrpWall or GrpTRESMins. */
bool is_limit_on_usage(const struct fs_explain_limit *l);

/* Returns true if the limit is a fair-share cap of Maui. */
bool is_limit_of_fairshare(const struct fs_explain_limit *l);

/* Returns true if the limit is Maui's system-wide limit on the request of a single job. */
bool is_limit_of_system(const struct fs_explain_limit *l);

/* Returns true if the limit applies to each node of a job separately (MaxTRESPerNode). */
bool is_limit_per_node(const struct fs_explain_limit *l);

/* Returns true if the limit blocks the job because the job gets whole nodes. The limit would allow the job on nodes
 * with fewer CPUs. */
bool is_limit_of_larger_nodes(const struct fs_explain_limit *l);

/* `j` is a component of a het job. Sets *last to the component with the latest expected start. Returns true if that
 * start is later than the expected start of `j`. All components of a het job start at the same time, so `j` really
 * starts no earlier than the expected start of *last (src/plugins/sched/backfill/backfill.c:
 * _het_job_start_compute). */
bool find_latest_component(const fs_snapshot *s, const struct fs_job *j, struct fs_job *last);

#endif
