#!/bin/bash
# Runs the built program as people do: exit codes, streams, locales, settings, and real answers of
# the embedded default. Usage: program_test.sh PROGRAM SOURCE_DIR. Exit 77: no model, skipped.
set -u

# shellcheck source=tests/support/run_program.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/run_program.sh" "$@"

request='{"state":"The invoice was charged twice.","questions":{"desk":{"type":"choice","instructions":"Which desk?","criteria":{"billing":null,"technical":null}},"mood":{"type":"score","criteria":["calm","angry"]},"money":{"type":"noul","instructions":"Is it about money?"}}}'
printf '%s' "$request" >"$work/request.json"

# ---- Without a model ----
run version 0 version
says out '^logit-classifier [0-9]'
OMP_DISPLAY_ENV=verbose run short-spin 0 version
says err "GOMP_SPINCOUNT = '10000'"
GOMP_SPINCOUNT=7 OMP_DISPLAY_ENV=verbose run own-spin 0 version
says err "GOMP_SPINCOUNT = '7'"
run help 0 --help
says out 'Exit codes'
run help-of-a-command 0 ask --help
says out '--extension-prefix'
run no-command 2
run unknown-command 2 answer
says err "^error: answer: unknown command"
run unknown-flag 2 ask --unknown "$work/request.json"
says err '^error: --unknown: unknown flag'
for sampler in '--top-k 1' '--top-p 0.1' '--min-p 0.9' '--temp 0' '--repeat-penalty 1.5'; do
  # shellcheck disable=SC2086  # two words are meant
  run "sampler flag $sampler" 2 ask "$work/request.json" $sampler
  says err "^error: ${sampler%% *}: unknown flag"
done
for value in abc -1 0 inf nan 2,5; do
  run "temperature $value" 2 config --temperature "$value"
  says err "^error: --temperature: '$value' is not"
  LOGIT_TEMPERATURE=$value run "LOGIT_TEMPERATURE $value" 2 config
  says err "^error: LOGIT_TEMPERATURE: '$value' is not"
done
LOGIT_READOUT=best run unknown-value 2 config
says err '^error: LOGIT_READOUT: '
LOGIT_BATCH_BRANCHES=1 run later-variable 2 config
says err '^error: LOGIT_BATCH_BRANCHES: .*not supported by this version'
LOGIT_DEVICE=cpu run device-cpu 0 config
LOGIT_DEVICE=cuda run device-cuda 2 config
run flag-twice 2 config --threads 1 --threads 2
run config 0 config --threads 1 --extension-prefix=
says out '^threads +1 +flag'
says out '^extension-prefix +"" +flag'
says out '^cache-dir .* environment'
LOGIT_API_KEY=secret-1 run config-of-the-service 0 config --port 99
says out '^port +99 +flag'
says out '^api-key +\(hidden\) +environment'
LOGIT_PORT=99999 run bad-port 2 config
says err '^error: LOGIT_PORT: '
run config-json 0 config --json
json 'r["temperature"]["source"] == "default"'
LC_ALL=de_DE.UTF-8 run german-number 0 config --temperature 2.5 --json
json 'r["temperature"]["value"] == "2.5"'

# ---- Bad requests are refused before the model is opened ----
printf '{"state":' >"$work/bad.json"
run bad-json 2 ask "$work/bad.json" --model "$work/none.gguf"
printf '{"state":"s","questions":{"a":{"type":"choice","criteria":{}},"b":{"type":"essay"}}}' >"$work/faults.json"
run two-faults 2 ask "$work/faults.json" --json
says err '^error: questions\.a'
says err '^error: questions\.b'
json 'len(r["detail"]) >= 2'
run file-and-state 2 ask "$work/request.json" --state x
run no-question 2 ask --state x
run nothing 2 ask
run missing-request 5 ask "$work/none.json"
run folder-as-request 5 ask "$work"
run empty-request 2 ask -

# ---- Models that cannot be used ----
run missing-model 3 ask "$work/request.json" --model "$work/none.gguf"
says err "none.gguf.*was not found"
run missing-id 3 info --model no-such-id --models-dir "$work"
says err 'scripts/setup'
run folder-as-model 3 ask "$work/request.json" --model "$work"
printf '<!DOCTYPE html><html>Not found</html>' >"$work/page.gguf"
run page-as-model 3 ask "$work/request.json" --model "$work/page.gguf"
: >"$work/empty.gguf"
run empty-model 3 ask "$work/request.json" --model "$work/empty.gguf" --json
json '"error_type" in r["detail"]'

# ---- Answers ----
export LOGIT_MODEL_ID=$model LOGIT_THREADS=$threads
run first-answer 0 ask "$work/request.json"
json 'list(r["answers"]) == ["desk", "mood", "money"]'
json 'abs(sum(r["answers"]["desk"]["probabilities"].values()) - 1) < 1e-9'
cp "$work/out" "$work/first"
[ -n "$(ls "$work/cache/profiles")" ] || fail 'no profile was kept'
run second-answer 0 ask "$work/request.json"
cmp -s "$work/out" "$work/first" || fail 'the second answer differs from the first'
[ ! -s "$work/err" ] || fail 'the second call was not silent'
run diagnostics 0 ask "$work/request.json" --diagnostics --extension-prefix y_
json '"y_diagnostics" in r'
"$program" ask - <"$work/request.json" >"$work/out" 2>"$work/err" || fail 'standard input'
cmp -s "$work/out" "$work/first" || fail 'the answer to standard input differs'
LC_ALL=de_DE.UTF-8 run german-answer 0 ask "$work/request.json"
cmp -s "$work/out" "$work/first" || fail 'the answer differs by locale'
run flags 0 ask --state 'It crashed again.' --choice 'billing|bug: it is broken' \
  --instructions 'Which desk?' --noul 'Is it broken?' --score 'low|high'
json 'list(r["answers"]) == ["q1", "q2", "q3"]'
run drawn 0 ask "$work/request.json" --draw
says out 'billing +.*0\.[0-9]{4}'
says out 'calm'
run drawn-json 2 ask "$work/request.json" --draw --json
says err '^error: --draw: '
printf 'It crashed again.\n' >"$work/state.txt"
run state-file 0 ask --state-file "$work/state.txt" --noul 'Is it broken?'
json 'r["answers"]["q1"]["type"] == "noul"'
run too-long 2 ask "$work/request.json" --max-tokens 5
folder="$work/$(printf '\320\234\320\276\320\264\320\265\320\273\320\270 \303\251')"
mkdir "$folder" && ln -s "$model" "$folder/$(printf '\320\274') 1.gguf"
run many-threads 2 info --threads 4096
says err '^warning: 4096 threads on [0-9]+ usable cores'
LC_ALL=C run non-ascii-path 0 ask "$work/request.json" --model "$folder/$(printf '\320\274') 1.gguf"
json

# ---- Profiles that cannot be used, streams that are closed ----
for profile in "$work"/cache/profiles/*; do printf '{' >"$profile"; done
run damaged-profile 0 ask "$work/request.json"
cmp -s "$work/out" "$work/first" || fail 'a damaged profile changed the answer'
says err '^warning: the model is probed again'
run cache-in-the-way 0 ask "$work/request.json" --cache-dir "$work/request.json"
says err '^warning: '
"$program" info --json 2>/dev/null | head -c 1 >/dev/null
[ "${PIPESTATUS[0]}" = 0 ] || fail 'a reader that goes away'
"$program" ask "$work/request.json" 2>&- >"$work/out" || fail 'closed standard error'
json
code=0
"$program" ask "$work/request.json" >/dev/full 2>"$work/err" || code=$?
[ "$code" = 5 ] || fail "a full disk: exit code $code"
code=0
"$program" version >&- 2>"$work/err" || code=$?
[ "$code" = 5 ] || fail "closed standard output: exit code $code"

# ---- info, selftest, eval, optimise ----
run selftest-json 0 selftest "$model" --json
json 'r["passed"] and len(r["checks"]) >= 9'
run selftest-no-model 3 selftest "$work/page.gguf"
run info 0 info
says out '^fingerprint'
says out 'noul, guessing'
says out '^memory +[0-9]+ MiB at most'
says out '^architecture +llama: dense'
run info-json 0 info --json
json 'r["memory"]["total_bytes"] > r["file_bytes"] and r["memory"]["available_bytes"] > 0'
json 'len(r["probe"]) == 3 and r["labels"] > 25'
printf '{"name":"desk","question":{"type":"choice","instructions":"Which topic?","criteria":{"money":null,"music":null}}}' >"$work/task.json"
printf '\357\273\277{"id":"1","text":"I paid twice.","label":"money"}\n{"id":"2","text":"A song.","label":"music"}\n{"id":"3","text":"Hm.","label":null}\n' >"$work/rows.jsonl"
run eval-json 0 eval --task "$work/task.json" --rows "$work/rows.jsonl" --json
json 'r["n"] == 2 and r["n_out_of_scope"] == 1 and r["tokens_evaluated"] > 0'
run eval-text 0 eval --task "$work/task.json" --rows "$work/rows.jsonl" --limit 1
says out '^  accuracy'
printf '[1]\n' >>"$work/rows.jsonl"
run eval-bad-row 2 eval --task "$work/task.json" --rows "$work/rows.jsonl"
says err 'rows.jsonl:4: a row must be an object'
run eval-without-task 2 eval --rows "$work/rows.jsonl"
says err '^error: --task'
run optimise-bad-type 2 optimise "$model" "$work/out.gguf" --type f17
run optimise-onto-itself 2 optimise "$folder/$(printf '\320\274') 1.gguf" "$model"
run optimise-not-a-model 3 optimise "$work/page.gguf" "$work/out.gguf"
[ ! -e "$work/out.gguf" ] || fail 'a failed optimise left a file'

# ---- Ctrl-C ----
for i in $(seq 2000); do
  printf '{"id":"%s","text":"I paid %s times.","label":"money"}\n' "$i" "$i"
done >"$work/many.jsonl"
# A background job of a script has SIGINT ignored, a person's job has not.
env --default-signal=INT "$program" eval --task "$work/task.json" --rows "$work/many.jsonl" >"$work/out" 2>"$work/err" &
sleep 3
kill -INT $!
code=0
wait $! || code=$?
[ "$code" = 130 ] || fail "interrupted: exit code $code"

close_checks
