/* Where the cores of a running job of Flux are. */
#include "base/sort.h"
#include "import/flux/flux.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads "[1-2,5]" or "3" as ranges; returns what stands behind, NULL if it is no such text. */
static const char *read_set(const char *s, uint64_t set[][2], size_t *n, size_t max)
{
	const bool many = *s == '[';
	char *end;

	*n = 0;
	s += many;
	while (*n < max) {
		set[*n][0] = set[*n][1] = strtoull(s, &end, 10);
		if (end == s)
			return NULL;
		s = end;
		if (many && *s == '-') {
			set[*n][1] = strtoull(s + 1, &end, 10);
			s = end;
		}
		(*n)++;
		if (!many || *s != ',')
			break;
		s++;
	}
	if (many && *s != ']')
		return NULL;
	return s + many;
}

static uint64_t size_of(uint64_t set[][2], size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += set[i][1] >= set[i][0] ? set[i][1] - set[i][0] + 1 : 0;
	return all;
}

enum { NODES_TOLD = 512 };

/* Reads cores by rank, "rank[1-2]/core7 rank3/core[6-7],gpu0"; returns the number of ranks, 0 if it cannot be read. */
static size_t read_summary(const char *s, uint64_t (*of)[2])
{
	uint64_t ranks[64][2], cores[256][2];
	size_t nranks, ncores, n = 0;

	while (*s) {
		if (strncmp(s, "rank", 4) != 0 || !(s = read_set(s + 4, ranks, &nranks, 64)) || strncmp(s, "/core", 5) != 0 ||
		    !(s = read_set(s + 5, cores, &ncores, 256)))
			return 0;
		for (size_t i = 0; i < nranks; i++)
			for (uint64_t r = ranks[i][0]; r <= ranks[i][1]; r++) {
				if (n == NODES_TOLD)
					return 0;
				of[n][0] = r;
				of[n++][1] = size_of(cores, ncores);
			}
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return n;
}

/* sched-simple says where a job's cores are (Rv1Set.py: dumps); hosts stand in the order of ranks. */
int fsi_flux_cores(struct fsi_flux_import *f, const struct fsi_json *v, struct fsi_job *job)
{
	const struct fsi_json *said = fsi_json_member(fsi_json_member(fsi_json_member(v, "annotations"), "sched"), "resource_summary");
	uint64_t of[NODES_TOLD][2];
	char text[NODES_TOLD * 8];
	const size_t n = said && fsi_json_string(said) ? read_summary(fsi_json_string(said), of) : 0;
	size_t len = 0;
	bool alike = true;

	if (n < 2 || job->state == FSI_STATE_PENDING || n != job->nodes)
		return 0;
	qsort(of, n, sizeof(*of), fsi_rising_u64);
	for (size_t i = 0; i < n; i++) {
		alike = alike && of[i][1] == of[0][1];
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%" PRIu64, i ? "," : "", of[i][1]);
		if (len >= sizeof(text))
			return 0;
	}
	if (alike)
		return 0;
	return FSI_IMPORT_SET(&f->imp, JOB, job, node_cores, ((struct fsi_span){ text, len }));
}
