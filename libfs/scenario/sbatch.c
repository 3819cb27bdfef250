/* The command sbatch: parses its options, and adds the new job to the snapshot (src/slurmctld/job_mgr.c: _job_create,
 * job_submit). */
#include "base/num.h"
#include "base/hostlist.h"
#include "model/find.h"
#include "scenario/slurm/script.h"
#include "scenario/slurm/slurm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- options (src/common/slurm_opt.c) */

/* The ways in which options are handled. Each value up to FSI_SBATCH_TMP belongs to a single option, which has code of
 * its own. */
enum fsi_sbatch_option {
	FSI_SBATCH_ACCOUNT,
	FSI_SBATCH_PARTITION,
	FSI_SBATCH_QOS,
	FSI_SBATCH_NODES,
	FSI_SBATCH_TASKS,
	FSI_SBATCH_CPUS_PER_TASK,
	FSI_SBATCH_TASKS_PER_NODE,
	FSI_SBATCH_TASKS_PER_GPU,
	FSI_SBATCH_TIME,
	FSI_SBATCH_MEM,
	FSI_SBATCH_MEM_PER_CPU,
	FSI_SBATCH_MEM_PER_GPU,
	FSI_SBATCH_CPUS_PER_GPU, /* sets the keyword CpusPerTres; cannot be combined with --cpus-per-task */
	FSI_SBATCH_GPUS,
	FSI_SBATCH_GPUS_PER_NODE,
	FSI_SBATCH_GPUS_PER_TASK,
	FSI_SBATCH_HOLD,
	FSI_SBATCH_ARRAY,
	FSI_SBATCH_EXCLUSIVE,
	FSI_SBATCH_SHARE,
	FSI_SBATCH_CONTIGUOUS,
	FSI_SBATCH_UID,
	FSI_SBATCH_MINCPUS,
	FSI_SBATCH_TMP,
	FSI_SBATCH_KEYWORD,     /* options that are applied as a keyword of scontrol update job */
	FSI_SBATCH_NO_EFFECT,   /* options that do not affect anything that this library computes */
	FSI_SBATCH_NO_SUBMIT,   /* options with which sbatch submits no job */
	FSI_SBATCH_NOT_MODELLED /* options that may change where or when the job starts, but are not modelled */
};

/* number of rows in sbatch_options */
enum { FSI_SBATCH_OPTIONS = 119 };

struct submission {
	/* value of each option, indexed by its row in sbatch_options; NULL: not given; "": given without a value */
	const char *value[FSI_SBATCH_OPTIONS];
	uint32_t line[FSI_SBATCH_OPTIONS];        /* line of the script that sets the option; 0: none */
	const char *variable[FSI_SBATCH_OPTIONS]; /* environment variable that sets the option; NULL: none */
};

/* Words that contain options. */
struct option_words {
	char *const *word;    /* the words, followed by NULL */
	const uint32_t *line; /* line of each word in the script; NULL: the words are not from a script */
	size_t n;
};

/* The GPU request of a new job. The job's number of tasks and its memory may depend on this request. */
struct gpu_options {
	const char *text; /* value of --gpus, --gpus-per-node or --gpus-per-task; NULL: none */
	enum fsi_gres_by by;
	uint64_t each, total;
};

static int set_gpu_request(struct fsi_scenario *s, struct fsi_job *j, const struct gpu_options *g);

#define O(name, letter, bare, own, word) \
	{ \
		name, letter, bare, FSI_SBATCH_##own, word \
	}

static const struct sbatch_option {
	const char *name;
	char letter;         /* letter of the short option; 0: none */
	bool optional_value; /* true: the option has no value, or its value is optional */
	enum fsi_sbatch_option handling;
	const char *keyword; /* keyword of scontrol update job that sets the value; NULL: none */
} sbatch_options[] = {
	O("account", 'A', false, ACCOUNT, NULL),
	O("acctg-freq", 0, false, NO_EFFECT, NULL),
	O("array", 'a', false, ARRAY, NULL),
	O("autocomplete", 0, false, NO_SUBMIT, NULL),
	O("batch", 0, false, NO_EFFECT, NULL),
	O("bb", 0, false, NOT_MODELLED, NULL),
	O("bbf", 0, false, NOT_MODELLED, NULL),
	O("begin", 'b', false, KEYWORD, "StartTime"),
	O("chdir", 'D', false, NO_EFFECT, NULL),
	O("cluster", 0, false, NO_EFFECT, NULL),
	O("cluster-constraint", 0, false, NO_EFFECT, NULL),
	O("clusters", 'M', false, NO_EFFECT, NULL),
	O("comment", 0, false, KEYWORD, "Comment"),
	O("consolidate-segments", 0, true, NOT_MODELLED, NULL),
	O("constraint", 'C', false, KEYWORD, "Features"),
	O("container", 0, false, NO_EFFECT, NULL),
	O("container-id", 0, false, NO_EFFECT, NULL),
	O("context", 0, false, NO_EFFECT, NULL),
	O("contiguous", 0, true, CONTIGUOUS, NULL),
	O("core-spec", 'S', false, KEYWORD, "CoreSpec"),
	O("cores-per-socket", 0, false, KEYWORD, "ReqCores"),
	O("cpu-freq", 0, false, NO_EFFECT, NULL),
	O("cpus-per-gpu", 0, false, CPUS_PER_GPU, "CpusPerTres"),
	O("cpus-per-task", 'c', false, CPUS_PER_TASK, NULL),
	O("deadline", 0, false, KEYWORD, "Deadline"),
	O("delay-boot", 0, false, NO_EFFECT, NULL),
	O("dependency", 'd', false, KEYWORD, "Dependency"),
	O("distribution", 'm', false, NOT_MODELLED, NULL),
	O("error", 'e', false, NO_EFFECT, NULL),
	O("exclude", 'x', false, KEYWORD, "ExcNodeList"),
	O("exclusive", 0, true, EXCLUSIVE, NULL),
	O("export", 0, false, NO_EFFECT, NULL),
	O("export-file", 0, false, NO_EFFECT, NULL),
	O("external", 0, true, NO_EFFECT, NULL),
	O("extra", 0, false, NO_EFFECT, NULL),
	O("extra-node-info", 'B', false, NOT_MODELLED, NULL),
	O("get-user-env", 0, true, NO_EFFECT, NULL),
	O("gid", 0, false, NO_EFFECT, NULL),
	O("gpu-bind", 0, false, NO_EFFECT, NULL),
	O("gpu-freq", 0, false, NO_EFFECT, NULL),
	O("gpus", 'G', false, GPUS, NULL),
	O("gpus-per-node", 0, false, GPUS_PER_NODE, NULL),
	O("gpus-per-socket", 0, false, NOT_MODELLED, NULL),
	O("gpus-per-task", 0, false, GPUS_PER_TASK, NULL),
	O("gres", 0, false, KEYWORD, "Gres"),
	O("gres-flags", 0, false, NOT_MODELLED, NULL),
	O("help", 'h', true, NO_SUBMIT, NULL),
	O("hint", 0, false, NOT_MODELLED, NULL),
	O("hold", 'H', true, HOLD, NULL),
	O("ignore-pbs", 0, true, NO_EFFECT, NULL),
	O("input", 'i', false, NO_EFFECT, NULL),
	O("job-name", 'J', false, KEYWORD, "JobName"),
	O("kill-on-invalid-dep", 0, false, NO_EFFECT, NULL),
	O("licenses", 'L', false, KEYWORD, "Licenses"),
	O("mail-type", 0, false, NO_EFFECT, NULL),
	O("mail-user", 0, false, NO_EFFECT, NULL),
	O("mcs-label", 0, false, NO_EFFECT, NULL),
	O("mem", 0, false, MEM, NULL),
	O("mem-bind", 0, false, NO_EFFECT, NULL),
	O("mem-per-cpu", 0, false, MEM_PER_CPU, NULL),
	O("mem-per-gpu", 0, false, MEM_PER_GPU, NULL),
	O("mincpus", 0, false, MINCPUS, NULL),
	O("network", 0, false, NO_EFFECT, NULL),
	O("nice", 0, true, KEYWORD, "Nice"),
	O("no-kill", 'k', true, NO_EFFECT, NULL),
	O("no-requeue", 0, true, NO_EFFECT, NULL),
	O("nodefile", 'F', false, NOT_MODELLED, NULL),
	O("nodelist", 'w', false, KEYWORD, "ReqNodeList"),
	O("nodes", 'N', false, NODES, NULL),
	O("ntasks", 'n', false, TASKS, NULL),
	O("ntasks-per-core", 0, false, NOT_MODELLED, NULL),
	O("ntasks-per-gpu", 0, false, TASKS_PER_GPU, NULL),
	O("ntasks-per-node", 0, false, TASKS_PER_NODE, NULL),
	O("ntasks-per-socket", 0, false, NOT_MODELLED, NULL),
	O("ntasks-per-tres", 0, false, NOT_MODELLED, NULL),
	O("oom-kill-step", 0, true, NO_EFFECT, NULL),
	O("open-mode", 0, false, NO_EFFECT, NULL),
	O("output", 'o', false, NO_EFFECT, NULL),
	O("overcommit", 'O', true, NOT_MODELLED, NULL),
	O("oversubscribe", 's', true, SHARE, NULL),
	O("parsable", 0, true, NO_EFFECT, NULL),
	O("partition", 'p', false, PARTITION, NULL),
	O("power", 0, false, NO_EFFECT, NULL),
	O("prefer", 0, false, KEYWORD, "Prefer"),
	O("priority", 0, false, KEYWORD, "Priority"),
	O("profile", 0, false, NO_EFFECT, NULL),
	O("propagate", 0, true, NO_EFFECT, NULL),
	O("qos", 'q', false, QOS, NULL),
	O("quiet", 'Q', true, NO_EFFECT, NULL),
	O("reboot", 0, true, NO_EFFECT, NULL),
	O("requeue", 0, true, NO_EFFECT, NULL),
	O("reservation", 0, false, KEYWORD, "ReservationName"),
	O("resources", 0, false, NOT_MODELLED, NULL),
	O("resv-ports", 0, true, NOT_MODELLED, NULL),
	O("segment", 0, false, NOT_MODELLED, NULL),
	O("signal", 0, false, NO_EFFECT, NULL),
	O("sockets-per-node", 0, false, KEYWORD, "ReqSockets"),
	O("spread-job", 0, true, NOT_MODELLED, NULL),
	O("spread-segments", 0, true, NOT_MODELLED, NULL),
	O("stepmgr", 0, true, NO_EFFECT, NULL),
	O("switches", 0, false, KEYWORD, "Switches"),
	O("tasks-per-node", 0, false, TASKS_PER_NODE, NULL),
	O("test-only", 0, true, NO_SUBMIT, NULL),
	O("thread-spec", 0, false, KEYWORD, "ThreadSpec"),
	O("threads-per-core", 0, false, KEYWORD, "ReqThreads"),
	O("time", 't', false, TIME, NULL),
	O("time-min", 0, false, KEYWORD, "TimeMin"),
	O("tmp", 0, false, TMP, NULL),
	O("tres-bind", 0, false, NO_EFFECT, NULL),
	O("tres-per-task", 0, false, NOT_MODELLED, NULL),
	O("uid", 0, false, UID, NULL),
	O("usage", 0, true, NO_SUBMIT, NULL),
	O("use-min-nodes", 0, true, NOT_MODELLED, NULL),
	O("verbose", 'v', true, NO_EFFECT, NULL),
	O("version", 'V', true, NO_SUBMIT, NULL),
	O("wait", 'W', true, NO_EFFECT, NULL),
	O("wait-all-nodes", 0, false, NO_EFFECT, NULL),
	O("wckey", 0, false, NO_EFFECT, NULL),
	O("wrap", 0, false, NO_EFFECT, NULL),
};

_Static_assert(sizeof(sbatch_options) / sizeof(*sbatch_options) == FSI_SBATCH_OPTIONS,
	       "a place for each option's value");

static int find_named_option(struct fsi_scenario *s, const char *name, size_t len, size_t *out)
{
	*out = fsi_scenario_find_name(sbatch_options, FSI_SBATCH_OPTIONS, sizeof(*sbatch_options), name, len);
	if (*out < FSI_SBATCH_OPTIONS)
		return 0;
	return fsi_scenario_refuse(
		s, "sbatch: unknown option --%.*s; the nearest is --%s", (int)(len < 60 ? len : 60), name,
		fsi_scenario_nearest_name(sbatch_options, FSI_SBATCH_OPTIONS, sizeof(*sbatch_options), name, len));
}

static int find_letter_option(struct fsi_scenario *s, char letter, size_t *out)
{
	for (*out = 0; *out < FSI_SBATCH_OPTIONS; (*out)++)
		if (sbatch_options[*out].letter && sbatch_options[*out].letter == letter)
			return 0;
	return fsi_scenario_refuse(s, "sbatch: unknown option -%c", letter);
}

/* Stores the value of an option. A later value replaces an earlier one. */
static void set_option_value(struct submission *b, size_t option, const char *value, uint32_t line,
			     const char *variable)
{
	b->value[option] = value;
	b->line[option] = line;
	b->variable[option] = variable;
}

/* Parses the option at w->word[*at] and stores its value. If the value is the next word, advances *at to that word. */
static int parse_one_option(struct fsi_scenario *s, struct submission *b, const struct option_words *w, size_t *at)
{
	const char *word = w->word[*at], *value = NULL;
	const uint32_t line = w->line ? w->line[*at] : 0;
	const bool is_long = word[1] == '-';
	const size_t len = is_long ? strcspn(word + 2, "=") : 1;
	size_t i;
	const int rc = is_long ? find_named_option(s, word + 2, len, &i) : find_letter_option(s, word[1], &i);

	if (rc)
		return rc;
	if (sbatch_options[i].handling == FSI_SBATCH_NO_SUBMIT)
		return fsi_scenario_refuse(s, "sbatch: --%s is not supported, because it does not submit a job",
					   sbatch_options[i].name);
	if (is_long && word[2 + len])
		value = word + 2 + len + 1;
	else if (!is_long && word[2] && !sbatch_options[i].optional_value)
		value = word + 2;
	else if (!sbatch_options[i].optional_value)
		value = w->word[*at + 1] ? w->word[++*at] : NULL;
	if (!value && !sbatch_options[i].optional_value)
		return fsi_scenario_refuse(s, "sbatch: --%s requires a value", sbatch_options[i].name);
	set_option_value(b, i, value ? value : "", line, NULL);
	return 0;
}

/* Parses the options from w->word[*at] up to the first word that is not an option. Sets *at to the index of that word,
 * or to w->n. Returns FS_EUSAGE if an option is invalid. */
static int parse_option_words(struct fsi_scenario *s, struct submission *b, const struct option_words *w, size_t *at)
{
	int rc = 0;

	for (; *at < w->n && !rc && w->word[*at][0] == '-' && w->word[*at][1]; ++*at) {
		if (!strcmp(w->word[*at], "--")) {
			++*at;
			break;
		}
		rc = parse_one_option(s, b, w, at);
	}
	return rc;
}

/* Returns the row of the first given option whose member `handling` is `what`; FSI_SBATCH_OPTIONS: no such option is
 * given. */
static size_t find_given_option(const struct submission *b, enum fsi_sbatch_option what)
{
	size_t i = 0;

	while (i < FSI_SBATCH_OPTIONS && (sbatch_options[i].handling != what || !b->value[i]))
		i++;
	return i;
}

static const char *get_option_value(const struct submission *b, enum fsi_sbatch_option what)
{
	const size_t i = find_given_option(b, what);

	return i < FSI_SBATCH_OPTIONS ? b->value[i] : NULL;
}

/* Returns `rc`. If `rc` is an error, stores the name and the line of the option in s->err. `option`: row of the option;
 * FSI_SBATCH_OPTIONS: the option is not given. */
static int locate_error(struct fsi_scenario *s, const struct submission *b, size_t option, int rc)
{
	if (!rc || option == FSI_SBATCH_OPTIONS)
		return rc;
	s->err->line = b->line[option];
	snprintf(s->err->field, sizeof(s->err->field), "%s", sbatch_options[option].name);
	return rc;
}

/* Applies a given option as the keyword of scontrol update job. Does nothing if the option is not given. */
static int apply_option_keyword(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j,
				enum fsi_sbatch_option what, const char *keyword)
{
	const size_t i = find_given_option(b, what);

	return i == FSI_SBATCH_OPTIONS ? 0 : locate_error(s, b, i, fsi_slurm_set_keyword(s, j, keyword, b->value[i]));
}

static const char *get_option_name(enum fsi_sbatch_option what)
{
	size_t i = 0;

	while (sbatch_options[i].handling != what)
		i++;
	return sbatch_options[i].name;
}

/* Sets *out to the option's value, a whole number of at least 1. If the option is not given, sets *out to 0. Returns
 * FS_EUSAGE if the value is invalid. */
static int parse_option_number(struct fsi_scenario *s, const struct submission *b, enum fsi_sbatch_option what,
			       uint32_t *out)
{
	const char *text = get_option_value(b, what);
	uint64_t n = 0;

	if (text && (fsi_parse_u64(text, strlen(text), &n) || !n || n > INT32_MAX))
		return locate_error(
			s, b, find_given_option(b, what),
			fsi_scenario_refuse(s, "sbatch: --%s: expected a whole number from 1 to %d, got \"%.60s\"",
					    get_option_name(what), INT32_MAX, text));
	*out = (uint32_t)n;
	return 0;
}

/* Applies the options that have a keyword of scontrol update job, and adds a note for each given option that is not
 * modelled. Returns FS_EUSAGE if a value is invalid. */
static int apply_keyword_options(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	static const char nice[] = "100"; /* value of --nice if --nice is given without a number */
	int rc = 0;

	for (size_t i = 0; i < FSI_SBATCH_OPTIONS && !rc; i++) {
		const char *value = b->value[i];

		if (value && sbatch_options[i].keyword)
			rc = locate_error(
				s, b, i, fsi_slurm_set_keyword(s, j, sbatch_options[i].keyword, *value ? value : nice));
		else if (value && sbatch_options[i].handling == FSI_SBATCH_NOT_MODELLED && b->line[i])
			fsi_scenario_note(
				s, "%sline %u: --%s is ignored, although it may change where or when the job starts",
				fsi_scenario_job_prefix(s, j), (unsigned)b->line[i], sbatch_options[i].name);
		else if (value && sbatch_options[i].handling == FSI_SBATCH_NOT_MODELLED)
			fsi_scenario_note(s, "%s--%s is ignored, although it may change where or when the job starts",
					  fsi_scenario_job_prefix(s, j), sbatch_options[i].name);
	}
	return rc;
}

/* ---- job size, which may depend on GPUs (src/common/slurm_opt.c: _validate_ntasks_per_gpu; src/slurmctld/job_mgr.c:
 * _job_create). The number of CPUs of a pending job depends on its tasks, not on --cpus-per-gpu. */

/* Parses the number of GPUs in "4", "a100:4" or "gpu:a100:4". Returns FS_EUSAGE if there is no number. */
static int parse_gpu_count(struct fsi_scenario *s, const struct submission *b, enum fsi_sbatch_option what,
			   const char *text, uint64_t *n)
{
	const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;

	if (!fsi_parse_u64(digits, strlen(digits), n) && *n && *n < INT32_MAX)
		return 0;
	return locate_error(s, b, find_given_option(b, what),
			    fsi_scenario_refuse(s, "sbatch: --%s: expected GPUs such as 2 or a100:2, got \"%.60s\"",
						get_option_name(what), text));
}

static int read_gpu_options(struct fsi_scenario *s, const struct submission *b, const struct fsi_job *j,
			    struct gpu_options *g)
{
	const char *all = get_option_value(b, FSI_SBATCH_GPUS),
		   *by_node = get_option_value(b, FSI_SBATCH_GPUS_PER_NODE),
		   *by_task = get_option_value(b, FSI_SBATCH_GPUS_PER_TASK);

	g->text = by_task ? by_task : by_node ? by_node : all;
	g->by = by_task ? FSI_GRES_BY_TASK : by_node ? FSI_GRES_BY_NODE : FSI_GRES_BY_JOB;
	const enum fsi_sbatch_option what = by_task   ? FSI_SBATCH_GPUS_PER_TASK
					    : by_node ? FSI_SBATCH_GPUS_PER_NODE
						      : FSI_SBATCH_GPUS;

	if ((g->text && parse_gpu_count(s, b, what, g->text, &g->each)) ||
	    (all && parse_gpu_count(s, b, FSI_SBATCH_GPUS, all, &g->total)))
		return FS_EUSAGE;
	if (!all && by_node)
		g->total = g->each * j->nodes;
	return 0;
}

/* Derives the number of tasks from --gpus and --gpus-per-task (src/common/gres.c: gres_job_state_validate). `sized`:
 * the command sets the number of tasks or nodes. Returns FS_EUSAGE if the options contradict each other. */
static int derive_tasks_from_gpus(struct fsi_scenario *s, const struct gpu_options *g, bool sized, uint64_t *tasks)
{
	if (g->by != FSI_GRES_BY_TASK)
		return 0;
	if (g->total && g->total % g->each)
		return fsi_scenario_refuse(s, "sbatch: --gpus is not a multiple of --gpus-per-task");
	if (!g->total && !sized)
		return fsi_scenario_refuse(s, "sbatch: --gpus-per-task requires --ntasks, --nodes or --gpus");
	if (g->total && sized && *tasks != g->total / g->each)
		return fsi_scenario_refuse(
			s, "sbatch: --gpus and --gpus-per-task give %" PRIu64 " tasks, but the job has %" PRIu64,
			g->total / g->each, *tasks);
	if (g->total)
		*tasks = g->total / g->each;
	return 0;
}

/* Sets the number of tasks to the value of --ntasks. If --ntasks is not given, the number follows from
 * --ntasks-per-node, from --ntasks-per-gpu, or from --gpus and --gpus-per-task. Without these options, each node has
 * one task. */
static int set_task_count(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j, struct gpu_options *g)
{
	const bool nodes = get_option_value(b, FSI_SBATCH_NODES);
	uint32_t tasks, per_node, per_gpu;
	uint64_t n = j->nodes;

	if (parse_option_number(s, b, FSI_SBATCH_TASKS, &tasks) ||
	    parse_option_number(s, b, FSI_SBATCH_TASKS_PER_NODE, &per_node) ||
	    parse_option_number(s, b, FSI_SBATCH_TASKS_PER_GPU, &per_gpu) || read_gpu_options(s, b, j, g))
		return FS_EUSAGE;
	if (tasks)
		n = tasks;
	else if (per_node)
		n *= per_node;
	else if (per_gpu && g->total)
		n = per_gpu * g->total;
	else if (per_gpu)
		return fsi_scenario_refuse(
			s, "sbatch: --ntasks-per-gpu requires --gpus, --gpus-per-node, --ntasks or --ntasks-per-node");
	if (derive_tasks_from_gpus(s, g, tasks || per_node || (nodes && !g->total), &n))
		return FS_EUSAGE;
	if (g->by == FSI_GRES_BY_TASK)
		g->total = g->each * n;
	if (per_gpu && tasks && !g->text) {
		g->total = tasks / per_gpu;
		g->text = "gpu";
	}
	if (n > INT32_MAX || g->total > INT32_MAX)
		return fsi_scenario_refuse(
			s, "sbatch: %" PRIu64 " tasks with %" PRIu64 " GPUs are too many; the maximum of each is %d", n,
			g->total, INT32_MAX);
	if (g->text && g->total < j->nodes && (nodes || g->by == FSI_GRES_BY_JOB))
		return fsi_scenario_refuse(
			s, "sbatch: the job asks for %" PRIu64 " GPUs on %u nodes; each node needs at least one",
			g->total, (unsigned)j->nodes);
	j->tasks = (uint32_t)n;
	FSI_SET(j, JOB, tasks);
	return 0;
}

/* Sets the memory per node or per CPU. If only the memory per GPU is given, sets the total memory to that amount times
 * the number of GPUs. */
static int set_requested_memory(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j,
				const struct gpu_options *g)
{
	const char *by_gpu = get_option_value(b, FSI_SBATCH_MEM_PER_GPU);
	int64_t mb;

	if (get_option_value(b, FSI_SBATCH_MEM))
		return apply_option_keyword(s, b, j, FSI_SBATCH_MEM, "MinMemoryNode");
	if (get_option_value(b, FSI_SBATCH_MEM_PER_CPU))
		return apply_option_keyword(s, b, j, FSI_SBATCH_MEM_PER_CPU, "MinMemoryCPU");
	if (!by_gpu)
		return 0;
	if (fsi_parse_mem_mb(by_gpu, strlen(by_gpu), &mb) || mb < 0 || mb > UINT32_MAX)
		return fsi_scenario_refuse(
			s, "sbatch: --mem-per-gpu: expected MiB, or an amount such as 4G, got \"%.60s\"", by_gpu);
	if (!g->total)
		return fsi_scenario_refuse(s,
					   "sbatch: --mem-per-gpu requires --gpus, --gpus-per-node or --gpus-per-task");
	if (FSI_SET_JOB_EXT(s->m, j, mem_per_gpu_mb, (uint32_t)mb))
		return fsi_fail_no_memory(s->err);
	return fsi_slurm_request_tres(s, j, fsi_name_intern(s->m, "mem"), mb * (int64_t)g->total);
}

/* Sets nodes, tasks, CPUs and memory of the job. Returns FS_EUSAGE or FS_ENOMEM. */
static int set_job_size(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j, struct gpu_options *g)
{
	const char *nodes = get_option_value(b, FSI_SBATCH_NODES);
	uint32_t each;
	uint64_t cpus;

	if (get_option_value(b, FSI_SBATCH_CPUS_PER_TASK) && get_option_value(b, FSI_SBATCH_CPUS_PER_GPU))
		return fsi_scenario_refuse(s, "sbatch: --cpus-per-task cannot be combined with --cpus-per-gpu");
	if (parse_option_number(s, b, FSI_SBATCH_CPUS_PER_TASK, &each) || fsi_slurm_set_cpus(s, j, 1) ||
	    (nodes ? apply_option_keyword(s, b, j, FSI_SBATCH_NODES, "NumNodes") : fsi_slurm_set_nodes(s, j, 1)) ||
	    set_task_count(s, b, j, g))
		return FS_EUSAGE;
	j->cpus_per_task = each ? each : 1;
	FSI_SET(j, JOB, cpus_per_task);
	cpus = (uint64_t)j->tasks * j->cpus_per_task;
	if (cpus < j->nodes)
		cpus = j->nodes;
	if (cpus > INT32_MAX)
		return fsi_scenario_refuse(s, "sbatch: %" PRIu64 " CPUs are too many; the maximum is %d", cpus,
					   INT32_MAX);
	if (fsi_slurm_set_cpus(s, j, (uint32_t)cpus))
		return FS_ENOMEM;
	return set_requested_memory(s, b, j, g);
}

/* Sets the job's GPU request, such as "a100:2", to the total number on all nodes of the job. */
static int set_gpu_request(struct fsi_scenario *s, struct fsi_job *j, const struct gpu_options *g)
{
	const char *colon = g->text ? strrchr(g->text, ':') : NULL, *prefix = "";
	const int type = colon ? (int)(colon - g->text) : 0;
	char text[128];

	if (!g->text)
		return 0;
	if (strncmp(g->text, "gpu:", 4) != 0)
		prefix = "gpu:";
	if (snprintf(text, sizeof(text), "%s%.*s%s%" PRIu64, prefix, type, g->text, type ? ":" : "", g->total) >=
	    (int)sizeof(text))
		return fsi_scenario_refuse(s, "sbatch: the GPU type is too long: \"%.60s\"", g->text);
	if (fsi_slurm_request_gres(s, j, text, FSI_GRES_BY_JOB, &(const struct fsi_slurm_size){ .submitted = true }))
		return FS_EUSAGE;
	if (g->by == FSI_GRES_BY_NODE)
		FSI_CLEAR_JOB_EXT(s->m, j, gres_per);
	else if (g->by == FSI_GRES_BY_TASK && FSI_SET_JOB_EXT(s->m, j, gres_per, fsi_name_intern(s->m, "task")))
		return fsi_fail_no_memory(s->err);
	return 0;
}

/* ---- the job */

static const struct fsi_user *find_user_record(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->user.n; i++)
		if (m->user.v[i].name == name)
			return &m->user.v[i];
	return NULL;
}

/* Copies the user id and the group to the new job from another job of the same user. */
static void copy_user_ids(const fs_snapshot *m, struct fsi_job *j)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *o = &m->job.v[i];

		if (o->user != j->user)
			continue;
		if (FSI_HAS(o, JOB, uid))
			fsi_scenario_copy_field(FSI_RECORD_JOB, &j->rec, &o->rec, "uid");
		if (FSI_HAS(o, JOB, group))
			fsi_scenario_copy_field(FSI_RECORD_JOB, &j->rec, &o->rec, "group");
	}
}

/* Locates the error that the user has no association with the account, which may be the default account. */
static int locate_account_error(struct fsi_scenario *s, const struct submission *b, int rc)
{
	locate_error(s, b, find_given_option(b, FSI_SBATCH_ACCOUNT), rc);
	snprintf(s->err->field, sizeof(s->err->field), "account");
	return rc;
}

static int set_account_and_partition(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const struct fsi_user *u = find_user_record(s->m, j->user);
	const char *account = get_option_value(b, FSI_SBATCH_ACCOUNT), *qos = get_option_value(b, FSI_SBATCH_QOS),
		   *partition = get_option_value(b, FSI_SBATCH_PARTITION);
	int rc;

	if (!account && u && u->default_account)
		account = fsi_name_text(s->m, u->default_account);
	for (size_t i = 0; !partition && i < s->m->partition.n; i++)
		if (s->m->partition.v[i].is_default)
			partition = fsi_name_text(s->m, s->m->partition.v[i].name);
	if (!account)
		return fsi_scenario_refuse(s, "sbatch: the default account of %s is unknown; name one with -A",
					   fsi_name_text(s->m, j->user));
	if (!partition)
		return fsi_scenario_refuse(s, "sbatch: the default partition is unknown; name one with -p");
	j->account = fsi_scenario_find_account(s, account);
	if (!j->account)
		return locate_error(s, b, find_given_option(b, FSI_SBATCH_ACCOUNT),
				    fsi_scenario_refuse(s, "there is no account \"%.60s\"", account));
	FSI_SET(j, JOB, account);
	rc = fsi_slurm_set_partition(s, j, partition);
	if (rc && fsi_partition_find(s->m, fsi_name_find(s->m, partition)))
		return locate_account_error(s, b, rc);
	rc = locate_error(s, b, find_given_option(b, FSI_SBATCH_PARTITION), rc);
	if (!rc && (qos || s->m->qos.n))
		rc = locate_error(s, b, find_given_option(b, FSI_SBATCH_QOS), fsi_slurm_set_qos(s, j, qos ? qos : ""));
	return rc;
}

static int set_submitted_time_limit(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const struct fsi_partition *p = fsi_job_first_partition(s->m, j);

	const char *text = get_option_value(b, FSI_SBATCH_TIME);
	int64_t seconds;

	/* unlike scontrol update, sbatch needs no privilege for a time limit above MaxTime of the partition */
	if (text && !fsi_scenario_parse_minutes(text, &seconds) && seconds > 0 && seconds != FS_UNLIMITED) {
		j->time_limit_s = seconds;
		FSI_SET(j, JOB, time_limit_s);
		return 0;
	}
	if (text)
		return apply_option_keyword(s, b, j, FSI_SBATCH_TIME, "TimeLimit");
	if (p && FSI_HAS(p, PARTITION, default_time_s) && !FSI_SPECIAL(p, PARTITION, default_time_s))
		j->time_limit_s = p->default_time_s;
	else if (p && FSI_HAS(p, PARTITION, max_time_s) && !FSI_SPECIAL(p, PARTITION, max_time_s))
		j->time_limit_s = p->max_time_s;
	else
		return fsi_slurm_set_keyword(s, j, "TimeLimit", "UNLIMITED");
	FSI_SET(j, JOB, time_limit_s);
	return 0;
}

/* Applies --exclusive with or without a value, and -s (--oversubscribe). */
static int set_job_sharing(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	static const struct {
		const char *value, *keyword;
	} kinds[] = { { "", "EXCLUSIVE" }, { "user", "USER" }, { "mcs", "MCS" }, { "topo", "TOPO" } };
	const char *value = get_option_value(b, FSI_SBATCH_EXCLUSIVE), *word = NULL;

	if (get_option_value(b, FSI_SBATCH_SHARE))
		word = "YES";
	for (size_t i = 0; value && i < sizeof(kinds) / sizeof(*kinds); i++)
		word = strcmp(value, kinds[i].value) ? word : kinds[i].keyword;
	if (value && !word)
		return fsi_scenario_refuse(s, "sbatch: --exclusive: expected user, mcs or topo, got \"%.60s\"", value);
	return word ? fsi_scenario_set_field(s, FSI_RECORD_JOB, &j->rec, "--exclusive", "oversubscribe",
					     (struct fsi_operand){ '=', word })
		    : 0;
}

static int set_array_tasks(struct fsi_scenario *s, const char *tasks, struct fsi_job *j)
{
	struct fsi_tasks t;
	const char *at = tasks;
	int rc;

	while ((rc = fsi_tasks_parse_next(&at, &t)) > 0)
		;
	if (rc || at == tasks || (*at && at[1 + strspn(at + 1, "0123456789")]))
		return fsi_scenario_refuse(s, "sbatch: --array: expected tasks such as 0-15%%4, got \"%.60s\"", tasks);
	j->array_tasks = fsi_name_intern(s->m, tasks);
	if (j->array_tasks == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	j->array_job_id = j->id;
	FSI_SET(j, JOB, array_tasks);
	FSI_SET(j, JOB, array_job_id);
	return 0;
}

/* Sets the disk space per node from "4G" or "500" (MiB). */
static int set_disk_space(struct fsi_scenario *s, const char *text, struct fsi_job *j)
{
	int64_t mb;

	if (!text)
		return 0;
	if (fsi_parse_mem_mb(text, strlen(text), &mb) || mb < 0 || mb > UINT32_MAX)
		return fsi_scenario_refuse(s, "sbatch: --tmp: expected MiB, or an amount such as 4G, got \"%.60s\"",
					   text);
	return FSI_SET_JOB_EXT(s->m, j, tmp_disk_mb, (uint32_t)mb) ? fsi_fail_no_memory(s->err) : 0;
}

static int apply_other_options(struct fsi_scenario *s, const struct submission *b, struct fsi_job *j)
{
	const size_t array = find_given_option(b, FSI_SBATCH_ARRAY);
	const char *min = get_option_value(b, FSI_SBATCH_MINCPUS);
	int rc = apply_keyword_options(s, b, j);

	if (!rc && min)
		rc = fsi_scenario_set_field(s, FSI_RECORD_JOB, &j->rec, "--mincpus", "min_cpus_per_node",
					    (struct fsi_operand){ '=', min });
	if (!rc)
		rc = set_disk_space(s, get_option_value(b, FSI_SBATCH_TMP), j);
	if (!rc && get_option_value(b, FSI_SBATCH_CONTIGUOUS))
		rc = fsi_slurm_set_keyword(s, j, "Contiguous", "1");
	if (!rc)
		rc = set_job_sharing(s, b, j);
	if (!rc && get_option_value(b, FSI_SBATCH_HOLD))
		rc = fsi_slurm_set_keyword(s, j, "Priority", "0");
	return rc || array == FSI_SBATCH_OPTIONS ? rc
						 : locate_error(s, b, array, set_array_tasks(s, b->value[array], j));
}

static void set_submit_times(const fs_snapshot *m, struct fsi_job *j)
{
	j->submit_time = j->eligible_time = j->accrue_time = m->info.time;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, accrue_time);
}

/* Initializes the job. Its id is the id of the last job in the job table plus 1; the table is sorted by id. */
static void init_new_job(fs_snapshot *m, struct fsi_job *j, uint32_t user)
{
	*j = (struct fsi_job){ .state = FSI_STATE_PENDING };
	j->id = m->job.n ? m->job.v[m->job.n - 1].id + 1 : 1;
	j->user = user;
	FSI_SET(j, JOB, id);
	FSI_SET(j, JOB, state);
	FSI_SET(j, JOB, user);
	copy_user_ids(m, j);
	set_submit_times(m, j);
}

/* Sets *user to the owner of the new job. The owner is the viewer, or the user that --uid names. Refuses --uid if the
 * viewer is known and is not root. */
static int find_job_owner(struct fsi_scenario *s, const struct submission *b, uint32_t *user)
{
	const char *uid = get_option_value(b, FSI_SBATCH_UID);
	uint64_t number;

	*user = s->o->viewer ? s->viewer.user : 0;
	if (!uid)
		return *user ? 0
			     : fsi_scenario_refuse(
				       s, "sbatch: the submitting user is unknown; name a known user with --as");
	if (s->o->viewer && strcmp(s->o->viewer, "root") != 0)
		return fsi_scenario_refuse(s, "sbatch: only root may use --uid");
	*user = fsi_name_find(s->m, uid);
	for (size_t i = 0; i < s->m->user.n && !fsi_parse_u64(uid, strlen(uid), &number); i++)
		if (FSI_HAS(&s->m->user.v[i], USER, uid) && s->m->user.v[i].uid == number)
			*user = s->m->user.v[i].name;
	return *user ? 0 : fsi_scenario_refuse(s, "there is no user \"%.60s\"", uid);
}

/* ---- job scripts and environment variables */

/* Environment variables that set options of sbatch (src/sbatch/opt.c: env_vars). Variables whose option has no effect
 * here are left out. */
static const struct {
	const char *variable, *option;
} sbatch_variables[] = {
	{ "SBATCH_ACCOUNT", "account" },
	{ "SBATCH_ARRAY_INX", "array" },
	{ "SBATCH_BURST_BUFFER", "bb" },
	{ "SBATCH_CONSOLIDATE_SEGMENTS", "consolidate-segments" },
	{ "SBATCH_CONSTRAINT", "constraint" },
	{ "SBATCH_CORE_SPEC", "core-spec" },
	{ "SBATCH_CPUS_PER_GPU", "cpus-per-gpu" },
	{ "SBATCH_DISTRIBUTION", "distribution" },
	{ "SBATCH_EXCLUSIVE", "exclusive" },
	{ "SBATCH_GRES", "gres" },
	{ "SBATCH_GRES_FLAGS", "gres-flags" },
	{ "SBATCH_GPUS", "gpus" },
	{ "SBATCH_GPUS_PER_NODE", "gpus-per-node" },
	{ "SBATCH_GPUS_PER_SOCKET", "gpus-per-socket" },
	{ "SBATCH_GPUS_PER_TASK", "gpus-per-task" },
	{ "SLURM_HINT", "hint" },
	{ "SBATCH_HINT", "hint" },
	{ "SBATCH_IGNORE_PBS", "ignore-pbs" },
	{ "SBATCH_JOB_NAME", "job-name" },
	{ "SBATCH_MEM_PER_CPU", "mem-per-cpu" },
	{ "SBATCH_MEM_PER_GPU", "mem-per-gpu" },
	{ "SBATCH_MEM_PER_NODE", "mem" },
	{ "SBATCH_OVERCOMMIT", "overcommit" },
	{ "SBATCH_PARTITION", "partition" },
	{ "SBATCH_QOS", "qos" },
	{ "SBATCH_REQ_SWITCH", "switches" },
	{ "SBATCH_RESERVATION", "reservation" },
	{ "SBATCH_SEGMENT_SIZE", "segment" },
	{ "SBATCH_SPREAD_JOB", "spread-job" },
	{ "SBATCH_SPREAD_SEGMENTS", "spread-segments" },
	{ "SBATCH_THREAD_SPEC", "thread-spec" },
	{ "SBATCH_THREADS_PER_CORE", "threads-per-core" },
	{ "SBATCH_TIMELIMIT", "time" },
	{ "SBATCH_TRES_PER_TASK", "tres-per-task" },
	{ "SBATCH_USE_MIN_NODES", "use-min-nodes" },
};

/* Sets the options that environment variables set. They replace options of the script. */
static void read_environment(const struct fsi_scenario *s, struct submission *b)
{
	for (size_t i = 0; s->o->environment && i < sizeof(sbatch_variables) / sizeof(*sbatch_variables); i++) {
		const char *name = sbatch_variables[i].variable, *value = s->o->environment(s->o->script_ctx, name);
		size_t option = 0;

		while (strcmp(sbatch_options[option].name, sbatch_variables[i].option) != 0)
			option++;
		/* the value of a variable for an option without a value only has to exist */
		if (value && sbatch_options[option].handling == FSI_SBATCH_EXCLUSIVE && !strcmp(value, "exclusive"))
			value = "";
		if (value)
			set_option_value(b, option, value, 0, name);
	}
}

/* Applies a list of directives. Every word must belong to an option. */
static int apply_directives(struct fsi_scenario *s, struct submission *b, const struct fsi_script_words *list)
{
	const struct option_words w = { list->word, list->line, list->n };
	size_t at = 0, from = 0;
	int rc = 0;

	for (; at < w.n && !rc && w.word[at][0] == '-' && w.word[at][1]; at++) {
		from = at;
		rc = parse_one_option(s, b, &w, &at);
	}
	if (!rc && at < w.n) {
		from = at;
		rc = fsi_scenario_refuse(s, "Invalid directive found in batch script: %.200s", w.word[at]);
	}
	if (rc)
		s->err->line = w.line[from];
	return rc;
}

/* Adds a note for each line of the list, with its number and text. */
static void note_script_lines(const struct fsi_scenario *s, const struct fsi_script_words *w, const char *why)
{
	for (size_t i = 0; i < w->n; i++)
		fsi_scenario_note(s, "line %u: %.100s: %s", (unsigned)w->line[i], w->word[i], why);
}

static void note_script_problems(const struct fsi_scenario *s, const struct fsi_script *script, bool pbs)
{
	if (script->old_mark)
		fsi_scenario_note(s, "line %u: Change from #SLURM to #SBATCH", (unsigned)script->old_mark);
	note_script_lines(s, &script->late, "sbatch ignores directives after the first command");
	if (pbs)
		note_script_lines(s, &script->untranslated, "this part of a #PBS or #BSUB line is not modelled");
}

/* Applies the directives of one component of the script. sbatch applies #PBS lines after #SBATCH lines. */
static int apply_script(struct fsi_scenario *s, struct submission *b, const struct fs_job_script *text,
			uint32_t component, bool *has_next)
{
	struct fsi_script script = { .has_next = false };
	int rc = text->text ? fsi_script_read(&script, &s->arena, text->text, text->size, component, s->err) : 0;
	const bool pbs = !s->o->environment || !s->o->environment(s->o->script_ctx, "SBATCH_IGNORE_PBS");

	if (!rc)
		rc = apply_directives(s, b, &script.options);
	if (!rc && pbs)
		rc = apply_directives(s, b, &script.pbs);
	if (!rc && !component)
		note_script_problems(s, &script, pbs);
	*has_next = script.has_next;
	return rc;
}

/* Calls fs_edit_options.script, with which the caller reads the job script. Does not call it if no script is named. */
static int read_job_script(const struct fsi_scenario *s, size_t at, struct fs_job_script *out)
{
	if (!s->o->script || at >= s->n)
		return 0;
	return s->o->script(s->o->script_ctx, s->words[at], out, s->err);
}

static void report_options(const struct fsi_scenario *s, const struct submission *b)
{
	for (size_t i = 0; s->o->option && i < FSI_SBATCH_OPTIONS; i++)
		if (b->value[i])
			s->o->option(s->o->script_ctx,
				     &(const struct fs_submit_option){ sbatch_options[i].name, b->value[i],
								       b->variable[i], b->line[i] });
}

/* Refuses a request with more than one of --mem, --mem-per-cpu and --mem-per-gpu. Only options of the script and of the
 * command line count; each removes the variables for the other two (src/common/slurm_opt.c:
 * _validate_memory_options). */
static int check_memory_options(struct fsi_scenario *s, struct submission *b)
{
	static const enum fsi_sbatch_option kinds[] = { FSI_SBATCH_MEM, FSI_SBATCH_MEM_PER_CPU,
							FSI_SBATCH_MEM_PER_GPU };
	size_t given = 0, last = FSI_SBATCH_OPTIONS;

	for (size_t i = 0; i < 3; i++) {
		const size_t at = find_given_option(b, kinds[i]);

		if (at == FSI_SBATCH_OPTIONS || b->variable[at])
			continue;
		given++;
		last = last == FSI_SBATCH_OPTIONS || b->line[at] > b->line[last] ? at : last;
	}
	for (size_t i = 0; given && i < 3; i++) {
		const size_t at = find_given_option(b, kinds[i]);

		if (at < FSI_SBATCH_OPTIONS && b->variable[at])
			b->value[at] = NULL;
	}
	return given < 2 ? 0
			 : locate_error(s, b, last,
					fsi_scenario_refuse(
						s, "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."));
}

/* Adds the job that the options describe to the snapshot. `het`: id of the first job of the het job; 0: none. */
static int add_job(struct fsi_scenario *s, const struct submission *b, uint64_t het)
{
	struct gpu_options g = { NULL, FSI_GRES_BY_JOB, 0, 0 };
	struct fsi_job j;
	uint32_t user;
	int rc = find_job_owner(s, b, &user);

	if (rc)
		return rc;
	init_new_job(s->m, &j, user);
	rc = set_account_and_partition(s, b, &j);
	if (!rc)
		rc = set_job_size(s, b, &j, &g);
	if (!rc)
		rc = set_gpu_request(s, &j, &g);
	if (!rc)
		rc = set_submitted_time_limit(s, b, &j);
	if (!rc)
		rc = apply_other_options(s, b, &j);
	if (!rc && het && FSI_SET_JOB_EXT(s->m, &j, het_job_id, het))
		rc = fsi_fail_no_memory(s->err);
	if (rc)
		return rc;
	if (FSI_VEC_RESERVE(&s->m->job))
		return fsi_fail_no_memory(s->err);
	s->m->job.v[s->m->job.n++] = j;
	s->m->info.jobs = s->m->job.n;
	fsi_scenario_note(s, "%ssubmitted by this command", fsi_scenario_job_prefix(s, &j));
	if (!get_option_value(b, FSI_SBATCH_MEM) && !get_option_value(b, FSI_SBATCH_MEM_PER_CPU) &&
	    !get_option_value(b, FSI_SBATCH_MEM_PER_GPU))
		fsi_scenario_note(s,
				  "%sthe request asks for no memory, and the site's default is unknown; "
				  "give the memory with --mem",
				  fsi_scenario_job_prefix(s, &j));
	return 0;
}

/* Submits one component of the script. Options of the environment replace options of the script, and options of the
 * command line replace both (src/sbatch/opt.c: process_options_second_pass). */
static int submit_component(struct fsi_scenario *s, const struct fs_job_script *script, size_t from, uint32_t component,
			    uint64_t first_job, bool *has_next)
{
	const struct option_words line = { s->words, NULL, s->n };
	struct submission b = { { NULL }, { 0 }, { NULL } };
	int rc = apply_script(s, &b, script, component, has_next);

	if (!rc && script->text)
		read_environment(s, &b);
	if (!rc)
		rc = parse_option_words(s, &b, &line, &from);
	if (!rc)
		rc = check_memory_options(s, &b);
	if (rc)
		return rc;
	report_options(s, &b);
	return add_job(s, &b, component || *has_next ? first_job : 0);
}

int fsi_slurm_run_sbatch(struct fsi_scenario *s, size_t at)
{
	const struct option_words line = { s->words, NULL, s->n };
	const uint64_t first_job = s->m->job.n ? s->m->job.v[s->m->job.n - 1].id + 1 : 1;
	struct fs_job_script script = { .text = NULL };
	struct submission b = { { NULL }, { 0 }, { NULL } };
	size_t end = at;
	bool has_next = true;
	int rc = parse_option_words(s, &b, &line, &end);

	if (!rc)
		rc = read_job_script(s, end, &script);
	for (uint32_t component = 0; !rc && has_next; component++)
		rc = submit_component(s, &script, at, component, first_job, &has_next);
	return rc;
}

const char *fs_submit_refusal(const char *option)
{
	static const struct {
		const char *option, *text;
	} texts[] = {
		{ "account", "Invalid account or account/partition combination specified" },
		{ "array", "Invalid job array specification" },
		{ "constraint", "Invalid feature specification" },
		{ "dependency", "Job dependency problem" },
		{ "exclude", "Invalid node name specified" },
		{ "gres", "Invalid generic resource (gres) specification" },
		{ "licenses", "Invalid license specification" },
		{ "nodelist", "Invalid node name specified" },
		{ "partition", "Invalid partition name specified" },
		{ "prefer", "Invalid preferred feature specification" },
		{ "qos", "Invalid qos specification" },
		{ "reservation", "Requested reservation is invalid" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(texts[i].option, option))
			return texts[i].text;
	return NULL;
}

/* Returns the i-th association of the user, in the account if `account` is not 0; NULL past the end. */
static const struct fsi_association *find_user_association(const fs_snapshot *m, const char *user, uint32_t account,
							   size_t i)
{
	const uint32_t name = fsi_name_find(m, user);

	for (size_t k = 0; name && k < m->association.n; k++) {
		const struct fsi_association *a = &m->association.v[k];

		if (a->user == name && (!account || a->account == account) && !i--)
			return a;
	}
	return NULL;
}

const char *fs_user_account(const fs_snapshot *m, const char *user, size_t i)
{
	const struct fsi_association *a = find_user_association(m, user, 0, i);

	return a ? fsi_name_text(m, a->account) : NULL;
}

const char *fs_user_qos(const fs_snapshot *m, const char *user, const char *account, size_t i)
{
	const struct fsi_association *a = find_user_association(m, user, fsi_name_find(m, account), 0);
	size_t n;
	const uint32_t *qos = fsi_list_items(m, a ? a->qos : 0, &n);

	if (!a)
		return NULL;
	if (!n)
		return i < m->qos.n ? fsi_name_text(m, m->qos.v[i].name) : NULL;
	return i < n ? fsi_name_text(m, qos[i]) : NULL;
}
