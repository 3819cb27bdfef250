/* What each node of a job must have, of the words of a trace (src/moab/MTrace.c: MTraceLoadWorkload): an architecture
 * and an operating system, "[NONE]" for any, and memory, of which 0 asks for nothing. With JOBNODEMATCHPOLICY EXACTPROC
 * as many processors as it takes tasks of a node. */
#include "import/maui/maui.h"

#include <stdio.h>
#include <string.h>

enum { NEEDS = 4 };

struct needs {
	uint32_t name[NEEDS];
	size_t n;
	bool failed;
};

static void add(struct fsi_import *imp, struct needs *s, const char *what, struct fsi_span compares,
		struct fsi_span value)
{
	char text[200];
	const int len =
		snprintf(text, sizeof(text), "%s%.*s%.*s", what, (int)compares.len, compares.s, (int)value.len, value.s);

	if (len < 0 || (size_t)len >= sizeof(text))
		return;
	s->name[s->n] = fsi_import_name(imp, fsi_span_of(text));
	s->failed = s->failed || s->name[s->n] == FSI_INTERN_FAILED;
	s->n++;
}

static bool names_one(struct fsi_span v)
{
	return v.len && *v.s != '[';
}

int fsi_maui_needs(struct fsi_import *imp, struct fsi_job *job, const struct fsi_maui_needs *v)
{
	const char *match = fs_snapshot_config_text(imp->m, "JOBNODEMATCHPOLICY");
	struct needs s = { .n = 0 };
	char cpus[24];
	uint32_t set;

	if (v->per_node >= 1 && match && strstr(match, "EXACTPROC")) {
		snprintf(cpus, sizeof(cpus), "%lld", (long long)v->per_node);
		add(imp, &s, "cpu", fsi_span_of("=="), fsi_span_of(cpus));
	}
	if (v->mem.len && !fsi_span_is(v->mem, "0") && !fsi_span_is(v->compares, "NC"))
		add(imp, &s, "mem", v->compares, v->mem);
	if (names_one(v->opsys))
		add(imp, &s, "opsys", fsi_span_of("=="), v->opsys);
	if (names_one(v->arch))
		add(imp, &s, "arch", fsi_span_of("=="), v->arch);
	set = s.n && !s.failed ? fsi_intern(&imp->m->sets, s.name, s.n * sizeof(*s.name)) : 0;
	if (s.failed || set == FSI_INTERN_FAILED || (set && FSI_SET_RARE(imp->m, job, node_needs, set)))
		return fsi_nomem(imp->err);
	return 0;
}
