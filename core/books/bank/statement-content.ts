import type { UploadedFile } from '#core/books/reconciliation';
import { type Currency, exponentOf, formatDecimal, money, ServiceError } from '#core/kernel';
import { redactLongNumbers } from '#shared/card-numbers';
import { isSameAccount, openNumber } from './accounts.ts';
import { headerOf, resolveMapping } from './csv-mappings.ts';
import { type Dependencies, pause } from './dependencies.ts';
import type { BankAccountRow } from './schema.ts';
import { type CsvMapping, createStatementReader, type Format, formatOf, StatementFault, unreadableReason } from './statements/index.ts';

export interface StatementInput {
  readonly bankAccountId: string;
  readonly file: UploadedFile;
  readonly filename: string | null;
  readonly mapping?: CsvMapping | undefined;
  /** Name of a saved mapping, or name under which `mapping` is saved. */
  readonly mappingName?: string | undefined;
}

/** Result of the first reading of a file. */
export interface StatementContent {
  readonly format: Format;
  readonly mapping: CsvMapping | null;
  /** Number of the account as the file writes it; null if it has none. */
  readonly number: string | null;
  /** Number by which the parts of this account are recognized in a file of several accounts; null if any part is of it. */
  readonly ownNumber: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly count: number;
}

/** Reads a file in pieces. @throws ServiceError VALIDATION_ERROR with the line of a fault. */
export async function* partsOf(
  file: UploadedFile,
  account: BankAccountRow,
  { format, mapping }: Pick<StatementContent, 'format' | 'mapping'>,
) {
  const reader = createStatementReader(format, exponentOf(account.currency as Currency), mapping);
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

function refusal({ line, message }: StatementFault, format: Format): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `Line ${line} of the file cannot be imported: ${redactLongNumbers(message)}.`, {
    field: 'file',
    details: { line, format },
  });
}

/** Checks a file completely before anything is stored. */
export async function readContent(deps: Dependencies, account: BankAccountRow, input: StatementInput): Promise<StatementContent> {
  const head = await headOf(input.file);
  const format = formatOf(head);
  const mapping = format === 'csv' ? await resolveMapping(deps.database.read(account.tenant_id), account, input, headerOf(head)) : null;
  const currency = account.currency as Currency;
  const shown = (minor: number) => `${formatDecimal(money(minor, currency))} ${currency}`;
  const known = await openNumber(deps, account);
  let number: string | null = null;
  let isOwn = true;
  let foreign: { line: number; number: string } | null = null;
  const found: { -readonly [Name in 'firstDay' | 'lastDay' | 'opening' | 'closing' | 'count']: StatementContent[Name] } = {
    firstDay: null,
    lastDay: null,
    opening: null,
    closing: null,
    count: 0,
  };
  /** Opening balance and sum of the lines of the present part of the file, which may contain several days or pages. */
  let opening: number | null = null;
  let sum = 0;
  const fault = (line: number, reason: string) => refusal(new StatementFault(line, reason), format);
  for await (const part of partsOf(input.file, account, { format, mapping })) {
    if (part.kind === 'account') {
      opening = null;
      sum = 0;
      isOwn = part.number === null || isSameAccount(part.number, known ?? number ?? part.number);
      if (!isOwn && known === null)
        throw fault(
          part.line,
          'the file has statements of several accounts. Add the bank account with its number, then import the file again',
        );
      if (!isOwn && part.number !== null) foreign ??= { line: part.line, number: part.number };
      if (!isOwn) continue;
      if (part.currency !== null && part.currency !== '' && part.currency !== currency)
        throw fault(part.line, `the statement is in ${part.currency.slice(0, 10)}, but the bank account is in ${currency}`);
      number = part.number ?? number;
    } else if (!isOwn) continue;
    else if (part.kind === 'opening') {
      opening ??= part.minor;
      found.opening ??= part.minor;
    } else if (part.kind === 'closing') {
      if (opening !== null && opening + sum !== part.minor)
        throw fault(
          part.line,
          `the opening balance and the lines sum to ${shown(opening + sum)}, but the closing balance is ${shown(part.minor)}`,
        );
      found.closing = part.minor;
    } else if (part.kind === 'entry') {
      sum += part.minor;
      if (!Number.isSafeInteger(sum)) throw fault(part.line, 'the sum of the lines exceeds the supported maximum');
      found.count += 1;
      if (found.firstDay === null || part.day < found.firstDay) found.firstDay = part.day;
      if (found.lastDay === null || part.day > found.lastDay) found.lastDay = part.day;
    }
  }
  if (foreign !== null && number === null)
    throw fault(foreign.line, `the statement is of the account ending in ${foreign.number.slice(-4)}, not of this bank account`);
  return { format, mapping, number, ownNumber: known ?? number, ...found };
}

async function headOf(file: UploadedFile): Promise<string> {
  let head = '';
  for await (const text of file.text()) {
    head += text;
    if (head.trimStart().length >= 4_000) break;
  }
  if (head.trim() === '') throw new ServiceError('VALIDATION_ERROR', 'The file is empty.', { field: 'file' });
  const unreadable = unreadableReason(head);
  if (unreadable !== null) throw new ServiceError('VALIDATION_ERROR', unreadable, { field: 'file' });
  return head.slice(0, 65_536);
}
