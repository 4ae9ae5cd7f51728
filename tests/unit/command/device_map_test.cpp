#include "command/comparing.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

Platform machine(const std::vector<std::string>& devices) {
  Platform platform;
  platform.file = "other.json";
  platform.nodes = {"n"};
  for (const auto& device : devices)
    platform.devices.push_back({device, DeviceKind::coprocessor, 0, {}});
  return platform;
}

const std::vector<std::string> here{"n0.mic2", "n1.mic2", "n0.mic2"};
const auto other = machine({"n0.mic0", "n1.mic0", "n1.mic2"});

// The names there, or the errors.
std::vector<std::string> names_there(const std::vector<std::string>& texts) {
  const auto map = read_device_map(texts);
  if (!map)
    return {to_text(map.errors().front())};
  const auto names = renamed(here, other, *map);
  if (names)
    return *names;
  std::vector<std::string> errors;
  for (const auto& error : names.errors())
    errors.push_back(to_text(error));
  return errors;
}

using Names = std::vector<std::string>;

TEST(DeviceMap, TakesTheFirstEntryThatFits) {
  EXPECT_EQ(names_there({"n0.mic2=n0.mic0"}), (Names{"n0.mic0", "n1.mic2", "n0.mic0"}));
  EXPECT_EQ(names_there({"n*.mic2=n*.mic0"}), (Names{"n0.mic0", "n1.mic0", "n0.mic0"}));
  EXPECT_EQ(names_there({"n1.mic2=n1.mic2", "n*=n0.mic0"}), (Names{"n0.mic0", "n1.mic2", "n0.mic0"}));
}

TEST(DeviceMap, IsForThePlatformThatItNames) {
  EXPECT_EQ(names_there({"third.json:n*.mic2=n1.mic2", "./other.json:n*.mic2=n*.mic0"}),
            (Names{"n0.mic0", "n1.mic0", "n0.mic0"}));
}

TEST(DeviceMap, NamesEachMissingDeviceOnce) {
  EXPECT_EQ(names_there({}),
            (Names{"other.json has no device \"n0.mic2\" for ranks; --map n0.mic2=DEVICE names the one "
                   "that takes its place (did you mean \"n0.mic0\"?)"}));
  EXPECT_EQ(names_there({"n0.mic2=n0.mic1"}), (Names{"--map: got \"n0.mic1\", expected a cpu, coprocessor, gpu or dpu "
                                                     "of other.json (did you mean \"n0.mic0\"?)"}));
}

TEST(DeviceMap, RefusesWhatIsNoEntry) {
  for (const auto* text : {"n0.mic2", "=n0.mic0", "n0.mic2=", ":n0.mic2=n0.mic0"})
    EXPECT_EQ(names_there({text}), (Names{std::string("--map: got \"") + text +
                                          "\", expected DEVICE=DEVICE or PLATFORM:DEVICE=DEVICE, such as "
                                          "other.json:node0.mic2=node0.mic0"}));
  for (const auto* text : {"n*.mic*=n*.mic0", "n0.mic2=n*.mic0"})
    EXPECT_EQ(names_there({text}), (Names{std::string("--map: got \"") + text +
                                          "\", expected one * in both names, or in the first one, or none"}));
}

TEST(DeviceMap, HasNoEntryThatFitsNothing) {
  const auto map = *read_device_map({"n0.mic3=n0.mic0", "third.json:n0.mic2=n0.mic0", "n0.mic2=n0.mic0"});
  const auto errors = check_device_map(map, here, {"other.json", "more.json"});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(to_text(errors[0]),
            "--map: got \"n0.mic3=n0.mic0\", where no rank of the scenario is on \"n0.mic3\", expected "
            "a device of its ranks (did you mean \"n0.mic2\"?)");
  EXPECT_EQ(to_text(errors[1]), "--map: got \"third.json:n0.mic2=n0.mic0\", expected one of the other platforms: "
                                "other.json, more.json");
}

} // namespace
} // namespace kakehashi
