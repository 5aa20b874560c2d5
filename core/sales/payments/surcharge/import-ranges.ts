import { setImmediate as pause } from 'node:timers/promises';
import { type Actor, ServiceError } from '#core/kernel';
import type { Row } from '#core/platform/csv';
import { csvRows } from '#core/platform/imports';
import type { Dependencies } from '../dependencies.ts';
import type { CardRanges } from './records.ts';
import { CARD_RANGES, type CardRangeRow } from './schema.ts';

const RANGES_MAX = 200_000;
/** Ranges that are written without a pause, in which the service answers others: SQLite writes synchronously. */
const BLOCK = 5_000;
/** Names of the two columns, as acquirers and data vendors write them, without spaces, hyphens and underscores. */
const DIGITS_NAMES = ['firstdigits', 'bin', 'iin', 'prefix'];
const FUNDING_NAMES = ['funding', 'cardfunding', 'type', 'cardtype'];
const FIRST_DIGITS = /^\d{6,8}$/;
const FUNDINGS: ReadonlySet<string> = new Set(['credit', 'debit', 'prepaid']);

type Ranges = Map<string, CardRangeRow['funding']>;

/** Number of card ranges by type. */

/**
 * Replaces the card ranges of a tenant by those of a CSV file. Returns their number by type. @throws ServiceError VALIDATION_ERROR with
 * `details.line` if a line is wrong; then the former ranges stay.
 */
export async function importCardRanges(deps: Dependencies, actor: Actor, text: AsyncIterable<string>): Promise<CardRanges> {
  const ranges = await readRanges(text);
  const counts = { credit: 0, debit: 0, prepaid: 0 };
  for (const funding of ranges.values()) counts[funding] += 1;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    // Two imports at the same time would otherwise mix their ranges.
    await work.advisoryLock(`card-ranges/${actor.tenantId}`);
    await work.delete(CARD_RANGES, {});
    let written = 0;
    for (const [first_digits, funding] of ranges) {
      work.insert(CARD_RANGES, { tenant_id: actor.tenantId, first_digits, funding });
      written += 1;
      if (written % BLOCK === 0) await pause();
    }
    deps.audit(work, { actor, action: 'card_ranges.imported', resource: 'card-ranges', merchantId: null, after: counts });
  });
  return counts;
}

async function readRanges(pieces: AsyncIterable<string>): Promise<Ranges> {
  const ranges: Ranges = new Map();
  let columns: { readonly digits: number; readonly funding: number } | null = null;
  const take = (row: Row) => {
    if ('reason' in row) throw invalid(`Line ${row.line} is not readable: ${row.reason}.`, row.line);
    if (columns === null) columns = columnsOf(row.cells);
    else addRange(ranges, row, columns);
  };
  for await (const rows of csvRows(pieces)) for (const row of rows) take(row);
  if (columns === null) throw invalid('The file is empty. It needs a header row with the columns `firstDigits` and `funding`.', 1);
  return ranges;
}

function columnsOf(cells: readonly string[]): { digits: number; funding: number } {
  const names = cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .toLowerCase()
      .replaceAll(/[\s_-]/g, ''),
  );
  const digits = names.findIndex((name) => DIGITS_NAMES.includes(name));
  const funding = names.findIndex((name) => FUNDING_NAMES.includes(name));
  if (digits >= 0 && funding >= 0) return { digits, funding };
  throw invalid('The first line must name the columns `firstDigits` and `funding`.', 1);
}

/** Adds the range of a line. The cells are never repeated in an error, because a wrong file may contain card numbers. */
function addRange(ranges: Ranges, row: { line: number; cells: readonly string[] }, columns: { digits: number; funding: number }): void {
  const firstDigits = row.cells[columns.digits]?.trim() ?? '';
  const funding = row.cells[columns.funding]?.trim().toLowerCase() ?? '';
  if (firstDigits === '' && funding === '') return;
  if (!FIRST_DIGITS.test(firstDigits)) throw invalid(`Line ${row.line}: \`firstDigits\` must be six to eight digits.`, row.line);
  if (!FUNDINGS.has(funding)) throw invalid(`Line ${row.line}: \`funding\` must be credit, debit or prepaid.`, row.line);
  if (ranges.has(firstDigits)) throw invalid(`Line ${row.line}: an earlier line has the same digits.`, row.line);
  if (ranges.size >= RANGES_MAX) throw invalid(`The file has more than ${RANGES_MAX} ranges.`, row.line);
  ranges.set(firstDigits, funding as CardRangeRow['funding']);
}

function invalid(message: string, line: number): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { field: 'file', details: { line } });
}
