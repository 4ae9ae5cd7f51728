// A message in protobuf's wire format → its fields, one after the other. Nothing of the schema is needed or checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kakehashi {

class ProtobufReader {
public:
  struct Field {
    enum class Kind { number, bytes, fixed32, fixed64 };
    std::uint64_t id = 0;
    Kind kind = Kind::number;
    std::uint64_t number = 0; // of all kinds but bytes
    std::string_view bytes;   // a text, a message, or a packed list
  };

  explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

  // The next one; nothing at the end, or where the bytes are no field.
  std::optional<Field> next();
  // A number in the form that lengths have, without a field's head.
  std::optional<std::uint64_t> take_number();
  std::optional<std::string_view> take_bytes(std::uint64_t count);
  bool at_end() const { return place_ == bytes_.size(); }
  std::size_t place() const { return place_; }
  bool is_damaged() const { return is_damaged_; }

private:
  std::optional<std::uint64_t> take_fixed(std::size_t bytes);

  std::string_view bytes_;
  std::size_t place_ = 0;
  bool is_damaged_ = false;
};

// Appends the numbers of a repeated field, of which each may have a field of its own, or all one. Whether it is whole.
bool append_numbers(const ProtobufReader::Field& field, std::vector<std::uint64_t>& numbers);

} // namespace kakehashi
