/* What maui.cfg says of backfill and reservations, and what a plan of Maui assumes. */
#include "plan/maui/maui.h"

#include <string.h>

/* The parameter's word in upper case, as Maui compares it; "" where it is not set. */
static const char *word(const fs_snapshot *m, const char *name)
{
	const char *s = fs_snapshot_config_text(m, name);

	return s ? s : "";
}

const char *fsi_maui_policy(const fs_snapshot *m)
{
	return word(m, "BACKFILLPOLICY");
}

static size_t place_of(const char *s, const char *const *words, size_t n, size_t otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(s, words[i]))
			return i;
	return otherwise;
}

static enum fsi_line_order order_of(const fs_snapshot *m, bool *known)
{
	static const struct {
		const char *word;
		enum fsi_line_order order;
	} words[] = { { "", FSI_LINE_LAST },		      { "FIRSTAVAILABLE", FSI_LINE_FIRST },
		      { "LASTAVAILABLE", FSI_LINE_LAST },     { "MINRESOURCE", FSI_LINE_MIN_MEMORY },
		      { "PRIORITY", FSI_LINE_EQUALS }, { "FASTEST", FSI_LINE_EQUALS } };
	const char *policy = word(m, "NODEALLOCATIONPOLICY");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(policy, words[i].word)) {
			*known = true;
			return words[i].order;
		}
	*known = false;
	return FSI_LINE_LAST;
}

void fsi_maui_rules(const fs_snapshot *m, bool by_priority, struct fsi_maui_rules *r)
{
	static const char *const backfill[] = { "NONE", "FIRSTFIT", "BESTFIT", "GREEDY" };
	static const char *const reserve[] = { "HIGHEST", "CURRENTHIGHEST", "NEVER" };
	static const char *const metric[] = { "PROCS", "PROCSECONDS", "SECONDS" };
	static const char *const threshold[] = { "NONE", "BYPASS", "QUEUETIME", "XFACTOR" };
	static const char *const access[] = { "SHARED", "SINGLEJOB", "SINGLETASK", "SINGLEUSER" };
	static const char *const accrual[] = { "ALWAYS", "QUEUEPOLICY", "FULLPOLICY" };
	const size_t accrues = place_of(word(m, "JOBPRIOACCRUALPOLICY"), accrual, 3, 1);

	*r = (struct fsi_maui_rules){
		.backfill = by_priority ? FSI_BF_NONE
					: (enum fsi_maui_backfill)place_of(fsi_maui_policy(m), backfill, 4,
									   FSI_BF_FIRSTFIT),
		.reserve = (enum fsi_maui_reserve)place_of(word(m, "RESERVATIONPOLICY"), reserve, 3, FSI_RSV_CURRENT),
		.metric = (enum fsi_maui_metric)place_of(word(m, "BACKFILLMETRIC"), metric, 3, FSI_BFM_PROCS),
		.threshold = (enum fsi_maui_threshold)place_of(word(m, "RESERVATIONTHRESHOLDTYPE"), threshold, 4,
							       FSI_RSV_ANY),
		.threshold_value = fsi_config_int(m, "RESERVATIONTHRESHOLDVALUE", 0),
		.backfill_depth = fsi_config_int(m, "BACKFILLDEPTH", 0),
		.poll_s = fsi_config_int(m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S),
		.accrues = accrues > 0,
		.held_accrues = accrues > 1,
	};
	r->simulated = !strcmp(word(m, "SERVERMODE"), "SIMULATION");
	r->defer_s = r->simulated ? INT64_MAX : fsi_config_int(m, "DEFERTIME", 3600);
	r->order = order_of(m, &r->order_known);
	r->access = (enum fsi_maui_access)place_of(word(m, "NODEACCESSPOLICY"), access, 4, FSI_ACCESS_SHARED);
}

static const char *const backfill_words[] = {
	[FSI_BF_NONE] = "Nobody passes a job that cannot start (BACKFILLPOLICY NONE).",
	[FSI_BF_FIRSTFIT] = "Jobs that delay no reservation start by priority, those for short gaps first "
			    "(BACKFILLPOLICY FIRSTFIT).",
	[FSI_BF_BESTFIT] = "Of jobs that delay no reservation the largest starts first, in short gaps before "
			   "long ones (BACKFILLPOLICY BESTFIT).",
	[FSI_BF_GREEDY] = "BACKFILLPOLICY GREEDY starts nothing: this Maui looks through an empty list.",
};

static int backfill(struct fs_plan *p, const struct fsi_maui_rules *r)
{
	const bool any = r->backfill == FSI_BF_FIRSTFIT || r->backfill == FSI_BF_BESTFIT;

	if (fsi_plan_assume(p, "%s", backfill_words[r->backfill]))
		return -1;
	return any && r->backfill_depth > 0 &&
			       fsi_plan_assume(p, "In each gap the first %lld jobs that are no larger are looked at (BACKFILLDEPTH).",
					       (long long)r->backfill_depth)
		       ? -1
		       : 0;
}

static int bucket(struct fs_plan *p, unsigned i, const struct fsi_maui_bucket *b)
{
	const bool named = !fsi_maui_bucket_of_all(b);
	char parameter[40];

	fsi_maui_indexed(parameter, sizeof(parameter), "RESERVATIONDEPTH", i);
	return fsi_plan_assume(p, "Nodes are reserved for the first %lld jobs%s%s that cannot start (%s).",
			       (long long)(b->depth > 0 ? b->depth : 0), named ? " of QOS " : "", named ? b->qos : "", parameter);
}

static int reservations(struct fs_plan *p, const struct fsi_maui_rules *r)
{
	struct fsi_maui_bucket b[FSI_MAUI_BUCKETS];

	fsi_maui_buckets(p->c.m, b);
	if (r->backfill == FSI_BF_NONE)
		return 0;
	if (r->reserve == FSI_RSV_NEVER)
		return fsi_plan_assume(p, "No job has nodes reserved (RESERVATIONPOLICY NEVER).");
	for (unsigned i = 0; i < FSI_MAUI_BUCKETS; i++)
		if (b[i].depth && bucket(p, i, &b[i]))
			return -1;
	return fsi_plan_assume(p, "%s", r->reserve == FSI_RSV_HIGHEST ? "A job keeps its reservation (RESERVATIONPOLICY HIGHEST)."
								      : "Reservations are made anew in each iteration "
									"(RESERVATIONPOLICY CURRENTHIGHEST).");
}

/* Notes flags of QFLAGS that are known and left out. */
static int flags_left_out(struct fs_plan *p)
{
	static const char *const left_out[] = { "DEDICATED", "USERESERVED", "PREEMPTOR", "PREEMPTEE" };
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < m->credential.n; i++)
		for (size_t f = 0; f < sizeof(left_out) / sizeof(*left_out); f++)
			if (fsi_list_has(m, m->credential.v[i].flags, left_out[f]) &&
			    fsi_plan_assume(p, "QFLAGS %s of QOS %s is left out.", left_out[f],
					    fsi_str(m, m->credential.v[i].name)))
				return -1;
	return 0;
}

static bool any_simulated_run(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, simulated_run_s))
			return true;
	return false;
}

static int assume_reservations(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < m->reservation.n; i++)
		if (!FSI_HAS(&m->reservation.v[i], RESERVATION, admits_told) || !m->reservation.v[i].admits_told)
			return fsi_plan_assume(p, "Nodes of reservations are kept from all jobs where nothing tells whom they admit (diagnose -r).");
	return 0;
}

static int partitions(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_maui_partition(&m->node.v[i]))
			return fsi_plan_assume(p, "A job runs in one partition of nodes (NODECFG PARTITION), and may use all.");
	return 0;
}

static int nodes_shared(struct fs_plan *p, const struct fsi_maui_rules *r)
{
	static const char *const words[] = {
		[FSI_ACCESS_SINGLEJOB] = "A node is for one job at a time (NODEACCESSPOLICY SINGLEJOB).",
		[FSI_ACCESS_SINGLETASK] = "A node is for one job at a time: NODEACCESSPOLICY SINGLETASK packs a job's tasks all the same.",
		[FSI_ACCESS_SINGLEUSER] = "A node is for one user's jobs at a time (NODEACCESSPOLICY SINGLEUSER).",
	};

	return r->access == FSI_ACCESS_SHARED ? 0 : fsi_plan_assume(p, "%s", words[r->access]);
}

static int assume_waits(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;
	uint32_t n = 0, first = 0;

	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].unmodelled & FS_UNMODELLED_WAIT && !n++)
			first = m->job.v[p->row[i].job].name;
	return n ? fsi_plan_assume(p, "How long %u blocked job%s had waited when something blocked %s is not told (checkjob %s%s would): "
				      "nothing is taken when %s let through.",
				   n, n == 1 ? "" : "s", n == 1 ? "it" : "them", fsi_str(m, first), n == 1 ? "" : ", and so on",
				   n == 1 ? "it is" : "each is")
		 : 0;
}

int fsi_maui_assumptions(struct fs_plan *p)
{
	struct fsi_maui_rules r;

	fsi_maui_rules(p->c.m, p->mode == FS_PLAN_BY_PRIORITY, &r);
	if (fsi_plan_assume(p, "%s", r.simulated && any_simulated_run(p->c.m)
					     ? "Jobs run for as long as the simulation's traces say."
					     : "Every job runs for its whole time limit.") ||
	    fsi_plan_assume(p, "%s is changed or cancelled, and no node changes state.",
			    fsi_maui_any_to_come(p->c.m) ? "Jobs arrive as the simulation's traces say; none" : "No job arrives,") ||
	    fsi_plan_assume(p, "Priorities, limits and fair-share caps change as jobs wait, start and end.") ||
	    fsi_plan_assume(p, "Jobs start in iterations %lld s apart (RMPOLLINTERVAL).", (long long)r.poll_s) ||
	    backfill(p, &r) || reservations(p, &r) ||
	    assume_reservations(p) || assume_waits(p))
		return -1;
	if (flags_left_out(p) || partitions(p))
		return -1;
	if (p->c.unplaced &&
	    fsi_plan_assume(p, "On which nodes %u running jobs have their tasks is unknown: they are put where Maui "
			       "would put them.",
			    p->c.unplaced))
		return -1;
	if (nodes_shared(p, &r))
		return -1;
	if (r.order == FSI_LINE_EQUALS &&
	    fsi_plan_assume(p, "All nodes are alike to NODEALLOCATIONPOLICY %s: the first are taken first.",
			    word(p->c.m, "NODEALLOCATIONPOLICY")))
		return -1;
	if (*word(p->c.m, "NODESETPOLICY") &&
	    fsi_plan_assume(p, "NODESETPOLICY %s is left out.", word(p->c.m, "NODESETPOLICY")))
		return -1;
	if (!r.order_known &&
	    fsi_plan_assume(p, "NODEALLOCATIONPOLICY %s is left out: the last nodes are taken first.",
			    word(p->c.m, "NODEALLOCATIONPOLICY")))
		return -1;
	return 0;
}
