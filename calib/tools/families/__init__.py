"""What the tools of each harness do, and the programs of a shell: one family a file, its source in the docstring."""
