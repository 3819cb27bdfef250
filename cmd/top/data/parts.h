/* The steps of data_make, each in a file of its own. -1: out of memory. */
#ifndef TOP_DATA_PARTS_H
#define TOP_DATA_PARTS_H

#include "top/data/data.h"

/* count.c; the second before the first */
int data_count_queue(struct data *d);
int data_count_running(struct data *d);
int data_index_prios(struct data *d);

/* moves.c: makes d->places, and compares them with those of old. */
int data_compare(struct data *d, const struct data *old);

#endif
