package import DataModel

/// How far changes have come on their way to where they last.
package enum CommitStage: Sendable {
  /// They are being made durable: nothing stops them any more, and nobody knows yet whether they
  /// stand.
  case underWay
  /// They stand.
  case done
  /// They were refused, and are taken back.
  case refused
}

/// Hears of each commit of a store as it happens, so that whoever has to end in the midst of one can
/// tell the truth about it.
package typealias CommitListener = @Sendable (CommitStage) -> Void

extension CommitStage {
  /// Lets somebody hear of a commit while it is carried out, which fails only if nothing of it stands.
  package static func hear(
    _ listener: CommitListener?, _ commit: () throws(DataError) -> Void
  ) throws(DataError) {
    listener?(.underWay)
    do throws(DataError) {
      try commit()
    } catch {
      listener?(.refused)
      throw error
    }
    listener?(.done)
  }
}
