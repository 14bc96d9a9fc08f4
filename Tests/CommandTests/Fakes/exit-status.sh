case $number in
  27)
    run "$@"
    exit 0
    ;;
  28) run "$@" || exit 9 ;;
  29)
    case "$1 $2" in
      "schema diff" | "schema lint") exit 0 ;;
    esac
    run "$@"
    ;;
  30)
    { run "$@" 2>&1 >&3 | sed 's/^datactl: /ERROR: /' >&2; } 3>&1
    run "$@" >/dev/null 2>&1
    ;;
  31) vaguely "$@" ;;
  32)
    input=$(cat)
    printf '%s' "$input" | run "$@"
    status=$?
    [ "$status" = 0 ] || printf '%s\n' "$input" >&2
    exit "$status"
    ;;
esac
