#!/usr/bin/env python3
"""Makes the wheel, installs it without network into a fresh environment, uses it there, and removes it without a trace.

Skipped (77) where the packages that make a wheel are missing, and cannot be had.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile

MISSING = 77
# What a program may need of a system beside the C and C++ libraries. A new name belongs into docs/python.md.
OF_THE_SYSTEM = re.compile(r"lib(yaml-cpp|png16|jpeg|tiff|z|cudart)\.so")
PROGRAM = """
import sys, gxr
assert gxr.__file__.startswith(sys.prefix), gxr.__file__
app = gxr.Application(text='''
name: camera
operator: gxr::image::Source
parameters: {pattern: ZonePlate, width: 64, height: 48, count: 3}
---
name: double
operator: gxr::image::Resize
parameters: {width: 32, height: 24}
inputs: {in: camera}
---
name: writer
operator: gxr::image::Writer
inputs: {in: double}
parameters: {path: picture-%d.png}
''')
assert app.validate(), app.problems_text()
print("ran", app.run().ticks, "ticks")
"""
OPERATORS = '''
import gxr

class Greet(gxr.Operator):
    """Greets"""
    ended: gxr.Switch

    def tick(self) -> None:
        print("hello from Python", flush=True)
        self.ended.disable_tick()
'''


def run(*command, status=0, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **more)
    if done.returncode == MISSING:
        print(done.stdout)
        sys.exit(MISSING)
    if done.returncode != status:
        sys.exit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(what, text, found):
    if text not in found:
        sys.exit(f"{what}: {text!r} is not in\n{found}")


def files_below(folder):
    """All files, but for what Python writes when it imports."""
    return {path.relative_to(folder) for path in folder.rglob("*")
            if not path.is_dir() and "__pycache__" not in path.parts}


def check_contents(wheel, version):
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("gxr/__init__.py", "gxr/__main__.py", "gxr/_native.pyi", "gxr/py.typed", "gxr/bin/gxr",
                 "gxr/lib/libgxr.so." + ".".join(version.split(".")[:2]), "gxr/lib/gxr/libgxr_cli.so",
                 "gxr/lib/gxr/libgxr_yaml.so", "gxr/lib/gxr/extensions/std.so", "gxr/lib/gxr/extensions/image.so",
                 f"gxr-{version}.dist-info/METADATA"):
        expect(wheel.name, name, "\n".join(sorted(names)))
    unwanted = re.compile(r"(^|/)(tests?|include|man|doc|docs|cmake|src)/|\.(hpp|h|cpp|cu|cmake|a|pc)$|libcudart|^(?!gxr[/-])")
    for name in names:
        if unwanted.search(name):
            sys.exit(f"{wheel.name} has {name}")
    sizes = {}
    for entry in zipfile.ZipFile(wheel).infolist():
        if entry.file_size > 100_000 and sizes.setdefault((entry.CRC, entry.file_size), entry.filename) != entry.filename:
            sys.exit(f"{wheel.name} has {entry.filename} twice: also as {sizes[entry.CRC, entry.file_size]}")


def check_libraries(package):
    """Nothing but what the system has is missing, and nothing is found where it was built."""
    for path in sorted([*package.rglob("*.so"), *package.rglob("*.so.*")]):
        for line in run("ldd", path).splitlines():
            if "not found" in line and not OF_THE_SYSTEM.search(line):
                sys.exit(f"{path}: {line.strip()}")
            if "libgxr" in line and "=>" in line and str(package) not in line:
                sys.exit(f"{path}: {line.strip()} is not the package's own")


def use(environment, work):
    python = environment / "bin/python"
    # Neither this project's build nor its package.
    clean = {"PATH": f"{environment / 'bin'}:/usr/bin:/bin", "HOME": str(work), "LANG": "C.UTF-8"}
    expect("a program", "ran 9 ticks", run(python, "-c", PROGRAM, cwd=work, env=clean))
    if not (work / "picture-3.png").exists():
        sys.exit("the program wrote no picture")
    expect("gxr --version", "gxr ", run(environment / "bin/gxr", "--version", cwd=work, env=clean))
    (work / "greetings.py").write_text(OPERATORS, encoding="utf-8")
    (work / "app.yaml").write_text("name: greet\noperator: greetings::Greet\n", encoding="utf-8")
    for command in (["gxr"], [environment / "bin/python", "-m", "gxr"]):
        expect("an operator", "hello from Python",
               run(*command, "run", "-x", "greetings.py", "app.yaml", cwd=work, env=clean))
    expect("an unknown parameter", "did you mean 'height'",
           run("gxr", "validate", "-", cwd=work, env=clean, status=3,
               input="name: a\noperator: gxr::image::Source\nparameters: {hieght: 2}\n"))
    # The executable itself, which is in no folder of $PATH.
    [package] = environment.glob("lib/python*/site-packages/gxr")
    expect("the executable", "gxr::image::Source", run(package / "bin/gxr", "list", "types", cwd=work, env=clean))
    check_libraries(package)
    check_missing_library(package, python, work, clean)


def check_missing_library(package, python, work, clean):
    """Where a library of the system is missing, the import says which, and what installs it."""
    [reader] = package.glob("lib/gxr/libgxr_yaml.so")
    content = reader.read_bytes()
    [needed] = set(re.findall(rb"libyaml-cpp\.so\.[0-9.]+", content))
    missing = needed[:-1] + b"0"  # as long
    reader.write_bytes(content.replace(needed, missing))
    try:
        said = run(python, "-c", "import gxr", cwd=work, env=clean, status=1)
    finally:
        reader.write_bytes(content)
    expect("import without yaml-cpp", f"ImportError: libgxr_yaml.so, the part of gxr that reads YAML, needs the library "
           f"'{missing.decode()}', which is not installed; on Debian and Ubuntu: apt-get install libyaml-cpp"
           + missing.decode().rpartition("so.")[2], said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    wheel = pathlib.Path(run(source / "cmake/python.sh", "wheel").split()[-1])
    wheel = source / wheel
    check_contents(wheel, arguments.version)
    maker = source / "build/python/venv/bin/python"
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        environment = work / "venv"
        run(maker, "-m", "venv", environment)
        before = files_below(environment)
        pip = [environment / "bin/python", "-m", "pip", "--disable-pip-version-check"]
        offline = {**os.environ, "PIP_NO_INDEX": "1"}
        run(*pip, "install", wheel, env=offline)
        use(environment, work)
        run(*pip, "uninstall", "-y", "gxr", env=offline)
        left = files_below(environment) - before
        if left:
            sys.exit(f"left behind: {', '.join(map(str, sorted(left)))}")
        for folder in environment.glob("lib/python*/site-packages/gxr"):
            sys.exit(f"left behind: {folder}")
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, installed, used and removed")


if __name__ == "__main__":
    main()
