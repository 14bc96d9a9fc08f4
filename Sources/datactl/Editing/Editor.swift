import DataModel
import Platform

/// The editor of the user: `VISUAL`, then `EDITOR`, then `vi`.
enum Editor {
  /// Runs the editor on a file, and waits until it has ended.
  ///
  /// - Throws: An error if there is no terminal for `vi`, if the editor fails, or if a signal has ended
  ///   it or the command.
  static func open(_ path: String, on console: Console) throws(DataError) {
    let chosen = ["VISUAL", "EDITOR"].compactMap(console.setting).first { editor in
      editor.contains { !$0.isWhitespace }
    }
    guard chosen != nil || TerminalProgram.hasTerminal else {
      throw DataError(
        .usage, "cannot open an editor: there is no terminal",
        hint: "set VISUAL or EDITOR to a program that needs none")
    }
    let editor = chosen ?? "vi"
    // With exec, a signal ends the editor and not only the shell. It needs a program.
    let word = editor.prefix { $0 != " " && $0 != "\t" }
    let line = "\(editor) \"$@\""
    let isSimple = !editor.utf8.contains { ";&|()`\n=".utf8.contains($0) }
    let script =
      isSimple && !word.contains { "'\"\\".contains($0) }
      ? "case $(command -v \(word)) in */*) exec \(line);; *) \(line);; esac" : line
    // An editor that a signal ends can leave the terminal without line breaks and echo.
    let terminal = Terminal.inputState
    defer { if let terminal { Terminal.restoreInput(terminal) } }
    let ending: ChildProcess.Ending?
    do throws(SystemCallError) {
      // The shell divides the command into words, as git does it.
      ending = try TerminalProgram.run(
        "/bin/sh", arguments: ["-c", script, editor, path],
        unless: { console.signal() != nil })
    } catch {
      throw DataError(.failed, "cannot run the editor: \(error.text)")
    }
    let problem: String
    var hint: String?
    switch ending {
    case _ where console.signal() != nil, .signaled(Signals.interruptSignal),
      .exited(status: Signal.interrupt.exitStatus):
      throw DataError(.interrupted, "interrupted: nothing was saved")
    case .exited(status: 0), nil: return
    case .exited(let status):
      problem = "ended with exit status \(status)"
      hint = "VISUAL or EDITOR can name another editor"
    case .signaled(let signal): problem = "was ended by signal \(signal)"
    }
    throw DataError(.failed, "the editor \(Excerpt.quoted(editor)) \(problem)", hint: hint)
  }
}
