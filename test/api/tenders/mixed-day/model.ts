import type { ApiFixture } from '../../../support/server.ts';
import type { ShiftRecord } from '../../../support/tenders.ts';
import type { SignedInUser } from '../../../support/users.ts';

export const DRAWERS = ['North', 'South', 'Kiosk'] as const;
export const TENDER_KINDS = ['cash', 'check', 'other'] as const;
export type TenderKind = (typeof TENDER_KINDS)[number];

/** Number and sum of movements of one kind, in cents. */
interface Line {
  count: number;
  minor: number;
}

export interface PartSums {
  tip: number;
  surcharge: number;
  tax: number;
}

const LINE_NAMES = [
  'payIns',
  'payOuts',
  'cashSales',
  'cashRefunds',
  'checkSales',
  'checkRefunds',
  'otherSales',
  'otherRefunds',
  'cardSales',
  'cardAdjustments',
  'cardVoids',
  'cardRefunds',
  'cardCredits',
] as const;
export type LineName = (typeof LINE_NAMES)[number];

/** Movements of a shift, or of everything outside of shifts. */
export interface Figures {
  readonly lines: Record<LineName, Line>;
  /** Parts of cards and bank accounts, less those that were returned. */
  readonly cardParts: PartSums;
  /** Tips by the person who made the payment, less those that were returned. */
  readonly tips: Map<string, number>;
}

/** A shift of a drawer, open or closed. */
export interface ModelShift {
  readonly shiftId: string;
  readonly record: ShiftRecord;
  readonly floatMinor: number;
  readonly figures: Figures;
  countedMinor: number | null;
}

export interface Payment {
  readonly transactionId: string;
  readonly createdBy: string;
  readonly type: string;
  status: string;
  captured: number;
  refunded: number;
  /** Parts of the captured amount. */
  parts: PartSums;
  returnedParts: PartSums;
}

export interface Tender {
  readonly tenderId: string;
  readonly kind: TenderKind;
  readonly amount: number;
  readonly tax: number;
  refunded: number;
  refundedTax: number;
}

export interface Day {
  readonly service: ApiFixture;
  readonly merchantId: string;
  readonly customerId: string;
  readonly people: readonly SignedInUser[];
  /** The open shift of each drawer. */
  readonly open: Map<string, ModelShift>;
  readonly shifts: ModelShift[];
  readonly outside: Figures;
  readonly payments: Payment[];
  readonly tenders: Tender[];
  /** Refunds of tenders, each with the figures that it counts in. */
  declined: number;
  credits: Line;
  refunds: number;
  approved: number;
}

/** Amount in major units; 0 for -0, which no response contains. */
export const major = (minor: number) => (minor === 0 ? 0 : minor / 100);
export const minorOf = (amount: number) => Math.round(amount * 100);
export const noParts = (): PartSums => ({ tip: 0, surcharge: 0, tax: 0 });

export const noFigures = (): Figures => ({
  lines: Object.fromEntries(LINE_NAMES.map((name) => [name, { count: 0, minor: 0 }])) as Record<LineName, Line>,
  cardParts: noParts(),
  tips: new Map(),
});

/** The figures of the open shift of a drawer, or those outside of shifts. */
export const figuresAt = (day: Day, drawer: string | null) => (drawer === null ? undefined : day.open.get(drawer))?.figures ?? day.outside;

export function addLine({ lines }: Figures, name: LineName, minor: number): void {
  lines[name].count += 1;
  lines[name].minor += minor;
}

export function addParts(figures: Figures, person: string, parts: PartSums, sign: 1 | -1): void {
  for (const name of ['tip', 'surcharge', 'tax'] as const) figures.cardParts[name] += sign * parts[name];
  if (parts.tip !== 0) figures.tips.set(person, (figures.tips.get(person) ?? 0) + sign * parts.tip);
}

export const allFigures = (day: Day): Figures[] => [...day.shifts.map(({ figures }) => figures), day.outside];

/** The sum of lines of all figures, in cents. */
export const sumOf = (figures: readonly Figures[], ...names: LineName[]) =>
  figures.reduce((sum, { lines }) => sum + names.reduce((own, name) => own + lines[name].minor, 0), 0);

export const cardNet = (figures: readonly Figures[]) =>
  sumOf(figures, 'cardSales', 'cardAdjustments') - sumOf(figures, 'cardVoids', 'cardRefunds', 'cardCredits');

export const tenderNet = (figures: readonly Figures[]) =>
  sumOf(figures, 'cashSales', 'checkSales', 'otherSales') - sumOf(figures, 'cashRefunds', 'checkRefunds', 'otherRefunds');

/** Cash that a drawer should hold at the count, in cents. */
export const expectedCash = ({ floatMinor, figures }: ModelShift) =>
  floatMinor + sumOf([figures], 'cashSales', 'payIns') - sumOf([figures], 'cashRefunds', 'payOuts');

export const sumParts = (all: readonly PartSums[], name: keyof PartSums) => all.reduce((sum, parts) => sum + parts[name], 0);
