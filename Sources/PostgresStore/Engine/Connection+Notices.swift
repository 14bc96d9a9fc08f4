import CPostgres

extension Connection {
  /// Keeps what the server says beside its answers from standard error; what it says as it ends the
  /// connection is remembered.
  func hearNotices() {
    // The connection is there for as long as it is heard: libpq lets go of it first.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe library.setNoticeHearer(
      handle,
      { context, notice in
        guard let context = unsafe context, let notice = unsafe notice else { return }
        unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().hear(notice)
      }, context)
  }

  @unsafe
  private func hear(_ notice: datactl_pq_result_ref) {
    let complaint = unsafe complaint(of: notice)
    if complaint.endsConnection { ending = Ending(complaint) }
  }

  /// Whether the server still holds a connection that nobody has used for a while.
  var isHeld: Bool {
    while isSound, ending == nil {
      let wake = unsafe Platform.wait(
        at: library.socket(handle), for: .reading, alarm: nil, seconds: 0)
      if wake == .timeout { return true }
      guard unsafe library.consumeInput(handle) == 1 else { return false }
      // What has come is heard when it is taken apart.
      _ = unsafe library.isBusy(handle)
    }
    return false
  }
}
