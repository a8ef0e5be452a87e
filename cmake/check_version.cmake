# Fails on a CMake older than the one gxr needs.
cmake_minimum_required(VERSION 3.25)
