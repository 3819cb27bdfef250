/* The older form of limits, of whoever has none of his own: MAXJOBPERUSERCOUNT is the hard limit of USERCFG[DEFAULT],
 * SMAXJOBPERUSERCOUNT the soft one, and with MAXJOBPERUSERPOLICY OFF the first is none
 * (src/MSched.c:MSchedProcessOConfig). Maui takes its parameters by name, one after the other, so that OFF undoes the
 * first and not the second. What is called PROC of groups and accounts limits nodes there (src/MConst.c:MCfg). */
#include "import/maui/cfg.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT, POLICY, SOFT_COUNT, STEPS };

/* A limit by its name between MAX and COUNT. */
struct old_limit {
	const char *name;
	enum fs_cred_kind kind;
	size_t hard, soft; /* offsets in the credential */
	unsigned bit, soft_bit;
};

#define OLD(name, kind, m) \
	{ name, FS_CRED_##kind, offsetof(struct fsi_credential, m), offsetof(struct fsi_credential, m##_soft), \
	  FSI_CREDENTIAL_##m, FSI_CREDENTIAL_##m##_soft }

static const struct old_limit limits[] = {
	OLD("JOBPERUSER", USER, max_job),
	OLD("NODEPERUSER", USER, max_node),
	OLD("PROCPERUSER", USER, max_proc),
	OLD("PROCSECONDPERUSER", USER, max_ps),
	OLD("JOBQUEUEDPERUSER", USER, max_idle_job),
	OLD("JOBPERGROUP", GROUP, max_job),
	OLD("PROCPERGROUP", GROUP, max_node),
	OLD("PROCSECONDPERGROUP", GROUP, max_ps),
	OLD("JOBQUEUEDPERGROUP", GROUP, max_idle_job),
	OLD("JOBPERACCOUNT", ACCT, max_job),
	OLD("PROCPERACCOUNT", ACCT, max_node),
	OLD("PROCSECONDPERACCOUNT", ACCT, max_ps),
	OLD("JOBQUEUEDPERACCOUNT", ACCT, max_idle_job),
};

static int32_t *at(struct fsi_credential *cr, size_t offset)
{
	return (int32_t *)(void *)((char *)cr + offset);
}

static void put(struct fsi_credential *cr, size_t offset, unsigned bit, int32_t v)
{
	*at(cr, offset) = v;
	fsi_mark_known(&cr->rec, bit);
}

static int set(struct fsi_maui_config *c, const struct old_limit *l, int step, const char *s)
{
	struct fsi_credential *cr = fsi_maui_credential(c->x, l->kind, fsi_span_of("DEFAULT"));
	const int32_t v = (int32_t)strtol(s, NULL, 0);

	if (!cr)
		return fsi_nomem(c->x->imp->err);
	if (step == POLICY) {
		if (!fsi_cfg_is_true(s)) {
			put(cr, l->hard, l->bit, 0);
			put(cr, l->soft, l->soft_bit, 0);
		}
	} else if (v != -1 && (v || *s == '0')) {
		put(cr, step == COUNT ? l->hard : l->soft, step == COUNT ? l->bit : l->soft_bit, v);
	}
	return 0;
}

/* One of the two alone is both, and a hard limit is no less than the soft one (src/MConfig.c:
 * MCfgEnforceConstraints). */
static int complete(struct fsi_maui_config *c, const struct old_limit *l)
{
	struct fsi_credential *cr = fsi_maui_credential(c->x, l->kind, fsi_span_of("DEFAULT"));

	if (!cr)
		return fsi_nomem(c->x->imp->err);
	if (*at(cr, l->hard) != 0 && *at(cr, l->soft) == 0)
		put(cr, l->soft, l->soft_bit, *at(cr, l->hard));
	else if (*at(cr, l->soft) > 0 && *at(cr, l->hard) < *at(cr, l->soft))
		put(cr, l->hard, l->bit, *at(cr, l->soft));
	return 0;
}

/* Sets what lines of that step's name say. */
static int take_step(struct fsi_maui_config *c, const struct old_limit *l, int step)
{
	static const struct {
		const char *before, *behind;
	} forms[STEPS] = { { "MAX", "COUNT" }, { "MAX", "POLICY" }, { "SMAX", "COUNT" } };
	char name[40], value[40];
	int rc = 0;

	snprintf(name, sizeof(name), "%s%s%s", forms[step].before, l->name, forms[step].behind);
	for (size_t k = 0; k < c->cfg.line.n && !rc; k++) {
		const struct fsi_cfg_line *line = &c->cfg.line.v[k];

		if (!line->indented && fsi_cfg_is(line->name, name))
			rc = set(c, l, step, fsi_cfg_text(fsi_cfg_first_word(line->value), value, sizeof(value)));
	}
	return rc;
}

int fsi_maui_old_limits(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && !rc; i++) {
		for (int step = 0; step < STEPS && !rc; step++)
			rc = take_step(c, &limits[i], step);
		rc = rc ? rc : complete(c, &limits[i]);
	}
	return rc;
}
