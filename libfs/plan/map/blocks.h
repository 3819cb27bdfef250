/* Blocks of neighbouring slots of the map, each with the nodes that are left in all of its slots. They are kept up
 * to date as slots change. */
#ifndef FSI_PLAN_MAP_BLOCKS_H
#define FSI_PLAN_MAP_BLOCKS_H

#include <stdint.h>

struct fsi_plan_map;

struct fsi_map_block {
	uint32_t first; /* its first slot; it ends where the next block begins */
	uint64_t *nodes;
};

struct fsi_map_blocks {
	struct fsi_map_block *v;
	uint32_t n, cap;
};

/* Makes all blocks anew from the slots. -1 without memory. */
int fsi_map_blocks_make(struct fsi_plan_map *m);
void fsi_map_blocks_release(struct fsi_plan_map *m);

/* The block that slot i is in, and the slot behind its last. */
uint32_t fsi_map_block_of(const struct fsi_plan_map *m, uint32_t i);
uint32_t fsi_map_block_end(const struct fsi_plan_map *m, uint32_t b);

/* A slot with the same content was put in behind slot i. -1 without memory. */
int fsi_map_blocks_split(struct fsi_plan_map *m, uint32_t i);

/* Slot i + 1, which had the same content as slot i, was taken out. */
void fsi_map_blocks_merged(struct fsi_plan_map *m, uint32_t i);

#endif
