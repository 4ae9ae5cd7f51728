#include "writer/gpu_tuner_writer.hpp"

#include "base/text.hpp"
#include "result/gpu_tuning.hpp"

#include <fmt/ostream.h>

namespace kakehashi {
namespace {

// The tuner's words for algorithms. Source: NCCL, plugins/tuner/example/plugin.c.
constexpr std::array<std::string_view, gpu_algorithm_count> tuner_algorithms{
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
constexpr std::array<std::string_view, gpu_protocol_count> tuner_protocols{"ll", "ll128", "simple"};

} // namespace

void write_gpu_tuner(const GpuTuning& all, std::ostream& out) {
  constexpr std::uint64_t no_limit = ~std::uint64_t{0};
  fmt::print(out, "# {}: {} on {}, as kakehashi expects it\n", all.platform, all.library, counted(all.ranks, "rank"));
  out << "# collective,minbytes,maxbytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n";
  for (const auto& operation : all.operations)
    for (const auto& range : ranges_of(operation)) {
      const bool is_first = range.first == operation.sizes.data();
      fmt::print(out, "{},{},{},{},{},-1,{},{},-1,-1\n", name_of(gpu_operation_names, operation.operation),
                 is_first ? 0 : range.first->size.count, range.to ? range.to->count : no_limit,
                 tuner_algorithms[static_cast<std::size_t>(range.first->algorithm)],
                 tuner_protocols[static_cast<std::size_t>(range.first->protocol)], all.nodes, all.ranks);
    }
}

} // namespace kakehashi
