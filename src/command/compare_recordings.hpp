// Two recordings → the recorded times of their calls, side by side.
#pragma once

#include "command/shell/streams.hpp"
#include "input/scenario/words.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// Whether the words mean recordings: several of them are folders.
bool are_recordings(const std::vector<std::string>& files);

// `part` is the part of both that is compared.
int compare_recordings(const std::vector<std::string>& folders, const ReplayPartWords& part, const std::string& format,
                       const Streams& streams);

} // namespace kakehashi
