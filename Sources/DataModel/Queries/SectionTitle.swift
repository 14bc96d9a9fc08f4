/// Computes the titles of the sections into which a list of records is divided, as in an address
/// book. The title of a record's section is the first letter of a text, in uppercase and without
/// accents. For digits, other scripts, empty text, and null, the title is `#`. This section is
/// last.
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

  /// Returns the distinct titles in order, with `#` last. If `descending` is true, the letters are
  /// in reverse order.
  package static func sorted(_ titles: some Sequence<String>, descending: Bool) -> [String] {
    let all = Set(titles)
    let letters = all.subtracting([rest]).sorted()
    return (descending ? letters.reversed() : letters) + (all.contains(rest) ? [rest] : [])
  }

  /// Returns the base letter of a Latin letter, taken from its Unicode name. The name "LATIN SMALL
  /// LETTER E WITH ACUTE" gives E. For ligatures such as AE, returns the first letter. Letters with
  /// their own names, such as ETH, are mapped to the letter from which they are derived.
  private static func letter(inNameOf scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name, name.hasPrefix("LATIN ") else { return nil }
    let words = name.split(separator: " ")
    guard let index = words.firstIndex(where: { $0 == "LETTER" || $0 == "LIGATURE" }),
      var word = words.dropFirst(index + 1).first
    else { return nil }
    if qualities.contains(word) { word = words.dropFirst(index + 2).first ?? word }
    if let letter = named[word] { return letter }
    guard word.count == 1 || pairs.contains(word) else { return nil }
    return String(word.prefix(1))
  }

  /// Words that can precede the letter in a Unicode name, as in "LATIN SMALL LETTER DOTLESS I".
  private static let qualities: Set<Substring> = ["DOTLESS", "LONG", "SHARP"]
  private static let pairs: Set<Substring> = [
    "AE", "OE", "IJ", "DZ", "LJ", "NJ", "FF", "FI", "FL", "FFI", "FFL", "ST",
  ]
  private static let named: [Substring: String] = [
    "ETH": "D", "ENG": "N", "KRA": "K", "THORN": "T",
  ]
}

extension Catalog {
  /// Resolves the path of the field by which records are grouped into sections. The path must
  /// follow only to-one relations and lead to a single text, id, or reference. If not, throws an
  /// error.
  package func section(
    by path: FieldPath, of schema: Schema
  ) throws(DataError) -> (resolvedPath: ResolvedPath, path: FieldPath) {
    let found: (resolvedPath: ResolvedPath, path: FieldPath)
    do throws(PathError) {
      found = try resolvedPath(path.names, from: schema)
    } catch {
      throw DataError(error)
    }
    let type = found.resolvedPath.type
    guard !found.resolvedPath.hops.contains(where: \.isMany), !type.isList else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which may have several values")
    }
    guard type == .text || type == .id || type.relation != nil else {
      throw DataError(
        .usage, "cannot make sections by \(found.path), which is \(type.nameWithArticle), not text")
    }
    return found
  }
}
