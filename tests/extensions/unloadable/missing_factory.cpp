extern "C" __attribute__((visibility("default"))) int not_the_factory() { return 1; }
