#include "connection.h"

#include <poll.h>

#include <algorithm>
#include <array>

#include "failure.h"

namespace anon_client {

namespace {

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

// libpq ends its messages with a line feed.
std::string chomped(char const* text) {
  std::string line = text == nullptr ? "" : text;
  while (line.ends_with('\n')) line.pop_back();
  return line;
}

}  // namespace

Connection::Connection(std::string const& conninfo) : connection_(PQconnectdb(conninfo.c_str()), PQfinish) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) throw Failure(chomped(PQerrorMessage(connection_.get())));
  PQsetNoticeProcessor(
      connection_.get(), [](void*, char const*) {}, nullptr);
}

Connection::~Connection() {
  try {
    if (connection_ != nullptr && running_) request_cancel();
  } catch (Failure const&) {  // the server has gone, and the statement with it
  }
}

void Connection::start(std::string const& sql) {
  sent_ = Clock::now();
  outcome_ = Outcome{};
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) throw Failure(chomped(PQerrorMessage(connection_.get())));
  running_ = true;
}

bool Connection::busy() {
  PQconsumeInput(connection_.get());  // a lost connection shows as a result
  return running_ && PQisBusy(connection_.get()) != 0;
}

// Returns false when `deadline` passes before the next result is there.
bool Connection::read_until(Clock::time_point deadline) {
  while (busy()) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd descriptor{PQsocket(connection_.get()), POLLIN, 0};
    poll(&descriptor, 1, static_cast<int>(std::min<long long>(left, 1000)));
  }
  return true;
}

void Connection::take(PGresult* result) {
  if (outcome_.failed()) return;
  outcome_.took = Clock::now() - sent_;
  switch (PQresultStatus(result)) {
    case PGRES_FATAL_ERROR:
    case PGRES_BAD_RESPONSE: {
      char const* code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
      char const* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
      outcome_.sqlstate = code == nullptr ? "lost" : code;
      outcome_.message = chomped(primary == nullptr ? PQresultErrorMessage(result) : primary);
      break;
    }
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH: throw Failure("COPY from or to the client is not supported");
    default:
      outcome_.rows = PQntuples(result);
      outcome_.value = outcome_.rows == 0 || PQnfields(result) == 0 ? ""
                       : PQgetisnull(result, 0, 0) != 0             ? "NULL"
                                                                    : PQgetvalue(result, 0, 0);
  }
}

Outcome const& Connection::wait(Milliseconds limit) {
  auto const deadline = Clock::now() + std::chrono::ceil<Clock::duration>(limit);
  while (read_until(deadline)) {
    Result const result(PQgetResult(connection_.get()), PQclear);
    if (result == nullptr) {
      running_ = false;
      return outcome_;
    }
    take(result.get());
  }
  throw Failure("still running after " + std::to_string(std::chrono::round<std::chrono::milliseconds>(limit).count()) +
                " ms");
}

void Connection::request_cancel() {
  std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> const handle(PQgetCancel(connection_.get()), PQfreeCancel);
  std::array<char, 256> reason{};
  if (PQcancel(handle.get(), reason.data(), static_cast<int>(reason.size())) == 0) throw Failure(reason.data());
}

Outcome const& Connection::cancel(Milliseconds limit) {
  sent_ = Clock::now();
  request_cancel();
  return wait(limit);
}

}  // namespace anon_client
