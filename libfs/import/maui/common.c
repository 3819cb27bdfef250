/* What the parts of fs_import_maui share: credentials, jobs by name, warnings, words, durations and dates of Maui's
 * output. */
#include "import/maui/maui.h"

#include "base/num.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fsi_credential *fsi_maui_credential(struct fsi_maui_import *x, enum fs_cred_kind kind,
					   struct fsi_span name)
{
	fs_snapshot *m = x->imp->m;
	const uint32_t name_id = fsi_import_name(x->imp, name);
	const uint32_t key[2] = { (uint32_t)kind, name_id };
	struct fsi_credential *c;
	uint32_t id;

	if (name_id == FSI_INTERN_FAILED)
		return NULL;
	id = fsi_intern_find(&x->keys, key, sizeof(key));
	if (id)
		return &m->credential.v[id - 1];
	c = fsi_intern(&x->keys, key, sizeof(key)) == FSI_INTERN_FAILED ? NULL : FSI_VEC_ADD(&m->credential);
	if (!c)
		return NULL;
	FSI_PUT(c, CREDENTIAL, kind, fsi_name(m, fs_cred_kind_name(kind)));
	FSI_PUT(c, CREDENTIAL, name, name_id);
	FSI_PUT(c, CREDENTIAL, position, x->positions[kind]++);
	return c->kind == FSI_INTERN_FAILED ? NULL : c;
}

int fsi_maui_warn(struct fsi_maui_import *x, const char *key, const char *fmt, ...)
{
	const struct fsi_where *w = &x->imp->where;
	char text[400];
	va_list ap;

	if (key && fsi_intern_find(&x->told, key, strlen(key)))
		return 0;
	if (key && fsi_intern(&x->told, key, strlen(key)) == FSI_INTERN_FAILED)
		return fsi_nomem(x->imp->err);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fsi_warn(x->imp->m, "%s:%llu: %s", w->file, (unsigned long long)w->line, text)
		       ? fsi_nomem(x->imp->err)
		       : 0;
}

static struct fsi_span before_dot(struct fsi_span name)
{
	const char *dot = memchr(name.s, '.', name.len);

	if (dot && dot > name.s)
		name.len = (size_t)(dot - name.s);
	return name;
}

uint32_t fsi_maui_job(struct fsi_maui_import *x, struct fsi_span name)
{
	const struct fsi_span cut = before_dot(name);
	const uint32_t id = fsi_intern_find(&x->imp->m->names, cut.s, cut.len);
	const uint32_t row = id && id < x->job_of.n ? x->job_of.v[id] : 0;

	return row ? row - 1 : FSI_NO_INDEX;
}

int fsi_maui_add_job(struct fsi_maui_import *x, struct fsi_span name, uint32_t *row)
{
	fs_snapshot *m = x->imp->m;
	const struct fsi_span cut = before_dot(name);
	const uint32_t id = fsi_import_name(x->imp, cut);
	struct fsi_job *job;

	*row = FSI_NO_INDEX;
	if (id == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->job))
		return fsi_nomem(x->imp->err);
	while (x->job_of.n <= id) {
		if (FSI_VEC_ROOM(&x->job_of))
			return fsi_nomem(x->imp->err);
		x->job_of.v[x->job_of.n++] = 0;
	}
	*row = (uint32_t)m->job.n;
	x->job_of.v[id] = *row + 1;
	job = &m->job.v[m->job.n++];
	*job = (struct fsi_job){ .name = id, .state = FSI_STATE_PENDING };
	if (FSI_SET_RARE(m, job, position, *row))
		return fsi_nomem(x->imp->err);
	/* a name that is no number gets one that no other job has */
	if (fsi_parse_u64(cut.s, cut.len, &job->id) || job->id >> 62)
		job->id = (1ull << 62) + *row;
	FSI_SET(job, JOB, id);
	FSI_SET(job, JOB, name);
	FSI_SET(job, JOB, state);
	return 0;
}

int fsi_maui_first_file(struct fsi_maui_import *x, const char *const *files, fsi_line_fn fn)
{
	int rc = 1;

	for (; *files && rc > 0; files++)
		rc = fsi_import_lines(x->imp, *files, fn, x);
	return rc;
}

int fsi_maui_counted(struct fsi_maui_import *x, const char *file, int64_t counted, size_t read)
{
	const char *dir = x->imp->source->name;

	if (counted < 0)
		return fsi_import_incomplete(x->imp, "job", "%s/%s: it is not whole, without its number of jobs", dir, file);
	if ((uint64_t)counted == read)
		return 0;
	return fsi_import_incomplete(x->imp, "job", "%s/%s: it counts %lld job%s, of which %zu can be read", dir, file, (long long)counted,
				     counted == 1 ? "" : "s", read);
}

int fsi_maui_no_list(struct fsi_maui_import *x, int rc, const char *dir)
{
	if (rc == FS_ENOMEM)
		return fsi_nomem(x->imp->err);
	return fsi_fail(x->imp->err, FS_EIO, "%s%s%s: the folder cannot be read", x->imp->source->name, *dir ? "/" : "",
			dir);
}

int fsi_maui_duration(struct fsi_span v, int64_t *out)
{
	static const int64_t units[] = { 1, 60, 3600, 86400 };
	const bool minus = v.len && *v.s == '-';
	int64_t part[4], total = 0;
	struct fsi_span word;
	int parts = 0;

	if (fsi_span_is(v, "INFINITY")) {
		*out = 8640000;
		return 0;
	}
	v.s += minus;
	v.len -= minus;
	while (fsi_span_cut(&v, ':', &word))
		if (parts == 4 || fsi_parse_i64(word.s, word.len, &part[parts]) ||
		    part[parts] < 0 || part[parts++] > 1000000)
			return -1;
	for (int i = 0; i < parts; i++)
		total += part[parts - 1 - i] * units[i];
	*out = minus ? -total : total;
	return parts < 2 ? -1 : 0;
}

int fsi_maui_ctime(const struct fsi_maui_import *x, const struct fsi_span *words, int64_t *local)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const int64_t near = x->now ? x->now : x->clock_start, year = 1970 + near / 31556952;
	const char *month = NULL;
	int64_t day, best = -1;

	for (size_t i = 0; words[1].len == 3 && i < 12 && !month; i++)
		month = memcmp(months + i * 3, words[1].s, 3) ? NULL : months + i * 3;
	if (!near || !month || fsi_parse_i64(words[2].s, words[2].len, &day) || words[3].len != 8)
		return -1;
	for (int64_t y = year - 1; y <= year + 1; y++) {
		char text[40];
		int64_t t;

		snprintf(text, sizeof(text), "%04d-%02d-%02dT%.8s", (int)y,
			 (int)(month - months) / 3 + 1, (int)day, words[3].s);
		if (!fsi_parse_civil(text, strlen(text), &t) &&
		    (best < 0 || llabs(t - near) < llabs(best - near)))
			best = t;
	}
	*local = best;
	return best < 0 ? -1 : 0;
}

bool fsi_maui_is_priority(struct fsi_span line, struct fsi_span name, struct fsi_span priority)
{
	const size_t end = (size_t)(priority.s - line.s) + priority.len;

	return name.s == line.s && (end == 31 || (end > 31 && name.len > 20));
}

struct fsi_span fsi_maui_after(struct fsi_span line, const char *label)
{
	const size_t len = strlen(label);
	struct fsi_span word = { NULL, 0 };

	for (size_t i = 0; i + len <= line.len; i++)
		if (!memcmp(line.s + i, label, len)) {
			fsi_span_words((struct fsi_span){ line.s + i + len, line.len - i - len }, &word, 1);
			break;
		}
	return word;
}
