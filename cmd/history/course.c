/* Collects the points of a history from a folder of snapshots and their digests. */
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

static bool ends_with(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);

	return n > k && !strcmp(s + n - k, end);
}

static int add(struct folder *f, const char *name)
{
	const size_t size = strlen(f->path) + strlen(name) + 2;
	char *file = malloc(size);

	if (file)
		snprintf(file, size, "%s/%s", f->path, name);
	return names_take(&f->file, file);
}

/* Adds a folder entry to f->files if it is a snapshot file that may be used. Returns 0 or an errno value. The file may
 * be missing by now, because fs-snap keep removed it; that is not an error. */
static int look_at(struct folder *f, int dir, uid_t owner, const char *name)
{
	struct stat st;

	if (*name == '.' || (!ends_with(name, ".jsonl") && !ends_with(name, ".jsonl.zst")))
		return 0;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (st.st_uid == owner || st.st_uid == geteuid() || st.st_uid == 0)
		return add(f, name) ? ENOMEM : 0;
	f->foreign++;
	return 0;
}

/* Lists the snapshots of a folder. Returns 0, or the exit status after an error message. free_history_folder frees
 * *out in both cases. */
static int folder_open(const struct invocation *inv, const char *path, struct folder *out)
{
	DIR *dir = opendir(path);
	const struct dirent *e = NULL;
	struct stat st;
	int rc = 0, error;

	*out = (struct folder){ .path = strdup(path) };
	if (!dir || fstat(dirfd(dir), &st)) {
		complain(inv, "%s: %s", path, strerror(errno));
		if (dir)
			closedir(dir);
		return EXIT_FAILED;
	}
	while (out->path && !rc && (errno = 0, e = readdir(dir)))
		rc = look_at(out, dirfd(dir), st.st_uid, e->d_name);
	error = rc ? rc : e ? 0 : errno;
	closedir(dir);
	if (error == ENOMEM || !out->path)
		return no_memory(inv);
	if (error) {
		complain(inv, "%s: %s", path, strerror(error));
		return EXIT_FAILED;
	}
	names_sort(&out->file);
	if (out->foreign)
		complain(inv, "%s: %zu files of other users are left out", path, out->foreign);
	return 0;
}

static void folder_close(struct folder *f)
{
	names_free(&f->file);
	free(f->path);
}

/* ---- line keys: a history line is requested if it begins with one of them */

enum { KEY = 4096 };

/* Adds a copy of a key, unless the list contains it already. Returns -1 if out of memory. */
static int add_key(struct names *k, const char *key)
{
	return names_has(k, key) ? 0 : names_take(k, strdup(key));
}

/* Adds a key of share lines: of one user in one account, or, if account is NULL, of a user in all accounts. An empty
 * user stands for the account itself. Returns -1 if out of memory or if a name is too long. */
static int add_share_key(struct names *k, const char *user, const char *account)
{
	char key[KEY], u[KEY / 2 - 8], a[KEY / 2 - 8];

	if (line_field(u, sizeof(u), user) || line_field(a, sizeof(a), account ? account : ""))
		return -1;
	snprintf(key, sizeof(key), account ? "s\t%s\t%s\t" : "s\t%s\t", u, a);
	return add_key(k, key);
}

/* Adds the keys of the requested share rows. Returns -1 if out of memory or if a name is too long. */
static int share_keys(struct names *k, const struct course *c)
{
	const size_t users = c->users->n, accounts = c->accounts->n;
	int rc = 0;

	if (c->all)
		return add_key(k, "s\t");
	if (!users && !accounts)
		return add_share_key(k, input_viewer(c->input), NULL);
	for (size_t i = 0; i < users && !rc; i++) {
		for (size_t j = 0; j < accounts && !rc; j++)
			rc = add_share_key(k, c->users->v[i], c->accounts->v[j]);
		if (!accounts)
			rc = add_share_key(k, c->users->v[i], NULL);
	}
	for (size_t j = 0; j < accounts && !users && !rc; j++)
		rc = add_share_key(k, "", c->accounts->v[j]);
	return rc;
}

/* Adds the keys of the requested jobs and sets *ids to their ids. Snapshot s determines how ids are parsed: Flux ids
 * are written in decimal or in f58. Returns 0, or the exit status after an error message. */
static int job_keys(struct names *k, const struct course *c, const fs_snapshot *s, uint64_t **ids)
{
	char key[KEY];
	struct fs_job job;
	uint32_t row;
	uint64_t id;

	*ids = calloc(c->jobs->n + 1, sizeof(**ids));
	if (!*ids)
		return no_memory(c->inv);
	for (size_t i = 0; i < c->jobs->n; i++) {
		if (fs_job_find(s, c->jobs->v[i], &row)) {
			complain(c->inv, "invalid job id \"%s\"", c->jobs->v[i]);
			return EXIT_USAGE;
		}
		if (row == FS_NO_ROW && fs_job_id_parse(s, c->jobs->v[i], &id)) {
			complain(c->inv, "no job %s in the state by which ids are read", c->jobs->v[i]);
			return EXIT_NOTHING;
		}
		if (row != FS_NO_ROW) {
			fs_snapshot_job(s, row, &job);
			id = job.id;
		}
		(*ids)[i] = id;
		snprintf(key, sizeof(key), "j\t%020llu\t", (unsigned long long)id);
		if (add_key(k, key))
			return no_memory(c->inv);
	}
	return 0;
}

/* ---- points of one snapshot */

/* State while the points of one snapshot are collected. */
struct course_file {
	const struct course *c;
	const struct names *keys;
	struct course_points *out;
	const char *file;
	int64_t time;
	int32_t utc_offset_s;
	bool private; /* lines come from a digest and PrivateData may hide lines of other users from the viewer */
	bool refused; /* a requested line belongs to another user */
	bool failed;  /* out of memory */
};

/* Appends a copy of the point and takes over its text and record. Returns -1 if out of memory. */
static int add_point(struct course_points *p, const struct course_point *point)
{
	struct course_point *more = room_for_one(p->v, p->n, &p->room, sizeof(*more));

	if (!more)
		return -1;
	p->v = more;
	p->v[p->n] = *point;
	p->v[p->n].order = p->n;
	p->n++;
	return 0;
}

/* Appends the point of a line. Returns 0, FS_ENOMEM, or FS_EDATA if the line is invalid or hidden from the viewer. */
static int take(void *ctx, const char *text)
{
	struct course_file *t = ctx;
	struct course_point p = { t->time, t->utc_offset_s, t->file, strdup(text), malloc(sizeof(struct line)), 0 };
	int rc = !p.text || !p.line ? FS_ENOMEM : line_parse(p.text, p.line) ? FS_EDATA : 0;

	if (!rc && t->private && strcmp(p.line->user, input_viewer(t->c->input)) != 0) {
		t->refused = true;
		rc = FS_EDATA;
	}
	if (!rc && add_point(t->out, &p))
		rc = FS_ENOMEM;
	if (rc) {
		t->failed = rc == FS_ENOMEM;
		free(p.text);
		free(p.line);
	}
	return rc;
}

/* Appends the point of a line if the line begins with one of the keys. */
static int take_asked(void *ctx, const char *text)
{
	struct course_file *t = ctx;

	for (size_t i = 0; i < t->keys->n; i++)
		if (!strncmp(text, t->keys->v[i], strlen(t->keys->v[i])))
			return take(t, text);
	return 0;
}

/* Frees all points after the first n. */
static void drop(struct course_points *p, size_t n)
{
	while (p->n > n) {
		p->n--;
		free(p->v[p->n].text);
		free(p->v[p->n].line);
	}
}

/* Adds the points of the digest. Returns false if the snapshot itself must be read; then no points were added. Returns
 * true with `oom` set if out of memory. */
static bool by_digest(struct course_file *t)
{
	struct digest *d = digest_open(t->file);
	const size_t before = t->out->n;
	int rc = d ? 0 : -1;

	if (d) {
		t->time = digest_time(d);
		t->utc_offset_s = digest_utc_offset(d);
		t->private = digest_private(d) && strcmp(input_viewer(t->c->input), "root") != 0;
	}
	for (size_t i = 0; !rc && i < t->keys->n; i++)
		rc = digest_find(d, t->keys->v[i], take, t);
	digest_close(d);
	if (rc)
		drop(t->out, before);
	return !rc || t->failed;
}

/* Returns true if no option changes the captured state or the scheduler's algorithm. Only then may a digest replace
 * the snapshot. */
static bool as_it_was(const struct input *in)
{
	return !in->edits.n && !in->algorithm && !in->compat && in->position == FS_POSITION_POW2;
}

/* Adds the points of the evaluated snapshot. Returns 0, or the exit status after an error message. */
static int by_snapshot(struct course_file *t)
{
	struct fs_error err;
	fs_snapshot *s;
	const struct fs_snapshot_info *info;
	int rc = input_try(t->c->input, t->file, &s, &err);

	if (rc)
		return report(t->c->inv, &err);
	info = fs_snapshot_info(s);
	t->time = info->time;
	t->utc_offset_s = fs_snapshot_utc_offset(s, info->time);
	t->private = false;
	const struct fs_view view = input_view(t->c->input);

	rc = lines_gather(s, &view, t->c->jobs ? LINES_OF_JOBS : LINES_OF_SHARES, take_asked, t, &err);
	fs_snapshot_free(s);
	return !rc ? 0 : t->failed ? no_memory(t->c->inv) : report(t->c->inv, &err);
}

/* ---- all points */

/* The sequence number decides last, because lines of a digest and of a snapshot are read in different orders. */
static int by_time(const void *a, const void *b)
{
	const struct course_point *x = a, *y = b;
	const int order = line_order(x->line, y->line);

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (order)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Reads the newest snapshot: fills the line keys, the job ids, and the names of the cluster and the scheduler. Returns
 * 0, or the exit status after an error message. */
static int ask_newest(const struct course *c, const char *file, struct names *keys, struct course_points *out)
{
	struct fs_error err;
	fs_snapshot *s;
	int status = 0;

	if (input_try(c->input, file, &s, &err))
		return report(c->inv, &err);
	snprintf(out->cluster, sizeof(out->cluster), "%s", fs_snapshot_info(s)->cluster);
	snprintf(out->scheduler, sizeof(out->scheduler), "%s", fs_snapshot_info(s)->scheduler);
	if (c->jobs)
		status = job_keys(keys, c, s, &out->job);
	else if (share_keys(keys, c))
		status = no_memory(c->inv);
	fs_snapshot_free(s);
	return status;
}

/* Collects the points of all snapshots, sorted. Returns 0, or the exit status after an error message. */
static int course_collect(const struct course *c, const struct names *files, struct course_points *out)
{
	struct names keys = { 0 };
	int status = files->n ? ask_newest(c, files->v[files->n - 1], &keys, out) : 0;

	for (size_t i = 0; i < files->n && !status; i++) {
		struct course_file t = { .c = c, .keys = &keys, .out = out, .file = files->v[i] };

		if (!as_it_was(c->input) || !by_digest(&t))
			status = by_snapshot(&t);
		else if (t.failed)
			status = no_memory(c->inv);
	}
	names_free(&keys);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_time);
	return status;
}

static void course_free(struct course_points *p)
{
	drop(p, 0);
	free(p->v);
	free(p->job);
}

/* Returns true if a point belongs to the user; if user is NULL, to the account; if both are NULL, to the job. */
static bool has_point(const struct course_points *p, const char *user, const char *account, uint64_t job)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct line *l = p->v[i].line;

		if (user ? !strcmp(l->user, user) : account ? !strcmp(l->account, account) : l->job == job)
			return true;
	}
	return false;
}

/* Prints a message for each requested name without a point in any snapshot. Returns the number of messages. */
static size_t complain_of_missing(const struct course *c, const struct course_points *p)
{
	size_t n = 0;

	for (size_t i = 0; c->jobs && i < c->jobs->n; i++)
		if (!has_point(p, NULL, NULL, p->job[i])) {
			complain(c->inv, "%s: no job %s", c->folder, c->jobs->v[i]);
			n++;
		}
	for (size_t i = 0; c->users && i < c->users->n; i++)
		if (!has_point(p, c->users->v[i], NULL, 0)) {
			complain(c->inv, "%s: no shares of user \"%s\"%s", c->folder, c->users->v[i],
				 c->accounts->n ? " in the accounts asked for" : "");
			n++;
		}
	for (size_t i = 0; c->accounts && !c->users->n && i < c->accounts->n; i++)
		if (!has_point(p, NULL, c->accounts->v[i], 0)) {
			complain(c->inv, "%s: no shares of account \"%s\"", c->folder, c->accounts->v[i]);
			n++;
		}
	if (!n && !p->n)
		complain(c->inv, "%s: no shares of %s", c->folder, c->all ? "anybody" : input_viewer(c->input));
	return n;
}

enum course_form course_form(const struct course_forms *f)
{
	return f->json ? COURSE_JSON : f->csv ? COURSE_CSV : f->plot ? COURSE_PLOT : f->svg ? COURSE_SVG : COURSE_TABLE;
}

int course_check(const struct invocation *inv, const struct input *in, const char *folder, const struct course_forms *f,
		 const char *wrong)
{
	if (!folder)
		wrong = "--csv and --plot are of --history";
	else if (!wrong && (f->other || f->json + f->csv + f->plot + f->svg > 1))
		wrong = "--history is a table, --json, --csv, --plot or --svg";
	else if (!wrong && (in->file || in->demo))
		wrong = "--history reads a folder: without -f and --demo";
	if (!wrong)
		return -1;
	complain(inv, "%s", wrong);
	return usage_status(inv);
}

int course_show(const struct course *c)
{
	struct course_points points = { 0 };
	struct folder folder;
	size_t missing = 0;
	int status = folder_open(c->inv, c->folder, &folder);

	if (!status && !folder.file.n) {
		complain(c->inv, "%s: no snapshots (*.jsonl, *.jsonl.zst): fs-snap keep puts them there", c->folder);
		status = EXIT_NOTHING;
	}
	if (!status)
		status = course_collect(c, &folder.file, &points);
	if (!status)
		missing = complain_of_missing(c, &points);
	if (!status)
		status = course_print(c, &points);
	status = !status && missing ? EXIT_NOTHING : status;
	course_free(&points);
	folder_close(&folder);
	return status;
}
