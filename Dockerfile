# Builds where there is a compiler, for packages that come without a build for the platform.
FROM node:20-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

# Runs with no more than it needs, and as nobody in particular.
FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY deploy/is-healthy.js deploy/
RUN mkdir data && chown node:node data
USER node
# An SQLite file, where that is the database.
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["node", "deploy/is-healthy.js"]
CMD ["node", "dist/src/main.js"]
