/* The files that a capture had, as the header's `sources`; and how the header's lists grow. */
#include "import/import.h"

#include <stdio.h>
#include <string.h>

enum { HEADER_LIST_MAX = 64 };

int fsi_import_append(struct fsi_import *imp, uint32_t *list, unsigned bit, uint32_t id)
{
	if (fsi_list_add(imp->m, list, HEADER_LIST_MAX, id) < 0)
		return fsi_nomem(imp->err);
	fsi_mark_known(&imp->m->head.rec, bit);
	return 0;
}

static bool is_named(const char *pattern, const char *name, size_t len)
{
	const size_t n = strlen(pattern);

	if (n && pattern[n - 1] == '*')
		return len >= n - 1 && !memcmp(pattern, name, n - 1);
	return len == n && !memcmp(pattern, name, n);
}

static uint64_t rows_of(const struct fsi_import *imp, const char *name, size_t len)
{
	uint64_t rows = 0;

	for (size_t i = 0; imp->sources && imp->sources[i].type; i++)
		if (is_named(imp->sources[i].file, name, len))
			rows |= 1ull << i;
	return rows;
}

void fsi_import_asked(struct fsi_import *imp, const char *file, bool found)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const uint64_t rows = rows_of(imp, name, strlen(name));

	imp->asked |= rows;
	imp->found |= found ? rows : 0;
}

void fsi_import_partial(struct fsi_import *imp, const char *sentence)
{
	const size_t dir = imp->source ? strlen(imp->source->name) : 0;
	const char *name = sentence, *end;

	if (!dir || strncmp(sentence, imp->source->name, dir) != 0 || sentence[dir] != '/')
		return;
	name += dir + 1;
	end = strchr(name, ':');
	for (const char *s = name; end && s < end; s++)
		if (*s == '/')
			name = s + 1;
	if (end)
		imp->partial |= rows_of(imp, name, (size_t)(end - name));
}

int fsi_import_sources(struct fsi_import *imp)
{
	struct fsi_header *h = &imp->m->head;
	int rc = 0;

	for (size_t i = 0; imp->sources[i].type && !rc; i++) {
		const uint64_t bit = 1ull << i;
		char text[120];

		if (!(imp->asked & bit))
			continue;
		snprintf(text, sizeof(text), "%s %s %s", imp->sources[i].type, imp->sources[i].file,
			 !(imp->found & bit) ? "missing" : imp->partial & bit ? "partial" : "whole");
		rc = fsi_import_append(imp, &h->sources, FSI_SNAPSHOT_sources, fsi_name(imp->m, text));
	}
	return rc;
}
