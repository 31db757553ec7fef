// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd/cmd.h"
#include "live/decisions.h"

struct args {
	bool kernel_decisions;
	const char *output;
	uint64_t seconds, every, max;
	struct wk_opt_list command;
};

static const struct wk_opt opts[] = {
	WK_OPT_FLAG(struct args, kernel_decisions, 0,
		    "record what the kernel's own class decides: needs root and BTF"),
	WK_OPT_STR(struct args, output, 'o', "FILE", "-", "where to, '-' is standard output"),
	WK_OPT_UINT(struct args, seconds, 'd', "S", "5", 1, 86400,
		    "how long, where there is no command"),
	WK_OPT_UINT(struct args, every, 'e', "N", "1", 1, 1000000, "one decision in N"),
	WK_OPT_UINT(struct args, max, 'n', "N", "200000", 1, 100000000,
		    "keep N decisions; the later ones are counted as lost"),
	WK_OPT_OPERANDS(struct args, command, "[-- COMMAND...]"),
	WK_OPT_DONE,
};

/* The list of operands as execvp() wants it. */
static char **command_of(const struct wk_opt_list *list)
{
	char **command = calloc(list->nr + 1, sizeof(*command));

	for (size_t i = 0; command && i < list->nr; i++)
		command[i] = (char *)list->values[i];
	return command;
}

static enum wk_exit record(const struct args *args, FILE *to, char **command)
{
	struct wk_record_decisions how = {
		.to = to,
		.command = args->command.nr ? command : NULL,
		.time_ns = args->seconds * 1000000000,
		.every = (u32)args->every,
		.max_records = args->max,
	};
	struct wk_recorded done;
	struct wk_err err;

	if (wk_record_decisions(&how, &done, &err))
		return wk_error("%s", err.text);
	fprintf(stderr, "%llu decisions seen, %llu recorded, %llu lost\n",
		(unsigned long long)done.seen, (unsigned long long)done.written,
		(unsigned long long)done.lost);
	if (WIFEXITED(done.status) && WEXITSTATUS(done.status))
		return wk_error("%s: exit status %d", command[0], WEXITSTATUS(done.status));
	return WK_EXIT_DONE;
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;
	bool to_stdout = !strcmp(args->output, "-");
	char **command;
	enum wk_exit ret;
	FILE *to;

	if (!args->kernel_decisions)
		return wk_usage_error("record: expected --kernel-decisions");
	command = command_of(&args->command);
	if (!command)
		return wk_error("out of memory");
	to = to_stdout ? stdout : fopen(args->output, "we");
	if (!to) {
		free(command);
		return wk_error("%s: %s", args->output, strerror(errno));
	}
	ret = record(args, to, command);
	if (!to_stdout && fclose(to) && ret == WK_EXIT_DONE)
		ret = wk_error("%s: %s", args->output, strerror(errno));
	free(command);
	return ret;
}

const struct wk_cmd wk_cmd_record = {
	.name = "record",
	.summary = "record what the kernel decides on this machine",
	.text = "Watches the kernel's own class choose CPUs: what it could see when it began, what "
		"had changed when it was done, what it chose, and whether the wake-up went to "
		"the CPU's wake list. 'wakepath replay' lets the core decide the same again.\n\n"
		"Records while the command runs, or for some seconds. Machines of up to 64 CPUs.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
