#include "study/sweep/outcome_file.hpp"

#include "scratch_folder.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

class OutcomeFiles : public testing::Test {
protected:
  OutcomeFiles() {
    Variant variant;
    variant.scenario.file = "my\nsweep.json";
    sweep_.variants = {variant};
    sweep_.fingerprint = 0x1234567890abcdefu;
  }
  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  static std::string line(const std::string& key, double time) {
    Outcome outcome;
    outcome.time = Seconds{time};
    outcome.reason = "flow";
    return to_line({key, outcome});
  }

  Sweep sweep_;
  std::string file_ = scratch_file("results");
};

TEST_F(OutcomeFiles, ComeBackAsTheyWere) {
  write(outcome_heading(sweep_) + line("0:1,2", 0.1) + line("0:2,1", 0.2));
  const auto found = read_outcomes(file_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scenario, "my\nsweep.json");
  EXPECT_EQ(found->fingerprint, sweep_.fingerprint);
  ASSERT_EQ(found->outcomes.size(), 2u);
  EXPECT_EQ(found->outcomes.at("0:1,2").time, Seconds{0.1});
  EXPECT_EQ(found->whole_bytes, std::filesystem::file_size(file_));
}

TEST_F(OutcomeFiles, MayBeCutAnywhereBehindTheHeading) {
  const auto heading = outcome_heading(sweep_);
  const auto first = line("0:1,2", 0.1);
  const auto text = heading + first + line("0:2,1", 0.2);
  for (std::size_t size = 0; size < text.size(); ++size) {
    write(text.substr(0, size));
    const auto found = read_outcomes(file_);
    EXPECT_EQ(found.ok(), size >= heading.size());
    if (found) {
      const bool has_first = size >= heading.size() + first.size();
      EXPECT_EQ(found->outcomes.size(), has_first ? 1u : 0u);
      EXPECT_EQ(found->whole_bytes, heading.size() + (has_first ? first.size() : 0));
    }
  }
}

TEST_F(OutcomeFiles, WithAnyBitFlippedAreRefused) {
  const auto text = outcome_heading(sweep_) + line("0:1,2", 0.1) + line("0:2,1", 0.2);
  for (std::size_t bit = 0; bit < 8 * (text.size() - 1); ++bit) {
    auto damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    write(damaged);
    EXPECT_FALSE(read_outcomes(file_).ok()) << "bit " << bit;
  }
}

TEST_F(OutcomeFiles, OfAnotherVersionAreRefused) {
  write("kakehashi-sweep 1 1234567890abcdef my.json\n");
  EXPECT_EQ(to_text(read_outcomes(file_).errors().front()),
            file_ + ": line 1: got a result file of another version, expected a result file that `kakehashi sweep "
                    "--results` wrote");
  write("# a table\n");
  EXPECT_EQ(to_text(read_outcomes(file_).errors().front()),
            file_ + ": line 1: got \"# a table\", expected a result file that `kakehashi sweep --results` wrote");
}

TEST_F(OutcomeFiles, BelongToOneSweepAtATime) {
  std::filesystem::remove(file_);
  {
    auto log = OutcomeLog::open(file_);
    ASSERT_TRUE(log);
    log->append(outcome_heading(sweep_));
    log->append(line("0:1,2", 0.1));
    EXPECT_TRUE(log->errors().empty());
    EXPECT_EQ(to_text(OutcomeLog::open(file_).errors().front()), file_ + ": another sweep is writing it");
  }
  auto log = OutcomeLog::open(file_);
  ASSERT_TRUE(log);
  log->keep_first(outcome_heading(sweep_).size());
  log->append(line("0:2,1", 0.2));
  const auto found = read_outcomes(file_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcomes.size(), 1u);
  EXPECT_TRUE(found->outcomes.contains("0:2,1"));
}

TEST_F(OutcomeFiles, TellThatTheDiskIsFull) {
  auto log = OutcomeLog::open("/dev/full");
  ASSERT_TRUE(log);
  log->append("x\n");
  log->append("y\n");
  ASSERT_EQ(log->errors().size(), 1u);
  EXPECT_EQ(to_text(log->errors().front()), "/dev/full: cannot be written: No space left on device");
}

} // namespace
} // namespace kakehashi
