// One connection to the server and what came of its last statement. Statements run beside each other on several of
// these; nothing here blocks longer than it is told to.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace anon_client {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// What a statement came to. Of several statements in one string: the last result, or the first error.
struct Outcome {
  std::string sqlstate;  // empty unless it failed; "lost" when the server hung up
  std::string message;   // of the error
  std::string value;     // first field of the first row; NULL is "NULL"
  long rows = 0;
  Milliseconds took{};  // from sending to the end; of a cancel, from sending the cancel

  bool failed() const { return !sqlstate.empty(); }
};

class Connection {
 public:
  // Throws Failure if the server cannot be reached. What `conninfo` leaves out comes from the environment, as in psql.
  explicit Connection(std::string const& conninfo);

  // Cancels what still runs: the server would go on with it for nobody.
  ~Connection();
  Connection(Connection&&) = default;

  // Sends `sql` and returns at once. REQUIRES: !running().
  void start(std::string const& sql);

  // Waits for the end of what start() sent; throws Failure when `limit` has passed. REQUIRES: running().
  Outcome const& wait(Milliseconds limit);

  // Asks the server to cancel and then waits; the outcome's time counts from the asking. REQUIRES: running().
  Outcome const& cancel(Milliseconds limit);

  // True while no result has come, and none can be had without waiting.
  bool busy();

  bool running() const { return running_; }
  Outcome const& outcome() const { return outcome_; }
  void set_took(Milliseconds took) { outcome_.took = took; }

 private:
  void request_cancel();
  bool read_until(Clock::time_point deadline);
  void take(PGresult* result);

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  Clock::time_point sent_;
  bool running_ = false;
  Outcome outcome_;
};

}  // namespace anon_client
