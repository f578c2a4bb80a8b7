#!/bin/bash
# Every test that the table of docs/conformance/cases.md names is in the tree.
# Usage: case_table_test.sh SOURCE_DIR.
# shellcheck disable=SC2016 # single quotes are meant
set -u
cd "$1" || exit 1

n_names=0 n_failed=0
for name in $(grep '^| C' docs/conformance/cases.md | cut -d '|' -f 4 | grep -oE '`[A-Za-z0-9_./]+`' | tr -d '`'); do
  n_names=$((n_names + 1))
  case $name in
    */*) [ -e "$name" ] ;;
    *) grep -qrE "(TEST(_[FP])?\([A-Za-z]+, |test\(')$name\b" tests ;;
  esac || { echo "FAILED: no test $name"; n_failed=$((n_failed + 1)); }
done
echo "$n_names names, $n_failed missing"
[ $n_names -gt 20 ] && [ $n_failed = 0 ]
