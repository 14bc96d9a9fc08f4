#!/bin/sh
# Runs the sessions of a Markdown file in a new folder: session.sh FILE
#
# stdout gets each line that begins with "$ ", followed by its output, as a terminal would show it.
# stderr gets what the script is doing: the heading of each session, and where the program is.
program=$(command -v datactl) || {
  echo "session.sh: datactl is not in PATH" >&2
  exit 1
}
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
sed -n -e 's/^## /## /p' -e '/^```console$/,/^```$/s/^\$ //p' "$1" |
  awk '/^## / { heading = $0; next } heading { print heading; heading = "" } { print }' >"$commands"

echo "Running the commands of ${1##*/} on a store in a temporary folder. It takes about a second." >&2
while IFS= read -r line <&3; do
  case $line in
    '## '*) printf '\n%s\n\n' "$line" >&2 ;;
    *)
      printf '$ %s\n' "$line"
      eval "$line" </dev/null 2>&1 || exit
      ;;
  esac
done 3<"$commands"
echo "
The program is $program.
Run \`make install\` to install it, or add its folder to PATH. \`datactl help\` lists its commands." >&2
