/* Reads the priorities that sprio printed, and stores them in the table `recorded`. Also sets values that no other file
 * has: the time of the last priority calculation, site factors, and priorities set by an administrator. */
#include "base/num.h"
#include "import/outputs.h"
#include "import/slurm/slurm.h"
#include "import/consistency.h"
#include "model/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slurm stores the site factor and the nice value with NICE_OFFSET added. sprio subtracts NICE_OFFSET. zeroed_offset is
 * what sprio prints if the stored number is 0. Slurm 22.05 prints zeroed_offset as the site factor of a job in several
 * partitions whose priority was set by an administrator. */
static const double zeroed_offset = -2147483648.0;

/* Number of fields in a line. SPRIO_FIELDS_OLD: without the fields %o (account) and %n (QOS). SPRIO_FIELDS_NEW: with
 * these two fields. The fields are the columns of sprio.txt in the table of outputs. */
enum { SPRIO_FIELDS_OLD = 21, SPRIO_FIELDS_NEW = 23 };
/* Indices of fields: %n, and %y, the normalized priority, which every row has. */
enum { SPRIO_FIELD_QOS = 11, SPRIO_FIELD_NORMALISED = 15 };

/* State of the reader of sprio.txt. */
struct sprio_reader {
	const struct fsi_column *columns;
	struct fsi_id_index index;
	struct fsi_request_settings requests;
	struct fsi_calculation_time last_calculation;
	/* ids of the jobs that were made from rows of sprio (FS_IMPORT_PRIORITIES), in the order of their first rows */
	struct fsi_intern made_jobs;
	FSI_VEC(size_t) rows_per_job; /* indexed by row of a job in made_jobs: number of the job's rows in sprio */
	size_t incomplete_rows; /* number of rows with a blank required field */
	uint64_t first_incomplete; /* line number of the first incomplete row */
};

/* Splits the line into 23 fields. A line with 21 fields lacks %o and %n, which are then {NULL, 0}. Returns -1 for any
 * other number of fields. */
static int split_sprio_fields(const struct fsi_column *columns, struct fsi_span line,
			      struct fsi_span field[SPRIO_FIELDS_NEW])
{
	struct fsi_span cell[SPRIO_FIELDS_NEW];
	int n = 0, k = 0;

	while (n < SPRIO_FIELDS_NEW && fsi_span_cut_part(&line, '|', &cell[n]))
		n++;
	if (line.s || (n != SPRIO_FIELDS_OLD && n != SPRIO_FIELDS_NEW))
		return -1;
	for (int i = 0; i < SPRIO_FIELDS_NEW; i++) {
		const bool missing = n == SPRIO_FIELDS_OLD && columns[i].since;

		field[i] = missing ? (struct fsi_span){ NULL, 0 } : fsi_span_trim_blanks(cell[k++]);
	}
	return 0;
}

/* Returns true if an administrator set the priority. All factors are then zero, and sprio shows one of two signs.
 * Either the "normalized" priority is at least 1, because it was not divided by 2^32 - 1 (print.c:
 * _print_job_priority_normalized). Or sprio prints -2147483648 (zeroed_offset) as the site factor and as the nice
 * value. */
static bool is_priority_admin_set(const struct fsi_recorded *r, double shown_y)
{
	if (!FSI_HAS(r, RECORDED, age) || !FSI_HAS(r, RECORDED, fairshare) || !FSI_HAS(r, RECORDED, jobsize))
		return false;
	if (r->age != 0 || r->assoc != 0 || r->fairshare != 0 || r->jobsize != 0 || r->qos_points != 0)
		return false;
	return shown_y >= 1 || (r->site == zeroed_offset && r->nice == zeroed_offset);
}

/* Writes the partitions of the job's earlier rows to `list`, in the order in which the scheduler tries them. Returns
 * the number of partitions. */
static size_t copy_known_order(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_recorded *r,
			       size_t requested, uint32_t list[FSI_ROW_PARTITIONS_MAX])
{
	size_t n;
	const uint32_t *known = fsi_list_items(m, fsi_job_ext(m, job)->row_order, &n);

	for (size_t i = 0; i < n; i++)
		list[i] = known[i];
	if (requested < 2 && !n && r > m->recorded.v && r[-1].job == r->job)
		list[n++] = r[-1].partition;
	return n;
}

/* Appends the row's partition to row_order, the job's partitions in the order in which the scheduler tries them. The
 * job's rows in sprio have this order. `Partition=` of scontrol may have another order: the list begins with the
 * partition in which the scheduler last tried the job. For a running job, scontrol shows only one partition, but sprio
 * has a row for each of the job's partitions. Returns -1 if out of memory. */
static int append_row_partition(fs_snapshot *m, struct fsi_job *job, const struct fsi_recorded *r)
{
	uint32_t list[FSI_ROW_PARTITIONS_MAX];
	size_t n, requested;
	struct fsi_job_ext *ext;

	fsi_list_items(m, job->partitions, &requested);
	n = copy_known_order(m, job, r, requested, list);
	if (requested < 2 && !n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (list[i] == r->partition)
			return 0;
	if (n >= (requested < 2 ? FSI_ROW_PARTITIONS_MAX : requested) || requested > FSI_ROW_PARTITIONS_MAX)
		return 0;
	list[n++] = r->partition;
	ext = fsi_job_ext_writable(m, job);
	if (!ext)
		return -1;
	ext->row_order = fsi_intern_add(&m->sets, list, n * sizeof(*list));
	if (n >= requested)
		FSI_SET(job, JOB, row_order);
	return ext->row_order == FSI_INTERN_FAILED ? -1 : 0;
}

/* Returns true if the job ID, the partition or a numeric field of the row is blank. Other fields may be blank. */
static bool lacks_required_field(const struct fsi_column *columns, const struct fsi_span f[SPRIO_FIELDS_NEW])
{
	for (int i = 0; i < SPRIO_FIELDS_NEW; i++)
		if (columns[i].need == FSI_NEED_VALUE && f[i].s && !f[i].len)
			return true;
	return false;
}

/* Returns true if the job has several QOS and the row does not name its QOS. */
static bool lacks_qos_name(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_span f[SPRIO_FIELDS_NEW])
{
	size_t n;

	fsi_list_items(m, job->qos, &n);
	return n > 1 && f[SPRIO_FIELD_QOS].s && !f[SPRIO_FIELD_QOS].len;
}

/* Appends a name to an interned list unless the list has the name already. Returns -1 if out of memory. */
static int append_list_name(fs_snapshot *m, uint32_t *list, uint32_t name)
{
	size_t n;
	const uint32_t *have = fsi_list_items(m, *list, &n);

	for (size_t i = 0; i < n; i++)
		if (have[i] == name)
			return 0;
	return fsi_list_append_name(m, list, FSI_ROW_PARTITIONS_MAX + 1, name) < 0 ? -1 : 0;
}

/* Appends a pending job. sprio lists only pending jobs unless CALCULATE_RUNNING is set. Returns NULL if out of
 * memory. */
static struct fsi_job *make_pending_job(struct fsi_import *imp, struct sprio_reader *sp, const struct fsi_recorded *r)
{
	struct fsi_job *job;

	if (FSI_VEC_RESERVE(&sp->rows_per_job) || FSI_VEC_RESERVE(&imp->m->job))
		return NULL;
	sp->rows_per_job.v[sp->rows_per_job.n++] = 0;
	job = &imp->m->job.v[imp->m->job.n++];
	memset(job, 0, sizeof(*job));
	FSI_PUT(job, JOB, id, r->job);
	FSI_PUT(job, JOB, state, FSI_STATE_PENDING);
	return job;
}

/* Finds or makes the job of a row, for a capture that has only sprio (FS_IMPORT_PRIORITIES). Adds the partition and
 * the QOS of the row to the job. */
static int find_or_make_job(struct fsi_import *imp, struct sprio_reader *sp, const struct fsi_recorded *r,
			    const struct fsi_span f[SPRIO_FIELDS_NEW], uint32_t *row)
{
	const uint32_t before = sp->made_jobs.count ? sp->made_jobs.count : 1,
		       id = fsi_intern_add(&sp->made_jobs, &r->job, sizeof(r->job));
	struct fsi_job *job;
	int rc;

	if (id == FSI_INTERN_FAILED || (id == before && !make_pending_job(imp, sp, r)))
		return fsi_fail_no_memory(imp->err);
	*row = id - 1;
	sp->rows_per_job.v[*row]++;
	job = &imp->m->job.v[*row];
	rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, user, f[2]);
	if (!rc && f[3].s)
		rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, account, f[3]);
	if (rc)
		return rc;
	if (append_list_name(imp->m, &job->partitions, r->partition) ||
	    (FSI_HAS(r, RECORDED, qos) && append_list_name(imp->m, &job->qos, r->qos)))
		return fsi_fail_no_memory(imp->err);
	FSI_SET(job, JOB, partitions);
	if (FSI_HAS(r, RECORDED, qos))
		FSI_SET(job, JOB, qos);
	return 0;
}

/* Checks the jobs that were made from rows of sprio. Returns FS_EDATA if the number of rows of a job differs from its
 * number of partitions times its number of QOS. */
static int check_made_jobs(struct fsi_import *imp, const struct sprio_reader *sp)
{
	for (size_t i = 0; i < sp->rows_per_job.n; i++) {
		size_t parts, qoses;

		fsi_list_items(imp->m, imp->m->job.v[i].partitions, &parts);
		fsi_list_items(imp->m, imp->m->job.v[i].qos, &qoses);
		if (sp->rows_per_job.v[i] != parts * (qoses ? qoses : 1))
			return fsi_fail_with_code(imp->err, FS_EDATA,
						  "%s/sprio.txt: job %llu: expected one row for each partition and QOS of the job",
						  imp->source->name, (unsigned long long)imp->m->job.v[i].id);
	}
	return 0;
}

static int read_sprio_row(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_RECORDED);
	struct sprio_reader *sp = ctx;
	struct fsi_span f[SPRIO_FIELDS_NEW];
	struct fsi_recorded *r;
	struct fsi_job *job;
	double y = 0;
	uint32_t row;
	int rc = 0;

	if (!line.len)
		return 0;
	if (split_sprio_fields(sp->columns, line, f))
		return fsi_import_reject_value(imp, "sprio", line, "21 or 23 fields");
	r = FSI_VEC_ADD(&imp->m->recorded);
	if (!r)
		return fsi_fail_no_memory(imp->err);
	if (lacks_required_field(sp->columns, f) && !sp->incomplete_rows++)
		sp->first_incomplete = imp->where.line;
	for (int i = 0; i < SPRIO_FIELDS_NEW && !rc; i++)
		if (sp->columns[i].form != FSI_FORM_OWN)
			rc = fsi_import_set_field(imp, t, sp->columns[i].bit, &r->rec, f[i]);
	if (rc)
		return rc;
	row = fsi_id_index_find_row(&sp->index, r->job);
	if (imp->asked_table == FS_IMPORT_PRIORITIES)
		rc = find_or_make_job(imp, sp, r, f, &row);
	if (rc || row == FSI_NO_INDEX)
		return rc;
	job = &imp->m->job.v[row];
	if (lacks_qos_name(imp->m, job, f) && !sp->incomplete_rows++)
		sp->first_incomplete = imp->where.line;
	if (append_row_partition(imp->m, job, r))
		return fsi_fail_no_memory(imp->err);
	fsi_parse_double(f[SPRIO_FIELD_NORMALISED].s, f[SPRIO_FIELD_NORMALISED].len, &y);
	if (is_priority_admin_set(r, y)) {
		if (!(r->priority >= 0 && r->priority <= UINT32_MAX))
			return fsi_import_reject_value(imp, "priority", f[4], "a number from 0 to 4294967295");
		job->priority_set = FSI_HAS(job, JOB, priority) ? job->priority : (uint32_t)r->priority;
		FSI_SET(job, JOB, priority_set);
		return 0;
	}
	if (!(fabs(r->site) <= INT32_MAX))
		return fsi_import_reject_value(imp, "site", f[5], "a number from -2147483647 to 2147483647");
	if (FSI_HAS(r, RECORDED, site))
		FSI_PUT(job, JOB, site_factor, (int32_t)r->site);
	if (fsi_slurm_infer_job_size(imp->m, job, &sp->requests, r))
		return fsi_fail_no_memory(imp->err);
	return fsi_calculation_time_add_age(&sp->last_calculation, job, row, r) ? fsi_fail_no_memory(imp->err) : 0;
}

int fsi_slurm_read_sprio(struct fsi_import *imp)
{
	const struct fsi_config_entry *age = fsi_config_find(imp->m, "PriorityMaxAge");
	struct sprio_reader sp = { .columns = fsi_output_find(imp->outputs, "sprio.txt", NULL)->columns,
				   .last_calculation.max_age_s = age ? age->i : 0 };
	int rc;

	if (fsi_request_settings_init(&sp.requests, imp->m, &imp->m->arena) ||
	    fsi_id_index_init_jobs(&sp.index, imp->m))
		return fsi_fail_no_memory(imp->err);
	rc = fsi_import_read_lines(imp, "sprio.txt", read_sprio_row, &sp);
	if (!rc && sp.incomplete_rows)
		rc = fsi_import_warn_incomplete(imp, NULL,
						"%s/sprio.txt:%llu: required fields are blank (in total: %zu row%s)",
						imp->source->name, (unsigned long long)sp.first_incomplete,
						sp.incomplete_rows, sp.incomplete_rows == 1 ? "" : "s");
	if (rc >= 0)
		rc = check_made_jobs(imp, &sp);
	if (!rc)
		rc = fsi_calculation_time_choose(imp, &sp.last_calculation);
	free(sp.index.v);
	fsi_intern_release(&sp.made_jobs);
	FSI_VEC_FREE(&sp.rows_per_job);
	fsi_calculation_time_release(&sp.last_calculation);
	return rc;
}
