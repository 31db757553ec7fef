/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subcommand is one file, cmd/NAME.c, which defines `const struct wk_cmd wk_cmd_NAME`, and one
 * line in cmds.def. main() reads its options, runs it, and ends with what run() returned.
 */
#ifndef WK_CMD_CMD_H
#define WK_CMD_CMD_H

#include <stddef.h>
#include <stdio.h>

#include "cmd/opt.h"

/* Scripts depend on these. */
enum wk_exit {
	WK_EXIT_DONE = 0,
	WK_EXIT_FAILED = 1,    /* or this system lacks what is needed */
	WK_EXIT_USAGE = 2,     /* wrong usage or input */
	WK_EXIT_UNDECIDED = 3, /* a comparison asked to decide (--gate) could not */
};

struct wk_cmd {
	const char *name;
	const char *summary;	   /* a few words for the list of subcommands */
	const char *text;	   /* paragraphs between empty lines, for help and man page */
	const struct wk_opt *opts; /* they fill a struct of args_size bytes */
	size_t args_size;
	enum wk_exit (*run)(const void *args);
};

#define WK_CMD(name) extern const struct wk_cmd wk_cmd_##name;
#include "cmd/cmds.def"

/*
 * One line on stderr, "wakepath: " before it and a new line after it:
 * "where: found 'what', expected that".
 */
#define WK_PRINTF_ __attribute__((format(printf, 1, 2)))
enum wk_exit wk_error(const char *format, ...) WK_PRINTF_;	 /* returns WK_EXIT_FAILED */
enum wk_exit wk_usage_error(const char *format, ...) WK_PRINTF_; /* returns WK_EXIT_USAGE */

/*
 * "unknown KIND 'WORD' (did you mean 'BEST'?)", or where @best is NULL
 * "unknown KIND 'WORD', see 'SEE'", a command that shows what there is.
 */
enum wk_exit wk_unknown(const char *kind, const char *word, const char *best, const char *see);

/* Fill lines of 80 columns from column @at on, further ones beginning at column @indent. */
void wk_print_wrapped(FILE *to, const char *text, int at, int indent);

/* @cmds ends with NULL. */
void wk_help_main(FILE *to, const struct wk_cmd *const *cmds);
void wk_help_cmd(FILE *to, const struct wk_cmd *cmd);
void wk_man_main(FILE *to, const struct wk_cmd *const *cmds);
void wk_man_cmd(FILE *to, const struct wk_cmd *cmd);

#endif
