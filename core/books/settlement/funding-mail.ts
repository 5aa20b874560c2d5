import { type Actor, formatDecimal } from '#core/kernel';
import { mailReport, REPORT_LINES_MAX } from '#core/records/notifications';
import type { Dependencies } from './dependencies.ts';
import { type FundingQuery, fundingLines } from './funding.ts';

export interface FundingMail extends FundingQuery {
  readonly email: string;
}

/** Sends the funding report of a period as a message, with a total per currency. Returns the message's ID. */
export async function mailFundingReport(
  deps: Dependencies,
  actor: Actor,
  { email, ...query }: FundingMail,
): Promise<{ messageId: string }> {
  const { merchantId, merchant, startDate, endDate, sums, settlements } = await fundingLines(deps, actor, query);
  const nameOf = merchantId === undefined ? await namesOf(deps, actor) : null;
  const lines: string[] = [];
  for await (const { settlementDate, settlementId, merchantId: paid, currency, amount, fees, netAmount, status } of settlements) {
    if (lines.length === REPORT_LINES_MAX) break;
    lines.push(
      `${settlementDate}  ${formatDecimal(amount)} - ${formatDecimal(fees)} = ${formatDecimal(netAmount)} ${currency}  ${status}  ${settlementId}${nameOf ? `  ${nameOf(paid)}` : ''}`,
    );
  }
  return mailReport(deps, actor, {
    email,
    merchantId: merchantId ?? null,
    action: 'funding_report.sent',
    resource: 'settlement/funding-report',
    subject: `Funding report ${startDate} to ${endDate}`,
    introduction: `Settlements of ${merchantId === undefined ? 'all merchants' : merchant.name} from ${startDate} to ${endDate}: amount - fees = net amount.`,
    lines,
    count: sums.reduce((sum, each) => sum + each.count, 0),
    nothing: 'There are no settlements in this period.',
    complete: 'The CSV file of the funding report contains all settlements.',
    totals: sums.map(
      ({ currency, totalAmount, totalFees, totalNet }) =>
        `Total: ${formatDecimal(totalAmount)} - ${formatDecimal(totalFees)} = ${formatDecimal(totalNet)} ${currency}`,
    ),
    facts: { startDate, endDate },
  });
}

/** Returns a function for the name of a merchant; a deleted merchant is shown by its ID. */
async function namesOf(deps: Dependencies, actor: Actor): Promise<(merchantId: string) => string> {
  const names = new Map((await deps.merchantsOf(actor)).map(({ merchantId, name }) => [merchantId, name]));
  return (merchantId) => names.get(merchantId) ?? merchantId;
}
