/* Collects the points of a history from the snapshots of a folder. If a snapshot has a digest, a small file with its
 * history lines (history.h), the digest is read instead. */
#include "cmd.h"
#include "fs/job.h"
#include "history/history.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_file_suffix(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);

	return n > k && !strcmp(s + n - k, end);
}

static int add_snapshot_file(struct history_folder *f, const char *name)
{
	const size_t size = strlen(f->path) + strlen(name) + 2;
	char *file = malloc(size);

	if (file)
		snprintf(file, size, "%s/%s", f->path, name);
	return names_add_owned_text(&f->files, file);
}

/* Adds a folder entry to f->files if it is a snapshot file of the folder's owner, the caller or root. Returns 0 or an
 * errno value. A missing file is no error, because fs-snap keep may have removed it. */
static int check_snapshot_folder_entry(struct history_folder *f, int dir, uid_t owner, const char *name)
{
	struct stat st;

	if (*name == '.' || (!has_file_suffix(name, ".jsonl") && !has_file_suffix(name, ".jsonl.zst")))
		return 0;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (st.st_uid == owner || st.st_uid == geteuid() || st.st_uid == 0)
		return add_snapshot_file(f, name) ? ENOMEM : 0;
	f->foreign_files++;
	return 0;
}

/* Lists the snapshots of a folder in *out. Returns 0, or the exit status after an error message. The caller calls
 * free_history_folder(out) in both cases. */
static int open_history_folder(const struct invocation *inv, const char *path, struct history_folder *out)
{
	DIR *dir = opendir(path);
	const struct dirent *e = NULL;
	struct stat st;
	int rc = 0, error;

	*out = (struct history_folder){ .path = strdup(path) };
	if (!dir || fstat(dirfd(dir), &st)) {
		cmd_print_message(inv, "%s: %s", path, strerror(errno));
		if (dir)
			closedir(dir);
		return EXIT_FAILED;
	}
	while (out->path && !rc && (errno = 0, e = readdir(dir)))
		rc = check_snapshot_folder_entry(out, dirfd(dir), st.st_uid, e->d_name);
	error = rc ? rc : e ? 0 : errno;
	closedir(dir);
	if (error == ENOMEM || !out->path)
		return cmd_report_no_memory(inv);
	if (error) {
		cmd_print_message(inv, "%s: %s", path, strerror(error));
		return EXIT_FAILED;
	}
	names_sort_by_bytes(&out->files);
	if (out->foreign_files)
		cmd_print_message(inv, "%s: ignored %zu file%s of other users", path, out->foreign_files,
				  out->foreign_files == 1 ? "" : "s");
	return 0;
}

static void free_history_folder(struct history_folder *f)
{
	names_free_all(&f->files);
	free(f->path);
}

/* ---- line keys: a history line is requested if it begins with a line key */

enum { LINE_KEY_SIZE = DIGEST_BLOCK_MAX - DIGEST_BLOCK_SIZE };

/* Adds a copy of `key` to the list, unless the list contains it already. Returns -1 if out of memory. */
static int add_line_key(struct names *k, const char *key)
{
	return names_contain_word(k, key) ? 0 : names_add_owned_text(k, strdup(key));
}

/* Adds the key of a user's share rows in one account, or in all accounts if `account` is NULL. If `user` is empty, adds
 * the key of the account's own share rows. Returns -1 if out of memory or if a name is too long. */
static int add_share_line_key(struct names *k, const char *user, const char *account)
{
	char key[LINE_KEY_SIZE], u[LINE_KEY_SIZE / 2 - 8], a[LINE_KEY_SIZE / 2 - 8];

	if (history_escape_field(u, sizeof(u), user) || history_escape_field(a, sizeof(a), account ? account : ""))
		return -1;
	snprintf(key, sizeof(key), account ? "s\t%s\t%s\t" : "s\t%s\t", u, a);
	return add_line_key(k, key);
}

/* Adds the keys of the requested share rows to the list. Returns -1 if out of memory or if a name is too long. */
static int add_requested_share_keys(struct names *k, const struct history_query *c)
{
	const size_t users = c->users->n, accounts = c->accounts->n;
	int rc = 0;

	if (c->all)
		return add_line_key(k, "s\t");
	if (!users && !accounts)
		return add_share_line_key(k, input_get_viewer_name(c->input), NULL);
	for (size_t i = 0; i < users && !rc; i++) {
		for (size_t j = 0; j < accounts && !rc; j++)
			rc = add_share_line_key(k, c->users->v[i], c->accounts->v[j]);
		if (!accounts)
			rc = add_share_line_key(k, c->users->v[i], NULL);
	}
	for (size_t j = 0; j < accounts && !users && !rc; j++)
		rc = add_share_line_key(k, "", c->accounts->v[j]);
	return rc;
}

/* Adds the keys of the requested jobs to the list, and sets *ids to an array of the job ids. Snapshot s determines how
 * ids are parsed, because Flux ids may be written in decimal or in f58. Returns 0, or the exit status after an error
 * message. */
static int add_requested_job_keys(struct names *k, const struct history_query *c, const fs_snapshot *s, uint64_t **ids)
{
	char key[64];
	struct fs_job job;
	uint32_t row;
	uint64_t id;

	*ids = calloc(c->jobs->n + 1, sizeof(**ids));
	if (!*ids)
		return cmd_report_no_memory(c->inv);
	for (size_t i = 0; i < c->jobs->n; i++) {
		if (fs_job_find(s, c->jobs->v[i], &row)) {
			cmd_print_message(c->inv, "invalid job id \"%s\"", c->jobs->v[i]);
			return EXIT_USAGE;
		}
		if (row == FS_NO_ROW && fs_job_id_parse(s, c->jobs->v[i], &id)) {
			cmd_print_message(c->inv, "cannot find job %s in the newest snapshot", c->jobs->v[i]);
			return EXIT_NOTHING;
		}
		if (row != FS_NO_ROW) {
			fs_snapshot_job(s, row, &job);
			id = job.id;
		}
		(*ids)[i] = id;
		snprintf(key, sizeof(key), "j\t%020llu\t", (unsigned long long)id);
		if (add_line_key(k, key))
			return cmd_report_no_memory(c->inv);
	}
	return 0;
}

/* ---- collecting the points of one snapshot */

/* Data for collecting the points of one snapshot: the query, the time of the snapshot, and the list of points. */
struct point_collector {
	const struct history_query *query;
	const struct names *keys;
	struct history_points *points;
	const char *file;
	int64_t time;
	int32_t utc_offset_s;
	/* the lines come from a digest, which may contain lines that PrivateData hides from the viewer */
	bool may_hide_lines;
	bool found_hidden_line; /* a requested line was found, but it belongs to a user other than the viewer */
	bool oom;               /* memory ran out */
};

/* Appends a copy of the point. The copy takes ownership of the text and the record. Returns -1 if out of memory. */
static int append_history_point(struct history_points *p, const struct history_point *point)
{
	struct history_point *more = array_grow_by_one(p->v, p->n, &p->capacity, sizeof(*more));

	if (!more)
		return -1;
	p->v = more;
	p->v[p->n] = *point;
	p->v[p->n].sequence = p->n;
	p->n++;
	return 0;
}

/* Parses a history line and appends its point. Returns 0, FS_ENOMEM, or FS_EDATA if the line is invalid or hidden from
 * the viewer. */
static int collect_line_point(void *ctx, const char *text)
{
	struct point_collector *t = ctx;
	struct history_point p = {
		t->time, t->utc_offset_s, t->file, strdup(text), malloc(sizeof(struct history_record)), 0
	};
	int rc = !p.text || !p.record ? FS_ENOMEM : history_parse_line(p.text, p.record) ? FS_EDATA : 0;

	if (!rc && t->may_hide_lines && strcmp(p.record->user, input_get_viewer_name(t->query->input)) != 0) {
		t->found_hidden_line = true;
		rc = FS_EDATA;
	}
	if (!rc && append_history_point(t->points, &p))
		rc = FS_ENOMEM;
	if (rc) {
		t->oom = rc == FS_ENOMEM;
		free(p.text);
		free(p.record);
	}
	return rc;
}

/* Parses a history line that begins with one of the requested keys, and appends it as a point. Ignores other lines. */
static int collect_requested_point(void *ctx, const char *text)
{
	struct point_collector *t = ctx;

	for (size_t i = 0; i < t->keys->n; i++)
		if (!strncmp(text, t->keys->v[i], strlen(t->keys->v[i])))
			return collect_line_point(t, text);
	return 0;
}

/* Frees all points after the first n. */
static void truncate_history_points(struct history_points *p, size_t n)
{
	while (p->n > n) {
		p->n--;
		free(p->v[p->n].text);
		free(p->v[p->n].record);
	}
}

/* Reads the digest of the snapshot, and appends a point for each of its history lines that is requested. Returns false,
 * without adding points, if the snapshot itself must be read. If out of memory, returns true and sets t->oom. */
static bool collect_from_digest(struct point_collector *t)
{
	struct digest *d = digest_open_file(t->file);
	const size_t before = t->points->n;
	int rc = d ? 0 : -1;

	if (d) {
		t->time = digest_get_time(d);
		t->utc_offset_s = digest_get_utc_offset(d);
		t->may_hide_lines =
			digest_has_private_lines(d) && strcmp(input_get_viewer_name(t->query->input), "root") != 0;
	}
	for (size_t i = 0; !rc && i < t->keys->n; i++)
		rc = digest_find_lines(d, t->keys->v[i], collect_line_point, t);
	digest_close_file(d);
	if (rc)
		truncate_history_points(t->points, before);
	return !rc || t->oom;
}

/* Returns true if no option changes the captured state or the scheduler's algorithm. Otherwise the snapshot must be
 * read instead of its digest. */
static bool is_state_as_captured(const struct input *in)
{
	return !in->edits.n && !in->algorithm && !in->compat && in->position == FS_POSITION_POW2;
}

/* Evaluates the snapshot, and appends a point for each of its history lines that is requested. Returns 0, or the exit
 * status after an error message. */
static int collect_from_snapshot(struct point_collector *t)
{
	struct fs_error err;
	fs_snapshot *s;
	const struct fs_snapshot_info *info;
	int rc = input_try_file(t->query->input, t->file, &s, &err);

	if (rc)
		return cmd_report_error(t->query->inv, &err);
	info = fs_snapshot_info(s);
	t->time = info->time;
	t->utc_offset_s = fs_snapshot_utc_offset(s, info->time);
	t->may_hide_lines = false;
	const struct fs_view view = input_get_view(t->query->input);

	rc = history_gather_lines(s, &view, t->query->jobs ? HISTORY_JOB_LINES : HISTORY_SHARE_LINES,
				  collect_requested_point, t, &err);
	fs_snapshot_free(s);
	return !rc ? 0 : t->oom ? cmd_report_no_memory(t->query->inv) : cmd_report_error(t->query->inv, &err);
}

/* ---- collecting the points of all snapshots */

/* Compares points for sorting: by time, then by record, then by the order in which they were read. The order of reading
 * comes last, because it differs between a digest and a snapshot. */
static int compare_points_by_time(const void *a, const void *b)
{
	const struct history_point *x = a, *y = b;
	const int order = history_compare_records(x->record, y->record);

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (order)
		return order;
	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Reads the newest snapshot. Sets the line keys, the job ids, and the names of the cluster and the scheduler. Returns
 * 0, or the exit status after an error message. */
static int read_newest_snapshot(const struct history_query *c, const char *file, struct names *keys,
				struct history_points *out)
{
	struct fs_error err;
	fs_snapshot *s;
	int status = 0;

	if (input_try_file(c->input, file, &s, &err))
		return cmd_report_error(c->inv, &err);
	snprintf(out->cluster, sizeof(out->cluster), "%s", fs_snapshot_info(s)->cluster);
	snprintf(out->scheduler, sizeof(out->scheduler), "%s", fs_snapshot_info(s)->scheduler);
	if (c->jobs)
		status = add_requested_job_keys(keys, c, s, &out->job_ids);
	else if (add_requested_share_keys(keys, c))
		status = cmd_report_no_memory(c->inv);
	fs_snapshot_free(s);
	return status;
}

/* Collects the points of all snapshots and sorts them. Returns 0, or the exit status after an error message. */
static int collect_history_points(const struct history_query *c, const struct names *files, struct history_points *out)
{
	struct names keys = { 0 };
	int status = files->n ? read_newest_snapshot(c, files->v[files->n - 1], &keys, out) : 0;

	for (size_t i = 0; i < files->n && !status; i++) {
		struct point_collector t = { .query = c, .keys = &keys, .points = out, .file = files->v[i] };

		if (!is_state_as_captured(c->input) || !collect_from_digest(&t))
			status = collect_from_snapshot(&t);
		else if (t.oom)
			status = cmd_report_no_memory(c->inv);
	}
	names_free_all(&keys);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), compare_points_by_time);
	return status;
}

static void free_history_points(struct history_points *p)
{
	truncate_history_points(p, 0);
	free(p->v);
	free(p->job_ids);
}

/* Returns true if the history has a point of the user. If `user` is NULL, looks for a point of the account instead; if
 * `account` is NULL too, for a point of the job. */
static bool has_requested_point(const struct history_points *p, const char *user, const char *account, uint64_t job)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct history_record *l = p->v[i].record;

		if (user ? !strcmp(l->user, user) : account ? !strcmp(l->account, account) : l->job == job)
			return true;
	}
	return false;
}

/* Prints a message for each requested name without a point in any snapshot. Returns the number of messages. */
static size_t report_missing_names(const struct history_query *c, const struct history_points *p)
{
	size_t n = 0;

	for (size_t i = 0; c->jobs && i < c->jobs->n; i++)
		if (!has_requested_point(p, NULL, NULL, p->job_ids[i])) {
			cmd_print_message(c->inv, "%s: no snapshot has priorities of job %s", c->folder, c->jobs->v[i]);
			n++;
		}
	for (size_t i = 0; c->users && i < c->users->n; i++)
		if (!has_requested_point(p, c->users->v[i], NULL, 0)) {
			cmd_print_message(c->inv, "%s: no snapshot has shares of user \"%s\"%s", c->folder, c->users->v[i],
					  c->accounts->n ? " in the requested accounts" : "");
			n++;
		}
	for (size_t i = 0; c->accounts && !c->users->n && i < c->accounts->n; i++)
		if (!has_requested_point(p, NULL, c->accounts->v[i], 0)) {
			cmd_print_message(c->inv, "%s: no snapshot has shares of account \"%s\"", c->folder, c->accounts->v[i]);
			n++;
		}
	if (!n && !p->n)
		cmd_print_message(c->inv, "%s: no snapshot has shares of %s", c->folder,
				  c->all ? "any user or account" : input_get_viewer_name(c->input));
	return n;
}

enum history_format history_select_format(const struct history_requested_formats *f)
{
	return f->json   ? HISTORY_JSON
	       : f->csv  ? HISTORY_CSV
	       : f->plot ? HISTORY_PLOT
	       : f->svg  ? HISTORY_SVG
			 : HISTORY_TABLE;
}

int history_check_options(const struct invocation *inv, const struct input *in, const char *folder,
			  const struct history_requested_formats *f, const char *wrong)
{
	if (!folder)
		wrong = "--csv and --plot require --history";
	else if (!wrong && (f->unsupported || f->json + f->csv + f->plot + f->svg > 1))
		wrong = "--history accepts one of --json, --csv, --plot and --svg, and no other output format";
	else if (!wrong && (in->file || in->demo))
		wrong = "--history cannot be combined with -f or --demo";
	if (!wrong)
		return -1;
	cmd_print_message(inv, "%s", wrong);
	return cmd_get_usage_status(inv);
}

int history_print_query(const struct history_query *c)
{
	struct history_points points = { 0 };
	struct history_folder folder;
	size_t missing = 0;
	int status = open_history_folder(c->inv, c->folder, &folder);

	if (!status && !folder.files.n) {
		cmd_print_message(c->inv, "%s: the folder has no snapshots (*.jsonl, *.jsonl.zst); fs-snap keep adds them",
				  c->folder);
		status = EXIT_NOTHING;
	}
	if (!status)
		status = collect_history_points(c, &folder.files, &points);
	if (!status)
		missing = report_missing_names(c, &points);
	if (!status)
		status = history_print_points(c, &points);
	status = !status && missing ? EXIT_NOTHING : status;
	free_history_points(&points);
	free_history_folder(&folder);
	return status;
}
