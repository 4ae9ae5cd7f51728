#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

// The same calls in a smaller recording, one after the other.
class EarlierCalls {
public:
  EarlierCalls(const GrowthBasis& basis, std::size_t recording, int rank, bool collectives)
      : size_(basis.smaller[recording]), collectives_(collectives),
        steps_(std::log(1.0 * basis.grid.ranks() / basis.recorded.grid.ranks()) /
               std::log(1.0 * basis.recorded.grid.ranks() / size_.grid.ranks())),
        events_(size_.recording.source->open(stand_in(size_.grid, basis.grid, rank))) {}

  const SurveyedSize& size() const { return size_; }
  const TraceEvent* next() {
    while (const auto* event = events_->next())
      if (std::holds_alternative<CollectiveEvent>(event->what) == collectives_ && !parts_of(*event).empty())
        return event;
    return nullptr;
  }
  // Changes the size by the power of the number of ranks by which it grew up to the largest recording.
  std::uint64_t grown(std::uint64_t bytes, double before) const {
    constexpr double most = 1e6;
    if (bytes == 0 || before <= 0)
      return bytes;
    const double factor = std::pow(static_cast<double>(bytes) / before, steps_);
    return rounded(static_cast<double>(bytes) * std::clamp(factor, 1 / most, most));
  }
  static std::uint64_t rounded(double bytes) {
    return static_cast<std::uint64_t>(std::llround(std::min(bytes, static_cast<double>(largest_size.count))));
  }

private:
  const SurveyedSize& size_;
  bool collectives_; // false: messages
  double steps_;     // log(ranks / ranks of the largest recording), in units of log(largest / this recording)
  std::unique_ptr<EventStream> events_;
};

struct Grown : ChangedRecording, GrowthBasis {
  std::map<std::pair<GridLine, int>, std::size_t> communicators; // communicators by the line and its first rank
};

GridLine whole(const Grid& grid) {
  GridLine line;
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    line.along |= (grid.extent[axis] > 1 ? 1u : 0u) << axis;
  return line;
}

class GrownStream : public EventStream {
public:
  GrownStream(std::shared_ptr<const Grown> grown, int rank)
      : basis_(std::move(grown)), rank_(rank), recorded_(stand_in(basis_->recorded.grid, basis_->grid, rank)),
        events_(basis_->recorded.recording.source->open(recorded_)) {
    if (const auto before = basis_->messages_before[static_cast<std::size_t>(kind_of(basis_->grid, rank))])
      messages_before_.emplace(*basis_, *before, rank, false);
    if (basis_->collectives_before)
      collectives_before_.emplace(*basis_, *basis_->collectives_before, rank, true);
    work_ = basis_->work * share_of_work();
  }

  const std::string& file() const override { return events_->file(); }
  std::string_view unit() const override { return events_->unit(); }
  const std::optional<Error>& fault() const override { return events_->fault(); }
  const TraceEvent* next() override {
    const auto* event = events_->next();
    if (!event)
      return nullptr;
    event_ = *event;
    event_.recorded = {};
    std::visit([this](auto& what) { change(what); }, event_.what);
    scale_work(event_, work_);
    return &event_;
  }

private:
  // The work of ranks of one kind differs by microseconds; this rank does the average.
  double share_of_work() const {
    const auto& recorded = basis_->recorded;
    const auto kind = kind_of(recorded.grid, recorded_);
    double sum = 0;
    int count = 0;
    for (int rank = 0; rank < recorded.grid.ranks(); ++rank)
      if (kind_of(recorded.grid, rank) == kind) {
        sum += recorded.ranks[static_cast<std::size_t>(rank)].work;
        ++count;
      }
    const auto own = recorded.ranks[static_cast<std::size_t>(recorded_)].work;
    return own > 0 ? sum / count / own : 1;
  }

  int grown_peer(int peer) const { return kakehashi::grown_peer(basis_->recorded.grid, basis_->grid, rank_, peer); }
  std::optional<int> grown_peer(std::optional<int> peer) const {
    return peer ? std::optional(grown_peer(*peer)) : std::nullopt;
  }
  std::size_t grown_communicator(std::size_t communicator) const {
    const auto& line = basis_->recorded.lines[communicator];
    return basis_->communicators.at({line, first_on(basis_->grid, line, rank_)});
  }
  std::size_t grown_context(std::size_t context) const {
    const auto count = basis_->recorded.lines.size();
    if (count == 0)
      return context;
    return grown_communicator(context % count) + context / count * basis_->communicators.size();
  }
  // Returns the same call in the smaller recording, if there is one.
  template <class What> static const What* before(std::optional<EarlierCalls>& calls) {
    const auto* event = calls ? calls->next() : nullptr;
    return event ? std::get_if<What>(&event->what) : nullptr;
  }
  // `peer` is the recorded one.
  Bytes grown_message(Bytes size, int peer, const Bytes* before) const {
    if (before)
      return Bytes{messages_before_->grown(size.count, static_cast<double>(before->count))};
    const auto relation = relation_of(basis_->recorded.grid, recorded_, peer);
    return messages_before_ ? size
                            : Bytes{EarlierCalls::rounded(basis_->sizes[relation] * static_cast<double>(size.count))};
  }

  void change(SendEvent& send, const SendEvent* before) {
    if (send.to)
      send.size = grown_message(send.size, *send.to, before ? &before->size : nullptr);
    send.to = grown_peer(send.to);
    send.context = grown_context(send.context);
  }
  void change(SendEvent& send) { change(send, before<SendEvent>(messages_before_)); }
  void change_source(ReceiveEvent& receive) const {
    receive.from = grown_peer(receive.from);
    receive.context = grown_context(receive.context);
  }
  void change(ReceiveEvent& receive) {
    before<ReceiveEvent>(messages_before_);
    change_source(receive);
  }
  void change(SendReceiveEvent& both) {
    const auto* known = before<SendReceiveEvent>(messages_before_);
    change(both.send, known ? &known->send : nullptr);
    change_source(both.receive);
  }
  void change(RemoteEvent& remote) {
    const auto* known = before<RemoteEvent>(messages_before_);
    remote.size = grown_message(remote.size, remote.peer, known ? &known->size : nullptr);
    remote.peer = grown_peer(remote.peer);
  }
  void change(CollectiveEvent& call) {
    const auto* known = before<CollectiveEvent>(collectives_before_);
    if (known)
      call.size.count = collectives_before_->grown(call.size.count, static_cast<double>(known->size.count));
    const auto& recorded = basis_->recorded;
    const auto line = recorded.lines.empty() ? whole(recorded.grid) : recorded.lines[call.communicator];
    const int last = ranks_along(basis_->grid, line) - 1;
    if (call.root > last || call.root == ranks_along(recorded.grid, line) - 1)
      call.root = last;
    if (!call.sizes.empty())
      call.sizes = grown_blocks(call, known, line);
    call.communicator = recorded.lines.empty() ? 0 : grown_communicator(call.communicator);
  }
  // Each member gets the block of its stand-in. If the smaller recording has no rank of a member's kind, the size
  // changes as that of the first member of which it has one.
  std::vector<std::uint64_t> grown_blocks(const CollectiveEvent& call, const CollectiveEvent* before,
                                          const GridLine& line) const {
    const auto members = ranks_on(basis_->grid, line, rank_);
    const RecordedBlocks recorded(call, basis_->recorded.grid, basis_->grid, line, rank_);
    std::vector<std::uint64_t> blocks;
    for (const auto member : members)
      blocks.push_back(recorded.of(member));
    if (!before)
      return blocks;
    const auto& grid = collectives_before_->size().grid;
    const RecordedBlocks earlier(*before, grid, basis_->grid, line, rank_);
    double change = 1; // the factor of the first member
    for (std::size_t i = blocks.size(); i-- > 0;)
      if (has_kind(grid, basis_->grid, members[i]) && blocks[i] > 0)
        change = static_cast<double>(earlier.of(members[i])) / static_cast<double>(blocks[i]);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      blocks[i] = collectives_before_->grown(blocks[i], has_kind(grid, basis_->grid, members[i])
                                                            ? static_cast<double>(earlier.of(members[i]))
                                                            : static_cast<double>(blocks[i]) * change);
    return blocks;
  }
  void change(auto&) {}

  std::shared_ptr<const Grown> basis_;
  int rank_;
  int recorded_; // its stand-in
  std::unique_ptr<EventStream> events_;
  std::optional<EarlierCalls> messages_before_;
  std::optional<EarlierCalls> collectives_before_;
  double work_ = 1;
  TraceEvent event_;
};

} // namespace

int stand_in(const Grid& recorded, const Grid& grown, int rank) {
  auto place = grown.place_of(rank);
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    if (const int last = grown.extent[axis] - 1; place[axis] == last)
      place[axis] = recorded.extent[axis] - 1;
    else if (place[axis] > 0)
      place[axis] = 1;
  return recorded.rank_of(place);
}

bool has_kind(const Grid& recorded, const Grid& grown, int rank) {
  return kind_of(recorded, stand_in(recorded, grown, rank)) == kind_of(grown, rank);
}

int grown_peer(const Grid& recorded, const Grid& grown, int rank, int peer) {
  if (const auto step = step_between(recorded, stand_in(recorded, grown, rank), peer))
    return neighbour(grown, rank, *step);
  return peer == 0 ? 0 : grown.ranks() - 1;
}

std::shared_ptr<const TraceSource> grown_source(GrowthBasis basis, std::vector<std::string> warnings) {
  const auto& [name, source, ranks] = basis.recorded.recording;
  Grown grown{{source, ranks, basis.grid.ranks(), {}, std::move(warnings)}, std::move(basis), {}};
  for (const auto& size : grown.smaller)
    std::ranges::copy(size.recording.source->files(), std::back_inserter(grown.other_files));
  std::set<GridLine> seen;
  for (const auto& line : grown.recorded.lines) {
    if (!seen.insert(line).second)
      continue;
    for (int rank = 0; rank < grown.grid.ranks(); ++rank)
      if (first_on(grown.grid, line, rank) == rank) {
        grown.communicators.emplace(std::pair(line, rank), grown.groups.size());
        grown.groups.push_back({grown.groups.empty() ? "world" : fmt::format("communicator {}", grown.groups.size()),
                                ranks_on(grown.grid, line, rank)});
      }
  }
  return std::make_shared<ChangedSource<Grown, GrownStream>>(std::move(grown));
}

} // namespace kakehashi
