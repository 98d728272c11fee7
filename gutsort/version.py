"""The version, alone in a module so that neither the build nor a program's --version has to import more."""

__version__ = "0.1.0"
