/// A generator of random numbers and texts with a fixed seed.
struct RandomCells {
  private var state: UInt64 = 20_261_120

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  /// Words as plain text and as JSON string contents, some of them escaped.
  private static let words = [
    ("tea", "tea"), ("bread", "bread"), ("käse", "käse"), ("日本", "日本"), ("crème", "crème"),
    ("\"quoted\"", #"\"quoted\""#), ("line\nbreak", #"line\nbreak"#), ("plain", "plain"),
    ("größe", "größe"), ("👍", "👍"), ("tab\t", #"tab\t"#), ("coffee", "coffee"),
    ("été", #"\u00e9t\u00e9"#), ("sugar", "sugar"), ("milk", "milk"), ("eggs", "eggs"),
  ]

  mutating func text(_ count: Int) -> Cell {
    let words = (0..<count).map { _ in Self.words[next(below: Self.words.count)] }
    return Cell(
      plain: words.map(\.0).joined(separator: " "),
      json: "\"" + words.map(\.1).joined(separator: " ") + "\"")
  }

  /// Returns a text in which every other character is escaped.
  mutating func escapes(_ count: Int) -> Cell {
    let escapes = [("\n", #"\n"#), ("\"", #"\""#), ("é", #"\u00e9"#), ("👍", #"\ud83d\udc4d"#)]
    let pairs = (0..<count).map { _ in escapes[next(below: escapes.count)] }
    return Cell(
      plain: pairs.map { "x" + $0.0 }.joined(),
      json: "\"" + pairs.map { "x" + $0.1 }.joined() + "\"")
  }

  mutating func integer(below limit: Int) -> Cell { Cell("\(next(below: limit))") }
  mutating func boolean() -> Cell { Cell(next(below: 2) == 0 ? "true" : "false") }
  mutating func number() -> Cell { Cell("\(next(below: 1000)).\(1 + next(below: 99))") }

  mutating func time() -> Cell {
    let time = "2026-11-\(10 + next(below: 18))T03:05:00Z"
    return Cell(plain: time, json: "\"\(time)\"")
  }
}

/// A value as unquoted CSV text and as JSON.
struct Cell {
  let plain: String
  let json: String

  init(plain: String, json: String) {
    self.plain = plain
    self.json = json
  }

  /// Creates a value that is the same text in both formats.
  init(_ text: String) {
    self.init(plain: text, json: text)
  }

  var csv: String {
    guard plain.utf8.contains(where: { [10, 34, 44].contains($0) }) else { return plain }
    return "\"" + plain.replacing("\"", with: "\"\"") + "\""
  }
}
