// Empty: its target holds the precompiled header that the tests share.
