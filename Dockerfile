# An image with only the packed program. docs/tasks/docker.md shows how to use it.
FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json README.md LICENSE CHANGELOG.md ./
COPY bin ./bin
COPY docs ./docs
COPY fixtures ./fixtures
COPY scripts ./scripts
COPY spec ./spec
COPY src ./src
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp
RUN npm install --prefix /app --omit=dev --offline --ignore-scripts --no-audit --no-fund /tmp/petstore-sandbox-*.tgz

FROM node:24-alpine
COPY --from=build /app /app
# A store in a file belongs here, as the user of the program can write to it.
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /api
ENV NODE_ENV=production \
    PETSTORE_SANDBOX_HOST=0.0.0.0
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PETSTORE_SANDBOX_PORT || process.env.PORT || 4010) + '/_sandbox/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/petstore-sandbox/bin/petstore-sandbox.js"]
