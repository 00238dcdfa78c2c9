# The platform with the configuration of this repository. Projects that install the package copy their own files instead:
# see docs/guides/production.md.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# Optional drivers with their versions, such as "ioredis@6.0.0 pg@8.23.1".
ARG DRIVERS=""
RUN npm run build && npm prune --omit=dev --ignore-scripts \
  && if [ -n "$DRIVERS" ]; then npm install --save-prod --omit=dev --ignore-scripts $DRIVERS; fi

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 OPERATIONS_LISTEN=0.0.0.0:9464
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/templates ./templates
COPY --from=build /app/docs ./docs
COPY --from=build --chown=node:node /app/config ./config
RUN mkdir data && chown node:node data
USER node
# Everything else may be read-only: docker run --read-only --tmpfs /tmp
VOLUME ["/app/config", "/app/data"]
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/index.js"]
