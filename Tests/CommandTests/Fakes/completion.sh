run "$@"
[ "$2" != zsh ] || echo 'if [ -n "$words" ]'
