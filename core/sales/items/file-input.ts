import { exponentOf, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { containsCardNumber } from '#shared/card-numbers';
import { type DecimalMark, decimalMarksOf, isRoundedNumber, readAmountCell } from '#shared/file-cells';
import { withoutCurrency } from '#shared/file-columns';
import type { ItemColumn, ItemHeader } from './file-layouts.ts';
import type { Cells, FileRow } from './file-rows.ts';
import type { ItemInput } from './item.ts';
import type { ItemKind } from './schema.ts';

/** Fields of a row, and the item that it names. */
export interface ReadItem {
  readonly itemId: string | null;
  readonly input: ItemInput;
}

const invalid = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });

const YES = new Set(['true', 'yes', 'y', 't', '1', 'on', 'ja', 'oui', 'si', 'sí', 'sim']);
const NO = new Set(['false', 'no', 'n', 'f', '0', 'off', 'nein', 'non', 'não']);
/** States of items in the files of other products. */
const STATES: ReadonlyMap<string, 'active' | 'archived'> = new Map([
  ...['active', '1', 'true', 'yes', 'y', 'published'].map((word) => [word, 'active'] as const),
  ...['archived', '0', '-1', 'false', 'no', 'n', 'draft', 'inactive', 'unlisted'].map((word) => [word, 'archived'] as const),
]);
/** Prices of items whose price is typed at the sale. */
const OPEN_PRICE = new Set(['', 'variable', 'variable price']);

/** Creates a reader of rows. The decimal mark is that of the prices that can be read in one way only; without one, that of the merchant's country. */
export function createItemReader(
  { source }: ItemHeader,
  rows: readonly FileRow[],
  { currency, country }: Pick<Merchant, 'currency' | 'country'>,
  taxIncluded: boolean | undefined,
): (cells: Cells) => ReadItem | { readonly skipped: string } {
  const exponent = exponentOf(currency);
  const marks = decimalMarksOf(rows.flatMap((row) => ('cells' in row ? (row.cells.price ?? []) : [])));
  const mark = marks.length === 0 ? usualMark(country) : marks.length === 1 ? (marks[0] ?? null) : null;
  const isForeign = source !== 'paydesk' && source !== 'list';

  /** Returns the price as the API takes it. */
  function priceOf(text: string): string {
    const bare = withoutCurrency(text, currency) ?? '';
    const readings = (mark === null ? (['.', ','] as const) : [mark]).map((each) => readAmountCell(bare, exponent, each));
    const [minor, other] = readings.filter((each) => each !== null);
    if (minor === undefined) throw invalid('price', `\`${text.slice(0, 30)}\` is not a price.`);
    if (other !== undefined && other !== minor)
      throw invalid(
        'price',
        `The price \`${text.slice(0, 30)}\` can be read in two ways. Write all prices of the file with the same decimal mark and two decimals.`,
      );
    return (minor / 10 ** exponent).toFixed(exponent);
  }

  return (cells) => {
    const given = (column: ItemColumn) => cells[column]?.trim() || undefined;
    const clearing = (column: ItemColumn) => (cells[column] === undefined ? undefined : (given(column) ?? null));
    const price = given('price');
    if (isForeign && OPEN_PRICE.has(price?.toLowerCase() ?? '')) return { skipped: 'The item has no fixed price.' };
    const kind = given('kind')?.toLowerCase();
    if (kind !== undefined && kind !== 'item' && kind !== 'amount') throw invalid('kind', '`kind` must be item or amount.');
    const state = given('status')?.toLowerCase();
    const status = state === undefined ? undefined : STATES.get(state);
    if (state !== undefined && status === undefined) throw invalid('status', '`status` must be active or archived.');
    const name = cells.name?.trim();
    for (const [field, text] of Object.entries({ name, category: given('category') }))
      if (text !== undefined && containsCardNumber(text)) throw invalid(field, `\`${field}\` contains a card number.`);
    for (const field of ['barcode', 'key'] as const)
      if (isRoundedNumber(given(field) ?? ''))
        throw invalid(field, `A spreadsheet has rounded the \`${field}\` ${given(field)}. Format the column as text and export it again.`);
    const rate = clearing('taxRate');
    const fields = {
      kind: kind as ItemKind | undefined,
      name,
      price: price === undefined ? undefined : priceOf(price),
      taxRate: rate ? rateFrom(rate) : rate,
      taxIncluded: includedFrom(given('taxIncluded')) ?? (rate && cells.taxIncluded === undefined ? taxIncluded : undefined),
      key: clearing('key'),
      barcode: clearing('barcode'),
      status,
      category: clearing('category'),
    };
    return {
      itemId: given('itemId') ?? null,
      input: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ItemInput,
    };
  };
}

/** Returns the decimal mark that people of a country write. */
function usualMark(country: string): DecimalMark {
  const locale = new Intl.Locale(/^[A-Z]{2}$/.test(country) ? `und-${country}` : 'en').maximize();
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  return decimal === ',' ? ',' : '.';
}

/** Returns a percentage as the API takes it. It is below 1,000, so that a separator precedes its decimals. */
const rateFrom = (text: string): string =>
  text
    .replace(/\s*%$/, '')
    .replace(/^(\d+),(\d+)$/, '$1.$2')
    .replace(/^(\d+\.\d{1,3})0*$/, '$1');

function includedFrom(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  const word = text.toLowerCase();
  if (!YES.has(word) && !NO.has(word)) throw invalid('taxIncluded', '`taxIncluded` must be true or false.');
  return YES.has(word);
}
