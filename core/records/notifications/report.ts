import type { Database } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from './message.ts';

/** Lines of a report that its message has at most. */
export const REPORT_LINES_MAX = 200;

/** A report as a message to one address. */
interface MailedReport {
  readonly email: string;
  /** Null if the report covers all merchants of the caller. */
  readonly merchantId: string | null;
  readonly action: string;
  readonly resource: string;
  readonly subject: string;
  readonly introduction: string;
  /** The first lines, and the number of all lines. */
  readonly lines: readonly string[];
  readonly count: number;
  /** Sentence of a report without lines. */
  readonly nothing: string;
  /** Sentence about where the other lines are. */
  readonly complete: string;
  readonly totals: readonly string[];
  /** Facts of the audit log besides the address and the number of lines. */
  readonly facts: Readonly<Record<string, string>>;
}

interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly audit: RecordAudit;
  readonly notify: Notify;
}

/** Writes a report to the outbox, counted like every message that a caller asks for. Returns the message's ID. @throws ServiceError RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED. */
export async function mailReport(
  { database, clockOf, audit, notify }: Dependencies,
  actor: Actor,
  { email: to, merchantId, action, resource, subject, ...report }: MailedReport,
): Promise<{ messageId: string }> {
  const lines = report.lines.slice(0, REPORT_LINES_MAX);
  const omitted = report.count - lines.length;
  const body = [
    report.introduction,
    '',
    ...(lines.length === 0 ? [report.nothing] : lines),
    ...(omitted > 0 ? [`and ${omitted} more. ${report.complete}`] : []),
    ...(report.totals.length === 0 ? [] : ['', ...report.totals]),
  ].join('\n');
  const messageId = await database.unitOfWork.transaction(actor.tenantId, async (work) => {
    audit(work, { actor, action, resource, merchantId, after: { to, ...report.facts, rows: report.count } });
    const atMs = clockOf(actor.tenantId).now();
    return notify(work, {
      tenantId: actor.tenantId,
      merchantId,
      channel: 'email',
      kind: 'report',
      to,
      subject,
      body,
      atMs,
      cause: 'request',
    });
  });
  return { messageId };
}
