#include "base/hostlist.h"
#include "base/num.h"
#include "base/text.h"
#include "import/outputs.h"
#include "import/slurm/slurm.h"
#include "model/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads switches, partitions, nodes and reservations (scontrol show). */

/* ---- switches (scontrol show topology, one per line)
 *
 * Each node record gets the names of the switches above the node, from the leaf switch upwards. */

/* A switch above a node. */
struct node_switch {
	uint32_t node;  /* node row */
	uint32_t level; /* level of the switch; 0: leaf */
	uint32_t name;  /* name id of the switch */
};

/* State of the reader of scontrol_topology.txt. */
struct topology_reader {
	struct fsi_import *imp;
	uint32_t *node_row;  /* indexed by name id: 1 + node row; 0: no node has this name */
	uint32_t name_count; /* largest index of node_row */
	FSI_VEC(struct node_switch) node_switches;
	struct node_switch current; /* the switch of the current line */
	bool out_of_memory;
};

static int append_node_switch(void *ctx, const char *name, size_t len)
{
	struct topology_reader *r = ctx;
	const uint32_t id = fsi_intern_find_id(&r->imp->m->names, name, len),
		       row = id && id <= r->name_count ? r->node_row[id] : 0;

	if (!row)
		return 0;
	if (FSI_VEC_RESERVE(&r->node_switches)) {
		r->out_of_memory = true;
		return 1;
	}
	r->current.node = row - 1;
	r->node_switches.v[r->node_switches.n++] = r->current;
	return 0;
}

/* Parses the level of a switch. A level is assumed to have one digit, because no cluster has a switch of level 10 or
 * higher. Returns 10 for any other text. */
static uint32_t parse_switch_level(struct fsi_span v)
{
	return v.len == 1 && v.s[0] >= '0' && v.s[0] <= '9' ? (uint32_t)(v.s[0] - '0') : 10;
}

static int read_switch_line(struct fsi_output_reader *in, void *ctx)
{
	struct topology_reader *r = ctx;
	struct fsi_import *imp = r->imp;
	const struct fsi_span name = fsi_output_get_value(in, "SwitchName"), nodes = fsi_output_get_value(in, "Nodes");
	char *list;
	int rc;

	if (!name.len || !nodes.len)
		return 0;
	r->current.level = parse_switch_level(fsi_output_get_value(in, "Level"));
	r->current.name = fsi_import_intern_name(imp, name);
	list = strndup(nodes.s, nodes.len);
	if (!list || r->current.name == FSI_INTERN_FAILED) {
		free(list);
		return fsi_fail_no_memory(imp->err);
	}
	rc = fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, append_node_switch, r);
	free(list);
	return r->out_of_memory ? fsi_fail_no_memory(imp->err)
	       : rc             ? fsi_import_reject_value(imp, "Nodes", nodes, "a node list")
				: 0;
}

/* Orders switches by node, then from the leaf switch upwards. */
static int compare_node_switches(const void *x, const void *y)
{
	const struct node_switch *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static int set_node_switches(struct topology_reader *r)
{
	struct fsi_import *imp = r->imp;
	uint32_t path[16], n = 0;

	if (r->node_switches.n)
		qsort(r->node_switches.v, r->node_switches.n, sizeof(*r->node_switches.v), compare_node_switches);
	for (size_t k = 0; k < r->node_switches.n; k++) {
		const struct node_switch *a = &r->node_switches.v[k];
		struct fsi_node *node = &imp->m->node.v[a->node];

		if (n < sizeof(path) / sizeof(*path))
			path[n++] = a->name;
		if (k + 1 < r->node_switches.n && a[1].node == a->node)
			continue;
		node->switches = fsi_intern_add(&imp->m->sets, path, n * sizeof(*path));
		if (node->switches == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(imp->err);
		FSI_SET(node, NODE, switches);
		n = 0;
	}
	return 0;
}

/* Sets the field `switches` of the nodes that have been read. */
static int read_switch_topology(struct fsi_import *imp)
{
	struct topology_reader r = { .imp = imp,
				     .node_row = calloc((size_t)imp->m->names.count + 1, sizeof(*r.node_row)) };
	int rc = r.node_row ? 0 : fsi_fail_no_memory(imp->err);

	for (uint32_t i = 0; !rc && i < imp->m->node.n; i++)
		r.node_row[imp->m->node.v[i].name] = i + 1;
	r.name_count = imp->m->names.count;
	if (!rc)
		rc = fsi_output_read(imp, fsi_output_find(imp->outputs, "scontrol_topology.txt", NULL), read_switch_line, &r);
	rc = rc > 0 ? 0 : rc;
	if (!rc)
		rc = set_node_switches(&r);
	FSI_VEC_FREE(&r.node_switches);
	free(r.node_row);
	return rc;
}

/* ---- partitions, nodes and reservations */

/* Reads JobDefaults: `DefCpuPerGPU=4,DefMemPerGPU=12000`. */
static int set_job_defaults(struct fsi_import *imp, struct fsi_partition *p, struct fsi_span list)
{
	struct fsi_job_defaults d;

	if (!list.len || fsi_span_is_word(list, "(null)"))
		return 0;
	if (fsi_slurm_parse_job_defaults(list.s, list.len, &d))
		return fsi_import_reject_value(imp, "JobDefaults", list, FSI_JOB_DEFAULTS);
	if ((p->cpus_per_gpu = d.cpus_per_gpu))
		FSI_SET(p, PARTITION, cpus_per_gpu);
	if ((p->mem_per_gpu_mb = d.mem_per_gpu_mb))
		FSI_SET(p, PARTITION, mem_per_gpu_mb);
	return 0;
}

static int read_partition(struct fsi_output_reader *r, void *ctx)
{
	struct fsi_partition *p;
	int rc;

	(void)ctx;
	if (!fsi_output_get_value(r, "PartitionName").len)
		return 0;
	p = FSI_VEC_ADD(&r->imp->m->partition);
	if (!p)
		return fsi_fail_no_memory(r->imp->err);
	rc = fsi_output_set_record(r, &p->rec);
	return rc ? rc : set_job_defaults(r->imp, p, fsi_output_get_value(r, "JobDefaults"));
}

/* Sets threads_per_core to 1 if the node has as many CPUs as cores. ThreadsPerCore of such a node has no effect
 * (src/common/node_conf.c: adapt_layouts, tpc). */
static void correct_threads_per_core(struct fsi_node *n)
{
	if (FSI_HAS(n, NODE, sockets) && FSI_HAS(n, NODE, cores_per_socket) &&
	    (uint64_t)n->sockets * n->cores_per_socket == n->cpus)
		n->threads_per_core = 1;
}

static int read_node(struct fsi_output_reader *r, void *ctx)
{
	struct fsi_node *n;
	int rc;

	(void)ctx;
	if (!fsi_output_get_value(r, "NodeName").len)
		return 0;
	n = FSI_VEC_ADD(&r->imp->m->node);
	if (!n)
		return fsi_fail_no_memory(r->imp->err);
	rc = fsi_output_set_record(r, &n->rec);
	if (!rc && FSI_HAS(n, NODE, threads_per_core))
		correct_threads_per_core(n);
	return rc;
}

/* State of the reader of scontrol_reservation.txt. A record begins with the line of ReservationName and ends at an
 * empty line. If the reservation has only some cores of its nodes, the record has a line for each node, in the order of
 * the nodes (src/api/reservation_info.c: slurm_print_reservation_info_msg). */
struct reservation_reader {
	struct fsi_output_reader in;
	bool in_record; /* a record has begun and not ended */
	/* list of numbers, separated by commas: the number of reserved cores of each node that was read so far */
	struct fsi_buf cores;
	uint64_t first_outside_line; /* line number of the first line with a key outside of any record; 0: none */
};

static int finish_reservation_record(struct fsi_import *imp, struct reservation_reader *x)
{
	const struct fsi_span cores = { x->cores.v, x->cores.n };

	if (x->in_record)
		fsi_output_end_record(&x->in);
	x->in_record = false;
	x->cores.n = 0;
	return cores.len ? FSI_IMPORT_SET_FIELD(imp, RESERVATION, &imp->m->reservation.v[imp->m->reservation.n - 1],
						cores, cores)
			 : 0;
}

/* Appends to x->cores the number of core ids in `ids`, such as 5 for the ids of "NodeName=n1 CoreIDs=0-3,8". */
static int append_core_count(struct fsi_import *imp, struct reservation_reader *x, struct fsi_span ids)
{
	char text[24];
	const int n = snprintf(text, sizeof(text), "%s%" PRIu64, x->cores.n ? "," : "", fsi_slurm_count_ids(ids));

	return fsi_buf_append_bytes(&x->cores, text, (size_t)n) ? fsi_fail_no_memory(imp->err) : 0;
}

static int read_reservation_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reservation_reader *x = ctx;
	struct fsi_span ids;

	fsi_output_split_line(&x->in, line);
	if (fsi_output_get_value(&x->in, "ReservationName").len) {
		if (finish_reservation_record(imp, x))
			return -1;
		if (!FSI_VEC_ADD(&imp->m->reservation))
			return fsi_fail_no_memory(imp->err);
		x->in_record = true;
	}
	if (!fsi_span_trim_blanks(line).len && finish_reservation_record(imp, x))
		return -1;
	ids = fsi_output_get_value(&x->in, "CoreIDs");
	if (x->in_record && ids.len)
		return append_core_count(imp, x, ids);
	if (x->in_record) {
		fsi_output_note_keys(&x->in);
		return fsi_output_set_fields(&x->in, &imp->m->reservation.v[imp->m->reservation.n - 1].rec, 0,
					     x->in.output->ncolumns);
	}
	if (!x->first_outside_line && memchr(line.s, '=', line.len))
		x->first_outside_line = imp->where.line;
	return 0;
}

static int read_reservations(struct fsi_import *imp)
{
	const struct fsi_output *o = fsi_output_find(imp->outputs, "scontrol_reservation.txt", NULL);
	struct reservation_reader *x = calloc(1, sizeof(*x));
	int rc;

	if (!x)
		return fsi_fail_no_memory(imp->err);
	fsi_output_init_reader(&x->in, imp, o);
	rc = fsi_import_read_lines(imp, o->capture.file, read_reservation_line, x);
	if (rc > 0)
		rc = fsi_import_hide_type(imp, o->hides);
	if (finish_reservation_record(imp, x) && !rc)
		rc = -1;
	if (!rc)
		rc = fsi_output_warn_keys(imp, o);
	if (!rc && x->first_outside_line)
		rc = fsi_import_warn_incomplete(imp, o->hides, "%s/%s:%llu: no ReservationName precedes this line",
						imp->source->name, o->capture.file,
						(unsigned long long)x->first_outside_line);
	free(x->cores.v);
	free(x);
	return rc;
}

int fsi_slurm_read_machine(struct fsi_import *imp)
{
	const struct fsi_outputs *o = imp->outputs;
	int rc = fsi_output_read_or_hide(imp, fsi_output_find(o, "scontrol_partition_o.txt", NULL), read_partition, NULL);

	if (!rc)
		rc = fsi_output_read_or_hide(imp, fsi_output_find(o, "scontrol_node_o.txt", NULL), read_node, NULL);
	if (!rc)
		rc = read_switch_topology(imp);
	return rc ? rc : read_reservations(imp);
}
