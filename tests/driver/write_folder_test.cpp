// Writing an output folder: what is refused, what survives, and that nothing is left half-done.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driver/build/build_cache.h"
#include "driver/compile/compile.h"
#include "driver/system/files.h"
#include "driver/system/left_over.h"
#include "ir/support/sha256.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

class WriteFolder : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("sinter-write-folder-" + std::to_string(getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
    out_ = (root_ / "out").string();
  }
  void TearDown() override { fs::remove_all(root_); }

  // A project of these files with its manifest.
  static FileSet project(FileSet files) {
    std::string hashes;
    for (const auto& [path, text] : files) {
      hashes += (hashes.empty() ? "" : ",") + ("\"" + path + "\": \"") + sha256_hex(text) + "\"";
    }
    files["manifest.json"] = "{\"files\": {" + hashes + "}}";
    return files;
  }

  bool write(const FileSet& files, bool force = false) { return write_folder(out_, files, force, error_); }
  std::string read(const std::string& path) { return read_file(out_ + "/" + path, error_).value_or("(none)"); }
  void edit(const std::string& path, const std::string& text) { std::ofstream(fs::path(out_) / path) << text; }
  size_t entries() { return std::distance(fs::directory_iterator(root_), fs::directory_iterator()); }

  fs::path root_;
  std::string out_;
  std::string error_;
};

TEST_F(WriteFolder, WritesAndReplaces) {
  ASSERT_TRUE(write(project({{"a.h", "1"}, {"kernels/k.cu", "old"}}))) << error_;
  ASSERT_TRUE(write(project({{"a.h", "1"}, {"kernels/l.cu", "new"}}))) << error_;
  EXPECT_EQ(read("kernels/l.cu"), "new");
  EXPECT_EQ(read("kernels/k.cu"), "(none)");
  EXPECT_EQ(entries(), 1u) << "something was left beside the folder";
}

TEST_F(WriteFolder, FollowsALink) {
  fs::create_directories(root_ / "elsewhere");
  fs::create_directory_symlink(root_ / "elsewhere", out_);
  ASSERT_TRUE(write(project({{"a.h", "1"}}))) << error_;
  ASSERT_TRUE(write(project({{"a.h", "2"}}))) << error_;
  EXPECT_TRUE(fs::is_symlink(out_));
  EXPECT_EQ(read_file((root_ / "elsewhere/a.h").string(), error_), "2");
  EXPECT_EQ(entries(), 2u) << "something was left beside the folder";
}

TEST_F(WriteFolder, RefusesFoldersOfOthers) {
  fs::create_directories(out_);
  edit("notes.txt", "mine");
  EXPECT_FALSE(write(project({{"a.h", "1"}})));
  EXPECT_NE(error_.find("did not write"), std::string::npos) << error_;
  EXPECT_EQ(read("notes.txt"), "mine");
}

TEST_F(WriteFolder, RefusesHandEditsUnlessForced) {
  ASSERT_TRUE(write(project({{"a.h", "1"}, {"b.h", "2"}})));
  edit("b.h", "edited");
  EXPECT_FALSE(write(project({{"a.h", "1"}, {"b.h", "3"}})));
  EXPECT_NE(error_.find("b.h (changed)"), std::string::npos) << error_;
  EXPECT_EQ(read("b.h"), "edited");
  EXPECT_TRUE(write(project({{"a.h", "1"}, {"b.h", "3"}}), true)) << error_;
  EXPECT_EQ(read("b.h"), "3");
}

TEST_F(WriteFolder, RefusesFilesAddedToOurFolders) {
  ASSERT_TRUE(write(project({{"kernels/k.cu", "1"}})));
  edit("kernels/mine.cu", "2");
  EXPECT_FALSE(write(project({{"kernels/k.cu", "1"}})));
  EXPECT_NE(error_.find("kernels/mine.cu (added)"), std::string::npos) << error_;
}

TEST_F(WriteFolder, KeepsTimeStampsAndBuildFolders) {
  ASSERT_TRUE(write(project({{"same.h", "1"}, {"other.h", "1"}})));
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(out_ + "/same.h", past);
  fs::last_write_time(out_ + "/other.h", past);
  fs::create_directories(out_ + "/build");
  edit("build/objects", "o");
  ASSERT_TRUE(write(project({{"same.h", "1"}, {"other.h", "2"}}))) << error_;
  EXPECT_EQ(fs::last_write_time(out_ + "/same.h"), past);
  EXPECT_NE(fs::last_write_time(out_ + "/other.h"), past);
  EXPECT_EQ(read("build/objects"), "o");
}

TEST_F(WriteFolder, EmptyFoldersAreFine) {
  fs::create_directories(out_);
  EXPECT_TRUE(write(project({{"a.h", "1"}}))) << error_;
}

TEST_F(WriteFolder, AFileInTheWayIsRefusedEvenIfForced) {
  std::ofstream(out_) << "a file";
  EXPECT_FALSE(write(project({{"a.h", "1"}}), true));
}

// No process has this number.
constexpr const char* kKilled = ".sinter-999999999";

TEST_F(WriteFolder, RemovesWhatKilledProcessesLeft) {
  std::filesystem::create_directories(root_ / ("out" + std::string(kKilled)) / "kernels");
  std::filesystem::create_directories(root_ / ("out" + std::string(kKilled) + "-old"));
  const std::filesystem::path alive = root_ / ("out.sinter-" + std::to_string(getppid()));
  const std::filesystem::path another = root_ / ("other" + std::string(kKilled)), theirs = root_ / "out.sinter-notes";
  for (const auto& path : {alive, another, theirs}) std::filesystem::create_directories(path);
  ASSERT_TRUE(write_folder((root_ / "out").string(), project({{"a.h", "1"}}), false, error_)) << error_;
  EXPECT_FALSE(std::filesystem::exists(root_ / ("out" + std::string(kKilled))));
  EXPECT_FALSE(std::filesystem::exists(root_ / ("out" + std::string(kKilled) + "-old")));
  for (const auto& path : {alive, another, theirs}) EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST_F(WriteFolder, TheCacheDropsWhatKilledProcessesLeft) {
  const std::string own = folder_aside(root_.string());
  EXPECT_FALSE(fs::exists(own));
  EXPECT_NE(own, folder_aside(root_.string()));
  EXPECT_EQ(left_over(root_, "aside-").size(), 0u);
  for (const char* name : {"aside-999999999-1", "aside-999999999-2.sinter-999999999", "aside-notes"})
    fs::create_directories(root_ / name);
  fs::create_directories(own);
  EXPECT_EQ(left_over(root_, "aside-").size(), 2u);
}

}  // namespace
}  // namespace sinter
