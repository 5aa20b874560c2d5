import { mkdtempSync, readFileSync, rmSync } from 'node:fs'; import { spawn } from 'node:child_process'; import { once } from 'node:events'; import { createInterface } from 'node:readline'; import { setTimeout } from 'node:timers/promises';
import { serviceArgs, targetOf, measureServer, OPEN_LOAD } from './test/bench/sale.ts'; import { startProbed } from './test/bench/processes.ts'; import { shoot } from './test/bench/measure-load.ts';
const dir = mkdtempSync('/dev/shm/memd-');
const probed: any = await startProbed('server/serve.ts', serviceArgs(dir + '/p'));
for (let i = 0; i < 0; i++) { const m: any = await measureServer(probed, OPEN_LOAD, 3); console.log('event loop p99', m.eventLoopDelayP99.toFixed(1), 'latency p50', m.p50, 'p99', m.p99, 'cpu', m.processorMs.toFixed(3)); }
await probed.stop();
const s0 = performance.now();
const child = spawn('taskset', ['-c', '0', process.execPath, ...(process.env.FLAGS ? [process.env.FLAGS] : []), 'out/serve.js', ...serviceArgs(dir + '/m')], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(createInterface({ input: child.stdout! }), 'line') as [string]; console.log('start s', ((performance.now() - s0) / 1000).toFixed(2));
const rss = () => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]! as any / 1024 | 0;
await setTimeout(3_000); console.log('RSS 10 s after start', rss());
const t = targetOf(JSON.parse(line)); let n = 0; while (n < 40_000) { const r: any = await shoot(t, { connections: 32 } as any, 10); n += r.total; console.log(n, 'RSS', rss()); }
await setTimeout(100); console.log('RSS after 75 s without requests', rss());
child.kill('SIGTERM'); await once(child, 'exit'); rmSync(dir, { recursive: true });
