#include "base/error.h"
#include "base/num.h"
#include "import/consistency.h"
#include "import/import.h"
#include "import/outputs.h"
#include "model/model.h"
#include "model/slurm.h"

#include <stdlib.h>
#include <string.h>

/* Imports a capture of Slurm: fs_import_slurm, and the readers of the capture's time and the configuration.
 *
 * read_slurm_files calls the readers in this order, because later readers need the results of earlier readers:
 *   1. time and configuration   read_slurm_clock, read_slurm_config
 *   2. accounting               fsi_slurm_read_accounting, fsi_slurm_read_assoc_mgr
 *   3. machine and jobs         fsi_slurm_read_machine, fsi_slurm_read_jobs
 *   4. completeness             fsi_outputs_check, fsi_slurm_check_node_count, fsi_slurm_drop_unlisted_jobs
 *   5. usage and recorded data  fsi_slurm_read_sacct, fsi_slurm_read_sshare, fsi_slurm_read_sshare_json,
 *                               fsi_slurm_read_sprio, fsi_slurm_infer_tried_qos, fsi_slurm_read_exact_usage
 *   6. effects of PrivateData   hide_private_types
 *   7. consistency of files     fsi_slurm_check_consistency */

struct config_heading {
	/* local time after "Configuration data as of", seconds since the epoch as if the time zone were UTC */
	int64_t as_of_local;
	bool has_as_of;
};

static int set_header_text(struct fsi_import *imp, unsigned bit, uint32_t *member, struct fsi_span v)
{
	*member = fsi_import_intern_name(imp, v);
	if (*member == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(imp->err);
	fsi_mark_known(&imp->m->head.rec, bit);
	return 0;
}

/* Reads the capture's time from the first line of date_begin, `epoch` or `epoch.fraction`. */
static int read_date_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const char *dot = memchr(line.s, '.', line.len);

	line = fsi_span_trim_blanks(line);
	if (dot)
		line.len = (size_t)(dot - line.s);
	if (imp->where.line == 1 && (fsi_parse_i64(line.s, line.len, ctx) || *(int64_t *)ctx < 0 ||
					*(int64_t *)ctx > FSI_SECONDS_MAX))
		return fsi_import_reject_value(imp, "date", line, "seconds since 1970");
	return 0;
}

/* Reads the time in `sdiag output at Fri Nov 20 21:04:39 2026 (1795208679)`. */
static int read_sdiag_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char start[] = "sdiag output at ";
	const char *open = memchr(line.s, '(', line.len);

	(void)imp;
	if (line.len > sizeof(start) && !memcmp(line.s, start, sizeof(start) - 1) && open) {
		const char *close = memchr(open, ')', line.len - (size_t)(open - line.s));

		if (close)
			fsi_parse_i64(open + 1, (size_t)(close - open - 1), ctx);
	}
	return 0;
}

static int read_as_of_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char start[] = "Configuration data as of ";
	struct config_heading *c = ctx;

	(void)imp;
	if (!c->has_as_of && line.len > sizeof(start) && !memcmp(line.s, start, sizeof(start) - 1)) {
		line.s += sizeof(start) - 1;
		line.len -= sizeof(start) - 1;
		line = fsi_span_trim_blanks(line);
		c->has_as_of = !fsi_parse_civil_time(line.s, line.len, &c->as_of_local);
	}
	return 0;
}

/* Rounds the difference between a local time and UTC to a multiple of 15 minutes, because the offset of every time zone
 * is such a multiple. The two times were printed by different commands and may be seconds apart. */
static int64_t round_utc_offset(int64_t difference_s)
{
	const int64_t quarter = 900;

	return (difference_s + (difference_s < 0 ? -quarter / 2 : quarter / 2)) / quarter * quarter;
}

/* Sets the capture's time and time zone. The time is read from date_begin, or else from sdiag.txt, or else from
 * scontrol_config.txt. */
static int read_slurm_clock(struct fsi_import *imp)
{
	const int64_t day = 86400;
	struct config_heading config = { 0 };
	struct fsi_header *h = &imp->m->head;
	int64_t time = -1;
	int rc = fsi_import_read_lines(imp, "date_begin", read_date_line, &time);

	if (!rc && time < 0)
		rc = fsi_import_warn_incomplete(imp, NULL, "%s/date_begin: the file has no time", imp->source->name);
	if (rc < 0)
		return rc;
	if (time < 0 && (rc = fsi_import_read_lines(imp, "sdiag.txt", read_sdiag_line, &time)) < 0)
		return rc;
	rc = fsi_import_read_lines(imp, "scontrol_config.txt", read_as_of_line, &config);
	if (rc < 0)
		return rc;
	if (time < 0 && !config.has_as_of)
		return fsi_fail_with_code(imp->err, FS_ENODATA,
					  "%s: the capture time is unknown: date_begin, sdiag.txt or scontrol_config.txt is required",
					  imp->source->name);
	if (time < 0)
		time = fsi_import_local_to_utc(imp, config.as_of_local);
	if (config.has_as_of)
		imp->utc_offset_s = round_utc_offset(config.as_of_local - time);
	if (imp->utc_offset_s < -day || imp->utc_offset_s > day)
		return fsi_fail_with_code(imp->err, FS_EDATA,
					  "%s: the times of scontrol_config.txt and date_begin (or sdiag.txt) differ "
					  "by more than 24 h",
					  imp->source->name);
	if (time < 0 || time > FSI_SECONDS_MAX)
		return fsi_fail_with_code(imp->err, FS_EDATA, "%s: the capture time is before 1970 or too large",
					  imp->source->name);
	FSI_PUT(h, SNAPSHOT, time, time);
	h->utc_offset_s = (int32_t)imp->utc_offset_s;
	if (config.has_as_of)
		FSI_SET(h, SNAPSHOT, utc_offset_s);
	return fsi_import_set_zone(imp, config.has_as_of);
}

/* Parses the number of a setting. A duration is converted to seconds. A number may have the unit "min". */
static int parse_config_number(struct fsi_import *imp, const char *name, enum fsi_setting_kind kind, struct fsi_span v,
			       int64_t *out)
{
	struct fsi_span number = v, unit = v;

	if (kind == FSI_SETTING_SECONDS && !fsi_parse_duration(v.s, v.len, out))
		return 0;
	fsi_span_cut_part(&unit, ' ', &number);
	if (fsi_parse_i64(number.s, number.len, out))
		return fsi_import_reject_value(imp, name, v, "a number");
	if (*out > INT64_MAX / 240 || *out < INT64_MIN / 240)
		return fsi_import_reject_value(imp, name, v, "a number in range");
	if (kind == FSI_SETTING_SECONDS && unit.s && fsi_span_is_word(fsi_span_trim_blanks(unit), "min"))
		*out *= 60;
	return 0;
}

/* Stores a setting in the model's configuration. */
static int set_config_entry(struct fsi_import *imp, const char *name, enum fsi_setting_kind kind, struct fsi_span v)
{
	const struct fsi_field list = { name, FSI_LIST, 0, offsetof(struct fsi_header, hidden),
					"",   "" };
	const struct fsi_record_table as_list = { "config", &list, 1, sizeof(struct fsi_header) };
	struct fsi_header scratch = { 0 };
	struct fsi_config_entry *e = fsi_config_find_or_add(imp->m, name);
	int rc = 0;

	if (!e)
		return fsi_fail_no_memory(imp->err);
	switch (kind) {
	case FSI_SETTING_INTEGER:
	case FSI_SETTING_SECONDS:
		e->kind = FSI_CONFIG_INT;
		return parse_config_number(imp, name, kind, v, &e->i);
	case FSI_SETTING_MOMENT:
		e->kind = FSI_CONFIG_INT;
		return fsi_import_parse_local_time(imp, v, &e->i) ? fsi_import_reject_value(imp, name, v, "a time") : 0;
	case FSI_SETTING_YES_NO:
		e->kind = FSI_CONFIG_BOOL;
		e->i = fsi_span_is_word(v, "yes");
		return 0;
	case FSI_SETTING_WORDS:
		e->kind = FSI_CONFIG_LIST;
		rc = fsi_import_set_field(imp, &as_list, 0, &scratch.rec, v);
		e->i = scratch.hidden;
		return rc;
	case FSI_SETTING_TEXT:
		e->kind = FSI_CONFIG_STR;
		e->i = fsi_import_intern_name(imp, v);
		return e->i == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
	}
	return rc;
}

static int read_config_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_span name, value = line;
	char version[96];

	(void)ctx;
	if (!fsi_span_cut_part(&value, '=', &name) || !value.s)
		return 0;
	name = fsi_span_trim_blanks(name);
	value = fsi_span_trim_blanks(value);
	if (fsi_span_is_word(name, "ClusterName"))
		return set_header_text(imp, FSI_SNAPSHOT_cluster, &imp->m->head.cluster, value);
	if (fsi_span_is_word(name, "SLURM_VERSION") && value.len < sizeof(version) - 8) {
		memcpy(version, "slurm ", 6);
		memcpy(version + 6, value.s, value.len);
		return set_header_text(imp, FSI_SNAPSHOT_scheduler, &imp->m->head.scheduler,
				       (struct fsi_span){ version, value.len + 6 });
	}
	for (size_t i = 0; i < FSI_SETTINGS; i++) {
		const enum fsi_setting_kind kind = fsi_slurm_settings[i].kind;

		if (fsi_span_is_word(name, fsi_slurm_settings[i].name) &&
		    (kind == FSI_SETTING_WORDS || !fsi_span_is_unset(value)))
			return set_config_entry(imp, fsi_slurm_settings[i].name, kind, value);
	}
	return 0;
}

/* Reads PriorityFlags from slurm.conf. Slurm 22.05 prints NO_NORMAL_ALL for any of the NO_NORMAL flags
 * (src/common/read_config.c: priority_flags_string), so only the file shows which flag is set. */
static int read_flags_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_span name, value = line;

	(void)ctx;
	if (!fsi_span_cut_part(&value, '=', &name) || !value.s ||
	    !fsi_span_is_word(fsi_span_trim_blanks(name), "PriorityFlags"))
		return 0;
	return set_config_entry(imp, "PriorityFlags", FSI_SETTING_WORDS, fsi_span_trim_blanks(value));
}

/* Reads scontrol_config.txt. If this file shows NO_NORMAL_ALL, reads PriorityFlags from slurm.conf. */
static int read_slurm_config(struct fsi_import *imp)
{
	const struct fsi_config_entry *flags;
	int rc = fsi_import_read_lines(imp, "scontrol_config.txt", read_config_line, NULL);

	if (rc > 0)
		rc = fsi_import_hide_type(imp, "config");
	flags = fsi_config_find(imp->m, "PriorityFlags");
	if (!rc && flags && fsi_list_has_word(imp->m, (uint32_t)flags->i, "NO_NORMAL_ALL")) {
		rc = fsi_import_read_lines(imp, "slurm.conf", read_flags_line, NULL);
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

/* ---- the import of a capture of Slurm */

/* Sets the required header fields that the files left unset. */
static int set_default_header(struct fsi_import *imp)
{
	struct fsi_header *h = &imp->m->head;

	h->format = 1;
	if (!h->scheduler)
		h->scheduler = fsi_name_intern(imp->m, "slurm");
	if (!h->cluster)
		h->cluster = fsi_name_intern(imp->m, "unknown");
	if (h->scheduler == FSI_INTERN_FAILED || h->cluster == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(imp->err);
	FSI_SET(h, SNAPSHOT, format);
	FSI_SET(h, SNAPSHOT, scheduler);
	FSI_SET(h, SNAPSHOT, cluster);
	fsi_model_find_scheduler(imp->m);
	return 0;
}

/* Returns true if the account of a user's association, or the parent of an account, has no association. */
static bool has_broken_path(const fs_snapshot *m)
{
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	bool broken = false;

	for (size_t i = 0; account && i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; account && i < m->association.n && !broken; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t parent = a->user ? a->account : a->parent;

		broken = parent && !account[parent];
	}
	free(account);
	return broken;
}

/* Returns true if the capturing user may see the usage of all users in the snapshot, even with PrivateData=usage. If
 * the function returns true, other users may be missing from the snapshot: slurmdbd has its own PrivateData, which no
 * command shows. If slurmdbd's PrivateData hides users, slurmdbd sends an unprivileged user only these associations
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_get_assocs):
 *  - associations of the user
 *  - associations in accounts that the user coordinates
 *  - associations of the accounts above these associations
 * A complete tree also has an association of the user root, whose usage an unprivileged user could not see. */
static bool sees_no_other_users(const fs_snapshot *m, struct fsi_viewer viewer)
{
	viewer.private_usage = true;
	for (size_t i = 0; i < m->association.n; i++)
		if (m->association.v[i].user && !fsi_viewer_may_see_usage(&viewer, &m->association.v[i]))
			return false;
	return true;
}

/* Returns true if the controller showed the usage of some associations but not of all, as with PrivateData=usage. */
static bool is_usage_partial(const fs_snapshot *m)
{
	size_t known = 0;

	for (size_t i = 0; i < m->association.n; i++)
		known += FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s);
	return known && known < m->association.n;
}

static bool is_tree_partial(const fs_snapshot *m, const struct fsi_viewer *viewer)
{
	return !m->association.n || is_usage_partial(m) ||
	       ((viewer->private_tree || !viewer->sees_everything) && has_broken_path(m)) ||
	       (!viewer->sees_everything && sees_no_other_users(m, *viewer));
}

/* Marks the record types that PrivateData hid from the capturing user, as far as the snapshot shows which types were
 * hidden. */
static int hide_private_types(struct fsi_import *imp)
{
	const char *caller = fsi_name_text(imp->m, imp->m->head.captured_by);
	struct fsi_viewer viewer;
	int rc = 0;

	fsi_viewer_init(&viewer, imp->m, *caller ? caller : NULL);
	if (is_tree_partial(imp->m, &viewer))
		rc = fsi_import_hide_type(imp, "association");
	if (!rc && viewer.private_jobs && !viewer.sees_everything)
		rc = fsi_import_hide_type(imp, "job");
	return rc;
}

/* Marks the record types that are incomplete in a capture made for one table (fs_import_options.asked), or in a partial
 * capture. */
static int hide_partial_types(struct fsi_import *imp, enum fs_import_asked asked)
{
	static const char *const types[] = { "association", "job",  "qos",	   "partition", "node",
					     "user",	    "reservation", "tres", NULL };
	static const char *const inputs[] = { FSI_HIDDEN_JOB_FIELDS, FSI_HIDDEN_PRIORITY_INPUTS, NULL };
	const int rc = fsi_import_hide_types(imp, asked == FS_IMPORT_SHARES ? types + 1 : types);

	return !rc && asked == FS_IMPORT_PRIORITIES ? fsi_import_hide_types(imp, inputs) : rc;
}

/* Checks that a capture made for one table (fs_import_options.asked) has all records that this table needs. Returns
 * FS_EUSAGE if, with the cluster's settings, the table needs more records than were captured. Returns FS_ENODATA if
 * PrivateData may have hidden records. */
static int check_asked_table(struct fsi_import *imp)
{
	const struct fsi_config_entry *private = fsi_config_find(imp->m, "PrivateData");

	if (!imp->asked_table)
		return 0;
	if (!imp->m->config.n || !fsi_slurm_is_multifactor(imp->m) ||
	    (imp->asked_table == FS_IMPORT_SHARES ? fsi_slurm_is_classic(imp->m)
						  : fsi_config_list_has(imp->m, "PriorityFlags", "CALCULATE_RUNNING")))
		return fsi_fail_with_code(imp->err, FS_EUSAGE,
					  "%s: records that the cluster's settings require are missing from the capture",
					  imp->source->name);
	return private && private->i
		       ? fsi_fail_with_code(imp->err, FS_ENODATA, "%s: PrivateData may hide some of the requested records",
					    imp->source->name)
		       : 0;
}

static int read_slurm_files(struct fsi_import *imp, const struct fs_import_options *options)
{
	int rc = fsi_import_read_lines(imp, "caller", fsi_import_read_caller, &imp->m->head);

	imp->zone = options->noffsets ? options->offsets : NULL;
	imp->nzone = options->noffsets;
	imp->asked_table = options->asked;
	rc = rc > 0 ? 0 : rc;
	FSI_CALL_UNTIL_ERROR(rc, struct fsi_import *, imp, read_slurm_clock, read_slurm_config, set_default_header,
			     check_asked_table, fsi_slurm_read_accounting, fsi_slurm_read_assoc_mgr,
			     fsi_slurm_read_machine, fsi_slurm_read_jobs, fsi_outputs_check, fsi_slurm_check_node_count,
			     fsi_slurm_drop_unlisted_jobs, fsi_slurm_read_sacct, fsi_slurm_read_sshare,
			     fsi_slurm_read_sshare_json, fsi_slurm_read_sprio, fsi_slurm_infer_tried_qos);
	if (!rc)
		rc = fsi_slurm_read_exact_usage(imp, options);
	if (!rc)
		rc = fsi_import_warn_zone(imp);
	if (!rc && (options->partial || imp->asked_table))
		rc = hide_partial_types(imp, imp->asked_table);
	if (!rc)
		rc = hide_private_types(imp);
	return rc || options->partial || imp->asked_table ? rc : fsi_slurm_check_consistency(imp);
}

/* Removes the setting from the configuration. Returns false if there is no such setting. */
static bool drop_setting(fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);
	const size_t i = e ? (size_t)(e - m->config.v) : 0;

	if (!e)
		return false;
	memmove(&m->config.v[i], &m->config.v[i + 1], (m->config.n - i - 1) * sizeof(*m->config.v));
	m->config.n--;
	return true;
}

/* Drops each setting whose value makes it impossible to compute priorities, with a warning. */
static int drop_unusable_settings(struct fsi_import *imp)
{
	struct fsi_slurm_conf conf;
	struct fs_error err;
	int rc = 0;

	while (!rc && fsi_slurm_conf_load(imp->m, &conf, &err) == FS_EDATA && drop_setting(imp->m, err.field))
		rc = fsi_import_warn_incomplete(imp, "config", "%s: %s is ignored: %s", imp->source->name, err.field,
						err.message);
	return rc;
}

int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err)
{
	struct fsi_import imp = {
		.m = fsi_model_create(source->name), .source = source, .err = err, .outputs = &fsi_slurm_outputs
	};
	struct fs_import_options o;
	int rc;

	imp.checks = calloc(fsi_slurm_outputs.n, sizeof(*imp.checks));
	if (!imp.m || !imp.checks) {
		free(imp.checks);
		fs_snapshot_free(imp.m);
		return fsi_fail_no_memory(err);
	}
	rc = read_slurm_files(&imp, FSI_OPTIONS(o, options));
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	FSI_CALL_UNTIL_ERROR(rc, struct fsi_import *, &imp, drop_unusable_settings, fsi_import_list_sources);
	free(imp.checks);
	return fsi_import_finish(&imp, rc, out);
}
