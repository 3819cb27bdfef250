#include "words/words.h"

#include "render/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The points of priority terms are rounded to `digits` decimals. If possible, `digits` is chosen so that the sum of the
 * rounded points agrees with the scheduler's priority, which is a whole number. All further arithmetic uses whole
 * numbers, in units of the last decimal. */

double get_power_of_ten(int n)
{
	double v = 1;

	while (n-- > 0)
		v *= 10;
	return v;
}

static bool add_rounded_points(const struct fs_explain_sum *s, int digits, struct sum_decimals *out)
{
	const double unit = get_power_of_ten(digits),
		     max = 9e17; /* small enough that the sum of several terms of this size fits into an int64_t */

	*out = (struct sum_decimals){ .digits = digits };
	if (fabs(s->total - s->unexplained) * unit > max)
		return false;
	for (size_t t = 0; t < s->nterms; t++) {
		if (!(fabs(s->terms[t].points) * unit < max / 64))
			return false;
		out->sum += llround(s->terms[t].points * unit);
	}
	out->total = llround(s->total - s->unexplained) * (int64_t)unit;
	out->fits = true;
	return true;
}

bool has_truncated_total(const struct sum_decimals *d)
{
	const int64_t unit = (int64_t)get_power_of_ten(d->digits);

	return d->sum >= d->total && d->sum - d->total < unit;
}

/* Returns true if the sum of the rounded points agrees with the scheduler's priority. If `in_steps` is false, ignores
 * the fraction of the sum, and accepts any sum if the priority is <= 1 or >= UINT32_MAX.
 *
 * If `in_steps` is true and there are no steps, the sum must be equal to the priority. If there are steps, the first
 * step must change the sum to s->steps[0].value. Only FS_STEP_ROUNDED and FS_STEP_FRACTION are checked; any other first
 * step is accepted. */
static bool is_first_step_exact(const struct fs_explain_sum *s, bool in_steps, const struct sum_decimals *d)
{
	const int64_t unit = (int64_t)get_power_of_ten(d->digits), half = d->sum < 0 ? -unit / 2 : unit / 2;

	if (!in_steps)
		return has_truncated_total(d) || s->total <= 1 || s->total >= UINT32_MAX;
	if (!s->nsteps)
		return d->sum == d->total;
	if (s->steps[0].step == FS_STEP_ROUNDED)
		return (double)((d->sum + half) / unit) == s->steps[0].value;
	return s->steps[0].step != FS_STEP_FRACTION || (double)(d->sum / unit) == s->steps[0].value;
}

/* Tries 6, 9, 12, 3 and 0 decimals, in this order. Returns the first number of decimals for which is_first_step_exact
 * returns true. If there is none, returns the first number of decimals with which the points fit into 64 bits. Large
 * points fit only with 3 or 0 decimals. */
struct sum_decimals choose_sum_decimals(const struct fs_explain_sum *s, bool in_steps)
{
	static const int wanted[] = { 6, 9, 12, 3, 0 };
	struct sum_decimals first = { 0 }, d;
	bool some = false;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (!add_rounded_points(s, wanted[i], &d))
			continue;
		if (is_first_step_exact(s, in_steps, &d))
			return d;
		if (!some)
			first = d;
		some = true;
	}
	return first;
}

int choose_comparison_decimals(double a, double b, double bound)
{
	static const int tried[] = { 0, 3, 6 };

	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		const struct sum_decimals d = { .digits = tried[i] };
		const double unit = get_power_of_ten(tried[i]);
		const int64_t ua = convert_to_units(&d, a), ub = convert_to_units(&d, b),
			      max = convert_to_units(&d, bound);
		const bool exact = (double)ua / unit == a && (double)ub / unit == b && (double)max / unit == bound;

		if (exact || (tried[i] && (ua + ub > max) == (a + b > bound)))
			return tried[i];
	}
	return 9;
}

int64_t convert_to_units(const struct sum_decimals *d, double v)
{
	return llround(v * get_power_of_ten(d->digits));
}

const char *format_decimal_units(char buf[WORDS], int64_t v, int digits)
{
	const uint64_t unit = (uint64_t)get_power_of_ten(digits), n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	if (digits)
		return format_words(buf, "%s%" PRIu64 ".%0*" PRIu64, v < 0 ? "-" : "", n / unit, digits, n % unit);
	return format_words(buf, "%s%" PRIu64, v < 0 ? "-" : "", n);
}

const char *format_time_span(char buf[WORDS], double seconds)
{
	const double max = 1e15;
	uint64_t s, days;

	if (isnan(seconds) || seconds < 0)
		return "unknown";
	if (seconds > max)
		return "unlimited";
	s = (uint64_t)seconds;
	days = s / 86400;
	if (s < 60)
		return format_words(buf, "%" PRIu64 "s", s);
	if (s < 3600)
		return format_words(buf, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	if (!days)
		return format_words(buf, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
	return format_words(buf, "%" PRIu64 "-%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, days, s / 3600 % 24, s / 60 % 60,
			    s % 60);
}

static const char *format_cluster_local_time(char buf[WORDS], const fs_snapshot *s, int64_t t, bool date)
{
	const time_t local = (time_t)(t + fs_snapshot_utc_offset(s, t));
	struct tm tm;

	if (t == FS_UNKNOWN || !gmtime_r(&local, &tm) ||
	    !strftime(buf, WORDS, date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm))
		return "unknown";
	return buf;
}

const char *format_full_time(char buf[WORDS], const fs_snapshot *s, int64_t t)
{
	return format_cluster_local_time(buf, s, t, true);
}

const char *format_short_time(char buf[WORDS], const fs_snapshot *s, int64_t t)
{
	const size_t day = strlen("YYYY-MM-DD");
	const bool today =
		!strncmp(format_full_time(BUF, s, t), format_full_time(BUF, s, fs_snapshot_info(s)->time), day);

	return format_cluster_local_time(buf, s, t, !today);
}

const char *format_words(char buf[WORDS], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format_args(buf, WORDS, fmt, ap);
	va_end(ap);
	return buf;
}

const char *format_rounded_number(char buf[WORDS], double v, int digits)
{
	return isnan(v) ? "unknown" : format_words(buf, "%.*f", digits, v);
}

const char *format_decimal_number(char buf[WORDS], double v, int max)
{
	return text_format_number(buf, WORDS, v, max);
}

const char *format_config_number(char buf[WORDS], double v)
{
	return format_decimal_number(buf, v, 30);
}

/* Returns the number of decimals that show `digits` significant digits of v, at most 40. */
static int get_significant_decimals(double v, int digits)
{
	const int first = v == 0 ? 0 : (int)floor(log10(fabs(v)));

	const int max = 40;

	return first >= digits ? 0 : digits - first > max ? max : digits - 1 - first;
}

const char *format_percent_value(char buf[WORDS], double v)
{
	const double percent = v * 100;

	if (isnan(v))
		return "unknown";
	if (percent == 0 || percent >= 0.95)
		format_text(buf, WORDS, "%.1f %%", percent);
	else
		strcat(strcpy(buf, format_decimal_number(BUF, percent, get_significant_decimals(percent, 4))), " %");
	return buf;
}

const char *format_share_ratio(char buf[WORDS], double v)
{
	return format_rounded_number(buf, v, 6);
}

const char *format_share_level(char buf[WORDS], double level)
{
	if (isnan(level))
		return "unknown";
	if (isinf(level))
		return "inf";
	if (level != 0 && fabs(level) < 0.095)
		return format_decimal_number(buf, level, get_significant_decimals(level, 2));
	return format_words(buf, "%.2f", level);
}

const char *format_factor_value(char buf[WORDS], double v)
{
	return format_decimal_number(buf, v, v != 0 && fabs(v) < 0.1 ? get_significant_decimals(v, 4) : 4);
}

const char *format_ordinal_number(char buf[WORDS], uint64_t n)
{
	const uint64_t last_two_digits = n % 100;
	const char *end = "th";

	if (last_two_digits < 11 || last_two_digits > 13)
		end = n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
	return format_words(buf, "%" PRIu64 "%s", n, end);
}

const char *format_counted_term(char buf[WORDS], uint64_t n, const char *one, const char *many)
{
	return format_words(buf, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

const char *format_entry_count(char buf[WORDS], uint64_t entries, uint64_t jobs)
{
	if (entries == jobs)
		return format_counted_term(buf, entries, "job", "jobs");
	return format_words(buf, "%" PRIu64 " jobs (%" PRIu64 " %s)", jobs, entries,
			    entries == 1 ? "entry" : "entries");
}

const char *format_tres_amount(char buf[WORDS], const char *tres, double v)
{
	static const struct {
		const char *tres, *one, *many;
	} units[] = { { "cpu", " CPU", " CPUs" },
		      { "mem", "M", "M" },
		      { "node", " node", " nodes" },
		      { "gres/gpu", " GPU", " GPUs" } };

	if (isnan(v))
		return "unknown";
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(tres, units[i].tres))
			return format_words(buf, "%.0f%s", v, v == 1 ? units[i].one : units[i].many);
	return format_words(buf, "%.0f %s", v, tres);
}

const char *format_display_job_id(char buf[WORDS], const fs_snapshot *s, uint32_t job_row)
{
	struct fs_job j;

	fs_snapshot_job(s, job_row, &j);
	if (j.array.job && *j.array.tasks)
		snprintf(buf, WORDS, "%" PRIu64 "_[%s]", j.array.job, j.array.tasks);
	else if (j.array.job && j.array.has_task)
		snprintf(buf, WORDS, "%" PRIu64 "_%" PRIu32, j.array.job, j.array.task);
	else
		fs_job_id_format(s, j.id, false, buf);
	return buf;
}

const char *format_factor_name(char buf[WORDS], const char *name)
{
	size_t i = 0;

	if (!strncmp(name, "tres/", 5)) {
		return format_words(buf, "TRES %s", name + 5);
	}
	for (; name[i] && i + 1 < WORDS; i++)
		buf[i] = (char)toupper((unsigned char)name[i]);
	buf[i] = '\0';
	return buf;
}

const char *format_cell_name(char buf[WORDS], const char *name)
{
	enum { MAX_CHARACTERS = 20 };
	size_t at = 0;

	for (int n = 0; name[at]; n++) {
		if (n == MAX_CHARACTERS - 1 && name[at + 1]) {
			return format_words(buf, "%.*s+", (int)(at < WORDS - 2 ? at : WORDS - 2), name);
		}
		at++;
		while (((unsigned char)name[at] & 0xc0) == 0x80)
			at++;
	}
	return name;
}

const char *format_worse_users(char buf[WORDS], const struct fs_explain_path *path)
{
	if (!path->worse)
		return format_words(buf, "none of %" PRIu32 " users", path->users);
	return format_words(buf, "%" PRIu32 " of %" PRIu32 " users", path->worse, path->users);
}

const char *format_share_name(char buf[WORDS], const struct fs_share_row *r)
{
	if (*r->partition)
		return format_words(buf, "%s in partition %s", r->user, r->partition);
	return format_words(buf, "%s", *r->user ? r->user : r->account);
}

/* ---- amounts of limits */

bool is_limit_in_minutes(const struct fs_explain_limit *l)
{
	return strstr(l->name, "Mins") != NULL;
}

bool is_limit_on_time(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "MaxWall") || !strcmp(l->name, "GrpWall");
}

bool is_limit_on_usage(const struct fs_explain_limit *l)
{
	return !l->per_job && (!strcmp(l->name, "GrpWall") || (is_limit_in_minutes(l) && !strstr(l->name, "RunMins")));
}

bool is_limit_of_fairshare(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "fair-share cap");
}

bool is_limit_of_system(const struct fs_explain_limit *l)
{
	return !strncmp(l->name, "system ", strlen("system "));
}

bool is_limit_per_node(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "MaxTRESPerNode");
}

bool is_limit_of_larger_nodes(const struct fs_explain_limit *l)
{
	return l->per_job && l->blocks && !l->never && l->grows == FS_CPU_GROWTH_NODES && !is_limit_per_node(l);
}

const char *format_limit_use(char buf[WORDS], const struct fs_explain_limit *l)
{
	return format_words(buf, "%s of %s %s",
			    is_limit_on_time(l) ? format_time_span(BUF, floor(l->used))
						: format_rounded_number(BUF, l->used, 0),
			    format_limit_amount(BUF, l, l->value), get_limit_use_word(l));
}

const char *get_limit_use_word(const struct fs_explain_limit *l)
{
	if (strstr(l->name, "Submit"))
		return "in the queue";
	if (strstr(l->name, "RunMins"))
		return "in use";
	if (!*l->tres && strstr(l->name, "sched"))
		return "eligible";
	if (!*l->tres && (strstr(l->name, "Jobs") || strstr(l->name, "run")))
		return "running";
	return is_limit_in_minutes(l) || is_limit_on_time(l) ? "used" : "in use";
}

static const char *format_tres_minutes(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	if (!strcmp(l->tres, "cpu") || !strcmp(l->tres, "node"))
		return format_words(buf, "%.0f %s %s", v, *l->tres == 'c' ? "CPU" : "node",
				    v == 1 ? "minute" : "minutes");
	return format_words(buf, "%.140s %s", format_tres_amount(BUF, l->tres, v), v == 1 ? "minute" : "minutes");
}

/* Formats an amount of a limit that has no TRES. The unit depends on the name of the limit, which is a column of
 * flux-accounting or a parameter of Maui. */
static const char *format_named_limit(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	if (strstr(l->name, "MAXPROC"))
		return format_counted_term(buf, (uint64_t)v, "processor", "processors");
	if (strstr(l->name, "MAXPE"))
		return format_counted_term(buf, (uint64_t)v, "processor equivalent", "processor equivalents");
	if (strstr(l->name, "MAXWC"))
		return format_time_span(buf, v);
	if (strstr(l->name, "MAXPS"))
		return format_counted_term(buf, (uint64_t)v, "processor second", "processor seconds");
	if (strstr(l->name, "nodes") || strstr(l->name, "MAXNODE"))
		return format_tres_amount(buf, "node", v);
	if (strstr(l->name, "cores"))
		return format_counted_term(buf, (uint64_t)v, "core", "cores");
	return format_counted_term(buf, (uint64_t)v, "job", "jobs");
}

const char *format_limit_amount(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	if (isnan(v))
		return "unknown";
	if (isinf(v) && !is_limit_on_time(l))
		return "any number";
	if (is_limit_on_time(l))
		return format_time_span(buf, v);
	if (!*l->tres)
		return format_named_limit(buf, l, v);
	return is_limit_in_minutes(l) ? format_tres_minutes(buf, l, v) : format_tres_amount(buf, l->tres, v);
}
