#!/bin/sh
# Imports the files of the folder inbox, for cron: import.sh
#
# A saved file moves to the folder done, an invalid one to failed, with its errors as JSON. If the
# store cannot be used, the file stays where it is, for the next run. Prints only what needs
# attention, because cron mails it.
#
# Exit status: 0 if every file was saved, 1 if some were invalid, 75 to try again later, and that of
# datactl on other errors.
export DATACTL_ERRORS=json
mkdir -p done failed
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
result=0
for file in inbox/*.ndjson; do
  [ -e "$file" ] || break
  name=${file##*/}
  datactl save reading --file "$file" --output none --wait 60 --quiet 2>"$errors"
  status=$?
  case $status in
    0) mv "$file" done/ ;;
    6) # Invalid data: nothing of the file was saved, and trying again would not help.
      jq -r 'select(.line) | "\(.file):\(.line): \(.field): \(.message)"' "$errors"
      cp "$errors" "failed/$name.errors"
      mv "$file" failed/
      result=1
      ;;
    5 | 7) # A conflict, or a store that cannot be reached, is locked, or has no room.
      jq -r '"\(.code): \(.message)"' "$errors"
      exit 75
      ;;
    *)
      cat "$errors"
      exit $status
      ;;
  esac
done
exit $result
