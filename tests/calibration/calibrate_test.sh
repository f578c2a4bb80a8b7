#!/bin/bash
# `calibrate` as people run it, with the embedded default. Usage: calibrate_test.sh PROGRAM
# SOURCE_DIR. Exit 77: no model, skipped.
set -u

# shellcheck source=tests/support/run_program.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/run_program.sh" "$@"
export LOGIT_THREADS=$threads

cat >"$work/t.task.json" <<'TASK'
{"name":"desk","question":{"type":"choice","instructions":"Which desk?",
 "criteria":{"billing":null,"technical support":null,"delivery":null}}}
TASK
i=0
for what in 'invoice:billing' 'refund:billing' 'password:technical support' 'app:technical support' \
  'parcel:delivery' 'courier:delivery'; do
  for text in 'My %s is wrong' 'Question about the %s' 'Where is the %s?' 'No %s yet' \
    'The %s again' 'Please check my %s'; do
    # shellcheck disable=SC2059
    printf "{\"id\":\"%s\",\"text\":\"$text\",\"label\":\"%s\"}\n" $((i++)) "${what%%:*}" \
      "${what#*:}"
  done
done >"$work/rows.jsonl"
head -5 "$work/rows.jsonl" >"$work/few.jsonl"

# ---- What is refused before the model is opened ----
run no-output 2 calibrate --task "$work/t.task.json" --rows "$work/rows.jsonl"
says err '--output: give the file to write'
run no-task 2 calibrate --output "$work/c.json"
says err '--task'
run unpaired 2 calibrate --task "$work/t.task.json" --rows a --rows b --output "$work/c.json"
says err '--rows: give as many as --task'
run bad-risk 2 calibrate --risk 5 --task "$work/t.task.json" --rows "$work/rows.jsonl" --output x
says err "--risk: '5' is not a number above 0 and below 1"
run rows-overwritten 2 calibrate --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/rows.jsonl"
says err '--output: .* is the file of --rows, too'
run calibrated-already 2 calibrate --calibration x --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/c.json"
says err '--calibration: a fit begins with what the model does by itself'
run risk-of-kinds 2 calibrate --only-kinds --risk 0.1 --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/c.json"
says err '--risk: it belongs to one question'
run page-over-merge 2 calibrate --merge a b --html b --output "$work/c.json"
says err '--html: b is the file of --merge, too'
run nowhere-to-write 5 calibrate --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/none/c.json"
says err 'none/c.json: cannot be written'
run no-such-file 5 calibrate --show "$work/none.json"
says err 'there is no such file'

# ---- A fit, a refit, a look, a merge ----
run fit 0 calibrate "$model" --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/c.json" \
  --coverage 0.8 --risk 0.2
says out 'desk: choice of 3, (text|label|channel|text\+channel|label\+text) readout, (plain|chat) frame'
says out 'rows +36 labelled'
says out 'log loss +[0-9.]+ +[0-9.]+ +standard error'
says out 'bias not fitted: 36 labelled rows, at least 100 are needed'
cp "$work/c.json" "$work/first.json"
[ "$(grep -c '"key"' "$work"/cache/scores/*.jsonl)" = 36 ] || fail 'the scores were not kept'
run refit 0 calibrate "$model" --task "$work/t.task.json" --rows "$work/rows.jsonl" --output "$work/c.json" \
  --coverage 0.8 --risk 0.2
strip() { sed 's/"checksum":"[^"]*"//; s/"created":"[^"]*"//' "$1"; }
[ "$(strip "$work/c.json")" = "$(strip "$work/first.json")" ] || fail 'a refit differs'
sed -E 's/\{"id":"([^"]*)","text":"([^"]*)","label":"([^"]*)"\}/\1,"\2",\3/; 1i id,text,label' \
  "$work/rows.jsonl" >"$work/rows.csv"
run table 0 calibrate "$model" --task "$work/t.task.json" --rows "$work/rows.csv" --output "$work/t.json" \
  --coverage 0.8 --risk 0.2
[ "$(strip "$work/t.json")" = "$(strip "$work/first.json")" ] || fail 'a table of the same rows fits otherwise'
run both 0 calibrate "$model" --task "$work/t.task.json" --rows "$work/rows.jsonl" --unlabelled "$work/rows.csv" \
  --output "$work/both.json" --kinds
says err '36 rows are among the labelled ones too, and count once'
run show 0 calibrate --show "$work/c.json"
says out 'Which desk\?: choice of 3'
run show-json 0 calibrate --show "$work/c.json" --json
cmp -s "$work/out" "$work/c.json" || fail '--show --json is not the file'
run merge 0 calibrate --merge "$work/c.json" "$work/first.json" --output "$work/m.json"
says out 'Which desk\?: choice of 3'
run show-merged 0 calibrate --show "$work/m.json"
sed 's/"temperature":[0-9.]*/"temperature":7.0/' "$work/c.json" >"$work/edited.json"
run edited 5 calibrate --show "$work/edited.json"
says err 'edited by hand'
run unlabelled 0 calibrate "$model" --task "$work/t.task.json" --unlabelled "$work/rows.jsonl" \
  --output "$work/u.json"
says out 'only a prior was fitted: 0 labelled rows'
run too-few 2 calibrate "$work/none.gguf" --task "$work/t.task.json" --rows "$work/few.jsonl" --output "$work/f.json"
says err '5 labelled rows, at least 30 are needed'
[ ! -e "$work/f.json" ] || fail 'a file was written for too few rows'

# ---- A running prior: learned, kept, taken up again, and of one model and prompt only ----
for times in 1 2; do
  run "running-$times" 0 eval --model "$model" --task "$work/t.task.json" --rows "$work/rows.jsonl" \
    --prior running --prior-file "$work/prior.json" --predictions "$work/p$times.jsonl" --json
  [ "$(grep -oE '"count":[0-9]+' "$work/prior.json")" = "\"count\":$((36 * times))" ] ||
    fail "the prior of run $times: $(cat "$work/prior.json")"
done
run no-prior 0 eval --model "$model" --task "$work/t.task.json" --rows "$work/rows.jsonl" \
  --predictions "$work/p0.jsonl" --json
answer() { sed -n "${2}s/.*\"probabilities\":\(\[[^]]*\]\).*/\1/p" "$work/p$1.jsonl"; }
[ "$(answer 0 1)" = "$(answer 1 1)" ] || fail 'a prior of no traffic moved an answer'
[ "$(answer 0 36)" != "$(answer 1 36)" ] || fail 'a prior of 35 answers moved nothing'
[ "$(answer 0 1)" != "$(answer 2 1)" ] || fail 'the prior was not taken up again'
run unkept-prior 0 ask --model "$model" --state 'My parcel' --choice 'delivery|billing' \
  --prior running --prior-file "$work/none/prior.json"
says err 'is not kept: .*/none/prior\.json cannot be written: No such file'
[ "$(grep -c warning: "$work/err")" = 1 ] || fail "warnings of a prior that is not kept"
run unread-prior 2 ask --model "$model" --state x --choice 'a|b' --prior-file "$work/prior.json"
says err '^error: --prior-file: only --prior running reads it'
printf '{"version":1,' >"$work/prior.json"
run torn-prior 0 eval --model "$model" --task "$work/t.task.json" --rows "$work/few.jsonl" \
  --prior running --prior-file "$work/prior.json" --json
says err 'prior\.json.*corrupt-'
run running-and-fitted 2 eval --model "$model" --task "$work/t.task.json" --rows "$work/few.jsonl" \
  --prior running --calibration "$work/c.json"
says err 'exclude each other'

close_checks
