case $number in
  16)
    for word; do
      case $word in
        --*=*) echo "datactl: unknown option $word" >&2 && exit 2 ;;
      esac
    done
    run "$@"
    ;;
  17)
    [ "$1" != lis ] || { shift && set -- list "$@"; }
    run "$@"
    ;;
  18 | 21) vaguely "$@" ;;
  19) run "$@" >&2 ;;
  20) run "$@" | sed 's/^datactl/version/' ;;
esac
