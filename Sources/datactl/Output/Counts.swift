/// Says numbers and nouns as a sentence does.
extension Int {
  /// The number with a comma before each three digits.
  package var grouped: String {
    var digits = Array(String(magnitude))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }

  /// The number with its noun: `1 record`, `1,000 records`.
  package func counted(_ noun: String) -> String {
    "\(grouped) \(noun)\(self == 1 ? "" : "s")"
  }
}
