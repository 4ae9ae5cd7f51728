#include "input/import/processor.hpp"

#include "input/import/assembly.hpp"

#include <fmt/format.h>
#include <regex>

namespace kakehashi {
namespace {

// Channels of 8 B and their fastest transfers. The first family that matches applies.
struct Family {
  const char* name; // a part of the processor's name
  int channels;
  double giga_transfers;
  std::string_view family;
  bool adds_quickly = false;
};
constexpr Family families[] = {
    {"E[57]-.* v4", 4, 2.4, "Xeon E5 v4"},
    {"E[57]-.* v3", 4, 2.133, "Xeon E5 v3"},
    {"E5-.* v2", 4, 1.866, "Xeon E5 v2"},
    {"E5-", 4, 1.6, "Xeon E5"},
    {"Xeon.* [XEL]5[56][0-9][0-9]", 3, 1.333, "Xeon 5500 and 5600"},
    {"(Platinum|Gold|Silver) [3-8]1", 6, 2.666, "the first generation of Xeon Scalable"},
    {"(Platinum|Gold|Silver) [3-9]2", 6, 2.933, "the second generation of Xeon Scalable"},
    {"(Platinum|Gold|Silver) [3-8]3", 8, 3.2, "the third generation of Xeon Scalable", true},
    {"(Platinum|Gold|Silver) [3-8]4", 8, 4.8, "the fourth generation of Xeon Scalable", true},
    {"(Platinum|Gold|Silver) [3-8]5", 8, 5.6, "the fifth generation of Xeon Scalable", true},
    {"EPYC 7[0-9A-Z]{2}1", 8, 2.666, "EPYC 7001"},
    {"EPYC 7[0-9A-Z]{2}[23]", 8, 3.2, "EPYC 7002 and 7003", true},
    {"EPYC 9[0-9A-Z]{2}4", 12, 4.8, "EPYC 9004", true},
    {"EPYC 9[0-9A-Z]{2}5", 12, 6.0, "EPYC 9005", true},
    {"ThunderX2|CN99", 8, 2.666, "ThunderX2"},
    {"POWER9", 8, 2.666, "POWER9"},
};

const Family* family_of(std::string_view processor) {
  const std::string name(processor.substr(0, 200));
  for (const auto& each : families)
    if (std::regex_search(name, std::regex(each.name)))
      return &each;
  return nullptr;
}

} // namespace

std::optional<Memory> memory_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family)
    return std::nullopt;
  Memory memory;
  memory.channels = family->channels;
  memory.transfers = TransfersPerSecond{family->giga_transfers * 1e9};
  memory.source = assumed(fmt::format("all memory channels of {} in use, at their fastest", family->family));
  return memory;
}

// 12 GB/s is the result of Allreduces on Xeon 8360Y and EPYC 7003; newer families are assumed to be as fast at least.
// Xeon E5 v4 and the first generation of Xeon Scalable have the usual 4 GB/s.
std::optional<MpiSettings> reduction_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family || !family->adds_quickly)
    return std::nullopt;
  MpiSettings settings;
  settings.reduction = all_kinds(SecondsPerByte{0.08e-9});
  settings.source = assumed(fmt::format("a core of {} adds 12 GB/s", family->family));
  return settings;
}

} // namespace kakehashi
