#!/bin/sh
# Installs datactl with its manual and completions: ./install.sh [PREFIX]
# The default of PREFIX is /usr/local.
set -eu
prefix=${1:-/usr/local}
cd "$(dirname "$0")"
if ! problem=$(bin/datactl --version 2>&1 >/dev/null); then
  echo "datactl needs glibc 2.34 and SQLite 3.37 or later: $(echo "$problem" | head -n 1)" >&2
  exit 1
fi
mkdir -p "$prefix"
cp -R bin lib share "$prefix/"
echo "datactl is installed in $prefix/bin."
