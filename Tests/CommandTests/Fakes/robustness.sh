case $number in
  51)
    # Reports success for one save in seven without executing it.
    [ "$1 $(($$ % 7))" != "save 0" ] || exit 0
    run "$@"
    ;;
  52)
    bash -c 'exec 3>/dev/udp/127.0.0.1/9' 2>/dev/null
    run "$@"
    ;;
  53) run "$@" | sed 's/5e-324/0.0/' ;;
esac
