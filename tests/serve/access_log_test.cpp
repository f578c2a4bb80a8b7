#include "serve/access_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "logit/wire.h"
#include "serve/support.h"

namespace logit::serve {
namespace {

TEST(LogLine, IsOneLineOfJsonWithoutTheQuery) {
  LogEntry entry;
  entry.id = "req_1";
  entry.method = "POST";
  entry.target = "/v1/systemone?secret=1";
  entry.status = 200;
  entry.ms = 12.3456;
  const std::string line = log_line(entry);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_TRUE(parse_content(line)) << line;
  EXPECT_TRUE(has(line, "\"time\":\"1970-01-01T00:00:00.000Z\"")) << line;
  EXPECT_TRUE(has(line, "\"path\":\"/v1/systemone\",\"status\":200,\"ms\":12.346")) << line;
  EXPECT_FALSE(has(line, "secret"));
}

TEST(LogLine, IsShortAsciiWhateverWasSent) {
  LogEntry entry;
  entry.method = std::string(9000, '\xff');
  entry.target = "/\"\n\x1b[31m" + std::string(9000, 'a');
  const std::string line = log_line(entry);
  EXPECT_LT(line.size(), 4096U);
  EXPECT_TRUE(parse_content(line)) << line;
  EXPECT_EQ(line.find_first_not_of(" \n!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"),
            std::string::npos);
}

TEST(WriteWithoutWaiting, DropsWhatAFullPipeWouldBlockOn) {  // case C82
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string line(1000, 'x');
  int n_written = 0;
  while (n_written < 1000 && write_without_waiting(ends[1], line)) ++n_written;
  EXPECT_GT(n_written, 10);
  EXPECT_LT(n_written, 1000);
  close(ends[0]);
  EXPECT_FALSE(write_without_waiting(ends[1], line));
  close(ends[1]);
}

TEST(WriteWithoutWaiting, DropsWhatAFullSocketWouldBlockOn) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const std::string line(1000, 'x');
  int n_written = 0;
  while (n_written < 10000 && write_without_waiting(ends[1], line)) ++n_written;
  EXPECT_LT(n_written, 10000);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(write_without_waiting(ends[1], line));  // closed: no crash, no wait
}

TEST(WriteWithoutWaiting, WritesToAFile) {
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_TRUE(write_without_waiting(file, "x\n"));
  close(file);
}

}  // namespace
}  // namespace logit::serve
