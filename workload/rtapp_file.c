// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workload/models.h"
#include "workload/rtapp.h"

/* Reads to the end, or to the byte after the limit. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static struct wk_workload *parse_fd(int fd, const char *path, struct wk_err *err)
{
	struct wk_workload *w = NULL;
	struct stat st;
	ssize_t len;
	char *buf;

	/* A pipe or device could block, or never end. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		wk_build_error(err, "%s: expected a regular file", path);
		return NULL;
	}
	if (st.st_size > (off_t)WK_RTAPP_MAX_BYTES) {
		wk_build_error(err, "%s: found %lld bytes, expected at most %u", path,
			       (long long)st.st_size, WK_RTAPP_MAX_BYTES);
		return NULL;
	}
	buf = malloc((size_t)st.st_size + 1);
	if (!buf) {
		wk_build_error(err, "%s: out of memory", path);
		return NULL;
	}
	len = read_all(fd, buf, (size_t)st.st_size);
	if (len < 0)
		wk_build_error(err, "%s: %s", path, strerror(errno));
	else
		w = wk_rtapp_parse(buf, (size_t)len, path, err);
	free(buf);
	return w;
}

struct wk_workload *wk_rtapp_open(const char *path, struct wk_err *ret_err)
{
	struct wk_workload *w;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		wk_build_error(ret_err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	w = parse_fd(fd, path, ret_err);
	close(fd);
	return w;
}

struct wk_workload *wk_model_rt_app(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	return wk_rtapp_open(args->text, ret_err);
}
