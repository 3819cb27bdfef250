/* The number of each job's association, from squeue -O. */
#include "base/num.h"
#include "import/rejoin.h"
#include "import/slurm/details.h"

struct squeue {
	const struct fsi_id_index *index;
	size_t at; /* column of ASSOC_ID, 0 until the header is seen */
	size_t odd; /* rows without a number in it */
};

/* Columns of squeue -O have fixed widths and run into each other when full: position counts. */
static int squeue_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct squeue *q = ctx;
	struct fsi_span id, cell;
	uint64_t job, assoc;
	uint32_t row;

	if (imp->where.line == 1) {
		q->at = fsi_squeue_column(line, "ASSOC_ID").at;
		return 0;
	}
	cell = line;
	if (!q->at || !fsi_span_cut(&cell, ' ', &id) || fsi_parse_u64(id.s, id.len, &job))
		return 0;
	if (line.len <= q->at) {
		q->odd++;
		return 0;
	}
	line.s += q->at;
	line.len -= q->at;
	fsi_span_cut(&line, ' ', &cell);
	row = fsi_index_find(q->index, job);
	if (fsi_parse_u64(cell.s, cell.len, &assoc) || assoc > UINT32_MAX) {
		q->odd++;
		return 0;
	}
	if (row == FSI_NO_INDEX)
		return 0;
	imp->m->job.v[row].association = (uint32_t)assoc;
	FSI_SET(&imp->m->job.v[row], JOB, association);
	return 0;
}

int fsi_slurm_squeue(struct fsi_import *imp, const struct fsi_id_index *index)
{
	struct squeue q = { .index = index };
	const int rc = fsi_import_squeue_rows(imp, squeue_line, &q);

	if (rc || !q.odd)
		return rc;
	return fsi_import_incomplete(imp, NULL, "%s/squeue_O.txt: %zu row%s without the number of an association",
				     imp->source->name, q.odd, q.odd == 1 ? "" : "s");
}
