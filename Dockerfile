# Builds with the development dependencies.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# Installs only the production dependencies.
FROM node:24-bookworm AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

# Runs as an unprivileged user.
FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY deploy/health-check.js deploy/
RUN mkdir data && chown node:node data
USER node
# The folder of the SQLite file.
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["node", "deploy/health-check.js"]
CMD ["node", "dist/src/main.js"]
