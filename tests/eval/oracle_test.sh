#!/bin/bash
# The program's measures against scikit-learn, from real predictions of all three types.
# Usage: oracle_test.sh PROGRAM SOURCE_DIR BUILD_DIR. Exit 77: no model or no scikit-learn, skipped.
set -u

program=$1
source_dir=$2
build_dir=$3
model=${LOGIT_TEST_MODEL:-$source_dir/models/SmolLM2-135M-Instruct-F16.gguf}
skip() { echo "skipped: $1"; exit 77; }
[ -f "$model" ] || skip "no model at $model"
command -v python3 >/dev/null || skip "no python3"
for variable in $(compgen -e LOGIT_); do unset "$variable"; done
python=python3
if ! "$python" -c 'import sklearn' 2>/dev/null; then
  venv=$build_dir/oracle
  python=$venv/bin/python
  if ! "$python" -c 'import sklearn' 2>/dev/null; then
    mkdir -p "$build_dir"
    { python3 -m venv "$venv" && "$python" -m pip install --quiet scikit-learn; } \
      >"$build_dir/oracle.log" 2>&1 || skip "no scikit-learn: $(tail -n 1 "$build_dir/oracle.log")"
  fi
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOGIT_CACHE_DIR=$work/cache LOGIT_MODEL_ID=$model LOGIT_THREADS=1

printf '{"name":"tone","question":{"type":"score","instructions":"How happy is the writer?","criteria":["very sad","sad","neutral","happy","very happy"]}}' >"$work/tone.task.json"
cat >"$work/tone.csv" <<'ROWS'
text,label
"My dog died and I cannot stop crying.",0
"I lost my keys again.",1
"The bus leaves at nine.",2
"Nice weather, a good day for a walk.",3
"We won! The best day of my life!",4
"Everything is hopeless.",0
"It rained on our picnic.",1
"The report has twelve pages.",2
"Thank you, that was kind.",3
"I am over the moon, she said yes!",4
"I failed the exam a third time.",0
"The meeting is on Tuesday.",2
ROWS
printf '{"name":"rain","question":{"type":"noul","instructions":"Is it about the weather?"}}' >"$work/rain.task.json"
cat >"$work/rain.csv" <<'ROWS'
text,label
"It will snow tonight.",yes
"The printer is out of paper.",no
"A storm is coming from the west.",yes
"She plays the violin.",no
"Sunny with a light wind.",yes
"The shop opens at ten.",no
"Fog on the motorway until noon.",yes
"My invoice is wrong.",no
"Hail broke two windows.",yes
"He reads the paper in bed.",no
ROWS
"$program" eval --task "$source_dir/eval/data/banking10.task.json" \
  --rows "$source_dir/eval/data/banking10.test.jsonl" --task "$work/tone.task.json" \
  --rows "$work/tone.csv" --task "$work/rain.task.json" --rows "$work/rain.csv" --limit 40 \
  --predictions "$work/predictions.jsonl" --json >"$work/report.json" || exit 1
"$python" "$source_dir/tests/eval/oracle.py" "$work/report.json" "$work/predictions.jsonl"
