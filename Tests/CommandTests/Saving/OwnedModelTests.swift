import ProgramHarness
import TestSupport
import Testing

/// A model of orders, their lines and the parts of these lines, as `list --expand` prints them.
private struct OrderModel: Equatable {
  struct Line: Equatable {
    var order: String
    var n: Int?
    var place: Int?
  }

  struct Part: Equatable {
    var line: String
    var n: Int?
  }

  /// The titles of the orders. An empty title means null.
  var titles: [String: String] = [:]
  var lines: [String: Line] = [:]
  var parts: [String: Part] = [:]
  var revisions: [String: Int] = [:]

  /// The lines of an order in the order in which they are printed.
  func lines(of order: String) -> [String] {
    lines.keys.filter { lines[$0]?.order == order }
      .sorted { (lines[$0]?.place ?? .min, $0) < (lines[$1]?.place ?? .min, $1) }
  }

  func parts(of line: String) -> [String] {
    parts.keys.filter { parts[$0]?.line == line }.sorted()
  }

  /// The fields of an order and its lines, without its revision.
  private func text(of order: String) -> String {
    let lines = lines(of: order).map { id in
      let parts = parts(of: id).map { "\($0)=\(String(describing: self.parts[$0]?.n))" }
      return "\(id) \(String(describing: self.lines[id])) \(parts)"
    }
    return "\(titles[order] ?? "") \(lines)"
  }

  /// Gives a new revision to each order that differs from that in `old`.
  mutating func countRevisions(since old: OrderModel) {
    for order in titles.keys {
      guard old.titles[order] != nil else {
        revisions[order] = 1
        continue
      }
      if text(of: order) != old.text(of: order) { revisions[order, default: 0] += 1 }
    }
    revisions = revisions.filter { titles[$0.key] != nil }
  }

  mutating func delete(line id: String) {
    lines[id] = nil
    parts = parts.filter { $0.value.line != id }
  }

  mutating func delete(order id: String) {
    titles[id] = nil
    for line in lines(of: id) { delete(line: line) }
  }

  /// The records as JSON, with sorted keys.
  var json: String {
    func text(_ number: Int?) -> String { number.map(String.init) ?? "null" }
    return titles.keys.sorted().map { order in
      let lines = lines(of: order).map { id in
        let parts = parts(of: id).map { #"{"n":\#(text(self.parts[$0]?.n)),"part_id":"\#($0)"}"# }
        return #"{"line_id":"\#(id)","n":\#(text(self.lines[id]?.n)),"parts":["#
          + #"\#(parts.joined(separator: ","))],"place":\#(text(self.lines[id]?.place))}"#
      }
      let title = titles[order].flatMap { $0.isEmpty ? nil : "\"\($0)\"" } ?? "null"
      return #"{"lines":[\#(lines.joined(separator: ","))],"ord_id":"\#(order)","#
        + #""revision":\#(revisions[order] ?? 0),"title":\#(title)}"# + "\n"
    }.joined()
  }
}

/// A tree that is saved: an order, and its list of lines if it is given.
private struct OrderTree {
  struct Line {
    var id: String
    /// Whether the list contains only the id.
    var isLink: Bool
    var n: Int
    /// The parts of the line; nil if the line has no list of them.
    var parts: [(id: String, n: Int)]?
  }

  var id: String
  var title: String?
  var lines: [Line]?

  init(_ id: String, _ random: inout SeededRandom) {
    self.id = id
    title = random.chance(40) ? "t\(random.number(0...3))" : nil
    guard random.chance(85) else { return }
    lines = (0..<random.number(0...4)).map { _ in
      let parts = (0..<random.number(0...2)).map { _ in
        (id: "p\(random.number(0...5))", n: random.number(0...2))
      }
      return Line(
        id: "l\(random.number(0...7))", isLink: random.chance(30), n: random.number(0...2),
        parts: random.chance(50) ? parts : nil)
    }
  }

  var json: String {
    var members = [#""ord_id":"\#(id)""#]
    if let title { members.append(#""title":"\#(title)""#) }
    if let lines {
      let elements = lines.map { line in
        if line.isLink { return "\"\(line.id)\"" }
        var members = [#""line_id":"\#(line.id)","n":\#(line.n)"#]
        if let parts = line.parts {
          let list = parts.map { #"{"part_id":"\#($0.id)","n":\#($0.n)}"# }
          members.append(#""parts":[\#(list.joined(separator: ","))]"#)
        }
        return "{\(members.joined(separator: ","))}"
      }
      members.append(#""lines":[\#(elements.joined(separator: ","))]"#)
    }
    return "{\(members.joined(separator: ","))}"
  }
}

extension OrderModel {
  /// Saves trees as one. Returns false if they are rejected.
  mutating func save(_ trees: [OrderTree]) -> Bool {
    let before = self
    let listed = trees.flatMap { $0.lines ?? [] }
    let given = listed.filter { !$0.isLink }
    let listedParts = given.flatMap { $0.parts ?? [] }.map(\.id)
    guard Set(listed.map(\.id)).count == listed.count, Set(listedParts).count == listedParts.count,
      listed.allSatisfy({ !$0.isLink || before.lines[$0.id] != nil })
    else { return false }
    var removed: [String] = []
    var removedParts: [String] = []
    for tree in trees {
      titles[tree.id] = tree.title ?? before.titles[tree.id] ?? ""
      guard let list = tree.lines else { continue }
      removed += before.lines.keys.filter { before.lines[$0]?.order == tree.id }
      for line in list {
        var saved = lines[line.id] ?? Line(order: tree.id)
        saved.order = tree.id
        if !line.isLink { saved.n = line.n }
        lines[line.id] = saved
        guard let parts = line.parts, !line.isLink else { continue }
        removedParts += before.parts.keys.filter { before.parts[$0]?.line == line.id }
        for part in parts { self.parts[part.id] = Part(line: line.id, n: part.n) }
      }
      let ids = list.map(\.id)
      let keys = ids.map { (before.lines[$0]?.place ?? .min, $0) }
      guard !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
      for (index, id) in ids.enumerated() { lines[id]?.place = index + 1 }
    }
    for id in removedParts where !listedParts.contains(id) { parts[id] = nil }
    for id in removed where !listed.contains(where: { $0.id == id }) { delete(line: id) }
    return true
  }
}

@Suite("Owned lists: a model", .tags(.process, .random, .slow), .onEveryStore)
struct OwnedModelTests {
  @Test(
    "leaves the records and revisions of a model after random commands",
    arguments: Seeds.count(test: 2, all: 15).map { UInt64($0 + 1) })
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try TestFolder()
    try folder.write(
      "line.json",
      #"""
      {"schema": "line", "fields": {"line_id": {"type": "id"},
        "ord": {"type": "relation", "to": "ord", "inverse": "lines", "owned": true,
          "position": "place"}, "place": {"type": "integer"}, "n": {"type": "integer"}}}
      """#)
    try folder.prepare("schema", "create", "ord", "title:text")
    try folder.prepare("schema", "apply", "line.json")
    try folder.prepare("schema", "create", "part", "line:line:parts:owned", "n:integer")
    var model = OrderModel()
    for step in 0..<40 {
      let old = model
      let run = try command(&random, on: folder, &model)
      let isSaved = run.status == 0
      let context: Comment = "seed \(seed), step \(step): \(run.errors)"
      if model == old, !isSaved {
        #expect([3, 6].contains(run.status), context)
      } else {
        #expect(isSaved, context)
      }
      model.countRevisions(since: old)
      let list = try folder.shell(
        """
        datactl list ord --expand lines.parts -o ndjson | jq -cS '{ord_id, title, revision, lines: \
        [.lines[] | {line_id, n, place, parts: [.parts[] | {part_id, n}]}]}'
        """
      ).exits(0)
      #expect(list.output == model.json, context)
      guard list.output == model.json else { return }
    }
    let lines = try folder.run("list", "line", "--count").exits(0).output
    #expect(lines == "\(model.lines.count)\n")
    try folder.checkIntegrity()
  }

  /// Runs a random command, and changes the model as the command must change the store.
  private func command(
    _ random: inout SeededRandom, on folder: TestFolder, _ model: inout OrderModel
  ) throws -> Run {
    let order = "o\(random.number(0...3))"
    let line = "l\(random.number(0...7))"
    let n = random.number(0...2)
    switch random.number(0...9) {
    case 0:
      if model.titles[order] != nil {
        var saved = model.lines[line] ?? OrderModel.Line(order: order)
        (saved.order, saved.n) = (order, n)
        model.lines[line] = saved
      }
      return try folder.run("save", "line", line, "ord=\(order)", "n=\(n)", "-o", "none")
    case 1:
      model.delete(line: line)
      return try folder.run("delete", "line", line, "--if-exists")
    case 2:
      model.delete(order: order)
      return try folder.run("delete", "ord", order, "--if-exists")
    case 3:
      let part = "p\(random.number(0...5))"
      if model.lines[line] != nil { model.parts[part] = OrderModel.Part(line: line, n: n) }
      return try folder.run("save", "part", part, "line=\(line)", "n=\(n)", "-o", "none")
    case 4:
      let tree = OrderTree(order, &random)
      let old = model
      let deleted = "l\(random.number(0...7))"
      if model.save([tree]) { model.delete(line: deleted) } else { model = old }
      let input = """
        {"save":"ord","deep":true,"record":\(tree.json)}
        {"delete":"line","id":"\(deleted)","if_exists":true}
        """
      return try folder.run("batch", input: .text(input))
    default:
      let ids = ["o0", "o1", "o2", "o3"].shuffled(using: &random).prefix(random.number(1...3))
      let trees = ids.map { OrderTree($0, &random) }
      let old = model
      if !model.save(trees) { model = old }
      let input = trees.map { $0.json + "\n" }.joined()
      return try folder.run("save", "ord", "--deep", "-o", "none", input: .text(input))
    }
  }
}
