#!/bin/bash
# The .tar.gz of a build folder, unpacked elsewhere, answers with nothing in its environment and
# with nothing of the build. Usage: package_test.sh BUILD_DIR WORK_DIR CPACK. Exit 77: no model.
set -eu

build_dir=$1 work=$2 cpack=$3
model=$(sed -n 's/^LOGIT_DEFAULT_MODEL:[A-Z]*=//p' "$build_dir/CMakeCache.txt")
[ -f "$model" ] || { echo "skipped: no model at $model"; exit 77; }

rm -rf "$work"
mkdir -p "$work/unpacked elsewhere"
(cd "$build_dir" && "$cpack" -G TGZ -B "$work/cpack") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
tar -xzf "$work"/cpack/*.tar.gz -C "$work/unpacked elsewhere" --strip-components 1
root=$(cd "$work/unpacked elsewhere" && pwd)
program=$root/bin/logit-classifier

# Every library comes from the folder, but for glibc's.
env -i ldd "$program" | sed -n 's/.* => \(.*\) (0x.*/\1/p' >"$work/libraries"
outside=$(grep -vF "$root/" "$work/libraries" | grep -vE '/lib(c|m|dl|rt|pthread)\.so' || true)
[ -z "$outside" ] || { echo "FAILED: not in the package: $outside"; exit 1; }
for licence in copyright LICENSE licences/libgomp1; do
  [ -s "$root/share/doc/logit-classifier/$licence" ] || { echo "FAILED: no $licence"; exit 1; }
done
found=$(grep -rlF "$build_dir" "$root/bin" "$root/lib" || true)
[ -z "$found" ] || { echo "FAILED: the build folder is named in $found"; exit 1; }

reply=$(cd / && env -i LOGIT_CACHE_DIR="$work/cache" LOGIT_THREADS=1 "$program" ask \
  --state "I was charged twice for one order." --choice "billing|shipping" \
  --instructions "Which desk?" --json)
echo "$reply"
rm -rf "$work"
case $reply in
  *'"choice":"billing"'*) ;;
  *) echo "FAILED: not billing"; exit 1 ;;
esac
