import CommandSyntax
import DataClient
import DataModel
import DataStore
import DataText

/// The schemas that files declare, and whether they speak for the whole store, as a folder does.
struct DeclaredFiles: Sendable {
  var schemas: [DeclaredSchema]
  var reading: SchemaPlan.Reading
}

extension Invocation {
  /// Reads schema files and folders of them; without any, the folder of the project.
  func declaredFiles(_ paths: [String]) throws(DataError) -> DeclaredFiles {
    let places = paths.isEmpty ? [try projectFolder] : paths
    var problems: [Problem] = []
    var schemas: [DeclaredSchema] = []
    var files: [String] = []
    for place in places { files += try schemaPaths(place) }
    for path in files {
      do throws(DataError) {
        let bytes = try input(path, for: "schemas").readAll(atMost: 16 << 20)
        for draft in try SchemaFile.readAll(bytes, file: path) {
          if schemas.contains(where: { $0.schema.name == draft.name }) {
            problems.append(
              Problem(
                .invalidSchema, "declared twice", hint: "a schema stands in one file",
                schema: draft.name, file: path, line: draft.line))
          } else {
            schemas.append(try DeclaredSchema(checking: draft))
          }
        }
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    if schemas.isEmpty {
      throw DataError(
        Problem(.fileNotFound, "there is no schema file in this folder", file: places[0]))
    }
    let areFolders = places.allSatisfy(isFolder)
    return DeclaredFiles(schemas: schemas, reading: areFolders ? .ofStore : .ofSchemas)
  }

  private var projectFolder: String {
    get throws(DataError) {
      try ProjectFile.nearest(in: surroundings)?.schemaFolder ?? "schemas"
    }
  }
}

extension Input where Value == [String] {
  /// The files that declare schemas.
  static var schemaPaths: Input {
    .operands("PATH", kind: .file, "Schema files, or folders of them; `-` is standard input.")
  }

  /// The names of what may be lost.
  static var allowedLoss: Input {
    .repeatedOption(
      "--allow-loss", value: "NAME", kind: .schema,
      "Agree to lose the values of a field, `todo.note`, or the records of a schema, `todo`.")
  }
}

/// The forms in which plans, differences and the log are printed.
enum PlanFormat: String, CaseIterable, Sendable {
  case text
  case json
}

extension Input where Value == PlanFormat {
  static var planFormat: Input {
    .choice(
      "--output", letter: "o", value: "FORMAT", of: PlanFormat.allCases, default: .text,
      "How to print: for people, or for programs.")
  }
}
