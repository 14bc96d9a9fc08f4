internal import DataModel
internal import Platform
internal import RecordText

/// Text that is collected before it is read: a little in memory, and much in a temporary file.
package struct SpooledText: ByteSource {
  private(set) var bytes = SpooledBytes()
  private var position = 0

  package init() {}

  package mutating func append(_ text: [UInt8]) throws(DataError) {
    do throws(TempFileError) {
      try bytes.append(text.span)
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  package mutating func read(
    into buffer: inout [UInt8], atMost count: Int
  ) throws(DataError) -> Int {
    do throws(TempFileError) {
      let read = try bytes.read(at: position, into: &buffer, atMost: min(count, bytes.count))
      position += read
      return read
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }
}
