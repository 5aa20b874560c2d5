import type { UploadedFile } from '#core/books/reconciliation';
import { type Currency, exponentOf, formatDecimal, lastBookableDay, money, ServiceError, toNumber } from '#core/kernel';
import { foreignReason } from '#core/platform/imports';
import { redactCardNumbers, SENT_TEXT } from '#shared/card-numbers';
import { type Format, formatOf } from '#shared/statement-formats';
import { isSameAccount, plainNumber } from './account-numbers.ts';
import { openNumber } from './accounts.ts';
import { chainOf } from './balances.ts';
import { HEAD_MAX, resolveMapping } from './csv-mappings.ts';
import { type Dependencies, pause } from './dependencies.ts';
import { createLineHasher, LineKeys } from './line-keys.ts';
import type { CsvMapping, SkippedPart } from './records.ts';
import type { BankAccountRow } from './schema.ts';
import { createStatementReader, SEVERAL_ACCOUNTS, StatementFault, type StatementPart } from './statements/index.ts';

export interface StatementInput {
  readonly bankAccountId: string;
  readonly file: UploadedFile;
  readonly filename: string | null;
  readonly mapping?: CsvMapping | undefined;
  /** Name of a saved mapping, or name under which `mapping` is saved. */
  readonly mappingName?: string | undefined;
  /** Decision about lines that may be stored already. Without it, a file with such lines is refused with their list. */
  readonly doubtfulLines?: 'add' | 'skip' | undefined;
}

/** Largest number of accounts and currencies of other statements that are named. */
const SKIPPED_MAX = 50;

/** Result of the first reading of a file. */
export interface StatementContent {
  readonly format: Format;
  readonly mapping: CsvMapping | null;
  /** Number of the account as the file writes it; null if it has none. */
  readonly number: string | null;
  /** The parts of the file that are statements of this account, counted from 1. */
  readonly ownParts: ReadonlySet<number>;
  readonly skipped: readonly SkippedPart[];
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** Balances before and after all lines; null if a part of the file has no such balance. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly count: number;
  /** Lines with an amount, in the order of the file. */
  readonly keys: LineKeys;
}

/** Reads a file in pieces. @throws ServiceError VALIDATION_ERROR with the line of a fault. */
export async function* partsOf(
  file: UploadedFile,
  account: BankAccountRow,
  { format, mapping, number }: Pick<StatementContent, 'format' | 'mapping' | 'number'>,
): AsyncGenerator<StatementPart> {
  const { currency } = account;
  const reader = createStatementReader(format, { exponent: exponentOf(currency as Currency), currency, number }, mapping);
  try {
    for await (const text of file.text()) {
      yield* reader.read(text);
      await pause();
    }
    yield* reader.end();
  } catch (error) {
    throw error instanceof StatementFault ? refusal(error, format) : error;
  }
}

function refusal({ line, message }: StatementFault, format: Format, more: Readonly<Record<string, unknown>> = {}): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `Line ${line} of the file cannot be imported: ${redactCardNumbers(message, SENT_TEXT)}.`, {
    field: 'file',
    details: { line, format, ...more },
  });
}

/** A statement of the account while it is read. */
interface OpenPiece {
  readonly line: number;
  /** Indexes of its lines, the last one excluded. */
  readonly start: number;
  end: number;
  /** True if the newest line is the first one of the file. */
  isNewestFirst: boolean;
  opening: number | null;
  closing: number | null;
  sum: number;
  count: number;
  firstDay: string | null;
  lastDay: string | null;
}

/** Checks a file completely before anything is stored. */
export async function readContent(deps: Dependencies, account: BankAccountRow, input: StatementInput): Promise<StatementContent> {
  const head = await headOf(input.file);
  const format = formatOf(head);
  const mapping = format === 'csv' ? await resolveMapping(deps.database.read(account.tenant_id), account, input, head) : null;
  const currency = account.currency as Currency;
  const shown = (minor: number) => `${formatDecimal(money(minor, currency))} ${currency}`;
  const fault = (line: number, reason: string, more = {}) => refusal(new StatementFault(line, reason), format, more);
  const hasher = createLineHasher(await deps.secrets.hashKey(account.tenant_id, `bank lines of ${account.id}`));
  const known = await openNumber(deps, account);
  const lastPossibleDay = lastBookableDay(deps.clockOf(account.tenant_id).now());
  const keys = new LineKeys();
  const pieces: OpenPiece[] = [];
  const digests = new Set<string>();
  const ownParts = new Set<number>();
  const skipped = new Map<string, SkippedPart>();
  let number: string | null = null;
  let parts = 0;
  let other: { readonly line: number; readonly reason: string } | null = null;
  let piece: OpenPiece | null = null;

  function skip(reason: SkippedPart['reason'], part: { readonly number: string | null; readonly currency: string | null }): void {
    const key = `${reason}|${part.number}|${part.currency}`;
    const before = skipped.get(key);
    if (!before && skipped.size >= SKIPPED_MAX) return;
    const last4 = part.number === null ? null : plainNumber(part.number).slice(-4);
    skipped.set(key, { reason, last4, currency: part.currency || null, count: (before?.count ?? 0) + 1 });
  }

  /** Ends a statement. A file may contain one twice, for example if downloads were joined; the second one is left out. */
  function endPiece(): void {
    if (!piece) return;
    const { start, opening, closing, firstDay, lastDay, count } = piece;
    const digest =
      opening === null || closing === null || count === 0 ? null : `${opening}|${closing}|${firstDay}|${lastDay}|${keys.digest(start)}`;
    if (digest !== null && digests.has(digest)) {
      keys.truncate(start);
      ownParts.delete(parts);
    } else {
      piece.end = keys.length;
      if (piece.end > start) piece.isNewestFirst ||= (keys.days[start] as number) > (keys.days[piece.end - 1] as number);
      pieces.push(piece);
      if (digest !== null) digests.add(digest);
    }
    piece = null;
  }

  for await (const part of partsOf(input.file, account, { format, mapping, number: known })) {
    if (part.kind === 'account') {
      endPiece();
      parts += 1;
      if (part.currency !== null && part.currency !== '' && part.currency !== currency) {
        skip('currency', part);
        other ??= { line: part.line, reason: `the statement is in ${part.currency.slice(0, 10)}, but the bank account is in ${currency}` };
        continue;
      }
      if (part.number !== null && !isSameAccount(part.number, known ?? number ?? part.number)) {
        if (known === null) throw fault(part.line, SEVERAL_ACCOUNTS);
        skip('account', part);
        other ??= {
          line: part.line,
          reason: `the statement is of the account ending in ${part.number.slice(-4)}, not of this bank account`,
        };
        continue;
      }
      number = part.number ?? number;
      ownParts.add(parts);
      piece = {
        line: part.line,
        start: keys.length,
        end: keys.length,
        isNewestFirst: false,
        opening: null,
        closing: null,
        sum: 0,
        count: 0,
        firstDay: null,
        lastDay: null,
      };
    } else if (part.kind === 'foreign') {
      skip(part.currency === null ? 'account' : 'currency', part);
      const whose = part.currency === null ? `of the account ending in ${part.number?.slice(-4)}` : `in ${part.currency.slice(0, 10)}`;
      const own = part.currency === null ? 'not of this bank account' : `but the bank account is in ${currency}`;
      other ??= { line: part.line, reason: `the line is ${whose}, ${own}` };
    } else if (!piece) continue;
    else if (part.kind === 'opening') {
      piece.opening ??= part.minor;
      piece.isNewestFirst ||= part.isNewestFirst ?? false;
    } else if (part.kind === 'closing') {
      const { opening, sum } = piece;
      if (opening !== null && opening + sum !== part.minor)
        throw fault(
          part.line,
          `the opening balance and the lines sum to ${shown(opening + sum)}, but the closing balance is ${shown(part.minor)}`,
          { missing: toNumber(money(part.minor - opening - sum, currency)) },
        );
      piece.closing = part.minor;
    } else if (part.kind === 'entry') {
      if (part.day > lastPossibleDay)
        throw fault(part.line, `the day ${part.day} is in the future. A statement has booked lines only: check the format of the dates`);
      piece.sum += part.minor;
      if (!Number.isSafeInteger(piece.sum)) throw fault(part.line, 'the sum of the lines exceeds the supported maximum');
      piece.count += 1;
      if (piece.firstDay === null || part.day < piece.firstDay) piece.firstDay = part.day;
      if (piece.lastDay === null || part.day > piece.lastDay) piece.lastDay = part.day;
      if (part.minor !== 0) keys.addEntry(part, hasher);
    }
  }
  endPiece();
  const count = pieces.reduce((sum, each) => sum + each.count, 0);
  if (other !== null && (pieces.length === 0 || (count === 0 && format === 'csv'))) throw fault(other.line, other.reason);
  const days = pieces.flatMap(({ firstDay, lastDay }) => (firstDay === null || lastDay === null ? [] : [firstDay, lastDay])).sort();
  return {
    format,
    mapping,
    number,
    ownParts,
    skipped: [...skipped.values()],
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    ...balancesOf(pieces),
    count,
    keys,
  };

  /** Returns the balances before and after all statements of the file. @throws ServiceError if they are not continuous. */
  function balancesOf(all: readonly OpenPiece[]): { readonly opening: number | null; readonly closing: number | null } {
    const anchored = all.flatMap(({ opening, closing, ...more }) =>
      opening === null || closing === null ? [] : [{ ...more, opening, closing }],
    );
    if (all.length === 1 && anchored.length === 0) return { opening: all[0]?.opening ?? null, closing: all[0]?.closing ?? null };
    if (anchored.length < all.length || anchored.length === 0) return { opening: null, closing: null };
    const chain = chainOf(anchored);
    if ('opening' in chain) {
      keys.arrange(orderOf(chain.ordered, keys.length), chain.opening);
      return { opening: chain.opening, closing: chain.closing };
    }
    throw fault(
      chain.line,
      `the statement begins with ${shown(chain.after)}, but the one before it ends with ${shown(chain.before)}. A statement between them is missing, or one is in the file twice`,
      { missing: toNumber(money(chain.after - chain.before, currency)) },
    );
  }
}

/** Returns the indexes of all lines, oldest first. */
function orderOf(pieces: readonly OpenPiece[], length: number): Int32Array {
  const order = new Int32Array(length);
  let rank = 0;
  for (const { start, end, isNewestFirst } of pieces)
    for (let at = start; at < end; at += 1) {
      order[rank] = isNewestFirst ? end - 1 - (at - start) : at;
      rank += 1;
    }
  return order;
}

async function headOf(file: UploadedFile): Promise<string> {
  let head = '';
  for await (const text of file.text()) {
    head += text;
    if (head.trimStart().length >= 4_000) break;
  }
  if (head.trim() === '') throw new ServiceError('VALIDATION_ERROR', 'The file is empty.', { field: 'file' });
  const unreadable = foreignReason(head, { names: 'OFX, CAMT.053, MT940, BAI2 or CSV', hasStatements: true });
  if (unreadable !== null) throw new ServiceError('VALIDATION_ERROR', unreadable, { field: 'file' });
  return head.slice(0, HEAD_MAX);
}
