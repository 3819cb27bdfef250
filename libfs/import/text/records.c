/* Writes the outputs of scontrol and sdiag to files. A record of `Key=Value` is divided at the known keys of its type,
 * so line breaks, indentation, blank lines and left-out lines do not matter. A setting ends at the next known key. The
 * value of a key is one word, unless the key is in the list of keys with free text.
 *
 * States of the reader of a pasted output: no record has begun; a record is open (r->text has its lines, joined to one
 * line). A line that begins with the first key of the type, or with a key that the open record has already, closes the
 * open record (write_open_record). */
#include "import/text/tables.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A type of records. Keys: src/api/job_info.c, partition_info.c, node_info.c and reservation_info.c of Slurm 20.02 to
 * 25.11. */
struct record_type {
	const char *first, *file;
	const char *keys; /* all keys, separated by blanks; NULL: any word before an equals sign is a key */
	const char *free; /* keys whose value may have blanks */
	const char *single; /* keys that a record has at most once; other keys may repeat, once for each node */
};

static const struct record_type record_types[] = {
	[TEXT_JOB] = { "JobId", "scontrol_job_o.txt",
		       " JobId ArrayJobId ArrayTaskId ArrayTaskThrottle HetJobId HetJobOffset HetJobIdSet JobName UserId GroupId MCS_label "
		       "Priority Nice Account QOS WCKey JobState Reason FailedNode Dependency Requeue Restarts BatchFlag Reboot ExitCode "
		       "DerivedExitCode RunTime TimeLimit TimeMin SubmitTime EligibleTime AccrueTime ResizeTime StartTime EndTime Deadline "
		       "PreemptTime PreemptEligibleTime SuspendTime SecsPreSuspend LastSchedEval Scheduler Partition AllocNode:Sid ReqNodeList "
		       "ExcNodeList NodeList SchedNodeList BatchHost NumNodes NumCPUs NumTasks CPUs/Task ReqB:S:C:T TRES ReqTRES AllocTRES "
		       "Socks/Node NtasksPerN:B:S:C CoreSpec ThreadSpec JOB_GRES Nodes CPU_IDs Mem GRES MinCPUsNode MinMemoryCPU MinMemoryNode "
		       "MinTmpDiskNode Features Prefer ClusterFeatures BatchFeatures DelayBoot Reservation OverSubscribe Shared Exclusive "
		       "Contiguous Licenses LicensesAlloc Network Command WorkDir StdErr StdIn StdOut SubmitLine Comment AdminComment "
		       "SystemComment Extra Container ContainerID Power CronJob BurstBuffer BurstBufferState FedOrigin FedViableSiblings "
		       "FedActiveSiblings Switches SpreadJob Gres GresEnforceBind KillOInInvalidDependent MailUser MailType CpusPerTres "
		       "MemPerTres NtasksPerTRES TresBind TresFreq TresPerJob TresPerNode TresPerSocket TresPerTask SELinuxContext SLUID "
		       "Cluster SegmentSize ",
		       " JobName UserId GroupId Reason Network Command WorkDir StdErr StdIn StdOut SubmitLine Comment AdminComment SystemComment "
		       "Extra Container BurstBuffer BurstBufferState Switches ",
		       " UserId Priority JobState SubmitTime StartTime Partition NumNodes Account TimeLimit " },
	[TEXT_PARTITION] = { "PartitionName", "scontrol_partition_o.txt",
			     " PartitionName AllowGroups AllowAccounts DenyAccounts AllowQos DenyQos AllocNodes Alternate CpuBind Default QoS "
			     "DefaultTime DisableRootJobs Exclusive ExclusiveTopo ExclusiveUser GraceTime Hidden JobDefaults LLN MaxNodes MaxTime "
			     "MinNodes MaxCPUsPerNode MaxCPUsPerSocket NodeSets Nodes Priority PriorityJobFactor PriorityTier RootOnly ReqResv "
			     "OverSubscribe Shared OverTimeLimit PowerDownOnIdle PreemptMode ResumeTimeout SelectTypeParameters State "
			     "SuspendTime SuspendTimeout TotalCPUs TotalNodes DefMemPerCPU DefMemPerNode MaxMemPerCPU MaxMemPerNode Topology TRES "
			     "TRESBillingWeights ",
			     " ", " AllowGroups MaxNodes State Nodes " },
	[TEXT_NODE] = { "NodeName", "scontrol_node_o.txt",
			" NodeName Arch CoresPerSocket CPUAlloc CPUEfctv CPUErr CPUTot CPULoad CPUSpecList CoreSpecCount AvailableFeatures "
			"ActiveFeatures Features Gres GresDrain GresUsed NodeAddr NodeHostName BcastAddr Port Version OS RealMemory AllocMem "
			"FreeMem Sockets Boards State NextState ThreadsPerCore TmpDisk Weight Owner MCS_label Partitions BootTime "
			"SlurmdStartTime LastBusyTime ResumeAfterTime SuspendTime CfgTRES AllocTRES CapWatts CurrentWatts AveWatts LowestJoules "
			"ConsumedJoules ExtSensorsJoules ExtSensorsWatts ExtSensorsTemp MemSpecLimit CpuBind Comment Extra InstanceId "
			"InstanceType Reason ReservationName RestrictedCoresPerGPU Topology Parameters ",
			" OS Reason Comment Extra ", " State TotalCPUs CPUAlloc CPUTot " },
	[TEXT_RESERVATION] = { "ReservationName", "scontrol_reservation.txt",
			       " ReservationName StartTime EndTime Duration Nodes NodeCnt CoreCnt Features PartitionName Flags TRES NodeName "
			       "CoreIDs Users Groups Accounts Licenses State BurstBuffer Comment MaxStartDelay Watts AllowedPartitions QOS ",
			       " Comment ", " StartTime State " },
	[TEXT_ASSOC_MGR] = { NULL, "scontrol_assoc_mgr_o.txt", NULL, NULL, " " },
};

struct record_reader {
	struct fsi_text *t;
	struct fsi_text_piece *p;
	const struct record_type *type; /* NULL: settings of the configuration */
	const char *file;
	struct fsi_buf text; /* text of the open record: its lines, joined */
	uint32_t no;
	/* width: length of the longest line of the output; base_indent: smallest indentation of the output's lines */
	size_t width, base_indent;
	size_t previous_len; /* length of the previous line; 0: lines are missing between it and this line */
	/* double_spaced: a mail program put a blank line after each line; folded: a terminal folded lines, and so cut
	 * none */
	bool is_open, double_spaced, folded;
};

static bool is_record_key(const struct record_type *type, struct fsi_span word)
{
	return type->keys ? fsi_text_is_word_of(type->keys, word)
			  : word.len && !memchr(word.s, ' ', word.len) && !memchr(word.s, '(', word.len);
}

/* Returns the key with which the text begins; an empty span if it begins with no known key and an equals sign. */
static struct fsi_span get_first_key(const struct record_type *type, struct fsi_span text)
{
	const char *equals = text.len ? memchr(text.s, '=', text.len) : NULL;
	const struct fsi_span key = { text.s, equals ? (size_t)(equals - text.s) : 0 };

	return is_record_key(type, key) ? key : (struct fsi_span){ NULL, 0 };
}

/* Returns the position of the next word that begins with a known key, from `from` on; text.len if there is none. */
static size_t find_next_key(const struct record_type *type, struct fsi_span text, size_t from)
{
	for (size_t i = from; i < text.len; i++)
		if ((!i || text.s[i - 1] == ' ') && text.s[i] != ' ' &&
		    get_first_key(type, fsi_span_skip_bytes(text, i)).len)
			return i;
	return text.len;
}

static bool starts_record(const struct record_type *type, struct fsi_span line)
{
	if (type->first)
		return fsi_span_is_word(get_first_key(type, line), type->first);
	return fsi_span_starts_with(line, "UserName=") || fsi_span_starts_with(line, "ClusterName=") ||
	       fsi_span_starts_with(line, "QOS=");
}

static int append_record_text(struct record_reader *r, const char *s, size_t n)
{
	return fsi_buf_append_bytes(&r->text, s, n) ? fsi_fail_no_memory(r->t->err) : 0;
}

/* Removes the last `Key=value`. Its value may be incomplete, because its line was cut. */
static void drop_last_setting(struct record_reader *r)
{
	while (r->text.n && r->text.v[r->text.n - 1] != ' ')
		r->text.n--;
	while (r->text.n && r->text.v[r->text.n - 1] == ' ')
		r->text.n--;
}

/* Returns the text that identifies a record: its first word or, for an association, ID=... */
static struct fsi_span get_record_id(struct fsi_span record)
{
	struct fsi_span rest = record, word = { NULL, 0 };

	if (fsi_span_starts_with(record, "ClusterName="))
		while (fsi_span_cut_part(&rest, ' ', &word) && !fsi_span_starts_with(word, "ID="))
			;
	else
		fsi_span_cut_part(&rest, ' ', &word);
	return word;
}

/* ---- a record that was pasted twice */

/* Returns true if each setting of record `a` that has a value is in record `b`, too. */
static bool has_settings_of(struct fsi_span a, struct fsi_span b)
{
	struct fsi_span word, other;

	while (fsi_span_cut_part(&a, ' ', &word)) {
		struct fsi_span rest = b;
		bool found = !word.len || word.s[word.len - 1] == '=';

		while (!found && fsi_span_cut_part(&rest, ' ', &other))
			found = fsi_span_equals(word, other);
		if (!found)
			return false;
	}
	return true;
}

/* Writes a record to the file. If a record was pasted twice, the longer text is used, because less text is missing from
 * it. Warns if the two texts differ. */
static int add_record(struct record_reader *r, struct fsi_span record)
{
	struct fsi_text_file *f = fsi_text_ensure_file(r->t, r->file);
	const struct fsi_span id = get_record_id(record);
	struct fsi_text_line *old;
	uint32_t before, row;
	char *copy;

	if (!f)
		return fsi_fail_no_memory(r->t->err);
	before = f->keys.count;
	row = fsi_intern_add(&f->keys, id.s, id.len);
	if (row == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(r->t->err);
	if (!id.len || f->keys.count > before) {
		while (f->key_lines.n < f->keys.count) {
			if (FSI_VEC_RESERVE(&f->key_lines))
				return fsi_fail_no_memory(r->t->err);
			f->key_lines.v[f->key_lines.n++] = f->lines.n;
		}
		return fsi_text_add_line(r->t, r->file, record, r->no);
	}
	old = &f->lines.v[f->key_lines.v[row]];
	if (!has_settings_of(record.len < old->len ? record : fsi_text_line_span(old),
			     record.len < old->len ? fsi_text_line_span(old) : record) &&
	    fsi_text_add_warning(r->t, "lines %u and %u: two records of %.*s differ: the import uses the longer record", old->no,
				 r->no, (int)(id.len < 60 ? id.len : 60), id.s))
		return FS_ENOMEM;
	if (record.len <= old->len)
		return 0;
	copy = fsi_arena_strndup(&r->t->arena, record.s, record.len);
	if (!copy)
		return fsi_fail_no_memory(r->t->err);
	*old = (struct fsi_text_line){ copy, (uint32_t)record.len, r->no, false };
	return 0;
}

/* ---- dividing a record into its settings */

/* Returns the end of the value of JobName=. A job's name may have any text, also ` Key=`; scontrol prints UserId= after
 * it. If the record has no UserId=, the name ends at the next known key. */
static size_t find_name_end(const struct record_type *type, struct fsi_span text, size_t from)
{
	const struct fsi_span rest = fsi_span_skip_bytes(text, from);
	const char *network = fsi_span_find_text(rest, " Network=", 4);
	const char *const limit = network ? network : text.s + text.len, *last = NULL;

	for (const char *at = rest.s;
	     (at = fsi_span_find_text((struct fsi_span){ at, (size_t)(limit - at) }, " UserId=", 4)) != NULL; at++)
		last = at;
	return last ? (size_t)(last + 1 - text.s) : find_next_key(type, text, from);
}

/* Appends the setting to the record, without text after the value, unless its value is redacted. A redacted or missing
 * user is written as `UserId=`, because the job's name ends there. */
static int append_setting(struct record_reader *r, struct fsi_buf *out, struct fsi_span setting, size_t key_len)
{
	const struct fsi_span key = { setting.s, key_len };
	struct fsi_span value = fsi_span_trim_blanks(fsi_span_skip_bytes(setting, key_len + 1)), word = value;
	int rc = 0;

	if (!fsi_text_is_word_of(r->type->free, key)) {
		fsi_span_cut_part(&value, ' ', &word);
		r->p->unparsed += value.len > 0;
	}
	if (fsi_text_is_redacted(word)) {
		r->p->redacted++;
		if (!fsi_span_is_word(key, "UserId"))
			return 0;
		word.len = 0;
	}
	if (out->n)
		rc = fsi_buf_append_bytes(out, " ", 1);
	rc = rc ? rc : fsi_buf_append_bytes(out, setting.s, key_len + 1);
	rc = rc ? rc : fsi_buf_append_bytes(out, word.s, word.len);
	return rc ? fsi_fail_no_memory(r->t->err) : 0;
}

/* Divides the text into settings and writes them as one line. */
static int write_settings(struct record_reader *r, struct fsi_span text)
{
	static const struct fsi_span no_user = { "UserId=", 7 };
	struct fsi_buf out = { .n = 0 };
	bool needs_user = false;
	size_t at = find_next_key(r->type, text, 0);
	int rc = 0;

	while (at < text.len && !rc) {
		const struct fsi_span key = get_first_key(r->type, fsi_span_skip_bytes(text, at));
		const size_t end = fsi_span_is_word(key, "JobName") ? find_name_end(r->type, text, at + key.len)
								     : find_next_key(r->type, text, at + key.len);

		if (needs_user && !fsi_span_is_word(key, "UserId"))
			rc = append_setting(r, &out, no_user, no_user.len - 1);
		needs_user = fsi_span_is_word(key, "JobName");
		rc = rc ? rc : append_setting(r, &out, (struct fsi_span){ text.s + at, end - at }, key.len);
		at = end;
	}
	if (needs_user && !rc)
		rc = append_setting(r, &out, no_user, no_user.len - 1);
	rc = rc ? rc : add_record(r, (struct fsi_span){ out.v, out.n });
	free(out.v);
	return rc;
}

/* Writes the open record. Text with several records on one line is divided at the first key of the type. */
static int write_open_record(struct record_reader *r)
{
	struct fsi_span text = { r->text.v, r->text.n };
	int rc = 0;

	while (r->is_open && text.len && !rc) {
		size_t end = text.len;

		if (r->type && r->type->first)
			for (end = find_next_key(r->type, text, 1); end < text.len;
			     end = find_next_key(r->type, text, end + 1))
				if (starts_record(r->type, fsi_span_skip_bytes(text, end)))
					break;
		rc = !r->type	     ? fsi_text_add_line(r->t, r->file, text, r->no)
		     : r->type->keys ? write_settings(r, (struct fsi_span){ text.s, end })
				     : add_record(r, text);
		text = fsi_span_skip_bytes(text, end);
		r->p->imported++;
	}
	r->is_open = false;
	r->text.n = 0;
	return rc;
}

/* ---- joining the lines of a record */

/* Returns true if the open record already has a key of the line that a record has once. The line then belongs to
 * another record, whose first line is missing. */
static bool repeats_single_key(const struct record_reader *r, struct fsi_span line)
{
	const struct fsi_span record = { r->text.v, r->text.n };

	for (size_t i = find_next_key(r->type, line, 0); i < line.len; i = find_next_key(r->type, line, i + 1)) {
		const struct fsi_span key = get_first_key(r->type, fsi_span_skip_bytes(line, i));

		if (!fsi_text_is_word_of(r->type->single, key))
			continue;
		for (size_t k = find_next_key(r->type, record, 0); k < record.len;
		     k = find_next_key(r->type, record, k + 1))
			if (fsi_span_equals(get_first_key(r->type, fsi_span_skip_bytes(record, k)), key))
				return true;
	}
	return false;
}

/* Returns true if the last key of the open record has free text. */
static bool ends_in_free_text(const struct record_reader *r)
{
	const struct fsi_span text = { r->text.v, r->text.n };
	struct fsi_span key = { NULL, 0 };

	for (size_t i = find_next_key(r->type, text, 0); i < text.len; i = find_next_key(r->type, text, i + 1))
		key = get_first_key(r->type, fsi_span_skip_bytes(text, i));
	return !r->type->free || fsi_text_is_word_of(r->type->free, key);
}

/* Returns true if the line is the rest of a value with blanks, which a mail program wrapped. */
static bool is_wrapped_text(const struct record_reader *r, struct fsi_span line)
{
	enum { MAIL_WIDTH_MIN = 70 };
	struct fsi_span word = line, rest = line;

	fsi_span_cut_part(&rest, ' ', &word);
	return r->previous_len && r->previous_len + word.len >= MAIL_WIDTH_MIN && r->type->free && ends_in_free_text(r);
}

/* Returns true if the line has blanks, but no key: it is prose, unless it is the rest of free text. */
static bool is_prose(const struct record_reader *r, struct fsi_span line)
{
	return memchr(line.s, ' ', line.len) && find_next_key(r->type, line, 0) == line.len && !ends_in_free_text(r);
}

/* Returns true if a terminal folded the record before this line: the previous line is the longest one, and this line
 * does not begin with a key, or its key is the rest of a longer key. */
static bool is_folded_before(const struct record_reader *r, struct fsi_span line, size_t indent)
{
	const struct fsi_span key = get_first_key(r->type, line), text = { r->text.v, r->text.n };
	size_t begin = text.len;
	char joined[64];
	int n;

	if (indent >= 3 || r->previous_len != r->width || r->width < 40 || is_prose(r, line))
		return false;
	if (!key.len || !r->type->keys)
		return true;
	while (begin && text.s[begin - 1] != ' ')
		begin--;
	n = snprintf(joined, sizeof(joined), "%.*s%.*s", (int)(text.len - begin), text.s + begin, (int)key.len, key.s);
	return n > 0 && (size_t)n < sizeof(joined) && (size_t)n > key.len &&
	       fsi_text_is_word_of(r->type->keys, fsi_string_to_span(joined));
}

/* Returns true if the end of line i is probably missing: the paste ends in this line, or a terminal or cut(1) cut it. A
 * line counts as cut if it is the longest line of the output and if its length is a usual terminal width, or if another
 * line has the same length. */
static bool is_line_end_cut(const struct record_reader *r, size_t i)
{
	enum { CUT_WIDTH_MAX = 200 };
	const struct fsi_text_lines *l = &r->t->lines;
	const size_t len = l->v[i].len;
	size_t same = 0;

	if (l->v[i].cut)
		return true;
	if (len < 40 || len != r->width || r->folded)
		return false;
	for (size_t k = r->p->begin; k < r->p->end; k++)
		same += l->v[k].len == len;
	return len <= CUT_WIDTH_MAX && (same > 1 || fsi_text_is_terminal_width(len));
}

/* Returns true if line i + 1 begins a setting or record, or is blank, so it is not the rest of line i. */
static bool is_next_line_separate(const struct record_reader *r, size_t i)
{
	struct fsi_span next;

	if (i + 1 >= r->p->end || r->t->lines.v[i].cut)
		return true;
	next = fsi_span_trim_blanks(fsi_text_get_line(r->t, i + 1));
	if (!next.len || !r->type)
		return !next.len || fsi_text_is_config_setting(next);
	return starts_record(r->type, next) || get_first_key(r->type, next).len;
}

static int open_record(struct record_reader *r, struct fsi_span line, uint32_t no)
{
	const int rc = write_open_record(r);

	r->is_open = true;
	r->no = no;
	return rc ? rc : append_record_text(r, line.s, line.len);
}

/* Appends the line to the open record, if it belongs to it. */
static int join_record_line(struct record_reader *r, struct fsi_span line, size_t indent)
{
	const bool folded = is_folded_before(r, line, indent);
	int rc = 0;

	if (!folded && !get_first_key(r->type, line).len && !is_wrapped_text(r, line)) {
		r->p->unparsed += r->type->first != NULL;
		return 0;
	}
	if (repeats_single_key(r, line)) {
		r->p->unparsed++;
		return write_open_record(r);
	}
	rc = append_record_text(r, "  ", folded ? indent : 1);
	return rc ? rc : append_record_text(r, line.s, line.len);
}

static int read_record_line(struct record_reader *r, size_t i)
{
	const struct fsi_text_line *l = &r->t->lines.v[i];
	const struct fsi_span raw = fsi_text_line_span(l), line = fsi_span_trim_blanks(raw);
	const size_t indent = line.len ? (size_t)(line.s - raw.s) - r->base_indent : 0;
	int rc = 0;

	if (!line.len && r->double_spaced)
		return 0;
	if (!line.len || fsi_text_is_ornament(line)) {
		r->previous_len = 0;
		return 0;
	}
	if (starts_record(r->type, line))
		rc = open_record(r, line, l->no);
	else if (!r->type->first && fsi_span_starts_with(line, "Current Assoc"))
		rc = write_open_record(r);
	else if (r->is_open)
		rc = join_record_line(r, line, indent);
	else
		r->p->unparsed += r->type->first != NULL;
	if (!rc && r->is_open && is_line_end_cut(r, i) && is_next_line_separate(r, i))
		drop_last_setting(r);
	r->previous_len = l->len;
	return rc;
}

static void measure_record_lines(struct record_reader *r)
{
	size_t blanks = 0;

	r->base_indent = SIZE_MAX;
	for (size_t i = r->p->begin; i < r->p->end; i++) {
		const struct fsi_text_line *l = &r->t->lines.v[i];
		const struct fsi_span line = { l->s, l->len }, v = fsi_span_trim_blanks(line);

		if (v.len && (size_t)(v.s - line.s) < r->base_indent)
			r->base_indent = (size_t)(v.s - line.s);
		r->width = l->len > r->width ? l->len : r->width;
		blanks += !v.len;
	}
	r->double_spaced = blanks * 5 > (r->p->end - r->p->begin) * 2;
	for (size_t i = r->p->begin; i < r->p->end && r->width >= 40; i++)
		r->folded = r->folded || (r->t->lines.v[i].len == r->width && !is_next_line_separate(r, i));
}

static int write_record_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	const struct record_type *type = &record_types[p->kind];
	struct record_reader r = { .t = t, .p = p, .type = type, .file = type->file };
	int rc = 0;

	measure_record_lines(&r);
	if (!type->first && !fsi_text_find_file(t, r.file))
		rc = fsi_text_add_line(t, r.file, fsi_string_to_span("Current Association Manager state"),
				       t->lines.v[p->begin].no);
	for (size_t i = p->begin; i < p->end && !rc; i++)
		rc = read_record_line(&r, i);
	rc = rc ? rc : write_open_record(&r);
	free(r.text.v);
	return rc;
}

/* ---- the configuration: lines of `Name   = value`, which a terminal may have folded */

static int read_config_line(struct record_reader *r, size_t i)
{
	const struct fsi_text_line *l = &r->t->lines.v[i];
	const struct fsi_span raw = fsi_text_line_span(l), line = fsi_span_trim_blanks(raw);
	const bool begins = fsi_text_is_config_setting(line) || fsi_span_starts_with(line, "Configuration data as of");
	int rc = 0;

	if (!line.len || fsi_text_is_ornament(line)) {
		r->previous_len = 0;
		return 0;
	}
	if (begins) {
		rc = open_record(r, line, l->no);
	} else if (r->is_open && r->previous_len && r->previous_len + 1 >= r->width && r->width >= 40 &&
		   (fsi_text_is_terminal_width(r->width) || !memchr(line.s, ' ', line.len))) {
		rc = append_record_text(r, " ", r->previous_len < r->width);
		rc = rc ? rc : append_record_text(r, raw.s + r->base_indent, raw.len - r->base_indent);
	} else {
		rc = write_open_record(r);
		r->p->unparsed += line.s[line.len - 1] != ':' && !fsi_span_starts_with(line, "Slurmctld(");
	}
	if (r->is_open && is_line_end_cut(r, i) && is_next_line_separate(r, i)) {
		r->is_open = false; /* the rest of the value may be missing */
		r->text.n = 0;
		r->p->unparsed++;
	}
	r->previous_len = l->len;
	return rc;
}

static int write_config_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct record_reader r = { .t = t, .p = p, .file = "scontrol_config.txt" };
	int rc = 0;

	measure_record_lines(&r);
	for (size_t i = p->begin; i < p->end && !rc; i++)
		rc = read_config_line(&r, i);
	rc = rc ? rc : write_open_record(&r);
	free(r.text.v);
	return rc;
}

static int write_piece_unchanged(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++) {
		rc = fsi_text_add_line(t, file, fsi_text_get_line(t, i), t->lines.v[i].no);
		p->imported++;
	}
	return rc;
}

int fsi_text_write_records(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		struct fsi_text_piece *p = &t->pieces.v[i];

		if (p->kind == TEXT_CONFIG)
			rc = write_config_piece(t, p);
		else if (p->kind == TEXT_SDIAG)
			rc = write_piece_unchanged(t, p, "sdiag.txt");
		else if (p->kind <= TEXT_ASSOC_MGR)
			rc = write_record_piece(t, p);
	}
	return rc;
}
