/* The generated cluster that generate.c fills with jobs: everything in a snapshot except jobs. */
#ifndef BENCH_SITE_H
#define BENCH_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MIN_SITE = 16, /* minimum number of associations */
	SITE_FIRST_UID = 10000,
	SITE_FIELDS = 8,
	SITE_PARTITIONS = 8,
	SITE_QOS = 6
};

static const int64_t SITE_TIME = 1760000000;

/* State of the random number generator splitmix64. */
struct random {
	uint64_t state;
};

uint32_t below(struct random *r, uint32_t n);        /* returns a number from 0 to n - 1 */
bool chance(struct random *r, uint32_t in_thousand); /* true with a probability of in_thousand / 1000 */

struct account {
	uint32_t id, parent, field;
	double minutes; /* usage of the account and of everything below it, minutes */
};

struct member {
	uint32_t id, account, user;
	double minutes;
};

struct site {
	struct account *account; /* accounts, each after its parent; account[0] is root */
	struct member *member;   /* one element for each user in each account */
	uint32_t naccounts, nmembers, nusers, nodes;
	struct random random;
};

struct site_partition {
	const char *name;
	unsigned tier, job_factor;
	bool gpu;
};

struct site_qos {
	const char *name;
	unsigned priority;
};

extern const char *const site_fields[SITE_FIELDS];
extern const struct site_partition site_partitions[SITE_PARTITIONS];
extern const struct site_qos site_qos[SITE_QOS];

int site_make(struct site *s, uint32_t associations, uint64_t seed);
void site_free(struct site *s);
/* Prints the header and the records of the cluster. The header also announces `records` records of `type`, which the
 * caller prints. */
void site_put(struct site *s, const char *type, uint64_t records);
void site_put_account(const struct site *s, uint32_t account);
void site_put_user(uint32_t user);

#endif
