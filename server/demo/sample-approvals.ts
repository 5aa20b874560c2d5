import type { Core } from '#core';
import { ROLES, type User } from '#core/access/identity';
import { type Actor, ApprovalRequired } from '#core/kernel';

const HOUR_MS = 3_600_000;
/** The longest time that a person's request can wait, so that one is still open on the day after. */
const DAY_SECONDS = 86_400;

interface SampleApprovals {
  readonly core: Core;
  readonly actor: Actor;
  readonly merchantId: string;
  readonly clock: { at: number };
  readonly cashier: User;
  readonly manager: User;
}

/** A second merchant with rules, so that none of them changes what an operation answers for the merchant of the printed credentials. */
const MERCHANT_WITH_RULES = {
  name: 'Harbor Street Kiosk',
  currency: 'USD',
  timezone: 'America/New_York',
  country: 'US',
  city: 'Portland',
  state: 'ME',
};

/**
 * Adds two requests of a cashier for a credit: a rejected one, and one that waits. The rule that caused them is removed again; a second merchant has rules
 * for credits, refunds and pay-outs.
 */
export async function addSampleApprovals({ core, actor, merchantId, clock, cashier, manager }: SampleApprovals): Promise<void> {
  const now = clock.at;
  const personOf = ({ userId, email }: User, role: 'cashier' | 'manager'): Actor => ({
    ...actor,
    credentialId: userId,
    name: email,
    permissions: new Set(ROLES[role]),
  });
  const requester = personOf(cashier, 'cashier');
  await core.approvals.changeRules(actor, merchantId, { unlinkedCredit: true, personSeconds: DAY_SECONDS });
  const { items } = await core.payments.page(
    actor,
    { merchantId, status: 'settled', type: 'sale', brand: 'mastercard', refundStatus: 'none' },
    { page: 1, limit: 2 },
  );
  const requestCredit = async (transactionId: string, amount: string, requestReason: string): Promise<string | undefined> => {
    try {
      await core.payments.createUnlinkedCredit(requester, { transactionId, amount });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApprovalRequired)) throw error;
      const request = {
        operation: 'admin.creditTransaction',
        permission: 'transactions:write',
        requestReason,
        params: { id: transactionId },
        query: {},
        body: { amount },
      };
      return (await core.approvals.request(requester, request, error)).approvalId;
    }
  };
  const [first, second] = items;
  clock.at = now - 3 * HOUR_MS;
  const rejected = first && (await requestCredit(first.transactionId, '35.00', 'Paid twice, says the customer'));
  if (rejected !== undefined) {
    const context = { ip: null, requestId: 'sample', userAgent: null, kind: 'screen', byPin: false } as const;
    await core.approvals.reject(personOf(manager, 'manager'), rejected, 'Refund the sale instead.', context);
  }
  clock.at = now - HOUR_MS / 2;
  if (second) await requestCredit(second.transactionId, '12.00', 'Cold lunch of last week');
  clock.at = now;
  await core.approvals.changeRules(actor, merchantId, { inherited: true });
  const { merchantId: otherId } = await core.merchants.create(actor, MERCHANT_WITH_RULES);
  await core.approvals.changeRules(actor, otherId, { unlinkedCredit: true, refundAbove: 50, payOutAbove: 100 });
}
