import CommandSyntax
import DataClient
import DataModel

/// Answers the scripts that complete lines in a shell.
struct Candidates {
  let description: ProgramDescription
  let invocation: Invocation

  /// Prints what can stand at a place of a line; what cannot be looked up is left out in silence.
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
    case .fields(let name):
      let schema = try await client().schema(name)
      return schema.printedSlots.map { slot in
        Candidate(schema.name(of: slot), schema.type(of: slot).name)
      }
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

  private func client() async throws -> Client {
    try await invocation.open(for: .reading)
  }
}
