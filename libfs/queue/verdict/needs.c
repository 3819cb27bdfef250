/* What a job depends on: of Slurm "afterok:21(unfulfilled),after:21+30?singleton(unfulfilled)", of Flux
 * "after-success=3915147902976". */
#include "base/num.h"
#include "model/job/word.h"
#include "queue/verdict/verdict.h"

#include <string.h>

struct needs {
	const fs_snapshot *m;
	const struct fsi_job_arrays *arrays;
	struct fsi_arena *arena;
	FSI_VEC(struct fs_verdict_need) v;
};

/* Reads which job it is; of Slurm "+30" behind it are minutes. -1 without memory. */
static int read_job(struct needs *n, struct fs_verdict_need *need, const char *s, size_t len)
{
	const size_t id = strcspn(s, "+("), all = id < len ? id : len, end = strcspn(s, "(");
	const char *word = fsi_arena_strndup(n->arena, s, all);
	struct fsi_job_word w;
	uint64_t minutes;

	if (!word)
		return -1;
	if (fsi_job_word_parse(n->m, word, &w))
		return 0;
	need->job = w.id;
	need->job_row = fsi_job_arrays_find(n->arrays, n->m, &w);
	need->task = w.of_array ? word : NULL;
	if (all < len && s[all] == '+' && !fsi_parse_u64(s + all + 1, (end < len ? end : len) - all - 1, &minutes))
		need->delay_min = (uint32_t)minutes;
	return 0;
}

static bool ends_with(const char *s, size_t len, const char *end)
{
	const size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

/* Adds one id of those behind the kind: "21+30(unfulfilled)", "21_3", of Flux a decimal or in base 58. */
static int add_need(struct needs *n, const char *kind, const char *s, size_t len)
{
	struct fs_verdict_need need = { .kind = kind, .job_row = FSI_NO_INDEX };

	need.failed = ends_with(s, len, "(failed)");
	if (read_job(n, &need, s, len) || FSI_VEC_ROOM(&n->v))
		return -1;
	n->v.v[n->v.n++] = need;
	return 0;
}

/* Adds "afterok:21(unfulfilled):22"; of Flux also a time, "begin-time=1795194000.000" in the eventlog and
 * "begin@03:51:20" in what `flux jobs` prints (src/modules/job-manager/plugins/begin-time.c). */
static int add_item(struct needs *n, const char *s, size_t len)
{
	const bool on_time =
		!strncmp(s, "begin@", strlen("begin@")) || !strncmp(s, "begin-time=", strlen("begin-time="));
	const size_t name = on_time ? len : strcspn(s, ":=(,?");
	const char *kind = fsi_arena_strndup(n->arena, s, name < len ? name : len);
	size_t at = name;

	if (!kind)
		return -1;
	if (fs_reason_find(kind)) /* a limit of flux-accounting is a dependency there, too */
		return 0;
	if (name >= len || s[name] == '(')
		return add_need(n, kind, "", 0);
	while (at < len) {
		const size_t one = strcspn(s + at + 1, ":,?");

		if (add_need(n, kind, s + at + 1, one))
			return -1;
		at += 1 + one;
	}
	return 0;
}

int fsi_verdict_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_job *j,
		      struct fsi_arena *arena, struct fs_verdict *out)
{
	struct needs n = { .m = m, .arrays = arrays, .arena = arena };
	const char *s = fsi_str(m, j->dependency);
	int rc = 0;

	while (!rc && *s) {
		const size_t len = strcspn(s, ",?");

		rc = add_item(&n, s, len);
		s += len + (s[len] != '\0');
	}
	out->nneeds = n.v.n;
	out->needs = n.v.n ? fsi_arena_copy(arena, n.v.v, n.v.n * sizeof(*n.v.v)) : NULL;
	FSI_VEC_FREE(&n.v);
	return rc || (out->nneeds && !out->needs) ? -1 : 0;
}

int fsi_verdict_depends(const struct fs_queue *q, const struct fsi_job *j, struct fsi_arena *arena,
			struct fs_verdict *out)
{
	struct fsi_job_arrays *arrays = &q->verdicts->arrays;

	if (!arrays->v && fsi_job_arrays_init(arrays, q->m))
		return -1;
	return fsi_verdict_needs(q->m, arrays, j, arena, out);
}
