/// Returns the completion script for fish 3.0 and later.
func fishScript(program: String, function: String) -> String {
  #"""
  # Completes the lines of \#(program) in fish. Written by: \#(program) completion fish

  function _\#(function)
      set -l before (commandline -opc)
      set -l current (commandline -ct)
      set -l after (commandline -op)
      for word in $before
          set -e after[1]
      end
      if test -n "$current"
          set -e after[1]
      end
      set -e before[1]

      \#(program) completion candidates (count $before) -- $before "$current" $after 2>/dev/null </dev/null | while read -l -d \t kind value meaning
          switch $kind
              case word part
                  printf '%s\t%s\n' $value $meaning
              case files folders
                  set -l typed (string sub -s (math 1 + (string length -- "$value")) -- "$current")
                  for path in (complete -C "'' "(string escape -- "$typed"))
                      if test $kind = files; or string match -q '*/' -- (string split \t -- $path)[1]
                          printf '%s%s\n' "$value" $path
                      end
                  end
          end
      end
  end

  complete -c \#(program) -f -k -a '(_\#(function))'

  """#
}
