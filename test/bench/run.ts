// npm run bench -- sale | standby | webhooks | billing | reports | start | backup | bank | million | navigation | page-memory | cores | writer-thread: prints the ratios with their required values and goals, and writes them as JSON to bench-results/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchBackup } from './backup.ts';
import { benchBank } from './bank.ts';
import { benchBilling } from './billing.ts';
import { benchCores } from './cores.ts';
import { benchMillion } from './million.ts';
import { benchNavigation } from './navigation.ts';
import { benchPageMemory } from './page-memory.ts';
import { benchReports } from './reports.ts';
import type { BenchResult, Rate, Ratio } from './results.ts';
import { benchSales } from './sale.ts';
import { benchStandby } from './standby.ts';
import { benchStart } from './startup.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWriterThread } from './writer-thread.ts';

const BENCHES: Readonly<Record<string, (only?: string) => Promise<BenchResult>>> = {
  sale: benchSales,
  standby: benchStandby,
  webhooks: benchWebhooks,
  billing: benchBilling,
  reports: benchReports,
  start: benchStart,
  backup: benchBackup,
  bank: benchBank,
  million: benchMillion,
  navigation: benchNavigation,
  'page-memory': benchPageMemory,
  cores: benchCores,
  'writer-thread': benchWriterThread,
};

const name = process.argv[2] ?? 'sale';
const bench = BENCHES[name];
if (!bench) {
  console.error(`There is no bench "${name}". Choose one of: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

function formatRate({ perSecond, ms, mib, count, latency, processorMs, eventLoopDelayP99 }: Rate): string {
  const parts = [
    perSecond !== undefined && `${String(Math.round(perSecond)).padStart(7)}/s`,
    ms !== undefined && `${ms.toFixed(ms < 10 ? 3 : 0).padStart(9)} ms`,
    mib !== undefined && `${mib.toFixed(1).padStart(7)} MiB`,
    count !== undefined && String(count).padStart(7),
    latency !== undefined && `p50 ${latency.p50.toFixed(2)} ms   p99 ${latency.p99.toFixed(2)} ms`,
    processorMs !== undefined && `processor ${processorMs.toFixed(2)} ms`,
    eventLoopDelayP99 !== undefined && `event loop p99 ${eventLoopDelayP99.toFixed(1)} ms`,
  ];
  return parts.filter((part) => part !== false).join('   ');
}

function verdictOf({ value, must, goal, isBelow = false }: Ratio): string {
  const reaches = (wanted: number) => (isBelow ? value <= wanted : value >= wanted);
  if (!Number.isFinite(value)) return 'not measured';
  if (must === undefined && goal === undefined) return '';
  if (must !== undefined && !reaches(must)) return isBelow ? 'above' : 'below';
  if (goal !== undefined && reaches(goal)) return 'goal reached';
  return must === undefined ? 'goal not reached' : 'reached';
}

const { figures, ratios } = await bench(process.argv[3]);
for (const [mode, byLoad] of Object.entries(figures)) {
  for (const [load, rate] of Object.entries(byLoad)) console.log(`${mode.padEnd(24)} ${load.padStart(24)}  ${formatRate(rate)}`);
}
console.log('');
for (const ratio of ratios) {
  const { name: label, value, must, goal, isBelow } = ratio;
  const limit = isBelow ? 'at most' : 'must';
  console.log(`${label.padEnd(64)} ${value.toFixed(3)}   ${limit} ${must ?? '-'}   goal ${goal ?? '-'}   ${verdictOf(ratio)}`);
}
const folder = join(import.meta.dirname, '../../bench-results');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, `${name}.json`),
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, figures, ratios }, null, 2)}\n`,
);
