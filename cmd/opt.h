/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options as data. One table of rows per subcommand drives the parser, --help and the man page,
 * and a default is written once: as the text that the user could have typed, which the parser
 * reads before the command line. So help and behaviour cannot differ.
 *
 * Values land in a struct of the subcommand, which starts out as zeros:
 *
 *	struct args {
 *		const char *machine;
 *		uint64_t runs;
 *		unsigned int format;
 *		struct wk_opt_list files;
 *	};
 *
 *	static const struct wk_opt opts[] = {
 *		WK_OPT_HEAD("What to run"),
 *		WK_OPT_STR(struct args, machine, 'm', "SRC", "this", "the machine"),
 *		WK_OPT_UINT(struct args, runs, 'n', "N", "10", 1, 1000, "independent starts"),
 *		WK_OPT_CHOICE(struct args, format, 0, "text|csv|json", "text", "how to print"),
 *		WK_OPT_OPERANDS(struct args, files, "FILE..."),
 *		WK_OPT_DONE,
 *	};
 *
 * The name of an option is the name of its field, with '-' for '_'.
 */
#ifndef WK_CMD_OPT_H
#define WK_CMD_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wk_opt_kind {
	WK_OPT_KIND_DONE,     /* ends a table */
	WK_OPT_KIND_HEAD,     /* a heading of the help */
	WK_OPT_KIND_FLAG,     /* bool */
	WK_OPT_KIND_STR,      /* const char * */
	WK_OPT_KIND_UINT,     /* uint64_t in [min, max] */
	WK_OPT_KIND_CHOICE,   /* unsigned int: the index in "a|b|c" */
	WK_OPT_KIND_LIST,     /* struct wk_opt_list: can be given several times */
	WK_OPT_KIND_OPERANDS, /* struct wk_opt_list: what stands outside of options */
};

/* Points into argv; wk_opt_release() frees the array. */
struct wk_opt_list {
	const char **values;
	size_t nr;
};

struct wk_opt {
	const char *name; /* with '_' for '-' */
	char letter;	  /* or 0 */
	enum wk_opt_kind kind;
	const char *arg;	  /* name of the value: "N", "SRC", "text|csv|json" */
	const char *default_text; /* or NULL: none */
	const char *help;
	uint64_t min, max;
	size_t at; /* where in the struct */
};

#define WK_OPT_AT_(type, field, is) \
	(offsetof(type, field) + 0 * sizeof(char[_Generic(((type *)0)->field, is : 1)]))

#define WK_OPT_HEAD(text)                                \
	{                                                \
		.kind = WK_OPT_KIND_HEAD, .help = (text) \
	}
#define WK_OPT_FLAG(type, field, letter_, help_)                                                \
	{                                                                                       \
		.name = #field, .letter = (letter_), .kind = WK_OPT_KIND_FLAG, .help = (help_), \
		.at = WK_OPT_AT_(type, field, bool)                                             \
	}
#define WK_OPT_STR(type, field, letter_, arg_, default_, help_)                              \
	{                                                                                    \
		.name = #field, .letter = (letter_), .kind = WK_OPT_KIND_STR, .arg = (arg_), \
		.default_text = (default_), .help = (help_),                                 \
		.at = WK_OPT_AT_(type, field, const char *)                                  \
	}
#define WK_OPT_UINT(type, field, letter_, arg_, default_, min_, max_, help_)                  \
	{                                                                                     \
		.name = #field, .letter = (letter_), .kind = WK_OPT_KIND_UINT, .arg = (arg_), \
		.default_text = (default_), .help = (help_), .min = (min_), .max = (max_),    \
		.at = WK_OPT_AT_(type, field, uint64_t)                                       \
	}
#define WK_OPT_CHOICE(type, field, letter_, choices_, default_, help_)           \
	{                                                                        \
		.name = #field, .letter = (letter_), .kind = WK_OPT_KIND_CHOICE, \
		.arg = (choices_), .default_text = (default_), .help = (help_),  \
		.at = WK_OPT_AT_(type, field, unsigned int)                      \
	}
#define WK_OPT_LIST(type, field, letter_, arg_, help_)                                        \
	{                                                                                     \
		.name = #field, .letter = (letter_), .kind = WK_OPT_KIND_LIST, .arg = (arg_), \
		.help = (help_), .at = WK_OPT_AT_(type, field, struct wk_opt_list)            \
	}
#define WK_OPT_OPERANDS(type, field, arg_)                                   \
	{                                                                    \
		.name = #field, .kind = WK_OPT_KIND_OPERANDS, .arg = (arg_), \
		.at = WK_OPT_AT_(type, field, struct wk_opt_list)            \
	}
#define WK_OPT_DONE                      \
	{                                \
		.kind = WK_OPT_KIND_DONE \
	}

/* Every subcommand has it, and no table. */
extern const struct wk_opt wk_opt_help;

/* Room for an option's name as the user types it. */
#define WK_OPT_NAME_MAX 40

/* "machine_file" -> "--machine-file". */
const char *wk_opt_spell(const struct wk_opt *opt, char buf[WK_OPT_NAME_MAX]);

enum wk_opt_result {
	WK_OPT_OK,
	WK_OPT_HELP,  /* --help or -h was there */
	WK_OPT_WRONG, /* a line on stderr says what */
};

/*
 * Fill the struct at @args from the defaults, then from argv[0..argc), which begins after the
 * subcommand's name. What the lists hold is released with wk_opt_release() in every case.
 */
enum wk_opt_result wk_opt_parse(const struct wk_opt *opts, void *args, int argc, char **argv);
void wk_opt_release(const struct wk_opt *opts, void *args);

#endif
