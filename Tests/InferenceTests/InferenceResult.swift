import DataModel
import Inference
import RecordText
import TestSupport

/// The result of an inference: the fields, the properties and the notes.
struct InferenceResult: Equatable {
  var fields: String
  var properties: String
  var notes: [String]

  init(
    _ text: String, _ name: String = "thing", format: RecordFormat? = nil, pieceSize: Int = .max
  ) throws {
    let inferred = try schemas(text, name, format: format, pieceSize: pieceSize)[0]
    fields = inferred.schema.fields.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")
    properties = inferred.schema.properties.map { "\($0.name) \($0.field)" }
      .joined(separator: ", ")
    notes = inferred.notes
  }
}

/// Returns the inferred schemas of the records in a text.
func schemas(
  _ text: String, _ name: String = "thing", format: RecordFormat? = nil, splits: Bool = false,
  pieceSize: Int = .max
) throws -> [InferredSchema] {
  try SchemaInference(
    BytesInMemory(Array(text.utf8), pieceSize: pieceSize), schema: name, TextForm(format),
    file: InferenceFile("in"), splitting: splits ? .all : .none
  ).schemas()
}

/// Returns the type of a field inferred from JSON values, one per record, or "none".
func type(of values: String...) throws -> String {
  let text = values.map { "{\"v\":\($0)}\n" }.joined()
  let inferred = try schemas(text)[0]
  return inferred.findings[0].field?.type.name ?? "none"
}

/// Returns the type of a field inferred from CSV cells.
func column(_ cells: String...) throws -> String {
  let text = "k,v\n" + cells.map { "x,\($0)\n" }.joined()
  return try schemas(text, format: .csv)[0].findings[1].field?.type.name ?? "none"
}

/// Returns the problems of an inference as `line:column field: message`.
func inferenceProblems(_ text: [UInt8], _ name: String = "thing", format: RecordFormat? = nil)
  -> [String]
{
  do {
    _ = try SchemaInference(
      BytesInMemory(text, pieceSize: 7), schema: name, TextForm(format), file: InferenceFile("in"),
      splitting: .none
    ).schemas()
    return []
  } catch {
    return error.problems.map(ReadResult.short)
  }
}
