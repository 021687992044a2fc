int counted_to_1000();

__attribute__((visibility("default"))) int counted_by_outer() { return counted_to_1000(); }
