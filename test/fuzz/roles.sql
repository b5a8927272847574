-- The roles of a fuzzed server. fuzz_dbo, who owns the databases and installs the extension, is there already; he is no superuser.
CREATE ROLE fuzz_root LOGIN SUPERUSER;
CREATE ROLE fuzz_pub LOGIN;
CREATE ROLE fuzz_member LOGIN IN ROLE fuzz_pub;
CREATE ROLE fuzz_other LOGIN;
CREATE ROLE fuzz_analyst LOGIN;
CREATE ROLE fuzz_stranger LOGIN;
CREATE ROLE fuzz_source LOGIN;
CREATE ROLE fuzz_thief LOGIN;
