case $number in
  45)
    unset DATACTL_STORE
    run "$@"
    ;;
  46)
    [ -n "$HOME" ] || { echo "datactl: HOME is not set" >&2 && exit 1; }
    run "$@"
    ;;
  47)
    rm -f datactl.json
    run "$@"
    ;;
  48)
    [ "$1" != save ] || { tee trace.tmp | run "$@"; exit; }
    run "$@"
    ;;
  49)
    run "$@"
    status=$?
    [ "$1" != login ] || chmod -f 644 "$XDG_CONFIG_HOME/datactl/credentials.json"
    exit "$status"
    ;;
esac
