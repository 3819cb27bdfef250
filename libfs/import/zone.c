/* The zone of a capture: what its files' local times are (fs_import_options.offsets), and in which zone the one who
 * captured reads times (the file `zone`, a line "since offset" for each change; its commands ran in UTC). */
#include "import/import.h"

#include "base/zone.h"

#include <stdio.h>

enum { OFFSETS = 512, KEPT = 16 };
static const int64_t around = 3 * INT64_C(366) * 86400; /* how far from the capture its times may be */

struct offsets {
	struct fs_utc_offset v[OFFSETS];
	size_t n;
};

int fsi_import_zone_told(struct fsi_import *imp)
{
	int rc = 0;

	if (imp->twice.n)
		rc = fsi_import_incomplete(imp, NULL,
					   "%s:%llu: and %zu more times are of an hour that came twice: taken for the first",
					   imp->twice.first.file, (unsigned long long)imp->twice.first.line,
					   imp->twice.n - 1);
	if (!rc && imp->never.n)
		rc = fsi_import_incomplete(imp, NULL, "%s:%llu: and %zu more times are of an hour that there was not",
					   imp->never.first.file, (unsigned long long)imp->never.first.line,
					   imp->never.n - 1);
	return rc;
}

static int offset_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct offsets *o = ctx;

	line = fsi_span_trim(line);
	if (!line.len)
		return 0;
	if (o->n == OFFSETS || fsi_zone_parse(line.s, line.len, &o->v[o->n]) ||
	    (o->n && o->v[o->n].since <= o->v[o->n - 1].since))
		return fsi_import_bad(imp, "zone", line, "seconds since 1970 and an offset, rising");
	o->n++;
	return 0;
}

/* Writes the offsets that can matter into the header; the first holds for all times before it too. */
static int keep(struct fsi_import *imp, const struct fs_utc_offset *v, size_t n)
{
	struct fsi_header *h = &imp->m->head;
	char text[KEPT * (FSI_ZONE_TEXT + 1)] = "", item[FSI_ZONE_TEXT];
	size_t first = 0, len = 0, last;

	while (first + 1 < n && v[first + 1].since <= h->time - around)
		first++;
	for (last = first; last < n && last < first + KEPT && v[last].since <= h->time + around; last++) {
		fsi_zone_format(&v[last], item);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", len ? "," : "", item);
	}
	FSI_PUT(h, SNAPSHOT, utc_offset_s, fsi_zone_offset(v, n, h->time));
	return last - first < 2 ? 0
				: fsi_import_set(imp, fsi_header_table(), FSI_SNAPSHOT_utc_offsets, &h->rec,
						 (struct fsi_span){ text, len });
}

int fsi_import_zone(struct fsi_import *imp, bool offset_known)
{
	struct offsets own = { .n = 0 };
	int rc;

	if (imp->zone) {
		if (offset_known && fsi_zone_offset(imp->zone, imp->nzone, imp->m->head.time) != imp->utc_offset_s)
			return fsi_fail(imp->err, FS_EDATA,
					"%s: its local times are %+.4g h from UTC, which those of the zone given are not",
					imp->source->name, (double)imp->utc_offset_s / 3600);
		return keep(imp, imp->zone, imp->nzone);
	}
	rc = fsi_import_lines(imp, "zone", offset_line, &own);
	return rc < 0 ? rc : own.n ? keep(imp, own.v, own.n) : 0;
}
