# pairsim without a toolchain: built where Swift is, run where it is not.
#
#     docker build -t pairsim .
#     docker run --rm -v "$PWD:/work" pairsim run Scenarios
#
# What it does was done without it (Scripts/archive, Scripts/check-archive); the image itself was built by nobody yet, for want of a daemon and a registry.
#
# Give other bases with --build-arg: the second must be as old as the first or younger, since glibc is its own.
ARG SWIFT=swift:6.2-bookworm
ARG BASE=debian:bookworm-slim

FROM ${SWIFT} AS build
RUN apt-get update -q && apt-get install -q -y --no-install-recommends libssl-dev binutils && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN Scripts/archive --output /archive && mkdir /pairsim && tar -xzf /archive/pairsim-*.tar.gz --strip-components 1 -C /pairsim

FROM ${BASE}
COPY --from=build /pairsim /opt/pairsim
RUN ln -s /opt/pairsim/pairsim /usr/local/bin/pairsim && pairsim run /opt/pairsim/Scenarios --quiet
WORKDIR /work
ENTRYPOINT ["pairsim"]
CMD ["help"]
