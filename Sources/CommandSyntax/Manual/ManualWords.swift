/// Escapes text for mdoc(7), so that no word is interpreted as a macro.
enum ManualSyntax {
  /// Returns text as macro arguments, with its literal parts in bold.
  static func arguments(_ source: String) -> String {
    let words = InlineText(source).words.map { word in
      let plain = word.map(\.text).joined()
      return (isMacroOrPunctuation(plain) ? "\\&" : "") + styled(word)
    }
    return words.isEmpty ? "\\&" : words.joined(separator: " ")
  }

  /// Returns text as a single argument.
  static func quoted(_ text: String) -> String {
    "\"\(escaped(text))\""
  }

  static func styled(_ word: [InlineText.Part]) -> String {
    word.map { part in
      let text = escaped(part.text)
      return part.isLiteral ? "\\fB\(text)\\fR" : text
    }.joined()
  }

  /// Returns text with its special characters escaped.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\u{80}"...:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether mdoc would interpret a word among macro arguments as a macro or as punctuation.
  private static func isMacroOrPunctuation(_ word: String) -> Bool {
    macros.contains(word) || (word.count == 1 && word.allSatisfy { ".,:;()[]?!|".contains($0) })
  }

  /// The macros that may be called within the arguments of another.
  private static let macros = Set(
    """
    Ac Ad An Ao Ap Aq Ar At Bc Bo Bq Brc Bro Brq Bsx Bx Cd Cm Dc Do Dq Dv Dx Ec Em En Eo Er Es Ev \
    Fa Fc Fl Fn Fo Fr Ft Fx Ic Li Lk Ms Mt Nm No Ns Nx Oc Oo Op Ot Ox Pa Pc Pf Po Pq Qc Ql Qo Qq \
    Sc Sh So Sq St Sx Sy Ta Tn Ux Va Vt Xc Xo Xr
    """.split(separator: " ").map(String.init))
}
