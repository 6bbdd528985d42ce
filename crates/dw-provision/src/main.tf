
# ---- the program: the same for every plan ----

variable "shared_prefix" {
  description = "null for the first node; of those that follow the prefix of the first, whose shared disks they attach"
  type        = string
  default     = null
}

variable "prefix" {
  description = "Names of VM and disks begin with it"
  type        = string
  default     = "diskwright"
}

variable "resource_group_name" {
  description = "An existing resource group"
  type        = string
}

variable "subnet_id" {
  description = "The subnet of the VM"
  type        = string
}

variable "admin_username" {
  type    = string
  default = "azureuser"
}

variable "ssh_public_key" {
  type    = string
  default = ""
}

variable "admin_password" {
  type      = string
  default   = null
  sensitive = true
}

terraform {
  required_version = ">= 1.3"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.0"
    }
  }
}

provider "azurerm" {
  features {}
}

locals {
  tags  = { diskwright = var.prefix }
  vm_id = var.windows ? azurerm_windows_virtual_machine.vm[0].id : azurerm_linux_virtual_machine.vm[0].id
}

resource "azurerm_network_interface" "nic" {
  name                = "${var.prefix}-nic"
  location            = var.location
  resource_group_name = var.resource_group_name

  ip_configuration {
    name                          = "internal"
    subnet_id                     = var.subnet_id
    private_ip_address_allocation = "Dynamic"
  }
}

resource "azurerm_linux_virtual_machine" "vm" {
  count                 = var.windows ? 0 : 1
  name                  = "${var.prefix}-vm"
  location              = var.location
  resource_group_name   = var.resource_group_name
  size                  = local.vm_size
  tags                  = local.tags
  zone                  = var.zone
  admin_username        = var.admin_username
  network_interface_ids = [azurerm_network_interface.nic.id]

  admin_ssh_key {
    username   = var.admin_username
    public_key = var.ssh_public_key
  }

  os_disk {
    storage_account_type = local.os_disk.sku
    caching              = local.os_disk.caching
    disk_size_gb         = local.os_disk.size_gib
  }

  source_image_reference {
    publisher = var.image[0]
    offer     = var.image[1]
    sku       = var.image[2]
    version   = var.image[3]
  }

  additional_capabilities {
    ultra_ssd_enabled = local.ultra
  }
}

resource "azurerm_windows_virtual_machine" "vm" {
  count                 = var.windows ? 1 : 0
  name                  = "${var.prefix}-vm"
  computer_name         = substr("${var.prefix}-vm", 0, 15)
  location              = var.location
  resource_group_name   = var.resource_group_name
  size                  = local.vm_size
  tags                  = local.tags
  zone                  = var.zone
  admin_username        = var.admin_username
  admin_password        = var.admin_password
  network_interface_ids = [azurerm_network_interface.nic.id]

  os_disk {
    storage_account_type = local.os_disk.sku
    caching              = local.os_disk.caching
    disk_size_gb         = local.os_disk.size_gib
  }

  source_image_reference {
    publisher = var.image[0]
    offer     = var.image[1]
    sku       = var.image[2]
    version   = var.image[3]
  }

  additional_capabilities {
    ultra_ssd_enabled = local.ultra
  }
}

# The disks of the first node that all share.
data "azurerm_managed_disk" "shared" {
  for_each            = { for key, disk in local.data_disks : key => disk if disk.shares != null && var.shared_prefix != null }
  name                = "${var.shared_prefix}-${each.key}"
  resource_group_name = var.resource_group_name
}

resource "azurerm_managed_disk" "data" {
  for_each             = { for key, disk in local.data_disks : key => disk if disk.shares == null || var.shared_prefix == null }
  name                 = "${var.prefix}-${each.key}"
  location             = var.location
  resource_group_name  = var.resource_group_name
  # A zone-redundant disk is in no zone.
  zone                 = endswith(each.value.sku, "_ZRS") ? null : var.zone
  create_option        = "Empty"
  tags                 = local.tags
  storage_account_type = each.value.sku
  disk_size_gb         = each.value.size_gib
  tier                 = each.value.tier
  disk_iops_read_write = each.value.iops
  disk_mbps_read_write = each.value.mbps
  max_shares           = each.value.shares
  disk_iops_read_only  = each.value.read_iops
  disk_mbps_read_only  = each.value.read_mbps

  performance_plus_enabled   = each.value.plus
  on_demand_bursting_enabled = each.value.burst

  # Data outlives a plan that changes: remove this line to delete the disks.
  lifecycle {
    prevent_destroy = true
  }
}

resource "azurerm_virtual_machine_data_disk_attachment" "data" {
  for_each           = local.data_disks
  managed_disk_id    = try(azurerm_managed_disk.data[each.key].id, data.azurerm_managed_disk.shared[each.key].id)
  virtual_machine_id = local.vm_id
  lun                = each.value.lun
  caching            = each.value.caching
}
