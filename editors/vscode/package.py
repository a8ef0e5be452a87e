#!/usr/bin/env python3
"""Writes gxr-VERSION.vsix, which `code --install-extension` takes."""

import json
import pathlib
import sys
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
<DisplayName>{displayName}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Categories>Programming Languages</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/></Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


def main():
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    file = folder / f"gxr-{package['version']}.vsix"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", MANIFEST.format(**package, engine=package["engines"]["vscode"]))
        for name in ("package.json", "extension.js"):
            archive.write(FOLDER / name, "extension/" + name)
    print(file)


if __name__ == "__main__":
    main()
