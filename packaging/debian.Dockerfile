# gxr in a container, on Debian 12, without a GPU. From the top folder of the sources:
#
#   docker build -f packaging/debian.Dockerfile -t gxr .
#   docker build -f packaging/debian.Dockerfile --target sdk -t gxr-sdk .
#
# Podman and Buildah take the same options. The stages: build makes the packages, sdk has what extension authors need,
# and the last one runs applications.
FROM debian:12 AS build
WORKDIR /src
COPY . .
RUN cmake/setup.sh core web media net mpi package
RUN cmake --preset release -DGXR_BUILD_TESTS=OFF \
  && cmake --build --preset release
WORKDIR /src/build/release
RUN cpack

FROM debian:12 AS sdk
# Tools of the system, in whatever version it has.
# hadolint ignore=DL3008
RUN --mount=type=bind,from=build,source=/src/build/release/packages,target=/packages \
  apt-get update \
  && apt-get install -y --no-install-recommends g++ cmake ninja-build python3 /packages/*.deb \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /work

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/src/build/release/packages,target=/packages \
  apt-get update \
  && apt-get install -y --no-install-recommends /packages/gxr_*.deb /packages/gxr-*.deb \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home gxr
USER 10001
WORKDIR /home/gxr
ENTRYPOINT ["gxr"]
CMD ["--help"]
