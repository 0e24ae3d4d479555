// Writing a file: what is no regular file is written to, not replaced.
#include "driver/system/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace sinter {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t entries() { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_ = fs::temp_directory_path() / ("sinter-files-" + std::to_string(getpid()));
  std::string error_;
};

TEST_F(Files, AreReplaced) {
  ASSERT_TRUE(write_file(path("a"), "1", error_)) << error_;
  ASSERT_TRUE(write_file(path("a"), "2", error_)) << error_;
  EXPECT_EQ(read_file(path("a"), error_), "2");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, APipeIsWrittenTo) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(write_file(path("pipe"), "text", error_)) << error_;
  char text[5] = {};
  EXPECT_EQ(read(reader, text, 4), 4);
  EXPECT_STREQ(text, "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Files, ALinkStaysOne) {
  ASSERT_TRUE(write_file(path("a"), "1", error_)) << error_;
  fs::create_symlink(path("a"), path("link"));
  ASSERT_TRUE(write_file(path("link"), "2", error_)) << error_;
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("a"), error_), "2");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Files, ADirectoryIsNone) {
  EXPECT_FALSE(write_file(folder_.string(), "1", error_));
  EXPECT_NE(error_.find("Is a directory"), std::string::npos) << error_;
}

}  // namespace
}  // namespace sinter
