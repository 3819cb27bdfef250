/* The steps of data_make, each in a file of its own. -1: out of memory. */
#ifndef TOP_DATA_PARTS_H
#define TOP_DATA_PARTS_H

#include "top/data/data.h"

/* moves.c: makes d->places, and compares them with those of old. */
int data_compare(struct data *d, const struct data *old);

#endif
