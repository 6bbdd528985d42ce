//! The image that an instance starts from, as its public parameter: the newest of its kind in the region.
//!
//! Source: `sources::IMAGE_PARAMETERS`.

use crate::instances::Arch;

use super::plan::Plan;

/// What the first disk of these images is called.
pub(super) const ROOT_DEVICE: &str = "/dev/sda1";

/// Ubuntu 24.04, or Windows Server 2022 with the licence that the plan has priced.
pub(super) const fn parameter(plan: &Plan) -> &'static str {
    match (plan.build.windows, plan.row.arch) {
        (true, _) => "/aws/service/ami-windows-latest/Windows_Server-2022-English-Full-Base",
        (false, Arch::Arm) => "/aws/service/canonical/ubuntu/server/24.04/stable/current/arm64/hvm/ebs-gp3/ami-id",
        (false, Arch::X86 | Arch::Mac) => {
            "/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id"
        }
    }
}
