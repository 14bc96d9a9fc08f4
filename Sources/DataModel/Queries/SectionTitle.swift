/// The title of the section that a text belongs to: its first letter, without accents, as a capital.
///
/// Digits, other scripts, the empty text and null stand under `#`, behind all letters.
package enum SectionTitle {
  package static let rest = "#"

  package static func of(_ value: Value) -> String {
    guard case .text(let text) = value, let scalar = text.unicodeScalars.first else { return rest }
    if scalar.isASCII {
      let letter = String(scalar).uppercased()
      return scalar.properties.isAlphabetic ? letter : rest
    }
    return letter(inNameOf: scalar) ?? rest
  }

  /// The titles in their order; down is for a field that the records are ordered by downwards.
  package static func sorted(_ titles: some Sequence<String>, descending: Bool) -> [String] {
    let all = Set(titles)
    let letters = all.subtracting([rest]).sorted()
    return (descending ? letters.reversed() : letters) + (all.contains(rest) ? [rest] : [])
  }

  /// Unicode says in its name which letter a letter with an accent is: `LATIN SMALL LETTER E WITH
  /// ACUTE`. Of two letters in one, such as `AE`, the first counts; letters that have names of their
  /// own stand under the one they come from.
  private static func letter(inNameOf scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name, name.hasPrefix("LATIN ") else { return nil }
    let words = name.split(separator: " ")
    guard let place = words.firstIndex(where: { $0 == "LETTER" || $0 == "LIGATURE" }),
      var word = words.dropFirst(place + 1).first
    else { return nil }
    if qualities.contains(word) { word = words.dropFirst(place + 2).first ?? word }
    if let letter = named[word] { return letter }
    guard word.count == 1 || pairs.contains(word) else { return nil }
    return String(word.prefix(1))
  }

  /// What may stand before a letter in its name.
  private static let qualities: Set<Substring> = ["DOTLESS", "LONG", "SHARP"]
  private static let pairs: Set<Substring> = [
    "AE", "OE", "IJ", "DZ", "LJ", "NJ", "FF", "FI", "FL", "FFI", "FFL", "ST",
  ]
  private static let named: [Substring: String] = [
    "ETH": "D", "ENG": "N", "KRA": "K", "THORN": "T",
  ]
}
