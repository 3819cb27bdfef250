/* The options of where a snapshot comes from, whose eyes it is seen through, and usage other than as recorded: the ids
 * that input_option takes, and their rows in the tables of commands (options/options.h). */
#ifndef INPUT_OPTIONS_H
#define INPUT_OPTIONS_H

/* Above 255, which are letters. */
enum {
	OPT_USAGE = 256,
	OPT_DEMO,
	OPT_AS,
	OPT_ALGORITHM,
	OPT_COMPAT,
	OPT_STYLE,
	OPT_MAUI_DIALECT,
	OPT_AT,
	OPT_DECAY,
	OPT_DECAY_RUNS,
	OPT_POSITION,
	OPT_IF,
	OPT_FRESH,
	OPT_AFTER_INPUT
};

/* Rows that every reading command shares. */
#define BY_INPUT BY_INPUT_OF(NULL)
#define BY_INPUT_OF(values) { OPTION_INPUT, 0, false }, values
#define INPUT_SETS(member)                                                                                      \
	{ _Generic(((struct input *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT),                  \
	  offsetof(struct input, member), true }, NULL
#define COMMON_OPTIONS COMMON_OPTIONS_STYLED("slurm, flux or maui", "slurm flux maui")
#define COMMON_OPTIONS_STYLED(...) COMMON_OPTIONS_OF(__VA_ARGS__)
#define COMMON_OPTIONS_OF(styles, style_words)									\
	HEADING("Snapshot"),											\
	{ 'f', "file", "FILE", "read this snapshot; - is standard input", INPUT_SETS(file) },				\
	{ OPT_DEMO, "demo", NULL, "use the small cluster compiled in", INPUT_SETS(demo) },				\
	{ OPT_FRESH, "fresh", NULL, "where there is no snapshot: ask the scheduler, even if it was half a minute ago", \
	  INPUT_SETS(fresh) },												\
	{ OPT_AS, "as", "USER", "look through this user's eyes", INPUT_SETS(as) },					\
	{ OPT_IF, "if", "COMMAND", "as if the scheduler had been given this command; may be repeated", BY_INPUT }, \
	{ OPT_ALGORITHM, "algorithm", "NAME",									\
	  "fair_tree, classic, depth_oblivious, flux, flux_exact, flux_range or maui",				\
	  BY_INPUT_OF("fair_tree classic depth_oblivious flux flux_exact flux_range maui") },			\
	{ OPT_POSITION, "position", "NAME", "of flux_range: pow2, ratio or rank", BY_INPUT_OF("pow2 ratio rank") }, \
	{ OPT_STYLE, "style", "NAME", "whose layout: " styles, BY_INPUT_OF(style_words) },			\
	{ OPT_MAUI_DIALECT, "maui-dialect", "NAME", "where they differ: Maui's code or its manual",		\
	  BY_INPUT_OF("code manual") },										\
	{ OPT_COMPAT, "compat", "VERSION", "behave like this Slurm: 22.05, 24.05.3",				\
	  BY_INPUT_OF("22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05 26.11") }

#define USAGE_OPTIONS USAGE_OPTIONS_OF("recorded computed")
#define USAGE_OPTIONS_OF(sources)										\
	HEADING("Usage"),											\
	{ OPT_USAGE, "usage", "[SOURCE]", "recorded, computed from job records, or compare (fs-share)",		\
	  BY_INPUT_OF(sources) },										\
	{ OPT_AT, "at", "TIME", "move the clock forward: +2d, +12h, YYYY-MM-DDTHH:MM, seconds", INPUT_SETS(at) },	\
	{ OPT_DECAY, "decay", "MODEL", "how usage decays: slurm (by periods) or exact", BY_INPUT_OF("slurm exact") }, \
	{ OPT_DECAY_RUNS, "decay-runs", "LIST", "times of earlier decay runs, where they are known", INPUT_SETS(decay_runs) }

#endif
