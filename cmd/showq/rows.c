/* Prints headings and rows of Slurm's layouts, parses the command lines of the emulated tools, and defines TACC's
 * layout. */
#include "dialect/dialect.h"
#include "render/emit.h"
#include "render/text.h"
#include "showq/showq.h"
#include "words/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- headings and rows of the sections */

enum { NAME_BYTES = 10, USER_BYTES = 14, QUEUE_BYTES = 14 };

void showq_print_heading(const struct showq_run *r, enum showq_section_id section)
{
	const struct showq_section *s = &r->style->sections[section];
	char rule[128];

	memset(rule, '=', sizeof(rule));
	emit_safe_line(s->title);
	emit("%s%s\n%.*s\n", s->heading[r->long_format],
	     r->why && (section == SHOWQ_WAITING || section == SHOWQ_BLOCKED) ? "            WHY" : "",
	     s->rule[r->long_format], rule);
}

/* Returns the number of bytes of s to print, at most `max`. If `bytes` is false, a UTF-8 character is either printed
 * whole or left out. */
static int count_printed_bytes(const char *s, int max, bool bytes)
{
	const size_t len = strlen(s);
	int n = (int)len;

	if (len <= (size_t)max)
		return n;
	for (n = max; !bytes && n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80;)
		n--;
	return n;
}

/* Prints at most `max` bytes of the text, left-aligned. In strict mode the text is cut at any byte, even inside a UTF-8
 * character, as the emulated tools do. */
static void print_cut_text(const struct showq_run *r, const char *text, int max, int width)
{
	char visible[256];
	const char *s = text_make_visible(visible, sizeof(visible), text);
	const int n = count_printed_bytes(s, max, r->strict);

	emit("%.*s%*s", n, s, width > n ? width - n : 0, "");
}

/* Prints the names of the job's partitions, separated by commas. */
static void print_partition_names(const struct showq_run *r, uint32_t row, int width)
{
	char list[256] = "";
	size_t len = 0;
	const char *name;

	for (size_t k = 0; len < QUEUE_BYTES + 1 && (name = fs_job_partition(r->snapshot, row, k)); k++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.200s", k ? "," : "", name);
	print_cut_text(r, list, QUEUE_BYTES, width);
}

static void print_aligned_number(int64_t n, int width)
{
	if (n == FS_UNKNOWN)
		emit("%-*s", width, "?");
	else
		emit("%-*lld", width, (long long)n);
}

int64_t showq_get_job_gpus(const fs_snapshot *s, uint32_t row)
{
	struct fs_tres t;

	for (size_t k = 0; fs_job_tres(s, row, k, &t); k++)
		if (strstr(t.name, "gpu"))
			return t.amount;
	return 0;
}

/* Returns the time limit in seconds as the tools compute it; FS_UNKNOWN if the limit is unknown. An unlimited job has a
 * limit of 4294967295 minutes. The tools multiply this number by 60 in 32 bits; the result is 4294967236 seconds. */
static int64_t get_tool_limit_s(const struct fs_job *job)
{
	const uint32_t unlimited = FS_NO_ROW;

	if (job->request.time_limit_s == FS_UNKNOWN)
		return FS_UNKNOWN;
	return job->request.time_limit_s == FS_UNLIMITED ? (int64_t)(uint32_t)(unlimited * 60u)
							 : job->request.time_limit_s;
}

int64_t showq_get_time_left_s(const struct showq_run *r, const struct fs_job *job)
{
	const int64_t limit = get_tool_limit_s(job), start = job->times.start == FS_UNKNOWN ? 0 : job->times.start;

	return limit == FS_UNKNOWN ? FS_UNKNOWN : limit + start - r->info->time;
}

/* Prints a duration as hours:minutes:seconds. As in the tools, minutes and seconds below 10 get a leading 0, even if
 * they are negative. unsigned_parts: print the absolute values of minutes and seconds. */
static void print_clock_duration(int64_t s, const struct showq_column *c, bool unsigned_parts)
{
	const int64_t hours = s / 3600;
	int minutes = (int)((s - hours * 3600) / 60), seconds = (int)(s % 60);

	if (unsigned_parts) {
		minutes = minutes < 0 ? -minutes : minutes;
		seconds = seconds < 0 ? -seconds : seconds;
	}
	emit("%s%*lld:%s%d:%s%d%s", c->before, c->width, (long long)hours, minutes < 10 ? "0" : "", minutes,
	     seconds < 10 ? "0" : "", seconds, c->after);
}

/* Prints `s`: a time limit, or the time left until the limit. Prints "Unknown" if `s` is FS_UNKNOWN. The column
 * CELL_TIME_LEFT_HOURS is "Unknown" if `s` is below one hour. */
static void print_time_left(int64_t s, const struct showq_column *c, enum showq_section_id section)
{
	if (s == FS_UNKNOWN || (c->cell == CELL_TIME_LEFT_HOURS && s < 3600))
		emit("  Unknown  ");
	else
		print_clock_duration(s, c, section == SHOWQ_ERRORED);
}

void showq_format_date(const struct showq_run *r, char text[32], int64_t time)
{
	static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
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

static void print_date_text(const struct showq_run *r, int64_t time)
{
	char text[32];

	showq_format_date(r, text, time);
	emit_safe_text(text);
}

void showq_format_iso_time(char text[24], int64_t local)
{
	const time_t t = (time_t)local;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(text, "?");
}

static void print_row_cell(const struct showq_run *r, const struct showq_column *c, const struct showq_job *j,
			   const struct fs_job *job)
{
	switch (c->cell) {
	case CELL_ID:
		emit("%-*llu", c->width, (unsigned long long)job->id);
		break;
	case CELL_NAME:
		print_cut_text(r, job->has_name ? job->name : "(null)", NAME_BYTES, c->width);
		break;
	case CELL_USER:
		print_cut_text(r, *job->user ? job->user : "nobody", USER_BYTES, c->width);
		break;
	case CELL_STATE:
		emit("%-*s", c->width, j->state_text);
		break;
	case CELL_CPUS:
		print_aligned_number(job->request.cpus, c->width);
		break;
	case CELL_GPUS:
		print_aligned_number(showq_get_job_gpus(r->snapshot, j->row), c->width);
		break;
	case CELL_NODES:
		print_aligned_number(job->request.nodes, c->width);
		break;
	case CELL_PARTITIONS:
		print_partition_names(r, j->row, c->width);
		break;
	case CELL_START_TIME:
		print_date_text(r, job->times.start);
		break;
	case CELL_SUBMIT_TIME:
		print_date_text(r, job->times.submit);
		break;
	default:
		break;
	}
}

void showq_print_verdict(const struct showq_run *r, const fs_queue *q, uint32_t job_row)
{
	char words[VERDICT_TEXT];
	struct fs_verdict v;

	if (fs_queue_verdict(q, job_row, &v)) {
		*r->oom = true;
		return;
	}
	emit_safe_text(format_verdict_clause(words, &r->dialect->vocabulary, r->snapshot, &v));
	fs_verdict_release(&v);
}

/* Prints the text of --why after the row of a pending job. For an eligible job, the text is the preceding job and the
 * sort key by which this job comes after it. For any other job, the text is the verdict on the job (fs/verdict.h). */
static void print_row_order_text(const struct showq_run *r, const struct showq_job *j, enum showq_section_id section)
{
	struct fs_job before;

	if (section == SHOWQ_ACTIVE || section == SHOWQ_ERRORED)
		return;
	emit("  ");
	if (!j->rank)
		showq_print_verdict(r, r->queue, j->row);
	else if (j->order_key == FS_QUEUE_KEY_NONE)
		emit("first");
	else {
		fs_snapshot_job(r->snapshot, j->previous_row, &before);
		emit("%s: behind %llu", fs_queue_key_name((enum fs_queue_key)j->order_key),
		     (unsigned long long)before.id);
	}
}

void showq_print_row(const struct showq_run *r, enum showq_section_id section, const struct showq_job *j)
{
	const struct fs_job job = showq_get_job(r, j);

	for (const struct showq_column *c = r->style->sections[section].columns[r->long_format]; c->cell; c++) {
		if (c->cell == CELL_TIME_LEFT || c->cell == CELL_TIME_LEFT_HOURS) {
			print_time_left(showq_get_time_left_s(r, &job), c, section);
			continue;
		}
		if (c->cell == CELL_TIME_LIMIT) {
			print_time_left(get_tool_limit_s(&job), c, section);
			continue;
		}
		emit_safe_text(c->before);
		print_row_cell(r, c, j, &job);
		emit_safe_text(c->after);
	}
	if (r->why)
		print_row_order_text(r, j, section);
	putchar('\n');
}

/* ---- command lines, parsed as the emulated tools do
 *
 * Harvard's and TACC's tools search for the options they know with GetPot (slurm_showq.cpp: parse_supported_options).
 * An option must be a whole argument, at any position; its value is the next argument. Other arguments are ignored. */

/* State of a search in the command line with the rules of GetPot, the parser of the emulated tools. Each search begins
 * at the argument that the previous successful search found, which is number `last_found` (0-based). At the end of the
 * command line, the search goes on at the first argument. */
struct argument_search {
	char **v;
	int n, last_found;
};

/* Searches for the argument `word`. If `word` is found, sets w->last_found. Returns false if `word` is missing. */
static bool find_next_argument(struct argument_search *w, const char *word)
{
	for (int k = 0; k < w->n; k++) {
		const int i = (w->last_found + k) % w->n;

		if (!strcmp(w->v[i], word)) {
			w->last_found = i;
			return true;
		}
	}
	return false;
}

/* Returns the argument after w->last_found; "" if that is the last argument. */
static const char *get_following_argument(const struct argument_search *w)
{
	return w->last_found + 1 < w->n ? w->v[w->last_found + 1] : "";
}

static void parse_user_options(struct showq_run *r, struct argument_search *w)
{
	r->own_jobs_only = find_next_argument(w, "-u") || find_next_argument(w, "--user");
	if (find_next_argument(w, "-U"))
		r->only_user = get_following_argument(w);
}

static void parse_tacc_arguments(struct showq_run *r, int argc, char **argv)
{
	struct argument_search w = { argv, argc, 0 };

	r->version = find_next_argument(&w, "--version");
	r->long_format = find_next_argument(&w, "--long") || find_next_argument(&w, "-l");
	r->help = find_next_argument(&w, "--help") || find_next_argument(&w, "-h");
	parse_user_options(r, &w);
}

void showq_parse_harvard_arguments(struct showq_run *r, int argc, char **argv)
{
	struct argument_search w = { argv, argc, 0 };

	r->version = find_next_argument(&w, "--version");
	r->long_format = find_next_argument(&w, "--long") || find_next_argument(&w, "-l");
	r->show_blocked = find_next_argument(&w, "--blocked") || find_next_argument(&w, "-b");
	r->help = find_next_argument(&w, "--help") || find_next_argument(&w, "-h");
	parse_user_options(r, &w);
	if (find_next_argument(&w, "-p") || find_next_argument(&w, "-q"))
		r->partition = get_following_argument(&w);
	r->by_priority = find_next_argument(&w, "-o");
	r->summary_only = find_next_argument(&w, "-s");
}

/* ---- layout of TACC's showq (siliu-tacc/slurm_showq 1.0: slurm_showq.cpp) */

#define TACC_FIRST_COLUMNS \
	{ CELL_ID, 10, "", "" }, { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, \
	{ \
		CELL_STATE, 8, "", "" \
	}
#define TACC_LAST_COLUMN \
	{ \
		CELL_END, 0, "", "" \
	}

static const struct showq_column tacc_active[] = {
	TACC_FIRST_COLUMNS, { CELL_NODES, 5, "", "" }, { CELL_TIME_LEFT, 2, " ", "  " }, { CELL_START_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static const struct showq_column tacc_active_long[] = {
	TACC_FIRST_COLUMNS,
	{ CELL_CPUS, 6, "", " " },
	{ CELL_NODES, 5, "", "" },
	{ CELL_PARTITIONS, 14, " ", "" },
	{ CELL_TIME_LEFT, 2, " ", "  " },
	{ CELL_START_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static const struct showq_column tacc_pending[] = {
	TACC_FIRST_COLUMNS,
	{ CELL_NODES, 5, "", "" },
	{ CELL_TIME_LIMIT, 2, " ", "  " },
	{ CELL_SUBMIT_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static const struct showq_column tacc_waiting_long[] = {
	TACC_FIRST_COLUMNS,
	{ CELL_CPUS, 5, "", " " },
	{ CELL_NODES, 5, "", "" },
	{ CELL_PARTITIONS, 14, " ", "" },
	{ CELL_TIME_LIMIT, 2, " ", "  " },
	{ CELL_SUBMIT_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static const struct showq_column tacc_blocked_long[] = {
	TACC_FIRST_COLUMNS,
	{ CELL_CPUS, 6, "", " " },
	{ CELL_NODES, 5, "", "" },
	{ CELL_PARTITIONS, 14, " ", "" },
	{ CELL_TIME_LIMIT, 2, " ", "  " },
	{ CELL_SUBMIT_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static const struct showq_column tacc_errored[] = {
	TACC_FIRST_COLUMNS,
	{ CELL_NODES, 5, "", " " },
	{ CELL_TIME_LEFT_HOURS, 2, " ", "  " },
	{ CELL_START_TIME, 0, "", "" },
	TACC_LAST_COLUMN,
};

static struct fs_showq_entry get_tacc_entry(const struct fs_reason *reason)
{
	return reason->tacc;
}

static void print_tacc_summary_lines(struct showq_run *r)
{
	if (r->config_is_custom)
		emit("Using customized configuration file: %s \n", r->config_file);
	else
		emit("Using system default configuration file \n");
	if (!r->config_found)
		emit("\n Warning: can not open/load configuration file!\n");
	if (showq_has_user_filter(r))
		emit("\nSUMMARY OF JOBS FOR USER: <%s>\n\n", r->user);
}

static void print_tacc_utilisation(struct showq_run *r)
{
	const int64_t used = r->counts.node_count_sum;

	if (r->hosts_available)
		emit(": %4lld of %4lld hosts (%6.2f %%)", (long long)used, (long long)r->hosts_available,
		     (double)((float)100. * (float)used / (float)r->hosts_available));
}

/* Returns true if the name contains "maintenance", ignoring case. TACC's showq prints the output of `scontrol show
 * reservation | grep -i maintenance`: the first line of each matching reservation, with its name and times. */
static bool is_maintenance_name(const char *name)
{
	for (; *name; name++)
		if (!strncasecmp(name, "maintenance", 11))
			return true;
	return false;
}

static void print_iso_time(const struct showq_run *r, int64_t time)
{
	char text[24];

	showq_format_iso_time(text, time + fs_snapshot_utc_offset(r->snapshot, time));
	emit_safe_text(text);
}

static void print_reservation_line(const struct showq_run *r, const struct fs_reservation *v)
{
	const int64_t s = v->end_time - v->start_time;

	emit("ReservationName=%s StartTime=", v->name);
	print_iso_time(r, v->start_time);
	emit(" EndTime=");
	print_iso_time(r, v->end_time);
	emit(" Duration=");
	if (s >= 86400)
		emit("%lld-", (long long)(s / 86400));
	emit("%02d:%02d:%02d\n", (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
}

static void print_maintenance_warning(struct showq_run *r)
{
	struct fs_reservation v;
	bool any = false;

	for (size_t i = 0; fs_snapshot_reservation(r->snapshot, i, &v); i++) {
		if (!is_maintenance_name(v.name) || v.start_time == FS_UNKNOWN || v.end_time == FS_UNKNOWN)
			continue;
		if (!any)
			emit("\n\n-------------------- WARNING ! --------------------\n\n"
			     "The following system maintenance has been scheduled:\n");
		any = true;
		print_reservation_line(r, &v);
	}
	if (any)
		emit("\nYour jobs may only be scheduled to run after the system maintenance,\n"
		     "  if these jobs can not be run before the maintenance.\n\n");
}

#define TACC_BLOCKED_LONG_HEADING \
	"JOBID     JOBNAME    USERNAME      STATE   CORES  NODES QUEUE          WCLIMIT   QUEUETIME"

const struct showq_style showq_tacc = {
	.style = STYLE_TACC,
	.parse_arguments = parse_tacc_arguments,
	.sections = {
		[SHOWQ_ACTIVE] = {
			"ACTIVE JOBS--------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES REMAINING STARTTIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORES  NODES QUEUE          REMAINING STARTTIME" },
			{ 80, 99 },
			{ tacc_active, tacc_active_long },
		},
		[SHOWQ_WAITING] = {
			"WAITING JOBS------------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES WCLIMIT   QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORES NODES QUEUE          WCLIMIT   QUEUETIME" },
			{ 80, 98 },
			{ tacc_pending, tacc_waiting_long },
		},
		[SHOWQ_BLOCKED] = {
			"BLOCKED JOBS--",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES WCLIMIT   QUEUETIME",
			  TACC_BLOCKED_LONG_HEADING },
			{ 80, 98 },
			{ tacc_pending, tacc_blocked_long },
		},
		[SHOWQ_ERRORED] = {
			"COMPLETING/ERRORED JOBS-------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES   WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   NODES   WCLIMIT  QUEUETIME" },
			{ 80, 80 },
			{ tacc_errored, tacc_errored },
		},
	},
	.get_entry = get_tacc_entry,
	.unlisted_state = "Blocked",
	.version = "1.0\n\nTexas Advanced Computing Center\nThe University of Texas at Austin",
	.active_count_width = 8,
	.drops_over_limit_jobs = true,
	.unknown_is_blocked = true,
	.print_top_lines = print_tacc_summary_lines,
	.print_utilisation = print_tacc_utilisation,
	.print_bottom_lines = print_maintenance_warning,
};

bool showq_has_user_filter(const struct showq_run *r)
{
	return r->own_jobs_only || r->only_user;
}
