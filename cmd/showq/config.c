/* showq.conf: of its keys `hosts_available=N` alone says something about a snapshot. Harvard's tool looks beside
 * its program; TACC's at $TACC_SHOWQ_CONF, else /usr/local/bin. */
#include "showq/showq.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char conf_name[] = "showq.conf";

/* Cuts a path to its folder, with the slash; false if there is none. */
static bool folder_of(char *dir, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 0;

	if (!len || len + sizeof(conf_name) > size)
		return false;
	memcpy(dir, path, len);
	memcpy(dir + len, conf_name, sizeof(conf_name));
	return true;
}

static FILE *beside_program(struct showq_run *r)
{
	char exe[sizeof(r->config_file)];
	const ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	FILE *f = NULL;

	if (folder_of(r->config_file, sizeof(r->config_file), r->program))
		f = fopen(r->config_file, "r");
	if (!f && len > 0) {
		exe[len] = '\0';
		if (folder_of(r->config_file, sizeof(r->config_file), exe))
			f = fopen(r->config_file, "r");
	}
	return f;
}

static FILE *open_config(struct showq_run *r)
{
	const char *env = getenv("TACC_SHOWQ_CONF"), *file = r->config;

	if (!file && r->style->style == STYLE_FASRC)
		return beside_program(r);
	if (!file)
		file = env && *env ? env : "/usr/local/bin/showq.conf";
	r->config_custom = r->config || (env && *env);
	snprintf(r->config_file, sizeof(r->config_file), "%s", file);
	return fopen(file, "r");
}

void showq_read_config(struct showq_run *r)
{
	enum { MAX_LINES = 10000 };
	static const char key[] = "hosts_available";
	int lines = 0;
	FILE *f = open_config(r);
	char line[512];

	if (!f) {
		if (r->config)
			complain(r->inv, "%s: cannot be opened", r->config);
		return;
	}
	r->config_found = true;
	while (fgets(line, sizeof(line), f) && lines++ < MAX_LINES) {
		char *p = line + strspn(line, " \t");
		long long n;

		if (strncmp(p, key, sizeof(key) - 1) != 0)
			continue;
		p += sizeof(key) - 1;
		p += strspn(p, " \t");
		if (*p == '=' && sscanf(p + 1, "%lld", &n) == 1 && n > 0 && n <= INT32_MAX)
			r->hosts = n;
	}
	if (lines > MAX_LINES)
		complain(r->inv, "warning: %s: of more than %d lines the rest is not read", r->config_file, MAX_LINES);
	fclose(f);
}
