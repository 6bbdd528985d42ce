### Русский. Сообщения те же, что в en.ftl, с теми же именами и аргументами.
###
### Короткие активные предложения, принятые термины. Сообщение, которое продолжает другое, начинается со своего знака препинания;
### если это пробел, он записан как {" "}.

# Глоссарий: один английский термин = один русский.
# VM, VM size = ВМ, размер ВМ
# disk, data disk = диск, диск данных
# local disk, temp disk = локальный диск, временный диск
# Premium SSD, Premium SSD v2, Ultra, Standard HDD = не переводятся (названия продуктов)
# volume = том
# stripe; stripe unit = чередующийся набор (дисков); единица чередования
# limit = лимит
# throttled = ограничен лимитом, упирается в лимит
# bottleneck = узкое место
# headroom = запас
# rate = скорость (IOPS или MB/s)
# IOPS, throughput = IOPS, пропускная способность
# latency = задержка
# queue depth, in flight, outstanding = глубина очереди, в работе
# request, I/O = запрос, операция ввода-вывода
# read, write = чтение, запись
# host cache = кэш хоста (на портале Azure «кэширование узла»; «узел» здесь — node)
# node = узел
# cached, uncached limit = лимит с кэшем, лимит без кэша
# cache hit, miss = попадание, промах
# warm, cold cache = прогретый, холодный кэш
# write-back, dirty data = отложенная запись, несброшенные (грязные) данные
# working set = рабочий набор
# bursting; burst credits; on demand = ускорение; кредиты ускорения; по запросу
# burstable VM = ВМ с кредитами ЦП (burstable)
# sustained, baseline = базовый
# performance tier, performance plus = уровень производительности, Performance Plus
# constrained vCPU size = размер с ограниченным числом vCPU
# confidential VM = конфиденциальная ВМ
# reservation, pay as you go = резервирование, оплата по мере использования
# zone, zone-redundant = зона, с избыточностью между зонами
# offer, price = предложение, цена
# plan, design = план, вариант
# demand, load, requirements = требуемая нагрузка, нагрузка, требования
# growth = рост
# recording (observe) = замер; to record = снимать данные
# measurement (fio, DiskSpd) = измерение
# reading, sample; interval = отсчёт; интервал
# series = временной ряд
# mean, percentile, median = среднее, процентиль, медиана
# estimate; simulation = оценка; симуляция
# model, grade = модель, класс достоверности
# scenario, rig = сценарий, стенд
# job = задание
# checklist = чек-лист
# page cache = страничный кэш
# merged, discard, flush = слитый (запрос), discard, flush
# knee = точка перегиба
# bound (certificate) = нижняя граница

## What a tool or an older document said in its own words

plain = { $text }

## plan: the answer

plan-answer = { $plan }: { $monthly } в месяц, { $met }. { $claim }
plan-cheapest = Доказано, что этот план самый дешёвый; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-cheapest-on-paper = По лимитам это самый дешёвый план; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-simpler = Он проще плана с доказанно наименьшей ценой ({ $cheapest }): { $simpler }, а дороже не более чем на { $band }; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-simpler-on-paper = Он проще самого дешёвого по лимитам ({ $cheapest }): { $simpler }, а дороже не более чем на { $band }; тот в симуляции обслуживает нагрузку не полностью; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-cheapest-known = По лимитам это самый дешёвый из найденных планов; ни один не может быть дешевле более чем на { $gap }; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-simpler-known = Он проще самого дешёвого по лимитам из найденных ({ $cheapest }; ни один не может быть дешевле того более чем на { $gap }): { $simpler }, а дороже не более чем на { $band }; рассмотрено: { $offers } (нижняя граница { $bound }, { $next })
plan-met-on-paper = { $met } — по лимитам, но в симуляции выполнено не всё
plan-met-if = { $met }, при условии
plan-answer-offers = { $sizes } { $sizes ->
        [one] размер
        [few] размера
        [many] размеров
       *[other] размера
    } ВМ × { $disks } { $disks ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    } с известной ценой
plan-answer-offers-committed = { $sizes } { $sizes ->
        [one] размер
        [few] размера
        [many] размеров
       *[other] размера
    } ВМ (с ценой при `{ $commitment }`: { $committed }; без неё, с оплатой по мере использования: { $without }) × { $disks } { $disks ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    } с известной ценой
plan-simpler-disks = меньше дисков
plan-simpler-vm = более новая ВМ
plan-surer = меньше условий
plan-met-always = ни один лимит не превышен ни в одном интервале
plan-met-share = запас по всем лимитам сохраняется { $share } времени
plan-met-percentile = p{ $percentile } выдержан
plan-left-out = Предложение { $offer } не рассматривается, хотя указано в `{ $key }`: { $why }
left-out-price = { $what }; чтобы оно учитывалось: { $give } или импортируйте цены командой `diskwright catalogue import`
left-out-limits = часть его лимитов неизвестна
left-out-unknown = { $why }
left-out-local = оно не продаётся с избыточностью между зонами
other-series = другая серия ВМ
other-disks = другие диски
relax-reads = задержка чтения { $volume }: до { $to } вместо { $from }
relax-writes = задержка записи { $volume }: до { $to } вместо { $from }
relax-read-percentile = { $of } задержки чтения { $volume }: до { $to } вместо { $from }
relax-write-percentile = { $of } задержки записи { $volume }: до { $to } вместо { $from }
relax-headroom = запас { $to } вместо { $from }
relax-capacity = запас ёмкости { $to } вместо { $from }
relax-disks = до { $to } дисков в страйпе вместо { $from } (`disks_max`)
relax-percentile = p{ $to } вместо p{ $from }
relax-horizon = разрешить размеры ВМ, которые выводятся из эксплуатации в течение { $years } { $years ->
        [one] года
        [few] лет
        [many] лет
       *[other] лет
    }
relax-reservation = оплата по мере использования вместо резервирования ({ $term })
relax-savings-plan = оплата по мере использования вместо плана экономии ({ $term })
relax-zone = любая зона вместо зоны { $zone }
relax-arm = разрешить процессоры Arm
relax-burstable = разрешить размеры ВМ с кредитами ЦП (burstable)
relax-kinds = { $kinds } для любого тома
relax-confidential = разрешить размеры конфиденциальных ВМ
relax-preview = разрешить размеры ВМ в предварительной версии
relax-closed = разрешить размеры ВМ, недоступные новым подпискам
relax-metal = разрешить типы без гипервизора
relax-previous = разрешить типы прежних поколений
relax-limited = разрешить размеры ВМ с ограниченной ёмкостью
plan-next = следующий план стоит { $monthly }
plan-next-none = другие размеры ВМ требованиям не отвечают
plan-infeasible = ни одно предложение не отвечает требованиям: { $limits }{ $nearest }
plan-no-combination = среди разрешённых нет подходящих друг другу дисков и размера ВМ: кэш хоста обслуживает только диски до 4095 GiB и только на размерах ВМ, где он есть
plan-not-cacheable = { $volume }: кэш хоста обслуживает только диски до 4095 GiB, а диск тома имеет { $size }
plan-infeasible-nearest = . Ближайший план обслуживает { $share } нагрузки
plan-infeasible-nearest-of = . Ближайший план обслуживает { $share } нагрузки тома { $volume }
plan-infeasible-otherwise = . Ближайший план обслуживает всю нагрузку, не выполняется только одно: { $limit }
plan-simulated = Симуляция ({ $time }): { $kept }{ $again }{ $cold }{ $beyond }.
plan-again = . План пересчитан, потому что симуляция показала недобор (пересчётов: { $times }): { $changes }
plan-again-of = задержка { $direction ->
        [read] чтения
        [write] записи
       *[other] { $direction }
    } тома { $volume } удерживается на { $reserve } ниже заданной границы
plan-again-deeper = очередь { $direction ->
        [read] чтения
        [write] записи
       *[other] { $direction }
    } тома { $volume } глубже оценки на { $more }
plan-again-rates = на каждой скорости оставлено ещё { $reserve } запаса
plan-again-in-vain = . Планирование с большим запасом не помогло (планов в симуляции: { $times })
plan-keeps-all = каждая скорость обеспечена на { $share }, все заданные задержки соблюдены
plan-keeps-nothing = нагрузка не содержит ввода-вывода, обслуживать было нечего
plan-keeps-rates = каждая скорость обеспечена на { $share }
plan-misses = выполнено не всё: { $missed }
plan-misses-rate = { $volume }, { $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }: получено { $share } от { $promised }, ограничивает лимит «{ $limit }»
plan-misses-depth = { $volume }, { $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }: получено { $share } от { $promised }, потому что глубина очереди слишком мала
plan-misses-latency = { $volume }, { $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }: { $of ->
        [mean] средняя задержка
       *[other] задержка { $of }
    } — { $latency }, а задано не больше { $most }
plan-cold = . После перезагрузки кэш хоста холодный: { $volumes }
plan-cold-served = чтение { $volume } сразу идёт на полной скорости, средняя задержка в первые { $first } — { $latency }
plan-cold-full = чтение { $volume } в первые { $first } получает { $share } скорости при средней задержке { $latency }, а полную скорость — через { $after }
plan-cold-long = чтение { $volume } в первые { $first } получает { $share } скорости при средней задержке { $latency }, а полной скорости не достигает и за { $within }
plan-beyond = . При нагрузке × { $factor } от сегодняшней первым срабатывает лимит «{ $named }», как и предполагал план
plan-beyond-other = . При нагрузке × { $factor } от сегодняшней первым срабатывает лимит «{ $first }», раньше, чем «{ $named }»
summary-met-if = выполнено при условии: { $condition }
summary-not-met = НЕ ВЫПОЛНЕНО: { $reason }
summary-machine = { $size }, { $place }: vCPU: { $processors }, память: { $memory }, { $system }
summary-volume = { $volume }: { $disks }; { $monthly }
summary-volume-with = { $volume }: { $disks }, кэш хоста { $cache }; { $monthly }
summary-volume-local = { $volume }: локальный диск
summary-more-volumes = прочие тома: { $volumes }, дисков: { $disks }; { $monthly }
summary-price = { $monthly } в месяц: ВМ { $vm }, диски { $disks }{ $licences }
summary-price-nodes = { $all } в месяц, узлов: { $nodes }, каждый { $monthly }: ВМ { $vm }, диски { $disks }{ $licences }
summary-shared = общие диски один раз { $monthly }
summary-licences = , лицензии по ядрам { $monthly }
summary-pay-as-you-go = оплата по мере использования
summary-committed = ВМ при `{ $commitment }`
summary-uncommitted = ВМ по мере использования, цена при `{ $commitment }` неизвестна
summary-hours = ВМ работает { $hours } из { $all }
summary-list-prices = прайс-лист { $edition }
summary-disk-prices = диски: прайс-лист { $edition }
summary-snapshots = снимки { $monthly } сверх того
summary-snapshots-unpriced = снимки заданы, цена неизвестна: { $size }
summary-os-disk = диск ОС { $disk } { $monthly } сверх того, не в `cost_max`
summary-os-disk-unpriced = диск ОС { $disk } задан, цена неизвестна
summary-not-in = статей без цены: { $lines }
summary-limit = { $limit }: занято { $load } из { $capacity }, запас { $left }
summary-beyond = при нагрузке × { $factor } от сегодняшней первым ограничит { $limit } (симуляция)
summary-throttles = ограничит при нагрузке × { $factor } от сегодняшней (симуляция)
summary-cold = после перезагрузки чтение { $volume } получает { $share } своей скорости в первые { $first }
summary-cautious = { $limit }: { $latency }, если диски медленные; задано не больше { $most }
summary-peak = { $limit }: наибольшая нагрузка { $peak } выше { $capacity }, запросы тогда ждут
summary-peak-more = { $limit } и ещё { $more } { $more ->
        [one] лимит
        [few] лимита
        [many] лимитов
       *[other] лимита
    }: наибольшая нагрузка { $peak } выше { $capacity }, запросы тогда ждут
summary-unprinted = узкое место — лимит, которого нет на странице { $size }: { $rule }
summary-outgrown = мал с { $year }-го года
summary-cheaper = на { $saves } меньше в месяц: { $condition }
summary-cheaper-each = на { $saves } меньше в месяц на узел: { $condition }
summary-nearest = { $share } нагрузки за { $monthly } в месяц: { $plan }
summary-nearest-nodes = { $share } нагрузки за { $all } в месяц, узлов: { $nodes } (каждый { $monthly }): { $plan }
summary-next = `--full` — варианты, лимиты и допущения; `diskwright provision` пишет скрипты
summary-next-nothing = ослабьте то, что мешает; `--full` — допущения
decision-met = { $size } ({ $disks }) выполняет всё заданное{ $years }
decision-met-if = { $size } ({ $disks }) выполняет всё заданное{ $years } при { $conditions ->
        [one] { $conditions } условии
        [few] { $conditions } условиях
        [many] { $conditions } условиях
       *[other] { $conditions } условия
    }
decision-not-met = { $size } ({ $disks }) выполняет не всё заданное
decision-years = {" "}на { $years } { $years ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }
decision-disks = { $volume }: { $disks }
decision-disks-with = { $volume }: { $disks }, кэш хоста { $cache }
decision-each = { $volume }: по { $disks }
decision-each-with = { $volume }: по { $disks }, кэш хоста { $cache }
decision-local = { $volume }: локальный диск
today-reads = чтение { $volume } занимает в среднем { $then }; при замере было { $now }
today-writes = запись { $volume } занимает в среднем { $then }; при замере было { $now }
check-rates = чтение и запись
check-read-latency = { $volume }: задержка чтения, { $of ->
        [mean] средняя
       *[other] { $of }
    }
check-write-latency = { $volume }: задержка записи, { $of ->
        [mean] средняя
       *[other] { $of }
    }
check-sync-latency = { $volume }: задержка sync, { $of ->
        [mean] средняя
       *[other] { $of }
    }
check-kpi-reads = { $volume }: малые чтения без ожидания (`{ $kpi }`)
check-kpi-writes = { $volume }: малые записи без ожидания (`{ $kpi }`)
check-headroom = запас до первого лимита
check-size = процессоры и память
check-years = на сколько лет хватит
check-purchase = обязательство
check-reboot = { $volume }: чтение после перезагрузки
check-reboot-all = чтение после перезагрузки
check-recording = замер
asked-all = всё
asked-share = { $share } времени
asked-at-most = не больше { $figure }
asked-latency =
    { $of ->
        [mean] среднее
       *[other] { $of }
    } не больше { $figure }
asked-at-least = не меньше { $figure }
asked-size = не меньше { $figures }
asked-years = { $years } { $years ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }
found-served = { $share } от { $rate }
found-within = { $share } времени в пределах лимитов
found-figure = { $figure }
found-means = p99 средних по интервалам { $figure }
found-latency = среднее { $mean }, p99 { $p99 }
found-headroom = { $left } ({ $limit })
found-size = { $processors } vCPU, { $memory }
found-years = { $years } { $years ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }
found-years-all = 10 лет и больше
found-cold = { $latency } при { $share } скорости первые { $first }
found-cold-until = { $latency } при { $share } скорости первые { $first }, полная скорость через { $after }
found-recording = { $time } с интервалом { $interval }
shown-simulation = симуляция пика, { $time }
shown-limits = проверено лимитов: { $limits }, интервалов: { $intervals }
shown-limit = { $limit }: { $load } из { $capacity }
shown-latency = опубликованные задержки, класс { $grade }
shown-catalogue = лимиты редакции { $edition }
shown-prices = цены редакции { $edition }
shown-growth = проверено по годам
shown-cold = симуляция с пустым кэшем хоста
shown-audit = проверен; замечаний: { $findings }
shown-nothing = не симулировалось
next-record = снимите данные за целые сутки, с резервным копированием и пакетными заданиями, и спланируйте заново
next-size = укажите, сколько процессоров и памяти нужно ВМ (`vcpu_min`, `memory_min`)
next-build = создайте её скриптами плана
next-verify = до переезда пользователей выполните на ВМ проверочные задания плана
cheaper-reserved = ВМ зарезервирована, лет: { $years }; окупается с месяца { $month }
cheaper-savings-plan = план экономии, лет: { $years }; окупается с месяца { $month }
verdict-met = всё заданное выполнено
verdict-met-if = выполнено при условии: { $conditions }
verdict-not-met = не выполнено: { $reasons }
verdict-nothing = заданному не отвечает ничего из предлагаемого
verdict-credits = лимит «{ $limit }» держится на кредитах ускорения: без них он даёт { $sustained }, и остаётся их не меньше { $left }
verdict-over = лимит «{ $limit }» превышен { $share } времени, допустимо не больше { $asked }
verdict-full = от лимита «{ $limit }» не остаётся ничего
verdict-headroom = запас лимита «{ $limit }» — { $left }, задано { $asked }
verdict-tail = { $of } задержки ({ $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }, { $volume }) вероятен, но не известен: процентили этого носителя никто не измерял (класс { $grade })
verdict-tail-limit = { $of } задержки ({ $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }, { $volume }) вероятен, но не известен: близко к лимиту «{ $limit }» измеряли значения до 8 раз больше, чем даёт модель
verdict-penalty = диски — с избыточностью между зонами; насколько это замедляет запись, не опубликовано
verdict-no-processors = замер не показывает, сколько процессоров нужно ВМ, и их может не хватить: укажите `vcpu_min`
verdict-no-memory = замер не показывает, сколько памяти нужно ВМ, и её может не хватить: укажите `memory_min`
verdict-no-processors-nor-memory = замер не показывает, сколько процессоров и памяти нужно ВМ, и их может не хватить: укажите `vcpu_min` и `memory_min`
verdict-unpriced = нет цены: { $size } при `{ $commitment }`
verdict-years = через { $year } { $year ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    } мощности не хватит, а задано { $asked } { $asked ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }
verdict-cold = кэш хоста прогрет; после перезагрузки { $volumes }
verdict-cold-latency = чтение { $volume } в первые { $first } занимает в среднем { $latency }, задано не больше { $most }
verdict-cold-unknown = неизвестно, что получит чтение { $volume }: симуляции не было
verdict-reboot-share = { $volume }: в первые { $first } после перезагрузки обслуживается { $share } чтений, задано { $asked }
diff-nothing = менять нечего; { $cost }
diff-changes = изменить: { $changes }; { $cost }
diff-costs-more = B дороже на { $more } в месяц
diff-costs-less = B дешевле на { $less } в месяц
diff-costs-same = цена одинаковая
diff-costs-unknown = цена одного из них неизвестна
diff-regions = цены A — для { $a }, цены B — для { $b }: стоимость не сравнивается
diff-currencies = A — в { $a }, B — в { $b }: стоимость не сравнивается
diff-region-option = `--region` задаёт регион для файлов сценариев; в планах регион уже указан
diff-unpriced = { $side }: { $why }
diff-own-disk = { $side }: { $volume }: у вашего собственного диска { $disk } нет цены
diff-burst-billed = { $side }: { $volume }: операции при ускорении оплачиваются дополнительно, по факту
diff-operations-billed = { $side }: { $volume }: операции оплачиваются дополнительно, по факту
diff-nodes = { $side }: узлов { $nodes }, как в плане
diff-windows = { $side }: с лицензией Windows, как в плане
diff-licences = { $side }: с лицензиями по ядрам, как в плане, { $monthly } в месяц
diff-reserved = { $side }: ВМ с резервированием ({ $term }), как в плане
diff-savings-plan = { $side }: ВМ в плане экономии (срок: { $term }), как в плане
diff-uncommitted = { $side }: ВМ с оплатой по мере использования, так как её цена при `{ $commitment }` неизвестна
diff-hours = { $side }: ВМ оплачена за { $hours } в месяц, как в плане
diff-zone-redundant = { $side }: диски с избыточностью между зонами, как в плане
diff-no-headroom = { $side }: запас не указан: { $why }; его покажет `diskwright explain`
diff-no-demand = без плана требуемая нагрузка неизвестна
diff-cached-else = тома кэшируются не так, как в плане, или на локальном диске размещены другие тома
stripe-one-disk = каждый запрос размером { $size } KiB остаётся на одном диске
stripe-nearly = каждый запрос размером { $size } KiB остаётся на одном диске, кроме { $share }: они попадают на два
stripe-straddling = { $share } запросов размером { $size } KiB попадали бы на два диска при 64 KiB, а при 256 KiB — { $left }
stripe-few-disks = запрос размером { $size } KiB обслуживают одновременно лишь немногие диски
stripe-asked = так задали вы: { $unit }

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }: требуется { $needed }, один чередующийся набор даёт не больше { $most }
plan-latency = { $limit }: { $latency }, задано не больше { $most }
plan-needed = { $limit }: требуется { $needed }{ $over }, доступно { $available }{ $usable }
plan-misses-by = не хватает { $short } при { $available }{ $at }; { $needed }
plan-misses-at = {" "}при загрузке { $percent }
plan-needed-over = {" "}(пик; выше допустимого { $intervals } из { $all } { $all ->
        [one] интервала
        [few] интервалов
        [many] интервалов
       *[other] интервалов
    })
plan-asked = { $limit }: требуется { $needed }
plan-asked-at-most = { $limit }: задано не больше { $most }
plan-needed-headroom = {" "}(запас входит в требуемое)
plan-needed-usable = {" "}(использовать можно { $percent } %)
limit-exceeded-in =
    выше лимита в { $intervals } { $intervals ->
        [one] интервале
        [few] интервалах
        [many] интервалах
       *[other] интервалах
    }
limit-headroom-used-in =
    запас занят в { $intervals } { $intervals ->
        [one] интервале
        [few] интервалах
        [many] интервалах
       *[other] интервалах
    }
plan-costs-same = стоит столько же: { $plan }
plan-costs-less = дешевле на { $less } в месяц, но сложнее: { $plan } за { $monthly }
plan-costs-more = дороже на { $more } в месяц: { $plan } за { $monthly }
plan-barred = { $reason }; стоил бы { $monthly }
plan-no-premium = не поддерживает нужные диски (Premium SSD или Ultra)
plan-not-searched = неизвестно: план для него не найден, но поиск закончился раньше, чем были проверены все способы подключения томов
plan-would-cost = стоил бы { $monthly }
plan-none-meets = ни один набор дисков здесь не выдерживает лимит «{ $limit }», не выполняются и другие лимиты
plan-none-together = ни один набор дисков здесь не обеспечивает всё это вместе: { $limits }
plan-cost-max-too = стоимость в месяц: ваш максимум — { $most }, но даже без остальных препятствий самый дешёвый план стоит { $cheapest }
plan-cost-max = стоимость в месяц: ваш максимум — { $most }, но самый дешёвый план, который выполняет все прочие требования, стоит { $cheapest }
plan-cost-licences = одни его лицензии по ядрам стоят { $licences }, больше вашего максимума { $most }
plan-tried-wider = пробовали до { $most } дисков в каждом страйпе, так как не нашлось плана, в котором их не больше { $usual } (`disks_max`)
plan-tried-wider-budget = пробовали до { $most } дисков в каждом страйпе (`disks_max`): если их не больше { $usual }, самый дешёвый план стоит { $monthly } ({ $plan })
plan-lists = разрешённые размеры ВМ: требованиям отвечает { $plan } за { $monthly }, но { $reason }
plan-lists-without = без `{ $key }` план есть: { $plan } за { $monthly }
plan-lists-too = разрешённые размеры ВМ: { $vm } может обслужить больше, но { $reason }
plan-most-slots = { $limit }: самый большой размер принимает не больше { $most }

## plan and explain: what the answer rests on

price-asked = цена { $offers }: как указано в требованиях
price = цена { $offers }: { $region } { $edition }, { $page } [{ $source }]
price-noted = цена { $offers }: { $region } { $edition }, { $page } [{ $source }]; { $note }
plan-reserved = ВМ зарезервирована (срок: { $term }) и учтена по месячной цене этого срока; диски — с оплатой по мере использования
plan-reserved-with = ВМ и { $disks } зарезервированы (срок: { $term }) и учтены по месячной цене этого срока; остальные диски — с оплатой по мере использования
plan-savings-plan = ВМ входит в план экономии (срок: { $term }) и учтена по его цене за каждый час; диски — с оплатой по мере использования
plan-commitment-ended = { $size } учтён с оплатой по мере использования: `{ $commitment }` для него с { $since } нельзя ни купить, ни продлить (страница от { $page })
plan-reserved-beyond = резервирование { $size } заканчивается в { $ends }, после вывода размера из эксплуатации { $retires }
plan-uncommitted = { $size } учтён с оплатой по мере использования: его цена при `{ $commitment }` в регионе { $region } неизвестна; прайс-лист поставщика загружает `diskwright catalogue import`
plan-commitment-known = размеры ВМ без известной цены при `{ $commitment }`: { $without } из { $sizes }; они учтены с оплатой по мере использования, и с обязательством какой-то из них может оказаться дешевле
plan-term-ends = срок `{ $commitment }` заканчивается в месяце { $ends }; месяцы с { $from } по { $until } не оценены
plan-commitment-dearer = при `{ $commitment }` ВМ стоит на { $more } в месяц больше, чем по мере использования за { $hours }
plan-hours = ВМ работает { $hours } из { $all } часов месяца, за них и оплачена; диски оплачиваются за все часы, а их операции учтены так, будто она работает всегда
plan-hours-committed = ВМ работает { $hours } из { $all } часов месяца, но обязательство, как и диски, оплачивается за все часы
budget-met-with = в бюджет уложился бы план с `{ $assumption }`: { $plan } за { $monthly }
budget-met-with-licence = в бюджет уложился бы план с собственной лицензией Windows: { $plan } за { $monthly }
bill-not-in = не входит в эту цену
bill-os-disk = { $disk }, как задано в `os_disk`
bill-snapshots = снимки, { $size }: хранится { $kept }, от одного к другому меняется { $change } данных
promise-one = SLA одной машины с дисками этих видов ({ $kinds }): { $share } месяца ({ $source })
promise-one-if = SLA одной машины с дисками этих видов ({ $kinds }), если диск операционной системы не хуже: { $share } месяца ({ $source })
promise-together = SLA двух и более машин, { $place }: { $share } месяца доступна хотя бы одна ({ $source })
promise-unknown = SLA одной машины с { $kind }: неизвестно, ни одна прочитанная страница поставщика не называет дисков этого вида
plan-zone = ВМ и диски находятся в зоне { $zone } региона { $region }; есть ли в этой зоне такие диски, diskwright не проверяет
plan-zone-of-vm = ВМ находится в зоне { $zone } региона { $region }; её диски — с избыточностью между зонами и к одной зоне не привязаны
plan-cautious = { $limit }: если диски окажутся такими медленными, как предполагает осторожная оценка, получится { $latency }, а задано не больше { $most } (чтобы планировать с ней, укажите `latency = "cautious"` в [plan])
plan-hits = { $volume }: когда кэш хоста прогрет, попадают { $share } операций чтения (оценка: один LRU на все кэшируемые тома, в его блоках действительны только использованные части)
plan-floor = { $volume }: попаданиями считается не больше { $share } чтений, чтобы заданное на время после перезагрузки выдерживали диски (`after_reboot_share_min`, `after_reboot_latency_max`)
plan-local-disk = { $volume }: при остановке или переносе ВМ данные на локальном диске теряются
plan-uncached-shared = у дисков Premium SSD v2 и Ultra общий лимит без кэша с остальными дисками — больший из двух указанных для размера; как они делят его на деле, не опубликовано (`uncached_sharing = "separate"` в [plan] складывает оба)
plan-uncached-separate = лимит без кэша дисков Premium SSD v2 и Ultra прибавляется к лимиту остальных дисков (`uncached_sharing = "separate"`): как они делят его на деле, не опубликовано
plan-no-hits = { $volume }: попадания в кэш хоста не учитываются; укажите `working_set` этого тома
plan-one-figure = одно число на том, { $percentile }-й процентиль: временного ряда нет
plan-per-dimension = для каждой величины взят её { $percentile }-й процентиль, как если бы все пики совпали
plan-intervals = интервалов по { $interval }: { $intervals }; из них с превышением какого-либо лимита допустимо { $exceeding }; все тома вместе
plan-answer-rests = { $answer }. План опирается на лимиты размера { $size }, которых нет на его странице: { $figures }
plan-os-on-hdd = { $volume }: { $date } поставщик прекращает поддержку Standard HDD как диска операционной системы
plan-no-cached-limit = кэш хоста размера { $size } не используется: ни один источник не приводит его лимитов
plan-no-cached-limits =
    { $sizes ->
        [one] { $sizes } размер ВМ рассмотрен
        [few] { $sizes } размера ВМ рассмотрены
        [many] { $sizes } размеров ВМ рассмотрены
       *[other] { $sizes } размера ВМ рассмотрены
    } без кэша хоста: ни один источник не приводит его лимитов
plan-answer-nodes = одинаковых узлов: { $nodes }, всего { $monthly } в месяц; каждый — { $answer }
plan-answer-licences = { $answer }. Из месячной стоимости { $licences } — лицензии по ядрам; без них { $without }
plan-answer-uncommitted = { $answer }. ВМ учтена с оплатой по мере использования: её цена при `{ $commitment }` неизвестна
plan-interpolated = { $volumes }: { $percentile }-й процентиль оценён между соседними уровнями, логарифмически по доле времени выше уровня; `p95` или временной ряд заменят оценку
plan-largest-instead = { $volumes }: между p99 и максимумом уровней нет, поэтому вместо { $percentile }-го процентиля взят максимум
plan-growth = скорости и занятые процессоры взяты из требований с коэффициентом { $factor } (`growth`)
plan-growth-of = { $volume }: нагрузка растёт на { $load } в год, объём данных — на { $held }
plan-comfort = скорости, занятые процессоры и память взяты из требований с коэффициентом { $factor } (`comfort_factor`)
plan-filesystems = файловые системы занимают { $share } каждого диска (`filesystem_overhead_percent`)
plan-nodes = одинаковых узлов: { $nodes }, каждый рассчитан на всю требуемую нагрузку (`nodes`): суммы под ответом — за один узел, `cost_max` — за все вместе
plan-cpu-speed = vCPU размера { $size } считается за { $factor } от vCPU { $recorded }: { $own } против { $other }, наименьшее к наибольшему (страница от { $page }, оценка { $grade }: ориентир, а не измерение вашей нагрузки); такая величина есть у { $known } из { $all } размеров, остальные считаются равными (`cpu_recorded_on`)
plan-cpu-speed-unknown = ни одна из прочитанных страниц не сравнивает { $size } с { $recorded }: их vCPU считаются равными; такая величина есть у { $known } из { $all } размеров (`cpu_recorded_on`)
plan-cpu-speed-none = ни одна из прочитанных страниц не говорит о скорости { $recorded }: vCPU всех размеров считаются равными, `cpu_recorded_on` ничего не меняет
plan-shared = { $volume }: диски покупаются один раз на все узлы ({ $nodes }, `shared`): { $monthly } в месяц, из них подключения { $mounts }; доля узла { $part }, а нагрузка тома — всех узлов вместе; { $takes } (страницы от { $limits } и { $billing }); такой диск могут делить не более { $most } ВМ (страница от { $page })
plan-windows = на ВМ работает Windows (`os`): { $monthly } в месяц из её цены — лицензия; с Azure Hybrid Benefit владелец лицензии их не платит
plan-windows-own = на ВМ работает Windows (`os`): считается, что лицензия входит в цену
plan-licences = лицензии по ядрам: { $licences }; с ними { $monthly } в месяц, без них { $without }
plan-licence = { $name } { $monthly } за { $cores } { $cores ->
        [one] ядро
        [few] ядра
        [many] ядер
       *[other] ядра
    }
plan-licence-of = { $name } { $monthly } на узел (лицензировано узлов: { $nodes }, ядер в каждом: { $cores })
plan-constrained = { $size } — размер с ограниченным числом vCPU; активных vCPU: { $processors }, память, лимиты хранилища и цена вычислений — как у { $parent }; ПО, которое лицензируется по ядрам, считает { $processors }
plan-recording = замер: { $what }; { $effect }
plan-bursting = кредиты ускорения учитываются, пока их хватает; временной ряд проигрывается дважды подряд
plan-no-burst-series = только базовые лимиты: без временного ряда неизвестно, на сколько должно хватить кредитов ускорения
plan-no-burst = только базовые лимиты: кредиты ускорения не учитываются
plan-headroom = запас: { $rates } каждой скорости (`headroom_percent`), { $capacity } ёмкости каждого диска (`capacity_headroom_percent`), { $processors } процессоров (`cpu_percent`); `memory_min` и `vcpu_min` взяты как есть
plan-memory-free = запас памяти: { $free } остаётся свободным сверх занятого (`memory_headroom`)
plan-memory-usual = запас памяти: { $free } остаётся свободным сверх занятого{ $total } (`memory_headroom`)
plan-memory-today = {", "}а { $total }, которые есть у машины сегодня, достаточно
plan-memory-database = запас памяти: нет, так как база данных занимает столько, сколько ей выделено, а роли томов — её; `memory_headroom` оставляет память свободной
plan-no-memory = в требованиях не указано, сколько нужно памяти, поэтому подходит любой размер. Укажите `memory_min` в [plan] или `used` в [memory]
plan-no-processors = в требованиях не указано, сколько нужно процессоров, поэтому подходит любой размер. Укажите `vcpu_min` в [plan] или `processors` и `busy_percent` в [cpu]
plan-operations = { $volume }: { $operations } операций в месяц при средней скорости оплачиваются по факту: { $monthly } в месяц, учтено
plan-operations-median = { $volume }: { $operations } операций в месяц оплачиваются по факту: { $monthly } в месяц, учтено. Временного ряда нет, поэтому за среднюю скорость взята медиана
plan-burst-use = { $volume }: ускорение по запросу оплачивается по факту: { $monthly } в месяц, если каждый месяц похож на временной ряд; учтено
plan-performance-plus = { $volume }: Performance Plus бесплатен и включается при создании диска; существующий диск нужно скопировать в новый через моментальный снимок
plan-zone-redundant = диски — с избыточностью между зонами (`redundancy = "zone"`): такими бывают Premium SSD и Standard SSD, и запись на них медленнее, чем в плане; насколько — не опубликовано
plan-disk-options = что можно выбрать у диска, кроме размера: { $options } (`disk_options`)
plan-no-disk-options = диски без дополнений: ни уровня производительности, ни Performance Plus, ни ускорения по запросу (`disk_options`)
plan-no-hdd = Standard HDD предлагается только для резервных копий (`standard_hdd`)
plan-on-request = { $kinds } выбираются только для резервных копий или если указаны в `disks`
plan-indifference = выбирается самый простой план, который дороже самого дешёвого не более чем на { $band }: сначала меньше дисков, затем новее поколение серии ВМ (`indifference_percent`)
plan-wide-stripes = плана, в котором в каждом страйпе не больше { $usual } дисков, не нашлось: допускается до { $most } (`disks_max`)
plan-wide-stripes-budget = при не более чем { $usual } дисках в каждом страйпе самый дешёвый план стоит { $monthly }, что больше `cost_max`: поэтому допускается до { $most } (`disks_max`)
plan-kpi = { $volume }: { $kpi } требует { $asks } ({ $sources }); нагрузка — больший поток, задержка — дисков без ожидания (`kpi`)
plan-kpi-bounds = { $volume }: { $kpi } требует { $asks } ({ $sources }); нагрузка та, что указана в требованиях (`kpi`)
plan-kpi-unchecked = { $volume }: из { $kpi } не проверено: { $unchecked }
plan-not-certified = { $product }: сертифицирован ли { $size } его поставщиком, не проверяется
plan-no-arm = без размеров ВМ с процессорами Arm (`arm`)
plan-no-burstable = без размеров ВМ с кредитами ЦП: когда кредиты кончаются, процессоры ограничиваются базовым уровнем (`burstable`)
plan-no-confidential = без размеров конфиденциальных ВМ: им нужны отдельный тип безопасности и отдельный образ (`confidential`)
plan-no-preview = без размеров ВМ в предварительной версии (`preview`)
plan-no-closed = без размеров ВМ, недоступных новым подпискам: прежние развёртывают их в пределах своей квоты (`closed_to_new`)
plan-no-metal = без типов без гипервизора (`metal`)
plan-no-previous = без типов прежних поколений (`previous_generation`)
plan-metal = { $size } — целый узел без гипервизора
plan-previous = { $size } относится к прежнему поколению: новые типы дают больше за те же деньги
plan-no-limited = без размеров ВМ, ёмкость которых ограничена (`capacity_limited`)
key-named-sizes = ни одному из доступных для выбора размеров это не нужно: в `vms` названы размеры, для которых ничего не меняется, или `edition` берёт размеры прошлых лет
plan-horizon = без размеров ВМ, которые выводятся из эксплуатации раньше { $date } (`horizon_years`)
plan-no-retirements = данных о выводе типов из эксплуатации здесь нет: это не проверяется
comparison-cheaper = { $first } дешевле { $last } на { $less } ({ $share }) в месяц по ценам с { $oldest } по { $newest }
comparison-currencies = цены указаны в { $first } и в { $last }: сравнения нет
comparison-none = нет плана с известной ценой, который отвечает требованиям: { $places }; с ним ничего не сравнивается
plan-arm = у { $size } процессоры Arm
plan-burstable = ЦП { $size } работает за счёт кредитов; его базового уровня в каталоге нет
plan-confidential = { $size } — конфиденциальная ВМ: ей нужны отдельный тип безопасности и отдельный образ
plan-preview = { $size } — предварительная версия (страница от { $page })
plan-closed = { $size } недоступен новым подпискам с { $since }; прежние развёртывают его в пределах своей квоты, новую квоту не дают (страница от { $page })
plan-limited = ёмкость { $size } ограничена (страница от { $page })
plan-disk-zones = { $disks }: в регионе { $region } есть только в стольких зонах: { $zones }, в каких — ни на одной странице не сказано; проверьте свою перед развёртыванием (страница от { $page })
plan-disk-region = { $disks }: ни одна страница не говорит, что в регионе { $region } это есть, хотя цена там указана; проверьте перед развёртыванием
plan-setting-needed = { $size } работает с `{ $setting }`, без доплаты: диски постоянно получают { $given } вместо { $plain }; без этого ни один план на этом размере не удовлетворяет требованиям
plan-setting-cheaper = { $size } работает с `{ $setting }`, без доплаты: диски постоянно получают { $given } вместо { $plain }; без этого план стоил бы на { $more } в месяц дороже
plan-setting-fewer = { $size } работает с `{ $setting }`, без доплаты: диски постоянно получают { $given } вместо { $plain }; без этого плану понадобилось бы больше дисков
plan-setting-unknown = { $size } работает с `{ $setting }`, без доплаты: диски постоянно получают { $given } вместо { $plain }; без этого просмотрены не все планы, поэтому неизвестно, можно ли обойтись без него
plan-setting-network = `{ $setting }` отнимает { $loses } от { $network }, которые постоянно есть у сети { $size }, а сколько нужно сети, в требованиях не сказано: проверьте до развёртывания
plan-setting-network-unknown = `{ $setting }` отнимает { $loses } у сети { $size }; сколько у неё есть постоянно и сколько нужно, неизвестно: проверьте до развёртывания
plan-vm-region = { $size }: цена ваша, и ни одна страница не подтверждает, что он продаётся в { $region }: проверьте до развёртывания
plan-retires = { $size } выводится из эксплуатации { $date }
plan-steady-memory = нагрузка и объём данных на томах растут, а занятая память — нет: если вырастет и она, увеличьте `memory_min`
plan-steady-capacity = нагрузка растёт, а объём данных на томах и занятая память — нет: если растут данные, задайте `capacity_growth_percent_per_year`, если память — увеличьте `memory_min`
plan-steady-load = объём данных на томах растёт, а нагрузка — нет: если вырастет и она, задайте `growth_percent_per_year`
plan-no-os = ни у одного тома нет роли `os`: диск операционной системы не входит ни в план, ни в его стоимость
plan-os-beside = диск ОС { $disk } (`os_disk`) — строка прочих расходов: ни стоимость плана, ни `cost_max` его не включают
plan-years = требуемая нагрузка через { $years } { $years ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }
stage-vm = размер ВМ меняется на { $vm }
stage-set = { $volume }: каждый диск перенастраивается: { $disk }
stage-more = { $volume }: добавляется { $more } { $more ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    } ({ $disk }), чередующийся набор создаётся заново
stage-moved = { $volume }: данные копируются на { $disks }
stage-cache = { $volume }: для кэша хоста задаётся { $cache }
stage-takes = { $takes } (страница от { $page })
stage-migration = миграция: { $takes } (страница от { $page })
stage-unknown = ни одна из прочитанных страниц не говорит, что нужно для всего этого: возможно, миграция
stage-in-place = те же диски, увеличенные на месте
stage-stay = без миграции на { $more } в месяц дороже с месяца { $month }: { $plan }
stage-reserved = резервирование { $size } ({ $term }) действует до конца месяца { $month }: { $left } x { $monthly } = { $all } сверх этих цен
plan-service = { $name }: { $bought }, { $price }; { $access }. Задержка и пропускная способность сети ВМ здесь неизвестны (страница от { $page })
plan-service-price = { $monthly } в месяц (цена от { $date })
plan-service-unpriced = цена в регионе { $region } неизвестна
move-takes = { $what }: { $takes } (страница от { $page })
plan-lasts =
    При заданном росте этот план { $years ->
        [0] выдерживает нагрузку сегодня, но не через 1 год
        [one] выдержит нагрузку через { $years } год, но не через { $next }
        [few] выдержит нагрузку через { $years } года, но не через { $next }
        [many] выдержит нагрузку через { $years } лет, но не через { $next }
       *[other] выдержит нагрузку через { $years } года, но не через { $next }
    }.
plan-latencies = задержки томов и вариантов — оценка средних при наибольшей нагрузке, включая ожидание на лимитах дисков и ВМ. Задержка среди лимитов — та, с которой работает поиск; симуляция проверяет обе
plan-reserve = поиск удерживает задержку { $direction ->
        [read] чтения
        [write] записи
       *[other] { $direction }
    } тома { $volume } на { $reserve } ниже заданной границы: в симуляции более дешёвые планы оказались медленнее оценки
plan-reserve-deeper = очередь { $direction ->
        [read] чтения
        [write] записи
       *[other] { $direction }
    } тома { $volume } глубже оценки на { $more }: в симуляции обслуживалось меньше
plan-reserve-rates = сверх запаса на каждой скорости остаётся свободным ещё { $reserve }: в симуляции обслуживалось меньше
mean-latencies = задержки — средние значения моделей, пока ни один лимит не достигнут
plan-offers = предлагается { $sizes } { $sizes ->
        [one] размер
        [few] размера
        [many] размеров
       *[other] размера
    } ВМ и { $disks } { $disks ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    }; не рассмотрено: { $left_out }
offers-barred = исключено условиями — { $offers }
offers-unpriced = без известной цены — { $offers }
offers-incomplete = без полного набора лимитов — { $offers }
offers-local = без избыточности между зонами — { $offers }
key-unused = `{ $key }` ни на что не влияет: { $why }
key-unused-of = { $volume }: `{ $key }` ни на что не влияет: { $why }
key-no-growth = ни нагрузка, ни ёмкость не растут
key-no-years = план не рассчитан на следующие годы: задайте `years`
key-own-growth = у каждого тома задан свой рост, а операционная система не растёт
key-no-series = временного ряда нет
key-no-processor-load = в [cpu] нет `processors` с `busy_percent`
key-no-processors = в [cpu] нет `processors`
key-no-busy = в [cpu] нет `busy_percent`
key-no-memory = в [memory] нет `used`
key-os-volume = у одного из томов роль `os`
key-no-snapshots = снимки не хранятся: их число задаёт `snapshots_kept`
key-not-on-offer = { $offer } не предлагается по тарифу `{ $meter }`
key-series-instead = { $volumes }: план построен по временному ряду; процентили рядом с ним не читаются
key-split-iops = `read_iops` и `write_iops` известны по отдельности
key-split-throughput = `read_throughput` и `write_throughput` известны по отдельности
key-series-knows = во временном ряде есть скорости обоих направлений
key-no-requests = у него нет операций { $requests ->
        [reads] чтения
        [writes] записи
       *[other] { $requests }
    }
key-no-cache = его `host_cache` — `None`
key-one-uncached = ни у одной ВМ этого плана нет дисков Premium SSD v2 или Ultra рядом с другими
key-all-writes = `iops` не говорит, сколько запросов приходится на чтение, поэтому все считаются записью
key-measured = { $volume }: { $keys } — это результаты измерений, на план они не влияют; задержку задают `read_latency_max` и `write_latency_max`
key-size-overruled = { $volume }: размер операций { $requests ->
        [reads] чтения
        [writes] записи
       *[other] { $requests }
    } в плане — { $planned }, как следует из пропускной способности и IOPS, а не { $written } (`{ $key }`)
key-one-disk = у него не больше одного диска
key-os-disk = операционная система загружается с одного диска
latency-given = задержка ({ $places }): как указано в сценарии
latency-own = задержка ({ $places }): { $model }, ваша собственная модель, класс достоверности { $grade }
latency-default = задержка ({ $places }): { $medium }, { $setting ->
        [optimistic] оптимистичная оценка
        [typical] типичная оценка
        [cautious] осторожная оценка
       *[other] { $setting }
    }, класс достоверности { $grade }, на ваших дисках не измерялась: в среднем чтение { $read } ({ $read_else }), запись { $write } ({ $write_else })
latency-else = { $setting ->
        [optimistic] оптимистично
        [typical] типично
        [cautious] осторожно
       *[other] { $setting }
    } { $latency }; { $other ->
        [optimistic] оптимистично
        [typical] типично
        [cautious] осторожно
       *[other] { $other }
    } { $otherwise }
latency-of-miss = задержка ({ $places }): { $medium }, { $setting ->
        [optimistic] оптимистичная оценка
        [typical] типичная оценка
        [cautious] осторожная оценка
       *[other] { $setting }
    }, класс достоверности { $grade }, на ваших дисках не измерялась: в среднем { $mean } ({ $mean_else })

## explain: the finding

explain-first-touch = том { $volume } ограничивают первые обращения, пока его данных нет на месте, а потом нагрузка обеспечена: он создан из снимка, { $left } ещё не загружено, блок в { $block } при первом обращении загружается { $time }, и это даёт { $gives } из { $asked }. { $remedy }
explain-first-touch-beside = Том { $volume } создан из снимка, { $left } ещё не загружено: блок в { $block } при первом обращении загружается { $time }. { $remedy }
explain-first-touch-comes = При купленной скорости инициализации всё будет на месте через { $after }: подождите.
explain-first-touch-read = Прочитайте том заранее один раз целиком (по одному запросу — { $alone }).
explain-first-touch-buy = Прочитайте том заранее один раз целиком (по одному запросу — { $alone }) или купите `initialization_rate`: при { $least } всё на месте через { $slow }, при { $most } — через { $fast }; цена здесь неизвестна.
explain-carries = эта конфигурация справляется с нагрузкой{ $nearest }
explain-nearest = ; ближе всего к пределу — { $limit }: { $used }
explain-measured = { $shows }{ $advice }
explain-carries-measured = эта конфигурация справляется с нагрузкой; измерено: { $shows }
explain-carries-else = эта конфигурация справляется с нагрузкой, а измерение показывает не её лимиты: { $shows }
explain-cut-off = запись обрезана на уровне { $at }: настоящая нагрузка выше записанной{ $nearest }{ $advice }
cut-off-at = «{ $limit }» ({ $iops }, { $throughput })
cut-off-elsewhere = { $iops }, { $throughput } тома { $volume }
cut-off-said = лимита источника ({ $what })
explain-cut-off-nearest = ; из записанного ближе всего к пределу — { $limit }: { $used }
explain-fixed = { $limit }: требуется { $asked }, доступно { $available }{ $advice }
explain-fixed-latency = { $limit }: требуется не более { $asked }, ожидается { $expected }{ $advice }
explain-binds = узкое место — { $limit }{ $times }{ $gets }{ $others }{ $advice }
explain-times = {" "}(в { $intervals } из { $all } { $all ->
        [one] интервала
        [few] интервалов
        [many] интервалов
       *[other] интервалов
    })
explain-gets = : { $volume } запрашивает { $asked }, а получает { $gets } ({ $share })
explain-others = ; в другое время — { $limits }
explain-advice = ; самое дешёвое изменение, которого достаточно: { $change }
explain-advice-in-place = ; самое дешёвое без переноса: { $change }
explain-advice-both = { $cheapest }{ $in_place }
explain-new-plan = Изменить что-то одно недостаточно. Новый план для этой нагрузки: { $plan } за { $monthly } в месяц (здесь не моделировался; его моделирует `diskwright plan`).
explain-new-plan-cheaper = Новый план на { $saved } в месяц дешевле, чем самое дешёвое изменение, которого достаточно: { $plan } за { $monthly } в месяц (здесь не моделировался; его моделирует `diskwright plan`).

## explain: what a measurement shows

shows-limit = { $volume }: { $iops }, { $throughput } — достигнут лимит «{ $limit }» (использовано { $used }){ $credits }
shows-limit-credits = ; работает на кредитах ускорения, полного запаса при такой скорости хватает на { $lasts }
shows-credits = { $volume }: { $iops }, { $throughput } — это выше базовой скорости лимита «{ $limit }» и расходует кредиты ускорения; полного запаса хватает на { $lasts }
shows-cache = { $volume }: { $iops }, { $throughput } — ограничивают диски тома, доля операций чтения из кэша хоста: { $served }; { $why }
shows-cache-serves = около { $share }
shows-cache-serves-none = почти ноль
shows-cache-small = читаемые данные больше кэша
shows-cache-cold = кэш холодный или меньше читаемых данных: перед измерением прочитайте файл один раз
shows-sync = { $volume }: { $iops }, { $throughput } — запись и синхронизация одна за другой занимают { $cycle }, то есть { $per_s } в секунду{ $workers }; больше запросов в работе здесь не поможет, поможет более быстрая синхронизация: она занимает в среднем { $sync }{ $p99 }
shows-sync-workers =  (всего исполнителей: { $workers })
shows-sync-p99 = , 99-й процентиль — { $p99 }
shows-depth = { $volume }: { $iops }, { $throughput } — глубина очереди слишком мала: запросов в работе — { $in_flight }, каждый занимает { $latency }, это даёт { $most }{ $next }{ $idle }
shows-depth-next = ; первый лимит достигается, когда запросов в работе { $needed }: { $gives } ({ $limit })
shows-depth-idle = ; в чередующемся наборе { $disks ->
        [one] простаивает
        [few] простаивают
        [many] простаивают
       *[other] простаивают
    } { $disks } { $disks ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    }
shows-slow = { $volume }: { $iops }, { $throughput } — ни один лимит не достигнут, но запрос занимает { $latency } при { $model } по модели: проверьте процессоры гостевой ОС, ограничения в других местах хоста и не израсходованы ли раньше кредиты ускорения
shows-not-asked = { $volume }: { $iops }, { $throughput } — ни один лимит не достигнут: нагрузку ограничивают её собственные настройки
shows-unknown = { $volume }: { $iops }, { $throughput } — ни один лимит не достигнут; без глубины очереди или задержки больше ничего сказать нельзя

## explain: changes

change = { $what } ({ $cost }{ $needs }{ $gives_up }{ $simulated })
change-vm = { $new } вместо { $old }
change-disk = { $new } вместо { $old } для тома { $volume }
change-tier = уровень производительности { $new } для { $old } тома { $volume }
change-rebuild = { $new } ({ $bought }) вместо { $old } для тома { $volume }
change-stripe = чередующийся набор { $count } x { $disk } вместо { $before } для тома { $volume }
change-stripe-unit = единица чередования { $new } вместо { $old } для тома { $volume }
change-provision = { $disks } для тома { $volume }: задать { $new }, сейчас — { $old }
change-bought = { $capacity }, { $iops }, { $throughput }
change-bought-unknown = имеющийся размер
change-cache = кэш хоста { $new } вместо { $old } для тома { $volume }
change-local = локальный диск ВМ вместо { $old } для тома { $volume }
change-ephemeral = временный (ephemeral) диск ОС вместо { $old } для тома { $volume }
change-in-flight = запросов в работе на томе { $volume }: { $depth }
change-free = бесплатно
change-costs = { $monthly } в месяц
change-unpriced = цена { $offers } в { $region } неизвестна
needs-nothing = ; без остановки
needs-detach = ; диск отключается и подключается снова
needs-restart = ; ВМ останавливается и запускается
needs-migration = ; данные переносятся
needs-unknown = ; ни одна из прочитанных страниц не говорит, что для этого нужно
needs-processors = ; новая ВМ: для Arm и x64 нужны разные образы
needs-security = ; новая ВМ: для конфиденциальных размеров нужны свой тип безопасности и свой образ
needs-images = ; новая ВМ: её образ другого поколения, чем те, что запускаются на новом размере
needs-nvme = ; новая ВМ или преобразование освобождённой: контроллер дисков меняется с SCSI на NVMe, для этого нужен образ поколения 2 с драйверами NVMe
needs-scsi = ; новая ВМ или преобразование освобождённой: контроллер дисков меняется с NVMe на SCSI
needs-local-disk = ; новая ВМ: Azure не меняет размер с локальным диском на размер без него и обратно
gives-up-durability = ; данные теряются при освобождении или переносе ВМ
gives-up-host-cache = ; без кэша хоста
gives-up-smaller = ; уменьшить обратно нельзя
gives-up-network = ; у сети остаётся меньше пропускной способности
proof-served = ; проверено моделированием
proof-falls-short = ; при моделировании не хватает
proof-none = ; без симуляции

## explain: recordings that stop at a level, missing inputs, assumptions

throttled-at = { $volume }: { $share } интервалов лежат на уровне { $iops }, { $throughput }: в этой конфигурации это лимит «{ $limit }»; настоящая нагрузка выше записанной
throttled-elsewhere = { $volume }: { $share } интервалов лежат на уровне { $iops }, { $throughput }: это лимит машины, на которой сделан замер, либо такова сама нагрузка; настоящая нагрузка выше записанной
missing-measurement = измерение: `--measured FILE` с результатом fio, DiskSpd или Iometer позволяет отличить лимит от слишком малой глубины очереди
missing-demand = требуемая нагрузка: `--demand requirements.toml` (из `diskwright observe`) показывает, что запрашивается со временем
missing-series = нагрузка во времени: без временного ряда в { $file } нельзя проследить ни кредиты ускорения, ни накопление очереди
missing-depth = { $volume }: сколько запросов том держит в работе или какова их задержка: измерьте инструментом, который это выводит
missing-working-set = { $volume }: доля попаданий в кэш хоста: укажите `working_set` или `hit_curve` тома в { $file }; сейчас попадания не учитываются
missing-prices = цены этой конфигурации в { $region }: импортируйте их командой `diskwright catalogue import`
explain-one-figure = одно число на том, { $percentile }-й процентиль
explain-intervals = интервалов по { $interval }: { $intervals }; из них с превышением лимита допустимо { $exceeding } (требования нужно выполнять { $percentile } % времени)
explain-no-credits = лимиты учтены целиком, без запаса; кредиты ускорения не учтены: единственное число считается постоянной нагрузкой
explain-credits = лимиты учтены целиком, без запаса; кредиты ускорения в начале полные
explain-more = изменение считается достаточным, если остаётся место для нагрузки на { $percent } % выше измеренной
explain-else = при изменении всё остальное сохраняется, процессоров и памяти не становится меньше
explain-tried = изменение, которое укладывается во все лимиты, моделируется на самом загруженном интервале, который оно должно выдержать
explain-today = нагрузка сегодняшняя: рост за { $years } { $years ->
        [one] год
        [few] года
        [many] лет
       *[other] года
    }, который учитывает `plan`, в неё не входит
explain-hits = { $volume }: в кэш хоста попадают { $share } операций чтения (оценка)
explain-hits-least = { $volume }: в кэш хоста попадают { $share } операций чтения (не меньше: диски не могли их обслужить)
explain-write-back = { $volume }: данные, которые кэш ReadWrite ещё не записал на диск, при сбое хоста теряются
habit-cached-writes = { $volume }: кэш хоста ReadOnly на томе, который почти не читают: записи от него не выигрывают и занимают его; задайте None
habit-write-back = { $volume }: кэш хоста ReadWrite под данными: не записанное на диск теряется при сбое хоста; для данных — ReadOnly, для журналов — None
habit-one-in-flight = { $volume }: один запрос в работе на чередующемся наборе (дисков: { $disks }): одновременно работает один диск; держите в работе не меньше { $disks } или возьмите один более быстрый диск
habit-unequal = { $volume }: разные диски в одном чередующемся наборе: каждый считается как самый медленный и самый маленький; возьмите одинаковые
habit-small-unit = { $volume }: единица чередования { $unit } превращает один запрос в несколько операций, и каждая учитывается в лимитах; нужно не меньше 64 KiB
habit-spinning = { $volume }: жёсткий диск ({ $disk }) тратит на запрос несколько миллисекунд и годится для резервных копий; под базу данных нужен SSD
habit-os-disk = { $volume }: нагрузка идёт на диск ОС, и система ждёт за ней; вынесите её на отдельный диск данных, а на узле без состояния используйте временный (ephemeral) диск ОС

## simulate: what throttles a volume

binding-idle = Том { $volume } простаивал.
binding-write-back = Том { $volume } ограничивает отложенная запись: кэш хоста больше не вмещает грязных данных, поэтому запись принимается лишь со скоростью дисков тома ({ $disks }). Помогут дополнительные или более крупные диски в чередующемся наборе.
binding-first-touch = Том { $volume } ограничивают первые обращения: данные его дисков ({ $disks }), которыми никто не пользовался со времени снимка, загружаются лишь при первом обращении, и запросы тома ждут этого { $waiting } своего времени. Прочитайте том один раз целиком заранее или купите скорость инициализации.
binding-at-times = Том { $volume } упирается в лимит «{ $limit }» лишь временами: в среднем свободно { $unused } лимита, но ожидание на нём составляет { $waiting } задержки. Когда это происходит, покажет `--series 1s`.
binding-throttled = Том { $volume } упирается в лимит «{ $limit }»{ $active }: { $available }. { $remedy }{ $next }
binding-active = {" "}(пока активен: { $active } из { $run })
binding-one-disk = { $disks } даёт { $available }
binding-disks = { $disks } дают вместе { $available }
binding-vm = { $vm } даёт { $available } на { $behind }
binding-our-vm = ВМ даёт { $available } на { $behind }
behind-all = все свои диски
behind-v2 = свои диски Premium SSD v2 и Ultra
behind-others = все свои диски, кроме Premium SSD v2 и Ultra
behind-cache = всё, что обслуживают её кэш хоста и временный диск
behind-gate = всё, что проходит через её лимит «{ $gate }»
remedy-disks-or-cache = Помогут дополнительные или более крупные диски, а также кэш, который вмещает больше читаемых данных.
remedy-disks = Помогут дополнительные диски в чередующемся наборе, более крупные диски или более высокий уровень производительности.
remedy-larger = Помогут дополнительные тома в чередующемся наборе или более крупные тома.
remedy-bought = Поможет купить для того же тома больше или добавить тома в чередующийся набор.
remedy-other-kind = Том этого вида больше не даёт: помогут дополнительные тома в чередующемся наборе или другой вид.
remedy-local = Поможет размер ВМ с большим числом локальных дисков или с более быстрыми, либо перенос части нагрузки на удалённые диски.
remedy-uncached = Поможет размер ВМ с более высоким лимитом «{ $gate }»; дополнительные или более крупные диски не помогут.
remedy-cached = Поможет размер ВМ с более высоким лимитом «{ $gate }» или перенос части нагрузки на том без кэширования на хосте.
binding-next-exhausted = {" "}Лимит «{ $limit }» ({ $available }) тоже исчерпан.
binding-next-nearly = {" "}Лимит «{ $limit }» ({ $available }) тоже почти исчерпан.
binding-next = {" "}Следующее узкое место — { $limit }: { $available }, свободно { $left }.
limit-of = { $limit } ({ $place })
binding-rate = Том { $volume } ничем не ограничен: его задания большего не запрашивают (у них задана скорость) и получают { $iops }.
binding-think = Том { $volume } ничем не ограничен: его задания делают паузы (thinktime) и получают { $iops }.
binding-depth = Том { $volume } не упирается ни в один лимит. Его ограничивает глубина очереди: { $depth } при задержке { $latency } даёт { $iops }. Если держать в работе больше операций (iodepth, numjobs), результат будет выше.
binding-sync = Том { $volume } не упирается ни в один лимит. Запись и синхронизация одна за другой занимают { $cycle }, то есть { $per_s } в секунду{ $workers }. Больше операций в работе (iodepth) здесь не поможет, поможет диск с более быстрой синхронизацией.

## simulate: what was leapt over, or why nothing was

by-kind-all = операций в симуляции — { $simulated } из { $all }: каждый интервал (всего их { $steps }, по { $each }) представлен выборкой
by-kind = операций в симуляции — { $simulated } из { $all }: интервалов (по { $each }), представленных выборкой, — { $taken } из { $steps }, остальные симулированы целиком
by-kind-near = операций в симуляции — { $simulated } из { $all }: интервалов (по { $each }), представленных выборкой, — { $taken } из { $steps }, остальные симулированы целиком, из них у предела и рядом с ним — { $near }
leapt = { $share } времени режим установившийся, эти участки пропущены: операций в симуляции — { $simulated }, всего — { $all }. `--exact` симулирует каждую, `--error 1%` требует меньшей погрешности
leap-refused = симулирована каждая операция, хотя прогон длинный: { $why }
leap-by-size = задание { $job } завершается по объёму или числу операций, а не по времени (`time_based=1` и `runtime`)
leap-verifies = задание { $job } перечитывает то, что записало
leap-ends-when-steady = задание { $job } завершается, когда его скорость устанавливается
leap-null-engine = задание { $job } использует движок null
leap-billed = ускорение по запросу оплачивается посекундно, и временной ряд показывает каждую секунду
leap-first-touch = данные тома { $volume } загружаются при первом обращении, и со временем их становится всё меньше
leap-cache = для того, что задание { $job } находит в кэше хоста, нет замкнутой формулы: { $why }
leap-cache-sizes = его запросы разного размера, разрезаются чередованием или используют общие данные с заданием, у которого запросы другие
leap-cache-partly = его запросы не заполняют целые блоки, или его файл прогрет частично
leap-cache-order = оно обращается к данным повторно в собственном порядке, а не независимо и случайно
leap-cache-write-back = его данные не помещаются в кэш, где грязные данные доступны для чтения дольше чистых
leap-cache-trims = оно выполняет trim
leap-cache-eviction = кэш вытесняет не то, что дольше всего не использовалось
leap-unsteady = { $volume }, { $direction ->
        [read] чтение
        [write] запись
        [trim] trim
       *[other] { $direction }
    }: показатель «{ $figure }» так и не установился
leap-rate = IOPS
leap-mean = средняя задержка
leap-p99 = 99-й процентиль
leap-tiers = доля попаданий в кэш
leap-backlog = объём данных, ожидающих отложенной записи
leap-changes = состав выполняемых заданий меняется слишком часто
leap-cache-moves = содержимое кэша хоста меняется от интервала к интервалу

## simulate: doubts

doubt-partial = остановлено через { $after } виртуального времени: показатели относятся к этому отрезку
doubt-nothing = не учтено ни одной операции: может быть, ramp_time дольше, чем работают задания?
doubt-job-ended = задание { $job } завершилось досрочно: { $error }
doubt-cold-cache = { $volume }: в кэш хоста попали { $hits } операций чтения, но прогон короче одного прохода по файлам ({ $files } с этой скоростью читаются за { $pass }, прогон длился { $ran }). Увеличьте runtime или задайте `--start warm`, если в рабочей среде кэш заполнен
doubt-idle-disks = { $volume }: в среднем запросов в работе — { $depth }, этого мало, чтобы занять { $disks } { $disks ->
        [one] диск
        [few] диска
        [many] дисков
       *[other] диска
    }; для полной пропускной способности нужно от 8 до 16 на диск (глубина очереди набора = глубина очереди на диск × число дисков)
doubt-varies = { $volume }: IOPS слишком колеблются для надёжного среднего (± { $width }). Проверьте дрейф через `--series 1s`; увеличьте длительность прогона или сузьте интервал через `--seeds 1..8`
doubt-few = { $volume }: для доверительного интервала и p99.9 операций слишком мало ({ $ios }); увеличьте runtime
doubt-leap-error = { $volume }, { $direction ->
        [read] чтение
        [write] запись
        [trim] trim
       *[other] { $direction }
    }: погрешность показателя «{ $figure }» — ± { $known }, а задана ± { $asked }: он меняется, пока кэш заполняется. `--exact` симулирует каждую операцию
doubt-credits-out-at = { $limit }: кредиты ускорения закончились через { $after }; дальше лимит даёт { $sustained }. Показатели усредняют оба режима
doubt-credits-out = { $limit }: кредиты ускорения закончились во время прогона; без них лимит даёт { $sustained }
doubt-on-credits = { $limit }: прогон держится на кредитах ускорения (израсходовано { $spent }); с такой скоростью их хватит всего примерно на { $lasts }, затем лимит опустится до { $sustained }
doubt-dirty = в конце в кэше хоста оставалось { $dirty } грязных данных, ещё не записанных на диск
doubt-first-touch = { $volume }: { $share } запросов ждали данных, которые сначала нужно было загрузить из снимка. К концу оставалось загрузить { $left }, поэтому при более долгом прогоне скорость вырастет.
doubt-first-touched = { $volume }: { $share } запросов ждали данных, которые сначала нужно было загрузить из снимка, последний — спустя { $until } после начала. Дальше скорость выше этих средних.
doubt-guest-merges = { $volume }: здесь { $limit } учитывает каждый запрос. Гостевая ОС, планировщик которой объединяет соседние запросы, отправляет меньше и крупнее; это не моделируется: возможно до { $most } этого размера. Сравните `rrqm/s` или `wrqm/s` в iostat со скоростью

## verify

verify-met =
    { $requirements ->
        [1] единственное требование выполнено
        [one] выполнены все требования ({ $requirements })
        [few] выполнены все { $requirements } требования
        [many] выполнены все { $requirements } требований
       *[other] выполнены все { $requirements } требования
    }
verify-answer = из { $requirements } { $requirements ->
        [one] требования
        [few] требований
        [many] требований
       *[other] требований
    } выполнено { $met }, не выполнено { $not_met }, не доказано { $not_proven }
cause-no-figure = у одного из двух такого показателя нет
cause-agrees = как в прогнозе
cause-less = { $limit } здесь даёт меньше, чем в модели: { $rate }
cause-more = { $limit } здесь даёт больше, чем в модели: { $rate }
cause-noise = в пределах шума прогона: погрешность его среднего — { $error }
cause-doubt = прогон под сомнением: { $doubt }
cause-medium = ни один лимит не достигнут, результат определяет задержка дисков (измерено { $measured }, модель { $model }). Если они расходятся, модель можно подогнать командой `diskwright calibrate`
cause-medium-only = ни один лимит не достигнут, результат определяет задержка дисков
cause-not-predicted = прогноза для этого нет
cause-not-shown = ни один сценарий этого не показывает: `bench --suite checklist`

## calibrate: scenarios that are excluded

excluded-unfinished = не завершён
excluded-mixed = это не один поток: смешаны тома или направления
excluded-throttled = упирается в лимит «{ $limit }»
excluded-no-percentiles = процентилей нет, или они от нескольких заданий, а такие не складываются
excluded-no-median = нет медианы (p50), которая нужна для подгонки, есть только { $percentiles }
excluded-large = запросы больше единицы чередования и ждут самый медленный диск
excluded-not-predicted = прогноз невозможен: в результате не указано, что запрашивалось
excluded-waits-rate = запросы ждут на лимите: при меньшей скорости они завершаются быстрее
excluded-waits-depth = запросы ждут на лимите: меньшая глубина очереди даёт почти те же IOPS

## bench: warnings

warn-governor = регулятор частоты процессоров — `{ $governor }`: частота меняется с нагрузкой. Зафиксировать её: `cpupower frequency-set -g performance`
warn-load = перед запуском средняя загрузка (load average) была { $load } на { $processors } { $processors ->
        [one] процессор
        [few] процессора
        [many] процессоров
       *[other] процессора
    }: работают другие программы. Остановите их или подождите
warn-no-direct = { $volume }: { $path } нельзя прочитать в обход страничного кэша (нет прямого ввода-вывода: { $file_system }), поэтому измеряется память этой машины. Возьмите дисковую файловую систему или устройство{ $size }
warn-no-direct-size = ; файл — { $file }, память — { $memory }
warn-this-file-system = эта файловая система
warn-partial = остановлено досрочно: показатели относятся к пройденной части
warn-client-cpu = задание fio заняло { $busy } процессора, поэтому в результате виден и предел самого fio. Несколько заданий (`numjobs`) поделят работу
warn-machine-cpu = все процессоры вместе были заняты на { $busy }: большего машина не могла. Измеряйте меньшим числом запросов, более крупными запросами или на более мощной машине
warn-others = другие программы во время прогона занимали { $busy } всех процессоров. Остановите их и повторите измерение
warn-short = { $ran } — это мало: кратковременные помехи усредняются за 30 s и больше
warn-few = операций ввода-вывода всего { $ios }: увеличьте длительность прогона (`--runtime`)
warn-drift = скорость изменилась с { $first } в первой трети до { $last } в последней: кредиты ускорения, заполнение кэша или посторонняя нагрузка. Увеличьте длительность прогона или прогрева
warn-page-cache = { $volume }: { $share } файла { $path } лежит в страничном кэше; прямой ввод-вывод его обходит, но закэшированные данные могут тем временем читаться или записываться. Очистить кэш: `sync; echo 1 > /proc/sys/vm/drop_caches`
warn-emulator = эмулятор: { $doubt }
warn-client-late = { $volume }, { $direction ->
        [read] чтение
        [write] запись
       *[other] { $direction }
    }: fio увидел 99-й процентиль { $seen }, а моделируемые диски дали { $given }: клиент или эта машина не успевали
warn-file-size = тестовые файлы на кэшируемых томах занимают вместе { $files }, а кэш хоста вмещает { $cache }: чтение пойдёт мимо кэша. Задайте меньший `--file-size`
warn-timeline = события, заданные в стенде, происходят во время эмуляции; прогноз их не учитывает
warn-no-host-cache = ни у одного тома нет кэша хоста: чтение и запись делят один бюджет ВМ
excluded-page-cache = ввод-вывод шёл через страничный кэш, который скрывает диски: измеряйте с `{ $option }`

## bench: what a curve shows

finding = { $curve }, { $from }: { $shows }
knee = точка перегиба — глубина очереди { $depth }: { $iops } при { $latency }; для 95 % максимума ({ $most }) нужна глубина { $near_depth } при { $near_latency }
crossover = пропускная способность достигает максимума { $throughput } начиная с { $size }; IOPS достигают максимума { $iops } при меньшем размере
rise = до { $load } % нагрузки задержка не превышает удвоенного минимума ({ $lowest }): { $iops } при { $latency }

## Results of benchmarks: what makes the figures less than they seem

result-last-of = последний из { $results } { $results ->
        [one] результата
        [few] результатов
        [many] результатов
       *[other] результатов
    }; каждый считается с начала
result-cut-short = JSON обрывается, не закрывшись: всё после последнего целого результата отброшено
result-damaged = JSON повреждён: { $reason } около `{ $near }`: всё после последнего целого результата отброшено
result-more-lines = рядом с JSON ещё { $lines } { $lines ->
        [one] строка
        [few] строки
        [many] строк
       *[other] строки
    }
result-stopped = симуляция остановлена раньше, чем завершились её задания
result-no-job = заданий нет: fio завершился раньше, чем началось первое
result-job-error = задание `{ $job }` завершилось с ошибкой { $error }
result-no-time = { $direction ->
        [read] чтение
        [write] запись
        [trim] trim
       *[other] { $direction }
    }: для операций ввода-вывода ({ $ios }) fio не указал время, поэтому скорости нет
result-not-steady = запрошенный установившийся режим не достигнут
result-failed = `{ $name }`: с ошибкой { $ios ->
        [one] завершилась
        [few] завершились
        [many] завершились
       *[other] завершились
    } { $ios } { $ios ->
        [one] операция
        [few] операции
        [many] операций
       *[other] операции
    } ввода-вывода

result-note = { $place }: { $note }
result-chosen = { $file }: тестов, выполненных один за другим, — { $tests }; объясняется тест{ $test } с наибольшим числом операций в секунду
result-chosen-test = {" "}`{ $name }` (строка { $line })

## bench: how it differs from the published procedure, and why a scenario failed

scaled = тестовые файлы по { $files } вместо { $published }
scaled-time = { $time } на сценарий вместо { $published }
scaled-both = { $files }, { $time }
warn-swapped = в таблице результатов Iometer из руководства спецификации доступа названы наоборот (RandomWrites_8K — рядом с тем, что читалось, RandomReads_8K — рядом с тем, что записывалось); здесь чтение — то, что спецификация доступа читает
fio-start = не удаётся запустить fio: { $reason }
fio-killed = fio завершён сигналом { $signal }{ $said }
fio-full = диск заполнен: fio не смог записать файл целиком{ $said }
fio-gone = устройство или файл пропали или отказали, пока с ними работал fio{ $said }
fio-vanished = проверяемое устройство или файл пропали: { $what }
seen-gone = { $path } больше нет
seen-other = { $path } подменён другим
seen-folder-gone = папки с { $path } больше нет
seen-folder-other = папка с { $path } стала другой: что-то смонтировано или размонтировано
fio-failed = fio завершился с кодом { $code }{ $said }
fio-stopped = остановлено
fio-said = : { $said }

## observe: what to doubt in a recording; what was seen, what it does to a plan, what to do

effect-none = нет
audit-few = отсчётов всего { $samples }: когда их меньше 100, p99 — это наибольший
audit-too-few = для надёжного p99 отсчётов слишком мало ({ $samples }): настоящее значение может быть выше наибольшего; хватило бы 459
audit-too-few-effect = p99 неточен: смотрите доверительные интервалы
audit-too-few-hint = снимайте данные с этим интервалом не меньше { $time }
audit-coarse = отсчёты — средние за { $interval }, более короткие пики не видны{ $measured }
audit-coarse-measured = : если усреднить по пять отсчётов, p99 падает уже на { $lower }
audit-coarse-effect = p99 и максимум занижены
audit-coarse-hint = в часы пик снимайте данные с интервалом 1 или 2 s
audit-means = среднее по операциям ввода-вывода — { $mean }, среднее из средних по интервалам было бы { $of_means }
audit-means-effect = нет: используется среднее по операциям
audit-merges = { $share } запросов приложения слиты с другими
audit-merges-effect = IOPS относятся к устройству; без слияния (другой планировщик, O_DIRECT) их было бы больше
audit-plateau = { $volume }: { $share } времени в пределах 2 % от максимума ({ $quantity ->
        [throughput] пропускная способность
       *[other] { $quantity }
    }), { $latency }
audit-plateau-slower = задержка при этом { $latency } против { $otherwise } в остальное время
audit-plateau-at = задержка при этом { $latency }
audit-plateau-unknown = задержка неизвестна
audit-plateau-effect = источник упирался в собственный лимит: нагрузка не меньше этой, а может быть и больше
audit-plateau-hint = планируйте с запасом или сделайте замер на более быстрых дисках
audit-closed = { $latency } на запрос при глубине очереди { $depth }: приложение ждало свои диски
audit-closed-effect = на дисках с задержкой 1 ms та же глубина очереди { $depth } запросила бы до { $iops }, если между запросами приложение больше ничего не делает
audit-closed-hint = планируйте с расчётом на большее или повторите замер на новых дисках
audit-memory = чтение, обслуженное из памяти ({ $memory }), в эти показатели не входит
audit-memory-unknown = чтение, обслуженное из памяти, в эти показатели не входит, а объём памяти машины неизвестен
audit-memory-effect = ВМ с меньшей памятью будет больше читать с дисков
audit-memory-hint = добавьте vmstat или sadf -r либо `--memory-total 64GiB`
audit-batch = в { $share } интервалов идут запросы от 256 KiB, впервые — в { $first }; p99 пропускной способности с ними { $with }, без них { $without }
audit-batch-effect = если это резервное копирование или проверка, размер дисков определяют именно они
audit-batch-hint = выделите такую работу в отдельное окно или исключите её: `--window exclude=...`
audit-short = записано { $length }{ $times }: слишком мало для плана
audit-hours = записано { $length }{ $times }: об остальных часах суток ничего не известно
audit-hours-times = , с { $from } до { $to }
audit-hours-effect = план рассчитан только на нагрузку этих часов; если пик приходится на другое время, его не хватит
audit-hours-hint = снимайте данные минимум сутки, лучше с пиком недели или месяца
audit-processors-busy = процессоры были заняты на { $busy } и больше в { $share } отсчётов
audit-processors-busy-effect = ЦП ограничивал нагрузку на диски: на ВМ с бо́льшим числом процессоров она выше
audit-processors-busy-hint = учтите это в плане: `comfort_factor` в requirements.toml и больше процессоров, чем сегодня (`vcpu_min`)
audit-one-volume = { $volume } обслуживает почти все запросы, на чтение из них приходится { $reads }, размер записи в среднем { $size }: если это база данных, возможно, данные и журнал лежат на одном томе
audit-one-volume-effect = для данных и журнала планируется один том: кэш хоста нельзя включить для данных, не включив его для журнала
audit-one-volume-hint = если их можно разделить, снимайте данные по отдельности или разделите том в requirements.toml, указав для журнала `role = "log"`
audit-idle = { $share } времени IOPS ниже 5 % пика: p99 — { $all }, а только за рабочее время — { $busy }
audit-idle-effect = план по p99 за всё время может оказаться мал для рабочего дня
audit-idle-peak = возьмите окно пика
audit-idle-split = разделите замер: `--window load`
audit-disagree = { $device }: по { $one } — { $says }, по { $other } — { $but }
audit-disagree-effect = взяты показатели { $tool }
audit-disagree-hint = проверьте, не разное ли время, не слиты ли запросы и нет ли между ними кэша
audit-agree = { $device }: по { $one } — { $says }, по { $other } — { $but }: расходятся не больше чем на 5 %
audit-locale = в числах десятичная запятая, так они и прочитаны
audit-locale-effect = нет, если разделители тысяч поняты верно
audit-locale-hint = снимайте данные с `LC_ALL=C S_TIME_FORMAT=ISO`
audit-folded = отсчётов больше, чем хранится: процентили посчитаны по всем, точно
audit-folded-within = отсчётов больше, чем хранится: процентили посчитаны по всем, с точностью до { $step } от значения отсчёта
audit-folded-effect = нет; на графиках и во временном ряду одна точка охватывает { $intervals } { $intervals ->
        [one] интервал
        [few] интервала
        [many] интервалов
       *[other] интервала
    }
audit-damaged = { $lines } { $lines ->
        [one] строка не разобрана и пропущена
        [few] строки не разобраны и пропущены
        [many] строк не разобрано и пропущено
       *[other] строки не разобраны и пропущены
    }
audit-damaged-effect = интервалов может не хватать
audit-damaged-hint = с `--strict` это ошибка; первые показаны выше
rate-untimed = запросы перечислены без времени
rate-instant = все запросы относятся к одному моменту, а для скорости нужна длительность
rate-short = трасса длится { $length }, а для скорости нужна хотя бы десятая часть интервала { $interval }
rate-effect = число запросов в секунду, пропускная способность и глубина очереди неизвестны; размеры, доли и случайность известны
rate-untimed-hint = нужна трасса или журнал со временем (fio пишет его в iolog версии 3)
rate-instant-hint = нужна трасса длиннее одного момента
rate-short-hint = нужна более длинная трасса или более короткий интервал: `--every 1ms`
audit-wide = трасса охватывает больше времени, чем хранится интервалов: они длятся { $interval }, а не { $asked }
audit-wide-effect = более короткие пики не видны
audit-wide-hint = оставьте в трассе только важные часы
audit-since-boot = { $lines } { $lines ->
        [one] строка первых отчётов пропущена
        [few] строки первых отчётов пропущены
        [many] строк первых отчётов пропущено
       *[other] строки первых отчётов пропущены
    }: { $example }
audit-since-boot-effect = нет: иначе среднее за несколько дней сошло бы за один интервал
audit-since-boot-hint = если инструмент запускался с -y, укажите `--keep-first`
audit-one-direction = { $figure }: в замере этого нет, хотя есть { $other }
audit-one-direction-effect = по одному направлению ничего не выводится: суммы, доли и средние обоих неизвестны
audit-one-direction-hint = снимайте оба направления
used-disks = диски
used-compared = для сравнения
used-cpu = ЦП
used-memory = память
used-transactions = транзакции
used-pattern = случайный и последовательный доступ
used-nothing = не используется
used-also = { $uses }, { $also }
audit-missing = { $figure }: { $devices }
audit-missing-all = у { $device } этого нет
audit-missing-some = у { $device } нет в { $lacking } из { $all } { $all ->
        [one] интервала
        [few] интервалов
        [many] интервалов
       *[other] интервалов
    }
audit-missing-more = ещё { $devices } { $devices ->
        [one] устройство
        [few] устройства
        [many] устройств
       *[other] устройства
    }
audit-missing-effect = данных нет, это не ноль: суммы и средние, которым они нужны, пропускают такие интервалы
audit-missing-hint = снимайте и эти данные или выберите устройства, у которых они есть: `--volume NAME=DEVICES`
audit-times = { $what }, { $times } { $times ->
        [one] раз
        [few] раза
        [many] раз
       *[other] раза
    }{ $example }
audit-example = {" "}({ $example })
audit-reset = счётчики пошли назад
audit-reset-effect = интервалы вокруг этого места пропущены
audit-restart = машина или сбор данных перезапускались
audit-restart-effect = ни один интервал не проходит через перезапуск
audit-impossible = пропущены показатели, невозможные ни для какого устройства
audit-impossible-effect = их записал драйвер или сброс счётчиков
audit-processors = число процессоров изменилось
audit-processors-effect = проценты ЦП до и после — не одно и то же
audit-came-went = { $devices }: { $counted }
audit-came = появились позже: { $devices }
audit-went = исчезли: { $devices }
audit-holes = между строками устройства не хватает строк: { $lines }
audit-counted-idle = на это время учтён простой
audit-counted-hole = на это время учтено: { $word }{ $but }
audit-counted-both = до и после учтён простой, в промежутке — { $word }{ $but }
audit-counted-but = , из них неизвестно — { $lines }: там не разобрана строка
audit-idle-word = простой
audit-unknown-word = неизвестно
audit-came-went-effect = процентили такого устройства относятся ко времени, когда оно было; суммы пропускают неизвестные интервалы
audit-came-went-hint = повторите замер со всеми подключёнными устройствами
audit-idle-left-out = строк простаивавших устройств нет в записи (`-z`): { $lines }; учтён простой{ $but }
audit-idle-left-out-effect = нет; для устройства, подключённого позже, до этого учтён простой
audit-assumed = интервал в файле не указан: принята одна секунда
audit-assumed-effect = скорости верны, а Δt и длительность замера — нет
audit-inferred = интервал { $interval } определён по десятичным знакам скоростей
audit-inferred-effect = нет, если интервал верен
audit-interval-hint = укажите его, например `--every 2s`; `iostat -t` его записывает
audit-peaks = отсчёты — пики более коротких отсчётов, средних нет
audit-peaks-effect = процентили пиков завышены — до трети
audit-peaks-too = рядом со средними есть отсчёты-пики более коротких отсчётов; они пропущены
audit-peaks-hint = экспортируйте средние
audit-spans = { $intervals } { $intervals ->
        [one] интервал намного отличается
        [few] интервала намного отличаются
        [many] интервалов намного отличаются
       *[other] интервала намного отличаются
    } от обычного ({ $usual }): { $example }
audit-spans-effect = в процентилях каждый взвешен по длине; длинные скрывают свои пики
audit-coarsened = { $device } записан с интервалом { $over }, остальное — с интервалом { $finer }: всё усреднено за { $over }
audit-coarsened-effect = суммы не меняются; пики короче { $over } не видны
audit-coarsened-hint = записывайте всё с одним интервалом короче { $over } или каждый том отдельно
audit-utilisation = %util — доля времени, когда есть хотя бы один запрос; он не использован
audit-utilisation-effect = нет: диск, который обслуживает несколько запросов сразу, при 100 % ещё не загружен полностью
audit-tick = ядро ({ $kernel }) опрашивает %util раз в тик
audit-over = %util больше 100 % в { $lines } { $lines ->
        [one] строке
        [few] строках
        [many] строках
       *[other] строках
    } ({ $example })
audit-unused-effect = нет: показатель не использован
audit-service = svctm вычисляется из %util и ничего не значит, поэтому не учтён
audit-depth = длина очереди в выводе инструмента неверна в { $lines } из { $all } { $all ->
        [one] строки
        [few] строк
        [many] строк
       *[other] строк
    }{ $fault }: { $example }
audit-depth-fault = {" "}(ошибка Linux 5.0–5.6)
audit-depth-effect = нет: глубина очереди — это скорость × задержка
audit-depth-hint = aqu-sz из этого замера не используйте и в других местах
audit-latency-alone = задержки без числа запросов/с, строк: { $lines }
audit-latency-alone-effect = средняя задержка и глубина очереди неизвестны: они взвешиваются по запросам
audit-latency-alone-hint = записывайте и запросы, например `dstat --io --disk-wait` или `iostat -x`
audit-discards = requests/s включают discard в { $lines } { $lines ->
        [one] строке
        [few] строках
        [many] строках
       *[other] строках
    }
audit-discards-effect = IOPS завышены на число операций discard
audit-discards-hint = iostat -x считает их отдельно
audit-only-discards = операции discard есть в { $lines } { $lines ->
        [one] строке
        [few] строках
        [many] строках
       *[other] строках
    }
audit-flushes = операции flush есть в { $lines } { $lines ->
        [one] строке
        [few] строках
        [many] строках
       *[other] строках
    }, операции discard — в { $discards }
audit-flushes-effect = у них отдельные строки чек-листа; запись журнала ждёт flush
audit-dataless = до { $share } операций записи, которые насчитало ядро, — это flush без данных
audit-dataless-effect = IOPS записи могут быть завышены на эту долю, а размер записи занижен
audit-dataless-hint = запишите с `observe --trace`: трассировка их различает
audit-dataless-traced = { $share } операций записи, которые насчитало ядро, — это flush без данных: так показывает трассировка
audit-dataless-traced-effect = нет: в IOPS записи здесь они не входят
audit-implausible = показатели, невозможные ни для какого диска, строк: { $lines }; { $example }
audit-implausible-effect = показатель повреждён, или единица столбца не та, что в его имени; план по нему будет так же неверен
audit-units = пропускная способность, скорость и размер не сходятся в { $figures } из { $all } { $all ->
        [one] показателя
        [few] показателей
        [many] показателей
       *[other] показателей
    }: { $example }
audit-units-effect = пропускная способность или размер операции могут отличаться на 2,4 % (kB вместо KiB) или 4,9 % (MB вместо MiB)
audit-units-factor = пропускная способность и размеры операций, которые из неё вычислены, могут быть завышены в { $factor } раз: единица столбца не та, что в его имени
audit-units-factor-less = пропускная способность и размеры операций, которые из неё вычислены, могут быть занижены в { $factor } раз: единица столбца не та, что в его имени
audit-units-hint = проверьте единицы измерения инструмента
audit-twice = не учитываются: { $devices }{ $more }
audit-twice-more = {" "}и ещё { $devices }
audit-twice-is = { $device } ({ $why })
audit-twice-effect = нет, если это так: иначе их ввод-вывод учли бы дважды
audit-twice-hint = выберите устройства: `--volume data=sdb,sdc`
audit-layers = { $above } и { $below } учтены вместе, хотя одно может лежать на другом
audit-layers-effect = сумма по всем томам может быть завышена
audit-layers-hint = выберите устройства: `--volume NAME=DEVICES`
audit-counted = учитываются: { $devices }
audit-counted-effect = если устройство лежит на остальных, его ввод-вывод учтён дважды
audit-counted-hint = если это так, исключите его: `--volume exclude={ $device }`
audit-not-counted = не учитываются: { $devices }
audit-not-counted-effect = если это самостоятельный диск, его ввода-вывода не хватает
audit-not-counted-hint = если это так, учтите его: `--volume NAME={ $device }` и по одному `--volume` для каждого из остальных
audit-device = { $device }: { $why }
audit-more = ещё { $devices }
audit-consumed = { $limit }: 95 % и больше в { $readings } из { $all } { $all ->
        [one] отсчёта
        [few] отсчётов
        [many] отсчётов
       *[other] отсчётов
    }, максимум — { $most }
audit-consumed-effect = настоящая нагрузка больше записанной: показатели — нижняя граница
audit-consumed-hint = планируйте с запасом или сделайте замер на более крупных дисках
audit-credits-effect = кредиты всплесков исчерпаны: дальше замер показывает то, что пропускает предел, а не спрос
audit-credits-hint = оставьте запас без всплесков или сделайте замер на более крупных дисках
audit-credits-some = { $metric }: максимум — { $most }
audit-credits-some-effect = часть нагрузки обслужена за счёт кредитов всплесков, а они есть не всегда
audit-zones = в одних файлах местное время без часового пояса, в других пояс указан: они не объединены
audit-local-times = время местное, без часового пояса: окна отсчитываются по этим часам
audit-zone-effect = при переводе часов один час учитывается дважды или пропадает
audit-zone-hint = укажите `--utc-offset +02:00`
audit-unjoined = { $sources } { $sources ->
        [one] источник не пересекается
        [few] источника не пересекаются
        [many] источников не пересекаются
       *[other] источника не пересекаются
    } по времени с дисками: эти показатели не присоединены
audit-unjoined-effect = окна пропускают отсчёты, которые нельзя привязать ко времени
audit-unjoined-hint = снимайте данные со временем: `iostat -t`, `vmstat -t`
audit-silence = ни к одному устройству не обращались в течение { $time }: { $stretches } { $stretches ->
        [one] промежуток
        [few] промежутка
        [many] промежутков
       *[other] промежутка
    } дольше { $longer } min ({ $example })
audit-silence-effect = считается, что в это время трасса не снималась: если это был простой, процентили за всё время были бы ниже
audit-silence-hint = проверьте метку времени этой строки: такой разрыв бывает из-за повреждённой метки
audit-gaps = не хватает { $time }: { $gaps } { $gaps ->
        [one] разрыв
        [few] разрыва
        [many] разрывов
       *[other] разрыва
    } ({ $example })
audit-gaps-effect = разрывы ничем не заполняются; процентили относятся ко времени, за которое есть данные
audit-late = { $readings } { $readings ->
        [one] отсчёт пришёл
        [few] отсчёта пришли
        [many] отсчётов пришли
       *[other] отсчёта пришли
    } после более поздних, уже свёрнутых
audit-late-effect = они учтены, но два отсчёта одного момента учтены дважды, а окна начинаются с первого файла
audit-late-hint = обрежьте файлы там, где они пересекаются по времени, и укажите каждый один раз
audit-back = время идёт назад { $times } { $times ->
        [one] раз
        [few] раза
        [many] раз
       *[other] раза
    } ({ $example })
audit-back-effect = отсчёты упорядочены; два отсчёта одного момента считаются одним
audit-back-hint = порядок файлов любой, но каждый указывайте один раз
audit-repeated = { $readings } { $readings ->
        [one] отсчёт относится
        [few] отсчёта относятся
        [many] отсчётов относятся
       *[other] отсчёта относятся
    } к моменту, для которого отсчёт уже был: оставлен первый
audit-repeated-effect = половина часа, который повторяется осенью, потеряна
audit-repeated-hint = снимайте данные в UTC

## emulate: whether a run is to be trusted, and why not

trust-open =
    { $completions ->
        [0] ещё нет завершённых операций: судить об этой машине рано
        [one] завершена { $completions } операция: судить об этой машине рано
        [few] завершены { $completions } операции: судить об этой машине рано
        [many] завершено { $completions } операций: судить об этой машине рано
       *[other] завершено { $completions } операции: судить об этой машине рано
    }
trust-kept = эта машина успевает: доля операций, опоздавших больше чем на 50 µs и на десятую долю своей задержки, — { $share } (всего операций: { $completions }); 99-й процентиль: { $seen } у клиентов, { $modelled } в модели
trust-doubted = ДОВЕРЯТЬ НЕЛЬЗЯ: доля операций, опоздавших больше чем на 50 µs и на десятую долю своей задержки, — { $share } (всего операций: { $completions }); 99-й процентиль: { $seen } у клиентов, { $modelled } в модели
late-tail = клиенты увидели 99-й процентиль { $seen }, а моделируемые диски дали { $modelled }; эта машина слишком занята или слишком медленна для таких дисков
late-many = { $share } операций завершились с опозданием больше 50 µs и больше десятой доли своей задержки: половина всех — на { $half } и больше, одна из ста — на { $hundredth }; эта машина слишком занята или слишком медленна для таких дисков
late-host = для { $share } запросов собственному диску этой машины потребовалось больше времени, чем моделируемому: держите данные в памяти или на более быстром диске

## observe: why a device is counted or not

device-excluded = исключено
device-not-named = не названо в --volume
device-member = входит в { $volume }, который учитывается
device-part = раздел диска { $disk }, который учитывается
device-part-of-layer = раздел диска { $disk }, входит в его ввод-вывод
device-layer =
    { $kind ->
        [logical-volume] логический том
        [mapped-device] сопоставленное устройство (device mapper)
        [multipath] многопутевое устройство
        [volume] том
        [array] массив
        [vxvm-volume] том VxVM
        [cache] кэш
        [zfs-volume] том ZFS
        [mirror] зеркальное устройство
        [encrypted] зашифрованное устройство
        [docker] устройство Docker
       *[other] { $kind }
    }: ввод-вывод тот же, что у дисков под ним, а они учитываются
device-loop = ввод-вывод тот же, что у диска, на котором лежит его файл
device-path = один из путей к { $device }, который учитывается
device-sum = сумма остальных
device-in-sum = его ввод-вывод входит в { $sum }, а эта сумма учитывается
device-twin = передаёт те же байты, что { $twin }, который учитывается
device-twin-of = передаёт те же байты, что { $disks }, которые учитываются
device-unnamed = по имени не понять, лежит ли оно на { $disks }
device-beyond = { $share } его ввода-вывода сверх того, что в это же время делали { $disks }: значит, оно на них не лежит
device-named-layer = судя по имени, оно лежит на { $disks }, но { $share } его ввода-вывода сверх того, что делали они
device-own = имя ничего не говорит, а { $share } его ввода-вывода сверх того, что делали { $disks }: считается самостоятельным диском
device-follows = его ввод-вывод растёт и падает вместе с вводом-выводом { $disks } и никогда его не превышает
device-too-little = имя ничего не говорит, а данных слишком мало, чтобы понять, лежит ли оно на { $disks }
device-apart = имя ничего не говорит, а его ввод-вывод не растёт и не падает вместе с вводом-выводом { $disks }
device-disks = { $disks }
device-disks-more = { $disks } и ещё { $more }

## observe: pitfalls in a few words

pitfall-since-boot = отчёт с момента загрузки
pitfall-reset = счётчики начались заново или неправдоподобны
pitfall-coarse = интервалы скрывают пики
pitfall-latency-means = средним задержкам нужны веса
pitfall-utilisation = %util — это не нагрузка
pitfall-service-time = время обслуживания ничего не значит
pitfall-utilisation-inflated = %util завышен
pitfall-queue-field = длина очереди в выводе неверна
pitfall-units-mixed = единицы не сходятся
pitfall-double-counting = один ввод-вывод на нескольких устройствах
pitfall-merges-count = запросы слиты
pitfall-throttled = источник упирался в лимит
pitfall-closed-loop = медленные диски сдерживают нагрузку
pitfall-page-cache = часть чтения обслужил страничный кэш
pitfall-batch = в замере есть крупные последовательные операции
pitfall-zone = время без часового пояса
pitfall-gap = пробелы во времени
pitfall-locale = десятичные запятые
pitfall-idle = простой размывает процентили
pitfall-flush-discard = операции flush и discard
pitfall-too-few = слишком мало интервалов
pitfall-disagree = два инструмента расходятся
pitfall-damaged-lines = повреждённые строки
pitfall-folded = замер не помещается в памяти целиком
pitfall-missing = недостающие показатели
pitfall-hours = не хватает части суток
pitfall-processors = узким местом были процессоры
pitfall-data-and-log = данные и журнал на одном томе
pitfall-interval-unknown = интервала нет в файле

## Scenarios: what their reader wants known

rig-uncached-shared = принято, что у дисков Premium SSD v2 и Ultra общий лимит без кэша с остальными дисками — больший из двух; как они делят его на деле, не опубликовано; `uncached_sharing = "separate"` в [vm] складывает оба
rig-uncached-separate = принято, что лимит без кэша дисков Premium SSD v2 и Ultra прибавляется к лимиту остальных дисков (`uncached_sharing = "separate"`); как они делят его на деле, не опубликовано
rig-unknown-limits = лимиты { $key } размера { $size } неизвестны (редакция { $edition }) и считаются неограниченными: задать их можно строкой `gates.{ $key } = {"{"} iops = ..., throughput = ... {"}"}` в [vm]
rig-derived = { $size }: { $field }: { $rule }
rig-from-snapshot = Том { $volume } создан из снимка: блок в { $block }, которого ещё нет на месте, при первом обращении загружается { $time } (по измерениям в один поток). Это учитывают симуляция, эмуляция, `explain` и оценки; планы считают, что все данные на месте.
rig-remark = { $size }: { $remark }
rig-unequal = { $volume }: в чередующемся наборе диски разного размера; как в RAID-0 у mdadm, первую часть делят все, а остальное — только более крупные
rig-local-disks = { $volume }: чередующийся набор из локальных дисков { $size } (дисков: { $disks }), у каждого своя доля указанных лимитов, общих для всех
rig-local-reads = { $volume }: для локальных дисков { $size } указано только чтение; запись обычно медленнее
rig-local-apart = { $volume }: чтение и запись локальных дисков указаны отдельно; принято, что смешанная нагрузка получает в сумме не больше старшего из двух, а каждое направление — не больше своего
rig-busiest = из замера длиной { $whole } в симуляцию взят самый нагруженный участок — { $span }
rig-null-engine = заданий с ioengine=null — { $jobs } из { $all }: такие запросы завершаются без диска, поэтому видны не в томах, а в JSON от fio
job-warning = { $place }: `{ $option }`: { $what }
job-byte-order-mark = метка порядка байтов: fio принимает её за опцию и на этом останавливается; здесь она пропущена
job-only-global = в файле больше ничего нет, и fio не запускает для него ни одного задания; здесь он выполняется как одно задание
job-only-global-unused = в файле больше ничего нет, и fio не запускает для него ни одного задания, а на другие файлы и `--name` его опции не действуют
job-not-a-range = это не диапазон: первое значение fio берёт для чтения, второе — для записи и trim
job-thousands = означает { $reads } для чтения и { $writes } для записи и trim: запятая для fio не разделяет разряды
job-not-sectors = не кратно 512, размеру сектора: с direct=1 диск отклоняет такой запрос
job-profile-option = относится к встроенному профилю fio; fio принимает эту опцию где угодно и никак её не использует
job-blank-value = после `=` стоит пробел; значение прочитано так, как его читает fio
job-reversed-unit = счёт идёт в тысячах: для fio `{ $word }` — десятичная единица, а `{ $short }` — двоичная, если не задано kb_base=1000
job-overridden = важнее, чем `{ $earlier }` из командной строки: её опции — значения по умолчанию, как в fio
job-further-file = это не первый файл заданий: опции командной строки fio применяет только к первому
job-further-file-section = это не первый файл заданий: --section и другие опции fio применяет только к первому
job-left-out = раздел пропущен ({ $why }); время, которое он занимает, не моделируется
job-processor-only = занимает только процессор, ввода-вывода нет
job-names-only = работает с именами и размерами файлов, данные не передаёт
job-split-range = указан диапазон, а fio берёт из него только первый размер
job-split-sum = проценты в сумме не дают 100; fio выполняет { $issued }
job-exit-all = включает опцию: на значение fio не смотрит
job-file-size-open = размер файла не задан: fio берёт размер существующего файла, а если его нет, останавливается; здесь размер — { $size }, всё свободное место тома `{ $volume }`
job-working-folder = для `{ $path }` не указано место: fio берёт рабочую папку; здесь это том `{ $volume }`
job-beyond-volume = больше, чем остаётся на томе `{ $volume }` от этого места ({ $left }); fio не выходит за пределы устройства
job-buffered-engine = работает через страничный кэш гостевой ОС
job-buffered = fio идёт через страничный кэш гостевой ОС, потому что не задано direct=1
job-buffered-durable = { $how }: здесь за каждой записью следует свой flush, на котором она завершается, а чтение — как при прямом вводе-выводе; журнал файловой системы не моделируется
job-buffered-fsync = { $how }: здесь каждая запись отправляется сразу, а fsync ждёт предыдущие записи и затем делает flush; слияние соседних записей и журнал файловой системы не моделируются
job-buffered-mmap = { $how }, что не моделируется; результат — для прямого ввода-вывода по одному запросу
job-buffered-plain = { $how }; страничный кэш не моделируется, результат — для прямого ввода-вывода
job-synchronous = ни на что не влияет: `ioengine={ $engine }` выполняет запросы по одному
job-polling = заставляет fio ждать завершения после каждого запроса: в работе один запрос, а не { $depth }
job-verifies-nothing = ничего не перечитывается: запись занимает всё время прогона, как в fio
job-no-steady-state = без steadystate_duration ни на что не влияет: fio не ищет установившийся режим
job-flow-below-zero = меньше нуля, как требовалось до fio 3.0; fio 3.33 читает это как число без знака
job-time-based = без `runtime` ни на что не влияет: задание завершается, когда выполнен его объём
job-rate-overrides-mix = действует и для чтения, и для записи: пока диски успевают, на чтение приходится { $percent } % операций, что бы ни задавало rwmixread={ $said }
job-map-off = отключает карту случайного доступа (random map): одни блоки могут повторяться, другие — остаться нетронутыми
job-open-files = не моделируется: открытыми остаются все файлы ({ $files })
job-stats = не моделируется: задание попадает в результат
job-directions-apart = не моделируется: направления показаны отдельно
job-no-place = место не указано: была бы рабочая папка; здесь это том `{ $volume }`
job-size-unsaid = файл неизвестного размера; здесь размер — { $size }, всё свободное место тома `{ $volume }`
job-network-worker = сетевой исполнитель (network worker), он пропущен
job-repeats = выполняется { $runs } { $runs ->
        [one] раз
        [few] раза
        [many] раз
       *[other] раза
    } по { $each } s, всего { $all } s
job-no-latency-switch = нет -L: DiskSpd не показал бы задержку; здесь она показана
job-burst-beside-rate = рядом с -g ни на что не влияет: DiskSpd смотрит только на скорость
job-rate-of-threads = это байты в миллисекунду для каждого потока на каждом файле или диске: { $rate }, или { $iops } по { $size }
job-rate-overflows = переполнение: DiskSpd вычисляет { $iops } × { $size } в 32 битах и получает { $kept }
job-rate-rounds-to-zero = ничего не ограничивает: { $rate } DiskSpd округляет вниз до 0 B/ms
job-rate-rounds = DiskSpd хранит это как { $kept }, то есть { $iops }
job-one-thread = при одном потоке ни на что не влияет
job-same-blocks = доступ последовательный в каждом потоке (потоков: { $threads }): каждый начинает с начала, и все обращаются к одним и тем же блокам
job-one-request = при одном запросе в работе ни на что не влияет
job-remote-cache = кэширует только на удалённой стороне; здесь до дисков доходит каждый запрос
job-file-cache = оставляет включённым файловый кэш гостевой ОС, который не моделируется: здесь до дисков доходит каждый запрос
job-no-number = число не указано: DiskSpd берёт 0
job-number-then-text = для DiskSpd это { $number }: дальше цифр он не читает
job-skew-without-rate = распределяет по нагрузкам на разных хранилищах доли скорости, которая не задана; здесь каждая работает как может быстро
job-threads-all = потоки ({ $threads }) общие для всех нагрузок ({ $workloads }); здесь каждая может занять все потоки
job-threads-part = потоки ({ $threads }) общие для всех нагрузок ({ $workloads }); здесь у каждой своя часть потоков
job-whole-rates = даёт { $rate } операций в секунду на нагрузку и хранилище; здесь { $whole } — целое число для каждого направления
job-no-effect = `{ $flag }` здесь ни на что не влияет
job-page-cache = идёт через страничный кэш гостевой ОС, который не моделируется: здесь до диска доходит каждый запрос
job-max-data = завершает прогон после заданного числа байтов; здесь он идёт всё своё время
job-uniform-gaps = берёт паузы равномерно от нуля до удвоенного среднего; здесь они экспоненциальные
job-files-in-folders = работает с файлами в папках: здесь они считаются одним диапазоном, а открытие, закрытие и операции с папками ничего не стоят
job-after-blank = стоит после пробела, где у vdbench комментарий, и не читается
unused-latency = ни один диск здесь не использует модель из каталога
unused-stripe = у { $volume } один диск
unused-cached = ни один том не кэшируется и не лежит на временном диске
unused-uncached = ни один том не лежит на удалённых дисках
unused-uncached-own = все удалённые диски — Premium SSD v2 или Ultra, у них свой лимит: `gates.uncached-v2`
unused-v2 = ни один том не лежит на дисках Premium SSD v2 или Ultra
unused-local = ни один том не лежит на локальных дисках
unused-sharing = нет томов на дисках обоих видов: Premium SSD v2 или Ultra и остальных
unused-cache = ни у одного тома нет `host_cache`
unused-write-back = ни у одного тома нет `host_cache = "ReadWrite"`
unused-write-allocate = ни у одного тома нет `host_cache = "ReadOnly"`
unused-warm = у { $volume } нет `host_cache`
unused-credits = ни у одного лимита здесь нет ускорения на кредитах
unused-level = ни у одного лимита { $place } нет ускорения на кредитах
unused-models = `latency` ни одного диска не ссылается на { $names }

## observe: notes of rows, and what would fill an unknown one

note-means = процентили средних за { $interval }, а не отдельных операций; интервалы простоя не учтены
note-little = скорость × задержка (закон Литтла)
note-sizes = процентили средних за { $interval }: крупные и мелкие запросы одного интервала смешаны
note-no-request = запросов нет
note-least = наименьшее среднее за { $interval } в каждых { $seconds } s: верхняя граница самой быстрой операции
note-most = наибольшее среднее за { $interval } в каждых { $seconds } s
note-counter = { $counter }; наибольшее в каждых { $seconds } s
note-iops = это IOPS, потому что ни один источник не считает транзакции; { $most }
note-no-cpu = ни в одном источнике нет данных о ЦП
note-no-memory = ни в одном источнике нет данных о памяти
note-memory = total - available
note-memory-bound = total - free - buffers - cache: нижняя граница
note-cpus = 100 % — это все процессоры ({ $processors })
note-pattern = { $level }, запросов: { $requests }; последовательный — продолжает один из последних 64 в пределах 128 KiB; по байтам — { $bytes } %{ $asked }
note-pattern-asked = ; по собственным запросам приложения — { $share }
note-merged = { $share } запросов слиты до устройства: доступ в основном последовательный
note-large = средний размер — { $size }: доступ последовательный или близкий к нему
fill-busy = снимайте данные, пока приложение работает
fill-directions = iostat -x, PerfMon или `diskwright observe` на живой машине разделяют чтение и запись
fill-latencies = iostat -x, PerfMon или `diskwright observe` на живой машине дают задержки
fill-kernel = `diskwright observe` на живой машине с ядром, которое их считает
fill-live = iostat -x, PerfMon или `diskwright observe` на живой машине
fill-transactions = счётчики SQL в PerfMon (Batch Requests/sec, Transactions/sec)
fill-cpu = дополнительно iostat или vmstat либо `diskwright observe` на живой машине
fill-memory = vmstat с --memory-total, sadf -r или `diskwright observe` на живой машине

# audit
estate-beyond-gate = куплено { $bought }, а { $gate } у { $size } пропускает { $passed }: { $never } одновременно использовать нельзя
estate-beyond-burst = куплено { $bought }; { $gate } у { $size } постоянно пропускает { $base }, а до { $passed } только при ускорении: { $never } одновременно использовать нельзя
estate-in-bursts = куплено { $bought }; { $gate } у { $size } постоянно пропускает { $passed }, а до { $burst } только при ускорении
estate-given-beyond-gate = есть { $gives }, считая то, что входит в каждый диск без оплаты; { $gate } у { $size } пропускает { $passed }
estate-given-beyond-burst = есть { $gives }, считая то, что входит в каждый диск без оплаты; { $gate } у { $size } постоянно пропускает { $base }, а до { $passed } только при ускорении
estate-given-in-bursts = есть { $gives }, считая то, что входит в каждый диск без оплаты; { $gate } у { $size } постоянно пропускает { $passed }, а до { $burst } только при ускорении
estate-slots = дисков данных: { $disks }; { $size } принимает { $slots }
estate-slots-beside = дисков данных { $disks }, а { $size } принимает { $slots } при сетевых интерфейсах: { $interfaces }
estate-kind-refused = { $size } не принимает { $kind }
estate-not-taken = { $size } его не принимает: { $why }
estate-too-small = он даёт не больше { $gives }; { $kind } даёт { $most } начиная с { $from }
estate-steady = судя по имени, у { $disk } постоянная нагрузка, а { $gate } у { $size } постоянно пропускает { $base }: большего хватает на { $minutes } мин в сутки
estate-daily = оплачено { $bought }; { $gate } у { $size } постоянно пропускает { $base }, а больше — только { $minutes } мин в сутки
estate-other-promise = { $kind } того же размера с { $iops } и { $throughput } стоит { $monthly } в месяц, этот { $own }; у этого: { $has }; там: { $gets }
estate-previous = у поставщика { $size } значится среди типов прежнего поколения
estate-prices-of = { $says } (цены на { $month })
estate-cache-refused = диск такого типа или размера ({ $what }) никогда не кэшируется, а задан { $mode }
estate-not-open = машина не принимает { $kind }: параметр выключен
estate-unequal = { $disks } похожи на один чередующийся набор, но различаются: каждый даёт столько, сколько самый медленный, { $slowest }
estate-unequal-sizes = { $disks } похожи на один чередующийся набор, но различаются размером: от каждого используется { $least }, { $lost } не используются никогда, и каждый даёт столько, сколько самый медленный, { $slowest }
estate-not-sold = так он не продаётся: { $why }
estate-no-zone-has = в { $region } { $kind } есть только вне зон, а он в зоне { $zone }
estate-needs-zone = в { $region } { $kind } должен быть в зоне, а он вне зон
estate-not-there = { $size } не продаётся в { $region } (записи за { $month })
estate-there-against-records = в записях за { $month } нет { $size } в { $region }, а он там есть: он появился позже или в них пропущен
estate-not-in-zone = { $size } продаётся в зонах { $zones } региона { $region }, а он в { $zone } (записи за { $month }; номера зон у подписок различаются)
estate-node-disk = системный диск узла удалённый: его делят контейнеры, а у { $size } есть { $local } локального диска
estate-burst-only = когда кредиты истрачены, он даёт { $base }; { $burst } при полной нагрузке хватает на { $minutes } мин
estate-no-host-cache = задан { $mode }, а у { $size } нет кэша хоста
estate-not-accelerated-by = для диска включено ускорение записи, а у { $size } его нет
estate-not-accelerated-kind = включено ускорение записи, которого у { $kind } нет
estate-not-accelerated-cache = ускорение записи включено при кэше хоста { $mode }: нужен None или ReadOnly
estate-not-accelerated-beyond = ускорение записи включено для большего числа дисков, чем ускоряет { $size }: { $most }
estate-no-system = на { $kind } такого размера операционной системы не бывает
estate-unknown-size = в каталоге нет { $size }: о его лимитах и цене ничего не сказано
estate-unknown-kind = в каталоге нет вида дисков { $kind }: о его скоростях и цене ничего не сказано
estate-unattached = он ни к чему не подключён ({ $what })
estate-beside-unasked = { $says } (что из этого записи никогда не запрашивают, учтено в отдельной находке)
estate-released = машина выключена, а её диски оплачиваются
estate-stopped = машина остановлена, но не освобождена: её размер оплачивается
estate-other-kind = { $kind } того же размера с { $iops } и { $throughput } стоит { $monthly } в месяц, этот { $own }
estate-tier-unused = уровень { $tier } оплачивается, а { $size } пропускает не больше { $passed } и { $bytes }, что даёт и собственный уровень диска
estate-bursts-unused = ускорение оплачивается, но не случается: { $size } пропускает не больше { $passed } и { $bytes }, что диск даёт и без него
estate-other-size = у { $other } столько же процессоров, не меньше памяти и не ниже лимиты за { $monthly } в месяц; { $size } стоит { $own }
estate-just-above = { $size } оплачиваются как { $billed }; { $below } вмещает { $most }
estate-open-for-nothing = машина принимает { $kind }, но таких дисков у неё нет: за это взимается плата с каждого vCPU
estate-open-for-nothing-at = машина принимает { $kind }, но таких дисков у неё нет: за это взимается плата с её vCPU, всего { $monthly } в месяц
estate-read-write = ReadWrite на диске данных: записи, которые удерживает хост, теряются вместе с ним
estate-log-cache = ReadOnly на журнале: журнал почти не читают, а его записи ничего не выигрывают
estate-local-system = её системный диск локальный: он теряется при переезде машины
estate-zones-differ = диск в зоне { $zone }, его машина в { $own }
estate-regions-differ = диск в { $region }, его машина в { $own }: диск из другого региона не подключить, значит, одна из описей неверна или устарела
estate-not-encrypted = шифрование на узле выключено: кэши и локальные диски не шифруются
estate-shared-cache = задан { $mode } на диске, который делят машины (не больше { $shares })
estate-lesser-promise = машине с { $kind } обещано { $promise } месяца, а только с лучшими дисками { $better } ({ $page })
estate-evictable = поставщик может забрать машину в любой момент, а у неё есть диски данных
estate-dies = диск данных удаляется вместе с машиной
estate-retired = { $size } выведен из эксплуатации { $date }
estate-no-way-on = ни один остающийся размер не заменит { $size } на месте; для { $other } нужно: { $takes }
estate-committed = она работает за { $own } в месяц по мере использования; { $commitment }: { $monthly }
estate-licence = её лицензия Windows оплачивается почасово, { $monthly } в месяц
estate-no-price = в { $region } неизвестна цена: { $what }
estate-image-licence = образ машины продаётся с { $licence }, цена которого неизвестна: { $size } в { $region } считается без цены
estate-without-licence = { $says }; обе цены без { $licence }, который образ добавляет к любой из них
estate-no-reservation = { $size } с { $since } больше нельзя зарезервировать (страница от { $page })
estate-waiver-over = исключение { $code } от { $owner } закончилось { $until } ({ $reason })
estate-waiver-unused = исключение { $code } от { $owner } не подходит ни к одной находке
estate-stripe-no-machine = { $file }: ни одна машина этих описей не называется `{ $machine }`: её страйп ни на что не влияет
estate-stripe-no-disk = { $file }: у `{ $machine }` нет диска с именем `{ $disk }`: страйп учтён без него
estate-only-no-machine = `--only { $pattern }` не подходит ни к одной машине этих описей
estate-only-no-disk = `--only { $pattern }` не подходит ни к одному диску этих описей
estate-part = в { $file } записей лишь { $records } из { $total }: остальные не проверены; получите все страницы и передайте и эти файлы
estate-part-unknown = { $file } сообщает, что он урезан (`resultTruncated`): записей в нём { $records }, остальные не проверены; получите все страницы и передайте и эти файлы
remedy-size = сменить размер на { $size }
remedy-dearer = { $what }, на { $more } в месяц дороже
remedy-cheaper = { $what }, на { $less } в месяц дешевле
remedy-unpriced = { $what }; разница в цене неизвестна
remedy-local-lost = { $what }; данные на локальных дисках теряются
remedy-local-smaller = { $what }; данные на локальных дисках теряются, и новые вмещают { $local } вместо { $own }
remedy-cache-smaller = { $what }; кэш хоста вмещает { $cache } вместо { $own }
remedy-guide = ни один современный размер того же класса не заменит его как есть: следовать руководству поставщика по переносу
remedy-buy-less = купить всего { $rate }
remedy-fewer = дисков данных не больше: { $disks }
remedy-cache = задать кэш хоста { $mode }
remedy-switch-on = разрешить машине { $kind }
remedy-switch-off = выключить
remedy-delete = удалить его или оставить снимок
remedy-deallocate = освободить её
remedy-kind = сделать его { $kind }
remedy-tier = вернуть уровень { $tier }
remedy-commit = взять обязательство: { $commitment }
remedy-licence = использовать собственную лицензию, если она есть
remedy-disk-zone = создать диск заново в зоне { $zone } из снимка
remedy-machine-zone = создать машину заново в зоне { $zone }
remedy-no-zone = создать машину и диск заново вне зон или взять другой вид дисков
remedy-a-zone = создать машину и диск заново в зоне или взять другой вид дисков
estate-summary = машин: { $machines }, дисков: { $disks }; ошибок: { $errors }, предупреждений: { $warnings }, замечаний: { $notes }
estate-monthly = месяц стоит { $monthly } по прейскуранту, с оплатой по мере использования; без цены: { $unpriced }
estate-cut-short = { $file } обрывается ({ $why }); записей до этого: { $records }
estate-more-pages = { $file } — одна страница из нескольких: получите то, что названо в `{ $key }`, и передайте и этот файл
estate-nothing = в { $file } нет известных здесь машин и дисков: читаются `az vm list -d -o json`, `az disk list -o json`, `az vmss list -o json`, `az graph query`, `aws ec2 describe-instances`, `aws ec2 describe-volumes`, `terraform show -json`, скомпилированный шаблон, шаблон CloudFormation и `kubectl get nodes,pv,pvc,sc -o json`
estate-record = { $file }: пропущено: { $what }
estate-differ = { $name }: в { $other } `{ $field }` иной, чем в более раннем файле; учитывается первый
estate-expression = { $name }: { $field } — это `{ $text }`, известно лишь при развёртывании
estate-unresolved = { $name }: какой диск к какой машине он подключает, известно лишь при создании
estate-again = указано не раз и учтено один раз: машин { $machines }, машин групп, указанных и отдельно, { $members }, дисков { $disks }
estate-unread = непрочитанных полей: { $fields }, видов: { $kinds } ({ $names })
estate-unread-records = записей, которые не машины и не диски: { $records }, видов: { $kinds } ({ $names })
estate-unjudged = не проверено ({ $machines }), неизвестно «{ $what }»: { $rules }
estate-unjudged-disks = проверено только на остальных дисках ({ $machines }), неизвестно «{ $what }»: { $rules }
estate-more = ещё находок: { $findings }
estate-like = { $says } (ещё таких замечаний: { $more })
estate-folded = замечаний, сведённых в одну строку с другими того же правила: { $notes }; `--format csv` перечисляет каждое
estate-waived = с исключением: { $findings }
estate-planned = машин с планом по записям: { $machines }; сегодня они стоят { $monthly } в месяц, по плану { $planned } (на бумаге, без моделирования)
estate-unrecorded = машин без записи: { $machines } ({ $names })
estate-unmatched = записей, не подходящих ни к одной машине: { $recordings }
estate-let-go = находок, снятых записями: { $findings } ({ $rules })
estate-says-seen = { $says }; { $seen }
estate-assumed = { $says } (при { $controller }: контроллер дисков в описи не указан, и принят этот)
estate-worse = { $says }; хуже, чем в базовой описи: { $now } вместо { $was }
estate-worse-machines = { $says }; хуже, чем в базовой описи: машин { $now } вместо { $was }
estate-worse-monthly = { $says }; хуже, чем в базовой описи: { $now } в месяц вместо { $was }
estate-seen-at = по записи { $limit } или больше в течение { $share } из { $time } (средние за { $interval })
estate-seen-most = по записи не больше { $most } из { $limit } за { $time } (средние за { $interval })
estate-seen-short = { $seen }: неделя записи решила бы вопрос
estate-seen-without = { $seen }, без { $disks }, которых в записи нет
estate-seen-none = нет записи о { $disks }
estate-seen-lacks = в записи нет этих показателей
estate-seen-spent = по записи кредиты исчерпаны в течение { $share } из { $time } (средние за { $interval })
estate-seen-credits = по записи кредитов всегда оставалось не меньше { $least } за { $time } (средние за { $interval })
estate-seen-reads = по записи чтения составляют { $share } операций за { $time }
estate-unasked = куплено { $bought }; по записи не больше { $most } за { $time } (средние за { $interval })
estate-tier-unasked = уровень { $tier } оплачивается; по записи не больше { $most } и { $bytes } за { $time } (средние за { $interval }), что даёт и собственный уровень диска
estate-bursts-unasked = ускорение оплачивается; по записи не больше { $most } и { $bytes } за { $time } (средние за { $interval }), что диск даёт и без него
