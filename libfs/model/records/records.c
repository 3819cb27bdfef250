#include "model/records/records.h"

#include <stddef.h>
#include <string.h>

/* The macro has the value 1. It causes a compile error if a field of type DUR or SHARES, whose value may be a word, has
 * no bit in rec.special. */
#define CHECKED_SPECIAL_BIT(t, bit) \
	sizeof(char[(t) != FSI_DUR && (t) != FSI_SHARES ? 1 : (int)(bit) < FSI_SPECIAL_BITS ? 1 : -1])
#define DESCRIBE_FIELD(TAG, name, m, t, f, u, h) \
	{ #m, FSI_##t, f, (uint16_t)(offsetof(struct fsi_##name, m) * CHECKED_SPECIAL_BIT(FSI_##t, FSI_##TAG##_##m)), \
	  u,  h },

#define F_SNAPSHOT(m, t, f, u, h) DESCRIBE_FIELD(SNAPSHOT, header, m, t, f, u, h)
#define F_TRES(m, t, f, u, h) DESCRIBE_FIELD(TRES, tres, m, t, f, u, h)
#define F_ASSOCIATION(m, t, f, u, h) DESCRIBE_FIELD(ASSOCIATION, association, m, t, f, u, h)
#define F_USER(m, t, f, u, h) DESCRIBE_FIELD(USER, user, m, t, f, u, h)
#define F_QOS(m, t, f, u, h) DESCRIBE_FIELD(QOS, qos, m, t, f, u, h)
#define F_PARTITION(m, t, f, u, h) DESCRIBE_FIELD(PARTITION, partition, m, t, f, u, h)
#define F_NODE(m, t, f, u, h) DESCRIBE_FIELD(NODE, node, m, t, f, u, h)
#define F_RESERVATION(m, t, f, u, h) DESCRIBE_FIELD(RESERVATION, reservation, m, t, f, u, h)
#define F_JOB(m, t, f, u, h) DESCRIBE_FIELD(JOB, job, m, t, f, u, h)
#define F_JOB_EXT(m, t, f, u, h) DESCRIBE_FIELD(JOB, job_ext, m, t, (f) | FSI_OPTIONAL, u, h)
#define F_JOB_LINK
#define F_USAGE(m, t, f, u, h) DESCRIBE_FIELD(USAGE, usage, m, t, f, u, h)
#define F_GRANT(m, t, f, u, h) DESCRIBE_FIELD(GRANT, grant, m, t, f, u, h)
#define F_CREDENTIAL(m, t, f, u, h) DESCRIBE_FIELD(CREDENTIAL, credential, m, t, f, u, h)
#define F_WINDOW(m, t, f, u, h) DESCRIBE_FIELD(WINDOW, window, m, t, f, u, h)
#define F_TRIED(m, t, f, u, h) DESCRIBE_FIELD(TRIED, tried, m, t, f, u, h)
#define F_RECORDED(m, t, f, u, h) DESCRIBE_FIELD(RECORDED, recorded, m, t, f, u, h)

static const struct fsi_field header_fields[] = { FSI_SNAPSHOT_FIELDS(F_SNAPSHOT) };

#define TABLE_FIELDS(TAG, name, json)                                                              \
	static const struct fsi_field name##_fields[] = { FSI_##TAG##_FIELDS(F_##TAG) };
FSI_RECORD_TYPES(TABLE_FIELDS)

#define TABLE_ROW(TAG, name, json)                                                                 \
	[FSI_RECORD_##TAG] = { json, name##_fields, FSI_##TAG##_COUNT, sizeof(struct fsi_##name) },
static const struct fsi_record_table record_tables[] = { FSI_RECORD_TYPES(TABLE_ROW) };

static const struct fsi_record_table header_table = { "snapshot", header_fields, FSI_SNAPSHOT_COUNT,
						      sizeof(struct fsi_header) };

const struct fsi_job_ext fsi_job_empty_ext = { 0 };

const struct fsi_record_table *fsi_record_table(enum fsi_record_type type)
{
	return &record_tables[type];
}

const struct fsi_record_table *fsi_header_table(void)
{
	return &header_table;
}

#define STATE_NAME(s) #s,
static const char *const job_state_names[] = { FSI_JOB_STATES(STATE_NAME) };

const char *fsi_job_state_name(enum fsi_job_state state)
{
	return job_state_names[state];
}

bool fsi_job_has_ended(const struct fsi_job *job)
{
	switch (job->state) {
	case FSI_STATE_COMPLETED:
	case FSI_STATE_CANCELLED:
	case FSI_STATE_FAILED:
	case FSI_STATE_TIMEOUT:
	case FSI_STATE_NODE_FAIL:
	case FSI_STATE_PREEMPTED:
	case FSI_STATE_BOOT_FAIL:
	case FSI_STATE_DEADLINE:
	case FSI_STATE_OUT_OF_MEMORY:
		return true;
	default:
		return false;
	}
}

enum fsi_job_state fsi_job_state_parse(const char *s, uint32_t len)
{
	int i = 0;

	while (i < FSI_STATE_COUNT && (strlen(job_state_names[i]) != len || memcmp(job_state_names[i], s, len) != 0))
		i++;
	return (enum fsi_job_state)i;
}

const char *fsi_field_special_word(enum fsi_field_type type)
{
	return type == FSI_DUR ? "unlimited" : type == FSI_SHARES ? "parent" : NULL;
}

bool fsi_job_is_allocated(const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING || j->state == FSI_STATE_SUSPENDED ||
	       j->state == FSI_STATE_CONFIGURING || j->state == FSI_STATE_STOPPED;
}
