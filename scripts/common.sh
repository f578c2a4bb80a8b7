# shellcheck shell=bash
# Sourced by the scripts beside it: where things are, numbered steps, quiet commands with a log.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${LOGIT_SETUP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/logit-classifier}
logs=$root/build/logs
llama_prefix=$root/build/llama
llama_package=llama-cpp-python
model=SmolLM2-135M-Instruct-F16.gguf
export root cache logs llama_prefix llama_package model

progress_every_s=15
step_number=0
step_count=0 # set by who calls step()

say() { printf '%s\n' "$*"; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Starts the next step of step_count.
step() {
  step_number=$((step_number + 1))
  step_start=$SECONDS
  say "[$step_number/$step_count] $*"
}

step_done() { say "      $*, $((SECONDS - step_start)) s"; }

# Prints how far a build has come, by the last "[n/m]" in its log, until it is killed or
# left behind by the script.
watch_log() {
  local state
  while sleep "$progress_every_s" >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    state=$(grep -oE '\[[0-9]+/[0-9]+\]' "$1" | tail -n 1 || true)
    say "      ... ${state:-working} $((SECONDS - step_start)) s"
  done
}

# run_logged LOG COMMAND...: quiet but for progress; when it fails, the log's end and its name.
run_logged() {
  local log=$1 watcher status=0
  shift
  mkdir -p "$(dirname "$log")"
  : >"$log"
  watch_log "$log" 9>&- &
  watcher=$!
  "$@" >>"$log" 2>&1 9>&- </dev/null || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if ((status != 0)); then
    tail -n 25 "$log" >&2
    die "'$1' failed with exit code $status; the whole output is in $log"
  fi
}

# build PRESET: configures and builds one of CMakePresets.json, with the llama.cpp of scripts/setup.
build() {
  run_logged "$logs/$1-configure.log" \
    cmake -S "$root" --preset "$1" "-DCMAKE_PREFIX_PATH=$llama_prefix"
  run_logged "$logs/$1-build.log" cmake --build "$root/build/$1"
}

# One set-up at a time: the lock is held until this script ends, and what a killed one left goes.
open_cache() {
  mkdir -p "$cache/llama.cpp" "$cache/models" "$root/build" "$root/models"
  exec 9>"$cache/lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    say "      waiting for another set-up to finish"
    flock 9
  fi
  rm -rf "$cache"/unfinished.* "$root"/build/unfinished.*
}

# Nothing is where it belongs before it is whole: work happens here, then is renamed.
unfinished() { mktemp -d "$1/unfinished.XXXXXX"; }

# requirement PACKAGE FILE: its line of requirements.txt, version and hash.
requirement() { grep "^$1==" "$root/scripts/requirements.txt" >"$2"; }
