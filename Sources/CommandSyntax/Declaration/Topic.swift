/// A help topic, which is also a page of the manual.
///
/// Text in backquotes is literal, such as the name of an option. It is printed without the
/// backquotes, and in bold if the output supports it.
package struct Topic: Sendable, Equatable {
  /// The name of the topic, which the user types after `help`.
  package let name: String
  /// A description of the topic in one line.
  package let summary: String
  package let manual: ManualName
  package let body: [Block]
  /// The names of related commands and topics, which help lists at the end.
  package let seeAlso: [String]
  /// The texts that belong to the topic, such as example files. `help TOPIC NAME` prints one of
  /// them verbatim.
  package let parts: [TopicPart]

  package init(
    _ name: String, _ summary: String, manual: ManualName, body: [Block], seeAlso: [String] = [],
    parts: [TopicPart] = []
  ) {
    self.parts = parts
    self.name = name
    self.summary = summary
    self.manual = manual
    self.body = body
    self.seeAlso = seeAlso
  }
}

/// A text that belongs to a topic, such as an example file.
package struct TopicPart: Sendable, Equatable {
  package let name: String
  package let text: String

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

/// The name and section of a manual page, such as `datactl-conditions(7)`.
package struct ManualName: Sendable, Equatable, CustomStringConvertible {
  package let name: String
  package let section: Int

  package init(_ name: String, section: Int) {
    self.name = name
    self.section = section
  }

  package var description: String { "\(name)(\(section))" }

  /// The file name of the page, such as `datactl-conditions.7`.
  package var file: String { "\(name).\(section)" }
}

/// A block of text in help and the manual. A string literal creates a paragraph.
package enum Block: Sendable, Equatable, ExpressibleByStringInterpolation {
  case heading(String)
  case paragraph(String)
  /// An unordered list.
  case list([String])
  /// Terms with their definitions.
  case definitions([Definition])
  /// A table. Each row must have as many cells as the header.
  case table(header: [String], rows: [[String]])
  /// Lines that are printed verbatim.
  case literal(String)

  package init(stringLiteral text: String) {
    self = .paragraph(text)
  }
}

extension Block {
  var isHeading: Bool {
    if case .heading = self { true } else { false }
  }
}

/// A term and its definition.
package struct Definition: Sendable, Equatable {
  package let term: String
  package let meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}
