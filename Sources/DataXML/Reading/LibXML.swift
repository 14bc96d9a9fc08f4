internal import CXML
package import DataModel
internal import Platform

/// The functions of libxml2 that parse XML in pieces. The library is opened with `dlopen` when XML
/// is read, so that commands that read no XML load neither libxml2 nor its dependencies.
@safe
package struct LibXML {
  /// The file names under which the library may be installed. libxml2 2.14 has another file name,
  /// because its binary interface has changed. The functions that are used here are still the same.
  #if canImport(Darwin)
    package static let fileNames = ["libxml2.2.dylib", "libxml2.16.dylib"]
  #else
    package static let fileNames = ["libxml2.so.2", "libxml2.so.16"]
  #endif

  /// The version of the library, or nil if it cannot be opened.
  package static var version: String? {
    DynamicLibrary.version(of: fileNames) { (library) throws(DynamicLibrary.LoadError) in
      // A variable. Its text is a number, such as `20914` for 2.9.14.
      let text: UnsafePointer<UnsafePointer<CChar>> = unsafe try library.find("xmlParserVersion")
      let digits = unsafe String(cString: text.pointee).prefix { $0.isNumber }
      return Int(digits).map { "\($0 / 10_000).\($0 / 100 % 100).\($0 % 100)" }
    }
  }

  private static let library = OptionalLibrary(
    "libxml2", use: "reading XML requires", package: "libxml2")

  let create: datactl_xml_create
  let useOptions: datactl_xml_use_options
  let parse: datactl_xml_parse
  let stop: datactl_xml_parser_void
  let free: datactl_xml_parser_void
  let line: datactl_xml_line

  /// Opens the library. It stays open for the lifetime of the process.
  ///
  /// - Throws: An error that names the package to install, if the library cannot be opened.
  package init(fileNames: [String] = LibXML.fileNames) throws(DataError) {
    do throws(DynamicLibrary.LoadError) {
      let library = try DynamicLibrary(fileNames, binding: .lazy)
      try self.init(library)
      library.keepOpen()
    } catch {
      if case .functionMissing(let name) = error {
        throw DataError(
          .libraryMissing, "this libxml2 is too old: it has no function \(name)",
          hint: "install a newer version of libxml2")
      }
      let (message, hint) = Self.library.message(error)
      throw DataError(hint == nil ? .failed : .libraryMissing, message, hint: hint)
    }
  }

  private init(_ library: borrowing DynamicLibrary) throws(DynamicLibrary.LoadError) {
    unsafe create = try library.find("xmlCreatePushParserCtxt")
    unsafe useOptions = try library.find("xmlCtxtUseOptions")
    unsafe parse = try library.find("xmlParseChunk")
    unsafe stop = try library.find("xmlStopParser")
    unsafe free = try library.find("xmlFreeParserCtxt")
    unsafe line = try library.find("xmlSAX2GetLineNumber")
  }
}
