### English. One message for each line of src/catalogue.rs, with the same name and arguments.
###
### In a text: short active sentences, standard terms (throttled, bottleneck, headroom, IOPS, per month). A message that continues
### another begins with its own punctuation; where that is a blank, it is written {" "}.

## What a tool or an older document said in its own words

plain = { $text }

## plan: the answer

plan-answer = { $plan }: { $monthly } per month, { $met }, certified cheapest (bound { $bound }, { $next })
plan-met-always = no limit is exceeded in any interval
plan-met-share = no limit is exceeded { $share } of the time
plan-met-percentile = p{ $percentile } met
plan-next = next best { $monthly }
plan-next-none = no other VM size meets the demand
plan-infeasible = nothing on offer meets this demand: { $limits }{ $nearest }
plan-infeasible-nearest = ; the nearest plan carries { $share } of the load
stripe-one-disk = requests of { $size } KiB stay on one disk each
stripe-few-disks = requests of { $size } KiB are served by few disks at once
stripe-asked = you asked for { $unit }

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }: { $needed } needed, at most { $most } in one stripe
plan-latency = { $limit }: { $latency }, at most { $most } asked
plan-needed = { $limit }: { $needed } needed{ $over }, { $available } available{ $usable }
plan-needed-over = {" "}at most, { $intervals } of { $all } intervals above it
plan-needed-usable = {" "}(of which { $percent } % may be used)
plan-costs-same = costs the same: { $plan }
plan-costs-more = costs { $more } per month more: { $plan } for { $monthly }
plan-barred = { $reason }; it would cost { $monthly }
plan-no-premium = it takes no premium disks
plan-would-cost = it would cost { $monthly }
plan-none-meets = no disks there meet { $limit }, and that is not the only limit in the way
plan-none-together = no disks there meet all of these together: { $limits }
plan-cost-max = monthly cost: at most { $most } asked, the cheapest that meets the rest is { $cheapest }
plan-lists = allowed and forbidden offers: without those lists { $plan } would do for { $monthly }
plan-most = { $limit }: { $asked } asked in all, the most that a size gives is { $most }

## plan and explain: what the answer rests on

price-asked = price of { $offers }: as the requirements give it
price = price of { $offers }: { $region } { $edition }, { $page } [{ $source }]
plan-reserved = the VM is reserved for { $term }, at the monthly price of that term; disks are pay-as-you-go
plan-zone = VM and disks are in zone { $zone } of { $region }; diskwright does not check whether that zone offers these disks
plan-hits = { $volume }: { $share } of reads hit once the host cache is warm (estimated: one LRU shared by all cached volumes, of whose blocks only the parts that were used are valid)
plan-local-disk = { $volume }: the local disk loses its data when the VM stops or moves
plan-uncached-shared = premium SSD v2 and ultra disks share one uncached limit with the other disks, the wider of the two that the size prints: how they share is not published (`uncached_sharing = "separate"` under [plan] adds the two up)
plan-uncached-separate = the uncached limit of premium SSD v2 and ultra disks adds to that of the other disks (`uncached_sharing = "separate"`): how they share is not published
plan-no-hits = { $volume }: no hits of a host cache are counted; give its `working_set`
plan-one-figure = one figure per volume, its { $percentile }th percentile: there is no series
plan-per-dimension = every figure at its own { $percentile }th percentile, as if all happened at once
plan-intervals = { $intervals } intervals of { $interval }, of which { $exceeding } may exceed some limit; all volumes together
plan-bursting = burst credits count as far as they last, the series run twice
plan-no-burst-series = sustained limits only: without a series nobody knows how long burst credits must last
plan-no-burst = sustained limits only: burst credits are not counted
plan-years =
    demand of { $years } { $years ->
        [one] year
       *[other] years
    } from now
mean-latencies = latencies are means of the models below every limit
plan-offers = { $sizes } VM sizes and { $disks } disks on offer; left out: { $left_out }
key-unused = `{ $key }` has no effect: { $why }
key-unused-of = { $volume }: `{ $key }` has no effect: { $why }
key-no-growth = neither the load nor the capacity grows
key-no-series = there is no series
key-no-processor-load = [cpu] has no `processors` with `busy_percent`
key-no-processors = [cpu] has no `processors`
key-no-busy = [cpu] has no `busy_percent`
key-not-on-offer = { $offer } is not on offer by the meter `{ $meter }`
key-series-instead = { $volumes }: planned by the series; percentiles next to it are not read
key-split-iops = `read_iops` and `write_iops` are known separately
key-split-throughput = `read_throughput` and `write_throughput` are known separately
key-series-knows = the series has the rates of both directions
key-no-cache = its `host_cache` is `None`
key-one-disk = it has one disk at most
key-os-disk = an operating system starts from one disk
latency-given = latency of { $places }: as the scenario gives it
latency-own = latency of { $places }: { $model }, a model of your own, grade { $grade }
latency-default = latency of { $places }: { $medium }, { $setting }, grade { $grade }, not measured on your disks: mean read { $read } ({ $read_else }), write { $write } ({ $write_else })
latency-of-miss = latency of { $places }: { $medium }, { $setting }, grade { $grade }, not measured on your disks: mean { $mean } ({ $mean_else })

## explain: the finding

explain-carries = this configuration carries the demand{ $nearest }
explain-nearest = ; { $limit } comes nearest, at { $used }
explain-measured = { $shows }{ $advice }
explain-carries-measured = this configuration carries the demand; measured: { $shows }
explain-carries-else = this configuration carries the demand, and what was measured is not its limits: { $shows }
explain-fixed = { $limit }: { $asked } asked, { $available } available{ $advice }
explain-binds = { $limit } is the bottleneck{ $times }{ $gets }{ $others }{ $advice }
explain-times = {" "}in { $intervals } of { $all } intervals
explain-gets = : { $volume } asks { $asked } and gets { $gets } ({ $share })
explain-others = ; at other times { $limits }
explain-advice = ; the cheapest change that is enough: { $change }

## explain: what a measurement shows

shows-limit = { $volume } did { $iops }, { $throughput }: { $limit } is reached ({ $used } of it){ $credits }
shows-limit-credits = ; it lives on burst credits, full ones last { $lasts } at this rate
shows-credits = { $volume } did { $iops }, { $throughput }: that is above what { $limit } sustains and lives on burst credits, which last { $lasts } when full
shows-cache = { $volume } did { $iops }, { $throughput }: its disks throttle it, and the host cache serves { $served }; { $why }
shows-cache-serves = about { $share } of reads
shows-cache-serves-none = hardly any reads
shows-cache-small = the data read is larger than the cache
shows-cache-cold = the cache is cold, or smaller than the data read: read the file once before measuring
shows-depth = { $volume } did { $iops }, { $throughput }: not enough queue depth: { $in_flight } requests in flight at { $latency } each are { $most }{ $next }{ $idle }
shows-depth-next = ; { $needed } in flight reach the first limit, { $gives } of { $limit }
shows-depth-idle =
    ; { $disks ->
        [one] one disk of the stripe is idle
       *[other] { $disks } disks of the stripe are idle
    }
shows-slow = { $volume } did { $iops }, { $throughput }: no limit is reached, but a request takes { $latency } where the model says { $model }: look at the guest's processors, at a host that is throttled elsewhere, at credits that were used up before
shows-not-asked = { $volume } did { $iops }, { $throughput }: no limit is reached, the load was told to ask no more
shows-unknown = { $volume } did { $iops }, { $throughput }: no limit is reached; without a queue depth or a latency no more can be said

## explain: changes

change = { $what } ({ $cost })
change-vm = { $new } instead of { $old }
change-disk = { $new } instead of { $old } for { $volume }
change-stripe = a stripe of { $count } x { $disk } instead of { $before } for { $volume }
change-provision = { $disks } bought with { $new } instead of { $old } for { $volume }
change-bought = { $capacity }, { $iops }, { $throughput }
change-bought-unknown = their present size
change-cache = host cache { $new } instead of { $old } for { $volume }
change-free = at no cost
change-costs = { $monthly } per month
change-unpriced = no price of { $offers } is known in { $region }

## explain: recordings that stop at a level, missing inputs, assumptions

throttled-at = { $volume }: { $share } of the intervals lie at { $iops }, { $throughput }: that is { $limit } of this configuration; the true demand is higher than what was recorded
throttled-elsewhere = { $volume }: { $share } of the intervals lie at { $iops }, { $throughput }: a limit of the machine it was recorded on, or the load itself; the true demand is higher than what was recorded
missing-measurement = a measurement: `--measured FILE` with a result of fio, DiskSpd or Iometer tells a limit from too little queue depth
missing-demand = the demand: `--demand requirements.toml` (from `diskwright observe`) says what is asked over time
missing-series = the demand over time: without a series in { $file } neither burst credits nor a backlog can be followed
missing-depth = { $volume }: how many requests it keeps in flight, or their latency: measure with a tool that prints them
missing-working-set = { $volume }: its hit rate in the host cache: write its `working_set` or `hit_curve` in { $file }; no hits are counted
missing-prices = prices of this configuration in { $region }: import them with `diskwright catalogue import`
explain-one-figure = one figure per volume, its { $percentile }th percentile
explain-intervals = { $intervals } intervals of { $interval }, of which { $exceeding } may exceed a limit ({ $percentile } % of the time must be met)
explain-no-credits = limits count whole, without headroom; burst credits do not: a single figure is asked all the time
explain-credits = limits count whole, without headroom; burst credits are full at the start
explain-more = a change is enough when it makes room for { $percent } % more than was measured
explain-else = a change leaves everything else as it is, and processors and memory at least as they are
explain-hits = { $volume }: { $share } of reads hit the host cache (estimated)
explain-hits-least = { $volume }: { $share } of reads hit the host cache (at least: its disks cannot have served them)
explain-write-back = { $volume }: data that a ReadWrite cache has not written back is lost when the host fails

## simulate: what throttles a volume

binding-idle = { $volume } had nothing to do.
binding-write-back = Write-back throttles { $volume }: the host cache can hold no more dirty data, so writes are accepted only as fast as its { $disks } can take them. More or larger disks in the stripe would help.
binding-at-times = { $volume } hits { $limit } only at times: on average { $unused } of it is unused, but waiting for it makes up { $waiting } of the latency. Use `--series 1s` to see when.
binding-throttled = { $volume } is throttled by { $limit }{ $active }: { $available }. { $remedy }{ $next }
binding-active = {" "}while it is active ({ $active } of { $run })
binding-one-disk = its { $disks } gives { $available }
binding-disks = its { $disks } give { $available } together
binding-vm = { $vm } gives { $available } to { $behind }
binding-our-vm = the VM gives { $available } to { $behind }
behind-all = all its disks
behind-v2 = its premium SSD v2 and ultra disks
behind-others = its disks other than premium SSD v2 and ultra
remedy-disks-or-cache = More or larger disks would help; so would a cache that holds more of the data that is read.
remedy-disks = More disks in the stripe, larger disks or a higher performance tier would help.
remedy-uncached = A VM size with a higher uncached limit would help; more or larger disks would not.
remedy-cached = A VM size with a higher cached limit would help, or moving part of the load to a volume without host caching.
binding-next-exhausted = {" "}The { $limit } ({ $available }) is exhausted as well.
binding-next-nearly = {" "}The { $limit } ({ $available }) is nearly exhausted as well.
binding-next = {" "}The next bottleneck is { $limit }: { $available }, { $left } left.
limit-of = { $limit } of { $place }
binding-rate = { $volume } is not throttled: its jobs ask for no more (they have a rate), and get { $iops }.
binding-think = { $volume } is not throttled: its jobs pause (thinktime), and get { $iops }.
binding-depth = No limit throttles { $volume }. Its queue depth does: { $depth } outstanding I/Os at { $latency } each yield { $iops }. More outstanding I/Os (iodepth, numjobs) would yield more.

## simulate: doubts

doubt-partial = stopped after { $after } of virtual time: figures are those up to then
doubt-nothing = no I/O was counted: is ramp_time longer than the work of the jobs?
doubt-job-ended = { $job } ended early: { $error }
doubt-cold-cache = { $volume }: { $hits } of reads hit the host cache, but the run lasted less than one pass over its files ({ $files } at this rate needs { $pass }; it ran { $ran }). Use a longer runtime, or `--start warm` if the cache is full in production
doubt-idle-disks = { $volume }: { $depth } requests outstanding on average cannot keep { $disks } disks busy; full throughput takes 8 to 16 per disk (queue depth of a stripe = queue depth per disk x disks)
doubt-varies = { $volume }: IOPS varies too much for a reliable average (± { $width }). Check for drift with `--series 1s`; run longer or use `--seeds 1..8` to narrow it
doubt-few = { $volume }: { $ios } I/Os are too few for a confidence interval or for p99.9; use a longer runtime
doubt-credits-out-at = { $limit }: burst credits ran out after { $after }; from then on it gives { $sustained }. Figures average over both
doubt-credits-out = { $limit }: burst credits ran out during the run; without them it gives { $sustained }
doubt-on-credits = { $limit }: the run lives on burst credits ({ $spent } are spent); at this rate they last about { $lasts } in all, then it gives { $sustained }
doubt-dirty = { $dirty } of writes were still in the host cache at the end: the disks have yet to take them

## verify

verify-met =
    { $requirements ->
        [one] the only requirement is met
       *[other] all { $requirements } requirements are met
    }
verify-answer =
    of { $requirements } requirements { $met } { $met ->
        [one] is
       *[other] are
    } met, { $not_met } { $not_met ->
        [one] is
       *[other] are
    } not, { $not_proven } { $not_proven ->
        [one] is
       *[other] are
    } not proven
cause-no-figure = one of the two has no such figure
cause-agrees = as predicted
cause-less = { $limit } gives less here than in the model: { $rate }
cause-more = { $limit } gives more here than in the model: { $rate }
cause-noise = within the noise of the run: its mean is known to { $error }
cause-doubt = the run is in doubt: { $doubt }
cause-medium = not throttled; bounded by disk latency (measured { $measured }, model { $model }). If they differ, `diskwright calibrate` can fit the model
cause-medium-only = not throttled; bounded by disk latency
cause-not-predicted = nothing was predicted for it
cause-not-shown = no scenario shows it: `bench --suite checklist`

## calibrate: scenarios that are excluded

excluded-unfinished = it was not finished
excluded-mixed = it is not one stream: volumes or directions mix
excluded-throttled = throttled by { $limit }
excluded-no-percentiles = it has no percentiles, or those of several jobs, which do not add up
excluded-no-median = it has no median (p50), which the fit needs, only { $percentiles }
excluded-large = its requests are larger than a stripe unit and wait for the slowest disk
excluded-not-predicted = nothing predicts it: the result does not say what was asked for
excluded-waits-rate = it waits: at a lower rate its requests are done sooner
excluded-waits-depth = it waits: with fewer requests in flight nearly as many are done

## bench: warnings

warn-governor = the processors' governor is `{ $governor }`: their frequency changes with the load. `cpupower frequency-set -g performance` holds it
warn-load =
    the load average was { $load } on { $processors ->
        [one] one processor
       *[other] { $processors } processors
    } before the start: other programs run. Stop them, or wait
warn-no-direct = { $volume }: { $path } cannot be read past the page cache ({ $file_system } has no direct I/O), so this measures the memory of this machine. Use a disk filesystem or a device{ $size }
warn-no-direct-size = ; the file is { $file }, memory { $memory }
warn-this-file-system = this filesystem
warn-partial = stopped before its end: the figures are those up to then
warn-client-cpu = a job of fio used { $busy } of a processor, so the result shows fio's own limit, too. More jobs (`numjobs`) share the work
warn-machine-cpu = all processors together were { $busy } busy: the machine could not do more. Measure with fewer or larger requests, or on a larger machine
warn-others = other programs used { $busy } of all processors during the run. Stop them and measure again
warn-short = { $ran } is short: 30 s and more average out brief disturbances
warn-few = { $ios } I/Os are few: run longer (`--runtime`)
warn-drift = the rate went from { $first } in the first third to { $last } in the last: burst credits, a cache that fills, or other load. Run longer, or warm up longer
warn-page-cache = { $volume }: { $share } of { $path } is in the page cache; direct I/O bypasses it, yet cached data may be served or written back meanwhile. `sync; echo 1 > /proc/sys/vm/drop_caches` empties it
warn-emulator = the emulator: { $doubt }
warn-client-late = fio saw a 99th percentile of { $seen } for the { $direction }s of { $volume } where the modelled disks gave { $given }: the client or this machine did not keep up
warn-file-size = the test files on cached volumes are { $files } together, and the host cache holds { $cache }: reads will miss. Give a smaller `--file-size`
warn-timeline = the rig's timeline happens while it is emulated; the prediction leaves it out
warn-no-host-cache = no volume has a host cache: reads and writes share one budget of the VM
excluded-page-cache = it went through the page cache, which hides the disks: measure with `{ $option }`

## bench: what a curve shows

finding = { $curve }, { $from }: { $shows }
knee = the knee is at queue depth { $depth }: { $iops } at { $latency }; 95 % of the highest, { $most }, take depth { $near_depth } at { $near_latency }
crossover = from { $size } on throughput is at its highest, { $throughput }; below that IOPS are, up to { $iops }
rise = latency stays within twice its lowest, { $lowest }, up to { $load } % of the load: { $iops } at { $latency }
