#!/bin/bash
# Exits with 0 if the service in this container is ready for requests, otherwise with 1.
# The image has no curl, and a start of Node.js for each check would waste CPU time.

readonly TIMEOUT_SECONDS=4

# The path of BASE_URL is the prefix of all routes.
address=${BASE_URL:-http://localhost}
address=${address#*://}
path=
[[ $address == */* ]] && path=/${address#*/}

exec 3<>"/dev/tcp/127.0.0.1/${PORT:-3000}" || exit 1
printf 'GET %s/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$path" >&3
read -r -t "$TIMEOUT_SECONDS" -u 3 _version status _reason
[[ $status == 200 ]]
