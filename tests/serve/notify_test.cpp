#include "serve/notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace logit::serve {
namespace {

TEST(CountInherited, OnlyForThisProcess) {
  const std::string own = std::to_string(getpid());
  EXPECT_EQ(count_inherited(own, "2"), 2);
  EXPECT_EQ(count_inherited("1", "2"), 0);
  EXPECT_EQ(count_inherited("", ""), 0);
  EXPECT_EQ(count_inherited(own, "-1"), 0);
  EXPECT_EQ(count_inherited(own, "x"), 0);
}

TEST(NotifyManager, SendsADatagram) {
  const std::string path = ::testing::TempDir() + "notify-" + std::to_string(getpid());
  const int manager = socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(manager, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  notify_manager(path, "READY=1\n");
  char text[64];
  const ssize_t n = recv(manager, text, sizeof text, MSG_DONTWAIT);
  EXPECT_EQ(std::string(text, n > 0 ? static_cast<std::size_t>(n) : 0), "READY=1\n");
  close(manager);
  unlink(path.c_str());
}

TEST(NotifyManager, NobodyThereIsNoTrouble) {
  notify_manager("", "READY=1\n");
  notify_manager("/nowhere/at/all", "READY=1\n");
  notify_manager("@no-such-manager", "READY=1\n");
  notify_manager(std::string(500, 'x'), "READY=1\n");
}

}  // namespace
}  // namespace logit::serve
