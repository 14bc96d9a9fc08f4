/// Formats numbers for messages, such as `1,000 records`.
extension Int {
  /// The number with thousands separators: `1,000`.
  package var grouped: String {
    var digits = Array(String(magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }

  /// Returns the number followed by a noun, such as `1 record` or `1,000 records`. The noun is
  /// plural unless the number is 1.
  package func counted(_ noun: String) -> String {
    "\(grouped) \(noun)\(self == 1 ? "" : "s")"
  }
}
