#!/bin/sh
# Runs a program and violates one contract: broken.sh NUMBER PROGRAM [ARGUMENT…]
# Everything that the contract does not concern is passed through unchanged.

number=$1
program=$2
shift 2

run() { "$program" "$@"; }

# Keeps the exit status but replaces the error message.
vaguely() {
  "$program" "$@" 2>/dev/null
  status=$?
  [ "$status" = 0 ] || echo "datactl: that went wrong" >&2
  exit "$status"
}

# has WORD ARGUMENT…: succeeds if the word is one of the arguments.
has() {
  wanted=$1
  shift
  for word; do
    [ "$word" = "$wanted" ] && return 0
  done
  return 1
}

folder=$(dirname "$0")
case $number in
  [1-9] | 10) . "$folder/streams.sh" ;;
  1[1-5]) . "$folder/terminal.sh" ;;
  1[6-9] | 2[01]) . "$folder/arguments.sh" ;;
  2[2-6]) . "$folder/documents.sh" ;;
  2[7-9] | 3[0-2]) . "$folder/exit-status.sh" ;;
  3[3-7]) . "$folder/data-in.sh" ;;
  3[89] | 40) . "$folder/data-out.sh" ;;
  4[1-4]) . "$folder/safety.sh" ;;
  4[5-9]) . "$folder/configuration.sh" ;;
  50) . "$folder/completion.sh" ;;
  5[1-3]) . "$folder/robustness.sh" ;;
esac
