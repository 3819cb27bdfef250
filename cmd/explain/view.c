/* What an explanation looks at: evaluated state, plan and usage, as one view. */
#include "explain/algorithm.h"
#include "explain/json/json.h"
#include "dialect/dialect.h"

void explain_view_init(struct explain_view *v, struct fs_eval *from)
{
	const char *algorithm = from->shares ? fs_shares_algorithm(from->shares) : "";

	if (fs_algorithm_of_credentials(algorithm))
		from->shares = NULL;
	*v = (struct explain_view){ .from = from,
				    .dialect = dialect_of(from->snapshot),
				    .algorithm = explain_algorithm_of(algorithm) };
}

int explain_view_other(struct explain_view *v, fs_shares **out, const struct fs_view *view,
			struct fs_error *err)
{
	struct fs_view other = *view;
	int rc;

	*out = NULL;
	other.algorithm = v->algorithm->other;
	if (!other.algorithm)
		return 0;
	rc = fs_shares_compute(out, v->from->snapshot, &other, err);
	v->other = *out;
	return rc == FS_ENODATA ? 0 : rc;
}

bool explain_plan_row(const struct explain_view *v, uint32_t job_row, struct fs_plan_row *out)
{
	const size_t i = v->plan ? fs_plan_find(v->plan, job_row) : FS_NO_ROW;

	if (i != FS_NO_ROW)
		fs_plan_row(v->plan, i, out);
	return i != FS_NO_ROW;
}

void explain_json_begin(struct fs_json *j, const struct explain_view *v, const char *kind)
{
	if (v->from)
		json_begin(j, "fs-explain/1", v->from->snapshot, v->json);
	else
		json_begin_plain(j, "fs-explain/1", v->json);
	json_text(j, "kind", kind);
}
