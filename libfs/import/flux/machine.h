/* What is gathered of Flux's machine before there are records of it. */
#ifndef FSI_IMPORT_FLUX_MACHINE_H
#define FSI_IMPORT_FLUX_MACHINE_H

#include "import/flux/flux.h"

enum { FSI_FLUX_FREE = 1, FSI_FLUX_BUSY = 2, FSI_FLUX_DOWN = 4, FSI_FLUX_DRAINED = 8 };

struct fsi_flux_node {
	uint32_t name, rank, cores, gpus, group; /* group: the queues that the list prints with it, 0 none */
	bool known;			       /* are cores and GPUs known? */
	unsigned state;
	FSI_VEC(uint32_t) property;
};

/* A line of the list, which tells of all nodes of a group together. */
struct fsi_flux_sum {
	uint32_t group;
	uint64_t cores, gpus;
	bool known; /* are the cores known? */
};

struct fsi_flux_need {
	uint32_t queue, property; /* property 0: the queue requires none */
};

struct fsi_flux_machine {
	struct fsi_flux_import *f;
	FSI_VEC(struct fsi_flux_node) node;
	FSI_VEC(struct fsi_flux_sum) sum;
	FSI_VEC(struct fsi_flux_need) need;
	FSI_VEC(uint32_t) rank; /* scratch: the ranks of a set */
	struct fsi_flux_names by_name;
	bool from_r, states, drained;
	bool has_queue, has_properties, has_cores, has_gpus; /* columns that the list has */
	uint32_t next;					     /* scratch: node of the next host */
	unsigned state;					     /* scratch: the states that the line at hand tells */
	uint32_t group;
};

/* The first child of a list or object that may be missing. */
static inline const struct fsi_json *fsi_flux_first(const struct fsi_json *v)
{
	return v ? fsi_json_first(v) : NULL;
}

static inline const char *fsi_flux_text(const struct fsi_json *v)
{
	return v ? fsi_json_string(v) : NULL;
}

#endif
