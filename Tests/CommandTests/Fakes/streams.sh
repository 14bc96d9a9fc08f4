case $number in
  1) run "$@" 2>&1 ;;
  2)
    run "$@"
    status=$?
    echo "done"
    exit "$status"
    ;;
  3)
    text=$("$program" "$@")
    status=$?
    printf '%s\n' "${text:-null}"
    exit "$status"
    ;;
  4)
    run "$@"
    status=$?
    [ "$status" != 141 ] || { echo "datactl: broken pipe" >&2; exit 1; }
    exit "$status"
    ;;
  5) run "$@" 2>/dev/null || exit 0 ;;
  6) printf '%s' "$("$program" "$@")" ;;
  7)
    text=$("$program" "$@")
    printf '%s\n' "$text"
    ;;
  8)
    for word; do
      shift
      [ "$word" != - ] || word=./-
      set -- "$@" "$word"
    done
    run "$@"
    ;;
  9)
    [ -t 0 ] || cat >/dev/null
    run "$@"
    ;;
  10)
    printf '\033[1m'
    run "$@"
    ;;
esac
