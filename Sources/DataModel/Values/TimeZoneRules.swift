/// The offsets of a time zone from UTC, and the times at which they change (transitions).
///
/// The data comes from a file of the time zone database (TZif, RFC 9636). Such a file lists the
/// transitions up to some year. A rule at the end of the file describes all later transitions.
package struct TimeZoneRules: Hashable, Sendable {
  /// A change of the offset from UTC, such as the start of daylight saving time.
  package struct Transition: Hashable, Sendable {
    /// The time of the change: the first second with the new offset, in seconds since the Unix
    /// epoch.
    package var time: Int64
    /// The new offset in seconds; positive east of Greenwich.
    package var offset: Int

    package init(time: Int64, offset: Int) {
      self.time = time
      self.offset = offset
    }
  }

  package let name: String
  /// The offset from UTC before the first transition, in seconds.
  package let firstOffset: Int
  /// The transitions in the file, in order of time.
  private let listed: [Transition]
  private let rule: Rule?

  /// Parses the contents of a file of the time zone database. Returns nil if they are invalid, have
  /// no 64-bit times, or count leap seconds.
  package init?(name: String, parsing file: [UInt8]) {
    // The first block has 32-bit times, and a copy of it with 64-bit times follows.
    guard let old = Header(file, at: 0), old.version >= UInt8(ascii: "2"),
      let block = Header(file, at: old.end(timeSize: 4))
    else { return nil }
    let end = block.end(timeSize: 8)
    guard end < file.count, block.leapCount == 0, block.typeCount > 0 else { return nil }
    let types = block.start + block.timeCount * 9
    func offset(ofType type: Int) -> Int { Int(Header.int32(file, at: types + type * 6)) }
    var transitions: [Transition] = []
    for index in 0..<block.timeCount {
      let type = Int(file[block.start + block.timeCount * 8 + index])
      let time = Header.int64(file, at: block.start + index * 8)
      guard type < block.typeCount, time > transitions.last?.time ?? .min else { return nil }
      transitions.append(Transition(time: time, offset: offset(ofType: type)))
    }
    self.name = name
    firstOffset = offset(ofType: 0)
    listed = transitions
    guard file[end] == 0x0A, let last = file[(end + 1)...].firstIndex(of: 0x0A) else { return nil }
    let text = file[(end + 1)..<last]
    rule = text.isEmpty ? nil : Rule(parsing: Array(text))
    if !text.isEmpty, rule == nil { return nil }
    let offsets = listed.map(\.offset) + [firstOffset]
    guard offsets.allSatisfy({ $0.magnitude < Self.maxOffset }) else { return nil }
  }

  /// An upper bound for the magnitude of UTC offsets, in seconds.
  private static let maxOffset = 26 * 3_600

  /// Returns the UTC offset in seconds at a time, which is given in seconds since the Unix epoch.
  package func offset(at time: Int64) -> Int {
    guard let last = listed.last else { return rule?.offset(at: time) ?? firstOffset }
    if time >= last.time { return rule?.offset(at: time) ?? last.offset }
    // The number of transitions that are not after the time, by binary search.
    var (low, high) = (0, listed.count)
    while low < high {
      let middle = (low + high) / 2
      if listed[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : listed[low - 1].offset
  }

  /// Returns the transitions in a range of seconds since the Unix epoch, in order of time.
  /// Transitions that do not change the offset are left out.
  package func transitions(in range: ClosedRange<Int64>) -> [Transition] {
    var found = listed.filter { range.contains($0.time) }
    if let rule {
      let start = max(range.lowerBound, listed.last.map { $0.time + 1 } ?? .min)
      if start <= range.upperBound {
        found += rule.transitions(inYearsOf: start...range.upperBound).filter {
          $0.time >= start && $0.time <= range.upperBound
        }
      }
    }
    var offset = range.lowerBound == .min ? firstOffset : self.offset(at: range.lowerBound - 1)
    return found.filter { transition in
      defer { offset = transition.offset }
      return transition.offset != offset
    }
  }

  /// Returns the times at which clocks in the zone show a local time: usually one, but none if the
  /// clocks skip the local time, and two if they show it twice. The earlier one is first.
  ///
  /// - Parameter local: The seconds from 1970-01-01T00:00:00 in local time.
  package func instants(ofLocal local: Int64) -> [Int64] {
    let range = local - Int64(Self.maxOffset)...local + Int64(Self.maxOffset)
    let offsets = Set([offset(at: range.lowerBound)] + transitions(in: range).map(\.offset))
    return offsets.map { local - Int64($0) }.filter { offset(at: $0) == Int(local - $0) }.sorted()
  }

  /// Returns the ranges of times at which clocks in the zone show a local time in the given range.
  /// There is usually one range. There are two if clocks are set back across the start or the end
  /// of the given range, and none if clocks skip the whole given range.
  package func instants(ofLocal local: Range<Int64>) -> [Range<Int64>] {
    let maxOffset = Int64(Self.maxOffset)
    let end = local.upperBound + maxOffset
    var start = local.lowerBound - maxOffset
    var offset = offset(at: start)
    var ranges: [Range<Int64>] = []
    for transition in transitions(in: start...end) + [Transition(time: end, offset: 0)] {
      let lower = max(start, local.lowerBound - Int64(offset))
      let upper = min(transition.time, local.upperBound - Int64(offset))
      if let last = ranges.last, lower < upper, last.upperBound == lower {
        ranges[ranges.count - 1] = last.lowerBound..<upper
      } else if lower < upper {
        ranges.append(lower..<upper)
      }
      (start, offset) = (transition.time, transition.offset)
    }
    return ranges
  }
}

/// The UTC offsets of a time zone, in a table for binary search.
package struct TimeZoneOffsets: Hashable, Sendable {
  package let zone: String
  /// The times at which the offset changes, in seconds since the Unix epoch, in order.
  package let times: [Int64]
  /// The offsets in seconds. The first offset applies before the first time in `times`. Each
  /// further offset applies from the corresponding time.
  package let offsets: [Int64]
  /// From this time on, in seconds since the Unix epoch, the offsets repeat every 400 years, like
  /// the calendar.
  package let cycleStart: Int64

  /// The number of seconds after which the calendar repeats: 400 years, which are a whole number of
  /// weeks.
  package static let cycle: Int64 = 146_097 * 86_400

  package init(_ rules: TimeZoneRules) {
    zone = rules.name
    cycleStart = rules.lastListedTime
    let transitions = rules.transitions(in: .min...(cycleStart + Self.cycle))
    times = transitions.map(\.time)
    offsets = [Int64(rules.firstOffset)] + transitions.map { Int64($0.offset) }
  }

  /// Converts a time to local time: adds the UTC offset of the zone, so that the UTC components of
  /// the result are the local components. If the result is not in the years 1 to 9999, returns the
  /// earliest or the latest timestamp.
  package func local(_ time: Timestamp) -> Timestamp {
    let seconds = time.microseconds.floorDivided(by: 1_000_000)
    let local = time.microseconds + offset(at: seconds) * 1_000_000
    return Timestamp(microseconds: local) ?? (local < 0 ? .earliest : .latest)
  }

  private func offset(at time: Int64) -> Int64 {
    let time = time < cycleStart ? time : cycleStart + (time - cycleStart) % Self.cycle
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }
}

extension Int64 {
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension TimeZoneRules {
  /// The time of the latest transition that the file lists, or 0 if it lists none. For later times,
  /// the rule at the end of the file applies.
  fileprivate var lastListedTime: Int64 { listed.last?.time ?? 0 }
}

extension TimeZoneRules {
  /// The header of a data block in a time zone file.
  private struct Header {
    let version: UInt8
    /// The offset in the file at which the data block begins, after the header.
    let start: Int
    let timeCount: Int
    let typeCount: Int
    let leapCount: Int
    private let otherCount: Int

    /// Parses the header at a position in a file. Returns nil if there is no valid header.
    init?(_ file: [UInt8], at position: Int) {
      guard position + 44 <= file.count, file[position...].starts(with: Array("TZif".utf8)) else {
        return nil
      }
      version = file[position + 4]
      start = position + 44
      let counts = (0..<6).map { Int(Self.int32(file, at: position + 20 + $0 * 4)) }
      guard counts.allSatisfy({ 0...file.count ~= $0 }) else { return nil }
      leapCount = counts[2]
      timeCount = counts[3]
      typeCount = counts[4]
      otherCount = counts[0] + counts[1] + counts[5]
    }

    /// Returns the offset in the file at which the data block ends.
    ///
    /// - Parameter timeSize: The number of bytes of each time in the block: 4 or 8.
    func end(timeSize: Int) -> Int {
      start + timeCount * (timeSize + 1) + typeCount * 6 + leapCount * (timeSize + 4) + otherCount
    }

    static func int32(_ file: [UInt8], at position: Int) -> Int32 {
      Int32(truncatingIfNeeded: integer(file, position..<position + 4))
    }

    static func int64(_ file: [UInt8], at position: Int) -> Int64 {
      Int64(bitPattern: integer(file, position..<position + 8))
    }

    private static func integer(_ file: [UInt8], _ range: Range<Int>) -> UInt64 {
      file[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// The rule at the end of a file, in the format of the POSIX environment variable `TZ`, such as
  /// `CET-1CEST,M3.5.0,M10.5.0/3`.
  private struct Rule: Hashable, Sendable {
    /// A time that recurs every year: a day, and the number of seconds since the start of that day.
    struct Day: Hashable, Sendable {
      enum Form: Hashable, Sendable {
        /// A day of the year from 1 to 365. February 29 is not counted.
        case julian(Int)
        /// A day of the year from 0 to 365. In leap years, February 29 is counted.
        case ordinal(Int)
        /// A weekday of a month, such as the second Sunday. The weekday is a number from 0 for
        /// Sunday to 6 for Saturday. The week is 1 for the first such weekday of the month, and 5
        /// for the last one.
        case weekday(Int, week: Int, month: Int)
      }

      var form: Form
      var seconds: Int
    }

    let standard: Int
    /// The offset of daylight saving time, and the days on which it begins and ends. Nil if the
    /// zone has no daylight saving time.
    let daylight: (offset: Int, begin: Day, end: Day)?

    static func == (left: Rule, right: Rule) -> Bool {
      left.standard == right.standard && left.daylight?.offset == right.daylight?.offset
        && left.daylight?.begin == right.daylight?.begin
        && left.daylight?.end == right.daylight?.end
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(standard)
      hasher.combine(daylight?.offset)
    }

    init?(parsing text: [UInt8]) {
      var parser = RuleParser(text: text)
      guard parser.skipName(), let standard = parser.seconds() else { return nil }
      self.standard = -standard
      guard !parser.isAtEnd else {
        daylight = nil
        return
      }
      guard parser.skipName() else { return nil }
      let offset = parser.isAtComma ? standard - 3_600 : parser.seconds()
      guard let offset, let begin = parser.day(), let end = parser.day(), parser.isAtEnd else {
        return nil
      }
      daylight = (-offset, begin, end)
    }

    func offset(at time: Int64) -> Int {
      guard daylight != nil else { return standard }
      let before = transitions(inYearsOf: time...time).last { $0.time <= time }
      return before?.offset ?? standard
    }

    /// Returns the transitions in the years that a range of times touches, in the year before, and
    /// in the year after. They are sorted by time.
    func transitions(inYearsOf range: ClosedRange<Int64>) -> [Transition] {
      guard let daylight else { return [] }
      let first = Self.year(of: range.lowerBound) - 1
      let last = Self.year(of: range.upperBound) + 1
      var transitions: [Transition] = []
      for year in first...last {
        transitions.append(
          Transition(
            time: Self.time(of: daylight.begin, in: year) - Int64(standard),
            offset: daylight.offset))
        transitions.append(
          Transition(
            time: Self.time(of: daylight.end, in: year) - Int64(daylight.offset),
            offset: standard))
      }
      return transitions.sorted { $0.time < $1.time }
    }

    /// Returns the year of a time in UTC. For a time outside the years 1 to 9999, returns the
    /// nearer of these two years.
    private static func year(of time: Int64) -> Int {
      let (first, last) = (Timestamp.earliest.microseconds, Timestamp.latest.microseconds)
      let seconds = min(max(time, first / 1_000_000), last / 1_000_000)
      return CalendarDay(daysSince1970: Int((seconds - first / 1_000_000) / 86_400) - 719_162).year
    }

    /// Returns the local time of a transition in a year, in seconds since 1970-01-01T00:00:00 local
    /// time.
    ///
    /// - Parameters:
    ///   - day: The day and the time of day of the transition.
    ///   - year: The year.
    private static func time(of day: Day, in year: Int) -> Int64 {
      func days(_ month: Int) -> Int {
        month > 12
          ? CalendarDay(year: year + 1, month: 1, day: 1).daysSince1970
          : CalendarDay(year: year, month: month, day: 1).daysSince1970
      }
      let number: Int
      switch day.form {
      case .julian(let day):
        number = days(1) + day - 1 + (day >= 60 && days(3) - days(1) == 60 ? 1 : 0)
      case .ordinal(let day): number = days(1) + day
      case .weekday(let weekday, let week, let month):
        // January 1, 1970 was a Thursday.
        let first = ((days(month) + 4) % 7 + 7) % 7
        var found = days(month) + (weekday - first + 7) % 7 + (week - 1) * 7
        if found >= days(month + 1) { found -= 7 }
        number = found
      }
      return Int64(number * 86_400 + day.seconds)
    }
  }

  /// A parser of the rule at the end of a file.
  private struct RuleParser {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) {
      self.text = text
    }

    var isAtEnd: Bool { position == text.count }
    var isAtComma: Bool { next == UInt8(ascii: ",") }
    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func consume(_ mark: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: mark) else { return false }
      position += 1
      return true
    }

    /// Skips the abbreviation of a time zone, which consists of letters or is enclosed in angle
    /// brackets. Returns false if there is none.
    mutating func skipName() -> Bool {
      let start = position
      if consume("<") {
        while let next, next != UInt8(ascii: ">") { position += 1 }
        return consume(">")
      }
      while let next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20 { position += 1 }
      return position > start
    }

    private mutating func number(upTo limit: Int) -> Int? {
      let start = position
      var number = 0
      while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next, number <= limit {
        number = number * 10 + Int(next - 48)
        position += 1
      }
      return position > start && number <= limit ? number : nil
    }

    /// Parses a duration such as `-3:30`: hours, with an optional sign, minutes and seconds.
    /// Returns the number of seconds, or nil if the text is invalid.
    mutating func seconds() -> Int? {
      let isNegative = consume("-")
      if !isNegative { _ = consume("+") }
      guard var seconds = number(upTo: 167).map({ $0 * 3_600 }) else { return nil }
      for unit in [60, 1] where consume(":") {
        guard let part = number(upTo: 59) else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Parses a comma, a day and an optional time of day. For example, `,M3.5.0/3` means 3:00 on
    /// the last Sunday of March. Returns nil if the text is invalid.
    mutating func day() -> Rule.Day? {
      guard consume(",") else { return nil }
      let form: Rule.Day.Form
      if consume("M") {
        guard let month = number(upTo: 12), month > 0, consume("."), let week = number(upTo: 5),
          week > 0, consume("."), let weekday = number(upTo: 6)
        else { return nil }
        form = .weekday(weekday, week: week, month: month)
      } else if consume("J") {
        guard let day = number(upTo: 365), day > 0 else { return nil }
        form = .julian(day)
      } else {
        guard let day = number(upTo: 365) else { return nil }
        form = .ordinal(day)
      }
      guard consume("/") else { return Rule.Day(form: form, seconds: 7_200) }
      return seconds().map { Rule.Day(form: form, seconds: $0) }
    }
  }
}
