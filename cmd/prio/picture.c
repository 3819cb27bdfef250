/* fs-prio --svg: the factors of a queue as bars. */
#include "prio/prio.h"

#include "picture/bars.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BARS = 60, NAME = 80 };

struct picture {
	struct bars_row *row;
	char (*name)[NAME];
	struct fs_prio_term *terms; /* of all rows: those of a row are there until the next one is asked for */
	size_t n;
};

static int gather(struct picture *x, const struct prio_run *r)
{
	const size_t terms = fs_prios_terms(r->prios), n = r->n < MAX_BARS ? r->n : MAX_BARS;
	struct fs_prio_row row;
	char id[FS_JOB_ID_TEXT];

	x->row = calloc(n + 1, sizeof(*x->row));
	x->name = calloc(n + 1, sizeof(*x->name));
	x->terms = calloc(n * terms + 1, sizeof(*x->terms));
	if (!x->row || !x->name || !x->terms)
		return -1;
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		snprintf(x->name[i], NAME, "%s %s %s", fs_job_id_format(r->snapshot, row.job, false, id), row.user, row.partition);
		memcpy(x->terms + i * terms, row.terms, terms * sizeof(*x->terms));
		x->row[i] = (struct bars_row){ .name = x->name[i], .terms = x->terms + i * terms,
					       .n = row.direct ? 0 : terms, .priority = row.priority, .marked = true };
	}
	x->n = n;
	return 0;
}

int prio_picture(const struct prio_run *r)
{
	struct picture x = { 0 };
	struct markup v = { .state = r->snapshot };
	int status;

	if (!r->n) {
		complain(r->inv, "--svg: there is no job to draw");
		return EXIT_NOTHING;
	}
	if (gather(&x, r)) {
		status = no_memory(r->inv);
	} else {
		bars_draw(&v, x.row, x.n, false);
		status = markup_save(r->inv, &v, r->svg);
	}
	if (!status && r->n > x.n)
		complain(r->inv, "--svg: the first %zu of %zu rows", x.n, r->n);
	free(x.row);
	free(x.name);
	free(x.terms);
	return status;
}
