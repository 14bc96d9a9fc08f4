import DataModel
import JSONText
import Platform

/// The last member of a dump, `manifest.json`: a line with the properties of the dump, and a line
/// with the size and the SHA-256 of each other member.
///
/// The lines are collected while the members are written or read. Few are kept in memory, and many
/// in a temporary file.
struct DumpManifest {
  static let name = "manifest.json"
  /// The format of the dumps that this version writes and reads.
  static let format: Int64 = 1
  /// The text after the lines of the members.
  static let end = Array("\n]}\n".utf8)

  /// The text of the lines of the members.
  private(set) var lines = SpooledBytes(inMemory: 1 << 20)

  /// Adds a member.
  mutating func add(_ member: TarHeader, sha256: String) throws(DataError) {
    let comma = lines.count == 0 ? "" : ",\n"
    // No name needs escapes.
    let line = #"\#(comma){"name":"\#(member.name)","bytes":\#(member.size),"sha256":"\#(sha256)"}"#
    try Self.converting { () throws(TempFileError) in try lines.append(line.utf8.span) }
  }

  /// Reads a piece of the lines that begins at an offset.
  func piece(at offset: Int) throws(DataError) -> [UInt8] {
    var piece: [UInt8] = []
    try Self.converting { () throws(TempFileError) in
      _ = try lines.read(at: offset, into: &piece, atMost: 64 << 10)
    }
    return piece
  }

  private static func converting(_ body: () throws(TempFileError) -> Void) throws(DataError) {
    do throws(TempFileError) {
      try body()
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  /// The properties of a dump.
  struct Head: Hashable {
    var program = "datactl \(Client.version)"
    /// The id of the store, or nil if the store was made by a version that gave it none.
    var store: String?
    /// The time of the newest change of a record, or nil if there are no records.
    var newestChange: Timestamp?

    /// The first line of the manifest.
    var text: [UInt8] {
      var text = Array("{\"format\":\(DumpManifest.format),\"program\":".utf8)
      JSONQuote.append(program.utf8.span, to: &text)
      let members = [("store", store), ("newest_change", newestChange.map { "\($0)" })]
      for (name, value) in members {
        text += Array(",\"\(name)\":\(value.map { "\"\($0)\"" } ?? "null")".utf8)
      }
      return text + Array(",\"members\":[\n".utf8)
    }
  }
}
