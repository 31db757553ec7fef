/* SPDX-License-Identifier: GPL-2.0-only */
/* What every cmocka test includes: cmocka and what it needs before it. */
#ifndef WK_TESTS_SUPPORT_TEST_H
#define WK_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
