### English. One message for each line of src/catalogue.rs, with the same name and arguments.
###
### In a text: short active sentences, standard terms (throttled, bottleneck, headroom, IOPS, per month). A message that continues
### another begins with its own punctuation; where that is a blank, it is written {" "}.

## The original words of a tool or an older document

plain = { $text }

## plan: the answer

plan-answer = { $plan }: { $monthly } per month, { $met }. { $claim }
plan-cheapest = It is proven to be the cheapest of { $offers } (bound { $bound }, { $next })
plan-cheapest-on-paper = Judged by limits alone, it is the cheapest of { $offers } (bound { $bound }, { $next })
plan-simpler = It has { $simpler } than the proven cheapest of { $offers } ({ $cheapest }, bound { $bound }, { $next }) and costs at most { $band } more
plan-simpler-on-paper = It has { $simpler } than the cheapest of { $offers } by limits alone ({ $cheapest }, bound { $bound }, { $next }) and costs at most { $band } more; the cheapest misses part of the demand in its simulation
plan-met-on-paper = { $met } by its limits, but not fully in its simulation
plan-cheapest-known = By its limits it is the cheapest known of { $offers }; none can be more than { $gap } cheaper (bound { $bound }, { $next })
plan-simpler-known = It has { $simpler } than the cheapest known of { $offers } by their limits ({ $cheapest }; none can be more than { $gap } cheaper than that: bound { $bound }, { $next }), for at most { $band } more
plan-met-if = { $met }, on a condition
plan-answer-offers =
    { $sizes } VM { $sizes ->
        [one] size
       *[other] sizes
    } × { $disks } { $disks ->
        [one] disk
       *[other] disks
    } with a price
plan-answer-offers-committed =
    { $sizes } VM { $sizes ->
        [one] size
       *[other] sizes
    } ({ $committed } at their price under `{ $commitment }`, { $without } without one at pay as you go) × { $disks } { $disks ->
        [one] disk
       *[other] disks
    } with a price
plan-simpler-disks = fewer disks
plan-simpler-vm = a newer VM
plan-surer = fewer conditions
plan-met-always = no limit is exceeded in any interval
plan-met-share = headroom is kept { $share } of the time
plan-met-percentile = p{ $percentile } met
plan-left-out = { $offer } is excluded, although `{ $key }` names it: { $why }
left-out-price = { $what }; to include it, { $give }, or import prices with `diskwright catalogue import`
left-out-limits = some of its limits are unknown
left-out-unknown = { $why }
left-out-local = it is not sold zone-redundant
other-series = another VM series
other-disks = other disks
relax-reads = reads of { $volume } within { $to } instead of { $from }
relax-writes = writes of { $volume } within { $to } instead of { $from }
relax-read-percentile = { $of } of reads of { $volume } within { $to } instead of { $from }
relax-write-percentile = { $of } of writes of { $volume } within { $to } instead of { $from }
relax-headroom = headroom of { $to } instead of { $from }
relax-capacity = capacity headroom of { $to } instead of { $from }
relax-disks = up to { $to } disks in a stripe instead of { $from } (`disks_max`)
relax-percentile = p{ $to } instead of p{ $from }
relax-horizon = VM sizes that retire within { $years } years allowed
relax-reservation = pay as you go instead of a reservation of { $term }
relax-savings-plan = pay as you go instead of a savings plan of { $term }
relax-zone = any zone instead of zone { $zone }
relax-arm = Arm CPUs allowed
relax-burstable = burstable VM sizes allowed
relax-kinds = { $kinds } for every volume
relax-confidential = confidential VM sizes allowed
relax-preview = VM sizes in preview allowed
relax-closed = VM sizes that new subscriptions cannot deploy allowed
relax-metal = bare-metal types allowed
relax-previous = types of previous generations allowed
relax-limited = VM sizes of limited capacity allowed
plan-next = next best { $monthly }
plan-next-none = no other VM size meets the demand
plan-infeasible = nothing on offer meets this demand: { $limits }{ $nearest }
plan-no-combination = none of the allowed disks and VM sizes go together: a host cache serves disks of at most 4,095 GiB, on a VM size that has one
plan-not-cacheable = { $volume }: a host cache serves disks of at most 4,095 GiB, and its disk has { $size }
plan-infeasible-nearest = . The nearest plan carries { $share } of the load
plan-infeasible-nearest-of = . The nearest plan carries { $share } of the load of { $volume }
plan-infeasible-otherwise = . The nearest plan carries the whole load and misses only { $limit }
plan-simulated = Simulated for { $time }: { $kept }{ $again }{ $cold }{ $beyond }.
plan-again = . Planned again because simulations fell short (times: { $times }): { $changes }
plan-again-of = { $volume } { $direction } latency is planned { $reserve } below its bound
plan-again-deeper = the { $direction } queue of { $volume } is { $more } deeper than estimated
plan-again-rates = { $reserve } more of every rate is left free
plan-again-in-vain = . Planning with more reserve did not help (plans simulated: { $times })
plan-keeps-all = serves { $share } of every rate within all required latencies
plan-keeps-nothing = the demand contains no I/O
plan-keeps-rates = serves { $share } of every rate
plan-misses = requirements missed: { $missed }
plan-misses-rate = { $volume } { $direction } requests get { $share } of { $promised }, throttled by { $limit }
plan-misses-depth = { $volume } { $direction } requests get { $share } of { $promised }, because their queue depth is too low
plan-misses-latency = { $of } { $volume } { $direction } latency is { $latency }; at most { $most } is required
plan-cold = . After a reboot the host cache is cold: { $volumes }
plan-cold-served = { $volume } reads get their full rate at once, at { $latency } on average in the first { $first }
plan-cold-full = { $volume } reads get { $share } of their rate in the first { $first }, at { $latency } on average, and all of it after { $after }
plan-cold-long = { $volume } reads get { $share } of their rate in the first { $first }, at { $latency } on average, and not all of it within { $within }
plan-beyond = . At { $factor } times today's load, { $named } throttles first, as planned
plan-beyond-other = . At { $factor } times today's load, { $first } throttles first, before { $named }
summary-met-if = met with a condition: { $condition }
summary-not-met = NOT MET: { $reason }
summary-machine = { $size } in { $place }: { $processors } vCPU, { $memory }, { $system }
summary-volume = { $volume }: { $disks }, { $monthly }
summary-volume-with = { $volume }: { $disks }, host cache { $cache }, { $monthly }
summary-volume-local = { $volume }: local disk
summary-more-volumes = more volumes: { $volumes }, their disks: { $disks }, { $monthly }
summary-price = { $monthly }/month: VM { $vm }, disks { $disks }{ $licences }
summary-price-nodes = { $all } per month for { $nodes } nodes, each { $monthly }: VM { $vm }, disks { $disks }{ $licences }
summary-shared = shared disks once { $monthly }
summary-licences = , licences by core { $monthly }
summary-pay-as-you-go = pay as you go
summary-committed = VM under `{ $commitment }`
summary-uncommitted = VM pay as you go: price under `{ $commitment }` unknown
summary-hours = VM runs { $hours } of { $all }
summary-list-prices = prices { $edition }
summary-disk-prices = disk prices { $edition }
summary-snapshots = snapshots { $monthly } beside it
summary-snapshots-unpriced = snapshots asked for, not priced: { $size }
summary-os-disk = OS disk { $disk } { $monthly } beside it, not in `cost_max`
summary-os-disk-unpriced = OS disk { $disk } asked for, not priced
summary-not-in = { $lines } costs unpriced
summary-limit = { $limit }: { $load } of { $capacity } used, { $left } left
summary-beyond = at { $factor } times today's load, { $limit } throttles first (simulated)
summary-throttles = throttles at { $factor } times today's load (simulated)
summary-cold = after a reboot { $volume } reads get { $share } of their rate in the first { $first }
summary-cautious = { $limit }: { $latency } if the disks are slow, at most { $most } required
summary-peak = { $limit }: the highest load of { $peak } exceeds its { $capacity }, so requests wait then
summary-peak-more = { $limit } and { $more ->
        [one] another limit
       *[other] { $more } more limits
    }: the highest load of { $peak } exceeds its { $capacity }, so requests wait then
summary-unprinted = the bottleneck is a limit that the page of { $size } does not print: { $rule }
summary-outgrown = too small from year { $year }
summary-cheaper = { $saves } less per month: { $condition }
summary-cheaper-each = { $saves } less per month and node: { $condition }
summary-nearest = carries { $share } of the load for { $monthly } per month: { $plan }
summary-nearest-nodes = carries { $share } of the load for { $all } per month for { $nodes } nodes ({ $monthly } each): { $plan }
decision-met = { $size } ({ $disks }) meets everything you asked for{ $years }
decision-met-if = { $size } ({ $disks }) meets everything you asked for{ $years }, on { $conditions ->
        [one] one condition
       *[other] { $conditions } conditions
    }
decision-not-met = { $size } ({ $disks }) does not meet everything you asked for
decision-years = , for { $years ->
        [one] one year
       *[other] { $years } years
    }
decision-disks = { $volume }: { $disks }
decision-disks-with = { $volume }: { $disks }, host cache { $cache }
decision-each = { $volume }: { $disks } each
decision-each-with = { $volume }: { $disks } each, host cache { $cache }
decision-local = { $volume }: local disk
today-reads = reads of { $volume } take { $then } on average; recorded were { $now }
today-writes = writes of { $volume } take { $then } on average; recorded were { $now }
check-rates = reads and writes
check-read-latency = { $volume }: { $of } read latency
check-write-latency = { $volume }: { $of } write latency
check-sync-latency = { $volume }: { $of } latency of a sync
check-kpi-reads = { $volume }: small reads without waiting (`{ $kpi }`)
check-kpi-writes = { $volume }: small writes without waiting (`{ $kpi }`)
check-headroom = room to the first limit
check-size = processors and memory
check-years = how long it lasts
check-purchase = commitment
check-reboot = { $volume }: reads after a reboot
check-reboot-all = reads after a reboot
check-recording = recording
asked-all = all of it
asked-share = { $share } of the time
asked-at-most = at most { $figure }
asked-latency = { $of } at most { $figure }
asked-at-least = at least { $figure }
asked-size = at least { $figures }
asked-years =
    { $years ->
        [one] one year
       *[other] { $years } years
    }
found-served = { $share } of { $rate }
found-within = { $share } of the time within every limit
found-figure = { $figure }
found-means = p99 of interval means { $figure }
found-latency = mean { $mean }, p99 { $p99 }
found-headroom = { $left } ({ $limit })
found-size = { $processors } vCPU, { $memory }
found-years =
    { $years ->
        [one] one year
       *[other] { $years } years
    }
found-years-all = 10 years or more
found-cold = { $latency } with { $share } of the rate for { $first }
found-cold-until = { $latency } with { $share } of the rate for { $first }, all of it after { $after }
found-recording = { $time } in intervals of { $interval }
shown-simulation = simulated for { $time } at the peak
shown-limits = limits checked: { $limits }, intervals: { $intervals }
shown-limit = { $limit }: { $load } of { $capacity }
shown-latency = published latencies, grade { $grade }
shown-catalogue = limits of edition { $edition }
shown-prices = prices of edition { $edition }
shown-growth = checked year by year
shown-cold = simulated, host cache empty
shown-audit = audited; findings: { $findings }
shown-nothing = not simulated
next-record = record a whole day with its backups and batch jobs, and plan again
next-size = say how many processors and how much memory the VM needs (`vcpu_min`, `memory_min`)
next-build = build it with the scripts of the plan
next-verify = run the plan's verification jobs on the VM before users move
cheaper-reserved = VM reserved for years: { $years }; pays off from month { $month }
cheaper-savings-plan = savings plan for years: { $years }; pays off from month { $month }
summary-next = `--full` shows designs, limits and assumptions; `diskwright provision` writes the scripts
summary-next-nothing = relax the conflicting requirements; `--full` shows the assumptions
verdict-met = all requirements are met
verdict-met-if = met with a condition: { $conditions }
verdict-not-met = not met: { $reasons }
verdict-nothing = nothing on offer meets the demand
verdict-credits = { $limit } relies on burst credits: without them it sustains { $sustained }; at the lowest point { $left } of the credits remain
verdict-over = { $limit } is exceeded { $share } of the time; at most { $asked } is allowed
verdict-full = { $limit } is exhausted
verdict-headroom = { $limit } has { $left } headroom; { $asked } is required
verdict-tail = the { $of } of { $volume } { $direction } latency is likely, not certain: no percentiles of this disk type have been measured (grade { $grade })
verdict-tail-limit = the { $of } of { $volume } { $direction } latency is likely, not certain: near a limit ({ $limit }), published runs had up to 8 times the modelled value
verdict-penalty = the disks are zone-redundant, and Azure does not publish how much that slows writes
verdict-no-processors = the recording does not show how many vCPUs the VM needs, so it may have too few: set `vcpu_min`
verdict-no-memory = the recording does not show how much memory the VM needs, so it may have too little: set `memory_min`
verdict-no-processors-nor-memory = the recording does not show how many vCPUs and how much memory the VM needs, so it may be too small: set `vcpu_min` and `memory_min`
verdict-unpriced = not priced: { $size } under `{ $commitment }`
verdict-years = too small from year { $year }; you asked for { $asked } { $asked ->
        [one] year
       *[other] years
    }
verdict-cold = the host cache is warm; after a reboot { $volumes }
verdict-cold-latency = { $volume } reads average { $latency } during the first { $first }; at most { $most } is required
verdict-cold-unknown = { $volume } reads were not simulated
verdict-reboot-share = { $volume }: { $share } of the reads are served during the first { $first } after a reboot; { $asked } is required
diff-nothing = nothing to change; { $cost }
diff-changes = to change: { $changes }; { $cost }
diff-costs-more = B costs { $more } per month more
diff-costs-less = B costs { $less } per month less
diff-costs-same = both cost the same
diff-costs-unknown = the price of one of them is unknown
diff-regions = A has the prices of { $a }, B those of { $b }: costs are not compared
diff-currencies = A is in { $a }, B in { $b }: costs are not compared
diff-region-option = `--region` sets the region of scenario files; plans contain theirs
diff-unpriced = { $side }: { $why }
diff-own-disk = { $side }: { $volume }: a custom { $disk } has no price
diff-burst-billed = { $side }: { $volume }: burst transactions are billed on top, by use
diff-operations-billed = { $side }: { $volume }: operations are billed on top, by use
diff-nodes = { $side }: { $nodes } nodes of it, as in the plan
diff-windows = { $side }: with a Windows licence, as in the plan
diff-licences = { $side }: with licences by core as in the plan, { $monthly } per month
diff-reserved = { $side }: its VM reserved for { $term }, as in the plan
diff-savings-plan = { $side }: its VM in a savings plan of { $term }, as in the plan
diff-uncommitted = { $side }: its VM pay as you go, because its price under `{ $commitment }` is unknown
diff-hours = { $side }: its VM paid for { $hours } per month, as in the plan
diff-zone-redundant = { $side }: with zone-redundant disks, as in the plan
diff-no-headroom = { $side }: no headroom: { $why }; `diskwright explain` shows it
diff-no-demand = without a plan, there is no demand
diff-cached-else = its volumes have different caching than the plan's, or other volumes are on the local disk
stripe-one-disk = requests of { $size } KiB stay on one disk each
stripe-nearly = requests of { $size } KiB stay on one disk each, except { $share } that span two
stripe-straddling = with 64 KiB, { $share } of the requests of { $size } KiB would span two disks; with 256 KiB, { $left } do
stripe-few-disks = requests of { $size } KiB are served by few disks at once
stripe-asked = you asked for { $unit }

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }: { $needed } needed, at most { $most } in one stripe
plan-latency = { $limit }: { $latency }, at most { $most } required
plan-needed = { $limit }: { $needed } needed{ $over }, { $available } available{ $usable }
plan-misses-by = misses by { $short } of { $available }{ $at }; { $needed }
plan-misses-at = {" "}at { $percent }
plan-needed-over = {" "}at most, { $intervals } of { $all } intervals above the usable part
plan-asked = { $limit }: { $needed } needed
plan-asked-at-most = { $limit }: at most { $most } required
plan-needed-headroom = {" "}(including headroom)
plan-needed-usable = {" "}({ $percent } % of it usable)
limit-exceeded-in =
    exceeded in { $intervals } { $intervals ->
        [one] interval
       *[other] intervals
    }
limit-headroom-used-in =
    into its headroom in { $intervals } { $intervals ->
        [one] interval
       *[other] intervals
    }
plan-costs-same = costs the same: { $plan }
plan-costs-less = costs { $less } less per month, but is less simple: { $plan } for { $monthly }
plan-costs-more = costs { $more } per month more: { $plan } for { $monthly }
plan-barred = { $reason }; it would cost { $monthly }
plan-no-premium = it does not support the disks that are needed (premium SSD or ultra)
plan-not-searched = not known: no plan was found on it, but the search ended before every way to attach the volumes was tried
plan-would-cost = it would cost { $monthly }
plan-none-meets = no disks there meet { $limit }, and other limits fail as well
plan-none-together = no disks there meet all of these together: { $limits }
plan-cost-max-too = monthly cost: your maximum is { $most }, but even without the other conflicts the cheapest plan costs { $cheapest }
plan-cost-max = monthly cost: your maximum is { $most }, but the cheapest plan that meets all other requirements costs { $cheapest }
plan-cost-licences = its licences by core alone cost { $licences }, more than your maximum of { $most }
plan-tried-wider = up to { $most } disks in each stripe were tried, because no plan was found with at most { $usual } (`disks_max`)
plan-tried-wider-budget = up to { $most } disks in each stripe were tried (`disks_max`): with at most { $usual } the cheapest plan costs { $monthly } ({ $plan })
plan-lists = allowed VM sizes: { $plan } would meet the demand for { $monthly }, but { $reason }
plan-lists-without = without `{ $key }` there is a plan: { $plan } for { $monthly }
plan-lists-too = allowed VM sizes: { $vm } could carry more, but { $reason }
plan-most-slots = { $limit }: the largest size supports { $most }

## plan and explain: the basis of the answer

price-asked = price of { $offers }: from the requirements
price = price of { $offers }: { $region } { $edition }, { $page } [{ $source }]
price-noted = price of { $offers }: { $region } { $edition }, { $page } [{ $source }]; { $note }
plan-reserved = the VM is reserved for { $term }, at the monthly price of that term; disks are pay-as-you-go
plan-reserved-with = the VM is reserved for { $term }, at the monthly price of that term, and so is { $disks }; other disks are pay-as-you-go
plan-savings-plan = the VM is in a savings plan of { $term }, at its price for every hour of that term; disks are pay-as-you-go
plan-commitment-ended = { $size } is priced as pay as you go: `{ $commitment }` has not been sold or renewed for it since { $since } (page of { $page })
plan-reserved-beyond = the reservation of { $size } ends in { $ends }, after the size retires on { $retires }
plan-uncommitted = { $size } is priced as pay as you go: its price under `{ $commitment }` in { $region } is unknown; import Azure's price list with `diskwright catalogue import`
plan-commitment-known = { $without } of the { $sizes } VM sizes on offer have no known price under `{ $commitment }` and count as pay as you go: with the commitment, one of them may cost less
plan-term-ends = the term of `{ $commitment }` ends in month { $ends }; months { $from } to { $until } are not priced
plan-commitment-dearer = under `{ $commitment }` a VM costs { $more } more per month than pay as you go for { $hours }
plan-hours = the VM runs { $hours } of the { $all } hours of a month and is billed for those; disks are billed for all hours, and their operations as if the VM always ran
plan-hours-committed = the VM runs { $hours } of the { $all } hours of a month; the commitment and the disks are billed for all of them
budget-met-with = `{ $assumption }` would meet the budget: { $plan } for { $monthly }
budget-met-with-licence = a Windows licence that you own would meet the budget: { $plan } for { $monthly }
bill-not-in = not included in this price
bill-os-disk = { $disk }, from `os_disk`
bill-snapshots = { $size } of snapshots: { $kept } kept, { $change } of all changes from one to the next
promise-one = SLA of one VM with disks of these kinds ({ $kinds }): { $share } of a month ({ $source })
promise-one-if = SLA of one VM with disks of these kinds ({ $kinds }), if its OS disk is no worse: { $share } of a month ({ $source })
promise-together = SLA of two or more VMs in { $place }: at least one is reachable { $share } of a month ({ $source })
promise-unknown = SLA of one VM with { $kind }: unknown, because none of the Azure pages read names this kind of disk
plan-zone = VM and disks are in zone { $zone } of { $region }; diskwright does not check whether that zone offers these disks
plan-zone-of-vm = the VM is in zone { $zone } of { $region }; its disks are zone-redundant, so they are in no single zone
plan-cautious = { $limit }: if the disks are as slow as the cautious setting assumes, it is { $latency }; at most { $most } is required (`latency = "cautious"` under [plan] plans for that)
plan-hits = { $volume }: { $share } of reads hit once the host cache is warm (estimated as one LRU shared by all cached volumes, in whose blocks only the parts used are valid)
plan-floor = { $volume }: at most { $share } of the reads count as hits, so that its disks meet the requirements for the time after a reboot (`after_reboot_share_min`, `after_reboot_latency_max`)
plan-local-disk = { $volume }: the local disk loses its data when the VM stops or moves
plan-uncached-shared = premium SSD v2 and ultra disks share one uncached limit with the other disks, the larger of the two published for the size: how they share is not published (`uncached_sharing = "separate"` under [plan] adds the two up)
plan-uncached-separate = the uncached limit of premium SSD v2 and ultra disks adds to that of the other disks (`uncached_sharing = "separate"`): how they share is not published
plan-no-hits = { $volume }: host-cache hits are not counted; give its `working_set`
plan-one-figure = each volume is sized for its { $percentile }th percentile: there is no time series
plan-per-dimension = every value is taken at its own { $percentile }th percentile, as if all peaked at the same time
plan-intervals = { $intervals } intervals of { $interval }; { $exceeding } of them may exceed a limit, all volumes together
plan-answer-rests = { $answer }. It relies on limits missing from the page of { $size }: { $figures }
plan-os-on-hdd = { $volume }: Azure retires standard HDDs as OS disks on { $date }
plan-no-cached-limit = the host cache of { $size } is not used, because no source gives its limits
plan-no-cached-limits =
    { $sizes } VM { $sizes ->
        [one] size has a host cache whose limits no source gives: it is planned
       *[other] sizes have a host cache whose limits no source gives: they are planned
    } without it
plan-answer-nodes = { $nodes } identical nodes for { $monthly } per month, each { $answer }
plan-answer-licences = { $answer }. Its cost per month includes { $licences } for licences by core; without them it is { $without }
plan-answer-uncommitted = { $answer }. The VM is priced as pay as you go: its price under `{ $commitment }` is unknown
plan-interpolated = { $volumes }: the { $percentile }th percentile is interpolated between the levels on either side, logarithmically in the share of time above it; a `p95` or a series replaces the estimate
plan-largest-instead = { $volumes }: there is no level between p99 and max, so the maximum is used as the { $percentile }th percentile
plan-growth = rates and CPU load of the requirements are multiplied by { $factor } (`growth`)
plan-growth-of = { $volume }: the load grows by { $load } per year, the capacity by { $held }
plan-comfort = rates, CPU load and memory in use of the requirements are multiplied by { $factor } (`comfort_factor`)
plan-filesystems = file systems take { $share } of every disk (`filesystem_overhead_percent`)
plan-cpu-speed = a vCPU of { $size } counts as { $factor } of one of { $recorded }: { $own } against { $other }, the least by the most (page of { $page }, grade { $grade }: a guideline, no measurement of your load); { $known } of { $all } sizes on offer have such a figure, the others count as alike (`cpu_recorded_on`)
plan-cpu-speed-unknown = no page that was read gives the speed of { $size } beside { $recorded }: their vCPUs count as alike; { $known } of { $all } sizes on offer have such a figure (`cpu_recorded_on`)
plan-cpu-speed-none = no page that was read gives the speed of { $recorded }: vCPUs of all sizes count as alike, and `cpu_recorded_on` changes nothing
plan-shared = { $volume }: its disks are bought once for all { $nodes } nodes (`shared`), for { $monthly } per month, of it { $mounts } for mounts; a node pays { $part } of it, and what all nodes ask together is what was asked of the volume; { $takes } (pages of { $limits } and { $billing }); at most { $most } VMs may share such a disk (page of { $page })
plan-nodes = { $nodes } identical nodes, each for the whole demand (`nodes`): amounts below the answer are per node, `cost_max` is for all together
plan-windows = the VM runs Windows (`os`): { $monthly } of its price per month is the licence, which Azure Hybrid Benefit saves if you own one
plan-windows-own = the VM runs Windows (`os`): its price is assumed to include the licence
plan-licences = licences by core: { $licences }; with them { $monthly } per month, without them { $without }
plan-licence = { $name } { $monthly } for { $cores } { $cores ->
        [one] core
       *[other] cores
    }
plan-licence-of = { $name } { $monthly } per node (licensed nodes: { $nodes }, cores of each: { $cores })
plan-constrained = { $size } is a constrained vCPU size: { $processors } active vCPUs, with the memory, the storage limits and the compute price of { $parent }; software licensed by core counts { $processors }
plan-recording = recording: { $what }; { $effect }
plan-bursting = burst credits count while they last; the series is run twice in a row
plan-no-burst-series = sustained limits only: without a series, it is unknown how long burst credits must last
plan-no-burst = sustained limits only: burst credits are not counted
plan-headroom = headroom: { $rates } of every rate (`headroom_percent`), { $capacity } of every disk's capacity (`capacity_headroom_percent`), { $processors } of the CPUs (`cpu_percent`); `memory_min` and `vcpu_min` get no headroom
plan-memory-free = memory headroom: { $free } stays free in addition to the memory in use (`memory_headroom`)
plan-memory-usual = memory headroom: { $free } stays free in addition to the memory in use{ $total } (`memory_headroom`)
plan-memory-today = {", "}and the machine's current { $total } is enough
plan-memory-database = memory headroom: none, because the volumes' roles are those of a database, which uses the memory it is given; `memory_headroom` leaves some free
plan-no-memory = the demand does not include memory, so any size may be chosen. Set `memory_min` under [plan], or `used` under [memory]
plan-no-processors = the demand does not include CPU, so any size may be chosen. Set `vcpu_min` under [plan], or `processors` and `busy_percent` under [cpu]
plan-operations = { $volume }: { $operations } operations per month at the mean rate are billed by use: { $monthly } per month, included
plan-operations-median = { $volume }: { $operations } operations per month are billed by use: { $monthly } per month, included. Without a series, the median rate is used as the mean
plan-burst-use = { $volume }: on-demand bursts are billed by use: { $monthly } per month if every month is like the series, included
plan-performance-plus = { $volume }: performance plus costs nothing and is set when a disk is created; an existing disk must be copied to a new one through a snapshot
plan-zone-redundant = disks are zone-redundant (`redundancy = "zone"`), which premium SSD and standard SSD support; their writes are slower than planned, by an unpublished amount
plan-disk-options = disk options besides the size: { $options } (`disk_options`)
plan-no-disk-options = standard disks only: no performance tier, performance plus or on-demand bursting (`disk_options`)
plan-no-hdd = standard HDD is offered for backups only (`standard_hdd`)
plan-on-request = { $kinds } are chosen for backups only, or where `disks` names them
plan-wide-stripes = no plan was found with at most { $usual } disks in each stripe: up to { $most } may be chosen (`disks_max`)
plan-wide-stripes-budget = with at most { $usual } disks in each stripe the cheapest plan costs { $monthly }, which is above `cost_max`: so up to { $most } may be chosen (`disks_max`)
plan-kpi = { $volume }: { $kpi } asks { $asks } ({ $sources }); its larger stream is the load, and latency is of disks without waiting (`kpi`)
plan-kpi-bounds = { $volume }: { $kpi } asks { $asks } ({ $sources }); the load is what the requirements say (`kpi`)
plan-kpi-unchecked = { $volume }: not checked of { $kpi }: { $unchecked }
plan-not-certified = { $product }: whether its vendor has certified { $size } is not checked
plan-indifference = of all plans that cost at most { $band } more than the cheapest, the simplest is chosen: the fewest disks, then the newest VM generation (`indifference_percent`)
plan-no-arm = no VM size with Arm CPUs (`arm`)
plan-no-burstable = no burstable VM size: its CPUs are throttled to a baseline once their credits are used up (`burstable`)
plan-no-confidential = no confidential VM size: it needs its own security type and image (`confidential`)
plan-no-preview = no VM size in preview (`preview`)
plan-no-closed = no VM size that new subscriptions cannot deploy: existing ones may, within their quota (`closed_to_new`)
plan-no-metal = no bare-metal type (`metal`)
plan-no-previous = no type of a previous generation (`previous_generation`)
plan-metal = { $size } is a whole host without a hypervisor
plan-previous = { $size } is of a previous generation: newer types give more for the money
plan-no-limited = no VM size whose capacity is limited (`capacity_limited`)
key-named-sizes = no allowed size needs it: it has no effect for the sizes in `vms`, or `edition` selects sizes from years ago
plan-horizon = no VM size that retires before { $date } (`horizon_years`)
plan-no-retirements = when types retire is in no data here: it is not checked
comparison-cheaper = { $first } costs { $less } ({ $share }) less per month than { $last }, by prices of { $oldest } to { $newest }
comparison-currencies = prices are in { $first } and in { $last }: nothing is compared
comparison-none = no plan that meets the demand at a known price: { $places }; nothing is compared with that
plan-arm = { $size } has Arm CPUs
plan-burstable = the CPU of { $size } relies on credits; its baseline is not in the catalogue
plan-confidential = { $size } is a confidential VM: it needs its own security type and image
plan-preview = { $size } is in preview (page of { $page })
plan-closed = { $size } has been closed to new subscriptions since { $since }; existing ones can deploy it within their quota, and more quota is not approved (page of { $page })
plan-limited = the capacity of { $size } is limited (page of { $page })
plan-disk-zones = { $disks }: sold in only { $zones } of the zones of { $region }, and no page says which: check yours before you deploy (page of { $page })
plan-disk-region = { $disks }: has a price in { $region }, but no page confirms that it is sold there: check before you deploy
plan-setting-needed = { $size } runs with `{ $setting }`, at no charge: its disks get { $given } for good instead of { $plain }, without which no plan on it meets the demand
plan-setting-cheaper = { $size } runs with `{ $setting }`, at no charge: its disks get { $given } for good instead of { $plain }, without which the plan would cost { $more } more per month
plan-setting-fewer = { $size } runs with `{ $setting }`, at no charge: its disks get { $given } for good instead of { $plain }, without which the plan would need more disks
plan-setting-unknown = { $size } runs with `{ $setting }`, at no charge: its disks get { $given } for good instead of { $plain }; not every plan without it was looked at, so whether it does without is unknown
plan-setting-network = `{ $setting }` takes { $loses } from the { $network } that the network of { $size } has for good, and the demand does not say how much the network needs: check before you deploy
plan-setting-network-unknown = `{ $setting }` takes { $loses } from the network of { $size }; neither how much it has for good nor how much is needed is known: check before you deploy
plan-vm-region = { $size }: the price is yours, and no page confirms that it is sold in { $region }: check before you deploy
plan-retires = { $size } retires on { $date }
plan-steady-memory = the load and the capacity grow, but the memory in use does not: raise `memory_min` if it will
plan-steady-capacity = the load grows, but the capacity and the memory in use do not: set `capacity_growth_percent_per_year` if the data grows, and raise `memory_min` if memory use does
plan-steady-load = the capacity grows, but the load does not: set `growth_percent_per_year` if it will
plan-no-os = no volume has the role `os`: the plan and its cost do not include the OS disk
plan-os-beside = OS disk { $disk } (`os_disk`) is a line of the rest of the bill: neither the cost of the plan nor `cost_max` includes it
plan-years =
    demand of { $years } { $years ->
        [one] year
       *[other] years
    } from now
stage-vm = the VM is resized to { $vm }
stage-set = { $volume }: each disk is set to { $disk }
stage-more =
    { $volume }: { $more ->
        [one] one more disk, { $disk } each
       *[other] { $more } more disks, { $disk } each
    }, and its stripe is rebuilt
stage-moved = { $volume }: its data is copied to { $disks }
stage-cache = { $volume }: its host cache is set to { $cache }
stage-takes = { $takes } (page of { $page })
stage-migration = migration: { $takes } (page of { $page })
stage-unknown = no page that was read says what all of this takes: it may need a migration
stage-in-place = the same disks, grown in place
stage-stay = no migration for { $more } more per month from month { $month }: { $plan }
stage-reserved = the reservation of { $size } ({ $term }) runs until the end of month { $month }: { $left } x { $monthly } = { $all } beside these prices
plan-service = { $name }: { $bought }, { $price }; { $access }. Its latency and the VM's network limits are unknown here (page of { $page })
plan-service-price = { $monthly } per month (price of { $date })
plan-service-unpriced = price unknown in { $region }
move-takes = { $what }: { $takes } (page of { $page })
plan-lasts =
    At the growth rate you gave, this plan { $years ->
        [0] meets the demand today, but not in 1 year
        [one] lasts 1 year, but not { $next }
       *[other] lasts { $years } years, but not { $next }
    }.
plan-latencies = latencies of volumes and designs are estimated means at the busiest load, including waiting at the limits of disks and VM. The search plans with the latencies listed among the limits; a simulation checks both
plan-reserve = the search keeps { $volume } { $direction } latency { $reserve } below the required bound, because cheaper plans were slower in simulation than estimated
plan-reserve-deeper = the { $direction } queue of { $volume } is planned { $more } deeper than estimated, because less was served in simulation
plan-reserve-rates = { $reserve } of every rate, after headroom, stays free as well, because less was served in simulation
mean-latencies = latencies are the models' means, without waiting at limits
plan-offers =
    { $sizes } VM { $sizes ->
        [one] size
       *[other] sizes
    } and { $disks } { $disks ->
        [one] disk
       *[other] disks
    } on offer; excluded: { $left_out }
offers-barred = { $offers } barred
offers-unpriced = { $offers } without a known price
offers-incomplete = { $offers } without complete limits
offers-local = { $offers } without zone redundancy
key-unused = `{ $key }` has no effect: { $why }
key-unused-of = { $volume }: `{ $key }` has no effect: { $why }
key-no-growth = neither the load nor the capacity grows
key-no-years = the plan does not cover a later year: set `years`
key-own-growth = each volume has its own growth, and the operating system has none
key-no-series = there is no series
key-no-processor-load = [cpu] has no `processors` with `busy_percent`
key-no-processors = [cpu] has no `processors`
key-no-busy = [cpu] has no `busy_percent`
key-no-memory = [memory] has no `used`
key-os-volume = a volume has the role `os`
key-no-snapshots = no snapshots are kept: set `snapshots_kept`
key-not-on-offer = { $offer } is not on offer by the meter `{ $meter }`
key-series-instead = { $volumes }: planned from the series; percentiles next to it are ignored
key-split-iops = `read_iops` and `write_iops` are known separately
key-split-throughput = `read_throughput` and `write_throughput` are known separately
key-series-knows = the series has the rates of both directions
key-no-requests = it has no { $requests }
key-no-cache = its `host_cache` is `None`
key-one-uncached = no VM of this plan has premium SSD v2 or ultra disks next to others
key-all-writes = `iops` does not separate reads from writes, so all count as writes
key-measured = { $volume }: { $keys } are measurements and do not affect a plan; require a latency with `read_latency_max` and `write_latency_max`
key-size-overruled = { $volume }: its { $requests } are planned with { $planned } each, from throughput and IOPS, not with { $written } (`{ $key }`)
key-one-disk = it has at most one disk
key-os-disk = an operating system starts from one disk
latency-given = latency of { $places }: from the scenario
latency-own = latency of { $places }: { $model }, your own model, grade { $grade }
latency-default = latency of { $places }: { $medium }, { $setting }, grade { $grade }, not measured on your disks: mean read { $read } ({ $read_else }), write { $write } ({ $write_else })
latency-else = { $setting } { $latency }, { $other } { $otherwise }
latency-of-miss = latency of { $places }: { $medium }, { $setting }, grade { $grade }, not measured on your disks: mean { $mean } ({ $mean_else })

## explain: the finding

explain-first-touch = first touch binds { $volume } until its data are there, and then the demand is met: it is from a snapshot, { $left } of it have not come yet, a block of { $block } takes { $time } when it is first used, and that gives { $gives } of { $asked }. { $remedy }
explain-first-touch-beside = { $volume } is from a snapshot, and { $left } of it have not come yet: a block of { $block } takes { $time } when it is first used. { $remedy }
explain-first-touch-comes = At its initialization rate all of it is there after { $after }: wait that long.
explain-first-touch-read = Read it once from front to back before it counts ({ $alone } with one request at a time).
explain-first-touch-buy = Read it once from front to back before it counts ({ $alone } with one request at a time), or buy an `initialization_rate`: all of it is there after { $slow } at { $least }, after { $fast } at { $most }; its price is not known here.
explain-carries = this configuration meets the demand{ $nearest }
explain-nearest = ; { $limit } comes nearest, at { $used }
explain-measured = { $shows }{ $advice }
explain-carries-measured = this configuration meets the demand; measured: { $shows }
explain-carries-else = this configuration meets the demand, and its limits did not bound the measurement: { $shows }
explain-cut-off = the recording was throttled at { $at }, so the true demand is higher than recorded{ $nearest }{ $advice }
cut-off-at = { $limit } ({ $iops }, { $throughput })
cut-off-elsewhere = { $iops }, { $throughput } of { $volume }
cut-off-said = a limit of its source ({ $what })
explain-cut-off-nearest = ; the recorded load comes closest to { $limit } ({ $used } used)
explain-fixed = { $limit }: { $asked } required, { $available } available{ $advice }
explain-fixed-latency = { $limit }: at most { $asked } required, { $expected } expected{ $advice }
explain-binds = { $limit } is the bottleneck{ $times }{ $gets }{ $others }{ $advice }
explain-times = {" "}in { $intervals } of { $all } intervals
explain-gets = : { $volume } needs { $asked } and gets { $gets } ({ $share })
explain-others = ; at other times { $limits }
explain-advice = ; the cheapest sufficient change: { $change }
explain-advice-in-place = ; the cheapest in-place change: { $change }
explain-advice-both = { $cheapest }{ $in_place }
explain-new-plan = No single change is enough. A new plan for this demand: { $plan } for { $monthly } per month (not simulated here; `diskwright plan` simulates it).
explain-new-plan-cheaper = A new plan costs { $saved } per month less than the cheapest sufficient change: { $plan } for { $monthly } per month (not simulated here; `diskwright plan` simulates it).

## explain: what a measurement shows

shows-limit = { $volume } did { $iops }, { $throughput }: { $limit } is reached ({ $used } of it){ $credits }
shows-limit-credits = ; it relies on burst credits, which last { $lasts } at this rate when full
shows-credits = { $volume } did { $iops }, { $throughput }: that exceeds the sustained rate of { $limit } and uses burst credits, which last { $lasts } when full
shows-cache = { $volume } did { $iops }, { $throughput }: its disks throttle it, and the host cache serves { $served }; { $why }
shows-cache-serves = about { $share } of reads
shows-cache-serves-none = hardly any reads
shows-cache-small = the data read is larger than the cache
shows-cache-cold = the cache is cold, or smaller than the data read: read the file once before measuring
shows-sync = { $volume } did { $iops }, { $throughput }: each write waits for its sync. A cycle takes { $cycle }, so { $per_s } per second{ $workers }. A higher queue depth would not help; a faster sync would (now { $sync } on average{ $p99 })
shows-sync-workers = , by { $workers } workers together
shows-sync-p99 = , { $p99 } at the 99th percentile
shows-depth = { $volume } did { $iops }, { $throughput }: the queue depth is too low: { $in_flight } requests in flight at { $latency } each yield { $most }{ $next }{ $idle }
shows-depth-next = ; { $needed } in flight reach the first limit, { $gives } of { $limit }
shows-depth-idle =
    ; { $disks ->
        [one] one disk of the stripe is idle
       *[other] { $disks } disks of the stripe are idle
    }
shows-slow = { $volume } did { $iops }, { $throughput }: no limit is reached, but a request takes { $latency } instead of the modelled { $model }: check the guest's CPUs, throttling elsewhere on the host, and burst credits used up earlier
shows-not-asked = { $volume } did { $iops }, { $throughput }: no limit is reached: the load is limited by its own settings
shows-unknown = { $volume } did { $iops }, { $throughput }: no limit is reached; without queue depth or latency, the cause cannot be determined

## explain: changes

change = { $what } ({ $cost }{ $needs }{ $gives_up }{ $simulated })
change-vm = { $new } instead of { $old }
change-disk = { $new } instead of { $old } for { $volume }
change-tier = performance tier { $new } for { $old } of { $volume }
change-rebuild = { $new } with { $bought } instead of { $old } for { $volume }
change-stripe = a stripe of { $count } x { $disk } instead of { $before } for { $volume }
change-stripe-unit = a stripe unit of { $new } instead of { $old } for { $volume }
change-provision = { $disks } bought with { $new } instead of { $old } for { $volume }
change-bought = { $capacity }, { $iops }, { $throughput }
change-bought-unknown = their current size
change-cache = host cache { $new } instead of { $old } for { $volume }
change-local = the VM's local disk instead of { $old } for { $volume }
change-ephemeral = an ephemeral OS disk instead of { $old } for { $volume }
change-in-flight = { $depth } requests in flight on { $volume }
change-free = at no cost
change-costs = { $monthly } per month
change-unpriced = price of { $offers } unknown in { $region }
needs-nothing = ; no interruption
needs-detach = ; the disk must be detached and reattached
needs-restart = ; the VM must be stopped and started
needs-migration = ; data must be moved
needs-unknown = ; no page that was read says what this takes
needs-processors = ; a new VM: Arm and x64 CPUs need different images
needs-security = ; a new VM: confidential sizes need their own security type and image
needs-nvme = ; a new VM, or converting the deallocated one: the disk controller changes from SCSI to NVMe, which needs a generation 2 image with NVMe drivers
needs-scsi = ; a new VM, or converting the deallocated one: the disk controller changes from NVMe to SCSI
needs-images = ; a new VM: the new size does not start images of the current generation
needs-local-disk = ; a new VM: Azure does not resize between sizes with and without a local disk
gives-up-durability = ; its data is lost when the VM is deallocated or moved
gives-up-host-cache = ; no host cache
gives-up-smaller = ; cannot be shrunk again
gives-up-network = ; its network has less bandwidth
proof-served = ; simulated
proof-falls-short = ; falls short in simulation
proof-none = ; not simulated

## explain: throttled recordings, missing inputs, assumptions

throttled-at = { $volume }: { $share } of the intervals are at { $iops }, { $throughput }: that is { $limit } of this configuration; the true demand is higher than recorded
throttled-elsewhere = { $volume }: { $share } of the intervals are at { $iops }, { $throughput }: a limit of the recorded machine, or of the load itself; the true demand is higher than recorded
missing-measurement = a measurement: `--measured FILE` with a result of fio, DiskSpd or Iometer tells a limit from a low queue depth
missing-demand = the demand over time: `--demand requirements.toml` (from `diskwright observe`)
missing-series = the demand over time: without a series in { $file }, neither burst credits nor a backlog can be followed
missing-depth = { $volume }: its queue depth or latency: measure with a tool that prints them
missing-working-set = { $volume }: its host-cache hit rate, so no hits are counted: set its `working_set` or `hit_curve` in { $file }
missing-prices = prices of this configuration in { $region }: import them with `diskwright catalogue import`
explain-one-figure = one figure per volume, its { $percentile }th percentile
explain-intervals = { $intervals } intervals of { $interval }; { $exceeding } of them may exceed a limit ({ $percentile } % of the time must be met)
explain-no-credits = limits count in full, without headroom; burst credits do not count, because a single value is required all the time
explain-credits = limits count in full, without headroom; burst credits are full at the start
explain-more = a change counts as enough if it leaves room for { $percent } % more than was measured
explain-else = a change keeps everything else, with at least as many vCPUs and as much memory
explain-tried = a change within every limit is simulated in the busiest interval that it must serve
explain-today =
    today's demand, without the growth of { $years } { $years ->
        [one] year
       *[other] years
    } that `plan` includes
explain-hits = { $volume }: { $share } of reads hit the host cache (estimated)
explain-hits-least = { $volume }: { $share } of reads hit the host cache (at least: its disks cannot have served them)
explain-write-back = { $volume }: data that a ReadWrite cache has not written back is lost if the host fails
habit-cached-writes = { $volume }: ReadOnly host cache on a volume with hardly any reads: writes do not benefit from it and fill it; set it to None
habit-write-back = { $volume }: ReadWrite host cache under data: what is not yet written back is lost if the host fails; use ReadOnly for data, None for logs
habit-one-in-flight = { $volume }: one request in flight on a stripe of { $disks } disks: only one disk works at a time; keep at least { $disks } in flight, or use one faster disk
habit-unequal = { $volume }: unequal disks in one stripe: each is used as if it were the slowest and smallest; use identical ones
habit-small-unit = { $volume }: a stripe unit of { $unit } splits a request into several I/Os, and each counts against the limits; use 64 KiB or more
habit-spinning = { $volume }: a hard disk ({ $disk }) takes several milliseconds per request and suits backups; use an SSD under a database
habit-os-disk = { $volume }: the load runs on the OS disk, and the system waits behind it; move it to a data disk, or on a stateless node use an ephemeral OS disk

## simulate: what throttles a volume

binding-idle = { $volume } was idle.
binding-write-back = Write-back throttles { $volume }: the host cache can hold no more dirty data, so writes are accepted only as fast as its { $disks } can take them. More or larger disks in the stripe would help.
binding-first-touch = First touches throttle { $volume }: data of its { $disks } that nobody has used since the snapshot are fetched when they are first asked for, and its I/Os spend { $waiting } of their time waiting for that. Read the volume once from front to back before it counts, or buy a rate of initialization.
binding-at-times = { $volume } reaches { $limit } in bursts: on average { $unused } of it is unused, but { $waiting } of the latency is waiting for it. Use `--series 1s` to see when.
binding-throttled = { $volume } is throttled by { $limit }{ $active }: { $available }. { $remedy }{ $next }
binding-active = {" "}while it is active ({ $active } of { $run })
binding-one-disk = its { $disks } gives { $available }
binding-disks = its { $disks } give { $available } together
binding-vm = { $vm } gives { $available } to { $behind }
binding-our-vm = the VM gives { $available } to { $behind }
behind-all = all its disks
behind-v2 = its premium SSD v2 and ultra disks
behind-others = its disks other than premium SSD v2 and ultra
behind-cache = everything its host cache and temp disk serve
behind-gate = everything behind its gate { $gate }
remedy-disks-or-cache = More or larger disks would help; so would a cache that holds more of the data read.
remedy-disks = More disks in the stripe, larger disks or a higher performance tier would help.
remedy-larger = More volumes in the stripe or larger ones would help.
remedy-bought = More of it bought for the same volume, or more volumes in the stripe, would help.
remedy-other-kind = A volume of this kind gives no more: more volumes in the stripe or another kind would help.
remedy-local = A VM size with more or faster local disks would help, or moving part of the load to remote disks.
remedy-uncached = A VM size with a higher { $gate } limit would help; more or larger disks would not.
remedy-cached = A VM size with a higher { $gate } limit would help, or moving part of the load to a volume without host caching.
binding-next-exhausted = {" "}The { $limit } ({ $available }) is exhausted as well.
binding-next-nearly = {" "}The { $limit } ({ $available }) is nearly exhausted as well.
binding-next = {" "}The next bottleneck is { $limit }: { $available }, { $left } left.
limit-of = { $limit } of { $place }
binding-rate = { $volume } is not throttled: its jobs are rate-limited and get their { $iops }.
binding-think = { $volume } is not throttled: its jobs pause (thinktime) and get { $iops }.
binding-depth = No limit throttles { $volume }; its queue depth does: { $depth } outstanding I/Os at { $latency } each yield { $iops }. More outstanding I/Os (iodepth, numjobs) would yield more.
binding-sync = No limit throttles { $volume }. Each write waits for its sync: a cycle takes { $cycle }, so { $per_s } per second{ $workers }. A higher queue depth (iodepth) would not help; a disk with faster syncs would.

## simulate: skipped steady state, or why none was skipped

by-kind-all = { $simulated } of { $all } I/Os were simulated: a sample of each of the { $steps } intervals of { $each }
by-kind = { $simulated } of { $all } I/Os were simulated: { $taken } of { $steps } intervals of { $each } by a sample, the others in full
by-kind-near = { $simulated } of { $all } I/Os were simulated: { $taken } of { $steps } intervals of { $each } by a sample, the others in full, { $near } of them at a limit or next to one
leapt = { $share } of the time is steady and was skipped: { $simulated } of { $all } I/Os were simulated. `--exact` simulates all of them, `--error 1%` reduces the error
leap-refused = every I/O was simulated, although the run is long: { $why }
leap-by-size = job { $job } ends after a size or number of I/Os, not after a time (`time_based=1` and `runtime`)
leap-verifies = job { $job } verifies its writes
leap-ends-when-steady = job { $job } ends when its rate is steady
leap-null-engine = job { $job } uses the null engine
leap-billed = on-demand bursting is billed by the second, and the series shows each of them
leap-first-touch = data of { $volume } are fetched when they are first used, and fewer of them as time goes on
leap-cache = the cache hits of job { $job } have no closed form: { $why }
leap-cache-sizes = its requests differ in size, are cut by the stripe, or share data with a job whose requests differ
leap-cache-partly = its requests do not fill whole blocks, or its file is partly warm
leap-cache-order = it reuses data in a specific order, not independently at random
leap-cache-write-back = its data does not fit the cache, where dirty data stays readable longer than clean data
leap-cache-trims = it trims
leap-cache-eviction = the cache does not evict the least recently used data
leap-unsteady = { $figure } of { $volume }, { $direction }, never became steady enough
leap-rate = the IOPS
leap-mean = the mean latency
leap-p99 = the 99th percentile
leap-tiers = the share of cache hits
leap-backlog = the data waiting for write-back
leap-cache-moves = what the host cache holds changes from interval to interval
leap-changes = the set of running jobs changes too often

## simulate: doubts

doubt-partial = stopped after { $after } of virtual time; results cover the time until then
doubt-nothing = no I/O was counted: is ramp_time longer than the work of the jobs?
doubt-job-ended = { $job } ended early: { $error }
doubt-cold-cache = { $volume }: { $hits } of reads hit the host cache, but the run lasted less than one pass over its files ({ $files } at this rate needs { $pass }; it ran { $ran }). Use a longer runtime, or `--start warm` if the cache is full in production
doubt-idle-disks = { $volume }: { $depth } requests outstanding on average cannot keep { $disks } disks busy; full throughput takes 8 to 16 per disk (queue depth of a stripe = queue depth per disk x disks)
doubt-varies = { $volume }: IOPS varies too much for a reliable average (± { $width }). Check for drift with `--series 1s`; run longer or use `--seeds 1..8` to narrow it
doubt-few = { $volume }: { $ios } I/Os are too few for a confidence interval or for p99.9; use a longer runtime
doubt-leap-error = { $figure } of { $volume }, { $direction }, is known to ± { $known }, and ± { $asked } was asked for: it changes while a cache fills. `--exact` simulates every I/O
doubt-credits-out-at = { $limit }: burst credits ran out after { $after }; from then on it gives { $sustained }. Averages cover both
doubt-credits-out = { $limit }: burst credits ran out during the run; without them it gives { $sustained }
doubt-on-credits = { $limit }: the run relies on burst credits ({ $spent } used); at this rate they last about { $lasts } in total, then the limit drops to { $sustained }
doubt-dirty = { $dirty } of dirty data was still in the host cache at the end, not yet written to disk
doubt-first-touch = { $volume }: { $share } of the I/Os waited for data that had to be fetched from the snapshot first. { $left } were still to be fetched at the end, so rates rise in a longer run.
doubt-first-touched = { $volume }: { $share } of the I/Os waited for data that had to be fetched from the snapshot first, the last of them { $until } after the start. Later rates are better than these averages.
doubt-guest-merges = { $volume }: { $limit } counts every request here. A guest whose I/O scheduler merges adjacent requests sends fewer and larger ones, which is not modelled: it may reach up to { $most } of this size. Compare `rrqm/s` or `wrqm/s` of iostat with the rate

## verify

verify-met =
    { $requirements ->
        [one] the only requirement is met
       *[other] all { $requirements } requirements are met
    }
verify-answer =
    of { $requirements } { $requirements ->
        [one] requirement
       *[other] requirements
    } { $met } { $met ->
        [one] is
       *[other] are
    } met, { $not_met } { $not_met ->
        [one] is
       *[other] are
    } not, { $not_proven } { $not_proven ->
        [one] is
       *[other] are
    } not proven
cause-no-figure = one of the two lacks this value
cause-agrees = as predicted
cause-less = { $limit } is lower here than in the model: { $rate }
cause-more = { $limit } is higher here than in the model: { $rate }
cause-noise = within the noise of the run, whose mean is known to { $error }
cause-doubt = the run is in doubt: { $doubt }
cause-medium = not throttled; bounded by disk latency (measured { $measured }, model { $model }). If they differ, `diskwright calibrate` can fit the model
cause-medium-only = not throttled; bounded by disk latency
cause-not-predicted = there is no prediction for it
cause-not-shown = no scenario shows it: `bench --suite checklist`

## calibrate: scenarios that are excluded

excluded-unfinished = it did not finish
excluded-mixed = it is not one stream: volumes or directions mix
excluded-throttled = throttled by { $limit }
excluded-no-percentiles = it has no percentiles, or those of several jobs, which cannot be combined
excluded-no-median = it has no median (p50), which the fit needs, only { $percentiles }
excluded-large = its requests are larger than a stripe unit and wait for the slowest disk
excluded-not-predicted = it has no prediction, because the result does not include its settings
excluded-waits-rate = it queues at a limit: at a lower rate its requests complete sooner
excluded-waits-depth = it queues at a limit: a lower queue depth gives nearly the same IOPS

## bench: warnings

warn-governor = the CPU governor is `{ $governor }`, so the frequency changes with the load. `cpupower frequency-set -g performance` fixes it
warn-load =
    the load average was { $load } on { $processors ->
        [one] one CPU
       *[other] { $processors } CPUs
    } before the start: other programs are running. Stop them, or wait
warn-no-direct = { $volume }: { $path } cannot bypass the page cache ({ $file_system } has no direct I/O), so this measures the memory of this machine. Use a disk filesystem or a device{ $size }
warn-no-direct-size = ; the file is { $file }, memory { $memory }
warn-this-file-system = this filesystem
warn-partial = stopped early; results cover the time until then
warn-client-cpu = a fio job used { $busy } of a CPU, so fio itself may limit the result. Use more jobs (`numjobs`)
warn-machine-cpu = all CPUs together were { $busy } busy, so the machine limited the result. Measure with fewer or larger requests, or on a larger machine
warn-others = other programs used { $busy } of all CPUs during the run. Stop them and measure again
warn-short = { $ran } is short: 30 s and more average out brief disturbances
warn-few = { $ios } I/Os are too few: run longer (`--runtime`)
warn-drift = the rate went from { $first } in the first third to { $last } in the last: burst credits, a filling cache, or other load. Run longer, or warm up longer
warn-page-cache = { $volume }: { $share } of { $path } is in the page cache; direct I/O bypasses it, yet cached data may be served or written back meanwhile. `sync; echo 1 > /proc/sys/vm/drop_caches` empties it
warn-emulator = the emulator: { $doubt }
warn-client-late = fio saw a 99th percentile of { $seen } for the { $direction }s of { $volume }, but the modelled disks gave { $given }: the client or this machine did not keep up
warn-file-size = the test files on cached volumes are { $files } together, and the host cache holds { $cache }: reads will miss. Give a smaller `--file-size`
warn-timeline = the emulation runs the rig's timeline; the prediction does not include it
warn-no-host-cache = no volume has a host cache: reads and writes share one budget of the VM
excluded-page-cache = it went through the page cache, which hides the disks: measure with `{ $option }`

## bench: what a curve shows

finding = { $curve }, { $from }: { $shows }
knee = the knee is at queue depth { $depth }: { $iops } at { $latency }; 95 % of the highest, { $most }, take depth { $near_depth } at { $near_latency }
crossover = throughput peaks at { $throughput } from { $size } up; IOPS peak at { $iops } below it
rise = latency stays within twice its lowest, { $lowest }, up to { $load } % of the load: { $iops } at { $latency }

## Results of benchmarks: caveats

result-last-of = the last of { $results } results; each counts from the start
result-cut-short = the JSON ends before it is closed: anything after the last complete result is ignored
result-damaged = is not valid JSON: { $reason } near `{ $near }`: anything after the last complete result is ignored
result-more-lines =
    { $lines } more { $lines ->
        [one] line
       *[other] lines
    } next to the JSON
result-stopped = the simulation was stopped before its jobs ended
result-no-job = it contains no job: fio ended before any started
result-job-error = job `{ $job }` ended with error { $error }
result-no-time = { $direction }: fio gives no time for { $ios } I/Os, so no rate
result-not-steady = the requested steady state was not reached
result-failed =
    { $ios } { $ios ->
        [one] I/O
       *[other] I/Os
    } of `{ $name }` failed

result-note = { $place }: { $note }
result-chosen = { $file }: { $tests } tests ran one after another; the one{ $test }, with the most I/Os per second, is explained
result-chosen-test = {" "}of `{ $name }`, line { $line }

## bench: how it differs from the published procedure, and why a scenario failed

scaled = test files of { $files } instead of { $published }
scaled-time = { $time } per scenario instead of { $published }
scaled-both = { $files }, { $time }
warn-swapped = the guide's table of Iometer results swaps the access specifications (RandomWrites_8K next to reads, RandomReads_8K next to writes); here reads are the reads of an access specification
fio-start = cannot run fio: { $reason }
fio-killed = fio was killed by signal { $signal }{ $said }
fio-full = the disk is full: fio could not write all of its file{ $said }
fio-gone = the target disappeared or failed while fio was using it{ $said }
fio-vanished = the target disappeared: { $what }
seen-gone = { $path } is gone
seen-other = { $path } was replaced
seen-folder-gone = the directory of { $path } is gone
seen-folder-other = the directory of { $path } was replaced: something was mounted or unmounted
fio-failed = fio failed with exit code { $code }{ $said }
fio-stopped = stopped
fio-said = : { $said }

## observe: doubts about a recording; the observation, its effect on a plan, the remedy

effect-none = none
audit-few = { $samples } samples: with fewer than 100, the p99 is the largest one
audit-too-few = { $samples } samples are too few for a reliable p99: the true value may be above the highest one seen; 459 would be enough
audit-too-few-effect = the p99 is uncertain: see the confidence intervals
audit-too-few-hint = record { $time } or more at this interval
audit-coarse = samples are { $interval } averages, so shorter peaks are invisible{ $measured }
audit-coarse-measured = : averaging five of them together already lowers the p99 by { $lower }
audit-coarse-effect = p99 and maximum are too low
audit-coarse-hint = record at 1 or 2 s for the peak hours
audit-means = the mean over all I/Os is { $mean }; the mean of interval means would be { $of_means }
audit-means-effect = none: the mean over all I/Os is used
audit-merges = { $share } of the application's requests were merged into others
audit-merges-effect = IOPS count requests that reached the device; without merging (another scheduler, O_DIRECT) there would be more
audit-plateau = { $volume }: { $share } of the time within 2 % of the largest { $quantity }, { $latency }
audit-plateau-slower = at { $latency } against { $otherwise } otherwise
audit-plateau-at = at { $latency }
audit-plateau-unknown = with unknown latencies
audit-plateau-effect = the source was at a limit of its own: the demand is at least this high
audit-plateau-hint = plan with headroom, or observe on faster disks
audit-closed = { $latency } per request with { $depth } outstanding: the application waited for its disks
audit-closed-effect = with disks of 1 ms, the same { $depth } outstanding requests would reach up to { $iops }, if the application does nothing else between requests
audit-closed-hint = plan for more than the recording shows, or observe again on the new disks
audit-memory = reads served from memory ({ $memory }) are not included
audit-memory-unknown = reads served from memory are not included, and the machine's memory is unknown
audit-memory-effect = a VM with less memory reads more from its disks
audit-memory-hint = add the output of vmstat or sadf -r, or give `--memory-total 64GiB`
audit-batch = { $share } of the intervals move requests of 256 KiB and more, first at { $first }; p99 throughput { $with } with them, { $without } without
audit-batch-effect = if this is a backup or a consistency check, it determines the disk size
audit-batch-hint = give it its own window, or exclude it: `--window exclude=...`
audit-short = { $length } recorded{ $times }: too short to plan from
audit-hours = { $length } recorded{ $times }: nothing is known about the other hours of the day
audit-hours-times = , { $from } to { $to }
audit-hours-effect = a plan covers only the load of these hours; if the peak is outside them, it is too small
audit-hours-hint = record at least a whole day that includes the peak of the week or month
audit-processors-busy = the CPUs were { $busy } busy or more in { $share } of the samples
audit-processors-busy-effect = the CPU limited the demand on the disks: with more CPUs it would be higher
audit-processors-busy-hint = plan with a margin (`comfort_factor` in requirements.toml) and with more vCPUs than today (`vcpu_min`)
audit-one-volume = { $volume } serves nearly all requests, { $reads } of them reads, and its writes are { $size } on average: if this is a database, data and log may share the volume
audit-one-volume-effect = one volume is planned for both: it cannot have a host cache for the data without having it for the log
audit-one-volume-hint = record the two separately where possible, or split the volume in requirements.toml, with `role = "log"` for the log
audit-idle = IOPS are below 5 % of the peak for { $share } of the time: the p99 is { $all } overall and { $busy } in the busy time only
audit-idle-effect = a plan for the overall p99 may be too small for the busy time
audit-idle-peak = use the peak's window
audit-idle-split = split it: `--window load`
audit-disagree = { $device }: { $one } reports { $says }, { $other } reports { $but }
audit-disagree-effect = the values of { $tool } are used
audit-disagree-hint = check for different recording times, merged requests, or a cache between the two
audit-agree = { $device }: { $one } reports { $says }, { $other } reports { $but }: they agree within 5 %
audit-locale = numbers have a decimal comma and were read accordingly
audit-locale-effect = none, if the magnitudes look right
audit-locale-hint = record with `LC_ALL=C S_TIME_FORMAT=ISO`
audit-folded = more samples than are kept: percentiles still cover all of them, exactly
audit-folded-within = more samples than are kept: percentiles still cover all of them, within { $step } of a sample
audit-folded-effect =
    none; plots and the demand over time have a point for { $intervals ->
        [one] each interval
       *[other] { $intervals } intervals
    }
audit-damaged =
    { $lines } { $lines ->
        [one] line was
       *[other] lines were
    } not understood and ignored
audit-damaged-effect = intervals may be missing
audit-damaged-hint = `--strict` fails on them; the first are shown above
rate-untimed = the requests are listed without times
rate-instant = all requests have the same time: a rate needs a duration
rate-short = the trace lasts { $length }: a rate needs a tenth of an interval of { $interval }
rate-effect = requests, throughput and queue depth are unknown; sizes, shares and randomness are known
rate-untimed-hint = a trace or log with times (fio writes them in iologs of version 3)
rate-instant-hint = a trace of more than one instant
rate-short-hint = a longer trace, or a shorter interval: `--every 1ms`
audit-wide = the trace is too long for intervals of { $asked }: they are { $interval } long
audit-wide-effect = shorter peaks are invisible
audit-wide-hint = cut the trace to the hours that matter
audit-since-boot =
    { $lines } { $lines ->
        [one] line
       *[other] lines
    } of first reports ignored: { $example }
audit-since-boot-effect = none: otherwise an average since boot would count as one interval
audit-since-boot-hint = if the tool ran with -y, give `--keep-first`
audit-one-direction = { $figure }: the recording has none, though it has { $other }
audit-one-direction-effect = totals, shares and means need both directions, so they are unknown
audit-one-direction-hint = record both directions
used-disks = disks
used-compared = compared
used-cpu = CPU
used-memory = memory
used-transactions = transactions
used-pattern = random and sequential
used-nothing = nothing
used-also = { $uses }, { $also }
audit-missing = { $figure }: { $devices }
audit-missing-all = { $device } has none
audit-missing-some = { $device } lacks it in { $lacking } of { $all } intervals
audit-missing-more =
    { $devices } more { $devices ->
        [one] device
       *[other] devices
    }
audit-missing-effect = missing, not zero: sums and means that need it exclude those intervals
audit-missing-hint = record it too; or choose the devices that have it: `--volume NAME=DEVICES`
audit-times =
    { $what }, { $times } { $times ->
        [one] time
       *[other] times
    }{ $example }
audit-example = {" "}({ $example })
audit-reset = counters went back
audit-reset-effect = the intervals around it are excluded
audit-restart = the machine or the recording restarted
audit-restart-effect = no interval spans it
audit-impossible = impossible values were ignored
audit-impossible-effect = they come from a driver bug or a counter reset
audit-processors = the number of CPUs changed
audit-processors-effect = CPU percentages before and after are not comparable
audit-came-went = { $devices }: { $counted }
audit-came = { $devices } appeared later
audit-went = { $devices } disappeared
audit-holes =
    { $lines } { $lines ->
        [one] line of a device is
       *[other] lines of a device are
    } missing between others
audit-counted-idle = counted as idle then
audit-counted-hole = counted as { $word } then{ $but }
audit-counted-both = counted as idle before and after, as { $word } between{ $but }
audit-counted-but = , { $lines } of them as unknown: a line was not understood there
audit-idle-word = idle
audit-unknown-word = unknown
audit-came-went-effect = percentiles of such a device cover the time it was present; sums exclude unknown intervals
audit-came-went-hint = observe again with all devices attached
audit-idle-left-out =
    { $lines } { $lines ->
        [one] line of an idle device is
       *[other] lines of idle devices are
    } not in the recording (`-z`): counted as idle{ $but }
audit-idle-left-out-effect = none; a device that was attached later counts as idle until then
audit-assumed = the file does not give its interval: one second is assumed
audit-assumed-effect = rates are right; the intervals and the length of the recording may not be
audit-inferred = the interval, { $interval }, is inferred from the decimals of the rates
audit-inferred-effect = none, if it is right
audit-interval-hint = give it, for example `--every 2s`; `iostat -t` records it
audit-peaks = samples are peaks of shorter intervals, without averages
audit-peaks-effect = percentiles of peaks are up to a third too high
audit-peaks-too = samples that are peaks of shorter intervals appear next to averages and are ignored
audit-peaks-hint = export averages
audit-spans =
    { $intervals } { $intervals ->
        [one] interval is
       *[other] intervals are
    } far from the usual { $usual }: { $example }
audit-spans-effect = percentiles weigh each by its length; long ones hide their peaks
audit-coarsened = { $device } is recorded every { $over }, other figures every { $finer }: all are averaged over { $over }
audit-coarsened-effect = totals stay as they are; peaks shorter than { $over } are not seen
audit-coarsened-hint = record all at one interval, finer than { $over }; or each volume on its own
audit-utilisation = %util is the share of time with at least one request, so it was not used
audit-utilisation-effect = none: a disk that serves several requests at once is not full at 100 %
audit-tick = the kernel ({ $kernel }) samples %util once per tick
audit-over =
    %util exceeds 100 % in { $lines } { $lines ->
        [one] line
       *[other] lines
    } ({ $example })
audit-unused-effect = none: it was not used
audit-service = svctm is computed from %util and is meaningless, so it was ignored
audit-depth = the printed queue length is wrong in { $lines } of { $all } lines{ $fault }: { $example }
audit-depth-fault = {" "}(a bug of Linux 5.0 to 5.6)
audit-depth-effect = none: queue depth is rate x latency
audit-depth-hint = do not use aqu-sz of this recording elsewhere
audit-latency-alone =
    { $lines } { $lines ->
        [one] line has
       *[other] lines have
    } latencies without requests/s
audit-latency-alone-effect = mean latency and queue depth are unknown: they are weighted by requests
audit-latency-alone-hint = record requests as well, for example with `dstat --io --disk-wait` or `iostat -x`
audit-discards =
    requests/s include discards in { $lines } { $lines ->
        [one] line
       *[other] lines
    }
audit-discards-effect = IOPS are too high by the discards
audit-discards-hint = iostat -x counts them separately
audit-only-discards =
    { $lines } { $lines ->
        [one] line has
       *[other] lines have
    } discards
audit-flushes =
    { $lines } { $lines ->
        [one] line has
       *[other] lines have
    } flushes, { $discards } { $discards ->
        [one] has
       *[other] have
    } discards
audit-flushes-effect = they are rows of their own; writes of a log wait for flushes
audit-dataless = up to { $share } of the writes that the kernel counts are flushes without data
audit-dataless-effect = write IOPS may be too high by as much, and writes larger than they seem
audit-dataless-hint = record with `observe --trace`, which tells them apart
audit-dataless-traced = { $share } of the writes that the kernel counted are flushes without data, according to the trace
audit-dataless-traced-effect = none: they are not part of write IOPS here
audit-implausible =
    { $lines } { $lines ->
        [one] line has
       *[other] lines have
    } values that no disk can have: { $example }
audit-implausible-effect = a value is damaged, or its column's unit differs from its name; a plan based on it is equally wrong
audit-units = throughput, rate and size disagree in { $figures } of { $all } values: { $example }
audit-units-effect = throughput or I/O size may be off by 2.4 % (kB for KiB) or 4.9 % (MB for MiB)
audit-units-factor = throughput, and each I/O size derived from it, may be { $factor } times too high: a column's unit differs from its name
audit-units-factor-less = throughput, and each I/O size derived from it, may be { $factor } times too low: a column's unit differs from its name
audit-units-hint = check the tool's units
audit-twice = not counted: { $devices }{ $more }
audit-twice-more = , and { $devices } more
audit-twice-is = { $device } is { $why }
audit-twice-effect = none if this is right: otherwise their I/O would count twice
audit-twice-hint = choose with `--volume data=sdb,sdc`
audit-layers = { $above } and { $below } are counted together, although one may be part of the other
audit-layers-effect = the sum of all volumes may be too high
audit-layers-hint = choose with `--volume NAME=DEVICES`
audit-counted = counted: { $devices }
audit-counted-effect = if it is part of the others, its I/O is counted twice
audit-counted-hint = if so, exclude it: `--volume exclude={ $device }`
audit-not-counted = not counted: { $devices }
audit-not-counted-effect = if it is a separate disk, its I/O is missing
audit-not-counted-hint = if so, include it: `--volume NAME={ $device }`, and a `--volume` for each of the others
audit-device = { $device }: { $why }
audit-more = { $devices } more
audit-consumed = { $limit } was at 95 % or more in { $readings } of { $all } samples, { $most } at most
audit-consumed-effect = the demand is higher than recorded: the values are lower bounds
audit-consumed-hint = plan with headroom, or observe on larger disks
audit-credits-effect = the burst credits were used up: from then on the recording shows the limit, not the demand
audit-credits-hint = plan for the demand without bursts, or observe on larger disks
audit-credits-some = { $metric } rose to { $most }
audit-credits-some-effect = part of the load ran on burst credits, which are not always available
audit-zones = some files have local times without a zone, others have zones: not joined
audit-local-times = times are local, without a zone: windows follow that clock
audit-zone-effect = one hour counts twice or not at all when the clocks change
audit-zone-hint = give `--utc-offset +02:00`
audit-unjoined =
    { $sources } { $sources ->
        [one] source has
       *[other] sources have
    } no time in common with the disks: their values are not joined
audit-unjoined-effect = windows exclude samples that cannot be placed in time
audit-unjoined-hint = record with times: `iostat -t`, `vmstat -t`
audit-silence =
    no device received a request for { $time } in { $stretches } { $stretches ->
        [one] stretch
       *[other] stretches
    } of more than { $longer } min ({ $example })
audit-silence-effect = treated as not traced: if it was idle, the overall percentiles would be lower
audit-silence-hint = check the timestamp of that line: a damaged one causes such a gap
audit-gaps =
    { $time } are missing in { $gaps } { $gaps ->
        [one] gap
       *[other] gaps
    } ({ $example })
audit-gaps-effect = nothing is spread over them; percentiles cover the recorded time
audit-late =
    { $readings } { $readings ->
        [one] sample
       *[other] samples
    } arrived after later ones that were already aggregated
audit-late-effect = they count, but samples of the same time count twice, and windows start with the first file
audit-late-hint = cut files where their times overlap, and give each once
audit-back =
    time goes back { $times } { $times ->
        [one] time
       *[other] times
    } ({ $example })
audit-back-effect = samples are sorted; two of the same time count once
audit-back-hint = give files in any order, each once
audit-repeated =
    { $readings } { $readings ->
        [one] sample
       *[other] samples
    } of a time that already had one: the first was kept
audit-repeated-effect = half of the repeated autumn hour is lost
audit-repeated-hint = record in UTC

## emulate: whether a run is reliable, and why not

trust-open =
    { $completions ->
        [0] nothing completed yet: too little to judge this machine
        [one] { $completions } completion: too few to judge this machine
       *[other] { $completions } completions: too few to judge this machine
    }
trust-kept = this machine keeps up: { $share } of { $completions } completions late by more than 50 µs and a tenth of their latency; 99th percentile { $seen } as clients see it, { $modelled } in the model
trust-doubted = UNRELIABLE RUN: { $share } of { $completions } completions late by more than 50 µs and a tenth of their latency; 99th percentile { $seen } as clients see it, { $modelled } in the model
late-tail = clients saw a 99th percentile of { $seen }, but the modelled disks gave { $modelled }; this machine is too busy or too slow for these disks
late-many = { $share } of completions came later than 50 µs and a tenth of their latency: half of all by { $half } or more, one in a hundred by { $hundredth }; this machine is too busy or too slow for these disks
late-host = for { $share } of requests this machine's own disk was slower than the modelled one: keep the data in memory or on a faster disk

## observe: why a device is counted or not

device-excluded = excluded
device-not-named = not named by --volume
device-member = a member of { $volume }, which is counted
device-part = a partition of { $disk }, which is counted
device-part-of-layer = a partition of { $disk }, whose I/O it is part of
device-layer = 
    { $kind ->
        [logical-volume] a logical volume
        [mapped-device] a mapped device
        [multipath] a multipath device
        [volume] a volume
        [array] an array
        [vxvm-volume] a VxVM volume
        [cache] a cache
        [zfs-volume] a ZFS volume
        [mirror] a mirrored device
        [encrypted] an encrypted device
        [docker] a Docker device
       *[other] { $kind }
    }: its I/O is that of the disks below it, which are counted
device-loop = its I/O is that of the disk its file is on
device-path = one path to { $device }, which is counted
device-sum = a sum of the others
device-in-sum = its I/O is in { $sum }, which is counted
device-twin = it moves the same bytes as { $twin }, which is counted
device-twin-of = it moves the same bytes as { $disks }, which are counted
device-unnamed = its name does not show whether it is part of { $disks }
device-beyond = { $share } of its I/O exceeds that of { $disks } at the same time: it is not part of them
device-named-layer = its name indicates that it is part of { $disks }, but { $share } of its I/O exceeds theirs
device-own = its name is no help, and { $share } of its I/O exceeds that of { $disks }: treated as a separate disk
device-follows = its I/O rises and falls with that of { $disks }, and is never more
device-too-little = its name is no help, and there is too little data to tell whether it is part of { $disks }
device-apart = its name is no help, and its I/O does not rise and fall with that of { $disks }
device-disks = { $disks }
device-disks-more = { $disks } and { $more } more

## observe: pitfalls in a few words

pitfall-since-boot = since-boot report
pitfall-reset = counters were reset, or are impossible
pitfall-coarse = intervals that hide peaks
pitfall-latency-means = latency means need weights
pitfall-utilisation = utilisation is not load
pitfall-service-time = service time is meaningless
pitfall-utilisation-inflated = utilisation is inflated
pitfall-queue-field = printed queue length is wrong
pitfall-units-mixed = units do not agree
pitfall-double-counting = the same I/O in several devices
pitfall-merges-count = requests were merged
pitfall-throttled = the source was at its limit
pitfall-closed-loop = slow disks limit the demand
pitfall-page-cache = the page cache served reads
pitfall-batch = large sequential work in the recording
pitfall-zone = times without a zone
pitfall-gap = time is missing
pitfall-locale = decimal commas
pitfall-idle = idle time dilutes percentiles
pitfall-flush-discard = flushes and discards
pitfall-too-few = too few intervals
pitfall-disagree = two tools disagree
pitfall-damaged-lines = damaged lines
pitfall-folded = more samples than are kept
pitfall-missing = missing values
pitfall-hours = hours of the day are missing
pitfall-processors = CPUs were the bottleneck
pitfall-data-and-log = data and log on one volume
pitfall-interval-unknown = the interval is not in the file

## Scenarios: notes of their reader

rig-uncached-shared = premium SSD v2 and ultra disks are assumed to share one uncached limit with the other disks, the larger of the two; how they share is not published; `uncached_sharing = "separate"` under [vm] adds the two up
rig-uncached-separate = the uncached limit of premium SSD v2 and ultra disks is assumed to add to that of the other disks (`uncached_sharing = "separate"`); how they share is not published
rig-unknown-limits = the { $key } limits of { $size } are unknown (edition { $edition }) and count as unlimited: set `gates.{ $key } = {"{"} iops = ..., throughput = ... {"}"}` under [vm]
rig-derived = { $size }: { $field }: { $rule }
rig-from-snapshot = { $volume } is from a snapshot: a block of { $block } that is not there yet takes { $time } when it is first used, after measurements of single threads. Simulation, emulation, `explain` and estimates count that; plans take all data to be there.
rig-remark = { $size }: { $remark }
rig-unequal = { $volume } stripes unequal disks: as with mdadm's RAID-0 all share the first part, and only the larger ones the rest
rig-local-disks = { $volume } stripes { $disks } local disks of { $size }, each with its share of the published limits, which are for all together
rig-local-reads = { $volume }: only read limits are published for the local disks of { $size }; writes are usually slower
rig-local-apart = { $volume }: local disk limits are published separately for reads and writes; a mix is assumed to get at most the higher one in total, and each direction at most its own
rig-busiest = the busiest { $span } of the { $whole } recording were simulated
rig-null-engine = { $jobs } of { $all } jobs run ioengine=null, which completes requests without a disk: they appear only in fio's JSON, not under a volume
job-warning = { $place }: `{ $option }` { $what }
job-byte-order-mark = is a byte-order mark: fio takes it for an option and stops there; here it is skipped
job-only-global = is the only section: fio starts no job for it; here it is run as one
job-only-global-unused = is the only section: fio starts no job for it, and other files and `--name` do not get its options
job-not-a-range = is not a range: fio takes the first value for reads and the second for writes and trims
job-thousands = is { $reads } for reads and { $writes } for writes and trims: to fio a comma does not group digits
job-not-sectors = is not a multiple of 512, the size of a sector: with direct=1 a disk refuses such a request
job-profile-option = belongs to a built-in profile of fio, which accepts it anywhere and does nothing with it
job-blank-value = has a space after `=`, and is read as fio reads it
job-reversed-unit = counts in thousands: to fio `{ $word }` is decimal and `{ $short }` is binary, unless kb_base=1000 is set
job-overridden = wins over `{ $earlier }` of the command line, whose options are defaults, as in fio
job-further-file = is not the first job file: fio applies command-line options to the first one only
job-further-file-section = is not the first job file: fio applies --section and other options to the first one only
job-left-out = is skipped: { $why }; its duration is not modelled
job-processor-only = it uses CPU time and does no I/O
job-names-only = it works on the names and sizes of files and moves none of their data
job-split-range = has a range, of which fio uses only the first size
job-split-sum = has percentages that do not add up to 100; fio issues { $issued }
job-exit-all = enables it: fio ignores the value
job-file-size-open = gives no file size: fio uses that of the existing file, and fails without one; here it is { $size }, the rest of volume `{ $volume }`
job-working-folder = names no location for `{ $path }`: fio uses its working directory; here it is on volume `{ $volume }`
job-beyond-volume = exceeds the rest of volume `{ $volume }` ({ $left }); fio stays within the device
job-buffered-engine = works through the guest's page cache
job-buffered = goes through the guest's page cache in fio, because direct=1 is not set
job-buffered-durable = { $how }: here each write is followed by its own flush and completes with it, and reads are direct I/O; the file system's journal is not modelled
job-buffered-fsync = { $how }: here each write goes out at once, and an fsync waits for the writes before it and then flushes; merged adjacent writes and the file system's journal are not modelled
job-buffered-mmap = { $how }, which is not modelled; the result is for direct I/O, one request at a time
job-buffered-plain = { $how }; the page cache is not modelled; the result is for direct I/O
job-synchronous = has no effect: `ioengine={ $engine }` runs one request at a time
job-polling = makes fio wait for a completion after each request: one is in flight, not { $depth }
job-verifies-nothing = verifies nothing: the writes take the whole run time, as in fio
job-no-steady-state = has no effect without steadystate_duration: fio does not look for a steady state
job-flow-below-zero = is below zero, which fio before 3.0 asked for; fio 3.33 takes it for a number without a sign
job-time-based = has no effect without `runtime`: the job ends when its size is done
job-rate-overrides-mix = applies to reads and writes separately: if the disks keep up, { $percent } % of the I/Os are reads, despite rwmixread={ $said }
job-map-off = disables the random map: blocks may repeat, and others may never be used
job-open-files = is not modelled: all { $files } files are kept open
job-stats = is not modelled: the job appears in the result
job-directions-apart = is not modelled: directions are reported separately
job-no-place = names no location: it would be in the working directory; here it is on volume `{ $volume }`
job-size-unsaid = is a file without a size; here it has { $size }, the rest of volume `{ $volume }`
job-network-worker = is a network worker, which is skipped
job-repeats = runs { $runs } times for { $each } s, { $all } s in total
job-no-latency-switch = is without -L: DiskSpd would report no latency; here it is reported
job-burst-beside-rate = has no effect next to -g: DiskSpd uses only the rate
job-rate-of-threads = is bytes per millisecond for each thread on each target: { $rate }, { $iops } of { $size }
job-rate-overflows = overflows: DiskSpd computes { $iops } × { $size } in 32 bits and keeps { $kept }
job-rate-rounds-to-zero = limits nothing: DiskSpd rounds { $rate } down to 0 bytes/ms
job-rate-rounds = is kept as { $kept }, which is { $iops }
job-one-thread = has no effect with one thread
job-same-blocks = is sequential for each of { $threads } threads: each starts at the beginning, so that all use the same blocks
job-one-request = has no effect with one request outstanding
job-remote-cache = caches at the remote end only; here every request reaches the disks
job-file-cache = keeps the guest's file cache enabled, which is not modelled: here every request reaches the disks
job-no-number = has no number: DiskSpd uses 0
job-number-then-text = is { $number } to DiskSpd, which reads no further than the digits
job-skew-without-rate = limits workloads on different storage to shares of a rate that is not given; here each runs at full speed
job-threads-all = shares { $threads } threads among { $workloads } workloads; here each may use all of them
job-threads-part = shares { $threads } threads among { $workloads } workloads; here each has its part
job-whole-rates = amounts to { $rate } I/Os per second for a workload on one storage definition; here { $whole }, a whole number per direction
job-no-effect = `{ $flag }` has no effect here
job-page-cache = goes through the guest's page cache, which is not modelled: every request reaches the disk here
job-max-data = ends a run after that many bytes; here it runs for its full time
job-uniform-gaps = draws gaps uniformly from zero to twice the mean; here they are exponential
job-files-in-folders = works on files in directories: they are treated as one range; open, close and directory operations take no time
job-after-blank = follows a space, where a vdbench comment starts: it is ignored
unused-latency = no disk uses a model of the catalogue
unused-stripe = { $volume } has one disk
unused-cached = no volume is cached or on the temp disk
unused-uncached = no volume is on remote disks
unused-uncached-own = all remote disks are premium SSD v2 or ultra, which have their own limit: `gates.uncached-v2`
unused-v2 = no volume is on premium SSD v2 or ultra disks
unused-local = no volume is on local disks
unused-sharing = the volumes do not combine premium SSD v2 or ultra disks with others
unused-cache = no volume has a `host_cache`
unused-write-back = no volume has `host_cache = "ReadWrite"`
unused-write-allocate = no volume has `host_cache = "ReadOnly"`
unused-warm = { $volume } has no `host_cache`
unused-credits = no limit bursts on credits
unused-level = no limit of { $place } bursts on credits
unused-models = no disk's `latency` names { $names }

## observe: notes of rows, and sources for unknown ones

note-means = percentiles of { $interval } means, not of I/Os; idle intervals excluded
note-little = rate x latency (Little's law)
note-sizes = percentiles of { $interval } means: large and small requests of one interval are mixed
note-no-request = no requests
note-least = smallest { $interval } mean of each { $seconds } s: an upper bound of the fastest I/O
note-most = largest { $interval } mean of each { $seconds } s
note-counter = { $counter }; largest of each { $seconds } s
note-iops = these are IOPS, since no source counts transactions; { $most }
note-no-cpu = no source has CPU data
note-no-memory = no source has memory data
note-memory = total - available
note-memory-bound = total - free - buffers - cache: a lower bound
note-cpus = 100 % is all { $processors } CPUs
note-pattern = { $level }, { $requests } requests, follows one of the last 64 within 128 KiB; { $bytes } % by bytes{ $asked }
note-pattern-asked = ; { $share } of the application's own requests
note-merged = { $share } of requests were merged before the device: largely sequential
note-large = mean size { $size }: sequential or nearly so
fill-busy = record while the application is busy
fill-directions = iostat -x, PerfMon or live `diskwright observe` separate reads from writes
fill-latencies = iostat -x, PerfMon or live `diskwright observe` record latencies
fill-kernel = live `diskwright observe`, on a kernel that counts them
fill-live = iostat -x, PerfMon or live `diskwright observe`
fill-transactions = SQL counters in PerfMon (Batch Requests/sec, Transactions/sec)
fill-cpu = iostat or vmstat next to it, or live `diskwright observe`
fill-memory = vmstat with --memory-total, sadf -r, or live `diskwright observe`

# audit
estate-beyond-gate = { $bought } are bought, and { $gate } of { $size } passes { $passed }: { $never } can never be used at once
estate-beyond-burst = { $bought } are bought; { $gate } of { $size } sustains { $base }, and passes up to { $passed } only while it bursts: { $never } can never be used at once
estate-in-bursts = { $bought } are bought; { $gate } of { $size } sustains { $passed }, and passes up to { $burst } only while it bursts
estate-given-beyond-gate = { $gives } are there, with what comes with each disk at no charge; { $gate } of { $size } passes { $passed }
estate-given-beyond-burst = { $gives } are there, with what comes with each disk at no charge; { $gate } of { $size } sustains { $base }, and passes up to { $passed } only while it bursts
estate-given-in-bursts = { $gives } are there, with what comes with each disk at no charge; { $gate } of { $size } sustains { $passed }, and passes up to { $burst } only while it bursts
estate-slots = data disks: { $disks }; { $size } takes { $slots }
estate-slots-beside = data disks: { $disks }; { $size } takes { $slots } with its network interfaces: { $interfaces }
estate-kind-refused = { $size } takes no { $kind }
estate-not-taken = { $size } does not take it: { $why }
estate-too-small = it gives { $gives } at most; { $kind } gives { $most } from { $from } on
estate-steady = by its name { $disk } serves a steady load, and { $gate } of { $size } sustains { $base }: what is above it lasts { $minutes } min a day
estate-daily = { $bought } are paid for; { $gate } of { $size } sustains { $base }, and more for { $minutes } min a day only
estate-other-promise = { $kind } of the same size with { $iops } and { $throughput } costs { $monthly } a month, this one { $own }; this one has { $has }; there it is { $gets }
estate-previous = its vendor lists { $size } among types of a generation before
estate-prices-of = { $says } (prices of { $month })
estate-cache-refused = a disk of this kind or size ({ $what }) is never cached, and { $mode } is set
estate-not-open = the machine is not open to { $kind }: the setting is off
estate-unequal = { $disks } look like one stripe and differ: each gives what the slowest does, { $slowest }
estate-unequal-sizes = { $disks } look like one stripe and differ in size: it uses { $least } of each, so { $lost } are never used, and each gives what the slowest does, { $slowest }
estate-not-sold = it is not sold so: { $why }
estate-no-zone-has = { $region } has { $kind } only in no zone, and it is in zone { $zone }
estate-needs-zone = in { $region } disks of the kind { $kind } must be in a zone, and this one is in none
estate-not-there = { $size } is not sold in { $region } (records of { $month })
estate-there-against-records = the records of { $month } do not have { $size } in { $region }, and it is there: it came later, or they lack it
estate-not-in-zone = { $size } is sold in zones { $zones } of { $region }, and it is in { $zone } (records of { $month }; the number of a zone differs between subscriptions)
estate-node-disk = the node's OS disk is remote: containers share it, and { $size } has { $local } of local disk for it
estate-burst-only = it gives { $base } once its credits are spent; { $burst } last { $minutes } min of full use
estate-no-host-cache = { $mode } is set, and { $size } has no host cache
estate-not-accelerated-by = acceleration of writes is on for the disk, and { $size } has none
estate-not-accelerated-kind = acceleration of writes is on, which disks of the kind { $kind } do not have
estate-not-accelerated-cache = acceleration of writes is on with the host cache { $mode }: it needs None or ReadOnly
estate-not-accelerated-beyond = acceleration of writes is on for more disks than { $size } accelerates, { $most }
estate-no-system = no operating system is on disks of the kind { $kind } and of this size
estate-unknown-size = the catalogue has no { $size }: nothing is said of its gates and its price
estate-unknown-kind = the catalogue has no kind of disk called { $kind }: nothing is said of its rates and its price
estate-unattached = it is attached to nothing ({ $what })
estate-beside-unasked = { $says } (what recordings never ask for of it is counted in a finding of its own)
estate-released = the machine is off, and its disks are paid for
estate-stopped = the machine is stopped and not deallocated: its size is paid for
estate-other-kind = { $kind } of the same size with { $iops } and { $throughput } costs { $monthly } a month, this one { $own }
estate-tier-unused = the tier { $tier } is paid for, and { $size } passes { $passed } and { $bytes } at most, which the disk's own tier gives
estate-bursts-unused = bursts are paid for, and never happen: { $size } passes { $passed } and { $bytes } at most, which the disk gives without
estate-other-size = { $other } has as many processors, no less memory and gates as wide for { $monthly } a month; { $size } costs { $own }
estate-just-above = { $size } are billed as { $billed }; { $below } holds { $most }
estate-open-for-nothing = the machine is open to { $kind } and has no such disk: every one of its vCPUs is charged for that
estate-open-for-nothing-at = the machine is open to { $kind } and has no such disk: its vCPUs are charged for that, { $monthly } a month together
estate-read-write = ReadWrite on a data disk: writes that the host holds back are lost with it
estate-log-cache = ReadOnly on a log: a log is hardly read, and its writes gain nothing
estate-local-system = its OS disk is local: it is lost when the machine moves
estate-zones-differ = the disk is in zone { $zone }, its machine in { $own }
estate-regions-differ = the disk is in { $region }, its machine in { $own }: no disk is attached from another region, so that one of the two inventories is wrong or old
estate-not-encrypted = encryption at host is off: caches and local disks are not encrypted
estate-shared-cache = { $mode } is set on a disk that machines share (at most { $shares })
estate-lesser-promise = a machine with disks of the kind { $kind } is promised { $promise } of the month, one on better disks alone { $better } ({ $page })
estate-evictable = the vendor may take the machine back at any time, and it has data disks
estate-dies = the data disk is deleted with its machine
estate-retired = { $size } retired on { $date }
estate-no-way-on = no size that stays takes { $size } in place; { $other } needs { $takes }
estate-committed = it runs at { $own } a month as you go; { $commitment } it costs { $monthly }
estate-licence = its Windows licence is paid by the hour, { $monthly } a month
estate-no-price = no price is known in { $region }: { $what }
estate-image-licence = the image of the machine is sold with { $licence }, of which no price is known: { $size } in { $region } counts as without a price
estate-without-licence = { $says }; both without { $licence }, which its image adds to either
estate-no-reservation = nobody can reserve { $size } any more since { $since } (page of { $page })
estate-waiver-over = the waiver of { $code } by { $owner } ended on { $until } ({ $reason })
estate-waiver-unused = the waiver of { $code } by { $owner } fits no finding
estate-stripe-no-machine = { $file }: no machine of these inventories is called `{ $machine }`: its stripe has no effect
estate-stripe-no-disk = { $file }: `{ $machine }` has no disk called `{ $disk }`: its stripe is without it
estate-only-no-machine = `--only { $pattern }` fits no machine of these inventories
estate-only-no-disk = `--only { $pattern }` fits no disk of these inventories
estate-part = { $file } has only { $records } of { $total } records: the others are not audited; fetch all pages, and give those files, too
estate-part-unknown = { $file } says that it was cut (`resultTruncated`): it has { $records } records, the others are not audited; fetch all pages, and give those files, too
remedy-size = resize to { $size }
remedy-dearer = { $what }, for { $more } a month more
remedy-cheaper = { $what }, for { $less } a month less
remedy-unpriced = { $what }; what it costs more or less is not known
remedy-local-lost = { $what }; what is on its local disks is lost
remedy-local-smaller = { $what }; what is on its local disks is lost, and the new ones hold { $local } in place of { $own }
remedy-cache-smaller = { $what }; its host cache holds { $cache } in place of { $own }
remedy-guide = no current size of its class takes its place as it is: follow its vendor's migration guide
remedy-buy-less = buy { $rate } in all
remedy-fewer = data disks at most: { $disks }
remedy-cache = set the host cache to { $mode }
remedy-switch-on = open the machine to { $kind }
remedy-switch-off = switch it off
remedy-delete = delete it, or keep a snapshot
remedy-deallocate = deallocate it
remedy-kind = change its kind to { $kind }
remedy-tier = set the tier back to { $tier }
remedy-commit = commit: { $commitment }
remedy-licence = bring a licence of your own, if you have one
remedy-disk-zone = make the disk anew in zone { $zone }, from a snapshot
remedy-machine-zone = make the machine anew in zone { $zone }
remedy-no-zone = make machine and disk anew in no zone, or take another kind
remedy-a-zone = make machine and disk anew in a zone, or take another kind
estate-summary = machines: { $machines }, disks: { $disks }; errors: { $errors }, warnings: { $warnings }, notes: { $notes }
estate-monthly = a month of it costs { $monthly } at list prices, pay as you go; without a price: { $unpriced }
estate-cut-short = { $file } ends before it is closed ({ $why }); records before that: { $records }
estate-more-pages = { $file } is one page of several: fetch what its `{ $key }` names, and give that file, too
estate-nothing = { $file } has no machine and no disk that is known here: `az vm list -d -o json`, `az disk list -o json`, `az vmss list -o json`, `az graph query`, `aws ec2 describe-instances`, `aws ec2 describe-volumes`, `terraform show -json`, a compiled template, a CloudFormation template and `kubectl get nodes,pv,pvc,sc -o json` are read
estate-record = { $file }: { $what } is left out
estate-differ = { $name }: { $other } says another `{ $field }` than a file before it; the first counts
estate-expression = { $name }: its { $field } is `{ $text }`, known only when it is deployed
estate-unresolved = { $name }: which disk it attaches to which machine is known only when it is built
estate-again = listed more than once and counted once: machines: { $machines }, members of groups: { $members }, disks: { $disks }
estate-unread = fields not read: { $fields }, of { $kinds } kinds ({ $names })
estate-unread-records = records that are no machine and no disk: { $records }, of { $kinds } kinds ({ $names })
estate-unjudged = not judged of { $machines } machines and disks, for want of { $what }: { $rules }
estate-unjudged-disks = judged on their other disks only, of { $machines } machines and disks, for want of { $what }: { $rules }
estate-more = further findings: { $findings }
estate-like = { $says } (further notes like it: { $more })
estate-folded = notes that stand in one line with others of their rule: { $notes }; `--format csv` lists each
estate-waived = waived: { $findings }
estate-planned = machines planned by their recordings: { $machines }; today they cost { $monthly } a month, as planned { $planned } (on paper, not simulated)
estate-unrecorded = machines without a recording: { $machines } ({ $names })
estate-unmatched = recordings that fit no machine: { $recordings }
estate-let-go = findings that recordings let go: { $findings } ({ $rules })
estate-says-seen = { $says }; { $seen }
estate-assumed = { $says } (with { $controller }, which is taken where the inventory does not tell the controller of the disks)
estate-worse = { $says }; worse than in the baseline: { $now } in place of { $was }
estate-worse-machines = { $says }; worse than in the baseline: machines: { $now } in place of { $was }
estate-worse-monthly = { $says }; worse than in the baseline: { $now } a month in place of { $was }
estate-seen-at = recorded at { $limit } or above for { $share } of { $time } (means of { $interval })
estate-seen-most = recorded at most { $most } of { $limit } in { $time } (means of { $interval })
estate-seen-short = { $seen }: a week of it would settle this
estate-seen-without = { $seen }, without { $disks }, of which nothing is recorded
estate-seen-none = nothing is recorded of { $disks }
estate-seen-lacks = the recording lacks these figures
estate-seen-spent = recorded with its credits spent for { $share } of { $time } (means of { $interval })
estate-seen-credits = recorded with never less than { $least } of its credits left in { $time } (means of { $interval })
estate-seen-reads = recorded: reads are { $share } of its I/Os in { $time }
estate-unasked = { $bought } are bought; recorded are { $most } at most in { $time } (means of { $interval })
estate-tier-unasked = the tier { $tier } is paid for; recorded are { $most } and { $bytes } at most in { $time } (means of { $interval }), which the disk's own tier gives
estate-bursts-unasked = bursts are paid for; recorded are { $most } and { $bytes } at most in { $time } (means of { $interval }), which the disk gives without
