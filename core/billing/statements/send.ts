import { queriesOn, TENANT } from '#core/database';
import { type Actor, type Period, ServiceError } from '#core/kernel';
import { brandOf, formatDay, formatMoney } from '#core/platform/documents';
import { runIdempotent } from '#core/platform/idempotency';
import { checkOpen } from '#core/processing/merchants';
import { READABLE_CUSTOMERS } from '#core/sales/customers';
import type { Dependencies, StatementResult } from './dependencies.ts';
import { DOCUMENT_ENTRIES_MAX, type Statement, statementOf } from './statement.ts';
import { STATEMENT_TEXTS } from './texts.ts';

/** Name of the attached document: the customer with the days of the statement. */
export const attachmentOf = ({ customerId, startDate, endDate }: Statement): string => `statement:${customerId}_${startDate}_${endDate}`;

const ATTACHMENT = /^(?<customerId>\w+)_(?<startDate>\d{4}-\d\d-\d\d)_(?<endDate>\d{4}-\d\d-\d\d)$/;

/** Returns the customer and the period of an attached document; null for another name. */
export function attachedStatement(
  name: string,
): { readonly customerId: string; readonly startDate: string; readonly endDate: string } | null {
  const { customerId = '', startDate = '', endDate = '' } = ATTACHMENT.exec(name)?.groups ?? {};
  return customerId === '' ? null : { customerId, startDate, endDate };
}

/**
 * Sends a statement by email to the address on file of its customer, and to no other one. The message, the audit entry and the stored response are one unit
 * of work. @throws ServiceError CUSTOMER_NOT_FOUND, MERCHANT_NOT_AUTHORIZED, RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED; RESOURCE_CONFLICT without an address.
 */
export async function sendStatement(deps: Dependencies, actor: Actor, customerId: string, period: Period): Promise<StatementResult> {
  const { tenantId } = actor;
  const statement = await statementOf(deps, actor, customerId, period, DOCUMENT_ENTRIES_MAX);
  const { merchant, startDate, endDate } = statement;
  checkOpen(merchant);
  return runIdempotent(deps, actor, async (work) => {
    // The address may have changed since the statement was read.
    await deps.customers.lock(work, customerId);
    const to = (await work.row(addressOf(customerId)))?.email ?? null;
    if (to === null)
      throw new ServiceError('RESOURCE_CONFLICT', 'This customer has no email address. Add one to the customer first.', {
        details: { reason: 'no_address', customerId },
      });
    const messageId = await deps.notify(work, {
      tenantId,
      merchantId: merchant.merchantId,
      channel: 'email',
      kind: 'statement',
      resourceId: customerId,
      customerId,
      to,
      ...textsOf(statement),
      attachment: attachmentOf(statement),
      atMs: deps.clockOf(tenantId).now(),
      cause: 'request',
    });
    deps.audit(work, {
      actor,
      action: 'customer.statement_sent',
      resource: `customers/${customerId}`,
      merchantId: merchant.merchantId,
      after: { to, startDate, endDate, messageId },
    });
    return { statementMessage: { messageId, to } };
  });
}

const addressOf = (customerId: string) =>
  queriesOn(READABLE_CUSTOMERS).selectFrom('customers').select('email').where('tenant_id', '=', TENANT).where('id', '=', customerId);

/** Returns why a statement must not be sent any more: its address is not that of the customer now; null if it may be sent. */
export async function needless(
  { database }: Dependencies,
  tenantId: string,
  customerId: string,
  { recipient }: { readonly recipient: string },
): Promise<string | null> {
  const customer = await database.read(tenantId).row(addressOf(customerId));
  return customer?.email === recipient ? null : 'The customer has another email address now. Send the statement again.';
}

function textsOf({ merchant, accounts, startDate, endDate }: Statement): { readonly subject: string; readonly body: string } {
  const { language } = merchant;
  const texts = STATEMENT_TEXTS[language];
  const { companyName: from } = brandOf(merchant);
  const [start, end] = [formatDay(startDate, language), formatDay(endDate, language)];
  const balances = accounts.map(({ closingBalance }) =>
    closingBalance.minor < 0
      ? texts.creditIs(formatMoney({ ...closingBalance, minor: -closingBalance.minor }, language))
      : texts.balanceIs(formatMoney(closingBalance, language)),
  );
  return { subject: texts.subject(from, start, end), body: [texts.opens(from, start, end), ...balances, texts.attached].join('\n\n') };
}
