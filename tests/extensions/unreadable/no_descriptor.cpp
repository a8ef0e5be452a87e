extern "C" __attribute__((visibility("default"))) int just_a_library() { return 1; }
