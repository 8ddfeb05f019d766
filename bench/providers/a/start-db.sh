#!/bin/bash
# Starts an own PostgreSQL cluster on 127.0.0.1:$PGPORT (default 55437); creates it on the first run.
set -e
cd "$(dirname "$0")"
PORT=${PGPORT_A:-55437}
BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$BIN" ] || { echo "apt-get install postgresql first" >&2; exit 1; }
DATA=$PWD/pgdata
if [ ! -f "$DATA/PG_VERSION" ]; then
  mkdir -p "$DATA"; chown postgres "$DATA"; chmod 700 "$DATA"
  (cd / && runuser -u postgres -- "$BIN/initdb" -D "$DATA" -A trust -E UTF8 --locale=C.UTF-8 -U postgres >/dev/null)
  cat >> "$DATA/postgresql.conf" <<C
listen_addresses = '127.0.0.1'
port = $PORT
unix_socket_directories = ''
fsync = off
shared_buffers = 32MB
max_connections = 60
timezone = 'UTC'
C
fi
if (cd / && runuser -u postgres -- "$BIN/pg_ctl" -D "$DATA" status >/dev/null); then echo already running
else (cd / && runuser -u postgres -- "$BIN/pg_ctl" -D "$DATA" -w -l "$DATA/server.log" start >/dev/null); fi
echo "DATABASE_URL=postgres://postgres@127.0.0.1:$PORT/postgres"
