case $number in
  22)
    [ $# -gt 1 ] || { run help >&2 && exit 2; }
    run "$@"
    ;;
  23) run "$@" | sed '/[Uu][Ss][Aa][Gg][Ee]/s/$/ which is said here at such a length that no line of eighty columns has room for it/' ;;
  24)
    [ "$*" != "help formats" ] || { echo "datactl: unknown topic formats" >&2 && exit 2; }
    run "$@"
    ;;
  25) run "$@" | sed 's/"--limit"/"--at-most"/' ;;
  26) run "$@" | sed 's/"save"/"keep"/' ;;
esac
