// The fields of devices, links, and the rates at which devices reach each other's memory.
#include "model/field_values.hpp"

namespace kakehashi {
namespace {

Words socket_link_words() {
  Words words;
  for (const auto& row : link_types())
    if (row.joins_sockets)
      words.push_back(row.name);
  return words;
}

Words signalling_words() {
  Words words;
  for (const auto& rate : infiniband_rates())
    words.push_back(rate.name);
  return words;
}

} // namespace

template <> std::span<const Field> fields_of<Source>() {
  static const std::vector<Field> fields{
      {.name = "kind",
       .member = &Source::kind,
       .meaning = "assumed; spec: a data sheet; document: a figure in a text; calibrated: from named curves by a tool; "
                  "hand-fitted: from named curves by hand",
       .is_needed = true},
      {.name = "from",
       .member = &Source::from,
       .meaning = "the data sheet, the text's words, or the names of the curves",
       .is_needed = true,
       .range = {1, longest_source}},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Memory>() {
  static const std::vector<Field> fields{
      {.name = "bandwidth",
       .member = &Memory::bandwidth,
       .meaning = "of reads and writes together, as STREAM measures it",
       .left_out = "0.85 of what channels and transfers give; without them as if only the cache were stated, and no "
                   "memory",
       .better = Better::more},
      {.name = "channels", .member = &Memory::channels, .meaning = "number of channels of 8 B", .range = {1, 64}},
      {.name = "transfers", .member = &Memory::transfers, .meaning = "transfer rate of a channel"},
      {.name = "cache",
       .member = &Memory::cache,
       .meaning = "all caches of the device together; what its ranks use loads the memory if it does not fit in",
       .left_out = "the usual one of the kind of device, which is assumed",
       .is_positive = true},
      {.name = "cache_rate",
       .member = &Memory::cache_rate,
       .meaning = "what a core has of the caches while all cores of the device copy within them, reads and writes "
                  "together",
       .left_out = "1.33 times what a lone message of 128 KiB to 4 MiB inside the device reaches",
       .better = Better::more},
      {.name = "cache_domain",
       .member = &Memory::cache_domain,
       .meaning = "number of cores that share a cache of the last level, where a device has several",
       .left_out = "all cores of the device",
       .range = {1, 100000}},
      {.name = "domain_rate",
       .member = &Memory::domain_rate,
       .meaning = "rate at which what cores have written passes from one such cache to another; devices of a node add "
                  "up to one rate of the node",
       .left_out = "no limit",
       .better = Better::more},
      {.name = "size",
       .member = &Memory::size,
       .meaning = "room for data, by which a training step fits or not",
       .left_out = "it is not known",
       .is_positive = true},
      {.name = "source", .member = &Memory::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<ComputeSheet>() {
  static const std::vector<Field> fields{
      {.name = "fp32",
       .member = &ComputeSheet::fp32,
       .meaning = "products of matrices of 32 bits, as TF32 where there is that, without sparsity",
       .better = Better::more},
      {.name = "fp16",
       .member = &ComputeSheet::fp16,
       .meaning = "products of matrices in half precision or bfloat16, without sparsity",
       .better = Better::more},
      {.name = "fp8",
       .member = &ComputeSheet::fp8,
       .meaning = "products of matrices of 8 bits, without sparsity",
       .better = Better::more},
      {.name = "fp16_reached",
       .member = &ComputeSheet::fp16_reached,
       .meaning = "what the largest products in half precision or bfloat16 reach, as measured",
       .left_out = "0.869 of the peak, as on A100, which is assumed",
       .better = Better::more},
      {.name = "fp8_reached",
       .member = &ComputeSheet::fp8_reached,
       .meaning = "the same for products of 8 bits",
       .left_out = "the part of the peak that fp16 reaches, which is assumed",
       .better = Better::more},
      {.name = "units",
       .member = &ComputeSheet::units,
       .meaning = "multiprocessors or compute units, of which running collectives take some",
       .left_out = "not known; collectives take none",
       .range = {1, 10000}},
      {.name = "source", .member = &ComputeSheet::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<MemoryPart>() {
  static const std::vector<Field> fields{
      {.name = "name",
       .member = &MemoryPart::name,
       .meaning = "such as mcdram or ddr",
       .is_needed = true,
       .range = {1, 40}},
      {.name = "size", .member = &MemoryPart::size, .meaning = "room for data", .is_needed = true, .is_positive = true},
      {.name = "bandwidth",
       .member = &MemoryPart::bandwidth,
       .meaning = "of reads and writes together, as STREAM measures it",
       .left_out = "0.85 of what channels and transfers give",
       .better = Better::more},
      {.name = "channels", .member = &MemoryPart::channels, .meaning = "number of channels of 8 B", .range = {1, 64}},
      {.name = "transfers", .member = &MemoryPart::transfers, .meaning = "transfer rate of a channel"},
      {.name = "source", .member = &MemoryPart::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Device>() {
  static const std::vector<Field> fields{
      {.name = "name",
       .member = &Device::name,
       .meaning = "name of the device, unique in its node: letters, digits, '-' and '_'; by range, such as gpu[0-3], "
                  "several alike",
       .is_needed = true},
      {.name = "kind",
       .member = &Device::kind,
       .meaning = "what it is; ranks run on cpu, coprocessor, gpu and dpu, which is the processor of an adapter such "
                  "as BlueField; peach2: a PEACH2 board; tofu: the controller of "
                  "a node in a Tofu network",
       .is_needed = true},
      {.name = "model",
       .member = &Device::model,
       .meaning = "its type as sold: \"H100\", \"ConnectX-7\"",
       .left_out = "it is not known",
       .range = {1, 100}},
      {.name = "cores",
       .member = &Device::cores,
       .meaning = "number of its cores, which share the rate of its caches",
       .left_out = "caches limit nothing",
       .range = {1, 100000}},
      {.name = "numa_domains",
       .member = &Device::numa_domains,
       .meaning = "number of NUMA domains of equally many cores, which the order cyclic-over-numa fills in turn",
       .range = {1, 64}},
      {.name = "stage_threads",
       .member = &Device::stage_threads,
       .meaning =
           "threads that move what passes through the device in stages, each one piece of a message at a time, from "
           "the start to the end of a stage that the device initiates",
       .better = Better::neither,
       .range = {1, 1000}},
      {.name = "dma_engines",
       .member = &Device::dma_engines,
       .meaning = "transfers inside the node that its DMA engines move at a time for itself, and as many for a cpu; "
                  "others wait until one ends",
       .left_out = "of a coprocessor 4, as in Xeon Phi x100, which is assumed; of other devices any number",
       .range = {1, 1000}},
      {.name = "memory",
       .member = &Device::memory,
       .meaning = "the memory that copies by cores and what flows in and out share",
       .left_out = "the usual one of the kind of device, which is assumed, for what moves inside it; no limit for what "
                   "flows in and out"},
      {.name = "compute",
       .member = &Device::compute,
       .meaning = "what a GPU computes by its data sheet, for training steps",
       .left_out = "it is not known, and training steps cannot be predicted"},
      {.name = "sharp",
       .member = &Device::adds,
       .meaning = "of a switch: it adds what the libraries of GPUs send through it, as InfiniBand's do by SHARP"},
      {.name = "memory_policy",
       .member = &Device::memory_policy,
       .meaning = "where data lies in several memories: fill: in the first one that has room; interleave: in all of "
                  "them by turns, as long as they have room; cache: the first one caches the others"},
      {.name = "memory_in_use",
       .member = &Device::memory_in_use,
       .meaning = "what the data of all ranks on the device takes of several memories; each memory moves its share of "
                  "all bytes",
       .left_out = "little: it fits in any memory"},
      {.name = "message_rate",
       .member = &Device::message_rate,
       .meaning = "messages a second that an HCA or NIC sends, and that it receives, for all ranks of its node",
       .left_out = "any number",
       .better = Better::more,
       .range = {1, 2'000'000'000}},
      {.name = "duplex_bandwidth",
       .member = &Device::duplex_bandwidth,
       .meaning = "rate of an HCA or NIC for both directions together",
       .left_out = "each direction is limited by its links only",
       .better = Better::more},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Capacity>() {
  static const std::vector<Field> fields{
      {.name = "forward",
       .member = &Capacity::forward,
       .meaning = "from the first device of between to the second",
       .better = Better::more,
       .is_needed = true},
      {.name = "backward",
       .member = &Capacity::backward,
       .meaning = "from the second to the first",
       .better = Better::more,
       .is_needed = true},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Link>() {
  using enum Better;
  static const std::vector<Field> fields{
      {.name = "type",
       .member = &Link::type,
       .meaning = "what the link is; its type says which fields of a data sheet it takes",
       .is_needed = true},
      {.name = "latency", .member = &Link::latency, .meaning = "time that a byte takes one way", .better = less},
      {.name = "bandwidth",
       .member = &Link::bandwidth,
       .meaning = "stated capacity of each direction; it beats the one that follows from the data sheet",
       .better = more},
  };
  return fields;
}

// No field here states what is better: all of them act through the bandwidth that follows from them, and many have
// steps that nobody can buy between.
template <> std::span<const Field> fields_of<LinkRating>() {
  static const std::vector<Field> fields{
      {.name = "transfers", .member = &LinkRating::transfers, .meaning = "transfer rate"},
      {.name = "generation",
       .member = &LinkRating::generation,
       .meaning = "generation of PCI Express",
       .left_out = "peach2: 2",
       .range = {1, 6}},
      {.name = "lanes",
       .member = &LinkRating::lanes,
       .meaning = "number of lanes",
       .left_out = "peach2: 8",
       .range = {1, 32}},
      {.name = "max_payload",
       .member = &LinkRating::max_payload,
       .meaning = "payload of one packet: 128, 256, 512, 1024, 2048 or 4096 B"},
      {.name = "signalling",
       .member = &LinkRating::signalling,
       .meaning = "rate of a lane",
       .words = signalling_words()},
      {.name = "line_rate", .member = &LinkRating::line_rate, .meaning = "rate of one direction"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<PeerLimit>() {
  static const std::vector<Field> fields{
      {.name = "requester",
       .member = &PeerLimit::requester,
       .meaning = "kind of the device that asks",
       .is_needed = true,
       .words = {"coprocessor", "gpu", "hca", "nic", "peach2"}},
      {.name = "memory",
       .member = &PeerLimit::memory,
       .meaning = "kind of the device whose memory it is",
       .is_needed = true,
       .words = {"coprocessor", "gpu"}},
      {
          .name = "access",
          .member = &PeerLimit::access,
          .meaning = "what the requester does with the memory",
          .is_needed = true,
      },
      {.name = "crosses",
       .member = &PeerLimit::crosses,
       .meaning = "only if the leg crosses such a link",
       .left_out = "whether it does or not",
       .words = socket_link_words()},
      {.name = "rate",
       .member = &PeerLimit::rate,
       .meaning = "the limit, for each direction",
       .better = Better::more,
       .is_needed = true},
      {.name = "both",
       .member = &PeerLimit::both,
       .meaning = "the limit for both directions of a pair together, where this entry applies to both",
       .left_out = "each direction has its own only",
       .better = Better::more},
      {.name = "shared",
       .member = &PeerLimit::shared,
       .meaning = "true: all accesses of a requester share the rate; false: each pair of devices has it to itself"},
      {.name = "source", .member = &PeerLimit::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

} // namespace kakehashi
