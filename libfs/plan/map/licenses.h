/* The licences of a slot of the map: a row of amounts that all may have, then one for each reservation of licences. */
#ifndef FSI_PLAN_MAP_LICENSES_H
#define FSI_PLAN_MAP_LICENSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Licences of a map. */
struct fsi_map_lics {
	uint32_t n;	   /* kinds */
	uint32_t owners;   /* reservations of licences */
	bool compared; /* may slots be alike in which a reservation has licences? */
};

/* Wanted: n amounts, or NULL; owner: the reservation whose row is used first, from 1 on, 0 none. */
struct fsi_map_want {
	const int64_t *amount;
	uint32_t owner;
};

/* Amounts in a slot. */
size_t fsi_map_lics_amounts(const struct fsi_map_lics *l);

/* The rows of a slot: to begin with `all`, none of which a reservation has. */
void fsi_map_lics_init(const struct fsi_map_lics *l, int64_t *row, const int64_t *all);

bool fsi_map_lics_have(const struct fsi_map_lics *l, const int64_t *row, struct fsi_map_want w);
void fsi_map_lics_take(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w);

/* Moves what is wanted, or what there is of it, from the first row to its owner's. */
void fsi_map_lics_keep(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w);

/* Is there no difference between two slots, the second behind the first? */
bool fsi_map_lics_alike(const struct fsi_map_lics *l, const int64_t *a, const int64_t *b);

#endif
