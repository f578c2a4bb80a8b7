# Sourced by tests that run the program: `run`, `says`, `json` and `fail`, a work folder that goes
# with the test, and no LOGIT_* variable of the caller's. Usage: . run_program.sh PROGRAM SOURCE_DIR
# shellcheck shell=bash
# Ends the test with 77 (skipped) without a model. Sets program, source_dir, model, threads, work;
# counts in n_checks and n_failed, which close_checks prints.

program=$1
source_dir=$2
model=${LOGIT_TEST_MODEL:-$source_dir/models/SmolLM2-135M-Instruct-F16.gguf}
[ -f "$model" ] || { echo "skipped: no model at $model"; exit 77; }
# shellcheck disable=SC2034  # for the tests that source this
threads=${LOGIT_TEST_THREADS:-1}  # one: threads that wait for each other crawl on a busy machine
for variable in $(compgen -e LOGIT_); do unset "$variable"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOGIT_CACHE_DIR=$work/cache
n_failed=0
n_checks=0

fail() { echo "FAILED: $1"; sed 's/^/    /' "$work/out" "$work/err"; n_failed=$((n_failed + 1)); }

# run NAME EXIT_CODE ARGUMENT...: runs the program, output to $work/out and $work/err.
run() {
  local name=$1 expected=$2 code=0
  shift 2
  n_checks=$((n_checks + 1))
  "$program" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  [ "$code" = "$expected" ] || fail "$name: exit code $code, not $expected"
}

# says FILE REGEX: what the last run wrote.
says() {
  n_checks=$((n_checks + 1))
  grep -qE -- "$2" "$work/$1" || fail "$1 does not say: $2"
}

# json [EXPRESSION]: the last run's output is one line of JSON of which the expression is true.
json() {
  n_checks=$((n_checks + 1))
  [ "$(wc -l <"$work/out")" = 1 ] || fail "not one line"
  command -v python3 >/dev/null || return 0
  python3 -c 'import json,sys
r = json.load(open(sys.argv[1])); assert eval(sys.argv[2]), r' "$work/out" "${1:-True}" \
    2>"$work/err" || fail "JSON: ${1:-valid}"
}

# Fails where a check did.
close_checks() {
  echo "$n_checks checks, $n_failed failed"
  [ "$n_failed" = 0 ]
}
