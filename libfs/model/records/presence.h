/* Presence of a record's fields. A missing field has an unknown value, not the value 0. */
#ifndef FSI_MODEL_RECORDS_PRESENCE_H
#define FSI_MODEL_RECORDS_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#define FSI_FIELD_WORDS 2
#define FSI_FIELDS_MAX (64 * FSI_FIELD_WORDS)

enum { FSI_SPECIAL_BITS = 32 };

/* A set of fields: one bit for each field, numbered by the field's index in the table of its record type. */
struct fsi_fields {
	uint64_t word[FSI_FIELD_WORDS];
};

/* First member of every record struct. */
struct fsi_rec {
	struct fsi_fields has;
	/* Bit i is set if the value of field i is the word "unlimited" or "parent". Only the first FSI_SPECIAL_BITS
	 * fields of a table may have such a value. */
	uint32_t special;
	uint32_t line;    /* line number in the snapshot file; 0: created by an importer */
};

static inline bool fsi_fields_have(const struct fsi_fields *f, unsigned bit)
{
	return f->word[bit / 64] >> bit % 64 & 1;
}

/* Returns the first field in `f` whose number is at least `bit`; FSI_FIELDS_MAX: none. */
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

/* Returns true if `whole` contains every field of `part`. */
static inline bool fsi_fields_are_subset(const struct fsi_fields *part, const struct fsi_fields *whole)
{
	uint64_t missing = 0;

	for (unsigned i = 0; i < FSI_FIELD_WORDS; i++)
		missing |= part->word[i] & ~whole->word[i];
	return !missing;
}

static inline bool fsi_is_field_known(const struct fsi_rec *rec, unsigned bit)
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

static inline bool fsi_is_field_special(const struct fsi_rec *rec, unsigned bit)
{
	return bit < FSI_SPECIAL_BITS && (rec->special >> bit & 1);
}

/* FSI_HAS(job, JOB, nice) tests whether a field is known. FSI_SET marks the field known, FSI_UNSET marks it unknown.
 * FSI_PUT sets the field's value and marks it known. FSI_SPECIAL tests whether the value is the word "unlimited" or
 * "parent". */
#define FSI_HAS(r, TAG, member) fsi_is_field_known(&(r)->rec, FSI_##TAG##_##member)
#define FSI_SET(r, TAG, member) fsi_mark_known(&(r)->rec, FSI_##TAG##_##member)
#define FSI_PUT(r, TAG, member, value) ((void)((r)->member = (value)), FSI_SET(r, TAG, member))
#define FSI_UNSET(r, TAG, member) fsi_mark_unknown(&(r)->rec, FSI_##TAG##_##member)
#define FSI_SPECIAL(r, TAG, member) fsi_is_field_special(&(r)->rec, FSI_##TAG##_##member)

#endif
