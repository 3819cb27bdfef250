#define _DEFAULT_SOURCE
#include "capture/strays.h"

#ifdef __linux__

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The parent of a process, by /proc/PID/stat: the second field may hold anything, the fourth is it. */
static pid_t parent_of(const char *pid)
{
	char path[40], text[512];
	const char *end;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.12s/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : 0;
}

static bool childless(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
}

/* Lists our children, up to max. All processes are looked at for that, which may take longer than the commands did:
 * it is done only if there are children. */
static unsigned children(pid_t *pid, unsigned max)
{
	const pid_t self = getpid();
	const struct dirent *e;
	unsigned n = 0;
	DIR *d = childless() ? NULL : opendir("/proc");

	while (d && n < max && (e = readdir(d)))
		if (*e->d_name >= '1' && *e->d_name <= '9' && parent_of(e->d_name) == self)
			pid[n++] = (pid_t)atoi(e->d_name);
	if (d)
		closedir(d);
	return n;
}

void strays_begin(struct strays *s)
{
	*s = (struct strays){ 0 };
	prctl(PR_GET_CHILD_SUBREAPER, &s->adopted_before, 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	s->n = children(s->known, STRAYS_KNOWN);
}

static bool known(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* When a stray ends its own children become ours: they are ended in turn, until there are none or a second has
 * passed. */
void strays_end(struct strays *s, const pid_t *commands, size_t ncommands)
{
	const struct timespec tick = { 0, 10000000 };
	pid_t now[STRAYS_KNOWN];

	for (int round = 0; round < 100; round++) {
		const unsigned n = children(now, STRAYS_KNOWN);
		unsigned found = 0, left = 0;

		for (unsigned i = 0; i < n; i++) {
			if (known(s->known, s->n, now[i]) || known(commands, ncommands, now[i]))
				continue;
			found++;
			kill(now[i], SIGKILL);
			left += waitpid(now[i], NULL, WNOHANG) == 0;
		}
		if (!found)
			break;
		if (left)
			nanosleep(&tick, NULL);
	}
	prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)s->adopted_before, 0, 0, 0);
}

#else

void strays_begin(struct strays *s)
{
	s->n = 0;
}

void strays_end(struct strays *s, const pid_t *commands, size_t n)
{
	(void)s;
	(void)commands;
	(void)n;
}

#endif
