/* The options of sbatch (src/common/slurm_opt.c): which there are, with what letters and values, and what each asks
 * for. */
#include "base/num.h"
#include "scenario/sbatch/sbatch.h"

#include <string.h>

#define O(name, letter, bare, own, word) { name, letter, bare, FSI_SBATCH_##own, word }

static const struct option {
	const char *name;
	char letter; /* 0: none */
	bool bare;   /* takes no value, or may be without */
	enum fsi_sbatch_option own;
	const char *word; /* of scontrol update job */
} options[] = {
	O("account", 'A', false, ACCOUNT, NULL),
	O("acctg-freq", 0, false, IDLE, NULL),
	O("array", 'a', false, ARRAY, NULL),
	O("autocomplete", 0, false, NOTHING, NULL),
	O("batch", 0, false, IDLE, NULL),
	O("bb", 0, false, UNHEEDED, NULL),
	O("bbf", 0, false, UNHEEDED, NULL),
	O("begin", 'b', false, WORD, "StartTime"),
	O("chdir", 'D', false, IDLE, NULL),
	O("cluster", 0, false, IDLE, NULL),
	O("cluster-constraint", 0, false, IDLE, NULL),
	O("clusters", 'M', false, IDLE, NULL),
	O("comment", 0, false, WORD, "Comment"),
	O("consolidate-segments", 0, true, UNHEEDED, NULL),
	O("constraint", 'C', false, WORD, "Features"),
	O("container", 0, false, IDLE, NULL),
	O("container-id", 0, false, IDLE, NULL),
	O("context", 0, false, IDLE, NULL),
	O("contiguous", 0, true, CONTIGUOUS, NULL),
	O("core-spec", 'S', false, WORD, "CoreSpec"),
	O("cores-per-socket", 0, false, WORD, "ReqCores"),
	O("cpu-freq", 0, false, IDLE, NULL),
	O("cpus-per-gpu", 0, false, CPUS_PER_GPU, "CpusPerTres"),
	O("cpus-per-task", 'c', false, CPUS_PER_TASK, NULL),
	O("deadline", 0, false, WORD, "Deadline"),
	O("delay-boot", 0, false, IDLE, NULL),
	O("dependency", 'd', false, WORD, "Dependency"),
	O("distribution", 'm', false, UNHEEDED, NULL),
	O("error", 'e', false, IDLE, NULL),
	O("exclude", 'x', false, WORD, "ExcNodeList"),
	O("exclusive", 0, true, EXCLUSIVE, NULL),
	O("export", 0, false, IDLE, NULL),
	O("export-file", 0, false, IDLE, NULL),
	O("external", 0, true, IDLE, NULL),
	O("extra", 0, false, IDLE, NULL),
	O("extra-node-info", 'B', false, UNHEEDED, NULL),
	O("get-user-env", 0, true, IDLE, NULL),
	O("gid", 0, false, IDLE, NULL),
	O("gpu-bind", 0, false, IDLE, NULL),
	O("gpu-freq", 0, false, IDLE, NULL),
	O("gpus", 'G', false, GPUS, NULL),
	O("gpus-per-node", 0, false, GPUS_PER_NODE, NULL),
	O("gpus-per-socket", 0, false, UNHEEDED, NULL),
	O("gpus-per-task", 0, false, GPUS_PER_TASK, NULL),
	O("gres", 0, false, WORD, "Gres"),
	O("gres-flags", 0, false, UNHEEDED, NULL),
	O("help", 'h', true, NOTHING, NULL),
	O("hint", 0, false, UNHEEDED, NULL),
	O("hold", 'H', true, HOLD, NULL),
	O("ignore-pbs", 0, true, IDLE, NULL),
	O("input", 'i', false, IDLE, NULL),
	O("job-name", 'J', false, WORD, "JobName"),
	O("kill-on-invalid-dep", 0, false, IDLE, NULL),
	O("licenses", 'L', false, WORD, "Licenses"),
	O("mail-type", 0, false, IDLE, NULL),
	O("mail-user", 0, false, IDLE, NULL),
	O("mcs-label", 0, false, IDLE, NULL),
	O("mem", 0, false, MEM, NULL),
	O("mem-bind", 0, false, IDLE, NULL),
	O("mem-per-cpu", 0, false, MEM_PER_CPU, NULL),
	O("mem-per-gpu", 0, false, MEM_PER_GPU, NULL),
	O("mincpus", 0, false, MINCPUS, NULL),
	O("network", 0, false, IDLE, NULL),
	O("nice", 0, true, WORD, "Nice"),
	O("no-kill", 'k', true, IDLE, NULL),
	O("no-requeue", 0, true, IDLE, NULL),
	O("nodefile", 'F', false, UNHEEDED, NULL),
	O("nodelist", 'w', false, WORD, "ReqNodeList"),
	O("nodes", 'N', false, NODES, NULL),
	O("ntasks", 'n', false, TASKS, NULL),
	O("ntasks-per-core", 0, false, UNHEEDED, NULL),
	O("ntasks-per-gpu", 0, false, TASKS_PER_GPU, NULL),
	O("ntasks-per-node", 0, false, TASKS_PER_NODE, NULL),
	O("ntasks-per-socket", 0, false, UNHEEDED, NULL),
	O("ntasks-per-tres", 0, false, UNHEEDED, NULL),
	O("oom-kill-step", 0, true, IDLE, NULL),
	O("open-mode", 0, false, IDLE, NULL),
	O("output", 'o', false, IDLE, NULL),
	O("overcommit", 'O', true, UNHEEDED, NULL),
	O("oversubscribe", 's', true, SHARE, NULL),
	O("parsable", 0, true, IDLE, NULL),
	O("partition", 'p', false, PARTITION, NULL),
	O("power", 0, false, IDLE, NULL),
	O("prefer", 0, false, WORD, "Prefer"),
	O("priority", 0, false, WORD, "Priority"),
	O("profile", 0, false, IDLE, NULL),
	O("propagate", 0, true, IDLE, NULL),
	O("qos", 'q', false, QOS, NULL),
	O("quiet", 'Q', true, IDLE, NULL),
	O("reboot", 0, true, IDLE, NULL),
	O("requeue", 0, true, IDLE, NULL),
	O("reservation", 0, false, WORD, "ReservationName"),
	O("resources", 0, false, UNHEEDED, NULL),
	O("resv-ports", 0, true, UNHEEDED, NULL),
	O("segment", 0, false, UNHEEDED, NULL),
	O("signal", 0, false, IDLE, NULL),
	O("sockets-per-node", 0, false, WORD, "ReqSockets"),
	O("spread-job", 0, true, UNHEEDED, NULL),
	O("spread-segments", 0, true, UNHEEDED, NULL),
	O("stepmgr", 0, true, IDLE, NULL),
	O("switches", 0, false, WORD, "Switches"),
	O("tasks-per-node", 0, false, TASKS_PER_NODE, NULL),
	O("test-only", 0, true, NOTHING, NULL),
	O("thread-spec", 0, false, WORD, "ThreadSpec"),
	O("threads-per-core", 0, false, WORD, "ReqThreads"),
	O("time", 't', false, TIME, NULL),
	O("time-min", 0, false, WORD, "TimeMin"),
	O("tmp", 0, false, TMP, NULL),
	O("tres-bind", 0, false, IDLE, NULL),
	O("tres-per-task", 0, false, UNHEEDED, NULL),
	O("uid", 0, false, UID, NULL),
	O("usage", 0, true, NOTHING, NULL),
	O("use-min-nodes", 0, true, UNHEEDED, NULL),
	O("verbose", 'v', true, IDLE, NULL),
	O("version", 'V', true, NOTHING, NULL),
	O("wait", 'W', true, IDLE, NULL),
	O("wait-all-nodes", 0, false, IDLE, NULL),
	O("wckey", 0, false, IDLE, NULL),
	O("wrap", 0, false, IDLE, NULL),
};

_Static_assert(sizeof(options) / sizeof(*options) == FSI_SBATCH_OPTIONS, "a place for each option's value");

static int by_name(struct fsi_scenario *s, const char *name, size_t len, size_t *out)
{
	*out = fsi_scenario_find(options, FSI_SBATCH_OPTIONS, sizeof(*options), name, len);
	if (*out < FSI_SBATCH_OPTIONS)
		return 0;
	return fsi_scenario_refuse(s, "sbatch: there is no option --%.*s here, the nearest is --%s",
				   (int)(len < 60 ? len : 60), name,
				   fsi_scenario_nearest(options, FSI_SBATCH_OPTIONS, sizeof(*options), name, len));
}

static int by_letter(struct fsi_scenario *s, char letter, size_t *out)
{
	for (*out = 0; *out < FSI_SBATCH_OPTIONS; (*out)++)
		if (options[*out].letter && options[*out].letter == letter)
			return 0;
	return fsi_scenario_refuse(s, "sbatch: there is no option -%c here", letter);
}

/* The option of s->word[*at], which may take the next word too. */
static int take_option(struct fsi_scenario *s, struct fsi_submission *b, size_t *at)
{
	const char *word = s->word[*at], *value = NULL;
	const bool is_long = word[1] == '-';
	const size_t len = is_long ? strcspn(word + 2, "=") : 1;
	size_t i;
	const int rc = is_long ? by_name(s, word + 2, len, &i) : by_letter(s, word[1], &i);

	if (rc)
		return rc;
	if (options[i].own == FSI_SBATCH_NOTHING)
		return fsi_scenario_refuse(s, "sbatch: --%s submits nothing", options[i].name);
	if (is_long && word[2 + len])
		value = word + 2 + len + 1;
	else if (!is_long && word[2] && !options[i].bare)
		value = word + 2;
	else if (!options[i].bare)
		value = s->word[*at + 1] ? s->word[++*at] : NULL;
	if (!value && !options[i].bare)
		return fsi_scenario_refuse(s, "sbatch: --%s takes a value", options[i].name);
	b->value[i] = value ? value : "";
	return 0;
}

int fsi_sbatch_options(struct fsi_scenario *s, struct fsi_submission *b, size_t *at)
{
	int rc = 0;

	for (; *at < s->n && !rc && s->word[*at][0] == '-' && s->word[*at][1]; ++*at) {
		if (!strcmp(s->word[*at], "--")) {
			++*at;
			break;
		}
		rc = take_option(s, b, at);
	}
	return rc;
}

const char *fsi_sbatch_given(const struct fsi_submission *b, enum fsi_sbatch_option what)
{
	for (size_t i = 0; i < FSI_SBATCH_OPTIONS; i++)
		if (options[i].own == what && b->value[i])
			return b->value[i];
	return NULL;
}

static const char *name_of(enum fsi_sbatch_option what)
{
	size_t i = 0;

	while (options[i].own != what)
		i++;
	return options[i].name;
}

int fsi_sbatch_number(struct fsi_scenario *s, const struct fsi_submission *b, enum fsi_sbatch_option what,
		      uint32_t *out)
{
	const char *text = fsi_sbatch_given(b, what);
	uint64_t n = 0;

	if (text && (fsi_parse_u64(text, strlen(text), &n) || !n || n > INT32_MAX))
		return fsi_scenario_refuse(s, "sbatch: --%s: expected a whole number, got \"%.60s\"", name_of(what),
					   text);
	*out = (uint32_t)n;
	return 0;
}

int fsi_sbatch_words(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j)
{
	static const char nice[] = "100"; /* the value of --nice without a number */
	int rc = 0;

	for (size_t i = 0; i < FSI_SBATCH_OPTIONS && !rc; i++) {
		const char *value = b->value[i];

		if (value && options[i].word)
			rc = fsi_slurm_set_job(s, j, options[i].word, *value ? value : nice);
		else if (value && options[i].own == FSI_SBATCH_UNHEEDED)
			fsi_scenario_note(s, "%s--%s may change where or when it starts, and is not heeded here",
					  fsi_scenario_of_job(s, j), options[i].name);
	}
	return rc;
}
