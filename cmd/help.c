// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

#define LINE_END   79 /* column where a line of help has ended */
#define OPTION_COL 26 /* column of the sentence beside an option */
#define CMD_COL	   14

void wk_print_wrapped(FILE *to, const char *text, int at, int indent)
{
	while (*text) {
		int len = (int)strcspn(text, " \n");

		if (at > indent && at + 1 + len > LINE_END) {
			fprintf(to, "\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', to);
			at++;
		}
		fprintf(to, "%.*s", len, text);
		at += len;
		text += len;
		text += strspn(text, " \n");
	}
	fputc('\n', to);
}

static void print_paragraphs(FILE *to, const char *text)
{
	char paragraph[2000];

	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		int len = end ? (int)(end - text) : (int)strlen(text);

		snprintf(paragraph, sizeof(paragraph), "%.*s", len, text);
		fputc('\n', to);
		wk_print_wrapped(to, paragraph, 0, 0);
		text = end ? end + 2 : NULL;
	}
}

/* Spaces up to column @col, on a new line when there is no room. Returns the column. */
static int pad(FILE *to, int at, int col)
{
	if (at + 2 > col) {
		fputc('\n', to);
		at = 0;
	}
	fprintf(to, "%*s", col - at, "");
	return col;
}

static void print_option(FILE *to, const struct wk_opt *opt)
{
	char name[WK_OPT_NAME_MAX], sentence[1000];
	int at;

	if (opt->letter)
		at = fprintf(to, "  -%c, ", opt->letter);
	else
		at = fprintf(to, "      ");
	at += fprintf(to, "%s", wk_opt_spell(opt, name));
	if (opt->arg)
		at += fprintf(to, " %s", opt->arg);
	at = pad(to, at, OPTION_COL);
	snprintf(sentence, sizeof(sentence), opt->default_text ? "%s [default: %s]" : "%s",
		 opt->help, opt->default_text);
	wk_print_wrapped(to, sentence, at, OPTION_COL);
}

static void print_options(FILE *to, const struct wk_opt *opts)
{
	if (opts->kind != WK_OPT_KIND_HEAD)
		fprintf(to, "\nOptions:\n");
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++) {
		if (opt->kind == WK_OPT_KIND_HEAD)
			fprintf(to, "\n%s:\n", opt->help);
		else if (opt->kind != WK_OPT_KIND_OPERANDS)
			print_option(to, opt);
	}
	print_option(to, &wk_opt_help);
}

void wk_help_cmd(FILE *to, const struct wk_cmd *cmd)
{
	fprintf(to, "Usage: wakepath %s [OPTION]...", cmd->name);
	for (const struct wk_opt *opt = cmd->opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt->kind == WK_OPT_KIND_OPERANDS)
			fprintf(to, " %s", opt->arg);
	fprintf(to, "\n%c%s.\n", toupper((unsigned char)cmd->summary[0]), cmd->summary + 1);
	print_paragraphs(to, cmd->text);
	print_options(to, cmd->opts);
}

void wk_help_main(FILE *to, const struct wk_cmd *const *cmds)
{
	fprintf(to, "Usage: wakepath SUBCOMMAND [OPTION]...\n"
		    "Decide where a waking thread runs, and show what a policy would do.\n"
		    "\nSubcommands:\n");
	for (; *cmds; cmds++) {
		int at = fprintf(to, "  %s", (*cmds)->name);

		wk_print_wrapped(to, (*cmds)->summary, pad(to, at, CMD_COL), CMD_COL);
	}
	fprintf(to, "\nOptions:\n"
		    "  -h, --help              print this help, or that of a subcommand\n"
		    "      --version           print the version\n"
		    "\nExit status: 0 done, 1 failed or the system lacks what is needed, 2 wrong\n"
		    "usage or input, 3 a comparison asked to decide could not.\n");
}
