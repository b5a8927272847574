// What the server calls when it loads the library.
#include "pg/settings.h"

extern "C" {
PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void) { anon_seq::pg::define_settings(); }
}
