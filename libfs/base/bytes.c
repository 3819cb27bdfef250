#include "base/bytes.h"

enum { LANES = FSI_CHECKSUM_LANES, WORD = FSI_CHECKSUM_STEP / LANES };

static const uint64_t odd = 0x9e3779b97f4a7c15u;

static uint64_t mixed(uint64_t h, uint64_t word)
{
	h = (h ^ word) * odd;
	return h ^ h >> 29;
}

void fsi_checksum_init(struct fsi_checksum *c)
{
	c->bytes = 0;
	for (unsigned i = 0; i < LANES; i++)
		c->lane[i] = odd * (i + 1);
}

static void step(uint64_t lane[LANES], const unsigned char *s)
{
	for (unsigned i = 0; i < LANES; i++) {
		uint64_t word;

		memcpy(&word, s + i * WORD, WORD);
		lane[i] = mixed(lane[i], word);
	}
}

void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size)
{
	const unsigned char *s = data;
	unsigned char last[FSI_CHECKSUM_STEP] = { 0 };
	uint64_t lane[LANES];

	memcpy(lane, c->lane, sizeof(lane));
	c->bytes += size;
	for (; size >= FSI_CHECKSUM_STEP; size -= FSI_CHECKSUM_STEP, s += FSI_CHECKSUM_STEP)
		step(lane, s);
	if (size) {
		memcpy(last, s, size);
		step(lane, last);
	}
	memcpy(c->lane, lane, sizeof(lane));
}

uint64_t fsi_checksum_end(const struct fsi_checksum *c)
{
	uint64_t h = c->bytes;

	for (unsigned i = 0; i < LANES; i++)
		h = mixed(h, c->lane[i]);
	return h;
}

uint64_t fsi_checksum(const void *data, size_t size)
{
	struct fsi_checksum c;

	fsi_checksum_init(&c);
	fsi_checksum_add(&c, data, size);
	return fsi_checksum_end(&c);
}
