# shellcheck shell=bash
# Sourced by tests that run the built program as a service.

# start_server LOG PROGRAM FLAG...: on a free port; $server is its process, $url its address. Fails
# when the program ends first or is not ready within five minutes, with the log on standard output.
# The model's profile is kept in $LOGIT_CACHE_DIR.
start_server() {
  local log=$1 program=$2 waited=0
  shift 2
  "$program" serve --port 0 "$@" 2>"$log" </dev/null &
  server=$!
  url=
  while [ -z "$url" ]; do
    if ! kill -0 "$server" 2>/dev/null || [ $((waited += 1)) -gt 1500 ]; then
      cat "$log"
      stop_server
      return 1
    fi
    sleep 0.2
    url=$(sed -n 's/^listening on //p' "$log")
  done
}

# Fails when the server does not end cleanly. Nothing to do when none runs.
stop_server() {
  local process=${server:-}
  server=
  [ -z "$process" ] || { kill "$process" 2>/dev/null; wait "$process"; }
}
