// A layout of GPUs → the groups that call collectives, and how long their calls take.
#pragma once

#include "gpu/times.hpp"
#include "result/training_step.hpp"

#include <map>
#include <memory>
#include <vector>

namespace kakehashi {

// The groups of ranks along a dimension. Neighbouring ranks differ in the first dimension of the order.
using RankGroups = std::vector<std::vector<int>>;
RankGroups groups_of(const Layout& layout, Parallel dimension);

// The GPUs of a job, any layout of which may be asked about. Groups of equal shape stand for each other.
class GpuJob {
public:
  GpuJob(std::shared_ptr<const Platform> platform, std::shared_ptr<Topology> topology, std::vector<std::size_t> devices,
         GpuWishes wishes = {});

  // Of a group along the dimension while all others do the same; the slowest group counts. Errors: those of
  // gpu_collectives and of a call.
  Result<StepCall> call(const Layout& layout, Parallel dimension, GpuOperation operation, double bytes);
  // From a rank to the next one along the dimension.
  Result<StepCall> send(const Layout& layout, Parallel dimension, double bytes);

  const Platform& platform() const { return *platform_; }
  const std::vector<std::size_t>& devices() const { return devices_; }
  std::size_t node_count() const { return node_count_; }
  std::size_t most_per_node() const { return most_per_node_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& library() const { return library_; }

private:
  struct Group {
    std::shared_ptr<const GpuCollectives> calls;
    double sharing = 1; // groups whose bytes pass the same adapter, or the same host
  };
  using Groups = std::vector<Group>;

  Result<const Groups*> groups(const Layout& layout, Parallel dimension, bool are_pairs);
  Result<Group> group_of(const RankGroups& all, std::size_t number);
  double sharing_of(const RankGroups& all, const std::vector<int>& group, const GpuSystem& system);
  Result<StepCall> timed(const Layout& layout, Parallel dimension, bool are_pairs, GpuOperation operation,
                         double bytes);

  std::shared_ptr<const Platform> platform_;
  std::shared_ptr<Topology> topology_;
  std::vector<std::size_t> devices_;
  std::vector<std::size_t> node_of_; // by rank
  std::vector<int> rail_of_;         // by rank; empty: one node
  GpuWishes wishes_;
  std::size_t node_count_ = 0;
  std::size_t most_per_node_ = 0;
  std::string library_;
  std::vector<std::string> notes_;
  std::map<std::vector<int>, Groups> groups_;                               // by stride, size and kind
  std::map<std::vector<int>, std::shared_ptr<const GpuCollectives>> known_; // by the devices' shape
  std::map<std::vector<double>, StepCall> calls_;
};

} // namespace kakehashi
