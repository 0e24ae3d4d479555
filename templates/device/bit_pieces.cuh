// The bits of a value in pieces, the low ones first: bit_piece takes one out, join_bits puts a
// value together. Values of less than a byte are in the low bits of one.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

// Piece k of x, of kBits bits.
template <class To, int kBits = static_cast<int>(sizeof(To)) * 8, class From>
__host__ __device__ inline To bit_piece(From x, int k) {
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  unsigned char bytes[sizeof(From)];
  memcpy(bytes, &x, sizeof(From));
  if constexpr (kBits < 8) {
    return bit_cast<To>(
        static_cast<uint8_t>(bytes[k * kBits / 8] >> k * kBits % 8 & ((1 << kBits) - 1)));
  } else {
    To to;
    memcpy(&to, bytes + k * static_cast<int>(sizeof(To)), sizeof(To));
    return to;
  }
}

// The value that has these pieces, of kBits bits each.
template <class To, int kBits, class... Pieces>
__host__ __device__ inline To join_bits(Pieces... pieces) {
  static_assert(std::is_trivially_copyable_v<To>);
  unsigned char bytes[sizeof(To)] = {};
  int bit = 0;
  const auto put = [&](auto piece) {
    if constexpr (kBits < 8) {
      const unsigned low_bits = bit_cast<uint8_t>(piece) & ((1u << kBits) - 1);
      bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] | low_bits << bit % 8);
    } else {
      memcpy(bytes + bit / 8, &piece, sizeof(piece));
    }
    bit += kBits;
  };
  (put(pieces), ...);
  To to;
  memcpy(&to, bytes, sizeof(To));
  return to;
}

}  // namespace sinter_helpers
