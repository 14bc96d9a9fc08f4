import DataModel

/// A folder to which `get --content FIELD --into FOLDER` writes the contents of a file field. The
/// name of each file is the percent-encoded id of its record. ASCII letters, digits, `-` and `_`
/// are not encoded. A dot is encoded only at the beginning.
package struct ContentFolder {
  private let path: String
  private let files: any CommandFiles

  /// Opens the folder, and creates it if it does not exist.
  init(_ path: String, in files: any CommandFiles) throws(DataError) {
    try files.makeFolder(path)
    self.path = path
    self.files = files
  }

  /// Creates a file for the content of a record. When the new file is published, it replaces any
  /// existing file or symbolic link with the same name.
  func file(ofRecord id: String) throws(DataError) -> PublishedOutput {
    try files.output(Self.name(of: id), in: path)
  }

  /// Flushes the published files to the disk.
  func sync() throws(DataError) { try files.sync(path) }

  package static func name(of id: String) -> String {
    var name = ""
    for byte in id.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !name.isEmpty: name += "."
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        name += (byte < 16 ? "%0" : "%") + digits
      }
    }
    return name
  }
}
