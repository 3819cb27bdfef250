/* How the memory of a program is got that reads a snapshot and ends. */
#ifndef MEMORY_H
#define MEMORY_H

/* Asks for pages that are large, where the system has them: the first touch of a page costs more than all that is done
 * with it. Threads take from one heap. Call it before there are any; again,
 * it does nothing. */
void memory_expect_snapshot(void);

#endif
