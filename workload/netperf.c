// SPDX-License-Identifier: GPL-2.0-only
/*
 * netperf TCP_RR and UDP_RR: N pairs that play ping-pong with small messages over loopback.
 *
 * A shell starts N netperf processes (fork, then exec). Each asks netserver over a control
 * connection, and netserver forks a process to serve it; when that one answers, the test starts
 * and lasts for a fixed time. Where client and server were put at their start decides much at low
 * load, so both parents are here. The control messages are one byte each; the server's answer
 * comes over the connection that later carries the responses.
 */
#include "workload/models.h"

/* Assumed: stack, send and receive buffer of one byte each, and the C library's lines. */
#define FOOTPRINT_BYTES 4096
/* Assumed: execve() and the dynamic linker until main() of a small program. */
#define EXEC_NS (500 * WK_NS_PER_US)

struct netperf {
	u64 clients, size, seconds;
	enum wk_obj_kind kind;
	const char *metric;
	u32 control; /* object: requests to netserver */
};

enum { SHELL, NETSERVER, FIRST_PAIR };

static u32 client_of(u64 pair)
{
	return (u32)(FIRST_PAIR + 2 * pair);
}

static u32 server_of(u64 pair)
{
	return (u32)(FIRST_PAIR + 2 * pair + 1);
}

static void write_parents(struct wk_build *b, const struct netperf *n)
{
	wk_build_name(b, SHELL, "shell");
	wk_build_program(b, SHELL);
	for (u64 i = 0; i < n->clients; i++)
		wk_build_fork(b, client_of(i));
	wk_build_op(b, WK_OP_JOIN, 0, (u32)n->clients, 0);

	wk_build_name(b, NETSERVER, "netserver");
	wk_build_program(b, NETSERVER);
	for (u64 i = 0; i < n->clients; i++) {
		wk_build_op(b, WK_OP_READ, 0, n->control, 1);
		wk_build_fork(b, server_of(i));
	}
	wk_build_op(b, WK_OP_JOIN, 0, (u32)n->clients, 0);
}

static void write_pair(struct wk_build *b, const struct netperf *n, u64 pair)
{
	u32 request = wk_build_obj(b, n->kind, 0, 0), response = wk_build_obj(b, n->kind, 0, 0);

	wk_build_name(b, client_of(pair), "netperf%u", (u32)pair);
	wk_build_program(b, client_of(pair));
	wk_build_op(b, WK_OP_EXEC, 0, 0, EXEC_NS);
	wk_build_op(b, WK_OP_WRITE, 0, n->control, 1);
	wk_build_op(b, WK_OP_READ, 0, response, 1);
	wk_build_op(b, WK_OP_MARK, 0, 0, 0);
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_WRITE, 0, request, n->size);
	wk_build_op(b, WK_OP_READ, 0, response, n->size);
	wk_build_op(b, WK_OP_COUNT, 0, 0, 1);
	wk_build_end(b);

	wk_build_name(b, server_of(pair), "server%u", (u32)pair);
	wk_build_program(b, server_of(pair));
	wk_build_op(b, WK_OP_WRITE, 0, response, 1);
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_READ, 0, request, n->size);
	wk_build_op(b, WK_OP_WRITE, 0, response, n->size);
	wk_build_end(b);
}

static void add_tasks(struct wk_build *b, const struct netperf *n)
{
	struct wk_wtask t = {.parent = WK_NONE, .affinity = WK_NONE, .weight = 1024};

	for (u64 i = 0; i < FIRST_PAIR + 2 * n->clients; i++) {
		t.process = (u32)i;
		t.footprint_bytes = FOOTPRINT_BYTES + (u32)n->size;
		wk_build_task(b, &t);
	}
}

static struct wk_workload *build(const struct wk_bench_args *args, struct netperf *n,
				 struct wk_err *ret_err)
{
	struct wk_metric metric = wk_model_metric(n->metric, "trans/s", WK_METRIC_RATE);
	struct wk_build b;

	if (wk_model_check_tasks(wk_bench_at(args->bench)->name, FIRST_PAIR + 2 * n->clients,
				 ret_err))
		return NULL;
	wk_model_init(&b, args);
	n->control = wk_build_obj(&b, WK_OBJ_TCP, 0, 0);
	add_tasks(&b, n);
	write_parents(&b, n);
	for (u64 i = 0; i < n->clients; i++)
		write_pair(&b, n, i);
	wk_build_metric(&b, &metric);
	wk_model_times(&b, n->seconds * WK_NS_PER_S, 20 * WK_NS_PER_MS, 50 * WK_NS_PER_MS);
	return wk_build_finish(&b, ret_err);
}

struct wk_workload *wk_model_netperf_tcp_rr(const struct wk_bench_args *args,
					    struct wk_err *ret_err)
{
	struct netperf n = {.clients = wk_arg(args, netperf_tcp_rr, clients),
			    .size = wk_arg(args, netperf_tcp_rr, size),
			    .seconds = wk_arg(args, netperf_tcp_rr, seconds),
			    .kind = WK_OBJ_TCP,
			    .metric = "TCP_RR"};

	return build(args, &n, ret_err);
}

struct wk_workload *wk_model_netperf_udp_rr(const struct wk_bench_args *args,
					    struct wk_err *ret_err)
{
	struct netperf n = {.clients = wk_arg(args, netperf_udp_rr, clients),
			    .size = wk_arg(args, netperf_udp_rr, size),
			    .seconds = wk_arg(args, netperf_udp_rr, seconds),
			    .kind = WK_OBJ_UDP,
			    .metric = "UDP_RR"};

	return build(args, &n, ret_err);
}
