// SPDX-License-Identifier: GPL-2.0-only
/* Runs a fuzz target over the files of its corpus, as TAP: no fuzzing, but in every build. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay(const char *path)
{
	FILE *file = fopen(path, "r");
	uint8_t *data = NULL;
	size_t size = 0, room = 0;

	if (!file)
		return -1;
	do {
		room = room ? room * 2 : 4096;
		data = realloc(data, room);
		if (!data)
			abort();
		size += fread(data + size, 1, room - size, file);
	} while (size == room);
	fclose(file);
	/* A block of the very size, so that the sanitizer sees a read beyond it. */
	data = realloc(data, size ? size : 1);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	char path[4096];
	int nr, failed = 0;

	if (argc != 2)
		return 2;
	nr = scandir(argv[1], &entries, not_hidden, alphasort);
	if (nr < 0) {
		perror(argv[1]);
		return 1;
	}
	printf("1..%d\n", nr);
	for (int i = 0; i < nr; i++) {
		int err;

		snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
		err = replay(path);
		printf("%sok %d - %s\n", err ? "not " : "", i + 1, entries[i]->d_name);
		fflush(stdout);
		failed |= !!err;
		free(entries[i]);
	}
	free(entries);
	return failed;
}
