/* Fuzz target: parses any bytes as the short texts of files and command lines, such as times, amounts, numbers, lists
 * of hosts and ids. */
#include "fuzz.h"

#include "base/num.h"
#include "base/hostlist.h"

static int count_host(void *ctx, const char *name, size_t len)
{
	uint64_t *n = ctx;

	PROMISE(len > 0 && name != NULL);
	return ++*n > 100000;
}

static void hosts(const char *text)
{
	uint64_t n = 0, again = 0;
	const int64_t count = fsi_hostlist_count_names(text, 65536);

	if (fsi_hostlist_expand_each(text, 65536, count_host, &n) == 0 && count >= 0)
		PROMISE(n == (uint64_t)count);
	(void)fs_hostlist_each(text, count_host, &again);
}

static void numbers(const char *s, size_t len)
{
	char text[FSI_DOUBLE_TEXT];
	double d, e;
	int64_t i, j;
	uint64_t u, v;

	if (!fsi_parse_double(s, len, &d)) {
		PROMISE(isfinite(d));
		PROMISE(!fsi_parse_double(text, (size_t)fsi_format_double(text, d), &e) && !memcmp(&d, &e, sizeof(d)));
	}
	if (!fsi_parse_i64(s, len, &i))
		PROMISE(!fsi_parse_i64(text, (size_t)fsi_format_i64(text, i), &j) && i == j);
	if (!fsi_parse_u64(s, len, &u))
		PROMISE(!fsi_parse_u64(text, (size_t)fsi_format_u64(text, u), &v) && u == v);
	if (!fsi_parse_duration(s, len, &i))
		PROMISE(i >= 0 && i <= FSI_SECONDS_MAX);
	(void)fsi_parse_civil_time(s, len, &i);
	(void)fsi_parse_mem_mb(s, len, &i);
	(void)fsi_parse_count(s, len, &i);
}

static void of_snapshot(const char *text, const char *record)
{
	struct fuzz_bytes b = { record, strlen(record) };
	char time[FS_TIME_TEXT], id_text[FS_JOB_ID_TEXT];
	struct fs_tres tres[8];
	struct fs_error err;
	fs_snapshot *m;
	int64_t at;
	uint64_t id;
	int rc;

	PROMISE(!fs_snapshot_read(&m, fuzz_read, &b, "base", &err));
	rc = fs_time_parse(m, text, &at, &err);
	if (rc)
		fuzz_check_error(rc, &err);
	else
		fs_time_format(m, at, time);
	rc = fs_tres_parse(m, text, tres, 8, &err);
	if (rc < 0)
		fuzz_check_error(rc, &err);
	if (!fs_job_id_parse(m, text, &id))
		fs_job_id_format(m, id, true, id_text);
	if (!fsi_f58_parse_id(text, &id))
		fs_f58_format(id, false, id_text);
	(void)fs_reason_find(text);
	(void)fs_slurm_unknown(fs_slurm_release(text));
	fs_snapshot_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	PROMISE(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	numbers(text, size);
	hosts(text);
	of_snapshot(text, "{\"type\":\"snapshot\",\"format\":1,\"scheduler\":\"slurm 24.11.0\",\"cluster\":\"c\",\"time\":1700000000,"
			  "\"utc_offset_s\":3600}\n");
	of_snapshot(text, "{\"type\":\"snapshot\",\"format\":1,\"scheduler\":\"flux 0.50\",\"cluster\":\"c\",\"time\":1700000000}\n");
	free(text);
	return 0;
}
