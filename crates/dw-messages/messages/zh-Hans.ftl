### 简体中文。每条消息对应 src/catalogue.rs 中的一行，名称和参数相同。
###
### 文中：短句、主动语态、标准术语。接在另一条消息之后的消息自带开头的标点（全角标点，无需空格）。
### 汉字与西文、数字之间空一格；全角标点两侧不空格。参数多为西文或数字，与汉字之间空一格；参数为中文句子时不空格。
### 数字与 % 之间空一格，与程序输出的数值一致。

# 术语表（一个英文术语只用一个译名）
# allowed / barred = 允许 / 排除
# availability zone = 可用性区域
# backlog = 积压
# baseline = 基线
# bottleneck = 瓶颈
# bound (of the cost) = 下界
# burst, bursting = 突发
# burst credits = 突发额度
# burstable = 可突发
# cached / uncached limit = 缓存 / 非缓存上限
# capacity = 容量
# confidential VM = 机密 VM
# confidence interval = 置信区间
# constrained vCPU = 受约束的 vCPU
# demand = 需求
# direct I/O = 直接 I/O
# dirty data = 脏数据
# discard / flush / trim = 丢弃 (discard) / 刷新 (flush) / TRIM
# edition = 版本
# estimate = 估算
# gate = 闸口
# grade = 等级
# headroom = 余量
# hit / miss = 命中 / 未命中
# host cache = 主机缓存
# hybrid benefit = Azure 混合权益
# I/O size = I/O 大小
# interval = 间隔
# job = 作业
# latency = 延迟
# limit = 上限
# load = 负载
# local disk / temp disk / remote disk = 本地磁盘 / 临时磁盘 / 远程磁盘
# meter = 计费项
# node = 节点
# on-demand bursting = 按需突发
# page cache = 页缓存
# pay as you go = 即用即付
# percentile = 百分位
# performance plus = 性能增强
# performance tier = 性能层
# pitfall = 陷阱
# plan = 方案（名词）、规划（动词）
# premium SSD / premium SSD v2 / standard SSD / standard HDD / ultra disk = 高级 SSD / 高级 SSD v2 / 标准 SSD / 标准 HDD / 超级磁盘
# processor = 处理器
# provisioned = 预配
# queue depth = 队列深度
# rate = 速率
# reading / sample = 读数 / 样本
# recording = 采集数据
# region = 区域
# request = 请求
# requirement = 要求
# reservation = 预留
# retire = 停用
# scenario = 场景
# sequential / random = 顺序 / 随机
# series (over time) / VM series = 时间序列 / VM 系列
# simulate / emulate = 模拟 / 仿真
# stripe, stripe unit = 条带、条带单元
# sustained = 持续
# throttle = 限流
# throughput = 吞吐量
# trace = 跟踪
# utilisation = 利用率
# VM size = VM 大小
# volume = 卷
# warm / cold cache = 热 / 冷缓存
# working set = 工作集
# write-back = 写回
# zone-redundant = 区域冗余

## What a tool or an older document said in its own words

plain = { $text }

## plan: the answer

plan-answer = { $plan }：每月 { $monthly }，{ $met }。{ $claim }
plan-cheapest = 在 { $offers }中，已证明它最便宜（下界 { $bound }，{ $next }）
plan-cheapest-on-paper = 在 { $offers }中，按上限计算它最便宜（下界 { $bound }，{ $next }）
plan-simpler = 它{ $simpler }；与 { $offers }中已证明最便宜的方案（{ $cheapest }，下界 { $bound }，{ $next }）相比，最多贵 { $band }
plan-simpler-on-paper = 它{ $simpler }；与 { $offers }中按上限计算最便宜的方案（{ $cheapest }，下界 { $bound }，{ $next }）相比，最多贵 { $band }；后者在模拟中未能满足部分需求
plan-cheapest-known = 在 { $offers }中，按上限计算它是已知最便宜的方案；不可能有方案比它便宜超过 { $gap }（下界 { $bound }，{ $next }）
plan-simpler-known = 它{ $simpler }；与 { $offers }中按上限计算已知最便宜的方案（{ $cheapest }；不可能有方案比该方案便宜超过 { $gap }；下界 { $bound }，{ $next }）相比，最多贵 { $band }
plan-met-on-paper = 按上限计算，{ $met }，但模拟中未能全部满足
plan-met-if = { $met }（有条件）
plan-answer-offers = { $sizes } 种 VM 大小 × { $disks } 种磁盘（均有价格）
plan-answer-offers-committed = { $sizes } 种 VM 大小（{ $committed } 种按 `{ $commitment }` 的价格，{ $without } 种没有该价格，按即用即付）× { $disks } 种磁盘（均有价格）
plan-simpler-disks = 用的磁盘更少
plan-simpler-vm = 用的 VM 较新
plan-surer = 条件更少
plan-met-always = 任何间隔都不超过上限
plan-met-share = 所有上限在 { $share } 的时间内都保有余量
plan-met-percentile = 满足 p{ $percentile }
plan-left-out = `{ $key }` 中虽列有 { $offer }，仍未计入：{ $why }
left-out-price = { $what }；如需计入，可 { $give }，或用 `diskwright catalogue import` 导入价格
left-out-limits = 它的部分上限未知
left-out-unknown = { $why }
left-out-local = 它不提供区域冗余
other-series = 其他 VM 系列
other-disks = 其他磁盘
relax-reads = { $volume } 的读取延迟上限从 { $from } 放宽到 { $to }
relax-writes = { $volume } 的写入延迟上限从 { $from } 放宽到 { $to }
relax-read-percentile = { $volume } 的 { $of } 读取延迟上限从 { $from } 放宽到 { $to }
relax-write-percentile = { $volume } 的 { $of } 写入延迟上限从 { $from } 放宽到 { $to }
relax-headroom = 余量从 { $from } 降到 { $to }
relax-capacity = 容量余量从 { $from } 降到 { $to }
relax-disks = 条带中的磁盘数上限从 { $from } 放宽到 { $to }（`disks_max`）
relax-percentile = 从 p{ $from } 放宽到 p{ $to }
relax-horizon = 允许 { $years } 年内停用的 VM 大小
relax-reservation = 不做预留（{ $term }），改为即用即付
relax-savings-plan = 不使用节省计划（{ $term }），改为即用即付
relax-zone = 不限可用性区域（原为 { $zone }）
relax-arm = 允许 Arm 处理器
relax-burstable = 允许可突发的 VM 大小
relax-kinds = 允许所有卷使用 { $kinds }
relax-confidential = 允许机密 VM 大小
relax-preview = 允许预览版 VM 大小
relax-closed = 允许新订阅无法部署的 VM 大小
relax-metal = 允许裸机类型
relax-previous = 允许上一代类型
relax-limited = 允许容量受限的 VM 大小
plan-next = 次优方案 { $monthly }
plan-next-none = 没有其他 VM 大小能满足需求
plan-infeasible = 可选的 VM 大小和磁盘都无法满足此需求：{ $limits }{ $nearest }
plan-no-combination = 可选的磁盘和 VM 大小无法搭配：主机缓存只支持不超过 4,095 GiB 的磁盘，并且 VM 大小必须带有主机缓存
plan-not-cacheable = { $volume }：主机缓存只支持不超过 4,095 GiB 的磁盘，而该卷的磁盘为 { $size }
plan-infeasible-nearest = 。最接近的方案可承载负载的 { $share }
plan-infeasible-nearest-of = 。最接近的方案可承载 { $volume } 负载的 { $share }
plan-infeasible-otherwise = 。最接近的方案可承载全部负载，只有 { $limit } 不满足
plan-simulated = 模拟了 { $time }：{ $kept }{ $again }{ $cold }{ $beyond }。
plan-again = 。因模拟未达标，重新规划了 { $times } 次：{ $changes }
plan-again-of =
    将 { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }延迟压到比要求低 { $reserve }
plan-again-deeper =
    将 { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }队列按比估算深 { $more } 计
plan-again-rates = 各项速率额外留出 { $reserve }
plan-again-in-vain = 。加大预留量重新规划也没有改善（模拟的方案数：{ $times }）
plan-keeps-all = 各项速率均达到 { $share }，延迟全部符合要求
plan-keeps-nothing = 需求中没有 I/O，没有可处理的请求
plan-keeps-rates = 各项速率均达到 { $share }
plan-misses = 未能全部满足：{ $missed }
plan-misses-rate =
    { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }请求只达到 { $promised } 的 { $share }，被 { $limit } 限流
plan-misses-depth =
    { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }请求只达到 { $promised } 的 { $share }，因为队列深度太小
plan-misses-latency =
    { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }延迟（{ $of ->
        [mean] 平均
       *[other] { $of }
    }）为 { $latency }，要求不超过 { $most }
plan-cold = 。重启后主机缓存是冷的：{ $volumes }
plan-cold-served = { $volume } 的读取立即达到全部速率，前 { $first } 的平均延迟为 { $latency }
plan-cold-full = { $volume } 的读取在前 { $first } 达到 { $share } 的速率，平均延迟为 { $latency }，{ $after } 后达到全部速率
plan-cold-long = { $volume } 的读取在前 { $first } 达到 { $share } 的速率，平均延迟为 { $latency }，{ $within } 内达不到全部速率
plan-beyond = 。负载达到当前的 { $factor } 倍时，{ $named } 最先限流，与方案一致
plan-beyond-other = 。负载达到当前的 { $factor } 倍时，{ $first } 最先限流，早于 { $named }
summary-met-if = 有条件地满足：{ $condition }
summary-not-met = 不满足：{ $reason }
summary-machine = { $place } 的 { $size }：{ $processors } vCPU、{ $memory } 内存、{ $system }
summary-volume = { $volume }：{ $disks }，{ $monthly }
summary-volume-with = { $volume }：{ $disks }，主机缓存 { $cache }，{ $monthly }
summary-volume-local = { $volume }：本地磁盘
summary-more-volumes = 其余卷：{ $volumes } 个，磁盘 { $disks } 块，{ $monthly }
summary-price = 每月 { $monthly }：VM { $vm }，磁盘 { $disks }{ $licences }
summary-price-nodes = { $nodes } 个节点每月 { $all }，每个 { $monthly }：VM { $vm }，磁盘 { $disks }{ $licences }
summary-shared = 共享磁盘合计 { $monthly }
summary-licences = ，按核心的许可证 { $monthly }
summary-pay-as-you-go = 即用即付
summary-committed = VM 采用 `{ $commitment }`
summary-uncommitted = VM 即用即付，`{ $commitment }` 的价格未知
summary-hours = VM 运行 { $hours }（共 { $all }）
summary-list-prices = { $edition } 的标价
summary-disk-prices = 磁盘为 { $edition } 的标价
summary-snapshots = 快照 { $monthly } 另计
summary-snapshots-unpriced = 已要求快照，未计价：{ $size }
summary-os-disk = 操作系统磁盘 { $disk } { $monthly } 另计，不在 `cost_max` 内
summary-os-disk-unpriced = 已要求操作系统磁盘 { $disk }，未计价
summary-not-in = { $lines } 项未计价
summary-limit = { $limit }：已用 { $load }，上限 { $capacity }，余 { $left }
summary-beyond = 负载达到当前的 { $factor } 倍时，{ $limit } 最先限流（模拟）
summary-throttles = 负载达到当前的 { $factor } 倍时限流（模拟）
summary-cold = 重启后的前 { $first }，{ $volume } 的读取只得到其速率的 { $share }
summary-cautious = { $limit }：磁盘较慢时为 { $latency }，要求不超过 { $most }
summary-peak = { $limit }：最高负载 { $peak } 超过 { $capacity }，此时请求需要等待
summary-peak-more = { $limit } 和另外 { $more } 个上限：最高负载 { $peak } 超过 { $capacity }，此时请求需要等待
summary-unprinted = 瓶颈是 { $size } 的页面上没有给出的上限：{ $rule }
summary-outgrown = 从第 { $year } 年起不够用
summary-cheaper = 每月少 { $saves }：{ $condition }
summary-cheaper-each = 每节点每月少 { $saves }：{ $condition }
summary-nearest = 每月 { $monthly } 可承担 { $share } 的负载：{ $plan }
summary-nearest-nodes = { $nodes } 个节点每月 { $all }（每个 { $monthly }）可承担 { $share } 的负载：{ $plan }
summary-next = `--full` 显示各方案、上限和假设；`diskwright provision` 生成脚本
summary-next-nothing = 放宽造成阻碍的要求；`--full` 显示假设
decision-met = { $size }（{ $disks }）满足所有要求{ $years }
decision-met-if = { $size }（{ $disks }）满足所有要求{ $years }，但有 { $conditions } 个条件
decision-not-met = { $size }（{ $disks }）不能满足所有要求
decision-years = （{ $years } 年内）
decision-disks = { $volume }：{ $disks }
decision-disks-with = { $volume }：{ $disks }，主机缓存 { $cache }
decision-each = { $volume }：各 { $disks }
decision-each-with = { $volume }：各 { $disks }，主机缓存 { $cache }
decision-local = { $volume }：本地磁盘
today-reads = { $volume } 的读取平均需要 { $then }；采集时为 { $now }
today-writes = { $volume } 的写入平均需要 { $then }；采集时为 { $now }
check-rates = 读取和写入
check-read-latency = { $volume }：读取延迟，{ $of ->
        [mean] 平均
       *[other] { $of }
    }
check-write-latency = { $volume }：写入延迟，{ $of ->
        [mean] 平均
       *[other] { $of }
    }
check-sync-latency = { $volume }：sync 延迟，{ $of ->
        [mean] 平均
       *[other] { $of }
    }
check-kpi-reads = { $volume }：无等待的小读取（`{ $kpi }`）
check-kpi-writes = { $volume }：无等待的小写入（`{ $kpi }`）
check-headroom = 到首个上限的余量
check-size = 处理器和内存
check-years = 可用年限
check-purchase = 承诺
check-reboot = { $volume }：重启后的读取
check-reboot-all = 重启后的读取
check-recording = 采集数据
asked-all = 全部
asked-share = { $share } 的时间
asked-at-most = 不超过 { $figure }
asked-latency =
    { $of ->
        [mean] 平均
       *[other] { $of }
    }不超过 { $figure }
asked-at-least = 不低于 { $figure }
asked-size = 不低于 { $figures }
asked-years = { $years } 年
found-served = { $rate } 的 { $share }
found-within = { $share } 的时间不超过任何上限
found-figure = { $figure }
found-means = 各区间平均值的 p99 为 { $figure }
found-latency = 平均 { $mean }，p99 { $p99 }
found-headroom = { $left }（{ $limit }）
found-size = { $processors } vCPU，{ $memory }
found-years = { $years } 年
found-years-all = 10 年以上
found-cold = 前 { $first } 为 { $latency }，速率为 { $share }
found-cold-until = 前 { $first } 为 { $latency }，速率为 { $share }；{ $after } 后达到全部速率
found-recording = { $time }，间隔 { $interval }
shown-simulation = 模拟峰值 { $time }
shown-limits = 检查的上限：{ $limits }，间隔：{ $intervals }
shown-limit = { $limit }：{ $capacity } 中的 { $load }
shown-latency = 已公布的延迟，等级 { $grade }
shown-catalogue = { $edition } 版的上限
shown-prices = { $edition } 版的价格
shown-growth = 逐年检查
shown-cold = 以空的主机缓存模拟
shown-audit = 已审查；发现项：{ $findings }
shown-nothing = 未模拟
next-record = 采集一整天的数据（包括备份和批处理），然后重新规划
next-size = 给出 VM 需要的处理器数和内存（`vcpu_min`、`memory_min`）
next-build = 用方案的脚本创建
next-verify = 在用户迁移之前，在 VM 上运行方案的验证作业
cheaper-reserved = VM 预留 { $years } 年；第 { $month } 个月起划算
cheaper-savings-plan = 节省计划 { $years } 年；第 { $month } 个月起划算
verdict-met = 所有要求均满足
verdict-met-if = 有条件地满足：{ $conditions }
verdict-not-met = 不满足：{ $reasons }
verdict-nothing = 没有任何产品能满足需求
verdict-credits = { $limit } 依靠突发额度：额度用完后只提供 { $sustained }，最少时还剩 { $left }
verdict-over = { $limit } 有 { $share } 的时间超限，最多允许 { $asked }
verdict-full = { $limit } 没有任何余量
verdict-headroom = { $limit } 的余量为 { $left }，要求 { $asked }
verdict-tail = { $volume } { $direction ->
        [read] 读取
        [write] 写入
       *[other] { $direction }
    } 延迟的 { $of } 只是可能满足，并不确知：没有人测量过这种介质的百分位数（等级 { $grade }）
verdict-tail-limit = { $volume } { $direction ->
        [read] 读取
        [write] 写入
       *[other] { $direction }
    } 延迟的 { $of } 只是可能满足，并不确知：接近上限（{ $limit }）时，实测值最高为模型的 8 倍
verdict-penalty = 磁盘为区域冗余，写入因此慢多少并未公布
verdict-no-processors = 采集数据没有说明 VM 需要多少处理器，所选 VM 可能不够：请给出 `vcpu_min`
verdict-no-memory = 采集数据没有说明 VM 需要多少内存，所选 VM 可能不够：请给出 `memory_min`
verdict-no-processors-nor-memory = 采集数据没有说明 VM 需要多少处理器和内存，所选 VM 可能太小：请给出 `vcpu_min` 和 `memory_min`
verdict-unpriced = 未计价：`{ $commitment }` 下的 { $size }
verdict-years = 第 { $year } 年时容量不足，而要求维持 { $asked } 年
verdict-cold = 主机缓存是热的；重启后 { $volumes }
verdict-cold-latency = { $volume } 的读取在前 { $first } 平均需要 { $latency }，要求不超过 { $most }
verdict-cold-unknown = { $volume } 的读取能得到多少并不确知：未经模拟
verdict-reboot-share = { $volume }：重启后前 { $first } 只能服务 { $share } 的读取，要求为 { $asked }
diff-nothing = 无需改动；{ $cost }
diff-changes = 需要改动：{ $changes }；{ $cost }
diff-costs-more = B 每月多花 { $more }
diff-costs-less = B 每月少花 { $less }
diff-costs-same = 两者费用相同
diff-costs-unknown = 其中一方的价格未知
diff-regions = A 使用 { $a } 的价格，B 使用 { $b } 的价格：不比较费用
diff-currencies = A 以 { $a } 计价，B 以 { $b } 计价：不比较费用
diff-region-option = `--region` 用于设置场景文件的区域；方案自带区域
diff-unpriced = { $side }：{ $why }
diff-own-disk = { $side }：{ $volume }：自定义的 { $disk } 没有价格
diff-burst-billed = { $side }：{ $volume }：突发事务按用量另行计费
diff-operations-billed = { $side }：{ $volume }：操作按用量另行计费
diff-nodes = { $side }：与方案一样按 { $nodes } 个节点计
diff-windows = { $side }：与方案一样含 Windows 许可证
diff-licences = { $side }：与方案一样含按核心的许可证，每月 { $monthly }
diff-reserved = { $side }：与方案一样，VM 已预留（{ $term }）
diff-savings-plan = { $side }：其 VM 与方案一样按节省计划（{ $term }）计价
diff-uncommitted = { $side }：其 VM 按即用即付计价，因为没有它在 `{ $commitment }` 下的已知价格
diff-hours = { $side }：其 VM 与方案一样每月按 { $hours } 计费
diff-zone-redundant = { $side }：与方案一样使用区域冗余磁盘
diff-no-headroom = { $side }：无法给出余量：{ $why }；可用 `diskwright explain` 查看
diff-no-demand = 没有方案就没有需求
diff-cached-else = 其卷的缓存方式与方案不同，或位于本地磁盘的卷不同
stripe-one-disk = { $size } KiB 的请求各自只落在一块磁盘上
stripe-nearly = { $size } KiB 的请求各自只落在一块磁盘上，仅 { $share } 跨两块磁盘
stripe-straddling = { $size } KiB 的请求在 64 KiB 条带单元下有 { $share } 会跨两块磁盘，在 256 KiB 下有 { $left }
stripe-few-disks = { $size } KiB 的请求每次只由少数几块磁盘处理
stripe-asked = 你指定了 { $unit }

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }：需要 { $needed }，单个条带最多 { $most }
plan-latency = { $limit }：{ $latency }，要求不超过 { $most }
plan-needed = { $limit }：需要 { $needed }{ $over }，可用 { $available }{ $usable }
plan-misses-by = 差 { $short }（共 { $available }{ $at }）；{ $needed }
plan-misses-at = {"，"}使用至 { $percent }
plan-needed-over = （最大值；{ $all } 个间隔中有 { $intervals } 个超出可用部分）
plan-asked = { $limit }：需要 { $needed }
plan-asked-at-most = { $limit }：要求不超过 { $most }
plan-needed-headroom = （所需量已含余量）
plan-needed-usable = （其中可用 { $percent } %）
limit-exceeded-in = { $intervals } 个间隔超出上限
limit-headroom-used-in = { $intervals } 个间隔占用余量
plan-costs-same = 费用相同：{ $plan }
plan-costs-less = 每月便宜 { $less }，但不够简单：{ $plan }，{ $monthly }
plan-costs-more = 每月贵 { $more }：{ $plan }，{ $monthly }
plan-barred = { $reason }；若可选，费用为 { $monthly }
plan-no-premium = 它不支持所需的磁盘（高级 SSD 或超级磁盘）
plan-not-searched = 未知：在该规格上没有找到方案，但搜索在尝试完所有挂载卷的方式之前就已结束
plan-would-cost = 若选它，费用为 { $monthly }
plan-none-meets = 没有可用的磁盘能满足 { $limit }，其他上限也不满足
plan-none-together = 没有可用的磁盘能同时满足：{ $limits }
plan-cost-max-too = 每月费用：你设定的最高费用为 { $most }，但即使排除其他障碍，最便宜的方案也要 { $cheapest }
plan-cost-max = 每月费用：你设定的最高费用为 { $most }，但满足其他全部要求的最便宜方案为 { $cheapest }
plan-cost-licences = 仅其按核心的许可证就要 { $licences }，超过你设定的最高费用 { $most }
plan-tried-wider = 未找到每个条带不超过 { $usual } 块磁盘的方案，因此试过最多 { $most } 块（`disks_max`）
plan-tried-wider-budget = 每个条带试过最多 { $most } 块磁盘（`disks_max`）：不超过 { $usual } 块时，最便宜的方案为 { $monthly }（{ $plan }）
plan-lists = 允许的 VM 大小：{ $plan } 能满足需求，费用为 { $monthly }，但 { $reason }
plan-lists-without = 去掉 `{ $key }` 就有可行方案：{ $plan }，{ $monthly }
plan-lists-too = 允许的 VM 大小：{ $vm } 能承载更多，但 { $reason }
plan-most-slots = { $limit }：最大的 VM 大小也只能挂 { $most } 块

## plan and explain: what the answer rests on

price-asked = { $offers } 的价格：以要求中给出的为准
price = { $offers } 的价格：{ $region } { $edition }，{ $page } [{ $source }]
price-noted = { $offers } 的价格：{ $region } { $edition }，{ $page } [{ $source }]；{ $note }
plan-reserved = VM 已预留（{ $term }），按该期限的月价计算；磁盘为即用即付
plan-reserved-with = VM 和 { $disks } 已预留（{ $term }），按该期限的月价计算；其他磁盘为即用即付
plan-savings-plan = VM 按节省计划（{ $term }）的每小时价格计算，每个小时都计费；磁盘为即用即付
plan-commitment-ended = { $size } 按即用即付计价：自 { $since } 起，它的 `{ $commitment }` 既不能购买也不能续订（{ $page } 的页面）
plan-reserved-beyond = { $size } 的预留到 { $ends } 才结束，晚于该大小的停用日期 { $retires }
plan-uncommitted = { $size } 按即用即付计价：没有它在 { $region } 的 `{ $commitment }` 已知价格；`diskwright catalogue import` 可导入供应商的价目表
plan-commitment-known = { $sizes } 种 VM 大小中有 { $without } 种没有 `{ $commitment }` 的已知价格，按即用即付计算：作出承诺后，其中某一种可能更便宜
plan-term-ends = `{ $commitment }` 在第 { $ends } 个月到期；第 { $from } 至 { $until } 个月未计价
plan-commitment-dearer = 采用 `{ $commitment }` 时，一台 VM 每月比即用即付 { $hours } 多 { $more }
plan-hours = VM 每月 { $all } 小时中运行 { $hours }，只为这些时间付费；磁盘全部时间计费，其操作数按一直运行计算
plan-hours-committed = VM 每月 { $all } 小时中运行 { $hours }，但承诺与磁盘一样按全部时间计费
budget-met-with = 采用 `{ $assumption }` 即可不超预算：{ $plan }，{ $monthly }
budget-met-with-licence = 使用自有的 Windows 许可证即可不超预算：{ $plan }，{ $monthly }
bill-not-in = 不在此价格内
bill-os-disk = { $disk }，由 `os_disk` 指定
bill-snapshots = 快照 { $size }：保留 { $kept } 份，相邻两份之间变化 { $change }
promise-one = 单台机器使用这些磁盘（{ $kinds }）的 SLA：每月 { $share }（{ $source }）
promise-one-if = 单台机器使用这些磁盘（{ $kinds }）且操作系统磁盘不更差时的 SLA：每月 { $share }（{ $source }）
promise-together = 两台或更多机器（{ $place }）的 SLA：每月 { $share } 的时间至少一台可访问（{ $source }）
promise-unknown = 单台机器使用 { $kind } 的 SLA：未知，读过的供应商页面都没有提到这种磁盘
plan-zone = VM 和磁盘位于 { $region } 的可用性区域 { $zone }；diskwright 不检查该可用性区域是否提供这些磁盘
plan-zone-of-vm = VM 位于 { $region } 的可用性区域 { $zone }；磁盘为区域冗余，因此不属于任何单个可用性区域
plan-cautious = { $limit }：如果磁盘慢到谨慎设置所假定的程度，则为 { $latency }，而要求不超过 { $most }（在 [plan] 下设置 `latency = "cautious"` 即按此规划）
plan-hits = { $volume }：主机缓存变热后，{ $share } 的读取命中（估算：所有启用缓存的卷共用一个 LRU，缓存块中只有用过的部分有效）
plan-floor = { $volume }：最多将 { $share } 的读取计为命中，使重启后的要求由磁盘满足（`after_reboot_share_min`、`after_reboot_latency_max`）
plan-local-disk = { $volume }：VM 停止或迁移时，本地磁盘上的数据会丢失
plan-uncached-shared = 高级 SSD v2 和超级磁盘与其他磁盘共用一个非缓存上限，取该 VM 大小所列两个上限中较大的一个：如何共用并未公布（在 [plan] 下设置 `uncached_sharing = "separate"` 则将两者相加）
plan-uncached-separate = 高级 SSD v2 和超级磁盘的非缓存上限与其他磁盘的相加（`uncached_sharing = "separate"`）：如何共用并未公布
plan-no-hits = { $volume }：未计入主机缓存命中；请给出它的 `working_set`
plan-one-figure = 每个卷一个数值，取第 { $percentile } 百分位：没有时间序列
plan-per-dimension = 每项数值各取自己的第 { $percentile } 百分位，相当于所有峰值同时出现
plan-intervals = { $intervals } 个 { $interval } 间隔，其中 { $exceeding } 个可超过某个上限；所有卷合并计算
plan-answer-rests = { $answer }。该方案依据 { $size } 页面上没有给出的上限：{ $figures }
plan-os-on-hdd = { $volume }：供应商将于 { $date } 停止支持把 Standard HDD 用作操作系统磁盘
plan-no-cached-limit = 不使用 { $size } 的主机缓存：没有来源给出其上限
plan-no-cached-limits = 有 { $sizes } 种 VM 大小的主机缓存上限没有任何来源给出，规划时不使用其主机缓存
plan-answer-nodes = { $nodes } 个相同的节点，每月共 { $monthly }，每个节点为 { $answer }
plan-answer-licences = { $answer }。每月费用中 { $licences } 为按核心的许可证；不含则为 { $without }
plan-answer-uncommitted = { $answer }。VM 按即用即付计价：没有它在 `{ $commitment }` 下的已知价格
plan-interpolated = { $volumes }：第 { $percentile } 百分位由两侧已知的百分位估算，按高于该值的时间占比做对数插值；给出 `p95` 或时间序列即可取代该估算
plan-largest-instead = { $volumes }：p99 与最大值之间没有其他百分位，因此用最大值代替第 { $percentile } 百分位
plan-growth = 速率和处理器为要求中的数值乘以 { $factor }（`growth`）
plan-growth-of = { $volume }：负载每年增长 { $load }，数据每年增长 { $held }
plan-comfort = 速率、处理器和已用内存为要求中的数值乘以 { $factor }（`comfort_factor`）
plan-filesystems = 文件系统占用每块磁盘的 { $share }（`filesystem_overhead_percent`）
plan-nodes = { $nodes } 个相同的节点，每个都承载全部需求（`nodes`）：答案以下的金额为单个节点，`cost_max` 为所有节点合计
plan-cpu-speed = { $size } 的一个 vCPU 按 { $recorded } 的 { $factor } 计：{ $own } 对 { $other }，以最小值除以最大值（{ $page } 的页面，等级 { $grade }：仅供参考，并非对您负载的测量）；{ $all } 种规格中有 { $known } 种有此数值，其余视为相同（`cpu_recorded_on`）
plan-cpu-speed-unknown = 读过的页面都未给出 { $size } 相对 { $recorded } 的速度：其 vCPU 视为相同；{ $all } 种规格中有 { $known } 种有此数值（`cpu_recorded_on`）
plan-cpu-speed-none = 读过的页面都未给出 { $recorded } 的速度：所有规格的 vCPU 视为相同，`cpu_recorded_on` 不起作用
plan-shared = { $volume }：磁盘为全部 { $nodes } 个节点只购买一次（`shared`），每月 { $monthly }，其中挂载 { $mounts }；单个节点分摊 { $part }，该卷的负载为所有节点之和。{ $takes }（{ $limits } 和 { $billing } 的页面）；这样的磁盘最多由 { $most } 台 VM 共享（{ $page } 的页面）
plan-windows = VM 运行 Windows（`os`）：每月价格中有 { $monthly } 是许可证费用，已有许可证的用户可用 Azure 混合权益省去
plan-windows-own = VM 运行 Windows（`os`）：视为其价格已含许可证
plan-licences = 按核心的许可证：{ $licences }；含许可证每月 { $monthly }，不含为 { $without }
plan-licence = { $name } { $cores } 个核心 { $monthly }
plan-licence-of = { $name } 每节点 { $monthly }（许可节点 { $nodes } 个，每个 { $cores } 个核心）
plan-constrained = { $size } 是受约束的 vCPU 大小：启用 { $processors } 个 vCPU，内存、存储上限和计算价格与 { $parent } 相同；按核心授权的软件按 { $processors } 个计
plan-recording = 采集数据：{ $what }；{ $effect }
plan-bursting = 突发额度在用完之前均计入；时间序列连续运行两遍
plan-no-burst-series = 只计持续上限：没有时间序列，就无从得知突发额度要撑多久
plan-no-burst = 只计持续上限：不计入突发额度
plan-headroom = 余量：各项速率留 { $rates }（`headroom_percent`），每块磁盘的容量留 { $capacity }（`capacity_headroom_percent`），处理器留 { $processors }（`cpu_percent`）；`memory_min` 和 `vcpu_min` 按原值使用
plan-memory-free = 内存余量：在用内存之外保留 { $free }（`memory_headroom`）
plan-memory-usual = 内存余量：在用内存之外保留 { $free }{ $total }（`memory_headroom`）
plan-memory-today = {"，"}而机器现有的 { $total } 视为足够
plan-memory-database = 内存余量：无，因为数据库只使用分配给它的内存，而各卷的角色属于数据库；可用 `memory_headroom` 留出余量
plan-no-memory = 需求没有说明需要多少内存：任何大小都可选。请在 [plan] 下给出 `memory_min`，或在 [memory] 下给出 `used`
plan-no-processors = 需求没有说明需要多少处理器：任何大小都可选。请在 [plan] 下给出 `vcpu_min`，或在 [cpu] 下给出 `processors` 和 `busy_percent`
plan-operations = { $volume }：按平均速率每月 { $operations } 次操作，按用量计费：每月 { $monthly }，已计入
plan-operations-median = { $volume }：每月 { $operations } 次操作，按用量计费：每月 { $monthly }，已计入。没有时间序列，因此以中位速率代替平均速率
plan-burst-use = { $volume }：按需突发按用量计费：如果每个月都与时间序列相同，则每月 { $monthly }，已计入
plan-performance-plus = { $volume }：性能增强免费，在创建磁盘时设置；现有磁盘须通过快照复制到新磁盘
plan-zone-redundant = 磁盘为区域冗余（`redundancy = "zone"`）：高级 SSD 和标准 SSD 有此类型，其写入比规划的慢；慢多少并未公布
plan-disk-options = 除容量外，磁盘的购买方式：{ $options }（`disk_options`）
plan-no-disk-options = 磁盘按默认方式购买：不用性能层、性能增强或按需突发（`disk_options`）
plan-no-hdd = 标准 HDD 只用于备份（`standard_hdd`）
plan-on-request = { $kinds } 只用于备份，或在 `disks` 指定时选用
plan-indifference = 在比最便宜方案最多贵 { $band } 的方案中选最简单的：先看磁盘数量最少，再看 VM 系列最新（`indifference_percent`）
plan-wide-stripes = 未找到每个条带不超过 { $usual } 块磁盘的方案：最多可选 { $most } 块（`disks_max`）
plan-wide-stripes-budget = 每个条带不超过 { $usual } 块磁盘时，最便宜的方案为 { $monthly }，超过 `cost_max`：因此最多可选 { $most } 块（`disks_max`）
plan-kpi = { $volume }：{ $kpi } 要求 { $asks }（{ $sources }）；以较大的数据流为负载，延迟指无等待时的磁盘（`kpi`）
plan-kpi-bounds = { $volume }：{ $kpi } 要求 { $asks }（{ $sources }）；负载以需求文件为准（`kpi`）
plan-kpi-unchecked = { $volume }：{ $kpi } 中未检查：{ $unchecked }
plan-not-certified = { $product }：未检查其供应商是否已认证 { $size }
plan-no-arm = 不选 Arm 处理器的 VM 大小（`arm`）
plan-no-burstable = 不选可突发的 VM 大小：额度用完后，其处理器会被限制到基线（`burstable`）
plan-no-confidential = 不选机密 VM 大小：它需要专门的安全类型和映像（`confidential`）
plan-no-preview = 不选预览版 VM 大小（`preview`）
plan-no-closed = 不选新订阅无法部署的 VM 大小：现有订阅可在其配额内部署（`closed_to_new`）
plan-no-metal = 不选裸机类型（`metal`）
plan-no-previous = 不选上一代类型（`previous_generation`）
plan-metal = { $size } 是没有虚拟机监控程序的整台主机
plan-previous = { $size } 属于上一代：同样的价格，较新的类型性能更高
plan-no-limited = 不选容量受限的 VM 大小（`capacity_limited`）
key-named-sizes = 没有可选的大小需要它：`vms` 指定的大小不受它影响，或者 `edition` 要求的是多年前的大小
plan-horizon = 不选在 { $date } 之前停用的 VM 大小（`horizon_years`）
plan-no-retirements = 这里没有类型停用日期的数据：不作检查
comparison-cheaper = 按 { $oldest } 至 { $newest } 的价格，{ $first } 每月比 { $last } 少 { $less }（{ $share }）
comparison-currencies = 价格分别为 { $first } 和 { $last }：不作比较
comparison-none = 没有满足需求且价格已知的方案：{ $places }；不与其比较
plan-arm = { $size } 使用 Arm 处理器
plan-burstable = { $size } 的 CPU 依赖额度，其基线不在目录中
plan-confidential = { $size } 是机密 VM：它需要专门的安全类型和映像
plan-preview = { $size } 处于预览阶段（{ $page } 的页面）
plan-closed = { $size } 自 { $since } 起不再向新订阅开放；现有订阅可在其配额内部署，不再批准更多配额（{ $page } 的页面）
plan-limited = { $size } 的容量受限（{ $page } 的页面）
plan-disk-zones = { $disks }：在 { $region } 仅 { $zones } 个可用性区域有售，没有页面说明是哪些：部署前请核对（{ $page } 的页面）
plan-disk-region = { $disks }：没有页面说明在 { $region } 有售，尽管那里有价格：部署前请核对
plan-setting-needed = { $size } 以 `{ $setting }` 运行，不另收费：其磁盘的持续吞吐量为 { $given }，而非 { $plain }；否则该大小上没有任何方案满足要求
plan-setting-cheaper = { $size } 以 `{ $setting }` 运行，不另收费：其磁盘的持续吞吐量为 { $given }，而非 { $plain }；否则方案每月要多花 { $more }
plan-setting-fewer = { $size } 以 `{ $setting }` 运行，不另收费：其磁盘的持续吞吐量为 { $given }，而非 { $plain }；否则方案需要更多磁盘
plan-setting-unknown = { $size } 以 `{ $setting }` 运行，不另收费：其磁盘的持续吞吐量为 { $given }，而非 { $plain }；没有检查不用该设置的所有方案，因此不用它是否足够尚不可知
plan-setting-network = `{ $setting }` 从 { $size } 的网络持续带宽 { $network } 中取走 { $loses }，而要求中没有说明网络需要多少：部署前请核实
plan-setting-network-unknown = `{ $setting }` 从 { $size } 的网络中取走 { $loses }；其持续带宽和所需带宽均未知：部署前请核实
plan-vm-region = { $size }：价格由您给出，且没有页面确认它在 { $region } 销售：部署前请核实
plan-retires = { $size } 将于 { $date } 停用
plan-steady-memory = 负载和卷中的数据会增长，但已用内存不变：如果内存也会增长，请提高 `memory_min`
plan-steady-capacity = 负载会增长，但卷中的数据和已用内存不变：如果数据会增长，请给出 `capacity_growth_percent_per_year`；如果内存会增长，请提高 `memory_min`
plan-steady-load = 卷中的数据会增长，但负载不变：如果负载也会增长，请给出 `growth_percent_per_year`
plan-no-os = 没有卷的用途为 `os`：操作系统磁盘不在方案和费用之内
plan-os-beside = 操作系统磁盘 { $disk }（`os_disk`）列在其他费用中：方案费用和 `cost_max` 都不包含它
plan-years = 按 { $years } 年后的需求规划
stage-vm = 将 VM 大小调整为 { $vm }
stage-set = { $volume }：每块磁盘设为 { $disk }
stage-more = { $volume }：增加 { $more } 块磁盘，每块为 { $disk }，并重建条带
stage-moved = { $volume }：将数据复制到 { $disks }
stage-cache = { $volume }：主机缓存设为 { $cache }
stage-takes = { $takes }（{ $page } 的页面）
stage-migration = 迁移：{ $takes }（{ $page } 的页面）
stage-unknown = 读过的页面都未说明这一切需要什么：可能需要迁移
stage-in-place = 相同的磁盘，就地扩展
stage-stay = 从第 { $month } 个月起每月多付 { $more } 即无需迁移：{ $plan }
stage-reserved = { $size } 的预留（{ $term }）持续到第 { $month } 个月末：{ $left } x { $monthly } = { $all }，不含在这些价格中
plan-service = { $name }：{ $bought }，{ $price }；{ $access }。其延迟和 VM 网络的上限在此未知（{ $page } 的页面）
plan-service-price = 每月 { $monthly }（{ $date } 的价格）
plan-service-unpriced = 在 { $region } 的价格未知
move-takes = { $what }：{ $takes }（{ $page } 的页面）
plan-lasts =
    按你给出的增长率，{ $years ->
        [0] 此方案能满足今天的需求，但满足不了 1 年后的需求
       *[other] 此方案能满足 { $years } 年后的需求，但满足不了 { $next } 年后的需求
    }。
plan-latencies = 卷和设计的延迟是最繁忙负载下估算的平均值，含在磁盘和 VM 上限处的等待。列在上限中的延迟是搜索时规划所用的值；两者都由模拟检验
plan-reserve =
    搜索时将 { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }延迟压到比要求低 { $reserve }：模拟表明，更便宜的方案比估算的慢
plan-reserve-deeper =
    { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }队列按比估算深 { $more } 计：模拟表明，实际完成的请求比估算的少
plan-reserve-rates = 在余量之外，各项速率再留出 { $reserve }：模拟表明，实际完成的请求比估算的少
mean-latencies = 延迟为未触及任何上限时各模型的平均值
plan-offers = 可选 { $sizes } 种 VM 大小和 { $disks } 种磁盘；未计入：{ $left_out }
offers-barred = { $offers } 种被排除
offers-unpriced = { $offers } 种没有已知价格
offers-incomplete = { $offers } 种上限不完整
offers-local = { $offers } 种不提供区域冗余
key-unused = `{ $key }` 不起作用：{ $why }
key-unused-of = { $volume }：`{ $key }` 不起作用：{ $why }
key-no-growth = 负载和容量都不增长
key-no-years = 方案不涉及以后的年份：请给出 `years`
key-own-growth = 每个卷都有自己的增长率，操作系统不增长
key-no-series = 没有时间序列
key-no-processor-load = [cpu] 中没有 `processors` 和 `busy_percent`
key-no-processors = [cpu] 中没有 `processors`
key-no-busy = [cpu] 中没有 `busy_percent`
key-no-memory = [memory] 中没有 `used`
key-os-volume = 有卷的角色是 `os`
key-no-snapshots = 不保留快照：由 `snapshots_kept` 指定份数
key-not-on-offer = { $offer } 没有按计费项 `{ $meter }` 出售
key-series-instead = { $volumes }：按时间序列规划；不读取同时给出的百分位
key-split-iops = 已分别给出 `read_iops` 和 `write_iops`
key-split-throughput = 已分别给出 `read_throughput` 和 `write_throughput`
key-series-knows = 时间序列已含读写两个方向的速率
key-no-requests =
    它没有{ $requests ->
        [reads] 读取
        [writes] 写入
       *[other] { $requests }
    }请求
key-no-cache = 它的 `host_cache` 为 `None`
key-one-uncached = 此方案中没有 VM 同时使用高级 SSD v2 或超级磁盘与其他磁盘
key-all-writes = `iops` 没有说明哪些请求是读取，因此全部按写入计
key-measured = { $volume }：{ $keys } 表示测得的值，不影响方案；要提出延迟要求，请用 `read_latency_max` 和 `write_latency_max`
key-size-overruled =
    { $volume }：其{ $requests ->
        [reads] 读取
        [writes] 写入
       *[other] { $requests }
    }请求按每个 { $planned } 规划（由吞吐量和 IOPS 得出），而不是 { $written }（`{ $key }`）
key-one-disk = 它最多只有一块磁盘
key-os-disk = 操作系统只从一块磁盘启动
latency-given = { $places } 的延迟：以场景给出的为准
latency-own = { $places } 的延迟：{ $model }，自定义模型，等级 { $grade }
latency-default =
    { $places } 的延迟：{ $medium }，{ $setting ->
        [optimistic] 乐观
        [typical] 典型
        [cautious] 谨慎
       *[other] { $setting }
    }，等级 { $grade }，并非在你的磁盘上测得：平均读取 { $read }（{ $read_else }），写入 { $write }（{ $write_else }）
latency-else =
    { $setting ->
        [optimistic] 乐观
        [typical] 典型
        [cautious] 谨慎
       *[other] { $setting }
    } { $latency }，{ $other ->
        [optimistic] 乐观
        [typical] 典型
        [cautious] 谨慎
       *[other] { $other }
    } { $otherwise }
latency-of-miss =
    { $places } 的延迟：{ $medium }，{ $setting ->
        [optimistic] 乐观
        [typical] 典型
        [cautious] 谨慎
       *[other] { $setting }
    }，等级 { $grade }，并非在你的磁盘上测得：平均 { $mean }（{ $mean_else }）

## explain: the finding

explain-first-touch = 在 { $volume } 的数据就位之前，瓶颈是首次访问，就位之后需求即可满足：该卷来自快照，还有 { $left } 尚未取回，{ $block } 的数据块在首次使用时需要 { $time }，因此在 { $asked } 中只能达到 { $gives }。{ $remedy }
explain-first-touch-beside = { $volume } 来自快照，还有 { $left } 尚未取回：{ $block } 的数据块在首次使用时需要 { $time }。{ $remedy }
explain-first-touch-comes = 按其初始化速率，{ $after } 后全部就位：请等待这么久。
explain-first-touch-read = 请在正式使用前把该卷从头到尾读一遍（每次一个请求需要 { $alone }）。
explain-first-touch-buy = 请在正式使用前把该卷从头到尾读一遍（每次一个请求需要 { $alone }），或购买 `initialization_rate`：{ $least } 时 { $slow } 后全部就位，{ $most } 时 { $fast } 后全部就位；价格未知。
explain-carries = 此配置能承载该需求{ $nearest }
explain-nearest = ；最接近上限的是 { $limit }，已用 { $used }
explain-measured = { $shows }{ $advice }
explain-carries-measured = 此配置能承载该需求；测量结果：{ $shows }
explain-carries-else = 此配置能承载该需求，测得的并不是它的上限：{ $shows }
explain-cut-off = 采集数据被截断在 { $at }：真实需求高于采集到的{ $nearest }{ $advice }
cut-off-at = { $limit }（{ $iops }、{ $throughput }）
cut-off-elsewhere = { $volume } 的 { $iops }、{ $throughput }
cut-off-said = 来源自身的上限（{ $what }）
explain-cut-off-nearest = ；就采集数据而言，最接近上限的是 { $limit }，已用 { $used }
explain-fixed = { $limit }：需要 { $asked }，可用 { $available }{ $advice }
explain-fixed-latency = { $limit }：要求不超过 { $asked }，预计为 { $expected }{ $advice }
explain-binds = 瓶颈是 { $limit }{ $times }{ $gets }{ $others }{ $advice }
explain-times = （{ $all } 个间隔中有 { $intervals } 个）
explain-gets = ：{ $volume } 需要 { $asked }，得到 { $gets }（{ $share }）
explain-others = ；其他时候是 { $limits }
explain-advice = ；足以解决问题的最便宜改动：{ $change }
explain-advice-in-place = ；无需迁移的最便宜改动：{ $change }
explain-advice-both = { $cheapest }{ $in_place }
explain-new-plan = 只改一处不够。针对此需求的新方案：{ $plan }，每月 { $monthly }（此处未模拟；`diskwright plan` 会模拟）。
explain-new-plan-cheaper = 新方案比足以解决问题的最便宜改动每月再省 { $saved }：{ $plan }，每月 { $monthly }（此处未模拟；`diskwright plan` 会模拟）。

## explain: what a measurement shows

shows-limit = { $volume } 达到 { $iops }、{ $throughput }：已触及 { $limit }（达其 { $used }）{ $credits }
shows-limit-credits = ；它正在消耗突发额度，额度满时按此速率可维持 { $lasts }
shows-credits = { $volume } 达到 { $iops }、{ $throughput }：超过 { $limit } 的持续速率，正在消耗突发额度，额度满时可维持 { $lasts }
shows-cache = { $volume } 达到 { $iops }、{ $throughput }：被磁盘限流，主机缓存处理了{ $served }；{ $why }
shows-cache-serves = 约 { $share } 的读取
shows-cache-serves-none = 极少的读取
shows-cache-small = 读取的数据比缓存大
shows-cache-cold = 缓存是冷的，或比读取的数据小：测量前先把文件读一遍
shows-sync = { $volume } 达到 { $iops }、{ $throughput }：一次写入接一次同步耗时 { $cycle }，即每秒 { $per_s } 次{ $workers }；增加在途请求在这里无济于事，需要更快的同步：平均耗时 { $sync }{ $p99 }
shows-sync-workers = （共 { $workers } 个工作线程）
shows-sync-p99 = ，第 99 百分位为 { $p99 }
shows-depth = { $volume } 达到 { $iops }、{ $throughput }：队列深度太小：{ $in_flight } 个在途请求、每个 { $latency }，只能达到 { $most }{ $next }{ $idle }
shows-depth-next = ；{ $needed } 个在途请求才会触及第一个上限，即 { $limit } 的 { $gives }
shows-depth-idle = ；条带中有 { $disks } 块磁盘空闲
shows-slow = { $volume } 达到 { $iops }、{ $throughput }：没有触及任何上限，但每个请求耗时 { $latency }，而模型为 { $model }：请检查来宾操作系统的 CPU、主机上的其他限流，以及之前是否已用完突发额度
shows-not-asked = { $volume } 达到 { $iops }、{ $throughput }：没有触及任何上限：负载受自身设置所限
shows-unknown = { $volume } 达到 { $iops }、{ $throughput }：没有触及任何上限；没有队列深度或延迟，无法进一步判断

## explain: changes

change = { $what }（{ $cost }{ $needs }{ $gives_up }{ $simulated }）
change-vm = 将 { $old } 换成 { $new }
change-disk = 将 { $volume } 的 { $old } 换成 { $new }
change-tier = 将 { $volume } 的 { $old } 设为性能层 { $new }
change-rebuild = 将 { $volume } 的 { $old } 换成 { $new }（{ $bought }）
change-stripe = 将 { $volume } 的 { $before } 块磁盘换成 { $count } x { $disk } 条带
change-stripe-unit = 将 { $volume } 的条带单元从 { $old } 改为 { $new }
change-provision = { $volume } 的 { $disks } 改按以下规格购买：{ $new }（原规格：{ $old }）
change-bought = { $capacity }、{ $iops }、{ $throughput }
change-bought-unknown = 当前值
change-cache = 将 { $volume } 的主机缓存从 { $old } 改为 { $new }
change-local = 将 { $volume } 从 { $old } 移到 VM 的本地磁盘
change-ephemeral = 将 { $volume } 从 { $old } 换成临时 (ephemeral) OS 磁盘
change-in-flight = { $volume } 上保持 { $depth } 个在途请求
change-free = 不增加费用
change-costs = 每月 { $monthly }
change-unpriced = { $offers } 在 { $region } 没有已知价格
needs-nothing = ；无需中断
needs-detach = ；磁盘需分离后重新附加
needs-restart = ；VM 需停止再启动
needs-migration = ；需迁移数据
needs-unknown = ；读过的页面都未说明这需要什么
needs-processors = ；需新建 VM：Arm 与 x64 处理器需要不同的映像
needs-security = ；需新建 VM：机密大小需要专用的安全类型和映像
needs-images = ；需新建 VM：其映像与新大小可启动的映像不属同一代
needs-nvme = ；需新建 VM，或在解除分配后转换：磁盘控制器由 SCSI 变为 NVMe，需要带 NVMe 驱动程序的第 2 代映像
needs-scsi = ；需新建 VM，或在解除分配后转换：磁盘控制器由 NVMe 变为 SCSI
needs-local-disk = ；需新建 VM：Azure 不支持在有本地磁盘与无本地磁盘的大小之间调整
gives-up-durability = ；VM 解除分配或迁移时其中的数据会丢失
gives-up-host-cache = ；不再有主机缓存
gives-up-smaller = ；之后不能再缩小
gives-up-network = ；其网络带宽会减少
proof-served = ；已模拟
proof-falls-short = ；模拟结果不足
proof-none = ；未模拟

## explain: recordings that stop at a level, missing inputs, assumptions

throttled-at = { $volume }：{ $share } 的间隔停在 { $iops }、{ $throughput }：正是此配置的 { $limit }；真实需求高于采集到的
throttled-elsewhere = { $volume }：{ $share } 的间隔停在 { $iops }、{ $throughput }：要么是采集数据所在机器的上限，要么是负载本身如此；真实需求高于采集到的
missing-measurement = 测量结果：`--measured FILE` 给出 fio、DiskSpd 或 Iometer 的结果，即可区分是触及上限还是队列深度太小
missing-demand = 需求：`--demand requirements.toml`（由 `diskwright observe` 生成）说明各时段的需求
missing-series = 随时间变化的需求：{ $file } 中没有时间序列，无法跟踪突发额度和积压
missing-depth = { $volume }：有多少个在途请求，或其延迟：请用能输出这些值的工具测量
missing-working-set = { $volume }：主机缓存命中率：请在 { $file } 中写明它的 `working_set` 或 `hit_curve`；未计入命中
missing-prices = 此配置在 { $region } 的价格：请用 `diskwright catalogue import` 导入
explain-one-figure = 每个卷一个数值，取第 { $percentile } 百分位
explain-intervals = { $intervals } 个 { $interval } 间隔，其中 { $exceeding } 个可超过某个上限（须在 { $percentile } % 的时间内满足）
explain-no-credits = 上限按全额计，不留余量；不计突发额度：只有一个数值，视为始终不变
explain-credits = 上限按全额计，不留余量；开始时突发额度是满的
explain-more = 改动后须能承受比测得值高 { $percent } % 的负载，才算足够
explain-else = 改动时其余部分不变，处理器和内存都不减少
explain-tried = 满足所有上限的改动，会在其须承载的最繁忙区间中模拟
explain-today = 今天的需求：不含 `plan` 计入的 { $years } 年增长
explain-hits = { $volume }：{ $share } 的读取命中主机缓存（估算）
explain-hits-least = { $volume }：{ $share } 的读取命中主机缓存（至少如此：磁盘不可能提供这么多）
explain-write-back = { $volume }：主机发生故障时，ReadWrite 缓存中尚未写回的数据会丢失
habit-cached-writes = { $volume }：几乎不被读取的卷使用了 ReadOnly 主机缓存：写入得不到好处，还占用缓存；请设为 None
habit-write-back = { $volume }：数据使用了 ReadWrite 主机缓存：主机发生故障时，尚未写回的数据会丢失；数据用 ReadOnly，日志用 None
habit-one-in-flight = { $volume }：{ $disks } 块磁盘的条带上只有 1 个在途请求：同一时间只有一块磁盘在工作；请至少保持 { $disks } 个在途请求，或改用一块更快的磁盘
habit-unequal = { $volume }：同一条带中的磁盘不一致：每块都按最慢、最小的计算；请使用相同的磁盘
habit-small-unit = { $volume }：{ $unit } 的条带单元会把一个请求拆成多个 I/O，每个都计入上限；应为 64 KiB 或更大
habit-spinning = { $volume }：机械硬盘（{ $disk }）每个请求需要数毫秒，只适合备份；数据库请使用 SSD
habit-os-disk = { $volume }：负载运行在 OS 磁盘上，系统需排在其后等待；请为它配备单独的数据磁盘，无状态节点可使用临时 (ephemeral) OS 磁盘

## simulate: what throttles a volume

binding-idle = { $volume } 没有负载。
binding-write-back = { $volume } 被写回限流：主机缓存已容不下更多脏数据，写入的接收速度只能与其 { $disks } 的写入速度一致。可在条带中增加磁盘或换用更大的磁盘。
binding-first-touch = { $volume } 受首次访问限流：其 { $disks } 上自快照以来未被使用的数据要在首次访问时才取回，I/O 有 { $waiting } 的时间在等待取回。请在正式使用前把该卷从头到尾读一遍，或购买初始化速率。
binding-at-times = { $volume } 只是偶尔触及 { $limit }：平均还有 { $unused } 未用，但等待它的时间占延迟的 { $waiting }。用 `--series 1s` 可查看发生的时刻。
binding-throttled = { $volume } 被 { $limit } 限流{ $active }：{ $available }。{ $remedy }{ $next }
binding-active = （在其活动期间：{ $run } 中的 { $active }）
binding-one-disk = 其 { $disks } 提供 { $available }
binding-disks = 其 { $disks } 合计提供 { $available }
binding-vm = { $vm } 为{ $behind }提供 { $available }
binding-our-vm = VM 为{ $behind }提供 { $available }
behind-all = 其所有磁盘
behind-v2 = 其高级 SSD v2 和超级磁盘
behind-others = 其高级 SSD v2 和超级磁盘以外的磁盘
behind-cache = 主机缓存和临时磁盘处理的全部请求
behind-gate = 经过闸口 { $gate } 的全部请求
remedy-disks-or-cache = 可增加磁盘或换用更大的磁盘；让缓存容纳更多要读取的数据也有效。
remedy-disks = 可在条带中增加磁盘、换用更大的磁盘或提高性能层。
remedy-larger = 可在条带中增加卷或换用更大的卷。
remedy-bought = 可为同一个卷购买更高的值，或在条带中增加卷。
remedy-other-kind = 此类型的卷已达上限：可在条带中增加卷或换用其他类型。
remedy-local = 可换用本地磁盘更多或更快的 VM 大小，或把部分负载移到远程磁盘。
remedy-uncached =
    可换用{ $gate ->
        [uncached] 非缓存
        [cached] 缓存
       *[other] { $gate }
    }上限更高的 VM 大小；增加磁盘或换用更大的磁盘无效。
remedy-cached =
    可换用{ $gate ->
        [uncached] 非缓存
        [cached] 缓存
       *[other] { $gate }
    }上限更高的 VM 大小，或将部分负载移到不使用主机缓存的卷。
binding-next-exhausted = { $limit }（{ $available }）也已耗尽。
binding-next-nearly = { $limit }（{ $available }）也几乎耗尽。
binding-next = 下一个瓶颈是 { $limit }：{ $available }，剩余 { $left }。
limit-of = { $place } 的 { $limit }
binding-rate = { $volume } 没有被限流：其作业设定了速率，不要求更多，达到 { $iops }。
binding-think = { $volume } 没有被限流：其作业会暂停（thinktime），达到 { $iops }。
binding-depth = { $volume } 没有被任何上限限流，而是受队列深度所限：{ $depth } 个未完成 I/O、每个 { $latency }，只能达到 { $iops }。增加未完成 I/O 数（iodepth、numjobs）可提高。
binding-sync = { $volume } 没有被任何上限限流。一次写入接一次同步耗时 { $cycle }，即每秒 { $per_s } 次{ $workers }。增加未完成 I/O 数（iodepth）在这里无济于事，需要同步更快的磁盘。

## simulate: what was leapt over, or why nothing was

by-kind-all = 共 { $all } 个 I/O，模拟了 { $simulated } 个：{ $steps } 个区间（每个 { $each }）各由其中一部分代表
by-kind = 共 { $all } 个 I/O，模拟了 { $simulated } 个：{ $steps } 个区间（每个 { $each }）中有 { $taken } 个由其中一部分代表，其余完整模拟
by-kind-near = 共 { $all } 个 I/O，模拟了 { $simulated } 个：{ $steps } 个区间（每个 { $each }）中有 { $taken } 个由其中一部分代表，其余完整模拟，其中 { $near } 个达到限制或与之相邻
leapt = { $share } 的时间处于稳态，已跳过：模拟了 { $simulated } 个 I/O，总计 { $all } 个。`--exact` 会逐个模拟，`--error 1%` 可要求更小的误差
leap-refused = 运行时间虽长，仍逐个模拟了 I/O：{ $why }
leap-by-size = 作业 { $job } 按数据量或 I/O 数结束，而不是按时间（`time_based=1` 和 `runtime`）
leap-verifies = 作业 { $job } 会读回自己写入的数据
leap-ends-when-steady = 作业 { $job } 在速率稳定时结束
leap-null-engine = 作业 { $job } 使用 null 引擎
leap-billed = 按需突发按秒计费，时间序列要列出每一秒
leap-first-touch = { $volume } 的数据在首次使用时才取回，且随时间推移越来越少
leap-cache = 作业 { $job } 在主机缓存中的命中没有闭式解：{ $why }
leap-cache-sizes = 其请求大小不一、被条带切分，或与请求大小不同的作业共用数据
leap-cache-partly = 其请求没有填满整个缓存块，或其文件只有一部分是热的
leap-cache-order = 它按自己的顺序再次使用数据，而不是独立随机
leap-cache-write-back = 其数据超出缓存，而脏数据在缓存中的可读时间比干净数据长
leap-cache-trims = 它会执行 TRIM
leap-cache-eviction = 缓存淘汰的不是最久未用的数据
leap-unsteady =
    { $figure }（{ $volume }，{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }）始终不够稳定
leap-rate = IOPS
leap-mean = 平均延迟
leap-p99 = 第 99 百分位延迟
leap-tiers = 缓存命中的占比
leap-backlog = 等待写回的数据
leap-changes = 运行的内容变化太频繁
leap-cache-moves = 主机缓存的内容随区间而变

## simulate: doubts

doubt-partial = 在虚拟时间 { $after } 后停止：数值截至此时
doubt-nothing = 没有计入任何 I/O：ramp_time 是否比作业的运行时间还长？
doubt-job-ended = { $job } 提前结束：{ $error }
doubt-cold-cache = { $volume }：{ $hits } 的读取命中主机缓存，但运行时间不足以把文件遍历一遍（{ $files } 按此速率需要 { $pass }，只运行了 { $ran }）。请延长运行时间；如果生产环境中缓存是满的，请用 `--start warm`
doubt-idle-disks = { $volume }：平均 { $depth } 个未完成请求不足以让 { $disks } 块磁盘满负荷；要达到全部吞吐量，每块磁盘需要 8 到 16 个（条带的队列深度 = 每块磁盘的队列深度 × 磁盘数）
doubt-varies = { $volume }：IOPS 波动太大，平均值不可靠（± { $width }）。请用 `--series 1s` 检查是否有漂移；延长运行时间或用 `--seeds 1..8` 可缩小误差
doubt-few = { $volume }：{ $ios } 个 I/O 太少，无法得出置信区间或 p99.9；请延长运行时间
doubt-leap-error =
    { $figure }（{ $volume }，{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }）的误差为 ± { $known }，而要求为 ± { $asked }：缓存填充期间它会变化。`--exact` 会逐个模拟 I/O
doubt-credits-out-at = { $limit }：突发额度在 { $after } 后用完；此后只提供 { $sustained }。数值是前后两段的平均
doubt-credits-out = { $limit }：突发额度在运行期间用完；没有额度时提供 { $sustained }
doubt-on-credits = { $limit }：此次运行依赖突发额度（已用 { $spent }）；按此速率总共约可维持 { $lasts }，之后上限降到 { $sustained }
doubt-dirty = 结束时主机缓存中还有 { $dirty } 脏数据尚未写入磁盘
doubt-first-touch = { $volume }：{ $share } 的 I/O 等待了须先从快照取回的数据。结束时还有 { $left } 尚未取回，因此运行时间更长时速率会提高。
doubt-first-touched = { $volume }：{ $share } 的 I/O 等待了须先从快照取回的数据，最后一次在开始后 { $until }。此后的速率优于这些平均值。
doubt-guest-merges = { $volume }：这里 { $limit } 对每个请求计数。如果来宾的 I/O 调度器合并相邻请求，就会发出更少、更大的请求，此处未建模：该大小的请求最多可达 { $most }。请将 iostat 的 `rrqm/s` 或 `wrqm/s` 与速率比较

## verify

verify-met =
    { $requirements ->
        [1] 唯一的要求已满足
       *[other] { $requirements } 项要求全部满足
    }
verify-answer = { $requirements } 项要求中，{ $met } 项满足，{ $not_met } 项不满足，{ $not_proven } 项未得到证实
cause-no-figure = 两者之一没有此数值
cause-agrees = 与预测一致
cause-less = { $limit } 在这里比模型中低：{ $rate }
cause-more = { $limit } 在这里比模型中高：{ $rate }
cause-noise = 在运行的噪声范围内：平均值的误差为 { $error }
cause-doubt = 此次运行存疑：{ $doubt }
cause-medium = 没有限流；受磁盘延迟所限（实测 { $measured }，模型 { $model }）。如果两者不同，可用 `diskwright calibrate` 拟合模型
cause-medium-only = 没有限流；受磁盘延迟所限
cause-not-predicted = 没有对应的预测
cause-not-shown = 没有场景能证实它：`bench --suite checklist`

## calibrate: scenarios that are excluded

excluded-unfinished = 它没有运行完
excluded-mixed = 它不是单一的流：混有不同的卷或方向
excluded-throttled = 被 { $limit } 限流
excluded-no-percentiles = 它没有百分位，或者是多个作业的百分位，无法相加
excluded-no-median = 它没有拟合所需的中位数（p50），只有 { $percentiles }
excluded-large = 其请求大于条带单元，要等最慢的磁盘
excluded-not-predicted = 没有对应的预测：结果没有说明要求的是什么
excluded-waits-rate = 它在某个上限处排队：降低速率，请求会更快完成
excluded-waits-depth = 它在某个上限处排队：降低队列深度，IOPS 几乎不变

## bench: warnings

warn-governor = 处理器的调速器为 `{ $governor }`：频率随负载变化。`cpupower frequency-set -g performance` 可使其固定
warn-load = 开始前 { $processors } 个处理器的平均负载为 { $load }：有其他程序在运行。请停止它们，或者等待
warn-no-direct = { $volume }：读取 { $path } 无法绕过页缓存（{ $file_system }：不支持直接 I/O），因此测得的是本机内存的速度。请使用磁盘文件系统或设备{ $size }
warn-no-direct-size = ；文件为 { $file }，内存为 { $memory }
warn-this-file-system = 此文件系统
warn-partial = 提前停止：数值截至此时
warn-client-cpu = 一个 fio 作业用了处理器的 { $busy }，因此结果中也包含 fio 自身的上限。增加作业数（`numjobs`）可分摊工作
warn-machine-cpu = 所有处理器合计繁忙 { $busy }：本机已无法做得更多。请用更少或更大的请求测量，或换一台更大的机器
warn-others = 运行期间其他程序占用了全部处理器的 { $busy }。请停止它们后重新测量
warn-short = { $ran } 太短：30 s 以上才能平均掉短暂的干扰
warn-few = { $ios } 个 I/O 太少：请延长运行时间（`--runtime`）
warn-drift = 速率从前三分之一的 { $first } 变为后三分之一的 { $last }：可能是突发额度、正在填充的缓存或其他负载。请延长运行时间或预热时间
warn-page-cache = { $volume }：{ $path } 有 { $share } 在页缓存中；直接 I/O 会绕过页缓存，但测量期间仍可能读到缓存中的数据或将其写回。`sync; echo 1 > /proc/sys/vm/drop_caches` 可将其清空
warn-emulator = 仿真器：{ $doubt }
warn-client-late =
    fio 测得 { $volume } 的{ $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }延迟第 99 百分位为 { $seen }，而模型磁盘给出的是 { $given }：客户端或本机跟不上
warn-file-size = 启用缓存的卷上，测试文件合计 { $files }，而主机缓存只能容纳 { $cache }：读取会未命中。请减小 `--file-size`
warn-timeline = 仿真时会执行 rig 的时间线；预测中不包含它
warn-no-host-cache = 没有卷使用主机缓存：读取和写入共用 VM 的同一份配额
excluded-page-cache = 它经过了页缓存，看不到磁盘的真实表现：请用 `{ $option }` 测量

## bench: what a curve shows

finding =
    { $curve }（{ $from ->
        [predicted] 预测
        [measured] 实测
       *[other] { $from }
    }）：{ $shows }
knee = 拐点在队列深度 { $depth } 处：{ $iops }，延迟 { $latency }；要达到最高值 { $most } 的 95 %，需要深度 { $near_depth }，延迟 { $near_latency }
crossover = 从 { $size } 起吞吐量达到峰值 { $throughput }；低于该大小时 IOPS 峰值为 { $iops }
rise = 负载不超过 { $load } % 时，延迟保持在最低值 { $lowest } 的两倍以内：{ $iops }，延迟 { $latency }

## Results of benchmarks: what makes the figures less than they seem

result-last-of = { $results } 个结果中的最后一个；每个都从头计数
result-cut-short = JSON 没有闭合就结束了：最后一个完整结果之后的内容已略去
result-damaged = JSON 无效：在 `{ $near }` 附近 { $reason }：最后一个完整结果之后的内容已略去
result-more-lines = JSON 之外另有 { $lines } 行
result-stopped = 模拟在作业结束之前就被停止
result-no-job = 其中没有作业：fio 在任何作业开始之前就结束了
result-job-error = 作业 `{ $job }` 以错误 { $error } 结束
result-no-time =
    { $direction ->
        [read] 读取
        [write] 写入
        [trim] TRIM
       *[other] { $direction }
    }：fio 没有给出 { $ios } 个 I/O 的耗时，因此没有速率
result-not-steady = 没有达到所要求的稳态
result-failed = `{ $name }` 有 { $ios } 个 I/O 失败

result-note = { $place }：{ $note }
result-chosen = { $file }：先后运行了 { $tests } 个测试；这里解释每秒 I/O 数最高的一个{ $test }
result-chosen-test = （`{ $name }`，第 { $line } 行）

## bench: how it differs from the published procedure, and why a scenario failed

scaled = 测试文件为 { $files }，而不是 { $published }
scaled-time = 每个场景 { $time }，而不是 { $published }
scaled-both = { $files }，{ $time }
warn-swapped = 指南中的 Iometer 结果表把访问规格的名称写反了（读取写成 RandomWrites_8K，写入写成 RandomReads_8K）；这里以访问规格实际读取的为读取
fio-start = 无法运行 fio：{ $reason }
fio-killed = fio 被信号 { $signal } 终止{ $said }
fio-full = 磁盘已满：fio 无法写完整个文件{ $said }
fio-gone = 目标在 fio 使用期间消失或发生故障{ $said }
fio-vanished = 目标消失：{ $what }
seen-gone = { $path } 已不存在
seen-other = { $path } 已被替换
seen-folder-gone = { $path } 所在的文件夹已不存在
seen-folder-other = { $path } 所在的文件夹已被替换：有文件系统被装载或卸载
fio-failed = fio 失败，退出代码为 { $code }{ $said }
fio-stopped = 已停止
fio-said = ：{ $said }

## observe: what to doubt in a recording; what was seen, what it does to a plan, what to do

effect-none = 无
audit-few = 只有 { $samples } 个样本：不足 100 个时，p99 就是最大的那个
audit-too-few = { $samples } 个样本不足以得出可靠的 p99：真实值可能高于见到的最大值；至少需要 459 个
audit-too-few-effect = p99 不确定：请看置信区间
audit-too-few-hint = 以此间隔采集 { $time } 以上
audit-coarse = 样本是 { $interval } 的平均值，看不到更短的峰值{ $measured }
audit-coarse-measured = ：仅将五个样本合并平均，p99 就降低 { $lower }
audit-coarse-effect = p99 和最大值偏低
audit-coarse-hint = 在高峰时段以 1 s 或 2 s 为间隔采集
audit-means = 按 I/O 计的平均值为 { $mean }，各间隔平均值的平均为 { $of_means }
audit-means-effect = 无：使用按 I/O 计的平均值
audit-merges = 应用程序的请求有 { $share } 被合并到其他请求
audit-merges-effect = IOPS 是设备的值；如果不合并（使用其他调度器、O_DIRECT），会更高
audit-plateau =
    { $volume }：{ $share } 的时间{ $quantity ->
        [throughput] 与最大吞吐量相差不到 2 %
       *[other] 与最大 { $quantity } 相差不到 2 %
    }，{ $latency }
audit-plateau-slower = 此时延迟为 { $latency }，其他时候为 { $otherwise }
audit-plateau-at = 此时延迟为 { $latency }
audit-plateau-unknown = 延迟未知
audit-plateau-effect = 来源系统已触及自身的上限：需求至少有这么多，也可能更多
audit-plateau-hint = 规划时留出余量，或在更快的磁盘上采集
audit-closed = 每个请求 { $latency }，{ $depth } 个未完成：应用程序在等待磁盘
audit-closed-effect = 如果应用程序在请求之间不做别的事，在 1 ms 的磁盘上，同样 { $depth } 个未完成请求最多会要求 { $iops }
audit-closed-hint = 按高于所见的负载规划，或在新磁盘上再采集一次
audit-memory = 由内存（{ $memory }）提供的读取不在这些数值中
audit-memory-unknown = 由内存提供的读取不在这些数值中，且机器的内存大小未知
audit-memory-effect = 内存更小的 VM 会从磁盘读取更多
audit-memory-hint = 同时提供 vmstat 或 sadf -r 的采集数据，或给出 `--memory-total 64GiB`
audit-batch = { $share } 的间隔有 256 KiB 及以上的请求，首次出现于 { $first }；p99 吞吐量计入它们为 { $with }，不计入为 { $without }
audit-batch-effect = 如果是备份或检查，磁盘大小将由它决定
audit-batch-hint = 为它单独设一个时间窗口，或将其排除：`--window exclude=...`
audit-short = 采集了 { $length }{ $times }：太短，不足以规划
audit-hours = 采集了 { $length }{ $times }：一天中其他时段的情况未知
audit-hours-times = （{ $from } 至 { $to }）
audit-hours-effect = 方案只满足这些时段的负载；如果峰值出现在其他时间，方案就偏小
audit-hours-hint = 至少采集一整天，且包含当周或当月的峰值
audit-processors-busy = { $share } 的读数中，处理器繁忙 { $busy } 以上
audit-processors-busy-effect = CPU 限制了对磁盘的需求：在处理器更多的 VM 上，需求会更高
audit-processors-busy-hint = 规划时为此留出空间（requirements.toml 中的 `comfort_factor`），并使用比现在更多的处理器（`vcpu_min`）
audit-one-volume = 几乎所有请求都由 { $volume } 处理，其中 { $reads } 是读取，写入平均为 { $size }：如果这是数据库，数据和日志可能在同一个卷上
audit-one-volume-effect = 数据和日志将规划在一个卷上：无法只为数据启用主机缓存而不为日志启用
audit-one-volume-hint = 如果能区分，请分开采集，或在 requirements.toml 中拆分该卷，日志用 `role = "log"`
audit-idle = { $share } 的时间 IOPS 低于峰值的 5 %：p99 为 { $all }，只计繁忙时间则为 { $busy }
audit-idle-effect = 按全部时间的 p99 规划，对白天可能偏小
audit-idle-peak = 使用峰值所在的时间窗口
audit-idle-split = 将其拆分：`--window load`
audit-disagree = { $device }：{ $one } 为 { $says }，{ $other } 为 { $but }
audit-disagree-effect = 采用 { $tool } 的数值
audit-disagree-hint = 检查是否时间不同、请求被合并，或两者之间有缓存
audit-agree = { $device }：{ $one } 为 { $says }，{ $other } 为 { $but }：两者相差在 5 % 以内
audit-locale = 数字用逗号作小数点，并已按此读取
audit-locale-effect = 无，前提是千位看起来正确
audit-locale-hint = 用 `LC_ALL=C S_TIME_FORMAT=ISO` 采集
audit-folded = 读数多于保留的数量：百分位仍按全部读数计算，是精确值
audit-folded-within = 读数多于保留的数量：百分位仍按全部读数计算，误差不超过读数的 { $step }
audit-folded-effect =
    无；图表和随时间变化的需求{ $intervals ->
        [1] 每个间隔一个点
       *[other] 每 { $intervals } 个间隔一个点
    }
audit-damaged = 有 { $lines } 行无法识别，已略去
audit-damaged-effect = 可能缺少一些间隔
audit-damaged-hint = `--strict` 遇到这些行会报错；前几行已在上面列出
rate-untimed = 请求没有列出时间
rate-instant = 所有请求都在同一时刻：算速率需要一段时长
rate-short = 跟踪时长为 { $length }：算速率至少需要 { $interval } 间隔的十分之一
rate-effect = 请求数、吞吐量和队列深度未知；大小、占比和随机程度已知
rate-untimed-hint = 使用带时间的跟踪或日志（fio 在版本 3 的 iolog 中会写入时间）
rate-instant-hint = 使用不止一个时刻的跟踪
rate-short-hint = 使用更长的跟踪，或更短的间隔：`--every 1ms`
audit-wide = 跟踪覆盖的时间超出可保留的间隔数：间隔为 { $interval }，而不是 { $asked }
audit-wide-effect = 看不到更短的峰值
audit-wide-hint = 将跟踪裁剪到需要的时段
audit-since-boot = 略去了首次报告的 { $lines } 行：{ $example }
audit-since-boot-effect = 无：否则会把几天的平均值当作一个间隔
audit-since-boot-hint = 如果运行该工具时带有 -y，请加上 `--keep-first`
audit-one-direction = { $figure }：采集数据中没有，但有 { $other }
audit-one-direction-effect = 只有一个方向的数值不予采用：两个方向的合计、占比和平均值均为未知
audit-one-direction-hint = 两个方向都要采集
used-disks = 磁盘
used-compared = 比对
used-cpu = CPU
used-memory = 内存
used-transactions = 事务
used-pattern = 随机与顺序
used-nothing = 未使用
used-also = { $uses }、{ $also }
audit-missing = { $figure }：{ $devices }
audit-missing-all = { $device } 没有
audit-missing-some = { $device } 在 { $all } 个间隔中缺 { $lacking } 个
audit-missing-more = 另有 { $devices } 个设备
audit-missing-effect = 是缺失，不是零：需要它的合计和平均值不计入这些间隔
audit-missing-hint = 把它也采集下来；或选择有此数值的设备：`--volume NAME=DEVICES`
audit-times = { $what }，{ $times } 次{ $example }
audit-example = （{ $example }）
audit-reset = 计数器倒退
audit-reset-effect = 略去前后的间隔
audit-restart = 机器或采集工具重新启动过
audit-restart-effect = 没有间隔跨越重启
audit-impossible = 略去了任何设备都不可能有的数值
audit-impossible-effect = 它们是驱动程序或重置造成的
audit-processors = 处理器数量发生变化
audit-processors-effect = 变化前后的 CPU 百分比含义不同
audit-came-went = { $devices }：{ $counted }
audit-came = { $devices } 后来才出现
audit-went = { $devices } 中途消失
audit-holes = 设备数据中间缺少 { $lines } 行
audit-counted-idle = 缺失期间计为空闲
audit-counted-hole = 缺失期间计为{ $word }{ $but }
audit-counted-both = 前后计为空闲，中间计为{ $word }{ $but }
audit-counted-but = ，其中 { $lines } 行计为未知：该处有一行无法识别
audit-idle-word = 空闲
audit-unknown-word = 未知
audit-came-went-effect = 此类设备的百分位只按其存在的时间计算；合计不计入未知的间隔
audit-came-went-hint = 连接好所有设备后重新采集
audit-idle-left-out = 采集数据中没有空闲设备的 { $lines } 行（`-z`）：计为空闲{ $but }
audit-idle-left-out-effect = 无；后来才连接的设备在此之前计为空闲
audit-assumed = 文件没有给出间隔：假定为一秒
audit-assumed-effect = 速率正确，但其 Δt 和采集时长不正确
audit-inferred = 间隔 { $interval } 是从速率的小数推断的
audit-inferred-effect = 无，前提是推断正确
audit-interval-hint = 请给出间隔，例如 `--every 2s`；`iostat -t` 会记录间隔
audit-peaks = 读数是更短读数的峰值，没有平均值
audit-peaks-effect = 由峰值得出的百分位最多偏高三分之一
audit-peaks-too = 平均值之外还有更短读数的峰值，后者已略去
audit-peaks-hint = 请导出平均值
audit-spans = { $intervals } 个间隔与通常的 { $usual } 相差很大：{ $example }
audit-spans-effect = 百分位按各间隔的长度加权；长间隔会掩盖峰值
audit-coarsened = { $device } 每 { $over } 记录一次，其他数值每 { $finer } 记录一次：全部按 { $over } 取平均
audit-coarsened-effect = 总量不变；看不到短于 { $over } 的峰值
audit-coarsened-hint = 以短于 { $over } 的同一间隔采集全部数据，或分别采集每个卷
audit-utilisation = %util 是至少有一个请求的时间占比：未使用
audit-utilisation-effect = 无：能同时处理多个请求的磁盘，到 100 % 也未必已满
audit-tick = 内核（{ $kernel }）每个时钟滴答对 %util 采样一次
audit-over = 有 { $lines } 行的 %util 超过 100 %（{ $example }）
audit-unused-effect = 无：未使用
audit-service = svctm 由 %util 算出，没有意义，因此忽略
audit-depth = { $all } 行中有 { $lines } 行输出的队列长度不正确{ $fault }：{ $example }
audit-depth-fault = （Linux 5.0 到 5.6 的缺陷）
audit-depth-effect = 无：队列深度按速率 × 延迟计算
audit-depth-hint = 不要在别处使用此采集数据的 aqu-sz
audit-latency-alone = 有 { $lines } 行只有延迟而没有每秒请求数
audit-latency-alone-effect = 平均延迟和队列深度未知：它们按请求数加权
audit-latency-alone-hint = 请同时采集请求数，例如使用 `dstat --io --disk-wait` 或 `iostat -x`
audit-discards = 有 { $lines } 行的每秒请求数包含丢弃（discard）
audit-discards-effect = IOPS 因计入丢弃而偏高
audit-discards-hint = iostat -x 会分开计数
audit-only-discards = 有 { $lines } 行含丢弃（discard）
audit-flushes = 有 { $lines } 行含刷新（flush），{ $discards } 行含丢弃（discard）
audit-flushes-effect = 它们单独成行；日志写入要等待刷新
audit-dataless = 内核计数的写入中最多有 { $share } 是不带数据的刷新（flush）
audit-dataless-effect = 写 IOPS 可能偏高同样的比例，写入大小则偏小
audit-dataless-hint = 用 `observe --trace` 采集，可以区分它们
audit-dataless-traced = 根据跟踪，内核计数的写入中有 { $share } 是不带数据的刷新（flush）
audit-dataless-traced-effect = 无：这里的写 IOPS 不包含它们
audit-implausible = 有 { $lines } 行含有任何磁盘都不会有的数值：{ $example }
audit-implausible-effect = 数值已损坏，或某一列的单位与其名称不符；据此制定的方案会同样出错
audit-units = { $all } 个数值中有 { $figures } 个的吞吐量、速率和大小不一致：{ $example }
audit-units-effect = 吞吐量或 I/O 大小的误差可能为 2.4 %（kB 与 KiB 混淆）或 4.9 %（MB 与 MiB 混淆）
audit-units-factor = 吞吐量以及由其算出的 I/O 大小可能偏高 { $factor } 倍：某一列的单位与其名称不符
audit-units-factor-less = 吞吐量以及由其算出的 I/O 大小可能只有实际的 { $factor } 分之一：某一列的单位与其名称不符
audit-units-hint = 请核对该工具的单位
audit-twice = 未计入：{ $devices }{ $more }
audit-twice-more = ，以及另外 { $devices } 个
audit-twice-is = { $device }：{ $why }
audit-twice-effect = 无，前提是判断正确：否则其 I/O 会被计两次
audit-twice-hint = 用 `--volume data=sdb,sdc` 选择
audit-layers = { $above } 和 { $below } 都已计入，但前者可能建在后者之上
audit-layers-effect = 所有卷的合计可能偏高
audit-layers-hint = 用 `--volume NAME=DEVICES` 选择
audit-counted = 已计入：{ $devices }
audit-counted-effect = 如果它建在其他设备之上，其 I/O 就被计了两次
audit-counted-hint = 如果是这样，请将其排除：`--volume exclude={ $device }`
audit-not-counted = 未计入：{ $devices }
audit-not-counted-effect = 如果它是独立的磁盘，就漏计了它的 I/O
audit-not-counted-hint = 如果是这样，请将其计入：`--volume NAME={ $device }`，其他设备也各给一个 `--volume`
audit-device = { $device }：{ $why }
audit-more = 另有 { $devices } 个
audit-consumed = { $limit } 在 { $all } 个读数中有 { $readings } 个达到或超过 95 %，最高 { $most }
audit-consumed-effect = 需求比所见的大：这些数值只是下限
audit-consumed-hint = 规划时留出余量，或在更大的磁盘上采集
audit-credits-effect = 突发额度已用尽：此后采集到的是限制放行的量，而不是需求
audit-credits-hint = 按不突发的情况为需求留出余量，或在更大的磁盘上采集
audit-credits-some = { $metric } 最高达到 { $most }
audit-credits-some-effect = 部分负载依靠突发额度，而额度并非一直都有
audit-zones = 有些文件使用不带时区的本地时间，有些带时区：未合并
audit-local-times = 时间为不带时区的本地时间：时间窗口以该时钟为准
audit-zone-effect = 调整时钟时，会有一小时被重复计入或漏掉
audit-zone-hint = 请给出 `--utc-offset +02:00`
audit-unjoined = 有 { $sources } 个来源与磁盘没有重叠的时间：其数值未合并
audit-unjoined-effect = 时间窗口会略去无法确定时间的读数
audit-unjoined-hint = 采集时带上时间：`iostat -t`、`vmstat -t`
audit-silence = 有 { $stretches } 段超过 { $longer } min 的时间没有任何设备收到请求，合计 { $time }（{ $example }）
audit-silence-effect = 视为未跟踪的时间：如果当时确实空闲，按全部时间计算的百分位会更低
audit-silence-hint = 查看该行的时间戳：时间戳损坏会造成这样的空缺
audit-gaps = 有 { $gaps } 处空缺，共缺 { $time }（{ $example }）
audit-gaps-effect = 不向空缺中分摊任何数值；百分位按已采集的时间计算
audit-late = 有 { $readings } 个读数到达时，比它们更晚的读数已经归并
audit-late-effect = 它们会计入，但同一时刻的两个读数会计两次，时间窗口从第一个文件开始
audit-late-hint = 在时间重叠处裁剪文件，每个文件只给一次
audit-back = 时间倒退 { $times } 次（{ $example }）
audit-back-effect = 读数会重新排序；同一时刻的两个读数只算一个
audit-back-hint = 文件可按任意顺序给出，每个只给一次
audit-repeated = 有 { $readings } 个读数与已有读数的时刻相同：保留先出现的
audit-repeated-effect = 秋季调回时钟而重复的那一小时会丢失一半
audit-repeated-hint = 以 UTC 采集

## emulate: whether a run is to be trusted, and why not

trust-open = 已完成 { $completions } 个请求：还不足以判断本机
trust-kept = 本机跟得上：{ $completions } 个请求中有 { $share } 完成得晚，超出 50 µs 且超出自身延迟的十分之一；第 99 百分位在客户端为 { $seen }，在模型中为 { $modelled }
trust-doubted = 结果不可信：{ $completions } 个请求中有 { $share } 完成得晚，超出 50 µs 且超出自身延迟的十分之一；第 99 百分位在客户端为 { $seen }，在模型中为 { $modelled }
late-tail = 客户端测得的第 99 百分位为 { $seen }，而模型磁盘给出的是 { $modelled }；对这些磁盘来说，本机太忙或太慢
late-many = { $share } 的请求完成得晚，超出 50 µs 且超出自身延迟的十分之一：全部请求中，半数晚了 { $half } 以上，百分之一晚了 { $hundredth } 以上；对这些磁盘来说，本机太忙或太慢
late-host = { $share } 的请求在本机磁盘上的耗时超过模型磁盘：请将数据放在内存或更快的磁盘上

## observe: why a device is counted or not

device-excluded = 已排除
device-not-named = 未在 --volume 中列出
device-member = { $volume } 的成员，后者已计入
device-part = { $disk } 的分区，后者已计入
device-part-of-layer = { $disk } 的分区，其 I/O 属于后者
device-layer =
    { $kind ->
        [logical-volume] 逻辑卷
        [mapped-device] 映射设备
        [multipath] 多路径设备
        [volume] 卷
        [array] 阵列
        [vxvm-volume] VxVM 卷
        [cache] 缓存
        [zfs-volume] ZFS 卷
        [mirror] 镜像设备
        [encrypted] 加密设备
        [docker] Docker 设备
       *[other] { $kind }
    }：其 I/O 就是下层磁盘的 I/O，而下层磁盘已计入
device-loop = 其 I/O 就是其文件所在磁盘的 I/O
device-path = 通往 { $device } 的一条路径，后者已计入
device-sum = 其他设备的合计
device-in-sum = 其 I/O 包含在 { $sum } 中，后者已计入
device-twin = 与 { $twin } 传输相同的字节，后者已计入
device-twin-of = 与 { $disks }传输相同的字节，后者已计入
device-unnamed = 从名称看不出它是否建在 { $disks }之上
device-beyond = 其 I/O 有 { $share } 超出 { $disks }同一时间的 I/O：它不是建在这些磁盘之上
device-named-layer = 从名称看，它建在 { $disks }之上，但其 I/O 有 { $share } 超出后者
device-own = 名称不能说明什么，而其 I/O 有 { $share } 超出 { $disks }的 I/O：视为独立的磁盘
device-follows = 其 I/O 随 { $disks }的 I/O 一同升降，且从不超过
device-too-little = 名称不能说明什么，数据也太少，无法判断它是否建在 { $disks }之上
device-apart = 名称不能说明什么，其 I/O 也不随 { $disks }的 I/O 升降
device-disks = { $disks }{" "}
device-disks-more = { $disks } 和另外 { $more } 块磁盘

## observe: pitfalls in a few words

pitfall-since-boot = 开机以来的报告
pitfall-reset = 计数器重新开始或不可能为真
pitfall-coarse = 间隔掩盖了峰值
pitfall-latency-means = 延迟平均值需要加权
pitfall-utilisation = 利用率不等于负载
pitfall-service-time = 服务时间没有意义
pitfall-utilisation-inflated = 利用率虚高
pitfall-queue-field = 输出的队列长度有误
pitfall-units-mixed = 单位不一致
pitfall-double-counting = 同一 I/O 出现在多个设备
pitfall-merges-count = 请求被合并
pitfall-throttled = 来源系统已达上限
pitfall-closed-loop = 慢磁盘限制了需求
pitfall-page-cache = 读取由页缓存提供
pitfall-batch = 采集数据中有大块顺序负载
pitfall-zone = 时间不带时区
pitfall-gap = 有时间缺失
pitfall-locale = 小数点为逗号
pitfall-idle = 空闲时间稀释百分位
pitfall-flush-discard = 刷新和丢弃
pitfall-too-few = 间隔太少
pitfall-disagree = 两个工具不一致
pitfall-damaged-lines = 有损坏的行
pitfall-folded = 长度超出内存
pitfall-missing = 缺少数值
pitfall-hours = 缺少一天中的部分时段
pitfall-processors = 处理器是瓶颈
pitfall-data-and-log = 数据和日志在同一个卷
pitfall-interval-unknown = 文件中没有间隔

## Scenarios: what their reader wants known

rig-uncached-shared = 假定高级 SSD v2 和超级磁盘与其他磁盘共用一个非缓存上限，取两者中较大的一个；如何共用并未公布；在 [vm] 下设置 `uncached_sharing = "separate"` 则将两者相加
rig-uncached-separate = 假定高级 SSD v2 和超级磁盘的非缓存上限与其他磁盘的相加（`uncached_sharing = "separate"`）；如何共用并未公布
rig-unknown-limits = { $size } 的 { $key } 上限未知（版本 { $edition }），视为无上限：可在 [vm] 下用 `gates.{ $key } = {"{"} iops = ..., throughput = ... {"}"}` 给出
rig-derived = { $size }：{ $field }：{ $rule }
rig-from-snapshot = { $volume } 来自快照：尚未就位的 { $block } 数据块在首次使用时需要 { $time }（依据单线程实测）。模拟、仿真、`explain` 和估算都考虑这一点；规划假定所有数据都已就位。
rig-remark = { $size }：{ $remark }
rig-unequal = { $volume } 的条带由大小不同的磁盘组成：与 mdadm 的 RAID-0 一样，前一部分由所有磁盘分担，其余部分只由较大的磁盘分担
rig-local-disks = { $volume } 的条带由 { $size } 的 { $disks } 块本地磁盘组成，所列上限为各盘合计，每块各占一份
rig-local-reads = { $volume }：{ $size } 只列出本地磁盘的读取；写入通常更慢
rig-local-apart = { $volume }：本地磁盘的读取和写入分开列出；读写混合时，假定合计最多为其中较高者，每个方向最多为各自的数值
rig-busiest = 采集数据全长 { $whole }，模拟了其中最繁忙的 { $span }
rig-null-engine = { $all } 个作业中有 { $jobs } 个运行 ioengine=null，不访问磁盘就完成请求：它们不出现在任何卷中，而出现在 fio 的 JSON 中
job-warning = { $place }：`{ $option }` { $what }
job-byte-order-mark = 是字节顺序标记：fio 会把它当作选项并就此停止；这里跳过它
job-only-global = 是文件的全部内容：fio 不会为它启动作业；这里将其作为一个作业运行
job-only-global-unused = 是文件的全部内容：fio 不会为它启动作业，其他文件和 `--name` 也不会采用其中的选项
job-not-a-range = 不是范围：fio 将第一个值用于读取，第二个值用于写入和 TRIM
job-thousands = 表示读取为 { $reads }，写入和 TRIM 为 { $writes }：对 fio 而言，逗号不是千位分隔符
job-not-sectors = 不是扇区大小 512 的倍数：使用 direct=1 时，磁盘会拒绝这样的请求
job-profile-option = 属于 fio 的内置配置，fio 在任何位置都接受它，但不起作用
job-blank-value = 在 `=` 之后有空格，按 fio 的方式读取
job-reversed-unit = 以千计：对 fio 而言，`{ $word }` 为十进制，`{ $short }` 为二进制，除非设置了 kb_base=1000
job-overridden = 优先于命令行的 `{ $earlier }`；与 fio 一样，命令行选项只是默认值
job-further-file = 不是第一个作业文件：fio 只将命令行选项用于第一个文件
job-further-file-section = 不是第一个作业文件：fio 只将 --section 和其他选项用于第一个文件
job-left-out = 已略去：{ $why }；未对其耗时建模
job-processor-only = 它只消耗处理器时间，不做 I/O
job-names-only = 它只处理文件的名称和大小，不移动文件中的数据
job-split-range = 含有范围，fio 只取其中的第一个大小
job-split-sum = 中的百分比之和不是 100；fio 实际发出 { $issued }
job-exit-all = 会将其打开：fio 不看它的值
job-file-size-open = 没有说明文件有多大：fio 取现有文件的大小，没有文件则停止；这里取 { $size }，即卷 `{ $volume }` 的剩余空间
job-working-folder = 没有指明 `{ $path }` 的位置：fio 使用其工作目录；这里放在卷 `{ $volume }` 上
job-beyond-volume = 超出卷 `{ $volume }` 从该处起的剩余空间（{ $left }）；fio 不会超出设备范围
job-buffered-engine = 通过来宾操作系统的页缓存工作
job-buffered = 没有设置 direct=1，在 fio 中会经过来宾操作系统的页缓存
job-buffered-durable = { $how }：这里每次写入后都有一次自己的刷新，刷新后才算完成，读取按直接 I/O 处理；未对文件系统日志建模
job-buffered-fsync = { $how }：这里每次写入都立即发出，fsync 先等待之前的写入再刷新；未对相邻请求的合并和文件系统日志建模
job-buffered-mmap = { $how }，未对此建模；结果相当于直接 I/O，每次一个请求
job-buffered-plain = { $how }；未对页缓存建模，结果相当于直接 I/O
job-synchronous = 不起作用：`ioengine={ $engine }` 每次只运行一个请求
job-polling = 使 fio 在每个请求之后等待其完成：在途请求为一个，而不是 { $depth } 个
job-verifies-nothing = 不读回任何数据：与 fio 一样，写入占满全部运行时间
job-no-steady-state = 没有 steadystate_duration 就不起作用：fio 不会检测稳态
job-flow-below-zero = 小于零，这是 fio 3.0 之前的要求；fio 3.33 将其视为无符号数
job-time-based = 没有 `runtime` 就不起作用：作业在完成其 size 后结束
job-rate-overrides-mix = 对读取和写入分别生效：只要磁盘跟得上，无论 rwmixread={ $said } 如何，都有 { $percent } % 的 I/O 是读取
job-map-off = 会关闭随机映射表：有些块可能重复，有些块则不会用到
job-open-files = 未建模：全部 { $files } 个文件都保持打开
job-stats = 未建模：该作业会出现在结果中
job-directions-apart = 未建模：各方向分开报告
job-no-place = 没有指明位置：本应在工作目录中；这里放在卷 `{ $volume }` 上
job-size-unsaid = 是大小未知的文件；这里取 { $size }，即卷 `{ $volume }` 的剩余空间
job-network-worker = 是网络工作进程，已略去
job-repeats = 运行 { $runs } 次，每次 { $each } s，共 { $all } s
job-no-latency-switch = 没有 -L：DiskSpd 不会报告延迟；这里会报告
job-burst-beside-rate = 与 -g 同用时不起作用：DiskSpd 只看速率
job-rate-of-threads = 是每个线程对每个目标每毫秒的字节数：{ $rate }，即 { $iops }，每个 { $size }
job-rate-overflows = 溢出：DiskSpd 用 32 位计算 { $iops } × { $size }，只保留 { $kept }
job-rate-rounds-to-zero = 不起限制作用：DiskSpd 将 { $rate } 向下取整为 0 bytes/ms
job-rate-rounds = 保留为 { $kept }，即 { $iops }
job-one-thread = 只有一个线程时不起作用
job-same-blocks = 对 { $threads } 个线程各自都是顺序的：每个线程都从头开始，因此访问的是相同的块
job-one-request = 只有一个未完成请求时不起作用
job-remote-cache = 只在远程端缓存；这里每个请求都到达磁盘
job-file-cache = 没有关闭来宾操作系统的文件缓存，未对其建模：这里每个请求都到达磁盘
job-no-number = 没有数字：DiskSpd 取 0
job-number-then-text = 对 DiskSpd 而言是 { $number }，它只读到数字为止
job-skew-without-rate = 使不同存储上的工作负载按占比分配速率，但没有给出速率；这里各自全速运行
job-threads-all = 由 { $workloads } 个工作负载分用 { $threads } 个线程；这里每个都可使用全部线程
job-threads-part = 由 { $workloads } 个工作负载分用 { $threads } 个线程；这里每个使用自己的一份
job-whole-rates = 折合一个存储定义上的工作负载每秒 { $rate } 个 I/O；这里为 { $whole }，每个方向取整数
job-no-effect = 中的 `{ $flag }` 在这里不起作用
job-page-cache = 会经过来宾操作系统的页缓存，未对其建模：这里每个请求都到达磁盘
job-max-data = 在达到该字节数后结束运行；这里会按其时间继续运行
job-uniform-gaps = 按均匀分布抽取间隔时间，从零到平均值的两倍；这里用指数分布
job-files-in-folders = 对文件夹中的文件操作：将它们视为一个连续范围；打开、关闭和文件夹操作不计开销
job-after-blank = 在空格之后，vdbench 将此处视为注释：不读取
unused-latency = 这里没有磁盘使用目录中的模型
unused-stripe = { $volume } 只有一块磁盘
unused-cached = 没有卷启用缓存或位于临时磁盘
unused-uncached = 没有卷位于远程磁盘
unused-uncached-own = 所有远程磁盘都是高级 SSD v2 或超级磁盘，它们有自己的上限：`gates.uncached-v2`
unused-v2 = 没有卷位于高级 SSD v2 或超级磁盘
unused-local = 没有卷位于本地磁盘
unused-sharing = 没有同时使用两类磁盘（高级 SSD v2 或超级磁盘，以及其他磁盘）的卷
unused-cache = 没有卷设置 `host_cache`
unused-write-back = 没有卷设置 `host_cache = "ReadWrite"`
unused-write-allocate = 没有卷设置 `host_cache = "ReadOnly"`
unused-warm = { $volume } 没有设置 `host_cache`
unused-credits = 这里没有靠额度突发的上限
unused-level = { $place } 没有靠额度突发的上限
unused-models = 没有磁盘的 `latency` 引用 { $names }

## observe: notes of rows, and what would fill an unknown one

note-means = 百分位按 { $interval } 平均值计算，而不是按 I/O 计算；不计空闲的间隔
note-little = 速率 × 延迟（利特尔法则）
note-sizes = 百分位按 { $interval } 平均值计算：同一间隔中大小请求混在一起
note-no-request = 没有请求
note-least = 每 { $seconds } s 中最小的 { $interval } 平均值：最快的 I/O 不会慢于此值
note-most = 每 { $seconds } s 中最大的 { $interval } 平均值
note-counter = { $counter }；每 { $seconds } s 中的最大值
note-iops = 没有来源统计事务，因此这里是 IOPS；{ $most }
note-no-cpu = 没有来源提供 CPU
note-no-memory = 没有来源提供内存
note-memory = total - available
note-memory-bound = total - free - buffers - cache：下限
note-cpus = 100 % 表示全部 { $processors } 个处理器
note-pattern = { $level }，{ $requests } 个请求，若在前 64 个请求中某一个之后 128 KiB 以内则视为顺序；按字节计 { $bytes } %{ $asked }
note-pattern-asked = ；占应用程序自身请求的 { $share }
note-merged = { $share } 的请求在到达设备之前被合并：大体上是顺序的
note-large = 平均大小 { $size }：顺序或接近顺序
fill-busy = 在应用程序工作时采集
fill-directions = iostat -x、PerfMon 或实时运行的 `diskwright observe` 能区分读取和写入
fill-latencies = iostat -x、PerfMon 或实时运行的 `diskwright observe` 能给出延迟
fill-kernel = 实时运行 `diskwright observe`，且内核会统计它们
fill-live = iostat -x、PerfMon 或实时运行的 `diskwright observe`
fill-transactions = PerfMon 中的 SQL 计数器（Batch Requests/sec, Transactions/sec）
fill-cpu = 同时采集 iostat 或 vmstat，或实时运行 `diskwright observe`
fill-memory = vmstat 加 --memory-total、sadf -r，或实时运行 `diskwright observe`

# audit
estate-beyond-gate = 购买了 { $bought }，而 { $size } 的 { $gate } 只放行 { $passed }：{ $never } 永远无法同时用上
estate-beyond-burst = 购买了 { $bought }；{ $size } 的 { $gate } 持续放行 { $base }，仅在突发时可达 { $passed }：{ $never } 永远无法同时用上
estate-in-bursts = 购买了 { $bought }；{ $size } 的 { $gate } 持续放行 { $passed }，仅在突发时可达 { $burst }
estate-given-beyond-gate = 共有 { $gives }（含各磁盘免费附带的部分）；{ $size } 的 { $gate } 只放行 { $passed }
estate-given-beyond-burst = 共有 { $gives }（含各磁盘免费附带的部分）；{ $size } 的 { $gate } 持续放行 { $base }，仅在突发时可达 { $passed }
estate-given-in-bursts = 共有 { $gives }（含各磁盘免费附带的部分）；{ $size } 的 { $gate } 持续放行 { $passed }，仅在突发时可达 { $burst }
estate-slots = 数据盘数：{ $disks }；{ $size } 最多支持 { $slots }
estate-slots-beside = 有 { $disks } 块数据盘，而带 { $interfaces } 个网络接口的 { $size } 最多接 { $slots } 块
estate-kind-refused = { $size } 不支持 { $kind }
estate-not-taken = { $size } 不接受它：{ $why }
estate-too-small = 它最多提供 { $gives }；{ $kind } 从 { $from } 起可提供 { $most }
estate-steady = 从名称看 { $disk } 承担稳定负载，而 { $size } 的 { $gate } 持续放行 { $base }：超出部分每天只能维持 { $minutes } 分钟
estate-daily = 为 { $bought } 付费；{ $size } 的 { $gate } 持续放行 { $base }，超出部分每天只有 { $minutes } 分钟
estate-other-promise = 同样大小、{ $iops } 与 { $throughput } 的 { $kind } 每月 { $monthly }，现在为 { $own }；现在的特性：{ $has }；更换后：{ $gets }
estate-previous = 供应商把 { $size } 列为上一代类型
estate-prices-of = { $says }（{ $month } 的价格）
estate-cache-refused = 此类型或大小的磁盘（{ $what }）从不缓存，却设置了 { $mode }
estate-not-open = 该机器未开启对 { $kind } 的支持
estate-unequal = { $disks } 看似同一条带却不相同：每块只能达到最慢者的 { $slowest }
estate-unequal-sizes = { $disks } 看似同一条带但大小不同：每块只用 { $least }，{ $lost } 永远用不到，且每块只能达到最慢者的 { $slowest }
estate-not-sold = 不能这样购买：{ $why }
estate-no-zone-has = { $region } 仅在无可用区时提供 { $kind }，而它位于可用区 { $zone }
estate-needs-zone = 在 { $region }，{ $kind } 必须位于可用区，而它不在任何可用区
estate-not-there = { $region } 不销售 { $size }（{ $month } 的记录）
estate-there-against-records = { $month } 的记录中 { $region } 没有 { $size }，但它确实在那里：它是后来上线的，或记录有遗漏
estate-not-in-zone = { $size } 在 { $region } 的可用区 { $zones } 销售，而它在 { $zone }（{ $month } 的记录；各订阅的可用区编号不同）
estate-node-disk = 节点的 OS 磁盘是远程磁盘，由各容器共用；{ $size } 有 { $local } 本地磁盘可用
estate-burst-only = 额度用尽后为 { $base }；{ $burst } 满负荷只能维持 { $minutes } 分钟
estate-no-host-cache = 设置了 { $mode }，但 { $size } 没有主机缓存
estate-not-accelerated-by = 该磁盘启用了写入加速，但 { $size } 不支持
estate-not-accelerated-kind = 启用了写入加速，但 { $kind } 不支持
estate-not-accelerated-cache = 启用了写入加速，但主机缓存为 { $mode }：须为 None 或 ReadOnly
estate-not-accelerated-beyond = 启用写入加速的磁盘数超过 { $size } 的上限 { $most }
estate-no-system = 此大小的 { $kind } 不能存放操作系统
estate-unknown-size = 目录中没有 { $size }：其上限与价格未知
estate-unknown-kind = 目录中没有名为 { $kind } 的磁盘类型：其性能与价格未知
estate-unattached = 它未附加到任何机器（{ $what }）
estate-beside-unasked = { $says }（其中记录从未用到的部分计入另一项发现）
estate-released = 机器已关机，但仍在为其磁盘付费
estate-stopped = 机器已停止但未解除分配：仍按其大小计费
estate-other-kind = 同样大小、{ $iops } 与 { $throughput } 的 { $kind } 每月 { $monthly }，现在为 { $own }
estate-tier-unused = 为层 { $tier } 付费，但 { $size } 最多放行 { $passed } 与 { $bytes }，磁盘自身的层已能提供
estate-bursts-unused = 为突发付费却永不发生：{ $size } 最多放行 { $passed } 与 { $bytes }，磁盘无需突发即可提供
estate-other-size = { $other } 处理器相同、内存不少、上限不低，每月 { $monthly }；{ $size } 为 { $own }
estate-just-above = { $size } 按 { $billed } 计费；{ $below } 可容纳 { $most }
estate-open-for-nothing = 机器开启了对 { $kind } 的支持却没有这种磁盘：此设置按每个 vCPU 收费
estate-open-for-nothing-at = 机器开启了对 { $kind } 的支持却没有这种磁盘：此设置按 vCPU 收费，合计每月 { $monthly }
estate-read-write = 数据盘设为 ReadWrite：主机尚未写出的数据会随主机丢失
estate-log-cache = 日志盘设为 ReadOnly：日志很少被读取，写入也无收益
estate-local-system = OS 磁盘为本地磁盘：机器迁移时会丢失
estate-zones-differ = 磁盘在可用区 { $zone }，其机器在 { $own }
estate-regions-differ = 磁盘在 { $region }，其机器在 { $own }：磁盘无法跨区域附加，两份清单中有一份有误或已过时
estate-not-encrypted = 主机加密已关闭：缓存与本地磁盘未加密
estate-shared-cache = 共享磁盘（最多 { $shares } 台）设置了 { $mode }
estate-lesser-promise = 使用 { $kind } 的机器承诺可用性为 { $promise }，全部使用更好磁盘时为 { $better }（{ $page }）
estate-evictable = 供应商可随时收回该机器，而它带有数据盘
estate-dies = 数据盘会随机器一起删除
estate-retired = { $size } 已于 { $date } 停用
estate-no-way-on = 没有长期提供的大小可原地替换 { $size }；{ $other } 需要：{ $takes }
estate-committed = 按量付费每月 { $own }；{ $commitment } 为 { $monthly }
estate-licence = Windows 许可证按小时付费，每月 { $monthly }
estate-no-price = { $region } 无已知价格：{ $what }
estate-image-licence = 机器的映像附带 { $licence }，其价格未知：{ $region } 的 { $size } 计为无价格
estate-without-licence = { $says }；两者均不含映像附带的 { $licence }
estate-no-reservation = 自 { $since } 起无法再预留 { $size }（{ $page } 的页面）
estate-waiver-over = { $owner } 对 { $code } 的豁免已于 { $until } 到期（{ $reason }）
estate-waiver-unused = { $owner } 对 { $code } 的豁免不对应任何发现
estate-stripe-no-machine = { $file }：这些清单中没有名为 `{ $machine }` 的机器：其条带不起作用
estate-stripe-no-disk = { $file }：`{ $machine }` 没有名为 `{ $disk }` 的磁盘：其条带不含该盘
estate-only-no-machine = `--only { $pattern }` 不匹配这些清单中的任何机器
estate-only-no-disk = `--only { $pattern }` 不匹配这些清单中的任何磁盘
estate-part = { $file } 只含 { $total } 条记录中的 { $records } 条：其余未审计；请获取所有页并一并提供
estate-part-unknown = { $file } 表明它已被截断（`resultTruncated`）：含 { $records } 条记录，其余未审计；请获取所有页并一并提供
remedy-size = 调整为 { $size }
remedy-dearer = { $what }，每月多 { $more }
remedy-cheaper = { $what }，每月少 { $less }
remedy-unpriced = { $what }；价格差异未知
remedy-local-lost = { $what }；本地磁盘上的数据会丢失
remedy-local-smaller = { $what }；本地磁盘上的数据会丢失，新磁盘容量为 { $local }，而非 { $own }
remedy-cache-smaller = { $what }；主机缓存为 { $cache }，而非 { $own }
remedy-guide = 没有同类的现行大小可原样替换：请按供应商的迁移指南操作
remedy-buy-less = 总共购买 { $rate }
remedy-fewer = 数据盘最多：{ $disks }
remedy-cache = 将主机缓存设为 { $mode }
remedy-switch-on = 为机器开启 { $kind } 支持
remedy-switch-off = 将其关闭
remedy-delete = 删除它，或只保留快照
remedy-deallocate = 解除分配
remedy-kind = 改为 { $kind }
remedy-tier = 将层改回 { $tier }
remedy-commit = 承诺购买：{ $commitment }
remedy-licence = 如有自有许可证，请改用
remedy-disk-zone = 用快照在可用区 { $zone } 重新创建磁盘
remedy-machine-zone = 在可用区 { $zone } 重新创建机器
remedy-no-zone = 在非可用区重新创建机器和磁盘，或改用其他类型
remedy-a-zone = 在某个可用区重新创建机器和磁盘，或改用其他类型
estate-summary = 机器：{ $machines }，磁盘：{ $disks }；错误：{ $errors }，警告：{ $warnings }，提示：{ $notes }
estate-monthly = 按目录价按量付费每月 { $monthly }；无价格的项：{ $unpriced }
estate-cut-short = { $file } 未完整结束（{ $why }）；此前记录数：{ $records }
estate-more-pages = { $file } 只是多页中的一页：请获取其 `{ $key }` 所指内容并一并提供
estate-nothing = { $file } 中没有可识别的机器或磁盘：可读取 `az vm list -d -o json`、`az disk list -o json`、`az vmss list -o json`、`az graph query`、`aws ec2 describe-instances`、`aws ec2 describe-volumes`、`terraform show -json`、编译后的模板、CloudFormation 模板和 `kubectl get nodes,pv,pvc,sc -o json`
estate-record = { $file }：忽略 { $what }
estate-differ = { $name }：{ $other } 的 `{ $field }` 与先前文件不同；以先者为准
estate-expression = { $name }：其 { $field } 为 `{ $text }`，部署时才知道
estate-unresolved = { $name }：构建时才知道将哪块磁盘附加到哪台机器
estate-again = 多次列出、只计一次：机器 { $machines }，另单独列出的组内机器 { $members }，磁盘 { $disks }
estate-unread = 未读取的字段：{ $fields }，共 { $kinds } 种（{ $names }）
estate-unread-records = 既非机器也非磁盘的记录：{ $records }，共 { $kinds } 种（{ $names }）
estate-unjudged = 因缺少 { $what } 未评判（{ $machines }）：{ $rules }
estate-unjudged-disks = 因缺少 { $what }，仅评判了其余磁盘（{ $machines }）：{ $rules }
estate-more = 更多发现：{ $findings }
estate-like = { $says }（类似提示另有：{ $more }）
estate-folded = 与同规则的其他提示合为一行的提示：{ $notes }；`--format csv` 逐条列出
estate-waived = 已豁免：{ $findings }
estate-planned = 按记录规划的机器：{ $machines }；目前每月 { $monthly }，规划后 { $planned }（纸面计算，未仿真）
estate-unrecorded = 没有记录的机器：{ $machines }（{ $names }）
estate-unmatched = 不属于任何机器的记录：{ $recordings }
estate-let-go = 由记录撤销的发现：{ $findings }（{ $rules }）
estate-says-seen = { $says }；{ $seen }
estate-assumed = { $says }（清单未说明磁盘控制器，按 { $controller } 计）
estate-worse = { $says }；比基线更差：由 { $was } 变为 { $now }
estate-worse-machines = { $says }；比基线更差：机器由 { $was } 台变为 { $now } 台
estate-worse-monthly = { $says }；比基线更差：每月由 { $was } 变为 { $now }
estate-seen-at = 记录显示 { $time } 中有 { $share } 达到或超过 { $limit }（{ $interval } 平均值）
estate-seen-most = 记录显示 { $time } 内最多 { $most }，上限为 { $limit }（{ $interval } 平均值）
estate-seen-short = { $seen }：需要一周的记录才能定论
estate-seen-without = { $seen }，不含没有记录的 { $disks }
estate-seen-none = 没有 { $disks } 的记录
estate-seen-lacks = 记录中缺少这些数值
estate-seen-spent = 记录显示 { $time } 中有 { $share } 额度已耗尽（{ $interval } 平均值）
estate-seen-credits = 记录显示 { $time } 内剩余额度始终不低于 { $least }（{ $interval } 平均值）
estate-seen-reads = 记录显示 { $time } 内读取占其 I/O 的 { $share }
estate-unasked = 购买了 { $bought }；记录显示 { $time } 内最多 { $most }（{ $interval } 平均值）
estate-tier-unasked = 为层 { $tier } 付费；记录显示 { $time } 内最多 { $most } 与 { $bytes }（{ $interval } 平均值），磁盘自身的层已能提供
estate-bursts-unasked = 为突发付费；记录显示 { $time } 内最多 { $most } 与 { $bytes }（{ $interval } 平均值），磁盘无需突发即可提供
