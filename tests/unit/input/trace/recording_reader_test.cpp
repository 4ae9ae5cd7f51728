#include "input/trace/recording_records.hpp"
#include "input/trace/recording_survey.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace std::string_literals;

// Of rank 0 of so many: the beginning, and these records, in one frame of Zstandard that is not compressed.
std::string file_of(const std::string& ranks, const std::string& records) {
  const auto frame = "\0\0\0\1\0"s + ranks + "\0\0\0"s + records;
  const auto size = static_cast<char>(frame.size());
  return "kakehashi recording\n\x28\xb5\x2f\xfd\x20"s + size + static_cast<char>(8 * size + 1) + "\0\0"s + frame;
}

RecordingReader recording(const std::string& records) {
  auto text = file_of("\2", records);
  return {"0.rank", [text](std::uint64_t place, std::span<char> room) -> Result<std::size_t> {
            const auto part = std::string_view(text).substr(std::min<std::size_t>(place, text.size()), room.size());
            std::ranges::copy(part, room.begin());
            return part.size();
          }};
}

// A communicator that the world makes.
std::string communicator(const std::string& runs) {
  return std::string("\1\0\0\1\1", 5) + runs + '\0';
}

std::string fault_of(const std::string& records) {
  auto reader = recording(records);
  while (reader.next()) {
  }
  return reader.fault() ? reader.fault()->message : "";
}

TEST(Recording, ReadsACommunicatorsMembers) {
  auto reader = recording(communicator({1, 2, 1, 2})); // one run: from 1 down by 1, two ranks
  reader.next();
  const auto record = reader.next();
  ASSERT_TRUE(record) << reader.fault()->message;
  EXPECT_EQ(std::get<CommunicatorRecord>(record->what).members, (std::vector{1, 0}));
}

TEST(Recording, RefusesMembersThatCannotBe) {
  const std::string most = "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\1"; // 2^63 - 1
  EXPECT_EQ(fault_of(communicator("\1" + most + "\2\2")),
            "a communicator has rank 9223372036854775807 of 2, or has it twice");
  EXPECT_EQ(fault_of(communicator("\1\2" + most + "\2")), "the ranks of a communicator are too far apart");
  EXPECT_EQ(fault_of(communicator({1, 0, 0, 2})), "a communicator has rank 0 of 2, or has it twice");
}

// A small file may state any number of ranks; memory is taken for those that have files.
TEST(Recording, LooksForItsLastRankFirst) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "kakehashi-million";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "0.rank", std::ios::binary) << file_of("\xc0\x84\x3d", "");
  const auto survey = survey_recording(folder.string());
  ASSERT_FALSE(survey);
  EXPECT_EQ(to_text(survey.errors().front()),
            (folder / "999999.rank").string() + ": no such file, though there are 1000000 ranks");
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace kakehashi
