/// A page of the manual: its file name and its text in mdoc(7) format.
package struct ManualPage: Sendable, Equatable {
  package let file: String
  package let text: String
}

extension ProgramDescription {
  /// Returns all pages of the manual.
  ///
  /// - Parameter date: The date for their headers, such as `November 20, 2026`.
  package func manual(date: String) -> [ManualPage] {
    let writer = ManualWriter(program: self, date: date)
    return [writer.programPage()] + commands.map(writer.page(of:)) + groups.map(writer.page(of:))
      + topics.map(writer.page(of:))
  }

  /// Returns the name of the page of a command, a group or a topic.
  func manualName(of name: String) -> ManualName {
    if let topic = topic(name) {
      return topic.manual
    }
    let words = name.split(separator: " ").joined(separator: "-")
    return ManualName("\(self.name)-\(words)", section: 1)
  }
}
