/* Which fields of a record are known. A field that is absent is unknown, which is not zero. */
#ifndef FSI_MODEL_RECORDS_PRESENCE_H
#define FSI_MODEL_RECORDS_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#define FSI_FIELD_WORDS 2
#define FSI_FIELDS_MAX (64 * FSI_FIELD_WORDS)

enum { FSI_SPECIAL_BITS = 32 };

/* A bit for each field, by its place in its record's table. */
struct fsi_fields {
	uint64_t word[FSI_FIELD_WORDS];
};

/* What every record starts with. */
struct fsi_rec {
	struct fsi_fields has;
	uint32_t special; /* "unlimited" or "parent" in that field: fields that take a word come early */
	uint32_t line;    /* of the snapshot file, 0 when made by an importer */
};

static inline bool fsi_fields_have(const struct fsi_fields *f, unsigned bit)
{
	return f->word[bit / 64] >> bit % 64 & 1;
}

/* The first field of them from `bit` on; FSI_FIELDS_MAX if there is none. */
static inline unsigned fsi_fields_next(const struct fsi_fields *f, unsigned bit)
{
	for (; bit < FSI_FIELDS_MAX; bit = (bit / 64 + 1) * 64) {
		const uint64_t rest = f->word[bit / 64] >> bit % 64;

		if (rest)
			return bit + (unsigned)__builtin_ctzll(rest);
	}
	return FSI_FIELDS_MAX;
}

static inline void fsi_fields_add(struct fsi_fields *f, unsigned bit)
{
	f->word[bit / 64] |= 1ull << bit % 64;
}

static inline void fsi_fields_remove(struct fsi_fields *f, unsigned bit)
{
	f->word[bit / 64] &= ~(1ull << bit % 64);
}

/* Is every field of the one in the other, too? */
static inline bool fsi_fields_within(const struct fsi_fields *part, const struct fsi_fields *whole)
{
	uint64_t missing = 0;

	for (unsigned i = 0; i < FSI_FIELD_WORDS; i++)
		missing |= part->word[i] & ~whole->word[i];
	return !missing;
}

static inline bool fsi_known(const struct fsi_rec *rec, unsigned bit)
{
	return fsi_fields_have(&rec->has, bit);
}

static inline void fsi_mark_known(struct fsi_rec *rec, unsigned bit)
{
	fsi_fields_add(&rec->has, bit);
}

static inline void fsi_mark_unknown(struct fsi_rec *rec, unsigned bit)
{
	fsi_fields_remove(&rec->has, bit);
}

static inline bool fsi_special(const struct fsi_rec *rec, unsigned bit)
{
	return bit < FSI_SPECIAL_BITS && (rec->special >> bit & 1);
}

/* FSI_HAS(job, JOB, nice): is the field known? FSI_SET marks it so, FSI_UNSET marks it unknown; FSI_PUT gives it
 * a value and marks it known. */
#define FSI_HAS(r, TAG, member) fsi_known(&(r)->rec, FSI_##TAG##_##member)
#define FSI_SET(r, TAG, member) fsi_mark_known(&(r)->rec, FSI_##TAG##_##member)
#define FSI_PUT(r, TAG, member, value) ((void)((r)->member = (value)), FSI_SET(r, TAG, member))
#define FSI_UNSET(r, TAG, member) fsi_mark_unknown(&(r)->rec, FSI_##TAG##_##member)
#define FSI_SPECIAL(r, TAG, member) fsi_special(&(r)->rec, FSI_##TAG##_##member)

#endif
