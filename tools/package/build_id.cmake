# Writes OUTPUT, which gives a hash of the files that LIST names, one on a line, unless it has that already.
# Called as cmake -DLIST=… -DOUTPUT=… -P build_id.cmake
file(STRINGS ${LIST} files)
set(all "")
foreach(file IN LISTS files)
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 16 id)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#include "base/build_id.hpp"

namespace kakehashi {

std::string_view build_id() {
  return "@id@";
}

} // namespace kakehashi
]])
