#!/usr/bin/env python3
"""Makes the packages, installs them into a fresh Debian root, uses them there, and removes them without a trace.

The root is made by mmdebstrap from the package sources of this machine. Skipped (77) where a tool or root is missing.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ("mmdebstrap", "dpkg-deb", "dpkg-shlibdeps", "file", "gzip", "apt-get")
# What apt, dpkg and the dynamic linker write for themselves, whatever is installed, and the folder of this test.
OF_THE_SYSTEM = re.compile(r"(var/(lib/(dpkg|apt)|cache/(apt|ldconfig|debconf)|log)|tmp|run|proc|sys|dev|try)/|etc/ld\.so\.cache$")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def output_of(*command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **more)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(what, text, found):
    if text not in found:
        sys.exit(f"{what}: {text!r} is not in\n{found}")


def codename():
    for line in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.split("=")[1].strip('"')
    return skip("a code name of the system")


def package_sources(suite):
    """The entries of this machine's package sources that are of the system's release itself."""
    def is_own(name):
        return name == suite or name.startswith(suite + "-")

    entries = []
    folder = pathlib.Path("/etc/apt/sources.list.d")
    for path in [pathlib.Path("/etc/apt/sources.list"), *sorted(folder.glob("*.list"))]:
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                words = re.sub(r"\[[^]]*\]", "", line).split()
                if len(words) > 3 and words[0] == "deb" and is_own(words[2]):
                    entries.append(line)
    for path in sorted(folder.glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            suites = re.search(r"^Suites:(.*)$", stanza, re.MULTILINE)
            if suites and any(is_own(name) for name in suites.group(1).split()):
                entries.append("\n".join(line for line in stanza.splitlines() if not line.startswith("#")) + "\n")
    return entries or skip(f"a package source of {suite}")


def field(package, name):
    return output_of("dpkg-deb", "-f", package, name).strip()


def names_of(relations):
    """The names of a field such as Depends, the first of alternatives."""
    return [re.split(r"[ (|:]", relation.strip())[0] for relation in relations.split(",") if relation.strip()]


def check_permissions(package):
    for line in output_of("dpkg-deb", "-c", package).splitlines():
        mode, owner, *_, name = line.split(" -> ")[0].split()
        is_program = "/bin/" in name and not name.endswith("/") or name.endswith("run_transcripts.py")
        right = {"d": "drwxr-xr-x", "l": "lrwxrwxrwx", "-": "-rwxr-xr-x" if is_program else "-rw-r--r--"}[mode[0]]
        if mode != right or owner != "root/root":
            sys.exit(f"{package.name}: {name} has {mode} of {owner}, not {right} of root")


class Root:
    """A Debian system in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, command, **more):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/try", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        return output_of("chroot", self.folder, "/bin/sh", "-ec", command, env=environment, **more)

    def files(self):
        """What every path is: kind, mode, size and target of links, without what belongs to the system."""
        found = {}
        for top, folders, files in os.walk(self.folder):
            for name in folders + files:
                path = pathlib.Path(top, name)
                relative = str(path.relative_to(self.folder))
                if not OF_THE_SYSTEM.match(relative + "/" if name in folders else relative):
                    status = path.lstat()
                    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
                    link = os.readlink(path) if path.is_symlink() else ""
                    found[relative] = (oct(status.st_mode), size, link)
        return found


def use_runtime(root, version):
    expect("version", f"gxr {version}\n", root.run("gxr --version"))
    expect("types", "GreedyScheduler", root.run("gxr list types"))
    expect("application", "completed", root.run("cd /try; gxr run /usr/share/gxr/apps/develop/develop.yaml"))
    if not any((root.folder / "try/out/develop").glob("*.png")):
        sys.exit("apps/develop wrote no picture")
    root.run("cp /usr/share/doc/gxr/copyright /try; zcat /usr/share/doc/gxr/changelog.gz >/try/changelog")


def use_dev(root):
    shutil.copytree(HERE, root.folder / "try/install")
    root.run("cmake -S /try/install/extension -B /try/build; cmake --build /try/build")
    expect("extension", "greetings to the installed runner\ngreetings to the installed runner\n",
           root.run("cd /try; gxr run -x build/extensions/greeter.so install/extension/app.yaml"))
    expect("transcripts", "100% tests passed", root.run(
        "cd /try; gxr new extension blur; cmake -S blur -B b; cmake --build b; ctest --test-dir b --output-on-failure"))
    root.run("cd /try; g++ -std=c++20 $(pkg-config --cflags gxr) install/embed/main.cpp $(pkg-config --libs gxr) -o embed")
    expect("embedding", "hello: 3 ticks\ncompleted\n", root.run("/try/embed /try/install/embed/app.yaml"))
    # A program for GXF needs one folder, with the headers and the library.
    root.run("cd /try; cc -I/usr/lib/gxr/gxf/include install/embed_gxf/main.c -L/usr/lib/gxr/gxf/lib -lgxf_core "
             "-Wl,-rpath,/usr/lib/gxr/gxf/lib -o embed_gxf")
    expect("embedding by GXF's interface", "GXF_SUCCESS\n", root.run("/try/embed_gxf /try/install/embed/app.yaml"))


def use_cuda(root):
    """Without a GPU: that every library is found, CUDA's runtime in the folder of gxr."""
    # libcudart.so is missing where its licence was not found; then the description says so.
    libraries = root.run("ldd /usr/lib/gxr/libgxr_cuda.so /usr/lib/gxr/extensions/image_cuda.so")
    if (root.folder / "usr/share/doc/gxr-cuda/NVIDIA-EULA.txt.gz").exists():
        if "not found" in libraries or libraries.count("/usr/lib/gxr/") < 2:
            sys.exit(f"libraries of gxr-cuda are missing\n{libraries}")
    else:
        expect("description of gxr-cuda", "is missing here", root.run("dpkg -s gxr-cuda"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cpack", required=True)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    for tool in TOOLS:
        if shutil.which(tool) is None:
            skip(f"{tool} is missing")
    if os.geteuid() != 0:
        skip("it needs root")
    suite = codename()
    sources = package_sources(suite)

    with tempfile.TemporaryDirectory(prefix="gxr_packages_") as name:
        work = pathlib.Path(name)
        output_of(options.cpack, "--config", options.build / "CPackConfig.cmake", "-B", work / "packages",
                  cwd=options.build)
        packages = {field(path, "Package"): path for path in sorted((work / "packages").glob("*.deb"))}
        for wanted in ("gxr", "libgxr-dev"):
            if wanted not in packages:
                sys.exit(f"there is no package {wanted}, but {', '.join(packages)}")
        depended = set()
        for path in packages.values():
            check_permissions(path)
            depended.update(names_of(field(path, "Depends")))
        if shutil.which("lintian"):
            print(output_of("lintian", "--fail-on", "error", "--tag-display-limit", "0", *packages.values()))
        else:
            print("lintian is missing: the packages are not checked by it")

        root = Root(work / "root")
        mirrors = []
        for number, entry in enumerate(sources):
            mirrors.append(work / f"{number}{'.sources' if chr(10) in entry else '.list'}")
            mirrors[-1].write_text(entry + "\n", encoding="utf-8")
        needed = sorted(depended - set(packages)) + ["cmake", "g++", "make", "pkg-config"]
        output_of("mmdebstrap", "--variant=apt", "--include=" + ",".join(needed), suite, root.folder, *mirrors)
        (root.folder / "try").mkdir()
        before = root.files()

        for path in packages.values():
            shutil.copy(path, root.folder / "try")
        root.run("dpkg -i /try/*.deb")
        owned = [line.lstrip("/") for line in root.run(f"dpkg -L {' '.join(packages)}").splitlines()
                 if line.startswith("/")]
        if not set(owned) - set(before) - {"."} or set(root.files()) - set(before) - set(owned):
            sys.exit(f"files that no package owns: {sorted(set(root.files()) - set(before) - set(owned))}")
        use_runtime(root, options.version)
        use_dev(root)
        if "gxr-cuda" in packages:
            use_cuda(root)
        # The development package can go alone, and everything goes together.
        root.run("dpkg --purge libgxr-dev")
        expect("without libgxr-dev", options.version, root.run("gxr --version"))
        root.run(f"dpkg --purge {' '.join(set(packages) - {'libgxr-dev'})}")
        after = root.files()
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        changed = [path for path in changed if not path.startswith("try")]
        if changed:
            sys.exit("the removed packages leave or change:\n" + "\n".join(changed))
        print(f"installed, used and removed in a fresh {suite}: {', '.join(packages)}")


main()
