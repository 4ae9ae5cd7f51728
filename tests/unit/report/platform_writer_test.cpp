#include "report/platform_writer.hpp"

#include "input/platform/field_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

template <class Owner> Owner read_back(const Json& json, std::span<const Field<Owner>> fields) {
  Faults faults("p.json");
  const auto value = read_fields(nlohmann::json(json), "", fields, {}, faults);
  EXPECT_TRUE(faults.empty()) << json;
  return value;
}

Regime full_regime() {
  Regime regime;
  regime.from = Bytes{1024};
  regime.to = Bytes{4096};
  regime.trips = 3;
  regime.send_overhead = all_kinds(microseconds(1));
  regime.send_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(2.5);
  regime.receive_per_byte = all_kinds(SecondsPerByte{0.25e-9});
  regime.setup = microseconds(4);
  regime.cap = BytesPerSecond{3.4e9};
  regime.gap = microseconds(0.5);
  regime.alignment = Alignment{Bytes{64}, microseconds(0.1)};
  regime.provider = "ofa-v2";
  return regime;
}

TEST(PlatformWriter, WritesWhatDiffersFromTheDefault) {
  EXPECT_EQ(to_json(full_regime()).dump(),
            R"({"from":"1 KiB","to":"4 KiB","trips":3,"o_send":{"any":"1 us","coprocessor":"2.5 us"},)"
            R"("per_byte_recv":"0.25 ns/B","setup":"4 us","cap":"3400 MB/s","gap":"0.5 us",)"
            R"("alignment":{"multiple":"64 B","penalty":"0.1 us"},"provider":"ofa-v2"})");
  EXPECT_EQ(to_json(Regime{}).dump(), R"({"from":"0 B"})");
}

TEST(PlatformWriter, WritesWhatTheReaderReads) {
  const auto written = to_json(full_regime());
  EXPECT_EQ(to_json(read_back(written, regime_fields())), written);
}

TEST(PlatformWriter, WritesAnAdjustmentWithItsSource) {
  Adjustment adjustment;
  adjustment.crosses = link_type("upi");
  adjustment.protocol = Protocol::rendezvous;
  adjustment.latency = microseconds(0.3);
  adjustment.copy_factor = 1.5;
  adjustment.source = {SourceKind::document, "the text"};
  const auto written = to_json(adjustment);
  EXPECT_EQ(written.dump(), R"({"crosses":"upi","protocol":"rendezvous","latency":"0.3 us","copy_factor":1.5,)"
                            R"("source":{"kind":"document","from":"the text"}})");
  EXPECT_EQ(to_json(read_back(written, adjustment_fields())), written);
  EXPECT_EQ(amounts_of(adjustment).dump(), R"({"latency":"0.3 us","copy_factor":1.5})");
}

TEST(PlatformWriter, StatesAFactorForAnAdjustmentThatAddsNothing) {
  EXPECT_EQ(amounts_of(Adjustment{}).dump(), R"({"copy_factor":1.0})");
}

TEST(PlatformFields, HaveADefaultOnlyWhereTheyMayBeLeftOut) {
  const auto rating = read_back(Json::object(), rating_fields());
  EXPECT_EQ(rating.max_payload, Bytes{256});
  EXPECT_EQ(rating.lanes, std::nullopt);
}

} // namespace
} // namespace kakehashi
