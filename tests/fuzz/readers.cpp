// Any bytes → one of the readers, which may refuse them and nothing else. KAKEHASHI_READER names it; libFuzzer calls.
#include "base/build_id.hpp"
#include "base/units.hpp"
#include "base/wire.hpp"
#include "input/catalogue/catalogue_reader.hpp"
#include "input/growth/growth.hpp"
#include "input/import/formats.hpp"
#include "input/log/log_reader.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "input/trace/dumpi/dumpi_source.hpp"
#include "input/trace/goal/goal_reader.hpp"
#include "input/trace/gpu/chakra_node.hpp"
#include "input/trace/gpu/gpu_readers.hpp"
#include "input/trace/gpu/kineto_rank.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "input/trace/ti/ti_source.hpp"
#include "study/sweep/outcome_file.hpp"
#ifdef KAKEHASHI_OTF2
#include "input/trace/otf2/otf2_events.hpp"
#endif

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <zstd.h>

namespace kakehashi {

std::string_view build_id() { // these results are nobody's
  return "fuzz";
}

namespace {

namespace fs = std::filesystem;

// A folder of our own with the project's platforms and reference data, as scenarios expect them beside themselves.
class Scratch {
public:
  // only: the one platform, and no reference data.
  explicit Scratch(const std::string& only = "") {
    auto name = (fs::temp_directory_path() / "kakehashi-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data()))
      std::abort();
    root = name;
    const fs::path project = KAKEHASHI_SOURCE_DIR;
    fs::create_directories(root / "scenarios" / "fuzz");
    if (only.empty()) {
      fs::create_symlink(project / "platforms", root / "platforms");
      fs::create_symlink(project / "scenarios" / "reference", root / "scenarios" / "reference");
    } else {
      fs::create_directories(root / "platforms");
      fs::create_directories(root / "scenarios" / "reference");
      fs::copy(project / only, root / only);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code status;
    fs::remove_all(root, status);
  }
  std::string write(const std::string& name, std::string_view text) const {
    const auto file = (root / name).string();
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  fs::path root;
};

const Scratch& scratch() {
  static const Scratch folder;
  return folder;
}

constexpr std::string_view scenario_place = "scenarios/fuzz/input.json";

void read_units(std::string_view text) {
  parse_bytes(text);
  parse_duration(text);
  parse_rate(text);
  parse_per_byte(text);
  parse_transfers(text);
  parse_speed(text);
}

// Which devices patterns mean, a line each.
void read_patterns(std::string_view text) {
  static const auto platform = read_platform(KAKEHASHI_SOURCE_DIR "/platforms/tca-mic.json");
  auto patterns = nlohmann::json::array();
  for (std::size_t begin = 0; begin < text.size(); begin = std::min(text.find('\n', begin), text.size()) + 1)
    patterns.push_back(std::string(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin)));
  Faults faults("patterns");
  matched_devices(patterns, "", *platform, faults);
}

// An algorithm of some ranks, with whatever steps it has.
void read_algorithm(std::string_view text) {
  constexpr int ranks = 6;
  if (const auto own = read_own_algorithm(scratch().write("algorithm.json", text)))
    (*own)->schedule(ranks, 2);
}

// The calls of a trace of DUMPI of two ranks that do the same.
void read_dumpi(std::string_view calls) {
  constexpr int ranks = 2;
  const std::string_view begin("\xff\xaa\xdd"
                               "DUMPI",
                               8);
  std::string text(begin);
  text += calls;
  const auto header = text.size();
  text += std::string("\1\0\0", 3);
  text += begin;
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{0}, std::size_t{0}, header, std::size_t{8}, std::size_t{0}, std::size_t{0}})
    for (int byte = 7; byte >= 0; --byte)
      text += static_cast<char>(place >> 8 * byte & 0xff);
  fs::create_directories(scratch().root / "dumpi");
  for (int rank = 0; rank < ranks; ++rank)
    scratch().write("dumpi/x-" + std::to_string(rank) + ".bin", text);
  open_dumpi((scratch().root / "dumpi").string(), ranks);
}

// A trace of two ranks that share a file.
void read_ti(std::string_view text) {
  constexpr int ranks = 2;
  const TiForm form{ranks};
  const auto source = open_ti(scratch().write("trace.txt", text), form);
  if (!source)
    return;
  for (int rank = 0; rank < ranks; ++rank)
    for (const auto stream = (*source)->open(rank); stream->next();) {
    }
}

// A rank's file of a recording, which begins as it should.
std::string recording_of(int rank, std::string_view records) {
  std::string text{"\0\0\0\1", 4}; // the start record: no work, no time, version 1
  for (const char c : {rank, 2, 0, 0, 0})
    text += c;
  text += records;
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  auto* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return "kakehashi recording\n" + frame;
}

// Of two ranks that do the same.
void read_recording(std::string_view text) {
  constexpr int ranks = 2;
  fs::create_directories(scratch().root / "recording");
  for (int rank = 0; rank < ranks; ++rank)
    scratch().write("recording/" + std::to_string(rank) + ".rank", recording_of(rank, text));
  const auto opened = open_recording((scratch().root / "recording").string());
  if (!opened || opened->ranks != ranks)
    return;
  const auto grown = grow({{"recording", opened->source, ranks}}, ranks);
  for (int rank = 0; rank < ranks; ++rank)
    for (const auto* source : {opened->source.get(), grown ? grown->source.get() : nullptr})
      for (const auto stream = source ? source->open(rank) : nullptr; stream && stream->next();) {
      }
}

// A trace of the first of two ranks.
void read_kineto_trace(std::string_view text) {
  auto trace = parse_kineto(std::string(text), "kineto");
  if (!trace)
    return;
  KinetoGroups groups(2);
  KinetoGaps gaps;
  KinetoRank rank("kineto", 0, gaps);
  if (!rank.read(std::move(*trace), groups).empty())
    return;
  for (const auto& [group, numbers] : rank.numbers())
    if (numbers.are_known)
      rank.keep(group, numbers);
  rank.finish();
}

// A platform and a scenario of its own, and these claims or targets.
void read_shipped(const std::string& name, std::string_view text) {
  static const Scratch folder("platforms/fx10-tofu.json");
  for (const auto* other : {"claims.json", "targets.json"})
    folder.write(std::string("scenarios/reference/") + other, name == other ? text : "{}");
  read_catalogue(folder.root.string(), "all");
}

#ifdef KAKEHASHI_OTF2
// Numbers out of bytes, for as long as there are any.
class Bytestring {
public:
  explicit Bytestring(std::string_view text) : text_(text) {}
  bool is_empty() const { return text_.empty(); }
  std::uint32_t small() { // seldom more than there are ranks, communicators and requests
    const auto byte = next();
    return byte < 0xf0 ? byte & 7u : byte == 0xff ? OTF2_UNDEFINED_UINT32 : byte;
  }
  unsigned next() {
    if (text_.empty())
      return 0;
    const auto byte = static_cast<unsigned char>(text_.front());
    text_.remove_prefix(1);
    return byte;
  }

private:
  std::string_view text_;
};

// Records in any order, as a damaged archive may have them.
void read_otf2_records(std::string_view text) {
  Otf2Definitions definitions;
  definitions.ticks_per_second = 1e9;
  definitions.locations = {10, 11, 12, 13};
  definitions.communicators = {{"world", {0, 1, 2, 3}}, {"even", {0, 2}}, {"strange", {7}}};
  definitions.communicator_of = {
      {0, {0, false, true}}, {1, {1, false, false}}, {2, {2, false, false}}, {3, {0, true, false}}};
  definitions.mpi_functions = {{1, "MPI_Send"}, {2, "MPI_Put"}, {3, "MPI_Sendrecv"}};
  Otf2Events events(definitions, 0);
  Bytestring bytes(text);
  std::uint64_t time = 0;
  while (!bytes.is_empty() && events.fault().empty()) {
    const auto kind = bytes.next() % 13;
    events.begin(time += bytes.next());
    const auto a = bytes.small(), b = bytes.small(), c = bytes.small(), d = bytes.small();
    switch (kind) {
    case 0: events.enter(a); break;
    case 1: events.leave(a); break;
    case 2: events.send(a, b, c, d, std::nullopt); break;
    case 3: events.send(a, b, c, d, bytes.small()); break;
    case 4: events.receive(a, b, c); break;
    case 5: events.begin_receive(a); break;
    case 6: events.end_receive(a, b, c, d); break;
    case 7: events.end_send(a); break;
    case 8: events.cancel(a); break;
    case 9: events.begin_collective(); break;
    case 10: events.collective(static_cast<OTF2_CollectiveOp>(a), b, c, d, bytes.next()); break;
    case 11: events.begin_nonblocking(a); break;
    default: events.end_nonblocking(static_cast<OTF2_CollectiveOp>(a), b, c, d, bytes.next(), bytes.small()); break;
    }
    while (events.take(false)) {
    }
  }
  while (events.take(true)) {
  }
  events.gaps();
}
#endif

struct Reader {
  std::string_view name;
  void (*read)(std::string_view text);
};
constexpr Reader readers[] = {
    {"claims", [](std::string_view text) { read_shipped("claims.json", text); }},
    {"algorithm", read_algorithm},
    {"chakra",
     [](std::string_view text) {
       ChakraGroups groups(2);
       read_chakra_binary(text, "chakra", [&](const ChakraNode& node) { groups.add_inputs(node.inputs); });
     }},
    {"chakra-json",
     [](std::string_view text) { read_chakra_json(std::string(text), "chakra", [](const ChakraNode&) {}); }},
    {"curve", [](std::string_view text) { parse_curve(std::string(text), "curve", Metric::time); }},
    {"dumpi", read_dumpi},
    {"goal", [](std::string_view text) { parse_goal(std::string(text), "goal", 2); }},
    {"goal-binary",
     [](std::string_view text) {
       if (is_binary_goal(text))
         parse_binary_goal(text, "goal", 2);
     }},
    {"import", [](std::string_view text) { import_text(std::string(text), "machine"); }},
    {"json", [](std::string_view text) { parse_json(std::string(text), "json"); }},
    {"kineto", read_kineto_trace},
    {"log", [](std::string_view text) { parse_logs(std::string(text), "log"); }},
    {"mpich-rules",
     [](std::string_view text) {
       if (const auto document = parse_json(std::string(text), "rules"))
         parse_mpich_rules(*document);
     }},
    {"nccl", [](std::string_view text) { read_nccl(scratch().write("nccl", text), 2, text.size() % 2 == 1); }},
    {"open-mpi-rules", [](std::string_view text) { parse_open_mpi_rules(std::string(text), "rules"); }},
#ifdef KAKEHASHI_OTF2
    {"otf2-records", read_otf2_records},
#endif
    {"patterns", read_patterns},
    {"platform",
     [](std::string_view text) {
       if (const auto document = parse_json(std::string(text), "platform"))
         parse_platform(*document);
     }},
    {"recording", read_recording},
    {"results", [](std::string_view text) { read_outcomes(scratch().write("results", text)); }},
    {"scenario", [](std::string_view text) { read_scenario(scratch().write(std::string(scenario_place), text)); }},
    {"sweep", [](std::string_view text) { read_sweep(scratch().write(std::string(scenario_place), text)); }},
    {"targets", [](std::string_view text) { read_shipped("targets.json", text); }},
    {"ti", read_ti},
    {"units", read_units},
    {"wire", [](std::string_view text) { decode<OutcomeEntry>(text); }},
};

const Reader& chosen() {
  static const Reader& reader = []() -> const Reader& {
    const char* name = std::getenv("KAKEHASHI_READER");
    for (const auto& each : readers)
      if (name && each.name == name)
        return each;
    std::cerr << "KAKEHASHI_READER must be one of:";
    for (const auto& each : readers)
      std::cerr << ' ' << each.name;
    std::cerr << '\n';
    std::_Exit(2);
  }();
  return reader;
}

} // namespace
} // namespace kakehashi

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kakehashi::chosen().read({reinterpret_cast<const char*>(data), size});
  return 0;
}
