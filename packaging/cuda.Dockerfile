# gxr in a container, with its parts for GPUs, on NVIDIA's images of CUDA 13. From the top folder of the sources:
#
#   docker build -f packaging/cuda.Dockerfile -t gxr-cuda .
#   docker run --gpus all gxr-cuda list devices
#
# The second command needs NVIDIA's Container Toolkit, which brings the driver's libraries into the container. The
# stages are those of debian.Dockerfile.
ARG CUDA=13.0.1
ARG SYSTEM=ubuntu24.04

FROM nvidia/cuda:${CUDA}-devel-${SYSTEM} AS build
ARG ARCHITECTURES=80-real;90
WORKDIR /src
COPY . .
RUN cmake/setup.sh core web media net mpi package
RUN cmake --preset release -DGXR_BUILD_TESTS=OFF -DGXR_ENABLE_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=${ARCHITECTURES}" \
  && cmake --build --preset release
WORKDIR /src/build/release
RUN cpack

FROM nvidia/cuda:${CUDA}-devel-${SYSTEM} AS sdk
# Tools of the system, in whatever version it has.
# hadolint ignore=DL3008
RUN --mount=type=bind,from=build,source=/src/build/release/packages,target=/packages \
  apt-get update \
  && apt-get install -y --no-install-recommends g++ cmake ninja-build python3 /packages/*.deb \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /work

FROM nvidia/cuda:${CUDA}-base-${SYSTEM}
RUN --mount=type=bind,from=build,source=/src/build/release/packages,target=/packages \
  apt-get update \
  && apt-get install -y --no-install-recommends /packages/gxr_*.deb /packages/gxr-*.deb \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home gxr
USER 10001
WORKDIR /home/gxr
ENTRYPOINT ["gxr"]
CMD ["--help"]
