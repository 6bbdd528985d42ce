"""32 jobs, each I/O a resource and two timeouts: the smallest model of a limit and a medium. Prints I/Os and seconds."""
import random
import sys
import time

import simpy

ios = int(sys.argv[1])
env = simpy.Environment()
disk = simpy.Resource(env, capacity=8)
rng = random.Random(1)
done = 0


def job():
    global done
    while done < ios:
        with disk.request() as turn:
            yield turn
            yield env.timeout(0.0002)
        yield env.timeout(rng.uniform(0.0005, 0.0015))
        done += 1


for _ in range(32):
    env.process(job())
begin = time.process_time()
env.run()
print(done, time.process_time() - begin)
