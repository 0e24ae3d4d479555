// Tensor files: what is written reads back, what other programs write is read, and what is broken is refused.
#include "runtime/tensor_file.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace tensor_file {
namespace {

Tensor make(std::string name, std::string dtype, std::vector<int64_t> shape) {
  Tensor tensor = {std::move(name), std::move(dtype), std::move(shape), {}};
  size_t bytes = 0;
  EXPECT_TRUE(tensor_bytes(tensor.shape, find_element_type(tensor.dtype)->bytes, bytes));
  for (size_t i = 0; i < bytes; ++i) tensor.bytes.push_back(static_cast<std::byte>(i * 37 + 1));
  return tensor;
}

void expect_same(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.dtype, b.dtype);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_TRUE(a.bytes == b.bytes);
}

// A file with this header and this many bytes of data.
std::string safetensors(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  std::string content(reinterpret_cast<const char*>(&length), sizeof length);
  return content + header + std::string(data_bytes, '\x5a');
}

std::string refusal(const std::string& content) {
  std::vector<Tensor> tensors;
  std::string error;
  EXPECT_FALSE(parse_safetensors(content, tensors, error));
  EXPECT_TRUE(tensors.empty());
  return error;
}

TEST(Safetensors, RoundTripOfAllTypes) {
  std::vector<Tensor> tensors;
  for (const ElementType& type : kElementTypes) {
    tensors.push_back(make("of " + std::string(type.name), std::string(type.name), {2, 3}));
  }
  tensors.push_back(make("scalar", "F32", {}));
  tensors.push_back(make("empty", "BF16", {4, 0, 2}));
  tensors.push_back(make("a \"quoted\" \\ name\n\x01 \xc3\xa9", "U8", {1}));
  std::string content, error;
  ASSERT_TRUE(format_safetensors(tensors, content, error)) << error;
  std::vector<Tensor> back;
  ASSERT_TRUE(parse_safetensors(content, back, error)) << error;
  ASSERT_EQ(back.size(), tensors.size());
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].name, tensors[i].name);
    expect_same(back[i], tensors[i]);
  }
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, content.data(), 8);
  EXPECT_EQ(header_bytes % 8, 0u);
}

// Written by the safetensors package of Python: metadata, blanks, another order of keys.
TEST(Safetensors, ReadsWhatOthersWrite) {
  std::vector<Tensor> tensors;
  std::string error;
  const std::string header =
      R"({"__metadata__":{"format":"pt"}, "b":{"shape":[2],"data_offsets":[4,8],"dtype":"BF16"},)"
      R"( "\u00e9\ud83d\ude00":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[0,4]}}    )";
  ASSERT_TRUE(parse_safetensors(safetensors(header, 8), tensors, error)) << error;
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[0].name, "\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(tensors[0].dtype, "F8_E4M3");
  EXPECT_EQ(tensors[0].shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(tensors[1].name, "b");
  EXPECT_EQ(tensors[1].dtype, "BF16");
  ASSERT_TRUE(parse_safetensors(safetensors("{}", 0), tensors, error)) << error;
  EXPECT_TRUE(tensors.empty());
}

TEST(Safetensors, RefusesHostileFiles) {
  EXPECT_NE(refusal("").find("too short"), std::string::npos);
  EXPECT_NE(refusal(std::string(8, '\xff')).find("would not fit"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x10\0\0\0\0\0\0\0{}", 10)).find("would not fit"), std::string::npos);
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  const auto refuse = [&](const std::string& header, size_t data, const char* why) {
    const std::string error = refusal(safetensors(header, data));
    EXPECT_NE(error.find(why), std::string::npos) << header << ": " << error;
  };
  refuse(entry("F99", "[1]", "[0,4]"), 4, "unknown dtype");
  refuse(entry("F32", "[2]", "[0,4]"), 4, "shape's size");
  refuse(entry("F32", "[1]", "[0,8]"), 4, "outside of the file");
  refuse(entry("F32", "[1]", "[4,0]"), 8, "gap");
  refuse(entry("F32", "[1]", "[4,8]"), 8, "gap");
  refuse(entry("F32", "[1]", "[0,4]"), 5, "belongs to no tensor");
  refuse(entry("F32", "[1]", "[0]"), 4, "lacks");
  refuse(entry("F32", "[-1]", "[0,4]"), 4, "expected a number");
  refuse(entry("F32", "[1.5]", "[0,4]"), 4, "expected ']'");
  refuse(entry("F32", "[4294967296,4294967296,4294967296]", "[0,4]"), 4, "shape's size");
  refuse(entry("F32", "[99999999999999999999]", "[0,4]"), 4, "too large");
  refuse(entry("F32", "[9223372036854775807]", "[0,4]"), 4, "shape's size");
  refuse(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
         6, "overlaps");
  refuse(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
         2, "twice");
  refuse(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"extra":1}})", 1, "unexpected key");
  refuse(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "unexpected key");
  refuse(R"({"a":{"dtype":"U8","shape":[1]}})", 1, "lacks");
  refuse("{} x", 0, "unexpected text");
  refuse("{", 0, "expected");
  refuse(R"({"a)", 0, "does not end");
  refuse(R"({"\u12)", 0, "broken escape");
  refuse(R"({"\ud800x":1})", 0, "broken escape");
  refuse(std::string(100000, '['), 0, "expected");
  refuse(R"({"a":)" + std::string(100000, '{'), 0, "expected");
}

// Every prefix, and every file with one byte changed, is read or refused, but never crashes.
TEST(Safetensors, SurvivesMutations) {
  std::string content, error;
  ASSERT_TRUE(format_safetensors({make("x", "F32", {2, 2}), make("y", "BOOL", {3})}, content, error)) << error;
  std::vector<Tensor> tensors;
  for (size_t size = 0; size < content.size(); ++size) {
    EXPECT_FALSE(parse_safetensors(std::string_view(content).substr(0, size), tensors, error));
  }
  for (size_t place = 0; place < content.size(); ++place) {
    for (const char byte : {'\0', '"', '{', '}', '9', '\xff', ','}) {
      std::string changed = content;
      changed[place] = byte;
      if (parse_safetensors(changed, tensors, error)) {
        EXPECT_EQ(tensors.size(), 2u);
      }
    }
  }
}

TEST(Safetensors, DoesNotWriteWhatItWouldRefuse) {
  std::string content, error;
  Tensor tensor = make("x", "F32", {2, 2});
  tensor.bytes.pop_back();
  EXPECT_FALSE(format_safetensors({tensor}, content, error));
  EXPECT_NE(error.find("'x'"), std::string::npos);
}

// --- .npy ------------------------------------------------------------------------------------------------------------

std::string npy(const std::string& header, const std::string& data) {
  std::string content("\x93NUMPY\x01\x00", 8);
  content += static_cast<char>(header.size() & 0xff);
  content += static_cast<char>(header.size() >> 8);
  return content + header + data;
}

TEST(Npy, RoundTrip) {
  for (const ElementType& type : kElementTypes) {
    if (type.numpy.empty()) continue;
    for (const std::vector<int64_t>& shape : {std::vector<int64_t>{}, {5}, {2, 3, 4}, {0, 3}}) {
      const Tensor tensor = make("", std::string(type.name), shape);
      std::string content, error;
      ASSERT_TRUE(format_npy(tensor, content, error)) << error;
      EXPECT_EQ((content.size() - tensor.bytes.size()) % 64, 0u);
      Tensor back;
      ASSERT_TRUE(parse_npy(content, back, error)) << error;
      expect_same(tensor, back);
    }
  }
  std::string content, error;
  EXPECT_FALSE(format_npy(make("", "F8_E4M3", {1}), content, error));
}

TEST(Npy, ReadsFortranOrder) {
  // [[0, 1, 2], [3, 4, 5]], column by column.
  Tensor tensor;
  std::string error;
  ASSERT_TRUE(parse_npy(
      npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }\n", std::string("\x00\x03\x01\x04\x02\x05", 6)),
      tensor, error))
      << error;
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(static_cast<size_t>(tensor.bytes[i]), i);
}

TEST(Npy, RefusesHostileFiles) {
  const auto refuse = [](const std::string& content, const char* why) {
    Tensor tensor;
    std::string error;
    EXPECT_FALSE(parse_npy(content, tensor, error));
    EXPECT_NE(error.find(why), std::string::npos) << error;
  };
  refuse("", "not a .npy");
  refuse("\x93NUMPY", "not a .npy");
  refuse(std::string("\x93NUMPY\x09\x00\x00\x00", 10), "unknown version");
  refuse(std::string("\x93NUMPY\x01\x00\xff\xff{", 11), "ends in its header");
  refuse(npy("{}", ""), "structures");
  refuse(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd"), "elements '>f4'");
  refuse(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd"), "structures");
  refuse(npy("{'descr': '<f4', 'shape': (1,), }", "abcd"), "without order");
  refuse(npy("{'descr': '<f4', 'fortran_order': False, }", "abcd"), "without a shape");
  refuse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "abcd"), "without a shape");
  refuse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd"), "shape's size");
  refuse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }", "abcd"),
         "shape's size");
  refuse(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (99999999999999999999,), }", "abcd"), "without a shape");
}

TEST(TensorFiles, ByName) {
  const std::string folder = testing::TempDir();
  const std::vector<Tensor> tensors = {make("0", "F32", {3}), make("1", "BF16", {2, 2})};
  std::vector<Tensor> back;
  std::string error;
  ASSERT_TRUE(write_tensors(folder + "/tensors.safetensors", tensors, error)) << error;
  ASSERT_TRUE(read_tensors(folder + "/tensors.safetensors", back, error)) << error;
  ASSERT_EQ(back.size(), 2u);
  expect_same(back[1], tensors[1]);
  EXPECT_FALSE(write_tensors(folder + "/two.npy", tensors, error));
  ASSERT_TRUE(write_tensors(folder + "/one.npy", {tensors[0]}, error)) << error;
  ASSERT_TRUE(read_tensors(folder + "/one.npy", back, error)) << error;
  ASSERT_EQ(back.size(), 1u);
  expect_same(back[0], tensors[0]);
  EXPECT_FALSE(read_tensors(folder + "/no such file.npy", back, error));
  EXPECT_NE(error.find("cannot open"), std::string::npos);
  std::remove((folder + "/tensors.safetensors").c_str());
  std::remove((folder + "/one.npy").c_str());
}

}  // namespace
}  // namespace tensor_file
