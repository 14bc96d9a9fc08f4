import Foundation

/// Returns the text of a file in `Tests/Golden`.
package func goldenText(_ name: String) -> String {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  let path = tests.appending(path: "Golden/\(name)").path
  guard let bytes = FileManager.default.contents(atPath: path) else {
    preconditionFailure("cannot read \(path)")
  }
  return String(decoding: bytes, as: UTF8.self)
}
