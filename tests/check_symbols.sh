#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_symbols.sh LIBRARY: every symbol that the shared library exports starts with vxe_.
set -u
symbols=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//') || exit 2
[ -n "$symbols" ] || { echo "no symbols in $1"; exit 2; }
wrong=$(printf '%s\n' "$symbols" | grep -v '^vxe_' | grep -vE '^(_init|_fini|__gcov.*|__asan.*|__odr_asan.*|__tsan.*|__ubsan.*|__sanitizer.*)$')
[ -z "$wrong" ] || { printf 'exported without vxe_:\n%s\n' "$wrong"; exit 1; }
echo "symbols: $(printf '%s\n' "$symbols" | wc -l) exported, all vxe_"
