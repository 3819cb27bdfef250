/* Signals while commands run: they are noted, and have their way when all is put away. */
#ifndef CAPTURE_SIGNALS_H
#define CAPTURE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Until capture_end, signals that would end this process only interrupt the command that runs;
 * capture_end then lets the signal have its way. */
void capture_begin(void);
void capture_end(void);

bool capture_caught(void);
const sigset_t *capture_waiting_mask(void); /* for pselect, between the two */

/* In a child: every signal does what it usually does. */
void capture_usual_signals(void);

#endif
