/* The snapshot compiled in: cmd/demo.jsonl. */
#ifndef INPUT_DEMO_H
#define INPUT_DEMO_H

#include <stddef.h>

extern const unsigned char demo_snapshot[];
extern const size_t demo_snapshot_size;

#endif
