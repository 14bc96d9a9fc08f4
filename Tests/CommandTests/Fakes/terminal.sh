case $number in
  11)
    [ ! -t 2 ] || set -- "$@" -o table
    run "$@"
    ;;
  12)
    printf '\033[1m'
    run "$@"
    ;;
  13)
    COLUMNS=500
    export COLUMNS
    run "$@"
    ;;
  14)
    echo "50% done" >&2
    run "$@"
    ;;
  15) run "$@" | sed 's/日//' ;;
esac
