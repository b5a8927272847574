// What the server calls when it loads the library.
#include "pg/settings.h"

extern "C" {
#if PG_VERSION_NUM >= 180000
PG_MODULE_MAGIC_EXT(.name = "anon_seq", .version = ANON_SEQ_VERSION);
#else
PG_MODULE_MAGIC;
#endif

PGDLLEXPORT void _PG_init(void) { anon_seq::pg::define_settings(); }
}
