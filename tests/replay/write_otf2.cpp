// Writes an OTF2 archive of four ranks for the test of replays: `write-otf2 FOLDER [MESSAGES]`. Times are in ns.
//
// With a number of messages, rank 0 sends so many to rank 1. Without:
//
// Each rank works 100 us in `main`, sends 1000 B to the next one by a nonblocking call and receives from the one before
// by another; the halves of the world, as communicators of their own, reduce 8 B; ranks 0 and 1 exchange a message with
// blocking calls in that communicator; all meet at a barrier; rank 3 works 50 us more.
//
// With `tools`, what tools write beside that: groups that are defined twice, sendrecv as a send and a receive, of 1 MB
// in a ring, a nonblocking allreduce, a receive without an end, and a call without a record.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <otf2/otf2.h>
#include <string>

namespace {

enum String : std::uint32_t {
  empty,
  main_name,
  isend,
  irecv,
  wait,
  send,
  recv,
  allreduce,
  barrier,
  sendrecv,
  iallreduce,
  put,
  process,
  strings
};
constexpr std::array<const char*, strings> texts{
    "",         "main",          "MPI_Isend",   "MPI_Irecv",    "MPI_Wait",       "MPI_Send",
    "MPI_Recv", "MPI_Allreduce", "MPI_Barrier", "MPI_Sendrecv", "MPI_Iallreduce", "MPI_Put",
    "process"};
constexpr std::uint32_t world = 0;
constexpr std::uint32_t even = 1;
constexpr std::uint32_t odd = 2;
constexpr int ranks = 4;

OTF2_FlushType flush_before(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

void write_definitions(OTF2_Archive* archive, bool as_tools) {
  auto* writer = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 1000000, OTF2_UNDEFINED_TIMESTAMP);
  for (std::uint32_t i = 0; i < strings; ++i)
    OTF2_GlobalDefWriter_WriteString(writer, i, texts[i]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, process, empty, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (std::uint32_t i = main_name; i < process; ++i)
    OTF2_GlobalDefWriter_WriteRegion(writer, i, i, i, empty, OTF2_REGION_ROLE_FUNCTION,
                                     i == main_name ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                     empty, 0, 0);
  const std::array<std::uint64_t, ranks> locations{10, 11, 12, 13}; // other numbers than the ranks
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, process, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(writer, locations[rank], process, OTF2_LOCATION_TYPE_CPU_THREAD, 0, rank);
  }
  const std::array<std::uint64_t, ranks> all{0, 1, 2, 3};
  const std::array<std::uint64_t, 2> evens{0, 2};
  const std::array<std::uint64_t, 2> odds{1, 3};
  const auto group = [&](std::uint32_t self, OTF2_GroupType type, std::uint32_t count, const std::uint64_t* members) {
    OTF2_GlobalDefWriter_WriteGroup(writer, self, empty, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members);
  };
  if (as_tools) { // first without members
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, 0, nullptr);
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, 0, nullptr);
  }
  group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, ranks, locations.data());
  group(1, OTF2_GROUP_TYPE_COMM_GROUP, ranks, all.data());
  group(2, OTF2_GROUP_TYPE_COMM_GROUP, 2, evens.data());
  group(3, OTF2_GROUP_TYPE_COMM_GROUP, 2, odds.data());
  if (as_tools) // and later for another paradigm
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, empty, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD,
                                    OTF2_GROUP_FLAG_NONE, 1, all.data());
  OTF2_GlobalDefWriter_WriteComm(writer, world, empty, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, even, empty, 2, world, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, odd, empty, 3, world, OTF2_COMM_FLAG_NONE);
}

class RankWriter {
public:
  RankWriter(OTF2_Archive* archive, std::uint64_t location) : writer_(OTF2_Archive_GetEvtWriter(archive, location)) {}

  void work(std::uint64_t ns) { now_ += ns; }
  void enter(std::uint32_t function) { OTF2_EvtWriter_Enter(writer_, nullptr, now_, function); }
  void leave(std::uint32_t function) { OTF2_EvtWriter_Leave(writer_, nullptr, now_, function); }
  // A call that took 7 us where it was recorded, which does not matter.
  template <class Write> void call(std::uint32_t function, Write write) {
    enter(function);
    now_ += 7000;
    write(writer_, now_);
    leave(function);
  }

private:
  OTF2_EvtWriter* writer_;
  std::uint64_t now_ = 1000;
};

void write_rank(OTF2_Archive* archive, std::uint32_t rank) {
  RankWriter writer(archive, 10 + rank);
  using Writer = OTF2_EvtWriter*;
  using Time = std::uint64_t;
  writer.enter(main_name);
  writer.work(100000);
  writer.call(irecv, [](Writer w, Time t) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, t, 1); });
  writer.call(isend,
              [&](Writer w, Time t) { OTF2_EvtWriter_MpiIsend(w, nullptr, t, (rank + 1) % ranks, world, 5, 1000, 2); });
  writer.call(wait, [&](Writer w, Time t) {
    OTF2_EvtWriter_MpiIrecv(w, nullptr, t, (rank + ranks - 1) % ranks, world, 5, 1000, 1);
  });
  writer.call(wait, [](Writer w, Time t) { OTF2_EvtWriter_MpiIsendComplete(w, nullptr, t, 2); });
  writer.call(allreduce, [&](Writer w, Time t) {
    OTF2_EvtWriter_MpiCollectiveBegin(w, nullptr, t - 1000);
    OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, t, OTF2_COLLECTIVE_OP_ALLREDUCE, rank % 2 == 0 ? even : odd,
                                    OTF2_UNDEFINED_UINT32, 8, 8);
  });
  if (rank == 1) // 0 and 1 of the communicator, 1 and 3 of the world
    writer.call(send, [](Writer w, Time t) { OTF2_EvtWriter_MpiSend(w, nullptr, t, 1, odd, 5, 2000); });
  if (rank == 3)
    writer.call(recv, [](Writer w, Time t) { OTF2_EvtWriter_MpiRecv(w, nullptr, t, 0, odd, 5, 2000); });
  writer.call(barrier, [](Writer w, Time t) {
    OTF2_EvtWriter_MpiCollectiveBegin(w, nullptr, t - 1000);
    OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, t, OTF2_COLLECTIVE_OP_BARRIER, world, OTF2_UNDEFINED_UINT32, 0, 0);
  });
  if (rank == 3)
    writer.work(50000);
  writer.leave(main_name);
}

void write_stream(OTF2_Archive* archive, std::uint32_t rank, int messages) {
  RankWriter writer(archive, 10 + rank);
  for (int i = 0; i < messages; ++i)
    if (rank == 0)
      writer.call(send,
                  [](OTF2_EvtWriter* w, std::uint64_t t) { OTF2_EvtWriter_MpiSend(w, nullptr, t, 1, world, 5, 1000); });
    else if (rank == 1)
      writer.call(recv,
                  [](OTF2_EvtWriter* w, std::uint64_t t) { OTF2_EvtWriter_MpiRecv(w, nullptr, t, 0, world, 5, 1000); });
  writer.work(3000);
  writer.enter(main_name);
  writer.leave(main_name);
}

void write_as_tools(OTF2_Archive* archive, std::uint32_t rank) {
  RankWriter writer(archive, 10 + rank);
  using Writer = OTF2_EvtWriter*;
  using Time = std::uint64_t;
  writer.call(sendrecv, [&](Writer w, Time t) {
    OTF2_EvtWriter_MpiSend(w, nullptr, t, (rank + 1) % ranks, world, 5, 1000000);
    OTF2_EvtWriter_MpiRecv(w, nullptr, t, (rank + ranks - 1) % ranks, world, 5, 1000000);
  });
  writer.call(iallreduce, [](Writer w, Time t) { OTF2_EvtWriter_NonBlockingCollectiveRequest(w, nullptr, t, 7); });
  writer.work(100000);
  writer.call(wait, [](Writer w, Time t) {
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w, nullptr, t, OTF2_COLLECTIVE_OP_ALLREDUCE, world,
                                                 OTF2_UNDEFINED_UINT32, 8, 8, 7);
  });
  if (rank == 2)
    writer.call(irecv, [](Writer w, Time t) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, t, 9); });
  if (rank == 3)
    writer.call(put, [](Writer, Time) {});
}

} // namespace

int main(int count, char** words) {
  const bool as_tools = count > 2 && std::string(words[2]) == "tools";
  const int messages = count > 2 ? std::atoi(words[2]) : 0;
  auto* archive = OTF2_Archive_Open(words[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX,
                                    OTF2_COMPRESSION_NONE);
  const OTF2_FlushCallbacks flush{flush_before, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    as_tools       ? write_as_tools(archive, rank)
    : messages > 0 ? write_stream(archive, rank, messages)
                   : write_rank(archive, rank);
  OTF2_Archive_CloseEvtFiles(archive);
  write_definitions(archive, as_tools);
  return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
