// Numbers from a data sheet, as options of a command line → a node, or what a node's file lacks.
#pragma once

#include "base/error.hpp"
#include "input/import/format.hpp"

#include <string>

namespace kakehashi {

// Empty texts and 0 mean: not stated.
struct DataSheet {
  int sockets = 0;
  int cores = 0;         // per socket
  std::string processor; // the processor's name, which shows its family
  std::string memory;    // per socket: channels and MT/s, "8x3200"
  std::string cache;     // per socket, "256 MiB"

  bool states_any() const;
};

// Errors: a text has another form. Missing numbers follow from the processor's family, or are assumed.
Result<Imported> read_data_sheet(const DataSheet& sheet);

// Puts what the sheet states of sockets into a node of a file, in place of what the file states. The GPUs of a node
// whose sockets are assumed are dealt to the stated number of them. Errors: also if the file has other sockets.
Errors complete(Assembly& node, const DataSheet& sheet);

} // namespace kakehashi
