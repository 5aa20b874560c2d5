import { type Actor, formatDecimal } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { type FundingQuery, fundingLines } from './funding.ts';

/** Largest number of lines in a message; the CSV file contains all. */
const LINES_MAX = 200;

export interface FundingMail extends FundingQuery {
  readonly email: string;
}

/** Sends the funding report of a period as a message, with a total per currency. Returns the message's ID. */
export async function mailReport(deps: Dependencies, actor: Actor, { email, ...query }: FundingMail): Promise<{ messageId: string }> {
  const { merchantId, merchant, startDate, endDate, sums, settlements } = await fundingLines(deps, actor, query);
  const nameOf = merchantId === undefined ? await namesOf(deps, actor) : null;
  const lines: string[] = [];
  for await (const { settlementDate, settlementId, merchantId: paid, currency, amount, fees, netAmount, status } of settlements) {
    if (lines.length === LINES_MAX) break;
    lines.push(
      `${settlementDate}  ${formatDecimal(amount)} - ${formatDecimal(fees)} = ${formatDecimal(netAmount)} ${currency}  ${status}  ${settlementId}${nameOf ? `  ${nameOf(paid)}` : ''}`,
    );
  }
  const count = sums.reduce((sum, each) => sum + each.count, 0);
  const omitted = count - lines.length;
  const totals = sums.map(
    ({ currency, totalAmount, totalFees, totalNet }) =>
      `Total: ${formatDecimal(totalAmount)} - ${formatDecimal(totalFees)} = ${formatDecimal(totalNet)} ${currency}`,
  );
  const body = [
    `Settlements of ${merchantId === undefined ? 'all merchants' : merchant.name} from ${startDate} to ${endDate}: amount - fees = net amount.`,
    '',
    ...(lines.length === 0 ? ['There are no settlements in this period.'] : lines),
    ...(omitted > 0 ? [`and ${omitted} more. The CSV file of the funding report contains all settlements.`] : []),
    ...(totals.length === 0 ? [] : ['', ...totals]),
  ].join('\n');
  const messageId = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    deps.audit(work, {
      actor,
      action: 'funding_report.sent',
      resource: 'settlement/funding-report',
      merchantId: merchantId ?? null,
      after: { to: email, startDate, endDate, rows: count },
    });
    return deps.notify(work, {
      tenantId: actor.tenantId,
      merchantId: merchantId ?? null,
      channel: 'email',
      to: email,
      subject: `Funding report ${startDate} to ${endDate}`,
      body,
      atMs: deps.clockOf(actor.tenantId).now(),
      cause: 'request',
    });
  });
  return { messageId };
}

/** Returns a function for the name of a merchant; a deleted merchant is shown by its ID. */
async function namesOf(deps: Dependencies, actor: Actor): Promise<(merchantId: string) => string> {
  const names = new Map((await deps.merchantsOf(actor)).map(({ merchantId, name }) => [merchantId, name]));
  return (merchantId) => names.get(merchantId) ?? merchantId;
}
