"""The version of the distribution, in a module that imports nothing: the build reads it too."""

__version__ = "0.1.0"
