/* fs_import_text: a paste becomes the files of a capture, and these become what the importer makes of them. */
#include "import/flux/flux.h"
#include "import/text/maui.h"
#include "import/text/text.h"

#include "base/num.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { PASTE_MAX = 64 * 1024 * 1024, LEFT_OUT_MAX = 200, READ_SIZE = 65536 };

static int read_all(struct fsi_text *t, fs_read_fn read, void *ctx, char **text, size_t *size)
{
	size_t cap = READ_SIZE;
	char *buf = malloc(cap);

	*size = 0;
	while (buf) {
		const ptrdiff_t n = read(ctx, buf + *size, cap - *size);
		char *more;

		if (n <= 0) {
			*text = buf;
			return n < 0 ? fsi_fail(t->err, FS_EIO, "%s: cannot be read", t->name) : 0;
		}
		*size += (size_t)n;
		if (*size > PASTE_MAX) {
			*text = buf;
			return fsi_fail(t->err, FS_EDATA, "%s: more than %d MiB is no paste", t->name, PASTE_MAX >> 20);
		}
		if (*size < cap)
			continue;
		more = realloc(buf, cap *= 2);
		if (!more)
			break;
		buf = more;
	}
	free(buf);
	*text = NULL;
	return fsi_nomem(t->err);
}

/* ---- the clock */

/* The newest time of any piece that cannot lie ahead of now. */
static int64_t newest_time(const struct fsi_text *t)
{
	static const char *const keys[] = { " SubmitTime=", " AccrueTime=", " LastSchedEval=" };
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_job_o.txt");
	int64_t newest = t->newest;

	for (size_t i = 0; f && i < f->lines.n; i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
			const char *p = strstr(f->lines.v[i].s, keys[k]);
			int64_t at;

			if (p && strlen(p += strlen(keys[k])) >= 19 && !fsi_parse_civil(p, 19, &at) && at > newest)
				newest = at;
		}
	return newest;
}

static int put_clock(struct fsi_text *t)
{
	char text[32];

	if (t->clock_by_config)
		return 0;
	if (t->o->time) {
		t->clock = t->o->time;
	} else if (t->clock == FS_UNKNOWN) {
		t->clock = newest_time(t);
		t->clock_guessed = true;
		if (t->clock == FS_UNKNOWN && !t->o->otherwise)
			return fsi_fail(t->err, FS_ENODATA, "%s: nothing in it tells the time: --at does", t->name);
		if (t->clock == FS_UNKNOWN) {
			t->clock = t->o->otherwise;
			if (fsi_text_warn(t, "nothing in it tells the time: that of the file is taken"))
				return FS_ENOMEM;
		} else if (fsi_text_warn(t, "nothing tells when it was pasted: it is taken for the newest time in it, so that ages and waits are the "
				     "least they can be; --at tells it"))
			return FS_ENOMEM;
	}
	snprintf(text, sizeof(text), "%lld", (long long)t->clock);
	return fsi_text_put(t, "date_begin", fsi_span_of(text), 0);
}

/* ---- what each scheduler does with its part of the text */

static int read_slurm(struct fsi_text *t)
{
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_text *, t, fsi_text_records, fsi_text_names, fsi_text_queue, fsi_text_tables);
	return rc;
}

static int import_slurm(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source)
{
	const struct fs_import_options o = { .partial = true };

	return fs_import_slurm(out, source, &o, t->err);
}

static int import_flux(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source)
{
	return fsi_import_flux(out, source, true, t->err);
}

/* By enum fsi_text_scheduler. */
static const struct {
	const char *name;
	int (*read)(struct fsi_text *t); /* makes files of a capture from the pieces of the text */
	int (*import)(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source);
} schedulers[TEXT_SCHEDULERS] = {
	{ "Slurm", read_slurm, import_slurm },
	{ "Flux", fsi_text_flux, import_flux },
	{ "Maui", fsi_text_maui, fsi_text_import_maui },
};

/* ---- importing: a line that cannot be read is left out, and told */

static struct fsi_text_line *bad_line(struct fsi_text *t)
{
	const char *file = t->err->file;
	const size_t n = strlen(t->name);

	if (t->err->code != FS_EDATA || !t->err->line || strncmp(file, t->name, n) != 0 || file[n] != '/')
		return NULL;
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, file + n + 1) && t->err->line <= t->files.v[i].lines.n)
			return &t->files.v[i].lines.v[t->err->line - 1];
	return NULL;
}

static int import(struct fsi_text *t, fs_snapshot **out)
{
	const struct fs_source source = fsi_text_source(t);

	for (size_t n = 0;; n++) {
		const int rc = schedulers[t->scheduler].import(t, out, &source);
		struct fsi_text_line *line = rc ? bad_line(t) : NULL;

		if (!line || !line->len || n == LEFT_OUT_MAX)
			return rc;
		line->len = 0;
		if (fsi_text_warn(t, "line %u: left out: %s%s%s", line->no, t->err->field, *t->err->field ? ": " : "", t->err->message))
			return FS_ENOMEM;
	}
}

static int complete(struct fsi_text *t, fs_snapshot *s)
{
	struct fsi_import imp = { .m = s, .err = t->err };
	int rc = fsi_import_hide(&imp, FSI_HIDDEN_JOB_FIELDS);

	for (size_t i = 0; i < t->told.n && !rc; i++)
		rc = fsi_import_incomplete(&imp, NULL, "%s: %s", t->name, t->told.v[i]);
	if (!rc && t->cluster.len) {
		s->head.cluster = fsi_import_name(&imp, t->cluster);
		rc = s->head.cluster == FSI_INTERN_FAILED ? fsi_nomem(t->err) : 0;
	}
	return rc;
}

/* ---- one scheduler at a time */

/* The scheduler that most lines are of; of those with as many, the first. */
static enum fsi_text_scheduler most_lines(const struct fsi_text *t)
{
	size_t lines[TEXT_SCHEDULERS] = { 0 };
	enum fsi_text_scheduler most = TEXT_SLURM;

	for (size_t i = 0; i < t->pieces.n; i++)
		lines[fsi_text_scheduler(t->pieces.v[i].kind)] += t->pieces.v[i].end - t->pieces.v[i].begin;
	for (enum fsi_text_scheduler s = TEXT_SLURM; s < TEXT_SCHEDULERS; s++)
		most = lines[s] > lines[most] ? s : most;
	return most;
}

static int choose_scheduler(struct fsi_text *t)
{
	size_t kept = 0;
	int rc = fsi_text_note_unread(t);

	t->scheduler = most_lines(t);
	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];
		const enum fsi_text_scheduler s = fsi_text_scheduler(p->kind);

		if (s == t->scheduler)
			t->pieces.v[kept++] = *p;
		else
			rc = fsi_text_warn(t, "line %u: %s is a command of %s, and most of the text is of %s: left out", t->lines.v[p->begin].no,
					   fsi_text_kind_name(p->kind), schedulers[s].name, schedulers[t->scheduler].name);
	}
	t->pieces.n = rc ? t->pieces.n : kept;
	return rc;
}

static int read_tables(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const enum fsi_text_kind kind = t->pieces.v[i].kind;

		if ((kind > TEXT_SDIAG && kind <= TEXT_TRES) || kind == TEXT_FLUX_JOBS || kind == TEXT_FLUX_PRIORITIES)
			rc = fsi_text_table(t, &t->pieces.v[i]);
	}
	return rc;
}

static int read_paste(struct fsi_text *t, const char *text, size_t size)
{
	int rc = fsi_text_clean(t, text, size);

	FSI_IN_TURN(rc, struct fsi_text *, t, fsi_text_find, choose_scheduler, read_tables);
	if (!rc)
		rc = schedulers[t->scheduler].read(t);
	if (!rc && !t->files.n)
		rc = fsi_fail(t->err, FS_ENODATA, "%s: no output of a command in it that is %s%s", t->name,
			      t->told.n ? "read here: " : "known here", t->told.n ? t->told.v[0] : "");
	return rc ? rc : put_clock(t);
}

static void release(struct fsi_text *t)
{
	for (size_t i = 0; i < t->files.n; i++) {
		FSI_VEC_FREE(&t->files.v[i].lines);
		FSI_VEC_FREE(&t->files.v[i].first);
		fsi_intern_release(&t->files.v[i].keys);
	}
	for (size_t i = 0; i < TEXT_NAME_KINDS; i++)
		FSI_VEC_FREE(&t->known[i]);
	FSI_VEC_FREE(&t->files);
	FSI_VEC_FREE(&t->pieces);
	FSI_VEC_FREE(&t->lines);
	FSI_VEC_FREE(&t->told);
	fsi_arena_release(&t->arena);
}

int fs_import_text(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, const struct fs_text_options *o,
		   struct fs_error *err)
{
	struct fs_text_options own;
	struct fsi_text t = {
		.name = name, .o = FSI_OPTIONS(own, o), .err = err, .clock = FS_UNKNOWN, .newest = FS_UNKNOWN
	};
	fs_snapshot *s = NULL;
	char *text = NULL;
	size_t size;
	int rc = read_all(&t, read, ctx, &text, &size);

	if (!rc)
		rc = read_paste(&t, text, size);
	if (!rc)
		rc = import(&t, &s);
	if (!rc)
		rc = complete(&t, s);
	if (!rc)
		fsi_text_report(&t);
	if (rc)
		fs_snapshot_free(s);
	else
		*out = s;
	free(text);
	release(&t);
	return rc;
}
