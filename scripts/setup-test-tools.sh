#!/bin/sh
# Installs the programs that tests compare with, on Debian and Ubuntu: fio (3.33 is what we follow; python3-six is for its
# converter), chromium (reports are looked at in it, those in Chinese and Japanese with fonts of Noto) with axe-core from npm, firefox (the
# studio is opened in it), nbdkit with its delay filter, libnbd's tools, PostgreSQL, MariaDB and sysbench (tests run them on
# emulated disks), valgrind, shellcheck, the Azure CLI's argument parser, the AWS CLI and cfn-lint from PyPI, what the guest of scripts/guest takes from here, and the engines and
# the stand-ins for object storage of the fleet's tests (Spark on Java 17, Ray, moto, Azurite; with DISKWRIGHT_FLEET=full Spark 3.5, too), and
# Rust's standard libraries for Windows and macOS.
# Does nothing when they are all there.
set -eu

here=$(dirname "$0")
# What is no system package lies here, where the tests look.
tools=${XDG_CACHE_HOME:-$HOME/.cache}/diskwright-test-tools

# Names of packages that are missing. The system's python3 is asked, not the first of the path: packages are for that one.
missing_packages() {
    for pair in fio:fio nbdkit:nbdkit nbdinfo:libnbd-bin valgrind:valgrind \
        qemu-system-x86_64:qemu-system-x86 cpio:cpio sqlite3:sqlite3 mkfs.xfs:xfsprogs lvm:lvm2 shellcheck:shellcheck jq:jq \
        nbdsh:python3-libnbd qemu-img:qemu-utils mkfs.ext4:e2fsprogs fusermount3:fuse3 openssl:openssl \
        chromium:chromium npm:npm \
        mariadbd:mariadb-server-core mariadb:mariadb-client-core sysbench:sysbench \
        cc:gcc pkg-config:pkg-config dpkg-source:dpkg-dev; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || echo "${pair#*:}"
    done
    # Spark 4 needs 17 or later.
    java -version 2>&1 | grep -Eq '"(1[7-9]|2[0-9])[".]' || echo openjdk-17-jre-headless
    [ -f /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc ] || echo fonts-noto-cjk
    # Its server is not on the path; which version the system has is its own business.
    ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || echo postgresql
    for pair in prometheus_client:python3-prometheus-client six:python3-six ensurepip:python3-venv; do
        /usr/bin/python3 -c "import ${pair%%:*}" >/dev/null 2>&1 || echo "${pair#*:}"
    done
    for pair in glib-2.0:libglib2.0-dev gnutls:libgnutls28-dev; do
        pkg-config --exists "${pair%%:*}" 2>/dev/null || echo "${pair#*:}"
    done
}

install_packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    # One line, for apt and for whoever reads it.
    missing=$(echo "$missing" | tr '\n' ' ')
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || { echo "not root and no sudo: install ${missing}by hand" >&2; exit 1; }
        as_root="sudo -n"
    fi
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # a list of names
    $as_root apt-get install -y -qq --no-install-recommends $missing </dev/null
}

# The standard libraries of the other systems, for which the gate checks that the program compiles.
install_targets() {
    command -v rustup >/dev/null 2>&1 || { echo "note: no rustup, other systems are not checked" >&2; return 0; }
    for target in x86_64-pc-windows-gnu aarch64-apple-darwin; do
        [ -d "$(rustc --print target-libdir --target "$target")" ] || timeout 300 rustup --quiet target add "$target" >&2 ||
            echo "note: no standard library for $target, it is not checked: rustup cannot install it" >&2
    done
}

# Debian's name of it; where there is none, whatever is called firefox will do.
install_firefox() {
    command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 && return 0
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends firefox-esr </dev/null ||
        echo "note: no firefox, its test is left out: the system has no package firefox-esr" >&2
}

# What judges whether a page can be used without seeing it, and whether the types of its scripts hold.
install_from_npm() {
    [ -f "$tools/node_modules/axe-core/axe.min.js" ] && [ -f "$tools/node_modules/.bin/tsc" ] && return
    mkdir -p "$tools"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" axe-core@4.14.1 typescript@5.9.3 >&2 ||
        echo "note: no axe-core and no TypeScript, their tests are left out: npm cannot install them" >&2
}

# The real argument parser of `az`, without the clients of the services that it does not need: 190 MB instead of 1.3 GB.
install_azure_cli() {
    version=2.91.0 place=$tools/azure-cli
    [ -f "$place/$version" ] && return
    rm -rf "$place"
    mkdir -p "$tools"
    if /usr/bin/python3 -m venv "$place" &&
        "$place/bin/pip" install --quiet --no-compile --disable-pip-version-check "azure-cli-core==$version" \
            azure-common==1.1.28 isodate==0.7.2 semver==3.0.4 &&
        "$place/bin/pip" install --quiet --no-compile --disable-pip-version-check --no-deps "azure-cli==$version" \
            azure-mgmt-imagebuilder==1.3.0 azure-mgmt-monitor==7.0.0b1 azure-mgmt-resource==24.0.0 \
            azure-mgmt-resource-deployments==1.0.0b1 azure-mgmt-resource-deploymentscripts==1.0.0b1 \
            azure-mgmt-resource-deploymentstacks==1.0.0 azure-mgmt-resource-templatespecs==1.0.0b1; then
        # Commands of other services: half of the space and most of the time to load.
        find "$place"/lib/python3*/site-packages/azure/cli/command_modules -mindepth 1 -maxdepth 1 -type d \
            ! -name vm ! -name resource ! -name profile ! -name monitor -exec rm -rf {} +
        : >"$place/$version"
    else
        echo "note: no parser of the Azure CLI, its test is left out: pip cannot install it" >&2
    fi
}

# The AWS CLI, with the descriptions only of the services that are called, and of those that it will not start without: 80 MB instead of 180.
install_aws_cli() {
    version=1.46.3 place=$tools/aws-cli
    [ -f "$place/$version" ] && return
    rm -rf "$place"
    mkdir -p "$tools"
    if /usr/bin/python3 -m venv "$place" &&
        "$place/bin/pip" install --quiet --no-compile --disable-pip-version-check "awscli==$version"; then
        find "$place"/lib/python3*/site-packages/awscli/botocore/data -mindepth 1 -maxdepth 1 -type d \
            ! -name ec2 ! -name cloudwatch \
            ! -name codedeploy ! -name config ! -name s3 ! -name sagemaker-runtime ! -name sdb ! -name sms-voice -exec rm -rf {} +
        : >"$place/$version"
    else
        echo "note: no AWS CLI, its tests are left out: pip cannot install it" >&2
    fi
}

# What knows the properties of CloudFormation's resources.
install_cfn_lint() {
    version=1.58.0 place=$tools/cfn-lint
    [ -f "$place/$version" ] && return
    rm -rf "$place"
    mkdir -p "$tools"
    if /usr/bin/python3 -m venv "$place" &&
        "$place/bin/pip" install --quiet --no-compile --disable-pip-version-check "cfn-lint==$version"; then
        : >"$place/$version"
    else
        echo "note: no cfn-lint, its test is left out: pip cannot install it" >&2
    fi
}

# What builds the Python package, and what its tests use.
install_for_python() {
    versions="maturin==1.16.0 pytest==9.2.0 pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 mypy==2.4.1 tqdm==4.70.1 nbclient==0.11.0 ipykernel==7.4.0"
    place=$tools/python
    [ -f "$place/installed" ] && [ "$(cat "$place/installed")" = "$versions" ] && return
    rm -rf "$place"
    mkdir -p "$tools"
    # shellcheck disable=SC2086 # a list of packages
    if /usr/bin/python3 -m venv "$place" &&
        "$place/bin/pip" install --quiet --disable-pip-version-check $versions; then
        echo "$versions" >"$place/installed"
    else
        echo "note: no maturin, the tests of the Python package are left out: pip cannot install it" >&2
    fi
}

# A Spark, without what its local clusters do not use: the state store of streams, Kubernetes, Hive, the shell of Spark Connect.
install_spark() {
    series=$1 versions="pyspark==$2 py4j==$3"
    place=$tools/fleet/spark-$series
    [ -f "$place/installed" ] && [ "$(cat "$place/installed")" = "$versions" ] && return
    rm -rf "$place"
    # shellcheck disable=SC2086 # a list of packages
    if "$tools/python/bin/pip" install --quiet --no-compile --no-cache-dir --no-deps --disable-pip-version-check --target "$place" $versions; then
        find "$place/pyspark/jars" \( -name 'rocksdbjni-*' -o -name 'kubernetes-*' -o -name 'connect-repl' -o -name 'hive-*' \
            -o -name 'spark-hive*' -o -name 'spark-connect*' -o -name 'datanucleus-*' -o -name 'mesos-*' \) -prune -exec rm -rf {} +
        echo "$versions" >"$place/installed"
    else
        echo "note: no Spark $series, its tests are left out: pip cannot install it" >&2
    fi
}

# Ray and the stand-ins for object storage. What the Python package's tests have (pyarrow, pandas, pytest) is not installed again.
install_for_fleet() {
    [ -f "$tools/python/installed" ] || return 0
    versions="ray==2.60.0 fsspec==2026.9.0 moto==5.2.5 py-partiql-parser==0.6.3 PyYAML==6.0.4 flask==3.1.3 flask-cors==6.0.5 adlfs==2026.8.0"
    place=$tools/fleet/python
    if [ ! -f "$place/installed" ] || [ "$(cat "$place/installed")" != "$versions" ]; then
        rm -rf "$place"
        mkdir -p "$tools/fleet"
        # shellcheck disable=SC2086 # a list of packages
        if /usr/bin/python3 -m venv --without-pip "$place" &&
            "$tools/python/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$(echo "$place"/lib/python3*/site-packages)/tools.pth" &&
            "$tools/python/bin/pip" --python "$place/bin/python" install --quiet --no-compile --disable-pip-version-check $versions; then
            echo "$versions" >"$place/installed"
        else
            echo "note: no Ray and no moto, their tests are left out: pip cannot install them" >&2
        fi
    fi
    # Later versions bring 200 MB of telemetry.
    azurite=3.35.0 place=$tools/fleet/azurite
    [ -f "$place/$azurite" ] && return
    rm -rf "$place"
    mkdir -p "$place"
    if npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$place" "azurite@$azurite" >&2; then
        : >"$place/$azurite"
    else
        echo "note: no Azurite, its tests are left out: npm cannot install it" >&2
    fi
}

install_packages
install_targets
install_firefox
install_from_npm
install_for_python
install_for_fleet
install_spark 4 4.1.4 0.10.9.9
[ "${DISKWRIGHT_FLEET:-}" != full ] || install_spark 3.5 3.5.9 0.10.9.9
install_azure_cli
install_aws_cli
install_cfn_lint
"$here/build-nbd-tester.sh" || echo "note: no nbd-tester-client, its tests are left out: give build-nbd-tester.sh a folder with the source of nbd" >&2
