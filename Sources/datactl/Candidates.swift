import CommandSyntax
import DataClient
import DataModel
import DataStore

/// Looks up completion candidates for the shell scripts.
struct Candidates {
  let description: ProgramDescription
  let invocation: Invocation

  /// Prints the candidates for a position in a command line. Lookup errors are ignored: a
  /// completion script must not print them.
  func print(for line: CompletionLine) async throws {
    let completion = description.completion(of: line)
    var answers: [Candidate] = []
    if let question = completion.question {
      answers = (try? await self.answers(to: question)) ?? []
    }
    try invocation.console.output.write(completion.text(answers: answers))
  }

  private func answers(to question: Completion.Question) async throws -> [Candidate] {
    switch question {
    case .schemas:
      return try await client().schemas().map { Candidate($0.name, $0.doc ?? "") }
    case .fields(let name, let path, let purpose):
      let schema = try await catalog().schema(name, behind: path)
      return schema.printedSlots.filter { schema.takes($0, for: purpose) }
        .map { schema.candidate($0) }
    case .relations(let name, let path):
      let catalog = try await catalog()
      let schema = try catalog.schema(name, behind: path)
      return schema.printedSlots.filter { catalog.hop($0, of: schema) != nil }
        .map { schema.candidate($0) }
    case .stores:
      let project = try ProjectFile.nearest(in: invocation.surroundings)
      return project?.stores.map { Candidate($0.name) } ?? []
    case .functions:
      var functions: [Candidate] = []
      for try await function in try await client().list(Schema.function.name) {
        let name = try function.value("function_name", as: String.self)
        functions.append(Candidate(function.id, name ?? ""))
      }
      return functions
    case .files, .folders:
      return []
    }
  }

  private func catalog() async throws -> Catalog {
    try await client().store.catalog().catalog
  }

  private func client() async throws -> Client {
    try await invocation.open(for: .reading)
  }
}

extension Schema {
  /// Returns whether a field is suitable for a purpose.
  fileprivate func takes(_ slot: Int, for purpose: FieldPurpose?) -> Bool {
    let type = self.type(of: slot)
    return switch purpose {
    case nil: true
    case .order: type.isOrdered
    case .adding: type == .integer || type == .number
    case .sections: type == .id || type == .text || type.relation?.isMany == false
    case .identifying: slot == keySlot || slot < fields.count && fields[slot].isUnique
    }
  }

  fileprivate func candidate(_ slot: Int) -> Candidate {
    Candidate(name(of: slot), type(of: slot).name)
  }
}

extension Catalog {
  /// Returns the schema that a path of relations leads to, starting from the named schema.
  fileprivate func schema(_ name: String, behind path: [String]) throws(DataError) -> Schema {
    var schema = try schema(name)
    for name in path {
      guard let slot = schema.slot(named: name), let (_, target) = hop(slot, of: schema) else {
        throw DataError(.usage, "not a relation of \(schema.name): \(Excerpt.visible(name))")
      }
      schema = target
    }
    return schema
  }
}
