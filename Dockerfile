# The images have the Node.js version of package.json. A digest names the same image for ever; to
# update one, change its tag and its digest together.

# Builds with the development dependencies.
FROM node:24.21.0-bookworm@sha256:22553920add6fb1fd909104346924cd30b4b3ac76ca2980f3b8dba8ede3cf945 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# Installs only the production dependencies.
FROM node:24.21.0-bookworm@sha256:22553920add6fb1fd909104346924cd30b4b3ac76ca2980f3b8dba8ede3cf945 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

# Runs as an unprivileged user, by number: Kubernetes checks that it is not root. The root file
# system can be read-only.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
# The commit, shown beside the version.
ARG BUILD_COMMIT
ENV BUILD_COMMIT=$BUILD_COMMIT
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY deploy/health-check.sh deploy/
RUN mkdir data && chown node:node data
USER 1000:1000
# The folder of the SQLite file.
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["/app/deploy/health-check.sh"]
CMD ["node", "dist/src/main.js"]
