// A message in protobuf's wire format → its fields, one after the other. No schema is needed or checked.
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

  // Returns the next field; nothing at the end, or if the bytes are no field.
  std::optional<Field> next();
  // Reads a number in the form of a length, without a field's head.
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

// Appends the numbers of a repeated field, which may be one per field or packed. Returns false if it is cut.
bool append_numbers(const ProtobufReader::Field& field, std::vector<std::uint64_t>& numbers);

} // namespace kakehashi
