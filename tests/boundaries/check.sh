#!/usr/bin/env bash
# One boundary of the source tree: a rule about files, kept or not.
#
#   check.sh ROOT RULE FILES EXCEPT [PATTERN]
#
# FILES and EXCEPT are regular expressions for paths below ROOT, RULE is one of the functions below.
# Prints what breaks the rule, exits 1 if anything does, and 2 if FILES names no file at all.
set -euo pipefail
export LC_ALL=C

root=$1 rule=$2 files=$3 except=$4 pattern=${5:-}

# What git tracks or could track; outside a checkout, what is not built or downloaded.
all_files() {
  if [[ -e .git ]] && command -v git >/dev/null; then
    git -c safe.directory='*' ls-files --cached --others --exclude-standard
  else
    find . \( -name build -o -name models -o -name .git \) -prune -o -type f -print | sed 's|^\./||'
  fi
}

selected_files() {
  local file
  all_files | grep -E "$files" | grep -vE "$except" | sort -u | while read -r file; do
    if [[ -f $file ]]; then echo "$file"; fi
  done
}

# No line has PATTERN.
forbid_text() { grep -nHE -e "$pattern" "$@"; }

# No line has PATTERN, // comments left out.
forbid_code() {
  local hit code
  forbid_text "$@" | while IFS= read -r hit; do
    code=${hit#*:*:}
    if [[ ${code%%//*} =~ $pattern ]]; then printf '%s\n' "$hit"; fi
  done
}

# What every #include names matches PATTERN.
only_includes() {
  grep -nHE '^[[:space:]]*#[[:space:]]*include' "$@" | grep -vE -e "include[[:space:]]*($pattern)"
}

only_ascii() { grep -nHP '[^\x00-\x7F]' "$@"; }

# At most PATTERN lines.
line_limit() { wc -l "$@" | awk -v limit="$pattern" '$2 != "total" && $1 > limit'; }

# The comment at the head names its test by its path: "Tested by tests/wire/content_test.cpp".
names_its_test() {
  local file line named
  for file in "$@"; do
    named=
    while IFS= read -r line && [[ $line == //* ]]; do
      if [[ $line =~ tests/[a-z0-9_/]+_test\.cpp ]]; then
        named=${BASH_REMATCH[0]}
        if [[ ! -f $named ]]; then echo "$file: $named does not exist"; fi
      fi
    done <"$file"
    if [[ -z $named ]]; then echo "$file: its first comment names no test"; fi
  done
}

# A CMake file of tests/ names it, or takes all of its folder.
is_built() {
  local file inside folder
  for file in "$@"; do
    inside=${file#tests/} folder=${inside%/*}
    grep -qF -e "$inside" -e "/$folder/*.cpp" <(sed 's/#.*//' tests/*.cmake) || echo "$file: built by no test"
  done
}

cd "$root"
mapfile -t selected < <(selected_files)
if ((${#selected[@]} == 0)); then
  echo "no file matches $files"
  exit 2
fi
broken=$("$rule" "${selected[@]}" || true)
if [[ -n $broken ]]; then
  printf '%s\n' "$broken"
  exit 1
fi
