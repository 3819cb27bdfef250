/* The file format of an index: a snapshot in binary form. A program maps the file into memory and uses most of the file
 * in place.
 *
 * An index consists of a head and parts. Each part begins at a multiple of FSI_INDEX_ALIGN. The reader copies small
 * tables, and tables that it must sort. The reader uses names, sets, and the rows of jobs, usage and recorded values in
 * place. For this reason the caller must keep the mapping until the snapshot calls the release callback.
 *
 * Integers are in the machine's byte order and structs in the compiler's layout. The member `build` of the head depends
 * on this layout. The reader rejects an index with another value of `build`.
 *
 * The optional tables (usage and recorded values) are at the end and have a checksum of their own. If the read options
 * exclude these tables, the reader does not read this part of the file. Errors: FS_EDATA if the index is damaged or of
 * another version, FS_ENOMEM. */
#ifndef FSI_SNAPSHOT_INDEX_H
#define FSI_SNAPSHOT_INDEX_H

#include "base/memory.h"
#include "model/tables.h"

#define FSI_INDEX_MAGIC "fs-index"
enum { FSI_INDEX_FORMAT = 6, FSI_INDEX_ALIGN = 128 };

/* Position of n elements that begin at byte `at` of the index. */
struct fsi_index_part {
	uint64_t at, n;
};

/* Alignment of the bytes of names and sets. Names are stored in two parts. The first part has the lengths of the names
 * (uint32_t) in the order of their ids, from id 1 on. The second part has the bytes of the names. The bytes of each
 * name are followed by a NUL and padded to a multiple of FSI_INDEX_STRING_ALIGN. Sets are stored in the same way. */
enum { FSI_INDEX_STRING_ALIGN = 16 };

struct fsi_index_config {
	uint64_t name, kind, line;
	int64_t i;
	double d;
};

struct fsi_index_head {
	char magic[8];
	uint64_t format, build, size; /* `size`: size of the whole index in bytes */
	struct fs_index_key key;
	uint64_t optional_at;	   /* offset at which the optional tables begin */
	/* `checksum`: checksum of the bytes between the head and the optional tables; `optional_checksum`: checksum of
	 * the optional tables */
	uint64_t checksum, optional_checksum;
	uint64_t usage_records;
	struct fsi_index_part name_sizes, name_bytes, set_sizes, set_bytes, config;
	/* `file`: the name of the file from which the snapshot was read; `warnings`: the snapshot's warnings,
	 * NUL-terminated. Both parts have elements of one byte. */
	struct fsi_index_part file, warnings;
	struct fsi_index_part table[FSI_RECORD_COUNT];
	struct fsi_index_part job_ext; /* optional fields of jobs, struct fsi_job_ext */
	struct fsi_header header;
	uint64_t head_checksum; /* checksum of all members before this one */
};

enum { FSI_INDEX_START = (sizeof(struct fsi_index_head) + FSI_INDEX_ALIGN - 1) / FSI_INDEX_ALIGN * FSI_INDEX_ALIGN };
_Static_assert(FSI_INDEX_ALIGN % FSI_CHECKSUM_STEP == 0, "checksums start and continue at whole steps");

static inline bool fsi_index_is_optional(enum fsi_record_type type)
{
	return type == FSI_RECORD_USAGE || type == FSI_RECORD_RECORDED;
}

/* Returns a checksum of the layout of all structs in an index and of the version of libfs. */
uint64_t fsi_index_compute_build(void);

static inline uint64_t fsi_index_round_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

/* Flags of a set: the forms in which its bytes are valid. FSI_SET_LIST: a list of names. FSI_SET_AMOUNTS: whole amounts
 * of TRES. FSI_SET_FRACTIONS: fractional amounts of TRES. */
enum { FSI_SET_LIST = 1, FSI_SET_AMOUNTS = 2, FSI_SET_FRACTIONS = 4 };

struct fsi_index_check {
	const fs_snapshot *m;
	const uint8_t *sets; /* indexed by set id: FSI_SET_ flags of the set */
};

#endif
