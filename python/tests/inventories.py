"""Lists of machines and disks, as tests of audits have them."""

from __future__ import annotations

import json
from pathlib import Path


def made_inventories(place: Path, machines: int = 40) -> list[Path]:
    """Machines of which every third has a fault, their disks, and one disk on nothing."""
    def id_of(kind: str, name: str) -> str:
        return f"/subscriptions/s/resourceGroups/RG/providers/Microsoft.Compute/{kind}/{name}"

    vms, disks = [], []
    for number in range(machines):
        name, zone = f"vm{number:03}", ["1", "2", "3"][number % 3]
        disk = {"id": id_of("disks", f"{name}-d"), "name": f"{name}-d", "location": "eastus", "zones": [zone], "sku": {"name": "Premium_LRS"},
                "diskSizeGB": 1024, "diskState": "Attached", "managedBy": id_of("virtualMachines", name)}  # fmt: skip
        disks.append(disk)
        vms.append({
            "id": id_of("virtualMachines", name), "name": name, "location": "eastus", "zones": [zone], "powerState": "VM running",
            "hardwareProfile": {"vmSize": ["Standard_D8s_v5", "Standard_D8_v5", "Standard_E16ds_v5"][number % 3]},
            "storageProfile": {"dataDisks": [{"lun": 0, "caching": "ReadWrite" if number % 3 == 0 else "None", "managedDisk": {"id": disk["id"]}}]},
        })  # fmt: skip
    disks.append({"id": id_of("disks", "left"), "name": "left", "location": "eastus", "sku": {"name": "Premium_LRS"}, "diskSizeGB": 512,
                  "diskState": "Unattached"})  # fmt: skip
    files = [place / "vms.json", place / "disks.json"]
    for file, records in zip(files, (vms, {"data": disks, "skip_token": None})):
        file.write_text(json.dumps(records))
    return files
