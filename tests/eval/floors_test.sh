#!/bin/bash
# Accuracy floors of the embedded default, no labels used, and the same numbers at 1 and 2 threads.
# Usage: floors_test.sh PROGRAM SOURCE_DIR. Sets that are not in the repository are looked for in
# SOURCE_DIR/../shared/data; where they are missing that is said. Exit 77: no model, skipped.
set -u

program=$1
source_dir=$2
model=${LOGIT_TEST_MODEL:-$source_dir/models/SmolLM2-135M-Instruct-F16.gguf}
[ -f "$model" ] || { echo "skipped: no model at $model"; exit 77; }
for variable in $(compgen -e LOGIT_); do unset "$variable"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOGIT_CACHE_DIR=$work/cache LOGIT_MODEL_ID=$model
n_failed=0

fail() { echo "FAILED: $*"; n_failed=$((n_failed + 1)); }

# folder_of SET: where its files are; empty when nowhere.
folder_of() {
  local folder
  for folder in "$source_dir/eval/data" "$source_dir/../shared/data"; do
    [ -f "$folder/$1.task.json" ] && echo "$folder" && return
  done
}

# number FIELD: of the last report.
number() { sed -n "s/.*\"$1\":\\([-+0-9.e]*\\).*/\\1/p" "$work/report.json"; }

# report SET THREADS [LIMIT]
report() {
  local folder
  folder=$(folder_of "$1")
  "$program" eval --task "$folder/$1.task.json" --rows "$folder/$1.test.jsonl" --threads "$2" \
    ${3:+--limit "$3"} --json >"$work/report.json" 2>"$work/err" ||
    fail "$1: $(cat "$work/err")"
}

# floor SET LEAST_ACCURACY [LIMIT]
floor() {
  [ -n "$(folder_of "$1")" ] || { echo "$1: not checked, its rows are not here"; return; }
  report "$1" 2 "${3:-}"
  echo "$1: accuracy $(number accuracy), floor $2, log loss $(number log_loss), n $(number n)"
  awk -v got="$(number accuracy)" -v least="$2" 'BEGIN { exit !(got >= least) }' ||
    fail "$1 is below $2"
}

floor banking10 .85
first="$(number accuracy) $(number log_loss) $(number tokens_evaluated)"
report banking10 1
second="$(number accuracy) $(number log_loss) $(number tokens_evaluated)"
[ "$first" = "$second" ] || fail "2 threads gave $first, 1 thread $second"
floor banking77 .36 60
floor trec6 .62 120
floor emotion4 .50 120

[ "$n_failed" = 0 ]
