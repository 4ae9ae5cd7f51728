#include "input/import/known_hardware.hpp"

#include "base/number.hpp"
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
  bool is_whole = false;       // no generation: what is known of all its generations
  double domain_mebibytes = 0; // a cache of the last level that some of the cores share; 0: all share one
};
constexpr const char* x200 = "phi 72";
constexpr const char* rome = "epyc 7[0-9a-z]{2}2";
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
    {"epyc 7[0-9a-z]{2}1", 8, 2.666, "EPYC 7001", of_amd(18), false, false, 8},
    {rome, 8, 3.2, "EPYC 7002", of_amd(36), true, false, 16},
    {"epyc 7[0-9a-z]{2}3x", 8, 3.2, "EPYC 7003X", of_amd(36), true, false, 96},
    {"epyc 7[0-9a-z]{2}3", 8, 3.2, "EPYC 7003", of_amd(36), true, false, 32},
    {"epyc 97[0-9]4", 12, 4.8, "EPYC 97x4", of_amd(64), true, false, 16},
    {"epyc 9[0-9a-z]{2}4x", 12, 4.8, "EPYC 9004X", of_amd(64), true, false, 96},
    {"epyc 9[0-9a-z]{2}4", 12, 4.8, "EPYC 9004", of_amd(64), true, false, 32},
    {"epyc 9[0-9a-z]{2}5", 12, 6.0, "EPYC 9005", of_amd(64), true, false, 32},
    {"thunderx2|cn99", 8, 2.666, "ThunderX2", {}},
    {"power9", 8, 2.666, "POWER9", x_bus},
    {"grace", 8, 8.0, "Grace", c2c, true},
    {"graviton2", 8, 3.2, "Graviton2", {}},
    {"graviton3", 8, 4.8, "Graviton3", {}},
    {"graviton4", 12, 5.6, "Graviton4", {}},
    {"altra", 8, 3.2, "Altra", {}},
    {"a64fx", 64, 2.0, "A64FX", {}, false, false, 8}, // 1024 GB/s of HBM2
    {x200, 6, 2.4, "Xeon Phi x200", {}},
    {"xeon", 0, 0, "Xeon", {}, false, true},
    {"epyc", 0, 0, "EPYC from 7002 on", of_amd(36), false, true},
    {"amd|opteron", 0, 0, "AMD HyperTransport", {"upi", 12.8, 1, "AMD HyperTransport", false}, false, true},
    {"power", 0, 0, "POWER", x_bus, false, true},
};

// Name behind the series', cores and MiB of L3 of a socket, from ark.intel.com, AMD's product pages and the data sheets
// of NVIDIA, Marvell, Ampere, AWS and Fujitsu. Xeon Phi and A64FX have no L3 but L2 that cores share.
struct Series {
  std::string_view name;
  std::string_view models;
};
constexpr Series series[] = {
    {"Xeon E5-", "2650 8 20, 2660 8 20, 2667 6 15, 2670 8 20, 2680 8 20, 2690 8 20, 2620 v2 6 15, 2650 v2 8 20, "
                 "2660 v2 10 25, 2670 v2 10 25, 2680 v2 10 25, 2690 v2 10 25, 2695 v2 12 30, 2697 v2 12 30, 2620 "
                 "v3 6 15, 2630 v3 8 20, 2640 v3 8 20, 2650 v3 10 25, 2660 v3 10 25, 2667 v3 8 20, 2670 v3 12 30, "
                 "2680 v3 12 30, 2690 v3 12 30, 2695 v3 14 35, 2697 v3 14 35, 2698 v3 16 40, 2699 v3 18 45, 2620 "
                 "v4 8 20, 2630 v4 10 25, 2640 v4 10 25, 2650 v4 12 30, 2660 v4 14 35, 2667 v4 8 25, 2680 v4 14 "
                 "35, 2683 v4 16 40, 2690 v4 14 35, 2695 v4 18 45, 2697 v4 18 45, 2697A v4 16 40, 2698 v4 20 50, "
                 "2699 v4 22 55"},
    {"Xeon Silver ", "4110 8 11, 4114 10 13.75, 4116 12 16.5, 4208 8 11, 4210 10 13.75, 4214 12 16.5, 4216 16 22, "
                     "4310 12 18, 4314 16 24, 4316 20 30"},
    {"Xeon Gold ", "5115 10 13.75, 5118 12 16.5, 5120 14 19.25, 6126 12 19.25, 6130 16 22, 6132 14 19.25, 6134 8 "
                   "24.75, 6136 12 24.75, 6138 20 27.5, 6140 18 24.75, 6142 16 22, 6144 8 24.75, 6146 12 24.75, "
                   "6148 20 27.5, 6150 18 24.75, 6152 22 30.25, 6154 18 24.75, 5218 16 22, 5220 18 24.75, 6226 12 "
                   "19.25, 6226R 16 22, 6230 20 27.5, 6230R 26 35.75, 6238 22 30.25, 6240 18 24.75, 6240R 24 35.75, "
                   "6242 16 22, 6244 8 24.75, 6246 12 24.75, 6248 20 27.5, 6248R 24 35.75, 6252 24 35.75, 6254 18 "
                   "24.75, 6258R 28 38.5, 5317 12 18, 5318Y 24 36, 5320 26 39, 6326 16 24, 6330 28 42, 6336Y 24 36, "
                   "6338 32 48, 6342 24 36, 6346 16 36, 6348 28 42, 6354 18 39, 5418Y 24 45, 5420+ 28 52.5, 6430 32 "
                   "60, 6438Y+ 32 60, 6442Y 24 60, 6448Y 32 60, 6454S 32 60, 6548Y+ 32 60"},
    {"Xeon Platinum ", "8153 16 22, 8160 24 33, 8164 26 35.75, 8168 24 33, 8170 26 35.75, 8174 24 33, 8176 28 38.5, "
                       "8180 28 38.5, 8253 16 22, 8260 24 35.75, 8268 24 35.75, 8270 26 35.75, 8276 28 38.5, 8280 28 "
                       "38.5, 9242 48 71.5, 9282 56 77, 8352Y 32 48, 8358 32 48, 8360Y 36 54, 8362 32 48, 8368 38 57, "
                       "8368Q 38 57, 8380 40 60, 8452Y 36 67.5, 8458P 44 82.5, 8460Y+ 40 105, 8462Y+ 32 60, 8468 48 "
                       "105, 8470 52 105, 8480+ 56 105, 8490H 60 112.5, 8558 48 260, 8562Y+ 32 60, 8568Y+ 48 300, 8570 "
                       "56 300, 8580 60 300, 8592+ 64 320"},
    {"Xeon Max ", "9460 40 97.5, 9462 32 75, 9468 48 105, 9470 52 105, 9480 56 112.5"},
    {"Xeon ", "6787P 86 336, 6960P 72 432, 6972P 96 480, 6980P 128 504"},
    {"Xeon Phi ", "7210 64 32, 7230 64 32, 7250 68 34, 7290 72 36"},
    {"EPYC ", "7251 8 32, 7281 16 32, 7301 16 64, 7351 16 64, 7371 16 64, 7401 24 64, 7451 24 64, 7501 32 64, "
              "7551 32 64, 7601 32 64, 7252 8 64, 7262 8 128, 7272 12 64, 7282 16 64, 7302 16 128, 7352 24 "
              "128, 7402 24 128, 7452 32 128, 7502 32 128, 7532 32 256, 7542 32 128, 7552 48 192, 7642 48 256, "
              "7662 64 256, 7702 64 256, 7742 64 256, 7H12 64 256, 7F32 8 128, 7F52 16 256, 7F72 24 192, 72F3 "
              "8 256, 7313 16 128, 7343 16 128, 73F3 16 256, 7413 24 128, 7443 24 128, 74F3 24 256, 7453 28 "
              "64, 7513 32 128, 7543 32 256, 75F3 32 256, 7643 48 256, 7663 56 256, 7713 64 256, 7763 64 256, "
              "7A53 64 256, 7373X 16 768, 7473X 24 768, 7573X 32 768, 7773X 64 768, 9124 16 64, 9174F 16 256, "
              "9224 24 64, 9254 24 128, 9274F 24 256, 9334 32 128, 9354 32 256, 9374F 32 256, 9384X 32 768, "
              "9454 48 256, 9474F 48 256, 9534 64 256, 9554 64 256, 9634 84 384, 9654 96 384, 9684X 96 1152, "
              "9734 112 256, 9754 128 256, 9115 16 64, 9135 16 64, 9175F 16 512, 9255 24 128, 9335 32 128, "
              "9355 32 256, 9375F 32 256, 9455 48 256, 9475F 48 256, 9535 64 256, 9555 64 256, 9565 72 384, "
              "9575F 64 256, 9645 96 256, 9655 96 384, 9745 128 256, 9755 128 512, 9825 144 384, 9845 160 320, "
              "9965 192 384"},
    {"ThunderX2 ", "CN9975 28 28, CN9980 32 32"},
    {"", "Grace 72 114, A64FX 48 32, Graviton2 64 32, Graviton3 64 32, Graviton3E 64 32, Graviton4 96 36, "
         "Altra Q64-22 64 32, Altra Q80-30 80 32, Altra Q80-33 80 32, Altra M128-30 128 16"},
};

struct Model {
  std::string name;
  int cores;
  double mebibytes;
};

const std::vector<Model>& models() {
  static const std::vector<Model> all = [] {
    std::vector<Model> read;
    for (const auto& each : series)
      for (const auto& entry : split(std::string(each.models), ',')) {
        const auto words = words_in(entry);
        auto name = std::string(each.name);
        for (std::size_t i = 0; i + 2 < words.size(); ++i)
          name += (i > 0 ? " " : "") + std::string(words[i]);
        read.push_back({std::move(name), *number_in<int>(words[words.size() - 2]), *number_in<double>(words.back())});
      }
    return read;
  }();
  return all;
}

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
  const auto found = std::ranges::find_if(models(), is_it);
  return found == models().end() ? nullptr : &*found;
}

} // namespace

Result<std::string> known_processor(const std::string& name) {
  if (const auto* model = model_of(name))
    return model->name;
  if (const auto* family = family_of(name); family && !family->is_whole)
    return name;
  std::vector<std::string> plain;
  for (const auto& model : models())
    plain.push_back(in_lower_case(model.name));
  const auto near = closest(plain_name_of(name), plain);
  const auto found = std::find(plain.begin(), plain.end(), near);
  return usage_error(
      fmt::format("--processor: {}",
                  mismatch(in_quotes(name),
                           "a Xeon from 5500 on, EPYC, ThunderX2, POWER9, Grace, "
                           "Graviton, Altra or A64FX with its number; of others state --cores, --cache and "
                           "--memory alone")),
      found == plain.end() ? "" : models()[static_cast<std::size_t>(found - plain.begin())].name);
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

// Half of what a node of two EPYC 7742 showed by Allgather and Allreduce of full nodes. Nobody has measured it on other
// generations, whose caches are shared by more cores.
std::optional<BytesPerSecond> domain_rate_of_family(std::string_view processor) {
  const auto* family = family_of(processor);
  return family && family->pattern == rome ? std::optional(gigabytes_per_second(24)) : std::nullopt;
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
  const auto* family = family_of(processor);
  const double caches = family && family->domain_mebibytes > 0 ? model->mebibytes / family->domain_mebibytes : 1;
  const int shared = static_cast<int>(model->cores / caches + 0.5);
  return ProcessorSize{model->cores, Bytes{static_cast<std::uint64_t>(model->mebibytes * (1 << 20))},
                       caches > 1 ? shared : 0};
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
