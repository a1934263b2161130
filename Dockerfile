# docker build -t dpcompose . && docker run --rm -v "$PWD:/work" dpcompose compose privacy.json
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --pack-destination /

FROM node:24-slim
COPY --from=build /dpcompose-*.tgz /tmp/
RUN npm install --global --ignore-scripts /tmp/dpcompose-*.tgz && npm cache clean --force && rm /tmp/dpcompose-*.tgz
USER node
WORKDIR /work
ENTRYPOINT ["dpcompose"]
