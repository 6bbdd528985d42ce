
# ---- the program: the same for every plan ----

mode=apply dry=yes wipe=no
for argument in "$@"; do
    case $argument in
    --apply) dry=no ;;
    --undo) mode=undo ;;
    --delete-data) wipe=yes ;;
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

VM=$PREFIX-vm
TAG=diskwright=$PREFIX

say() { echo "$*"; }
fail() {
    echo "error: $*" >&2
    exit 1
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

group() {
    say "resource group $RESOURCE_GROUP"
    if [ -z "$(ask group show --name "$RESOURCE_GROUP" --query id)" ]; then
        run az group create --name "$RESOURCE_GROUP" --location "$LOCATION" --tags "$TAG"
    fi
}

machine() {
    say "VM $VM, $VM_SIZE"
    local found
    found=$(ask vm show "${in_group[@]}" --name "$VM" --query hardwareProfile.vmSize)
    if [ -n "$found" ]; then
        [ "$found" = "$VM_SIZE" ] || fail "VM $VM is there and is a $found: give another PREFIX, or resize it"
        return 0
    fi
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

# disk LUN NAME SKU GIB CACHING TIER IOPS MBPS: made and attached; `-` where there is no such thing.
disk() {
    local lun=$1 name=$PREFIX-$2 sku=$3 gib=$4 caching=$5 tier=$6 iops=$7 mbps=$8 found
    if [ "$mode" = undo ]; then
        disks+=("$name")
        return 0
    fi
    say "LUN $lun: disk $name, $sku of $gib GiB, caching $caching"
    found=$(ask disk show "${in_group[@]}" --name "$name" --query '[sku.name, diskSizeGB || diskSizeGb]' | paste -s -d ' ' | tr '\t' ' ')
    if [ -z "$found" ]; then
        local more=()
        if [ "$tier" != - ]; then more+=(--tier "$tier"); fi
        if [ "$iops" != - ]; then more+=(--disk-iops-read-write "$iops" --disk-mbps-read-write "$mbps"); fi
        run az disk create "${in_group[@]}" --name "$name" --location "$LOCATION" ${in_zone[@]+"${in_zone[@]}"} --sku "$sku" --size-gb "$gib" \
            ${more[@]+"${more[@]}"} --tags "$TAG"
    elif [ "$found" != "$sku $gib" ]; then
        fail "disk $name is there with SKU and GiB $found, the plan says $sku $gib: give another PREFIX"
    fi
    found=$(ask vm show "${in_group[@]}" --name "$VM" --query "storageProfile.dataDisks[?lun==\`$lun\`].[name, caching] | []" |
        paste -s -d ' ' | tr '\t' ' ')
    if [ -z "$found" ]; then
        run az vm disk attach "${in_group[@]}" --vm-name "$VM" --name "$name" --lun "$lun" --caching "$caching"
    elif [ "$found" != "$name $caching" ]; then
        fail "LUN $lun of $VM has the disk and caching $found, the plan says $name $caching: a changed caching detaches the disk"
    fi
}

undo() {
    disks=()
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
    group
    machine
    plan
fi
say "Done."
