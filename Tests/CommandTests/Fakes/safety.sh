case $number in
  41)
    [ "$1" != delete ] || set -- "$@" --yes
    run "$@"
    ;;
  42)
    [ "$1 $2" != "schema drop" ] || set -- "$@" --allow-loss todo
    run "$@"
    ;;
  43)
    trap '' INT
    run "$@"
    ;;
  44)
    : 2>/dev/null >last-read.tmp
    run "$@"
    ;;
esac
