#!/bin/sh
# Runs the session of a Markdown file in the current folder: session.sh FILE
# Prints each line that begins with "$ ", followed by its output.
trap 'rm -f session.lines' EXIT
sed -n '/^```console$/,/^```$/s/^\$ //p' "$1" >session.lines
while IFS= read -r line <&3; do
  printf '$ %s\n' "$line"
  eval "$line" </dev/null 2>&1 || exit
done 3<session.lines
