import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, type Ready, signIn } from './api-client.ts';
import { start, untilIdle } from './processes.ts';
import { benchExport } from './reports-export.ts';
import { benchLists, benchPage } from './reports-lists.ts';
import { benchImport, benchReconciliation } from './reports-reconciliation.ts';
import type { BenchResult, Rate, Ratio } from './results.ts';
import { serviceArgs } from './sale.ts';
import { copySampleHistory } from './sample-history.ts';

const FEW = 10_000;
const MANY = 1_000_000;

interface Found {
  readonly figures: Record<string, Record<string, Rate>>;
  readonly ratios: readonly Ratio[];
}

/**
 * Measures lists, the export and reconciliation at a million transactions, each in comparison with the database alone or with ten thousand
 * transactions (`docs/performance.md`, rows 8 to 13 of the goals). It uses copies of two histories that are created once and kept. The
 * argument can select one part.
 */
export async function benchReports(only?: string): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-reports-'));
  const opened: ApiClient[] = [];
  const open = async (dataDir: string) => {
    const server = await start<Ready>('server/serve.ts', serviceArgs(dataDir));
    const api = await signIn(server);
    // The comparison of settled days after the start would take the processor of the server.
    await untilIdle(server.pid);
    opened.push(api);
    return api;
  };
  const close = async () => {
    for (const api of opened.splice(0)) {
      await api.close();
      await api.server.stop();
    }
  };
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  const measure = async (name: string, act: () => Promise<Found>) => {
    if (only !== undefined && only !== name) return;
    const began = performance.now();
    const found = await act();
    Object.assign(figures, found.figures);
    ratios.push(...found.ratios);
    process.stderr.write(`${name}: ${Math.round((performance.now() - began) / 1_000)} s\n`);
  };
  try {
    const few = await copySampleHistory(FEW, folder);
    const many = await copySampleHistory(MANY, folder);
    const [small, large] = [await open(few), await open(many)];
    const { tenantId } = large.server.line.credentials;
    await measure('lists', () => benchLists(small, large));
    await close();
    await measure('page', () => benchPage(many, tenantId));
    const api = await open(many);
    const peak = await peakOf(api);
    await measure('reconciliation', () => benchReconciliation(api, many, peak.settled));
    await measure('export', () => benchExport(api, many, { filter: `startDate=${peak.day}&endDate=${peak.day}`, count: peak.count }));
    await measure('import', () => benchImport(api, many, MANY));
    return { figures, ratios };
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

const DAY_MS = 86_400_000;

/** The day of the year with the most payments, and the one on which most of them were settled. */
async function peakOf(api: ApiClient): Promise<{ day: string; settled: string; count: number }> {
  const year = new Date(Date.now() - 366 * DAY_MS).toISOString().slice(0, 10);
  const { body } = await api.get<{ data: { series: { key: string; count: number }[] } }>(
    `/analytics/transactions?groupBy=day&startDate=${year}`,
  );
  const first = body.data.series.reduce((most, point) => (point.count > most.count ? point : most));
  return { day: first.key, settled: new Date(Date.parse(first.key) + DAY_MS).toISOString().slice(0, 10), count: first.count };
}
