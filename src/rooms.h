// The rooms of the house, and which sees which: each may use the names, and include the headers, of those that it names
// here and that these see. Methods do not see each other, but for the one that says so.
#pragma once

namespace anon_seq {  // core: types and algorithms, no server
namespace pg {}       // namespace pg
namespace catalog {   // policies, releases, ledgers, populations, roles
using namespace pg;
}
namespace audit {  // what releases tell, counted in SQL
using namespace catalog;
}
namespace release {  // the life of a release, whatever its method
using namespace audit;
}
namespace sequential {  // a method
using namespace release;
}
namespace incremental {  // a method
using namespace release;
}
namespace lossy_join {  // a method
using namespace release;
}
namespace serial {  // a method, on what a lossy join is made of
using namespace lossy_join;
}
namespace api {  // SQL functions
using namespace release;
}
}  // namespace anon_seq
