#include "runner.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "expectation.h"
#include "failure.h"

namespace anon_client {

namespace {

Milliseconds milliseconds(std::string_view text) { return Milliseconds(number(text)); }

}  // namespace

void Runner::run(std::vector<Command> const& commands) {
  for (Command const& command : commands) {
    try {
      if (command.verb == "repeat") {
        for (long left = number(command.rest); left > 0; --left) run(command.body);
      } else {
        perform(command);
      }
    } catch (Failure& failure) {
      if (failure.line == 0) failure.line = command.line;
      throw;
    }
  }
}

void Runner::check_nothing_left() const {
  for (auto const& [name, session] : sessions_) session.check_seen(name);
}

void Runner::Session::check_seen(std::string const& name) const {
  if (unseen != 0) throw Failure(name + " got " + shown(connection.outcome()), unseen);
}

void Runner::perform(Command const& command) {
  if (command.verb == "sleep") {
    std::this_thread::sleep_for(milliseconds(command.rest));
    return;
  }
  if (command.verb == "limit") {
    limit_ = milliseconds(command.rest);
    return;
  }
  if (command.verb == "connect") {
    if (!sessions_.try_emplace(command.name, Connection(command.rest)).second) {
      throw Failure(command.name + " is connected already");
    }
    return;
  }
  auto const found = sessions_.find(command.name);
  if (found == sessions_.end()) throw Failure("no connection named " + command.name);
  Session& session = found->second;
  if (command.verb == "expect") {
    expect(session, command);
    return;
  }
  session.check_seen(command.name);
  bool const wants_running = command.verb == "wait" || command.verb == "cancel";
  if (wants_running != session.connection.running() && command.verb != "close") {
    throw Failure(command.name + (wants_running ? " runs nothing" : " still runs its last statement"));
  }
  if (command.verb == "close") {
    sessions_.erase(found);
  } else if (command.verb == "start") {
    session.connection.start(command.rest);
  } else if (command.verb == "cancel") {
    cancel(session, command);
  } else if (command.verb == "time") {
    time(session, command);
  } else if (command.verb == "until") {
    until(session, command);
  } else {
    if (command.verb == "run") session.connection.start(command.rest);
    finish(session, command.line);
  }
}

void Runner::finish(Session& session, int line) {
  if (session.connection.wait(limit_).failed()) session.unseen = line;
}

void Runner::cancel(Session& session, Command const& command) {
  std::string_view rest = command.rest;
  if (!rest.empty() && take_word(rest) != "after") throw Failure("cancel NAME [after MS]");
  if (!rest.empty()) std::this_thread::sleep_for(milliseconds(rest));
  Outcome const& outcome = session.connection.cancel(limit_);
  std::printf("%d: %s ended %s after the cancel, %s\n", command.line, command.name.c_str(), in_ms(outcome.took).c_str(),
              shown(outcome).c_str());
  if (outcome.failed()) session.unseen = command.line;
}

void Runner::time(Session& session, Command const& command) {
  std::string_view sql = command.rest;
  long const times = number(take_word(sql));
  if (times == 0) throw Failure("time NAME N SQL wants at least one run");
  std::vector<Milliseconds> took;
  for (long i = 0; i < times; ++i) {
    session.connection.start(std::string(sql));
    finish(session, command.line);
    if (session.unseen != 0) return;
    took.push_back(session.connection.outcome().took);
  }
  auto const median = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
  std::nth_element(took.begin(), median, took.end());
  session.connection.set_took(*median);
  std::printf("%d: %s took %s, median of %ld\n", command.line, command.name.c_str(), in_ms(*median).c_str(), times);
}

void Runner::until(Session& session, Command const& command) {
  auto const deadline = Clock::now() + limit_;
  do {
    session.connection.start(command.rest);
    finish(session, command.line);
    if (session.unseen != 0 || session.connection.outcome().value == "t") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  } while (Clock::now() < deadline);
  throw Failure("not true within " + in_ms(limit_));
}

void Runner::expect(Session& session, Command const& command) {
  std::string_view wanted = command.rest;
  std::string const kind = take_word(wanted);
  if (kind == "busy") {
    if (!session.connection.busy()) throw Failure(command.name + " is not busy");
    return;
  }
  if (session.connection.running()) throw Failure(command.name + " still runs: wait for it first");
  if (is_about_an_error(kind)) {
    session.unseen = 0;
  } else {
    session.check_seen(command.name);
  }
  check(session.connection.outcome(), kind, wanted, command.name);
}

}  // namespace anon_client
