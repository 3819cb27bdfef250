/* `flux config get`: what a queue requires of its nodes (RFC 33), and how Fluxion queues jobs; `flux module list`. */
#include "import/flux/machine.h"

static int add_need(struct fsi_flux_machine *x, uint32_t queue, uint32_t property)
{
	if (queue == FSI_INTERN_FAILED || property == FSI_INTERN_FAILED || FSI_VEC_ROOM(&x->need))
		return fsi_nomem(x->f->imp.err);
	x->need.v[x->need.n++] = (struct fsi_flux_need){ queue, property };
	return 0;
}

static int read_queue(struct fsi_flux_machine *x, const struct fsi_json *queue)
{
	fs_snapshot *m = x->f->imp.m;
	const uint32_t name = fsi_name(m, fsi_json_key(queue));
	const struct fsi_json *v = fsi_flux_first(fsi_json_member(queue, "requires"));
	int rc = 0;

	if (!v)
		return add_need(x, name, 0);
	for (; v && !rc; v = fsi_json_next(v))
		if (fsi_json_string(v))
			rc = add_need(x, name, fsi_name(m, fsi_json_string(v)));
	return rc;
}

static int put_text(struct fsi_flux_machine *x, const char *name, const char *text)
{
	fs_snapshot *m = x->f->imp.m;
	const struct fsi_config_entry e = { .name = fsi_name(m, name),
					    .kind = FSI_CONFIG_STR,
					    .i = fsi_name(m, text) };

	if (e.name == FSI_INTERN_FAILED || e.i == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return fsi_nomem(x->f->imp.err);
	m->config.v[m->config.n++] = e;
	return 0;
}

static int put_number(struct fsi_flux_machine *x, const char *name, const struct fsi_json *v)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_config_entry e = { .name = fsi_name(m, name), .kind = FSI_CONFIG_INT };

	if (!v || fsi_json_type(v) != FSI_JNUMBER || fsi_json_i64(v, &e.i))
		return 0;
	if (e.name == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return fsi_nomem(x->f->imp.err);
	m->config.v[m->config.n++] = e;
	return 0;
}

/* Reads the tables of Fluxion's modules (flux-config-sched-fluxion-qmanager(5), ...-resource(5)). */
static int read_config(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *q = fsi_json_member(v, "sched-fluxion-qmanager");
	const struct fsi_json *params = fsi_json_member(q, "queue-params"), *policy = fsi_json_member(q, "policy-params");
	const char *name = fsi_flux_text(fsi_json_member(q, "queue-policy"));
	const char *match = fsi_flux_text(fsi_json_member(fsi_json_member(v, "sched-fluxion-resource"), "match-policy"));
	int rc = 0;

	if (depth)
		return 0;
	x->f->imp.where = where;
	for (const struct fsi_json *e = fsi_flux_first(fsi_json_member(v, "queues")); e && !rc; e = fsi_json_next(e))
		rc = read_queue(x, e);
	if (!rc && name)
		rc = put_text(x, "fluxion_queue_policy", name);
	if (!rc && match)
		rc = put_text(x, "fluxion_match_policy", match);
	if (!rc)
		rc = put_number(x, "fluxion_queue_depth", fsi_json_member(params, "queue-depth"));
	if (!rc)
		rc = put_number(x, "fluxion_reservation_depth", fsi_json_member(policy, "reservation-depth"));
	return rc;
}

/* Finds the module that gives jobs their nodes in a line of `flux module list`: "sched-fluxion-qmanager  1234 ...". */
static int module_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word;
	static const char *const known[] = { "sched-simple", "sched-fifo", "sched-backfill", "sched-fluxion-qmanager" };

	line = fsi_span_trim(line);
	fsi_span_cut(&line, ' ', &word);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (fsi_span_is(word, known[i]) && !fsi_config_find(imp->m, "flux_scheduler"))
			return put_text(x, "flux_scheduler", known[i]);
	return 0;
}

int fsi_flux_read_config(struct fsi_flux_machine *x)
{
	static const char *const none[] = { NULL };
	const struct fsi_json_split config = { none, NULL, read_config, x };
	const int rc = fsi_import_json(&x->f->imp, "flux_config_get.json", &config);

	return rc < 0 ? rc : fsi_import_lines(&x->f->imp, "flux_module_list.txt", module_line, x);
}
