#include "words/words.h"

#include "render/format.h"
#include "render/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *duration_words(char buf[WORDS], double seconds)
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
		snprintf(buf, WORDS, "%" PRIu64 "s", s);
	else if (s < 3600)
		snprintf(buf, WORDS, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	else if (!days)
		snprintf(buf, WORDS, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(buf, WORDS, "%" PRIu64 "-%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, days,
			 s / 3600 % 24, s / 60 % 60, s % 60);
	return buf;
}

static const char *format_time(char buf[WORDS], const fs_snapshot *s, int64_t t, bool date)
{
	const time_t local = (time_t)(t + fs_snapshot_utc_offset(s, t));
	struct tm tm;

	if (t == FS_UNKNOWN || !gmtime_r(&local, &tm) ||
	    !strftime(buf, WORDS, date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm))
		return "unknown";
	return buf;
}

const char *date_words(char buf[WORDS], const fs_snapshot *s, int64_t t)
{
	return format_time(buf, s, t, true);
}

const char *time_words(char buf[WORDS], const fs_snapshot *s, int64_t t)
{
	char own[WORDS], now[WORDS];
	const size_t day = strlen("YYYY-MM-DD");
	const bool today =
		!strncmp(date_words(own, s, t), date_words(now, s, fs_snapshot_info(s)->time), day);

	return format_time(buf, s, t, !today);
}

const char *decimals_words(char buf[WORDS], double v, int max)
{
	return text_number(buf, WORDS, v, max);
}

const char *number_words(char buf[WORDS], double v)
{
	return decimals_words(buf, v, 30);
}

/* Returns the decimals needed for so many significant digits. */
static int decimals_of(double v, int digits)
{
	const int first = v == 0 ? 0 : (int)floor(log10(fabs(v)));

	const int max = 40;

	return first >= digits ? 0 : digits - first > max ? max : digits - 1 - first;
}

const char *percent_words(char buf[WORDS], double v)
{
	const double percent = v * 100;
	char small[WORDS];

	if (isnan(v))
		return "unknown";
	if (percent == 0 || percent >= 0.95)
		format_text(buf, WORDS, "%.1f %%", percent);
	else
		strcat(strcpy(buf, decimals_words(small, percent, decimals_of(percent, 4))), " %");
	return buf;
}

const char *ratio_words(char buf[WORDS], double v)
{
	if (isnan(v))
		return "unknown";
	format_text(buf, WORDS, "%.6f", v);
	return buf;
}

const char *level_words(char buf[WORDS], double level)
{
	if (isnan(level))
		return "unknown";
	if (isinf(level))
		return "inf";
	if (level != 0 && fabs(level) < 0.095)
		return decimals_words(buf, level, decimals_of(level, 2));
	format_text(buf, WORDS, "%.2f", level);
	return buf;
}

const char *factor_number(char buf[WORDS], double v)
{
	return decimals_words(buf, v, v != 0 && fabs(v) < 0.1 ? decimals_of(v, 4) : 4);
}

const char *ordinal_words(char buf[WORDS], uint64_t n)
{
	const uint64_t teens = n % 100;
	const char *end = "th";

	if (teens < 11 || teens > 13)
		end = n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
	snprintf(buf, WORDS, "%" PRIu64 "%s", n, end);
	return buf;
}

const char *count_words(char buf[WORDS], uint64_t n, const char *one, const char *many)
{
	snprintf(buf, WORDS, "%" PRIu64 " %s", n, n == 1 ? one : many);
	return buf;
}

const char *entries_words(char buf[WORDS], uint64_t entries, uint64_t jobs)
{
	if (entries == jobs)
		return count_words(buf, entries, "job", "jobs");
	snprintf(buf, WORDS, "%" PRIu64 " jobs (%" PRIu64 " %s)", jobs, entries,
		 entries == 1 ? "entry" : "entries");
	return buf;
}

const char *amount_words(char buf[WORDS], const char *tres, double v)
{
	if (isnan(v))
		return "unknown";
	if (!strcmp(tres, "cpu"))
		format_text(buf, WORDS, "%.0f %s", v, v == 1 ? "CPU" : "CPUs");
	else if (!strcmp(tres, "mem"))
		format_text(buf, WORDS, "%.0fM", v);
	else if (!strcmp(tres, "node"))
		format_text(buf, WORDS, "%.0f %s", v, v == 1 ? "node" : "nodes");
	else if (!strcmp(tres, "gres/gpu"))
		format_text(buf, WORDS, "%.0f %s", v, v == 1 ? "GPU" : "GPUs");
	else
		format_text(buf, WORDS, "%.0f %s", v, tres);
	return buf;
}

const char *job_words(char buf[WORDS], const fs_snapshot *s, uint32_t job_row)
{
	struct fs_job j;

	fs_snapshot_job(s, job_row, &j);
	if (j.array_job && *j.array_tasks)
		snprintf(buf, WORDS, "%" PRIu64 "_[%s]", j.array_job, j.array_tasks);
	else if (j.array_job && j.has_task)
		snprintf(buf, WORDS, "%" PRIu64 "_%" PRIu32, j.array_job, j.task);
	else
		fs_job_id_format(s, j.id, false, buf);
	return buf;
}

const char *factor_words(char buf[WORDS], const char *name)
{
	size_t i = 0;

	if (!strncmp(name, "tres/", 5)) {
		snprintf(buf, WORDS, "TRES %s", name + 5);
		return buf;
	}
	for (; name[i] && i + 1 < WORDS; i++)
		buf[i] = (char)toupper((unsigned char)name[i]);
	buf[i] = '\0';
	return buf;
}

const char *cell_words(char buf[WORDS], const char *name)
{
	enum { MAX = 20 };
	size_t at = 0;

	for (int n = 0; name[at]; n++) {
		if (n == MAX - 1 && name[at + 1]) {
			snprintf(buf, WORDS, "%.*s+", (int)(at < WORDS - 2 ? at : WORDS - 2), name);
			return buf;
		}
		at++;
		while (((unsigned char)name[at] & 0xc0) == 0x80)
			at++;
	}
	return name;
}

const char *standing_of(char buf[WORDS], const struct fs_explain_path *path)
{
	if (!path->worse)
		snprintf(buf, WORDS, "none of %" PRIu32 " users", path->users);
	else
		snprintf(buf, WORDS, "%" PRIu32 " of %" PRIu32 " users", path->worse, path->users);
	return buf;
}

const char *row_words(char buf[WORDS], const struct fs_share_row *r)
{
	if (*r->partition)
		snprintf(buf, WORDS, "%s in partition %s", r->user, r->partition);
	else
		snprintf(buf, WORDS, "%s", *r->user ? r->user : r->account);
	return buf;
}
