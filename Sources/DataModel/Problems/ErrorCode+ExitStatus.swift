/// The exit statuses of errors, and the statuses of HTTP responses that are derived from them.
extension ErrorCode {
  /// The exit status of a command that fails with this error. If a signal stopped the command, the
  /// exit status of the signal is used instead.
  package var exitStatus: Int32 {
    switch self {
    case .findings, .stopped, .declined, .outputFailed, .failed: 1
    case .usage: 2
    case .notFound, .schemaNotFound, .fileNotFound: 3
    case .notLoggedIn, .wrongLogin, .throttled, .forbidden: 4
    case .exists, .changed, .checkFailed, .notUnique, .referenced, .incompatibleData, .loss,
      .schemaChanged:
      5
    case .invalid, .syntax, .unknownField, .danglingReference, .invalidSchema,
      .invalidConfiguration:
      6
    case .storeNotFound, .storeUnreachable, .outcomeUnknown, .notAStore, .storeTooNew,
      .unfinishedCopy, .storeDamaged, .storeBusy, .storeReadOnly, .storeFull, .fileFailed:
      7
    case .libraryMissing: 1
    case .interrupted: 130
    }
  }

  /// The status of the HTTP response to a request that fails with this error. The exit status
  /// usually determines it, but some errors have their own HTTP status, such as 429 for
  /// `throttled`.
  package var httpStatus: Int {
    switch exitStatus {
    case 2: 400
    case 3: 404
    case 4: self == .throttled ? 429 : self == .forbidden ? 403 : 401
    case 5: 409
    case 6: 422
    case 7: isTemporary ? 503 : 500
    case 130: 503
    default: 500
    }
  }

  /// Creates the error code for the status of a response that has no problem document. Returns nil
  /// if the request was successful.
  package init?(httpStatus status: Int) {
    switch status {
    case ..<300: return nil
    case 400, 405, 406, 415: self = .usage
    case 404, 410: self = .notFound
    case 401: self = .notLoggedIn
    case 403: self = .forbidden
    case 409, 412: self = .changed
    case 413, 422: self = .invalid
    case 502...504: self = .storeUnreachable
    default: self = .failed
    }
  }

  /// Whether the same request can succeed later. If the outcome is unknown, it must have the same
  /// idempotency key.
  package var isTemporary: Bool {
    [.storeBusy, .storeUnreachable, .outcomeUnknown, .interrupted, .throttled].contains(self)
  }

  /// Whether the message of the error may contain details of the server that clients must not see.
  /// The message is then written to the log, and the response contains the id of the request
  /// instead.
  package var isInternal: Bool { exitStatus == 1 || exitStatus == 7 && !isTemporary }
}
