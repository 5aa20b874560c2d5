import { setImmediate as pause } from 'node:timers/promises';
import { TENANT, type Work } from '#core/database';
import { type Actor, exponentOf, type Money, money, ServiceError } from '#core/kernel';
import { restoreFormulas } from '#core/platform/csv';
import { createHeaderSearch, csvRows, mappedColumns, mappingOf, missingColumn } from '#core/platform/imports';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { decimalMarksOf, plainCell, readAmountCell } from '#shared/file-cells';
import { columnOf, foldedName, raggedReason, withoutCurrency } from '#shared/file-columns';
import { changeBalance } from './card.ts';
import { CODES, type CodeInput, checkPrintedCode, countedCode, hashesOf, lastCharactersOf, neighborsOf } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { isAnyInUse } from './guesses.ts';
import { checkGift, lockGifts, newCardRow, type PreparedCode, withFreeCode } from './issue.ts';
import { type GiftCardImport, type GiftCardImportLine, type GiftCardMapping, IMPORT_COLUMNS } from './records.ts';
import { GIFT_CARDS } from './schema.ts';

const LINES_MAX = 2_000;
/** Lines that are compared or written without a pause, in which the service answers others. */
const BLOCK = 100;
const CELL_MAX = 120;
type Column = (typeof IMPORT_COLUMNS)[number];
/** Usual names of each column in English, German and Spanish. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  code: [
    ...['Code', 'Gift card code', 'Number', 'Gift card number', 'GAN', 'Gift card GAN', 'Card number', 'Gift card card number'],
    ...['Serial number', 'Gift card serial number', 'Gutscheincode', 'Gutscheinnummer', 'Gutschein-Nr', 'Kartennummer', 'Nummer'],
    ...['Código', 'Código de la tarjeta', 'Número', 'Número de tarjeta', 'Número de la tarjeta'],
  ],
  balance: [
    ...['Balance', 'Amount', 'Value'].flatMap((name) => ['', 'Gift card ', 'Current ', 'Remaining '].map((first) => `${first}${name}`)),
    ...['Guthaben', 'Restguthaben', 'Restwert', 'Saldo', 'Betrag', 'Wert', 'Importe', 'Valor', 'Saldo actual', 'Saldo restante'],
  ],
  pin: ['PIN', 'Gift card PIN'],
};

export interface GiftCardImportInput {
  /** Text of the file in pieces. */
  readonly text: () => AsyncIterable<string>;
  readonly dryRun: boolean;
  /** Columns by field; by default, columns with usual names are read. */
  readonly mapping?: GiftCardMapping | undefined;
  readonly merchantId?: string;
}

/** A line of the file, with its texts or with the reason why it is unreadable. */
type FileLine = { readonly line: number } & ({ readonly cells: Readonly<Record<Column, string>> } | { readonly reason: string });

/** A card that the import creates. */
interface NewCard {
  readonly code: PreparedCode;
  readonly neighbors: readonly string[];
  readonly amount: Money;
}

/**
 * Imports balances of another product from a CSV file. Only hashes of the codes are stored. A card whose code is in use stays unchanged, so a file that is
 * imported again changes nothing. If a line has an error, nothing is stored. @throws ApprovalRequired; ServiceError VALIDATION_ERROR for a file in another format.
 */
export async function importGiftCards(deps: Dependencies, actor: Actor, input: GiftCardImportInput): Promise<GiftCardImport> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const { rows, mapping } = await readFile(input.text(), input.mapping);
  const key = await deps.secrets.hashKey(actor.tenantId, CODES);
  const marks = decimalMarksOf(rows.flatMap((row) => ('cells' in row ? row.cells.balance : [])));
  const mark = marks.length === 1 ? (marks[0] ?? null) : null;
  const cardOf = ({ code, balance, pin }: Readonly<Record<Column, string>>): NewCard | null => {
    const minor = readAmountCell(withoutCurrency(balance, merchant.currency) ?? '', exponentOf(merchant.currency), mark);
    if (minor === null || minor < 0) throw new ServiceError('VALIDATION_ERROR', '`balance` is not an amount.', { field: 'balance' });
    if (minor === 0) return null;
    const named: CodeInput = { code, pin: pin === '' ? undefined : pin };
    checkPrintedCode(named);
    return {
      code: { hashes: hashesOf(key, named), last4: lastCharactersOf(code), shown: null },
      neighbors: neighborsOf(key, named),
      amount: money(minor, merchant.currency),
    };
  };
  const run = async (work: Work): Promise<GiftCardImport> => {
    await lockGifts(work, merchant.merchantId);
    const lines: GiftCardImportLine[] = [];
    const cards: NewCard[] = [];
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK === 0) await pause();
      const shown = { line: row.line, lastCharacters: null, balance: null };
      try {
        if ('reason' in row) throw new ServiceError('VALIDATION_ERROR', row.reason);
        const card = cardOf(row.cells);
        if (card === null) {
          lines.push({ ...shown, lastCharacters: lastCharactersOf(row.cells.code), result: 'skipped', reason: 'The card has no balance.' });
          continue;
        }
        const { number_hash } = card.code.hashes;
        if (seen.has(number_hash)) throw new ServiceError('VALIDATION_ERROR', 'An earlier line of the file has the same code.');
        seen.add(number_hash);
        const found = await work.one(GIFT_CARDS, { tenant_id: actor.tenantId, merchant_id: merchant.merchantId, number_hash });
        const isNew = found === null;
        if (
          isNew &&
          (card.neighbors.some((each) => seen.has(each)) || (await isAnyInUse(work, TENANT, merchant.merchantId, card.neighbors)))
        )
          throw countedCode();
        if (isNew) cards.push(card);
        const result = isNew ? 'created' : 'unchanged';
        lines.push({ line: row.line, lastCharacters: card.code.last4, balance: card.amount, result, reason: null });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        lines.push({ ...shown, result: 'error', reason: error.message });
      }
    }
    const count = (result: GiftCardImportLine['result']) => lines.filter((line) => line.result === result).length;
    const total = money(
      cards.reduce((sum, { amount }) => sum + amount.minor, 0),
      merchant.currency,
    );
    const stored = !input.dryRun && count('error') === 0;
    if (stored && cards.length > 0) await store(deps, work, actor, merchant, cards, total);
    return {
      stored,
      mapping,
      amount: total,
      currency: merchant.currency,
      created: count('created'),
      unchanged: count('unchanged'),
      skipped: count('skipped'),
      failed: count('error'),
      lines,
    };
  };
  return withFreeCode(() => deps.database.unitOfWork.transaction(actor.tenantId, run));
}

async function store(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { merchantId, currency }: Merchant,
  cards: readonly NewCard[],
  total: Money,
): Promise<void> {
  const details = { reason: 'Import', cards: String(cards.length) };
  await checkGift(deps, work, actor, merchantId, { amount: total, details, resource: 'gift-cards' });
  for (const [index, { code, amount }] of cards.entries()) {
    if (index % BLOCK === 0) await pause();
    const now = deps.clockOf(actor.tenantId).now();
    const row = newCardRow(actor, merchantId, currency, now, code, { status: 'active', customer_id: null });
    work.insert(GIFT_CARDS, row);
    await changeBalance(deps, work, row, {
      // Counted with the gifts of the day.
      kind: 'given',
      changeMinor: amount.minor,
      event: 'gift_card.issued',
      transfer: 'gift_card_imported',
      actor,
      subjectId: null,
      reason: 'Imported balance',
    });
  }
}

const invalidFile = (message: string, details?: Record<string, unknown>) =>
  new ServiceError('VALIDATION_ERROR', message, { field: 'file', ...(details && { details }) });

interface Header {
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<Column, number>;
}

/** Reads a CSV file with a header row. @throws ServiceError VALIDATION_ERROR for a file without the columns, or with too many lines. */
async function readFile(pieces: AsyncIterable<string>, mapping: GiftCardMapping | undefined) {
  let header: Header | null = null;
  const rows: FileLine[] = [];
  const search = createHeaderSearch(
    (cells) => headerOf(cells, mapping),
    (likely) => noHeader(likely, mapping),
  );
  for await (const found of csvRows(pieces))
    for (const row of found) {
      if ('cells' in row && row.cells.every((cell) => cell.trim() === '')) continue;
      if (header === null) {
        header = search.next(row);
        continue;
      }
      if (rows.length >= LINES_MAX) throw invalidFile(`The file has more than ${LINES_MAX} lines.`);
      if ('reason' in row) {
        rows.push(row);
        continue;
      }
      const { names, columns } = header;
      const indexOf = (column: Column) => columns.get(column) ?? -1;
      const ragged = raggedReason(row.cells, names, [indexOf('code'), indexOf('balance')]);
      const cell = (column: Column) => plainCell(restoreFormulas(row.cells[indexOf(column)] ?? '')).trim();
      const cells = { code: cell('code'), balance: cell('balance'), pin: cell('pin') };
      const isLong = Object.values(cells).some((text) => text.length > CELL_MAX);
      const reason = ragged ?? (isLong ? `A cell has more than ${CELL_MAX} characters.` : null);
      rows.push(reason === null ? { line: row.line, cells } : { line: row.line, reason });
    }
  if (header === null) throw search.missing();
  return { rows, mapping: mappingOf(header.columns, header.names) };
}

/** Returns the columns with usual names. */
const likelyColumns = (names: readonly string[]): ReadonlyMap<Column, number> =>
  new Map(IMPORT_COLUMNS.map((column) => [column, columnOf(names, NAMES[column])] as const).filter(([, index]) => index >= 0));

/** Returns the columns of a row that is the header; null if it is another row. @throws ServiceError if several columns have usual names. */
function headerOf(names: readonly string[], mapping: GiftCardMapping | undefined): Header | null {
  const columns = mapping === undefined ? likelyColumns(names) : mappedColumns(mapping, IMPORT_COLUMNS, names);
  if (columns === null || !columns.has('code') || !columns.has('balance')) return null;
  const known = (column: Column) => names.filter((name) => NAMES[column].some((each) => foldedName(each) === foldedName(name)));
  const several = mapping === undefined ? IMPORT_COLUMNS.find((column) => known(column).length > 1) : undefined;
  if (several === undefined) return { names, columns };
  throw invalidFile(`The file has several columns for \`${several}\`. Name the one that counts in \`mapping\`.`, detailsOf(names));
}

function noHeader(likely: readonly string[] | null, mapping: GiftCardMapping | undefined): ServiceError {
  if (likely === null) return invalidFile('The file is empty. It needs a header row with the columns `code` and `balance`.');
  if (mapping !== undefined) {
    // The row can be a card, whose code belongs in no response.
    const { message, field } = missingColumn(mapping, IMPORT_COLUMNS, likely);
    return new ServiceError('VALIDATION_ERROR', message, field === undefined ? {} : { field });
  }
  return invalidFile(
    'The file has no columns for the code and the balance. Name them `code` and `balance`, or name the columns of the file in `mapping`.',
    detailsOf(likely),
  );
}

const detailsOf = (header: readonly string[]) => ({ mapping: mappingOf(likelyColumns(header), header) });
