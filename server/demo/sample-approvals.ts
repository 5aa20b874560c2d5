import type { Core } from '#core';
import { ROLES, type User } from '#core/identity';
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

/** Makes credits without an original payment need a second person, and adds two requests of a cashier: a rejected one, and one that waits. */
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
  const requestCredit = async (transactionId: string, amount: string): Promise<string | undefined> => {
    try {
      await core.payments.createUnlinkedCredit(requester, { transactionId, amount });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApprovalRequired)) throw error;
      const request = {
        operation: 'admin.creditTransaction',
        permission: 'transactions:write',
        params: { id: transactionId },
        query: {},
        body: { amount },
      };
      return (await core.approvals.request(requester, request, error)).approvalId;
    }
  };
  const [first, second] = items;
  clock.at = now - 3 * HOUR_MS;
  const rejected = first && (await requestCredit(first.transactionId, '35.00'));
  if (rejected !== undefined) {
    const context = { ip: null, requestId: 'sample', userAgent: null, kind: 'screen', byPin: false } as const;
    await core.approvals.reject(personOf(manager, 'manager'), rejected, 'Refund the sale instead.', context);
  }
  clock.at = now - HOUR_MS / 2;
  if (second) await requestCredit(second.transactionId, '12.00');
  clock.at = now;
}
