#!/bin/bash
cd "$(dirname "$0")"
BIN=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
DATA=$PWD/pgdata
cd / && runuser -u postgres -- "$BIN/pg_ctl" -D "$DATA" -m fast stop
