// anon_client [FILE]: runs a script of SQL over several connections at once, for what psql cannot do: statements beside
// each other, cancelling, timing. Without FILE it reads standard input. Connections are described as for psql (PGHOST
// and friends). Exit status: 0 if all came as the script says, 1 with one line on standard error if not.
//
//   connect NAME [CONNINFO]     opens a connection, NAME is any word
//   close NAME                  closes it, whatever it does
//   run NAME SQL                sends SQL and waits for its end
//   start NAME SQL              sends SQL and goes on; several connections can run beside each other
//   wait NAME                   waits for the end of what was started
//   cancel NAME [after MS]      cancels what was started, MS ms from now, waits for its end, prints how long it took
//   until NAME SQL              repeats SQL until its value is t
//   time NAME N SQL             runs SQL N times and prints the median of its times
//   sleep MS
//   limit MS                    the longest that any single wait may take from here on; 180000 at first
//   repeat N ... end            the lines between, N times
//
//   expect NAME error SQLSTATE  the last statement failed with this code; "lost" if the server hung up
//   expect NAME message TEXT    it failed, and TEXT is part of the message
//   expect NAME value TEXT      the first field of the first row; NULL is NULL
//   expect NAME rows N
//   expect NAME within MS       the last run, wait or time (the median) took at most MS; after a cancel: from
//                               sending it to the arrival of the error
//   expect NAME busy            what was started has not ended yet
//
// One command a line; a backslash at its end continues it; # begins a comment line. A statement that fails, and whose
// error no expect line looks at before the connection's next command, is a failure of the script. After `expect NAME
// error` more expect lines may follow. Example, a cancel that has to arrive within 100 ms:
//
//   connect a
//   start a SELECT pg_sleep(60)
//   cancel a after 200
//   expect a error 57014
//   expect a within 100
#include <cstdio>
#include <fstream>
#include <iostream>

#include "failure.h"
#include "runner.h"
#include "script.h"

int main(int argc, char** argv) {
  std::string const name = argc > 1 ? argv[1] : "standard input";
  std::ifstream file;
  if (argc > 1) file.open(argv[1]);
  if (argc > 2 || (argc > 1 && !file)) {
    std::fprintf(stderr, argc > 2 ? "usage: anon_client [FILE]\n" : "anon_client: cannot read %s\n", name.c_str());
    return 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    anon_client::Runner runner;
    runner.run(anon_client::parse(argc > 1 ? file : std::cin));
    runner.check_nothing_left();
  } catch (anon_client::Failure const& failure) {
    std::fprintf(stderr, "%s:%d: %s\n", name.c_str(), failure.line, failure.what());
    return 1;
  }
  return 0;
}
