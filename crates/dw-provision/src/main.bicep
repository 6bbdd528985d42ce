
// ---- the program: the same for every plan ----

@description('Names of VM and disks begin with it.')
param prefix string = 'diskwright'

@description('The prefix of the first node, where several share disks: those that follow attach its disks.')
param sharedPrefix string = prefix

@description('The id of the subnet of the VM.')
param subnetId string

param adminUsername string = 'azureuser'

param sshPublicKey string = ''

@secure()
param adminPassword string = ''

var tags = {
  diskwright: prefix
}
var zones = empty(zone) ? [] : [zone]

resource nic 'Microsoft.Network/networkInterfaces@2023-11-01' = {
  name: '${prefix}-nic'
  location: location
  properties: {
    ipConfigurations: [
      {
        name: 'internal'
        properties: {
          subnet: {
            id: subnetId
          }
          privateIPAllocationMethod: 'Dynamic'
        }
      }
    ]
  }
}

resource disks 'Microsoft.Compute/disks@2023-10-02' = [for disk in dataDisks: {
  name: '${disk.shares == null ? prefix : sharedPrefix}-${disk.name}'
  location: location
  tags: disk.shares == null ? tags : { diskwright: sharedPrefix }
  // A zone-redundant disk is in no zone.
  zones: endsWith(disk.sku, '_ZRS') ? [] : zones
  sku: {
    name: disk.sku
  }
  properties: {
    creationData: {
      createOption: 'Empty'
      performancePlus: disk.performancePlus
    }
    burstingEnabled: disk.bursting
    diskSizeGB: disk.sizeGiB
    tier: disk.tier
    diskIOPSReadWrite: disk.iops
    diskMBpsReadWrite: disk.mbps
    maxShares: disk.shares
    diskIOPSReadOnly: disk.readIops
    diskMBpsReadOnly: disk.readMbps
  }
}]

resource vm 'Microsoft.Compute/virtualMachines@2024-03-01' = {
  name: '${prefix}-vm'
  location: location
  tags: tags
  zones: zones
  properties: {
    hardwareProfile: {
      vmSize: vmSize
    }
    additionalCapabilities: {
      ultraSSDEnabled: ultra
    }
    osProfile: {
      computerName: take('${prefix}-vm', 15)
      adminUsername: adminUsername
      adminPassword: windows ? adminPassword : null
      linuxConfiguration: windows ? null : {
        disablePasswordAuthentication: true
        ssh: {
          publicKeys: [
            {
              path: '/home/${adminUsername}/.ssh/authorized_keys'
              keyData: sshPublicKey
            }
          ]
        }
      }
    }
    storageProfile: {
      imageReference: image
      osDisk: {
        createOption: 'FromImage'
        caching: osDisk.caching
        diskSizeGB: osDisk.sizeGiB
        managedDisk: {
          storageAccountType: osDisk.sku
        }
      }
      dataDisks: [for (disk, i) in dataDisks: {
        lun: disk.lun
        createOption: 'Attach'
        caching: disk.caching
        managedDisk: {
          id: disks[i].id
        }
      }]
    }
    networkProfile: {
      networkInterfaces: [
        {
          id: nic.id
        }
      ]
    }
  }
}

output vmId string = vm.id
