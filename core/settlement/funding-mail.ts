import { type Actor, formatDecimal } from '#core/kernel';
import type { Needs } from './needs.ts';
import { fundingReport } from './read.ts';

/** Lines that a message holds; the file has them all. */
const LINES_MAX = 200;

export interface FundingMail {
  readonly email: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
}

/** Sends the funding report of a period as a message (specification 4.13). Answers the message's id. */
export async function mailReport(on: Needs, by: Actor, { email, ...of }: FundingMail): Promise<{ messageId: string }> {
  const merchant = await on.merchantFor(by, of.merchantId);
  const report = await fundingReport(on, by, of);
  const { currency } = report;
  const lines = report.settlements
    .slice(0, LINES_MAX)
    .map(
      ({ settlementDate, settlementId, amount, fees, netAmount, status }) =>
        `${settlementDate}  ${formatDecimal(amount)} - ${formatDecimal(fees)} = ${formatDecimal(netAmount)} ${currency}  ${status}  ${settlementId}`,
    );
  const rest = report.settlements.length - lines.length;
  const body = [
    `Settlements of ${merchant.name} from ${report.startDate} to ${report.endDate}: amount, fees and what is paid out.`,
    '',
    ...lines,
    ...(rest > 0 ? [`and ${rest} more; the whole is in the CSV of the funding report.`] : []),
    '',
    `Total: ${formatDecimal(report.totalAmount)} - ${formatDecimal(report.totalFees)} = ${formatDecimal(report.totalNet)} ${currency}`,
  ].join('\n');
  const messageId = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    on.audit(work, {
      by,
      action: 'funding_report.sent',
      resource: 'settlement/funding-report',
      merchantId: merchant.merchantId,
      after: { to: email, startDate: report.startDate, endDate: report.endDate },
    });
    return on.notify(work, {
      tenantId: by.tenantId,
      merchantId: merchant.merchantId,
      channel: 'email',
      to: email,
      subject: `Funding report ${report.startDate} to ${report.endDate}`,
      body,
      atMs: on.clockOf(by.tenantId).now(),
    });
  });
  return { messageId };
}
