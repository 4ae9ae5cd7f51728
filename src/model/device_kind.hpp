// The kinds of devices, and values that differ by kind.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace kakehashi {

enum class DeviceKind { cpu, coprocessor, gpu, dpu, hca, nic, peach2, network_switch, tofu };
inline constexpr std::size_t device_kind_count = 9;

// MPI ranks run on these.
constexpr bool can_run_ranks(DeviceKind kind) {
  return kind <= DeviceKind::dpu;
}

// A card in a slot, with a memory of its own: ways end there and do not pass through it.
constexpr bool is_card(DeviceKind kind) {
  return can_run_ranks(kind) && kind != DeviceKind::cpu;
}

// Such a device joins its node to a network: messages leave and enter the node through it.
constexpr bool is_adapter(DeviceKind kind) {
  return !can_run_ranks(kind) && kind != DeviceKind::network_switch;
}

// The words used in files and messages.
inline constexpr std::array<std::string_view, device_kind_count> device_kind_names{
    "cpu", "coprocessor", "gpu", "dpu", "hca", "nic", "peach2", "switch", "tofu"};

// A value for each kind of device.
template <class T> using PerKind = std::array<T, device_kind_count>;
template <class T> constexpr PerKind<T> all_kinds(T value) {
  PerKind<T> values{};
  values.fill(value);
  return values;
}
template <class T> constexpr T of_kind(const PerKind<T>& values, DeviceKind kind) {
  return values[static_cast<std::size_t>(kind)];
}

} // namespace kakehashi
