import { ApprovalRequiredError } from '@paydesk/client';
import { APPROVED, DECLINED, type Flow, type TriggerRun } from './trigger-run.ts';

/** Largest amount of a payment that is charged later, while a flow runs. */
const LATER_MAX = 500;
/** Time limit of an approval while a flow runs, and a time after it. */
const APPROVAL_SECONDS = 15;
const AFTER_APPROVAL_SECONDS = 20;
/** Longest time for which a returned gateway must answer before an outage ends. */
const OUTAGE_HOLD_SECONDS = 120;
const DAY_SECONDS = 86_400;

interface Rules {
  readonly [name: string]: unknown;
}

const TERMINAL_SETTINGS = '/merchants/{id}/vt-settings';
const DUNNING_SETTINGS = '/merchants/{id}/dunning-settings';
const REMINDER_SETTINGS = '/merchants/{id}/reminder-settings';
const LATE_FEE_SETTINGS = '/merchants/{id}/late-fee-settings';
const APPROVAL_RULES = '/approvals/rules';

/** Changes rules of the account, runs a flow and restores the rules. */
async function withRules(run: TriggerRun, path: string, changed: Rules, flow: () => Promise<void>): Promise<void> {
  const { office } = run;
  const at = { params: { id: await run.merchantId() } };
  const before = await office.get<Rules>(path, at);
  const set = (rules: Rules) => office.put(path, { ...rules, ...(path === APPROVAL_RULES && run.confirmation()) }, at);
  await set(changed);
  try {
    await flow();
  } finally {
    await set(Object.fromEntries(Object.keys(changed).map((name) => [name, before[name] ?? null])));
  }
}

/** Runs a flow while the sandbox gateway cannot be reached. Afterwards its payments that wait are charged. */
export async function withOutage(run: TriggerRun, flow: () => Promise<void>): Promise<void> {
  const { office } = run;
  const { mode } = await office.get<{ mode: string }>('/sandbox/gateway');
  await office.post('/sandbox/gateway', { mode: 'down' });
  try {
    await flow();
  } finally {
    await office.post('/sandbox/gateway', { mode });
    await run.moveClock(OUTAGE_HOLD_SECONDS);
    // Reading the state ends the outage, so that the next command finds a gateway that can be reached.
    await office.get('/system/connectivity', { query: { merchantId: await run.merchantId() } });
  }
}

async function queuePayment(run: TriggerRun, card: string): Promise<string> {
  const customerId = await run.createCustomer(card);
  const { queuedPaymentId } = await run.office.post<{ queuedPaymentId: string }>('/queued-payments', run.main({ customerId, amount: 20 }));
  return queuedPaymentId;
}

/** Runs a flow while an invoice is reminded on its due date. */
export const withReminder = (run: TriggerRun, flow: () => Promise<void>): Promise<void> =>
  withRules(run, REMINDER_SETTINGS, { enabled: true, steps: [{ days: 0, channel: 'email', texts: {} }] }, flow);

/** Runs a flow while invoices are charged a late fee on the day after their due date. */
export const withLateFee = (run: TriggerRun, flow: () => Promise<void>): Promise<void> =>
  withRules(run, LATE_FEE_SETTINGS, { enabled: true, kind: 'percent', percent: 5, graceDays: 0, ceilingPercent: 10 }, flow);

/** Queues a payment to be charged later. While the gateway can be reached, it is charged immediately. */
export const later =
  (card: string): Flow =>
  (run) =>
    withRules(run, TERMINAL_SETTINGS, { chargeLaterMaxAmount: LATER_MAX }, async () => void (await queuePayment(run, card)));

/** Queues a payment while the gateway cannot be reached, and concludes it by an action of a person or by waiting for too long. */
export const queuedWithoutCharge =
  (end: 'cancel' | 'link' | 'expire'): Flow =>
  (run) =>
    withRules(run, TERMINAL_SETTINGS, { chargeLaterMaxAmount: LATER_MAX }, () =>
      withOutage(run, async () => {
        const id = await queuePayment(run, APPROVED);
        if (end === 'expire') await run.moveClock(DAY_SECONDS);
        else await run.office.post(`/queued-payments/{id}/${end}`, undefined, { params: { id } });
      }),
    );

/** Requests a refund that needs the approval of a second person. */
async function requestRefund(run: TriggerRun): Promise<string> {
  const { transactionId } = await run.sell();
  const params = { id: transactionId };
  const answer: unknown = await run.office.post('/transactions/{id}/refund', { amount: 10 }, { params }).catch((error: unknown) => error);
  if (answer instanceof ApprovalRequiredError) return answer.approvalId;
  throw new Error('The refund did not wait for an approval.', { cause: answer });
}

/** Requests a refund that needs an approval, which is then decided by a second person, withdrawn, or too late. */
export const approval =
  (outcome?: 'approved' | 'rejected' | 'expired'): Flow =>
  async (run) => {
    const limit = outcome === 'expired' ? { personSeconds: APPROVAL_SECONDS } : {};
    const rules = { refundAbove: 1, approversExempt: false, ...limit };
    const request = (decide: (id: string) => Promise<unknown>) =>
      withRules(run, APPROVAL_RULES, rules, async () => void (await decide(await requestRefund(run))));
    switch (outcome) {
      case 'approved':
        return run.withUser('manager', async (user) => {
          const manager = await run.connection.asUser(user);
          await request((id) => manager.post('/approvals/{id}/approve', {}, { params: { id } }));
        });
      case 'rejected':
        return request((id) => run.office.post('/approvals/{id}/reject', { reason: 'Withdrawn' }, { params: { id } }));
      case 'expired':
        return request(() => run.moveClock(AFTER_APPROVAL_SECONDS));
      default:
        return request(async () => {});
    }
  };

/** Runs a flow while new gift cards expire after a month. */
export const withGiftCardExpiry = (run: TriggerRun, flow: () => Promise<void>) =>
  withRules(run, TERMINAL_SETTINGS, { giftCardExpiryMonths: 1 }, flow);

/** Creates an invoice that a card pays in installments, and returns the ID of the plan. */
export async function createPlan(run: TriggerRun, card = APPROVED, more: object = {}): Promise<string> {
  const invoice = { customerId: await run.createCustomer(card), amount: 90 };
  const body = run.main({ invoice, count: 3, interval: 'weekly', ...more });
  return (await run.office.post<{ installmentPlanId: string }>('/installment-plans', body)).installmentPlanId;
}

/** Lets the only retry of a declined installment fail. */
export const planPastDue: Flow = (run) =>
  withRules(run, DUNNING_SETTINGS, { retryIntervalsDays: [1] }, async () => {
    await createPlan(run, DECLINED);
    await run.moveClock(2 * DAY_SECONDS);
  });
