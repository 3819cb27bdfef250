/* maui.cfg: what Maui knows and what it does not, parameters, credentials. */
#include "import/maui/cfg.h"

#include "base/num.h"

#include <string.h>

/* Parameters that Maui accepts and then never looks at. */
static const struct {
	const char *name, *why;
} ignored[] = {
	{ "FSENFORCEMENT", "no code reads it" },
	{ "FSCONFIGFILE", "no code reads it" },
	{ "UPROCWEIGHT", "it never enters a priority" },
	{ "UJOBWEIGHT", "it never enters a priority" },
	{ "QUEUETIMETARGETWEIGHT", "it never enters a priority" },
	{ "XFACTORTARGETWEIGHT", "it never enters a priority" },
	{ "USAGEEXECUTIONTIMEWEIGHT", "it never enters a priority" },
};

static int warn_unknown_line(struct fsi_maui_config *c, const struct fsi_cfg_line *l)
{
	const bool listed = l->name.len > 3 && !memcmp(l->name.s + l->name.len - 3, "CFG", 3);
	char name[80];

	fsi_cfg_set_location(c, l);
	fsi_cfg_text(l->name, name, sizeof(name));
	if (!fsi_maui_known_parameter(l->name))
		return fsi_maui_warn(c->x, name, "unknown parameter \"%s\" skipped", name);
	if (l->indented && !listed)
		return fsi_maui_warn(c->x, NULL, "%s is indented: Maui does not see it", name);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		if (!strcmp(ignored[i].name, name))
			return fsi_maui_warn(c->x, name, "%s has no effect: %s", name, ignored[i].why);
	return 0;
}

/* Takes what only the import itself looks at. SERVERMODE is NORMAL where it is not set (src/moab/MSys.c:
 * MSysSetDefaults); then the parameters of simulations do nothing. */
static int take_simulation(struct fsi_maui_config *c)
{
	size_t of_simulations = 0;
	bool by_time = false, shifted = false;

	for (size_t i = 0; i < c->cfg.line.n; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];
		const struct fsi_span word = fsi_cfg_first_word(l->value);
		uint64_t n;

		if (l->indented)
			continue;
		if (fsi_cfg_is(l->name, "SERVERMODE"))
			c->x->simulation = fsi_cfg_is(word, "SIMULATION");
		if (fsi_cfg_is(l->name, "SIMINITIALQUEUEDEPTH") &&
		    !fsi_parse_u64(word.s, word.len, &n) && n < UINT32_MAX)
			c->x->queue_depth = (uint32_t)n;
		if (fsi_cfg_is(l->name, "SIMJOBSUBMISSIONPOLICY"))
			by_time = fsi_cfg_is(word, "NORMAL");
		if (fsi_cfg_is(l->name, "SIMTIMEPOLICY"))
			shifted = fsi_cfg_is(word, "REAL");
		if (l->name.len > 5 && !memcmp(l->name.s, "SIMWC", 5))
			c->x->other_runs = true;
		of_simulations += l->name.len > 3 && !memcmp(l->name.s, "SIM", 3);
	}
	c->x->submits = c->x->simulation && c->x->queue_depth && by_time && !shifted;
	c->x->imp->where = (struct fsi_where){ 0 };
	return of_simulations && !c->x->simulation
		       ? fsi_import_incomplete(c->x->imp, NULL,
					       "%s/maui.cfg: it sets %zu parameter%s of a simulation, but SERVERMODE is not SIMULATION: the server is taken for a real one",
					       c->x->imp->source->name, of_simulations, of_simulations == 1 ? "" : "s")
		       : 0;
}

int fsi_maui_config(struct fsi_maui_import *x)
{
	struct fsi_maui_config c = { .x = x };
	int rc = fsi_cfg_read(x, &c.cfg);

	for (size_t i = 0; i < c.cfg.line.n && !rc; i++)
		rc = warn_unknown_line(&c, &c.cfg.line.v[i]);
	if (!rc)
		rc = fsi_maui_parameters(&c);
	if (!rc)
		rc = fsi_maui_credentials(&c);
	if (!rc)
		rc = fsi_maui_node_settings(&c);
	if (!rc)
		rc = take_simulation(&c);
	x->imp->where = (struct fsi_where){ 0 };
	fsi_cfg_release(&c.cfg);
	return rc;
}
