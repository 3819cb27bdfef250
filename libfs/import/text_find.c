/* Which lines of a paste are which command's output: by headings and by first words, which prompts and prose end. */
#include "import/text.h"

#include "base/num.h"

#include <string.h>

static bool begins(struct fsi_span line, const char *with)
{
	const size_t n = strlen(with);

	return line.len >= n && !memcmp(line.s, with, n);
}

/* ---- the columns of each command, by its own headings */

#define LIMITS "GrpTRES GrpTRESMins GrpTRESRunMins GrpTRESRunMin GrpJobs GrpJobsAccrue GrpSubmit GrpWall MaxTRES MaxTRESPerNode MaxTRESMins MaxWall MaxJobs MaxSubmit MaxJobsAccrue MinPrioThres MinPrio "

static const struct columns {
	enum fsi_text_kind kind;
	const char *name;  /* of the command */
	const char *must;  /* one of these says that it is this command */
	const char *words; /* all that it is known to print */
} columns[] = {
	{ TEXT_FLUX_ACCOUNT, "flux account", " BANKPRIO FSFACTOR URGFACT ",
	  " JOBID USER BANK BANKPRIO BANKFACT QUEUE QPRIO QFACT FAIRSHARE FSFACTOR URGENCY URGFACT PRIORITY " },
	{ TEXT_FLUX_JOBS, "flux jobs", " NTASKS NNODES ", " JOBID QUEUE USER NAME ST STATE NTASKS NNODES NCORES TIME RUNTIME INFO BANK PRI URG " },
	{ TEXT_SPRIO, "sprio", " AGE FAIRSHARE JOBSIZE SITE ADMIN ASSOC ",
	  " JOBID PARTITION USER ACCOUNT PRIORITY SITE ADMIN AGE ASSOC FAIRSHARE JOBSIZE QOS QOSNAME NICE TRES SLUID CLUSTER " },
	{ TEXT_SQUEUE, "squeue", " JOBID ARRAY_JOB_ID ",
	  " JOBID PARTITION NAME USER ST STATE TIME NODES NODELIST(REASON) NODELIST REASON PRIORITY NICE CPUS TASKS TIME_LIMIT "
	  "TIME_LIMI TIME_LEFT SUBMIT_TIME ELIGIBLE_TIME ACCRUE_TIME START_TIME END_TIME LAST_SCHED_EVAL PENDING_TIME QOS ACCOUNT UID "
	  "GROUP ARRAY_JOB_ID ARRAY_TASK_ID ASSOC_ID DEPENDENCY RESERVATION FEATURES LICENSES REQ_NODES EXC_NODES SCHEDNODES "
	  "OVER_SUBSCRIBE TRES_ALLOC TRES_PER_NODE TRES_PER_JOB MIN_CPUS MIN_MEMORY CPUS_PER_TASK MIN_TMP_DISK RESTART_COUNT "
	  "RESTART_CO COMMAND WORK_DIR COMMENT ADMIN_COMMENT PREEMPT_TIME EXEC_HOST WCKEY CONTIGUOUS S:C:T SOCKETS_PER_NODE "
	  "CORES_PER_SOCKET THREADS_PER_CORE CORE_SPEC " },
	{ TEXT_SSHARE, "sshare", " RawShares NormShares RawUsage NormUsage EffectvUsage LevelFS ",
	  " Account User Partition RawShares NormShares RawUsage NormUsage EffectvUsage FairShare LevelFS GrpTRESMins TRESRunMins Cluster ID "
	  "GrpTRESRaw " },
	{ TEXT_SINFO, "sinfo", " AVAIL ", " PARTITION AVAIL TIMELIMIT NODES STATE NODELIST CPUS MEMORY GRES REASON CPUS(A/I/O/T) AVAIL_FEATURES " },
	{ TEXT_QOS, "sacctmgr show qos", " UsageFactor UsageThres MaxTRESPU MaxJobsPU MaxSubmitPU ",
	  " Name Priority ID GraceTime Preempt PreemptExemptTime PreemptMode Flags UsageThres UsageFactor LimitFactor Descr " LIMITS
	  "MaxTRESPU MaxJobsPU MaxSubmitPU MaxTRESPA MaxJobsPA MaxSubmitPA MaxTRESRunMinsPA MaxTRESRunMinsPU MaxJobsAccruePA MaxJobsAccruePU "
	  "MinTRES " },
	{ TEXT_ASSOC, "sacctmgr show assoc", " Share ParentName ", " Cluster Account User Partition Share Priority ParentName ID LFT RGT QOS Def " LIMITS },
	{ TEXT_USER, "sacctmgr show user", " Admin ", " User Def Acct Admin Coord Accounts Default " },
	{ TEXT_TRES, "sacctmgr show tres", " Type ", " Type Name ID Count " },
};

static const char *const record_names[] = { [TEXT_CONFIG] = "scontrol show config",
					    [TEXT_JOB] = "scontrol show job",
					    [TEXT_PARTITION] = "scontrol show partition",
					    [TEXT_NODE] = "scontrol show node",
					    [TEXT_RESERVATION] = "scontrol show reservation",
					    [TEXT_ASSOC_MGR] = "scontrol show assoc_mgr",
					    [TEXT_SDIAG] = "sdiag" };

const char *fsi_text_kind_name(enum fsi_text_kind kind)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].kind == kind)
			return columns[i].name;
	return kind <= TEXT_SDIAG ? record_names[kind] : kind == TEXT_MAUI ? "Maui" : "?";
}

static bool among(const char *words, struct fsi_span v)
{
	for (const char *p = words; v.len && (p = strchr(p, ' ')) != NULL;)
		if (!strncmp(++p, v.s, v.len) && p[v.len] == ' ')
			return true;
	return false;
}

bool fsi_text_is_column(enum fsi_text_kind kind, struct fsi_span word)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].kind == kind)
			return among(columns[i].words, word);
	return false;
}

/* ---- headings */

static char separator(struct fsi_span line)
{
	return memchr(line.s, '|', line.len) ? '|' : ' ';
}

static bool next_word(struct fsi_span *rest, char sep, struct fsi_span *word)
{
	while (fsi_span_cut(rest, sep, word)) {
		*word = fsi_span_trim(*word);
		if (word->len)
			return true;
	}
	return false;
}

/* A line of which every word but a few is a column of the command, and one tells it from the others. */
static bool is_heading(const struct columns *c, struct fsi_span line)
{
	const char sep = separator(line);
	struct fsi_span rest = line, word;
	size_t known = 0, other = 0;
	bool must = false;

	while (next_word(&rest, sep, &word)) {
		struct fsi_span first = word;

		if (sep == '|' && c->kind != TEXT_FLUX_ACCOUNT) /* "Def QOS" */
			fsi_span_cut(&word, ' ', &first);
		known += among(c->words, first);
		other += !among(c->words, first);
		must = must || among(c->must, first);
	}
	return must && known >= 2 && known > 3 * other;
}

static enum fsi_text_kind table_of(struct fsi_span line)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (is_heading(&columns[i], line))
			return columns[i].kind;
	return TEXT_KINDS;
}

/* `QOS=normal(1)`, with the number. */
static bool is_qos_record(struct fsi_span line)
{
	struct fsi_span word;

	fsi_span_cut(&line, ' ', &word);
	return word.len && word.s[word.len - 1] == ')';
}

static enum fsi_text_kind record_of(struct fsi_span line)
{
	static const struct {
		const char *begin;
		enum fsi_text_kind kind;
	} starts[] = { { "Configuration data as of", TEXT_CONFIG },
		       { "JobId=", TEXT_JOB },
		       { "PartitionName=", TEXT_PARTITION },
		       { "NodeName=", TEXT_NODE },
		       { "ReservationName=", TEXT_RESERVATION },
		       { "Current Association Manager state", TEXT_ASSOC_MGR },
		       { "UserName=", TEXT_ASSOC_MGR },
		       { "ClusterName=", TEXT_ASSOC_MGR },
		       { "QOS=", TEXT_ASSOC_MGR },
		       { "sdiag output at", TEXT_SDIAG } };

	line = fsi_span_trim(line);
	if (begins(line, "QOS=") && !is_qos_record(line)) /* a job's, where a terminal folded the line */
		return TEXT_KINDS;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (begins(line, starts[i].begin))
			return starts[i].kind;
	return TEXT_KINDS;
}

/* ---- prompts: `[dana@login1 ~]$ squeue -u dana` */

static bool is_command(struct fsi_span v)
{
	static const char *const names[] = { "squeue", "sshare", "sprio", "scontrol", "sinfo", "sacctmgr", "showq", "diagnose",
					     "mdiag",  "flux",	 "sdiag", "date",     "sacct", "showres",  "checkjob", "scancel", "sbatch", NULL };
	struct fsi_span word;

	fsi_span_cut(&v, ' ', &word);
	for (size_t i = 0; names[i]; i++)
		if (word.len == strlen(names[i]) && !memcmp(word.s, names[i], word.len))
			return true;
	return false;
}

static bool is_prompt(struct fsi_span line)
{
	if (is_command(fsi_span_trim(line)))
		return true;
	for (size_t i = 0; i < line.len && i < 120; i++) {
		const char c = line.s[i];

		if (c != '$' && c != '#' && c != '%' && c != '>')
			continue;
		if (i + 1 == line.len)
			return i < 2 || memchr(line.s, '@', i) || memchr(line.s, ':', i) || line.s[i - 1] == ']';
		if (line.s[i + 1] == ' ')
			return is_command(fsi_span_trim((struct fsi_span){ line.s + i + 1, line.len - i - 1 })) ||
			       (memchr(line.s, '@', i) && !memchr(line.s, '=', i));
	}
	return false;
}

/* ---- the clock: `Fri Nov 20 21:06:49 2026` above squeue -l, or as date(1) prints it with a zone */

static bool number_at(const char *s, size_t n, int64_t *out)
{
	while (n && *s == ' ') {
		s++;
		n--;
	}
	return !fsi_parse_i64(s, n, out);
}

static bool is_date(struct fsi_span v, int64_t *out)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t d, h, m, s, y;

	v = fsi_span_trim(v);
	if (v.len < 24 || v.len > 32 || v.s[3] != ' ' || v.s[13] != ':' || v.s[16] != ':')
		return false;
	for (int i = 0; i < 12; i++)
		if (!memcmp(v.s + 4, months + 3 * i, 3) && number_at(v.s + 8, 2, &d) && number_at(v.s + 11, 2, &h) &&
		    number_at(v.s + 14, 2, &m) && number_at(v.s + 17, 2, &s) && number_at(v.s + v.len - 4, 4, &y)) {
			*out = fsi_days_from_civil(y, i + 1, d) * 86400 + h * 3600 + m * 60 + s;
			return y > 1970 && d > 0 && d < 32 && h < 24 && m < 60 && s < 61;
		}
	return false;
}

static int note_clock(struct fsi_text *t, int64_t clock, bool config, uint32_t no)
{
	const bool first = t->clock == FS_UNKNOWN;
	const int64_t apart = first ? 0 : t->clock > clock ? t->clock - clock : clock - t->clock;

	if (first || (config && !t->clock_by_config)) {
		t->clock = clock;
		t->clock_by_config = config;
	}
	return apart > 60 ? fsi_text_warn(t, "line %u: pieces are of different times, %lld minutes apart: their numbers may not fit together",
					  no, (long long)(apart / 60))
			  : 0;
}

static int note_cluster(struct fsi_text *t, struct fsi_span name, uint32_t no)
{
	name = fsi_span_trim(name);
	if (!name.len)
		return 0;
	if (!t->cluster.len)
		t->cluster = name;
	else if (t->cluster.len != name.len || memcmp(t->cluster.s, name.s, name.len) != 0)
		return fsi_text_warn(t, "line %u: pieces are of different clusters, %.*s and %.*s", no, (int)t->cluster.len, t->cluster.s,
				     (int)name.len, name.s);
	return 0;
}

static int note_line(struct fsi_text *t, struct fsi_span line, uint32_t no)
{
	static const char as_of[] = "Configuration data as of ", cluster[] = "CLUSTER: ", of_config[] = "ClusterName ", of_assoc[] = "ClusterName=";
	struct fsi_span v = line, word;
	int64_t clock;

	if (begins(line, as_of)) {
		v = fsi_span_trim((struct fsi_span){ line.s + sizeof(as_of) - 1, line.len - sizeof(as_of) + 1 });
		return fsi_parse_civil(v.s, v.len, &clock) ? 0 : note_clock(t, clock, true, no);
	}
	if (is_date(line, &clock))
		return note_clock(t, clock, false, no);
	if (begins(line, cluster))
		return note_cluster(t, (struct fsi_span){ line.s + sizeof(cluster) - 1, line.len - sizeof(cluster) + 1 }, no);
	if (begins(line, of_config) && fsi_span_cut(&v, '=', &word) && v.s)
		return note_cluster(t, v, no);
	if (begins(line, of_assoc)) {
		v = (struct fsi_span){ line.s + sizeof(of_assoc) - 1, line.len - sizeof(of_assoc) + 1 };
		fsi_span_cut(&v, ' ', &word);
		return note_cluster(t, word, no);
	}
	return 0;
}

/* ---- pieces */

static int begin_piece(struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	if (FSI_VEC_ROOM(&t->pieces))
		return fsi_nomem(t->err);
	t->pieces.v[t->pieces.n++] = (struct fsi_text_piece){ .kind = kind, .begin = line, .end = line + 1 };
	return 0;
}

/* A heading begins a piece always, a record one of its kind that is not open yet. */
static enum fsi_text_kind begins_piece(struct fsi_span line, enum fsi_text_kind open)
{
	const enum fsi_text_kind record = record_of(line);

	if (record < TEXT_KINDS)
		return record == open && record != TEXT_CONFIG ? TEXT_KINDS : record;
	return open == TEXT_CONFIG && memchr(line.s, '=', line.len) ? TEXT_KINDS : table_of(line);
}

/* Right below a heading, and not beginning as that does: the rest of it, folded. */
static bool goes_on(const struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	const struct fsi_text_piece *p = t->pieces.n ? &t->pieces.v[t->pieces.n - 1] : NULL;
	struct fsi_span first, here, a, b;

	if (!p || p->kind != kind || kind <= TEXT_SDIAG || p->end != line)
		return false;
	first = fsi_span_trim((struct fsi_span){ t->lines.v[p->begin].s, t->lines.v[p->begin].len });
	here = fsi_span_trim((struct fsi_span){ t->lines.v[line].s, t->lines.v[line].len });
	fsi_span_cut(&first, ' ', &a);
	fsi_span_cut(&here, ' ', &b);
	return a.len != b.len || memcmp(a.s, b.s, a.len) != 0;
}

int fsi_text_find(struct fsi_text *t)
{
	enum fsi_text_kind open = TEXT_KINDS;
	int64_t clock;
	int rc = 0;

	for (size_t i = 0; i < t->lines.n && !rc; i++) {
		const struct fsi_span line = { t->lines.v[i].s, t->lines.v[i].len };
		enum fsi_text_kind kind;

		rc = note_line(t, line, t->lines.v[i].no);
		if (is_prompt(line) || is_date(line, &clock) || begins(line, "CLUSTER: ")) {
			open = TEXT_KINDS;
			continue;
		}
		kind = begins_piece(line, open);
		if (kind < TEXT_KINDS && !(kind == open && goes_on(t, kind, i))) {
			open = kind;
			rc = rc ? rc : begin_piece(t, kind, i);
		} else if (open < TEXT_KINDS) {
			t->pieces.v[t->pieces.n - 1].end = i + 1;
		}
	}
	return rc;
}
