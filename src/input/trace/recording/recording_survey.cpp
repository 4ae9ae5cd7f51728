#include "input/trace/recording/recording_source.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

// Ranks name communicators by numbers of their own. It is the same communicator if it is the n-th that each made with
// these members in this order.
class Joiner {
public:
  explicit Joiner(std::vector<RecordedCommunicator>& communicators) : communicators_(communicators) {}

  void begin_rank() { made_.clear(); }
  std::size_t join(const CommunicatorRecord& made) {
    auto groups = std::minmax(made.members, made.remote);
    const Key key(groups.first, groups.second);
    const auto number = made_[key]++;
    auto& known = known_[key];
    if (number == known.size()) {
      known.push_back(communicators_.size());
      communicators_.push_back(described(made));
    }
    return known[number];
  }

private:
  using Key = std::pair<std::vector<int>, std::vector<int>>;

  static RecordedCommunicator described(const CommunicatorRecord& made) {
    RecordedCommunicator described{made.members, made.remote.empty()};
    if (std::erase(described.members, outsider) > 0)
      described.takes_collectives = false;
    return described;
  }

  std::vector<RecordedCommunicator>& communicators_;
  std::map<Key, std::vector<std::size_t>> known_;
  std::map<Key, std::size_t> made_; // calls that the current rank has made
};

// The calls that the recorder could not record, and how ranks ended, for all ranks.
struct Gaps {
  std::map<std::string, std::uint64_t> unrecorded;
  std::map<std::string, std::vector<int>> ends; // what happened → the ranks concerned
  std::uint64_t endless = 0;                    // receives without a known message
  std::uint64_t idle = 0;                       // calls that start work on a GPU without a known result
  std::optional<std::pair<Seconds, int>> first; // the last moment of the first rank that did not reach MPI_Finalize
};

std::string text_of(const EndRecord& end) {
  const auto where = end.call.empty() ? "" : fmt::format(", in {}", end.call);
  switch (end.how) {
  case RecordingEnd::finalized: return "";
  case RecordingEnd::exited: return fmt::format("the end was an exit without MPI_Finalize{}", where);
  case RecordingEnd::aborted: return fmt::format("the end was MPI_Abort with code {}", end.code);
  case RecordingEnd::signalled: break;
  }
  return fmt::format("the end was signal {}{}", end.code, where);
}

// The records of one rank.
class RankSurvey {
public:
  RankSurvey(RecordingSurvey& survey, Joiner& joiner, Gaps& gaps) : survey_(survey), joiner_(joiner), gaps_(gaps) {}

  std::optional<Error> read(const std::string& file, int rank) {
    RecordingReader reader(file);
    auto& own = survey_.ranks.emplace_back();
    own.communicator_of.push_back(0);
    joiner_.begin_rank();
    open_.clear();
    started_.clear();
    Seconds time;
    bool is_finalized = false;
    bool has_end = false;
    while (const auto record = reader.next()) {
      if (auto error = take(*record, own, rank, file))
        return error;
      add_time(*record, time);
      if (const auto* end = std::get_if<EndRecord>(&record->what)) {
        has_end = true;
        is_finalized = end->how == RecordingEnd::finalized;
      }
    }
    if (reader.fault())
      return reader.fault();
    if (reader.records() == 0)
      gaps_.ends["the file is empty"].push_back(rank);
    else if (!has_end)
      gaps_.ends["no end is recorded, as after SIGKILL"].push_back(rank);
    if (!is_finalized && (!gaps_.first || time < gaps_.first->first))
      gaps_.first = {time, rank};
    gaps_.endless += open_.size();
    gaps_.idle += started_.size();
    survey_.time = std::max(survey_.time, time);
    return std::nullopt;
  }

  Seconds all() const { return all_; }
  Seconds in_calls() const { return in_calls_; }

private:
  void add_time(const Record& record, Seconds& time) {
    const auto* polled = std::get_if<PolledRecord>(&record.what);
    const bool is_of_device =
        std::holds_alternative<DeviceRecord>(record.what) || std::holds_alternative<DeviceWorkRecord>(record.what);
    const Seconds in_call{1e-9 * static_cast<double>(polled ? polled->time : record.time)};
    const Seconds work{survey_.start.unit == WorkUnit::instructions ? 0 : 1e-9 * static_cast<double>(record.work)};
    time += in_call + work;
    all_ += in_call + work;
    in_calls_ += is_of_device ? Seconds{} : in_call;
    if (polled)
      survey_.polls += polled->calls;
    else
      survey_.calls += !is_of_device && !std::holds_alternative<SiteRecord>(record.what) &&
                       !std::holds_alternative<RegionRecord>(record.what);
  }

  void add_message(int peer, std::uint64_t bytes) {
    survey_.messages += peer >= 0;
    survey_.bytes += peer >= 0 ? bytes : 0;
  }

  std::optional<Error> take(const Record& record, RecordedRank& own, int rank, const std::string& file) {
    if (const auto* start = std::get_if<StartRecord>(&record.what)) {
      if (rank == 0)
        survey_.start = *start;
      if (start->rank != rank || start->ranks != survey_.start.ranks || start->unit != survey_.start.unit)
        return Error{
            ErrorKind::input, file, "",
            mismatch(fmt::format("the file of rank {} of {}", start->rank, start->ranks),
                     fmt::format("that of rank {} of {}, of the same run as rank 0's", rank, survey_.start.ranks)),
            ""};
      if (rank == 0) { // before memory is allocated for so many ranks
        const auto last = recording_file(std::filesystem::path(file).parent_path(), start->ranks - 1);
        if (!std::filesystem::exists(last, none_))
          return file_error(ErrorKind::input, last,
                            fmt::format("no such file, though there are {} ranks", start->ranks));
        add_world(start->ranks);
      }
    } else if (const auto* made = std::get_if<CommunicatorRecord>(&record.what)) {
      if (!made->members.empty())
        own.communicator_of.push_back(joiner_.join(*made));
      if (!made->members.empty() && std::ranges::find(made->members, rank) == made->members.end())
        return file_error(ErrorKind::input, file, fmt::format("rank {} is not in a communicator of its own", rank));
    } else if (const auto* complete = std::get_if<CompleteRecord>(&record.what)) {
      for (const auto& ended : complete->ended) {
        open_.erase(ended.request);
        if (ended.is_cancelled)
          own.cancelled.insert(ended.request);
      }
    } else if (const auto* end = std::get_if<EndRecord>(&record.what)) {
      for (const auto& [name, calls] : end->unrecorded)
        gaps_.unrecorded[name] += calls;
      if (auto text = text_of(*end); !text.empty())
        gaps_.ends[text].push_back(rank);
    } else if (const auto* call = std::get_if<DeviceRecord>(&record.what)) {
      if (call->step == DeviceStep::start || call->step == DeviceStep::start_and_wait)
        started_.insert(call->number);
    } else if (const auto* work = std::get_if<DeviceWorkRecord>(&record.what)) {
      if (started_.erase(work->number) > 0) { // else MPI started it
        ++survey_.device_works;
        survey_.device_time += Seconds{1e-9 * static_cast<double>(work->time)};
      }
    } else {
      count_messages(record);
    }
    return std::nullopt;
  }

  void begin_receive(std::uint64_t request, const MessageEnd& end) {
    if (request > 0 && is_wild(end) && end.peer != nobody && end.peer != outsider)
      open_.insert(request);
  }

  void count_messages(const Record& record) {
    if (const auto* receive = std::get_if<ReceiveRecord>(&record.what))
      begin_receive(receive->request, receive->end);
    else if (const auto* both = std::get_if<SendReceiveRecord>(&record.what))
      begin_receive(both->request, both->receive);
    if (const auto* send = std::get_if<SendRecord>(&record.what))
      add_message(send->end.peer, send->end.bytes);
    else if (const auto* both = std::get_if<SendReceiveRecord>(&record.what))
      add_message(both->send.peer, both->send.bytes);
    else if (const auto* remote = std::get_if<RemoteRecord>(&record.what))
      add_message(remote->target, remote->put + remote->got);
    else if (const auto* exchange = std::get_if<ExchangeRecord>(&record.what))
      for (const auto& [peer, bytes] : exchange->sends)
        add_message(peer, bytes);
  }

  void add_world(int ranks) {
    RecordedCommunicator world;
    for (int rank = 0; rank < ranks; ++rank)
      world.members.push_back(rank);
    survey_.communicators.push_back(std::move(world));
  }

  RecordingSurvey& survey_;
  Joiner& joiner_;
  Gaps& gaps_;
  std::error_code none_;
  std::unordered_set<std::uint64_t> started_; // started on GPUs by the current rank
  std::unordered_set<std::uint64_t> open_;    // receives of any source or tag of the current rank
  Seconds all_;
  Seconds in_calls_;
};

// "rank 3", "ranks 3, 4 and 5", "ranks 0 to 7"
std::string text_of(const std::vector<int>& ranks) {
  constexpr std::size_t most_named = 3;
  if (ranks.size() == 1)
    return fmt::format("rank {}", ranks.front());
  if (ranks.size() > most_named)
    return fmt::format("rank {} and {} others", ranks.front(), ranks.size() - 1);
  return ranks.size() == 2 ? fmt::format("ranks {} and {}", ranks[0], ranks[1])
                           : fmt::format("ranks {}, {} and {}", ranks[0], ranks[1], ranks[2]);
}

// Simultaneous calls of several threads have no order that a rank could replay; older recorders left them out.
std::string unfitness_of(const Gaps& gaps) {
  for (const auto* name : {"calls beside those of another thread", "calls of other threads"})
    if (const auto found = gaps.unrecorded.find(name); found != gaps.unrecorded.end())
      return fmt::format("{} {}: a replay needs calls of a rank one after the other (MPI_THREAD_SERIALIZED at most)",
                         found->second, name);
  return "";
}

std::vector<std::string> warnings_of(const std::string& folder, const RecordingSurvey& survey, const Gaps& gaps) {
  std::vector<std::string> warnings;
  if (!survey.unfit.empty())
    warnings.push_back(fmt::format("{}: it cannot be replayed: {}", folder, survey.unfit));
  for (const auto& [what, calls] : gaps.unrecorded)
    warnings.push_back(fmt::format("{}: not recorded, and left out: {} ({})", folder, what, calls));
  if (gaps.endless > 0)
    warnings.push_back(fmt::format("{}: {} of any source or tag {} no end, so nobody knows what came; left out", folder,
                                   counted(gaps.endless, "receive"), gaps.endless == 1 ? "has" : "have"));
  if (gaps.idle > 0)
    warnings.push_back(
        fmt::format("{}: {} of CUDA that start kernels, copies or fills, and nobody knows what a GPU did "
                    "then; left out",
                    folder, counted(gaps.idle, "call")));
  for (const auto& [what, ranks] : gaps.ends)
    warnings.push_back(fmt::format("{}: {}: {}; the recording has what came before", folder, text_of(ranks), what));
  if (!survey.is_cut)
    return warnings;
  const auto moment = survey.start.unit == WorkUnit::instructions
                          ? ""
                          : fmt::format(": all ranks have the first {:.6f} s (rank {} no more), and some {:.6f} s",
                                        gaps.first->first.value, gaps.first->second, survey.time.value);
  warnings.push_back(
      fmt::format("{}: the recording ends before the program{}; a replay goes as far as messages go", folder, moment));
  return warnings;
}

} // namespace

std::string recording_file(const std::string& folder, int rank) {
  return (std::filesystem::path(folder) / fmt::format("{}.rank", rank)).string();
}

int recorded_ranks(const std::string& folder) {
  int ranks = 0;
  for (std::error_code none; std::filesystem::exists(recording_file(folder, ranks), none);)
    ++ranks;
  return ranks;
}

Result<RecordingSurvey> survey_recording(const std::string& folder) {
  std::error_code status;
  if (!std::filesystem::is_directory(folder, status))
    return file_error(ErrorKind::input, folder, "no such folder");
  if (!std::filesystem::exists(recording_file(folder, 0), status))
    return file_error(ErrorKind::input, folder,
                      status ? "cannot be read: " + status.message() : "not a recording: it has no file 0.rank");
  RecordingSurvey survey;
  Joiner joiner(survey.communicators);
  Gaps gaps;
  RankSurvey ranks(survey, joiner, gaps);
  Errors errors;
  for (int rank = 0; rank < survey.start.ranks && errors.size() < 20; ++rank) {
    const auto file = recording_file(folder, rank);
    if (!std::filesystem::exists(file, status))
      errors.push_back(file_error(ErrorKind::input, file,
                                  fmt::format("no such file, though there are {} ranks", survey.start.ranks)));
    else if (auto error = ranks.read(file, rank))
      errors.push_back(std::move(*error));
    if (rank == 0 && survey.communicators.empty())
      return errors.empty() ? Errors{file_error(ErrorKind::input, file, "the file is empty but for its name")} : errors;
  }
  if (!errors.empty())
    return errors;
  survey.unfit = unfitness_of(gaps);
  survey.is_cut = gaps.first.has_value();
  survey.warnings = warnings_of(folder, survey, gaps);
  survey.share_in_calls = ranks.all().value > 0 ? ranks.in_calls() / ranks.all() : 0;
  return survey;
}

} // namespace kakehashi
