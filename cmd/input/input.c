#include "input/input.h"

#include "files/files.h"
#include "fs/job.h"
#include "fs/scenario.h"
#include "fs/shares.h"
#include "render/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t seen_done, seen_size;

struct progress_seen progress_seen(void)
{
	return (struct progress_seen){ seen_done, seen_size };
}

static double since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

/* Prints nothing if `wanted` is false, or while standard error is not a terminal. */
static void progress_begin(struct progress *p, FILE *from, bool wanted)
{
	struct stat st;

	*p = (struct progress){ .from = from, .wanted = wanted };
	if (!fstat(fileno(from), &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
	seen_done = 0;
	seen_size = p->size;
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	p->told = p->begun;
}

static void show_progress(struct progress *p, double seconds)
{
	const double part = p->size ? (double)p->done / (double)p->size : 0;

	emit_to(stderr, "\rread %.0f MB", (double)p->done / 1e6);
	if (part > 0 && part <= 1)
		emit_to(stderr, " of %.0f, %.0f %%, %.0f s left ", (double)p->size / 1e6, part * 100,
			seconds / part - seconds);
	p->shown = true;
}

/* An fs_read_fn. */
static ptrdiff_t progress_read(void *progress, void *buf, size_t size)
{
	enum { TIMES_A_SECOND = 4 };
	struct progress *p = progress;
	const ptrdiff_t n = stream_read(p->from, buf, size);
	struct timespec now;

	if (n <= 0)
		return n;
	p->done += (uint64_t)n;
	seen_done = p->done;
	if (!p->wanted)
		return n;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/* fs-top redirects standard error after the reading has begun */
	if (since(&p->begun, &now) > 1 && since(&p->told, &now) > 1.0 / TIMES_A_SECOND && isatty(STDERR_FILENO)) {
		show_progress(p, since(&p->begun, &now));
		p->told = now;
	}
	return n;
}

/* Takes the line away. */
static void progress_end(const struct progress *p)
{
	if (p->shown)
		emit_to(stderr, "\r%60s\r", "");
}

enum { ENDS = 64 * 1024 }; /* bytes at the beginning and at the end of a file that its checksum is of */

struct mapped {
	void *bytes;
	size_t size;
	bool copied;
};

char *index_name(const char *file)
{
	char *name = malloc(strlen(file) + sizeof(".fsx"));

	if (name) {
		strcpy(name, file);
		strcat(name, ".fsx");
	}
	return name;
}

/* Size bytes from `at`, or less where the file ends. */
static size_t read_at(int fd, char *buf, size_t size, off_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && (n = pread(fd, buf + done, size - done, at + (off_t)done)) > 0)
		done += (size_t)n;
	return done;
}

int index_key(FILE *stream, struct fs_index_key *key, struct stat *st)
{
	const int fd = fileno(stream);

	if (fstat(fd, st) || !S_ISREG(st->st_mode))
		return -1;
	const off_t last = st->st_size > ENDS ? st->st_size - ENDS : 0;
	char *buf = malloc(2 * ENDS);
	size_t n;

	if (!buf)
		return -1;
	n = read_at(fd, buf, ENDS, 0);
	n += read_at(fd, buf + n, ENDS, last);
	*key = (struct fs_index_key){
		.size = (uint64_t)st->st_size,
		.mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec,
		.inode = (uint64_t)st->st_ino,
		.ends = fs_index_checksum(buf, n),
	};
	free(buf);
	return 0;
}

static void release(void *ctx)
{
	struct mapped *m = ctx;

	if (m->copied)
		free(m->bytes);
	else
		munmap(m->bytes, m->size);
	free(m);
}

/* A file that another user than root could change while it is mapped is copied. */
static int load(int fd, const struct stat *st, struct mapped *m)
{
	m->size = (size_t)st->st_size;
	m->copied = st->st_uid != 0 && st->st_uid != geteuid();
	if (!m->copied) {
		m->bytes = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
		return m->bytes == MAP_FAILED ? -1 : 0;
	}
	if (posix_memalign(&m->bytes, 128, m->size))
		return -1;
	if (read_at(fd, m->bytes, m->size, 0) == m->size)
		return 0;
	free(m->bytes);
	return -1;
}

static int refuse(char why[INDEX_WHY], const char *reason)
{
	snprintf(why, INDEX_WHY, "%s", reason);
	return -1;
}

static int trusted(const struct stat *index, const struct stat *file, char why[INDEX_WHY])
{
	if (!S_ISREG(index->st_mode) || index->st_size <= 0)
		return refuse(why, "it is no index");
	if (index->st_uid != file->st_uid)
		return refuse(why, "it is not the snapshot's owner's");
	if (index->st_mode & (S_IWGRP | S_IWOTH))
		return refuse(why, "others than its owner may write to it");
	return 0;
}

static int use(int fd, const struct stat *st, const struct fs_index_key *key, const char *file,
	       const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY])
{
	struct mapped *m = malloc(sizeof(*m));
	struct fs_error err;

	if (!m || load(fd, st, m)) {
		free(m);
		return refuse(why, "it cannot be read");
	}
	const struct fs_index x = { m->bytes, m->size, *key, release, m };

	if (!fs_index_read(out, &x, file, o, &err))
		return 0;
	release(m);
	return refuse(why, err.message);
}

int index_open(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY])
{
	char *name = index_name(file);
	const int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct fs_index_key key;
	struct stat st, of_file;
	int rc = -1;

	*why = '\0';
	free(name);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || index_key(stream, &key, &of_file))
		refuse(why, "it cannot be read");
	else if (!trusted(&st, &of_file, why))
		rc = use(fd, &st, &key, file, o, out, why);
	close(fd);
	return rc;
}

/* How the bytes of a snapshot are read: a file or a pipe, packed or not, by its index, once or twice; the demo. */

/* NULL: it cannot be opened (reported). */
static FILE *input_stream(const struct invocation *inv, const char *file)
{
	FILE *stream = fopen(file, "rb");

	if (!stream)
		complain(inv, "%s: %s", file, strerror(errno));
	return stream;
}

static int read_stream(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
		       struct fs_read_options o, struct fs_error *err)
{
	struct unpack u = UNPACK(read, ctx);
	struct ustar t = USTAR(unpack_read, &u);

	return unpack_end(&u, ustar_end(&t, fs_snapshot_read_with(out, ustar_read, &t, name, &o, err), name, err), name,
			  err);
}

int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err)
{
	return read_stream(out, read, ctx, name, (struct fs_read_options){ 0 }, err);
}

static int no_file(const char *file, struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_EIO };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", strerror(errno));
	return FS_EIO;
}

static bool by_index(FILE *stream, const char *file, struct fs_read_options o, fs_snapshot **out)
{
	char why[INDEX_WHY];

	return !index_open(stream, file, &o, out, why);
}

static int read_with_progress(FILE *stream, const char *name, struct fs_read_options o, bool progress,
			      fs_snapshot **out, struct fs_error *err)
{
	struct progress p;
	int rc;

	progress_begin(&p, stream, progress);
	rc = read_stream(out, progress_read, &p, name, o, err);
	progress_end(&p);
	return rc;
}

/* Reads a snapshot file; "-" is standard input. indexed: use the index beside the file. progress: show progress on
 * a terminal. Returns an error code of fs_snapshot_read. */
static int input_file(const char *file, struct fs_read_options o, bool indexed, bool progress, fs_snapshot **out,
		    struct fs_error *err)
{
	const bool standard = !strcmp(file, "-");
	FILE *stream = standard ? stdin : fopen(file, "rb");
	int rc = 0;

	if (!stream)
		return no_file(file, err);
	if (standard || !indexed || !by_index(stream, file, o, out))
		rc = read_with_progress(stream, standard ? "standard input" : file, o, progress, out, err);
	if (!standard)
		fclose(stream);
	return rc;
}

/* Reads the job records of an open file into usage. */
static int input_stream_records(fs_usage *usage, FILE *stream, const char *name, struct fs_error *err)
{
	struct unpack u = UNPACK(stream_read, stream);
	struct ustar t = USTAR(unpack_read, &u);

	return unpack_end(&u, ustar_end(&t, fs_usage_read(usage, ustar_read, &t, name, err), name, err), name, err);
}

int input_try_records(const char *file, fs_usage *usage, struct fs_error *err)
{
	FILE *stream = fopen(file, "rb");
	int rc;

	if (!stream)
		return no_file(file, err);
	rc = input_stream_records(usage, stream, file, err);
	fclose(stream);
	return rc;
}

struct copier {
	FILE *from, *to;
};

/* A pipe can be read once: its bytes are kept for the second reading. */
static ptrdiff_t read_and_keep(void *ctx, void *buf, size_t size)
{
	const struct copier *c = ctx;
	const ptrdiff_t n = stream_read(c->from, buf, size);

	return n > 0 && stream_write(c->to, buf, (size_t)n) ? -1 : n;
}

static bool is_regular(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode);
}

/* Reads a file that will be read again for its usage records; the bytes of a pipe are kept in *spool. 0, or the exit
 * status (reported). */
static int input_twice(const struct invocation *inv, const char *file, struct fs_read_options o, FILE **spool,
		       fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct copier c = { .from = standard ? stdin : input_stream(inv, file) };
	struct fs_error err;
	int rc = 0;

	if (!c.from)
		return EXIT_FAILED;
	const bool piped = !is_regular(c.from);
	const bool indexed = !piped && !standard && by_index(c.from, file, o, out);
	if (piped)
		c.to = *spool = tmpfile();
	if (piped && !c.to) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	} else if (!indexed && read_stream(out, piped ? read_and_keep : stream_read,
			       piped ? (void *)&c : c.from, standard ? "standard input" : file,
			       o, &err)) {
		rc = report(inv, &err);
	} else if (piped && fflush(c.to)) {
		complain(inv, "temporary file: %s", strerror(errno));
		rc = EXIT_FAILED;
	}
	if (!standard)
		fclose(c.from);
	return rc;
}

struct demo_stream {
	size_t at;
};

static ptrdiff_t demo_read(void *ctx, void *buf, size_t size)
{
	struct demo_stream *d = ctx;
	const size_t left = demo_snapshot_size - d->at, n = left < size ? left : size;

	memcpy(buf, demo_snapshot + d->at, n);
	d->at += n;
	return (ptrdiff_t)n;
}

/* Reads the compiled-in demo snapshot. Returns an error code of fs_snapshot_read. */
static int input_demo(fs_snapshot **out, struct fs_error *err)
{
	struct demo_stream stream = { 0 };
	const struct fs_read_options o = { .without_usage = true, .without_recorded = true };

	return fs_snapshot_read_with(out, demo_read, &stream, "demo", &o, err);
}

/* Reads the job records of the demo into usage. */
static int input_demo_records(fs_usage *usage, struct fs_error *err)
{
	struct demo_stream stream = { 0 };

	return fs_usage_read(usage, demo_read, &stream, "demo", err);
}

/* Takes the value of --if: 1, or -1 for one too many (reported). */
static int edits_option(const struct invocation *inv, struct edits *e, const char *arg)
{
	if (e->n == MAX_EDITS) {
		complain(inv, "--if: more than %d commands", MAX_EDITS);
		return -1;
	}
	e->command[e->n++] = arg;
	return 1;
}

struct edit_note {
	const struct invocation *inv; /* NULL: nothing is printed */
	const char *command;
};

/* ---- the script of sbatch */

/* The #SBATCH lines of a script, joined. */
struct directives {
	char text[400];
	size_t len, n;
};

static void add_directive(struct directives *d, const char *line)
{
	const int room = (int)(sizeof(d->text) - d->len);
	const size_t blank = strspn(line, " \t");
	const int len = snprintf(d->text + d->len, (size_t)room, " %.*s", (int)strcspn(line + blank, "\r\n"),
				 line + blank);

	d->n++;
	if (len < room)
		d->len += (size_t)len;
	else
		snprintf(d->text + sizeof(d->text) - 5, 5, " ...");
}

/* sbatch reads directives up to the first line that is neither blank nor a comment (src/sbatch/opt.c:
 * _opt_batch_script). */
static bool read_directives(FILE *f, struct directives *d)
{
	static const char mark[] = "#SBATCH";
	char line[4096];

	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, mark, sizeof(mark) - 1))
			add_directive(d, line + sizeof(mark) - 1);
		else if (line[0] != '#' && line[strspn(line, " \t\r\n")])
			break;
	}
	return !ferror(f);
}

static int read_script(void *ctx, const char *name, struct fs_error *err)
{
	const struct edit_note *t = ctx;
	struct directives d = { .n = 0 };
	FILE *f = fopen(name, "r");
	const bool good = f && read_directives(f, &d);

	if (!good) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->message, sizeof(err->message), "cannot read job script '%.200s': %s", name, strerror(errno));
	}
	if (f)
		fclose(f);
	if (good && d.n && t->inv)
		complain(t->inv, "warning: if %s: the #SBATCH lines of %s are not read yet; give them as options:%s",
			 t->command, name, d.text);
	return good ? 0 : FS_EIO;
}

static void note_edit(void *ctx, const char *sentence)
{
	const struct edit_note *t = ctx;

	complain(t->inv, "if %s: %s", t->command, sentence);
}

int edits_apply(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s)
{
	struct fs_error err;

	for (size_t i = 0; i < e->n; i++) {
		struct edit_note t = { inv, e->command[i] };
		const struct fs_edit_options o = { .viewer = viewer, .note = note_edit, .note_ctx = &t,
						    .script = read_script, .script_ctx = &t };

		if (!fs_snapshot_edit(s, e->command[i], &o, &err))
			continue;
		if (err.code != FS_EUSAGE && err.code != FS_EIO)
			return report(inv, &err);
		complain(inv, "--if: %s: %s", e->command[i], err.message);
		return err.code == FS_EIO ? EXIT_FAILED : usage_status(inv);
	}
	return 0;
}

/* The same without messages: 0 or an error code. */
static int edits_try(const struct edits *e, const char *viewer, fs_snapshot *s, struct fs_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < e->n && !rc; i++) {
		struct edit_note t = { NULL, e->command[i] };
		const struct fs_edit_options o = { .viewer = viewer, .script = read_script, .script_ctx = &t };

		rc = fs_snapshot_edit(s, e->command[i], &o, err);
	}
	return rc;
}

static const char *const kind_words[] = { "user", "account", "partition" };

bool missing_from(const fs_snapshot *s, enum missing_kind kind, const char *name)
{
	struct fs_partition p;

	switch (kind) {
	case MISSING_USER:
		return !fs_snapshot_has_user(s, name);
	case MISSING_ACCOUNT:
		return !fs_snapshot_has_account(s, name);
	default:
		return fs_snapshot_partition_name(s, 0) && !fs_snapshot_partition(s, name, &p);
	}
}

bool missing_name(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind, const char *name)
{
	if (!name || !missing_from(s, kind, name))
		return false;
	complain(inv, "no %s \"%s\"", kind_words[kind], name);
	return true;
}

size_t missing_names(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind,
		     const struct names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		n += missing_name(inv, s, kind, names->v[i]);
	return n;
}

int missing_clusters(const struct invocation *inv, const fs_snapshot *s, const struct names *clusters, const char *any)
{
	const char *name = fs_snapshot_info(s)->cluster;

	if (clusters->given && !clusters->n) {
		complain(inv, "no cluster is named");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < clusters->n; i++)
		if (strcmp(clusters->v[i], name) != 0 && (!any || strcmp(clusters->v[i], any) != 0)) {
			complain(inv, "the snapshot is of cluster \"%s\", not \"%s\"", name, clusters->v[i]);
			return EXIT_FAILED;
		}
	return 0;
}

int missing_status(const struct invocation *inv, int status, size_t missing)
{
	return !status && missing && !inv->emulated ? EXIT_NOTHING : status;
}

/* Opens the snapshot that a command is asked about, and warns of what is odd about the question. */

static const char site_snapshot[] = "/var/lib/fs-tools/snapshot.jsonl";

/* What the command needs of a snapshot. */
static struct fs_read_options needed(const struct input *in)
{
	const bool recorded = in->recorded && in->usage == USAGE_RECORDED;

	return (struct fs_read_options){
		.without_usage = true,
		.without_recorded = !recorded,
		.usage_follows = in->usage != USAGE_RECORDED,
		.without_jobs = in->without_jobs && !in->as && in->usage == USAGE_RECORDED && !in->edits.n,
	};
}

static int read_file(const struct invocation *inv, const char *file, struct fs_read_options o,
		     bool indexed, fs_snapshot **out)
{
	struct fs_error err;

	return input_file(file, o, indexed, !inv->emulated, out, &err) ? report(inv, &err) : 0;
}

int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	return read_file(inv, file, (struct fs_read_options){ 0 }, false, out);
}

static int read_demo(const struct invocation *inv, fs_snapshot **out)
{
	struct fs_error err;

	return input_demo(out, &err) ? report(inv, &err) : 0;
}

int input_try(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err)
{
	int rc = file ? input_file(file, needed(in), true, false, out, err) : input_demo(out, err);

	if (!rc && (rc = edits_try(&in->edits, input_viewer(in), *out, err)))
		fs_snapshot_free(*out);
	return rc;
}

static int no_source(const struct invocation *inv)
{
	complain(inv,
		 "no snapshot: give -f FILE, set FS_SNAPSHOT, install %s, or try --demo "
		 "(fs-snap import makes a snapshot)",
		 site_snapshot);
	return EXIT_FAILED;
}

/* Returns the file to read: the one given, else that of the environment, else the site's; NULL if there is none. */
static const char *source_file(const struct input *in)
{
	const char *env = getenv("FS_SNAPSHOT");

	if (in->file)
		return in->file;
	if (env && *env)
		return env;
	return access(site_snapshot, R_OK) ? NULL : site_snapshot;
}

/* The site's timer captures every PERIOD_S, which takes CAPTURE_S at most: if the file is older, the timer has
 * stopped. */
static bool is_stale(const char *file)
{
	enum { PERIOD_S = 300, CAPTURE_S = 60 };
	struct stat st;

	return file == site_snapshot && !stat(file, &st) && time(NULL) - st.st_mtim.tv_sec > PERIOD_S + CAPTURE_S;
}

enum input_source input_source(const struct input *in, const char **file)
{
	*file = in->text ? NULL : source_file(in);
	if (in->text)
		return INPUT_PASTE;
	if (in->demo)
		return INPUT_DEMO;
	if (*file && !is_stale(*file))
		return INPUT_FILE;
	if (!capture_possible())
		return *file ? INPUT_FILE : INPUT_NONE;
	*file = NULL;
	return INPUT_LIVE;
}

/* An algorithm of trees cannot compute credentials, nor one of credentials a tree. */
static int check_algorithm(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	const bool credentials = fs_algorithm_of_credentials(in->algorithm);

	if (!in->algorithm || (credentials ? info->credentials : info->associations))
		return 0;
	complain(inv, credentials ? "--algorithm=%s: %s holds no credentials and windows: it is not one of Maui"
			   : "--algorithm=%s: %s holds no accounts and shares to compute it from",
		 in->algorithm, info->file);
	return EXIT_FAILED;
}

/* What every command of Slurm says on reading its configuration (src/common/read_config.c); TRES weights are not in
 * the sum. */
static void warn_of_weights(const struct invocation *inv, const fs_snapshot *s)
{
	static const char *const names[] = { "PriorityWeightAge",       "PriorityWeightAssoc",
					     "PriorityWeightFairShare", "PriorityWeightJobSize",
					     "PriorityWeightPartition", "PriorityWeightQOS" };
	double sum = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const double weight = fs_snapshot_config_number(s, names[i]);

		sum += isnan(weight) ? 0 : weight;
	}
	if (sum > UINT32_MAX)
		complain(inv, "error: PriorityWeight values too high, job priority value may overflow");
}

/* A name that the snapshot does not know may be a user without jobs and shares: the page is shown all the same. */
static void warn_of_viewer(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	if (in->as && strcmp(in->as, "root") != 0 && missing_from(s, MISSING_USER, in->as))
		complain(inv, "--as: no user \"%s\" in the snapshot", in->as);
}

static bool is_pipe(const char *file)
{
	struct stat st;

	return !(strcmp(file, "-") ? stat(file, &st) : fstat(STDIN_FILENO, &st)) && !S_ISREG(st.st_mode);
}

static enum capture_need need_of(const struct input *in)
{
	const bool more = in->as || in->usage != USAGE_RECORDED || in->edits.n || in->at || in->algorithm || in->compat;

	return more ? CAPTURE_ALL : in->need;
}

int input_open(const struct invocation *inv, struct input *in, fs_snapshot **out)
{
	const char *file;
	int status;

	switch (input_source(in, &file)) {
	case INPUT_DEMO:
		status = read_demo(inv, out);
		break;
	case INPUT_FILE:
		status = in->usage == USAGE_RECORDED && !(in->records_later && is_pipe(file))
				 ? read_file(inv, file, needed(in), true, out)
				 : input_twice(inv, file, needed(in), &in->spool, out);
		break;
	case INPUT_PASTE:
		status = capture_read_text(inv, in->text, NULL, true, out);
		break;
	case INPUT_LIVE:
		status = capture_live(inv, in->fresh || inv->emulated, need_of(in), out);
		break;
	default:
		status = no_source(inv);
	}
	for (size_t i = 0; !status && i < fs_snapshot_warnings(*out); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(*out, i));
	if (!status)
		status = edits_apply(inv, &in->edits, input_viewer(in), *out);
	if (!status && inv->emulated)
		warn_of_weights(inv, *out);
	else if (!status)
		warn_of_viewer(inv, in, *out);
	return status ? status : check_algorithm(inv, in, *out);
}

void input_release(struct input *in)
{
	if (in->spool)
		fclose(in->spool);
	free(in->login);
}

int input_usage_records(const struct invocation *inv, const struct input *in, fs_usage *usage)
{
	const char *file;
	const enum input_source source = input_source(in, &file);
	const bool standard = file && !strcmp(file, "-");
	FILE *stream = in->spool;
	struct fs_error err;
	int rc;

	if (source == INPUT_DEMO)
		return input_demo_records(usage, &err) ? report(inv, &err) : 0;
	if (!file) /* captured just now: the snapshot holds its records itself */
		return 0;
	if (!stream)
		stream = standard ? stdin : input_stream(inv, file);
	if (!stream)
		return EXIT_FAILED;
	rewind(stream);
	rc = input_stream_records(usage, stream, standard ? "standard input" : file, &err);
	if (stream != in->spool && !standard)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}

void input_slurm_version(const fs_snapshot *s)
{
	const char *plugins = fs_snapshot_config_text(s, "PluginDir");
	const char *scheduler = fs_snapshot_info(s)->scheduler;

	if (plugins && strstr(plugins, "/slurm-wlm") && !strncmp(scheduler, "slurm ", 6))
		emit("slurm-wlm %s\n", scheduler + 6);
	else
		emit_line(scheduler);
}

const char *input_viewer(const struct input *in)
{
	const char *env = getenv("FS_USER");
	const struct passwd *pw;

	if (in->as)
		return in->as;
	if (in->login)
		return in->login;
	if (env && *env)
		return env;
	pw = getpwuid(getuid());
	return pw ? pw->pw_name : "";
}

int input_know_login(const struct invocation *inv, struct input *in)
{
	in->login = strdup(input_viewer(in));
	return in->login ? 0 : no_memory(inv);
}

struct fs_view input_view(const struct input *in)
{
	return (struct fs_view){ .viewer = input_viewer(in),
				 .algorithm = in->algorithm,
				 .position = in->position,
				 .compat = in->compat };
}

/* The options of COMMON_OPTIONS and USAGE_OPTIONS. */

static int parse_compat(const struct invocation *inv, const char *arg, unsigned *out)
{
	unsigned major = 0, minor = 0, micro;
	int series = 0, whole = 0;

	sscanf(arg, "%2u.%2u%n.%2u%n", &major, &minor, &series, &micro, &whole);
	if (!series || arg[whole ? whole : series] || major < 17 || minor > 12) {
		complain(inv, "--compat: expected a Slurm version such as 22.05 or 24.05.3, got \"%s\"", arg);
		return -1;
	}
	*out = fs_slurm_release(arg);
	if (fs_slurm_unknown(*out))
		complain(inv, "warning: --compat=%s is %s than any version known here: it is taken for %s", arg,
			 fs_slurm_unknown(*out) < 0 ? "older" : "newer",
			 fs_slurm_unknown(*out) < 0 ? FS_SLURM_OLDEST_NAME : FS_SLURM_NEWEST_NAME);
	return 1;
}

/* The number of the word among them, -1 if it is none (reported); rest: behind the complaint. */
static int number_of(const struct invocation *inv, const char *option, const char *what, const char *const *words,
		     int n, const char *arg, const char *rest)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(arg, words[i]))
			return i;
	complain(inv, "--%s: no %s \"%s\"%s", option, what, arg, rest);
	return -1;
}

static int parse_algorithm(const struct invocation *inv, const char *arg, const char **out)
{
	const char *name;

	for (size_t i = 0; (name = fs_algorithm_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = name;
			return 1;
		}
	complain(inv, "--algorithm: no algorithm \"%s\"", arg);
	return -1;
}

static int parse_style(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { [STYLE_SLURM] = "slurm", [STYLE_FLUX] = "flux", [STYLE_MAUI] = "maui",
					     [STYLE_FASRC] = "fasrc", [STYLE_TACC] = "tacc" };
	const unsigned have = in->styles ? in->styles : 1u << STYLE_SLURM | 1u << STYLE_FLUX | 1u << STYLE_MAUI;

	for (int i = STYLE_SLURM; i <= STYLE_TACC; i++)
		if (!strcmp(names[i], arg) && (have >> i & 1)) {
			in->style = (enum style)i;
			return 1;
		}
	complain(inv, "--style: no style \"%s\"", arg);
	return -1;
}

static int parse_usage(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "recorded", "computed", "compare" };
	const int i = number_of(inv, "usage", "source", names, 3, arg, "; there are recorded, computed and compare");

	in->usage = i < 0 ? in->usage : (enum usage_source)i;
	in->usage_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_decay(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "slurm", "exact" };
	const int i = number_of(inv, "decay", "model", names, 2, arg, "; there are slurm and exact");

	in->decay = i ? FS_DECAY_EXACT : FS_DECAY_SLURM;
	in->decay_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_position(const struct invocation *inv, const char *arg, enum fs_position *out)
{
	const char *name;

	for (size_t i = 0; (name = fs_position_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = (enum fs_position)i;
			return 1;
		}
	complain(inv, "--position: no position \"%s\"; there are pow2, ratio and rank", arg);
	return -1;
}

int input_option(const struct invocation *inv, struct input *in, int id, const char *arg)
{
	switch (id) {
	case OPT_IF:
		return edits_option(inv, &in->edits, arg);
	case OPT_ALGORITHM:
		return parse_algorithm(inv, arg, &in->algorithm);
	case OPT_POSITION:
		return parse_position(inv, arg, &in->position);
	case OPT_COMPAT:
		return parse_compat(inv, arg, &in->compat);
	case OPT_USAGE:
		return parse_usage(inv, arg, in);
	case OPT_DECAY:
		return parse_decay(inv, arg, in);
	case OPT_STYLE:
		return parse_style(inv, arg, in);
	default:
		return 0;
	}
}

int names_take(struct names *names, char *text)
{
	char **v = text ? room_for_one(names->v, names->n, &names->room, sizeof(*v)) : NULL;

	if (!v) {
		free(text);
		return -1;
	}
	names->v = v;
	names->v[names->n++] = text;
	return 0;
}

static int add_word(struct names *names, const char *s, size_t len, bool lower)
{
	char *word = strndup(s, len);

	for (char *p = word; lower && p && *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return names_take(names, word);
}

int names_add(struct names *names, const char *list, bool lower)
{
	size_t len = strlen(list);

	names->given = true;
	if (len >= 2 && (*list == '"' || *list == '\'') && list[len - 1] == *list) {
		list++;
		len -= 2;
	}
	while (len) {
		const char *comma = memchr(list, ',', len);
		const size_t word = comma ? (size_t)(comma - list) : len;

		if (word && add_word(names, list, word, lower))
			return -1;
		list += word + (comma != NULL);
		len -= word + (comma != NULL);
	}
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), by_bytes);
}

bool names_has(const struct names *names, const char *word)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->v[i], word))
			return true;
	return false;
}

void names_print(const char *label, const struct names *names)
{
	emit("%s = %s", label, names->given ? "" : "(null)");
	for (size_t i = 0; i < names->n; i++)
		emit("%s%s", i ? "," : "", names->v[i]);
	putchar('\n');
}

void names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	*names = (struct names){ 0 };
}

bool usage_wanted(const struct input *in)
{
	return in->usage != USAGE_RECORDED || in->at || in->decay_given || in->decay_runs;
}

void what_if_print(const fs_snapshot *s)
{
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++)
		emit("%s%s", i ? "; " : "WHAT IF: ", command);
	if (fs_snapshot_command(s, 0))
		emit("\n");
}

void what_if_table(const fs_snapshot *s)
{
	if (isatty(STDOUT_FILENO))
		what_if_print(s);
}
