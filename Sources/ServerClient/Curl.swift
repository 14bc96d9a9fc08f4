internal import CCurl
package import DataModel
internal import Platform

/// The functions of libcurl. The library is loaded with `dlopen` when a store on a server is used.
@safe package struct Curl: Sendable {
  #if canImport(Darwin)
    package static let fileNames = ["libcurl.4.dylib"]
  #else
    package static let fileNames = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// The addresses of libcurl's variadic functions. Swift cannot call such functions, so C
  /// functions of the module `CCurl` call them.
  private let setOption: UInt
  private let information: UInt

  let newEasy: datactl_curl_easy_init
  let freeEasy: datactl_curl_easy_function
  let describe: datactl_curl_easy_strerror
  let appendToList: datactl_curl_list_append
  let freeList: datactl_curl_list_free
  let newMulti: datactl_curl_multi_init
  let freeMulti: datactl_curl_multi_cleanup
  let add: datactl_curl_multi_handle
  let remove: datactl_curl_multi_handle
  let perform: datactl_curl_multi_perform
  let poll: datactl_curl_multi_poll
  let nextMessage: datactl_curl_multi_read

  /// Opens the first library in `fileNames` that is installed. It stays open for the lifetime of
  /// the process. If none is installed, throws an error that contains the name of the package to
  /// install.
  package init(fileNames: [String] = Curl.fileNames) throws(DataError) {
    let library = try Self.library(fileNames)
    try self.init(library)
    library.keepOpen()
  }

  private init(_ library: borrowing DynamicLibrary) throws(DataError) {
    func find<Function>(_ name: String) throws(DataError) -> Function {
      guard let address = unsafe library.address(of: name) else {
        throw DataError(
          .libraryMissing, "this libcurl is too old: \(name) is missing",
          hint: "install the package libcurl4")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    let initialize: datactl_curl_global_init = try find("curl_global_init")
    let setOption: datactl_curl_easy_setopt = unsafe try find("curl_easy_setopt")
    let information: datactl_curl_easy_getinfo = unsafe try find("curl_easy_getinfo")
    self.setOption = UInt(bitPattern: setOption)
    self.information = UInt(bitPattern: information)
    unsafe newEasy = try find("curl_easy_init")
    unsafe freeEasy = try find("curl_easy_cleanup")
    unsafe describe = try find("curl_easy_strerror")
    unsafe appendToList = try find("curl_slist_append")
    unsafe freeList = try find("curl_slist_free_all")
    unsafe newMulti = try find("curl_multi_init")
    unsafe freeMulti = try find("curl_multi_cleanup")
    unsafe add = try find("curl_multi_add_handle")
    unsafe remove = try find("curl_multi_remove_handle")
    unsafe perform = try find("curl_multi_perform")
    unsafe poll = try find("curl_multi_poll")
    unsafe nextMessage = try find("curl_multi_info_read")
    guard initialize(Int(datactl_curl_global_default)) == datactl_curl_ok else {
      throw DataError(.failed, "libcurl cannot be initialized")
    }
  }

  private static func library(_ fileNames: [String]) throws(DataError) -> DynamicLibrary {
    for fileName in fileNames {
      do throws(DynamicLibrary.LoadError) {
        return try DynamicLibrary(fileName, binding: .lazy)
      } catch {
        guard error.isMissing else {
          throw DataError(
            .failed, "stores on servers require libcurl, which cannot be loaded: \(error.text)")
        }
      }
    }
    throw DataError(
      .libraryMissing, "stores on servers require libcurl, which is not installed",
      hint: "install the package libcurl4")
  }
}

/// The options of a transfer (`curl_easy_setopt`). An option that this libcurl does not know is
/// ignored.
extension Curl {
  private var set: datactl_curl_easy_setopt? {
    unsafe datactl_curl_easy_setopt(bitPattern: setOption)
  }

  func set(_ option: Int, _ number: Int, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_number(set, easy, Int32(option), number)
  }

  func set(_ option: Int, offset: Int, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_offset(set, easy, Int32(option), Int64(offset))
  }

  /// Sets an option to a text, which libcurl copies.
  func set(_ option: Int, _ text: String, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe text.withCString { text in
      unsafe datactl_curl_set_pointer(set, easy, Int32(option), text)
    }
  }

  func set(_ option: Int, _ pointer: UnsafeRawPointer?, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_pointer(set, easy, Int32(option), pointer)
  }

  func set(_ option: Int, _ function: datactl_curl_transfer, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_transfer(set, easy, Int32(option), function)
  }

  func set(seek function: datactl_curl_seek, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_seek(set, easy, function)
  }

  /// Returns the status of the response, or 0 if there is none.
  func status(of easy: OpaquePointer) -> Int {
    guard let get = unsafe datactl_curl_easy_getinfo(bitPattern: information) else { return 0 }
    return unsafe datactl_curl_status(get, easy)
  }
}
