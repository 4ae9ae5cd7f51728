#include "input/library/library_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace library_reader_test {

// With the algorithms ring and tree, and the library base, which follows no other.
LibraryNames names() {
  return {[](Collective, std::string_view name) { return name == "ring" || name == "tree"; },
          [](const std::string& name) -> std::shared_ptr<const MpiLibrary> {
            if (name != "base")
              return nullptr;
            auto base = std::make_shared<MpiLibrary>();
            base->name = "base";
            base->progress = MpiProgress::thread;
            return base;
          }};
}

std::string faults(const std::string& text) {
  const auto library = read_library(*parse_json(text, "my.json"), names());
  std::string lines;
  for (const auto& error : library ? Errors() : library.errors())
    lines += to_text(error) + "\n";
  return lines;
}

TEST(LibraryFiles, HaveRowsInTheirOrder) {
  const auto library = read_library(*parse_json(R"({"name": "mine", "follows": "base", "source": "measured", "tables": [
      {"operation": "allreduce", "measure": "all-blocks", "rows": [
        {"algorithm": "ring", "bytes_from": 8, "bytes_below": 64, "ranks_from": 2, "ranks_below": 5, "ranks": "odd"},
        {"algorithm": "tree", "ranks_below_line": {"per_byte": 0.25, "at_zero": 1}, "on_nodes": true, "segment": 1024,
         "width": 3, "ranks_per_node_from": 2, "ranks_per_node_below": 9, "claim": "c"}]}]})",
                                                "my.json"),
                                    names());
  ASSERT_TRUE(library);
  const auto& rows = (*library)->decisions;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].algorithm, "ring");
  EXPECT_EQ(rows[0].measure, Measure::all_blocks);
  EXPECT_EQ(rows[0].bytes_from, 8U);
  EXPECT_EQ(rows[0].bytes_below, 64U);
  EXPECT_EQ(rows[0].ranks_from, 2);
  EXPECT_EQ(rows[0].ranks_below, 5);
  EXPECT_EQ(rows[0].ranks, Ranks::odd);
  EXPECT_EQ(rows[1].algorithm, "tree");
  EXPECT_EQ(rows[1].ranks_below_line.at(8), 3);
  EXPECT_EQ(rows[1].segment.count, 1024U);
  EXPECT_EQ(rows[1].width, 3);
  EXPECT_TRUE(rows[1].on_nodes);
  EXPECT_EQ(rows[1].ranks_per_node_from, 2);
  EXPECT_EQ(rows[1].ranks_per_node_below, 9);
  EXPECT_EQ(rows[1].claim, "c");
  EXPECT_EQ((*library)->progress, MpiProgress::thread); // of the library that it follows
}

TEST(LibraryFiles, SayWhereTheyAreWrong) {
  EXPECT_EQ(faults(R"({"name": "mine", "source": "s", "follows": "nobody"})"),
            "my.json: /follows: got \"nobody\", expected a library that does not follow this one\n");
  EXPECT_EQ(faults(R"({"name": "mine", "follows": "base", "source": "s",
                       "tables": [{"operation": "bcast", "rows": [{"algorithm": "wheel"}]}]})"),
            "my.json: /tables/0/rows/0/algorithm: got \"wheel\", expected an algorithm of bcast\n");
  EXPECT_EQ(faults(R"({"name": "mine", "follows": "base", "source": "s",
                       "tables": [{"operation": "bcats", "rows": []}]})"),
            "my.json: /tables/0/operation: got \"bcats\", expected an operation, such as \"allreduce\"\n");
  EXPECT_EQ(faults(R"({"name": "mine", "follows": "base", "source": "s",
                       "tables": [{"operation": "bcast", "rows": [{"algorithm": "ring", "bytes_form": 8}]}]})"),
            "my.json: /tables/0/rows/0/bytes_form: got an unknown key, expected one of \"algorithm\", \"bytes_below\", "
            "\"bytes_from\", \"claim\", \"off_nodes\", \"on_box\", \"on_nodes\", \"ranks\", \"ranks_above_line\", "
            "\"ranks_below\", \"ranks_below_line\", \"ranks_from\", \"ranks_per_node_below\", \"ranks_per_node_from\", "
            "\"segment\", \"source\", \"width\" (did you mean \"bytes_from\"?)\n");
}

TEST(LibraryFiles, DecideEachCall) {
  const auto text = faults(R"({"name": "mine", "source": "s", "tables": [
    {"operation": "bcast", "rows": [{"algorithm": "ring", "bytes_below": 8}]}]})");
  EXPECT_NE(text.find("my.json: /tables: bcast has no row that always holds, and no library is followed\n"),
            std::string::npos);
}

} // namespace library_reader_test
} // namespace kakehashi
