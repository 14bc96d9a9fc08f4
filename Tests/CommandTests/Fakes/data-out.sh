case $number in
  38)
    [ "$DATACTL_STORE" != two.db ] || { run "$@" | sed 's/:/: /'; exit; }
    run "$@"
    ;;
  39)
    [ -z "$TZ" ] || { run "$@" | sed 's/03:05/12:05/'; exit; }
    run "$@"
    ;;
  40) run "$@" | sed 's/""two""/\\"two\\"/' ;;
esac
