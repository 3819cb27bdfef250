#include "base/num.h"
#include "import/outputs.h"
#include "import/slurm/slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads TRES, QOS, users and associations from the accounting database (sacctmgr -P). Reads usage from the controller
 * (scontrol show assoc_mgr), or takes the usage from the caller. */

static int read_tres_row(struct fsi_output_reader *r, void *ctx)
{
	const struct fsi_span type = fsi_output_get_value(r, "Type"), name = fsi_output_get_value(r, "Name");
	struct fsi_tres *t = FSI_VEC_ADD(&r->imp->m->tres);
	char full[256];
	int rc;

	(void)ctx;
	if (!t)
		return fsi_fail_no_memory(r->imp->err);
	if (type.len + name.len + 2 > sizeof(full))
		return fsi_import_reject_value(r->imp, "Name", name, "a shorter name");
	if (type.len)
		memcpy(full, type.s, type.len);
	if (name.len) {
		full[type.len] = '/';
		memcpy(full + type.len + 1, name.s, name.len);
	}
	rc = FSI_IMPORT_SET_FIELD(r->imp, TRES, t, name,
				  ((struct fsi_span){ full, type.len + name.len + (name.len > 0) }));
	return rc ? rc : fsi_output_set_record(r, &t->rec);
}

static int read_qos_row(struct fsi_output_reader *r, void *ctx)
{
	struct fsi_qos *q = FSI_VEC_ADD(&r->imp->m->qos);

	(void)ctx;
	return q ? fsi_output_set_record(r, &q->rec) : fsi_fail_no_memory(r->imp->err);
}

/* Sets the run-minute limits of a QOS from a row of sacctmgr_qos.txt. sacctmgr_qos_all.txt may lack these limits: older
 * versions of sacctmgr list these limits only if the command requests them by name. */
static int read_run_minutes_row(struct fsi_output_reader *r, void *ctx)
{
	const uint32_t name = fsi_import_intern_name(r->imp, fsi_output_get_value(r, "Name"));
	int rc = name == FSI_INTERN_FAILED ? fsi_fail_no_memory(r->imp->err) : 0;

	(void)ctx;
	for (size_t i = 0; !rc && i < r->imp->m->qos.n; i++) {
		struct fsi_qos *q = &r->imp->m->qos.v[i];

		if (q->name != name)
			continue;
		rc = FSI_IMPORT_SET_FIELD(r->imp, QOS, q, max_tres_run_min_per_user,
					  fsi_output_get_value(r, "MaxTRESRunMinsPU"));
		if (!rc)
			rc = FSI_IMPORT_SET_FIELD(r->imp, QOS, q, max_tres_run_min_per_account,
						  fsi_output_get_value(r, "MaxTRESRunMinsPA"));
	}
	return rc;
}

static int read_user_row(struct fsi_output_reader *r, void *ctx)
{
	const struct fsi_span admin = fsi_output_get_value(r, "Admin");
	const char *word = fsi_span_is_word(admin, "administrator") ? "administrator"
			   : fsi_span_is_word(admin, "operator")    ? "operator"
								    : "none";
	struct fsi_user *u = FSI_VEC_ADD(&r->imp->m->user);
	int rc;

	(void)ctx;
	if (!u)
		return fsi_fail_no_memory(r->imp->err);
	rc = admin.s ? FSI_IMPORT_SET_FIELD(r->imp, USER, u, admin, (fsi_string_to_span(word))) : 0;
	return rc ? rc : fsi_output_set_record(r, &u->rec);
}

/* Appends the association in a row of sacctmgr. Skips rows of other clusters. */
static int read_association_row(struct fsi_output_reader *r, void *ctx)
{
	fs_snapshot *m = r->imp->m;
	const struct fsi_span cluster = fsi_output_get_value(r, "Cluster");
	struct fsi_association *a;
	int rc;

	(void)ctx;
	if (m->head.cluster && cluster.len && !fsi_span_is_word(cluster, fsi_name_text(m, m->head.cluster)))
		return 0;
	a = FSI_VEC_ADD(&m->association);
	if (!a)
		return fsi_fail_no_memory(r->imp->err);
	rc = fsi_output_set_record(r, &a->rec);
	/* Some versions of sacctmgr print a user's account again as the parent of the association. A priority that
	 * sacctmgr does not print is 0. */
	if (a->user) {
		a->parent = 0;
		FSI_UNSET(a, ASSOCIATION, parent);
	}
	FSI_SET(a, ASSOCIATION, priority);
	return rc;
}

static int read_qos_tables(struct fsi_import *imp)
{
	const struct fsi_output *other = fsi_output_find(imp->outputs, "sacctmgr_qos.txt", NULL);
	int rc = fsi_output_read(imp, fsi_output_find(imp->outputs, "sacctmgr_qos_all.txt", NULL), read_qos_row, NULL);

	rc = rc > 0 ? fsi_output_read_or_hide(imp, other, read_qos_row, NULL)
	     : rc   ? rc
		    : fsi_output_read(imp, other, read_run_minutes_row, NULL);
	return rc > 0 ? 0 : rc;
}

/* Makes the TRES records from AccountingStorageTRES, for a capture without a file of TRES. Built-in TRES have the same
 * ids everywhere (slurm/slurmdb.h: tres_types_t). The ids of the other TRES are unknown. These TRES get invented ids,
 * so that model/finish.c sorts them by name after the built-in TRES. */
static int make_config_tres(struct fsi_import *imp)
{
	static const char *const built_in[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages" };
	enum { BUILT_IN_COUNT = sizeof(built_in) / sizeof(*built_in), FIRST_ADDED_ID = 1001 };
	const struct fsi_config_entry *e = fsi_config_find(imp->m, "AccountingStorageTRES");
	size_t n = 0;
	const uint32_t *names = e && e->kind == FSI_CONFIG_LIST ? fsi_list_items(imp->m, (uint32_t)e->i, &n) : NULL;

	for (size_t i = 0; i < n; i++) {
		struct fsi_tres *t;
		uint32_t id = 0;

		while (id < BUILT_IN_COUNT && strcmp(built_in[id], fsi_name_text(imp->m, names[i])) != 0)
			id++;
		t = FSI_VEC_ADD(&imp->m->tres);
		if (!t)
			return fsi_fail_no_memory(imp->err);
		FSI_PUT(t, TRES, id, id < BUILT_IN_COUNT ? id + 1 : FIRST_ADDED_ID + (uint32_t)i);
		FSI_PUT(t, TRES, name, names[i]);
	}
	return 0;
}

int fsi_slurm_read_accounting(struct fsi_import *imp)
{
	const struct fsi_outputs *o = imp->outputs;
	int rc = imp->asked_table ? make_config_tres(imp)
				  : fsi_output_read_or_hide(imp, fsi_output_find(o, "sacctmgr_tres.txt", NULL),
							    read_tres_row, NULL);

	if (!rc)
		rc = read_qos_tables(imp);
	if (!rc)
		rc = fsi_output_read_or_hide(imp, fsi_output_find(o, "sacctmgr_user.txt", NULL), read_user_row, NULL);
	if (!rc)
		rc = fsi_output_read(imp, fsi_output_find(o, "sacctmgr_assoc.txt", NULL), read_association_row, NULL);
	return rc > 0 ? 0 : rc;
}

/* ---- usage of each association without its children: exact values, or computed from the printed usage of subtrees */

/* The usage of an account may exceed the sum of its children's usage. The difference is the usage of deleted users, who
 * have no association. If the difference is within the rounding error of the printed numbers, 0 is stored. */
int fsi_slurm_set_own_usage(struct fsi_import *imp, const double *shown, double error, const char *source)
{
	fs_snapshot *m = imp->m;
	const size_t n = m->association.n, names = (size_t)m->names.count + 1;
	double *children_usage = calloc(n + 1, sizeof(*children_usage));
	uint32_t *child_count = calloc(n + names, sizeof(*child_count)), *row_of = child_count + n;

	if (!children_usage || !child_count) {
		free(children_usage);
		free(child_count);
		return fsi_fail_no_memory(imp->err);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!m->association.v[i].user)
			row_of[m->association.v[i].account] = i + 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t name = a->user ? a->account : a->parent, p = name ? row_of[name] : 0;

		if (p) {
			children_usage[p - 1] += shown[i];
			child_count[p - 1]++;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_association *a = &m->association.v[i];
		const double own_usage = shown[i] - children_usage[i];
		const double rounding_error = error * (child_count[i] + 1) + 1e-9 * fabs(shown[i]);

		if (isnan(own_usage))
			continue;
		FSI_PUT(a, ASSOCIATION, usage_tres_s, a->user || own_usage > rounding_error ? own_usage : 0);
	}
	free(children_usage);
	free(child_count);
	m->head.usage_source = fsi_name_intern(m, source);
	FSI_SET(&m->head, SNAPSHOT, usage_source);
	return m->head.usage_source == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

/* Reads usage by TRES, as `1=2.999921,2=2999.92`: TRES id and seconds. */
static int parse_exact_tres(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	struct fsi_real_amount amounts[128];
	struct fsi_span item, id;
	size_t n = 0;

	while (fsi_span_cut_part(&v, ',', &item)) {
		struct fsi_real_amount *a = &amounts[n];
		uint64_t number;

		if (!item.len)
			continue;
		*a = (struct fsi_real_amount){ 0 };
		if (n == 127 || !fsi_span_cut_part(&item, '=', &id) || !item.s ||
		    fsi_parse_u64(id.s, id.len, &number) || fsi_parse_double(item.s, item.len, &a->n) || a->n < 0)
			return fsi_import_reject_value(imp, "usage_by_tres_s", id,
						       "TRES_ID=SECONDS (at most 127 items)");
		for (size_t i = 0; i < imp->m->tres.n; i++)
			if (imp->m->tres.v[i].id == number)
				a->tres = imp->m->tres.v[i].name;
		for (size_t i = 0; i < n; i++)
			if (amounts[i].tres == a->tres)
				return fsi_import_reject_value(imp, "usage_by_tres_s", id, "each TRES once");
		n += a->tres != 0;
	}
	*set = fsi_intern_add(&imp->m->sets, amounts, n * sizeof(*amounts));
	return *set == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

/* Reads a line `association id|usage[|usage by TRES[|wall seconds]]`. Sets *with_tres if the line has the third
 * column. */
static int read_exact_line(struct fsi_import *imp, const struct fsi_id_index *index, struct fsi_span line,
			   bool *with_tres)
{
	struct fsi_span id, usage = { "", 0 }, tres = { NULL, 0 }, wall = { NULL, 0 };
	struct fsi_association *a;
	uint64_t number;
	uint32_t row;
	double v;

	if (!line.len || *line.s == '#')
		return 0;
	fsi_span_cut_part(&line, '|', &id);
	if (fsi_parse_u64(id.s, id.len, &number))
		return fsi_import_reject_value(imp, "id", id, "an association id");
	if (!fsi_span_cut_part(&line, '|', &usage) || fsi_parse_double(usage.s, usage.len, &v) || v < 0)
		return fsi_import_reject_value(imp, "usage", usage, "a number of at least 0");
	*with_tres = fsi_span_cut_part(&line, '|', &tres) || *with_tres;
	fsi_span_cut_part(&line, '|', &wall);
	row = fsi_id_index_find_row(index, number);
	if (row == FSI_NO_INDEX)
		return 0;
	a = &imp->m->association.v[row];
	a->usage_tres_s = v;
	if (wall.len && !fsi_parse_double(wall.s, wall.len, &a->usage_wall_s) && a->usage_wall_s >= 0)
		FSI_SET(a, ASSOCIATION, usage_wall_s);
	return parse_exact_tres(imp, tres, &a->usage_by_tres_s);
}

int fsi_slurm_read_exact_usage(struct fsi_import *imp, const struct fs_import_options *o)
{
	struct fsi_id_index index = { 0 };
	struct fsi_lines lines;
	struct fsi_span line;
	bool with_tres = false;
	char *s;
	int rc;

	if (!o || !o->exact_usage)
		return 0;
	if (fsi_id_index_init_associations(&index, imp->m))
		return fsi_fail_no_memory(imp->err);
	/* if the file has no line for an association, the association has no usage */
	for (size_t i = 0; i < imp->m->association.n; i++) {
		struct fsi_association *a = &imp->m->association.v[i];

		FSI_PUT(a, ASSOCIATION, usage_tres_s, 0);
	}
	fsi_lines_init_reader(&lines, o->exact_usage, o->exact_usage_ctx, o->exact_usage_name);
	while ((rc = fsi_lines_read_next(&lines, &s, &line.len, imp->err)) > 0) {
		imp->where = lines.where;
		line.s = s;
		rc = read_exact_line(imp, &index, line, &with_tres);
		if (rc)
			break;
	}
	fsi_lines_release(&lines);
	free(index.v);
	for (size_t i = 0; with_tres && i < imp->m->association.n; i++)
		FSI_SET(&imp->m->association.v[i], ASSOCIATION, usage_by_tres_s);
	imp->m->head.usage_source = fsi_name_intern(imp->m, "exact");
	FSI_SET(&imp->m->head, SNAPSHOT, usage_source);
	return rc;
}

/* ---- scontrol -o show assoc_mgr: user ids, usage of associations and QOS
 *
 * Associations and QOS with their limits are also read from this output if sacctmgr did not list them. Usage has two
 * decimals, TRES minutes are integers. */

/* State of the reader of scontrol_assoc_mgr_o.txt. The reader reads the file twice: read_record_line reads records,
 * then read_usage_line reads usage. */
struct assoc_mgr_reader {
	struct fsi_output_reader users, qos, associations; /* readers of the three types of records */
	bool reads_qos; /* sacctmgr listed no QOS, so the QOS are read from this file */
	/* associations that sacctmgr_assoc.txt lists; other associations are made from scontrol_assoc_mgr_o.txt */
	struct fsi_id_index listed_ids;
	struct fsi_id_index index; /* maps the id of each association to its row */
	/* indexed by association row: usage that the file shows for the association's subtree, TRES seconds; NAN: not
	 * shown */
	double *shown;
	bool has_usage; /* the file shows the usage of at least one association */
};

/* Sets the user id of a user from a line UserName=name(id). If no file listed this user, appends the user. */
static int set_user_record(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	struct fsi_user read = { .name = 0 }, *u = NULL;
	int rc = fsi_output_set_record(&am->users, &read.rec);

	for (size_t i = 0; !rc && i < imp->m->user.n; i++)
		if (imp->m->user.v[i].name == read.name)
			u = &imp->m->user.v[i];
	if (!rc && !u) {
		u = FSI_VEC_ADD(&imp->m->user);
		if (!u)
			return fsi_fail_no_memory(imp->err);
		FSI_PUT(u, USER, name, read.name);
	}
	/* NO_VAL instead of a user id: the user has no Unix account */
	if (!rc && FSI_HAS(&read, USER, uid) && read.uid != 4294967294u)
		FSI_PUT(u, USER, uid, read.uid);
	return rc;
}

/* ---- records */

static int append_association_record(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	struct fsi_span shares = fsi_output_get_value(&am->associations, "SharesRaw/Norm/Level/Factor"), part;
	struct fsi_association *a = FSI_VEC_ADD(&imp->m->association);
	int rc;

	if (!a)
		return fsi_fail_no_memory(imp->err);
	rc = fsi_output_set_fields(&am->associations, &a->rec, FSI_ASSOC_MGR_USAGE, am->associations.output->ncolumns);
	if (a->user) {
		a->parent = 0;
		FSI_UNSET(a, ASSOCIATION, parent);
	}
	if (!rc && fsi_span_cut_part(&shares, '/', &part)) {
		if (fsi_span_is_word(part, "2147483647")) /* value of SLURMDB_FS_USE_PARENT */
			part = fsi_string_to_span("parent");
		rc = FSI_IMPORT_SET_FIELD(imp, ASSOCIATION, a, shares, part);
	}
	return rc ? rc : fsi_import_check_required(imp, FSI_RECORD_ASSOCIATION, &a->rec);
}

static int append_qos_record(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	struct fsi_qos *q = FSI_VEC_ADD(&imp->m->qos);
	int rc;

	if (!q)
		return fsi_fail_no_memory(imp->err);
	rc = fsi_output_set_fields(&am->qos, &q->rec, FSI_ASSOC_MGR_USAGE, am->qos.output->ncolumns);
	return rc ? rc : fsi_import_check_required(imp, FSI_RECORD_QOS, &q->rec);
}

static int init_usage_maps(struct assoc_mgr_reader *am, const fs_snapshot *m)
{
	am->shown = malloc((m->association.n + 1) * sizeof(*am->shown));
	if (!am->shown || fsi_id_index_init_associations(&am->index, m))
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++)
		am->shown[i] = NAN;
	return 0;
}

/* Reads the usage of an association. Stores the usage of its subtree in am->shown. */
static int read_association_usage(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	struct fsi_span usage = fsi_output_get_value(&am->associations, "UsageRaw/Norm/Efctv"), part,
			id = fsi_output_get_value(&am->associations, "ID");
	struct fsi_association *a;
	uint64_t n;
	uint32_t row;

	row = fsi_parse_u64(id.s, id.len, &n) ? FSI_NO_INDEX : fsi_id_index_find_row(&am->index, n);
	if (row == FSI_NO_INDEX)
		return 0;
	a = &imp->m->association.v[row];
	if (fsi_span_cut_part(&usage, '/', &part) && part.len) {
		double *shown = &am->shown[row];

		if (fsi_parse_double(part.s, part.len, shown) || *shown < 0)
			return fsi_import_reject_value(imp, "UsageRaw", part, "a number of at least 0");
		am->has_usage = true;
	}
	return fsi_output_set_fields(&am->associations, &a->rec, 0, FSI_ASSOC_MGR_USAGE);
}

static int read_qos_usage(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	struct fsi_span name = fsi_output_get_value(&am->qos, "QOS"), part;
	int rc = 0;

	fsi_span_cut_part(&name, '(', &part);
	for (size_t i = 0; !rc && i < imp->m->qos.n; i++)
		if (fsi_span_equals(part, fsi_string_to_span(fsi_name_text(imp->m, imp->m->qos.v[i].name))))
			rc = fsi_output_set_fields(&am->qos, &imp->m->qos.v[i].rec, 0, FSI_ASSOC_MGR_USAGE);
	return rc;
}

/* Returns true if sacctmgr listed the association of the line. sacctmgr may list fewer associations than the controller
 * shows, because slurmdbd has a PrivateData of its own. */
static bool is_association_listed(struct assoc_mgr_reader *am)
{
	const struct fsi_span id = fsi_output_get_value(&am->associations, "ID");
	uint64_t n;

	return !fsi_parse_u64(id.s, id.len, &n) && fsi_id_index_find_row(&am->listed_ids, n) != FSI_NO_INDEX;
}

/* Line callback of the first reading of scontrol_assoc_mgr_o.txt: sets user ids, and appends the users, QOS and
 * associations that sacctmgr did not list. */
static int read_record_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct assoc_mgr_reader *am = ctx;

	if (fsi_span_starts_with(line, am->users.output->text)) {
		fsi_output_split_line(&am->users, line);
		return set_user_record(imp, am);
	}
	if (am->reads_qos && fsi_span_starts_with(line, am->qos.output->text)) {
		fsi_output_split_line(&am->qos, line);
		return append_qos_record(imp, am);
	}
	if (!fsi_span_starts_with(line, am->associations.output->text))
		return 0;
	fsi_output_split_line(&am->associations, line);
	return is_association_listed(am) ? 0 : append_association_record(imp, am);
}

/* Line callback of the second reading of scontrol_assoc_mgr_o.txt: sets the usage of associations and QOS. */
static int read_usage_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct assoc_mgr_reader *am = ctx;

	if (fsi_span_starts_with(line, am->qos.output->text)) {
		fsi_output_split_line(&am->qos, line);
		return read_qos_usage(imp, am);
	}
	if (!fsi_span_starts_with(line, am->associations.output->text))
		return 0;
	fsi_output_split_line(&am->associations, line);
	return read_association_usage(imp, am);
}

static int read_assoc_mgr_file(struct fsi_import *imp, struct assoc_mgr_reader *am)
{
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	int rc;

	am->reads_qos = !imp->m->qos.n;
	fsi_output_init_reader(&am->users, imp, fsi_output_find(imp->outputs, file, "user"));
	fsi_output_init_reader(&am->qos, imp, fsi_output_find(imp->outputs, file, "qos"));
	fsi_output_init_reader(&am->associations, imp, fsi_output_find(imp->outputs, file, "association"));
	if (fsi_id_index_init_associations(&am->listed_ids, imp->m))
		return fsi_fail_no_memory(imp->err);
	rc = fsi_import_read_lines(imp, file, read_record_line, am);
	if (!rc && init_usage_maps(am, imp->m))
		return fsi_fail_no_memory(imp->err);
	if (!rc)
		rc = fsi_import_read_lines(imp, file, read_usage_line, am);
	if (!rc && am->has_usage)
		rc = fsi_slurm_set_own_usage(imp, am->shown, 0.005, "assoc_mgr");
	return rc > 0 ? 0 : rc;
}

int fsi_slurm_read_assoc_mgr(struct fsi_import *imp)
{
	struct assoc_mgr_reader *am = calloc(1, sizeof(*am));
	int rc;

	if (!am)
		return fsi_fail_no_memory(imp->err);
	rc = read_assoc_mgr_file(imp, am);
	free(am->listed_ids.v);
	free(am->index.v);
	free(am->shown);
	free(am);
	return rc;
}
