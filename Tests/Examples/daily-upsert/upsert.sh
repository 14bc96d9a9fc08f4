#!/bin/sh
# Saves an export of products, CSV or JSON: upsert.sh EXPORT
#
# New products are created; existing ones get the given fields changed. Running it twice changes
# nothing. The store is that of DATACTL_STORE. Invalid records are kept aside in EXPORT.rejects.
#
# Exit status: 0 if all records are saved, 6 if some were invalid, and that of datactl on other errors.
export=${1:?missing export}

datactl save product --file "$export" --skip-invalid --rejects "$export.rejects" --output none
status=$?
if [ $status = 6 ] && [ -s "$export.rejects" ]; then
  jq -r '.problems[] | "\(.file):\(.line): \(.field): \(.message)"' "$export.rejects"
elif [ $status = 0 ]; then
  rm -f "$export.rejects"
fi
exit $status
