-- oltp_read_write at a fixed pace: each thread begins a transaction every threads / pace seconds, the threads one after the other, and
-- one more that was due when the time was over. Without a pace, as many as it can.
--   sysbench ./paced.lua --pace=6 --threads=4 --time=10 ... run
-- Two runs ask the same, at the same times. `--rate` draws its gaps from seeds for which sysbench's threads race: with the same
-- --rand-seed, ten seconds at 6 per second were 46 transactions in one run and 74 in the next.
require("oltp_read_write")
local ffi = require("ffi")
ffi.cdef [[
struct paced_time { long s; long ns; };
int clock_gettime(int clock, struct paced_time *time);
int usleep(unsigned int us);
]]

sysbench.cmdline.options.pace = { "Transactions per second in all; 0 = as many as it can", 0 }

local function now()
   local time = ffi.new("struct paced_time")
   ffi.C.clock_gettime(1, time)
   return tonumber(time.s) + tonumber(time.ns) / 1e9
end

local transaction = event
local gap, due

local function wait_for_turn()
   if due == nil then
      gap = sysbench.opt.threads / sysbench.opt.pace
      due = now() + sysbench.tid / sysbench.opt.pace
   end
   local wait = due - now()
   if wait > 0 then
      ffi.C.usleep(wait * 1e6)
   end
   due = due + gap
   -- The wait is not part of the latency.
   ffi.C.sb_event_start(sysbench.tid)
end

function event()
   if sysbench.opt.pace > 0 then
      wait_for_turn()
   end
   transaction()
end
