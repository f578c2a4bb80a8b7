#!/usr/bin/env bash
# symbols.sh NM ARCHIVE: no object of the archive needs what prints, exits or reads the environment.
#
# Allowed, with reasons: __assert_fail, for our own bugs in builds without NDEBUG; std::terminate
# and __cxa_pure_virtual, which the compiler itself refers to; snprintf and files, which only touch
# what they are given. llama.cpp is not in the archive and has its own habits.
set -euo pipefail
export LC_ALL=C

forbidden='v?f?printf|__v?f?printf_chk|puts|fputs|putchar|putc|perror|psignal|stdout|stderr|stdin'
forbidden+='|abort|exit|_exit|_Exit|quick_exit|atexit|at_quick_exit|raise|kill|getenv|secure_getenv|setenv|putenv|system'
forbidden+='|std::(cout|cerr|clog|cin|wcout|wcerr|wclog)|std::ios_base::Init::.*'

# nm ends with an error if there is no such archive; what it lists ends in " U name".
undefined=$("$1" --demangle --undefined-only "$2")
[[ -n $undefined ]] || exit 2
if found=$(sed -n -E 's/^ +[Uw] //p; s/^([^ ]+\.o):$/in \1/p' <<<"$undefined" |
  grep -E "^in |^($forbidden)(@.*)?$" | grep -B 1 -vE '^in '); then
  printf '%s\n' "$found"
  exit 1
fi
