
# ---- the program: the same for every plan ----

mode=make dry=yes wipe=no update=no
for argument in "$@"; do
    case $argument in
    --apply) dry=no ;;
    --undo) mode=undo ;;
    --delete-data) wipe=yes ;;
    --update) update=yes ;;
    -h | --help)
        sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "no option $argument; see --help" >&2
        exit 2
        ;;
    esac
done
if [ "$mode$wipe" = makeyes ] || [ "$mode$update" = undoyes ]; then
    echo "--delete-data goes with --undo, --update without it; see --help" >&2
    exit 2
fi

say() { echo "$*"; }
fail() {
    echo "error: $*" >&2
    exit 1
}
faults=0
fault() {
    echo "error: $*" >&2
    faults=$((faults + 1))
}

# What goes into filters and tags is plain: there it would mean something else.
for name in PREFIX REGION ZONE ${SHARED_PREFIX:+SHARED_PREFIX}; do
    case ${!name} in
    *[!A-Za-z0-9_.-]*) fail "$name has a character that is no letter, digit, _ . or -: ${!name}" ;;
    esac
done
[ -n "$ZONE" ] || fail "volumes and instance are in one zone, and the plan names none: give its letter, for example ZONE=a"

VM=$PREFIX-vm
IN=$REGION$ZONE

# run WORDS...: shows a command of `aws ec2`, and runs it unless this is a dry run. What it prints is then in $said.
run() {
    set -- aws ec2 "$@" --region "$REGION"
    if [ "$dry" = yes ]; then printf '  would run:'; else printf ' '; fi
    printf ' %q' "$@"
    echo
    said=
    if [ "$dry" = no ]; then said=$("$@" --output text); fi
}

signed_in=no
# ask WORDS...: what is there now, a line each with its columns; `None` where there is no such thing.
ask() {
    [ "$signed_in" = yes ] || return 0
    aws ec2 "$@" --region "$REGION" --output text
}
# lines TEXT: how many.
lines() { printf '%s' "$1" | grep -c '' || true; }

# tags NAME: what names a resource, and says whose it is.
tags() { printf 'Tags=[{Key=Name,Value=%s},{Key=diskwright,Value=%s}]' "$1" "$PREFIX"; }

instance='' found_type=''
look_at_machine() {
    local found owner zone offered
    found=$(ask describe-instances --filters "Name=tag:Name,Values=$VM" Name=instance-state-name,Values=pending,running,stopping,stopped \
        --query "Reservations[].Instances[].[InstanceId,InstanceType,Placement.AvailabilityZone,Tags[?Key=='diskwright'].Value|[0]]")
    case $(lines "$found") in
    0) ;;
    1)
        read -r instance found_type zone owner <<<"$found"
        [ "$owner" = "$PREFIX" ] || fault "instance $instance is called $VM and is not of this script, it has no tag diskwright=$PREFIX: give another PREFIX"
        [ "$mode" = undo ] || [ "$found_type" = "$TYPE" ] ||
            fault "instance $VM is there and is a $found_type, the plan says $TYPE: give another PREFIX, or change its type when it is stopped"
        [ "$mode" = undo ] || [ "$zone" = "$IN" ] || fault "instance $VM is there, in $zone: its volumes cannot be in $IN; give ZONE=${zone#"$REGION"}"
        ;;
    *) fault "there are $(lines "$found") instances called $VM: give another PREFIX" ;;
    esac
    if [ "$mode$signed_in" = makeyes ] && [ -z "$instance" ]; then
        offered=$(ask describe-instance-type-offerings --location-type availability-zone --filters "Name=location,Values=$IN" \
            "Name=instance-type,Values=$TYPE" --query 'InstanceTypeOfferings[].InstanceType')
        [ -n "$offered" ] || fault "$TYPE is not offered in $IN: give another ZONE"
    fi
}

machine() {
    say "instance $VM, $TYPE in $IN"
    [ -z "$instance" ] || return 0
    local network=() login=() more=() groups=()
    # A subnet may give public addresses to all.
    if [ -n "$SUBNET" ]; then network=(--subnet-id "$SUBNET"); fi
    if [ -n "$SECURITY_GROUPS" ]; then
        read -r -a groups <<<"$SECURITY_GROUPS"
        network+=(--security-group-ids "${groups[@]}")
    fi
    if [ -n "$KEY_NAME" ]; then login=(--key-name "$KEY_NAME"); fi
    if [ "$EBS_OPTIMIZED" = yes ]; then more+=(--ebs-optimized); fi
    if [ "$BANDWIDTH" != default ]; then more+=(--network-performance-options "BandwidthWeighting=$BANDWIDTH"); fi
    if [ ${#root_disk[@]} -gt 0 ]; then
        more+=(--block-device-mappings "DeviceName=$ROOT_DEVICE,Ebs={${root_disk[0]},DeleteOnTermination=true}")
    fi
    run run-instances --image-id "$IMAGE" --instance-type "$TYPE" --count 1 --placement "AvailabilityZone=$IN" \
        --no-associate-public-ip-address ${network[@]+"${network[@]}"} ${login[@]+"${login[@]}"} ${more[@]+"${more[@]}"} \
        --metadata-options HttpTokens=required \
        --tag-specifications "ResourceType=instance,$(tags "$VM")" "ResourceType=volume,$(tags "$VM-os")" --query 'Instances[0].InstanceId'
    instance=${said:-ID-OF-$VM}
}

# disk NUMBER NAME KIND GIB IOPS MIB/S DEVICE CARD NODES STRIPED: a disk of the plan, in the pass that is on; `-` where there is no such
# thing. A disk that several nodes attach has the name that the first gave it.
disk() { "${pass}_disk" "$@"; }

# A node that follows attaches the shared volumes of the first, and makes, changes and deletes none of them.
named() {
    name=$PREFIX-$2 of_first=no
    if [ "$9" != - ]; then name=$SHARED_PREFIX-$2; fi
    if [ "$name" != "$PREFIX-$2" ]; then of_first=yes; fi
}

# By number: the id of the volume, what differs and can be changed, the device of this instance that it is attached as.
ids=() changes=() attached=()

look_disk() {
    local number=$1 kind=$3 gib=$4 iops=$5 mib=$6 device=$7 nodes=$9 striped=${10} name of_first
    named "$@"
    local found is_kind is_gib is_iops is_mib zone owner at on fixed='' differs=''
    ids[number]='' changes[number]='' attached[number]=''
    found=$(ask describe-volumes --filters "Name=tag:Name,Values=$name" Name=status,Values=creating,available,in-use \
        --query "Volumes[].[VolumeId,VolumeType,Size,Iops,Throughput,AvailabilityZone,Tags[?Key=='diskwright'].Value|[0],Attachments[?InstanceId=='${instance:-none}'].Device|[0],Attachments[0].InstanceId]")
    case $(lines "$found") in
    0)
        if [ "$of_first$signed_in" = yesyes ]; then fault "there is no volume $name: the first node, PREFIX=$SHARED_PREFIX, makes it"; fi
        return 0
        ;;
    1) ;;
    *)
        fault "there are $(lines "$found") volumes called $name: give another PREFIX, or rename all but one"
        return 0
        ;;
    esac
    read -r "ids[$number]" is_kind is_gib is_iops is_mib zone owner at on <<<"$found"
    [ "$at" = None ] || attached[number]=$at
    [ "$zone" = "$IN" ] || fixed="$fixed, in $zone (plan: $IN)"
    [ "$is_gib" -le "$gib" ] || fixed="$fixed, $is_gib GiB (plan: $gib), and no volume shrinks"
    if [ "$is_gib" -lt "$gib" ] && [ "$striped" = yes ]; then fixed="$fixed, $is_gib GiB (plan: $gib), and a stripe does not grow with its disks"; fi
    if [ "$is_gib" -lt "$gib" ] && [ "$striped" != yes ]; then differs="$differs, $is_gib GiB (plan: $gib)" changes[number]="--size $gib"; fi
    if [ "$is_kind" != "$kind" ]; then
        # What is bought of another kind is bought anew.
        differs="$differs, kind $is_kind (plan: $kind)" changes[number]="${changes[number]} --volume-type $kind" is_iops='' is_mib=''
    fi
    if [ "$iops" != - ] && [ "$is_iops" != "$iops" ]; then
        [ -z "$is_iops" ] || differs="$differs, $is_iops IOPS (plan: $iops)"
        changes[number]="${changes[number]} --iops $iops"
    fi
    if [ "$mib" != - ] && [ "$is_mib" != "$mib" ]; then
        [ -z "$is_mib" ] || differs="$differs, $is_mib MiB/s (plan: $mib)"
        changes[number]="${changes[number]} --throughput $mib"
    fi
    if [ -n "$fixed" ]; then
        fault "volume $name is there with other figures$fixed$differs: give another PREFIX, or change the volume yourself"
    elif [ -n "$differs" ] && [ "$update" = no ]; then
        fault "volume $name is there with other figures$differs: --update changes them, or give another PREFIX"
    elif [ -n "$differs" ] && { [ "$owner" != "$PREFIX" ] || [ "$of_first" = yes ]; }; then
        fault "volume $name is not of this script, it has no tag diskwright=$PREFIX, and --update leaves it alone$differs"
    elif [ -n "$differs" ]; then
        found=$(ask describe-volumes-modifications --filters "Name=volume-id,Values=${ids[number]}" \
            Name=modification-state,Values=modifying,optimizing --query 'VolumesModifications[].ModificationState')
        [ -z "$found" ] || fault "volume $name is in the middle of a change ($found): wait until it is completed; a volume takes 4 changes in 24 hours"
    fi
    if [ -n "${attached[number]}" ] && [ "${attached[number]}" != "$device" ]; then
        fault "volume $name is attached as ${attached[number]}, the plan says $device: detach it first"
    elif [ "$nodes" = - ] && [ -z "${attached[number]}" ] && [ "$on" != None ]; then
        fault "volume $name is attached to $on: detach it there first"
    fi
}

# Volumes that have just been made, which cannot be attached at once.
made=()

make_disk() {
    local number=$1 kind=$3 gib=$4 iops=$5 mib=$6 nodes=$9 name of_first more=() change=()
    named "$@"
    say "disk $number: volume $name, $kind of $gib GiB"
    [ "$of_first" = no ] || return 0 # The first node has made it.
    if [ -z "${ids[number]}" ]; then
        if [ "$iops" != - ]; then more+=(--iops "$iops"); fi
        if [ "$mib" != - ]; then more+=(--throughput "$mib"); fi
        if [ "$nodes" != - ]; then more+=(--multi-attach-enabled); fi
        run create-volume --availability-zone "$IN" --volume-type "$kind" --size "$gib" ${more[@]+"${more[@]}"} \
            --tag-specifications "ResourceType=volume,$(tags "$name")" --query VolumeId
        ids[number]=${said:-ID-OF-$name}
        made+=("${ids[number]}")
    elif [ -n "${changes[number]}" ]; then
        read -r -a change <<<"${changes[number]}"
        run modify-volume --volume-id "${ids[number]}" "${change[@]}" --query VolumeModification.ModificationState
        case ${changes[number]} in
        *--size*) say "  then, when the instance sees it, grow the file system: xfs_growfs or resize2fs" ;;
        esac
    fi
}

attach_disk() {
    local number=$1 device=$7 card=$8 more=()
    if [ -n "${attached[number]}" ]; then return 0; fi
    if [ "$card" != - ]; then more=(--ebs-card-index "$card"); fi
    run attach-volume --volume-id "${ids[number]}" --instance-id "$instance" --device "$device" ${more[@]+"${more[@]}"} --query State
}

name_disk() {
    local name of_first
    named "$@"
    if [ "$of_first" = no ]; then names+=("$name"); fi
}

undo() {
    local name found owner id names=()
    [ "$faults" = 0 ] || fail "nothing was changed"
    if [ -n "$instance" ] || [ "$signed_in" = no ]; then
        say "instance $VM: terminated, with the disk of its operating system; its data volumes $(if [ "$wipe" = yes ]; then echo are DELETED; else echo stay; fi)"
        run terminate-instances --instance-ids "${instance:-ID-OF-$VM}" --query 'TerminatingInstances[].CurrentState.Name'
        run wait instance-terminated --instance-ids "${instance:-ID-OF-$VM}"
    else
        say "instance $VM: there is none in $REGION"
    fi
    [ "$wipe" = yes ] || return 0
    pass=name
    plan
    for name in ${names[@]+"${names[@]}"}; do
        found=$(ask describe-volumes --filters "Name=tag:Name,Values=$name" Name=status,Values=creating,available,in-use,error \
            --query "Volumes[].[VolumeId,Tags[?Key=='diskwright'].Value|[0]]")
        if [ "$signed_in" = no ]; then found="ID-OF-$name $PREFIX"; fi
        while read -r id owner; do
            [ -n "$id" ] || continue
            [ "$owner" = "$PREFIX" ] || fail "volume $name is not of this script: it has no tag diskwright=$PREFIX"
            run delete-volume --volume-id "$id"
        done <<<"$found"
    done
}

if command -v aws >/dev/null && found=$(aws ec2 describe-availability-zones --filters "Name=zone-name,Values=$IN" --region "$REGION" \
    --query 'AvailabilityZones[].ZoneName' --output text 2>/dev/null); then
    signed_in=yes
    [ -n "$found" ] || fail "there is no zone $IN: give another ZONE"
fi
if [ "$dry" = yes ]; then
    say "A dry run: nothing is changed; --apply does it."
    [ "$signed_in" = yes ] || say "No aws here, or it is not signed in: as if nothing were there."
elif [ "$signed_in" = no ]; then
    fail "sign in first: aws configure, or aws login"
fi
look_at_machine
if [ "$mode" = undo ]; then undo; else
    # Everything is looked at before anything is made.
    pass=look
    plan
    [ "$faults" = 0 ] || fail "nothing was changed"
    was=$instance
    machine
    pass="make"
    plan
    if [ -z "$was" ]; then run wait instance-running --instance-ids "$instance"; fi
    if [ ${#made[@]} -gt 0 ]; then run wait volume-available --volume-ids "${made[@]}"; fi
    pass=attach
    plan
    if [ "$WINDOWS" != yes ] && [ ${#ids[@]} -gt 0 ]; then say "On the instance: sudo VOLUMES='${ids[*]}' ./linux.sh"; fi
fi
say "Done."
