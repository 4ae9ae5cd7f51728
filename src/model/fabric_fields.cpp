// The fields of fabrics, their rules and regimes, and of the libraries.
#include "model/field_values.hpp"

namespace kakehashi {
namespace {

std::vector<std::string_view> endpoint_words() {
  std::vector<std::string_view> words;
  for (std::size_t k = 0; k < device_kind_count; ++k)
    if (can_run_ranks(static_cast<DeviceKind>(k)))
      words.push_back(device_kind_names[k]);
  return words;
}

} // namespace

template <> std::span<const Field> fields_of<Regime>() {
  using enum Better;
  static const std::vector<Field> fields{
      {.name = "from",
       .member = &Regime::from,
       .meaning = "first message size of the regime, or the name of a threshold of the fabric",
       .is_needed = true,
       .range = {1, 100}},
      {.name = "to",
       .member = &Regime::to,
       .meaning = "first message size beyond the regime, or the name of a threshold",
       .left_out = "no limit",
       .range = {1, 100}},
      {.name = "trips",
       .member = &Regime::trips,
       .meaning =
           "one-way latencies before the payload's last byte can flow: 1 eager, 3 rendezvous (request, grant, data)",
       .range = {1, 9}},
      {.name = "o_send",
       .member = &Regime::send_overhead,
       .meaning = "time of the sending core",
       .better = less,
       .core = Side::sender},
      {.name = "o_recv",
       .member = &Regime::receive_overhead,
       .meaning = "time of the receiving core",
       .better = less,
       .core = Side::receiver},
      {.name = "per_byte_send",
       .member = &Regime::send_per_byte,
       .meaning = "time of the sending core for each byte",
       .better = less,
       .core = Side::sender},
      {.name = "per_byte_recv",
       .member = &Regime::receive_per_byte,
       .meaning = "time of the receiving core for each byte",
       .better = less,
       .core = Side::receiver},
      {.name = "setup",
       .member = &Regime::setup,
       .meaning = "delay before the payload in which no core is busy",
       .better = less},
      {.name = "cap",
       .member = &Regime::cap,
       .meaning = "highest rate of one message",
       .left_out = "only links limit it",
       .better = more},
      {.name = "gap",
       .member = &Regime::gap,
       .meaning = "idle time of a connection between two payloads, and least time between two payloads of one sender",
       .better = less},
      {.name = "alignment",
       .member = &Regime::alignment,
       .meaning = "sizes that are no multiple take longer",
       .left_out = "no size does",
       .better = less},
      {.name = "provider", .member = &Regime::provider, .meaning = "name of what carries such messages, for reports"},
      {.name = "source", .member = &Regime::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Alignment>() {
  static const std::vector<Field> fields{
      {.name = "multiple",
       .member = &Alignment::multiple,
       .meaning = "sizes that are a multiple of this take no longer",
       .is_needed = true,
       .is_positive = true},
      {.name = "penalty",
       .member = &Alignment::penalty,
       .meaning = "time that all other sizes take longer",
       .better = Better::less,
       .is_needed = true},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Fetch>() {
  static const std::vector<Field> fields{
      {.name = "from", .member = &Fetch::from, .meaning = "first size that is fetched", .is_needed = true},
      {.name = "source", .member = &Fetch::source, .meaning = "where this is known from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Rule>() {
  static const std::vector<Field> fields{
      {.name = "scope",
       .member = &Rule::scope,
       .meaning = "where the two ends of a message are",
       .left_out = "anywhere"},
      {.name = "between",
       .member = &Rule::between,
       .meaning = "kinds of the two endpoints, in either order",
       .left_out = "any",
       .words = endpoint_words()},
      {.name = "from",
       .member = &Rule::from,
       .meaning = "kind of the endpoint that the payload leaves",
       .left_out = "any",
       .words = endpoint_words()},
      {.name = "to",
       .member = &Rule::to,
       .meaning = "kind of the endpoint that the payload reaches",
       .left_out = "any",
       .words = endpoint_words()},
      {.name = "initiator",
       .member = &Rule::initiator,
       .meaning = "kind of the endpoint that starts the transfer",
       .left_out = "any",
       .words = endpoint_words()},
      {.name = "crosses",
       .member = &Rule::crosses,
       .meaning = "only for paths over such a link",
       .left_out = "whatever they cross"},
      {.name = "moved_by_cores",
       .member = &Rule::moved_by_cores,
       .meaning = "as for the fabric, for this rule only",
       .left_out = "as the fabric has it"},
      {.name = "copies",
       .member = &Rule::copies,
       .meaning = "how often cores copy each byte of what passes the memory: 1 where one process reads another's "
                  "(CMA, KNEM, XPMEM), 2 through a buffer; only with moved_by_cores",
       .range = {1, 2}},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Adjustment>() {
  using enum Better;
  static const std::vector<Field> fields{
      {
          .name = "crosses",
          .member = &Adjustment::crosses,
          .meaning = "the link type; it is one of the fabric's",
          .is_needed = true,
      },
      {
          .name = "protocol",
          .member = &Adjustment::protocol,
          .meaning = "only for such regimes: eager those of one trip, rendezvous those of more",
          .left_out = "both",
      },
      {.name = "latency", .member = &Adjustment::latency, .meaning = "added to each trip", .better = less},
      {.name = "overhead",
       .member = &Adjustment::overhead,
       .meaning = "added to the core's time at both ends, for each trip",
       .better = less},
      {.name = "copy_factor",
       .member = &Adjustment::copy_factor,
       .meaning = "factor of the cores' time for each byte at either end",
       .better = less,
       .range = {1, 1000}},
      {.name = "gap", .member = &Adjustment::gap, .meaning = "added to the gap", .better = less},
      {.name = "source", .member = &Adjustment::source, .meaning = "where the numbers come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Stage>() {
  static const std::vector<Field> fields{
      {.name = "fabric",
       .member = &Stage::fabric,
       .meaning = "the fabric that carries it: one of this platform with rules",
       .is_needed = true},
      {.name = "from",
       .member = &Stage::from,
       .meaning = "sender, receiver, or a device of their nodes, such as sender.cpu0",
       .is_needed = true},
      {.name = "to",
       .member = &Stage::to,
       .meaning = "sender, receiver, or a device of their nodes, such as receiver.cpu0",
       .is_needed = true},
      {.name = "initiator", .member = &Stage::initiator, .meaning = "which end starts the transfer"},
      {.name = "only_sender",
       .member = &Stage::only_sender,
       .meaning = "only if the message's sender is of that kind",
       .left_out = "of any",
       .words = endpoint_words()},
      {.name = "only_receiver",
       .member = &Stage::only_receiver,
       .meaning = "only if the message's receiver is of that kind",
       .left_out = "of any",
       .words = endpoint_words()},
  };
  return fields;
}

template <> std::span<const Field> fields_of<Fabric>() {
  static const std::vector<Field> fields{
      {.name = "moved_by_cores",
       .member = &Fabric::moved_by_cores,
       .meaning = "true: the cores copy the payload (shared memory), so its time is in per_byte_send and "
                  "per_byte_recv, and it takes none on links; for all rules without the key"},
      {.name = "one_sided",
       .member = &Fabric::one_sided,
       .meaning = "true: the endpoint that starts a transfer does all the work, whichever way the payload goes; "
                  "nobody pays o_recv"},
      {.name = "route_size",
       .member = &Fabric::route_size,
       .meaning = "of several ways between two devices the fastest for a message of this size is the route of all",
       .left_out = "64 KiB",
       .is_positive = true},
      {.name = "spread",
       .member = &Fabric::spread,
       .meaning = "true: of equally good ways (spines of a fat tree, rails) the destination's number chooses one, the "
                  "same in every "
                  "run; false: all take the first"},
      {.name = "loop_back",
       .member = &Fabric::loop_back,
       .meaning =
           "true: messages inside a node, and inside a device, go through the gateway next to the sender and back"},
      {.name = "forwarded",
       .member = &Fabric::forwarded,
       .meaning = "true: payloads pass through the memory of the hosts on their way, as with TCP over a virtual "
                  "Ethernet, so that no device reaches another one's memory and no peer limit applies"},
      {.name = "only_stage",
       .member = &Fabric::only_stage,
       .meaning = "true: the fabric exists to be a stage of others, and no messages of ranks take it alone; compare "
                  "leaves it out"},
      {.name = "hypothetical",
       .member = &Fabric::hypothetical,
       .meaning = "true: nobody has measured such a fabric, and its numbers are assumptions; compare leaves it out "
                  "unless it is named, and marks it"},
      {.name = "stripes_from",
       .member = &Fabric::stripes_from,
       .meaning =
           "messages between nodes of this size on are cut in equal parts, one for each gateway that both nodes have, "
           "which flow at once; caps hold for each part",
       .left_out = "never",
       .is_positive = true},
      {.name = "fetch",
       .member = &Fabric::fetch,
       .meaning = "eager payloads that the adapter next to the sender fetches from memory, which takes the latencies "
                  "between them twice more; smaller ones the core hands over with the order to send",
       .left_out = "no payload is, or the regimes' times include it"},
      {.name = "pipeline",
       .member = &Fabric::chunk,
       .meaning = "stages work on pieces of this size at the same time",
       .left_out = "one stage after the other",
       .is_positive = true},
  };
  return fields;
}

template <> std::span<const Field> fields_of<MpiSettings>() {
  static const std::vector<Field> fields{
      {.name = "collectives",
       .member = &MpiSettings::selector,
       .meaning = "whose decision tables choose the algorithms of collective operations by size and number of ranks; "
                  "open-mpi: 1.3 to 4.0; open-mpi-4.1, open-mpi-5.0; mpich: 3.0 to 3.2; mpich-4: 4.2; mvapich2-2.3; "
                  "cray-mpich, "
                  "intel-mpi, intel-mpi-2019, intel-mpi-2021, mpt, hcoll (of HPC-X): assumed, not public; ucc: 1.10; "
                  "fujitsu-old to -new: for the Tofu "
                  "network, made for one process a node (old) and then for many (three versions; new: the last of "
                  "them); fujitsu-4: for Tofu-D, as on Fugaku, assumed; fixed: one textbook algorithm each"},
      {.name = "progress",
       .member = &MpiSettings::progress,
       .meaning = "what answers requests for long messages and takes the steps of nonblocking collective calls while "
                  "a rank works: the network's hardware; a thread on another core, which also receives; or nothing, "
                  "as MPI goes on inside calls only",
       .left_out = "inside-calls, as the libraries' documents state, but hardware with fixed"},
      {.name = "reduction",
       .member = &MpiSettings::reduction,
       .meaning = "time of a core, or a whole GPU, to add one byte of an incoming vector to its own",
       .left_out = "0.25 ns/B on a cpu, 0.65 on a coprocessor, 0.004 on a gpu, 0.5 on a dpu, which is assumed"},
      {.name = "copy",
       .member = &MpiSettings::copy,
       .meaning = "time to copy one byte of its own memory: packing, rotating, a rank's own block",
       .left_out = "0.1 ns/B on a cpu, 0.5 on a coprocessor, 0.003 on a gpu, 0.2 on a dpu, which is assumed"},
      {.name = "copy_start",
       .member = &MpiSettings::copy_start,
       .meaning = "time for each block that is packed and unpacked, besides its bytes",
       .left_out = "60 ns, which is assumed"},
      {.name = "communicator_start",
       .member = &MpiSettings::communicator_start,
       .meaning = "time of each rank to make a communicator, besides the messages by which all agree on it",
       .left_out = "4 us for Open MPI and Fujitsu's, 1.6 us for MPICH and its descendants, none with fixed: measured "
                   "with Open MPI 4.1.4 and MPICH 4.0.2 on one machine"},
      {.name = "single_copy_from",
       .member = &MpiSettings::single_copy_from,
       .meaning = "size from which one process reads or writes another's memory; shorter messages inside a node pass "
                  "through a buffer, from which the receiver's core fetches what the sender's has written",
       .left_out = "the library's; eager messages pass through a buffer if that is not known",
       .is_positive = true},
      {.name = "full_node_factor",
       .member = &MpiSettings::full_node_factor,
       .meaning =
           "factor of the cores' times for messages of up to 8 KiB inside a node whose cores all have ranks; not "
           "in collective operations",
       .left_out = "the library's",
       .better = Better::less,
       .range = {1, 100}},
      {.name = "network_polling",
       .member = &MpiSettings::network_polling,
       .meaning = "what a message inside a node takes its receiver more once the job has several nodes, as the library "
                  "then looks for messages of the network, too; not in collective operations",
       .left_out = "nothing",
       .better = Better::less},
      {.name = "after_work",
       .member = &MpiSettings::after_work,
       .meaning = "what a message inside a node takes its sender, and its receiver, more that has worked for 200 us "
                  "or more since its last message, as its caches then hold other data than the library's; after "
                  "shorter work less, in proportion",
       .left_out = "nothing",
       .better = Better::less},
      {.name = "after_work_copy",
       .member = &MpiSettings::after_work_copy,
       .meaning = "what each byte of such a message, up to 1 MiB, takes each of them more after work of any length, "
                  "which has written or evicted what a ping-pong finds in its caches",
       .left_out = "nothing",
       .better = Better::less},
      {.name = "gpu_reductions",
       .member = &MpiSettings::gpu_reductions,
       .meaning = "where collective operations add vectors of ranks on GPUs: on the device; or on its host, the CPU "
                  "that is nearest, to which the library copies whole vectors and from which it copies the result",
       .left_out = "host with Open MPI, MVAPICH2 and Cray MPICH, as their sources and defaults have it; device with "
                   "others, for whom that is assumed, and with traces of GPUs' own libraries"},
      {.name = "gpu_copy_start",
       .member = &MpiSettings::gpu_copy_start,
       .meaning = "time to start a copy between a GPU and its host and to wait for its end, besides the time of its "
                  "bytes on the links and of the host's core, which copies them out of and into pinned memory",
       .left_out = "10 us, the latency of UCX 1.8's cuda_copy"},
      {.name = "host_fabric",
       .member = &MpiSettings::host_fabric,
       .meaning = "fabric of the messages between hosts that add vectors of GPUs",
       .left_out = "that of the ranks"},
      {.name = "source", .member = &MpiSettings::source, .meaning = "where these times come from"},
  };
  return fields;
}

template <> std::span<const Field> fields_of<AlgorithmChoice>() {
  static const std::vector<Field> fields{
      {.name = "segment",
       .member = &AlgorithmChoice::segment,
       .meaning = "vectors pass through trees, chains and the segmented ring in segments of this size",
       .left_out = "in one"},
      {.name = "width",
       .member = &AlgorithmChoice::width,
       .meaning = "chain: how many begin at the root; linear alltoall and alltoallv: receives, and sends, in flight at "
                  "a time; bruck of allgather, knomial: the base",
       .left_out = "one chain, all in flight, base 2 (knomial: 4)",
       .range = {1, 100000}},
  };
  return fields;
}

template <> std::span<const Field> fields_of<GpuLibraryChoice>() {
  using enum Better;
  static const std::vector<Field> fields{
      {.name = "name",
       .member = &GpuLibraryChoice::name,
       .meaning = "which library",
       .left_out = "rccl on GPUs of AMD, else nccl",
       .words = {"nccl", "rccl"}},
      {.name = "version",
       .member = &GpuLibraryChoice::version,
       .meaning = "its release, such as \"2.27\" or \"2.27.3\"",
       .left_out = "the usual one of libraries/gpu",
       .range = {1, 20}},
      {.name = "launch",
       .member = &GpuLibraryChoice::launch,
       .meaning = "from a call to its first step, by LL",
       .left_out = "that of the GPUs' generation",
       .better = less},
      {.name = "floor",
       .member = &GpuLibraryChoice::floor,
       .meaning = "what each call takes more that leaves a node, as plug-ins of networks have it",
       .left_out = "that of the adapter",
       .better = less},
      {.name = "steps",
       .member = &GpuLibraryChoice::steps,
       .meaning = "factor of the time of steps inside nodes, without their bytes",
       .left_out = "1",
       .better = less,
       .range = {0, 100}},
      {.name = "network_steps",
       .member = &GpuLibraryChoice::network_steps,
       .meaning = "factor of the time of steps between nodes, without their bytes",
       .left_out = "1",
       .better = less,
       .range = {0, 100}},
      {.name = "efficiency",
       .member = &GpuLibraryChoice::efficiency,
       .meaning =
           "part of the rate of the links inside nodes that data by Simple gets; other protocols, NVLS, sends and "
           "receives in proportion",
       .left_out = "that of the GPUs' generation",
       .better = more,
       .range = {0, 1}},
      {.name = "network_efficiency",
       .member = &GpuLibraryChoice::network_efficiency,
       .meaning = "part of the rate of the adapters that data by Simple gets; other protocols in proportion",
       .left_out = "that of the adapter",
       .better = more,
       .range = {0, 1}},
      {.name = "source", .member = &GpuLibraryChoice::source, .meaning = "where these numbers come from"},
  };
  return fields;
}

} // namespace kakehashi
