/* scontrol update NodeName= (src/slurmctld/node_mgr.c: update_node; who may: proc_req.c: _slurm_rpc_update_node). A
 * node that is drained keeps what runs on it; one that goes down would kill that, which is not made up here. */
#include "base/hostlist.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

enum { STATE_MAX = 128 };

struct nodes {
	struct fsi_scenario *s;
	size_t at; /* of the words behind the list */
	int rc;
};

/* Takes the flags of the list (NULL: every flag) off the state, and the marks that old versions put behind it. */
static void strip(char *state, const char *const *flags, size_t n)
{
	char kept[STATE_MAX] = "";
	char *rest = state, *word;
	size_t len;

	state[strcspn(state, "*~#!%$@^-")] = '\0';
	while ((len = strcspn(rest, "+")) || *rest) {
		bool drop = false;

		word = rest;
		rest += len + (rest[len] == '+');
		for (size_t i = 0; i < n; i++)
			drop = drop || (strlen(flags[i]) == len && !strncmp(word, flags[i], len));
		if (!drop && strlen(kept) + len + 2 < sizeof(kept)) {
			if (*kept)
				strcat(kept, "+");
			strncat(kept, word, len);
		}
	}
	strcpy(state, *kept ? kept : "IDLE");
}

static bool is_busy(const struct fsi_node *n)
{
	return FSI_HAS(n, NODE, alloc_cpus) && n->alloc_cpus > 0;
}

static int store(struct fsi_scenario *s, struct fsi_node *n, const char *state)
{
	const uint32_t name = fsi_name(s->m, state);

	if (name == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	n->state = name;
	FSI_SET(n, NODE, state);
	return 0;
}

static FSI_SETTER(set_state)
{
	static const char *const down[] = { "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL" },
			       *const drain[] = { "DRAIN", "DRAINED", "DRAINING" };
	struct fsi_node *n = (struct fsi_node *)rec;
	const char *word = v.text ? v.text : "";
	char state[STATE_MAX + sizeof("+DRAIN")];

	snprintf(state, STATE_MAX, "%s", fsi_str(s->m, n->state));
	if (fsi_same_any_case(word, strlen(word), "RESUME") || fsi_same_any_case(word, strlen(word), "IDLE")) {
		strip(state, down, sizeof(down) / sizeof(*down));
		return store(s, n, state);
	}
	if (fsi_same_any_case(word, strlen(word), "UNDRAIN") || fsi_same_any_case(word, strlen(word), "DRAIN")) {
		strip(state, drain, sizeof(drain) / sizeof(*drain));
		if (fsi_same_any_case(word, strlen(word), "DRAIN"))
			strcat(state, "+DRAIN");
		return store(s, n, state);
	}
	if (!fsi_same_any_case(word, strlen(word), "DOWN"))
		return fsi_scenario_refuse(s, "%s: expected DRAIN, UNDRAIN, RESUME, IDLE or DOWN, got \"%.60s\"", w->word, word);
	if (is_busy(n))
		return fsi_scenario_refuse(s, "jobs run on node %.60s, which State=DOWN would kill: give scancel of them first",
					   fsi_str(s->m, n->name));
	return store(s, n, "DOWN");
}

#define N(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

/* In the order in which scontrol looks for them. */
static const struct fsi_edit_word words[] = {
	N("NodeAddr", NULL, fsi_scenario_ignore, 5),
	N("NodeHostName", NULL, fsi_scenario_ignore, 5),
	N("ActiveFeatures", "features", NULL, 3),
	N("CertToken", NULL, fsi_scenario_ignore, 1),
	N("CpuBind", NULL, fsi_scenario_ignore, 7),
	N("Extra", NULL, fsi_scenario_ignore, 1),
	N("Features", "features", NULL, 1),
	N("AvailableFeatures", NULL, fsi_scenario_ignore, 3),
	N("Gres", NULL, fsi_scenario_unheeded, 1),
	N("InstanceId", NULL, fsi_scenario_ignore, 9),
	N("InstanceType", NULL, fsi_scenario_ignore, 9),
	N("Weight", "weight", NULL, 1),
	N("Comment", NULL, fsi_scenario_ignore, 2),
	N("Reason", NULL, fsi_scenario_ignore, 1),
	N("ResumeAfter", NULL, fsi_scenario_unheeded, 1),
	N("State", NULL, set_state, 1),
	N("Topology", NULL, fsi_scenario_unheeded, 4),
};

static int update_one(void *ctx, const char *name, size_t len)
{
	struct nodes *x = ctx;
	struct fsi_scenario *s = x->s;
	const uint32_t id = fsi_intern_find(&s->m->names, name, len);
	struct fsi_node *n = NULL;

	for (size_t i = 0; id && i < s->m->node.n; i++)
		n = s->m->node.v[i].name == id ? &s->m->node.v[i] : n;
	if (!n)
		x->rc = fsi_scenario_refuse(s, "there is no node \"%.*s\"", (int)(len < 60 ? len : 60), name);
	for (size_t at = x->at; at < s->n && !x->rc; at++) {
		const struct fsi_edit_word *w;
		struct fsi_operand v;

		x->rc = fsi_scenario_word(s, words, sizeof(words) / sizeof(*words), "scontrol update NodeName", s->word[at], &w, &v);
		if (!x->rc)
			x->rc = fsi_scenario_apply(s, FSI_RECORD_NODE, &n->rec, w, v);
	}
	return x->rc;
}

int fsi_slurm_update_nodes(struct fsi_scenario *s, const char *list, size_t at)
{
	struct nodes x = { .s = s, .at = at };
	const int64_t n = fsi_hostlist_count(list, s->m->node.n + 1);

	if (at == s->n)
		return fsi_scenario_refuse(s, "scontrol update NodeName: nothing to change is named");
	if (n <= 0 || (uint64_t)n > s->m->node.n)
		return fsi_scenario_refuse(s, "there are no nodes \"%.60s\"", list);
	fsi_scenario_note_who(s, FSI_ADMINISTRATOR, 0, 0, "nodes: ");
	fsi_slurm_forget_all_recorded(s);
	fsi_hostlist_each(list, (uint64_t)n, update_one, &x);
	return x.rc;
}
