/* Shared memory of the driver and the library that it loads into the program under test. */
#ifndef FAULT_H
#define FAULT_H

/* File descriptor of the shared memory that the driver and the library map. */
enum { FAULT_FD = 9 };

/* First argument of a prctl call that the kernel refuses. System calls are counted only after this call, so that calls
 * of the dynamic loader are not counted. */
enum { FAULT_MARK = 0x46415554 };

struct fault_shared {
	unsigned long at;    /* number of the first allocation that fails, counted from 1; 0: none fails */
	unsigned long many;  /* number of successive allocations that fail, beginning with allocation `at` */
	unsigned long calls; /* number of allocations so far */
	unsigned long failed;
	/* process id of the program under test; allocations of its child processes are not counted */
	int owner;
};

#endif
