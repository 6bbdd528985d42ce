//! Messages on the socket: bytes to values and back.
//!
//! ```text
//! message  request:32 flags:32 size:32 payload[size]     little-endian on every machine that has this; descriptors beside it
//! flags    version:2 (always 1) reply:1 need_reply:1
//! ```

use super::fault::Fault;

/// Bytes before the payload.
pub const HEADER: usize = 12;
/// The longest payload of any message here: a memory table of eight regions.
pub const PAYLOAD_MAX: usize = 8 + REGIONS_AT_ONCE * REGION;
/// Regions of one memory table, and descriptors of one message.
pub const REGIONS_AT_ONCE: usize = 8;
/// Bytes of the longest configuration that a message carries.
pub const CONFIG_MAX: usize = 256;

const REGION: usize = 32;
const VERSION: u32 = 1;
const VERSION_MASK: u32 = 3;
const REPLY: u32 = 1 << 2;
const NEED_REPLY: u32 = 1 << 3;
/// In the payload of kick, call and err: there is no descriptor.
const NO_DESCRIPTOR: u64 = 1 << 8;
const CONFIG_CHANGED: u32 = 2;

/// What comes before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Which message.
    pub request: u32,
    /// Whether the client wants to know that it was carried out.
    pub need_reply: bool,
    /// Bytes of the payload.
    pub size: usize,
}

/// A region of the client's memory, as it describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where the guest has it.
    pub guest: u64,
    /// Bytes.
    pub size: u64,
    /// Where the client itself has it.
    pub user: u64,
    /// Where it begins in its file.
    pub offset: u64,
}

/// Where the parts of a queue are, in the client's own addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingAddress {
    pub descriptors: u64,
    /// What the device has done.
    pub used: u64,
    /// What the driver asks.
    pub available: u64,
}

/// How the memory that outlives a server is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InflightShape {
    /// Bytes.
    pub size: u64,
    /// Where they begin in their file.
    pub offset: u64,
    pub queues: u16,
    /// Descriptors of each.
    pub queue_size: u16,
}

/// A message of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    GetFeatures,
    SetFeatures(u64),
    SetOwner,
    ResetOwner,
    SetMemTable(Vec<Region>),
    SetVringNum { queue: u32, num: u32 },
    SetVringAddr { queue: u32, address: RingAddress },
    SetVringBase { queue: u32, base: u32 },
    GetVringBase { queue: u32 },
    SetVringKick { queue: u32, descriptor: bool },
    SetVringCall { queue: u32, descriptor: bool },
    SetVringErr { queue: u32, descriptor: bool },
    GetProtocolFeatures,
    SetProtocolFeatures(u64),
    GetQueueNum,
    SetVringEnable { queue: u32, enable: bool },
    SetBackendChannel,
    GetConfig { offset: u32, size: u32 },
    SetConfig,
    GetInflight(InflightShape),
    SetInflight(InflightShape),
    GetMaxMemSlots,
    AddMemReg(Region),
    RemMemReg(Region),
}

impl Request {
    /// Whether its answer is more than an acknowledgement.
    pub fn has_answer(&self) -> bool {
        matches!(
            self,
            Request::GetFeatures
                | Request::GetVringBase { .. }
                | Request::GetProtocolFeatures
                | Request::GetQueueNum
                | Request::GetConfig { .. }
                | Request::GetInflight(_)
                | Request::GetMaxMemSlots
        )
    }

    /// How many descriptors belong to it, at least and at most.
    fn descriptors(&self) -> (usize, usize) {
        match self {
            Request::SetMemTable(regions) => (regions.len(), regions.len()),
            Request::SetVringKick { descriptor, .. }
            | Request::SetVringCall { descriptor, .. }
            | Request::SetVringErr { descriptor, .. } => (usize::from(*descriptor), usize::from(*descriptor)),
            Request::SetBackendChannel | Request::SetInflight(_) | Request::AddMemReg(_) => (1, 1),
            // QEMU sends one, to name the region by; others do not.
            Request::RemMemReg(_) => (0, 1),
            _ => (0, 0),
        }
    }

    /// Whether as many descriptors came as belong to it.
    ///
    /// # Errors
    /// When not.
    pub fn check_descriptors(&self, request: u32, found: usize) -> Result<(), Fault> {
        let (least, most) = self.descriptors();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        Err(Fault::Descriptors { request, found, expected: most })
    }
}

/// Takes a header apart.
///
/// # Errors
/// When nothing of this protocol begins so.
pub fn header(bytes: &[u8; HEADER]) -> Result<Header, Fault> {
    let mut fields = Fields { bytes, request: 0 };
    let (request, flags, size) = (fields.u32()?, fields.u32()?, fields.u32()? as usize);
    if flags & VERSION_MASK != VERSION {
        return Err(Fault::Message { request, why: "it is not of version 1 of the protocol" });
    }
    if flags & REPLY != 0 {
        return Err(Fault::Message { request, why: "it is a reply, and nothing was asked" });
    }
    if size > PAYLOAD_MAX.max(CONFIG_MAX + HEADER) {
        return Err(Fault::Message { request, why: "its payload is longer than that of any message" });
    }
    Ok(Header { request, need_reply: flags & NEED_REPLY != 0, size })
}

/// Takes a payload apart.
///
/// # Errors
/// When the message is not known, or its payload is not as long as it must be.
pub fn request(header: Header, payload: &[u8]) -> Result<Request, Fault> {
    let mut from = Fields { bytes: payload, request: header.request };
    let request = match header.request {
        1 => Request::GetFeatures,
        2 => Request::SetFeatures(from.u64()?),
        3 => Request::SetOwner,
        4 => Request::ResetOwner,
        5 => Request::SetMemTable(from.regions()?),
        8 => Request::SetVringNum { queue: from.u32()?, num: from.u32()? },
        9 => from.ring_address()?,
        10 => Request::SetVringBase { queue: from.u32()?, base: from.u32()? },
        11 => Request::GetVringBase { queue: from.state()?.0 },
        12 => from.eventfd(|queue, descriptor| Request::SetVringKick { queue, descriptor })?,
        13 => from.eventfd(|queue, descriptor| Request::SetVringCall { queue, descriptor })?,
        14 => from.eventfd(|queue, descriptor| Request::SetVringErr { queue, descriptor })?,
        15 => Request::GetProtocolFeatures,
        16 => Request::SetProtocolFeatures(from.u64()?),
        17 => Request::GetQueueNum,
        18 => from.state().map(|(queue, on)| Request::SetVringEnable { queue, enable: on != 0 })?,
        21 => Request::SetBackendChannel,
        24 => from.config()?,
        25 => {
            from.bytes = &[];
            Request::SetConfig
        }
        31 => Request::GetInflight(from.inflight()?),
        32 => Request::SetInflight(from.inflight()?),
        36 => Request::GetMaxMemSlots,
        37 => Request::AddMemReg(from.one_region()?),
        38 => Request::RemMemReg(from.one_region()?),
        request => {
            return Err(Fault::Message {
                request,
                why: "it is not known, or belongs to a feature that was not offered",
            });
        }
    };
    if !from.bytes.is_empty() {
        return Err(from.fault("its payload is longer than it must be"));
    }
    Ok(request)
}

/// A reply with this payload.
pub fn reply(request: u32, payload: &[u8]) -> Vec<u8> {
    message(request, VERSION | REPLY, payload)
}

/// A reply that is one number.
pub fn reply_number(request: u32, number: u64) -> Vec<u8> {
    reply(request, &number.to_le_bytes())
}

/// A reply that says something of a queue.
pub fn reply_state(request: u32, queue: u32, number: u32) -> Vec<u8> {
    reply(request, &[queue.to_le_bytes(), number.to_le_bytes()].concat())
}

/// A reply with a piece of the configuration; an empty one says that there is no such piece.
pub fn reply_config(request: u32, offset: u32, piece: &[u8]) -> Vec<u8> {
    if piece.is_empty() {
        return reply(request, &[]);
    }
    let mut payload = Vec::with_capacity(HEADER + piece.len());
    for field in [offset, piece.len() as u32, 0] {
        payload.extend(field.to_le_bytes());
    }
    payload.extend(piece);
    reply(request, &payload)
}

/// A reply with the shape of the memory that outlives a server.
pub fn reply_inflight(request: u32, shape: InflightShape) -> Vec<u8> {
    let mut payload = Vec::with_capacity(24);
    payload.extend(shape.size.to_le_bytes());
    payload.extend(shape.offset.to_le_bytes());
    payload.extend(shape.queues.to_le_bytes());
    payload.extend(shape.queue_size.to_le_bytes());
    // The structure's padding is part of it.
    payload.extend([0; 4]);
    reply(request, &payload)
}

/// What goes to the client when the disk has another size.
pub fn config_changed() -> Vec<u8> {
    message(CONFIG_CHANGED, VERSION, &[])
}

fn message(request: u32, flags: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    for field in [request, flags, payload.len() as u32] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(payload);
    bytes
}

/// Fields off the front of a payload.
struct Fields<'a> {
    bytes: &'a [u8],
    request: u32,
}

impl Fields<'_> {
    fn fault(&self, why: &'static str) -> Fault {
        Fault::Message { request: self.request, why }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((first, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.fault("its payload is shorter than it must be"));
        };
        self.bytes = rest;
        Ok(*first)
    }

    fn u16(&mut self) -> Result<u16, Fault> {
        self.take().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Result<u32, Fault> {
        self.take().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Result<u64, Fault> {
        self.take().map(u64::from_le_bytes)
    }

    fn state(&mut self) -> Result<(u32, u32), Fault> {
        Ok((self.u32()?, self.u32()?))
    }

    fn region(&mut self) -> Result<Region, Fault> {
        Ok(Region { guest: self.u64()?, size: self.u64()?, user: self.u64()?, offset: self.u64()? })
    }

    fn regions(&mut self) -> Result<Vec<Region>, Fault> {
        let (count, _padding) = self.state()?;
        if count as usize > REGIONS_AT_ONCE {
            return Err(self.fault("it describes more than eight regions"));
        }
        (0..count).map(|_| self.region()).collect()
    }

    fn one_region(&mut self) -> Result<Region, Fault> {
        self.u64()?;
        self.region()
    }

    fn ring_address(&mut self) -> Result<Request, Fault> {
        let (queue, _flags) = self.state()?;
        let address = RingAddress { descriptors: self.u64()?, used: self.u64()?, available: self.u64()? };
        self.u64()?;
        Ok(Request::SetVringAddr { queue, address })
    }

    fn eventfd(&mut self, make: impl FnOnce(u32, bool) -> Request) -> Result<Request, Fault> {
        let word = self.u64()?;
        if word & !(NO_DESCRIPTOR | 0xff) != 0 {
            return Err(self.fault("its payload has bits that mean nothing"));
        }
        Ok(make((word & 0xff) as u32, word & NO_DESCRIPTOR == 0))
    }

    fn config(&mut self) -> Result<Request, Fault> {
        let (offset, size, _flags) = (self.u32()?, self.u32()?, self.u32()?);
        // What follows is room for the answer.
        self.bytes = &[];
        Ok(Request::GetConfig { offset, size })
    }

    fn inflight(&mut self) -> Result<InflightShape, Fault> {
        let shape =
            InflightShape { size: self.u64()?, offset: self.u64()?, queues: self.u16()?, queue_size: self.u16()? };
        // Some send the structure with its padding, some without.
        if self.bytes.len() == 4 {
            self.bytes = &[];
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// What this message is, or why it is none.
    fn check(number: u32, payload: &[u8], expected: Result<Request, &str>) {
        let header = Header { request: number, need_reply: false, size: payload.len() };
        match (request(header, payload), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "message {number}"),
            (Err(found), Err(expected)) => assert!(found.to_string().contains(expected), "message {number}: {found}"),
            (found, expected) => panic!("message {number}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn payloads_are_taken_apart() {
        let region = Region { guest: 1, size: 2, user: 3, offset: 4 };
        let address = RingAddress { descriptors: 1, used: 2, available: 3 };
        check(1, &[], Ok(Request::GetFeatures));
        check(2, &numbers(&[7]), Ok(Request::SetFeatures(7)));
        check(5, &numbers(&[1, 1, 2, 3, 4]), Ok(Request::SetMemTable(vec![region])));
        check(5, &numbers(&[0]), Ok(Request::SetMemTable(vec![])));
        check(8, &numbers(&[128 << 32 | 3]), Ok(Request::SetVringNum { queue: 3, num: 128 }));
        check(9, &numbers(&[2, 1, 2, 3, 9]), Ok(Request::SetVringAddr { queue: 2, address }));
        check(12, &numbers(&[5]), Ok(Request::SetVringKick { queue: 5, descriptor: true }));
        check(13, &numbers(&[5 | 1 << 8]), Ok(Request::SetVringCall { queue: 5, descriptor: false }));
        check(18, &numbers(&[1 << 32 | 5]), Ok(Request::SetVringEnable { queue: 5, enable: true }));
        check(24, &numbers(&[60 << 32, 0, 0]), Ok(Request::GetConfig { offset: 0, size: 60 }));
        let shape = InflightShape { size: 1, offset: 2, queues: 3, queue_size: 4 };
        check(31, &numbers(&[1, 2, 4 << 16 | 3]), Ok(Request::GetInflight(shape)));
        check(31, &numbers(&[1, 2, 4 << 16 | 3])[..20], Ok(Request::GetInflight(shape)));
        check(37, &numbers(&[0, 1, 2, 3, 4]), Ok(Request::AddMemReg(region)));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        check(0, &[], Err("not known"));
        check(6, &[], Err("not known"));
        check(40, &[], Err("not known"));
        check(2, &[1, 2, 3], Err("shorter"));
        check(2, &[0; 9], Err("longer"));
        check(1, &[0], Err("longer"));
        check(5, &numbers(&[9]), Err("more than eight"));
        check(5, &numbers(&[2, 1, 2, 3, 4]), Err("shorter"));
        check(5, &numbers(&[1, 1, 2, 3, 4, 5]), Err("longer"));
        check(12, &numbers(&[1 << 9]), Err("mean nothing"));
        check(31, &numbers(&[1, 2]), Err("shorter"));
    }

    #[test]
    fn headers_of_another_protocol_are_refused() {
        let bytes = |request: u32, flags: u32, size: u32| {
            <[u8; HEADER]>::try_from([request, flags, size].map(u32::to_le_bytes).concat()).expect("twelve bytes")
        };
        let header = |request, flags, size| super::header(&bytes(request, flags, size)).map_err(|e| e.to_string());
        assert_eq!(header(1, 1 | 8, 4), Ok(Header { request: 1, need_reply: true, size: 4 }));
        assert!(header(1, 2, 0).unwrap_err().contains("version 1"));
        assert!(header(1, 1 | 4, 0).unwrap_err().contains("reply"));
        assert!(header(5, 1, 0xffff_ffff).unwrap_err().contains("longer than that of any"));
        assert!(super::header(b"GET / HTTP/1").is_err());
    }

    #[test]
    fn descriptors_belong_to_some_messages_only() {
        let cases = [
            (Request::GetFeatures, 0, true),
            (Request::GetFeatures, 1, false),
            (Request::SetMemTable(vec![Region { guest: 0, size: 0, user: 0, offset: 0 }; 2]), 2, true),
            (Request::SetMemTable(vec![]), 1, false),
            (Request::SetVringKick { queue: 0, descriptor: true }, 0, false),
            (Request::SetVringKick { queue: 0, descriptor: false }, 0, true),
            (Request::SetInflight(InflightShape::default()), 1, true),
            (Request::SetInflight(InflightShape::default()), 0, false),
        ];
        for (request, found, good) in cases {
            assert_eq!(request.check_descriptors(1, found).is_ok(), good, "{request:?} with {found}");
        }
    }
}
