#include "site.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char *const site_fields[SITE_FIELDS] = { "physics", "chemistry", "biology",     "earth",
					       "history", "economics", "engineering", "medicine" };

const struct site_partition site_partitions[SITE_PARTITIONS] = {
	{ "batch", 1, 10, false },   { "long", 1, 5, false },       { "short", 5, 50, false },
	{ "gpu", 10, 40, true },     { "gpu-short", 15, 60, true }, { "bigmem", 5, 20, false },
	{ "debug", 50, 100, false }, { "scavenge", 0, 1, false },
};

const struct site_qos site_qos[SITE_QOS] = {
	{ "normal", 10 }, { "high", 100 },  { "standby", 0 },
	{ "long", 5 },    { "debug", 200 }, { "urgent", 1000 }
};

static const char *const tres_names[] = { "cpu",     "mem",  "energy", "node",    "billing",
					  "fs/disk", "vmem", "pages",  "gres/gpu" };
enum { TRES = sizeof(tres_names) / sizeof(*tres_names) };

static uint64_t next(struct random *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint32_t below(struct random *r, uint32_t n)
{
	return (uint32_t)((next(r) >> 32) * n >> 32);
}

bool chance(struct random *r, uint32_t in_thousand)
{
	return below(r, 1000) < in_thousand;
}

/* Returns a random number from 0 to `max`. Small numbers are much more frequent than large numbers. */
static double skewed(struct random *r, double max)
{
	const double u = below(r, 1000000) / 1e6;

	return u * u * u * u * max;
}

/* Makes three levels of accounts below root: fields, the departments of each field, the groups of each department. */
static void make_accounts(struct site *s)
{
	const uint32_t departments = 1 + SITE_FIELDS + s->naccounts / 5;

	for (uint32_t i = 1; i < s->naccounts; i++) {
		struct account *a = &s->account[i];

		if (i <= SITE_FIELDS)
			a->parent = 0;
		else if (i < departments)
			a->parent = 1 + (i - 1) % SITE_FIELDS;
		else
			a->parent =
				1 + SITE_FIELDS + below(&s->random, departments - SITE_FIELDS - 1);
		a->id = 2 + i;
		a->field = i <= SITE_FIELDS ? i - 1 : s->account[a->parent].field;
	}
}

/* The last tenth of the members are users with a second account. */
static void make_members(struct site *s)
{
	for (uint32_t i = 0; i < s->nmembers; i++) {
		struct member *u = &s->member[i];
		uint32_t first = 0;

		u->id = 2 + s->naccounts + i;
		u->user = i % s->nusers;
		if (i >= s->nusers)
			first = s->member[u->user].account;
		u->account = 1 + below(&s->random, s->naccounts - 1);
		if (u->account == first)
			u->account = 1 + first % (s->naccounts - 1);
		u->minutes = chance(&s->random, 200) ? 0 : skewed(&s->random, 4e6);
		s->account[u->account].minutes += u->minutes;
	}
	for (uint32_t i = s->naccounts; i-- > 1;)
		s->account[s->account[i].parent].minutes += s->account[i].minutes;
}

int site_make(struct site *s, uint32_t associations, uint64_t seed)
{
	*s = (struct site){ .random = { seed } };
	s->naccounts = 1 + SITE_FIELDS + associations / 12;
	/* the subtracted 1 is the association of the user root */
	s->nmembers = associations - s->naccounts - 1;
	s->nusers = s->nmembers - s->nmembers / 10;
	s->nodes = 8 + associations / 10;
	s->account = calloc(s->naccounts, sizeof(*s->account));
	s->member = calloc(s->nmembers, sizeof(*s->member));
	if (!s->account || !s->member) {
		perror("generate");
		site_free(s);
		return -1;
	}
	s->account[0].id = 1;
	make_accounts(s);
	make_members(s);
	return 0;
}

void site_free(struct site *s)
{
	free(s->account);
	free(s->member);
}

void site_put_account(const struct site *s, uint32_t account)
{
	if (!account)
		printf("root");
	else if (account <= SITE_FIELDS)
		printf("%s", site_fields[account - 1]);
	else
		printf("%.4s_%s%04u", site_fields[s->account[account].field],
		       s->account[account].parent <= SITE_FIELDS ? "dept" : "lab", account);
}

void site_put_user(uint32_t user)
{
	static const char *const syllables[] = { "an", "be", "chi", "do", "el", "fra", "gu", "ha" };

	printf("%s%s%s%u", syllables[user % 8], syllables[user / 8 % 8], syllables[user / 64 % 8],
	       user);
}

static void put_config(void)
{
	fputs("{\"type\":\"config\",\"AccountingStorageEnforce\":[\"associations\",\"limits\","
	      "\"qos\"],"
	      "\"FairShareDampeningFactor\":1,\"MaxJobCount\":1000000,\"PriorityDecayHalfLife\":"
	      "604800,"
	      "\"PriorityCalcPeriod\":300,\"PriorityFavorSmall\":false,\"PriorityFlags\":[],"
	      "\"PriorityMaxAge\":604800,\"PriorityType\":\"priority/multifactor\","
	      "\"PriorityUsageResetPeriod\":\"NONE\",\"PriorityWeightAge\":20000,"
	      "\"PriorityWeightAssoc\":4000,\"PriorityWeightFairShare\":100000,"
	      "\"PriorityWeightJobSize\":7000,\"PriorityWeightPartition\":20000,"
	      "\"PriorityWeightQOS\":30000,"
	      "\"PriorityWeightTRES\":\"CPU=1000,Mem=2000,GRES/gpu=3000\",\"PrivateData\":[],"
	      "\"SchedulerType\":\"sched/backfill\",\"SelectType\":\"select/cons_tres\"}\n",
	      stdout);
}

/* Writes an amount of each TRES for this number of CPU minutes. */
static void put_minutes(const char *key, double cpu, bool gpu)
{
	const double factors[TRES] = { 1, 4096, 0, 0.1, 2.5, 0, 0, 0, gpu ? 0.125 : 0 };

	printf(",\"%s\":{", key);
	for (int t = 0; t < TRES; t++)
		printf("%s\"%s\":%" PRId64, t ? "," : "", tres_names[t],
		       (int64_t)(cpu * factors[t]));
	putchar('}');
}

static void put_association_end(uint32_t shares, double minutes, double own, double running,
				bool gpu)
{
	printf(",\"shares\":%u,\"priority\":%u,\"usage_tres_s\":%.2f", shares,
	       shares % 7 ? 0 : shares, own * 60 * 2.5);
	put_minutes("usage_by_tres_min", minutes, gpu);
	put_minutes("run_by_tres_min", running, gpu);
	fputs(",\"qos\":[\"debug\",\"high\",\"long\",\"normal\",\"standby\"]}\n", stdout);
}

static void put_account(struct site *s, uint32_t i)
{
	const struct account *a = &s->account[i];

	printf("{\"type\":\"association\",\"id\":%u,\"account\":\"", a->id);
	site_put_account(s, i);
	putchar('"');
	if (i) {
		fputs(",\"parent\":\"", stdout);
		site_put_account(s, a->parent);
		putchar('"');
	}
	put_association_end(i ? 1 + below(&s->random, 100) : 1, a->minutes, 0, a->minutes / 100,
			    a->field % 2);
}

static void put_member(struct site *s, const struct member *u)
{
	printf("{\"type\":\"association\",\"id\":%u,\"account\":\"", u->id);
	site_put_account(s, u->account);
	fputs("\",\"user\":\"", stdout);
	site_put_user(u->user);
	putchar('"');
	put_association_end(1 + below(&s->random, 10), u->minutes, u->minutes, u->minutes / 100,
			    s->account[u->account].field % 2);
}

static void put_users(const struct site *s)
{
	printf("{\"type\":\"user\",\"name\":\"root\",\"uid\":0,\"default_account\":\"root\","
	       "\"admin\":\"administrator\"}\n");
	for (uint32_t i = 0; i < s->nusers; i++) {
		fputs("{\"type\":\"user\",\"name\":\"", stdout);
		site_put_user(i);
		printf("\",\"uid\":%u,\"default_account\":\"", SITE_FIRST_UID + i);
		site_put_account(s, s->member[i].account);
		fputs("\",\"admin\":\"none\"}\n", stdout);
	}
}

static void put_qos(void)
{
	for (int i = 0; i < SITE_QOS; i++)
		printf("{\"type\":\"qos\",\"name\":\"%s\",\"id\":%d,\"priority\":%u,\"usage_"
		       "factor\":1,"
		       "\"preempt_mode\":\"cluster\",\"grace_s\":0}\n",
		       site_qos[i].name, i + 1, site_qos[i].priority);
}

static void put_partitions(const struct site *s)
{
	const uint64_t n = s->nodes;

	for (int i = 0; i < SITE_PARTITIONS; i++) {
		const struct site_partition *p = &site_partitions[i];

		printf("{\"type\":\"partition\",\"name\":\"%s\",\"state\":\"UP\",\"job_factor\":%u,"
		       "\"tier\":%u,\"nodes\":\"n[0000-%04u]\",\"total_cpus\":%" PRIu64
		       ",\"total_nodes\":%u,\"tres\":{\"cpu\":%" PRIu64 ",\"mem\":%" PRIu64
		       ",\"node\":%" PRIu64 ",\"billing\":%" PRIu64,
		       p->name, p->job_factor, p->tier, s->nodes - 1, n * 128, s->nodes, n * 128,
		       n * 512000, n, n * 253);
		if (p->gpu)
			printf(",\"gres/gpu\":%" PRIu64, n * 8);
		printf("},\"default_time_s\":3600,\"max_time_s\":604800,\"is_default\":%s,"
		       "\"preempt_mode\":\"OFF\"}\n",
		       i ? "false" : "true");
	}
}

static void put_nodes(struct site *s)
{
	for (uint32_t i = 0; i < s->nodes; i++) {
		const unsigned used = below(&s->random, 129);

		printf("{\"type\":\"node\",\"name\":\"n%04u\",\"state\":\"%s\",\"cpus\":128,"
		       "\"effective_cpus\":128,\"alloc_cpus\":%u,\"mem_mb\":512000,\"alloc_mem_"
		       "mb\":%u,"
		       "\"weight\":1,\"partitions\":[\"batch\",\"long\",\"short\"],"
		       "\"tres\":{\"cpu\":128,\"mem\":512000,\"billing\":253,\"gres/gpu\":8}}\n",
		       i,
		       used == 128 ? "ALLOCATED"
		       : used      ? "MIXED"
				   : "IDLE",
		       used, used * 4000);
	}
}

static void put_header(const struct site *s, const char *type, uint64_t records)
{
	printf("{\"type\":\"snapshot\",\"format\":1,\"time\":%" PRId64
	       ",\"cluster\":\"bench\",\"scheduler\":\"slurm 25.05.3\",\"utc_offset_s\":0,"
	       "\"priority_time\":%" PRId64
	       ",\"usage_source\":\"assoc_mgr\",\"records\":{\"config\":1,"
	       "\"tres\":%d,\"association\":%u,\"user\":%u,\"qos\":%d,\"partition\":%d,\"node\":%u,"
	       "\"%s\":%" PRIu64 "}}\n",
	       SITE_TIME, SITE_TIME - 4, TRES, 1 + s->naccounts + s->nmembers, 1 + s->nusers,
	       SITE_QOS, SITE_PARTITIONS, s->nodes, type, records);
}

void site_put(struct site *s, const char *type, uint64_t records)
{
	put_header(s, type, records);
	put_config();
	for (int t = 0; t < TRES; t++)
		printf("{\"type\":\"tres\",\"id\":%d,\"name\":\"%s\"}\n", t < 8 ? t + 1 : 993 + t,
		       tres_names[t]);
	put_account(s, 0);
	printf("{\"type\":\"association\",\"id\":2,\"account\":\"root\",\"user\":\"root\"");
	put_association_end(1, 0, 0, 0, false);
	for (uint32_t i = 1; i < s->naccounts; i++)
		put_account(s, i);
	for (uint32_t i = 0; i < s->nmembers; i++)
		put_member(s, &s->member[i]);
	put_users(s);
	put_qos();
	put_partitions(s);
	put_nodes(s);
}
