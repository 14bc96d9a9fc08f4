/// Returns the completion script for zsh, for a folder of functions or for `source`.
func zshScript(program: String, function: String) -> String {
  #"""
  #compdef \#(program)
  # Completes the lines of \#(program) in zsh. Written by: \#(program) completion zsh

  \#(function)() {
    local -a given whole parts columns
    local line
    given=("${(@Q)words[2,-1]}")
    given[CURRENT-1]=${(Q)${:-$IPREFIX$PREFIX}}

    local files= folders= prefix=
    local text=$(
      \#(program) completion candidates $((CURRENT - 2)) -- "${given[@]}" 2>/dev/null </dev/null
    )
    for line in "${(@f)text}"; do
      columns=("${(@ps:\t:)line}")
      case $columns[1] in
        word) whole+=("${columns[2]//:/\\:}:$columns[3]") ;;
        part) parts+=("${columns[2]//:/\\:}:$columns[3]") ;;
        files) files=1 prefix=$columns[2] ;;
        folders) folders=1 prefix=$columns[2] ;;
      esac
    done

    local found=1
    if (($#whole)); then
      _describe -t words \#(program) whole && found=0
    fi
    if (($#parts)); then
      _describe -t parts \#(program) parts -S '' && found=0
    fi
    if [[ -n $files$folders ]]; then
      if [[ -n $prefix ]]; then
        compset -p ${#prefix}
      fi
      if [[ -n $folders ]]; then
        _files -/ && found=0
      else
        _files && found=0
      fi
    fi
    return found
  }

  if [[ $funcstack[1] == \#(function) ]]; then
    \#(function) "$@"
  else
    compdef \#(function) \#(program)
  fi

  """#
}
