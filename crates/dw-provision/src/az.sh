
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

VM=$PREFIX-vm
TAG=diskwright=$PREFIX

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
run() {
    if [ "$dry" = yes ]; then printf '  would run:'; else printf ' '; fi
    printf ' %q' "$@"
    echo
    if [ "$dry" = no ]; then "$@" --only-show-errors --output none; fi
}

signed_in=no
# ask COMMAND...: what is there now; nothing when it is not there.
ask() {
    [ "$signed_in" = yes ] || return 0
    local said
    if said=$(az "$@" --only-show-errors --output tsv 2>&1); then
        printf '%s\n' "$said"
    else
        case $said in
        *NotFound* | *"could not be found"* | *"was not found"*) ;;
        *) fail "az $*: $said" ;;
        esac
    fi
}

# Bash before 4.4 takes an empty array for an unset one, hence ${array[@]+"${array[@]}"}.
in_group=(--resource-group "$RESOURCE_GROUP")
in_zone=()
if [ -n "$ZONE" ]; then in_zone=(--zone "$ZONE"); fi
if [ "$mode $NEEDS_ZONE $ZONE" = "make true " ]; then
    fail "disks of the plan are in a zone, and it names none: give one, for example ZONE=2"
fi

group() {
    say "resource group $RESOURCE_GROUP"
    if [ -z "$(ask group show --name "$RESOURCE_GROUP" --query id)" ]; then
        run az group create --name "$RESOURCE_GROUP" --location "$LOCATION" --tags "$TAG"
    fi
}

machine() {
    say "VM $VM, $VM_SIZE"
    [ -z "$found_vm" ] || return 0
    local network=()
    if [ -n "$SUBNET" ]; then network=(--subnet "$SUBNET"); fi
    local login=()
    # Images of Windows ask for a password: az does, on the terminal.
    if [ -n "$SSH_KEY" ]; then login=(--ssh-key-values "$SSH_KEY"); fi
    run az vm create "${in_group[@]}" --name "$VM" --location "$LOCATION" ${in_zone[@]+"${in_zone[@]}"} --size "$VM_SIZE" --image "$IMAGE" \
        --admin-username "$ADMIN_USER" ${login[@]+"${login[@]}"} ${network[@]+"${network[@]}"} --public-ip-address '' --nsg-rule NONE \
        --storage-sku "os=$OS_DISK_SKU" --os-disk-caching "$OS_DISK_CACHING" ${os_disk_size[@]+"${os_disk_size[@]}"} --os-disk-delete-option Delete \
        --nic-delete-option Delete --ultra-ssd-enabled "$ULTRA" --tags "$TAG"
}

# disk LUN NAME SKU GIB CACHING TIER IOPS MBPS PLUS BURST [SHARES READ_IOPS READ_MBPS]: a disk of the plan, in the pass that is on; `-` where
# there is no such thing. A disk that several nodes attach has the name that the first gave it.
disk() { "${pass}_disk" "$@"; }

# A node that follows attaches the shared disks of the first, and makes, sets and deletes none of them.
named() {
    name=$PREFIX-$2 of_first=no
    if [ "${11:--}" != - ]; then name=$SHARED_PREFIX-$2; fi
    if [ "$name" != "$PREFIX-$2" ]; then of_first=yes; fi
}

name_disk() {
    local name of_first
    named "$@"
    if [ "$of_first" = no ]; then disks+=("$name"); fi
}

# What is there, by LUN: an empty text where there is nothing.
found_disks=() found_at=()

look_at_machine() {
    found_vm=$(ask vm show "${in_group[@]}" --name "$VM" --query hardwareProfile.vmSize)
    if [ -n "$found_vm" ] && [ "$found_vm" != "$VM_SIZE" ]; then
        fault "VM $VM is there and is a $found_vm, the plan says $VM_SIZE: give another PREFIX, or resize it"
    fi
}

# All that is to be known of a disk in one line. Versions of az write the names of its fields in two ways.
ABOUT_DISK="join(' ', [sku.name, to_string(diskSizeGB || diskSizeGb), tier || '-', to_string(diskIOPSReadWrite || diskIopsReadWrite || '-'), to_string(diskMBpsReadWrite || diskMbpsReadWrite || '-'), tags.diskwright || '-', to_string(creationData.performancePlus || 'false'), to_string(burstingEnabled || 'false')])"

look_disk() {
    local lun=$1 name of_first sku=$3 gib=$4 caching=$5 tier=$6 iops=$7 mbps=$8 plus=$9 burst=${10}
    named "$@"
    local is_sku is_gib is_tier is_iops is_mbps owner is_plus is_burst fixed='' settable=''
    found_disks[lun]=$(ask disk show "${in_group[@]}" --name "$name" --query "$ABOUT_DISK")
    if [ -n "${found_disks[lun]}" ]; then
        read -r is_sku is_gib is_tier is_iops is_mbps owner is_plus is_burst <<<"${found_disks[lun]}"
        [ "$is_sku" = "$sku" ] || fixed="$fixed, SKU $is_sku (plan: $sku)"
        [ "$is_gib" = "$gib" ] || fixed="$fixed, $is_gib GiB (plan: $gib)"
        [ "$plus" = - ] || [ "$is_plus" = true ] || fixed="$fixed, no performance plus"
        [ "$burst" = - ] || [ "$is_burst" = true ] || fixed="$fixed, no on-demand bursting"
        [ "$tier" = - ] || [ "$is_tier" = "$tier" ] || settable="$settable, tier $is_tier (plan: $tier)"
        [ "$iops" = - ] || [ "$is_iops" = "$iops" ] || settable="$settable, $is_iops IOPS (plan: $iops)"
        [ "$mbps" = - ] || [ "$is_mbps" = "$mbps" ] || settable="$settable, $is_mbps MB/s (plan: $mbps)"
        if [ -n "$fixed" ]; then
            fault "disk $name is there with other figures$fixed$settable: give another PREFIX, or change the disk yourself"
        elif [ -n "$settable" ] && [ "$update" = no ]; then
            fault "disk $name is there with other figures$settable: --update sets them, or give another PREFIX"
        elif [ -n "$settable" ] && [ "$owner" != "$PREFIX" ]; then
            fault "disk $name is not of this script, it has no tag $TAG, and --update leaves it alone$settable"
        fi
    fi
    if [ "$of_first$signed_in" = yesyes ] && [ -z "${found_disks[lun]}" ]; then
        fault "there is no disk $name in $RESOURCE_GROUP: the first node, PREFIX=$SHARED_PREFIX, makes it"
    fi
    found_at[lun]=$(ask vm show "${in_group[@]}" --name "$VM" --query "storageProfile.dataDisks[?lun==\`$lun\`].join(' ', [name, caching]) | [0]")
    if [ -n "${found_at[lun]}" ] && [ "${found_at[lun]}" != "$name $caching" ]; then
        fault "LUN $lun of $VM has the disk and caching ${found_at[lun]}, the plan says $name $caching: a changed caching detaches the disk"
    fi
}

make_disk() {
    local lun=$1 name of_first sku=$3 gib=$4 caching=$5 tier=$6 iops=$7 mbps=$8 plus=$9 burst=${10} is_tier is_iops is_mbps more=() zone=()
    named "$@"
    say "LUN $lun: disk $name, $sku of $gib GiB, caching $caching"
    if [ "$of_first" = yes ]; then
        : # The first node has made it.
    elif [ -z "${found_disks[lun]}" ]; then
        # A zone-redundant disk is in no zone.
        case $sku in *_ZRS) ;; *) zone=(${in_zone[@]+"${in_zone[@]}"}) ;; esac
        if [ "$tier" != - ]; then more+=(--tier "$tier"); fi
        if [ "$plus" != - ]; then more+=(--performance-plus true); fi
        if [ "$burst" != - ]; then more+=(--enable-bursting true); fi
        if [ "$iops" != - ]; then more+=(--disk-iops-read-write "$iops" --disk-mbps-read-write "$mbps"); fi
        if [ "${11:--}" != - ]; then more+=(--max-shares "${11}"); fi
        if [ "${12:--}" != - ]; then more+=(--disk-iops-read-only "${12}" --disk-mbps-read-only "${13}"); fi
        run az disk create "${in_group[@]}" --name "$name" --location "$LOCATION" ${zone[@]+"${zone[@]}"} --sku "$sku" --size-gb "$gib" \
            ${more[@]+"${more[@]}"} --tags "$TAG"
    else
        # What still differs here is what --update is for.
        read -r _ _ is_tier is_iops is_mbps _ <<<"${found_disks[lun]}"
        if [ "$tier" != - ] && [ "$is_tier" != "$tier" ]; then more+=(--set "tier=$tier"); fi
        if [ "$iops" != - ] && [ "$is_iops $is_mbps" != "$iops $mbps" ]; then
            more+=(--disk-iops-read-write "$iops" --disk-mbps-read-write "$mbps")
        fi
        if [ ${#more[@]} -gt 0 ]; then run az disk update "${in_group[@]}" --name "$name" "${more[@]}"; fi
    fi
    if [ -z "${found_at[lun]}" ]; then
        run az vm disk attach "${in_group[@]}" --vm-name "$VM" --name "$name" --lun "$lun" --caching "$caching"
    fi
}

undo() {
    disks=() pass="name"
    plan
    local found name owner
    owner=$(ask vm show "${in_group[@]}" --name "$VM" --query tags.diskwright)
    found=$(ask vm show "${in_group[@]}" --name "$VM" --query id)
    if [ -n "$found" ] || [ "$signed_in" = no ]; then
        say "VM $VM: deleted, with the disk of its operating system; its data disks $(if [ "$wipe" = yes ]; then echo are DELETED; else echo stay; fi)"
    else
        say "VM $VM: there is none in the resource group $RESOURCE_GROUP"
    fi
    if [ -n "$found" ] && [ "$owner" != "$PREFIX" ]; then fail "VM $VM is not of this script: it has no tag $TAG"; fi
    if [ -n "$found" ] || [ "$signed_in" = no ]; then run az vm delete "${in_group[@]}" --name "$VM" --yes; fi
    [ "$wipe" = yes ] || return 0
    for name in ${disks[@]+"${disks[@]}"}; do
        owner=$(ask disk show "${in_group[@]}" --name "$name" --query tags.diskwright)
        found=$(ask disk show "${in_group[@]}" --name "$name" --query id)
        if [ -n "$found" ] && [ "$owner" != "$PREFIX" ]; then fail "disk $name is not of this script: it has no tag $TAG"; fi
        if [ -n "$found" ] || [ "$signed_in" = no ]; then run az disk delete "${in_group[@]}" --name "$name" --yes; fi
    done
    say "The resource group $RESOURCE_GROUP and its network stay: az group delete --name $RESOURCE_GROUP, if nothing else is in it"
}

if command -v az >/dev/null && az account show --only-show-errors --output none 2>/dev/null; then signed_in=yes; fi
if [ "$dry" = yes ]; then
    say "A dry run: nothing is changed; --apply does it."
    [ "$signed_in" = yes ] || say "No az here, or it is not signed in: as if nothing were there."
elif [ "$signed_in" = no ]; then
    fail "sign in first: az login"
fi
if [ "$mode" = undo ]; then undo; else
    # Everything is looked at before anything is made.
    look_at_machine
    pass="look"
    plan
    [ "$faults" = 0 ] || fail "nothing was changed"
    group
    machine
    pass="make"
    plan
fi
say "Done."
