/* generate job|usage RECORDS ASSOCIATIONS SEED > FILE: generates a snapshot with RECORDS records of jobs (job), or of
 * past runs of jobs (usage). Equal arguments give the same snapshot. */
#include "site.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "wrap",  "bash",     "train",     "fold",      "align",
				     "relax", "spectrum", "inference", "sweep",     "mesh",
				     "post",  "render",   "lattice",   "assemble",  "trajec",
				     "scan",  "tune",     "merge",     "bootstrap", "jupyter",
				     "vasp",  "gromacs" };
static const char *const reasons[] = {
	"Priority", "Priority",  "Priority",          "Resources",
	"None",     "BeginTime", "AssocMaxJobsLimit", "QOSMaxCpuPerUserLimit"
};
static const unsigned cpu_choices[] = { 1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 16, 24, 32, 48, 64, 128 };
static const unsigned mem_per_cpu[] = { 1000, 2000, 2048, 4000, 4096, 8192 };
static const unsigned limit_minutes[] = { 10, 30, 60, 120, 240, 480, 720, 1440, 2880, 4320, 10080 };

/* Probability in thousandths that the next job is in the same batch: batches of four on average. */
enum { SAME_BATCH = 750 };

#define PICK(r, array) ((array)[below(r, sizeof(array) / sizeof(*(array)))])

struct job {
	uint64_t id;
	int64_t submit, eligible, start, limit;
	const char *word; /* first word of the job's name */
	const struct member *owner;
	unsigned naming, parts[3], nparts, qos, cpus, mem, nodes, gpus;
	bool pending, waits, array;
};

static void draw_size(struct random *r, struct job *j)
{
	j->cpus = PICK(r, cpu_choices);
	j->nodes = 1;
	j->gpus = 0;
	if (j->cpus >= 64 && chance(r, 400)) {
		j->nodes = 2u << below(r, 5);
		j->cpus *= j->nodes;
	}
	if (site_partitions[j->parts[0]].gpu)
		j->gpus = j->nodes * (1u << below(r, 4));
	if (chance(r, 800))
		j->mem = j->cpus * PICK(r, mem_per_cpu);
	else if (chance(r, 900))
		j->mem = (1 + below(r, 256)) * 1024;
	else
		j->mem = 500 + below(r, 500000);
}

/* Common properties of the jobs of a batch. */
static void draw_batch(struct random *r, const struct site *s, struct job *j)
{
	j->owner =
		&s->member[below(r, s->nmembers) * (uint64_t)below(r, s->nmembers) / s->nmembers];
	j->word = PICK(r, words);
	j->naming = below(r, 10);
	j->limit = PICK(r, limit_minutes) * 60;
	j->nparts = chance(r, 880) ? 1 : chance(r, 800) ? 2 : 3;
	j->parts[0] = below(r, SITE_PARTITIONS);
	for (unsigned p = 1; p < j->nparts; p++)
		j->parts[p] = (j->parts[p - 1] + 1 + below(r, 2)) % SITE_PARTITIONS;
	j->array = chance(r, 250);
	j->qos = chance(r, 700) ? 0 : below(r, SITE_QOS);
	draw_size(r, j);
}

static void draw_job(struct random *r, const struct site *s, struct job *j, uint64_t i,
		     uint64_t jobs)
{
	const int64_t span = 14 * 86400;

	if (!i || !chance(r, SAME_BATCH))
		draw_batch(r, s, j);
	j->id += 1 + (chance(r, 300) ? below(r, 4) : 0);
	j->pending = chance(r, 800);
	j->waits = j->pending && chance(r, 40);
	j->submit = SITE_TIME - span + span * (int64_t)i / (int64_t)jobs - below(r, 60);
	j->eligible = j->submit + (chance(r, 50) ? below(r, 3600) : 0);
	if (j->eligible > SITE_TIME)
		j->eligible = SITE_TIME;
	j->start = SITE_TIME - 1 - below(r, 86400);
	if (j->start < j->eligible)
		j->start = j->eligible;
}

static void put_times(struct random *r, const struct job *j)
{
	printf("\"submit_time\":%" PRId64, j->submit);
	if (!j->waits)
		printf(",\"eligible_time\":%" PRId64, j->eligible);
	if (!j->waits && chance(r, 900))
		printf(",\"accrue_time\":%" PRId64, j->eligible);
	if (!j->pending)
		printf(",\"start_time\":%" PRId64 ",\"end_time\":%" PRId64, j->start,
		       j->start + j->limit);
	printf(",\"last_sched_eval\":%" PRId64 ",\"time_limit_s\":%" PRId64,
	       j->pending ? SITE_TIME - below(r, 60) : j->start, j->limit);
}

/* One name in five is nearly unique, the others recur. */
static void put_name(struct random *r, const struct job *j)
{
	const uint32_t number = below(r, 100000);

	if (j->naming < 5)
		printf(",\"name\":\"%s\"", j->word);
	else if (j->naming < 8)
		printf(",\"name\":\"%s_%s%u.sh\"", j->word,
		       site_fields[j->owner->user % SITE_FIELDS], number % 8);
	else
		printf(",\"name\":\"%s_%u\"", j->word, number);
}

static void put_owner(const struct site *s, const struct job *j)
{
	const struct account *a = &s->account[j->owner->account];

	printf(",\"user\":\"");
	site_put_user(j->owner->user);
	printf("\",\"uid\":%u,\"group\":\"%s\",\"account\":\"", SITE_FIRST_UID + j->owner->user,
	       site_fields[a->field]);
	site_put_account(s, j->owner->account);
	printf("\",\"association\":%u,\"partitions\":[", j->owner->id);
	for (unsigned p = 0; p < (j->pending ? j->nparts : 1); p++)
		printf("%s\"%s\"", p ? "," : "", site_partitions[j->parts[p]].name);
	printf("],\"qos\":[\"%s\"]", site_qos[j->qos].name);
}

static void put_tres(const char *key, const struct job *j)
{
	printf(",\"%s\":{\"cpu\":%u,\"mem\":%u,\"node\":%u,\"billing\":%u", key, j->cpus, j->mem,
	       j->nodes, j->cpus + j->mem / 4096 + j->gpus * 16);
	if (j->gpus)
		printf(",\"gres/gpu\":%u", j->gpus);
	putchar('}');
}

static void put_numbers(struct random *r, const struct job *j)
{
	const unsigned threads = chance(r, 700) ? 1 : j->cpus / j->nodes;

	printf(",\"priority\":%u", 1 + below(r, 400000));
	if (chance(r, 1))
		printf(",\"priority_set\":%u", 1 + below(r, 1000000));
	printf(",\"nice\":%u", chance(r, 20) ? below(r, 5000) : 0);
	if (j->pending)
		fputs(",\"site_factor\":0", stdout);
	printf(",\"nodes\":%u,\"cpus\":%u,\"tasks\":%u,\"cpus_per_task\":%u", j->nodes, j->cpus,
	       j->cpus / threads, threads);
	put_tres("tres_req", j);
	if (!j->pending)
		put_tres("tres_alloc", j);
}

static void put_array_task(struct random *r, const struct job *j)
{
	const uint32_t last = below(r, 1000);

	if (!j->array)
		return;
	if (j->pending)
		printf(",\"array_tasks\":\"0-%u%s\"", last | 7, last % 3 ? "" : "%10");
	else
		printf(",\"array_task_id\":%u", last);
}

static void put_job(struct random *r, const struct site *s, const struct job *j)
{
	const char *state = j->pending ? "PENDING" : chance(r, 800) ? "RUNNING" : "COMPLETED";
	const bool constrained = chance(r, 50), shares = chance(r, 100);

	printf("{\"type\":\"job\",\"id\":%" PRIu64 ",\"state\":\"%s\",", j->id, state);
	if (j->array)
		printf("\"array_job_id\":%" PRIu64 ",",
		       j->id - (j->pending ? 0 : 1 + below(r, 20)));
	put_times(r, j);
	put_array_task(r, j);
	put_name(r, j);
	put_owner(s, j);
	printf(",\"reason\":\"%s\"", !j->pending ? "None"
				     : j->waits  ? "Dependency"
						 : PICK(r, reasons));
	put_numbers(r, j);
	if (constrained)
		printf(",\"features\":\"%s\"", j->cpus > 4 ? "avx512" : "rome|milan");
	if (j->waits)
		printf(",\"dependency\":\"afterok:%" PRIu64 "(unfulfilled)\"",
		       j->id - 1 - below(r, 500));
	if (!j->pending)
		printf(",\"node_list\":\"n%04u\"", below(r, s->nodes));
	printf(",\"oversubscribe\":\"%s\",\"restarts\":%d}\n", shares ? "OK" : "NO", chance(r, 20));
}

/* Prints the usage record of a random run of the job that began in the last four weeks. */
static void put_usage(struct random *r, const struct site *s, const struct job *j)
{
	const int64_t start = SITE_TIME - 100 - below(r, 28 * 86400);
	const int64_t end = start + below(r, (uint32_t)(j->limit < SITE_TIME - start ? j->limit : SITE_TIME - start));

	printf("{\"type\":\"usage\",\"job\":%" PRIu64 ",\"user\":\"", j->id);
	site_put_user(j->owner->user);
	fputs("\",\"account\":\"", stdout);
	site_put_account(s, j->owner->account);
	printf("\",\"association\":%u,\"partition\":\"%s\",\"qos\":\"%s\",\"state\":\"%s\",\"start_time\":%" PRId64
	       ",\"end_time\":%" PRId64,
	       j->owner->id, site_partitions[j->parts[0]].name, site_qos[j->qos].name,
	       chance(r, 900) ? "COMPLETED" : "FAILED", start, end);
	put_tres("tres", j);
	puts("}");
}

static bool number(const char *arg, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;

	*out = strtoull(arg, &end, 10);
	return *arg >= '0' && *arg <= '9' && !*end && *out >= min && *out <= max;
}

int main(int argc, char **argv)
{
	uint64_t records, associations, seed;
	struct site site;
	struct job job = { .id = 1000000 };

	const bool usage = argc > 1 && !strcmp(argv[1], "usage");

	if (argc != 5 || (!usage && strcmp(argv[1], "job") != 0) || !number(argv[2], 0, 100000000, &records) ||
	    !number(argv[3], MIN_SITE, 1000000, &associations) ||
	    !number(argv[4], 0, UINT64_MAX, &seed)) {
		fprintf(stderr,
			"usage: generate job|usage RECORDS ASSOCIATIONS SEED > FILE (at least %d "
			"associations)\n",
			MIN_SITE);
		return 2;
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 18);
	if (site_make(&site, (uint32_t)associations, seed))
		return 1;
	site_put(&site, argv[1], records);
	struct random r = { ~seed };
	for (uint64_t i = 0; i < records; i++) {
		draw_job(&r, &site, &job, i, records);
		if (usage)
			put_usage(&r, &site, &job);
		else
			put_job(&r, &site, &job);
	}
	site_free(&site);
	if (fflush(stdout) || ferror(stdout)) {
		perror("generate");
		return 1;
	}
	return 0;
}
