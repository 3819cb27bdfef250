/* Data about the nodes and queues of a Flux instance, collected from several commands before the records are made. The
 * struct is owned by fsi_flux_read_machine. */
#ifndef FSI_IMPORT_FLUX_MACHINE_H
#define FSI_IMPORT_FLUX_MACHINE_H

#include "import/flux/flux.h"

/* Bits of the state of a node. */
enum { FSI_FLUX_FREE = 1, FSI_FLUX_BUSY = 2, FSI_FLUX_DOWN = 4, FSI_FLUX_DRAINED = 8 };

struct fsi_flux_node {
	/* group: name ID of the queues that flux resource list prints for the node; 0: none */
	uint32_t name, rank, cores, gpus, group;
	bool known_amounts;			       /* the numbers of cores and GPUs are known */
	unsigned state;
	FSI_VEC(uint32_t) property;
};

/* Totals in a line of flux resource list. A line describes all nodes of one state in a group. */
struct fsi_flux_group_total {
	uint32_t group;
	uint64_t cores, gpus;
	bool known_amounts; /* the number of cores is known */
};

/* A property that a queue requires of its nodes (flux config get). */
struct fsi_flux_queue_requirement {
	uint32_t queue, property; /* name IDs; property 0: the queue requires none */
};

struct fsi_flux_machine {
	struct fsi_flux_import *f;
	FSI_VEC(struct fsi_flux_node) node;
	FSI_VEC(struct fsi_flux_group_total) group_total;
	FSI_VEC(struct fsi_flux_queue_requirement) requirement;
	FSI_VEC(uint32_t) rank; /* temporary: the ranks of a set */
	struct fsi_flux_name_rows by_name;
	/* nodes are from flux resource R; list and status have the column NODELIST */
	bool has_r, has_list, has_status;
	bool has_queue, has_properties, has_cores, has_gpus; /* columns of flux resource list */
	uint32_t next_node; /* temporary: index of the node that gets the next host name */
	unsigned state;					     /* temporary: bits for the nodes of the current line */
	/* temporary: group of the current line */
	uint32_t group;
};

/* Returns the first child of a list or object; NULL if v is NULL or empty. */
static inline const struct fsi_json *fsi_flux_first_child(const struct fsi_json *v)
{
	return v ? fsi_json_first_child(v) : NULL;
}

/* Returns the text of a string; NULL if v is NULL or not a string. */
static inline const char *fsi_flux_string_value(const struct fsi_json *v)
{
	return v ? fsi_json_get_string(v) : NULL;
}

#endif
