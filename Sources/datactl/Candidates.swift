import ClientCore
import CommandSyntax
import Conditions
import DataModel
import DataOutput
import DataStore
import Platform

/// Prints candidates for the completion of a word. The completion scripts of the shells run the
/// program to get them.
struct Candidates {
  let description: ProgramDescription
  let context: CommandContext

  /// Prints the candidates for the word that is being completed. If the store cannot be read,
  /// prints only the candidates that do not depend on it. Prints no error, because an error message
  /// would disturb the command line.
  func print(for line: CompletionLine) async throws {
    if context.served == nil, let candidates = Plugin.candidates(for: line, with: context) {
      return try context.console.output.write(candidates)
    }
    let completion = description.completion(of: line, conditions: ConditionEnd.self)
    var answers: [Candidate] = []
    if let source = completion.candidateSource {
      if source.isInStore, context.served == nil, let choice = context.storeChoice(),
        let client = context.remoteClient(of: choice)
      {
        if let text = try? RemoteCompletion(client: client).text(for: line), Self.isText(text) {
          return try context.console.output.write(text.span)
        }
      } else {
        answers = (try? await self.answers(to: source)) ?? []
      }
    }
    try context.console.output.write(completion.text(answers: answers))
  }

  /// Returns whether the response of a server is safe to print: except for tabs and newlines, which
  /// separate candidates, it contains no control characters.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
  }

  private func answers(to source: Completion.CandidateSource) async throws -> [Candidate] {
    switch source {
    case .schemas:
      return try await client().schemas().map { Candidate($0.name, $0.doc ?? "") }
    case .fields(let name, let path, let purpose, let operands):
      return try await fields(of: name, following: path, for: purpose, or: operands)
    case .relations(let name, let path):
      let catalog = try await catalog()
      let schema = try catalog.schema(name, following: path)
      return schema.printedSlots.filter { catalog.hop($0, of: schema) != nil }
        .map { schema.candidate($0) }
        + catalog.inverses(of: name, following: path).filter { !$0.word.contains(".") }
    case .manyRelations(let name, let path):
      let catalog = try await catalog()
      let schema = try? catalog.schema(name, following: path)
      return (schema?.printedSlots ?? []).compactMap { slot in
        schema.flatMap { catalog.hop(slot, of: $0)?.hop.isMany == true ? $0.candidate(slot) : nil }
      } + catalog.inverses(of: name, following: path)
    case .values(let name, let relations, let path, let start, let notation):
      return try await values(of: path, in: name, following: relations, from: start, notation)
    case .ids(let name, let start):
      return try await ids(of: name, from: start)
    case .groupColumns(let name, let options):
      return try await groupColumns(of: name, options)
    case .orderTerms(let name, let path, let options, let operands):
      if options.contains(where: { $0.name == "--group-by" || $0.isAggregate }) {
        return try await groupColumns(of: name, options)
      }
      return try await fields(of: name, following: path, for: .order, or: operands)
    case .timeZones:
      return TimeZoneFile.names.map { Candidate($0) }
    case .stores:
      // A server offers no names, because its project file is not the one of the client.
      guard context.served == nil else { return [] }
      let project = try ProjectFile.nearest(in: context.environment)
      return project?.stores.map { Candidate($0.name) } ?? []
    case .functions:
      return try await functions()
    case .undeclaredCommands:
      return context.served == nil ? Plugin.names(in: context.console).map { Candidate($0) } : []
    case .files, .folders:
      return []
    }
  }

  /// Returns the candidates for an operand that names a field: the fields that are suitable for a
  /// purpose, and the inverses and functions that `operands` permits in place of a field.
  private func fields(
    of name: String, following path: [String], for purpose: FieldPurpose?,
    or operands: Completion.Operands
  ) async throws -> [Candidate] {
    let catalog = try await catalog()
    var candidates: [Candidate] = []
    if let schema = try? catalog.schema(name, following: path) {
      candidates += schema.printedSlots.filter { schema.isSuitable($0, for: purpose) }
        .map { schema.candidate($0) }
    }
    if operands.contains(.inverses) {
      candidates += catalog.inverses(of: name, following: path)
    }
    if operands.contains(.functions) {
      let names =
        ScalarFunction.allCases.map(\.rawValue)
        + AggregateFunction.ofRelatedRecords.map(\.rawValue) + ["count", "distance", "coalesce"]
      candidates += names.map { Candidate($0 + "(", "a function") }
    }
    return candidates
  }

  /// Returns the known values of a field: booleans, choices, and record ids. If there are none and
  /// a condition is being completed, returns the names of fields to compare the field with.
  private func values(
    of path: [String], in name: String, following relations: [String], from start: String,
    _ notation: Completion.ValueNotation
  ) async throws -> [Candidate] {
    let catalog = try await catalog()
    let own = try catalog.schema(name, following: relations)
    let schema = try catalog.schema(own.name, following: path.dropLast())
    guard let slot = path.last.flatMap(schema.slot(named:)) else { return [] }
    let isField = slot < schema.fields.count
    var texts = isField ? schema.fields[slot].listedValues : []
    if slot == schema.keySlot {
      texts = try await ids(of: schema.name, from: start).map(\.word)
    } else if let (hop, target) = catalog.hop(slot, of: schema), !hop.isMany {
      texts = try await ids(of: target.name, from: start).map(\.word)
    }
    switch notation {
    case .word: return texts.map { Candidate($0) }
    case .condition:
      let isQuoted = schema.type(of: slot).descriptor.textForm != .bare
      let values = texts.map { text in
        Candidate(isQuoted ? Self.quoted(text) : text)
      }
      guard values.isEmpty else { return values }
      return own.printedSlots.map { own.candidate($0) }
    }
  }

  /// Returns a string in single quotation marks, as conditions require.
  private static func quoted(_ text: String) -> String {
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "''") + "'"
  }

  /// The maximum number of record ids that are offered.
  private static let maxIDs = 50

  private func ids(of name: String, from start: String) async throws -> [Candidate] {
    let client = try await client()
    let key = try await client.store.catalog().catalog.schema(name).key.name
    let input = QueryInput(
      name, conditions: start.isEmpty ? [] : ["\(key) >= \(Self.quoted(start))"], order: key,
      limit: Self.maxIDs)
    let query = try await client.check(input, from: client.store)
    let slot = query.schema.keySlot
    let stream = try await client.store.records(query.query(slots: [slot]))
    var memory = Rows(width: query.schema.width)
    var candidates: [Candidate] = []
    while let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count { candidates.append(Candidate(rows.text(rows[row, slot]))) }
      memory = rows
    }
    return candidates
  }

  /// Returns the columns that `list` would print with the grouping options that have been typed, or
  /// an empty array if these options do not group the records.
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - options: The options that have been typed.
  private func groupColumns(of name: String, _ options: [GivenOption]) async throws -> [Candidate] {
    let client = try await client()
    let query = try await client.check(QueryInput(name), from: client.store)
    let groups = GroupingOptions(
      keys: options.last { $0.name == "--group-by" }?.value,
      aggregates: options.compactMap { option in
        option.aggregate.map { AggregatedValues(function: $0, list: option.value) }
      })
    guard groups.isGrouped else { return [] }
    return try groups.query(of: query).columns(in: query.stored.catalog).map { column in
      Candidate(column.name, column.type.name)
    }
  }

  private func functions() async throws -> [Candidate] {
    let client = try await client()
    let query = try await client.check(QueryInput(Schema.function.name), from: client.store)
    let stream = try await client.store.records(query.query())
    var memory = Rows(width: query.schema.width)
    var candidates: [Candidate] = []
    while let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count {
        candidates.append(Candidate(rows.text(rows[row, 0]), rows.text(rows[row, 1])))
      }
      memory = rows
    }
    return candidates
  }

  private func catalog() async throws -> Catalog {
    try await client().store.catalog().catalog
  }

  private func client() async throws -> Client {
    try await context.open(for: .reading)
  }
}

extension Completion.CandidateSource {
  /// Whether the candidates are read from the store, in contrast to time zones or files.
  fileprivate var isInStore: Bool {
    switch self {
    case .schemas, .fields, .relations, .manyRelations, .values, .ids, .groupColumns, .orderTerms,
      .functions:
      true
    case .timeZones, .stores, .undeclaredCommands, .files, .folders: false
    }
  }
}

extension Schema {
  /// Returns whether a field can be used for a purpose, such as sorting. If the purpose is nil,
  /// returns true.
  fileprivate func isSuitable(_ slot: Int, for purpose: FieldPurpose?) -> Bool {
    let type = self.type(of: slot)
    return switch purpose {
    case nil: true
    case .order: type.isOrdered
    case .adding: type.isNumeric
    case .sections: type == .id || type == .text || type.relation?.isMany == false
    case .writing: slot < fields.count
    case .identifying: slot == keySlot || slot < fields.count && fields[slot].isUnique
    }
  }

  fileprivate func candidate(_ slot: Int) -> Candidate {
    Candidate(name(of: slot), type(of: slot).name)
  }
}

extension GivenOption {
  /// The aggregate function that the option computes, or nil if it computes none.
  fileprivate var aggregate: AggregateFunction? {
    AggregateFunction.allCases.first { "--\($0.rawValue)" == name }
  }

  fileprivate var isAggregate: Bool { aggregate != nil }
}

extension Field {
  /// The values that a boolean or choice field can have, as text. For other fields, this is empty.
  fileprivate var listedValues: [String] {
    if type == .boolean { return ["true", "false"] }
    return oneOf.map { value in if case .text(let text) = value { text } else { value.jsonText } }
  }
}

extension Catalog {
  /// Returns the schema at the end of a path of relations that begins at the named schema.
  fileprivate func schema(_ name: String, following path: some Sequence<String>) throws(DataError)
    -> Schema
  {
    var schema = try schema(name)
    var rest = Array(path)[...]
    while let name = rest.first {
      if let slot = schema.slot(named: name), let (_, target) = hop(slot, of: schema) {
        schema = target
        rest = rest.dropFirst()
      } else if let inverse = inverse(named: rest, of: schema) {
        schema = inverse.target
        rest = rest.dropFirst(inverse.nameCount)
      } else {
        throw DataError(.usage, "not a relation of \(schema.name): \(Excerpt.escaped(name))")
      }
    }
    return schema
  }

  /// Returns the names of inverses that can follow a path of relations. The name of an inverse can
  /// consist of a schema and a field, such as `town.country`. If the path ends with `town`, the
  /// first half of this name has been typed already, and the result contains the second half,
  /// `country`.
  fileprivate func inverses(of name: String, following path: [String]) -> [Candidate] {
    var names: [String] = []
    if let schema = try? schema(name, following: path) { names = inverseNames(of: schema) }
    if let last = path.last, let schema = try? schema(name, following: path.dropLast()) {
      names += inverseNames(of: schema).filter { $0.hasPrefix(last + ".") }
        .map { String($0.dropFirst(last.count + 1)) }
    }
    return names.map { Candidate($0, "an inverse relation") }
  }
}

extension ConditionEnd: IncompleteCondition {}
