/* Signals while commands run. */
#include "capture/signals.h"

#include <stddef.h>

static const int watched[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGCHLD };
enum { WATCHED = sizeof(watched) / sizeof(*watched) };

static volatile sig_atomic_t caught;
static struct sigaction actions_before[WATCHED];
static sigset_t mask_before, mask_waiting;

static void note_signal(int sig)
{
	if (sig != SIGCHLD)
		caught = sig;
}

/* Blocked but while waiting in pselect: none is missed, none comes at a bad moment. */
void capture_begin(void)
{
	struct sigaction note = { .sa_handler = note_signal };
	sigset_t block;

	caught = 0;
	sigemptyset(&note.sa_mask);
	sigemptyset(&block);
	for (size_t i = 0; i < WATCHED; i++)
		sigaddset(&block, watched[i]);
	sigprocmask(SIG_BLOCK, &block, &mask_before);
	mask_waiting = mask_before;
	for (size_t i = 0; i < WATCHED; i++) {
		sigaction(watched[i], NULL, &actions_before[i]);
		if (actions_before[i].sa_handler == SIG_IGN && watched[i] != SIGCHLD)
			continue;
		sigaction(watched[i], &note, NULL);
		sigdelset(&mask_waiting, watched[i]);
	}
}

void capture_end(void)
{
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &actions_before[i], NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
	if (caught)
		raise(caught);
}

bool capture_caught(void)
{
	return caught != 0;
}

const sigset_t *capture_waiting_mask(void)
{
	return &mask_waiting;
}

void capture_usual_signals(void)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
