/* Cells of Maui's showq. What is not known has a question mark in place of the number. */
#include "showq/maui.h"

#include "maui_text.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

/* Until the first dot, as the tool cuts names. */
const char *maui_job_name(char buf[MAUI_TEXT], const struct fs_job *job)
{
	char name[MAUI_TEXT];
	const size_t dot = strcspn(job->name, ".");

	snprintf(name, sizeof(name), "%.*s", dot ? (int)(dot < MAUI_TEXT ? dot : MAUI_TEXT) : MAUI_TEXT,
		 job->name);
	return text_visible(buf, MAUI_TEXT, name);
}

const char *maui_count(char buf[MAUI_TEXT], int64_t n)
{
	if (n == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT, "%lld", (long long)n);
	return buf;
}

const char *maui_share(char buf[MAUI_TEXT], int64_t part, int64_t all)
{
	if (part == FS_UNKNOWN || all == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT, "%.2f%%", all ? (double)part / (double)all * 100.0 : 0.0);
	return buf;
}

const char *maui_time(char buf[MAUI_TEXT], int64_t s)
{
	if (s == FS_UNKNOWN)
		return strcpy(buf, "?");
	return maui_duration(buf, MAUI_TEXT, s == FS_UNLIMITED ? INT32_MAX : s);
}

int64_t maui_queued_since(const struct fs_job *job)
{
	return job->eligible_time != FS_UNKNOWN ? job->eligible_time : job->submit_time;
}

int64_t maui_ends(const struct fs_job *job)
{
	if (job->end_time != FS_UNKNOWN)
		return job->end_time;
	if (job->start_time == FS_UNKNOWN || job->time_limit_s == FS_UNKNOWN ||
	    job->time_limit_s == FS_UNLIMITED)
		return FS_UNKNOWN;
	return job->start_time + job->time_limit_s;
}

const char *maui_remaining(char buf[MAUI_TEXT], const struct maui_page *p, const struct fs_job *job)
{
	const int64_t end = maui_ends(job);

	if (end == FS_UNKNOWN)
		return maui_time(buf, job->time_limit_s == FS_UNLIMITED ? FS_UNLIMITED : FS_UNKNOWN);
	return maui_time(buf, end - p->r->info->time);
}

bool maui_has_limit(const struct fs_job *job)
{
	return job->time_limit_s > 0 && job->time_limit_s != FS_UNLIMITED;
}

/* (seconds queued + limit) / limit */
const char *maui_xfactor(char buf[MAUI_TEXT], const struct fs_job *job, int64_t until)
{
	const int64_t since = maui_queued_since(job);

	if (since == FS_UNKNOWN || until == FS_UNKNOWN || !maui_has_limit(job))
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT, "%.1f",
		 (double)(until - since + job->time_limit_s) / (double)job->time_limit_s);
	return buf;
}

const char *maui_qos_of(const struct maui_page *p, uint32_t row)
{
	const char *qos = fs_job_qos(p->r->snapshot, row, 0);

	return qos ? qos : "DEFAULT";
}

void maui_put_text(int width, const char *s)
{
	char visible[MAUI_TEXT];

	emit(" %*s", width, text_visible(visible, sizeof(visible), s));
}

void maui_put_date(const struct maui_page *p, int64_t time)
{
	if (time == FS_UNKNOWN)
		emit("%19s", "?");
	else
		showq_put_date(p->r, time);
}
