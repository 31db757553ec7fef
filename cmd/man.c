// SPDX-License-Identifier: GPL-2.0-only
/* Man pages (roff) from the tables that also make the help. */
#include <ctype.h>
#include <stdio.h>

#include "cmd/cmd.h"

static void print_upper(FILE *to, const char *text)
{
	for (; *text; text++)
		fputc(toupper((unsigned char)*text), to);
}

/* Text as text: no request at the start of a line, no hyphen for a minus. */
static void print_text(FILE *to, const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", to);
		line_start = *text == '\n';
		if (*text == '-')
			fputs("\\-", to);
		else if (*text == '\\')
			fputs("\\e", to);
		else if (line_start && text[1] == '\n')
			fputs("\n.PP", to);
		else
			fputc(*text, to);
	}
}

static void print_line(FILE *to, const char *text)
{
	print_text(to, text);
	fputc('\n', to);
}

static void print_header(FILE *to, const char *cmd, const char *summary)
{
	fputs(".TH WAKEPATH", to);
	if (cmd)
		fputs("\\-", to);
	print_upper(to, cmd ? cmd : "");
	fprintf(to, " 1 \"\" \"wakepath %s\" \"User Commands\"\n", WK_VERSION);
	fprintf(to, ".SH NAME\nwakepath%s%s \\- ", cmd ? "\\-" : "", cmd ? cmd : "");
	print_line(to, summary);
}

static void print_option(FILE *to, const struct wk_opt *opt)
{
	char name[WK_OPT_NAME_MAX];

	fputs(".TP\n", to);
	if (opt->letter)
		fprintf(to, "\\fB\\-%c\\fR, ", opt->letter);
	fputs("\\fB", to);
	print_text(to, wk_opt_spell(opt, name));
	fputs("\\fR", to);
	if (opt->arg) {
		fputs(" \\fI", to);
		print_text(to, opt->arg);
		fputs("\\fR", to);
	}
	fputc('\n', to);
	print_text(to, opt->help);
	if (opt->default_text) {
		fputs(" [default: ", to);
		print_text(to, opt->default_text);
		fputs("]", to);
	}
	fputc('\n', to);
}

static void print_exit_status(FILE *to)
{
	fputs(".SH EXIT STATUS\n"
	      ".TP\n0\ndone\n"
	      ".TP\n1\nfailed, or the system lacks what is needed\n"
	      ".TP\n2\nwrong usage or input; a line on stderr says what was expected\n"
	      ".TP\n3\na comparison that was asked to decide could not\n",
	      to);
}

void wk_man_cmd(FILE *to, const struct wk_cmd *cmd)
{
	print_header(to, cmd->name, cmd->summary);
	fprintf(to, ".SH SYNOPSIS\n\\fBwakepath %s\\fR [\\fIOPTION\\fR]...\n", cmd->name);
	for (const struct wk_opt *opt = cmd->opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt->kind == WK_OPT_KIND_OPERANDS)
			fprintf(to, "\\fI%s\\fR\n", opt->arg);
	if (cmd->text) {
		fputs(".SH DESCRIPTION\n", to);
		print_line(to, cmd->text);
	}
	fputs(".SH OPTIONS\n", to);
	for (const struct wk_opt *opt = cmd->opts; opt->kind != WK_OPT_KIND_DONE; opt++) {
		if (opt->kind == WK_OPT_KIND_HEAD)
			fprintf(to, ".SS %s\n", opt->help);
		else if (opt->kind != WK_OPT_KIND_OPERANDS)
			print_option(to, opt);
	}
	print_option(to, &wk_opt_help);
	print_exit_status(to);
	fputs(".SH SEE ALSO\n\\fBwakepath\\fR(1)\n", to);
}

void wk_man_main(FILE *to, const struct wk_cmd *const *cmds)
{
	print_header(to, NULL, "decide where a waking thread runs");
	fputs(".SH SYNOPSIS\n\\fBwakepath\\fR \\fISUBCOMMAND\\fR [\\fIOPTION\\fR]...\n"
	      ".SH DESCRIPTION\n"
	      "Decides where a waking thread runs on machines with many caches, and shows by\n"
	      "simulation what a wake\\-up policy would do to a benchmark on such a machine.\n"
	      ".SH SUBCOMMANDS\n",
	      to);
	for (; *cmds; cmds++) {
		fprintf(to, ".TP\n\\fB%s\\fR\n", (*cmds)->name);
		print_text(to, (*cmds)->summary);
		fprintf(to, ", see \\fBwakepath\\-%s\\fR(1)\n", (*cmds)->name);
	}
	print_exit_status(to);
}
