// npm run bench -- sale | webhooks | billing: prints the ratios with what they must and should reach, and writes them as JSON to bench-results/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchBilling } from './billing.ts';
import { benchSales } from './sale.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Readonly<Record<string, typeof benchSales>> = { sale: benchSales, webhooks: benchWebhooks, billing: benchBilling };

const name = process.argv[2] ?? 'sale';
const bench = BENCHES[name];
if (!bench) {
  console.error(`There is no bench "${name}". Choose one of: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

const { figures, ratios } = await bench();
for (const [mode, byLoad] of Object.entries(figures)) {
  for (const [load, { perSecond, latency }] of Object.entries(byLoad)) {
    const times = latency === undefined ? '' : `   p50 ${latency.p50} ms   p99 ${latency.p99} ms`;
    console.log(`${mode.padEnd(18)} ${load.padStart(16)}  ${String(Math.round(perSecond)).padStart(7)}/s${times}`);
  }
}
console.log('');
for (const { name: label, value, must, goal } of ratios) {
  const verdict = must !== undefined && value < must ? 'below' : goal !== undefined && value >= goal ? 'goal reached' : 'reached';
  console.log(`${label.padEnd(46)} ${value.toFixed(3)}   must ${must ?? '-'}   goal ${goal ?? '-'}   ${verdict}`);
}
const folder = join(import.meta.dirname, '../../bench-results');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, `${name}.json`),
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, figures, ratios }, null, 2)}\n`,
);
