import TestSupport

extension TemporaryFolder {
  /// Writes an executable script.
  ///
  /// A child process writes it: while this process has a file open for writing, a child forked by
  /// another test can inherit the descriptor, and `exec` fails with `ETXTBSY`.
  func writeProgram(_ text: String, to name: String) throws {
    let source = try write(text, to: name + ".text")
    let copy = "cp \"$0\" \"$1\" && chmod 755 \"$1\""
    _ = try run(["sh", "-c", copy, source, path + "/" + name])
  }
}
