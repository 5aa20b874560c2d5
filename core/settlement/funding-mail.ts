import { type Actor, formatDecimal } from '#core/kernel';
import { type FundingQuery, fundingLines } from './funding.ts';
import type { Needs } from './needs.ts';

/** Lines that a message holds; the file has them all. */
const LINES_MAX = 200;

export interface FundingMail extends FundingQuery {
  readonly email: string;
}

/** Sends the funding report of a period as a message, every currency with its own total (specification 4.13). Answers the message's id. */
export async function mailReport(on: Needs, by: Actor, { email, ...of }: FundingMail): Promise<{ messageId: string }> {
  const { merchant, startDate, endDate, sums, settlements } = await fundingLines(on, by, of);
  const lines: string[] = [];
  for await (const { settlementDate, settlementId, currency, amount, fees, netAmount, status } of settlements) {
    if (lines.length === LINES_MAX) break;
    lines.push(
      `${settlementDate}  ${formatDecimal(amount)} - ${formatDecimal(fees)} = ${formatDecimal(netAmount)} ${currency}  ${status}  ${settlementId}`,
    );
  }
  const rest = sums.reduce((count, each) => count + each.count, 0) - lines.length;
  const totals = sums.map(
    ({ currency, totalAmount, totalFees, totalNet }) =>
      `Total: ${formatDecimal(totalAmount)} - ${formatDecimal(totalFees)} = ${formatDecimal(totalNet)} ${currency}`,
  );
  const body = [
    `Settlements of ${merchant.name} from ${startDate} to ${endDate}: amount, fees and what is paid out.`,
    '',
    ...(lines.length === 0 ? ['Nothing was settled in these days.'] : lines),
    ...(rest > 0 ? [`and ${rest} more; the whole is in the CSV of the funding report.`] : []),
    ...(totals.length === 0 ? [] : ['', ...totals]),
  ].join('\n');
  const messageId = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    on.audit(work, {
      by,
      action: 'funding_report.sent',
      resource: 'settlement/funding-report',
      merchantId: merchant.merchantId,
      after: { to: email, startDate, endDate },
    });
    return on.notify(work, {
      tenantId: by.tenantId,
      merchantId: merchant.merchantId,
      channel: 'email',
      to: email,
      subject: `Funding report ${startDate} to ${endDate}`,
      body,
      atMs: on.clockOf(by.tenantId).now(),
    });
  });
  return { messageId };
}
