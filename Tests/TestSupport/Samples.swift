package import DataModel

/// The values that random records and conditions contain. There are only a few values, so that
/// conditions often match. Many of them are edge cases.
package enum Samples {
  package static let texts = [
    "", "a", "A", "ab", "aB", "abc", "b", "Äpfel", "äpfel", "\u{E9}", "e\u{301}", "日本", "🙂", "🙂🙂",
    "100%", "a_b", "a%b", "\\", "it's", "say \"so\"", "x\ny", " ", "Z", "z", "null", "5", "true",
    "; drop table item; --", "\u{1}", ",", "\",\"", "a\\",
    "\u{D7FF}", "\u{E000}", longText, String(longText.dropFirst(7)),
  ]

  /// Text of more than 64 bytes. For such text, the SQLite store uses its own linear search instead
  /// of SQLite's `instr`.
  private static let longText = String(repeating: "abcab", count: 16)

  package static let integers: [Int64] = [
    0, 1, -1, 2, 5, 5, 7, 100, .max, .min, 9_007_199_254_740_993,
  ]

  package static let numbers: [Double] = [
    0, 1, -1, 0.1, 0.3, -2.5, 5, 5, 7.25, 1e300, -1e300, 0x1p-1074, 0.1 + 0.2, 0x1p53,
  ]

  package static let times = [
    "0001-01-01", "1969-12-31T23:59:59.999999Z", "1970-01-01", "2026-11-20",
    "2026-11-20T03:05:00.000001Z", "2026-11-20T03:05:00Z", "2026-11-21", "9999-12-31",
  ].compactMap { try? Timestamp(parsing: $0.utf8.span) }

  package static let dates = times.map { CalendarDate($0) }

  static let points = [
    (47.37, 8.54), (47.38, 8.55), (47.5, 8.7), (46.95, 7.45), (-33.9, 151.2), (0, 0), (90, 0),
    (89.99, 120), (-90, 10), (0, 180), (0, -180), (0.01, 179.99), (0.01, -179.99), (52.5, 13.4),
  ].compactMap { try? GeoPoint(latitude: $0.0, longitude: $0.1) }

  static let jsons = [
    "5", "\"red\"", "true", "[]", "{}", "[1,2,\"red\"]", "[[1],{\"x\":1},null]",
    "{\"color\":\"red\",\"size\":5}", "{\"color\":\"\\u0072ed\",\"size\":5.0}",
    "{\"color\":null,\"size\":1e400}", "{\"color\":[\"red\",\"blue\"],\"size\":9007199254740993}",
    "{\"a\":{\"b\":[1,2,\"x\"],\"size\":\"5\"}}", "{\"a\":{\"b\":\"it's 🙂\"}}",
    "{\"a\":{\"b\":\"\\ud83d\\ude42\"}}", "{\"a.b\":1,\"\":2,\"a\":7}", "{\"size\":-0.0}",
    "{\"size\":[],\"color\":\"Red\"}", "{\"a\":{\"b\":false}}", "{\"color\":{\"x\":1}}",
  ]

  static let jsonKeys = [
    [], ["color"], ["size"], ["a"], ["a", "b"], ["a", "size"], ["a.b"], [""], ["missing", "x"],
  ]

  static let jsonValues: [Value] = [
    .text("red"), .text("Red"), .text("x"), .text("5"), .text("🙂"), .text(""), .integer(5),
    .integer(1), .integer(2), .integer(0), .integer(9_007_199_254_740_993), .number(4.5),
    .number(9.3e18), .boolean(true), .boolean(false), .json("{\"x\":1}"), .json("[]"),
    .json("[1,2,\"red\"]"),
  ]

  package static let patterns = [
    "%", "", "a%", "%b", "_", "__", "a_%", "%\\%%", "a\\_b", "%e%", "\u{E9}", "%\u{301}", "A%",
    "🙂_",
    "%'%", "%\n%", "\\\\", "r_d", "%1%", "i%",
    "\u{D7FF}%",
  ]

  static let files = ["a.png", "b.PNG", "ä.txt"]
}
