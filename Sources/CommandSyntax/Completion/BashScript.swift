/// Returns the completion script for bash 3.2 and later.
func bashScript(program: String, function: String) -> String {
  #"""
  # Completes the lines of \#(program) in bash. Written by: \#(program) completion bash

  \#(function)() {
    local rest=$COMP_LINE position=0 index=0 current= word gap i
    local -a words
    words=()

    # Bash splits words at some signs too; what stands together on the line is joined again.
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
      word=${COMP_WORDS[i]}
      gap=${rest%%[![:space:]]*}
      rest=${rest:${#gap}}
      position=$((position + ${#gap}))
      if [[ ${#words[@]} -eq 0 || -n $gap ]]; then
        words+=("$word")
      else
        words[${#words[@]} - 1]+=$word
      fi
      if [[ $i -eq $COMP_CWORD ]]; then
        index=$((${#words[@]} - 1))
        current=${words[index]}
        local behind=$((position + ${#word} - COMP_POINT))
        if [[ $behind -gt 0 && $behind -le ${#word} ]]; then
          current=${current:0:${#current} - behind}
        fi
      fi
      rest=${rest:${#word}}
      position=$((position + ${#word}))
    done
    words[index]=$current
    words=("${words[@]//[\"\'\\]/}")

    # Bash replaces only what stands behind the last of these signs.
    local kept= tail=$current sign
    for sign in = : @; do
      if [[ $COMP_WORDBREAKS == *"$sign"* ]]; then
        tail=${tail##*"$sign"}
      fi
    done
    kept=${current%"$tail"}

    local kind value meaning path
    COMPREPLY=()
    while IFS=$'\t' read -r kind value meaning; do
      case $kind in
        word | part)
          value=${value#"$kept"}
          if [[ $value == *[[:space:]\"\'\\\$\&\;\|\<\>\(\)\*\?\`]* ]]; then
            printf -v value %q "$value"
          fi
          COMPREPLY+=("$value")
          if [[ $kind == part ]]; then
            compopt -o nospace 2>/dev/null
          fi
          ;;
        files | folders)
          compopt -o filenames 2>/dev/null
          local action=-f
          if [[ $kind == folders ]]; then
            action=-d
          fi
          while IFS= read -r path; do
            path=$value$path
            COMPREPLY+=("${path#"$kept"}")
          done < <(compgen "$action" -- "${current#"$value"}")
          ;;
      esac
    done < <(
      \#(program) completion candidates "$((index - 1))" -- "${words[@]:1}" 2>/dev/null </dev/null
    )
  }

  complete -F \#(function) \#(program)

  """#
}
