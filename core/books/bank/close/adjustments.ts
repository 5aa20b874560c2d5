import type { Read } from '#core/database';
import { addDays } from '#core/kernel';
import type { FigureName, Side } from '../records.ts';
import { PERIOD_CLOSES } from '../schema.ts';
import { type CurrencyFigures, figuresOf, readSums, toFigures } from './figures.ts';
import { firstOpenDay } from './locks.ts';
import { type Period, parsePeriod } from './period.ts';

/** A change of a closed period after its close, in minor units. It counts in the period that carries it. */
export interface MinorAdjustment {
  /** The closed period that changed. */
  readonly period: string;
  readonly name: FigureName;
  readonly side: Side;
  readonly currency: string;
  readonly minor: number;
}

/** Content of the stored figures of a close. */
export interface Stored {
  /** Figures of the period, without the changes that a later period carried already. */
  readonly figures: readonly CurrencyFigures[];
  /** Changes of earlier closed periods that this one carries. */
  readonly adjustments?: readonly MinorAdjustment[];
}

/** A closed period as it was stored. */
export interface ClosedPeriod extends Period, Stored {}

/** The sides that are compared. The covered part of payouts grows until the bank has booked them all, which changes nothing in the period. */
const COMPARED = [
  ['sales', 'ledger'],
  ['sales', 'processor'],
  ['disputes', 'ledger'],
  ['fees', 'ledger'],
  ['payouts', 'ledger'],
  ['bank', 'ledger'],
  ['bank', 'bank'],
] as const satisfies readonly (readonly [FigureName, Side])[];

/** Returns the closed periods of a merchant in order of their first day, a month before its days. */
export async function readClosed(read: Read, merchantId: string): Promise<ClosedPeriod[]> {
  const rows = await read.find(PERIOD_CLOSES, { merchant_id: merchantId, state: 'closed' }, { orderBy: [['period', 'asc']] });
  return rows.map(({ period, figures }) => ({ ...parsePeriod(period, 'period'), ...(JSON.parse(figures) as Stored) }));
}

const isWithin = (inner: Pick<Period, 'first' | 'last'>, outer: Pick<Period, 'first' | 'last'>) =>
  inner.first >= outer.first && inner.last <= outer.last;

/** Returns the names of closed periods outside of a period that carry changes of it or of its days. */
export function carriersOf(closed: readonly ClosedPeriod[], period: Period): string[] {
  return closed.filter((carrier) => carriedBy(carrier, period).length > 0).map(({ name }) => name);
}

function carriedBy(carrier: ClosedPeriod, period: Period): MinorAdjustment[] {
  if (isWithin(carrier, period)) return [];
  return (carrier.adjustments ?? []).filter((adjustment) => isWithin(parsePeriod(adjustment.period, 'period'), period));
}

/** Returns the changes of other periods that closed days of a period carry. */
export function carriedInside(closed: readonly ClosedPeriod[], period: Period): MinorAdjustment[] {
  return closed
    .filter((carrier) => carrier.name !== period.name && isWithin(carrier, period))
    .flatMap(({ adjustments = [] }) => adjustments.filter((adjustment) => !isWithin(parsePeriod(adjustment.period, 'period'), period)));
}

/**
 * Returns figures of a period without the amounts that later closed periods carry as adjustments, so that no amount counts in two periods.
 */
export function withoutCarried(figures: readonly CurrencyFigures[], closed: readonly ClosedPeriod[], period: Period): CurrencyFigures[] {
  const carried = closed.flatMap((carrier) => carriedBy(carrier, period));
  if (carried.length === 0) return [...figures];
  const currencies = new Set([...figures.map(({ currency }) => currency), ...carried.map(({ currency }) => currency)]);
  const all = [...currencies].toSorted().map((currency) => figures.find((each) => each.currency === currency) ?? toFigures(currency));
  return all.map((ofCurrency) => ({
    ...ofCurrency,
    figures: ofCurrency.figures.map((figure) => {
      const less = (side: Side) =>
        carried
          .filter((one) => one.currency === ofCurrency.currency && one.name === figure.name && one.side === side)
          .reduce((sum, { minor }) => sum + minor, 0);
      const ledger = figure.ledger === null ? null : figure.ledger - less('ledger');
      const processor = figure.processor === null ? null : figure.processor - less('processor');
      const bank = figure.bank === null ? null : figure.bank - less('bank');
      const other = processor ?? bank;
      return { ...figure, ledger, processor, bank, difference: other === null ? 0 : (ledger ?? 0) - other };
    }),
  }));
}

/**
 * Finds changes of closed periods that no closed period carries yet, and that count in this one: the first day after them that is not closed lies
 * in it. A closed day of a closed month is part of the month.
 */
export async function pendingAdjustments(
  read: Read,
  merchantId: string,
  closed: readonly ClosedPeriod[],
  period: Period,
): Promise<MinorAdjustment[]> {
  const names = new Set(closed.map(({ name }) => name));
  const counting = closed.filter((source) => {
    if (isWithin(source, period) || (source.name.length === 10 && names.has(source.name.slice(0, 7)))) return false;
    const openDay = firstOpenDay(names, addDays(source.last, 1));
    return openDay >= period.first && openDay <= period.last;
  });
  const [earliest] = counting;
  if (!earliest) return [];
  const last =
    counting
      .map((source) => source.last)
      .toSorted()
      .at(-1) ?? earliest.last;
  const sums = await readSums(read, merchantId, { first: earliest.first, last });
  return counting.flatMap((source) => changesOf(source, withoutCarried(figuresOf(sums, source), closed, source)));
}

/** Returns the differences between the stored figures of a closed period and its present ones. */
function changesOf(source: ClosedPeriod, present: readonly CurrencyFigures[]): MinorAdjustment[] {
  const minorOf = (figures: readonly CurrencyFigures[], currency: string, name: FigureName, side: Side) =>
    figures.find((each) => each.currency === currency)?.figures.find((figure) => figure.name === name)?.[side] ?? 0;
  const currencies = new Set([...source.figures, ...present].map(({ currency }) => currency));
  return [...currencies].flatMap((currency) =>
    COMPARED.flatMap(([name, side]) => {
      const minor = minorOf(present, currency, name, side) - minorOf(source.figures, currency, name, side);
      return minor === 0 ? [] : [{ period: source.name, name, side, currency, minor }];
    }),
  );
}
