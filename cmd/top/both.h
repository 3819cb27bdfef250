/* Two things at once. */
#ifndef TOP_BOTH_H
#define TOP_BOTH_H

/* Runs both with ctx, `there` in a second thread, or before `here` where none can be had; returns when both are done. */
void both(void (*there)(void *), void (*here)(void *), void *ctx);

#endif
