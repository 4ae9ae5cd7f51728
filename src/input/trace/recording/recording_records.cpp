#include "input/trace/recording/recording_records.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

constexpr std::uint64_t version = 3; // version 1 has no sites, version 2 no GPUs
constexpr int most_ranks = 10'000'000;
constexpr std::size_t most_outsiders = 1'000'000;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 60;
constexpr std::uint64_t longest = std::uint64_t{1} << 60; // ns

ReadAt tail_of(const std::string& file) {
  auto tail = std::filesystem::path(file).replace_extension(".tail").string();
  std::error_code status;
  return std::filesystem::exists(tail, status) ? read_from_file(tail) : ReadAt{};
}

} // namespace

// The file of the tail may stand beside the file.
RecordingReader::RecordingReader(const std::string& file) : file_(file, read_from_file(file), tail_of(file)) {}

std::optional<Error> RecordingReader::fault() const {
  if (file_.fault().empty())
    return std::nullopt;
  return Error{file_.fault_kind(), file_.file(), records_ > 0 ? fmt::format("record {}", records_) : "", file_.fault(),
               ""};
}

std::optional<Record> RecordingReader::next() {
  if (!file_.has_more())
    return std::nullopt;
  ++records_;
  auto record = read_record();
  if (!file_.fault().empty())
    return std::nullopt;
  return record;
}

template <class Value> Value RecordingReader::choice(std::uint64_t count, std::string_view what) {
  const auto value = file_.number();
  if (value >= count)
    file_.fail(fmt::format("{} of kind {} is not known", what, value));
  return static_cast<Value>(value < count ? value : 0);
}

Record RecordingReader::read_record() {
  Record record;
  const auto kind = file_.number();
  record.work = file_.number();
  record.time = file_.number();
  if (has_sites_)
    record.site = file_.number();
  if (record.site > sites_)
    file_.fail(fmt::format("site {} is not known", record.site));
  if ((records_ == 1) != (kind == 0)) {
    file_.fail(records_ == 1 ? "the first record is not the beginning" : "a second beginning");
    return record;
  }
  const auto message = [&](auto made) {
    made.request = file_.number();
    made.end = read_end();
    made.mode = choice<SendMode>(5, "a message");
    return made;
  };
  switch (kind) {
  case 0: record.what = read_start(); break;
  case 1: record.what = read_made(); break;
  case 2: record.what = read_window_made(); break;
  case 3: record.what = message(SendRecord{}); break;
  case 4: record.what = message(ReceiveRecord{}); break;
  case 5: record.what = read_sendreceive(); break;
  case 6: record.what = read_complete(); break;
  case 7: record.what = read_collective(); break;
  case 8: record.what = read_exchange(); break;
  case 9: record.what = read_remote(); break;
  case 10: record.what = read_step(); break;
  case 11: {
    const auto calls = file_.number();
    record.what = PolledRecord{calls, file_.number()};
    break;
  }
  case 12: record.what = ElapsedRecord{}; break;
  case 13: record.what = ProbedRecord{read_end()}; break;
  case 14: record.what = read_ending(); break;
  case 15: record.what = read_site(); break;
  case 16: record.what = RegionRecord{file_.text()}; break;
  case 17: record.what = read_device(); break;
  case 18: record.what = read_device_work(); break;
  default: file_.fail(fmt::format("a record of kind {} is not known", kind));
  }
  return record;
}

StartRecord RecordingReader::read_start() {
  const auto stated = file_.number();
  if (file_.fault().empty() && (stated < 1 || stated > version))
    file_.fail(mismatch(fmt::format("version {} of the format", stated), fmt::format("1 to {}", version)));
  has_sites_ = stated > 1;
  const auto rank = file_.number();
  const auto ranks = file_.number();
  if (ranks < 1 || ranks > most_ranks || rank >= ranks)
    file_.fail(fmt::format("rank {} of {} cannot be", rank, ranks));
  if (!file_.fault().empty())
    return {};
  ranks_ = static_cast<int>(ranks);
  communicators_.push_back({true, ranks});
  const auto unit = choice<WorkUnit>(3, "work");
  auto library = file_.text();
  return {static_cast<int>(rank), ranks_, unit, std::move(library), file_.text()};
}

// Ranks in the file: 0 nobody, 1 outside the world, 2 any, from 3 on those of the world.
int RecordingReader::read_peer() {
  const auto value = file_.number();
  switch (value) {
  case 0: return nobody;
  case 1: return outsider;
  case 2: return anybody;
  default: break;
  }
  if (value - 3 >= static_cast<std::uint64_t>(ranks_))
    file_.fail(fmt::format("there is no rank {} among {}", value - 3, ranks_));
  return file_.fault().empty() ? static_cast<int>(value - 3) : nobody;
}

std::uint64_t RecordingReader::read_communicator() {
  const auto number = file_.number();
  if (number < communicators_.size() && communicators_[number].is_known)
    return number;
  file_.fail(fmt::format("communicator {} has not been made", number));
  return 0;
}

std::uint64_t RecordingReader::read_window() {
  const auto number = file_.number();
  if (number < windows_)
    return number;
  file_.fail(fmt::format("window {} has not been made", number));
  return 0;
}

MessageEnd RecordingReader::read_end() {
  MessageEnd end;
  end.communicator = read_communicator();
  end.peer = read_peer();
  const auto tag = file_.number();
  if (tag > std::uint64_t{std::numeric_limits<int>::max()} + 1)
    file_.fail(fmt::format("tag {} is too large", tag));
  else if (tag > 0)
    end.tag = static_cast<int>(tag - 1);
  end.bytes = file_.number();
  if (end.bytes > most_bytes)
    file_.fail(fmt::format("a message of {} bytes is too large", end.bytes));
  return end;
}

std::vector<int> RecordingReader::read_members() {
  std::vector<int> members;
  std::vector<bool> is_taken(static_cast<std::size_t>(ranks_));
  for (auto runs = file_.count(); runs > 0; --runs) {
    auto rank = file_.signed_number();
    const auto step = file_.signed_number();
    if (step > most_ranks || step < -most_ranks)
      file_.fail("the ranks of a communicator are too far apart");
    for (auto left = file_.number(); left > 0 && file_.fault().empty(); --left, rank += step) {
      const bool is_in_world = rank >= 0 && rank < ranks_;
      if ((!is_in_world && rank != outsider) || members.size() >= static_cast<std::size_t>(ranks_) + most_outsiders ||
          (is_in_world && is_taken[static_cast<std::size_t>(rank)])) {
        file_.fail(fmt::format("a communicator has rank {} of {}, or has it twice", rank, ranks_));
        break;
      }
      if (is_in_world)
        is_taken[static_cast<std::size_t>(rank)] = true;
      members.push_back(static_cast<int>(rank));
    }
  }
  return members;
}

CommunicatorRecord RecordingReader::read_made() {
  CommunicatorRecord made;
  made.number = file_.number();
  if (const auto parent = file_.number(); parent > 0) {
    made.parent = parent - 1;
    if (parent > communicators_.size() || !communicators_[parent - 1].is_known)
      file_.fail(fmt::format("communicator {} has not been made", parent - 1));
  }
  made.members = read_members();
  made.remote = read_members();
  if (made.members.empty() || !file_.fault().empty())
    return made;
  if (made.number != communicators_.size())
    file_.fail(fmt::format("communicator {} comes after {}", made.number, communicators_.size() - 1));
  communicators_.push_back({true, made.remote.empty() ? made.members.size() : made.remote.size()});
  return made;
}

WindowRecord RecordingReader::read_window_made() {
  const auto number = file_.number();
  if (number != windows_++)
    file_.fail(fmt::format("window {} comes out of turn", number));
  return {number, read_communicator()};
}

SendReceiveRecord RecordingReader::read_sendreceive() {
  SendReceiveRecord both;
  both.request = file_.number();
  both.send = read_end();
  both.receive = read_end();
  return both;
}

CompleteRecord RecordingReader::read_complete() {
  CompleteRecord complete;
  for (auto left = file_.count(); left > 0 && file_.fault().empty(); --left) {
    const auto value = file_.number();
    Completion ended{value >> 2, std::nullopt, (value & 3) == 2};
    if ((value & 3) == 1)
      ended.received = read_end();
    else if ((value & 3) == 3)
      file_.fail("a completion of kind 3 is not known");
    complete.ended.push_back(ended);
  }
  return complete;
}

CollectiveRecord RecordingReader::read_collective() {
  CollectiveRecord call;
  call.request = file_.number();
  call.communicator = read_communicator();
  call.collective = choice<Collective>(collective_count, "a collective call");
  const auto root = file_.number();
  call.bytes = file_.number();
  const auto size = communicators_[call.communicator].size;
  const auto listed = file_.count();
  const bool takes_list = row_of(call.collective).division == Division::listed_blocks;
  if (root >= size)
    file_.fail(fmt::format("root {} is not among {} ranks", root, size));
  else if (listed != (takes_list ? size : 0))
    file_.fail(fmt::format("a list of {} sizes in {} of {} ranks", listed, row_of(call.collective).name, size));
  std::uint64_t sum = call.bytes > most_bytes ? most_bytes : call.bytes;
  for (std::size_t i = 0; i < listed && file_.fault().empty(); ++i) {
    call.sizes.push_back(file_.number());
    sum = call.sizes.back() > most_bytes - sum ? most_bytes : sum + call.sizes.back();
  }
  if (sum >= most_bytes)
    file_.fail("a collective call of too many bytes");
  call.root = static_cast<int>(root);
  if (!has_root(call.collective))
    call.root = 0;
  return call;
}

ExchangeRecord RecordingReader::read_exchange() {
  ExchangeRecord exchange;
  exchange.request = file_.number();
  exchange.communicator = read_communicator();
  for (auto left = file_.count(); left > 0 && file_.fault().empty(); --left) {
    const auto peer = read_peer();
    const auto bytes = file_.number();
    if (bytes > most_bytes)
      file_.fail(fmt::format("a message of {} bytes is too large", bytes));
    exchange.sends.emplace_back(peer, bytes);
  }
  for (auto left = file_.count(); left > 0 && file_.fault().empty(); --left)
    exchange.receives.push_back(read_peer());
  return exchange;
}

RemoteRecord RecordingReader::read_remote() {
  RemoteRecord remote;
  remote.request = file_.number();
  remote.window = read_window();
  remote.target = read_peer();
  remote.put = file_.number();
  remote.got = file_.number();
  if (remote.put > most_bytes || remote.got > most_bytes)
    file_.fail("an access of too many bytes");
  return remote;
}

WindowStepRecord RecordingReader::read_step() {
  WindowStepRecord step;
  step.window = read_window();
  step.step = choice<WindowStep>(7, "a step of a window");
  for (auto left = file_.count(); left > 0 && file_.fault().empty(); --left)
    step.ranks.push_back(read_peer());
  return step;
}

SiteRecord RecordingReader::read_site() {
  ++sites_;
  SiteRecord site;
  site.object = file_.text();
  site.address = file_.number();
  site.function = file_.text();
  site.shift = file_.number();
  return site;
}

DeviceRecord RecordingReader::read_device() {
  DeviceRecord device;
  device.step = choice<DeviceStep>(7, "a call of a GPU");
  device.at = file_.number();
  device.context = file_.number();
  device.stream = file_.number();
  device.number = file_.number();
  if (device.at > longest)
    file_.fail("a call of a GPU is too late");
  return device;
}

DeviceWorkRecord RecordingReader::read_device_work() {
  DeviceWorkRecord work;
  choice<int>(3, "work of a GPU"); // a kernel, a copy or a fill
  work.context = file_.number();
  work.stream = file_.number();
  work.number = file_.number();
  work.start = file_.number();
  work.time = file_.number();
  if (work.start > longest || work.time > longest)
    file_.fail("work of a GPU is too late, or takes too long");
  return work;
}

EndRecord RecordingReader::read_ending() {
  EndRecord end;
  end.how = choice<RecordingEnd>(4, "an end");
  end.code = file_.signed_number();
  end.call = file_.text();
  for (auto left = file_.count(); left > 0 && file_.fault().empty(); --left) {
    auto name = file_.text();
    end.unrecorded.emplace_back(std::move(name), file_.number());
  }
  return end;
}

} // namespace kakehashi
