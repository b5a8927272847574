// Carries out a script's commands over its named connections.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connection.h"
#include "script.h"

namespace anon_client {

class Runner {
 public:
  // Throws Failure, with the line, at the first thing that does not come as expected.
  void run(std::vector<Command> const& commands);

  // An error that no `expect` has looked at was not expected: throws Failure. To be called at the script's end.
  void check_nothing_left() const;

 private:
  struct Session {
    explicit Session(Connection opened) : connection(std::move(opened)) {}
    void check_seen(std::string const& name) const;

    Connection connection;
    int unseen = 0;  // line of the statement that failed, until an expect looks at it
  };

  void perform(Command const& command);
  void finish(Session& session, int line);
  void cancel(Session& session, Command const& command);
  void time(Session& session, Command const& command);
  void until(Session& session, Command const& command);
  void expect(Session& session, Command const& command);

  std::map<std::string, Session> sessions_;
  Milliseconds limit_ = std::chrono::minutes(3);  // for any single wait
};

}  // namespace anon_client
