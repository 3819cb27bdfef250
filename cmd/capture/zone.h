/* Zones of the machine's tz database as changes of the offset from UTC. */
#ifndef CAPTURE_ZONE_H
#define CAPTURE_ZONE_H

#include "cmd.h"

enum { ZONE_OFFSETS = 512 };

/* All changes of local time from 1990 to 2060, by rising time, in v; how many. name: as in the database, such as
 * Europe/Berlin; NULL: the caller's own zone. 0: there is no such zone. */
size_t zone_offsets(const char *name, struct fs_utc_offset v[ZONE_OFFSETS]);

#endif
