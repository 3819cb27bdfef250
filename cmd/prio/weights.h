/* fs-prio --weights-report: which weights decide. */
#ifndef PRIO_WEIGHTS_H
#define PRIO_WEIGHTS_H

#include "prio/prio.h"

/* Of the run's snapshot, against how it was before the commands of --if. The exit status. */
int prio_weights_report(struct prio_run *r);

#endif
