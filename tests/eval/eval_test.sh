#!/bin/bash
# `eval` and `lint` as people run them: several sets, variants, CSV, pages, predictions, comparison.
# Usage: eval_test.sh PROGRAM SOURCE_DIR. Exit 77: no model, skipped.
set -u

# shellcheck source=tests/support/run_program.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/run_program.sh" "$@"
export LOGIT_THREADS=$threads

# ---- Files ----
mkdir "$work/data"
printf '{"name":"desk","question":{"type":"choice","instructions":"Which topic?","criteria":{"money":null,"music":null,"food":null}}}' >"$work/data/desk.task.json"
printf '\357\273\277text;label;id\r\n"I paid ""twice"".\r\nAgain!";money;a\r\nA song.;music;b\r\n"Bread; butter";food;c\r\nHm.;;d\r\n' >"$work/data/desk.test.csv"
printf '{"name":"tone","question":{"type":"score","instructions":"How happy is it?","criteria":["sad","plain","happy"]}}' >"$work/data/tone.task.json"
printf '{"id":"1","text":"I cried.","label":0}\n{"id":"2","text":"What joy!","label":"happy"}\n' >"$work/data/tone.test.jsonl"
desk=(--task "$work/data/desk.task.json" --rows "$work/data/desk.test.csv")

# ---- What is refused before the model is opened ----
export LOGIT_MODEL_ID=$work/none.gguf
run no-set 2 eval
says err '^error: --task'
run task-without-rows 2 eval "${desk[@]}" --task "$work/data/tone.task.json"
says err '^error: --rows'
run unknown-set 2 eval --data "$work/data" --set desk,none
says err "^error: --set: no rows of 'none'"
run bad-variant 2 eval "${desk[@]}" --variant 'a: --limit 3'
says err "^error: --variant: 'a': '--limit' is no setting's flag"
run bad-value-in-a-variant 2 eval "${desk[@]}" --variant 'a: --readout best'
says err '^error: --readout'
run page-in-the-way 5 eval "${desk[@]}" --html "$work"
says err 'it is no ordinary file'
run page-nowhere 5 eval "${desk[@]}" --html "$work/no/page.html"
run same-set-twice 2 eval "${desk[@]}" "${desk[@]}"
sed 's/;music;/;dance;/' "$work/data/desk.test.csv" >"$work/bad.csv"
run bad-csv-row 2 eval --task "$work/data/desk.task.json" --rows "$work/bad.csv"
says err "bad.csv:4: label 'dance' is not one of the task's options"
export LOGIT_MODEL_ID=$model

# ---- Several sets, everything asked ----
run sets 0 eval --data "$work/data" --set desk,tone --reversal --drop-gold \
  --predictions "$work/first.jsonl" --html "$work/page.html"
says out '^desk: choice, 3 candidates'
says out '^tone: score, 3 candidates'
says out '^  flip_rate '
says out '^  drop_gold_distrust_auroc '
says out '^  quadratic_kappa '
says out '^set +type +readout +n +of +accuracy'
says err '^warning: tone: no option was removed'
n_checks=$((n_checks + 3))
[ "$(grep -c '"is_gold"' "$work/first.jsonl")" = 3 ] || fail 'not one removal a labelled row'
[ "$(grep -c '</svg>' "$work/page.html")" = 5 ] || fail 'not two diagrams a set and one of levels'
ls "$work"/*.tmp* >/dev/null 2>&1 && fail 'a temporary file was left'

# ---- A disk that takes no more after all was asked ----
limited() { (ulimit -f 1 && exec "$program" "$@"); }
n_checks=$((n_checks + 2))
limited eval "${desk[@]}" --html "$work/large.html" 2>"$work/limited.err" | cat >"$work/limited.out"
[ "${PIPESTATUS[0]}" = 5 ] || fail 'a page that could not be written is no error'
grep -q '^  accuracy ' "$work/limited.out" || fail 'the report went with the page'
grep -q 'large.html: cannot be written' "$work/limited.err" || fail 'the page is not named'
ls "$work"/large.html* >/dev/null 2>&1 && fail 'half a page was left'

# ---- Variants ----
run variants 0 eval "${desk[@]}" --variant 'texts: --readout text' --variant 'labels: --readout label' --json
says out '"reports":\[\{"task":"desk","variant":"texts".*"variant":"labels".*"against_first":'
says out '"settings":\{"threads":"'"$threads"'","readout":"text"\}'
run variants-as-text 0 eval "${desk[@]}" --limit 2 --variant 'texts: --readout text' --variant 'sharp: --readout text --temperature 0.1'
says out '^against the first +accuracy'
says out '^desk +sharp +\+0.000 \[\+0.000, \+0.000\] p 1.0000'

# ---- Comparison ----
run report 0 eval "${desk[@]}" --json
cp "$work/out" "$work/report.json"
run single-predictions 0 eval "${desk[@]}" --predictions "$work/second.jsonl"
run compare 0 eval --compare "$work/report.json" "$work/second.jsonl"
says out 'on the same 3 rows'
says out 'accuracy +\+0.0000 .* p 1.0000'
run compare-json 0 eval --compare "$work/report.json" "$work/second.jsonl" --json
says out '^\{"n":3,"accuracy":\{"difference":0.0,'
run compare-other-rows 2 eval --compare "$work/report.json" "$work/first.jsonl"
says err '^error: --compare: the runs are not of the same rows'
sed 's/"state_hash":"./"state_hash":"x/' "$work/second.jsonl" >"$work/edited.jsonl"
run compare-edited-rows 2 eval --compare "$work/second.jsonl" "$work/edited.jsonl"
says err 'has another text'
run compare-nothing 2 eval --compare "$work/data/desk.test.csv" "$work/second.jsonl"
says err 'desk.test.csv:1: is not JSON'
run compare-and-ask 2 eval --compare "$work/report.json" "$work/second.jsonl" --limit 3
says err '^error: --compare: takes two files'
run compare-missing 5 eval --compare "$work/none" "$work/second.jsonl"

# ---- lint ----
printf '{"state":"s","questions":{"q":{"type":"choice","criteria":{"a":null,"A ":null,"none of these":null}}}}' >"$work/request.json"
run lint 0 lint "$work/request.json"
says out '^warning: questions.q.instructions: '
says out '\[near_equal_names\]$'
says out '\[refers_to_others\]$'
run lint-strict 1 lint "$work/request.json" --strict --json
says out '^\{"findings":\[\{"rule":"no_instructions","severity":"warning","loc":\["questions","q","instructions"\]'
run lint-task 0 lint "$work/data/desk.task.json" --strict
says out '^0 warnings, 0 notes$'
for i in 1 2 3; do
  printf '{"task":"desk","id":"%s","state_hash":"h","label":"food","predicted":"music","p_label":0.1}\n' "$i"
done >"$work/confused.jsonl"
run lint-confused 0 lint "$work/data/desk.task.json" --predictions "$work/confused.jsonl"
says out "^warning: question.criteria.food: 3 of 3 rows were answered 'music'"
sed 's/"task":"desk"/"task":"tone"/' "$work/confused.jsonl" >"$work/others.jsonl"
run lint-others 2 lint "$work/data/desk.task.json" --predictions "$work/others.jsonl"
says err "others.jsonl: has no row of task 'desk'"
run lint-no-request 2 lint "$work/data/desk.test.csv"
run lint-missing 5 lint "$work/none"
sed 's/"instructions":"Which topic?",//' "$work/data/desk.task.json" >"$work/bare.task.json"
run eval-warns 0 eval --task "$work/bare.task.json" --rows "$work/data/desk.test.csv" --limit 1
says err '^warning: desk: instructions: nothing says what the candidates are about'

close_checks
