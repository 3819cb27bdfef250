/* What the driver and the library that it loads into the program under test tell each other. */
#ifndef FAULT_H
#define FAULT_H

/* The descriptor that both map. */
enum { FAULT_FD = 9 };

/* A call of prctl that the kernel refuses: from here on system calls count, those of the dynamic loader do not. */
enum { FAULT_MARK = 0x46415554 };

struct fault_shared {
	unsigned long at;    /* the allocation that fails, from 1; 0: none */
	unsigned long many;  /* how many from there on */
	unsigned long calls; /* allocations so far */
	unsigned long failed;
	int owner;           /* the process that counts: the first one, none that it starts */
};

#endif
