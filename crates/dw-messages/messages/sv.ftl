### Svenska. One message for each line of src/catalogue.rs, with the same name and arguments as messages/en.ftl.
###
### Korta meningar i aktiv form, Microsofts termer. Ett meddelande som fortsätter ett annat börjar med sitt eget skiljetecken;
### där det är ett blanksteg skrivs {" "}. Siffror skrivs om av programmet (decimalkomma, blanksteg mellan tusental).

# Ordlista (engelsk term = svensk term; en term = ett ord)
#
# assumption = antagande              backlog = eftersläpning
# baseline = baslinje                 bottleneck = flaskhals
# bound (lower) = nedre gräns         burst credits = burstkrediter
# burstable = burstbar                bursting = bursting
# cached / uncached = cachelagrad / ocachelagrad
# certified cheapest = bevisat billigast
# demand = behov                      design = lösning
# device = enhet
# dirty data = smutsiga data          discard = discard-begäran
# figure = värde                      flush = flush-begäran
# gate = grind                        grade = klass
# guest = gäst                        headroom = marginal
# hit = träff                         host cache = värdcache
# host caching = värdcachelagring     interval = intervall
# job = jobb                          latency = svarstid
# limit = gräns                       load = last
# local disk = lokal disk             temp disk = temporär disk
# merge = slå ihop                    meet (a demand) = täcka
# node = nod                          on-demand bursting = bursting på begäran
# outstanding, in flight = utestående page cache = sidcache
# pay as you go = betala per användning
# percentile = percentil              performance tier = prestandanivå
# prediction = prognos                premium SSD = Premium SSD
# queue depth = ködjup                rate = takt
# reading = avläsning                 recording = mätning
# region = region                     request = begäran, begäranden
# requirement = krav                  reservation = reservation
# reserve (of a plan) = reserv        role = roll
# sample = mätvärde                   service time = betjäningstid
# seed = startvärde                   series (of a demand) = tidsserie
# snapshot = ögonblicksbild           stripe = stripe; stripe unit = stripe-enhet
# sustained = ihållande               thinktime, to pause = pausa
# throttle = begränsa                 throughput = dataflöde
# VM, VM size = VM (VM:en), VM-storlek
# volume = volym                      working set = arbetsmängd
# write-back = tillbakaskrivning      zone = zon (tillgänglighetszon); zone-redundant = zonredundant

## What a tool or an older document said in its own words

plain = { $text }

## plan: the answer

plan-answer = { $plan }: { $monthly } per månad, { $met }. { $claim }
plan-cheapest = Planen är bevisat billigast av { $offers } (nedre gräns { $bound }, { $next })
plan-cheapest-on-paper = Enligt gränsvärdena är planen billigast av { $offers } (nedre gräns { $bound }, { $next })
plan-simpler = Planen har { $simpler } än den bevisat billigaste av { $offers } ({ $cheapest }, nedre gräns { $bound }, { $next }) och kostar högst { $band } mer
plan-simpler-on-paper = Planen har { $simpler } än den som enligt gränsvärdena är billigast av { $offers } ({ $cheapest }, nedre gräns { $bound }, { $next }) och kostar högst { $band } mer; den billigaste täcker inte hela behovet i simuleringen
plan-cheapest-known = Enligt gränsvärdena är planen den billigaste kända av { $offers }; ingen kan vara mer än { $gap } billigare (nedre gräns { $bound }, { $next })
plan-simpler-known = Planen har { $simpler } än den som enligt gränsvärdena är den billigaste kända av { $offers } ({ $cheapest }; ingen kan vara mer än { $gap } billigare än den: nedre gräns { $bound }, { $next }) och kostar högst { $band } mer
plan-met-on-paper = { $met } enligt gränsvärdena, men i simuleringen uppfylls inte alla krav
plan-met-if = { $met }, på ett villkor
plan-answer-offers =
    { $sizes } { $sizes ->
        [one] VM-storlek
       *[other] VM-storlekar
    } × { $disks } { $disks ->
        [one] disk
       *[other] diskar
    } med pris
plan-answer-offers-committed =
    { $sizes } { $sizes ->
        [one] VM-storlek
       *[other] VM-storlekar
    } ({ $committed } med sitt pris enligt `{ $commitment }`, { $without } utan ett sådant per användning) × { $disks } { $disks ->
        [one] disk
       *[other] diskar
    } med pris
plan-simpler-disks = färre diskar
plan-simpler-vm = en nyare VM
plan-surer = färre villkor
plan-met-always = ingen gräns överskrids i något intervall
plan-met-share = alla gränser behåller sin marginal { $share } av tiden
plan-met-percentile = p{ $percentile } uppfylls
plan-left-out = { $offer } räknas inte med, trots att `{ $key }` anger den: { $why }
left-out-price = { $what }; ange { $give } för att räkna med den, eller importera priser med `diskwright catalogue import`
left-out-limits = några av dess gränser är okända
left-out-unknown = { $why }
left-out-local = den säljs inte som zonredundant
other-series = en annan VM-serie
other-disks = andra diskar
relax-reads = läsningar på { $volume } inom { $to } i stället för { $from }
relax-writes = skrivningar på { $volume } inom { $to } i stället för { $from }
relax-read-percentile = { $of } för läsningar på { $volume } inom { $to } i stället för { $from }
relax-write-percentile = { $of } för skrivningar på { $volume } inom { $to } i stället för { $from }
relax-headroom = { $to } marginal i stället för { $from }
relax-capacity = { $to } kapacitetsmarginal i stället för { $from }
relax-disks = upp till { $to } diskar i en stripe i stället för { $from } (`disks_max`)
relax-percentile = p{ $to } i stället för p{ $from }
relax-horizon = tillåt VM-storlekar som dras tillbaka inom { $years } år
relax-reservation = betala per användning i stället för reservation ({ $term })
relax-savings-plan = betala per användning i stället för sparplan ({ $term })
relax-zone = valfri zon i stället för zon { $zone }
relax-arm = tillåt Arm-processorer
relax-burstable = tillåt burstbara VM-storlekar
relax-kinds = { $kinds } för varje volym
relax-confidential = tillåt konfidentiella VM-storlekar
relax-preview = tillåt VM-storlekar i förhandsversion
relax-closed = tillåt VM-storlekar som nya prenumerationer inte kan distribuera
relax-metal = tillåt bare metal-typer
relax-previous = tillåt typer av tidigare generationer
relax-limited = tillåt VM-storlekar med begränsad kapacitet
plan-next = näst bäst { $monthly }
plan-next-none = ingen annan VM-storlek täcker behovet
plan-infeasible = inget i utbudet täcker behovet: { $limits }{ $nearest }
plan-no-combination = inga tillåtna diskar och VM-storlekar passar ihop: en värdcache kräver diskar på högst 4095 GiB och en VM-storlek som har värdcache
plan-not-cacheable = { $volume }: en värdcache kräver diskar på högst 4095 GiB, och volymens disk har { $size }
plan-infeasible-nearest = . Den närmaste planen klarar { $share } av lasten
plan-infeasible-nearest-of = . Den närmaste planen klarar { $share } av lasten på { $volume }
plan-infeasible-otherwise = . Den närmaste planen klarar hela lasten och faller bara på { $limit }
plan-simulated = Simulering av { $time }: { $kept }{ $again }{ $cold }{ $beyond }.
plan-again = . Planeringen gjordes om { $times ->
        [one] en gång
       *[other] { $times } gånger
    } eftersom planen inte höll i simuleringen: { $changes }
plan-again-of =
    { $volume }: { $direction ->
        [read] lässvarstiden
        [write] skrivsvarstiden
       *[other] svarstiden ({ $direction })
    } hålls { $reserve } under sin gräns
plan-again-deeper =
    { $volume }: { $direction ->
        [read] läskön
        [write] skrivkön
       *[other] kön ({ $direction })
    } är { $more } djupare än uppskattat
plan-again-rates = ytterligare { $reserve } av varje takt lämnas fri
plan-again-in-vain = . Att planera med större reserv hjälpte inte ({ $times ->
        [one] en plan
       *[other] { $times } planer
    } simulerades)
plan-keeps-all = varje takt levereras till { $share }, inom alla svarstider som du har begärt
plan-keeps-nothing = behovet omfattar ingen I/O, så det fanns inget att leverera
plan-keeps-rates = varje takt levereras till { $share }
plan-misses = kraven uppfylls inte helt: { $missed }
plan-misses-rate =
    { $volume }: { $direction ->
        [read] läsbegäranden
        [write] skrivbegäranden
       *[other] begäranden ({ $direction })
    } får { $share } av { $promised } och begränsas av { $limit }
plan-misses-depth =
    { $volume }: { $direction ->
        [read] läsbegäranden
        [write] skrivbegäranden
       *[other] begäranden ({ $direction })
    } får { $share } av { $promised } eftersom ködjupet är för lågt
plan-misses-latency =
    { $volume }: { $direction ->
        [read] lässvarstiden
        [write] skrivsvarstiden
       *[other] svarstiden ({ $direction })
    } ({ $of ->
        [mean] medel
       *[other] { $of }
    }) är { $latency }, men du har begärt högst { $most }
plan-cold = . Efter en omstart är värdcachen kall: { $volumes }
plan-cold-served = läsningar på { $volume } får full takt direkt, med { $latency } i genomsnitt under de första { $first }
plan-cold-full = läsningar på { $volume } får { $share } av sin takt under de första { $first }, med { $latency } i genomsnitt, och full takt efter { $after }
plan-cold-long = läsningar på { $volume } får { $share } av sin takt under de första { $first }, med { $latency } i genomsnitt, och når inte full takt inom { $within }
plan-beyond = . Vid { $factor } gånger dagens last är det { $named } som begränsar först, precis som planerat
plan-beyond-other = . Vid { $factor } gånger dagens last är det { $first } som begränsar först, före { $named }
summary-met-if = uppfyllt med ett villkor: { $condition }
summary-not-met = INTE UPPFYLLT: { $reason }
summary-machine = { $size } i { $place }: { $processors } vCPU, { $memory } minne, { $system }
summary-volume = { $volume }: { $disks }; { $monthly }
summary-volume-with = { $volume }: { $disks }, värdcache { $cache }; { $monthly }
summary-volume-local = { $volume }: lokal disk
summary-more-volumes = fler volymer: { $volumes }, deras diskar: { $disks }; { $monthly }
summary-price = { $monthly } per månad: VM { $vm }, diskar { $disks }{ $licences }
summary-price-nodes = { $all } per månad för { $nodes } noder, vardera { $monthly }: VM { $vm }, diskar { $disks }{ $licences }
summary-shared = delade diskar en gång { $monthly }
summary-licences = , licenser per kärna { $monthly }
summary-pay-as-you-go = betalas per användning
summary-committed = VM med `{ $commitment }`
summary-uncommitted = VM per användning, inget pris känt med `{ $commitment }`
summary-hours = VM går { $hours } av { $all }
summary-list-prices = listpriser { $edition }
summary-disk-prices = listpriser för diskar { $edition }
summary-snapshots = ögonblicksbilder { $monthly } därtill
summary-snapshots-unpriced = ögonblicksbilder begärda, utan pris: { $size }
summary-os-disk = OS-disk { $disk } { $monthly } därtill, inte i `cost_max`
summary-os-disk-unpriced = OS-disk { $disk } begärd, utan pris
summary-not-in = { $lines } kostnader utan pris
summary-limit = { $limit }: { $load } av { $capacity } används, { $left } kvar
summary-beyond = vid { $factor } gånger dagens last begränsar { $limit } först (simulerat)
summary-throttles = begränsar vid { $factor } gånger dagens last (simulerat)
summary-cold = efter en omstart får läsningar av { $volume } { $share } av sin takt under de första { $first }
summary-cautious = { $limit }: { $latency } om diskarna är långsamma, högst { $most } begärt
summary-peak = { $limit }: den högsta lasten, { $peak }, överskrider { $capacity }, så då väntar I/O
summary-peak-more = { $limit } och { $more ->
        [one] en gräns till
       *[other] { $more } gränser till
    }: den högsta lasten, { $peak }, överskrider { $capacity }, så då väntar I/O
summary-unprinted = flaskhalsen är en gräns som sidan för { $size } inte anger: { $rule }
summary-outgrown = för liten från år { $year }
summary-cheaper = { $saves } mindre per månad: { $condition }
summary-cheaper-each = { $saves } mindre per månad och nod: { $condition }
summary-nearest = klarar { $share } av lasten för { $monthly } per månad: { $plan }
summary-nearest-nodes = klarar { $share } av lasten för { $all } per månad för { $nodes } noder ({ $monthly } vardera): { $plan }
summary-next = `--full` visar alternativ, gränser och antaganden; `diskwright provision` skriver skripten
summary-next-nothing = lätta på det som står i vägen; `--full` visar antagandena
decision-met = { $size } ({ $disks }) uppfyller allt som begärdes{ $years }
decision-met-if = { $size } ({ $disks }) uppfyller allt som begärdes{ $years }, med { $conditions ->
        [one] ett villkor
       *[other] { $conditions } villkor
    }
decision-not-met = { $size } ({ $disks }) uppfyller inte allt som begärdes
decision-years = {" "}i { $years } år
decision-disks = { $volume }: { $disks }
decision-disks-with = { $volume }: { $disks }, värdcache { $cache }
decision-each = { $volume }: { $disks } vardera
decision-each-with = { $volume }: { $disks } vardera, värdcache { $cache }
decision-local = { $volume }: lokal disk
today-reads = läsningar på { $volume } tar { $then } i genomsnitt; uppmätt var { $now }
today-writes = skrivningar på { $volume } tar { $then } i genomsnitt; uppmätt var { $now }
check-rates = läsningar och skrivningar
check-read-latency = { $volume }: svarstid för läsningar, { $of ->
        [mean] medel
       *[other] { $of }
    }
check-write-latency = { $volume }: svarstid för skrivningar, { $of ->
        [mean] medel
       *[other] { $of }
    }
check-sync-latency = { $volume }: svarstid för sync, { $of ->
        [mean] medel
       *[other] { $of }
    }
check-kpi-reads = { $volume }: små läsningar utan väntan (`{ $kpi }`)
check-kpi-writes = { $volume }: små skrivningar utan väntan (`{ $kpi }`)
check-headroom = marginal till första gränsen
check-size = processorer och minne
check-years = hur länge det räcker
check-purchase = åtagande
check-reboot = { $volume }: läsningar efter en omstart
check-reboot-all = läsningar efter en omstart
check-recording = mätningen
asked-all = allt
asked-share = { $share } av tiden
asked-at-most = högst { $figure }
asked-latency =
    { $of ->
        [mean] medel
       *[other] { $of }
    } högst { $figure }
asked-at-least = minst { $figure }
asked-size = minst { $figures }
asked-years = { $years } år
found-served = { $share } av { $rate }
found-within = { $share } av tiden inom alla gränser
found-figure = { $figure }
found-means = p99 av intervallens medelvärden { $figure }
found-latency = medel { $mean }, p99 { $p99 }
found-headroom = { $left } ({ $limit })
found-size = { $processors } vCPU, { $memory }
found-years = { $years } år
found-years-all = 10 år eller mer
found-cold = { $latency } och { $share } av takten i { $first }
found-cold-until = { $latency } och { $share } av takten i { $first }, full takt efter { $after }
found-recording = { $time } i intervall om { $interval }
shown-simulation = toppen simulerad i { $time }
shown-limits = kontrollerade gränser: { $limits }, intervall: { $intervals }
shown-limit = { $limit }: { $load } av { $capacity }
shown-latency = publicerade svarstider, klass { $grade }
shown-catalogue = gränser enligt utgåva { $edition }
shown-prices = priser enligt utgåva { $edition }
shown-growth = kontrollerat år för år
shown-cold = simulerat med tom värdcache
shown-audit = granskad; anmärkningar: { $findings }
shown-nothing = inte simulerat
next-record = mät ett helt dygn med säkerhetskopior och batchjobb, och planera igen
next-size = ange hur många processorer och hur mycket minne VM:en behöver (`vcpu_min`, `memory_min`)
next-build = bygg den med planens skript
next-verify = kör planens verifieringsjobb på VM:en innan användarna flyttar
cheaper-reserved = VM reserverad, år: { $years }; lönar sig från månad { $month }
cheaper-savings-plan = sparplan, år: { $years }; lönar sig från månad { $month }
verdict-met = allt som begärdes är uppfyllt
verdict-met-if = uppfyllt med ett villkor: { $conditions }
verdict-not-met = inte uppfyllt: { $reasons }
verdict-nothing = inget som erbjuds täcker behovet
verdict-credits = { $limit } vilar på burstkrediter: den ger { $sustained } när de är slut, och som minst återstår { $left } av dem
verdict-over = { $limit } överskrids { $share } av tiden, och högst { $asked } är tillåtet
verdict-full = inget återstår av { $limit }
verdict-headroom = { $left } av { $limit } återstår, och du begärde { $asked }
verdict-tail = { $of } av svarstiden ({ $direction ->
        [read] läsning
        [write] skrivning
       *[other] { $direction }
    }, { $volume }) är trolig, inte känd: inga percentiler för detta medium har uppmätts (klass { $grade })
verdict-tail-limit = { $of } av svarstiden ({ $direction ->
        [read] läsning
        [write] skrivning
       *[other] { $direction }
    }, { $volume }) är trolig, inte känd: nära en gräns ({ $limit }) har upp till 8 gånger modellens värde uppmätts
verdict-penalty = diskarna är zonredundanta, och hur mycket det bromsar deras skrivningar är inte publicerat
verdict-no-processors = mätningen säger inte hur många processorer VM:en behöver, och den kan ha för få: ange `vcpu_min`
verdict-no-memory = mätningen säger inte hur mycket minne VM:en behöver, och den kan ha för lite: ange `memory_min`
verdict-no-processors-nor-memory = mätningen säger inte hur många processorer och hur mycket minne VM:en behöver, och den kan vara för liten: ange `vcpu_min` och `memory_min`
verdict-unpriced = inget pris: { $size } med `{ $commitment }`
verdict-years = den är för liten år { $year } från nu, och du begärde { $asked }
verdict-cold = värdcachen är varm; efter en omstart gäller: { $volumes }
verdict-cold-latency = läsningar på { $volume } tar { $latency } i genomsnitt under de första { $first }, och du begärde högst { $most }
verdict-cold-unknown = det är inte känt vad läsningar på { $volume } får: det har inte simulerats
verdict-reboot-share = { $volume }: { $share } av läsningarna betjänas under de första { $first } efter en omstart, och du begärde { $asked }
diff-nothing = inget att ändra; { $cost }
diff-changes = att ändra: { $changes }; { $cost }
diff-costs-more = B kostar { $more } mer per månad
diff-costs-less = B kostar { $less } mindre per månad
diff-costs-same = båda kostar lika mycket
diff-costs-unknown = priset på den ena är inte känt
diff-regions = A har priser för { $a }, B för { $b }: kostnaderna jämförs inte
diff-currencies = A är i { $a }, B i { $b }: kostnaderna jämförs inte
diff-region-option = `--region` anger region för scenariofiler; planer har sin egen
diff-unpriced = { $side }: { $why }
diff-own-disk = { $side }: { $volume }: den egna disken { $disk } har inget pris
diff-burst-billed = { $side }: { $volume }: bursttransaktioner debiteras utöver detta, efter användning
diff-operations-billed = { $side }: { $volume }: åtgärder debiteras utöver detta, efter användning
diff-nodes = { $side }: { $nodes } noder av den, som i planen
diff-windows = { $side }: med Windows-licens, som i planen
diff-licences = { $side }: med licenser per kärna som i planen, { $monthly } per månad
diff-reserved = { $side }: med reserverad VM ({ $term }), som i planen
diff-savings-plan = { $side }: dess VM i en sparplan ({ $term }), som i planen
diff-uncommitted = { $side }: dess VM betalas per användning, eftersom inget pris för den är känt med `{ $commitment }`
diff-hours = { $side }: dess VM betalas för { $hours } per månad, som i planen
diff-zone-redundant = { $side }: med zonredundanta diskar, som i planen
diff-no-headroom = { $side }: ingen marginal: { $why }; se `diskwright explain`
diff-no-demand = utan plan finns inget behov
diff-cached-else = volymerna cachelagras på ett annat sätt än i planen, eller så ligger andra volymer på den lokala disken
stripe-one-disk = varje begäran på { $size } KiB ryms på en disk
stripe-nearly = varje begäran på { $size } KiB ryms på en disk, utom { $share } som fördelas på två
stripe-straddling = med 64 KiB skulle { $share } av begärandena på { $size } KiB fördelas på två diskar, med 256 KiB är det { $left }
stripe-few-disks = en begäran på { $size } KiB hanteras av få diskar åt gången
stripe-asked = du har begärt { $unit }

## plan: why not a VM size, and why nothing

plan-limit = { $limit }
plan-capacity = { $limit }: { $needed } behövs, högst { $most } ryms i en stripe
plan-latency = { $limit }: { $latency }, högst { $most } begärt
plan-needed = { $limit }: { $needed } behövs{ $over }, { $available } finns{ $usable }
plan-misses-by = det fattas { $short } av { $available }{ $at }; { $needed }
plan-misses-at = {" "}vid { $percent }
plan-needed-over = {" "}som mest, { $intervals } av { $all } intervall över vad som får användas
plan-asked = { $limit }: { $needed } behövs
plan-asked-at-most = { $limit }: högst { $most } begärt
plan-needed-headroom = {" "}(marginalen ingår i det som behövs)
plan-needed-usable = {" "}(varav { $percent } % får användas)
limit-exceeded-in =
    överskriden i { $intervals } { $intervals ->
        [one] intervall
       *[other] intervall
    }
limit-headroom-used-in =
    in i marginalen i { $intervals } { $intervals ->
        [one] intervall
       *[other] intervall
    }
plan-costs-same = kostar lika mycket: { $plan }
plan-costs-less = kostar { $less } mindre per månad men är mer komplicerad: { $plan } för { $monthly }
plan-costs-more = kostar { $more } mer per månad: { $plan } för { $monthly }
plan-barred = { $reason }; den skulle kosta { $monthly }
plan-no-premium = den stöder inte de diskar som behövs (Premium SSD eller Ultra)
plan-not-searched = okänt: ingen plan hittades på den, men sökningen avbröts innan alla sätt att ansluta volymerna hade prövats
plan-would-cost = den skulle kosta { $monthly }
plan-none-meets = inga diskar där uppfyller { $limit }, och andra gränser håller inte heller
plan-none-together = inga diskar där uppfyller allt detta samtidigt: { $limits }
plan-cost-max-too = månadskostnad: ditt maxbelopp är { $most }, men även utan de övriga hindren kostar den billigaste planen { $cheapest }
plan-cost-max = månadskostnad: ditt maxbelopp är { $most }, men den billigaste planen som uppfyller alla andra krav kostar { $cheapest }
plan-cost-licences = enbart dess licenser per kärna kostar { $licences }, mer än ditt maxbelopp { $most }
plan-tried-wider = upp till { $most } diskar i varje stripe prövades, eftersom ingen plan hittades med högst { $usual } (`disks_max`)
plan-tried-wider-budget = upp till { $most } diskar i varje stripe prövades (`disks_max`): med högst { $usual } kostar den billigaste planen { $monthly } ({ $plan })
plan-lists = tillåtna VM-storlekar: { $plan } skulle täcka behovet för { $monthly }, men { $reason }
plan-lists-without = utan `{ $key }` finns det en plan: { $plan } för { $monthly }
plan-lists-too = tillåtna VM-storlekar: { $vm } skulle klara mer, men { $reason }
plan-most-slots = { $limit }: den största storleken har plats för { $most }

## plan and explain: what the answer rests on

price-asked = pris på { $offers }: enligt kraven
price = pris på { $offers }: { $region } { $edition }, { $page } [{ $source }]
price-noted = pris på { $offers }: { $region } { $edition }, { $page } [{ $source }]; { $note }
plan-reserved = VM:en är reserverad ({ $term }), till månadspriset för den perioden; diskar betalas per användning
plan-reserved-with = VM:en och { $disks } är reserverade ({ $term }), till månadspriset för den perioden; övriga diskar betalas per användning
plan-savings-plan = VM:en ingår i en sparplan ({ $term }), till planens pris för varje timme; diskar betalas per användning
plan-commitment-ended = { $size } räknas som betald per användning: `{ $commitment }` för den kan varken köpas eller förnyas sedan { $since } (sida från { $page })
plan-reserved-beyond = reservationen av { $size } löper ut { $ends }, efter att storleken dras tillbaka { $retires }
plan-uncommitted = { $size } räknas som betald per användning: inget pris för den är känt med `{ $commitment }` i { $region }; `diskwright catalogue import` läser in leverantörens prislista
plan-commitment-known = { $without } av { $sizes } VM-storlekar saknar känt pris med `{ $commitment }` och räknas som betalda per användning: med åtagandet kan någon av dem kosta mindre
plan-term-ends = `{ $commitment }` löper ut i månad { $ends }; månaderna { $from } till { $until } har inget pris
plan-commitment-dearer = med `{ $commitment }` kostar en VM { $more } mer per månad än per användning i { $hours }
plan-hours = VM:en går { $hours } av månadens { $all } timmar och betalas för dem; diskar debiteras för alla, och deras operationer räknas som om den alltid gick
plan-hours-committed = VM:en går { $hours } av månadens { $all } timmar, men åtagandet debiteras för alla; så även diskar
budget-met-with = `{ $assumption }` skulle hålla budgeten: { $plan } för { $monthly }
budget-met-with-licence = en egen Windows-licens skulle hålla budgeten: { $plan } för { $monthly }
bill-not-in = ingår inte i priset
bill-os-disk = { $disk }, enligt `os_disk`
bill-snapshots = { $size } ögonblicksbilder: { $kept } behålls, { $change } av allt ändras mellan dem
promise-one = SLA för en maskin med diskar av dessa slag ({ $kinds }): { $share } av en månad ({ $source })
promise-one-if = SLA för en maskin med diskar av dessa slag ({ $kinds }), om operativsystemets disk inte är sämre: { $share } av en månad ({ $source })
promise-together = SLA för två eller fler maskiner i { $place }: { $share } av en månad kan en av dem nås ({ $source })
promise-unknown = SLA för en maskin med { $kind }: okänt, ingen av leverantörens lästa sidor nämner den sortens disk
plan-zone = VM och diskar ligger i zon { $zone } i { $region }; diskwright kontrollerar inte om de här diskarna finns i den zonen
plan-zone-of-vm = VM:en ligger i zon { $zone } i { $region }; diskarna är zonredundanta och ligger därför inte i en enskild zon
plan-cautious = { $limit }: om diskarna är så långsamma som den försiktiga inställningen antar blir svarstiden { $latency }, men du har begärt högst { $most } (`latency = "cautious"` under [plan] planerar för det)
plan-hits = { $volume }: { $share } av läsningarna blir träffar när värdcachen är varm (uppskattat: en LRU som alla cachelagrade volymer delar; bara de delar av blocken som har använts är giltiga)
plan-floor = { $volume }: högst { $share } av läsningarna räknas som träffar, så att det som begärts för tiden efter en omstart hålls av diskarna (`after_reboot_share_min`, `after_reboot_latency_max`)
plan-local-disk = { $volume }: den lokala disken förlorar sina data när VM:en stoppas eller flyttas
plan-uncached-shared = Premium SSD v2- och Ultra-diskar delar en gräns för ocachelagrad I/O med övriga diskar, den högre av de två som VM-storleken anger: hur de delar är inte publicerat (`uncached_sharing = "separate"` under [plan] adderar de två)
plan-uncached-separate = gränsen för ocachelagrad I/O på Premium SSD v2- och Ultra-diskar läggs till de övriga diskarnas (`uncached_sharing = "separate"`): hur de delar är inte publicerat
plan-no-hits = { $volume }: inga träffar i värdcachen räknas; ange `working_set`
plan-one-figure = ett värde per volym, percentil { $percentile }: det finns ingen tidsserie
plan-per-dimension = varje värde vid sin egen percentil { $percentile }, som om alla hade sin topp samtidigt
plan-intervals = { $intervals } intervall på { $interval }, varav { $exceeding } får överskrida någon gräns; alla volymer tillsammans
plan-answer-rests = { $answer }. Planen bygger på gränsvärden för { $size } som inte står på storlekens sida: { $figures }
plan-os-on-hdd = { $volume }: leverantören avvecklar Standard HDD som operativsystemdisk den { $date }
plan-no-cached-limit = värdcachen i { $size } används inte: ingen källa anger dess gränsvärden
plan-no-cached-limits =
    { $sizes } { $sizes ->
        [one] VM-storlek har en värdcache vars gränsvärden ingen källa anger: den
       *[other] VM-storlekar har en värdcache vars gränsvärden ingen källa anger: de
    } planeras utan den
plan-answer-nodes = { $nodes } likadana noder för { $monthly } per månad, var och en: { $answer }
plan-answer-licences = { $answer }. Av månadskostnaden är { $licences } licenser per kärna; utan dem är den { $without }
plan-answer-uncommitted = { $answer }. VM:en räknas som betald per användning: inget pris för den är känt med `{ $commitment }`
plan-interpolated = { $volumes }: percentil { $percentile } är uppskattad mellan nivåerna på ömse sidor, logaritmiskt i andelen tid över nivån; en `p95` eller en tidsserie ersätter uppskattningen
plan-largest-instead = { $volumes }: det finns ingen nivå mellan p99 och max, så det största värdet får stå för percentil { $percentile }
plan-growth = takter och processorer är kravens värden gånger { $factor } (`growth`)
plan-growth-of = { $volume }: lasten växer med { $load } om året, det som lagras med { $held }
plan-comfort = takter, processorer och använt minne är kravens värden gånger { $factor } (`comfort_factor`)
plan-filesystems = filsystem tar { $share } av varje disk (`filesystem_overhead_percent`)
plan-nodes = { $nodes } likadana noder, var och en för hela behovet (`nodes`): belopp nedanför svaret gäller en nod, `cost_max` gäller alla tillsammans
plan-cpu-speed = en vCPU i { $size } räknas som { $factor } av en i { $recorded }: { $own } mot { $other }, det minsta genom det största (sida från { $page }, grad { $grade }: en riktlinje, ingen mätning av din last); { $known } av { $all } storlekar har en sådan siffra, de andra räknas som lika (`cpu_recorded_on`)
plan-cpu-speed-unknown = ingen sida som lästs jämför { $size } med { $recorded }: deras vCPU:er räknas som lika; { $known } av { $all } storlekar har en sådan siffra (`cpu_recorded_on`)
plan-cpu-speed-none = ingen sida som lästs anger hastigheten hos { $recorded }: alla storlekars vCPU:er räknas som lika, och `cpu_recorded_on` ändrar inget
plan-shared = { $volume }: diskarna köps en gång för alla { $nodes } noder (`shared`), för { $monthly } per månad, varav { $mounts } för monteringar; en nods del är { $part }, och volymens last är alla noders tillsammans; { $takes } (sidor från { $limits } och { $billing }); högst { $most } VM:ar får dela en sådan disk (sida från { $page })
plan-windows = VM:en kör Windows (`os`): { $monthly } av månadspriset är licensen, som Azure Hybrid-förmån sparar för den som redan äger en
plan-windows-own = VM:en kör Windows (`os`): dess pris antas inkludera licensen
plan-licences = licenser per kärna: { $licences }; med dem { $monthly } per månad, utan dem { $without }
plan-licence = { $name } { $monthly } för { $cores } { $cores ->
        [one] kärna
       *[other] kärnor
    }
plan-licence-of = { $name } { $monthly } per nod (licensierade noder: { $nodes }, kärnor i varje: { $cores })
plan-constrained = { $size } är en storlek med begränsat antal vCPU:er: { $processors } aktiva vCPU:er, men minne, lagringsgränser och beräkningspris som { $parent }; programvara som licensieras per kärna räknar { $processors }
plan-recording = mätning: { $what }; { $effect }
plan-bursting = burstkrediter räknas så länge de räcker; tidsserien körs två gånger i rad
plan-no-burst-series = bara ihållande gränser: utan tidsserie går det inte att veta hur länge burstkrediter måste räcka
plan-no-burst = bara ihållande gränser: burstkrediter räknas inte
plan-headroom = marginal: { $rates } av varje takt (`headroom_percent`), { $capacity } av varje disks kapacitet (`capacity_headroom_percent`), { $processors } av processorerna (`cpu_percent`); `memory_min` och `vcpu_min` används som de är
plan-memory-free = minnets marginal: { $free } förblir ledigt utöver det som används (`memory_headroom`)
plan-memory-usual = minnets marginal: { $free } förblir ledigt utöver det som används{ $total } (`memory_headroom`)
plan-memory-today = {", "}och maskinens { $total } i dag räcker
plan-memory-database = minnets marginal: ingen, eftersom en databas använder det den har fått och volymernas roller är en databas; `memory_headroom` lämnar något ledigt
plan-no-memory = behovet anger inte hur mycket minne som krävs: vilken storlek som helst kan väljas. Ange `memory_min` under [plan] eller `used` under [memory]
plan-no-processors = behovet anger inte hur många processorer som krävs: vilken storlek som helst kan väljas. Ange `vcpu_min` under [plan] eller `processors` och `busy_percent` under [cpu]
plan-operations = { $volume }: { $operations } åtgärder per månad vid medeltakten debiteras efter användning: { $monthly } per månad, ingår i priset
plan-operations-median = { $volume }: { $operations } åtgärder per månad debiteras efter användning: { $monthly } per månad, ingår i priset. Utan tidsserie används mediantakten som medelvärde
plan-burst-use = { $volume }: bursting på begäran debiteras efter användning: { $monthly } per månad om alla månader ser ut som tidsserien, ingår i priset
plan-performance-plus = { $volume }: performance plus är kostnadsfritt och väljs när en disk skapas; en befintlig disk måste kopieras till en ny via en ögonblicksbild
plan-zone-redundant = diskarna är zonredundanta (`redundancy = "zone"`): sådana finns som Premium SSD och Standard SSD, och deras skrivningar är långsammare än planerat; hur mycket är inte publicerat
plan-disk-options = tillval till en disk, utöver storleken: { $options } (`disk_options`)
plan-no-disk-options = diskar utan tillval: ingen annan prestandanivå, ingen performance plus och ingen bursting på begäran (`disk_options`)
plan-no-hdd = Standard HDD erbjuds bara för säkerhetskopior (`standard_hdd`)
plan-on-request = { $kinds } väljs bara för säkerhetskopior, eller där `disks` nämner dem
plan-indifference = den enklaste planen som kostar högst { $band } mer än den billigaste väljs: först minst antal diskar, sedan den nyaste generationen av VM-serien (`indifference_percent`)
plan-wide-stripes = ingen plan hittades med högst { $usual } diskar i varje stripe: upp till { $most } får väljas (`disks_max`)
plan-wide-stripes-budget = med högst { $usual } diskar i varje stripe kostar den billigaste planen { $monthly }, vilket är över `cost_max`: därför får upp till { $most } väljas (`disks_max`)
plan-kpi = { $volume }: { $kpi } kräver { $asks } ({ $sources }); den större strömmen är lasten, och latensen gäller diskar utan väntan (`kpi`)
plan-kpi-bounds = { $volume }: { $kpi } kräver { $asks } ({ $sources }); lasten är den som kraven anger (`kpi`)
plan-kpi-unchecked = { $volume }: inte kontrollerat av { $kpi }: { $unchecked }
plan-not-certified = { $product }: om leverantören har certifierat { $size } kontrolleras inte
plan-no-arm = inga VM-storlekar med Arm-processorer (`arm`)
plan-no-burstable = inga burstbara VM-storlekar: deras processorer begränsas till en baslinje när krediterna är slut (`burstable`)
plan-no-confidential = inga konfidentiella VM-storlekar: de kräver en egen säkerhetstyp och en egen avbildning (`confidential`)
plan-no-preview = inga VM-storlekar i förhandsversion (`preview`)
plan-no-closed = inga VM-storlekar som nya prenumerationer inte kan distribuera: befintliga kan det inom sin kvot (`closed_to_new`)
plan-no-metal = inga bare metal-typer (`metal`)
plan-no-previous = inga typer av tidigare generationer (`previous_generation`)
plan-metal = { $size } är en hel värd utan hypervisor
plan-previous = { $size } är av en tidigare generation: nyare typer ger mer för pengarna
plan-no-limited = inga VM-storlekar med begränsad kapacitet (`capacity_limited`)
key-named-sizes = ingen storlek som kan väljas behöver den: `vms` anger storlekar där den inte ändrar något, eller så begär `edition` storlekarna från ett tidigare år
plan-horizon = inga VM-storlekar som dras tillbaka före { $date } (`horizon_years`)
plan-no-retirements = när typer dras tillbaka finns inte i datan här: det kontrolleras inte
comparison-cheaper = { $first } kostar { $less } ({ $share }) mindre per månad än { $last }, med priser från { $oldest } till { $newest }
comparison-currencies = priserna är i { $first } och i { $last }: inget jämförs
comparison-none = ingen plan som uppfyller kraven till ett känt pris: { $places }; inget jämförs med det
plan-arm = { $size } har Arm-processorer
plan-burstable = CPU:n i { $size } är beroende av krediter; dess baslinje finns inte i katalogen
plan-confidential = { $size } är en konfidentiell VM: den kräver en egen säkerhetstyp och en egen avbildning
plan-preview = { $size } är en förhandsversion (sida från { $page })
plan-closed = { $size } är stängd för nya prenumerationer sedan { $since }; befintliga distribuerar den inom sin kvot, och mer kvot beviljas inte (sida från { $page })
plan-limited = kapaciteten för { $size } är begränsad (sida från { $page })
plan-disk-zones = { $disks }: säljs bara i { $zones } av zonerna i { $region }, och ingen sida säger vilka: kontrollera din före distributionen (sida från { $page })
plan-disk-region = { $disks }: ingen sida säger att de säljs i { $region }, fast de har ett pris där: kontrollera före distributionen
plan-setting-needed = { $size } körs med `{ $setting }`, utan kostnad: diskarna får varaktigt { $given } i stället för { $plain }; utan det uppfyller ingen plan på den kraven
plan-setting-cheaper = { $size } körs med `{ $setting }`, utan kostnad: diskarna får varaktigt { $given } i stället för { $plain }; utan det skulle planen kosta { $more } mer per månad
plan-setting-fewer = { $size } körs med `{ $setting }`, utan kostnad: diskarna får varaktigt { $given } i stället för { $plain }; utan det skulle planen behöva fler diskar
plan-setting-unknown = { $size } körs med `{ $setting }`, utan kostnad: diskarna får varaktigt { $given } i stället för { $plain }; alla planer utan det har inte granskats, så om det går utan är okänt
plan-setting-network = `{ $setting }` tar { $loses } av de { $network } som nätverket i { $size } varaktigt har, och kraven säger inte hur mycket nätverket behöver: kontrollera före driftsättning
plan-setting-network-unknown = `{ $setting }` tar { $loses } från nätverket i { $size }; varken hur mycket det varaktigt har eller hur mycket som behövs är känt: kontrollera före driftsättning
plan-vm-region = { $size }: priset är ditt, och ingen sida bekräftar att den säljs i { $region }: kontrollera före driftsättning
plan-retires = { $size } dras tillbaka { $date }
plan-steady-memory = lasten och datamängden växer, men inte det använda minnet: höj `memory_min` om minnesbehovet kommer att öka
plan-steady-capacity = lasten växer, men inte datamängden och det använda minnet: ange `capacity_growth_percent_per_year` om datamängden växer, och höj `memory_min` om minnesbehovet ökar
plan-steady-load = datamängden växer, men inte lasten: ange `growth_percent_per_year` om den kommer att göra det
plan-no-os = ingen volym har rollen `os`: operativsystemdisken ingår varken i planen eller i kostnaden
plan-os-beside = OS-disken { $disk } (`os_disk`) är en rad bland övriga kostnader: varken planens kostnad eller `cost_max` omfattar den
plan-years = behovet om { $years } år
stage-vm = VM:en ändrar storlek till { $vm }
stage-set = { $volume }: varje disk ställs in på { $disk }
stage-more =
    { $volume }: { $more ->
        [one] ytterligare en disk, alla { $disk }
       *[other] ytterligare { $more } diskar, alla { $disk }
    }, och stripen byggs om
stage-moved = { $volume }: data kopieras till { $disks }
stage-cache = { $volume }: värdcachen ställs in på { $cache }
stage-takes = { $takes } (sida från { $page })
stage-migration = migrering: { $takes } (sida från { $page })
stage-unknown = ingen sida som lästs säger vad allt detta kräver: det kan behöva en migrering
stage-in-place = samma diskar, utökade på plats
stage-stay = ingen migrering för { $more } mer per månad från månad { $month }: { $plan }
stage-reserved = reservationen av { $size } ({ $term }) löper till slutet av månad { $month }: { $left } x { $monthly } = { $all } utöver dessa priser
plan-service = { $name }: { $bought }, { $price }; { $access }. Dess svarstid och vad VM:ens nätverk släpper igenom är inte kända här (sida från { $page })
plan-service-price = { $monthly } per månad (pris från { $date })
plan-service-unpriced = priset i { $region } är inte känt
move-takes = { $what }: { $takes } (sida från { $page })
plan-lasts =
    Med den tillväxt som du har angett täcker planen behovet { $years ->
        [0] i dag, men inte om 1 år
        [one] om 1 år, men inte om { $next } år
       *[other] om { $years } år, men inte om { $next } år
    }.
plan-latencies = svarstider för volymer och lösningar är uppskattade medelvärden vid den högsta lasten, inklusive väntan vid gränserna för diskar och VM. En svarstid bland gränserna är den som sökningen planerar med; en simulering prövar båda
plan-reserve =
    { $volume }: sökningen håller { $direction ->
        [read] lässvarstiden
        [write] skrivsvarstiden
       *[other] svarstiden ({ $direction })
    } { $reserve } under den gräns som du har begärt: billigare planer var långsammare i simuleringen än uppskattat
plan-reserve-deeper =
    { $volume }: { $direction ->
        [read] läskön
        [write] skrivkön
       *[other] kön ({ $direction })
    } är { $more } djupare än uppskattat: i simuleringen levererades mindre
plan-reserve-rates = dessutom hålls { $reserve } av det som marginalen lämnar av varje takt fritt: i simuleringen levererades mindre
mean-latencies = svarstider är modellernas medelvärden när ingen gräns nås
plan-offers =
    { $sizes } { $sizes ->
        [one] VM-storlek
       *[other] VM-storlekar
    } och { $disks } { $disks ->
        [one] disk
       *[other] diskar
    } i utbudet; ej medräknade: { $left_out }
offers-barred = { $offers } uteslutna
offers-unpriced = { $offers } utan känt pris
offers-incomplete = { $offers } utan fullständiga gränser
offers-local = { $offers } utan zonredundans
key-unused = `{ $key }` har ingen effekt: { $why }
key-unused-of = { $volume }: `{ $key }` har ingen effekt: { $why }
key-no-growth = varken lasten eller kapaciteten växer
key-no-years = planen gäller inget senare år: ange `years`
key-own-growth = varje volym har sin egen tillväxt, och ett operativsystem ingen
key-no-series = det finns ingen tidsserie
key-no-processor-load = [cpu] saknar `processors` med `busy_percent`
key-no-processors = [cpu] saknar `processors`
key-no-busy = [cpu] saknar `busy_percent`
key-no-memory = [memory] saknar `used`
key-os-volume = en volym har rollen `os`
key-no-snapshots = inga ögonblicksbilder behålls: `snapshots_kept` säger hur många
key-not-on-offer = { $offer } finns inte i utbudet under mätaren `{ $meter }`
key-series-instead = { $volumes }: planeras efter tidsserien; percentiler bredvid den läses inte
key-split-iops = `read_iops` och `write_iops` är kända var för sig
key-split-throughput = `read_throughput` och `write_throughput` är kända var för sig
key-series-knows = tidsserien har takterna i båda riktningarna
key-no-requests =
    volymen har inga { $requests ->
        [reads] läsningar
        [writes] skrivningar
       *[other] { $requests }
    }
key-no-cache = dess `host_cache` är `None`
key-one-uncached = ingen VM i planen har Premium SSD v2- eller Ultra-diskar bredvid andra
key-all-writes = `iops` anger inte vilka begäranden som är läsningar, så alla räknas som skrivningar
key-measured = { $volume }: { $keys } anger vad som har mätts och ändrar inget i en plan; en svarstid begärs med `read_latency_max` och `write_latency_max`
key-size-overruled =
    { $volume }: { $requests ->
        [reads] läsningar
        [writes] skrivningar
       *[other] { $requests }
    } planeras med { $planned } var, vilket följer av dataflöde och IOPS, inte med { $written } (`{ $key }`)
key-one-disk = volymen har högst en disk
key-os-disk = ett operativsystem startar från en enda disk
latency-given = svarstid för { $places }: enligt scenariot
latency-own = svarstid för { $places }: { $model }, en egen modell, klass { $grade }
latency-default =
    svarstid för { $places }: { $medium }, { $setting ->
        [optimistic] optimistisk
        [typical] typisk
        [cautious] försiktig
       *[other] { $setting }
    }, klass { $grade }, inte mätt på dina diskar: medelvärde läsning { $read } ({ $read_else }), skrivning { $write } ({ $write_else })
latency-else =
    { $setting ->
        [optimistic] optimistisk
        [typical] typisk
        [cautious] försiktig
       *[other] { $setting }
    } { $latency }, { $other ->
        [optimistic] optimistisk
        [typical] typisk
        [cautious] försiktig
       *[other] { $other }
    } { $otherwise }
latency-of-miss =
    svarstid för { $places }: { $medium }, { $setting ->
        [optimistic] optimistisk
        [typical] typisk
        [cautious] försiktig
       *[other] { $setting }
    }, klass { $grade }, inte mätt på dina diskar: medelvärde { $mean } ({ $mean_else })

## explain: the finding

explain-first-touch = första åtkomst begränsar { $volume } tills volymens data är på plats, och därefter klaras behovet: volymen kommer från en ögonblicksbild, { $left } har inte hämtats ännu, ett block om { $block } tar { $time } när det används första gången, och det ger { $gives } av { $asked }. { $remedy }
explain-first-touch-beside = { $volume } kommer från en ögonblicksbild, och { $left } har inte hämtats ännu: ett block om { $block } tar { $time } när det används första gången. { $remedy }
explain-first-touch-comes = Med volymens initieringshastighet är allt på plats efter { $after }: vänta så länge.
explain-first-touch-read = Läs volymen en gång från början till slut innan det gäller ({ $alone } med en begäran i taget).
explain-first-touch-buy = Läs volymen en gång från början till slut innan det gäller ({ $alone } med en begäran i taget), eller köp en `initialization_rate`: med { $least } är allt på plats efter { $slow }, med { $most } efter { $fast }; priset är inte känt här.
explain-carries = den här konfigurationen klarar behovet{ $nearest }
explain-nearest = ; närmast gränsen ligger { $limit }, { $used }
explain-measured = { $shows }{ $advice }
explain-carries-measured = den här konfigurationen klarar behovet; mätningen: { $shows }
explain-carries-else = den här konfigurationen klarar behovet, men mätningen visar inte dess gränser: { $shows }
explain-cut-off = mätningen är avskuren vid { $at }: det verkliga behovet är större än det som uppmättes{ $nearest }{ $advice }
cut-off-at = { $limit } ({ $iops }, { $throughput })
cut-off-elsewhere = { $iops }, { $throughput } på { $volume }
cut-off-said = en gräns hos källan ({ $what })
explain-cut-off-nearest = ; av det uppmätta ligger { $limit } närmast gränsen, { $used }
explain-fixed = { $limit }: { $asked } begärs, { $available } finns{ $advice }
explain-fixed-latency = { $limit }: högst { $asked } begärs, { $expected } är att vänta{ $advice }
explain-binds = flaskhalsen är { $limit }{ $times }{ $gets }{ $others }{ $advice }
explain-times = {" "}i { $intervals } av { $all } intervall
explain-gets = : { $volume } begär { $asked } och får { $gets } ({ $share })
explain-others = ; vid andra tidpunkter { $limits }
explain-advice = ; den billigaste ändring som räcker: { $change }
explain-advice-in-place = ; den billigaste utan flytt: { $change }
explain-advice-both = { $cheapest }{ $in_place }
explain-new-plan = Det räcker inte att ändra en enskild del. En ny plan för behovet: { $plan } för { $monthly } per månad (inte simulerad här; `diskwright plan` simulerar den).
explain-new-plan-cheaper = En ny plan kostar { $saved } mindre per månad än den billigaste ändring som räcker: { $plan } för { $monthly } per månad (inte simulerad här; `diskwright plan` simulerar den).

## explain: what a measurement shows

shows-limit = { $volume } nådde { $iops }, { $throughput }: gränsen { $limit } är nådd ({ $used } av den){ $credits }
shows-limit-credits = ; takten bygger på burstkrediter, fulla räcker de i { $lasts } vid den här takten
shows-credits = { $volume } nådde { $iops }, { $throughput }: det är över den ihållande takten för { $limit } och förbrukar burstkrediter, som räcker i { $lasts } när de är fulla
shows-cache = { $volume } nådde { $iops }, { $throughput }: diskarna begränsar, och värdcachen levererar { $served }; { $why }
shows-cache-serves = ungefär { $share } av läsningarna
shows-cache-serves-none = knappt några läsningar alls
shows-cache-small = mängden lästa data är större än cachen
shows-cache-cold = cachen är kall eller mindre än mängden lästa data: läs filen en gång före mätningen
shows-sync = { $volume } nådde { $iops }, { $throughput }: en skrivning och en synkronisering efter varandra tar { $cycle }, vilket ger { $per_s } per sekund{ $workers }; fler utestående hjälper inte här, men en snabbare synkronisering: den tar { $sync } i genomsnitt{ $p99 }
shows-sync-workers = , för { $workers } arbetare tillsammans
shows-sync-p99 = , { $p99 } vid percentil 99
shows-depth = { $volume } nådde { $iops }, { $throughput }: ködjupet är för lågt: { $in_flight } utestående begäranden på { $latency } var ger { $most }{ $next }{ $idle }
shows-depth-next = ; { $needed } utestående når den första gränsen, { $gives } för { $limit }
shows-depth-idle =
    ; { $disks ->
        [one] en disk i stripen är overksam
       *[other] { $disks } diskar i stripen är overksamma
    }
shows-slow = { $volume } nådde { $iops }, { $throughput }: ingen gräns är nådd, men en begäran tar { $latency } där modellen anger { $model }: kontrollera gästens processorer, begränsning någon annanstans på värden och burstkrediter som tog slut tidigare
shows-not-asked = { $volume } nådde { $iops }, { $throughput }: ingen gräns är nådd: lasten begränsas av sina egna inställningar
shows-unknown = { $volume } nådde { $iops }, { $throughput }: ingen gräns är nådd; utan ködjup eller svarstid går det inte att säga mer

## explain: changes

change = { $what } ({ $cost }{ $needs }{ $gives_up }{ $simulated })
change-vm = { $new } i stället för { $old }
change-disk = { $new } i stället för { $old } på { $volume }
change-tier = prestandanivå { $new } för { $old } på { $volume }
change-rebuild = { $new } med { $bought } i stället för { $old } på { $volume }
change-stripe = en stripe med { $count } x { $disk } i stället för { $before } på { $volume }
change-stripe-unit = stripe-enhet { $new } i stället för { $old } på { $volume }
change-provision = { $disks } med { $new } i stället för { $old } på { $volume }
change-bought = { $capacity }, { $iops }, { $throughput }
change-bought-unknown = nuvarande storlek
change-cache = värdcache { $new } i stället för { $old } på { $volume }
change-local = den lokala disken i VM:en i stället för { $old } på { $volume }
change-ephemeral = en tillfällig OS-disk (ephemeral) i stället för { $old } på { $volume }
change-in-flight = { $depth } utestående begäranden på { $volume }
change-free = utan kostnad
change-costs = { $monthly } per månad
change-unpriced = inget pris på { $offers } är känt i { $region }
needs-nothing = ; inget stannar
needs-detach = ; disken kopplas från och till igen
needs-restart = ; VM:en stoppas och startas
needs-migration = ; data flyttas
needs-unknown = ; ingen sida som lästs säger vad det kräver
needs-processors = ; en ny VM: Arm och x64 kräver olika avbildningar
needs-security = ; en ny VM: konfidentiella storlekar kräver en egen säkerhetstyp och en egen avbildning
needs-images = ; en ny VM: dess avbildning är av en annan generation än de som startar på den nya storleken
needs-nvme = ; en ny VM, eller en konvertering medan den är frigjord: diskstyrenheten byts från SCSI till NVMe, vilket kräver en avbildning av generation 2 med NVMe-drivrutiner
needs-scsi = ; en ny VM, eller en konvertering medan den är frigjord: diskstyrenheten byts från NVMe till SCSI
needs-local-disk = ; en ny VM: Azure byter inte mellan storlekar med och utan lokal disk
gives-up-durability = ; innehållet går förlorat när VM:en frigörs eller flyttas
gives-up-host-cache = ; utan värdcache
gives-up-smaller = ; den kan inte förminskas igen
gives-up-network = ; dess nätverk får mindre bandbredd
proof-served = ; simulerad
proof-falls-short = ; räcker inte i simuleringen
proof-none = ; inte simulerad

## explain: recordings that stop at a level, missing inputs, assumptions

throttled-at = { $volume }: { $share } av intervallen ligger vid { $iops }, { $throughput }: det är { $limit } i den här konfigurationen; det verkliga behovet är större än det som uppmättes
throttled-elsewhere = { $volume }: { $share } av intervallen ligger vid { $iops }, { $throughput }: antingen en gräns på datorn där mätningen gjordes eller lasten själv; det verkliga behovet är större än det som uppmättes
missing-measurement = en mätning: `--measured FILE` med ett resultat från fio, DiskSpd eller Iometer skiljer en gräns från ett för lågt ködjup
missing-demand = behovet: `--demand requirements.toml` (från `diskwright observe`) anger vad som begärs över tid
missing-series = behovet över tid: utan tidsserie i { $file } går det varken att följa burstkrediter eller eftersläpning
missing-depth = { $volume }: antalet utestående begäranden eller deras svarstid: mät med ett verktyg som skriver ut dem
missing-working-set = { $volume }: andelen träffar i värdcachen: skriv `working_set` eller `hit_curve` i { $file }; inga träffar räknas
missing-prices = priser på den här konfigurationen i { $region }: importera dem med `diskwright catalogue import`
explain-one-figure = ett värde per volym, percentil { $percentile }
explain-intervals = { $intervals } intervall på { $interval }, varav { $exceeding } får överskrida en gräns (gränserna måste hållas { $percentile } % av tiden)
explain-no-credits = gränser räknas fullt ut, utan marginal; burstkrediter räknas inte: ett enda värde gäller hela tiden
explain-credits = gränser räknas fullt ut, utan marginal; burstkrediterna är fulla från början
explain-more = en ändring anses räcka om den ger utrymme för { $percent } % mer än det uppmätta
explain-else = en ändring behåller allt annat, med minst lika många processorer och minst lika mycket minne
explain-tried = en ändring som håller alla gränser simuleras i det mest belastade intervall som den måste klara
explain-today = dagens behov: tillväxten under { $years } år som `plan` räknar med ingår inte
explain-hits = { $volume }: { $share } av läsningarna är träffar i värdcachen (uppskattat)
explain-hits-least = { $volume }: { $share } av läsningarna är träffar i värdcachen (minst, eftersom diskarna inte kan ha levererat dem)
explain-write-back = { $volume }: data som en ReadWrite-cache inte har skrivit tillbaka går förlorade om värden havererar
habit-cached-writes = { $volume }: värdcache ReadOnly på en volym som knappt läses: skrivningar vinner inget på den och fyller den; ställ in None
habit-write-back = { $volume }: värdcache ReadWrite under data: det som inte har skrivits tillbaka går förlorat om värden havererar; ReadOnly för data, None för loggar
habit-one-in-flight = { $volume }: en utestående begäran på en stripe med { $disks } diskar: en disk arbetar i taget; håll minst { $disks } utestående eller använd en snabbare disk
habit-unequal = { $volume }: olika diskar i samma stripe: alla räknas som den långsammaste och minsta; använd likadana
habit-small-unit = { $volume }: stripe-enheten { $unit } gör flera I/O av en begäran, och alla räknas mot gränserna; 64 KiB eller mer
habit-spinning = { $volume }: en hårddisk ({ $disk }) tar flera millisekunder per begäran och passar för säkerhetskopior; använd en SSD under en databas
habit-os-disk = { $volume }: lasten körs på OS-disken, och systemet får vänta bakom den; ge den en egen datadisk, eller en tillfällig OS-disk på en nod utan tillstånd

## simulate: what throttles a volume

binding-idle = { $volume } hade inget att göra.
binding-write-back = Tillbakaskrivningen begränsar { $volume }: värdcachen rymmer inte mer smutsiga data, så skrivningar tas bara emot så snabbt som volymens { $disks } hinner med. Fler eller större diskar i stripen skulle hjälpa.
binding-first-touch = Första läsningar begränsar { $volume }: data på volymens { $disks } som ingen har använt sedan ögonblicksbilden hämtas först när de efterfrågas, och volymens I/O-operationer väntar på det under { $waiting } av sin tid. Läs volymen en gång från början till slut innan det gäller, eller köp en initieringshastighet.
binding-at-times = { $volume } når { $limit } bara tidvis: i genomsnitt är { $unused } av gränsen outnyttjad, men väntan på den utgör { $waiting } av svarstiden. Använd `--series 1s` för att se när.
binding-throttled = { $volume } begränsas av { $limit }{ $active }: { $available }. { $remedy }{ $next }
binding-active = {" "}när volymen är aktiv ({ $active } av { $run })
binding-one-disk = dess { $disks } ger { $available }
binding-disks = dess { $disks } ger tillsammans { $available }
binding-vm = { $vm } ger { $available } till { $behind }
binding-our-vm = VM:en ger { $available } till { $behind }
behind-all = alla sina diskar
behind-v2 = sina Premium SSD v2- och Ultra-diskar
behind-others = sina diskar utom Premium SSD v2 och Ultra
behind-cache = allt som värdcachen och den temporära disken levererar
behind-gate = allt som passerar grinden { $gate }
remedy-disks-or-cache = Fler eller större diskar skulle hjälpa, liksom en cache som rymmer mer av de data som läses.
remedy-disks = Fler diskar i stripen, större diskar eller en högre prestandanivå skulle hjälpa.
remedy-larger = Fler volymer i stripen eller större volymer skulle hjälpa.
remedy-bought = Att köpa mer av det för samma volym, eller fler volymer i stripen, skulle hjälpa.
remedy-other-kind = En volym av den här typen ger inte mer: fler volymer i stripen eller en annan typ skulle hjälpa.
remedy-local = En VM-storlek med fler eller snabbare lokala diskar skulle hjälpa, eller att flytta en del av lasten till fjärrdiskar.
remedy-uncached = En VM-storlek med högre gräns för { $gate } skulle hjälpa; fler eller större diskar hjälper inte.
remedy-cached = En VM-storlek med högre gräns för { $gate } skulle hjälpa, eller att flytta en del av lasten till en volym utan värdcachelagring.
binding-next-exhausted = {" "}Även gränsen { $limit } ({ $available }) är helt utnyttjad.
binding-next-nearly = {" "}Även gränsen { $limit } ({ $available }) är nästan helt utnyttjad.
binding-next = {" "}Nästa flaskhals är { $limit }: { $available }, { $left } kvar.
limit-of = { $limit } för { $place }
binding-rate = { $volume } begränsas inte: jobben begär inte mer (de har en angiven takt) och får { $iops }.
binding-think = { $volume } begränsas inte: jobben pausar (thinktime) och får { $iops }.
binding-depth = Ingen gräns begränsar { $volume }. Det gör däremot ködjupet: { $depth } utestående I/O på { $latency } var ger { $iops }. Fler utestående I/O (iodepth, numjobs) skulle ge mer.
binding-sync = Ingen gräns begränsar { $volume }. En skrivning och en synkronisering efter varandra tar { $cycle }, vilket ger { $per_s } per sekund{ $workers }. Fler utestående I/O (iodepth) hjälper inte här, men en disk som synkroniserar snabbare.

## simulate: what was leapt over, or why nothing was

by-kind-all = { $simulated } av { $all } I/O simulerades: ett stickprov ur vart och ett av de { $steps } intervallen på { $each }
by-kind = { $simulated } av { $all } I/O simulerades: { $taken } av { $steps } intervall på { $each } genom ett stickprov, de övriga helt
by-kind-near = { $simulated } av { $all } I/O simulerades: { $taken } av { $steps } intervall på { $each } genom ett stickprov, de övriga helt, { $near } av dem vid en gräns eller intill
leapt = { $share } av tiden är stabil och har hoppats över: { $simulated } I/O simulerades av totalt { $all }. `--exact` simulerar varje I/O, `--error 1%` begär mindre fel
leap-refused = varje I/O simulerades, trots att körningen är lång: { $why }
leap-by-size = jobbet { $job } slutar efter storlek eller antal I/O, inte efter tid (`time_based=1` och `runtime`)
leap-verifies = jobbet { $job } läser tillbaka det som det har skrivit
leap-ends-when-steady = jobbet { $job } slutar när takten är stabil
leap-null-engine = jobbet { $job } använder null-motorn
leap-billed = bursting på begäran debiteras per sekund, och tidsserien visar varje sekund
leap-first-touch = data på { $volume } hämtas när de används första gången, och det blir allt färre
leap-cache = det som jobbet { $job } hittar i värdcachen kan inte beräknas i sluten form: { $why }
leap-cache-sizes = dess begäranden är olika stora, delas av stripen eller delar data med ett jobb som har begäranden av annan storlek
leap-cache-partly = dess begäranden fyller inte hela block, eller så är filen delvis varm
leap-cache-order = det återanvänder data i en egen ordning, inte slumpmässigt och oberoende
leap-cache-write-back = dess data ryms inte i cachen, där smutsiga data förblir läsbara längre än rena data
leap-cache-trims = det använder trim
leap-cache-eviction = cachen kastar inte ut det som har varit oanvänt längst
leap-unsteady =
    { $figure } för { $volume }, { $direction ->
        [read] läsning
        [write] skrivning
        [trim] trim
       *[other] { $direction }
    }, blev aldrig tillräckligt stabil
leap-rate = takten (IOPS)
leap-mean = den genomsnittliga svarstiden
leap-p99 = percentil 99
leap-tiers = andelen cacheträffar
leap-backlog = mängden data som väntar på tillbakaskrivning
leap-changes = det som körs ändras för ofta
leap-cache-moves = det som värdcachen innehåller ändras från intervall till intervall

## simulate: doubts

doubt-partial = stoppad efter { $after } virtuell tid: värdena gäller fram till dess
doubt-nothing = ingen I/O räknades: är ramp_time längre än jobbens arbete?
doubt-job-ended = { $job } avslutades i förtid: { $error }
doubt-cold-cache = { $volume }: { $hits } av läsningarna var träffar i värdcachen, men körningen varade kortare än en genomläsning av filerna ({ $files } kräver { $pass } vid den här takten; körningen varade { $ran }). Använd längre runtime, eller `--start warm` om cachen är full i produktion
doubt-idle-disks = { $volume }: { $depth } utestående begäranden i genomsnitt kan inte hålla { $disks } diskar sysselsatta; fullt dataflöde kräver 8 till 16 per disk (stripens ködjup = ködjup per disk × antal diskar)
doubt-varies = { $volume }: IOPS varierar för mycket för ett tillförlitligt medelvärde (± { $width }). Kontrollera med `--series 1s` om takten glider; kör längre eller använd `--seeds 1..8` för att minska osäkerheten
doubt-few = { $volume }: { $ios } I/O är för få för ett konfidensintervall eller för p99.9; använd längre runtime
doubt-leap-error =
    { $figure } för { $volume }, { $direction ->
        [read] läsning
        [write] skrivning
        [trim] trim
       *[other] { $direction }
    }, är känd på ± { $known } när, men ± { $asked } begärdes: värdet ändras medan en cache fylls. `--exact` simulerar varje I/O
doubt-credits-out-at = { $limit }: burstkrediterna tog slut efter { $after }; därefter ger gränsen { $sustained }. Värdena är medelvärden över båda skedena
doubt-credits-out = { $limit }: burstkrediterna tog slut under körningen; utan dem ger gränsen { $sustained }
doubt-on-credits = { $limit }: körningen bygger på burstkrediter ({ $spent } förbrukade); vid den här takten räcker de totalt ungefär { $lasts }, sedan sjunker gränsen till { $sustained }
doubt-dirty = { $dirty } smutsiga data fanns kvar i värdcachen vid slutet och var ännu inte skrivna till disk
doubt-first-touch = { $volume }: { $share } av I/O-operationerna väntade på data som först måste hämtas från ögonblicksbilden. { $left } återstod att hämta vid slutet, så i en längre körning stiger hastigheterna.
doubt-first-touched = { $volume }: { $share } av I/O-operationerna väntade på data som först måste hämtas från ögonblicksbilden, den sista { $until } efter starten. Därefter är hastigheterna bättre än dessa medelvärden.
doubt-guest-merges = { $volume }: { $limit } räknar varje begäran här. En gäst vars I/O-schemaläggare slår ihop intilliggande begäranden skickar färre och större, vilket inte modelleras: den kan nå upp till { $most } av den här storleken. Jämför `rrqm/s` eller `wrqm/s` i iostat med takten

## verify

verify-met =
    { $requirements ->
        [one] det enda kravet är uppfyllt
       *[other] alla { $requirements } krav är uppfyllda
    }
verify-answer =
    av { $requirements } krav är { $met } { $met ->
        [one] uppfyllt
       *[other] uppfyllda
    }, { $not_met } inte { $not_met ->
        [one] uppfyllt
       *[other] uppfyllda
    } och { $not_proven } inte { $not_proven ->
        [one] bevisat
       *[other] bevisade
    }
cause-no-figure = den ena av de två saknar värdet
cause-agrees = enligt prognosen
cause-less = { $limit } ger mindre här än i modellen: { $rate }
cause-more = { $limit } ger mer här än i modellen: { $rate }
cause-noise = inom körningens brus: medelvärdet är känt på { $error } när
cause-doubt = körningen är osäker: { $doubt }
cause-medium = begränsas inte av någon gräns utan av diskens svarstid (uppmätt { $measured }, modell { $model }). Om de skiljer sig åt kan `diskwright calibrate` anpassa modellen
cause-medium-only = begränsas inte av någon gräns utan av diskens svarstid
cause-not-predicted = det finns ingen prognos för värdet
cause-not-shown = inget scenario visar det: `bench --suite checklist`

## calibrate: scenarios that are excluded

excluded-unfinished = det slutfördes inte
excluded-mixed = det är inte en enda ström: volymer eller riktningar blandas
excluded-throttled = begränsat av { $limit }
excluded-no-percentiles = det saknar percentiler eller har dem för flera jobb, och sådana går inte att lägga ihop
excluded-no-median = det saknar median (p50), som anpassningen kräver, och har bara { $percentiles }
excluded-large = dess begäranden är större än en stripe-enhet och väntar på den långsammaste disken
excluded-not-predicted = det saknar prognos: resultatet anger inte vad som begärdes
excluded-waits-rate = det köar vid en gräns: vid en lägre takt blir begärandena klara snabbare
excluded-waits-depth = det köar vid en gräns: ett lägre ködjup ger nästan samma IOPS

## bench: warnings

warn-governor = processorernas frekvensstyrning är `{ $governor }`: frekvensen ändras med lasten. `cpupower frequency-set -g performance` håller den konstant
warn-load =
    medellasten var { $load } på { $processors ->
        [one] en processor
       *[other] { $processors } processorer
    } före starten: andra program körs. Stoppa dem eller vänta
warn-no-direct = { $volume }: { $path } kan inte läsas förbi sidcachen ({ $file_system } saknar direkt I/O), så detta mäter datorns minne. Använd ett filsystem på disk eller en enhet{ $size }
warn-no-direct-size = ; filen är { $file }, minnet { $memory }
warn-this-file-system = det här filsystemet
warn-partial = stoppad i förtid: värdena gäller fram till dess
warn-client-cpu = ett fio-jobb använde { $busy } av en processor, så resultatet visar även fios egen gräns. Fler jobb (`numjobs`) delar på arbetet
warn-machine-cpu = alla processorer var tillsammans upptagna till { $busy }: datorn kunde inte göra mer. Mät med färre eller större begäranden, eller på en större dator
warn-others = andra program använde { $busy } av alla processorer under körningen. Stoppa dem och mät igen
warn-short = { $ran } är kort: först från 30 s jämnas korta störningar ut
warn-few = { $ios } I/O är få: kör längre (`--runtime`)
warn-drift = takten ändrades från { $first } i den första tredjedelen till { $last } i den sista: burstkrediter, en cache som fylls eller annan last. Kör längre, eller värm upp längre
warn-page-cache = { $volume }: { $share } av { $path } ligger i sidcachen; direkt I/O går förbi den, men cachelagrade data kan ändå levereras eller skrivas tillbaka under tiden. `sync; echo 1 > /proc/sys/vm/drop_caches` tömmer den
warn-emulator = emulatorn: { $doubt }
warn-client-late =
    fio såg { $seen } som percentil 99 för { $direction ->
        [read] läsningar
        [write] skrivningar
        [trim] trim
       *[other] { $direction }
    } på { $volume }, där de modellerade diskarna gav { $given }: klienten eller den här datorn hängde inte med
warn-file-size = testfilerna på cachelagrade volymer är tillsammans { $files }, och värdcachen rymmer { $cache }: läsningar kommer att missa cachen. Ange ett mindre `--file-size`
warn-timeline = riggens tidslinje utspelas under emuleringen; prognosen tar inte med den
warn-no-host-cache = ingen volym har värdcache: läsningar och skrivningar delar på en enda gräns hos VM:en
excluded-page-cache = det gick via sidcachen, som döljer diskarna: mät med `{ $option }`

## bench: what a curve shows

finding = { $curve }, { $from }: { $shows }
knee = kurvans knä ligger vid ködjup { $depth }: { $iops } med { $latency }; 95 % av det högsta, { $most }, kräver ködjup { $near_depth } med { $near_latency }
crossover = dataflödet når sin topp, { $throughput }, från { $size } och uppåt; under det når IOPS sin topp, { $iops }
rise = svarstiden håller sig under dubbla den lägsta, { $lowest }, upp till { $load } % av lasten: { $iops } med { $latency }

## Results of benchmarks: what makes the figures less than they seem

result-last-of = det sista av { $results } resultat; vart och ett räknar från början
result-cut-short = JSON-texten slutar innan den är komplett: det som följer efter det sista hela resultatet har utelämnats
result-damaged = är inte giltig JSON: { $reason } nära `{ $near }`: det som följer efter det sista hela resultatet har utelämnats
result-more-lines =
    ytterligare { $lines } { $lines ->
        [one] rad
       *[other] rader
    } utöver JSON-texten
result-stopped = simuleringen stoppades innan jobben var klara
result-no-job = resultatet innehåller inget jobb: fio avslutades innan något hade börjat
result-job-error = jobbet `{ $job }` avslutades med fel { $error }
result-no-time =
    { $direction ->
        [read] läsning
        [write] skrivning
        [trim] trim
       *[other] { $direction }
    }: fio anger ingen tid för { $ios } I/O och därmed ingen takt
result-not-steady = det begärda stabila läget nåddes inte
result-failed = { $ios } I/O för `{ $name }` misslyckades

result-note = { $place }: { $note }
result-chosen = { $file }: { $tests } tester kördes efter varandra; testet{ $test } med flest I/O per sekund förklaras
result-chosen-test = {" "}för `{ $name }`, rad { $line },

## bench: how it differs from the published procedure, and why a scenario failed

scaled = testfiler på { $files } i stället för { $published }
scaled-time = { $time } per scenario i stället för { $published }
scaled-both = { $files }, { $time }
warn-swapped = guidens tabell med Iometer-resultat har förväxlat åtkomstspecifikationernas namn (RandomWrites_8K vid det som lästes, RandomReads_8K vid det som skrevs); här är läsningar det som en åtkomstspecifikation läser
fio-start = det går inte att köra fio: { $reason }
fio-killed = fio avslutades av signal { $signal }{ $said }
fio-full = disken är full: fio kunde inte skriva hela sin fil{ $said }
fio-gone = målet försvann eller slutade fungera medan fio använde det{ $said }
fio-vanished = målet försvann: { $what }
seen-gone = { $path } finns inte längre
seen-other = { $path } har ersatts
seen-folder-gone = mappen för { $path } finns inte längre
seen-folder-other = mappen för { $path } har ersatts: något monterades eller avmonterades
fio-failed = fio misslyckades med slutkod { $code }{ $said }
fio-stopped = stoppad
fio-said = : { $said }

## observe: what to doubt in a recording; what was seen, what it does to a plan, what to do

effect-none = ingen
audit-few = { $samples } mätvärden: med färre än 100 är p99 det största av dem
audit-too-few = { $samples } mätvärden är för få för en tillförlitlig p99: det sanna värdet kan ligga över det högsta uppmätta; 459 skulle räcka
audit-too-few-effect = p99 är osäker: se konfidensintervallen
audit-too-few-hint = mät { $time } eller mer med det här intervallet
audit-coarse = mätvärdena är medelvärden över { $interval }, så kortare toppar syns inte{ $measured }
audit-coarse-measured = : redan medelvärdet av fem i följd sänker p99 med { $lower }
audit-coarse-effect = p99 och maximum är för låga
audit-coarse-hint = mät med 1 eller 2 s under topptimmarna
audit-means = medelvärdet över all I/O är { $mean }, ett medelvärde av intervallens medelvärden skulle vara { $of_means }
audit-means-effect = ingen: medelvärdet över all I/O används
audit-merges = { $share } av programmets begäranden slogs ihop med andra
audit-merges-effect = IOPS gäller enheten; utan sammanslagning (annan schemaläggare, O_DIRECT) skulle det vara fler
audit-plateau =
    { $volume }: { $share } av tiden inom 2 % från högsta { $quantity ->
        [throughput] dataflöde
       *[other] { $quantity }
    }, { $latency }
audit-plateau-slower = med { $latency } mot annars { $otherwise }
audit-plateau-at = med { $latency }
audit-plateau-unknown = med okända svarstider
audit-plateau-effect = källan låg vid en egen gräns: behovet är minst så här stort och kan vara större
audit-plateau-hint = planera med marginal, eller observera på snabbare diskar
audit-closed = { $latency } per begäran med { $depth } utestående: programmet väntade på sina diskar
audit-closed-effect = på diskar med 1 ms skulle samma { $depth } utestående begära upp till { $iops }, om programmet inte gör något annat mellan begärandena
audit-closed-hint = planera för mer än det uppmätta, eller observera igen på de nya diskarna
audit-memory = läsningar från minnet ({ $memory }) ingår inte i värdena
audit-memory-unknown = läsningar från minnet ingår inte i värdena, och datorns minnesstorlek är okänd
audit-memory-effect = en VM med mindre minne läser mer från diskarna
audit-memory-hint = ange även vmstat eller sadf -r, eller `--memory-total 64GiB`
audit-batch = { $share } av intervallen har begäranden på 256 KiB eller mer, först vid { $first }; p99 för dataflödet är { $with } med dem och { $without } utan
audit-batch-effect = om det är en säkerhetskopiering eller en kontroll så avgör den diskstorleken
audit-batch-hint = ge den ett eget tidsfönster, eller uteslut den: `--window exclude=...`
audit-short = { $length } uppmätt{ $times }: för kort för att planera från
audit-hours = { $length } uppmätt{ $times }: inget är känt om dygnets övriga timmar
audit-hours-times = , { $from } till { $to }
audit-hours-effect = en plan täcker bara lasten under de här timmarna; ligger toppen vid en annan tid är planen för liten
audit-hours-hint = mät minst ett helt dygn, gärna det som har veckans eller månadens topp
audit-processors-busy = processorerna var upptagna till { $busy } eller mer i { $share } av avläsningarna
audit-processors-busy-effect = CPU:n begränsade behovet av diskprestanda: på en VM med fler processorer är det större
audit-processors-busy-hint = planera med utrymme för det (`comfort_factor` i requirements.toml) och med fler processorer än i dag (`vcpu_min`)
audit-one-volume = { $volume } hanterar nästan alla begäranden, { $reads } av dem läsningar, och skrivningarna är { $size } i genomsnitt: om det är en databas kan data och logg dela på volymen
audit-one-volume-effect = en gemensam volym planeras för båda: den kan inte ha värdcache för data utan att även ha den för loggen
audit-one-volume-hint = mät dem separat om de går att skilja åt, eller dela upp volymen i requirements.toml, med `role = "log"` för loggen
audit-idle = IOPS ligger under 5 % av toppen under { $share } av tiden: p99 är { $all }, för enbart den aktiva tiden { $busy }
audit-idle-effect = en plan för p99 över hela tiden kan vara för liten dagtid
audit-idle-peak = använd toppens tidsfönster
audit-idle-split = dela upp det: `--window load`
audit-disagree = { $device }: { $one } anger { $says }, { $other } anger { $but }
audit-disagree-effect = värdena från { $tool } används
audit-disagree-hint = leta efter olika tidpunkter, sammanslagna begäranden eller en cache mellan de två
audit-agree = { $device }: { $one } anger { $says }, { $other } anger { $but }: de överensstämmer inom 5 %
audit-locale = talen har decimalkomma och har lästs så
audit-locale-effect = ingen, om tusentalen ser rätt ut
audit-locale-hint = mät med `LC_ALL=C S_TIME_FORMAT=ISO`
audit-folded = fler avläsningar än som sparas: percentilerna gäller alla och är exakta
audit-folded-within = fler avläsningar än som sparas: percentilerna gäller alla, med högst { $step } avvikelse från en avläsning
audit-folded-effect =
    ingen; diagram och behov över tid har en punkt per { $intervals ->
        [one] intervall
       *[other] { $intervals } intervall
    }
audit-damaged =
    { $lines } { $lines ->
        [one] rad kunde inte tolkas och har utelämnats
       *[other] rader kunde inte tolkas och har utelämnats
    }
audit-damaged-effect = intervall kan saknas
audit-damaged-hint = `--strict` avbryter vid sådana rader; de första visas ovan
rate-untimed = begärandena är listade utan tider
rate-instant = alla begäranden har samma tidpunkt: en takt kräver en varaktighet
rate-short = spårningen varar { $length }: en takt kräver minst en tiondel av ett intervall på { $interval }
rate-effect = antal begäranden per sekund, dataflöde och ködjup är okända; storlekar, andelar och slumpmässighet är kända
rate-untimed-hint = en spårning eller logg med tider (fio skriver dem i iologs av version 3)
rate-instant-hint = en spårning av mer än ett ögonblick
rate-short-hint = en längre spårning eller ett kortare intervall: `--every 1ms`
audit-wide = spårningen täcker längre tid än antalet sparade intervall räcker till: intervallen är { $interval } långa, inte { $asked }
audit-wide-effect = kortare toppar syns inte
audit-wide-hint = klipp ut de timmar i spårningen som är viktiga
audit-since-boot =
    { $lines } { $lines ->
        [one] rad
       *[other] rader
    } från inledande rapporter har utelämnats: { $example }
audit-since-boot-effect = ingen: ett medelvärde över flera dygn skulle annars ha räknats som ett intervall
audit-since-boot-hint = om verktyget kördes med -y anger du `--keep-first`
audit-one-direction = { $figure }: saknas i mätningen, trots att { $other } finns
audit-one-direction-effect = inget beräknas från en enda riktning: summor, andelar och medelvärden för båda är okända
audit-one-direction-hint = mät båda riktningarna
used-disks = diskar
used-compared = jämförda
used-cpu = CPU
used-memory = minne
used-transactions = transaktioner
used-pattern = slumpmässigt och sekventiellt
used-nothing = inget
used-also = { $uses }, { $also }
audit-missing = { $figure }: { $devices }
audit-missing-all = { $device } saknar värdet helt
audit-missing-some = { $device } saknar värdet i { $lacking } av { $all } intervall
audit-missing-more =
    ytterligare { $devices } { $devices ->
        [one] enhet
       *[other] enheter
    }
audit-missing-effect = saknas, inte noll: summor och medelvärden som behöver värdet utelämnar de intervallen
audit-missing-hint = mät värdet också, eller välj de enheter som har det: `--volume NAME=DEVICES`
audit-times =
    { $what }, { $times } { $times ->
        [one] gång
       *[other] gånger
    }{ $example }
audit-example = {" "}({ $example })
audit-reset = räknare gick bakåt
audit-reset-effect = intervallen runt det har utelämnats
audit-restart = datorn eller mätningen startades om
audit-restart-effect = inget intervall sträcker sig över det
audit-impossible = värden som ingen enhet kan ha har utelämnats
audit-impossible-effect = en drivrutin eller en nollställning skrev dem
audit-processors = antalet processorer ändrades
audit-processors-effect = CPU-procent före och efter är inte samma sak
audit-came-went = { $devices }: { $counted }
audit-came = { $devices } tillkom senare
audit-went = { $devices } försvann
audit-holes =
    { $lines } { $lines ->
        [one] rad för en enhet saknas
       *[other] rader för en enhet saknas
    } mellan andra
audit-counted-idle = räknas då som overksam
audit-counted-hole = räknas då som { $word }{ $but }
audit-counted-both = räknas som overksam före och efter, däremellan som { $word }{ $but }
audit-counted-but = , { $lines } av dem som okänd: en rad där kunde inte tolkas
audit-idle-word = overksam
audit-unknown-word = okänd
audit-came-went-effect = percentiler för en sådan enhet gäller den tid den fanns; summor utelämnar okända intervall
audit-came-went-hint = observera igen med alla enheter anslutna
audit-idle-left-out =
    { $lines } { $lines ->
        [one] rad för en overksam enhet saknas
       *[other] rader för overksamma enheter saknas
    } i mätningen (`-z`): räknas som overksam tid{ $but }
audit-idle-left-out-effect = ingen; en enhet som anslöts senare räknas som overksam dessförinnan
audit-assumed = filen anger inte sitt intervall: en sekund antas
audit-assumed-effect = takterna stämmer, men inte deras Δt och inte mätningens längd
audit-inferred = intervallet, { $interval }, har härletts ur takternas decimaler
audit-inferred-effect = ingen, om det stämmer
audit-interval-hint = ange det, till exempel `--every 2s`; `iostat -t` registrerar det
audit-peaks = avläsningarna är toppvärden av kortare avläsningar, och medelvärden saknas
audit-peaks-effect = percentiler av toppvärden är upp till en tredjedel för höga
audit-peaks-too = avläsningar som är toppvärden av kortare avläsningar finns bredvid medelvärden och har utelämnats
audit-peaks-hint = exportera medelvärden
audit-spans = { $intervals } intervall avviker kraftigt från det vanliga, { $usual }: { $example }
audit-spans-effect = percentiler viktar varje intervall efter dess längd; långa intervall döljer sina toppar
audit-coarsened = { $device } är mätt var { $over }, andra värden var { $finer }: allt är medelvärden över { $over }
audit-coarsened-effect = summorna är oförändrade; toppar kortare än { $over } syns inte
audit-coarsened-hint = mät allt med ett och samma intervall, kortare än { $over }, eller varje volym för sig
audit-utilisation = %util är andelen tid med minst en begäran: värdet har inte använts
audit-utilisation-effect = ingen: en disk som hanterar flera begäranden samtidigt är inte full vid 100 %
audit-tick = kerneln ({ $kernel }) avläser %util en gång per tick
audit-over =
    %util överskrider 100 % på { $lines } { $lines ->
        [one] rad
       *[other] rader
    } ({ $example })
audit-unused-effect = ingen: värdet har inte använts
audit-service = svctm beräknas ur %util och är meningslöst, så det har ignorerats
audit-depth = den utskrivna kölängden är fel på { $lines } av { $all } rader{ $fault }: { $example }
audit-depth-fault = {" "}(ett fel i Linux 5.0 till 5.6)
audit-depth-effect = ingen: ködjupet beräknas som takt × svarstid
audit-depth-hint = använd inte aqu-sz från den här mätningen i andra sammanhang
audit-latency-alone =
    { $lines } { $lines ->
        [one] rad
       *[other] rader
    } har svarstider utan begäranden/s
audit-latency-alone-effect = medelsvarstid och ködjup är okända: de viktas med antalet begäranden
audit-latency-alone-hint = mät begäranden också, till exempel med `dstat --io --disk-wait` eller `iostat -x`
audit-discards =
    begäranden/s inkluderar discard-begäranden på { $lines } { $lines ->
        [one] rad
       *[other] rader
    }
audit-discards-effect = IOPS är för höga, med just discard-begärandena
audit-discards-hint = iostat -x räknar dem separat
audit-only-discards =
    { $lines } { $lines ->
        [one] rad
       *[other] rader
    } har discard-begäranden
audit-flushes =
    { $lines } { $lines ->
        [one] rad
       *[other] rader
    } har flush-begäranden, { $discards } har discard-begäranden
audit-flushes-effect = de är egna rader; skrivningar till en logg väntar på flush-begäranden
audit-dataless = upp till { $share } av de skrivningar som kärnan räknar är flush-begäranden utan data
audit-dataless-effect = IOPS för skrivning kan vara så mycket för höga, och skrivningarna större än de verkar
audit-dataless-hint = mät med `observe --trace`, som skiljer dem åt
audit-dataless-traced = { $share } av de skrivningar som kärnan räknade är flush-begäranden utan data, enligt spårningen
audit-dataless-traced-effect = ingen: här ingår de inte i IOPS för skrivning
audit-implausible =
    { $lines } { $lines ->
        [one] rad
       *[other] rader
    } har värden som ingen disk har: { $example }
audit-implausible-effect = ett värde är skadat, eller så har kolumnen en annan enhet än namnet anger; en plan utifrån det blir lika fel
audit-units = dataflöde, takt och storlek går inte ihop i { $figures } av { $all } värden: { $example }
audit-units-effect = dataflöde eller I/O-storlek kan vara fel med 2,4 % (kB för KiB) eller 4,9 % (MB för MiB)
audit-units-factor = dataflödet, och varje I/O-storlek som beräknas ur det, kan vara { $factor } gånger för högt: en kolumn har en annan enhet än namnet anger
audit-units-factor-less = dataflödet, och varje I/O-storlek som beräknas ur det, kan vara { $factor } gånger för lågt: en kolumn har en annan enhet än namnet anger
audit-units-hint = kontrollera verktygets enheter
audit-twice = räknas inte: { $devices }{ $more }
audit-twice-more = , och ytterligare { $devices }
audit-twice-is = { $device }: { $why }
audit-twice-effect = ingen, om det stämmer: deras I/O skulle ha räknats två gånger
audit-twice-hint = välj med `--volume data=sdb,sdc`
audit-layers = { $above } och { $below } räknas tillsammans, även om den ena kan ligga på den andra
audit-layers-effect = summan av alla volymer kan vara för hög
audit-layers-hint = välj med `--volume NAME=DEVICES`
audit-counted = räknas: { $devices }
audit-counted-effect = om enheten ligger på de andra räknas dess I/O två gånger
audit-counted-hint = uteslut den i så fall: `--volume exclude={ $device }`
audit-not-counted = räknas inte: { $devices }
audit-not-counted-effect = om enheten är en egen disk saknas dess I/O
audit-not-counted-hint = räkna den i så fall: `--volume NAME={ $device }`, och ett `--volume` för var och en av de andra
audit-device = { $device }: { $why }
audit-more = ytterligare { $devices }
audit-consumed = { $limit } låg på 95 % eller mer i { $readings } av { $all } avläsningar, som mest { $most }
audit-consumed-effect = behovet är större än det uppmätta: värdena är nedre gränser
audit-consumed-hint = planera med marginal, eller observera på större diskar
audit-credits-effect = burstkrediterna tog slut: därefter visar mätningen vad gränsen släpper igenom, inte behovet
audit-credits-hint = ge utrymme för behovet utan bursting, eller observera på större diskar
audit-credits-some = { $metric } steg till { $most }
audit-credits-some-effect = en del av lasten levde på burstkrediter, som inte alltid finns
audit-zones = vissa filer har lokala tider utan tidszon, andra har tidszon: de kombineras inte
audit-local-times = tiderna är lokala, utan tidszon: tidsfönster följer den klockan
audit-zone-effect = en timme räknas två gånger eller faller bort när klockan ställs om
audit-zone-hint = ange `--utc-offset +02:00`
audit-unjoined =
    { $sources } { $sources ->
        [one] källa har ingen tid gemensam med diskarna: dess
       *[other] källor har ingen tid gemensam med diskarna: deras
    } värden kombineras inte
audit-unjoined-effect = tidsfönster utelämnar avläsningar som inte kan placeras i tiden
audit-unjoined-hint = mät med tider: `iostat -t`, `vmstat -t`
audit-silence =
    ingen enhet fick några begäranden under { $time } i { $stretches } { $stretches ->
        [one] period
       *[other] perioder
    } på mer än { $longer } min ({ $example })
audit-silence-effect = tolkas som tid utan spårning: om enheterna var overksamma skulle percentiler över hela tiden vara lägre
audit-silence-hint = kontrollera tidsstämpeln på den raden: en skadad tidsstämpel ger en sådan lucka
audit-gaps =
    { $time } saknas i { $gaps } { $gaps ->
        [one] lucka
       *[other] luckor
    } ({ $example })
audit-gaps-effect = inget fördelas över luckorna; percentiler gäller den uppmätta tiden
audit-late =
    { $readings } { $readings ->
        [one] avläsning
       *[other] avläsningar
    } kom efter senare avläsningar som redan hade sammanfattats
audit-late-effect = de räknas, men två från samma ögonblick räknas dubbelt, och tidsfönster börjar med den första filen
audit-late-hint = klipp filerna där deras tider överlappar och ange varje fil en gång
audit-back =
    tiden går bakåt { $times } { $times ->
        [one] gång
       *[other] gånger
    } ({ $example })
audit-back-effect = avläsningarna sorteras; två från samma ögonblick blir en
audit-back-hint = ange filerna i valfri ordning, var och en en gång
audit-repeated =
    { $readings } { $readings ->
        [one] avläsning
       *[other] avläsningar
    } från ett ögonblick som redan hade en: den första har behållits
audit-repeated-effect = hälften av den timme som upprepas på hösten går förlorad
audit-repeated-hint = mät i UTC

## emulate: whether a run is to be trusted, and why not

trust-open =
    { $completions ->
        [0] ingen begäran är klar än: för lite för att bedöma den här datorn
        [one] { $completions } begäran är klar: för lite för att bedöma den här datorn
       *[other] { $completions } begäranden är klara: för lite för att bedöma den här datorn
    }
trust-kept = den här datorn hinner med: { $share } av { $completions } begäranden blev klara mer än 50 µs och en tiondel av svarstiden för sent; percentil 99 är { $seen } hos klienterna, { $modelled } i modellen
trust-doubted = INTE TILLFÖRLITLIGT: { $share } av { $completions } begäranden blev klara mer än 50 µs och en tiondel av svarstiden för sent; percentil 99 är { $seen } hos klienterna, { $modelled } i modellen
late-tail = klienterna såg { $seen } som percentil 99, där de modellerade diskarna gav { $modelled }; den här datorn är för upptagen eller för långsam för de här diskarna
late-many = { $share } av begärandena blev klara mer än 50 µs och en tiondel av svarstiden för sent: hälften av alla med { $half } eller mer, en av hundra med { $hundredth }; den här datorn är för upptagen eller för långsam för de här diskarna
late-host = för { $share } av begärandena tog den här datorns egen disk längre tid än den modellerade: ha data i minnet eller på en snabbare disk

## observe: why a device is counted or not

device-excluded = utesluten
device-not-named = inte angiven med --volume
device-member = en del av { $volume }, som räknas
device-part = en partition på { $disk }, som räknas
device-part-of-layer = en partition på { $disk }, vars I/O den ingår i
device-layer =
    { $kind ->
        [logical-volume] en logisk volym
        [mapped-device] en mappad enhet
        [multipath] en multipath-enhet
        [volume] en volym
        [array] en diskmatris
        [vxvm-volume] en VxVM-volym
        [cache] en cache
        [zfs-volume] en ZFS-volym
        [mirror] en speglad enhet
        [encrypted] en krypterad enhet
        [docker] en docker-enhet
       *[other] { $kind }
    }: dess I/O är den på diskarna under, som räknas
device-loop = dess I/O är den på disken där dess fil ligger
device-path = en väg till { $device }, som räknas
device-sum = en summa av de andra
device-in-sum = dess I/O ingår i { $sum }, som räknas
device-twin = den flyttar samma byte som { $twin }, som räknas
device-twin-of = den flyttar samma byte som { $disks }, som räknas
device-unnamed = namnet anger inte om den ligger på { $disks }
device-beyond = { $share } av dess I/O överstiger vad { $disks } gjorde samtidigt: den ligger inte på dem
device-named-layer = enligt namnet ligger den på { $disks }, men { $share } av dess I/O överstiger deras
device-own = namnet säger inget, och { $share } av dess I/O överstiger vad { $disks } gjorde: antas vara en egen disk
device-follows = dess I/O stiger och faller med { $disks } och är aldrig större
device-too-little = namnet säger inget, och det finns för lite data för att avgöra om den ligger på { $disks }
device-apart = namnet säger inget, och dess I/O stiger och faller inte med { $disks }
device-disks = { $disks }
device-disks-more = { $disks } och ytterligare { $more }

## observe: pitfalls in a few words

pitfall-since-boot = rapport sedan systemstart
pitfall-reset = räknare började om eller är orimliga
pitfall-coarse = intervall som döljer toppar
pitfall-latency-means = medelsvarstider måste viktas
pitfall-utilisation = utnyttjandegrad är inte last
pitfall-service-time = betjäningstid saknar betydelse
pitfall-utilisation-inflated = utnyttjandegraden är för hög
pitfall-queue-field = utskriven kölängd är fel
pitfall-units-mixed = enheterna går inte ihop
pitfall-double-counting = samma I/O i flera enheter
pitfall-merges-count = begäranden slogs ihop
pitfall-throttled = källan låg vid sin gräns
pitfall-closed-loop = långsamma diskar begränsar behovet
pitfall-page-cache = sidcachen levererade läsningar
pitfall-batch = stort sekventiellt arbete i mätningen
pitfall-zone = tider utan tidszon
pitfall-gap = tid saknas
pitfall-locale = decimalkomman
pitfall-idle = overksam tid späder ut percentilerna
pitfall-flush-discard = flush- och discard-begäranden
pitfall-too-few = för få intervall
pitfall-disagree = två verktyg säger olika
pitfall-damaged-lines = skadade rader
pitfall-folded = längre än vad som sparas
pitfall-missing = värden saknas
pitfall-hours = timmar på dygnet saknas
pitfall-processors = processorerna var flaskhalsen
pitfall-data-and-log = data och logg på samma volym
pitfall-interval-unknown = intervallet står inte i filen

## Scenarios: what their reader wants known

rig-uncached-shared = Premium SSD v2- och Ultra-diskar antas dela en gräns för ocachelagrad I/O med övriga diskar, den högre av de två; hur de delar är inte publicerat; `uncached_sharing = "separate"` under [vm] adderar de två
rig-uncached-separate = gränsen för ocachelagrad I/O på Premium SSD v2- och Ultra-diskar antas läggas till de övriga diskarnas (`uncached_sharing = "separate"`); hur de delar är inte publicerat
rig-unknown-limits =
    { $size } har okända gränser för { $key ->
        [cached] cachelagrad I/O
        [uncached] ocachelagrad I/O
       *[other] { $key }
    } (utgåva { $edition }), så de räknas som obegränsade: ange dem med `gates.{ $key } = {"{"} iops = ..., throughput = ... {"}"}` under [vm]
rig-derived = { $size }: { $field }: { $rule }
rig-from-snapshot = { $volume } kommer från en ögonblicksbild: ett block om { $block } som inte finns där ännu tar { $time } när det används första gången, enligt mätningar med en tråd. Simulering, emulering, `explain` och uppskattningar tar hänsyn till det; planer utgår från att alla data finns där.
rig-remark = { $size }: { $remark }
rig-unequal = { $volume } stripar olika stora diskar: som med RAID-0 i mdadm delar alla på den första delen, och bara de större på resten
rig-local-disks = { $volume } stripar { $disks } lokala diskar på { $size }, var och en med sin andel av de angivna gränserna, som gäller alla tillsammans
rig-local-reads = { $volume }: { $size } anger bara läsningar för sina lokala diskar; skrivningar är vanligtvis långsammare
rig-local-apart = { $volume }: läsningar och skrivningar på de lokala diskarna anges var för sig; en blandning antas totalt få högst det större värdet, och varje riktning högst sitt eget
rig-busiest = av mätningen, { $whole } lång, simulerades de { $span } som hade högst last
rig-null-engine = { $jobs } av { $all } jobb kör ioengine=null, som slutför begäranden utan disk: ingen volym visar dem, men det gör fios JSON
job-warning = { $place }: `{ $option }` { $what }
job-byte-order-mark = är en byteordningsmarkering: fio uppfattar den som ett alternativ och stannar där; här hoppas den över
job-only-global = är allt som filen innehåller: fio startar inget jobb för den; här körs den som ett jobb
job-only-global-unused = är allt som filen innehåller: fio startar inget jobb för den, och andra filer och `--name` får inte dess alternativ
job-not-a-range = är inget intervall: fio tar det första värdet för läsningar och det andra för skrivningar och trim
job-thousands = är { $reads } för läsningar och { $writes } för skrivningar och trim: för fio grupperar ett komma inga siffror
job-not-sectors = är ingen multipel av 512, storleken på en sektor: med direct=1 avvisar en disk en sådan begäran
job-profile-option = hör till en inbyggd profil i fio, som godtar alternativet överallt men inte gör något med det
job-blank-value = har ett blanksteg efter `=` och läses på samma sätt som i fio
job-reversed-unit = räknar i tusental: för fio är `{ $word }` decimalt och `{ $short }` binärt, om inte kb_base=1000 är satt
job-overridden = går före `{ $earlier }` på kommandoraden, vars alternativ är standardvärden, som i fio
job-further-file = är inte den första jobbfilen: fio tillämpar kommandoradens alternativ bara på den första
job-further-file-section = är inte den första jobbfilen: fio tillämpar --section och andra alternativ bara på den första
job-left-out = utelämnas: { $why }; tiden som det tar modelleras inte
job-processor-only = det förbrukar processortid och gör ingen I/O
job-names-only = det arbetar med filers namn och storlek och flyttar inga av deras data
job-split-range = har ett intervall, av vilket fio bara tar den första storleken
job-split-sum = har procenttal som inte summerar till 100; fio använder { $issued }
job-exit-all = aktiverar funktionen: fio tittar inte på värdet
job-file-size-open = anger inte hur stor filen är: fio tar storleken på den fil som finns, och stannar om ingen finns; här får den { $size }, det som återstår av volymen `{ $volume }`
job-working-folder = anger ingen plats för `{ $path }`: fio använder sin arbetskatalog; här hamnar filen på volymen `{ $volume }`
job-beyond-volume = är mer än vad volymen `{ $volume }` har därifrån ({ $left }); fio håller sig inom enheten
job-buffered-engine = arbetar via gästens sidcache
job-buffered = går via gästens sidcache i fio, eftersom direct=1 inte är satt
job-buffered-durable = { $how }: här följs varje skrivning av en egen flush-begäran och är klar när den är klar, och läsningar är som med direkt I/O; filsystemets journal modelleras inte
job-buffered-fsync = { $how }: här skickas varje skrivning direkt, och en fsync väntar på skrivningarna före den och gör sedan en flush-begäran; sammanslagna grannar och filsystemets journal modelleras inte
job-buffered-mmap = { $how }, vilket inte modelleras; resultatet är som med direkt I/O, en begäran i taget
job-buffered-plain = { $how }; sidcachen modelleras inte, och resultatet är som med direkt I/O
job-synchronous = har ingen effekt: `ioengine={ $engine }` kör en begäran i taget
job-polling = får fio att vänta på varje begäran innan nästa skickas: en är utestående, inte { $depth }
job-verifies-nothing = läser inte tillbaka något: skrivningarna upptar hela körtiden, som i fio
job-no-steady-state = har ingen effekt utan steadystate_duration: fio letar inte efter något stabilt läge
job-flow-below-zero = är under noll, vilket fio före 3.0 krävde; fio 3.33 läser det som ett tal utan tecken
job-time-based = har ingen effekt utan `runtime`: jobbet slutar när hela storleken är bearbetad
job-rate-overrides-mix = gäller för läsningar och för skrivningar: { $percent } % av all I/O blir läsningar, oavsett rwmixread={ $said }, så länge diskarna hänger med
job-map-off = stänger av slumpkartan: block kan upprepas och andra förbli orörda
job-open-files = modelleras inte: alla { $files } filer hålls öppna
job-stats = modelleras inte: jobbet visas i resultatet
job-directions-apart = modelleras inte: riktningarna redovisas var för sig
job-no-place = anger ingen plats: filen skulle hamna i arbetskatalogen; här hamnar den på volymen `{ $volume }`
job-size-unsaid = är en fil av okänd storlek; här får den { $size }, det som återstår av volymen `{ $volume }`
job-network-worker = är en nätverksarbetare, som utelämnas
job-repeats = körs { $runs } gånger i { $each } s, totalt { $all } s
job-no-latency-switch = saknar -L: DiskSpd skulle inte redovisa någon svarstid; här redovisas den
job-burst-beside-rate = har ingen effekt bredvid -g: DiskSpd tittar bara på takten
job-rate-of-threads = är byte per millisekund för varje tråd på varje mål: { $rate }, { $iops } på { $size }
job-rate-overflows = ger spill: DiskSpd beräknar { $iops } × { $size } i 32 bitar och behåller { $kept }
job-rate-rounds-to-zero = begränsar inget: DiskSpd avrundar { $rate } nedåt till 0 byte/ms
job-rate-rounds = sparas som { $kept }, vilket är { $iops }
job-one-thread = har ingen effekt med en enda tråd
job-same-blocks = är sekventiellt för var och en av { $threads } trådar: alla börjar från början och rör därför samma block
job-one-request = har ingen effekt med en enda utestående begäran
job-remote-cache = cachelagrar bara på fjärrsidan; här når varje begäran diskarna
job-file-cache = låter gästens filcache vara på, vilket inte modelleras: här når varje begäran diskarna
job-no-number = saknar tal: DiskSpd använder 0
job-number-then-text = är { $number } för DiskSpd, som inte läser längre än siffrorna
job-skew-without-rate = ger arbetslaster på olika lagring andelar av en takt som inte är angiven; här går var och en så snabbt den kan
job-threads-all = delar { $threads } trådar mellan { $workloads } arbetslaster; här får var och en använda alla
job-threads-part = delar { $threads } trådar mellan { $workloads } arbetslaster; här har var och en sin del
job-whole-rates = blir { $rate } I/O per sekund för en arbetslast på en lagringsdefinition; här { $whole }, hela tal i varje riktning
job-no-effect = `{ $flag }` har ingen effekt här
job-page-cache = går via gästens sidcache, som inte modelleras: här når varje begäran disken
job-max-data = avslutar en körning efter så många byte; här pågår den hela tiden ut
job-uniform-gaps = drar pauser jämnt fördelade mellan noll och dubbla medelvärdet; här är de exponentialfördelade
job-files-in-folders = arbetar med filer i mappar: de behandlas som ett enda område; att öppna, stänga och hantera mappar kostar inget
job-after-blank = står efter ett blanksteg, där vdbench har kommentarer: det läses inte
unused-latency = ingen disk här använder en modell från katalogen
unused-stripe = { $volume } har en enda disk
unused-cached = ingen volym är cachelagrad eller ligger på den temporära disken
unused-uncached = ingen volym ligger på fjärrdiskar
unused-uncached-own = alla fjärrdiskar är Premium SSD v2 eller Ultra, som har en egen gräns: `gates.uncached-v2`
unused-v2 = ingen volym ligger på Premium SSD v2- eller Ultra-diskar
unused-local = ingen volym ligger på lokala diskar
unused-sharing = volymerna ligger inte på båda slagen av diskar: Premium SSD v2 eller Ultra, och andra
unused-cache = ingen volym har `host_cache`
unused-write-back = ingen volym har `host_cache = "ReadWrite"`
unused-write-allocate = ingen volym har `host_cache = "ReadOnly"`
unused-warm = { $volume } saknar `host_cache`
unused-credits = ingen gräns här har bursting med krediter
unused-level = ingen gräns för { $place } har bursting med krediter
unused-models = ingen disk anger { $names } som `latency`

## observe: notes of rows, and what would fill an unknown one

note-means = percentiler av medelvärden över { $interval }, inte av enskild I/O; overksamma intervall utelämnas
note-little = takt × svarstid (Littles lag)
note-sizes = percentiler av medelvärden över { $interval }: stora och små begäranden i samma intervall blandas
note-no-request = inga begäranden
note-least = minsta medelvärdet över { $interval } i varje period om { $seconds } s: en övre gräns för den snabbaste I/O:n
note-most = största medelvärdet över { $interval } i varje period om { $seconds } s
note-counter = { $counter }; största värdet i varje period om { $seconds } s
note-iops = detta är IOPS, eftersom ingen källa räknar transaktioner; { $most }
note-no-cpu = ingen källa har CPU
note-no-memory = ingen källa har minne
note-memory = totalt - tillgängligt
note-memory-bound = totalt - ledigt - buffertar - cache: en nedre gräns
note-cpus = 100 % är alla { $processors } processorer
note-pattern = { $level }, { $requests } begäranden, följer på en av de senaste 64 inom 128 KiB; { $bytes } % räknat i byte{ $asked }
note-pattern-asked = ; { $share } av programmets egna begäranden
note-merged = { $share } av begärandena slogs ihop före enheten: till stor del sekventiellt
note-large = medelstorlek { $size }: sekventiellt eller nästan
fill-busy = mät medan programmet arbetar
fill-directions = iostat -x, PerfMon eller `diskwright observe` i realtid skiljer läsningar från skrivningar
fill-latencies = iostat -x, PerfMon eller `diskwright observe` i realtid har svarstider
fill-kernel = `diskwright observe` i realtid, på en kernel som räknar dem
fill-live = iostat -x, PerfMon eller `diskwright observe` i realtid
fill-transactions = SQL-räknare i PerfMon (Batch Requests/sec, Transactions/sec)
fill-cpu = iostat eller vmstat vid sidan av, eller `diskwright observe` i realtid
fill-memory = vmstat med --memory-total, sadf -r eller `diskwright observe` i realtid

# audit
estate-beyond-gate = { $bought } är köpta, och { $gate } för { $size } släpper igenom { $passed }: { $never } kan aldrig användas samtidigt
estate-beyond-burst = { $bought } är köpta; { $gate } för { $size } klarar { $base } varaktigt, och upp till { $passed } bara under bursting: { $never } kan aldrig användas samtidigt
estate-in-bursts = { $bought } är köpta; { $gate } för { $size } klarar { $passed } varaktigt, och upp till { $burst } bara under bursting
estate-given-beyond-gate = { $gives } finns, med det som ingår i varje disk utan kostnad; { $gate } för { $size } släpper igenom { $passed }
estate-given-beyond-burst = { $gives } finns, med det som ingår i varje disk utan kostnad; { $gate } för { $size } klarar { $base } varaktigt, och upp till { $passed } bara under bursting
estate-given-in-bursts = { $gives } finns, med det som ingår i varje disk utan kostnad; { $gate } för { $size } klarar { $passed } varaktigt, och upp till { $burst } bara under bursting
estate-slots = datadiskar: { $disks }; { $size } tar { $slots }
estate-slots-beside = { $disks } datadiskar finns, och { $size } tar { $slots } bredvid { $interfaces } nätverksgränssnitt
estate-kind-refused = { $size } tar inte { $kind }
estate-not-taken = { $size } tar den inte: { $why }
estate-too-small = den ger högst { $gives }; { $kind } ger { $most } från { $from }
estate-steady = av namnet att döma har { $disk } en jämn last, och { $gate } för { $size } klarar { $base } varaktigt: det som är däröver räcker { $minutes } min om dygnet
estate-daily = { $bought } betalas; { $gate } för { $size } klarar { $base } varaktigt, och mer bara { $minutes } min om dygnet
estate-other-promise = { $kind } i samma storlek med { $iops } och { $throughput } kostar { $monthly } i månaden, denna { $own }; denna har { $has }; där är det { $gets }
estate-previous = leverantören räknar { $size } till typer av en tidigare generation
estate-prices-of = { $says } (priser från { $month })
estate-cache-refused = en disk av denna typ eller storlek ({ $what }) cachas aldrig, och { $mode } är satt
estate-not-open = maskinen är inte öppen för { $kind }: inställningen är av
estate-unequal = { $disks } ser ut som en stripe och skiljer sig: var och en ger vad den långsammaste ger, { $slowest }
estate-unequal-sizes = { $disks } ser ut som en stripe och skiljer sig i storlek: den använder { $least } av var och en, så { $lost } används aldrig, och var och en ger vad den långsammaste ger, { $slowest }
estate-not-sold = den säljs inte så: { $why }
estate-no-zone-has = { $region } har { $kind } bara utan zon, och den är i zon { $zone }
estate-needs-zone = i { $region } måste diskar av typen { $kind } vara i en zon, och denna är i ingen
estate-not-there = { $size } säljs inte i { $region } (poster från { $month })
estate-there-against-records = posterna från { $month } har ingen { $size } i { $region }, och den finns där: den kom senare, eller så saknas den i dem
estate-not-in-zone = { $size } säljs i zonerna { $zones } i { $region }, och den är i { $zone } (poster från { $month }; en zons nummer skiljer sig mellan prenumerationer)
estate-node-disk = nodens OS-disk är fjärransluten: containrar delar den, och { $size } har { $local } lokal disk för den
estate-burst-only = den ger { $base } när krediterna är slut; { $burst } räcker { $minutes } min vid full användning
estate-no-host-cache = { $mode } är satt, och { $size } har ingen värdcache
estate-not-accelerated-by = skrivacceleration är på för disken, och { $size } har ingen
estate-not-accelerated-kind = skrivacceleration är på, vilket diskar av typen { $kind } inte har
estate-not-accelerated-cache = skrivacceleration är på med värdcachen { $mode }: den kräver None eller ReadOnly
estate-not-accelerated-beyond = skrivacceleration är på för fler diskar än { $size } accelererar, { $most }
estate-no-system = inget operativsystem ligger på diskar av typen { $kind } och av denna storlek
estate-unknown-size = katalogen har ingen { $size }: inget sägs om dess gränser och pris
estate-unknown-kind = katalogen har ingen disktyp som heter { $kind }: inget sägs om dess prestanda och pris
estate-unattached = den är ansluten till ingenting ({ $what })
estate-beside-unasked = { $says } (det som inspelningar aldrig begär av det räknas i ett eget fynd)
estate-released = maskinen är avstängd, och dess diskar betalas
estate-stopped = maskinen är stoppad men inte frigjord: dess storlek betalas
estate-other-kind = { $kind } i samma storlek med { $iops } och { $throughput } kostar { $monthly } i månaden, denna { $own }
estate-tier-unused = nivån { $tier } betalas, och { $size } släpper igenom högst { $passed } och { $bytes }, vilket diskens egen nivå ger
estate-bursts-unused = bursting betalas och inträffar aldrig: { $size } släpper igenom högst { $passed } och { $bytes }, vilket disken ger utan
estate-other-size = { $other } har lika många processorer, inte mindre minne och lika höga gränser för { $monthly } i månaden; { $size } kostar { $own }
estate-just-above = { $size } faktureras som { $billed }; { $below } rymmer { $most }
estate-open-for-nothing = maskinen är öppen för { $kind } men har ingen sådan disk: för det debiteras varje vCPU
estate-open-for-nothing-at = maskinen är öppen för { $kind } men har ingen sådan disk: för det debiteras dess vCPU:er, tillsammans { $monthly } i månaden
estate-read-write = ReadWrite på en datadisk: skrivningar som värden håller kvar förloras med den
estate-log-cache = ReadOnly på en logg: en logg läses knappt, och dess skrivningar vinner inget
estate-local-system = dess OS-disk är lokal: den förloras när maskinen flyttas
estate-zones-differ = disken är i zon { $zone }, dess maskin i { $own }
estate-regions-differ = disken är i { $region }, dess maskin i { $own }: ingen disk ansluts från en annan region, så en av de två förteckningarna är fel eller gammal
estate-not-encrypted = kryptering på värden är av: cachar och lokala diskar är inte krypterade
estate-shared-cache = { $mode } är satt på en disk som maskiner delar (högst { $shares })
estate-lesser-promise = en maskin med diskar av typen { $kind } utlovas { $promise } av månaden, en med enbart bättre diskar { $better } ({ $page })
estate-evictable = leverantören kan ta tillbaka maskinen när som helst, och den har datadiskar
estate-dies = datadisken raderas med sin maskin
estate-retired = { $size } drogs tillbaka { $date }
estate-no-way-on = ingen storlek som blir kvar ersätter { $size } på plats; { $other } kräver { $takes }
estate-committed = den kör för { $own } i månaden utan åtagande; { $commitment } kostar den { $monthly }
estate-licence = dess Windows-licens betalas per timme, { $monthly } i månaden
estate-no-price = inget pris är känt i { $region }: { $what }
estate-image-licence = maskinens avbild säljs med { $licence }, vars pris är okänt: { $size } i { $region } räknas som utan pris
estate-without-licence = { $says }; båda utan { $licence }, som avbilden lägger till på vardera
estate-no-reservation = ingen kan längre reservera { $size } sedan { $since } (sida från { $page })
estate-waiver-over = undantaget för { $code } av { $owner } slutade { $until } ({ $reason })
estate-waiver-unused = undantaget för { $code } av { $owner } passar inget fynd
estate-stripe-no-machine = { $file }: ingen maskin i dessa inventeringar heter `{ $machine }`: dess stripe har ingen verkan
estate-stripe-no-disk = { $file }: `{ $machine }` har ingen disk som heter `{ $disk }`: dess stripe är utan den
estate-only-no-machine = `--only { $pattern }` passar ingen maskin i dessa inventeringar
estate-only-no-disk = `--only { $pattern }` passar ingen disk i dessa inventeringar
estate-part = { $file } har bara { $records } av { $total } poster: de övriga granskas inte; hämta alla sidor och ge även de filerna
estate-part-unknown = { $file } anger att den är avkortad (`resultTruncated`): den har { $records } poster, de övriga granskas inte; hämta alla sidor och ge även de filerna
remedy-size = ändra storlek till { $size }
remedy-dearer = { $what }, för { $more } mer i månaden
remedy-cheaper = { $what }, för { $less } mindre i månaden
remedy-unpriced = { $what }; prisskillnaden är okänd
remedy-local-lost = { $what }; det som ligger på de lokala diskarna går förlorat
remedy-local-smaller = { $what }; det som ligger på de lokala diskarna går förlorat, och de nya rymmer { $local } i stället för { $own }
remedy-cache-smaller = { $what }; värdcachen rymmer { $cache } i stället för { $own }
remedy-guide = ingen aktuell storlek av samma klass ersätter den som den är: följ leverantörens flyttguide
remedy-buy-less = köp sammanlagt { $rate }
remedy-fewer = datadiskar som mest: { $disks }
remedy-cache = sätt värdcachen till { $mode }
remedy-switch-on = öppna maskinen för { $kind }
remedy-switch-off = stäng av det
remedy-delete = radera den, eller behåll en ögonblicksbild
remedy-deallocate = frigör den
remedy-kind = byt dess disktyp till { $kind }
remedy-tier = sätt tillbaka nivån till { $tier }
remedy-commit = åtagande: { $commitment }
remedy-licence = ta med en egen licens, om du har en
remedy-disk-zone = skapa disken på nytt i zon { $zone }, från en ögonblicksbild
remedy-machine-zone = skapa maskinen på nytt i zon { $zone }
remedy-no-zone = skapa maskin och disk på nytt utan zon, eller ta en annan disktyp
remedy-a-zone = skapa maskin och disk på nytt i en zon, eller ta en annan disktyp
estate-summary = maskiner: { $machines }, diskar: { $disks }; fel: { $errors }, varningar: { $warnings }, anmärkningar: { $notes }
estate-monthly = en månad kostar { $monthly } till listpris utan åtagande; utan pris: { $unpriced }
estate-cut-short = { $file } slutar innan den är stängd ({ $why }); poster före det: { $records }
estate-more-pages = { $file } är en sida av flera: hämta vad dess `{ $key }` anger, och ge även den filen
estate-nothing = { $file } har ingen maskin och ingen disk som är känd här: `az vm list -d -o json`, `az disk list -o json`, `az vmss list -o json`, `az graph query`, `aws ec2 describe-instances`, `aws ec2 describe-volumes`, `terraform show -json`, en kompilerad mall, en CloudFormation-mall och `kubectl get nodes,pv,pvc,sc -o json` läses
estate-record = { $file }: { $what } utelämnas
estate-differ = { $name }: { $other } anger en annan `{ $field }` än en tidigare fil; den första räknas
estate-expression = { $name }: dess { $field } är `{ $text }`, känt först vid driftsättning
estate-unresolved = { $name }: vilken disk den ansluter till vilken maskin är känt först när den byggs
estate-again = uppgivet mer än en gång och räknat en gång: maskiner: { $machines }, maskiner i grupper som även står för sig: { $members }, diskar: { $disks }
estate-unread = fält som inte lästes: { $fields }, av { $kinds } slag ({ $names })
estate-unread-records = poster som varken är maskin eller disk: { $records }, av { $kinds } slag ({ $names })
estate-unjudged = inte bedömt för { $machines } maskiner och diskar, i brist på { $what }: { $rules }
estate-unjudged-disks = bedömt bara för de övriga diskarna hos { $machines } maskiner och diskar, i brist på { $what }: { $rules }
estate-more = ytterligare fynd: { $findings }
estate-like = { $says } (fler sådana anmärkningar: { $more })
estate-folded = anmärkningar som står på en rad med andra av sin regel: { $notes }; `--format csv` listar var och en
estate-waived = undantagna: { $findings }
estate-planned = maskiner planerade efter sina inspelningar: { $machines }; i dag kostar de { $monthly } per månad, enligt plan { $planned } (på papper, inte simulerat)
estate-unrecorded = maskiner utan inspelning: { $machines } ({ $names })
estate-unmatched = inspelningar som inte hör till någon maskin: { $recordings }
estate-let-go = fynd som inspelningar avskriver: { $findings } ({ $rules })
estate-says-seen = { $says }; { $seen }
estate-assumed = { $says } (med { $controller }, som antas då inventeringen inte anger diskarnas styrenhet)
estate-worse = { $says }; sämre än i jämförelsen: { $now } i stället för { $was }
estate-worse-machines = { $says }; sämre än i jämförelsen: { $now } maskiner i stället för { $was }
estate-worse-monthly = { $says }; sämre än i jämförelsen: { $now } i månaden i stället för { $was }
estate-seen-at = inspelat på { $limit } eller mer under { $share } av { $time } (medelvärden över { $interval })
estate-seen-most = inspelat högst { $most } av { $limit } på { $time } (medelvärden över { $interval })
estate-seen-short = { $seen }: en vecka skulle avgöra det
estate-seen-without = { $seen }, utan { $disks }, som saknas i inspelningen
estate-seen-none = inget är inspelat av { $disks }
estate-seen-lacks = inspelningen saknar dessa värden
estate-seen-spent = inspelat med slut på krediter under { $share } av { $time } (medelvärden över { $interval })
estate-seen-credits = inspelat med aldrig mindre än { $least } av krediterna kvar på { $time } (medelvärden över { $interval })
estate-seen-reads = inspelat: läsningar är { $share } av dess I/O på { $time }
estate-unasked = { $bought } är köpta; inspelat är högst { $most } på { $time } (medelvärden över { $interval })
estate-tier-unasked = nivån { $tier } betalas; inspelat är högst { $most } och { $bytes } på { $time } (medelvärden över { $interval }), vilket diskens egen nivå ger
estate-bursts-unasked = bursting betalas; inspelat är högst { $most } och { $bytes } på { $time } (medelvärden över { $interval }), vilket disken ger utan
