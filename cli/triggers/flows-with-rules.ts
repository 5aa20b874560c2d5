import type { TriggerRun } from './trigger-run.ts';

/** Largest amount of a payment that is charged later, while a flow runs. */
const LATER_MAX = 500;

interface Rules {
  readonly [name: string]: unknown;
}

/** Changes rules of the account, runs a flow and restores the rules. */
async function withRules(run: TriggerRun, path: string, changed: Rules, flow: () => Promise<void>): Promise<void> {
  const { office } = run;
  const { merchants } = await office.get<{ merchants: readonly { merchantId: string }[] }>('/auth/me');
  const at = { params: { id: merchants[0]?.merchantId ?? '' } };
  const before = await office.get<Rules>(path, at);
  const set = (rules: Rules) => office.put(path, { ...rules, ...(path === APPROVAL_RULES && run.confirmation()) }, at);
  await set(changed);
  try {
    await flow();
  } finally {
    await set(Object.fromEntries(Object.keys(changed).map((name) => [name, before[name] ?? null])));
  }
}

const TERMINAL_SETTINGS = '/merchants/{id}/vt-settings';
const APPROVAL_RULES = '/approvals/rules';

/** Queues a payment to be charged later. While the gateway can be reached, it is charged immediately. */
export const later =
  (card: string) =>
  (run: TriggerRun): Promise<void> =>
    withRules(run, TERMINAL_SETTINGS, { chargeLaterMaxAmount: LATER_MAX }, async () => {
      const customerId = await run.createCustomer(card);
      await run.office.post('/later', run.main({ customerId, amount: 20 }));
    });

/** Requests a refund that needs the approval of a second person, and withdraws the request if it is to be rejected. */
export const approval =
  (outcome?: 'rejected') =>
  (run: TriggerRun): Promise<void> =>
    withRules(run, APPROVAL_RULES, { refundAbove: 1, approversExempt: false }, async () => {
      const { transactionId } = await run.sell();
      const params = { id: transactionId };
      const { approvalId } = await run.office.post<{ approvalId: string }>('/transactions/{id}/refund', { amount: 10 }, { params });
      if (outcome === 'rejected') await run.office.post('/approvals/{id}/reject', { reason: 'Withdrawn' }, { params: { id: approvalId } });
    });
