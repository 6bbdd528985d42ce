#!/bin/sh
# PostgreSQL with pgbench on the folder $DISKWRIGHT_MOUNT_DATA, as `diskwright emulate --mount data=DIR -- ./postgresql.sh` sets it.
#   RATE=50  transactions per second (default: as many as it can)    SECONDS_=30  how long    CLIENTS=1
#   BEFORE, AFTER: commands right before and after the load
set -eu
data=$DISKWRIGHT_MOUNT_DATA/postgresql
bin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 | sort -V | tail -n 1)
# The server refuses to be run by root.
as="setpriv --reuid=postgres --regid=postgres --clear-groups env LC_ALL=C HOME=/"
socket=$(mktemp -d) && chown postgres "$socket"
mkdir -p "$data" && chown postgres "$data" && chmod 700 "$data"
[ -f "$data/PG_VERSION" ] || $as "$bin/initdb" --auth=trust --no-sync -U postgres -D "$data" >/dev/null
start() {
    $as "$bin/pg_ctl" -D "$data" -w -s -l "$socket/log" -o "-k $socket -c listen_addresses= -c shared_buffers=16MB \
        -c min_wal_size=512MB -c checkpoint_timeout=30min" start
}
stop() { $as "$bin/pg_ctl" -D "$data" -w -s -m fast stop; }
start
trap stop EXIT
"$bin/pgbench" -h "$socket" -U postgres -i -q -s "${SCALE:-4}" postgres 2>/dev/null
"$bin/psql" -h "$socket" -U postgres -q -c CHECKPOINT
"$bin/pgbench" -h "$socket" -U postgres -n -c "${CLIENTS:-1}" ${RATE:+--rate=$RATE} -T 3 postgres >/dev/null 2>&1
eval "${BEFORE:-}"
"$bin/pgbench" -h "$socket" -U postgres -n -c "${CLIENTS:-1}" ${RATE:+--rate=$RATE} -T "${SECONDS_:-30}" postgres 2>/dev/null |
    grep -E '^(latency average|rate limit|tps)'
eval "${AFTER:-}"
