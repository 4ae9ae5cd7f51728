#include "input/library/gpu_library_reader.hpp"

#include "input/json/patched.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string faults(const std::string& place, const std::string& value) {
  const auto text = R"({"name": "mine", "title": "Mine", "usual": "2.22", "follows": "nccl"})";
  const auto document = patched(nlohmann::json::parse(text), place, value).dump();
  return errors_of(read_gpu_library(*parse_json(document, "my.json")));
}

TEST(GpuLibraryFiles, AreFaultless) {
  EXPECT_EQ(faults("/title", "\"My own\""), "no errors");
  EXPECT_EQ(faults("/adapters", R"([{"name": "fast", "like": "EFA", "floor": 5}])"), "no errors");
}

TEST(GpuLibraryFiles, LackNothingThatTheyDoNotFollow) {
  EXPECT_NE(faults("/follows", "").find("my.json: the key \"releases\" is missing"), std::string::npos);
  EXPECT_NE(faults("/adapters", R"([{"name": "fast"}])").find("/adapters/0: the key \"floor\" is missing"),
            std::string::npos);
  EXPECT_EQ(faults("/adapters", R"([{"name": "fast", "like": "nothing"}])"),
            "my.json: /adapters/0/like: got \"nothing\", expected a row before it, or of the library that this one "
            "follows");
  EXPECT_NE(faults("/releases", R"([{"from": "2.8"}])").find("/releases/0: the first release lacks \"base\""),
            std::string::npos);
}

} // namespace
} // namespace kakehashi
