#include "input/platform/mpi_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// "allgather 0- ranks, 0-1023 B: ring", a row a line.
std::string text_of(const Result<CollectiveRules>& rules) {
  std::string text;
  if (!rules) {
    for (const auto& error : rules.errors())
      text += to_text(error) + "\n";
    return text;
  }
  constexpr Decision none;
  const auto limit = [](auto value, auto unlimited) { return value == unlimited ? "" : std::to_string(value - 1); };
  for (const auto& row : rules->rows) {
    text += std::string(row_of(row.collective).name) + " " + std::to_string(row.ranks_from) + "-" +
            limit(row.ranks_below, none.ranks_below) + " ranks" + (row.ranks == Ranks::power_of_two ? " pow2" : "") +
            (row.on_nodes ? " on nodes" : "") + (row.off_nodes ? " off nodes" : "") + ", " +
            std::to_string(row.bytes_from) + "-" + limit(row.bytes_below, none.bytes_below) + " B" +
            (row.measure == Measure::block        ? " a block"
             : row.measure == Measure::all_blocks ? " in all"
                                                  : "") +
            ": " + std::string(row.algorithm.empty() ? "the table's" : row.algorithm);
    if (row.segment.count > 0)
      text += ", segments of " + std::to_string(row.segment.count);
    if (row.width > 0)
      text += ", width " + std::to_string(row.width);
    text += "\n";
  }
  for (const auto& rule : rules->left_out)
    text += "left out: " + rule.what + "\n";
  return text;
}

std::string open_mpi(const std::string& text) {
  return text_of(parse_open_mpi_rules(text, "my.conf"));
}

std::string mpich(const std::string& text) {
  const auto document = parse_json(text, "my.json");
  return document ? text_of(parse_mpich_rules(*document)) : to_text(document.errors().front());
}

TEST(OpenMpiRules, HoldFromTheirSizesOn) {
  EXPECT_EQ(open_mpi("2          # operations\n"
                     "0 2        # allgather, two sizes of communicators\n"
                     "8 2        # from 8 ranks on, and for fewer\n"
                     "0 3 0 0\n"
                     "1024 4 0 0\n"
                     "64 1 0 0 0 0 # from 64 on: its own choice\n"
                     "7 1 2 1 0 2 4 8192 # a broadcast along four chains in segments\n"),
            "allgather 0-63 ranks, 0-1023 B in all: recursive-doubling\n"
            "allgather 0-63 ranks, 1024- B in all: ring\n"
            "allgather 64- ranks, 0- B in all: the table's\n"
            "bcast 0- ranks, 0- B: chain, segments of 8192, width 4\n");
}

// A pipeline is one chain whatever its fan-out; a barrier has no size, so that its first rule counts.
TEST(OpenMpiRules, KeepWhatTheLibraryHeeds) {
  EXPECT_EQ(open_mpi("3\n7 1 0 1 0 3 4 1024\n6 1 0 2 0 6 0 0 100 1 0 0\n5 1 0 1 0 1 0 0\n"),
            "bcast 0- ranks, 0- B: chain, segments of 1024, width 1\n"
            "barrier 0- ranks, 0- B: tree\n");
}

TEST(OpenMpiRules, CountTheLastOfAnOperationAndSaySo) {
  const std::string twice = "rule-file-version-2\n2\n7 1 0 1\n0 6 0 0 5\n7 1 0 1\n0 1 0 0\n";
  EXPECT_EQ(open_mpi(twice), "bcast 0- ranks, 0- B: linear\n");
  const auto rules = parse_open_mpi_rules(twice, "my.conf");
  ASSERT_EQ(rules->notes.size(), 2U);
  EXPECT_EQ(rules->notes[0].what, "releases before 5.0.7 know no version, and drop the whole file");
  EXPECT_EQ(rules->notes[1].place + ": " + rules->notes[1].what,
            "line 5: operation 7 is there before; those rules never match");
}

TEST(OpenMpi6Rules, TakeTheFirstThatMatches) {
  const auto document = parse_json(R"({"collectives": {"allgather": [
      {"comm_size_min": 2, "comm_size_max": 8, "rules": [{"msg_size_max": 1023, "alg": 4}, {"msg_size_min": 1024, "msg_size_max": "inf", "alg": 3}]}],
      "bcast": [{"rules": [{"alg": 2, "faninout": 8, "seg_size": 4096}]}]}})",
                                   "my.json");
  EXPECT_EQ(text_of(parse_open_mpi_6_rules(*document)), "allgather 2-8 ranks, 0-1023 B in all: ring\n"
                                                        "allgather 2-8 ranks, 1024- B in all: recursive-doubling\n"
                                                        "allgather 2-8 ranks, 0- B in all: the table's\n"
                                                        "bcast 0- ranks, 0- B: chain, segments of 4096, width 8\n"
                                                        "bcast 0- ranks, 0- B: the table's\n");
}

TEST(OpenMpiRules, SayWhereTheyAreWrong) {
  EXPECT_EQ(open_mpi("1\n0 1\n8 1\n0 9 0 0\n"),
            "my.conf: line 4: got 9, expected an algorithm of allgather: 0 the table's, 1 gather-bcast, 2 bruck, 3 "
            "recursive-doubling, 4 ring, 5 neighbour-exchange, 6 recursive-doubling, 7 sparbit\n");
  EXPECT_EQ(
      open_mpi("1\n0 1\n8 2\n0 1 0 0\n"),
      "my.conf: line 5: got the end of the file, expected the size of a message, from 0 to 4611686018427387904\n");
  EXPECT_EQ(open_mpi("1\n0 1\n8 1\n4 1 0 0\n"),
            "my.conf: line 4: got 4, expected 0, the size from which the first rule holds\n");
  EXPECT_EQ(open_mpi("rule-file-version-3\n"),
            "my.conf: line 1: got \"3\", expected the version of the form, from 0 to 2\n");
  EXPECT_EQ(open_mpi("0\n\n7\n"), "my.conf: line 3: got more, expected the end of the file, since all operations that "
                                  "it announced have been read\n");
  EXPECT_EQ(open_mpi("1\n0 2\n8 1 0 1 0 0\n8 1 0 1 0 0\n"),
            "my.conf: line 4: got 8, expected more ranks than before, 8\n");
}

TEST(MpichRules, FollowTheOrderOfTheFile) {
  EXPECT_EQ(mpich(R"({"collective=bcast": {"comm_type=intra": {
                       "comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                       "comm_hierarchy=parent": {"avg_msg_size<=2048": {"algorithm=MPIR_Bcast_intra_smp": {}}},
                       "comm_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}},
                     "comm_type=inter": {"algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}}}})"),
            "bcast 0-7 ranks, 0- B: binomial\n"
            "bcast 0- ranks on nodes, 0-2048 B: two-level\n"
            "bcast 0- ranks on nodes, 0- B: the table's\n"
            "bcast 0- ranks, 0- B: scatter-ring-allgather\n"
            "bcast 0- ranks, 0- B: the table's\n"
            "bcast 0- ranks, 0- B: the table's\n");
}

TEST(MpichRules, KnowSizesParametersAndWhatIsNotModelled) {
  EXPECT_EQ(mpich(R"({"collective=allgather": {
                       "comm_size=pow2": {"total_msg_size<512": {"algorithm=MPIR_Allgather_intra_k_brucks": {"k=4": {}}}},
                       "avg_msg_size<=64": {"algorithm=MPIR_Allgather_intra_recexch_doubling": {"k=2": {}}}},
                     "collective=iallgather": {"algorithm=MPIR_Iallgather_intra_sched_ring": {}}})"),
            "allgather 0- ranks pow2, 0-511 B in all: bruck, width 4\n"
            "allgather 0- ranks pow2, 0- B: the table's\n"
            "allgather 0- ranks, 0-64 B a block: the table's\n"
            "allgather 0- ranks, 0- B: the table's\n"
            "left out: MPIR_Allgather_intra_recexch_doubling is not modelled\n");
}

// The notes of a file that has one operation, one a line.
std::string notes_of_mpich(const std::string& operation) {
  const auto rules = parse_mpich_rules(*parse_json("{" + operation + "}", "my.json"));
  std::string text;
  for (const auto& [place, what] : rules->notes)
    if (!place.empty()) // what the file has nothing for
      text += place + ": " + what + "\n";
  return text;
}

// Each was tried with MPICH 4.0.2.
TEST(MpichRules, WarnOfWhatEndsTheJob) {
  EXPECT_EQ(notes_of_mpich(R"("collective=reduce_scatter": {
                                "avg_msg_size<=8": {"algorithm=MPIR_Reduce_scatter_intra_pairwise": {}},
                                "avg_msg_size=any": {"algorithm=MPIR_Reduce_scatter_intra_pairwise": {}}})"),
            "/collective=reduce_scatter/avg_msg_size<=8: MPICH knows no avg_msg_size of reduce_scatter: a call that "
            "comes here ends the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=scan": {"is_commutative=yes": {"algorithm=MPIR_Scan_intra_smp": {}},
                                "is_commutative=no": {"algorithm=MPIR_Scan_intra_recursive_doubling": {}}})"),
            "/collective=scan/is_commutative=yes: MPICH knows no is_commutative of scan: a call that comes here ends "
            "the job\n"
            "/collective=scan/is_commutative=no: MPICH knows no is_commutative of scan: a call that comes here ends "
            "the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=gather": {"comm_type=intra": {"algorithm=MPIR_Gather_intra_binomial": {}},
                                "comm_type=inter": {}})"),
            "/collective=gather/comm_type=inter: is empty: MPI_Init ends the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=bcast": {})"), "/collective=bcast: is empty: MPI_Init ends the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=bcast": {"comm_size<=4": {"algorithm=MPIR_Bcast_intra_binomial": {}}})"),
            "/collective=bcast: ends with \"comm_size<=4\": MPI_Init ends the job, since an entry for all other cases "
            "must follow, such as one that ends in \"=any\"\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=bcast": {"comm_size = any": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                                "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_binomial": {}}})"),
            "/collective=bcast/avg_msg_size=any: comes after \"comm_size=any\", which must be the last entry: MPI_Init "
            "ends the job\n");
}

TEST(MpichRules, KnowReleases) {
  EXPECT_EQ(notes_of_mpich(R"("collective=allreduce": {"algorithm=MPIR_Allreduce_intra_ring": {}})"),
            "/collective=allreduce/algorithm=MPIR_Allreduce_intra_ring: MPIR_Allreduce_intra_ring came with MPICH 4.1; "
            "before it MPI_Init ends the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=barrier": {"algorithm=MPIR_Barrier_intra_dissemination": {}})"),
            "/collective=barrier/algorithm=MPIR_Barrier_intra_dissemination: MPICH has no "
            "MPIR_Barrier_intra_dissemination after 4.0, and there MPI_Init ends the job\n");
  EXPECT_EQ(notes_of_mpich(R"("collective=barrier": {"algorithm=MPIR_Barrier_intra_k_dissemination": {"k=2": {}}})"),
            "/collective=barrier/algorithm=MPIR_Barrier_intra_k_dissemination: MPIR_Barrier_intra_k_dissemination came "
            "with MPICH 4.1; before it MPI_Init ends the job\n");
}

// src/mpi/coll/src/csel.c asks when it makes a communicator, and again at calls, with "<" and "<=".
TEST(MpichRules, TakeLessForAtMostBelowAConditionOnCalls) {
  const std::string tree = R"("collective=alltoall": {"is_sendbuf_inplace=no": {
    "comm_size<8": {"algorithm=MPIR_Alltoall_intra_scattered": {}},
    "comm_size=any": {"algorithm=MPIR_Alltoall_intra_brucks": {}}},
    "is_sendbuf_inplace=yes": {"algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace": {}}})";
  EXPECT_EQ(mpich("{" + tree + "}").substr(0, 42), "alltoall 0-8 ranks, 0- B: linear, width 32");
  EXPECT_EQ(notes_of_mpich(tree),
            "/collective=alltoall/is_sendbuf_inplace=no/comm_size<8: holds for 8 ranks, too, since MPICH takes it as "
            "\"comm_size<=8\" where a condition on calls is above it\n");
}

TEST(MpichRules, SayWhereTheyAreWrong) {
  EXPECT_EQ(mpich(R"({"allgather": {}})"), "my.json: /allgather: got \"allgather\", expected an operation, such as "
                                           "\"collective=allgather\"\n");
  EXPECT_EQ(mpich(R"({"collective=allgather": {"ranks<8": {}}})"),
            "my.json: /collective=allgather/ranks<8: got \"ranks<8\", expected a condition such as \"comm_size<=8\", "
            "\"comm_size=pow2\", \"avg_msg_size<1024\", \"total_msg_size=any\" or \"comm_hierarchy=parent\"\n");
}

} // namespace
} // namespace kakehashi
