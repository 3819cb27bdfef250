#include "model/maui/buckets.h"

#include <stdio.h>
#include <string.h>

void fsi_maui_indexed(char *buf, size_t size, const char *parameter, unsigned index)
{
	if (index)
		snprintf(buf, size, "%s[%u]", parameter, index);
	else
		snprintf(buf, size, "%s", parameter);
}

void fsi_maui_buckets(const fs_snapshot *m, struct fsi_maui_bucket b[FSI_MAUI_BUCKETS])
{
	for (unsigned i = 0; i < FSI_MAUI_BUCKETS; i++) {
		char name[40];

		fsi_maui_indexed(name, sizeof(name), "RESERVATIONDEPTH", i);
		b[i].depth = fsi_config_int(m, name, i == 0);
		fsi_maui_indexed(name, sizeof(name), "RESERVATIONQOSLIST", i);
		b[i].qos = fs_snapshot_config_text(m, name);
	}
}

static bool lists(const char *words, const char *qos)
{
	const size_t len = strlen(qos);

	for (const char *at = words; *at;) {
		const size_t word = strcspn(at, " ");

		if (word == len && !memcmp(at, qos, len))
			return true;
		at += word;
		at += strspn(at, " ");
	}
	return false;
}

bool fsi_maui_bucket_of_all(const struct fsi_maui_bucket *b)
{
	return !b->qos || lists(b->qos, FSI_MAUI_EVERY_QOS);
}

unsigned fsi_maui_bucket_of(const struct fsi_maui_bucket *b, const char *qos)
{
	unsigned i = 0;

	while (i < FSI_MAUI_BUCKETS && (!b[i].depth || !(fsi_maui_bucket_of_all(&b[i]) || lists(b[i].qos, qos))))
		i++;
	return i;
}
