/* The form of an index: a head, then parts, each on a multiple of FSI_INDEX_ALIGN. What is small or is ordered on
 * reading is copied out of it; the rows of jobs, of usage and of what was recorded are used where they stand, and so
 * are names and sets. Numbers are in the machine's own order, and structs as the compiler laid them out: `build` tells
 * whether they are as here.
 *
 * What most questions do without stands apart at the end, with a sum of its own: then it is not even looked at. */
#ifndef FSI_SNAPSHOT_INDEX_H
#define FSI_SNAPSHOT_INDEX_H

#include "base/bytes.h"
#include "model/tables.h"

#define FSI_INDEX_MAGIC "fs-index"
enum { FSI_INDEX_FORMAT = 6, FSI_INDEX_ALIGN = 128 };

/* n elements from byte `at`. */
struct fsi_index_part {
	uint64_t at, n;
};

/* Names and sets: the length of each from id 1 on (uint32_t), and their bytes, each with a NUL behind it and then up to
 * a multiple of FSI_INDEX_TEXT. */
enum { FSI_INDEX_TEXT = 16 };

struct fsi_index_config {
	uint64_t name, kind, line;
	int64_t i;
	double d;
};

struct fsi_index_head {
	char magic[8];
	uint64_t format, build, size; /* size: of the whole index */
	struct fs_index_key key;
	uint64_t apart;	   /* where that begins */
	uint64_t checksum, apart_checksum; /* of what is behind the head and before it; of it */
	uint64_t usage_records;
	struct fsi_index_part name_sizes, name_bytes, set_sizes, set_bytes, config;
	struct fsi_index_part file, warnings; /* bytes: the name it was read under; sentences, each with its NUL */
	struct fsi_index_part table[FSI_RECORD_COUNT];
	struct fsi_index_part job_rare; /* struct fsi_job_rare */
	struct fsi_header header;
	uint64_t head_checksum; /* of all before it */
};

enum { FSI_INDEX_START = (sizeof(struct fsi_index_head) + FSI_INDEX_ALIGN - 1) / FSI_INDEX_ALIGN * FSI_INDEX_ALIGN };
_Static_assert(FSI_INDEX_ALIGN % FSI_CHECKSUM_STEP == 0, "sums begin and go on at whole steps");

static inline bool fsi_index_apart(enum fsi_record_type type)
{
	return type == FSI_RECORD_USAGE || type == FSI_RECORD_RECORDED;
}

/* Of the layout of everything in an index, and of the version of libfs. */
uint64_t fsi_index_build(void);

static inline uint64_t fsi_index_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

/* Are the values of a record such as its reader makes? The sets' flags tell what its ids lead to. */
enum { FSI_SET_LIST = 1, FSI_SET_AMOUNTS = 2, FSI_SET_AMOUNTFS = 4 };

struct fsi_index_check {
	const fs_snapshot *m;
	const uint8_t *sets; /* by id: what it can be read as */
};

#endif
