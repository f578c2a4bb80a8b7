#!/bin/bash
# Runs the built program as a service and lets others judge it: jevcompat without and with a key,
# both official clients, and the cases that need real weights. Usage: conformance.sh PROGRAM SOURCE_DIR BUILD_DIR [REPORT_DIR].
# With REPORT_DIR the reports are written there. Exit 77: no model or no judge here, skipped.
set -u

program=$1
source_dir=$2
build_dir=$3
report_dir=${4:-}
model=${LOGIT_TEST_MODEL:-$source_dir/models/SmolLM2-135M-Instruct-F16.gguf}
[ -f "$model" ] || { echo "skipped: no model at $model"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
threads=${LOGIT_TEST_THREADS:-1}
for variable in $(compgen -e LOGIT_); do unset "$variable"; done

# shellcheck source=tests/serve/start_server.sh
source "$source_dir/tests/serve/start_server.sh"
tools=$build_dir/conformance
work=$(mktemp -d)
trap 'stop_server 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$tools"

n_failed=0
fail() { echo "FAILED: $1"; n_failed=$((n_failed + 1)); }

# ---- The judges, downloaded once ----
if [ ! -d "$tools/python/jevcompat" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
    --target "$work/python" jevcompat==0.1.1 'typesafe-sdk[zstd]==0.7.5' >"$work/pip" 2>&1 ||
    { echo "skipped: no jevcompat: $(tail -n 1 "$work/pip")"; exit 77; }
  mv "$work/python" "$tools/python"
fi
export PYTHONPATH=$tools/python
has_node=no
if command -v node >/dev/null && command -v npm >/dev/null; then
  mkdir -p "$tools/node"
  [ -d "$tools/node/node_modules/@typesafe-ai/sdk" ] ||
    (cd "$tools/node" && npm install --silent --no-audit --no-fund @typesafe-ai/sdk@0.6.0) \
      >"$work/npm" 2>&1
  [ -d "$tools/node/node_modules/@typesafe-ai/sdk" ] && has_node=yes
fi

export LOGIT_CACHE_DIR=$tools/cache
start() {
  start_server "$work/log" "$program" --model "$model" --threads "$threads" "$@" ||
    { echo "FAILED: no server"; exit 1; }
}

# judge NAME MUST SHOULD FLAG...: one pass of jevcompat.
judge() {
  local name=$1 must=$2 should=$3 line
  shift 3
  python3 "$tools/python/bin/jevcompat" test "$url" "$@" --json "$work/$name.json" \
    >"$work/$name.txt" 2>&1
  line=$(grep -E 'MUST [0-9]+/[0-9]+' "$work/$name.txt" | tail -n 1)
  echo "$name: $line"
  case $line in
    "conformant to spec 0.1: MUST $must, SHOULD $should") ;;
    *) fail "$name" && cat "$work/$name.txt" ;;
  esac
  printf '| %s | %s |\n' "$name" "$line" >>"$work/summary"
}

start
judge jevcompat-open 32/32 12/12
stop_server || fail "the open server did not stop cleanly"

key=conformance-key
start --api-key "$key"
judge jevcompat-key 32/32 14/14 --key "$key"
stop_server || fail "the server with a key did not stop cleanly"

start --api-key "$key" --strict-model
python3 "$source_dir/tests/serve/clients.py" "$url" "$key" >"$work/python.txt" 2>&1 ||
  fail "the Python client"
cat "$work/python.txt"
python3 "$source_dir/tests/serve/real_weights.py" "$url" "$key" >"$work/real_weights.txt" 2>&1 ||
  fail "answers do not follow state and question"
cat "$work/real_weights.txt"
if [ $has_node = yes ]; then
  node "$source_dir/tests/serve/clients.mjs" "$tools/node" "$url" "$key" >"$work/node.txt" 2>&1 ||
    fail "the JavaScript client"
else
  echo "javascript client: skipped, no node or npm" >"$work/node.txt"
fi
cat "$work/node.txt"
stop_server || fail "the strict server did not stop cleanly"

if [ -n "$report_dir" ] && [ $n_failed = 0 ]; then
  mkdir -p "$report_dir"
  cp "$work"/jevcompat-*.json "$report_dir"
  {
    echo "# Conformance"
    echo
    echo "Made by \`scripts/conformance\` with $(basename "$model")."
    echo
    echo "| judge | verdict |"
    echo "|---|---|"
    cat "$work/summary"
    sed -n 's/^\([a-z]* client\|real weights\): \(.*\)/| \1 | \2 |/p' \
      "$work/python.txt" "$work/node.txt" "$work/real_weights.txt"
    echo
    echo "The whole reports: [without a key](jevcompat-open.json), [with a key](jevcompat-key.json)."
    echo "Faults that others had, and the tests that keep them away: [cases](cases.md)."
  } >"$report_dir/README.md"
fi
exit $((n_failed > 0))
