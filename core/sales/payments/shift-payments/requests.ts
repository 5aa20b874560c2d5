import { conditionsOn, lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { ATTEMPTS, type AttemptRow } from '../schema.ts';

/** A request to a gateway that was made at a drawer with an open shift. */
export type ShiftRequest = Pick<AttemptRow, 'id' | 'transaction_id' | 'operation' | 'actor' | 'created_at'>;

const COLUMNS = ['id', 'transaction_id', 'operation', 'actor', 'created_at'] as const;
const queries = queriesOn(ATTEMPTS);
const attempt = conditionsOn(ATTEMPTS);
/** A capture that Paydesk holds until its gateway's batch closes has moved its money already. */
const isConcluded = attempt.or([
  attempt('state', '=', lit('done')),
  attempt.and([attempt('state', '=', lit('held')), attempt('operation', '=', lit('capture'))]),
]);

/** Returns the shifts with payments that no Z report has counted. */
export async function unreportedShifts(read: Read): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('attempts')
      .select('shift_id')
      .distinct()
      .where('tenant_id', '=', TENANT)
      .where('shift_id', 'is not', null)
      .where('shift_report_id', 'is', null),
  );
  return rows.flatMap(({ shift_id }) => (shift_id === null ? [] : [shift_id]));
}

/** Returns the concluded payments in shifts that no Z report has counted yet. */
export async function unreportedRequests(read: Read, shiftIds: readonly string[]): Promise<ShiftRequest[]> {
  const found: ShiftRequest[] = [];
  for (const shiftId of shiftIds)
    found.push(
      ...(await read.rows(
        queries
          .selectFrom('attempts')
          .select(COLUMNS)
          .where('tenant_id', '=', TENANT)
          .where('shift_id', '=', shiftId)
          .where('shift_report_id', 'is', null)
          .where(isConcluded),
      )),
    );
  return found;
}

/** Returns the payments that a Z report has counted. */
export function reportedRequests(read: Read, reportId: string): Promise<ShiftRequest[]> {
  return read.rows(queries.selectFrom('attempts').select(COLUMNS).where('tenant_id', '=', TENANT).where('shift_report_id', '=', reportId));
}

/**
 * Assigns the concluded payments of shifts to a Z report and returns them. Each payment is in one Z report: one whose outcome arrives after a close
 * stays for the next report.
 */
export async function claimForReport(work: Work, shiftIds: readonly string[], reportId: string): Promise<ShiftRequest[]> {
  const claimed: ShiftRequest[] = [];
  for (const shiftId of shiftIds)
    claimed.push(
      ...(await work.rows(
        queries
          .updateTable('attempts')
          .set({ shift_report_id: reportId })
          .where('tenant_id', '=', TENANT)
          .where('shift_id', '=', shiftId)
          .where('shift_report_id', 'is', null)
          .where(isConcluded)
          .returning(COLUMNS),
      )),
    );
  return claimed;
}
