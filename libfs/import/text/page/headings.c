/* What the commands of three schedulers print first: the columns of their tables, and the words that records begin
 * with. Flux: flux-core's src/cmd/flux-jobs.py, flux-queue.py, flux-resource.py, src/bindings/python/flux/job/info.py
 * (headings); flux-accounting's formatter.py. Maui: src/server/omclient.c (MCShow...), src/UserI.c, src/moab/MFS.c
 * (MFSShow). */
#include "import/text/text.h"

#include <string.h>

/* ---- the columns of each command, by its own headings */

#define LIMITS "GrpTRES GrpTRESMins GrpTRESRunMins GrpTRESRunMin GrpJobs GrpJobsAccrue GrpSubmit GrpWall MaxTRES MaxTRESPerNode MaxTRESMins MaxWall MaxJobs MaxSubmit MaxJobsAccrue MinPrioThres MinPrio "

static const struct columns {
	enum fsi_text_kind kind;
	const char *name;  /* of the command */
	const char *has;   /* a column that is there always; NULL: none */
	const char *must;  /* one of these says that it is this command */
	const char *words; /* all that it is known to print */
} columns[] = {
	{ TEXT_FLUX_PRIORITIES, "flux account jobs", "JOBID", " BANKPRIO FSFACTOR URGFACT ",
	  " JOBID USER BANK BANKPRIO BANKFACT QUEUE QPRIO QFACT FAIRSHARE FSFACTOR URGENCY URGFACT PRIORITY " },
	{ TEXT_FLUX_JOBS, "flux jobs", "JOBID", " NTASKS NNODES NCORES URG PRI INFO DEPENDENCIES T_REMAINING INACTIVE-REASON ",
	  " JOBID QUEUE USER UID NAME ST STATE STATUS S NTASKS NNODES NCORES TIME RUNTIME DURATION EXPIRATION INFO BANK PROJECT PRI URG "
	  "DEPENDENCIES RANKS NODELIST RESULT RS SUCCESS RC T_SUBMIT T_DEPEND T_PRIORITY T_SCHED T_RUN T_CLEANUP T_INACTIVE T_REMAINING "
	  "T_ESTIMATE INACTIVE-REASON SCHED CWD " },
	{ TEXT_FLUX_TREE, "flux account view-bank", "Bank", " Username ", " Bank Username Active RawShares RawUsage Fairshare " },
	{ TEXT_FLUX_ROWS, "flux account", NULL, " factor key parent_bank username queue bank ",
	  " factor weight key value bank_id bank active parent_bank shares job_usage priority ignore_older_than creation_time mod_time username "
	  "userid default_bank fairshare max_running_jobs max_active_jobs max_nodes max_cores queues projects default_project max_sched_jobs "
	  "queue min_nodes_per_job max_nodes_per_job max_time_per_job max_nodes_per_assoc max_sched_nodes_per_assoc "
	  "max_sched_cores_per_assoc " },
	{ TEXT_FLUX_QUEUES, "flux queue list", "QUEUE", " EN TDEFAULT TLIMIT ", " QUEUE PARENT EN ST TDEFAULT TLIMIT NNODES NCORES NGPUS " },
	{ TEXT_FLUX_NODES, "flux resource list", "STATE", " NCORES NGPUS ", " STATE QUEUE PROPERTIES NNODES NCORES NGPUS RANKS NODELIST " },
	{ TEXT_FLUX_DRAINED, "flux resource status", "STATE", " UP NNODES ", " STATE UP NNODES RANKS NODELIST REASON TIMESTAMP TIME " },
	{ TEXT_MAUI_IDLE, "showq -i", "JobName", " SystemQueueTime ",
	  " JobName Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime " },
	{ TEXT_MAUI_RUNNING, "showq -r", "JobName", " MHost Effic ",
	  " JobName S prio Par Effic XFactor Q User Group MHost Procs Remaining StartTime " },
	{ TEXT_MAUI_BLOCKED, "showq -b", "JobName", " Reason ", " JobName User Reason " },
	{ TEXT_MAUI_QUEUE, "showq", "JOBNAME", " WCLIMIT REMAINING ", " JOBNAME USERNAME STATE PROC REMAINING STARTTIME WCLIMIT QUEUETIME " },
	{ TEXT_MAUI_JOBS, "diagnose -j", "Name", " QueuedTime ",
	  " Name State Par Proc QOS WCLimit R Min User Group Account QueuedTime Network Opsys Arch Mem Disk Procs Class Features " },
	{ TEXT_MAUI_RESERVED, "showres", "ReservationID", " N/P ", " ReservationID Type S Start End Duration N/P StartTime " },
	{ TEXT_MAUI_PLACES, "showres -n", "NodeName", " JobState ",
	  " NodeName Type ReservationID JobState Task Start Duration StartTime " },
	{ TEXT_SPRIO, "sprio", NULL, " AGE FAIRSHARE JOBSIZE SITE ADMIN ASSOC ",
	  " JOBID PARTITION USER ACCOUNT PRIORITY SITE ADMIN AGE ASSOC FAIRSHARE JOBSIZE QOS QOSNAME NICE TRES SLUID CLUSTER " },
	{ TEXT_SQUEUE, "squeue", NULL, " JOBID ARRAY_JOB_ID ",
	  " JOBID PARTITION NAME USER ST STATE TIME NODES NODELIST(REASON) NODELIST REASON PRIORITY NICE CPUS TASKS TIME_LIMIT "
	  "TIME_LIMI TIME_LEFT SUBMIT_TIME ELIGIBLE_TIME ACCRUE_TIME START_TIME END_TIME LAST_SCHED_EVAL PENDING_TIME QOS ACCOUNT UID "
	  "GROUP ARRAY_JOB_ID ARRAY_TASK_ID ASSOC_ID DEPENDENCY RESERVATION FEATURES LICENSES REQ_NODES EXC_NODES SCHEDNODES "
	  "OVER_SUBSCRIBE TRES_ALLOC TRES_PER_NODE TRES_PER_JOB MIN_CPUS MIN_MEMORY CPUS_PER_TASK MIN_TMP_DISK RESTART_COUNT "
	  "RESTART_CO COMMAND WORK_DIR COMMENT ADMIN_COMMENT PREEMPT_TIME EXEC_HOST WCKEY CONTIGUOUS S:C:T SOCKETS_PER_NODE "
	  "CORES_PER_SOCKET THREADS_PER_CORE CORE_SPEC " },
	{ TEXT_SSHARE, "sshare", NULL, " RawShares NormShares RawUsage NormUsage EffectvUsage LevelFS ",
	  " Account User Partition RawShares NormShares RawUsage NormUsage EffectvUsage FairShare LevelFS GrpTRESMins TRESRunMins Cluster ID "
	  "GrpTRESRaw " },
	{ TEXT_SINFO, "sinfo", NULL, " AVAIL ", " PARTITION AVAIL TIMELIMIT NODES STATE NODELIST CPUS MEMORY GRES REASON CPUS(A/I/O/T) AVAIL_FEATURES " },
	{ TEXT_QOS, "sacctmgr show qos", NULL, " UsageFactor UsageThres MaxTRESPU MaxJobsPU MaxSubmitPU ",
	  " Name Priority ID GraceTime Preempt PreemptExemptTime PreemptMode Flags UsageThres UsageFactor LimitFactor Descr " LIMITS
	  "MaxTRESPU MaxJobsPU MaxSubmitPU MaxTRESPA MaxJobsPA MaxSubmitPA MaxTRESRunMinsPA MaxTRESRunMinsPU MaxJobsAccruePA MaxJobsAccruePU "
	  "MinTRES " },
	{ TEXT_ASSOC, "sacctmgr show assoc", NULL, " Share ParentName ",
	  " Cluster Account User Partition Share Priority ParentName ID LFT RGT QOS Def " LIMITS },
	{ TEXT_USER, "sacctmgr show user", NULL, " Admin ", " User Def Acct Admin Coord Accounts Default " },
	{ TEXT_TRES, "sacctmgr show tres", NULL, " Type ", " Type Name ID Count " },
};

static const char *const record_names[TEXT_KINDS] = { [TEXT_CONFIG] = "scontrol show config",
						      [TEXT_JOB] = "scontrol show job",
						      [TEXT_PARTITION] = "scontrol show partition",
						      [TEXT_NODE] = "scontrol show node",
						      [TEXT_RESERVATION] = "scontrol show reservation",
						      [TEXT_ASSOC_MGR] = "scontrol show assoc_mgr",
						      [TEXT_SDIAG] = "sdiag",
						      [TEXT_FLUX_JSON] = "JSON",
						      [TEXT_FLUX_STATUS] = "flux queue status",
						      [TEXT_MAUI_SHARES] = "diagnose -f",
						      [TEXT_MAUI_PRIORITIES] = "diagnose -p",
						      [TEXT_MAUI_CHECKJOB] = "checkjob",
						      [TEXT_MAUI_SHOWSTART] = "showstart" };

const char *fsi_text_kind_name(enum fsi_text_kind kind)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].kind == kind)
			return columns[i].name;
	return kind < TEXT_KINDS && record_names[kind] ? record_names[kind] : "?";
}

enum fsi_text_scheduler fsi_text_scheduler(enum fsi_text_kind kind)
{
	return kind <= TEXT_TRES ? TEXT_SLURM : kind <= TEXT_FLUX_DRAINED ? TEXT_FLUX : TEXT_MAUI;
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

static bool next_word(struct fsi_span *rest, char sep, struct fsi_span *word)
{
	while (fsi_span_cut(rest, sep, word)) {
		*word = fsi_span_trim(*word);
		if (word->len)
			return true;
	}
	return false;
}

/* Is it a line of which every word but a few is a column of the command, and one tells it from the others? */
static bool is_heading(const struct columns *c, struct fsi_span line)
{
	const char sep = memchr(line.s, '|', line.len) ? '|' : ' ';
	struct fsi_span rest = line, word;
	size_t known = 0, other = 0;
	bool must = false, has = !c->has;

	if (c->kind == TEXT_FLUX_ROWS && sep != '|')
		return false;
	while (next_word(&rest, sep, &word)) {
		struct fsi_span first = word;

		if (sep == '|' && c->kind != TEXT_FLUX_ROWS) /* "Def QOS" */
			fsi_span_cut(&word, ' ', &first);
		known += among(c->words, first);
		other += !among(c->words, first);
		must = must || among(c->must, first);
		has = has || fsi_span_equals(first, fsi_span_of(c->has));
	}
	return must && has && known >= 2 && known > 3 * other;
}

enum fsi_text_kind fsi_text_table_of(struct fsi_span line)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (is_heading(&columns[i], line))
			return columns[i].kind;
	return TEXT_KINDS;
}

/* ---- records */

/* `QOS=normal(1)`, with the number. */
static bool is_qos_record(struct fsi_span line)
{
	struct fsi_span word;

	fsi_span_cut(&line, ' ', &word);
	return word.len && word.s[word.len - 1] == ')';
}

/* `batch: Scheduling is started`; in a Flux without queues it has no name. */
static bool is_queue_status(struct fsi_span line)
{
	static const char *const texts[] = { "Job submission is ", "Scheduling is st" };
	struct fsi_span rest = line, name;

	if (fsi_span_cut(&rest, ':', &name) && rest.s && !memchr(name.s, ' ', name.len))
		line = fsi_span_trim(rest);
	return fsi_span_begins(line, texts[0]) || fsi_span_begins(line, texts[1]);
}

/* `[`, `{"jobs": [{"id": ...`: not the prompt `[dana@login1 ~]$`. */
static bool is_json(struct fsi_span line)
{
	struct fsi_span next = { line.s + 1, line.len - 1 };

	if (!line.len || (*line.s != '{' && *line.s != '['))
		return false;
	next = fsi_span_trim(next);
	return !next.len || strchr("\"{[]}", *next.s);
}

/* `job 12 requires 4 procs for 1:30:00` */
static bool is_showstart(struct fsi_span line)
{
	struct fsi_span w[3];

	for (size_t i = 0; i < 3; i++)
		if (!fsi_span_cut(&line, ' ', &w[i]))
			return false;
	return fsi_span_is(w[0], "job") && fsi_span_is(w[2], "requires");
}

enum fsi_text_kind fsi_text_record_of(struct fsi_span line)
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
		       { "sdiag output at", TEXT_SDIAG },
		       { "ACTIVE JOBS-", TEXT_MAUI_QUEUE },
		       { "IDLE JOBS-", TEXT_MAUI_QUEUE },
		       { "BLOCKED JOBS-", TEXT_MAUI_QUEUE },
		       { "FairShare Information", TEXT_MAUI_SHARES },
		       { "diagnosing job priority information", TEXT_MAUI_PRIORITIES },
		       { "checking job ", TEXT_MAUI_CHECKJOB } };

	line = fsi_span_trim(line);
	/* it stands in a job's record, where a terminal folded the line */
	if (fsi_span_begins(line, "QOS=") && !is_qos_record(line))
		return TEXT_KINDS;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (fsi_span_begins(line, starts[i].begin))
			return starts[i].kind;
	return is_queue_status(line) ? TEXT_FLUX_STATUS
	       : is_showstart(line)  ? TEXT_MAUI_SHOWSTART
	       : is_json(line)	     ? TEXT_FLUX_JSON
				     : TEXT_KINDS;
}
