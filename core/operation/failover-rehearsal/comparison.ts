import { setTimeout as pause } from 'node:timers/promises';
import { type Database, queriesOn, TENANT } from '#core/database';
import { idFloor, isoTime } from '#core/kernel';
import type { SandboxGateway } from '#core/processing/gateways';
import { READABLE_TRANSACTIONS } from '#core/sales/payments';
import { type Comparison, compareSales, type RecordedSale } from './certificate.ts';
import type { AcknowledgedSale } from './sales-stream.ts';

/** Time in which Paydesk finds out the outcome of payments without a response. */
const CONFIRMED_WITHIN_MS = 60_000;
const CHECK_EVERY_MS = 250;

interface Dependencies {
  readonly database: Database;
  readonly sandboxGateway: Pick<SandboxGateway, 'settlementReport'>;
}

/** The sales of a rehearsal. */
interface Subject {
  readonly tenantId: string;
  readonly rehearsalId: string;
  readonly startedMs: number;
  readonly acknowledged: readonly AcknowledgedSale[];
}

const queries = queriesOn(READABLE_TRANSACTIONS);

/**
 * Compares the acknowledged sales with the payments and with the charges of the processor, once no payment is pending, or after a minute.
 * With an aborted signal it does not wait.
 */
export async function compareWithRecords(deps: Dependencies, subject: Subject, signal: AbortSignal): Promise<Comparison> {
  for (const until = performance.now() + CONFIRMED_WITHIN_MS; ; await pause(CHECK_EVERY_MS)) {
    const isOver = performance.now() > until || signal.aborted;
    try {
      const recorded = await recordedSales(deps, subject);
      if (isOver || recorded.every(({ status }) => status !== 'pending'))
        return compareSales(subject.acknowledged, recorded, await charges(deps, subject));
    } catch (error) {
      // The database may still be changing places.
      if (isOver) throw error;
    }
  }
}

async function recordedSales({ database }: Dependencies, { tenantId, rehearsalId, startedMs }: Subject): Promise<RecordedSale[]> {
  const rows = await database
    .read(tenantId)
    .rows(
      queries
        .selectFrom('transactions')
        .select(['id', 'order_id', 'status', 'gateway_reference'])
        .where('tenant_id', '=', TENANT)
        .where('id', '>=', idFloor('txn', startedMs)),
    );
  return rows
    .filter(({ order_id }) => order_id?.startsWith(`${rehearsalId}/`))
    .map(({ id, order_id, status, gateway_reference }) => ({ id, mark: order_id ?? '', status, gatewayReference: gateway_reference }));
}

async function charges({ sandboxGateway }: Dependencies, { tenantId, startedMs }: Subject): Promise<string[]> {
  const references: string[] = [];
  const period = { tenantId, from: isoTime(startedMs), to: isoTime(Date.now() + 1) };
  for await (const lines of sandboxGateway.settlementReport(period)) references.push(...lines.map(({ reference }) => reference));
  return references;
}
