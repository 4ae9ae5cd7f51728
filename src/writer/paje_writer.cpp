// Writes the time line in the Paje format: definitions of events, then types, then the events in the order of time.
// There are no comments, since ViTE takes them for undefined events; the run's container states what they would.
#include "writer/export_writer.hpp"

#include <algorithm>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

enum EventNumber {
  define_container_type,
  define_state_type,
  define_variable_type,
  define_link_type,
  define_entity_value,
  create_container,
  destroy_container,
  set_state,
  set_variable,
  start_link,
  end_link
};

constexpr std::string_view definitions = R"(%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeDefineLinkType 3
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeDefineEntityValue 4
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 5
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 6
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajeSetState 7
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajeSetVariable 8
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeStartLink 9
% Time date
% Type string
% Container string
% Value string
% StartContainer string
% Key string
%EndEventDef
%EventDef PajeEndLink 10
% Time date
% Type string
% Container string
% Value string
% EndContainer string
% Key string
%EndEventDef
)";

// Red, green, blue.
constexpr std::array<std::string_view, 5> colours{"0.30 0.65 0.35", "0.95 0.60 0.15", "0.95 0.80 0.20",
                                                  "0.80 0.25 0.25", "0.35 0.50 0.80"};
constexpr char idle_state = 'i';

char state_of(Activity activity) {
  return static_cast<char>('a' + static_cast<int>(activity));
}

// A quoted name must not contain quotation marks.
std::string paje_string(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '"' || c == '\n'; }, '\'');
  return '"' + text + '"';
}

void write_types(std::ostream& out) {
  fmt::print(out,
             "{0} run 0 \"Run\"\n{0} rank run \"Rank\"\n{0} link run \"Link\"\n{1} activity rank \"Activity\"\n"
             "{2} transfers link \"Transfers\" \"0.35 0.50 0.80\"\n{3} message run rank rank \"Message\"\n"
             "{4} {5} activity \"idle\" \"0.90 0.90 0.90\"\n{4} m message \"message\" \"0.10 0.10 0.10\"\n",
             int(define_container_type), int(define_state_type), int(define_variable_type), int(define_link_type),
             int(define_entity_value), idle_state);
  for (std::size_t i = 0; i < colours.size(); ++i)
    fmt::print(out, "{} {} activity \"{}\" \"{}\"\n", int(define_entity_value), state_of(static_cast<Activity>(i)),
               activity_names[i], colours[i]);
}

// Containers begin and end with the run.
void write_containers(const RunTimeline& run, std::ostream& out) {
  const auto& timeline = *run.recording.timeline;
  const auto limits = limits_text(timeline);
  fmt::print(out, "{} 0 r run 0 {}\n", int(create_container),
             paje_string(fmt::format("{} on {}, fabric {}; kakehashi " KAKEHASHI_VERSION "{}{}", run.record.scenario,
                                     run.record.platform, run.record.fabric, limits.empty() ? "" : "; ", limits)));
  for (std::size_t rank = 0; rank < run.record.ranks.size(); ++rank)
    if (timeline.shows_rank(static_cast<int>(rank)))
      fmt::print(out, "{} 0 r{} rank r {}\n", int(create_container), rank,
                 paje_string(fmt::format("rank {} ({})", rank, run.record.ranks[rank])));
  for (std::size_t link = 0; link < run.links.size(); ++link)
    if (timeline.shows_link(link))
      fmt::print(out, "{} 0 l{} link r {}\n", int(create_container), link, paje_string(run.links[link].name));
}

// An event at a time, and its place in the time line.
struct Instant {
  enum class Kind : std::uint8_t { state, idle, link_start, link_end, load };
  Seconds time;
  Kind kind = Kind::state;
  std::uint32_t index = 0;
};

std::vector<Instant> instants_of(const Timeline& timeline) {
  std::vector<Instant> instants;
  const auto slices = timeline.ranks();
  for (std::uint32_t i = 0; i < slices.size(); ++i) {
    const auto& slice = slices[i];
    const bool starts = slice.activity == Activity::send;
    const bool ends = slice.activity == Activity::receive || slice.activity == Activity::arrival;
    if ((starts || ends) && std::ranges::binary_search(timeline.arrows(), slice.message))
      instants.push_back({slice.start, starts ? Instant::Kind::link_start : Instant::Kind::link_end, i});
    if (slice.activity == Activity::arrival || slice.end <= slice.start)
      continue;
    instants.push_back({slice.start, Instant::Kind::state, i});
    auto next = i + 1; // the next slice that is a state
    while (next < slices.size() && slices[next].rank == slice.rank && slices[next].end <= slices[next].start)
      ++next;
    if (next == slices.size() || slices[next].rank != slice.rank || slices[next].start > slice.end)
      instants.push_back({slice.end, Instant::Kind::idle, i});
  }
  for (std::uint32_t i = 0; i < timeline.loads().size(); ++i)
    instants.push_back({timeline.loads()[i].since, Instant::Kind::load, i});
  std::ranges::stable_sort(instants, {}, &Instant::time);
  return instants;
}

void write_instant(const Instant& instant, const Timeline& timeline, std::ostream& out) {
  const auto time = instant.time.value;
  const auto& load = instant.kind == Instant::Kind::load ? timeline.loads()[instant.index] : LinkLoad{};
  const auto& slice = instant.kind == Instant::Kind::load ? RankSlice{} : timeline.ranks()[instant.index];
  switch (instant.kind) {
  case Instant::Kind::state:
    return fmt::print(out, "{} {:.12f} activity r{} {}\n", int(set_state), time, slice.rank, state_of(slice.activity));
  case Instant::Kind::idle:
    return fmt::print(out, "{} {:.12f} activity r{} {}\n", int(set_state), time, slice.rank, idle_state);
  case Instant::Kind::link_start:
  case Instant::Kind::link_end:
    return fmt::print(out, "{} {:.12f} message r m r{} {}\n",
                      int(instant.kind == Instant::Kind::link_start ? start_link : end_link), time, slice.rank,
                      slice.message);
  case Instant::Kind::load:
    return fmt::print(out, "{} {:.12f} transfers l{} {}\n", int(set_variable), time, load.channel, load.transfers);
  }
}

} // namespace

void write_paje(const RunTimeline& run, std::ostream& out) {
  const auto& timeline = *run.recording.timeline;
  out << definitions;
  write_types(out);
  write_containers(run, out);
  auto last = run.record.duration;
  for (const auto& instant : instants_of(timeline)) {
    write_instant(instant, timeline, out);
    last = std::max(last, instant.time);
  }
  for (std::size_t rank = 0; rank < run.record.ranks.size(); ++rank)
    if (timeline.shows_rank(static_cast<int>(rank)))
      fmt::print(out, "{} {:.12f} rank r{}\n", int(destroy_container), last.value, rank);
  for (std::size_t link = 0; link < run.links.size(); ++link)
    if (timeline.shows_link(link))
      fmt::print(out, "{} {:.12f} link l{}\n", int(destroy_container), last.value, link);
  fmt::print(out, "{} {:.12f} run r\n", int(destroy_container), last.value);
}

} // namespace kakehashi
