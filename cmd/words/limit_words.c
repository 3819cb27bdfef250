/* Amounts of limits. */
#include "words/verdict.h"
#include "render/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool limit_is_minutes(const struct fs_explain_limit *l)
{
	return strstr(l->name, "Mins") != NULL;
}

bool limit_is_time(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "MaxWall") || !strcmp(l->name, "GrpWall");
}

bool limit_is_cap(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "fair-share cap");
}

bool limit_is_of_system(const struct fs_explain_limit *l)
{
	return !strncmp(l->name, "system ", strlen("system "));
}

bool limit_is_by_node(const struct fs_explain_limit *l)
{
	return !strcmp(l->name, "MaxTRESPerNode");
}

bool limit_is_by_larger_nodes(const struct fs_explain_limit *l)
{
	return l->per_job && l->blocks && !l->never && l->grows == FS_GROWS_NODES && !limit_is_by_node(l);
}

const char *limit_use_word(const struct fs_explain_limit *l)
{
	if (strstr(l->name, "Submit"))
		return "in the queue";
	if (strstr(l->name, "RunMins"))
		return "promised";
	if (!*l->tres && strstr(l->name, "sched"))
		return "eligible";
	if (!*l->tres && (strstr(l->name, "Jobs") || strstr(l->name, "run")))
		return "running";
	return limit_is_minutes(l) || limit_is_time(l) ? "used" : "in use";
}

static const char *minutes_words(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	char amount[WORDS];

	if (!strcmp(l->tres, "cpu") || !strcmp(l->tres, "node"))
		format_text(buf, WORDS, "%.0f %s %s", v, *l->tres == 'c' ? "CPU" : "node", v == 1 ? "minute" : "minutes");
	else
		snprintf(buf, WORDS, "%.140s %s", amount_words(amount, l->tres, v), v == 1 ? "minute" : "minutes");
	return buf;
}

/* Of Flux by the column's name, of Maui by the parameter's; its caps as they are. */
static const char *plain_words(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	if (strstr(l->name, "MAXPROC"))
		return count_words(buf, (uint64_t)v, "processor", "processors");
	if (strstr(l->name, "MAXPE"))
		return count_words(buf, (uint64_t)v, "processor equivalent", "processor equivalents");
	if (strstr(l->name, "MAXWC"))
		return duration_words(buf, v);
	if (strstr(l->name, "MAXPS"))
		return count_words(buf, (uint64_t)v, "processor second", "processor seconds");
	if (strstr(l->name, "nodes") || strstr(l->name, "MAXNODE"))
		return amount_words(buf, "node", v);
	if (strstr(l->name, "cores"))
		return count_words(buf, (uint64_t)v, "core", "cores");
	return count_words(buf, (uint64_t)v, "job", "jobs");
}

const char *limit_words(char buf[WORDS], const struct fs_explain_limit *l, double v)
{
	if (isnan(v))
		return "unknown";
	if (isinf(v) && !limit_is_time(l))
		return "any number";
	if (limit_is_time(l))
		return duration_words(buf, v);
	if (!*l->tres)
		return plain_words(buf, l, v);
	return limit_is_minutes(l) ? minutes_words(buf, l, v) : amount_words(buf, l->tres, v);
}
