// No library can be loaded into it.
int main() {
  return 0;
}
