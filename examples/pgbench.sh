#!/bin/sh
# PostgreSQL with pgbench on a mounted disk: `diskwright emulate P30 --mount data=DIR -- examples/pgbench.sh`.
# SCALE and TIME (seconds) can be set in the environment. Needs Debian's or Ubuntu's package postgresql; as root it runs as `postgres`.
set -eu

dir=${DISKWRIGHT_MOUNT_DATA:?run this by \`diskwright emulate\`, with a volume data that is mounted}
for bin in /usr/lib/postgresql/*/bin; do :; done # the newest
[ -d "$bin" ] || { echo "install the package postgresql" >&2; exit 11; }
as() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
    as() { (cd / && exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"); }
fi

mkdir "$dir/run" "$dir/db"
[ "$(id -u)" -ne 0 ] || chown postgres: "$dir/run" "$dir/db"
trap 'as "$bin/pg_ctl" -D "$dir/db" -m fast -s stop' EXIT
as "$bin/initdb" -D "$dir/db" -A trust -U postgres >/dev/null
as "$bin/pg_ctl" -D "$dir/db" -s -w -l "$dir/run/log" -o "-c listen_addresses= -k $dir/run" start
as "$bin/pgbench" -h "$dir/run" -U postgres -q -i -s "${SCALE:-50}" postgres
as "$bin/pgbench" -h "$dir/run" -U postgres -c 16 -j 2 -T "${TIME:-30}" postgres
