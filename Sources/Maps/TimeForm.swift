import DataModel
import JSONText

/// The notation of datetimes and dates in a document. A date is represented like the start of its
/// day in UTC, except in ISO 8601.
enum TimeForm: Hashable, Sendable {
  case iso8601
  case rfc2822
  /// Milliseconds since 1970, as a number.
  case milliseconds
  /// Milliseconds since 1970, as a number. Fractions are dropped when a time is written.
  case wholeMilliseconds
  /// Seconds since 1970, as a number.
  case seconds
  case pattern([PatternPart])

  /// A part of a pattern such as `dd.MM.yyyy HH:mm`.
  enum PatternPart: Hashable, Sendable {
    case year
    case month
    case day
    /// The month or the day without a leading zero.
    case shortMonth
    case shortDay
    case hour
    case minute
    case second
    case millisecond
    /// The offset from UTC: `Z`, or hours and minutes after a sign.
    case offset
    case literal(String)
  }

  private static let letters: [(text: String, part: PatternPart)] = [
    ("yyyy", .year), ("MM", .month), ("dd", .day), ("M", .shortMonth), ("d", .shortDay),
    ("HH", .hour), ("mm", .minute),
    ("ss", .second), ("SSS", .millisecond), ("Z", .offset),
  ]

  /// The parts that a time pattern can contain, such as `yyyy` and `MM`, for messages.
  static var partNames: String { letters.map(\.text).joined(separator: " ") }

  /// Parses a pattern. Text in apostrophes is literal. Returns nil if the pattern contains another
  /// ASCII letter or digit, except `T`, or does not have exactly one year, month and day.
  init?(pattern text: String) {
    var parts: [PatternPart] = []
    var literal = ""
    var rest = text[...]
    while let first = rest.first {
      if let (letters, part) = Self.letters.first(where: { rest.hasPrefix($0.text) }) {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        guard !parts.contains(part) else { return nil }
        parts.append(part)
        rest = rest.dropFirst(letters.count)
      } else if first == "'" {
        guard let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
        literal += rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      } else {
        guard !first.isASCII || first == "T" || !first.isLetter && !first.isNumber else {
          return nil
        }
        literal.append(first)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    guard parts.contains(.year), parts.contains(.month) != parts.contains(.shortMonth),
      parts.contains(.day) != parts.contains(.shortDay)
    else { return nil }
    self = .pattern(parts)
  }

  /// Parses a value as a time. Returns nil if it is not in this notation.
  func time(_ value: ForeignValue) -> Timestamp? {
    let text: String
    switch value.content {
    case .text(let string): text = string.withoutOuterSpace
    case .number(let number): text = number
    case .null, .boolean, .array, .object, .fileContent, .markup: return nil
    }
    switch self {
    case .iso8601: return Self.iso8601(text)
    case .rfc2822: return Self.rfc2822(text)
    case .milliseconds, .wholeMilliseconds: return Self.number(text, decimals: 3)
    case .seconds: return Self.number(text, decimals: 6)
    case .pattern(let parts): return Self.parse(text, parts)
    }
  }

  /// If a value contains the wrong weekday for its date, returns the correct weekday, such as
  /// `Fri`. If not, returns nil.
  func correctWeekday(of value: ForeignValue) -> String? {
    guard self == .rfc2822, case .text(let text) = value.content,
      let mail = Self.mailTime(text.withoutOuterSpace), mail.hasWrongWeekday
    else { return nil }
    return Self.weekdays[mail.weekday]
  }

  /// Returns a time in this notation, or nil if the notation is not precise enough for the time.
  func value(_ time: Timestamp) -> ForeignValue? {
    let value: ForeignValue
    switch self {
    case .iso8601: return ForeignValue(.text("\(time)"))
    case .rfc2822: value = ForeignValue(.text(Self.rfc2822(time)))
    case .milliseconds: return ForeignValue(.number(Self.number(time, decimals: 3)))
    case .wholeMilliseconds:
      let (whole, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000)
      return ForeignValue(.number("\(rest < 0 ? whole - 1 : whole)"))
    case .seconds: return ForeignValue(.number(Self.number(time, decimals: 6)))
    case .pattern(let parts): value = ForeignValue(.text(Self.text(time, parts)))
    }
    return self.time(value) == time ? value : nil
  }

  /// Parses a value as a date. Returns nil if the value is not in this notation, or is a time other
  /// than the start of a day in UTC.
  func date(_ value: ForeignValue) -> CalendarDate? {
    if self == .iso8601 {
      guard case .text(let text) = value.content else { return nil }
      return try? CalendarDate(parsing: text.withoutOuterSpace.utf8.span)
    }
    guard let time = time(value) else { return nil }
    let date = CalendarDate(time)
    return date.start == time ? date : nil
  }

  /// Returns a date as a value in this notation.
  func value(_ date: CalendarDate) -> ForeignValue? {
    self == .iso8601 ? ForeignValue(.text("\(date)")) : value(date.start)
  }
}

extension TimeForm {
  /// Parses an ISO 8601 time. Unlike in RFC 3339, the seconds, the offset and the colon in the
  /// offset are optional. A time without an offset is in UTC.
  private static func iso8601(_ text: String) -> Timestamp? {
    if let time = try? Timestamp(parsing: text.utf8.span) { return time }
    var text = text
    let time = text.dropFirst(10)
    guard time.first == "T" || time.first == " " else { return nil }
    let clock = time.dropFirst().prefix { $0 != "+" && $0 != "-" && $0 != "Z" && $0 != "z" }
    let offset = time.dropFirst(1 + clock.count)
    let seconds = clock.count == 5 ? ":00" : ""
    let digits = offset.dropFirst()
    let zone =
      offset.isEmpty
      ? "Z"
      : digits.count == 4
        ? "\(offset.prefix(1))\(digits.prefix(2)):\(digits.suffix(2))"
        : digits.count == 2 ? "\(offset):00" : String(offset)
    text = "\(text.prefix(10))T\(clock)\(seconds)\(zone)"
    return try? Timestamp(parsing: text.utf8.span)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let zones = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7,
  ]

  /// A time as in e-mails and RSS feeds (RFC 2822), such as `Fri, 20 Nov 2026 12:00:00 +0100`.
  private struct MailTime {
    let time: Timestamp
    /// The weekday of the date, as an index in `weekdays`.
    let weekday: Int
    /// The weekday in the text, or nil if the text contains none.
    let givenWeekday: Int?

    var hasWrongWeekday: Bool { givenWeekday.map { $0 != weekday } ?? false }
  }

  private static func rfc2822(_ text: String) -> Timestamp? {
    guard let mail = mailTime(text), !mail.hasWrongWeekday else { return nil }
    return mail.time
  }

  private static func mailTime(_ text: String) -> MailTime? {
    var givenWeekday: Int?
    var words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map(String.init)
    if let first = words.first, first.hasSuffix(",") {
      givenWeekday = weekdays.firstIndex(of: String(first.dropLast()))
      guard givenWeekday != nil else { return nil }
      words.removeFirst()
    }
    // The name of a time zone in a comment can have several words.
    if words.count > 5, words[5].hasPrefix("("), words[words.count - 1].hasSuffix(")") {
      words.removeSubrange(5...)
    }
    guard words.count == 5, let day = digits(words[0], 1...2),
      let month = months.firstIndex(of: words[1]), let year = digits(words[2], 2...4)
    else { return nil }
    let clock = words[3].split(separator: ":", omittingEmptySubsequences: false)
      .map { digits(String($0), 2...2) }
    guard clock.count == 2 || clock.count == 3, let hour = clock[0], let minute = clock[1],
      let second = clock.count == 3 ? clock[2] : 0,
      let offset = zones[words[4]].map({ $0 * 3_600 }) ?? offset(words[4])
    else { return nil }
    var components = Timestamp.Components()
    components.year =
      words[2].count == 2
      ? year + (year < 50 ? 2_000 : 1_900)
      : words[2].count == 3 ? year + 1_900 : year
    (components.month, components.day) = (month + 1, day)
    (components.hour, components.minute, components.second) = (hour, minute, second)
    guard let weekday = Timestamp(components)?.weekday else { return nil }
    components.offset = offset
    return Timestamp(components).map {
      MailTime(time: $0, weekday: weekday, givenWeekday: givenWeekday)
    }
  }

  private static func rfc2822(_ time: Timestamp) -> String {
    let parts = time.components
    let clock = [parts.hour, parts.minute, parts.second].map { padded($0, 2) }
    return "\(weekdays[time.weekday]), \(padded(parts.day, 2)) \(months[parts.month - 1]) "
      + "\(padded(parts.year, 4)) \(clock.joined(separator: ":")) +0000"
  }

  /// Parses a number of seconds or milliseconds since 1970, which may have decimal places.
  ///
  /// - Parameter decimals: The maximum number of decimal places, for a resolution of a microsecond:
  ///   6 for seconds, 3 for milliseconds.
  private static func number(_ text: String, decimals: Int) -> Timestamp? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = digits(String(parts[0]), 1...18) else {
      return nil
    }
    var fraction = parts.count == 2 ? String(parts[1]) : "0"
    while fraction.count > decimals, fraction.hasSuffix("0") { fraction.removeLast() }
    guard let rest = digits(fraction, 1...decimals) else { return nil }
    let (unit, unitsInRest) = (power(decimals), power(decimals - fraction.count))
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow, product <= .max - rest * unitsInRest else { return nil }
    let microseconds = Int64(product + rest * unitsInRest)
    return Timestamp(microseconds: isNegative ? -microseconds : microseconds)
  }

  private static func number(_ time: Timestamp, decimals: Int) -> String {
    let unit = UInt64(power(decimals))
    let magnitude = time.microseconds.magnitude
    var text = (time.microseconds < 0 ? "-" : "") + "\(magnitude / unit)"
    if magnitude % unit != 0 {
      text += "." + padded(Int(magnitude % unit), decimals)
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private static func parse(_ text: String, _ parts: [PatternPart]) -> Timestamp? {
    var components = Timestamp.Components()
    var rest = text[...]
    func number(_ count: Int) -> Int? {
      guard rest.count >= count, let number = digits(String(rest.prefix(count)), count...count)
      else { return nil }
      rest = rest.dropFirst(count)
      return number
    }
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { return nil }
        rest = rest.dropFirst(literal.count)
      case .offset:
        let word =
          rest.first == "Z" ? rest.prefix(1) : rest.prefix(rest.dropFirst(3).first == ":" ? 6 : 5)
        guard let offset = word == "Z" ? 0 : offset(String(word)) else { return nil }
        components.offset = offset
        rest = rest.dropFirst(word.count)
      case .shortMonth, .shortDay:
        let word = rest.prefix(2).prefix { ("0"..."9").contains($0) }
        guard let found = digits(String(word), 1...2) else { return nil }
        if part == .shortMonth { components.month = found } else { components.day = found }
        rest = rest.dropFirst(word.count)
      case .year, .month, .day, .hour, .minute, .second, .millisecond:
        guard let found = number(part.width) else { return nil }
        switch part {
        case .year: components.year = found
        case .month: components.month = found
        case .day: components.day = found
        case .hour: components.hour = found
        case .minute: components.minute = found
        case .second: components.second = found
        case .millisecond: components.microsecond = found * 1_000
        case .shortMonth, .shortDay, .offset, .literal: break
        }
      }
    }
    return rest.isEmpty ? Timestamp(components) : nil
  }

  private static func text(_ time: Timestamp, _ parts: [PatternPart]) -> String {
    let components = time.components
    return parts.map { part in
      switch part {
      case .year: padded(components.year, 4)
      case .month: padded(components.month, 2)
      case .day: padded(components.day, 2)
      case .shortMonth: "\(components.month)"
      case .shortDay: "\(components.day)"
      case .hour: padded(components.hour, 2)
      case .minute: padded(components.minute, 2)
      case .second: padded(components.second, 2)
      case .millisecond: padded(components.microsecond / 1_000, 3)
      case .offset: "Z"
      case .literal(let literal): literal
      }
    }.joined()
  }

  /// Returns the number of seconds in an offset such as `+0200` or `+02:00`, or nil if it is
  /// invalid.
  private static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    var digits = text.dropFirst()
    if digits.count == 5, let colon = digits.firstIndex(of: ":") { digits.remove(at: colon) }
    guard digits.count == 4, let number = Self.digits(String(digits), 4...4), number % 100 < 60
    else { return nil }
    let seconds = number / 100 * 3_600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  /// Parses ASCII digits. Returns nil if there are other characters, or too few or too many digits.
  private static func digits(_ text: String, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 48 < 10 }) else {
      return nil
    }
    return Int(text)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension TimeForm.PatternPart {
  fileprivate var width: Int {
    switch self {
    case .year: 4
    case .millisecond: 3
    case .month, .day, .hour, .minute, .second: 2
    case .shortMonth, .shortDay, .offset, .literal: 0
    }
  }
}

extension String {
  /// The text without leading and trailing white space.
  var withoutOuterSpace: String {
    // Most texts have none. The white space of Unicode takes much longer to recognize.
    if let first = utf8.first, let last = utf8.last, (0x21...0x7E).contains(first),
      (0x21...0x7E).contains(last)
    {
      return self
    }
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
