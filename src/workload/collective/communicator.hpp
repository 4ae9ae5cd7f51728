// A group of ranks as one of them sees it. Ranks are numbered from 0 in the group, and messages stay within it.
//
//   Program pass_on(Communicator comm, Call call) {
//     if (comm.rank() > 0)
//       co_await comm.receive(comm.rank() - 1);
//     if (comm.rank() + 1 < comm.size())
//       co_await comm.send(comm.rank() + 1, call.blocks.all());
//   }
#pragma once

#include "model/mpi_settings.hpp"
#include "workload/collective/data.hpp"
#include "workload/collective/group.hpp"
#include "workload/program.hpp"

#include <cassert>

namespace kakehashi {

// The time to accept an incoming vector and to begin adding it. Assumed; about the difference between a round of an
// Allreduce of up to 256 B and its messages on four clusters of 2016 to 2022.
inline constexpr Seconds usual_reduction_start{200e-9};

// The behaviour of the MPI library, the same for all communicators of a run.
struct Library {
  Selector selector = Selector::open_mpi;
  std::array<std::optional<AlgorithmChoice>, collective_count> algorithms;
  PerKind<SecondsPerByte> reduction = usual_reduction;
  PerKind<SecondsPerByte> copy = usual_copy;
  Seconds copy_start = usual_copy_start;
  std::optional<Seconds> communicator_start; // none: the selector's usual one
  std::optional<Bytes> single_copy_from;     // shorter messages in a node pass through a buffer; none: eager ones do
  double full_node_factor = 1;               // this and the next three are as in MpiSettings
  Seconds network_polling;
  Seconds after_work;
  SecondsPerByte after_work_copy;
  Seconds reduction_start = usual_reduction_start;
  std::shared_ptr<const CollectiveRules> rules; // rules of a user's file; null: none
  MpiProgress progress = MpiProgress::hardware;
  bool states_progress = false; // false: progress is the selector's usual one
  GpuReductions gpu_reductions = GpuReductions::device;
  bool states_gpu_reductions = false; // false: gpu_reductions are the selector's usual ones
  Seconds gpu_copy_start = usual_gpu_copy_start;
  bool operator==(const Library&) const = default;
};
Library make_library(const MpiSettings& settings);
inline NodeCosts in_node_of(const Library& library) {
  return {library.single_copy_from, library.full_node_factor, library.network_polling, library.after_work,
          library.after_work_copy};
}

// Small, and cheap to copy. The rank, group and library must outlive it.
class Communicator {
public:
  // `id` is the rank's number in the group. Communicators of different contexts never receive each other's messages;
  // context 0 is the world's. `carried` is a test's list of the bytes in each message; null in a simulation.
  Communicator(Rank& self, const Group& group, int id, const Library& library, int context = 0,
               std::vector<Piece>* carried = nullptr)
      : self_(&self), group_(&group), library_(&library), carried_(carried), id_(id), tag_(first_tag - 3 * context) {}

  int rank() const { return (id_ - root_ + size()) % size(); }
  int size() const { return group_->size(); }
  Rank& self() const { return *self_; }
  const Group& group() const { return *group_; }
  const Library& library() const { return *library_; }
  Seconds now() const { return self_->clock; }

  // The same group, numbered so that `root` becomes 0.
  Communicator rooted_at(int root) const {
    auto rooted = *this;
    rooted.root_ = (root_ + root) % size();
    return rooted;
  }

  // For groups that have nodes. Ids are those of the group.
  bool has_nodes() const { return group_->has_nodes(); }
  Communicator my_node() const {
    assert(has_nodes());
    return part(group_->nodes[index(group_->node_of, id_)], place_in_node(id_), 1);
  }
  bool is_leader() const { return place_in_node(id_) == 0; }
  Communicator leaders() const { // the communicator of a rank that is a leader
    assert(has_nodes() && is_leader());
    return part(*group_->leaders, node_of(id_), 2);
  }
  int node_of(int id) const { return group_->node_of[static_cast<std::size_t>(id)]; }
  int place_in_node(int id) const { return group_->place_in_node[static_cast<std::size_t>(id)]; }

  // The same group with messages and work on another lane.
  Communicator on(LaneNumber lane) const {
    auto other = *this;
    other.lane_ = lane;
    return other;
  }
  LaneNumber lane() const { return lane_; }
  // Copies from the rank's GPU to its host, or back. Only for ranks on GPUs.
  Rank::Done copy_to_host(Bytes bytes) { return self_->copy(bytes, own_lane, host_lane, library_->gpu_copy_start); }
  Rank::Done copy_from_host(Bytes bytes) { return self_->copy(bytes, host_lane, own_lane, library_->gpu_copy_start); }

  template <class Carried> Rank::Done send(int to, const Carried& data) {
    note(data);
    return self_->send(world(to), data.size, tag_, lane_, sends_new_data());
  }
  template <class Carried> Rank::Starting isend(int to, const Carried& data) {
    note(data);
    return self_->isend(world(to), data.size, tag_, lane_, sends_new_data());
  }
  template <class Carried> Rank::Receiving sendreceive(int to, const Carried& data, int from) {
    note(data);
    const bool is_new = sends_new_data();
    self_->has_new_data = true;
    return self_->sendreceive(world(to), data.size, world(from), tag_, lane_, is_new);
  }
  // Copies from one place of the rank's memory to another.
  template <class Carried> Rank::Receiving copy(const Carried& data) { return sendreceive(rank(), data, rank()); }
  // Writes to the memory of another rank, which takes no part.
  template <class Carried> Rank::Done put(int to, const Carried& data) {
    note(data);
    return self_->put(world(to), data.size, lane_);
  }
  // Reads the memory of another rank, which takes no part.
  template <class Carried> Rank::Done get(int from, const Carried& data) {
    note(data);
    return self_->get(world(from), data.size, lane_);
  }
  template <class Carried> Rank::Starting iput(int to, const Carried& data) {
    note(data);
    return self_->iput(world(to), data.size, lane_);
  }
  Rank::Receiving receive(int from) {
    self_->has_new_data = true;
    return self_->receive(world(from), tag_);
  }
  Rank::Starting ireceive(int from) { return self_->ireceive(world(from), tag_); }
  Rank::Done wait(Request request) {
    self_->has_new_data = true;
    return self_->wait(request);
  }
  Rank::Done wait_all(std::vector<Request> requests) {
    self_->has_new_data = true;
    return self_->wait_all(std::move(requests));
  }

  // Takes part in what all members do together, which takes a time. All get the data.
  template <class Carried> auto together(const Carried& data, Seconds time) {
    note(data);
    self_->has_new_data = true;
    const auto place = std::uint64_t{static_cast<std::uint32_t>(-tag_)} << 32 | static_cast<std::uint32_t>(world(0));
    return self_->perform(JointOperation{std::uint64_t{1} << 63 | place, static_cast<std::size_t>(size()), time});
  }

  // The same for an algorithm of a collective call, or of a call inside one. passes_on: its ranks send what they have
  // received, added or packed; else what they had when it began.
  Communicator in_call(bool passes_on) const {
    auto inside = *this;
    if (!is_in_call_)
      self_->has_new_data = false;
    inside.is_in_call_ = true;
    inside.passes_on_ = passes_on;
    inside.began_with_new_ = self_->has_new_data;
    return inside;
  }

  // To be called at the beginning of each round of a loop in which all ranks do the same with the same partners, one
  // message each. Returns how many of the rounds after it may be left out.
  int rounds_to_skip(int left) const {
    return self_->rounds && size() == self_->size ? self_->rounds->begins(self_->id, left) : 0;
  }

  // Takes the time to add an incoming vector to the rank's own.
  Rank::Done add(Bytes incoming) { return work(incoming, library_->reduction, library_->reduction_start); }
  // Takes the time to pack or unpack blocks, or to move them within the rank's memory.
  Rank::Done move(Bytes bytes, std::uint64_t blocks = 0) {
    return work(bytes, library_->copy, static_cast<double>(blocks) * library_->copy_start);
  }

private:
  static constexpr int first_tag = -2; // wildcard receives only match tags from 0

  // The bytes are read and written, and fetched before they are written.
  Rank::Done work(Bytes bytes, const PerKind<SecondsPerByte>& per_byte, Seconds start) {
    self_->has_new_data = true;
    const auto kind = lane_ == own_lane ? self_->kind : kind_on(usual_lanes()[lane_], self_->kind);
    return self_->compute_in_call(start + bytes * of_kind(per_byte, kind), Bytes{3 * bytes.count}, lane_);
  }
  bool sends_new_data() const { return passes_on_ ? self_->has_new_data : began_with_new_; }
  static std::size_t index(const std::vector<int>& list, int id) {
    return static_cast<std::size_t>(list[static_cast<std::size_t>(id)]);
  }
  int world(int rank) const {
    assert(rank >= 0 && rank < size());
    const int id = rank + root_;
    return group_->members[static_cast<std::size_t>(id < size() ? id : id - size())];
  }
  Communicator part(const Group& group, int id, int level) const {
    auto inner = *this;
    inner.group_ = &group;
    inner.id_ = id;
    inner.root_ = 0;
    inner.tag_ -= level;
    return inner;
  }
  template <class Carried> void note(const Carried& data) {
    if (carried_)
      data.for_each_piece([&](const Piece& piece) { carried_->push_back(piece); });
  }

  Rank* self_;
  const Group* group_;
  const Library* library_;
  std::vector<Piece>* carried_;
  int id_;
  int root_ = 0;
  int tag_;
  LaneNumber lane_ = own_lane;
  bool is_in_call_ = false;
  bool passes_on_ = false;
  bool began_with_new_ = false;
};

} // namespace kakehashi
