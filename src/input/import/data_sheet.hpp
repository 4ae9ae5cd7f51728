// What people read off a data sheet, as options of a command line → a node.
#pragma once

#include "base/error.hpp"
#include "input/import/format.hpp"

#include <string>

namespace kakehashi {

// Empty texts and 0: not stated.
struct DataSheet {
  int sockets = 0;
  int cores = 0;         // of a socket
  std::string processor; // its name, which tells its family
  std::string memory;    // of a socket: channels and MT/s, "8x3200"
  std::string cache;     // of a socket, "256 MiB"

  bool states_any() const;
};

// Errors: a text has another form. What is left out follows from the processor's family, or is assumed.
Result<Imported> read_data_sheet(const DataSheet& sheet);

} // namespace kakehashi
