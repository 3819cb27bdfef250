#include "prio/json.h"

#include "columns/prio.h"
#include "render/json.h"

/* ---- jobs that have no row since a fair-share cap holds them back */

static void get_kind(const void *of, const void *row, struct value *out)
{
	(void)of;
	out->type = VALUE_TEXT;
	out->text = fs_cred_kind_name(((const struct fs_cap_row *)row)->kind);
}

static void get_mode(const void *of, const void *row, struct value *out)
{
	(void)of;
	out->type = VALUE_TEXT;
	out->text = fs_target_mode_name(((const struct fs_cap_row *)row)->mode);
}

#define CAP(m) COLUMN_MEMBER(struct fs_cap_row, m)

static const struct column cap_columns[] = {
	{ NULL, "jobid", CAP(job), .help = "the job" },
	{ NULL, "name", CAP(job_name), .help = "the same as jobname" },
	{ NULL, "jobname", CAP(job_name), .help = "its name" },
	{ NULL, "user", CAP(user), .help = "who submitted it" },
	{ NULL, "kind", .get = get_kind, .help = "of the credential that has the cap" },
	{ NULL, "credential", CAP(name), .help = "its name" },
	{ NULL, "mode", .get = get_mode, .help = "what the cap is measured in" },
	{ NULL, "cap", CAP(cap), .help = "the cap" },
	{ NULL, "usage", CAP(usage), .help = "what was used" },
	{ NULL, "need", CAP(need), .help = "what the job would add" },
};

/* w: NULL where there are no such caps. */
static void write_blocked(struct fs_json *j, const fs_snapshot *s, const fs_windows *w)
{
	struct fs_cap_row c;

	fs_json_key(j, "blocked");
	fs_json_array(j);
	for (uint32_t i = 0; w && i < fs_snapshot_info(s)->jobs; i++)
		if (fs_windows_capped(w, i, &c)) {
			fs_json_object(j);
			columns_json(j, COLUMNS(cap_columns), s, &c);
			fs_json_end_object(j);
		}
	fs_json_end_array(j);
}

int prio_json(const struct invocation *inv, const fs_snapshot *s, enum fs_maui_dialect dialect, unsigned compat,
	      const fs_prios *p, const fs_holds *holds, const size_t *rows, size_t n, enum json_form form)
{
	struct fs_prio_row row;
	struct fs_error err;
	fs_windows *w = NULL;
	fs_accrue *a = NULL;
	struct fs_json j;

	if (fs_accrue_compute(&a, s, compat, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	if (fs_windows_compute(&w, s, dialect, &err) && err.code != FS_ENODATA)
		return report(inv, &err);
	json_begin(&j, "fs-prio/1", s, form);
	if (form == JSON_LINES)
		write_blocked(&j, s, w);
	json_rows(&j);
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, rows[i], &row);
		prio_json_row(&j, &(struct prio_source){ s, p, a, holds }, &row);
		json_row_done(&j);
	}
	fs_accrue_free(a);
	json_end_rows(&j);
	if (form != JSON_LINES)
		write_blocked(&j, s, w);
	fs_windows_free(w);
	return json_end(&j);
}
