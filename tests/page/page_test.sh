#!/bin/bash
# The page in headless Chromium, against the fake server and against the built program on the
# embedded default. Usage: page_test.sh PROGRAM SOURCE_DIR BUILD_DIR. Exit 77: no model, browser,
# node or playwright-core, skipped.
set -u

program=$1
source_dir=$2
build_dir=$3
model=${LOGIT_TEST_MODEL:-$source_dir/models/SmolLM2-135M-Instruct-F16.gguf}
browser=${CHROMIUM:-/usr/bin/chromium}
skip() { echo "skipped: $1"; exit 77; }
[ -f "$model" ] || skip "no model at $model"
[ -x "$browser" ] || skip "no browser at $browser"
{ command -v node && command -v npm; } >/dev/null || skip "no node and npm"
for variable in $(compgen -e LOGIT_); do unset "$variable"; done

tools=$build_dir/page
mkdir -p "$tools"
if [ ! -d "$tools/node_modules/playwright-core" ]; then
  (cd "$tools" && npm install --silent --no-audit --no-fund playwright-core@1) >"$tools/npm.log" 2>&1 ||
    skip "no playwright-core: $(tail -n 1 "$tools/npm.log")"
fi
export PLAYWRIGHT_CORE=$tools/node_modules/playwright-core CHROMIUM=$browser

# run WHERE: the facts of page_test.mjs; none may fail or be left out.
run() {
  node --test "$source_dir/tests/page/" >"$tools/out" 2>&1
  local code=$?
  grep -E '^# (tests|pass|fail|skipped)' "$tools/out" | tr '\n' ' '
  echo "($1)"
  [ "$code" = 0 ] || { cat "$tools/out"; exit 1; }
}

run "the fake server"

# shellcheck source=tests/serve/start_server.sh
source "$source_dir/tests/serve/start_server.sh"
trap 'stop_server 2>/dev/null' EXIT
export LOGIT_CACHE_DIR=$tools/cache
start_server "$tools/log" "$program" --model "$model" --threads 1 || { echo "no server"; exit 1; }
export PAGE_URL=$url
run "$program"
