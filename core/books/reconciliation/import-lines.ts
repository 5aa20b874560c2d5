import { type Database, lit, queriesOn, TENANT } from '#core/database';
import { pause } from './dependencies.ts';
import type { FileLine } from './mapping.ts';
import { type Subject, subjectsOf } from './our-lines.ts';
import { IMPORT_LINES, type ImportLineRow } from './schema.ts';

const queries = queriesOn(IMPORT_LINES);

/**
 * Number of lines looked up and written together: one or two milliseconds on SQLite, because sales wait for it; one round trip on
 * PostgreSQL.
 */
export const blockOf = ({ kind }: Pick<Database, 'kind'>) => (kind === 'sqlite' ? 100 : 500);

/** Returns a line in its stored form. A line whose transaction is a refund counts as a refund, whatever its sign in the file. */
export function lineRow(
  tenantId: string,
  importId: string,
  line: number,
  fileLine: Omit<FileLine, 'isCardLike'>,
  subject: Subject | undefined,
): ImportLineRow {
  const isRefund = subject?.isRefund === true || fileLine.minor < 0;
  return {
    tenant_id: tenantId,
    import_id: importId,
    line,
    reference: fileLine.reference,
    subject: subject?.transactionId ?? '',
    kind: isRefund ? 'refund' : 'capture',
    currency: fileLine.currency,
    amount_minor: isRefund ? -Math.abs(fileLine.minor) : fileLine.minor,
    day: fileLine.day,
  };
}

/** Looks up the lines again whose transaction was unknown when the file was read. */
export async function resolveUnknownLines(
  deps: { readonly database: Database },
  tenantId: string,
  scope: string,
  importId: string,
): Promise<void> {
  const read = deps.database.read(tenantId);
  const size = blockOf(deps.database);
  for (let after = { reference: '', line: -1 }; ; ) {
    const rows: ImportLineRow[] = await read.rows(
      queries
        .selectFrom('settlement_import_lines')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', importId)
        .where('subject', '=', lit(''))
        .where(({ eb, refTuple, tuple }) => eb(refTuple('reference', 'line'), '>', tuple(after.reference, after.line)))
        .orderBy('reference')
        .orderBy('line')
        .limit(size),
    );
    const subjects = await subjectsOf(
      read,
      scope,
      rows.map(({ reference }) => reference),
    );
    const found = rows.filter(({ reference }) => subjects.has(reference));
    if (found.length > 0) {
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        for (const { line, reference, currency, amount_minor: minor, day } of found) {
          const { subject, kind, amount_minor } = lineRow(
            tenantId,
            importId,
            line,
            { reference, currency, minor, day },
            subjects.get(reference),
          );
          await work.update(IMPORT_LINES, { import_id: importId, line }, { subject, kind, amount_minor });
        }
      });
    }
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = { reference: last.reference, line: Number(last.line) };
    await pause();
  }
}
