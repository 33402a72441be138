"""Scripts that write documents from what the code does."""
