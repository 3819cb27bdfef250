/* The job-size factor, and the CPUs of which one that was printed is made
 * (src/plugins/priority/multifactor/priority_multifactor.c: set_priority_factors).
 * With C and N CPUs and nodes of the cluster, c and n of the job:
 *   by_time  max(n C/N, c) / limit in minutes / C; small: 1 - that
 *   small    mean of (N - n)/N and (C - c)/C
 *   else     mean of n/N and c/C
 * without the CPU half when c is 0, and clamped to 0..1. */
#ifndef FSI_MODEL_JOB_SIZE_H
#define FSI_MODEL_JOB_SIZE_H

#include "model/model.h"

struct fsi_job_size {
	double nodes, of_nodes, cpus, of_cpus, minutes; /* NAN unknown */
	bool by_time, small; /* SMALL_RELATIVE_TO_TIME, PriorityFavorSmall */
};

double fsi_job_size_factor(const struct fsi_job_size *s);

/* The whole number of CPUs (whatever s->cpus is) that gives the factor, 0: none. It has seven digits, which of a
 * cluster of less than five million CPUs tell them all apart. */
double fsi_job_size_cpus(const struct fsi_job_size *s, double factor);

/* The fewest nodes, at most s->nodes, that give the factor; 0: none do. */
double fsi_job_size_nodes(const struct fsi_job_size *s, double factor);

/* Nodes and CPUs of the cluster, NAN unknown. */
void fsi_job_size_of_cluster(const fs_snapshot *m, struct fsi_job_size *s);

#endif
