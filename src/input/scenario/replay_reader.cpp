#include "input/scenario/scenario_parts.hpp"

#include "input/growth/growth.hpp"
#include "input/json/fields.hpp"
#include "input/trace/dumpi/dumpi_source.hpp"
#include "input/trace/goal/goal_reader.hpp"
#include "input/trace/gpu/gpu_readers.hpp"
#include "input/trace/otf2/otf2_source.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "input/trace/ti/ti_source.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// What the scenario states of a trace, beside the members of Replay.
struct TraceForm : TiForm {
  std::vector<int> grid;       // grid of the ranks that a recording is grown to; empty: as those that were recorded
  bool stands_for_all = false; // there is one rank's trace of GPUs, and all ranks do what it has
};

// A format of recorded applications.
struct Format {
  const char* key;                                       // the key that names the file
  bool has_speed;                                        // the trace counts the operations of computation
  bool has_times;                                        // the trace has times of computation
  bool is_goal;                                          // its sends may leave in turn
  bool is_ti;                                            // the scenario has to state what the trace lacks
  Errors (*open)(const TraceForm& form, Replay& replay); // opens the file for the replay
};

Errors open_goal(const TraceForm& form, Replay& replay) {
  auto schedule = read_goal(replay.file, form.ranks);
  if (!schedule)
    return schedule.errors();
  if (!replay.first_collective_tag)
    replay.warnings = warnings_of_tags(*schedule);
  replay.schedule = std::make_shared<const Schedule>(std::move(*schedule));
  return {};
}

Errors take_trace(Result<DeviceTrace> trace, Replay& replay) {
  if (!trace)
    return trace.errors();
  replay.schedule = std::make_shared<const Schedule>(std::move(trace->schedule));
  replay.warnings = std::move(trace->warnings);
  return {};
}

// A trace of all ranks, or if it may grow, of the most of whom these are replicas.
template <class Read> Errors open_gpus(const TraceForm& form, bool tags_are_groups, Replay& replay, const Read& read) {
  auto trace = read(form.ranks);
  for (int copies = 2; !trace && replay.grown_from && copies <= form.ranks; ++copies) {
    if (form.ranks % copies != 0)
      continue;
    auto fewer = read(form.ranks / copies);
    if (!fewer)
      continue;
    if (auto errors = grow_replicas(*fewer, copies, tags_are_groups); !errors.empty())
      return errors;
    trace = std::move(fewer);
  }
  return take_trace(std::move(trace), replay);
}

Errors open_chakra(const TraceForm& form, Replay& replay) {
  return open_gpus(form, false, replay, [&](int ranks) {
    return read_chakra(replay.file, replay.groups, {ranks, replay.has_speed, form.stands_for_all});
  });
}

Errors open_kineto(const TraceForm& form, Replay& replay) {
  return open_gpus(form, true, replay, [&](int ranks) { return read_kineto(replay.file, ranks, form.stands_for_all); });
}

Errors open_nccl(const TraceForm& form, Replay& replay) {
  return open_gpus(form, true, replay, [&](int ranks) { return read_nccl(replay.file, ranks, form.stands_for_all); });
}

Errors take_source(Result<std::shared_ptr<const TraceSource>> source, Replay& replay) {
  if (!source)
    return source.errors();
  replay.source = std::move(*source);
  replay.warnings = replay.source->warnings();
  return {};
}

Errors open_traces(const TraceForm& form, Replay& replay) {
  return take_source(open_ti(replay.file, form), replay);
}

Errors open_archive(const TraceForm& form, Replay& replay) {
  return take_source(open_otf2(replay.file, form.ranks), replay);
}

Errors open_dumpi_files(const TraceForm& form, Replay& replay) {
  return take_source(open_dumpi(replay.file, form.ranks), replay);
}

// Returns the events of a recording with the right number of ranks, or grows them from recordings of other sizes.
Result<std::shared_ptr<const TraceSource>> source_for(const TraceForm& form, const Replay& replay,
                                                      std::vector<RecordedSize> sizes) {
  if (replay.grown_from) {
    auto job = grow(std::move(sizes), form.ranks, form.grid);
    return job ? Result(std::move(job->source)) : job.errors();
  }
  if (const auto& [name, source, ranks] = sizes.front(); ranks != form.ranks)
    return file_error(
        ErrorKind::input, name,
        mismatch(counted(static_cast<std::size_t>(ranks), "rank"),
                 fmt::format("{}, as many as are placed (the key \"grown_from\" allows others)", form.ranks)));
  return std::move(sizes.front().source);
}

// The recorder's unit decides whether it needs the speed or the slowdown.
Errors check_unit(const OpenedRecording& recording, const Replay& replay) {
  const auto fault = [&](const char* message) { return Errors{file_error(ErrorKind::input, replay.file, message)}; };
  if (recording.counts_instructions && !replay.has_speed)
    return fault(
        "work is counted in instructions here, so the scenario needs the key \"speed\": instructions of a core "
        "in a second, as in \"2 Gflop/s\"");
  if (!recording.counts_instructions && replay.has_speed)
    return fault("work is counted in time here, so the scenario takes the key \"slowdown\" instead of \"speed\"");
  return {};
}

Errors open_recorded(const TraceForm& form, Replay& replay) {
  const auto largest = open_part(replay.file, replay.part);
  if (!largest)
    return largest.errors();
  if (auto errors = check_unit(*largest, replay); !errors.empty())
    return errors;
  std::vector<RecordedSize> sizes{{replay.file, largest->source, largest->ranks}};
  for (const auto& folder : replay.grown_from.value_or(std::vector<std::string>{})) {
    auto smaller = open_part(folder, replay.part);
    if (!smaller)
      return smaller.errors();
    if (smaller->counts_instructions != largest->counts_instructions)
      return {file_error(ErrorKind::input, folder, fmt::format("its work is not counted as that of {}", replay.file))};
    if (smaller->program != largest->program) // its name may contain the size
      replay.warnings.push_back(fmt::format(
          "{}: a recording of {}, and {} is one of {}: only recordings of one program show what it does on more ranks",
          folder, smaller->program, replay.file, largest->program));
    sizes.push_back({folder, std::move(smaller->source), smaller->ranks});
  }
  auto source = source_for(form, replay, std::move(sizes));
  if (!source)
    return source.errors();
  replay.source = std::move(*source);
  std::ranges::copy(replay.source->warnings(), std::back_inserter(replay.warnings));
  return {};
}

constexpr std::array formats{Format{"ti", true, false, false, true, open_traces},
                             Format{"goal", false, true, true, false, open_goal},
                             Format{"chakra", true, true, false, false, open_chakra},
                             Format{"kineto", false, true, false, false, open_kineto},
                             Format{"nccl", false, true, false, false, open_nccl},
                             Format{"dumpi", false, true, false, false, open_dumpi_files},
                             Format{"otf2", false, true, false, false, open_archive},
                             Format{"recorded", true, true, false, false, open_recorded}};

const Format* format_of(const json& object, const std::string& place, Faults& faults) {
  const Format* found = nullptr;
  std::vector<std::string> keys;
  std::size_t count = 0;
  for (const auto& format : formats) {
    keys.push_back(in_quotes(format.key));
    if (object.contains(format.key)) {
      found = &format;
      ++count;
    }
  }
  if (count == 1)
    return found;
  faults.add(place,
             mismatch(fmt::format("{} of {}", count == 0 ? "none" : "several", fmt::join(keys, ", ")), "exactly one"));
  return nullptr;
}

std::optional<PartBorder> read_border(const json& object, const std::string& place, const char* key, Faults& faults) {
  if (!object.contains(key))
    return std::nullopt;
  const auto text = object[key].get<std::string>();
  auto border = border_of(text);
  if (!border)
    faults.add(pointer_to(place, std::string(key)), mismatch(in_quotes(text), std::string(expected_border)));
  return border;
}

ReplayPart read_part(const json& object, const std::string& place, Faults& faults) {
  ReplayPart part{object.value("region", ""), read_border(object, place, "from", faults),
                  read_border(object, place, "to", faults)};
  if (ends_too_early(part))
    faults.add(place + "/to", mismatch(in_quotes(part.to->text), "a later time than \"from\""));
  return part;
}

std::vector<int> read_grid(const json& object, const std::string& place, std::size_t ranks, Faults& faults) {
  if (!object.contains("grid"))
    return {};
  if (!object.contains("grown_from"))
    faults.add(place + "/grid", "only a replay with \"grown_from\" takes this key");
  auto sides = object["grid"].get<std::vector<int>>();
  std::uint64_t all = 1;
  for (const int side : sides)
    all *= static_cast<std::uint64_t>(side);
  if (all != ranks)
    faults.add(place + "/grid",
               mismatch(fmt::format("a grid of {} ranks", all), fmt::format("{}, as in the scenario", ranks)));
  return sides;
}

void read_speeds(const json& object, const std::string& place, const Format& format, Replay& replay, Faults& faults) {
  const auto check = [&](const char* key, bool takes_it, bool needs_it) {
    if (object.contains(key) && !takes_it)
      faults.add(pointer_to(place, std::string(key)),
                 fmt::format("a replay of {} does not take this key", in_quotes(format.key)));
    else if (!object.contains(key) && needs_it)
      faults.add(place,
                 fmt::format("the key {} is missing; a replay of {} needs it", in_quotes(key), in_quotes(format.key)));
  };
  check("speed", format.has_speed, format.has_speed && !format.has_times);
  check("slowdown", format.has_times, false);
  check("derived_type", format.is_ti, false);
  check("communicators", format.is_ti, false);
  check("sends", format.is_goal, false);
  for (const auto* key : {"region", "from", "to"})
    check(key, format.open == open_recorded, false);
  check("collective_tags", format.is_goal, false);
  check("groups", format.open == open_chakra, false);
  const bool is_of_gpus = format.open == open_chakra || format.open == open_kineto || format.open == open_nccl;
  check("grown_from", format.open == open_recorded || is_of_gpus, false);
  if (is_of_gpus && object.contains("grown_from") && !object["grown_from"].empty())
    faults.add(place + "/grown_from", mismatch("traces", "an empty list: ranks of a trace of GPUs become replicas"));
  check("stands_for_all", is_of_gpus, false);
  check("calls", is_of_gpus, false);
  replay.speed = all_kinds(FlopsPerSecond{1});
  replay.slowdown = all_kinds(1.0);
  replay.has_speed = object.contains("speed");
  if (replay.has_speed)
    replay.speed = read_per_kind(object["speed"], place + "/speed", speed_text, faults);
  if (object.contains("slowdown"))
    replay.slowdown = read_per_kind(object["slowdown"], place + "/slowdown", 1.0,
                                    [](const json& value, const std::string&) { return value.get<double>(); });
}

} // namespace

Replay read_replay(const json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere) {
  const std::string place = "/workload/replay";
  Replay replay;
  const auto* format = format_of(object, place, faults);
  if (!format)
    return replay;
  read_speeds(object, place, *format, replay, faults);
  replay.takes_gpu_library = object.value("calls", "gpu-library") == "gpu-library";
  replay.sends_in_turn = object.contains("sends") && object["sends"] == "in turn";
  if (object.contains("collective_tags"))
    replay.first_collective_tag = object["collective_tags"].get<int>();
  replay.file = beside(scenario_file, object[format->key].get<std::string>());
  replay.part = read_part(object, place, faults);
  if (object.contains("grown_from")) {
    replay.grown_from.emplace();
    for (const auto& folder : object["grown_from"])
      replay.grown_from->push_back(beside(scenario_file, folder.get<std::string>()));
  }
  if (object.contains("groups"))
    replay.groups = beside(scenario_file, object["groups"].get<std::string>());
  if (!ranks)
    return replay;
  const TraceForm form{read_ti_form(object, place, static_cast<int>(*ranks), faults),
                       read_grid(object, place, *ranks, faults), object.value("stands_for_all", false)};
  if (!faults.empty())
    return replay;
  const auto errors = format->open(form, replay);
  elsewhere.insert(elsewhere.end(), errors.begin(), errors.end());
  return replay;
}

} // namespace kakehashi
