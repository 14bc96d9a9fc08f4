import CPostgres

extension Connection {
  /// Installs a notice receiver with `PQsetNoticeReceiver`, so that libpq prints no notices to
  /// stderr. A notice that announces the end of the connection is stored.
  func hearNotices() {
    // The pointer stays valid: `deinit` closes the libpq connection, and with it the receiver,
    // before the object is freed.
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

  /// Whether the server still keeps a connection open that was idle.
  var isHeld: Bool {
    while isSound, ending == nil {
      let wake = unsafe Platform.wait(
        at: library.socket(handle), for: .reading, alarm: nil, seconds: 0)
      if wake == .timeout { return true }
      guard unsafe library.consumeInput(handle) == 1 else { return false }
      // libpq calls the notice receiver while it parses the input, which `PQisBusy` makes it do.
      _ = unsafe library.isBusy(handle)
    }
    return false
  }
}
