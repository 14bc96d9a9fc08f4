#define _GNU_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

_Static_assert(harness_new_session == POSIX_SPAWN_SETSID, "the flag for a new session");

int harness_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC);
}

int harness_add_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int harness_close_other_files(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int harness_open_terminal(int columns, char *path, size_t size) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return -1;
  struct winsize window = {.ws_row = 24, .ws_col = (unsigned short)columns};
  struct termios modes;
  if (grantpt(terminal) != 0 || unlockpt(terminal) != 0 || ptsname_r(terminal, path, size) != 0 ||
      ioctl(terminal, TIOCSWINSZ, &window) != 0 || tcgetattr(terminal, &modes) != 0) {
    close(terminal);
    return -1;
  }
  modes.c_oflag &= ~(tcflag_t)OPOST;  // do not translate newlines to CRLF
  if (tcsetattr(terminal, TCSANOW, &modes) != 0) {
    close(terminal);
    return -1;
  }
  return terminal;
}
