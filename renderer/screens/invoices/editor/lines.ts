import { t } from '#renderer/base/language';
import { exponentOf, readAmount } from '#renderer/base/money';
import type { Item } from '../operations.ts';

/** A line of an invoice as typed. */
export interface LineForm {
  /** Identifies the row while it is on screen. */
  readonly id: number;
  /** Item that filled the line, until its description is changed. */
  readonly itemId?: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
}

/** Cells of a line in the order of entry. */
export const CELLS = ['description', 'quantity', 'unitPrice'] as const;
export type Cell = (typeof CELLS)[number];

/** Largest number of lines that the service accepts. */
export const LINES_MAX = 200;
const QUANTITY = /^(\d{1,7})(?:\.(\d{1,3}))?$|^()\.(\d{1,3})$/;
const THOUSAND = 1_000n;
const HALF = 500n;

export const emptyLine = (id: number): LineForm => ({ id, description: '', quantity: '1', unitPrice: '' });

/** Returns true if nothing was typed in a row. */
export const isBlank = ({ description, quantity, unitPrice }: LineForm) =>
  description.trim() === '' && unitPrice.trim() === '' && ['', '1'].includes(quantity.trim());

/** Returns the thousandths of a quantity such as 2, 1.5 or .25; undefined if it is not a number, or 0. */
function thousandthsOf(text: string): bigint | undefined {
  const match = QUANTITY.exec(text.trim().replaceAll(',', ''));
  if (!match) return undefined;
  const whole = match[1] ?? '';
  const fraction = match[2] ?? match[4] ?? '';
  const thousandths = BigInt((whole || '0') + fraction.padEnd(3, '0'));
  return thousandths > 0n ? thousandths : undefined;
}

/** Returns a unit price as decimal text. Unlike a payment, it may be 0. */
function priceOf(text: string, currency: string): string | undefined {
  const reading = readAmount(text, currency);
  if (reading.kind === 'valid') return reading.decimal;
  return reading.kind === 'zero' ? '0' : undefined;
}

/** Returns the amount of a line in minor units, rounded half up as the service does; undefined while the line is incomplete. */
export function lineMinor({ quantity, unitPrice }: Pick<LineForm, 'quantity' | 'unitPrice'>, currency: string): number | undefined {
  const thousandths = thousandthsOf(quantity);
  const price = priceOf(unitPrice, currency);
  if (thousandths === undefined || price === undefined) return undefined;
  const [whole = '0', fraction = ''] = price.split('.');
  const minor = BigInt(whole + fraction.padEnd(exponentOf(currency), '0'));
  const amount = Number((minor * thousandths + HALF) / THOUSAND);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Returns the sum of all complete lines in minor units. */
export function sumMinor(lines: readonly LineForm[], currency: string): number {
  return lines.reduce((sum, line) => sum + (lineMinor(line, currency) ?? 0), 0);
}

/** Returns the problem of a cell, or null. Blank rows are not part of the invoice, so they have none. */
export function cellProblem(line: LineForm, cell: Cell, currency: string): string | null {
  if (isBlank(line)) return null;
  switch (cell) {
    case 'description':
      return line.description.trim() === '' ? t('Enter a description.') : null;
    case 'quantity':
      return thousandthsOf(line.quantity) === undefined ? t('Enter a number above 0 with at most three decimals.') : null;
    case 'unitPrice':
      return priceOf(line.unitPrice, currency) === undefined ? t('Enter the price like 45 or 45.50.') : null;
  }
}

/** Returns the first cell with a problem. */
export function firstProblem(lines: readonly LineForm[], currency: string): { readonly row: number; readonly cell: Cell } | undefined {
  for (const [row, line] of lines.entries()) {
    const cell = CELLS.find((each) => cellProblem(line, each, currency) !== null);
    if (cell) return { row, cell };
  }
  return undefined;
}

/** Returns the lines in the form of the API, without blank ones. */
export function itemsOf(lines: readonly LineForm[], currency: string): Item[] {
  return lines
    .filter((line) => !isBlank(line))
    .map(({ itemId, description, quantity, unitPrice }) => ({
      ...(itemId !== undefined && { itemId }),
      description: description.trim(),
      quantity: Number(thousandthsOf(quantity) ?? 0n) / Number(THOUSAND),
      unitPrice: priceOf(unitPrice, currency) ?? '0',
    }));
}
