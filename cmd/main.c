// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/nearest.h"

static const struct wk_cmd *const cmds[] = {
#define WK_CMD(name) &wk_cmd_##name,
#include "cmd/cmds.def"
	NULL,
};

static const struct wk_cmd *find_cmd(const char *name)
{
	for (const struct wk_cmd *const *cmd = cmds; *cmd; cmd++)
		if (!strcmp((*cmd)->name, name))
			return *cmd;
	return NULL;
}

static enum wk_exit unknown_cmd(const char *word)
{
	static const char *const options[] = {"--help", "--version"};
	struct wk_nearest near = {.word = word};
	const char *best = NULL;

	if (word[0] == '-')
		return wk_unknown("option", word, wk_nearest(word, options, 2), "wakepath --help");
	for (const struct wk_cmd *const *cmd = cmds; *cmd; cmd++)
		if (wk_nearest_offer(&near, (*cmd)->name))
			best = (*cmd)->name;
	return wk_unknown("subcommand", word, best, "wakepath --help");
}

static enum wk_exit run_cmd(const struct wk_cmd *cmd, int argc, char **argv)
{
	enum wk_exit ret = WK_EXIT_DONE;
	void *args = calloc(1, cmd->args_size);

	if (!args)
		return wk_error("out of memory");
	switch (wk_opt_parse(cmd->opts, args, argc, argv)) {
	case WK_OPT_OK:
		ret = cmd->run(args);
		break;
	case WK_OPT_HELP:
		wk_help_cmd(stdout, cmd);
		break;
	case WK_OPT_WRONG:
		ret = WK_EXIT_USAGE;
		break;
	}
	wk_opt_release(cmd->opts, args);
	free(args);
	return ret;
}

/* --man [SUBCOMMAND], for the build: not in the help. */
static enum wk_exit print_man(const char *name)
{
	const struct wk_cmd *cmd = name ? find_cmd(name) : NULL;

	if (name && !cmd)
		return unknown_cmd(name);
	if (cmd)
		wk_man_cmd(stdout, cmd);
	else
		wk_man_main(stdout, cmds);
	return WK_EXIT_DONE;
}

/* Under this name the program is the scheduler, as the scx tools are called. */
static bool is_scheduler(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, "scx_wakepath");
}

static enum wk_exit run(int argc, char **argv)
{
	const struct wk_cmd *cmd;
	const char *word;

	if (argc > 0 && is_scheduler(argv[0]))
		return run_cmd(&wk_cmd_run, argc - 1, argv + 1);
	if (argc < 2)
		return wk_usage_error("no subcommand, see 'wakepath --help'");
	word = argv[1];
	cmd = find_cmd(word);
	if (cmd)
		return run_cmd(cmd, argc - 2, argv + 2);
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		wk_help_main(stdout, cmds);
	else if (!strcmp(word, "--version"))
		printf("wakepath %s\n", WK_VERSION);
	else if (!strcmp(word, "--man"))
		return print_man(argv[2]);
	else
		return unknown_cmd(word);
	return WK_EXIT_DONE;
}

int main(int argc, char **argv)
{
	enum wk_exit ret = run(argc, argv);

	/* A full disk is no success. */
	if (fflush(stdout) || ferror(stdout))
		return wk_error("standard output: %s", strerror(errno));
	return ret;
}
