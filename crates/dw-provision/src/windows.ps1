
# ---- the program: the same for every plan ----

if (-not $Apply) {
    $WhatIfPreference = $true
    Write-Output 'A dry run: nothing is changed; -Apply does it.'
}

function Get-DiskAt([int]$Lun) {
    if ($DiskNumbers.ContainsKey($Lun)) {
        return Get-Disk -Number $DiskNumbers[$Lun]
    }
    $found = @(Get-Disk | Where-Object { $_.Location -match "LUN ${Lun}`$" -and -not $_.IsBoot -and -not $_.IsSystem })
    if ($found.Count -ne 1) {
        throw "There are $($found.Count) disks at LUN $Lun; with NVMe name them: -DiskNumbers @{ $Lun = 2 }"
    }
    return $found[0]
}

function Assert-Blank($Disk, [uint64]$Bytes) {
    if ($Disk.Size -ne $Bytes) {
        throw "Disk $($Disk.Number) has $($Disk.Size) bytes, the plan says ${Bytes}: attach the disks as planned"
    }
    if ($Disk.PartitionStyle -ne 'RAW' -or $Disk.NumberOfPartitions -ne 0) {
        throw "Disk $($Disk.Number) has data on it ($($Disk.PartitionStyle)): it is not touched"
    }
}

function Get-PhysicalDiskOf($Disk) {
    return Get-PhysicalDisk | Where-Object { $_.DeviceId -eq "$($Disk.Number)" }
}

# The disk that a volume is made on: its only one, or a striped virtual disk.
function Get-TargetDisk($Volume) {
    if ($Volume.Disks -eq 1) {
        return Get-DiskAt $Volume.Lun
    }
    $virtual = Get-VirtualDisk -FriendlyName $Volume.Label -ErrorAction SilentlyContinue
    if ($virtual) {
        return $virtual | Get-Disk
    }
}

function New-Stripe($Volume) {
    $virtual = Get-VirtualDisk -FriendlyName $Volume.Label -ErrorAction SilentlyContinue
    if ($virtual) {
        if ($virtual.NumberOfColumns -ne $Volume.Disks -or $virtual.Interleave -ne $Volume.Interleave) {
            throw "Virtual disk $($Volume.Label) has $($virtual.NumberOfColumns) columns of $($virtual.Interleave) bytes: not as planned"
        }
        return
    }
    $pool = Get-StoragePool -FriendlyName $Volume.Label -ErrorAction SilentlyContinue
    if (-not $pool) {
        $disks = @(for ($i = 0; $i -lt $Volume.Disks; $i++) { Get-DiskAt ($Volume.Lun + $i) })
        foreach ($disk in $disks) { Assert-Blank $disk $Volume.DiskBytes }
        $physical = @($disks | ForEach-Object { Get-PhysicalDiskOf $_ })
        $barred = @($physical | Where-Object { -not $_.CanPool })
        if ($barred.Count -gt 0 -or $physical.Count -ne $Volume.Disks) {
            throw "Not all disks of $($Volume.Label) can join a pool: $($barred.CannotPoolReason -join ', ')"
        }
        $subsystem = Get-StorageSubSystem | Where-Object { $_.FriendlyName -like 'Windows Storage*' } | Select-Object -First 1
        if ($PSCmdlet.ShouldProcess($Volume.Label, "New-StoragePool of $($Volume.Disks) disks")) {
            $null = New-StoragePool -FriendlyName $Volume.Label -StorageSubSystemUniqueId $subsystem.UniqueId `
                -PhysicalDisks $physical
        }
    }
    if ($PSCmdlet.ShouldProcess($Volume.Label, "New-VirtualDisk, $($Volume.Disks) columns of $($Volume.Interleave) bytes")) {
        $null = New-VirtualDisk -StoragePoolFriendlyName $Volume.Label -FriendlyName $Volume.Label `
            -ResiliencySettingName Simple -ProvisioningType Fixed -UseMaximumSize `
            -NumberOfColumns $Volume.Disks -Interleave $Volume.Interleave
    }
}

function New-PlannedVolume($Volume) {
    Write-Output "$($Volume.Label): $($Volume.Disks) disks from LUN $($Volume.Lun) as $($Volume.Letter):"
    $present = Get-Volume -DriveLetter $Volume.Letter -ErrorAction SilentlyContinue
    if ($present) {
        if ($present.FileSystemLabel -ne $Volume.Label) {
            throw "$($Volume.Letter): is there and is called '$($present.FileSystemLabel)': it is not touched"
        }
        Write-Output '  is there'
        return
    }
    if ($Volume.Disks -gt 1) { New-Stripe $Volume }
    $disk = Get-TargetDisk $Volume
    if (-not $disk) {
        Write-Output "  would then make NTFS with $AllocationUnit bytes a cluster on it"
        return
    }
    if ($disk.PartitionStyle -ne 'RAW') {
        $ours = $disk | Get-Partition | Where-Object { ($_ | Get-Volume).FileSystemLabel -eq $Volume.Label }
        if (-not $ours) { throw "Disk $($disk.Number) has data on it: it is not touched" }
        if ($PSCmdlet.ShouldProcess("$($Volume.Letter):", 'Set-Partition -NewDriveLetter')) {
            $ours | Set-Partition -NewDriveLetter $Volume.Letter
        }
        return
    }
    if ($Volume.Disks -eq 1) { Assert-Blank $disk $Volume.DiskBytes }
    if ($PSCmdlet.ShouldProcess("disk $($disk.Number)", "NTFS with $AllocationUnit bytes a cluster as $($Volume.Letter):")) {
        $null = $disk | Initialize-Disk -PartitionStyle GPT -PassThru |
            New-Partition -UseMaximumSize -DriveLetter $Volume.Letter |
            Format-Volume -FileSystem NTFS -AllocationUnitSize $AllocationUnit -NewFileSystemLabel $Volume.Label -Confirm:$false
    }
}

function Remove-PlannedVolume($Volume) {
    Write-Output "$($Volume.Label): $(if ($DeleteData) { 'its data is DELETED' } else { 'loses its letter, all data stays' })"
    $present = Get-Volume -DriveLetter $Volume.Letter -ErrorAction SilentlyContinue
    if ($present -and $present.FileSystemLabel -ne $Volume.Label) {
        throw "$($Volume.Letter): is called '$($present.FileSystemLabel)': it is not touched"
    }
    if (-not $DeleteData) {
        if ($present -and $PSCmdlet.ShouldProcess("$($Volume.Letter):", 'Remove-PartitionAccessPath')) {
            Get-Partition -DriveLetter $Volume.Letter | Remove-PartitionAccessPath -AccessPath "$($Volume.Letter):\"
        }
        return
    }
    if ($Volume.Disks -gt 1) {
        $pool = Get-StoragePool -FriendlyName $Volume.Label -ErrorAction SilentlyContinue
        if ($pool) {
            $members = @($pool | Get-PhysicalDisk)
            $columns = (Get-VirtualDisk -FriendlyName $Volume.Label -ErrorAction SilentlyContinue).NumberOfColumns
            if ($members.Count -ne $Volume.Disks -or ($columns -and $columns -ne $Volume.Disks)) {
                throw "pool '$($Volume.Label)' is not of the $($Volume.Disks) planned disks: it is not touched"
            }
        }
        if ($pool -and $PSCmdlet.ShouldProcess($Volume.Label, 'Remove-VirtualDisk, Remove-StoragePool')) {
            Get-VirtualDisk -FriendlyName $Volume.Label -ErrorAction SilentlyContinue | Remove-VirtualDisk -Confirm:$false
            $pool | Remove-StoragePool -Confirm:$false
        }
    }
    else {
        $disk = Get-DiskAt $Volume.Lun
        $labels = $disk | Get-Partition -ErrorAction SilentlyContinue | Get-Volume -ErrorAction SilentlyContinue
        if ($labels.FileSystemLabel -notcontains $Volume.Label) {
            throw "disk $($disk.Number) has no volume '$($Volume.Label)': it is not touched"
        }
        if ($PSCmdlet.ShouldProcess("disk $($disk.Number)", 'Clear-Disk -RemoveData')) {
            $disk | Clear-Disk -RemoveData -Confirm:$false
        }
    }
}

$ErrorActionPreference = 'Stop'
foreach ($volume in $Volumes) {
    if ($Undo) { Remove-PlannedVolume $volume } else { New-PlannedVolume $volume }
}
foreach ($folder in $LocalFolders) {
    # Local NVMe disks have neither letter nor file system after a stop of the VM.
    if (-not $Undo -and -not (Test-Path -LiteralPath "$([IO.Path]::GetPathRoot($folder))")) {
        throw "$folder is on the local disk, and there is no $([IO.Path]::GetPathRoot($folder)): make it of the local NVMe disks (New-StoragePool, New-VirtualDisk, Format-Volume) at each start of the VM, then run this again"
    }
    Write-Output "$folder is on the local disk: it is empty after every stop of the VM"
    if (-not $Undo -and -not (Test-Path -LiteralPath $folder)) {
        $null = New-Item -ItemType Directory -Path $folder
    }
}
Write-Output 'Done.'
