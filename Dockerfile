# The image of every role: `docker build -t remitgraph .`. It holds what `npm pack` packs and the dependencies that run.
# To pin the base image, or to take it from a registry of yours: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack \
  && npm prune --omit=dev --no-audit --no-fund \
  && mkdir /app \
  && tar -xzf remitgraph-*.tgz --strip-components=1 -C /app \
  && mv node_modules /app/ \
  && node /app/dist/bin/*/load.cjs warm-up.js

FROM ${NODE_IMAGE}
# Package managers have dependencies of their own, and run nothing here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=build /app ./
# The files belong to root, and nothing is written: the container may be read-only. A number, because Kubernetes cannot see
# from a name that the user is not root; it is the user `node` of the base image.
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node is the first process and gets SIGTERM itself.
ENTRYPOINT ["node", "gateway/cli/remitgraph.mjs"]
CMD ["start"]
