import { once } from 'node:events';
import { createWriteStream, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { FormData, fetch } from 'undici';
import { type ApiClient, type LoadRequest, latencyOf, sendAtRate } from './api-client.ts';
import { openPromisedComparison, type PromisedComparison } from './promised-comparison.ts';
import { median, type Rate, type Ratio } from './results.ts';

const ROUNDS = 5;
const ASKED_PER_SECOND = 200;
const SECONDS = 10;
/** Share of a day's payments that the file of the other side contains. */
const REPORTED_OF = 12;
const MAPPING = JSON.stringify({ transactionId: 'reference', amount: 'amount', currency: 'currency', date: 'date' });

interface Line {
  readonly id: string;
  readonly minor: number;
  readonly currency: string;
  readonly day: string;
}

/** Writes lines as a file of settlements. */
async function writeFile(path: string, lines: Iterable<Line>): Promise<number> {
  const out = createWriteStream(path);
  out.write('reference,amount,currency,date\n');
  let count = 0;
  for (const { id, minor, currency, day } of lines) {
    count += 1;
    const isRoom = out.write(`${id},${(minor / 100).toFixed(2)},${currency},${day}\n`);
    if (!isRoom) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return count;
}

/** Imports a file and returns the ID of the import and the number of imported lines. */
async function bringIn({ server, headers }: ApiClient, path: string): Promise<{ importId: string; imported: number }> {
  const form = new FormData();
  form.set('mapping', MAPPING);
  form.set('file', await openAsBlob(path), 'settlements.csv');
  const { 'content-type': _, ...own } = headers;
  const answer = await fetch(`${server.line.baseUrl}/api/v1/settlement/imports`, { method: 'POST', headers: own, body: form });
  const body = (await answer.json()) as { data: { importId: string; imported: number } };
  if (!answer.ok) throw new Error(`the import was answered with ${answer.status}: ${JSON.stringify(body).slice(0, 300)}`);
  return body.data;
}

/**
 * Row 13 of the goals: the comparison of a day of 100,000 payments, in comparison with the sum and the outer join of the same rows in SQL.
 */
export async function benchReconciliation(
  api: ApiClient,
  folder: string,
  date: string,
): Promise<{ figures: Record<string, Record<string, Rate>>; ratios: Ratio[] }> {
  const { tenantId } = api.server.line.credentials;
  const handle = new BetterSqlite3(join(folder, 'paydesk.sqlite'), { readonly: true });
  const lines = handle
    .prepare(
      'SELECT id, captured_minor AS minor, currency, settlement_date AS day FROM transactions WHERE tenant_id = ? AND settlement_date = ? ORDER BY id',
    )
    .all(tenantId, date) as Line[];
  const path = join(folder, 'day.csv');
  await writeFile(
    path,
    lines
      .filter((_, index) => index % REPORTED_OF !== 0)
      .map((line, index) => (index % 1_000 === 0 ? { ...line, minor: line.minor + 1 } : line)),
  );
  const { importId } = await bringIn(api, path);
  const times: Record<'totals' | 'sum' | 'compared' | 'join' | 'promised', number[]> = {
    totals: [],
    sum: [],
    compared: [],
    join: [],
    promised: [],
  };
  const timed = (name: keyof typeof times, act: () => unknown) => {
    const began = performance.now();
    act();
    times[name].push(performance.now() - began);
  };
  const sum = handle.prepare(
    'SELECT count(*) AS n, sum(captured_minor) AS total FROM transactions WHERE tenant_id = ? AND settlement_date = ?',
  );
  const ofDate = 't.tenant_id = :tenantId AND t.settlement_date = :date';
  const ofFile = 'l.tenant_id = :tenantId AND l.import_id = :importId';
  const outerJoin = handle.prepare(
    `SELECT t.id, l.reference, t.captured_minor, l.amount_minor FROM transactions t LEFT JOIN settlement_import_lines l ON ${ofFile} AND l.subject = t.id
       WHERE ${ofDate} AND (l.subject IS NULL OR l.amount_minor <> t.captured_minor)
     UNION ALL SELECT l.subject, l.reference, NULL, l.amount_minor FROM settlement_import_lines l
       WHERE ${ofFile} AND NOT EXISTS (SELECT 1 FROM transactions t WHERE ${ofDate} AND t.id = l.subject)`,
  );
  let differences = 0;
  let found = 0;
  let promised: PromisedComparison | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    timed('sum', () => sum.get(tenantId, date));
    timed('join', () => {
      differences = outerJoin.all({ tenantId, date, importId }).length;
    });
    const run = await api.post<{ data: { discrepancyCount: number } }>('/settlement/reconciliation/auto', { date, importId });
    times.compared.push(run.ms);
    found = run.body.data.discrepancyCount;
    times.totals.push((await api.get(`/settlement/reconciliation?date=${date}`)).ms);
    promised ??= openPromisedComparison(handle, join(folder, 'promised.sqlite'), () => outerJoin.all({ tenantId, date, importId }));
    timed('promised', promised.compare);
  }
  promised?.close();
  handle.close();
  const medianOf = (name: keyof typeof times) => median(times[name]);
  return {
    figures: {
      [`reconciliation of ${lines.length}`]: {
        totals: { ms: medianOf('totals') },
        'SQL sum': { ms: medianOf('sum') },
        [`compared, ${found} differ`]: { ms: medianOf('compared') },
        [`SQL outer join, ${differences}`]: { ms: medianOf('join') },
        'promised: join and stored differences': { ms: medianOf('promised') },
      },
    },
    ratios: [
      {
        name: 'reconciliation, totals of a compared day / SQL sum',
        value: medianOf('totals') / medianOf('sum'),
        must: 2,
        goal: 1.3,
        isBelow: true,
      },
      {
        name: 'reconciliation, differences kept / SQL outer join',
        value: medianOf('compared') / medianOf('join'),
        must: 1.5,
        isBelow: true,
      },
      {
        name: 'reconciliation, promised / SQL outer join',
        value: medianOf('promised') / medianOf('join'),
        isBelow: true,
      },
      {
        name: 'reconciliation, differences kept / promised',
        value: medianOf('compared') / medianOf('promised'),
        goal: 1.2,
        isBelow: true,
      },
    ],
  };
}

/** Measures the effect of an import of a million rows on other requests. */
export async function benchImport(
  api: ApiClient,
  folder: string,
  rows: number,
): Promise<{ figures: Record<string, Record<string, Rate>>; ratios: Ratio[] }> {
  const { baseUrl, credentials } = api.server.line;
  const handle = new BetterSqlite3(join(folder, 'paydesk.sqlite'), { readonly: true });
  const all = handle.prepare(
    'SELECT id, amount_minor AS minor, currency, coalesce(settlement_date, day) AS day FROM transactions WHERE tenant_id = ? ORDER BY id LIMIT ?',
  );
  const path = join(folder, 'all.csv');
  await writeFile(path, all.iterate(credentials.tenantId, rows) as Iterable<Line>);
  handle.close();
  const shot: LoadRequest = { url: `${baseUrl}/api/v1/transactions?limit=50`, method: 'GET', headers: api.headers };
  const count = ASKED_PER_SECOND * SECONDS;
  await sendAtRate(shot, ASKED_PER_SECOND, (sent) => sent >= count / 4);
  const alone = await sendAtRate(shot, ASKED_PER_SECOND, (sent) => sent >= count);
  let isRunning = true;
  const began = performance.now();
  const importing = bringIn(api, path).finally(() => {
    isRunning = false;
  });
  const beside = await sendAtRate(shot, ASKED_PER_SECOND, () => !isRunning);
  const { imported } = await importing;
  const ms = performance.now() - began;
  alone.concat(await sendAtRate(shot, ASKED_PER_SECOND, (sent) => sent >= count));
  if (imported !== rows) throw new Error(`${imported} of ${rows} rows were imported`);
  const [quiet, busy] = [latencyOf(alone), latencyOf(beside)];
  return {
    figures: {
      [`list, ${ASKED_PER_SECOND}/s`]: { alone: { latency: quiet }, 'with the import': { latency: busy } },
      [`import of ${rows} rows`]: { rows: { perSecond: (imported * 1_000) / ms, ms } },
    },
    ratios: [
      { name: 'list p99 while a file of 1,000,000 rows comes in / without it', value: busy.p99 / quiet.p99, must: 2, isBelow: true },
    ],
  };
}
