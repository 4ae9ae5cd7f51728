// The JSON that is written for MPICH. tests/mpi/rules.py gives it to the library.
#include "writer/rules_writer.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace mpich_writer_test {

TunedSize of(std::uint64_t size, const char* function) {
  TunedSize each;
  each.size = each.block = size;
  each.all = 4 * size;
  each.usual = {"usual", Seconds{1}};
  each.chosen = {function, Seconds{1}};
  each.is_changed = *function != 0;
  each.form.function = function;
  return each;
}

// Of one operation in four ranks, in the place of `before`, which is all the base has.
std::string written(Collective collective, std::vector<TunedSize> sizes, const std::string& before) {
  Tuning tuning;
  tuning.placements = {{"block"}};
  tuning.operations = {{collective, 0, 4, 0.1, std::move(sizes)}};
  const auto name = "\"collective=" + name_in_rules(collective) + "\":";
  const auto text = mpich_rules(tuning, "{" + name + "{\"comm_type=intra\":" + before + "}}", "base.json");
  if (!text)
    return to_text(text.errors().front());
  const auto begin = text->find("intra\":") + 7;
  return text->substr(begin, text->size() - begin - 3);
}

const std::string own = R"({"algorithm=OWN":{}})";

TEST(MpichWriter, TellsSizesApartByWhatMpichKnows) {
  EXPECT_EQ(
      written(Collective::alltoall, {of(8, ""), of(64, "brucks")}, own),
      R"({"comm_size<=3":{"algorithm=OWN":{}},"comm_size<=4":{"avg_msg_size<64":{"algorithm=OWN":{}},)"
      R"("avg_msg_size=any":{"is_sendbuf_inplace=yes":{"algorithm=OWN":{}},)"
      R"("is_sendbuf_inplace=no":{"algorithm=MPIR_Alltoall_intra_brucks":{}}}},"comm_size=any":{"algorithm=OWN":{}}})");
  EXPECT_EQ(
      written(Collective::reduce_scatter, {of(8, ""), of(64, "pairwise")}, own),
      R"({"comm_size<=3":{"algorithm=OWN":{}},"comm_size<=4":{"total_msg_size<256":{"algorithm=OWN":{}},)"
      R"("total_msg_size=any":{"is_commutative=no":{"algorithm=OWN":{}},)"
      R"("is_commutative=yes":{"algorithm=MPIR_Reduce_scatter_intra_pairwise":{}}}},"comm_size=any":{"algorithm=OWN":{}}})");
}

TEST(MpichWriter, GivesBasesWhereMpichHasNoUsualOne) {
  EXPECT_EQ(
      written(Collective::barrier, {of(0, "k_dissemination")}, own),
      R"({"comm_size<=3":{"algorithm=OWN":{}},"comm_size<=4":{"algorithm=MPIR_Barrier_intra_k_dissemination":{"k=2":{}}},)"
      R"("comm_size=any":{"algorithm=OWN":{}}})");
}

// A smp function is for communicators with levels alone.
TEST(MpichWriter, KeepsWhatTheBaseDecidesForOtherCommunicators) {
  EXPECT_EQ(written(Collective::bcast, {of(8, "smp")},
                    R"({"comm_size<8":{"algorithm=OWN":{}},"comm_size=any":{"algorithm=LONG":{}}})"),
            R"({"comm_size<=3":{"comm_size<=7":{"algorithm=OWN":{}},"comm_size=any":{"algorithm=LONG":{}}},)"
            R"("comm_size<=4":{"comm_hierarchy=parent":{"algorithm=MPIR_Bcast_intra_smp":{}},)"
            R"("comm_hierarchy=any":{"comm_size<=7":{"algorithm=OWN":{}},"comm_size=any":{"algorithm=LONG":{}}}},)"
            R"("comm_size=any":{"comm_size<=7":{"algorithm=OWN":{}},"comm_size=any":{"algorithm=LONG":{}}}})");
}

} // namespace mpich_writer_test
} // namespace kakehashi
