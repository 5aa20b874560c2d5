import type { Read } from '#core/database';
import type { Connector, ReportPeriod, ReturnedItem, SettlementLine } from '#core/gateways';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { TheirLine } from './match.ts';
import { type Needs, pause } from './needs.ts';
import { hasOneMerchant, oldestSaleAt, type Settled, transactionsOf, unaskedGateways, type Window, windowsOf } from './records.ts';
import { WHOLE_TENANT } from './schema.ts';
import { compareTexts, type Sorted, sorted } from './sorted.ts';

/** Lines of a report that are looked up at once. */
const BLOCK = 500;
/** A gateway's clock may differ from ours: its report is asked for with a margin, and what belongs to another date is left out. */
const MARGIN_MS = 3_600_000;
/** A processor settles what it took in a batch of its own, later than our cutoff. */
const LIVE_LAG_MS = 3 * 86_400_000;
/** No processor is asked further back: a hold ends long before, and the first settlement of all has no beginning. */
const LIVE_BACK_MS = 60 * 86_400_000;

const inOrder = (left: TheirLine, right: TheirLine) =>
  compareTexts(left.subject, right.subject) || compareTexts(left.reference, right.reference);

/**
 * The gateway's report around the windows of a date, in the order of our transactions and in bounded memory. What nobody knows belongs to no merchant that
 * could be named: it is told to callers of the whole tenant, and to a merchant that is alone. GATEWAY_ERROR where the report does not come.
 */
export async function reportedLines(
  on: Needs,
  by: Actor,
  scope: string,
  settled: ReadonlyMap<string, Settled>,
  date: string,
): Promise<Sorted<TheirLine>> {
  const read = on.database.read(by.tenantId);
  const windows = await windowsOf(read, scope, settled, date);
  const without = on.gateways.isLive(by.tenantId) ? await unaskedGateways(read, date) : undefined;
  const reporters = await on.gateways.reporters(by.tenantId, scope === WHOLE_TENANT ? undefined : scope, without);
  if (windows.length === 0) return sorted(none(), inOrder);
  const period = await periodOf(read, windows, date, on.gateways.isLive(by.tenantId));
  const isNamed = scope === WHOLE_TENANT || (await hasOneMerchant(read));
  const report = told(reporters, { tenantId: by.tenantId, ...period });
  return sorted(known(read, report, windows, isNamed), inOrder);
}

async function* none(): AsyncGenerator<TheirLine[]> {}

async function periodOf(read: Read, windows: readonly Window[], date: string, isLive: boolean): Promise<{ from: string; to: string }> {
  // A payment whose answer was lost was taken by the gateway before it was captured here.
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

/** The reports of the gateways in blocks, one after the other, however each comes; bank payments that came back are lines like refunds. */
async function* told(reporters: readonly Connector[], of: ReportPeriod): AsyncGenerator<readonly SettlementLine[]> {
  try {
    for (const connector of reporters) {
      const report = connector.settlementReport(of);
      const pages = Symbol.asyncIterator in report ? report : [await report];
      for await (const page of pages) yield* blocksOf(page);
      for await (const page of connector.returns?.(of) ?? []) yield* blocksOf(page.map(returnedLine));
    }
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : new ServiceError('GATEWAY_ERROR', 'The gateway did not give its report.', { cause });
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

/** The lines with the transactions that they mean; those that nobody may be told of are left out. */
async function* known(
  read: Read,
  report: AsyncIterable<readonly SettlementLine[]>,
  windows: readonly Window[],
  isNamed: boolean,
): AsyncGenerator<TheirLine[]> {
  for await (const block of report) {
    const subjects = await transactionsOf(
      read,
      block.map(({ processorRef }) => processorRef),
    );
    yield block.flatMap((line) => {
      const subject = subjects.get(line.processorRef) ?? '';
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
