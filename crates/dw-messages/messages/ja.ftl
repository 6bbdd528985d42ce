### 日本語。src/catalogue.rs の各行に対応するメッセージ。名前と引数は英語版と同じ。
###
### 文は短く、です・ます調。列挙は体言止め。文中の句読点は「、。」、英数字と和文の間は半角スペース、かっことコロンは半角。
### 文末の句点は、英語版に終止符があるときだけ付ける (他の文とつながるため)。

# 用語集 (英語 = 日本語)
# alternative = 代替案
# asked (by the load) = 需要 / asked (by the user) = 指定
# available = 使用可能
# backlog = バックログ
# bottleneck = ボトルネック
# bound (of the cost) = 下限 / bound (of a latency) = 上限
# burst, bursting = バースト / on-demand bursting = オンデマンド バースト
# burst credits = バースト クレジット
# burstable VM = バースト可能な VM
# cached / uncached limit = キャッシュ / 非キャッシュの制限
# capacity = 容量
# certified = 証明済み
# clean / dirty data = クリーン / ダーティ データ
# cold / warm cache = コールド / ウォームなキャッシュ
# confidential VM = 機密 VM
# configuration = 構成
# constrained vCPU size = 制約付き vCPU サイズ
# counted = 集計対象
# data disk = データ ディスク
# demand = 需要
# discard / flush / trim = discard / フラッシュ / TRIM
# estimate = 推定
# finding = 所見
# gate = ゲート
# grade = グレード
# growth = 増加
# headroom = 余裕
# hit / miss = ヒット / ミス (hit rate = ヒット率)
# host cache = ホスト キャッシュ
# interval (of a series) = 区間 / interval (of a tool) = サンプリング間隔
# in flight = 処理中 / outstanding = 未処理
# latency = レイテンシ
# leap over = 省略
# limit = 制限 (limits printed by the vendor = 制限値)
# load = 負荷
# local disk = ローカル ディスク / temp disk = 一時ディスク
# mean = 平均 / median = 中央値
# on paper, by its limits = 制限値の上では
# operations = 操作
# pay as you go = 従量課金
# percentile = パーセンタイル
# performance plus = Performance Plus / performance tier = パフォーマンス レベル
# plan = プラン / to plan = 計画する
# premium SSD, premium SSD v2, ultra disk, standard SSD, standard HDD = Premium SSD、Premium SSD v2、Ultra Disk、Standard SSD、Standard HDD
# queue depth = キューの深さ
# rate = レート (IOPS とスループット)
# reading, sample = サンプル
# recording = 記録
# request = 要求
# requirement = 要件
# reservation = 予約
# retire = 提供終了
# rig = 構成ファイル
# scenario = シナリオ
# series = 時系列
# steady state = 定常状態
# stripe / stripe unit = ストライプ / ストライプ ユニット
# sustained = 持続的 (sustained limit = 持続制限)
# throttle = スロットリング
# throughput = スループット
# volume = ボリューム
# window (of time) = 時間枠
# working set = ワーキング セット
# write-back = 書き戻し
# zone = ゾーン / zone-redundant = ゾーン冗長

## What a tool or an older document said in its own words

plain = { $text }

## plan: the answer

plan-answer = { $plan }: 月額 { $monthly }、{ $met }。{ $claim }
plan-cheapest = { $offers }の中で最安であることを証明済みです (下限 { $bound }、{ $next })
plan-cheapest-on-paper = 制限値の上では、{ $offers }の中で最安です (下限 { $bound }、{ $next })
plan-simpler = { $offers }の中で最安と証明されたプラン ({ $cheapest }、下限 { $bound }、{ $next }) と比べて{ $simpler }、価格差は { $band } 以内です
plan-simpler-on-paper = { $offers }の中で制限値の上では最安のプラン ({ $cheapest }、下限 { $bound }、{ $next }) と比べて{ $simpler }、価格差は { $band } 以内です。その最安プランは、シミュレーションでは需要の一部を満たしません
plan-cheapest-known = 制限値の上では、{ $offers }の中で見つかった最安のプランです。これより { $gap } を超えて安いプランはありません (下限 { $bound }、{ $next })
plan-simpler-known = { $offers }の中で制限値の上では見つかった最安のプラン ({ $cheapest }。これより { $gap } を超えて安いプランはない。下限 { $bound }、{ $next }) と比べて{ $simpler }、価格差は { $band } 以内です
plan-met-on-paper = { $met } (制限値に基づく判定。シミュレーションでは一部未達)
plan-met-if = { $met } (条件付き)
plan-answer-offers = VM サイズ { $sizes } 種類 × 価格のあるディスク { $disks } 種類
plan-answer-offers-committed = VM サイズ { $sizes } 種類 ({ $committed } 種類は `{ $commitment }` の価格、価格のない { $without } 種類は従量課金) × 価格のあるディスク { $disks } 種類
plan-simpler-disks = ディスクが少なく
plan-simpler-vm = VM が新しく
plan-surer = 条件が少なく
plan-met-always = すべての区間で制限の超過なし
plan-met-share = 時間の { $share } ですべての制限に余裕を確保
plan-met-percentile = p{ $percentile } の需要に対応
plan-left-out = { $offer } は `{ $key }` に指定されていますが、除外しました: { $why }
left-out-price = { $what }。対象に含める方法: { $give }、または `diskwright catalogue import` による価格のインポート
left-out-limits = 一部の制限値が不明です
left-out-unknown = { $why }
left-out-local = ゾーン冗長での提供がありません
other-series = 別の VM シリーズ
other-disks = 別のディスク
relax-reads = { $volume } の読み取りレイテンシの上限を { $from } から { $to } に緩和
relax-writes = { $volume } の書き込みレイテンシの上限を { $from } から { $to } に緩和
relax-read-percentile = { $volume } の読み取りレイテンシ ({ $of }) の上限を { $from } から { $to } に緩和
relax-write-percentile = { $volume } の書き込みレイテンシ ({ $of }) の上限を { $from } から { $to } に緩和
relax-headroom = 余裕を { $from } から { $to } に緩和
relax-capacity = 容量の余裕を { $from } から { $to } に緩和
relax-disks = ストライプのディスク数を { $from } 台から最大 { $to } 台に緩和 (`disks_max`)
relax-percentile = p{ $from } を p{ $to } に緩和
relax-horizon = { $years } 年以内に提供終了となる VM サイズも許可
relax-reservation = 予約 ({ $term }) を従量課金に変更
relax-savings-plan = 節約プラン（{ $term }）の代わりに従量課金
relax-zone = ゾーン { $zone } の指定を外し、どのゾーンも許可
relax-arm = Arm プロセッサを許可
relax-burstable = バースト可能な VM サイズを許可
relax-kinds = すべてのボリュームに { $kinds } を許可
relax-confidential = 機密 VM サイズを許可
relax-preview = プレビュー段階の VM サイズを許可
relax-closed = 新しいサブスクリプションでは展開できない VM サイズを許可
relax-metal = ベアメタル タイプを許可
relax-previous = 旧世代のタイプを許可
relax-limited = 容量が限られた VM サイズを許可
plan-next = 次点 { $monthly }
plan-next-none = 需要を満たす VM サイズは他になし
plan-infeasible = この需要を満たす組み合わせは提供されていません: { $limits }{ $nearest }
plan-no-combination = 選択できるディスクと VM サイズに、組み合わせ可能なものがありません。ホスト キャッシュを使えるのは、キャッシュを備えた VM サイズ上の 4,095 GiB 以下のディスクだけです
plan-not-cacheable = { $volume }: ホスト キャッシュを使えるのは 4,095 GiB 以下のディスクだけですが、このボリュームのディスクは { $size } です
plan-infeasible-nearest = 。最も近いプランで処理できるのは、負荷の { $share } です
plan-infeasible-nearest-of = 。最も近いプランで処理できるのは、{ $volume } の負荷の { $share } です
plan-infeasible-otherwise = 。最も近いプランは負荷をすべて処理でき、満たさないのは { $limit } だけです
plan-simulated = { $time } のシミュレーション: { $kept }{ $again }{ $cold }{ $beyond }。
plan-again = 。シミュレーションで不足があったため、計画し直しました ({ $times } 回): { $changes }
plan-again-of = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }レイテンシを、上限より { $reserve } 低く抑える
plan-again-deeper = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }キューを、推定より { $more } 深くする
plan-again-rates = すべてのレートで、さらに { $reserve } を空けておく
plan-again-in-vain = 。余裕を増やして計画しても改善しませんでした (シミュレーションしたプラン: { $times } 件)
plan-keeps-all = すべてのレートの { $share } を処理し、指定されたレイテンシをすべて満たします
plan-keeps-nothing = 需要に I/O が含まれないため、処理の対象がありませんでした
plan-keeps-rates = すべてのレートの { $share } を処理します
plan-misses = 満たされない要件があります: { $missed }
plan-misses-rate = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }要求が { $promised } の { $share } にとどまる ({ $limit } によるスロットリング)
plan-misses-depth = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }要求が { $promised } の { $share } にとどまる (キューの深さが不足)
plan-misses-latency = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }レイテンシ ({ $of ->
        [mean] 平均
       *[other] { $of }
    }) が { $latency } で、指定された上限の { $most } を超える
plan-cold = 。再起動後はホスト キャッシュがコールドです: { $volumes }
plan-cold-served = { $volume } の読み取りはすぐに本来のレートに達し、最初の { $first } のレイテンシは平均 { $latency }
plan-cold-full = { $volume } の読み取りは、最初の { $first } が本来のレートの { $share } (レイテンシは平均 { $latency })、{ $after } 後に本来のレートに到達
plan-cold-long = { $volume } の読み取りは、最初の { $first } が本来のレートの { $share } (レイテンシは平均 { $latency })、{ $within } 以内には本来のレートに届かない
plan-beyond = 。負荷が現在の { $factor } 倍になると、プランどおり、最初に { $named } でスロットリングが発生します
plan-beyond-other = 。負荷が現在の { $factor } 倍になると、{ $named } より先に { $first } でスロットリングが発生します
summary-met-if = 条件付きで満たす：{ $condition }
summary-not-met = 満たさない：{ $reason }
summary-machine = { $place } の { $size }：{ $processors } vCPU、メモリ { $memory }、{ $system }
summary-volume = { $volume }：{ $disks }、{ $monthly }
summary-volume-with = { $volume }：{ $disks }、ホスト キャッシュ { $cache }、{ $monthly }
summary-volume-local = { $volume }：ローカル ディスク
summary-more-volumes = ほかのボリューム：{ $volumes }、ディスク：{ $disks }、{ $monthly }
summary-price = 月 { $monthly }：VM { $vm }、ディスク { $disks }{ $licences }
summary-price-nodes = { $nodes } ノードで月 { $all }、1 ノード { $monthly }：VM { $vm }、ディスク { $disks }{ $licences }
summary-shared = 共有ディスクは全体で { $monthly }
summary-licences = 、コア単位のライセンス { $monthly }
summary-pay-as-you-go = 従量課金
summary-committed = VM は `{ $commitment }`
summary-uncommitted = VM は従量課金、`{ $commitment }` の価格は不明
summary-hours = VM の稼働は { $all } 中 { $hours }
summary-list-prices = { $edition } の定価
summary-disk-prices = ディスクは { $edition } の定価
summary-snapshots = スナップショット { $monthly } は別
summary-snapshots-unpriced = 指定されたスナップショットの価格は不明：{ $size }
summary-os-disk = OS ディスク { $disk } { $monthly } は別、`cost_max` に含まず
summary-os-disk-unpriced = 指定された OS ディスク { $disk } の価格は不明
summary-not-in = 未計上 { $lines } 件
summary-limit = { $limit }：{ $capacity } のうち { $load } を使用、残り { $left }
summary-beyond = 現在の負荷の { $factor } 倍で { $limit } が最初に制限する (シミュレーション)
summary-throttles = 現在の負荷の { $factor } 倍で制限 (シミュレーション)
summary-cold = 再起動後の最初の { $first }、{ $volume } の読み取りは本来の速度の { $share }
summary-cautious = { $limit }：ディスクが遅い場合は { $latency }、要求は { $most } 以下
summary-peak = { $limit }：最大の負荷 { $peak } が { $capacity } を超え、その間リクエストは待つ
summary-peak-more = { $limit } ほか { $more } 件の上限：最大の負荷 { $peak } が { $capacity } を超え、その間リクエストは待つ
summary-unprinted = ボトルネックは { $size } のページに記載のない制限値です: { $rule }
summary-outgrown = { $year } 年目から不足
summary-cheaper = 月 { $saves } 減: { $condition }
summary-cheaper-each = 1 ノードあたり月 { $saves } 減: { $condition }
summary-nearest = 月 { $monthly } で負荷の { $share } を処理：{ $plan }
summary-nearest-nodes = { $nodes } ノードで月 { $all } (1 ノード { $monthly }) で負荷の { $share } を処理：{ $plan }
summary-next = `--full` で各設計、上限、前提を表示。`diskwright provision` がスクリプトを書く
summary-next-nothing = 妨げている要件を緩める。`--full` で前提を表示
decision-met = { $size } ({ $disks }) は指定された要件をすべて満たします{ $years }
decision-met-if = { $size } ({ $disks }) は { $conditions } 件の条件付きで、指定された要件をすべて満たします{ $years }
decision-not-met = { $size } ({ $disks }) は指定された要件をすべては満たしません
decision-years = {" "}({ $years } 年間)
decision-disks = { $volume }: { $disks }
decision-disks-with = { $volume }: { $disks }、ホスト キャッシュ { $cache }
decision-each = { $volume }: 各 { $disks }
decision-each-with = { $volume }: 各 { $disks }、ホスト キャッシュ { $cache }
decision-local = { $volume }: ローカル ディスク
today-reads = { $volume } の読み取りは平均 { $then } です (記録時は { $now })
today-writes = { $volume } の書き込みは平均 { $then } です (記録時は { $now })
check-rates = 読み取りと書き込み
check-read-latency = { $volume }: 読み取りレイテンシ ({ $of ->
        [mean] 平均
       *[other] { $of }
    })
check-write-latency = { $volume }: 書き込みレイテンシ ({ $of ->
        [mean] 平均
       *[other] { $of }
    })
check-sync-latency = { $volume }: sync のレイテンシ ({ $of ->
        [mean] 平均
       *[other] { $of }
    })
check-kpi-reads = { $volume }: 待ちのない小さな読み取り (`{ $kpi }`)
check-kpi-writes = { $volume }: 待ちのない小さな書き込み (`{ $kpi }`)
check-headroom = 最初の制限までの余裕
check-size = プロセッサとメモリ
check-years = 持続年数
check-purchase = 契約
check-reboot = { $volume }: 再起動後の読み取り
check-reboot-all = 再起動後の読み取り
check-recording = 記録
asked-all = すべて
asked-share = 時間の { $share }
asked-at-most = { $figure } 以下
asked-latency =
    { $of ->
        [mean] 平均
       *[other] { $of }
    } { $figure } 以下
asked-at-least = { $figure } 以上
asked-size = { $figures } 以上
asked-years = { $years } 年
found-served = { $rate } の { $share }
found-within = 時間の { $share } は全制限内
found-figure = { $figure }
found-means = 区間平均の p99 { $figure }
found-latency = 平均 { $mean }、p99 { $p99 }
found-headroom = { $left } ({ $limit })
found-size = { $processors } vCPU、{ $memory }
found-years = { $years } 年
found-years-all = 10 年以上
found-cold = 最初の { $first } は { $latency }、レートの { $share }
found-cold-until = 最初の { $first } は { $latency }、レートの { $share }。{ $after } 後に本来のレート
found-recording = { $time } (間隔 { $interval })
shown-simulation = ピークを { $time } シミュレーション
shown-limits = 確認した制限: { $limits }、区間: { $intervals }
shown-limit = { $limit }: { $capacity } のうち { $load }
shown-latency = 公開されたレイテンシ、グレード { $grade }
shown-catalogue = { $edition } 版の制限値
shown-prices = { $edition } 版の価格
shown-growth = 年ごとに確認
shown-cold = 空のホスト キャッシュでシミュレーション
shown-audit = 監査済み。検出事項: { $findings }
shown-nothing = シミュレーションなし
next-record = バックアップやバッチ処理を含む丸 1 日を記録し、計画し直す
next-size = VM に必要なプロセッサ数とメモリを指定する (`vcpu_min`、`memory_min`)
next-build = プランのスクリプトで作成する
next-verify = 利用者の移行前に、プランの検証ジョブを VM で実行する
cheaper-reserved = VM を { $years } 年予約。{ $month } か月目から得
cheaper-savings-plan = 節約プラン { $years } 年。{ $month } か月目から得
verdict-met = 指定された要件をすべて満たします
verdict-met-if = 条件付きで満たします: { $conditions }
verdict-not-met = 満たしません: { $reasons }
verdict-nothing = 需要を満たすものはありません
verdict-credits = { $limit } はバースト クレジットに依存します。クレジットがなくなると { $sustained } になり、残りは最少で { $left } です
verdict-over = { $limit } の超過は時間の { $share } です (許容は { $asked } まで)
verdict-full = { $limit } の余裕がありません
verdict-headroom = { $limit } の余裕は { $left } です (指定は { $asked })
verdict-tail = { $volume } の { $direction ->
        [read] 読み取り
        [write] 書き込み
       *[other] { $direction }
    } レイテンシの { $of } は見込みで、確かではありません。この媒体のパーセンタイルは測定されていません (グレード { $grade })
verdict-tail-limit = { $volume } の { $direction ->
        [read] 読み取り
        [write] 書き込み
       *[other] { $direction }
    } レイテンシの { $of } は見込みで、確かではありません。制限 ({ $limit }) の近くでは、モデルの最大 8 倍が測定されています
verdict-penalty = ディスクはゾーン冗長で、書き込みがどの程度遅くなるかは公開されていません
verdict-no-processors = VM に必要なプロセッサ数が記録からは分からず、不足するかもしれません。`vcpu_min` を指定してください
verdict-no-memory = VM に必要なメモリ量が記録からは分からず、不足するかもしれません。`memory_min` を指定してください
verdict-no-processors-nor-memory = VM に必要なプロセッサ数とメモリ量が記録からは分からず、不足するかもしれません。`vcpu_min` と `memory_min` を指定してください
verdict-unpriced = 価格不明：`{ $commitment }` の { $size }
verdict-years = { $year } 年後には不足します (指定は { $asked } 年)
verdict-cold = ホスト キャッシュはウォームです。再起動後: { $volumes }
verdict-cold-latency = { $volume } の読み取りは、最初の { $first } の平均で { $latency } かかります (指定された上限は { $most })
verdict-cold-unknown = { $volume } の読み取りの性能は不明です (シミュレーションしていません)
verdict-reboot-share = { $volume }: 再起動後の最初の { $first } に処理される読み取りは { $share } です (指定は { $asked })
diff-nothing = 変更の必要なし。{ $cost }
diff-changes = 変更点: { $changes }。{ $cost }
diff-costs-more = B の方が月額で { $more } 高くなります
diff-costs-less = B の方が月額で { $less } 安くなります
diff-costs-same = 費用は同じです
diff-costs-unknown = 一方の価格が不明です
diff-regions = A は { $a }、B は { $b } の価格のため、費用は比較しません
diff-currencies = A は { $a }、B は { $b } 建てのため、費用は比較しません
diff-region-option = `--region` はシナリオ ファイルのリージョンを指定します。プランのリージョンは、プラン自体に含まれています
diff-unpriced = { $side }: { $why }
diff-own-disk = { $side }: { $volume }: 独自定義の { $disk } には価格がありません
diff-burst-billed = { $side }: { $volume }: バースト トランザクションは、使用量に応じて別途課金されます
diff-operations-billed = { $side }: { $volume }: 操作は、使用量に応じて別途課金されます
diff-nodes = { $side }: プランと同じく { $nodes } ノード分
diff-windows = { $side }: プランと同じく Windows ライセンス込み
diff-licences = { $side }: プランと同じくコア単位のライセンス込み、月額 { $monthly }
diff-reserved = { $side }: プランと同じく VM を予約 ({ $term })
diff-savings-plan = { $side }：VM はプランと同じく節約プラン（{ $term }）の価格
diff-uncommitted = { $side }：`{ $commitment }` での価格が不明なため、VM は従量課金
diff-hours = { $side }：プランと同じく VM は月 { $hours } 分の課金
diff-zone-redundant = { $side }: プランと同じくゾーン冗長ディスクを使用
diff-no-headroom = { $side }: 余裕は計算できません: { $why }。`diskwright explain` で確認できます
diff-no-demand = プランがないため、需要が分かりません
diff-cached-else = ボリュームのキャッシュ設定、またはローカル ディスクに置くボリュームがプランと異なります
stripe-one-disk = { $size } KiB の要求は、それぞれ 1 台のディスクに収まります
stripe-nearly = { $size } KiB の要求は、2 台にまたがる { $share } を除き、1 台のディスクに収まります
stripe-straddling = { $size } KiB の要求のうち 2 台のディスクにまたがるのは、64 KiB では { $share }、256 KiB では { $left } です
stripe-few-disks = { $size } KiB の要求を同時に処理するディスクは少数です
stripe-asked = { $unit } が指定されています

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }: 必要 { $needed }、1 つのストライプで最大 { $most }
plan-latency = { $limit }: { $latency } (指定された上限は { $most })
plan-needed = { $limit }: 必要 { $needed }{ $over }、使用可能 { $available }{ $usable }
plan-misses-by = { $available }{ $at }に対して { $short } 足りません。{ $needed }
plan-misses-at = {" "}({ $percent } まで使用) 
plan-needed-over = {" "}(最大。{ $all } 区間のうち { $intervals } 区間で、使用してよい量を超過)
plan-asked = { $limit }: 必要 { $needed }
plan-asked-at-most = { $limit }: 指定された上限 { $most }
plan-needed-headroom = {" "}(必要量には余裕を含む)
plan-needed-usable = {" "}(うち使用してよいのは { $percent } %)
limit-exceeded-in = { $intervals } 区間で超過
limit-headroom-used-in = { $intervals } 区間で余裕を使用
plan-costs-same = 費用は同じです: { $plan }
plan-costs-less = 月額で { $less } 安くなりますが、構成が複雑になります: { $plan }、月額 { $monthly }
plan-costs-more = 月額で { $more } 高くなります: { $plan }、月額 { $monthly }
plan-barred = { $reason }。選べた場合の費用は月額 { $monthly } です
plan-no-premium = 必要なディスク (Premium SSD または Ultra Disk) をサポートしていません
plan-not-searched = 不明: このサイズではプランが見つかりませんでしたが、ボリュームの接続方法をすべて試す前に検索が終了しました
plan-would-cost = 費用は月額 { $monthly } になります
plan-none-meets = { $limit } を満たすディスクがなく、他の制限も満たせません
plan-none-together = 次のすべてを同時に満たすディスクがありません: { $limits }
plan-cost-max-too = 月額費用: 上限は { $most } ですが、他に妨げとなる要件を除いても、最安のプランは { $cheapest } です
plan-cost-max = 月額費用: 上限は { $most } ですが、他の要件をすべて満たす最安のプランは { $cheapest } です
plan-cost-licences = そのコア単位のライセンスだけで { $licences } となり、上限 { $most } を超えます
plan-tried-wider = 各ストライプが { $usual } 台以下のプランは見つからなかったため、最大 { $most } 台まで試しました (`disks_max`)
plan-tried-wider-budget = 各ストライプで最大 { $most } 台まで試しました (`disks_max`)。{ $usual } 台以下では最安のプランは { $monthly } です ({ $plan })
plan-lists = 許可された VM サイズ: { $plan } なら月額 { $monthly } で需要を満たしますが、選べません: { $reason }
plan-lists-without = `{ $key }` がなければ、該当するプランがあります: { $plan }、月額 { $monthly }
plan-lists-too = 許可された VM サイズ: { $vm } ならより多くの負荷を処理できますが、選べません: { $reason }
plan-most-slots = { $limit }: 最大の VM サイズでも { $most } 台までです

## plan and explain: what the answer rests on

price-asked = { $offers } の価格: 要件の指定による
price = { $offers } の価格: { $region } { $edition }、{ $page } [{ $source }]
price-noted = { $offers } の価格: { $region } { $edition }、{ $page } [{ $source }]。{ $note }
plan-reserved = VM は予約 ({ $term }) で、その期間の月額で計算します。ディスクは従量課金です
plan-reserved-with = VM と { $disks } は予約 ({ $term }) で、その期間の月額で計算します。ほかのディスクは従量課金です
plan-savings-plan = VM は節約プラン（{ $term }）の時間単価で、全時間分が課金される。ディスクは従量課金
plan-commitment-ended = { $size } は従量課金で計算：{ $since } 以降、`{ $commitment }` は購入も更新もできない ({ $page } のページ)
plan-reserved-beyond = { $size } の予約は { $ends } に終わり、サイズの提供終了 ({ $retires }) より後になります
plan-uncommitted = { $size } は従量課金で計算：{ $region } での `{ $commitment }` の価格が不明。`diskwright catalogue import` でベンダーの価格表を取り込める
plan-commitment-known = 対象の VM サイズ { $sizes } 種のうち { $without } 種は `{ $commitment }` での価格が不明で、従量課金として計算：契約すれば、そのいずれかの方が安い可能性がある
plan-term-ends = `{ $commitment }` は { $ends } か月目に終わり、{ $from } ～ { $until } か月目の価格は含まれません
plan-commitment-dearer = `{ $commitment }` では VM が { $hours } の従量課金より月 { $more } 高くなる
plan-hours = VM は月 { $all } 時間のうち { $hours } 稼働し、その分だけ課金される。ディスクは全時間分が課金され、操作数は常時稼働として数える
plan-hours-committed = VM は月 { $all } 時間のうち { $hours } 稼働するが、契約分はディスクと同じく全時間分が課金される
budget-met-with = `{ $assumption }` なら予算内に収まる：{ $plan }、{ $monthly }
budget-met-with-licence = 自前の Windows ライセンスがあれば予算内に収まる：{ $plan }、{ $monthly }
bill-not-in = この価格に含まない
bill-os-disk = { $disk }（`os_disk` の指定）
bill-snapshots = スナップショット { $size }：{ $kept } 個を保持し、次までに全体の { $change } が変わる
promise-one = この種類のディスク（{ $kinds }）の 1 台の SLA：月の { $share }（{ $source }）
promise-one-if = この種類のディスク（{ $kinds }）の 1 台の SLA（OS ディスクが劣らない場合）：月の { $share }（{ $source }）
promise-together = 2 台以上（{ $place }）の SLA：月の { $share } は少なくとも 1 台に到達できる（{ $source }）
promise-unknown = { $kind } の 1 台の SLA：不明。読んだベンダーのページはこの種類のディスクに触れていない
plan-zone = VM とディスクは { $region } のゾーン { $zone } に配置します。これらのディスクがそのゾーンで提供されているかどうかは確認していません
plan-zone-of-vm = VM は { $region } のゾーン { $zone } に配置します。ディスクはゾーン冗長のため、特定のゾーンには属しません
plan-cautious = { $limit }: ディスクが慎重な設定の想定どおりに遅い場合は { $latency } となり、指定された上限の { $most } を超えます (この想定で計画するには、[plan] に `latency = "cautious"` を指定)
plan-hits = { $volume }: ホスト キャッシュがウォームになると、読み取りの { $share } がヒットします (推定。キャッシュを使う全ボリュームが 1 つの LRU を共有し、各ブロックは使用された部分だけが有効と仮定)
plan-floor = { $volume }: 再起動後についての指定をディスクだけで満たすため、ヒットとして数えるのは読み取りの { $share } までです (`after_reboot_share_min`、`after_reboot_latency_max`)
plan-local-disk = { $volume }: ローカル ディスクのデータは、VM の停止や移動で失われます
plan-uncached-shared = Premium SSD v2 と Ultra Disk は、他のディスクと 1 つの非キャッシュ制限を共有し、VM サイズの 2 つの公表値のうち大きい方が適用されるものとします。実際の共有方法は公開されていません (2 つを合算するには [plan] に `uncached_sharing = "separate"` を指定)
plan-uncached-separate = Premium SSD v2 と Ultra Disk の非キャッシュ制限は、他のディスクの制限に加算します (`uncached_sharing = "separate"`)。実際の共有方法は公開されていません
plan-no-hits = { $volume }: ホスト キャッシュのヒットは見込んでいません。見込むには `working_set` を指定してください
plan-one-figure = ボリュームごとに 1 つの値 ({ $percentile } パーセンタイル) を使います。時系列はありません
plan-per-dimension = 各値にそれぞれの { $percentile } パーセンタイルを使い、すべてのピークが同時に来るものとします
plan-intervals = { $interval } の区間が { $intervals } 個。そのうち { $exceeding } 個は制限を超過してもよいものとします (全ボリューム合計)
plan-answer-rests = { $answer }。このプランは、{ $size } のページに記載のない制限値に基づいています: { $figures }
plan-os-on-hdd = { $volume }: Standard HDD を OS ディスクとして使うことは、{ $date } に廃止されます
plan-no-cached-limit = { $size } のホスト キャッシュは使用しません。制限値を示す情報源がないためです
plan-no-cached-limits = VM サイズ { $sizes } 種類は、ホスト キャッシュの制限値を示す情報源がないため、キャッシュなしで計画しています
plan-answer-nodes = 同一のノード { $nodes } 台で月額 { $monthly }。1 台あたり: { $answer }
plan-answer-licences = { $answer }。月額のうち { $licences } はコア単位のライセンス料で、それを除くと { $without } です
plan-answer-uncommitted = { $answer }。VM は従量課金で計算：`{ $commitment }` での価格が不明
plan-interpolated = { $volumes }: { $percentile } パーセンタイルは、前後の値の間を、それを上回る時間の割合の対数で補間した推定です。`p95` または時系列があれば、そちらを使います
plan-largest-instead = { $volumes }: p99 と最大の間の値がないため、{ $percentile } パーセンタイルの代わりに最大値を使います
plan-growth = レートとプロセッサ使用量は、要件の値の { $factor } 倍です (`growth`)
plan-growth-of = { $volume }: 負荷は年 { $load }、データ量は年 { $held } 増えます
plan-comfort = レート、プロセッサ使用量、メモリ使用量は、要件の値の { $factor } 倍です (`comfort_factor`)
plan-filesystems = ファイル システムが各ディスクの { $share } を使用します (`filesystem_overhead_percent`)
plan-nodes = 同一のノード { $nodes } 台がそれぞれ需要の全量を処理します (`nodes`)。回答より下の金額は 1 台分、`cost_max` は全台の合計です
plan-cpu-speed = { $size } の vCPU は { $recorded } の { $factor } 倍と数えます: { $own } 対 { $other }、最小を最大で割った値です ({ $page } のページ、グレード { $grade }: 目安であり、お使いの負荷の実測ではありません)。{ $all } サイズ中 { $known } にこの値があり、他は同じと数えます (`cpu_recorded_on`)
plan-cpu-speed-unknown = { $recorded } と比べた { $size } の速さは、読んだどのページにもありません。vCPU は同じと数えます。{ $all } サイズ中 { $known } にこの値があります (`cpu_recorded_on`)
plan-cpu-speed-none = { $recorded } の速さは、読んだどのページにもありません。全サイズの vCPU を同じと数え、`cpu_recorded_on` は何も変えません
plan-shared = { $volume }: ディスクは { $nodes } ノード全体で一度だけ購入します (`shared`)。月額 { $monthly }、うちマウント { $mounts }。1 ノードの分は { $part }。ボリュームに求めた負荷は全ノードの合計です。{ $takes } ({ $limits } と { $billing } のページ)。このディスクを共有できる VM は { $most } 台まで ({ $page } のページ)
plan-windows = VM の OS は Windows です (`os`)。月額のうち { $monthly } はライセンス料です。ライセンスを所有していれば、Azure ハイブリッド特典で節約できます
plan-windows-own = VM の OS は Windows です (`os`)。価格はライセンス料を含むものとします
plan-licences = コア単位のライセンス: { $licences }。月額はライセンス込みで { $monthly }、なしで { $without }
plan-licence = { $name } { $cores } コア分 { $monthly }
plan-licence-of = { $name } 1 ノードあたり { $monthly } (ライセンス対象 { $nodes } ノード、各 { $cores } コア)
plan-constrained = { $size } は制約付き vCPU サイズです。アクティブな vCPU は { $processors } 個で、メモリ、ストレージの制限、コンピューティングの価格は { $parent } と同じです。コア単位でライセンスされるソフトウェアは { $processors } 個として数えます
plan-recording = 記録: { $what }。{ $effect }
plan-bursting = バースト クレジットは、残っている間だけ使えるものとします。時系列は続けて 2 回実行します
plan-no-burst-series = 持続制限のみで計画します。時系列がないと、バースト クレジットが必要な時間が分かりません
plan-no-burst = 持続制限のみで計画します。バースト クレジットは考慮しません
plan-headroom = 余裕: すべてのレートで { $rates } (`headroom_percent`)、各ディスクの容量で { $capacity } (`capacity_headroom_percent`)、プロセッサで { $processors } (`cpu_percent`)。`memory_min` と `vcpu_min` はそのまま使います
plan-memory-free = メモリの余裕: 使用中の量のほかに { $free } を空けておきます (`memory_headroom`)
plan-memory-usual = メモリの余裕: 使用中の量のほかに { $free } を空けておきます{ $total } (`memory_headroom`)
plan-memory-today = {"。"}ただし、現在のマシンの { $total } で足りるものとします
plan-memory-database = メモリの余裕: なし。データベースは割り当てられた量を使い、ボリュームの役割がデータベースのものだからです。`memory_headroom` で空きを残せます
plan-no-memory = 需要に必要なメモリ量の指定がないため、どのサイズも選択の対象になります。[plan] に `memory_min`、または [memory] に `used` を指定してください
plan-no-processors = 需要に必要なプロセッサ数の指定がないため、どのサイズも選択の対象になります。[plan] に `vcpu_min`、または [cpu] に `processors` と `busy_percent` を指定してください
plan-operations = { $volume }: 平均レートでの操作は月あたり { $operations } 回です。使用量課金の月額 { $monthly } は費用に含まれています
plan-operations-median = { $volume }: 操作は月あたり { $operations } 回です。使用量課金の月額 { $monthly } は費用に含まれています。時系列がないため、中央値のレートを平均とみなします
plan-burst-use = { $volume }: オンデマンド バーストは使用量に応じて課金されます。毎月が時系列と同じなら月額 { $monthly } で、費用に含まれています
plan-performance-plus = { $volume }: Performance Plus は無料ですが、設定できるのはディスクの作成時だけです。既存のディスクは、スナップショット経由で新しいディスクにコピーする必要があります
plan-zone-redundant = ディスクはゾーン冗長です (`redundancy = "zone"`)。対象は Premium SSD と Standard SSD で、書き込みは計画より遅くなります。どの程度遅くなるかは公開されていません
plan-disk-options = ディスクの購入方法 (サイズ以外): { $options } (`disk_options`)
plan-no-disk-options = ディスクは既定のままです。パフォーマンス レベル、Performance Plus、オンデマンド バーストは使いません (`disk_options`)
plan-no-hdd = Standard HDD はバックアップ用途に限り候補とします (`standard_hdd`)
plan-on-request = { $kinds } はバックアップ用途か、`disks` で指定した場合に限り候補とします
plan-indifference = 最安との差が { $band } 以内のプランのうち、最もシンプルなものを選びます。ディスク数の少なさ、次に VM シリーズの世代の新しさを優先します (`indifference_percent`)
plan-wide-stripes = 各ストライプが { $usual } 台以下のプランは見つからなかったため、最大 { $most } 台まで選べます (`disks_max`)
plan-wide-stripes-budget = 各ストライプが { $usual } 台以下では最安のプランが { $monthly } で `cost_max` を超えるため、最大 { $most } 台まで選べます (`disks_max`)
plan-kpi = { $volume }: { $kpi } の要件は { $asks } です ({ $sources })。大きい方のストリームを負荷とし、レイテンシは待ちのないディスクの値です (`kpi`)
plan-kpi-bounds = { $volume }: { $kpi } の要件は { $asks } です ({ $sources })。負荷は要件ファイルの値です (`kpi`)
plan-kpi-unchecked = { $volume }: { $kpi } のうち未確認: { $unchecked }
plan-not-certified = { $product }：ベンダーが { $size } を認定しているかは確認していない
plan-no-arm = Arm プロセッサの VM サイズは対象外です (`arm`)
plan-no-burstable = バースト可能な VM サイズは対象外です。クレジットを使い切ると、プロセッサがベースラインに制限されます (`burstable`)
plan-no-confidential = 機密 VM サイズは対象外です。専用のセキュリティの種類とイメージが必要です (`confidential`)
plan-no-preview = プレビュー段階の VM サイズは対象外です (`preview`)
plan-no-closed = 新しいサブスクリプションでは展開できない VM サイズは対象外です。既存のサブスクリプションではクォータの範囲で展開できます (`closed_to_new`)
plan-no-metal = ベアメタル タイプは対象外です (`metal`)
plan-no-previous = 旧世代のタイプは対象外です (`previous_generation`)
plan-metal = { $size } はハイパーバイザーのないホスト全体です
plan-previous = { $size } は旧世代です。新しいタイプは同じ費用でより高い性能があります
plan-no-limited = 容量が限られた VM サイズは対象外です (`capacity_limited`)
key-named-sizes = 選択できるサイズに、これを必要とするものがありません。`vms` で指定されたサイズには影響がないか、`edition` が何年も前のサイズを指定しています
plan-horizon = { $date } より前に提供終了となる VM サイズは対象外です (`horizon_years`)
plan-no-retirements = タイプの提供終了日のデータはここにないため、確認していません
comparison-cheaper = { $oldest } から { $newest } の価格では、{ $first } は { $last } より月額 { $less } ({ $share }) 安くなります
comparison-currencies = 価格の通貨が { $first } と { $last } で異なるため、比較していません
comparison-none = 要件を満たし価格が分かるプランがありません: { $places }。それとは比較していません
plan-arm = { $size } は Arm プロセッサを搭載しています
plan-burstable = { $size } の CPU はクレジットに依存し、ベースラインはカタログにない
plan-confidential = { $size } は機密 VM です。専用のセキュリティの種類とイメージが必要です
plan-preview = { $size } はプレビュー段階です ({ $page } のページ)
plan-closed = { $size } は { $since } から新しいサブスクリプションでは展開できません。既存のサブスクリプションはクォータの範囲で展開でき、クォータの追加は認められません ({ $page } のページ)
plan-limited = { $size } の容量は限られています ({ $page } のページ)
plan-disk-zones = { $disks }: { $region } では { $zones } つのゾーンだけで提供され、どのゾーンかを示すページはありません。展開の前に確認してください ({ $page } のページ)
plan-disk-region = { $disks }: { $region } に価格はありますが、そこで提供されると示すページはありません。展開の前に確認してください
plan-setting-needed = { $size } は `{ $setting }` で使います (追加料金なし)。ディスクの持続スループットは { $plain } ではなく { $given } になり、これがなければ、このサイズのどのプランも要件を満たしません
plan-setting-cheaper = { $size } は `{ $setting }` で使います (追加料金なし)。ディスクの持続スループットは { $plain } ではなく { $given } になり、これがなければ、プランは月額 { $more } 高くなります
plan-setting-fewer = { $size } は `{ $setting }` で使います (追加料金なし)。ディスクの持続スループットは { $plain } ではなく { $given } になり、これがなければ、プランにはより多くのディスクが必要です
plan-setting-unknown = { $size } は `{ $setting }` で使います (追加料金なし)。ディスクの持続スループットは { $plain } ではなく { $given } になります。この設定を使わないプランはすべてを調べていないため、設定なしで足りるかどうかは不明です
plan-setting-network = `{ $setting }` は { $size } のネットワークの持続帯域 { $network } から { $loses } を取る。ネットワークの必要量は要件にない。デプロイの前に確認
plan-setting-network-unknown = `{ $setting }` は { $size } のネットワークから { $loses } を取る。その持続帯域も必要量も不明。デプロイの前に確認
plan-vm-region = { $size }：価格は指定されたもので、{ $region } での販売を確認できるページがない。デプロイの前に確認
plan-retires = { $size } は { $date } に提供終了となります
plan-steady-memory = 負荷とボリュームのデータ量は増加しますが、メモリ使用量は一定とします。増える場合は `memory_min` を引き上げてください
plan-steady-capacity = 負荷は増加しますが、ボリュームのデータ量とメモリ使用量は一定とします。データが増える場合は `capacity_growth_percent_per_year` を指定し、メモリが増える場合は `memory_min` を引き上げてください
plan-steady-load = ボリュームのデータ量は増加しますが、負荷は一定とします。負荷が増える場合は `growth_percent_per_year` を指定してください
plan-no-os = ロールが `os` のボリュームがないため、OS ディスクはプランにも費用にも含みません
plan-os-beside = OS ディスク { $disk } (`os_disk`) はその他の費用の行です。プランの費用にも `cost_max` にも含まれません
plan-years = { $years } 年後の需要
stage-vm = VM のサイズを { $vm } に変更
stage-set = { $volume }: 各ディスクを { $disk } に設定
stage-more = { $volume }: { $disk } のディスクを { $more } 台追加し、ストライプを再構築
stage-moved = { $volume }: データを { $disks } にコピー
stage-cache = { $volume }: ホスト キャッシュを { $cache } に設定
stage-takes = { $takes } ({ $page } のページ)
stage-migration = 移行: { $takes } ({ $page } のページ)
stage-unknown = このすべてに何が必要かは、読んだどのページにも記載がない。移行が必要かもしれない
stage-in-place = 同じディスクをその場で拡張
stage-stay = { $month } か月目から月に { $more } 多く払えば移行は不要: { $plan }
stage-reserved = { $size } の予約 ({ $term }) は { $month } か月目の終わりまで続きます: { $left } x { $monthly } = { $all } がこれらの価格とは別にかかります
plan-service = { $name }: { $bought }、{ $price }。{ $access }。レイテンシと VM のネットワークの上限は不明です ({ $page } のページ)
plan-service-price = 月額 { $monthly } ({ $date } の価格)
plan-service-unpriced = { $region } での価格は不明
move-takes = { $what }: { $takes } ({ $page } のページ)
plan-lasts =
    指定された増加率では、このプランは{ $years ->
        [0] 現在の需要を満たしますが、1 年後の需要は満たしません
       *[other] {" "}{ $years } 年後の需要まで満たしますが、{ $next } 年後の需要は満たしません
    }。
plan-latencies = ボリュームと設計案のレイテンシは、最も負荷が高いときの推定平均で、ディスクと VM の制限での待ち時間を含みます。制限の一覧にあるレイテンシは探索で使う値です。シミュレーションでは両方を判定します
plan-reserve = 探索では、{ $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }レイテンシを指定された上限より { $reserve } 低く抑えます。シミュレーションで、より安いプランのレイテンシが推定を上回ったためです
plan-reserve-deeper = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }キューを推定より { $more } 深くします。シミュレーションで、処理できた量が推定を下回ったためです
plan-reserve-rates = 各レートで、余裕を除いた残りのうちさらに { $reserve } を空けておきます。シミュレーションで、処理できた量が推定を下回ったためです
mean-latencies = レイテンシは、どの制限にも達していないときのモデルの平均です
plan-offers = VM サイズ { $sizes } 種類とディスク { $disks } 種類が候補。除外: { $left_out }
offers-barred = 選択不可 { $offers } 件
offers-unpriced = 価格不明 { $offers } 件
offers-incomplete = 制限値が不完全 { $offers } 件
offers-local = ゾーン冗長なし { $offers } 件
key-unused = `{ $key }` は効果がありません: { $why }
key-unused-of = { $volume }: `{ $key }` は効果がありません: { $why }
key-no-growth = 負荷も容量も増加しません
key-no-years = 将来の年を対象としたプランではありません。`years` を指定してください
key-own-growth = 各ボリュームに個別の増加率があり、OS は増加しません
key-no-series = 時系列がありません
key-no-processor-load = [cpu] に `busy_percent` 付きの `processors` がありません
key-no-processors = [cpu] に `processors` がありません
key-no-busy = [cpu] に `busy_percent` がありません
key-no-memory = [memory] に `used` がありません
key-os-volume = 役割が `os` のボリュームがある
key-no-snapshots = スナップショットを保持しない：個数は `snapshots_kept` で指定
key-not-on-offer = メーター `{ $meter }` では { $offer } は提供されていません
key-series-instead = { $volumes }: 時系列で計画します。併記されたパーセンタイルは使いません
key-split-iops = `read_iops` と `write_iops` が個別に分かっています
key-split-throughput = `read_throughput` と `write_throughput` が個別に分かっています
key-series-knows = 時系列に読み取りと書き込みの両方のレートがあります
key-no-requests = { $requests ->
        [reads] 読み取り
        [writes] 書き込み
       *[other] { $requests }
    }がありません
key-no-cache = `host_cache` が `None` です
key-one-uncached = このプランには、Premium SSD v2 または Ultra Disk を他のディスクと併用する VM がありません
key-all-writes = `iops` では読み取りの割合が分からないため、すべて書き込みとみなします
key-measured = { $volume }: { $keys } は実測値を示すもので、プランには影響しません。レイテンシを指定するには `read_latency_max` と `write_latency_max` を使います
key-size-overruled = { $volume }: { $requests ->
        [reads] 読み取り
        [writes] 書き込み
       *[other] { $requests }
    }は、スループットと IOPS から求めた 1 件あたり { $planned } で計画します。指定された { $written } (`{ $key }`) は使いません
key-one-disk = ディスクは 1 台までです
key-os-disk = OS は 1 台のディスクから起動します
latency-given = { $places } のレイテンシ: シナリオの指定による
latency-own = { $places } のレイテンシ: { $model } (独自モデル、グレード { $grade })
latency-default = { $places } のレイテンシ: { $medium }、{ $setting ->
        [optimistic] 楽観
        [typical] 標準
        [cautious] 慎重
       *[other] { $setting }
    }設定、グレード { $grade } (お使いのディスクでの実測値ではありません)。平均は読み取り { $read } ({ $read_else })、書き込み { $write } ({ $write_else })
latency-else = { $setting ->
        [optimistic] 楽観
        [typical] 標準
        [cautious] 慎重
       *[other] { $setting }
    } { $latency }、{ $other ->
        [optimistic] 楽観
        [typical] 標準
        [cautious] 慎重
       *[other] { $other }
    } { $otherwise }
latency-of-miss = { $places } のレイテンシ: { $medium }、{ $setting ->
        [optimistic] 楽観
        [typical] 標準
        [cautious] 慎重
       *[other] { $setting }
    }設定、グレード { $grade } (お使いのディスクでの実測値ではありません)。平均 { $mean } ({ $mean_else })

## explain: the finding

explain-first-touch = { $volume } のデータがそろうまでは初回アクセスがボトルネックで、そろえば需要は満たされます。このボリュームはスナップショットから作成され、{ $left } がまだ取得されておらず、{ $block } のブロックは最初に使われるときに { $time } かかるため、{ $asked } のうち { $gives } しか得られません。{ $remedy }
explain-first-touch-beside = { $volume } はスナップショットから作成され、{ $left } がまだ取得されていません。{ $block } のブロックは最初に使われるときに { $time } かかります。{ $remedy }
explain-first-touch-comes = 購入済みの初期化レートでは、{ $after } 後にすべてそろいます。それまで待ってください。
explain-first-touch-read = 本番の前に先頭から末尾まで一度読み取ってください (要求が 1 件ずつなら { $alone })。
explain-first-touch-buy = 本番の前に先頭から末尾まで一度読み取る (要求が 1 件ずつなら { $alone }) か、`initialization_rate` を購入してください。{ $least } なら { $slow } 後、{ $most } なら { $fast } 後にすべてそろいます (価格は不明です)。
explain-carries = この構成は需要を満たします{ $nearest }
explain-nearest = 。最も余裕が少ない制限は { $limit } (使用率 { $used }) です
explain-measured = { $shows }{ $advice }
explain-carries-measured = この構成は需要を満たします。実測結果: { $shows }
explain-carries-else = この構成は需要を満たします。実測値はこの構成の制限によるものではありません: { $shows }
explain-cut-off = 記録は { $at } で頭打ちになっています。実際の需要は記録より高くなります{ $nearest }{ $advice }
cut-off-at = { $limit } ({ $iops }、{ $throughput })
cut-off-elsewhere = { $volume } の { $iops }、{ $throughput }
cut-off-said = 記録元の制限 ({ $what })
explain-cut-off-nearest = 。記録の範囲で最も余裕が少ない制限は { $limit } (使用率 { $used }) です
explain-fixed = { $limit }: 需要 { $asked }、使用可能 { $available }{ $advice }
explain-fixed-latency = { $limit }: 上限の指定 { $asked } に対して、予測は { $expected } です{ $advice }
explain-binds = { $limit } がボトルネックです{ $times }{ $gets }{ $others }{ $advice }
explain-times = {" "}({ $all } 区間のうち { $intervals } 区間)
explain-gets = 。{ $volume } で得られるのは、需要 { $asked } に対して { $gets } ({ $share }) だけです
explain-others = 。他の区間のボトルネック: { $limits }
explain-advice = 。十分な効果がある最も安い変更: { $change }
explain-advice-in-place = 。移行を伴わない最も安い変更: { $change }
explain-advice-both = { $cheapest }{ $in_place }
explain-new-plan = 1 か所の変更では不十分です。この需要に対する新しいプラン: { $plan }、月額 { $monthly } (ここではシミュレートしていません。`diskwright plan` がシミュレートします)。
explain-new-plan-cheaper = 新しいプランの方が、十分な効果がある最も安い変更より月額で { $saved } 安くなります: { $plan }、月額 { $monthly } (ここではシミュレートしていません。`diskwright plan` がシミュレートします)。

## explain: what a measurement shows

shows-limit = { $volume } の実測は { $iops }、{ $throughput }: { $limit } に達しています (使用率 { $used }){ $credits }
shows-limit-credits = 。バースト クレジットに頼っており、満杯の状態からこのレートで { $lasts } 持続します
shows-credits = { $volume } の実測は { $iops }、{ $throughput }: { $limit } の持続的なレートを超え、バースト クレジットを使っています。満杯の状態から { $lasts } 持続します
shows-cache = { $volume } の実測は { $iops }、{ $throughput }: ディスクでスロットリングが発生しています。ホスト キャッシュで処理される分: { $served }。{ $why }
shows-cache-serves = 読み取りの約 { $share }
shows-cache-serves-none = 読み取りのごく一部
shows-cache-small = 読み取るデータがキャッシュより大きいためです
shows-cache-cold = キャッシュがコールドか、読み取るデータより小さいためです。測定の前にファイルを一度読み取ってください
shows-sync = { $volume } の実測は { $iops }、{ $throughput }: 書き込みと同期を 1 回ずつ順に行うと { $cycle } かかり、毎秒 { $per_s } 回になります{ $workers }。処理中の要求を増やしても改善しません。必要なのは速い同期です。同期の平均は { $sync } です{ $p99 }
shows-sync-workers =  (ワーカー { $workers } 個の合計)
shows-sync-p99 =  (99 パーセンタイルは { $p99 })
shows-depth = { $volume } の実測は { $iops }、{ $throughput }: キューの深さが不足しています。処理中の要求が { $in_flight } 個、レイテンシが { $latency } の場合、{ $most } が上限です{ $next }{ $idle }
shows-depth-next = 。処理中の要求が { $needed } 個になると、最初の制限である { $limit } ({ $gives }) に達します
shows-depth-idle = 。ストライプのディスク { $disks } 台がアイドル状態です
shows-slow = { $volume } の実測は { $iops }、{ $throughput }: どの制限にも達していませんが、レイテンシがモデルの { $model } に対して { $latency } です。ゲストの CPU、ホスト上の他のスロットリング、バースト クレジットが測定前に消費されていないかを確認してください
shows-not-asked = { $volume } の実測は { $iops }、{ $throughput }: どの制限にも達していません。負荷は負荷側の設定で抑えられています
shows-unknown = { $volume } の実測は { $iops }、{ $throughput }: どの制限にも達していません。キューの深さかレイテンシが分からないため、これ以上は判断できません

## explain: changes

change = { $what } ({ $cost }{ $needs }{ $gives_up }{ $simulated })
change-vm = { $old } を { $new } に変更
change-disk = { $volume } の { $old } を { $new } に変更
change-tier = { $volume } の { $old } のパフォーマンス レベルを { $new } に変更
change-rebuild = { $volume } の { $old } を { $new } ({ $bought }) に変更
change-stripe = { $volume } のストライプを { $before } 台から { $count } x { $disk } に変更
change-stripe-unit = { $volume } のストライプ ユニットを { $old } から { $new } に変更
change-provision = { $volume } の { $disks } の購入量を変更: { $old } → { $new }
change-bought = { $capacity }、{ $iops }、{ $throughput }
change-bought-unknown = 現在のサイズ
change-cache = { $volume } のホスト キャッシュを { $old } から { $new } に変更
change-local = { $volume } を { $old } から VM のローカル ディスクに変更
change-ephemeral = { $volume } を { $old } からエフェメラル OS ディスクに変更
change-in-flight = { $volume } で処理中の要求を { $depth } 個に変更
change-free = 追加費用なし
change-costs = 月額 { $monthly }
change-unpriced = { $region } での { $offers } の価格が不明
needs-nothing = 。停止なし
needs-detach = 。ディスクのデタッチと再アタッチが必要
needs-restart = 。VM の停止と起動が必要
needs-migration = 。データの移動が必要
needs-unknown = 。何が必要かは、読んだどのページにも記載なし
needs-processors = 。新しい VM が必要 (Arm と x64 では異なるイメージが必要)
needs-security = 。新しい VM が必要 (機密サイズには専用のセキュリティの種類とイメージが必要)
needs-images = 。新しい VM が必要 (イメージの世代が、新しいサイズで起動できるものと異なる)
needs-nvme = 。新しい VM か、割り当て解除中の変換が必要 (ディスク コントローラーが SCSI から NVMe に変わるため、NVMe ドライバーを含む第 2 世代のイメージが必要)
needs-scsi = 。新しい VM か、割り当て解除中の変換が必要 (ディスク コントローラーが NVMe から SCSI に変わるため)
needs-local-disk = 。新しい VM が必要 (Azure ではローカル ディスクの有無が異なるサイズに変更できない)
gives-up-durability = 。VM の割り当て解除や移動で内容は失われる
gives-up-host-cache = 。ホスト キャッシュなし
gives-up-smaller = 。後から縮小は不可
gives-up-network = 。ネットワークの帯域は減る
proof-served = 。シミュレーションで確認済み
proof-falls-short = 。シミュレーションでは不足
proof-none = 。シミュレーションは未実施

## explain: recordings that stop at a level, missing inputs, assumptions

throttled-at = { $volume }: 区間の { $share } が { $iops }、{ $throughput } に張り付いています。これはこの構成の { $limit } です。実際の需要は記録より高くなります
throttled-elsewhere = { $volume }: 区間の { $share } が { $iops }、{ $throughput } に張り付いています。記録元のマシンの制限か、負荷そのものの上限です。実際の需要は記録より高くなります
missing-measurement = 実測値: fio、DiskSpd、Iometer の結果を `--measured FILE` で渡すと、制限とキューの深さ不足を区別できます
missing-demand = 需要: `--demand requirements.toml` (`diskwright observe` で作成) で、需要の時間変化を指定します
missing-series = 需要の時間変化: { $file } に時系列がないと、バースト クレジットもバックログも追跡できません
missing-depth = { $volume }: 処理中の要求の数、またはそのレイテンシ。これらを出力するツールで測定してください
missing-working-set = { $volume }: ホスト キャッシュのヒット率。{ $file } に `working_set` または `hit_curve` を記述してください。現在はヒットなしとして計算しています
missing-prices = この構成の { $region } での価格: `diskwright catalogue import` でインポートしてください
explain-one-figure = ボリュームごとに 1 つの値 ({ $percentile } パーセンタイル) を使います
explain-intervals = { $interval } の区間が { $intervals } 個。そのうち { $exceeding } 個は制限を超過してもよいものとします (時間の { $percentile } % で満たす必要あり)
explain-no-credits = 制限は余裕を引かずに全量を使います。バースト クレジットは考慮しません。単一の値は常時の需要とみなすためです
explain-credits = 制限は余裕を引かずに全量を使います。バースト クレジットは開始時に満杯とします
explain-more = 実測値に対して { $percent } % の余力が生じる変更を、十分とみなします
explain-else = 変更では他の部分を維持します。プロセッサとメモリは減らしません
explain-tried = すべての制限内に収まる変更は、担うべき最も負荷の高い区間でシミュレートします
explain-today = 現在の需要: `plan` が見込む { $years } 年分の増加は含みません
explain-hits = { $volume }: 読み取りの { $share } がホスト キャッシュにヒットします (推定)
explain-hits-least = { $volume }: 読み取りの { $share } がホスト キャッシュにヒットします (下限。ディスクだけでは処理できない量のため)
explain-write-back = { $volume }: ReadWrite キャッシュから書き戻されていないデータは、ホストの障害で失われます
habit-cached-writes = { $volume }: ほとんど読み取られないボリュームにホスト キャッシュ ReadOnly が設定されています。書き込みには効果がなく、キャッシュを埋めるだけです。None にしてください
habit-write-back = { $volume }: データにホスト キャッシュ ReadWrite が設定されています。書き戻されていない内容はホストの障害で失われます。データには ReadOnly、ログには None を使ってください
habit-one-in-flight = { $volume }: ディスク { $disks } 台のストライプに対して処理中の要求が 1 個です。同時に動くディスクは 1 台だけです。処理中の要求を { $disks } 個以上にするか、速いディスク 1 台を使ってください
habit-unequal = { $volume }: 1 つのストライプに異なるディスクが混在しています。どのディスクも最も遅く小さいものとして扱われます。同じディスクを使ってください
habit-small-unit = { $volume }: ストライプ ユニット { $unit } では 1 つの要求が複数の I/O に分かれ、それぞれが制限の対象になります。64 KiB 以上にしてください
habit-spinning = { $volume }: ハード ディスク ({ $disk }) は要求ごとに数ミリ秒かかり、バックアップ向きです。データベースには SSD を使ってください
habit-os-disk = { $volume }: 負荷が OS ディスク上で動いており、システムがその後ろで待たされます。専用のデータ ディスクを使うか、状態を持たないノードではエフェメラル OS ディスクを使ってください

## simulate: what throttles a volume

binding-idle = { $volume } には処理する I/O がありませんでした。
binding-write-back = 書き戻しが { $volume } のボトルネックです。ホスト キャッシュにダーティ データの空きがないため、書き込みは { $disks } の処理速度でしか受け付けられません。ストライプのディスクを増やすか、より大きいディスクにすると改善します。
binding-first-touch = 初回アクセスが { $volume } のボトルネックです。スナップショット以降に使われていない { $disks } のデータは最初に要求されたときに取得され、I/O は時間の { $waiting } をその待ちに費やします。本番の前にボリュームを先頭から末尾まで一度読み取るか、初期化レートを購入してください。
binding-at-times = { $volume } が { $limit } に達するのは一時的です。平均では { $unused } が未使用ですが、この制限での待ち時間がレイテンシの { $waiting } を占めます。いつ達するかは `--series 1s` で確認できます。
binding-throttled = { $volume } は { $limit } によってスロットリングされています{ $active }: { $available }。{ $remedy }{ $next }
binding-active = {" "}(全体 { $run } のうち、稼働している { $active } の間)
binding-one-disk = { $disks } で使えるのは { $available } です
binding-disks = { $disks } の合計で使えるのは { $available } です
binding-vm = { $vm } で使えるのは合計 { $available } です (対象: { $behind })
binding-our-vm = この VM で使えるのは合計 { $available } です (対象: { $behind })
behind-all = すべてのディスク
behind-v2 = Premium SSD v2 と Ultra Disk
behind-others = Premium SSD v2 と Ultra Disk 以外のディスク
behind-cache = ホスト キャッシュと一時ディスクが処理する I/O 全体
behind-gate = ゲート { $gate } を通る I/O 全体
remedy-disks-or-cache = ディスクを増やすか、より大きいディスクにすると改善します。読み取るデータをより多く保持できるキャッシュも有効です。
remedy-disks = ストライプのディスクを増やすか、より大きいディスクまたはより高いパフォーマンス レベルにすると改善します。
remedy-larger = ストライプのボリュームを増やすか、より大きいボリュームにすると改善します。
remedy-bought = 同じボリュームの購入値を上げるか、ストライプのボリュームを増やすと改善します。
remedy-other-kind = この種類のボリュームではこれが上限です。ストライプのボリュームを増やすか、別の種類にすると改善します。
remedy-local = ローカル ディスクがより多い、またはより速い VM サイズにするか、負荷の一部をリモート ディスクに移すと改善します。
remedy-uncached = { $gate } の制限がより高い VM サイズにすると改善します。ディスクを増やしたり大きくしたりしても改善しません。
remedy-cached = { $gate } の制限がより高い VM サイズにするか、負荷の一部をホスト キャッシュを使わないボリュームに移すと改善します。
binding-next-exhausted = { $limit } ({ $available }) も使い切っています。
binding-next-nearly = { $limit } ({ $available }) もほぼ使い切っています。
binding-next = 次のボトルネックは { $limit } です ({ $available }、残り { $left })。
limit-of = { $place } の { $limit }
binding-rate = { $volume } はスロットリングされていません。ジョブにレートの指定があり、それ以上の I/O を要求していません (実績 { $iops })。
binding-think = { $volume } はスロットリングされていません。ジョブが休止 (thinktime) を挟んでいます (実績 { $iops })。
binding-depth = { $volume } をスロットリングしている制限はありません。上限を決めているのはキューの深さです。未処理の I/O が { $depth } 個、レイテンシが { $latency } の場合、{ $iops } になります。未処理の I/O を増やす (iodepth、numjobs) と向上します。
binding-sync = { $volume } をスロットリングしている制限はありません。書き込みと同期を 1 回ずつ順に行うと { $cycle } かかり、毎秒 { $per_s } 回になります{ $workers }。未処理の I/O を増やして (iodepth) も改善しません。同期の速いディスクが必要です。

## simulate: what was leapt over, or why nothing was

by-kind-all = 全 { $all } 件の I/O のうち { $simulated } 件をシミュレーション: { $steps } 区間 (各 { $each })それぞれを、その一部が代表しています
by-kind = 全 { $all } 件の I/O のうち { $simulated } 件をシミュレーション: { $steps } 区間 (各 { $each })のうち { $taken } 区間はその一部だけ、残りの区間はすべて
by-kind-near = 全 { $all } 件の I/O のうち { $simulated } 件をシミュレーション: { $steps } 区間 (各 { $each })のうち { $taken } 区間はその一部だけ、残りの区間はすべて (そのうち { $near } 区間は制限に達する区間とその前後)
leapt = 時間の { $share } は定常状態のため省略しました。全 { $all } 件の I/O のうち { $simulated } 件をシミュレーションしています。全件をシミュレーションするには `--exact`、誤差を小さくするには `--error 1%` を指定してください
leap-refused = 実行時間は長いですが、すべての I/O をシミュレーションしました: { $why }
leap-by-size = ジョブ { $job } は、時間 (`time_based=1` と `runtime`) ではなく、サイズまたは I/O 数で終了します
leap-verifies = ジョブ { $job } は、書き込んだデータを読み直します
leap-ends-when-steady = ジョブ { $job } は、レートが定常状態になると終了します
leap-null-engine = ジョブ { $job } は、null エンジンを使います
leap-billed = オンデマンド バーストは秒単位で課金され、時系列に 1 秒ごとの値が必要です
leap-first-touch = { $volume } のデータは最初に使われるときに取得され、その数は時間とともに減ります
leap-cache = ジョブ { $job } のホスト キャッシュのヒットは、式で求められません: { $why }
leap-cache-sizes = 要求のサイズが異なるか、ストライプで分割されるか、要求のサイズが異なるジョブとデータを共有しています
leap-cache-partly = 要求がブロック全体に及ばないか、ファイルの一部だけがウォームです
leap-cache-order = データを独立したランダムではなく、固有の順序で再利用します
leap-cache-write-back = データがキャッシュに収まらず、ダーティ データがクリーン データより長くキャッシュから読み取れる状態です
leap-cache-trims = TRIM を実行します
leap-cache-eviction = キャッシュの追い出しが、最も古く使われたものからではありません
leap-unsteady = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    } ({ $figure }) が、十分に安定しませんでした
leap-rate = IOPS
leap-mean = 平均レイテンシ
leap-p99 = レイテンシの 99 パーセンタイル
leap-tiers = キャッシュ ヒットの割合
leap-backlog = 書き戻し待ちのデータ量
leap-changes = 実行内容が頻繁に変わります
leap-cache-moves = ホスト キャッシュの内容が区間ごとに変わります

## simulate: doubts

doubt-partial = 仮想時間で { $after } 後に停止しました。数値はその時点までのものです
doubt-nothing = 集計対象の I/O がありません。ramp_time がジョブの実行時間より長くなっていませんか?
doubt-job-ended = { $job } は途中で終了しました: { $error }
doubt-cold-cache = { $volume }: 読み取りの { $hits } がホスト キャッシュにヒットしましたが、実行時間がファイルを一巡する時間より短くなっています ({ $files } の一巡にはこのレートで { $pass } 必要、実行は { $ran })。runtime を長くするか、本番環境でキャッシュが満たされている場合は `--start warm` を指定してください
doubt-idle-disks = { $volume }: 未処理の要求が平均 { $depth } 個では、ディスク { $disks } 台を使い切れません。最大スループットにはディスクあたり 8 ～ 16 個が必要です (ストライプのキューの深さ = ディスクあたりのキューの深さ × ディスク数)
doubt-varies = { $volume }: IOPS の変動が大きく、信頼できる平均を求められません (± { $width })。`--series 1s` で経時的な変化を確認し、実行時間を延ばすか `--seeds 1..8` を指定して誤差を小さくしてください
doubt-few = { $volume }: { $ios } 件の I/O では、信頼区間や p99.9 を求めるには不足です。runtime を長くしてください
doubt-leap-error = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    } ({ $figure }) の誤差は ± { $known } で、指定は ± { $asked } です。キャッシュが満たされる間は値が変動します。`--exact` を指定すると、すべての I/O をシミュレーションします
doubt-credits-out-at = { $limit }: { $after } 後にバースト クレジットがなくなり、以降は { $sustained } です。数値は両方の平均です
doubt-credits-out = { $limit }: 実行中にバースト クレジットがなくなりました。クレジットなしでは { $sustained } です
doubt-on-credits = { $limit }: バースト クレジットに依存しています ({ $spent } を消費)。このレートでは合計で約 { $lasts } 持続し、その後は { $sustained } に下がります
doubt-dirty = 終了時に、{ $dirty } のダーティ データがディスクに書き込まれずホスト キャッシュに残っていました
doubt-first-touch = { $volume }: I/O の { $share } が、先にスナップショットから取得する必要のあるデータを待ちました。終了時に { $left } が未取得だったため、より長く実行すると速度は上がります。
doubt-first-touched = { $volume }: I/O の { $share } が、先にスナップショットから取得する必要のあるデータを待ちました。最後は開始から { $until } 後です。それ以降の速度はこれらの平均より良くなります。
doubt-guest-merges = { $volume }: ここでは { $limit } が要求を 1 つずつ数えます。ゲストの I/O スケジューラが隣り合う要求を結合すると、要求は少なく大きくなります。これはモデル化されていません。このサイズで最大 { $most } になる可能性があります。iostat の `rrqm/s` または `wrqm/s` をレートと比べてください

## verify

verify-met =
    { $requirements ->
        [1] 唯一の要件を満たしています
       *[other] { $requirements } 件の要件をすべて満たしています
    }
verify-answer = 要件 { $requirements } 件のうち、達成 { $met } 件、未達 { $not_met } 件、未検証 { $not_proven } 件
cause-no-figure = どちらか一方に該当する値がありません
cause-agrees = 予測どおりです
cause-less = { $limit } で得られる値が、モデルより低くなっています: { $rate }
cause-more = { $limit } で得られる値が、モデルより高くなっています: { $rate }
cause-noise = 実行のばらつきの範囲内です。平均の誤差は { $error } です
cause-doubt = 実行結果に疑義があります: { $doubt }
cause-medium = スロットリングはなく、ディスクのレイテンシが上限を決めています (実測 { $measured }、モデル { $model })。両者が異なる場合は、`diskwright calibrate` でモデルを合わせられます
cause-medium-only = スロットリングはなく、ディスクのレイテンシが上限を決めています
cause-not-predicted = 予測がありません
cause-not-shown = 検証できるシナリオがありません: `bench --suite checklist` を実行してください

## calibrate: scenarios that are excluded

excluded-unfinished = 完了していません
excluded-mixed = 単一のストリームではなく、ボリュームまたは方向が混在しています
excluded-throttled = { $limit } によってスロットリングされています
excluded-no-percentiles = パーセンタイルがないか、複数のジョブのもので合算できません
excluded-no-median = フィッティングに必要な中央値 (p50) がなく、{ $percentiles } しかありません
excluded-large = 要求がストライプ ユニットより大きく、最も遅いディスクを待ちます
excluded-not-predicted = 予測がありません。結果に要求の内容が含まれていないためです
excluded-waits-rate = 制限で待ちが発生しています。レートを下げると要求はより早く完了します
excluded-waits-depth = 制限で待ちが発生しています。キューを浅くしても IOPS はほぼ変わりません

## bench: warnings

warn-governor = プロセッサのガバナーが `{ $governor }` のため、周波数が負荷によって変わります。固定するには `cpupower frequency-set -g performance` を実行してください
warn-load = 開始前のロード アベレージが { $load } でした (プロセッサ { $processors } 個)。他のプログラムが動作しています。停止するか、終了を待ってください
warn-no-direct = { $volume }: { $path } は、ページ キャッシュを経由せずに読み取ることができません (ダイレクト I/O 非対応: { $file_system })。このマシンのメモリを測定することになるため、ディスク上のファイル システムかデバイスを使ってください{ $size }
warn-no-direct-size = 。ファイルは { $file }、メモリは { $memory } です
warn-this-file-system = このファイル システム
warn-partial = 終了前に停止しました。数値はその時点までのものです
warn-client-cpu = fio のジョブの 1 つがプロセッサの { $busy } を使ったため、結果には fio 自体の限界も含まれます。ジョブを増やす (`numjobs`) と処理が分散します
warn-machine-cpu = 全プロセッサの使用率が { $busy } で、マシンの限界に達していました。要求を少なくするか大きくする、またはより大きいマシンで測定してください
warn-others = 実行中に、他のプログラムが全プロセッサの { $busy } を使いました。停止してから測定し直してください
warn-short = { $ran } では短すぎます。30 s 以上にすると、一時的な乱れが平均化されます
warn-few = { $ios } 件の I/O では不足です。実行時間を延ばしてください (`--runtime`)
warn-drift = レートが、最初の 3 分の 1 の { $first } から最後の 3 分の 1 の { $last } に変化しました。バースト クレジット、キャッシュの充填、他の負荷が考えられます。実行時間またはウォームアップを延ばしてください
warn-page-cache = { $volume }: { $path } の { $share } がページ キャッシュにあります。ダイレクト I/O はこれを経由しませんが、キャッシュ上のデータが読み取られたり、その間に書き戻されたりする可能性があります。`sync; echo 1 > /proc/sys/vm/drop_caches` で空にできます
warn-emulator = エミュレーター: { $doubt }
warn-client-late = { $volume } の{ $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }レイテンシの 99 パーセンタイルが、モデルのディスクの { $given } に対して fio では { $seen } でした。クライアントまたはこのマシンの処理が追いついていません
warn-file-size = キャッシュを使うボリュームのテスト ファイルは合計 { $files } で、ホスト キャッシュの容量は { $cache } です。読み取りがミスになるため、`--file-size` を小さくしてください
warn-timeline = 構成ファイルのタイムラインはエミュレーション中に実行されます。予測には含まれません
warn-no-host-cache = ホスト キャッシュを使うボリュームがありません。読み取りと書き込みは VM の 1 つの上限を共有します
excluded-page-cache = ページ キャッシュを経由したため、ディスクの性能が分かりません。`{ $option }` を指定して測定してください

## bench: what a curve shows

finding = { $curve } ({ $from ->
        [predicted] 予測
        [measured] 実測
       *[other] { $from }
    }): { $shows }
knee = キューの深さ { $depth } から頭打ちになり、このとき { $latency } で { $iops } です。最大値 { $most } の 95 % に達するのは、深さ { $near_depth }、{ $near_latency } のときです
crossover = スループットは { $size } 以上で最大の { $throughput }、IOPS はそれより小さいサイズで最大の { $iops } です
rise = 負荷 { $load } % まで、レイテンシは最小値 { $lowest } の 2 倍以内です ({ $latency } で { $iops })

## Results of benchmarks: what makes the figures less than they seem

result-last-of = { $results } 件の結果の最後のものです。いずれも開始時からの集計です
result-cut-short = JSON が途中で切れています。最後の完全な結果より後ろは除外しました
result-damaged = JSON として正しくありません (`{ $near }` 付近: { $reason })。最後の完全な結果より後ろは除外しました
result-more-lines = JSON 以外に { $lines } 行あります
result-stopped = ジョブが終了する前にシミュレーションが停止されました
result-no-job = ジョブが含まれていません。fio は、ジョブが始まる前に終了しています
result-job-error = ジョブ `{ $job }` はエラー { $error } で終了しました
result-no-time = { $direction ->
        [read] 読み取り
        [write] 書き込み
        [trim] TRIM
       *[other] { $direction }
    }: I/O { $ios } 件の所要時間が fio の出力にないため、レートが分かりません
result-not-steady = 指定された定常状態に達しませんでした
result-failed = `{ $name }` の I/O のうち { $ios } 件が失敗しました

result-note = { $place }: { $note }
result-chosen = { $file }: { $tests } 件のテストが順に実行されています。分析の対象: IOPS が最も高いテスト{ $test }
result-chosen-test = {" "}(`{ $name }`、{ $line } 行目)

## bench: how it differs from the published procedure, and why a scenario failed

scaled = テスト ファイルは { $published } ではなく { $files }
scaled-time = 各シナリオは { $published } ではなく { $time }
scaled-both = { $files }、{ $time }
warn-swapped = ガイドの Iometer の結果の表では、アクセス仕様の名前が入れ替わっています (読み取り結果に RandomWrites_8K、書き込み結果に RandomReads_8K)。ここでは、アクセス仕様が読み取るものを読み取りとします
fio-start = fio を実行できません: { $reason }
fio-killed = fio がシグナル { $signal } で強制終了されました{ $said }
fio-full = ディスクがいっぱいです。fio がファイルを最後まで書き込めませんでした{ $said }
fio-gone = fio の使用中に、対象がなくなったか、障害が発生しました{ $said }
fio-vanished = 対象がなくなりました: { $what }
seen-gone = { $path } がなくなりました
seen-other = { $path } が別のものに置き換えられました
seen-folder-gone = { $path } のフォルダーがなくなりました
seen-folder-other = { $path } のフォルダーが別のものに置き換えられました。マウントまたはマウント解除が行われています
fio-failed = fio が終了コード { $code } で失敗しました{ $said }
fio-stopped = 停止しました
fio-said = : { $said }

## observe: what to doubt in a recording; what was seen, what it does to a plan, what to do

effect-none = なし
audit-few = サンプルは { $samples } 個です。100 個未満では p99 が最大値と同じになります
audit-too-few = サンプルが { $samples } 個では、p99 の信頼性が不足します。真の値は観測された最大値を超える可能性があります。459 個あれば十分です
audit-too-few-effect = p99 は不確かです。信頼区間を確認してください
audit-too-few-hint = このサンプリング間隔で { $time } 以上記録してください
audit-coarse = サンプルは { $interval } の平均のため、それより短いピークは見えません{ $measured }
audit-coarse-measured = 。5 個ずつ平均するだけで、p99 が { $lower } 下がります
audit-coarse-effect = p99 と最大値が実際より低くなります
audit-coarse-hint = ピークの時間帯を 1 ～ 2 s 間隔で記録してください
audit-means = I/O 単位の平均は { $mean } です。区間平均を平均すると { $of_means } になります
audit-means-effect = なし。I/O 単位の平均を使います
audit-merges = アプリケーションの要求の { $share } が、他の要求とマージされています
audit-merges-effect = IOPS はデバイスのものです。マージがない場合 (別のスケジューラ、O_DIRECT) は増えます
audit-plateau = { $volume }: 時間の { $share } で、{ $quantity ->
        [throughput] スループット
       *[other] { $quantity }{" "}
    }が最大値から 2 % 以内にとどまっています ({ $latency })
audit-plateau-slower = レイテンシは { $latency }、それ以外では { $otherwise }
audit-plateau-at = レイテンシは { $latency }
audit-plateau-unknown = レイテンシは不明
audit-plateau-effect = 記録元が制限に達していました。需要は少なくともこの値で、さらに多い可能性があります
audit-plateau-hint = 余裕を持たせて計画するか、より速いディスクで記録してください
audit-closed = 要求あたり { $latency }、未処理の要求が { $depth } 個です。アプリケーションがディスクを待っていました
audit-closed-effect = アプリケーションが要求の合間に他の処理をしない場合、1 ms のディスクで未処理の要求が同じ { $depth } 個なら、需要は最大 { $iops } になります
audit-closed-hint = 観測値より多く見込んで計画するか、新しいディスクで記録し直してください
audit-memory = メモリで処理された読み取りは、この数値に含まれていません (メモリ { $memory })
audit-memory-unknown = メモリで処理された読み取りは、この数値に含まれていません。マシンのメモリ量も不明です
audit-memory-effect = メモリが少ない VM では、ディスクからの読み取りが増えます
audit-memory-hint = vmstat または sadf -r の出力、または `--memory-total 64GiB` も指定してください
audit-batch = 区間の { $share } で 256 KiB 以上の要求が発生しています (最初は { $first })。p99 スループットは、これを含めると { $with }、除くと { $without } です
audit-batch-effect = バックアップやチェックであれば、それがディスクのサイズを決めることになります
audit-batch-hint = 専用の時間枠を設けるか、除外してください: `--window exclude=...`
audit-short = 記録は { $length } です{ $times }。計画の元にするには短すぎます
audit-hours = 記録は { $length } です{ $times }。1 日の残りの時間帯については分かりません
audit-hours-times = {" "}({ $from } ～ { $to })
audit-hours-effect = プランが満たすのは、この時間帯の負荷だけです。ピークが別の時間帯にある場合は不足します
audit-hours-hint = 少なくとも 1 日分、週または月のピークを含む日を記録してください
audit-processors-busy = サンプルの { $share } で、プロセッサの使用率が { $busy } 以上でした
audit-processors-busy-effect = CPU がディスクの需要を抑えていました。プロセッサが多い VM では、需要が高くなります
audit-processors-busy-hint = 余裕を見込み (requirements.toml の `comfort_factor`)、現在より多いプロセッサで計画してください (`vcpu_min`)
audit-one-volume = { $volume } が要求のほぼすべてを処理しています。{ $reads } が読み取りで、書き込みは平均 { $size } です。データベースの場合、データとログが同じボリュームにある可能性があります
audit-one-volume-effect = データとログに対して 1 つのボリュームで計画します。データにだけホスト キャッシュを使うことはできません
audit-one-volume-hint = 区別できる場合は、別々に記録するか、requirements.toml でボリュームを分け、ログに `role = "log"` を指定してください
audit-idle = 時間の { $share } で、IOPS がピークの 5 % 未満です。p99 は全体で { $all }、負荷のある時間だけでは { $busy } です
audit-idle-effect = 全時間の p99 に基づくプランは、日中には不足する可能性があります
audit-idle-peak = ピークの時間枠を使ってください
audit-idle-split = 時間枠を分けてください: `--window load`
audit-disagree = { $device }: { $one } では { $says }、{ $other } では { $but } です
audit-disagree-effect = { $tool } の数値を使います
audit-disagree-hint = 時刻のずれ、要求のマージ、両者の間にあるキャッシュを確認してください
audit-agree = { $device }: { $one } では { $says }、{ $other } では { $but } です。差は 5 % 以内です
audit-locale = 小数点がコンマの数値があり、そのように読み取りました
audit-locale-effect = 桁区切りが正しければ、なし
audit-locale-hint = `LC_ALL=C S_TIME_FORMAT=ISO` を指定して記録してください
audit-folded = サンプルが保持できる数を超えています。パーセンタイルは全サンプルの正確な値です
audit-folded-within = サンプルが保持できる数を超えています。パーセンタイルは全サンプルの値で、誤差は { $step } 以内です
audit-folded-effect =
    なし。グラフと需要の時系列は、{ $intervals ->
        [1] 区間
       *[other] { $intervals } 区間
    }ごとに 1 点です
audit-damaged = { $lines } 行を解釈できず、除外しました
audit-damaged-effect = 欠けている区間がある可能性があります
audit-damaged-hint = `--strict` を指定すると、エラーで終了します。最初の数行を上に示しています
rate-untimed = 要求の一覧に時刻がありません
rate-instant = すべての要求が同一時刻です。レートの計算には時間の幅が必要です
rate-short = トレースの長さは { $length } です。レートの計算には、{ $interval } の区間の 10 分の 1 が必要です
rate-effect = 要求数、スループット、キューの深さは不明です。サイズ、割合、ランダムの度合いは分かります
rate-untimed-hint = 時刻付きのトレースまたはログを使ってください (fio では iolog のバージョン 3 に時刻が含まれます)
rate-instant-hint = 時間の幅があるトレースを使ってください
rate-short-hint = より長いトレースを使うか、区間を短くしてください: `--every 1ms`
audit-wide = トレースの期間が、保持できる区間数を超えています。区間は { $asked } ではなく { $interval } になります
audit-wide-effect = それより短いピークは見えません
audit-wide-hint = トレースを必要な時間帯だけに切り出してください
audit-since-boot = 起動時からの累計である最初のレポートを { $lines } 行除外しました: { $example }
audit-since-boot-effect = なし。除外しなければ、数日間の平均を 1 つの区間とみなすところでした
audit-since-boot-hint = ツールを -y 付きで実行した場合は、`--keep-first` を指定してください
audit-one-direction = { $figure }: この記録にはありません ({ $other } はあります)
audit-one-direction-effect = 一方の方向だけでは計算しません。両方向の合計、割合、平均は不明です
audit-one-direction-hint = 両方向を記録してください
used-disks = ディスク
used-compared = 比較のみ
used-cpu = CPU
used-memory = メモリ
used-transactions = トランザクション
used-pattern = ランダムとシーケンシャル
used-nothing = 使用なし
used-also = { $uses }、{ $also }
audit-missing = { $figure }: { $devices }
audit-missing-all = { $device } にはありません
audit-missing-some = { $device } では { $all } 区間のうち { $lacking } 区間で欠けています
audit-missing-more = 他に { $devices } 台のデバイス
audit-missing-effect = ゼロではなく欠測です。これを必要とする合計と平均では、該当する区間を除外します
audit-missing-hint = これも記録するか、値があるデバイスを選んでください: `--volume NAME=DEVICES`
audit-times = { $what }: { $times } 回{ $example }
audit-example = {" "}({ $example })
audit-reset = カウンターの値が戻りました
audit-reset-effect = その前後の区間を除外します
audit-restart = マシンまたは記録が再起動しました
audit-restart-effect = 再起動をまたぐ区間は作りません
audit-impossible = デバイスではあり得ない数値を除外しました
audit-impossible-effect = ドライバーまたはリセットによるものです
audit-processors = プロセッサの数が変わりました
audit-processors-effect = 前後の CPU 使用率 (%) は、基準が異なります
audit-came-went = { $devices }: { $counted }
audit-came = { $devices } が途中で現れました
audit-went = { $devices } が途中でなくなりました
audit-holes = デバイスの行が途中で { $lines } 行欠けています
audit-counted-idle = その間はアイドルとして数えます
audit-counted-hole = その間は{ $word }として数えます{ $but }
audit-counted-both = 前後はアイドル、途中は{ $word }として数えます{ $but }
audit-counted-but = 。ただし、解釈できない行があった { $lines } 行分は不明とします
audit-idle-word = アイドル
audit-unknown-word = 不明
audit-came-went-effect = 該当するデバイスのパーセンタイルは、存在した時間のものです。合計では不明な区間を除外します
audit-came-went-hint = すべてのデバイスを接続して記録し直してください
audit-idle-left-out = アイドル状態のデバイスの { $lines } 行が記録にありません (`-z`)。アイドルとして数えます{ $but }
audit-idle-left-out-effect = なし。後から接続したデバイスは、それまでアイドルとして数えます
audit-assumed = ファイルにサンプリング間隔がないため、1 s と仮定します
audit-assumed-effect = レートは正しいですが、Δt と記録の長さは正しくありません
audit-inferred = サンプリング間隔の { $interval } は、レートの小数部から推定したものです
audit-inferred-effect = 推定が正しければ、なし
audit-interval-hint = サンプリング間隔を指定してください (例: `--every 2s`)。`iostat -t` では記録に含まれます
audit-peaks = サンプルは、より短いサンプルのピーク値で、平均はありません
audit-peaks-effect = ピーク値のパーセンタイルは、実際より最大で 3 分の 1 高くなります
audit-peaks-too = より短いサンプルのピーク値が平均と併記されており、除外しました
audit-peaks-hint = 平均をエクスポートしてください
audit-spans = { $intervals } 個の区間が、通常の { $usual } から大きく外れています: { $example }
audit-spans-effect = パーセンタイルでは、各区間を長さで重み付けします。長い区間ではピークが隠れます
audit-coarsened = { $device } は { $over } ごと、他の値は { $finer } ごとに記録されています。すべてを { $over } の平均にしました
audit-coarsened-effect = 合計は変わりません。{ $over } より短いピークは見えません
audit-coarsened-hint = すべてを { $over } より短い同じ間隔で記録するか、ボリュームごとに分けてください
audit-utilisation = %util は、要求が 1 個以上あった時間の割合です。この値は使っていません
audit-utilisation-effect = なし。複数の要求を同時に処理するディスクは、100 % でも上限に達したとは限りません
audit-tick = カーネル ({ $kernel }) は、%util を 1 ティックに 1 回しか採取しません
audit-over = %util が { $lines } 行で 100 % を超えています ({ $example })
audit-unused-effect = なし。この値は使っていません
audit-service = svctm は %util から計算される意味のない値のため、無視しました
audit-depth = 出力されたキューの長さが、{ $all } 行のうち { $lines } 行で正しくありません{ $fault }: { $example }
audit-depth-fault = {" "}(Linux 5.0 ～ 5.6 の不具合)
audit-depth-effect = なし。キューの深さは、レート × レイテンシで求めます
audit-depth-hint = この記録の aqu-sz を他で使わないでください
audit-latency-alone = { $lines } 行に、要求数/s のないレイテンシがあります
audit-latency-alone-effect = 平均レイテンシとキューの深さは不明です。要求数で重み付けする値のためです
audit-latency-alone-hint = 要求数も記録してください (例: `dstat --io --disk-wait`、`iostat -x`)
audit-discards = { $lines } 行で、要求数/s に discard が含まれています
audit-discards-effect = discard の分だけ IOPS が高くなっています
audit-discards-hint = iostat -x では個別に数えられます
audit-only-discards = { $lines } 行に discard があります
audit-flushes = { $lines } 行にフラッシュ、{ $discards } 行に discard があります
audit-flushes-effect = 独立した項目です。ログの書き込みはフラッシュを待ちます
audit-dataless = カーネルが数えた書き込みのうち最大 { $share } は、データのないフラッシュです
audit-dataless-effect = 書き込み IOPS はその分だけ高すぎ、書き込みサイズは実際より小さく見える可能性があります
audit-dataless-hint = `observe --trace` で記録すると区別できます
audit-dataless-traced = トレースによると、カーネルが数えた書き込みの { $share } はデータのないフラッシュです
audit-dataless-traced-effect = なし。ここでは書き込み IOPS に含みません
audit-implausible = { $lines } 行に、どのディスクにもあり得ない数値があります: { $example }
audit-implausible-effect = 数値が破損しているか、列の単位が名前と異なります。そこから作る計画も同じだけ誤ります
audit-units = { $all } 個の数値のうち { $figures } 個で、スループット、レート、サイズが一致しません: { $example }
audit-units-effect = スループットまたは I/O サイズに、2.4 % (KiB を kB と表記) または 4.9 % (MiB を MB と表記) の誤差がある可能性があります
audit-units-factor = スループットと、そこから求めた I/O サイズが { $factor } 倍高い可能性があります。列の単位が名前と異なります
audit-units-factor-less = スループットと、そこから求めた I/O サイズが { $factor } 分の 1 になっている可能性があります。列の単位が名前と異なります
audit-units-hint = ツールの単位を確認してください
audit-twice = 集計対象外: { $devices }{ $more }
audit-twice-more = 、他 { $devices } 台
audit-twice-is = { $device } ({ $why })
audit-twice-effect = 正しければ、なし。集計すると I/O が二重になります
audit-twice-hint = `--volume data=sdb,sdc` で選んでください
audit-layers = { $above } と { $below } の両方を集計していますが、一方が他方の上にある可能性があります
audit-layers-effect = 全ボリュームの合計が高すぎる可能性があります
audit-layers-hint = `--volume NAME=DEVICES` で選んでください
audit-counted = 集計対象: { $devices }
audit-counted-effect = 他のデバイスの上にある場合、I/O が二重に集計されます
audit-counted-hint = その場合は除外してください: `--volume exclude={ $device }`
audit-not-counted = 集計対象外: { $devices }
audit-not-counted-effect = 独立したディスクの場合、その I/O が漏れます
audit-not-counted-hint = その場合は集計に含めてください: `--volume NAME={ $device }`。他のデバイスにもそれぞれ `--volume` を指定します
audit-device = { $device }: { $why }
audit-more = 他 { $devices } 台
audit-consumed = { $all } 個のサンプルのうち { $readings } 個で、{ $limit } が 95 % 以上でした (最大 { $most })
audit-consumed-effect = 実際の需要は観測値より大きくなります。数値は下限です
audit-consumed-hint = 余裕を持たせて計画するか、より大きいディスクで記録してください
audit-credits-effect = バースト クレジットを使い切りました。その後の記録は、需要ではなく上限を通過した量です
audit-credits-hint = バーストなしの需要に余裕を持たせるか、より大きいディスクで記録してください
audit-credits-some = { $metric } は最大 { $most } でした
audit-credits-some-effect = 負荷の一部はバースト クレジットで処理されましたが、クレジットは常にあるとは限りません
audit-zones = タイム ゾーンのない現地時刻のファイルと、タイム ゾーンのあるファイルが混在しています。結合しません
audit-local-times = 時刻はタイム ゾーンのない現地時刻です。時間枠にはその時計を使います
audit-zone-effect = 時計が切り替わるときに、1 時間が重複するか欠けます
audit-zone-hint = `--utc-offset +02:00` のように指定してください
audit-unjoined = { $sources } 個のデータ ソースに、ディスクと重なる時刻がありません。その数値は結合しません
audit-unjoined-effect = 時刻を特定できないサンプルは、時間枠から除外します
audit-unjoined-hint = 時刻付きで記録してください: `iostat -t`、`vmstat -t`
audit-silence = { $longer } 分を超えてどのデバイスにも要求のない期間が { $stretches } 回、合計 { $time } あります ({ $example })
audit-silence-effect = トレースされなかった時間とみなします。実際はアイドルだった場合、全時間のパーセンタイルは低くなります
audit-silence-hint = その行のタイムスタンプを確認してください。破損していると、このような空白が生じます
audit-gaps = { $gaps } か所で、合計 { $time } が欠けています ({ $example })
audit-gaps-effect = 欠けた時間に数値を割り振ることはしません。パーセンタイルは、記録された時間のものです
audit-late = { $readings } 個のサンプルが、集約済みのサンプルより後に届きました
audit-late-effect = 集計には含めますが、同一時刻のサンプルは重複して数えます。時間枠は最初のファイルから始まります
audit-late-hint = 時間が重なる部分でファイルを分割し、それぞれ 1 回だけ指定してください
audit-back = 時刻が { $times } 回さかのぼっています ({ $example })
audit-back-effect = サンプルを並べ替えます。同一時刻の 2 個は 1 個とみなします
audit-back-hint = ファイルの順序は問いません。それぞれ 1 回だけ指定してください
audit-repeated = 同一時刻のサンプルが { $readings } 個重複しています。最初のものを残しました
audit-repeated-effect = 秋に繰り返される 1 時間の半分が失われます
audit-repeated-hint = UTC で記録してください

## emulate: whether a run is to be trusted, and why not

trust-open = 完了した要求は { $completions } 件です。このマシンを判断するにはまだ足りません
trust-kept = このマシンは追いついています: { $completions } 件の完了のうち { $share } が、50 µs とレイテンシの 10 分の 1 の両方を超えて遅れました。99 パーセンタイルは、クライアントでは { $seen }、モデルでは { $modelled } です
trust-doubted = 信頼できません: { $completions } 件の完了のうち { $share } が、50 µs とレイテンシの 10 分の 1 の両方を超えて遅れました。99 パーセンタイルは、クライアントでは { $seen }、モデルでは { $modelled } です
late-tail = レイテンシの 99 パーセンタイルが、モデルのディスクの { $modelled } に対してクライアントでは { $seen } でした。これらのディスクをエミュレートするには、このマシンは負荷が高すぎるか、性能が不足しています
late-many = 完了の { $share } が、50 µs とレイテンシの 10 分の 1 の両方を超えて遅れました (全体の半数は { $half } 以上、100 件に 1 件は { $hundredth } 以上の遅れ)。これらのディスクをエミュレートするには、このマシンは負荷が高すぎるか、性能が不足しています
late-host = 要求の { $share } で、このマシン自身のディスクがモデルのディスクより遅くなりました。データをメモリ、またはより速いディスクに置いてください

## observe: why a device is counted or not

device-excluded = 除外の指定あり
device-not-named = --volume の指定なし
device-member = 集計対象である { $volume } のメンバー
device-part = 集計対象である { $disk } のパーティション
device-part-of-layer = { $disk } のパーティション。その I/O は { $disk } の I/O に含まれる
device-layer =
    { $kind ->
        [logical-volume] 論理ボリューム
        [mapped-device] マップされたデバイス
        [multipath] マルチパス デバイス
        [volume] ボリューム
        [array] アレイ
        [vxvm-volume] VxVM のボリューム
        [cache] キャッシュ
        [zfs-volume] ZFS のボリューム
        [mirror] ミラー デバイス
        [encrypted] 暗号化デバイス
        [docker] docker のデバイス
       *[other] { $kind }
    }。その I/O は、集計対象である下位のディスクの I/O と同じ
device-loop = その I/O は、ファイルがあるディスクの I/O と同じ
device-path = 集計対象である { $device } へのパスの 1 つ
device-sum = 他のデバイスの合計
device-in-sum = その I/O は、集計対象である { $sum } に含まれる
device-twin = 集計対象である { $twin } と転送バイト数が同じ
device-twin-of = 集計対象である { $disks } と転送バイト数が同じ
device-unnamed = { $disks } の上にあるかどうかが、名前からは分からない
device-beyond = I/O の { $share } が { $disks } の同時刻の I/O を超えており、その上にはない
device-named-layer = 名前からは { $disks } の上にあるが、I/O の { $share } がそれらの I/O を超えている
device-own = 名前からは判断できず、I/O の { $share } が { $disks } の I/O を超えているため、独立したディスクとみなす
device-follows = I/O が { $disks } の I/O と連動して増減し、それを超えない
device-too-little = 名前からは判断できず、{ $disks } の上にあるかどうかを判断できるデータも足りない
device-apart = 名前からは判断できず、I/O が { $disks } の I/O と連動しない
device-disks = { $disks }
device-disks-more = { $disks } (他 { $more } 台)

## observe: pitfalls in a few words

pitfall-since-boot = 起動時からの累計レポート
pitfall-reset = カウンターのリセット、またはあり得ない値
pitfall-coarse = ピークが隠れるサンプリング間隔
pitfall-latency-means = レイテンシの平均には重み付けが必要
pitfall-utilisation = 使用率は負荷ではない
pitfall-service-time = サービス時間は意味を持たない
pitfall-utilisation-inflated = 使用率が過大
pitfall-queue-field = 出力されたキューの長さが不正
pitfall-units-mixed = 単位の不一致
pitfall-double-counting = 複数のデバイスで同じ I/O
pitfall-merges-count = 要求のマージ
pitfall-throttled = 記録元が制限に到達
pitfall-closed-loop = 遅いディスクが需要を抑制
pitfall-page-cache = ページ キャッシュが読み取りを処理
pitfall-batch = 大きいシーケンシャル処理が混在
pitfall-zone = タイム ゾーンのない時刻
pitfall-gap = 時間の欠落
pitfall-locale = 小数点のコンマ
pitfall-idle = アイドル時間によるパーセンタイルの希釈
pitfall-flush-discard = フラッシュと discard
pitfall-too-few = 区間の不足
pitfall-disagree = 2 つのツールの不一致
pitfall-damaged-lines = 破損した行
pitfall-folded = 保持できる長さを超過
pitfall-missing = 数値の欠落
pitfall-hours = 記録のない時間帯
pitfall-processors = プロセッサがボトルネック
pitfall-data-and-log = データとログが同じボリューム
pitfall-interval-unknown = ファイルにサンプリング間隔なし

## Scenarios: what their reader wants known

rig-uncached-shared = Premium SSD v2 と Ultra Disk は、他のディスクと 1 つの非キャッシュ制限を共有し、2 つの公表値のうち大きい方が適用されるものと仮定します。実際の共有方法は公開されていません。2 つを合算するには [vm] に `uncached_sharing = "separate"` を指定してください
rig-uncached-separate = Premium SSD v2 と Ultra Disk の非キャッシュ制限は、他のディスクの制限に加算されるものと仮定します (`uncached_sharing = "separate"`)。実際の共有方法は公開されていません
rig-unknown-limits = { $size } の { $key } の制限値が不明なため ({ $edition } 版)、無制限とみなします。指定するには、[vm] に `gates.{ $key } = {"{"} iops = ..., throughput = ... {"}"}` と記述してください
rig-derived = { $size }: { $field }: { $rule }
rig-from-snapshot = { $volume } はスナップショットから作成されています。まだ取得されていない { $block } のブロックは、最初に使われるときに { $time } かかります (単一スレッドの実測に基づく)。シミュレーション、エミュレーション、`explain`、見積もりはこれを考慮します。計画はすべてのデータがあるものとみなします。
rig-remark = { $size }: { $remark }
rig-unequal = { $volume } は、大きさの異なるディスクをストライプしています。mdadm の RAID-0 と同様に、前半はすべてのディスクで、残りは大きいディスクだけで分担します
rig-local-disks = { $volume } は、{ $size } のローカル ディスク { $disks } 台をストライプしています。公表された制限値は全体の合計のため、各ディスクに等分します
rig-local-reads = { $volume }: { $size } のローカル ディスクの公表値は読み取りだけです。通常、書き込みはそれより遅くなります
rig-local-apart = { $volume }: ローカル ディスクの公表値は、読み取りと書き込みで別々です。混在時は、合計が高い方の値まで、各方向がそれぞれの値までと仮定します
rig-busiest = { $whole } の記録のうち、負荷が最も高い { $span } をシミュレーションしました
rig-null-engine = { $all } 個のジョブのうち { $jobs } 個は ioengine=null で、ディスクを使わずに要求を完了します。ボリュームの結果には現れませんが、fio の JSON には現れます
job-warning = { $place }: `{ $option }`: { $what }
job-byte-order-mark = バイト順マークです。fio はこれをオプションとみなして停止しますが、ここでは読み飛ばします
job-only-global = ファイルの内容がこれだけのため、fio はジョブを開始しません。ここでは 1 つのジョブとして実行します
job-only-global-unused = ファイルの内容がこれだけのため、fio はジョブを開始せず、他のファイルや `--name` にもこのオプションは適用されません
job-not-a-range = 範囲ではありません。fio は、1 つ目の値を読み取り、2 つ目の値を書き込みと TRIM に使います
job-thousands = 読み取りは { $reads }、書き込みと TRIM は { $writes } という意味になります。fio にとってコンマは桁区切りではありません
job-not-sectors = セクターのサイズである 512 の倍数ではありません。direct=1 では、ディスクはこのような要求を拒否します
job-profile-option = fio の組み込みプロファイルのオプションです。fio はどこに書かれても受け付けますが、何もしません
job-blank-value = `=` の後に空白があります。fio と同じように読み取ります
job-reversed-unit = 1,000 単位で数えます。kb_base=1000 の指定がない場合、fio では `{ $word }` が 10 進、`{ $short }` が 2 進です
job-overridden = コマンド ラインの `{ $earlier }` より優先します。fio と同様に、コマンド ラインのオプションは既定値です
job-further-file = 最初のジョブ ファイルではありません。fio がコマンド ラインのオプションを適用するのは、最初のファイルだけです
job-further-file-section = 最初のジョブ ファイルではありません。fio が --section などのオプションを適用するのは、最初のファイルだけです
job-left-out = 除外します: { $why }。その所要時間はモデル化しません
job-processor-only = プロセッサ時間を消費するだけで、I/O を行いません
job-names-only = ファイルの名前とサイズを扱うだけで、データを転送しません
job-split-range = 範囲が指定されていますが、fio は最初のサイズだけを使います
job-split-sum = 割合の合計が 100 になりません。fio が発行するのは { $issued } です
job-exit-all = 有効になります。fio は値を見ません
job-file-size-open = ファイルのサイズが決まりません。fio は既存のファイルのサイズを使い、ファイルがなければ停止します。ここでは { $size } (ボリューム `{ $volume }` の残り) とします
job-working-folder = `{ $path }` の場所の指定がありません。fio は作業ディレクトリを使います。ここではボリューム `{ $volume }` に置きます
job-beyond-volume = ボリューム `{ $volume }` のその位置からの残り ({ $left }) を超えています。fio はデバイスの範囲内にとどまります
job-buffered-engine = ゲストのページ キャッシュを経由します
job-buffered = direct=1 の指定がないため、fio ではゲストのページ キャッシュを経由します
job-buffered-durable = { $how }。ここでは、書き込みは 1 件ごとにフラッシュし、その終了時に完了とします。読み取りはダイレクト I/O とします。ファイル システムのジャーナルはモデル化しません
job-buffered-fsync = { $how }。ここでは、書き込みをすぐに発行し、fsync は先行する書き込みを待ってからフラッシュします。隣接する書き込みの結合とファイル システムのジャーナルはモデル化しません
job-buffered-mmap = { $how }。これはモデル化しません。結果は、要求を 1 つずつ処理するダイレクト I/O のものです
job-buffered-plain = { $how }。ページ キャッシュはモデル化しません。結果はダイレクト I/O のものです
job-synchronous = 効果がありません。`ioengine={ $engine }` では、要求を 1 つずつ処理します
job-polling = fio が要求のたびに完了を待つため、処理中の要求は { $depth } 個ではなく 1 個です
job-verifies-nothing = 読み直しは行いません。fio と同様に、実行時間のすべてが書き込みになります
job-no-steady-state = steadystate_duration がないため効果がありません。fio は定常状態を検出しません
job-flow-below-zero = 0 未満の値です。fio 3.0 より前では必要でしたが、fio 3.33 は符号なしの数とみなします
job-time-based = `runtime` がないため効果がありません。ジョブは、サイズ分の処理を終えると終了します
job-rate-overrides-mix = 読み取りと書き込みの両方に適用されます。ディスクが追いつく限り、rwmixread={ $said } の指定にかかわらず、I/O の { $percent } % が読み取りになります
job-map-off = ランダム マップが無効になります。同じブロックに繰り返しアクセスし、アクセスされないブロックが残ることがあります
job-open-files = モデル化しません。{ $files } 個のファイルをすべて開いたままにします
job-stats = モデル化しません。このジョブは結果に現れます
job-directions-apart = モデル化しません。方向ごとに分けて報告します
job-no-place = 場所の指定がありません。本来は作業ディレクトリですが、ここではボリューム `{ $volume }` に置きます
job-size-unsaid = サイズ不明のファイルです。ここでは { $size } (ボリューム `{ $volume }` の残り) とします
job-network-worker = ネットワーク ワーカーのため、除外します
job-repeats = { $each } 秒の実行を { $runs } 回繰り返します (合計 { $all } 秒)
job-no-latency-switch = -L がありません。DiskSpd ではレイテンシを報告しませんが、ここでは報告します
job-burst-beside-rate = -g があるため効果がありません。DiskSpd はレートだけを見ます
job-rate-of-threads = ターゲットごと、スレッドごとの 1 ミリ秒あたりのバイト数です: { $rate }、{ $size } で { $iops }
job-rate-overflows = オーバーフローします。DiskSpd は { $iops } × { $size } を 32 ビットで計算するため、{ $kept } になります
job-rate-rounds-to-zero = 制限になりません。DiskSpd は { $rate } を 0 バイト/ms に切り捨てます
job-rate-rounds = { $kept } に丸められ、{ $iops } になります
job-one-thread = スレッドが 1 つのため効果がありません
job-same-blocks = { $threads } 個のスレッドがそれぞれシーケンシャルに処理します。すべて先頭から始まるため、同じブロックにアクセスします
job-one-request = 未処理の要求が 1 個のため効果がありません
job-remote-cache = キャッシュを使うのはリモート側だけです。ここでは、すべての要求がディスクに届きます
job-file-cache = ゲストのファイル キャッシュが有効なままですが、これはモデル化しません。ここでは、すべての要求がディスクに届きます
job-no-number = 数値がないため、DiskSpd は 0 とみなします
job-number-then-text = DiskSpd は数字の部分までしか読み取らないため、{ $number } とみなします
job-skew-without-rate = 異なるストレージのワークロードをレートの割合どおりに保つ指定ですが、レートがありません。ここでは、それぞれ可能な限り速く実行します
job-threads-all = { $threads } 個のスレッドを { $workloads } 個のワークロードで共有します。ここでは、各ワークロードが全スレッドを使えます
job-threads-part = { $threads } 個のスレッドを { $workloads } 個のワークロードで共有します。ここでは、各ワークロードに一部を割り当てます
job-whole-rates = 1 つのストレージ定義のワークロードあたり、毎秒 { $rate } 件の I/O になります。ここでは、方向ごとに整数に丸めた { $whole } 件とします
job-no-effect = ここでは `{ $flag }` は効果がありません
job-page-cache = ゲストのページ キャッシュを経由しますが、これはモデル化しません。ここでは、すべての要求がディスクに届きます
job-max-data = 指定のバイト数で実行を終える設定ですが、ここでは時間どおりに続けます
job-uniform-gaps = 間隔は、0 から平均の 2 倍までの一様分布です。ここでは指数分布とします
job-files-in-folders = フォルダー内のファイルを扱います。ここでは 1 つの範囲とみなし、オープン、クローズ、フォルダーの操作にかかる時間は 0 とします
job-after-blank = 空白の後にあります。vdbench ではコメントのため、読み取りません
unused-latency = カタログのモデルを使うディスクがありません
unused-stripe = { $volume } のディスクは 1 台です
unused-cached = キャッシュを使うボリュームも、一時ディスク上のボリュームもありません
unused-uncached = リモート ディスク上のボリュームがありません
unused-uncached-own = リモート ディスクはすべて Premium SSD v2 または Ultra Disk で、専用の制限 `gates.uncached-v2` が適用されます
unused-v2 = Premium SSD v2 または Ultra Disk 上のボリュームがありません
unused-local = ローカル ディスク上のボリュームがありません
unused-sharing = Premium SSD v2 または Ultra Disk と、それ以外のディスクを併用していません
unused-cache = `host_cache` が設定されたボリュームがありません
unused-write-back = `host_cache = "ReadWrite"` のボリュームがありません
unused-write-allocate = `host_cache = "ReadOnly"` のボリュームがありません
unused-warm = { $volume } に `host_cache` がありません
unused-credits = クレジットでバーストする制限がありません
unused-level = { $place } にはクレジットでバーストする制限がありません
unused-models = { $names } を `latency` に指定したディスクがありません

## observe: notes of rows, and what would fill an unknown one

note-means = I/O 単位ではなく、{ $interval } 平均のパーセンタイル。アイドルの区間は除外
note-little = レート × レイテンシ (リトルの法則)
note-sizes = { $interval } 平均のパーセンタイル。同じ区間の大小の要求は混在
note-no-request = 要求なし
note-least = { $seconds } s ごとの、{ $interval } 平均の最小値。最も速い I/O のレイテンシの上限
note-most = { $seconds } s ごとの、{ $interval } 平均の最大値
note-counter = { $counter }。{ $seconds } s ごとの最大値
note-iops = トランザクションを数えるデータ ソースがないため、IOPS の値。{ $most }
note-no-cpu = CPU のデータ ソースなし
note-no-memory = メモリのデータ ソースなし
note-memory = total - available
note-memory-bound = total - free - buffers - cache。実際の使用量の下限
note-cpus = { $processors } 個の全プロセッサで 100 %
note-pattern = { $level }、要求 { $requests } 件。直近 64 件のいずれかから 128 KiB 以内に続くものをシーケンシャルとみなす。バイト数では { $bytes } %{ $asked }
note-pattern-asked = 。アプリケーション自体の要求では { $share }
note-merged = 要求の { $share } が、デバイスに届く前にマージ。主にシーケンシャル
note-large = 平均サイズ { $size }。シーケンシャルまたはそれに近い
fill-busy = アプリケーション稼働中の記録
fill-directions = iostat -x、PerfMon、または `diskwright observe` のライブ記録 (読み取りと書き込みを区別)
fill-latencies = iostat -x、PerfMon、または `diskwright observe` のライブ記録 (レイテンシを含む)
fill-kernel = これを数えるカーネル上での、`diskwright observe` のライブ記録
fill-live = iostat -x、PerfMon、または `diskwright observe` のライブ記録
fill-transactions = PerfMon の SQL カウンター (Batch Requests/sec、Transactions/sec)
fill-cpu = 併用する iostat または vmstat、あるいは `diskwright observe` のライブ記録
fill-memory = vmstat と --memory-total、sadf -r、または `diskwright observe` のライブ記録

# audit
estate-beyond-gate = { $bought } を購入していますが、{ $size } の { $gate } が通すのは { $passed } です。{ $never } を同時に使うことはできません
estate-beyond-burst = { $bought } を購入しています。{ $size } の { $gate } が持続的に通すのは { $base } で、{ $passed } まではバースト中だけです。{ $never } を同時に使うことはできません
estate-in-bursts = { $bought } を購入しています。{ $size } の { $gate } が持続的に通すのは { $passed } で、{ $burst } まではバースト中だけです
estate-given-beyond-gate = { $gives } があります (各ディスクに無料で含まれる分を含む)。{ $size } の { $gate } が通すのは { $passed } です
estate-given-beyond-burst = { $gives } があります (各ディスクに無料で含まれる分を含む)。{ $size } の { $gate } が持続的に通すのは { $base } で、{ $passed } まではバースト中だけです
estate-given-in-bursts = { $gives } があります (各ディスクに無料で含まれる分を含む)。{ $size } の { $gate } が持続的に通すのは { $passed } で、{ $burst } まではバースト中だけです
estate-slots = データ ディスク数: { $disks }。{ $size } の上限は { $slots } です
estate-slots-beside = データ ディスクが { $disks } 台ありますが、ネットワーク インターフェイス { $interfaces } 個の { $size } に付けられるのは { $slots } 台です
estate-kind-refused = { $size } は { $kind } に対応していません
estate-not-taken = { $size } はこれに対応していません: { $why }
estate-too-small = 最大でも { $gives } です。{ $kind } は { $from } 以上で { $most } になります
estate-steady = 名前から { $disk } は継続的な負荷を担いますが、{ $size } の { $gate } が持続的に通すのは { $base } で、それを超える分は 1 日 { $minutes } 分しか続きません
estate-daily = { $bought } に課金されていますが、{ $size } の { $gate } が持続的に通すのは { $base } で、それを超えるのは 1 日 { $minutes } 分だけです
estate-other-promise = 同じサイズで { $iops }、{ $throughput } の { $kind } は月額 { $monthly }、これは { $own } です。これの性質: { $has }。変更後: { $gets }
estate-previous = { $size } はベンダーの一覧で前の世代のタイプとされています
estate-prices-of = { $says } ({ $month } の価格)
estate-cache-refused = この種類またはサイズのディスク ({ $what }) はキャッシュされませんが、{ $mode } が設定されています
estate-not-open = マシンで { $kind } の設定が無効です
estate-unequal = { $disks } は 1 つのストライプのようですが異なります。どれも最も遅いものの { $slowest } しか出ません
estate-unequal-sizes = { $disks } は 1 つのストライプのようですがサイズが異なります。使われるのはそれぞれ { $least } で、{ $lost } は使われず、どれも最も遅いものの { $slowest } しか出ません
estate-not-sold = この構成では販売されていません: { $why }
estate-no-zone-has = { $region } の { $kind } はゾーンなしでのみ提供されますが、ゾーン { $zone } にあります
estate-needs-zone = { $region } の { $kind } はゾーン内でなければなりませんが、ゾーンに属していません
estate-not-there = { $size } は { $region } で販売されていません ({ $month } の記録)
estate-there-against-records = { $month } の記録では { $size } は { $region } にありませんが、実際には存在します。記録より後に加わったか、記録に漏れがあります
estate-not-in-zone = { $size } は { $region } のゾーン { $zones } で販売されていますが、{ $zone } にあります ({ $month } の記録。ゾーン番号はサブスクリプションごとに異なります)
estate-node-disk = ノードの OS ディスクはリモートで、コンテナーが共有します。{ $size } には使えるローカル ディスクが { $local } あります
estate-burst-only = クレジットを使い切ると { $base } です。{ $burst } は全力で { $minutes } 分しか続きません
estate-no-host-cache = { $mode } が設定されていますが、{ $size } にホスト キャッシュはありません
estate-not-accelerated-by = ディスクの書き込み高速化が有効ですが、{ $size } にはその機能がありません
estate-not-accelerated-kind = 書き込み高速化が有効ですが、{ $kind } では使えません
estate-not-accelerated-cache = ホスト キャッシュ { $mode } のまま書き込み高速化が有効です。None か ReadOnly が必要です
estate-not-accelerated-beyond = 書き込み高速化が、{ $size } で使える { $most } 台を超えるディスクで有効です
estate-no-system = このサイズの { $kind } にオペレーティング システムは置けません
estate-unknown-size = カタログに { $size } はありません。上限と価格は不明です
estate-unknown-kind = カタログに { $kind } という種類のディスクはありません。性能と価格は不明です
estate-unattached = どこにも接続されていません ({ $what })
estate-beside-unasked = { $says }（そのうち記録で一度も要求されない分は別の指摘で数えます）
estate-released = マシンは停止していますが、ディスクは課金されています
estate-stopped = マシンは停止していますが割り当て解除されておらず、課金が続いています
estate-other-kind = 同じサイズで { $iops }、{ $throughput } の { $kind } は月額 { $monthly }、これは { $own } です
estate-tier-unused = レベル { $tier } に課金されていますが、{ $size } が通すのは最大 { $passed }、{ $bytes } で、ディスク本来のレベルで足ります
estate-bursts-unused = バーストに課金されていますが発生しません。{ $size } が通すのは最大 { $passed }、{ $bytes } で、バーストなしで足ります
estate-other-size = { $other } はプロセッサ数が同じで、メモリと上限も劣らず月額 { $monthly }、{ $size } は { $own } です
estate-just-above = { $size } は { $billed } として課金されます。{ $below } の容量は { $most } です
estate-open-for-nothing = マシンは { $kind } に対応する設定ですが、そのディスクは 1 つもありません。この設定には vCPU ごとに料金がかかります
estate-open-for-nothing-at = マシンは { $kind } に対応する設定ですが、そのディスクは 1 つもありません。この設定には vCPU ごとに料金がかかり、合計で月額 { $monthly } です
estate-read-write = データ ディスクが ReadWrite です。ホストが保留した書き込みはホストとともに失われます
estate-log-cache = ログに ReadOnly が設定されています。ログはほとんど読まれず、書き込みに効果はありません
estate-local-system = OS ディスクがローカルです。マシンが移動すると失われます
estate-zones-differ = ディスクはゾーン { $zone }、マシンは { $own } にあります
estate-regions-differ = ディスクは { $region }、マシンは { $own } にあります。別のリージョンのディスクは接続できないため、どちらかのインベントリが誤っているか古いものです
estate-not-encrypted = ホストでの暗号化が無効です。キャッシュとローカル ディスクは暗号化されません
estate-shared-cache = 共有ディスク (最大 { $shares } 台) に { $mode } が設定されています
estate-lesser-promise = { $kind } を使うマシンの稼働保証は { $promise }、より良いディスクだけなら { $better } です ({ $page })
estate-evictable = 事業者がいつでもマシンを回収できますが、データ ディスクがあります
estate-dies = データ ディスクはマシンとともに削除されます
estate-retired = { $size } は { $date } に提供終了となりました
estate-no-way-on = 提供が続くサイズで { $size } をそのまま置き換えられるものはありません。{ $other } に必要なもの: { $takes }
estate-committed = 従量課金で月額 { $own } です。{ $commitment } では { $monthly } になります
estate-licence = Windows ライセンスは時間課金で、月額 { $monthly } です
estate-no-price = { $region } の価格が不明です: { $what }
estate-image-licence = マシンのイメージには { $licence } が含まれ、その価格は不明です。{ $region } の { $size } は価格なしとして数えます
estate-without-licence = { $says }。どちらもイメージに付く { $licence } の料金を含みません
estate-no-reservation = { $size } は { $since } から予約できません ({ $page } のページ)
estate-waiver-over = { $owner } による { $code } の免除は { $until } に終了しました ({ $reason })
estate-waiver-unused = { $owner } による { $code } の免除に該当する指摘はありません
estate-stripe-no-machine = { $file }: これらのインベントリに `{ $machine }` という名前のマシンはありません。そのストライプは無効です
estate-stripe-no-disk = { $file }: `{ $machine }` に `{ $disk }` という名前のディスクはありません。ストライプはそれを除いて扱います
estate-only-no-machine = `--only { $pattern }` に該当するマシンはこれらのインベントリにありません
estate-only-no-disk = `--only { $pattern }` に該当するディスクはこれらのインベントリにありません
estate-part = { $file } には { $total } 件中 { $records } 件しかありません。残りは監査されていません。すべてのページを取得して渡してください
estate-part-unknown = { $file } は切り詰められています (`resultTruncated`)。{ $records } 件があり、残りは監査されていません。すべてのページを取得して渡してください
remedy-size = { $size } に変更
remedy-dearer = { $what }（月額 { $more } 増）
remedy-cheaper = { $what }（月額 { $less } 減）
remedy-unpriced = { $what }。価格差は不明です
remedy-local-lost = { $what }。ローカル ディスクの内容は失われます
remedy-local-smaller = { $what }。ローカル ディスクの内容は失われ、新しいものは { $own } ではなく { $local } です
remedy-cache-smaller = { $what }。ホスト キャッシュは { $own } ではなく { $cache } です
remedy-guide = 同じ種類の現行サイズでそのまま置き換えられるものはありません。ベンダーの移行ガイドに従う
remedy-buy-less = 合計 { $rate } に減らす
remedy-fewer = データ ディスクの上限: { $disks }
remedy-cache = ホスト キャッシュを { $mode } に設定
remedy-switch-on = マシンで { $kind } を有効にする
remedy-switch-off = 無効にする
remedy-delete = 削除するか、スナップショットだけ残す
remedy-deallocate = 割り当てを解除する
remedy-kind = { $kind } に変更
remedy-tier = レベルを { $tier } に戻す
remedy-commit = コミットする: { $commitment }
remedy-licence = 自社ライセンスがあれば持ち込む
remedy-disk-zone = スナップショットからゾーン { $zone } にディスクを作り直す
remedy-machine-zone = ゾーン { $zone } にマシンを作り直す
remedy-no-zone = ゾーンなしでマシンとディスクを作り直すか、別の種類にする
remedy-a-zone = ゾーン内にマシンとディスクを作り直すか、別の種類にする
estate-summary = マシン: { $machines }、ディスク: { $disks }。エラー: { $errors }、警告: { $warnings }、注意: { $notes }
estate-monthly = 定価の従量課金で月額 { $monthly }。価格不明: { $unpriced }
estate-cut-short = { $file } は途中で終わっています ({ $why })。それまでの記録: { $records }
estate-more-pages = { $file } は複数ページの 1 つです。`{ $key }` の示す続きも取得して渡してください
estate-nothing = { $file } に読み取れるマシンもディスクもありません。`az vm list -d -o json`、`az disk list -o json`、`az vmss list -o json`、`az graph query`、`aws ec2 describe-instances`、`aws ec2 describe-volumes`、`terraform show -json`、コンパイル済みテンプレート、CloudFormation テンプレート、`kubectl get nodes,pv,pvc,sc -o json` を読み取ります
estate-record = { $file }: { $what } を除外しました
estate-differ = { $name }: { $other } の `{ $field }` は前のファイルと異なります。最初のものを使います
estate-expression = { $name }: { $field } は `{ $text }` で、デプロイ時まで分かりません
estate-unresolved = { $name }: どのディスクをどのマシンに接続するかは作成時まで分かりません
estate-again = 重複して記載され、1 回だけ数えたもの: マシン { $machines }、単独でも記載のあるグループのマシン { $members }、ディスク { $disks }
estate-unread = 読み取らなかったフィールド: { $fields }、{ $kinds } 種類 ({ $names })
estate-unread-records = マシンでもディスクでもない記録: { $records }、{ $kinds } 種類 ({ $names })
estate-unjudged = { $what } が不明なため未判定 ({ $machines }): { $rules }
estate-unjudged-disks = { $what } が不明なディスクは未判定 ({ $machines })、残りのディスクは判定済み: { $rules }
estate-more = その他の指摘: { $findings }
estate-like = { $says } (同様の注意があと { $more } 件)
estate-folded = 同じ規則の他の注意と 1 行にまとめた注意: { $notes } 件。`--format csv` で個別に表示
estate-waived = 免除: { $findings }
estate-planned = 記録から計画したマシン: { $machines }。現在は月額 { $monthly }、計画では { $planned } (机上の計算で、シミュレーションなし)
estate-unrecorded = 記録のないマシン: { $machines } ({ $names })
estate-unmatched = どのマシンにも対応しない記録: { $recordings }
estate-let-go = 記録により取り下げた検出: { $findings } ({ $rules })
estate-says-seen = { $says }。{ $seen }
estate-assumed = { $says } (インベントリにディスクコントローラーの記載がないため、{ $controller } と仮定)
estate-worse = { $says }。ベースラインより悪化: { $was } から { $now }
estate-worse-machines = { $says }。ベースラインより悪化: マシン数 { $was } から { $now }
estate-worse-monthly = { $says }。ベースラインより悪化: 月額 { $was } から { $now }
estate-seen-at = 記録では { $time } のうち { $share } が { $limit } 以上 ({ $interval } ごとの平均)
estate-seen-most = 記録では { $time } で最大 { $most }、上限は { $limit } ({ $interval } ごとの平均)
estate-seen-short = { $seen }。1 週間の記録があれば判断できます
estate-seen-without = { $seen }。記録のない { $disks } を除く
estate-seen-none = { $disks } の記録がありません
estate-seen-lacks = 記録にこの値がありません
estate-seen-spent = 記録では { $time } のうち { $share } でクレジットを使い切っています ({ $interval } ごとの平均)
estate-seen-credits = 記録では { $time } を通してクレジットの残りは { $least } 以上 ({ $interval } ごとの平均)
estate-seen-reads = 記録では { $time } の I/O のうち読み取りは { $share }
estate-unasked = { $bought } を購入していますが、記録では { $time } で最大 { $most } です ({ $interval } ごとの平均)
estate-tier-unasked = レベル { $tier } に課金されていますが、記録では { $time } で最大 { $most }、{ $bytes } で ({ $interval } ごとの平均)、ディスク本来のレベルで足ります
estate-bursts-unasked = バーストに課金されていますが、記録では { $time } で最大 { $most }、{ $bytes } で ({ $interval } ごとの平均)、バーストなしで足ります
