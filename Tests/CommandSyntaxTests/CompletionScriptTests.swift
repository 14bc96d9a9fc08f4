import CommandSyntax
import Foundation
import TestSupport
import Testing

/// Runs the real shells with a fake program, which records its arguments and prints a fixed answer.
@Suite("Completion scripts", .tags(.slow), .from(.test))
struct CompletionScriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let fakeProgram = """
      #!/bin/sh
      printf '%s\\n' "$@" > '\(folder.path)/asked'
      cat '\(folder.path)/answer'
      """
    try folder.writeProgram(fakeProgram, to: "shop")
    for shell in Shell.allCases {
      _ = try folder.write(Shop.program.description.completionScript(for: shell), to: "\(shell)")
    }
    _ = try folder.write("", to: "notes.txt")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/north", withIntermediateDirectories: false)
  }

  @Test("generates scripts that each shell parses without errors", arguments: Shell.allCases)
  func wellFormed(shell: Shell) throws {
    let outcome = try run([shell.rawValue, "-n", "\(folder.path)/\(shell)"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
  }

  @Test(
    "completes only the part of a word after = or : in bash, which splits words there",
    arguments: [
      ("li", "word\tlist\tPrint.\n", "0 li", "list"),
      ("", "word\tlist\t\nword\tsave\t\n", "0 ", "list save"),
      ("save tea ti", "part\ttitle=\t\n", "2 save tea ti", "title="),
      (
        "list --order=due,-p", "word\t--order=due,-price\t\n", "1 list --order=due,-p", "due,-price"
      ),
      ("list --order=", "word\t--order=due\t\n", "1 list --order=", "due"),
      ("--store sqlite:d", "word\tsqlite:dev.db\t\n", "1 --store sqlite:d", "dev.db"),
      ("save --file n", "files\t\t\n", "2 save --file n", "north notes.txt"),
      ("save --file=no", "files\t--file=\t\n", "1 save --file=no", "north notes.txt"),
      ("schema load n", "folders\t\t\n", "2 schema load n", "north"),
      ("save tea photo@=no", "files\tphoto@=\t\n", "2 save tea photo@=no", "north notes.txt"),
      ("list 'a b' x", "word\txyz\t\n", "2 list a b x", "xyz"),
      ("list x", "word\tx y\t\n", "1 list x", #"x\ y"#),
      ("list x", "", "1 list x", ""),
      ("list 'a = 5 and ty", "part\ta = 5 and type\t\n", "1 list a = 5 and ty", "a = 5 and type"),
      (
        #"list "a like 'S%' and ty"#, "part\ta like 'S%' and type\t\n",
        "1 list a like 'S%' and ty", "a like 'S%' and type"
      ),
      (
        #"list --where="a = 5 and ty"#, "part\t--where=a = 5 and type\t\n",
        "1 list --where=a = 5 and ty", "a = 5 and type"
      ),
      ("list 'kind=o", "word\tkind=o'clock\t\n", "1 list kind=o", #"kind=o'\''clock"#),
      (#"list "kind=o"#, "word\tkind=o$clock\t\n", "1 list kind=o", #"kind=o\$clock"#),
    ])
  func bash(line: String, answer: String, asked: String, offered: String) throws {
    let driver = """
      source ./bash
      COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
      COMP_LINE="shop $1"
      COMP_POINT=${#COMP_LINE}
      COMP_WORDS=(shop)
      rest=$1
      while [[ $rest =~ ^(\\ *)(\\'[^\\']*\\'|[\\'\\"].*|[=:@]+|[^\\ =:@]+)(.*)$ ]]; do
        COMP_WORDS+=("${BASH_REMATCH[2]}")
        rest=${BASH_REMATCH[3]}
      done
      [[ $1 == "" || $1 == *' ' ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _shop
      printf '%s\\n' "${COMPREPLY[0]}"
      [[ ${#COMPREPLY[@]} -lt 2 || ${COMPREPLY[1]} == "${COMPREPLY[0]} " ]] ||
        printf '%s\\n' "${COMPREPLY[@]:1}"
      """
    let outcome = try drive(["bash", "--norc", "-c", driver, "bash", line], answer: answer)
    #expect(outcome.asked == asked)
    #expect(outcome.offered == offered)
  }

  @Test("ignores the text after the cursor in bash")
  func bashCursor() throws {
    let driver = """
      source ./bash
      COMP_WORDBREAKS=' ='
      COMP_LINE='shop list --order=due tea'
      COMP_POINT=19
      COMP_WORDS=(shop list --order = due tea)
      COMP_CWORD=4
      _shop
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try drive(
      ["bash", "--norc", "-c", driver], answer: "word\t--order=done\t\n")
    #expect(outcome.asked == "1 list --order=d tea")
    #expect(outcome.offered == "done")
  }

  @Test(
    "offers words with descriptions in zsh, and lets zsh complete paths",
    arguments: [
      ("li", "word\tlist\tPrint.\n", "0 li", "words list:Print."),
      ("save tea ti", "part\ttitle=\t\n", "2 save tea ti", "parts title=: -S "),
      (
        "--store sqlite:d", "word\tsqlite:d.db\tA\n", "1 --store sqlite:d", #"words sqlite\:d.db:A"#
      ),
      ("save --file=no", "files\t--file=\t\n", "1 save --file=no", "compset -p 7 _files"),
      ("schema load n", "folders\t\t\n", "2 schema load n", "_files -/"),
      ("list 'a b' x", "word\txyz\t\n", "2 list a b x", "words xyz:"),
      ("list x", "", "1 list x", ""),
    ])
  func zsh(line: String, answer: String, asked: String, offered: String) throws {
    let driver = """
      compdef() { }
      compset() { print -r -- compset "$@" }
      _files() { print -r -- _files "$@" }
      _describe() { print -r -- "$2" "${(@P)4}" "${@[5,-1]}" }
      source ./zsh
      words=(shop "${(z)1}")
      CURRENT=$#words
      PREFIX=$words[-1]
      _shop || true
      """
    let outcome = try drive(["zsh", "-f", "-c", driver, "zsh", line], answer: answer)
    #expect(outcome.asked == asked)
    #expect(outcome.offered == offered)
  }

  @Test(
    "offers words, descriptions and paths in fish",
    arguments: [
      ("li", "word\tlist\tPrint.\n", "0 li", "list\tPrint."),
      ("", "word\tlist\t\n", "0 ", "list"),
      ("save tea ", "part\ttitle=\ttext\n", "2 save tea ", "title=\ttext"),
      ("list --l", "word\t--limit\tN\n", "1 list --l", "--limit\tN"),
      ("save --file=n", "files\t--file=\t\n", "1 save --file=n", "--file=north/ --file=notes.txt"),
      ("schema load n", "folders\t\t\n", "2 schema load n", "north/"),
      ("list 'a b' x", "word\txyz\t\n", "2 list a b x", "xyz"),
      ("list x", "", "1 list x", ""),
      (
        #"list "a like 'S%' and ty"#, "part\ta like 'S%' and type\t\n",
        "1 list a like 'S%' and ty", "a like 'S%' and type a like 'S%' and type "
      ),
      (
        "list --where='a = 5 and ty", "part\t--where=a = 5 and type\t\n",
        "1 list --where=a = 5 and ty", "--where=a = 5 and type --where=a = 5 and type "
      ),
    ])
  func fish(line: String, answer: String, asked: String, offered: String) throws {
    let driver = "source ./fish; complete -C 'shop '$argv[1]"
    let outcome = try drive(["fish", "--no-config", "-c", driver, line], answer: answer)
    #expect(outcome.asked == asked)
    #expect(outcome.offered == offered)
  }

  @Test("offers no completions when the program fails", arguments: Shell.allCases)
  func failure(shell: Shell) throws {
    try folder.writeProgram("#!/bin/sh\necho no >&2\nexit 7\n", to: "shop")
    let outcome =
      switch shell {
      case .bash:
        try run(
          [
            "bash", "-c",
            "source ./bash; COMP_LINE='shop l' COMP_POINT=6 COMP_WORDS=(shop l) COMP_CWORD=1; _shop",
          ], in: folder.path)
      case .zsh:
        try run(
          [
            "zsh", "-f", "-c",
            "compdef() { }; source ./zsh; words=(shop l) CURRENT=2; _shop || true",
          ],
          in: folder.path)
      case .fish:
        try run(
          ["fish", "--no-config", "-c", "source ./fish; complete -C 'shop l'"], in: folder.path)
      }
    #expect(outcome.output + outcome.errors == "")
  }

  /// Runs a shell and returns the words passed to the program and the completions offered.
  private func drive(
    _ command: [String], answer: String
  ) throws -> (asked: String, offered: String) {
    _ = try folder.write(answer, to: "answer")
    let outcome = try run(command, in: folder.path)
    #expect(outcome.errors == "")
    var asked = try String(contentsOfFile: folder.path + "/asked", encoding: .utf8)
      .components(separatedBy: "\n").dropLast()
    #expect(asked.prefix(2) == ["completion", "candidates"])
    #expect(asked.count > 3 && asked[3] == "--")
    asked.remove(at: 3)
    return (
      asked.dropFirst(2).joined(separator: " "),
      outcome.output.split(separator: "\n").joined(separator: " ")
    )
  }
}
