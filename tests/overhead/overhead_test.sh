#!/bin/bash
# Instructions that one small request costs beside the model: parse, plan, conclude, render, and the
# scripted backend's own. Usage: overhead_test.sh PROGRAM MOST. Exit 77: no valgrind, skipped.
set -eu

program=$1
most=$2
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count N: instructions of N requests and the program's start.
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$program" "$1" 2>"$work/err" ||
    { cat "$work/err"; exit 1; }
  sed -n 's/^.*Collected *: *\([0-9]*\).*$/\1/p' "$work/err"
}

few=$(count 2)
many=$(count 12)
each=$(((many - few) / 10))
echo "$each instructions a request, $most allowed"
[ "$each" -gt 0 ] && [ "$each" -le "$most" ]
