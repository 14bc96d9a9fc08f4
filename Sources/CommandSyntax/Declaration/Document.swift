/// Says something at length; help prints it and the manual has it as a page.
///
/// Words between backquotes are literal: bold where bold is possible, plain elsewhere.
package struct Topic: Sendable, Equatable {
  /// The word after `help`.
  package let name: String
  /// One line: what the topic is about.
  package let summary: String
  package let manual: ManualName
  package let body: [Block]
  /// Names of commands and topics.
  package let seeAlso: [String]

  package init(
    _ name: String, _ summary: String, manual: ManualName, body: [Block], seeAlso: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.manual = manual
    self.body = body
    self.seeAlso = seeAlso
  }
}

/// The name and the section of a page in the manual: `datactl-conditions(7)`.
package struct ManualName: Sendable, Equatable, CustomStringConvertible {
  package let name: String
  package let section: Int

  package init(_ name: String, section: Int) {
    self.name = name
    self.section = section
  }

  package var description: String { "\(name)(\(section))" }

  /// The name of the page's file.
  package var file: String { "\(name).\(section)" }
}

/// A part of a text; a string literal is a paragraph.
package enum Block: Sendable, Equatable, ExpressibleByStringInterpolation {
  case heading(String)
  case paragraph(String)
  /// Points that need no order.
  case list([String])
  /// Terms, each with what it means.
  case definitions([Definition])
  /// Rows of as many cells as the header has.
  case table(header: [String], rows: [[String]])
  /// Lines that are printed as they are.
  case literal(String)

  package init(stringLiteral text: String) {
    self = .paragraph(text)
  }
}

/// A term and what it means.
package struct Definition: Sendable, Equatable {
  package let term: String
  package let meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}
