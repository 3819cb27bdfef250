#include "base/bytes.h"

enum { LANE_COUNT = FSI_CHECKSUM_LANES, LANE_BYTES = FSI_CHECKSUM_STEP / LANE_COUNT };

static const uint64_t hash_multiplier = 0x9e3779b97f4a7c15u;

static uint64_t mix_checksum_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * hash_multiplier;
	return h ^ h >> 29;
}

void fsi_checksum_init(struct fsi_checksum *c)
{
	c->bytes = 0;
	for (unsigned i = 0; i < LANE_COUNT; i++)
		c->lane[i] = hash_multiplier * (i + 1);
}

static void add_checksum_step(uint64_t lane[LANE_COUNT], const unsigned char *s)
{
	for (unsigned i = 0; i < LANE_COUNT; i++) {
		uint64_t word;

		memcpy(&word, s + i * LANE_BYTES, LANE_BYTES);
		lane[i] = mix_checksum_word(lane[i], word);
	}
}

void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size)
{
	const unsigned char *s = data;
	unsigned char last[FSI_CHECKSUM_STEP] = { 0 };
	uint64_t lane[LANE_COUNT];

	memcpy(lane, c->lane, sizeof(lane));
	c->bytes += size;
	for (; size >= FSI_CHECKSUM_STEP; size -= FSI_CHECKSUM_STEP, s += FSI_CHECKSUM_STEP)
		add_checksum_step(lane, s);
	if (size) {
		memcpy(last, s, size);
		add_checksum_step(lane, last);
	}
	memcpy(c->lane, lane, sizeof(lane));
}

uint64_t fsi_checksum_end(const struct fsi_checksum *c)
{
	uint64_t h = c->bytes;

	for (unsigned i = 0; i < LANE_COUNT; i++)
		h = mix_checksum_word(h, c->lane[i]);
	return h;
}

uint64_t fsi_checksum_of_bytes(const void *data, size_t size)
{
	struct fsi_checksum c;

	fsi_checksum_init(&c);
	fsi_checksum_add(&c, data, size);
	return fsi_checksum_end(&c);
}
