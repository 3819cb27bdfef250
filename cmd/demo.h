/* The snapshot compiled in: cmd/demo.jsonl. */
#ifndef DEMO_H
#define DEMO_H

#include <stddef.h>

extern const unsigned char demo_snapshot[];
extern const size_t demo_snapshot_size;

#endif
