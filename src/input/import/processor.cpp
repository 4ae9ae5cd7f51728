#include "input/import/known_hardware.hpp"

#include "base/text.hpp"
#include "input/import/assembly.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace kakehashi {
namespace {

// The links of a socket to others. Intel's data sheets (ark.intel.com) give transfers, of two bytes in each direction,
// and the number of links.
struct SocketLink {
  std::string_view type = "upi";
  double giga = 10.4; // transfers or, where they are no UPI or QPI, bytes of a link, in units of 1e9 per second
  int links = 1;
  std::string_view name = "UPI";
  bool has_transfers = true;
};
constexpr SocketLink qpi(double giga, int links) {
  return {"qpi", giga, links, "QPI"};
}
constexpr SocketLink upi(double giga, int links) {
  return {"upi", giga, links, "UPI"};
}
// AMD's links have 16 lanes: 18 GT/s of EPYC 7002 are 36 GB/s, 32 GT/s of EPYC 9004 are 64 GB/s (AMD, "EPYC 9004 series
// architecture overview"). Naples' 10.7 GT/s carry 18 GB/s after its headers (AMD at Hot Chips 2017).
constexpr SocketLink of_amd(double gigabytes) {
  return {"upi", gigabytes, 4, "AMD Infinity Fabric", false};
}
constexpr SocketLink x_bus{"upi", 64, 1, "POWER's X-bus", false};
// Half of the 900 GB/s of both directions (NVIDIA, "Grace CPU Superchip" data sheet).
constexpr SocketLink c2c{"upi", 450, 1, "NVLink-C2C", false};

// Channels of 8 B and their fastest transfers. The first family that matches the plain name applies.
struct Family {
  const char* pattern;
  int channels; // 0: unknown
  double giga_transfers;
  std::string_view name;
  SocketLink link;
  bool adds_quickly = false;
  bool is_whole = false; // no generation: what is known of all its generations
};
constexpr const char* x200 = "phi 72";
constexpr Family families[] = {
    {"e7-.* v[34]", 4, 2.4, "Xeon E7 v3 and v4", qpi(9.6, 3)},
    {"e7-", 0, 0, "Xeon E7", qpi(6.4, 3)},
    {"e5-.* v4", 4, 2.4, "Xeon E5 v4", qpi(9.6, 2)},
    {"e5-.* v3", 4, 2.133, "Xeon E5 v3", qpi(9.6, 2)},
    {"e5-.* v2", 4, 1.866, "Xeon E5 v2", qpi(8, 2)},
    {"e5-", 4, 1.6, "Xeon E5", qpi(8, 2)},
    {"xeon [xel]5[56]", 3, 1.333, "Xeon 5500 and 5600", qpi(6.4, 1)},
    {"xeon [xel]75", 0, 0, "Xeon 7500", qpi(6.4, 3)},
    {"max 94", 8, 4.8, "Xeon Max", upi(16, 4), true},
    {"(platinum|gold) [68]1", 6, 2.666, "the first generation of Xeon Scalable", upi(10.4, 3)},
    {"(gold|silver|bronze) [345]1", 6, 2.666, "the first generation of Xeon Scalable", upi(9.6, 2)},
    {"(platinum|gold) [689]2", 6, 2.933, "the second generation of Xeon Scalable", upi(10.4, 3)},
    {"(gold|silver|bronze) [345]2", 6, 2.933, "the second generation of Xeon Scalable", upi(9.6, 2)},
    {"(platinum|gold) [568]3[0-9]{2}hl?\\b", 6, 3.2, "Xeon Scalable H", upi(10.4, 6)},
    {"(platinum|gold) [568]3", 8, 3.2, "the third generation of Xeon Scalable", upi(11.2, 3), true},
    {"silver 43", 8, 3.2, "the third generation of Xeon Scalable", upi(10.4, 2), true},
    {"platinum 84", 8, 4.8, "the fourth generation of Xeon Scalable", upi(16, 4), true},
    {"gold [56]4", 8, 4.8, "the fourth generation of Xeon Scalable", upi(16, 3), true},
    {"silver 44", 8, 4.8, "the fourth generation of Xeon Scalable", upi(16, 2), true},
    {"platinum 85", 8, 5.6, "the fifth generation of Xeon Scalable", upi(20, 4), true},
    {"gold [56]5", 8, 5.6, "the fifth generation of Xeon Scalable", upi(20, 3), true},
    {"silver 45", 8, 5.6, "the fifth generation of Xeon Scalable", upi(16, 2), true},
    {"xeon (6 )?69[0-9]{2}p", 12, 6.4, "Xeon 6900P", upi(24, 6), true},
    {"xeon (6 )?6[57][0-9]{2}p", 8, 6.4, "Xeon 6500P and 6700P", upi(24, 4), true},
    {"xeon (6 )?67[0-9]{2}e", 8, 6.4, "Xeon 6700E", upi(16, 4), true},
    {"epyc 7[0-9a-z]{2}1", 8, 2.666, "EPYC 7001", of_amd(18)},
    {"epyc 7[0-9a-z]{2}[23]", 8, 3.2, "EPYC 7002 and 7003", of_amd(36), true},
    {"epyc 9[0-9a-z]{2}4", 12, 4.8, "EPYC 9004", of_amd(64), true},
    {"epyc 9[0-9a-z]{2}5", 12, 6.0, "EPYC 9005", of_amd(64), true},
    {"thunderx2|cn99", 8, 2.666, "ThunderX2", {}},
    {"power9", 8, 2.666, "POWER9", x_bus},
    {"grace", 8, 8.0, "Grace", c2c, true},
    {x200, 6, 2.4, "Xeon Phi x200", {}},
    {"xeon", 0, 0, "Xeon", {}, false, true},
    {"epyc", 0, 0, "EPYC from 7002 on", of_amd(36), false, true},
    {"amd|opteron", 0, 0, "AMD HyperTransport", {"upi", 12.8, 1, "AMD HyperTransport", false}, false, true},
    {"power", 0, 0, "POWER", x_bus, false, true},
};

// Cores and MiB of L3 of a socket, from ark.intel.com, AMD's product pages and NVIDIA's data sheet.
struct Model {
  std::string_view name;
  int cores;
  double mebibytes;
};
constexpr Model models[] = {
    {"Xeon E5-2670", 8, 20},
    {"Xeon E5-2680", 8, 20},
    {"Xeon E5-2680 v3", 12, 30},
    {"Xeon E5-2690 v3", 12, 30},
    {"Xeon E5-2650 v4", 12, 30},
    {"Xeon E5-2680 v4", 14, 35},
    {"Xeon E5-2690 v4", 14, 35},
    {"Xeon E5-2695 v4", 18, 45},
    {"Xeon E5-2697 v4", 18, 45},
    {"Xeon Gold 6148", 20, 27.5},
    {"Xeon Platinum 8160", 24, 33},
    {"Xeon Platinum 8168", 24, 33},
    {"Xeon Platinum 8180", 28, 38.5},
    {"Xeon Gold 6230", 20, 27.5},
    {"Xeon Gold 6248", 20, 27.5},
    {"Xeon Platinum 8268", 24, 35.75},
    {"Xeon Platinum 8280", 28, 38.5},
    {"Xeon Gold 6338", 32, 48},
    {"Xeon Platinum 8358", 32, 48},
    {"Xeon Platinum 8360Y", 36, 54},
    {"Xeon Platinum 8380", 40, 60},
    {"Xeon Platinum 8462Y+", 32, 60},
    {"Xeon Platinum 8468", 48, 105},
    {"Xeon Platinum 8470", 52, 105},
    {"Xeon Platinum 8480+", 56, 105},
    {"Xeon Max 9460", 40, 97.5},
    {"Xeon Max 9462", 32, 75},
    {"Xeon Max 9468", 48, 105},
    {"Xeon Max 9470", 52, 105},
    {"Xeon Max 9480", 56, 112.5},
    {"Xeon Platinum 8558", 48, 260},
    {"Xeon Platinum 8580", 60, 300},
    {"Xeon Platinum 8592+", 64, 320},
    {"Xeon 6787P", 86, 336},
    {"Xeon 6960P", 72, 432},
    {"Xeon 6972P", 96, 480},
    {"Xeon 6980P", 128, 504},
    {"Xeon Phi 7210", 64, 32}, // these have no L3 but 1 MiB of L2 for each two cores
    {"Xeon Phi 7230", 64, 32},
    {"Xeon Phi 7250", 68, 34},
    {"Xeon Phi 7290", 72, 36},
    {"EPYC 7551", 32, 64},
    {"EPYC 7601", 32, 64},
    {"EPYC 7402", 24, 128},
    {"EPYC 7452", 32, 128},
    {"EPYC 7702", 64, 256},
    {"EPYC 7742", 64, 256},
    {"EPYC 7543", 32, 256},
    {"EPYC 7713", 64, 256},
    {"EPYC 7763", 64, 256},
    {"EPYC 9354", 32, 256},
    {"EPYC 9374F", 32, 256},
    {"EPYC 9554", 64, 256},
    {"EPYC 9654", 96, 384},
    {"EPYC 9754", 128, 256},
    {"EPYC 9575F", 64, 256},
    {"EPYC 9755", 128, 512},
    {"EPYC 9965", 192, 384},
    {"Grace", 72, 114},
};

// "Intel(R) Xeon(R) CPU E5-2680v4 @ 2.40GHz" → "xeon e5-2680 v4".
std::string plain_name_of(std::string_view processor) {
  auto text = in_lower_case(processor.substr(0, std::min<std::size_t>(200, processor.find('@'))));
  static const std::regex marks("\\((r|tm|c)\\)"), version("(e[57]-[0-9a-z]*[0-9])(v[2-4])");
  text = std::regex_replace(std::regex_replace(text, marks, " "), version, "$1 $2");
  std::string name;
  for (const auto word : words_in(text))
    if (word != "intel" && word != "nvidia" && word != "ibm" && word != "cpu" && word != "processor" &&
        (word != "amd" || text.find("epyc") == std::string::npos) && !word.ends_with("-core"))
      name += (name.empty() ? "" : " ") + std::string(word);
  return name;
}

const Family* family_of(std::string_view processor) {
  const auto name = plain_name_of(processor);
  for (const auto& each : families)
    if (std::regex_search(name, std::regex(each.pattern)))
      return &each;
  return nullptr;
}

const Model* model_of(std::string_view processor) {
  const auto name = plain_name_of(processor);
  const auto is_it = [&](const Model& model) {
    const auto known = in_lower_case(model.name);
    return name == known || name == "xeon 6" + known.substr(std::min<std::size_t>(4, known.size())) ||
           (name.starts_with(known + " ") && !name.starts_with(known + " v"));
  };
  const auto* found = std::find_if(std::begin(models), std::end(models), is_it);
  return found == std::end(models) ? nullptr : found;
}

} // namespace

Result<std::string> known_processor(const std::string& name) {
  if (const auto* model = model_of(name))
    return std::string(model->name);
  if (const auto* family = family_of(name); family && !family->is_whole)
    return name;
  std::vector<std::string> plain;
  for (const auto& model : models)
    plain.push_back(in_lower_case(model.name));
  const auto near = closest(plain_name_of(name), plain);
  const auto found = std::find(plain.begin(), plain.end(), near);
  return usage_error(
      fmt::format("--processor: {}", mismatch(in_quotes(name), "a Xeon from 5500 on, EPYC, ThunderX2, POWER9 or Grace "
                                                               "with its number; of others state --cores, --cache and "
                                                               "--memory alone")),
      found == plain.end() ? "" : std::string(models[found - plain.begin()].name));
}

std::optional<Memory> memory_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family || family->channels == 0)
    return std::nullopt;
  Memory memory;
  memory.channels = family->channels;
  memory.transfers = TransfersPerSecond{family->giga_transfers * 1e9};
  memory.source = assumed(fmt::format("all memory channels of {} in use, at their fastest", family->name));
  return memory;
}

// Intel states "over 400 GB/s" of STREAM for MCDRAM, and the machines that published it had 450 to 490 in flat mode.
std::vector<MemoryPart> memories_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family || family->pattern != x200)
    return {};
  const auto ddr = memory_of_family(processor);
  return {{"mcdram",
           Bytes{16ULL << 30},
           gigabytes_per_second(450),
           {},
           {},
           assumed("MCDRAM of Xeon Phi x200 in flat mode, which data fills before DDR")},
          {"ddr", Bytes{96ULL << 30}, {}, ddr->channels, ddr->transfers, ddr->source}};
}

std::string note_of_processor(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family || family->pattern != x200)
    return "";
  return fmt::format("MPI's costs are those of a Xeon's core, which is assumed: the cores of {} are slower",
                     family->name);
}

// 12 GB/s is the result of Allreduces on Xeon 8360Y and EPYC 7003; newer families are assumed to be as fast at least.
// Xeon E5 v4 and the first generation of Xeon Scalable have the usual 4 GB/s.
std::optional<MpiSettings> reduction_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  if (!family || !family->adds_quickly)
    return std::nullopt;
  MpiSettings settings;
  settings.reduction = all_kinds(SecondsPerByte{0.08e-9});
  settings.source = assumed(fmt::format("a core of {} adds 12 GB/s", family->name));
  return settings;
}

std::optional<ProcessorSize> size_of_processor(std::string_view processor) {
  const auto* model = model_of(processor);
  if (!model)
    return std::nullopt;
  return ProcessorSize{model->cores, Bytes{static_cast<std::uint64_t>(model->mebibytes * (1 << 20))}};
}

// A board may join fewer links than the processor has; data sheets of processors do not show this.
Cable socket_cable(std::string_view processor, std::size_t sockets) {
  const auto* family = family_of(processor);
  const auto link = family ? family->link : SocketLink{};
  const std::size_t peers = sockets > most_joined_sockets ? 1 : std::max<std::size_t>(sockets, 2) - 1;
  const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(link.links) / peers);
  Cable cable;
  cable.type = link_type(link.type);
  cable.latency = usual_latency(cable.type);
  cable.source = assumed(family ? fmt::format("{} of {}{}", link.name, family->name,
                                              link.has_transfers ? "" : "; Kakehashi has it as the type upi")
                                : "the processor's name shows no link; UPI of 10.4 GT/s");
  if (link.has_transfers)
    cable.rating.transfers = TransfersPerSecond{link.giga * 1e9};
  else
    cable.bandwidth = gigabytes_per_second(link.giga);
  return in_parallel(std::move(cable), count);
}

} // namespace kakehashi
