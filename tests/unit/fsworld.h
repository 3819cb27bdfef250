/* Random clusters with random jobs, as numbers and as the text of a snapshot. */
#ifndef FSWORLD_H
#define FSWORLD_H

#include "fsprio.h"

enum { PARTITIONS_N = 4, QOS_N = 4, USERS_N = 4, JOBS_N = 25, CLUSTERS = 200 };

/* The randomly drawn numbers of one cluster; both the snapshot text and the expected values are computed from them. */
struct world {
	uint32_t weight[6], max_age, cpus, nodes;
	uint32_t tres_weight[2]; /* weight of a CPU, and of 1 GiB of memory */
	bool favor_small, timed, plain_assoc, plain_part, plain_qos, plain_tres;
	uint32_t part_factor[PARTITIONS_N], part_cpus[PARTITIONS_N], part_mem[PARTITIONS_N],
		part_limit[PARTITIONS_N];
	uint32_t qos[QOS_N], assoc[USERS_N], shares[USERS_N], usage[USERS_N];
	struct job {
		uint32_t waited, nodes, cpus, mem, limit_s, user, part, qos;
		int32_t nice, site;
	} job[JOBS_N];
};

static inline uint32_t some(uint64_t *seed, uint32_t n)
{
	return fst_below(seed, 4) ? 1 + fst_below(seed, n) : 0;
}

static inline void draw(struct world *w, uint64_t *seed)
{
	for (int i = 0; i < 6; i++)
		w->weight[i] = some(seed, 1000000);
	w->max_age = some(seed, 604800);
	w->cpus = 1 + fst_below(seed, 5000);
	w->nodes = 1 + fst_below(seed, 60);
	w->tres_weight[0] = some(seed, 1000);
	w->tres_weight[1] = some(seed, 1000);
	w->favor_small = fst_below(seed, 2);
	w->timed = fst_below(seed, 3) == 0;
	w->plain_assoc = fst_below(seed, 4) == 0;
	w->plain_part = fst_below(seed, 4) == 0;
	w->plain_qos = fst_below(seed, 4) == 0;
	w->plain_tres = fst_below(seed, 4) == 0;
	for (int i = 0; i < PARTITIONS_N; i++) {
		w->part_factor[i] = some(seed, 100);
		w->part_cpus[i] = some(seed, 5000);
		w->part_mem[i] = some(seed, 500000);
		w->part_limit[i] = 60 * (1 + fst_below(seed, 10000));
	}
	for (int i = 0; i < QOS_N; i++)
		w->qos[i] = some(seed, 1000);
	for (int i = 0; i < USERS_N; i++) {
		w->assoc[i] = some(seed, 50);
		w->shares[i] = 1 + fst_below(seed, 5);
		w->usage[i] = some(seed, 1000000);
	}
	for (int i = 0; i < JOBS_N; i++)
		w->job[i] = (struct job){ some(seed, 1000000),
					  1 + fst_below(seed, 80),
					  some(seed, 6000),
					  some(seed, 300000),
					  60 * some(seed, 5000),
					  fst_below(seed, USERS_N),
					  fst_below(seed, PARTITIONS_N),
					  fst_below(seed, QOS_N),
					  (int32_t)fst_below(seed, 20001) - 10000,
					  (int32_t)fst_below(seed, 2001) - 1000 };
	w->job[0].cpus = w->cpus;
	w->job[1].nodes = w->nodes;
}

static inline void put_cluster(struct fst_sink *s, const struct world *w)
{
	static const char *const names[] = { "Age",     "Assoc",     "FairShare",
					     "JobSize", "Partition", "QOS" };

	fst_put(s,
		HEADER TRES
		"{'type':'config','PriorityType':'priority/multifactor','PriorityFavorSmall':%s",
		w->favor_small ? "true" : "false");
	for (int i = 0; i < 6; i++)
		fst_put(s, ",'PriorityWeight%s':%u", names[i], w->weight[i]);
	fst_put(s,
		",'PriorityMaxAge':%u,'PriorityWeightTRES':'cpu=%u,mem=%uG','PriorityFlags':['x'",
		w->max_age, w->tres_weight[0], w->tres_weight[1]);
	fst_put(s, "%s%s%s%s%s]}\n", w->timed ? ",'SMALL_RELATIVE_TO_TIME'" : "",
		w->plain_assoc ? ",'NO_NORMAL_ASSOC'" : "",
		w->plain_part ? ",'NO_NORMAL_PART'" : "", w->plain_qos ? ",'NO_NORMAL_QOS'" : "",
		w->plain_tres ? ",'NO_NORMAL_TRES'" : "");
	for (uint32_t i = 0; i < w->nodes; i++)
		fst_put(s, REC("node", "'name':'n%u','cpus':%u"), i, i ? 0 : w->cpus);
	for (int i = 0; i < PARTITIONS_N; i++)
		fst_put(s,
			REC("partition",
				"'name':'p%d','job_factor':%u,'max_time_s':%u,'tres':{'cpu':%u,"
				"'mem':%u}"),
			i, w->part_factor[i], w->part_limit[i], w->part_cpus[i], w->part_mem[i]);
	for (int i = 0; i < QOS_N; i++)
		fst_put(s, REC("qos", "'name':'q%d','priority':%u"), i, w->qos[i]);
	fst_put(s, REC("association",
			"'id':1,'account':'root','shares':1,'priority':0,'usage_tres_s':0"));
	for (int i = 0; i < USERS_N; i++)
		fst_put(s,
			REC("association",
				"'id':%d,'account':'root','user':'u%d','shares':%u,'priority':%u,"
				"'usage_tres_s':%u"),
			i + 2, i, w->shares[i], w->assoc[i], w->usage[i]);
}

static inline void put_jobs(struct fst_sink *s, const struct world *w)
{
	for (int i = 0; i < JOBS_N; i++) {
		const struct job *j = &w->job[i];

		fst_put(s,
			JOB(% d,
				"'accrue_time':%u,'nodes':%u,'cpus':%u,'user':'u%u',"
				"'account':'root',"
				"'partitions':['p%u'],'qos':['q%u'],'nice':%d,'site_factor':%d,"
				"'tres_req':{'cpu':%u,'mem':%u}"),
			i + 1, 1700000000 - j->waited, j->nodes, j->cpus, j->user, j->part, j->qos,
			j->nice, j->site, j->cpus, j->mem);
		s->len -= 2; /* removes "}\n" */
		if (j->limit_s)
			fst_put(s, ",'time_limit_s':%u", j->limit_s);
		fst_put(s, "}\n");
	}
}

#endif
