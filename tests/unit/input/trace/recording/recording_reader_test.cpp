#include "input/trace/recording/recording_events.hpp"
#include "input/trace/recording/recording_records.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "scratch_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace std::string_literals;

// In a frame of Zstandard that is not compressed; less than 32 bytes.
std::string frame_of(const std::string& records) {
  const auto size = static_cast<char>(records.size());
  return "\x28\xb5\x2f\xfd\x20"s + size + static_cast<char>(8 * size + 1) + "\0\0"s + records;
}

// Of rank 0 of so many: the beginning, and these records.
std::string file_of(const std::string& ranks, const std::string& records) {
  return "kakehashi recording\n"s + frame_of("\0\0\0\1\0"s + ranks + "\0\0\0"s + records);
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
  const auto folder = scratch_folder() / "million";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "0.rank", std::ios::binary) << file_of("\xc0\x84\x3d", "");
  const auto survey = survey_recording(folder.string());
  ASSERT_FALSE(survey);
  EXPECT_EQ(to_text(survey.errors().front()),
            (folder / "999999.rank").string() + ": no such file, though there are 1000000 ranks");
  std::filesystem::remove_all(folder);
}

// Of a context 1, with what GPUs then did: two works, on streams 8 and 7.
class Gpu : public testing::Test {
protected:
  Gpu() {
    std::ofstream(file_, std::ios::binary)
        << file_of("\1", "\x11\0\0\0\0\1\0\x65"s) << frame_of("\x11\0\0\0\5\1\0\x66"s)
        << frame_of("\x12\0\0\0\1\7\x66\x70\x32"s) << frame_of("\x12\0\0\0\1\x08\x65\x0a\x64"s);
  }
  ~Gpu() override { std::filesystem::remove(file_); }
  static DeviceRecord call(DeviceStep step, std::uint64_t at, std::uint64_t stream, std::uint64_t number) {
    return {step, at, 1, stream, number};
  }
  std::string file_ = scratch_file("gpu.rank");
};

// The second one is started at 5 ns, but begins at 112, when the first one has ended at 110: so it waits for that.
TEST_F(Gpu, WaitsForWhatEndedLastOnAnotherStream) {
  RecordedDevice gpu(file_);
  const auto first = gpu.take(call(DeviceStep::start, 0, 0, 0x65), 0).work;
  const auto second = gpu.take(call(DeviceStep::start, 5, 0, 0x66), 0).work;
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->after.empty());
  EXPECT_NEAR(first->delay.value, 10e-9, 1e-15);
  EXPECT_NEAR(first->time.value, 100e-9, 1e-15);
  EXPECT_EQ(second->after, std::vector{first->number});
  EXPECT_NEAR(second->delay.value, 2e-9, 1e-15);
  const auto all = gpu.take(call(DeviceStep::wait_for_all, 50, 0, 0), 120); // from 50 to 170; it ends at 162
  ASSERT_TRUE(all.wait);
  EXPECT_EQ(all.wait->works, (std::vector{second->number, first->number}));
  EXPECT_NEAR(all.waited.value, 112e-9, 1e-15);
  EXPECT_NEAR(all.rest.value, 8e-9, 1e-15);
}

TEST_F(Gpu, WaitsForEventsAndForCopiesThatEndInTheirCall) {
  RecordedDevice gpu(file_);
  const auto first = gpu.take(call(DeviceStep::start_and_wait, 0, 0, 0x65), 109); // to 109; it ends at 110
  ASSERT_TRUE(first.work);
  EXPECT_FALSE(first.wait);
  gpu.take(call(DeviceStep::mark, 109, 8, 0xe), 0);
  gpu.take(call(DeviceStep::order, 109, 7, 0xe), 0);
  const auto second = gpu.take(call(DeviceStep::start_and_wait, 111, 0, 0x66), 60); // to 171; it ends at 162
  ASSERT_TRUE(second.work && second.wait);
  EXPECT_EQ(second.work->after, std::vector{first.work->number}); // as the event says, though it had ended
  EXPECT_EQ(second.wait->works, std::vector{second.work->number});
  const auto event = gpu.take(call(DeviceStep::wait_for_event, 200, 0, 0xe), 3);
  ASSERT_TRUE(event.wait);
  EXPECT_EQ(event.wait->works, std::vector{first.work->number});
  EXPECT_NEAR(event.rest.value, 3e-9, 1e-15);
  EXPECT_FALSE(gpu.take(call(DeviceStep::wait_for_stream, 300, 9, 0), 3).wait); // nothing was started on it
  EXPECT_FALSE(gpu.take(call(DeviceStep::start, 300, 0, 0x67), 0).work);        // of which nothing is known
}

} // namespace
} // namespace kakehashi
