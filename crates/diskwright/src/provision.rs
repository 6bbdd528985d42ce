//! What builds a plan and verifies it: scripts, templates, jobs, and the scenario of the plan.

use dw_catalogue::Catalogue;
use dw_catalogue::provision::{ScriptFile, Scripts};
use dw_documents::plan::PlanDocument;
use dw_error::{Error, Result};
use dw_provision::database::{self, Database};
use dw_provision::{Setup, az, bicep, diskspd, fio, linux, rig, terraform, windows};

use crate::plan::PlanOutcome;
use crate::session::Session;

pub mod setup;

/// What can be written from a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Azure CLI commands that make the VM and its disks.
    Az,
    /// The same as a Bicep file.
    Bicep,
    /// The same as a Terraform configuration.
    Terraform,
    /// A file that only one vendor's plans have, which its folder writes.
    Own(&'static ScriptFile),
    /// Stripes, file systems and mounts on Linux.
    Linux,
    /// Storage Spaces and volumes on Windows.
    Windows,
    /// Settings of the database of [`ProvisionOptions`]; empty without one.
    Database,
    /// A fio job file that verifies the plan.
    Fio,
    /// A DiskSpd profile that verifies the plan.
    Diskspd,
    /// The scenario of the plan, with Linux paths.
    Rig,
    /// The same with drive letters.
    RigWindows,
}

/// What is not in a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProvisionOptions {
    /// How volumes are built on Linux.
    pub linux: linux::Options,
    /// Whose settings [`Target::Database`] has.
    pub database: Option<Database>,
}

/// What builds a plan of a vendor whose folder writes nothing itself.
const BUILDING: [Target; 5] = [Target::Az, Target::Bicep, Target::Terraform, Target::Linux, Target::Windows];
/// What every plan has.
const VERIFYING: [Target; 5] = [Target::Database, Target::Fio, Target::Diskspd, Target::Rig, Target::RigWindows];

impl Target {
    /// Those of all vendors, each once.
    pub fn all() -> Vec<Target> {
        let files = dw_catalogue::scripts().into_iter().flat_map(|vendor| vendor.files());
        let is_own = |file: &&'static ScriptFile| !BUILDING.iter().any(|target| target.word() == file.word);
        files.filter(is_own).map(Target::Own).chain(BUILDING).chain(VERIFYING).collect()
    }

    /// Those of a plan, in the order in which they are used.
    pub fn of(setup: &Setup) -> Vec<Target> {
        Target::of_vendor(setup.vendor)
    }

    fn of_vendor(id: &str) -> Vec<Target> {
        let building = match scripts_of(id) {
            Some(vendor) => {
                let target = |file: &'static ScriptFile| {
                    BUILDING.into_iter().find(|target| target.word() == file.word).unwrap_or(Target::Own(file))
                };
                vendor.files().iter().map(target).collect()
            }
            None => BUILDING.to_vec(),
        };
        building.into_iter().chain(VERIFYING).collect()
    }

    /// Texts of those of a plan that are wanted, in their order.
    ///
    /// # Errors
    /// As [`Target::text`], but for want of letters.
    pub fn texts(
        setup: &Setup,
        options: &ProvisionOptions,
        catalogue: &Catalogue,
        wanted: impl Fn(Target) -> bool,
    ) -> Result<Provisioned> {
        let mut provisioned = Provisioned::default();
        for target in Target::of(setup).into_iter().filter(|target| wanted(*target)) {
            match target.text(setup, options, catalogue) {
                Ok(text) => provisioned.files.push((target, text)),
                Err(why) if target.has_letters(options) => provisioned.left_out.push((target, why)),
                Err(why) => return Err(why),
            }
        }
        Ok(provisioned)
    }

    /// The names of their files for plans of a vendor, by its word.
    pub fn files_of(vendor: &str) -> Vec<&'static str> {
        let kept = Target::of_vendor(vendor).into_iter().filter(|target| target.is_kept());
        kept.map(Target::file_name).collect()
    }

    /// Whether it builds or verifies a plan, and is a value: no database settings, no scenario.
    fn is_kept(self) -> bool {
        !matches!(self, Target::Database | Target::Rig | Target::RigWindows)
    }

    /// Whether volumes are drives in it.
    fn has_letters(self, options: &ProvisionOptions) -> bool {
        match self {
            Target::Windows | Target::Diskspd | Target::RigWindows => true,
            Target::Database => options.database == Some(Database::SqlServer),
            _ => false,
        }
    }

    /// Whether it makes machine and disks, rather than what is on them.
    pub const fn is_of_cloud(self) -> bool {
        matches!(self, Target::Az | Target::Bicep | Target::Terraform | Target::Own(_))
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        self.said().0
    }

    /// What help says of it.
    pub const fn about(self) -> &'static str {
        self.said().1
    }

    const fn said(self) -> (&'static str, &'static str) {
        match self {
            Target::Az => ("az", "Azure CLI commands that create the VM and its disks"),
            Target::Bicep => ("bicep", "The VM and its disks as a Bicep file"),
            Target::Terraform => ("terraform", "The VM and its disks as a Terraform configuration"),
            Target::Own(file) => (file.word, file.about),
            Target::Linux => ("linux", "Stripes, file systems and mounts on Linux"),
            Target::Windows => ("windows", "Storage Spaces and volumes on Windows"),
            Target::Database => ("database", "Database settings; needs --database"),
            Target::Fio => ("fio", "A fio job file that verifies the plan"),
            Target::Diskspd => ("diskspd", "A DiskSpd profile that verifies the plan"),
            Target::Rig => ("rig", "The plan as a scenario for `simulate` and `emulate`, with Linux paths"),
            Target::RigWindows => ("rig-windows", "The plan as a scenario with drive letters"),
        }
    }

    /// The name of its file without options: empty for settings of a database.
    pub fn file_name(self) -> &'static str {
        self.file(&ProvisionOptions::default()).0
    }

    /// The name of its file, and whether it is a program.
    pub fn file(self, options: &ProvisionOptions) -> (&'static str, bool) {
        match self {
            Target::Az => ("az.sh", true),
            Target::Bicep => ("main.bicep", false),
            Target::Terraform => ("main.tf", false),
            Target::Own(file) => (file.name, file.is_program),
            Target::Linux => ("linux.sh", true),
            Target::Windows => ("windows.ps1", false),
            Target::Database => (options.database.map_or("", Database::file), false),
            Target::Fio => ("verify.fio", false),
            Target::Diskspd => ("verify.xml", false),
            Target::Rig => ("rig.toml", false),
            Target::RigWindows => ("rig-windows.toml", false),
        }
    }

    /// Its text, of what the catalogue sells.
    ///
    /// # Errors
    /// Of kind `Usage` where plans of this vendor have no such file, `Input` where the vendor does not sell what is planned, or Windows has
    /// no letter for each volume.
    pub fn text(self, setup: &Setup, options: &ProvisionOptions, catalogue: &Catalogue) -> Result<String> {
        let of_plan = Target::of(setup);
        if !of_plan.contains(&self) {
            let words: Vec<&str> = of_plan.into_iter().map(Target::word).collect();
            let what = format!("plans for `{}` have no target `{}`", setup.vendor, self.word());
            return Err(Error::usage(what).hint(format!("write one of {}", words.join(", "))));
        }
        if self.has_letters(options) {
            setup.lettered().map_err(|e| Error::input(format!("{}: {}", self.file(options).0, e.what)).hint(e.hint))?;
        }
        if let Some(vendor) =
            catalogue.scripts_of(setup.vendor).filter(|own| own.files().iter().any(|file| file.word == self.word()))
        {
            return vendors_text(vendor, self.word(), setup, options);
        }
        Ok(match self {
            Target::Az => az::text(setup),
            Target::Bicep => bicep::text(setup),
            Target::Terraform => terraform::text(setup),
            // Every vendor that has files writes them.
            Target::Own(_) => String::new(),
            Target::Linux => linux::text(setup, options.linux),
            Target::Windows => windows::text(setup),
            Target::Database => options.database.map_or(String::new(), |database| database::text(setup, database)),
            Target::Fio => fio::text(setup),
            Target::Diskspd => diskspd::text(setup),
            Target::Rig => rig::text(setup, rig::Paths::Linux, rig::Start::Worst),
            Target::RigWindows => rig::text(setup, rig::Paths::Windows, rig::Start::Worst),
        })
    }
}

/// Which files plans of a vendor have, where it writes them itself.
fn scripts_of(vendor: &str) -> Option<&'static dyn Scripts> {
    dw_catalogue::scripts().into_iter().find(|own| own.id() == vendor)
}

fn vendors_text(vendor: &dyn Scripts, word: &str, setup: &Setup, options: &ProvisionOptions) -> Result<String> {
    vendor.text(word, &setup.build(), options.linux).map_err(|refusal| {
        let volume = refusal.volume.and_then(|number| setup.volumes.get(number));
        let of = volume.map_or(String::new(), |volume| format!("volume `{}`: ", volume.name));
        Error::input(format!("{of}{}", refusal.what)).hint(refusal.hint)
    })
}

impl Session {
    /// The scenario of a plan as a file's text, warm and with Linux paths: what [`Session::scenario`] reads and the other tools of
    /// the program take.
    ///
    /// # Errors
    /// Of kind `Infeasible` where the document has no plan.
    pub fn rig(&self, planned: &PlanOutcome) -> Result<String> {
        self.rig_of("plan", &planned.document)
    }

    /// The same of a plan's document; `name` is what errors call it.
    ///
    /// # Errors
    /// Of kind `Infeasible` where the document has no plan, `Input` where it names what the catalogue does not have.
    pub fn rig_of(&self, name: &str, plan: &PlanDocument) -> Result<String> {
        let setup = setup::from_plan(name, "", plan, self.of_region(&plan.region).catalogue())?;
        Ok(rig::text(&setup, rig::Paths::Linux, rig::Start::Warm))
    }

    /// What builds and verifies a plan, without database settings and scenarios. `name` is what errors call the plan.
    ///
    /// # Errors
    /// Of kind `Infeasible` where the document has no plan, `Input` where it names what the catalogue does not have.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let text = "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }\n";
    /// let planned = session.plan(&session.requirements("requirements.toml", text)?)?;
    /// let provisioned = session.provision("plan.json", &planned.document)?;
    /// assert!(provisioned.files.iter().any(|(target, text)| target.file_name() == "linux.sh" && text.starts_with("#!/bin/sh")));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn provision(&self, name: &str, plan: &PlanDocument) -> Result<Provisioned> {
        let text = serde_json::to_string(plan).unwrap_or_default();
        let setup = setup::for_scripts(name, &text, plan, self.catalogue())?;
        Target::texts(&setup, &ProvisionOptions::default(), self.catalogue(), Target::is_kept)
    }
}

/// What builds and verifies a plan.
#[derive(Debug, Default)]
pub struct Provisioned {
    /// What is written.
    pub files: Vec<(Target, String)>,
    /// What cannot be, and why: Windows has no letter for each volume.
    pub left_out: Vec<(Target, Error)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_catalogue::Catalogue;
    use dw_provision::{Place, linux};

    /// With the paths of Linux, by which it is simulated, a plan may have as many volumes as the VM takes disks.
    #[test]
    fn letters_are_asked_of_scripts_and_not_of_a_simulation() {
        let session = Session::new(Catalogue::embedded().clone());
        for (volumes, is_written) in [(21, true), (22, false)] {
            let volume = |number| {
                format!(
                    "[[volume]]\nname = 'v{number}'\ncapacity = '8 GiB'\nread_size = '8 KiB'\n\
                     read_iops = {{ p50 = 5, p90 = 9, p99 = 20, max = 25 }}\n"
                )
            };
            let text = "schema_version = 1\n".to_string() + &(0..volumes).map(volume).collect::<String>();
            let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
            let planned = session.plan_with(&session.requirements("r.toml", &text).unwrap(), &options).unwrap();
            assert!(session.scenario("rig.toml", &session.rig(&planned).unwrap()).is_ok(), "{volumes}");
            let provisioned = session.provision("plan.json", &planned.document).unwrap();
            let names: Vec<&str> = provisioned.files.iter().map(|file| file.0.file_name()).collect();
            assert!(["az.sh", "linux.sh", "verify.fio"].iter().all(|name| names.contains(name)), "{names:?}");
            assert_eq!(names.contains(&"windows.ps1"), is_written, "{names:?}");
            let left_out = provisioned.left_out.into_iter().map(|(_, why)| why.what).collect::<Vec<_>>();
            let of = |file: &str| format!("{file}: there are 22 volumes on disks, and Windows has 21 letters");
            let expected = if is_written { Vec::new() } else { vec![of("windows.ps1"), of("verify.xml")] };
            assert_eq!(left_out, expected);
        }
    }

    /// What a script needs to know of VM and region, and a benchmark of the host cache.
    #[test]
    fn scripts_follow_the_vm_the_region_and_the_cache() {
        let session = Session::new(Catalogue::embedded().clone());
        let volume = |more: &str| {
            format!(
                "[[volume]]\nname = 'data'\ncapacity = '300 GiB'\nread_size = '8 KiB'\n{more}\
                 read_iops = {{ p50 = 500, p90 = 900, p99 = 2000, max = 2500 }}\n"
            )
        };
        let local = "role = 'tempdb'\nlocal_disk = true\nhost_cache = ['None']\n";
        const TWO: &str = "region = 'westus2'\nnodes = 2\ndisks = ['PremiumV2']";
        let cached = "host_cache = ['ReadOnly']\nhit_curve = [{ cache = '400 GiB', percent = 50 }]\n";
        for (plan, more, target, expected) in [
            (
                "vms = ['E8ads_v7']",
                local,
                Target::Linux,
                "    local_nvme /mnt xfs\n    local_disk 'data' '/mnt/data'\n",
            ),
            ("vms = ['E16ads_v5']", local, Target::Linux, "    :\n    local_disk 'data' '/mnt/data'\n"),
            ("region = 'westus'\ndisks = ['PremiumV2']", "", Target::Az, ": \"${ZONE=}\""),
            ("region = 'westus2'\ndisks = ['PremiumV2']", "", Target::Az, "NEEDS_ZONE=true\n"),
            ("region = 'westus2'\ndisks = ['PremiumV2']", "", Target::Bicep, "param zone string\n"),
            ("region = 'westus2'\ndisks = ['PremiumV2']", "", Target::Terraform, "  type        = string\n}\n\nlocals"),
            // This region has zones, and premium SSD v2 in none of them, too; ultra disks are in one.
            ("region = 'swedencentral'\ndisks = ['PremiumV2']", "", Target::Az, ": \"${ZONE=}\""),
            ("region = 'swedencentral'\ndisks = ['PremiumV2']", "", Target::Bicep, "param zone string = ''"),
            (
                "region = 'swedencentral'\ndisks = ['PremiumV2']",
                "",
                Target::Terraform,
                "  default     = null\n}\n\nlocals",
            ),
            ("region = 'swedencentral'\nzone = '2'\ndisks = ['PremiumV2']", "", Target::Az, ": \"${ZONE=2}\""),
            ("region = 'swedencentral'\ndisks = ['Ultra']", "", Target::Az, "NEEDS_ZONE=true\n"),
            ("region = 'swedencentral'\nzone = '3'\ndisks = ['Ultra']", "", Target::Az, ": \"${ZONE=3}\""),
            ("region = 'swedencentral'\nzone = '3'\ndisks = ['Ultra']", "", Target::Bicep, "param zone string = '3'"),
            (
                "region = 'swedencentral'\nzone = '3'\ndisks = ['Ultra']",
                "",
                Target::Terraform,
                "  default     = \"3\"\n",
            ),
            // The first of two nodes makes the disk that both attach.
            (TWO, "shared = true\n", Target::Az, " - - 2 100 1\n"),
            (TWO, "shared = true\n", Target::Az, ": \"${SHARED_PREFIX:=$PREFIX}\""),
            (TWO, "shared = true\n", Target::Bicep, "shares: 2\n    readIops: 100\n    readMbps: 1\n"),
            (TWO, "shared = true\n", Target::Terraform, "shares = 2, read_iops = 100, read_mbps = 1 }"),
            // Neither node makes, mounts or letters a volume that a cluster may own, unless it is told to.
            (TWO, "shared = true\n", Target::Linux, "    shared 'data' disk 0 "),
            (TWO, "shared = true\n", Target::Linux, "shared() {\n    if [ \"${SHARED:-}\" = yes ]; then volume"),
            (TWO, "", Target::Linux, "    volume 'data' disk 0 "),
            (TWO, "shared = true\n", Target::Windows, "; Shared = $true }\n"),
            (TWO, "shared = true\n", Target::Windows, "    [switch]$Shared\n)\n"),
            (TWO, "shared = true\n", Target::Windows, "$Volumes = @($Volumes | Where-Object { -not $_.Shared })\n"),
            (TWO, "", Target::Windows, "[hashtable]$DiskNumbers = @{}\n)\n"),
            // 400 GiB of the cache are half of what is read: as much is read before, in whole blocks.
            ("vms = ['E16ds_v5']\ndisks = ['P40']", cached, Target::Fio, "size=400g\nrw=read\n"),
            ("vms = ['E16ds_v5']\ndisks = ['P40']", cached, Target::Fio, "size=800g\nrw=randread\n"),
        ] {
            let capacity = if target == Target::Fio { "2 TiB" } else { "300 GiB" };
            let text = format!("schema_version = 1\n[plan]\n{plan}\n{}", volume(more).replace("300 GiB", capacity));
            let demand = session.requirements("demand.toml", &text).unwrap();
            let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
            let planned = session.plan_with(&demand, &options).unwrap();
            let setup = setup::from_plan("plan", "", &planned.document, session.catalogue()).unwrap();
            let options = ProvisionOptions { linux: linux::Options::default(), database: None };
            let written = target.text(&setup, &options, session.catalogue()).unwrap();
            assert!(written.contains(expected), "{plan}: {expected:?} in\n{written}");
        }
    }

    /// What goes from front to back is verified so, and read ahead, whatever its role; a log is hardly read.
    #[test]
    fn what_goes_from_front_to_back_is_verified_and_read_ahead_so() {
        let session = Session::new(Catalogue::embedded().clone()).of_vendor("aws");
        let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
        for (keys, job, is_read_ahead) in [
            ("random_percent = 0", "rw=write\n", true),
            ("role = 'backup'", "rw=write\n", true),
            ("role = 'log'", "rw=write\n", false),
            ("random_percent = 1", "rw=randwrite\n", false),
            ("", "rw=randwrite\n", false),
        ] {
            let text = format!(
                "schema_version = 1\n[plan]\nregion = 'us-east-1'\n[[volume]]\nname = 'data'\n{keys}\ncapacity = '200 GiB'\n\
                 write_size = '64 KiB'\nwrite_iops = {{ p50 = 10, p90 = 50, p99 = 60, max = 60 }}\n"
            );
            let planned = session.plan_with(&session.requirements("r.toml", &text).unwrap(), &options).unwrap();
            let setup = setup::from_plan("plan", "", &planned.document, session.catalogue()).unwrap();
            let fio = Target::Fio.text(&setup, &ProvisionOptions::default(), session.catalogue()).unwrap();
            assert!(fio.contains(job), "{keys}: {fio}");
            let ahead = setup.build().volumes[0].read_ahead_kib;
            assert_eq!(ahead, if is_read_ahead { 4_096 } else { 8 }, "{keys}");
        }
    }

    /// A letter is the scripts' own word for a zone; what a number is in somebody's account only they know.
    #[test]
    fn a_plan_of_aws_has_its_operating_system_and_zone_in_the_scripts() {
        let session = Session::new(Catalogue::embedded().clone()).of_vendor("aws");
        let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
        for (zone, said) in [("a", ": \"${ZONE:=a}\""), ("1", ": \"${ZONE:=}\"")] {
            let text = format!(
                "schema_version = 1\n[plan]\nregion = 'us-east-1'\nvms = ['m7i.xlarge']\nzone = '{zone}'\ncapacity_headroom_percent = 0\n\
                 [[volume]]\nname = 'os'\nrole = 'os'\ncapacity = '30 GiB'\nread_size = '16 KiB'\n\
                 read_iops = {{ p50 = 10, p90 = 20, p99 = 50, max = 100 }}\n"
            );
            let planned = session.plan_with(&session.requirements("r.toml", &text).unwrap(), &options).unwrap();
            let setup = setup::from_plan("plan", "", &planned.document, session.catalogue()).unwrap();
            let aws = Target::all().into_iter().find(|target| target.word() == "aws").unwrap();
            let written = aws.text(&setup, &ProvisionOptions::default(), session.catalogue()).unwrap();
            assert!(written.contains(said), "{zone}: {written}");
            assert!(written.contains("VolumeType=gp3,VolumeSize=30"), "{zone}: {written}");
        }
    }

    /// A plan's vendor decides which files it has; what all have is alike.
    #[test]
    fn files_are_those_of_the_plans_vendor() {
        let session = Session::new(Catalogue::embedded().clone());
        let text = "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '300 GiB'\nread_size = '8 KiB'\n\
                    read_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }\n";
        let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
        let planned = session.plan_with(&session.requirements("r.toml", text).unwrap(), &options).unwrap();
        let mut setup = setup::from_plan("plan", "", &planned.document, session.catalogue()).unwrap();
        let words = |setup: &Setup| Target::of(setup).into_iter().map(Target::word).collect::<Vec<_>>().join(" ");
        assert_eq!(words(&setup), "az bicep terraform linux windows database fio diskspd rig rig-windows");
        // The same volumes on another vendor's machine.
        (setup.vendor, setup.vm, setup.region, setup.zone) =
            ("aws", "m7i.large".into(), "eu-central-1".into(), Some("a".into()));
        for volume in &mut setup.volumes {
            let Place::Data { disks, .. } = &mut volume.place else { continue };
            (disks.sku, disks.gib, disks.bought) = ("gp3".into(), 300, Some((3_000, 125)));
        }
        assert_eq!(words(&setup), "aws cloudformation terraform linux database fio diskspd rig rig-windows");
        let options = ProvisionOptions::default();
        for target in Target::of(&setup).into_iter().filter(|target| *target != Target::Database) {
            let text = target.text(&setup, &options, session.catalogue()).unwrap();
            assert!(!text.is_empty() && !text.to_lowercase().contains("azure"), "{}: {text}", target.word());
        }
        let aws = Target::all().into_iter().find(|target| target.word() == "aws").unwrap();
        assert!(
            aws.text(&setup, &options, session.catalogue())
                .unwrap()
                .contains("    disk 0 'data-0' gp3 300 3000 125 /dev/sdf - - -\n")
        );
        let refused = Target::Bicep.text(&setup, &options, session.catalogue()).unwrap_err();
        assert_eq!(refused.what, "plans for `aws` have no target `bicep`");
        setup.vm = "m7i.lage".into();
        let refused = aws.text(&setup, &options, session.catalogue()).unwrap_err();
        assert_eq!(refused.what, "AWS has no instance type `m7i.lage`");
    }
}
