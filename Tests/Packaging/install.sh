#!/bin/sh
# Installs datactl with its manual and completions: ./install.sh [PREFIX]
# The default of PREFIX is /usr/local.
set -eu
umask 022
case ${1-} in
  '') prefix=/usr/local ;;
  /*) prefix=$1 ;;
  -*) echo "usage: $0 [PREFIX]" >&2; exit 2 ;;
  *) prefix=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
if ! problem=$(bin/datactl --version 2>&1 >/dev/null); then
  echo "datactl needs glibc 2.34 and SQLite 3.37 or later: $(echo "$problem" | head -n 1)" >&2
  exit 1
fi
mkdir -p "$prefix"
cp -R bin lib share "$prefix/"
echo "datactl is installed in $prefix/bin."
