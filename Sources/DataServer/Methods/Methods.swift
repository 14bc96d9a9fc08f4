internal import DataAPI
package import DataModel
internal import JSONText
internal import Platform
internal import Synchronization

/// The methods of a server: programs in a folder, which requests can call (`--methods`).
package final class Methods: Sendable {
  /// The access rules and the time limit of a method.
  struct Declaration: Sendable {
    /// The access rules. At least one of them must grant access to the caller, unless the caller is
    /// an administrator.
    var rules: [AccessRule] = []
    /// The time after which the program is ended, in seconds.
    var seconds = 25
  }

  /// The maximum number of programs that run as methods at once.
  private static let limit = 4
  private static let maxSeconds = 3_600

  private let folder: String
  private let userID: UInt32
  /// The environment variables that every method gets.
  let environment: [String: String]
  private let running = Mutex(0)

  /// Checks the folder and its `methods.json`.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - userID: The id of the user under which the server runs. Only files of this user and of
  ///     root are executed.
  ///   - environment: The environment variables of all methods.
  package init(
    in folder: String, userID: UInt32, environment: [String: String]
  ) throws(DataError) {
    self.folder = folder
    self.userID = userID
    self.environment = environment
    let status: FileStatus
    do throws(SystemCallError) {
      status = try FileStatus(folder)
    } catch {
      throw DataError(
        Problem(error.isMissing ? .fileNotFound : .fileFailed, error.text, file: folder))
    }
    guard status.kind == .folder else {
      throw DataError(Problem(.fileFailed, "not a folder", file: folder))
    }
    guard isTrusted(status) else {
      throw DataError(
        Problem(
          .fileFailed, "other users can change the folder of methods",
          hint: "make it belong to the user of the server or root, and set its mode to 755",
          file: folder))
    }
    _ = try declarations()
  }

  /// Returns the path and the declaration of the method with the given name.
  func method(_ name: String) throws(DataError) -> (path: String, declaration: Declaration) {
    let path = "\(folder)/\(name)"
    guard MethodName.isValid(name), let status = try? FileStatus(ofLink: path),
      status.kind == .regular, status.permissions & 0o111 != 0
    else {
      throw DataError(.notFound, "there is no method \(Excerpt.quoted(name))")
    }
    guard isTrusted(status) else {
      throw DataError(.failed, "other users can change the method \(name)")
    }
    do throws(DataError) {
      return (path, try declarations()[name] ?? Declaration())
    } catch {
      // The caller cannot correct the file.
      throw DataError(.failed, "methods.json: \(error.problems[0].message)")
    }
  }

  /// Returns warnings about files in the folder that seem to be methods but cannot be called, and
  /// about declared methods that have no file.
  ///
  /// - Parameter names: The names of the files in the folder.
  package func problems(of names: [String]) throws(DataError) -> [String] {
    var problems: [String] = []
    for name in names.sorted() where name != "methods.json" {
      let path = "\(folder)/\(name)"
      guard let status = try? FileStatus(ofLink: path) else { continue }
      let isExecutable = status.kind == .regular && status.permissions & 0o111 != 0
      if !MethodName.isValid(name) {
        guard isExecutable else { continue }
        problems.append(
          "\(path): not a method: a name consists of lowercase letters, digits and _")
      } else if !isExecutable {
        problems.append("\(path): not a method: the file is not executable, or is a link")
      } else if !isTrusted(status) {
        problems.append("\(path): other users can change the file, so calls fail")
      }
    }
    for name in try declarations().keys.sorted() where !names.contains(name) {
      problems.append("\(folder)/methods.json: there is no file \(name)")
    }
    return problems
  }

  /// Calls a closure that runs a method. Throws an error if too many methods are running.
  func limitingCalls<Result>(_ body: () async throws -> Result) async throws -> Result {
    let isFree = running.withLock { running in
      guard running < Self.limit else { return false }
      running += 1
      return true
    }
    guard isFree else { throw HTTPError(503, .storeBusy, "too many methods are running") }
    defer { running.withLock { $0 -= 1 } }
    return try await body()
  }

  /// Reads `methods.json`. Methods that are not declared there can be called only by
  /// administrators.
  private func declarations() throws(DataError) -> [String: Declaration] {
    let path = "\(folder)/methods.json"
    var text: [UInt8] = []
    let status: FileStatus
    do throws(SystemCallError) {
      let file = try OpenFile(path, for: .reading)
      status = try FileStatus(of: file.descriptor)
      while try Descriptor.readBytes(file.descriptor, into: &text, atMost: 64 << 10) > 0,
        text.count <= 1 << 20
      {}
    } catch {
      if error.isMissing { return [:] }
      throw DataError(Problem(.fileFailed, error.text, file: path))
    }
    guard isTrusted(status) else { throw Self.invalid("other users can change the file") }
    guard text.count <= 1 << 20 else { throw Self.invalid("the file is larger than 1 MB") }
    guard let value = try? JSONValue(parsing: text.span), case .object(let methods) = value else {
      throw Self.invalid("expected a JSON object with an object for each method")
    }
    var declarations: [String: Declaration] = [:]
    for method in methods {
      guard MethodName.isValid(method.name), case .object(let members) = method.value else {
        throw Self.invalid(
          "\(Excerpt.quoted(method.name)): expected the name of a method and an object")
      }
      declarations[method.name] = try Self.declaration(members, of: method.name)
    }
    return declarations
  }

  private static func declaration(
    _ members: [JSONValue.Member], of name: String
  ) throws(DataError) -> Declaration {
    var declaration = Declaration()
    for member in members {
      switch member.name {
      case "access": declaration.rules = try rules(member.value)
      case "seconds":
        guard case .number(let number) = member.value, let seconds = number.integer,
          (1...maxSeconds).contains(Int(seconds))
        else {
          throw invalid("\(name).seconds: expected a whole number from 1 to \(maxSeconds)")
        }
        declaration.seconds = Int(seconds)
      default:
        throw invalid(
          "\(name): expected the keys access and seconds, found \(Excerpt.quoted(member.name))")
      }
    }
    return declaration
  }

  private static func rules(_ value: JSONValue) throws(DataError) -> [AccessRule] {
    let values = if case .array(let elements) = value { elements } else { [value] }
    var rules: [AccessRule] = []
    for value in values {
      guard case .text(let text) = value else {
        throw invalid("access: expected anyone, users, role:NAME, or a list of these")
      }
      let rule = AccessRule(text: text)
      if let problem = rule.wordProblem { throw invalid("access: \(problem)") }
      rules.append(rule)
    }
    return rules
  }

  private static func invalid(_ message: String) -> DataError {
    DataError(Problem(.invalidConfiguration, message, file: "methods.json"))
  }

  /// Returns whether a file can be changed only by root and by the user under which the server
  /// runs.
  private func isTrusted(_ status: FileStatus) -> Bool {
    [0, userID].contains(status.owner) && status.permissions & 0o022 == 0
  }
}
