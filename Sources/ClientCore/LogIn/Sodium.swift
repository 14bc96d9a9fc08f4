internal import CSodium
internal import Platform

/// The libsodium library. It is loaded with `dlopen` only when a password is hashed or verified, so
/// that datactl works without it if there are no passwords.
@safe package struct Sodium: ~Copyable {
  #if canImport(Darwin)
    package static let fileName = "libsodium.dylib"
  #else
    package static let fileName = "libsodium.so.23"
  #endif

  /// The version of the library, or nil if it cannot be opened.
  static var version: String? {
    DynamicLibrary.version(of: [fileName], from: "sodium_version_string")
  }

  private static let optional = OptionalLibrary(
    "libsodium", use: "passwords require", package: "libsodium23")

  private let library: DynamicLibrary

  /// Loads the library and calls `sodium_init`.
  ///
  /// - Throws: An error if the library cannot be loaded or initialized. If it cannot be loaded, the
  ///   error contains the name of the package to install.
  init(fileName: String = Sodium.fileName) throws(DataError) {
    let library: DynamicLibrary
    do throws(DynamicLibrary.LoadError) {
      library = try DynamicLibrary([fileName], binding: .immediate)
    } catch {
      throw Self.error(error)
    }
    guard let initialize: datactl_sodium_init = try? library.find("sodium_init"),
      initialize() >= 0
    else { throw DataError(.failed, "libsodium cannot be initialized") }
    self.library = library
  }

  /// Returns an argon2id hash of a password with a random salt (`crypto_pwhash_str`).
  func hash(_ password: Span<UInt8>) throws(DataError) -> String {
    let hashPassword = try unsafe function(
      "crypto_pwhash_str", as: datactl_sodium_pwhash_str.self)
    var text = [CChar](repeating: 0, count: datactl_sodium_hash_bytes)
    let status = unsafe password.withUnsafeBytes { bytes in
      unsafe hashPassword(
        &text, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
        UInt64(bytes.count), UInt64(datactl_sodium_interactive_operations),
        datactl_sodium_interactive_memory)
    }
    guard status == 0 else { throw Self.outOfMemory }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns whether a password matches a hash (`crypto_pwhash_str_verify`).
  func verify(_ password: Span<UInt8>, against hash: String) throws(DataError) -> Bool {
    let verifyPassword = try unsafe function(
      "crypto_pwhash_str_verify", as: datactl_sodium_pwhash_str_verify.self)
    let matches = { (bytes: UnsafeRawBufferPointer) in
      unsafe verifyPassword(
        hash, bytes.assumingMemoryBound(to: CChar.self).baseAddress, UInt64(bytes.count)) == 0
    }
    if unsafe password.withUnsafeBytes(matches) { return true }
    // The function returns the same for a wrong password and for a lack of memory, but hashing
    // fails only for a lack of memory. If hashing succeeds, there is enough memory again to verify
    // the password. A wrong password and an unknown user still take the same time.
    _ = try self.hash(password)
    return unsafe password.withUnsafeBytes(matches)
  }

  private static var outOfMemory: DataError {
    DataError(.failed, "not enough memory to hash a password: hashing takes 64 MiB")
  }

  /// Returns the function of the library with the given name.
  private func function<Function>(
    _ name: String, as type: Function.Type
  ) throws(DataError) -> Function {
    do throws(DynamicLibrary.LoadError) {
      return try library.find(name)
    } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ error: DynamicLibrary.LoadError) -> DataError {
    let (message, hint) = optional.message(error)
    return DataError(hint == nil ? .failed : .libraryMissing, message, hint: hint)
  }
}
