// Writes the time line in Chrome's trace event format. Ranks are the threads of one process, links those of another.
#include "writer/export_writer.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr int ranks_process = 1;
constexpr int links_process = 2;

std::string json_string(const std::string& text) {
  return Json(text).dump();
}

// Whole nanoseconds, the precision of Perfetto. Begin and end are rounded, and a duration is their difference: if a
// viewer rounded begin and duration separately, a slice could end after the next one begins, and would be dropped.
long long nanoseconds(Seconds time) {
  return std::llround(time.value * 1e9);
}

// Perfetto multiplies the number by 1000 and drops the fraction. Where the product would come out just below a whole
// number and lose a nanosecond, a picosecond is added.
std::string as_microseconds(long long ns) {
  const bool is_lost = static_cast<long long>(static_cast<double>(ns) / 1000 * 1000) != ns;
  return fmt::format("{}.{:03}{}", ns / 1000, ns % 1000, is_lost ? "001" : "");
}

// Writes events with commas between them.
class Events {
public:
  explicit Events(std::ostream& out) : out_(out) {}

  // `rest` has further members of the object, each after a comma.
  void event(char phase, int process, std::size_t row, const std::string& name, const std::string& rest) {
    fmt::print(out_, "{}{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"name\":{}{}}}", is_first_ ? "\n" : ",\n", phase,
               process, row + 1, json_string(name), rest); // viewers reserve thread 0
    is_first_ = false;
  }
  void slice(int process, std::size_t row, const std::string& name, Seconds start, Seconds end,
             const std::string& rest) {
    const auto from = nanoseconds(start);
    event(
        'X', process, row, name,
        fmt::format(",\"ts\":{},\"dur\":{}{}", as_microseconds(from), as_microseconds(nanoseconds(end) - from), rest));
  }

private:
  std::ostream& out_;
  bool is_first_ = true;
};

std::string name_of_slice(const RankSlice& slice) {
  switch (slice.activity) {
  case Activity::compute: return "compute";
  case Activity::send: return fmt::format("send to {}", slice.peer);
  case Activity::receive: return fmt::format("receive from {}", slice.peer);
  case Activity::waiting: return fmt::format("wait for {}", slice.peer);
  case Activity::transfer: return fmt::format("transfer, {}", slice.peer);
  default: return fmt::format("access by {}", slice.peer);
  }
}

void write_names(const RunTimeline& run, Events& events) {
  const auto& timeline = *run.recording.timeline;
  const auto name = [&](const char* what, int process, std::size_t row, const std::string& text) {
    events.event('M', process, row, what, fmt::format(",\"args\":{{\"name\":{}}}", json_string(text)));
  };
  const auto named_row = [&](int process, std::size_t row, const std::string& text) {
    name("thread_name", process, row, text);
    events.event('M', process, row, "thread_sort_index", fmt::format(",\"args\":{{\"sort_index\":{}}}", row));
  };
  name("process_name", ranks_process, 0, "ranks");
  name("process_name", links_process, 0, "links");
  for (std::size_t rank = 0; rank < run.record.ranks.size(); ++rank)
    if (timeline.shows_rank(static_cast<int>(rank)))
      named_row(ranks_process, rank, fmt::format("rank {} ({})", rank, run.record.ranks[rank]));
  for (std::size_t link = 0; link < run.links.size(); ++link)
    if (timeline.shows_link(link))
      named_row(links_process, link, run.links[link].name);
}

// Returns the place of the program as members of an object, each after a comma.
std::string place_text(const std::optional<CallProfile>& calls, std::uint32_t number) {
  if (!calls || number == 0 || number >= calls->places.size())
    return "";
  const auto& place = calls->places[number];
  std::string text;
  if (place.line)
    text += fmt::format(",\"call\":{}", json_string(mpi_name(calls->lines[*place.line].call)));
  if (place.site)
    text += fmt::format(",\"site\":{}", json_string(calls->sites[*place.site].site));
  if (place.region && !calls->regions[*place.region].region.empty())
    text += fmt::format(",\"region\":{}", json_string(calls->regions[*place.region].region));
  return text;
}

// Writes each slice, and the end of an arrow in it.
void write_ranks(const Timeline& timeline, const std::optional<CallProfile>& calls, Events& events) {
  for (const auto& slice : timeline.ranks()) {
    const auto row = static_cast<std::size_t>(slice.rank);
    const auto place = place_text(calls, slice.place);
    const auto args = slice.activity == Activity::compute
                          ? place.substr(std::min<std::size_t>(1, place.size()))
                          : fmt::format("\"message\":{},\"bytes\":{}{}", slice.message, slice.size.count, place);
    const auto rest = args.empty() ? "" : fmt::format(",\"args\":{{{}}}", args);
    events.slice(ranks_process, row, name_of_slice(slice), slice.start, slice.end,
                 fmt::format(",\"cat\":\"{}\"{}", name_of(activity_names, slice.activity), rest));
    const bool starts = slice.activity == Activity::send;
    const bool ends = slice.activity == Activity::receive || slice.activity == Activity::arrival;
    if ((starts || ends) && std::ranges::binary_search(timeline.arrows(), slice.message))
      events.event(starts ? 's' : 'f', ranks_process, row, "message",
                   fmt::format(",\"cat\":\"message\",\"id\":{},\"ts\":{}{}", slice.message,
                               as_microseconds(nanoseconds(slice.start)), starts ? "" : ",\"bp\":\"e\""));
  }
}

// Writes a slice for each time in which a link is in use, with the share of its capacity, and the number of its
// transfers over time.
void write_links(const RunTimeline& run, Events& events) {
  const auto& timeline = *run.recording.timeline;
  for (const auto& slice : timeline.links()) {
    const auto time = slice.end - slice.start;
    const double use = time.value > 0 ? slice.bytes / time.value / run.links[slice.channel].capacity.value : 0;
    events.slice(links_process, slice.channel, fmt::format("{:.0f} % used", 100 * use), slice.start, slice.end,
                 fmt::format(",\"cat\":\"link\",\"args\":{{\"bytes\":{:.0f},\"transfers\":{},\"use\":{:.4f}}}",
                             slice.bytes, slice.transfers, use));
  }
  const auto loads = timeline.loads();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto& load = loads[i];
    if (i + 1 < loads.size() && loads[i + 1].channel == load.channel && loads[i + 1].since == load.since)
      continue; // it lasted no time
    events.event('C', links_process, load.channel, "transfers on " + run.links[load.channel].name,
                 fmt::format(",\"ts\":{},\"args\":{{\"transfers\":{}}}", as_microseconds(nanoseconds(load.since)),
                             load.transfers));
  }
}

void write_totals(const RunTimeline& run, std::ostream& out) {
  const auto us = [](Seconds time) { return fmt::format("{:.6f}", in_microseconds(time)); };
  out << ",\"totals\":[";
  for (std::size_t rank = 0; rank < run.recording.ranks.size(); ++rank) {
    const auto& times = run.recording.ranks[rank];
    fmt::print(out, "{}\n{{\"rank\":{},\"compute_us\":{},\"overhead_us\":{},\"waiting_us\":{},\"transfer_us\":{}}}",
               rank == 0 ? "" : ",", rank, us(times.compute), us(times.overhead), us(times.waiting),
               us(times.transfer));
  }
  out << "]";
}

} // namespace

void write_chrome(const RunTimeline& run, std::ostream& out) {
  const auto limits = limits_text(*run.recording.timeline);
  fmt::print(out,
             "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":\"kakehashi " KAKEHASHI_VERSION
             "\",\"scenario\":{},\"platform\":{},\"fabric\":{},\"engine\":{},\"limits\":{}",
             json_string(run.record.scenario), json_string(run.record.platform), json_string(run.record.fabric),
             json_string(run.record.engine), json_string(limits));
  write_totals(run, out);
  out << "},\"traceEvents\":[";
  Events events(out);
  write_names(run, events);
  write_ranks(*run.recording.timeline, run.record.table.calls, events);
  write_links(run, events);
  out << "\n]}\n";
}

} // namespace kakehashi
