import type { Read } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { type Connector, extraReference, type ReportPeriod, type ReturnedItem, type SettlementLine } from '#core/processing/gateways';
import { type Dependencies, pause } from './dependencies.ts';
import { compareTexts, type SortedItems, sorted } from './external-sort.ts';
import type { TheirLine } from './match.ts';
import {
  hasOneMerchant,
  oldestSaleAt,
  openChargebacks,
  type Settled,
  skippedGateways,
  transactionsOf,
  type Window,
  windowsOf,
} from './our-lines.ts';
import { WHOLE_TENANT } from './schema.ts';

/** Number of report lines that are looked up together. */
const BLOCK = 250;
/** Margin of the requested period, because a gateway's clock may differ from ours. Lines of another date are left out. */
const MARGIN_MS = 3_600_000;
/** Extension of the period of live gateways, because a processor settles in its own batches, later than our cutoff. */
const LIVE_LAG_MS = 3 * 86_400_000;
/** Largest length of the period of live gateways: held captures end long before, and the first settlement has no start. */
const LIVE_BACK_MS = 60 * 86_400_000;

const inOrder = (left: TheirLine, right: TheirLine) =>
  compareTexts(left.subject, right.subject) || compareTexts(left.reference, right.reference);

/**
 * Yields the gateway's report around the windows of a date, in the order of our transactions and in bounded memory. Lines of unknown
 * transactions belong to no merchant: callers of the whole tenant see them, and so does the tenant's only merchant. @throws ServiceError
 * GATEWAY_ERROR if the report is not available.
 */
export async function reportedLines(
  deps: Dependencies,
  actor: Actor,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  date: string,
): Promise<SortedItems<TheirLine>> {
  const read = deps.database.read(actor.tenantId);
  const windows = await windowsOf(read, scope, settled, date);
  const skipped = deps.gateways.isLive(actor.tenantId) ? await skippedGateways(read, date) : undefined;
  const reporters = await deps.gateways.reporters(actor.tenantId, scope === WHOLE_TENANT ? undefined : scope, skipped);
  if (windows.length === 0) return sorted(noLines(), inOrder);
  const period = await periodOf(read, windows, date, deps.gateways.isLive(actor.tenantId));
  const includesUnknown = scope === WHOLE_TENANT || (await hasOneMerchant(read));
  const report = readReports(reporters, { tenantId: actor.tenantId, ...period });
  return sorted(withChargebacks(read, withTransactions(read, report, windows, includesUnknown), windows, includesUnknown), inOrder);
}

/** Adds the chargebacks of processors that no dispute explains; lines of other merchants are left out by the comparison. */
async function* withChargebacks(
  read: Read,
  lines: AsyncIterable<TheirLine[]>,
  windows: readonly Window[],
  includesUnknown: boolean,
): AsyncGenerator<TheirLine[]> {
  yield* lines;
  for (const window of windows) yield (await openChargebacks(read, window)).filter(({ subject }) => subject !== '' || includesUnknown);
}

async function* noLines(): AsyncGenerator<TheirLine[]> {}

async function periodOf(read: Read, windows: readonly Window[], date: string, isLive: boolean): Promise<{ from: string; to: string }> {
  // The gateway took a payment with a lost answer earlier than it was captured here.
  const oldest = await oldestSaleAt(read, date);
  const [from = ''] = [...windows.map((window) => window.from), ...(oldest === null ? [] : [oldest])].sort();
  const to =
    windows
      .map((window) => window.to)
      .sort()
      .at(-1) ?? '';
  const endMs = Date.parse(to);
  const earliestMs = isLive ? endMs - LIVE_BACK_MS : 0;
  return {
    from: isoTime(Math.max(earliestMs, Date.parse(from) - MARGIN_MS)),
    to: isoTime(endMs + (isLive ? LIVE_LAG_MS : MARGIN_MS)),
  };
}

/** Yields the reports of the gateways in blocks, one after the other; returned bank payments are lines like refunds. */
async function* readReports(reporters: readonly Connector[], period: ReportPeriod): AsyncGenerator<readonly SettlementLine[]> {
  try {
    for (const connector of reporters) {
      const report = connector.settlementReport(period);
      const pages = Symbol.asyncIterator in report ? report : [await report];
      for await (const page of pages) yield* blocksOf(page);
      for await (const page of connector.returns?.(period) ?? []) yield* blocksOf(page.map(returnedLine));
    }
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : new ServiceError('GATEWAY_ERROR', "The gateway's report is not available.", { cause });
  }
}

function* blocksOf(page: readonly SettlementLine[]): Generator<readonly SettlementLine[]> {
  for (let at = 0; at < page.length; at += BLOCK) yield page.slice(at, at + BLOCK);
}

const returnedLine = ({ reference, processorRef, amount, at }: ReturnedItem): SettlementLine => ({
  reference,
  processorRef,
  kind: 'refund',
  amount,
  at,
});

/** Returns the lines with their transactions, without those that the caller may not see. */
async function* withTransactions(
  read: Read,
  report: AsyncIterable<readonly SettlementLine[]>,
  windows: readonly Window[],
  isNamed: boolean,
): AsyncGenerator<TheirLine[]> {
  for await (const block of report) {
    const subjects = await transactionsOf(
      read,
      block.flatMap(({ processorRef, reference }) => [processorRef, extraReference(processorRef, reference)]),
    );
    yield block.flatMap((line) => {
      const extra = subjects.get(extraReference(line.processorRef, line.reference));
      const subject = extra ?? subjects.get(line.processorRef) ?? '';
      const isOfDate = windows.some((window) => line.at >= window.from && line.at < window.to);
      return subject !== '' || isNamed ? [lineOf(line, subject, isOfDate)] : [];
    });
    await pause();
  }
}

function lineOf({ reference, kind, amount }: SettlementLine, subject: string, isOfDate: boolean): TheirLine {
  const minor = kind === 'refund' ? -amount.minor : amount.minor;
  return { subject, kind, reference, currency: amount.currency, minor, isOfDate };
}
