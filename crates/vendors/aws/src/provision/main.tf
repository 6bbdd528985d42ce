
# ---- the program: the same for every plan ----

variable "prefix" {
  description = "Names of instance and volumes begin with it"
  type        = string
  default     = "diskwright"
}

variable "shared_prefix" {
  description = "null for the first node; of those that follow the prefix of the first, whose shared volumes they attach"
  type        = string
  default     = null
}

variable "subnet_id" {
  description = "The subnet of the instance, in its zone; null: the default one"
  type        = string
  default     = null
}

variable "security_group_ids" {
  description = "null: the default one of the network"
  type        = list(string)
  default     = null
}

variable "key_name" {
  description = "A key pair; null: none"
  type        = string
  default     = null
}

terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.31, < 7.0"
    }
  }
}

provider "aws" {
  region = var.region
}

locals {
  zone = "${var.region}${var.zone}"
  tags = { diskwright = var.prefix }
}

data "aws_ssm_parameter" "image" {
  name = var.image_parameter
}

# Bandwidth weighting is an option of launch templates only.
resource "aws_launch_template" "weighted" {
  count = local.bandwidth == "default" ? 0 : 1
  name  = "${var.prefix}-weighted"
  tags  = local.tags

  network_performance_options {
    bandwidth_weighting = local.bandwidth
  }
}

resource "aws_instance" "vm" {
  ami                         = data.aws_ssm_parameter.image.insecure_value
  instance_type               = local.instance_type
  availability_zone           = local.zone
  subnet_id                   = var.subnet_id
  vpc_security_group_ids      = var.security_group_ids
  key_name                    = var.key_name
  associate_public_ip_address = false
  ebs_optimized               = local.ebs_optimized
  tags                        = merge(local.tags, { Name = "${var.prefix}-vm" })

  metadata_options {
    http_tokens = "required"
  }

  dynamic "launch_template" {
    for_each = aws_launch_template.weighted
    content {
      id      = launch_template.value.id
      version = launch_template.value.latest_version
    }
  }

  dynamic "root_block_device" {
    for_each = local.root_disk == null ? [] : [local.root_disk]
    content {
      volume_type = root_block_device.value.kind
      volume_size = root_block_device.value.size_gib
      iops        = root_block_device.value.iops
      throughput  = root_block_device.value.mib
      tags        = merge(local.tags, { Name = "${var.prefix}-vm-os" })
    }
  }

  # A newer image is no reason to make the instance again.
  lifecycle {
    ignore_changes = [ami]
  }
}

# The volumes of the first node that all share.
data "aws_ebs_volume" "shared" {
  for_each = { for key, disk in local.data_disks : key => disk if disk.nodes != null && var.shared_prefix != null }

  filter {
    name   = "tag:Name"
    values = ["${var.shared_prefix}-${each.key}"]
  }
}

resource "aws_ebs_volume" "data" {
  for_each             = { for key, disk in local.data_disks : key => disk if disk.nodes == null || var.shared_prefix == null }
  availability_zone    = local.zone
  type                 = each.value.kind
  size                 = each.value.size_gib
  iops                 = each.value.iops
  throughput           = each.value.mib
  multi_attach_enabled = each.value.nodes == null ? null : true
  tags                 = merge(local.tags, { Name = "${var.prefix}-${each.key}" })

  # Data outlives a plan that changes: remove this line to delete the volumes.
  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_volume_attachment" "data" {
  for_each    = local.data_disks
  volume_id   = try(aws_ebs_volume.data[each.key].id, data.aws_ebs_volume.shared[each.key].id)
  instance_id = aws_instance.vm.id
  device_name = each.value.device

  lifecycle {
    precondition {
      condition     = each.value.card == 0
      error_message = "The provider attaches to EBS card 0 only, and the plan has this volume on another: use aws.sh or cloudformation.json."
    }
  }
}

output "volumes" {
  description = "Ids by number, as linux.sh takes them"
  value = join(" ", [
    for number in range(length(local.data_disks)) : one([
      for key, disk in local.data_disks : aws_volume_attachment.data[key].volume_id if disk.number == number
    ])
  ])
}
