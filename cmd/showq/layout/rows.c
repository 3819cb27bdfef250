/* Headings and rows of the layouts. */
#include "showq/showq.h"

#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"
#include "words/verdict.h"

#include <string.h>
#include <time.h>

enum { NAME_BYTES = 10, USER_BYTES = 14, QUEUE_BYTES = 14 };

void showq_heading(const struct showq_run *r, enum showq_place place)
{
	const struct showq_section *s = &r->style->section[place];
	char rule[128];

	memset(rule, '=', sizeof(rule));
	emit_line(s->title);
	emit("%s%s\n%.*s\n", s->heading[r->wide],
	       r->why && (place == PLACE_WAITING || place == PLACE_BLOCKED) ? "            WHY"
									    : "",
	       s->rule[r->wide], rule);
}

/* As many bytes as fit without cutting a character in two. */
static int cut(const char *s, int max, bool bytes)
{
	const size_t len = strlen(s);
	int n = (int)len;

	if (len <= (size_t)max)
		return n;
	for (n = max; !bytes && n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80;)
		n--;
	return n;
}

static void put_text(const struct showq_run *r, const char *text, int max, int width)
{
	char visible[256];
	const char *s = text_visible(visible, sizeof(visible), text);
	const int n = cut(s, max, r->strict);

	emit("%.*s%*s", n, s, width > n ? width - n : 0, "");
}

static void put_queue(const struct showq_run *r, uint32_t row, int width)
{
	char list[256] = "";
	size_t len = 0;
	const char *name;

	for (size_t k = 0; len < QUEUE_BYTES + 1 && (name = fs_job_partition(r->snapshot, row, k));
	     k++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.200s", k ? "," : "",
					name);
	put_text(r, list, QUEUE_BYTES, width);
}

static void put_number(int64_t n, int width)
{
	if (n == FS_UNKNOWN)
		emit("%-*s", width, "?");
	else
		emit("%-*lld", width, (long long)n);
}

/* The number of the first TRES asked for that has gpu in its name. */
int64_t showq_gpus(const fs_snapshot *s, uint32_t row)
{
	struct fs_tres t;

	for (size_t k = 0; fs_job_tres(s, row, k, &t); k++)
		if (strstr(t.name, "gpu"))
			return t.amount;
	return 0;
}

/* The tools multiply minutes by 60 in 32 bits, where "unlimited" is 4294967295 minutes. */
int64_t showq_limit_s(const struct fs_job *job)
{
	const uint32_t unlimited = FS_NO_ROW;

	if (job->time_limit_s == FS_UNKNOWN)
		return FS_UNKNOWN;
	return job->time_limit_s == FS_UNLIMITED ? (int64_t)(uint32_t)(unlimited * 60u)
						 : job->time_limit_s;
}

int64_t showq_left_s(const struct showq_run *r, const struct fs_job *job)
{
	const int64_t limit = showq_limit_s(job),
		      start = job->start_time == FS_UNKNOWN ? 0 : job->start_time;

	return limit == FS_UNKNOWN ? FS_UNKNOWN : limit + start - r->info->time;
}

/* Minutes and seconds below ten get a 0 before them: so do negative ones. */
static void put_time(int64_t s, const struct showq_column *c, bool unsigned_parts)
{
	const int64_t hours = s / 3600;
	int minutes = (int)((s - hours * 3600) / 60), seconds = (int)(s % 60);

	if (unsigned_parts) {
		minutes = minutes < 0 ? -minutes : minutes;
		seconds = seconds < 0 ? -seconds : seconds;
	}
	emit("%s%*lld:%s%d:%s%d%s", c->before, c->width, (long long)hours,
	       minutes < 10 ? "0" : "", minutes, seconds < 10 ? "0" : "", seconds, c->after);
}

static void put_left(int64_t s, const struct showq_column *c, enum showq_place place)
{
	if (s == FS_UNKNOWN || (c->cell == CELL_LEFT_HOURS && s < 3600))
		emit("  Unknown  ");
	else
		put_time(s, c, place == PLACE_ERRORED);
}

/* The first 19 bytes of ctime(3). */
void showq_date(const struct showq_run *r, char text[32], int64_t time)
{
	static const char days[] = "SunMonTueWedThuFriSat",
			  months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const int64_t utc = time == FS_UNKNOWN ? 0 : time;
	const time_t t = (time_t)(utc + fs_snapshot_utc_offset(r->snapshot, utc));
	struct tm tm;

	if (!gmtime_r(&t, &tm)) {
		strcpy(text, "?");
		return;
	}
	snprintf(text, 32, "%.3s %.3s %2d %02d:%02d:%02d", days + 3 * tm.tm_wday, months + 3 * tm.tm_mon, tm.tm_mday,
		 tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void showq_put_date(const struct showq_run *r, int64_t time)
{
	char text[32];

	showq_date(r, text, time);
	emit_text(text);
}

void showq_iso_time(char text[24], int64_t local)
{
	const time_t t = (time_t)local;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(text, "?");
}

static void put_cell(const struct showq_run *r, const struct showq_column *c,
		     const struct showq_job *j, const struct fs_job *job)
{
	switch (c->cell) {
	case CELL_ID:
		emit("%-*llu", c->width, (unsigned long long)job->id);
		break;
	case CELL_NAME:
		put_text(r, job->has_name ? job->name : "(null)", NAME_BYTES, c->width);
		break;
	case CELL_USER:
		put_text(r, *job->user ? job->user : "nobody", USER_BYTES, c->width);
		break;
	case CELL_STATE:
		emit("%-*s", c->width, j->word);
		break;
	case CELL_CPUS:
		put_number(job->cpus, c->width);
		break;
	case CELL_GPUS:
		put_number(showq_gpus(r->snapshot, j->row), c->width);
		break;
	case CELL_NODES:
		put_number(job->nodes, c->width);
		break;
	case CELL_QUEUE:
		put_queue(r, j->row, c->width);
		break;
	case CELL_START:
		showq_put_date(r, job->start_time);
		break;
	case CELL_SUBMIT:
		showq_put_date(r, job->submit_time);
		break;
	default:
		break;
	}
}

void showq_put_verdict(const struct showq_run *r, const fs_queue *q, uint32_t job_row)
{
	char words[VERDICT_TEXT];
	struct fs_verdict v;

	if (fs_queue_verdict(q, job_row, &v)) {
		*r->starved = true;
		return;
	}
	emit_text(verdict_words(words, &r->dialect->nouns, r->snapshot, &v));
	fs_verdict_release(&v);
}

/* What puts a waiting job behind another, or what blocks one. */
static void put_why(const struct showq_run *r, const struct showq_job *j, enum showq_place place)
{
	struct fs_job before;

	if (place == PLACE_ACTIVE || place == PLACE_ERRORED)
		return;
	emit("  ");
	if (!j->rank)
		showq_put_verdict(r, r->queue, j->row);
	else if (j->key == FS_QUEUE_KEY_NONE)
		emit("first");
	else {
		fs_snapshot_job(r->snapshot, j->behind, &before);
		emit("%s: behind %llu", fs_queue_key_name((enum fs_queue_key)j->key), (unsigned long long)before.id);
	}
}

void showq_row(const struct showq_run *r, enum showq_place place, const struct showq_job *j)
{
	const struct fs_job job = showq_job_of(r, j);

	for (const struct showq_column *c = r->style->section[place].columns[r->wide]; c->cell;
	     c++) {
		if (c->cell == CELL_LEFT || c->cell == CELL_LEFT_HOURS) {
			put_left(showq_left_s(r, &job), c, place);
			continue;
		}
		if (c->cell == CELL_LIMIT) {
			put_left(showq_limit_s(&job), c, place);
			continue;
		}
		emit_text(c->before);
		put_cell(r, c, j, &job);
		emit_text(c->after);
	}
	if (r->why)
		put_why(r, j, place);
	putchar('\n');
}
