#!/bin/sh
# MariaDB with sysbench on the folder $DISKWRIGHT_MOUNT_DATA, as `diskwright emulate --mount data=DIR -- ./mariadb.sh` sets it.
#   RATE=6  transactions per second (default: as many as it can)    SECONDS_=30  how long    CLIENTS=4
#   BEFORE, AFTER: commands right before and after the load
set -eu
data=$DISKWRIGHT_MOUNT_DATA/mariadb
as="setpriv --reuid=nobody --regid=nogroup --clear-groups env LC_ALL=C HOME=/"
socket=$(mktemp -d) && chmod 777 "$socket"
mkdir -p "$data" && chown nobody "$data"
[ -d "$data/mysql" ] || $as mariadb-install-db --no-defaults --auth-root-authentication-method=normal --skip-test-db \
    --datadir="$data" >/dev/null 2>&1
$as mariadbd --no-defaults --skip-networking --datadir="$data" --socket="$socket/sock" --pid-file="$socket/pid" \
    --innodb-buffer-pool-size=8M --innodb-lru-scan-depth=100 --innodb-flush-method=O_DIRECT >"$socket/log" 2>&1 &
server=$!
stop() { kill "$server" && wait "$server"; }
trap stop EXIT
until mariadb --no-defaults -S "$socket/sock" -uroot -e 'CREATE DATABASE IF NOT EXISTS sbtest' 2>/dev/null; do sleep 0.2; done
load() {
    sysbench "$(dirname "$0")/paced.lua" --pace="${RATE:-0}" --db-driver=mysql --mysql-user=root --mysql-socket="$socket/sock" \
        --tables=2 --rand-type=uniform --table-size="${ROWS:-100000}" --threads="${CLIENTS:-4}" "$@"
}
load prepare >/dev/null
load --time=3 run >/dev/null
eval "${BEFORE:-}"
load --time="${SECONDS_:-30}" run | grep -E 'transactions:|avg:|95th'
eval "${AFTER:-}"
