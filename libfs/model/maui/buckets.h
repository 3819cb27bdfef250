/* A bucket: the jobs that share a number of reservations, RESERVATIONDEPTH[n] of them for the QOS of
 * RESERVATIONQOSLIST[n].
 *
 * Sources (TempleHPC maui-scheduler 3.5): src/MPar.c:MParSetDefaults, src/MSched.c:MSchedProcessOConfig,
 * src/MJob.c:MJobPReserve. */
#ifndef FSI_MODEL_MAUI_BUCKETS_H
#define FSI_MODEL_MAUI_BUCKETS_H

#include "model/model.h"

enum { FSI_MAUI_BUCKETS = 128 };

/* What stands for every QOS in a list. */
#define FSI_MAUI_EVERY_QOS "[ALL]"

struct fsi_maui_bucket {
	int64_t depth;	 /* reservations; 0: no job is of this bucket */
	const char *qos; /* names with blanks between; NULL: every QOS */
};

/* The name in the configuration of a parameter with an index; index 0 is written without one. */
void fsi_maui_indexed(char *buf, size_t size, const char *parameter, unsigned index);

/* The buckets as configured, or Maui's default: one reservation for every QOS. */
void fsi_maui_buckets(const fs_snapshot *m, struct fsi_maui_bucket b[FSI_MAUI_BUCKETS]);

/* Does it count the jobs of every QOS? */
bool fsi_maui_bucket_of_all(const struct fsi_maui_bucket *b);

/* The first bucket that counts the QOS's jobs; FSI_MAUI_BUCKETS: none does, and they get no reservation. */
unsigned fsi_maui_bucket_of(const struct fsi_maui_bucket *b, const char *qos);

#endif
