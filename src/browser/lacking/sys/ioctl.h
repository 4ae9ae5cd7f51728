// A page is no terminal, so its width is never asked for.
#pragma once

#include_next <sys/ioctl.h>

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
};
#define TIOCGWINSZ 0x5413
