import { afterAll, describe, expect, test, vi } from 'vitest';
import type { PlanStatus } from '../../../core/billing/installments/schema.ts';
import type { SubscriptionStatus } from '../../../core/billing/recurring/schema.ts';
import type { PayoutStatus } from '../../../core/books/settlement/schema.ts';
import { COLUMNS } from '../../../core/processing/merchants/settings.ts';
import type { GiftCardEvent } from '../../../core/sales/gift-cards/card.ts';
import type { OrderEvent } from '../../../core/sales/orders/order.ts';
import type { AttemptOperation } from '../../../core/sales/payments/schema.ts';
import { actionsOf, auditActions } from '../../support/audit-actions.ts';

// Modules of the screens read the address of the page when they are loaded.
vi.stubGlobal('location', { origin: 'http://localhost', href: 'http://localhost/' });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
const { ACTION_LABELS, actionLabel } = await import('../../../renderer/session/audit-labels/actions.ts');
const { detailsText } = await import('../../../renderer/screens/system/security-kinds.ts');
afterAll(() => void vi.unstubAllGlobals());

/** Returns the values of a union type. The compiler requires all of them. */
const valuesOf = <Value extends string>(values: Record<Value, true>) => Object.keys(values) as Value[];

/** The actions of each expression that the sources compose of a value that they don't state. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  // A decision leaves no other status.
  'core/access/approvals: approval.<changed.status>': ['approval.approved', 'approval.rejected'],
  'core/billing/installments: installment_plan.<row.status>': valuesOf<PlanStatus>({
    active: true,
    past_due: true,
    paused: true,
    completed: true,
    canceled: true,
  }).map((status) => `installment_plan.${status}`),
  // The type of the parameter `result` of `writeEnd`.
  'core/billing/queued-payments: queued_payment.<result>': ['queued_payment.paid', 'queued_payment.declined', 'queued_payment.expired'],
  "core/processing/merchants: <name.replaceAll('-', '_')>.updated": Object.keys(COLUMNS).map(
    (name) => `${name.replaceAll('-', '_')}.updated`,
  ),
  // The type of the parameter `operation` of `change`.
  'core/sales/payments: refund_decline_queue.<operation>': ['retry', 'resolve', 'cancel'].map(
    (operation) => `refund_decline_queue.${operation}`,
  ),
  'core/sales/gift-cards: <type>': valuesOf<GiftCardEvent>({
    'gift_card.issued': true,
    'gift_card.loaded': true,
    'gift_card.reduced': true,
    'gift_card.redeemed': true,
    'gift_card.refunded': true,
    'gift_card.blocked': true,
    'gift_card.unblocked': true,
    'gift_card.replaced': true,
    'gift_card.assigned': true,
    'gift_card.expired': true,
    'gift_card.extended': true,
    'gift_card.reinstated': true,
    'gift_card.canceled': true,
  }),
  'core/sales/orders: <type>': valuesOf<OrderEvent>({
    'order.created': true,
    'order.parked': true,
    'order.resumed': true,
    'order.paid': true,
    'order.reopened': true,
    'order.canceled': true,
  }),
  'core/sales/payments: transaction.<operation>': valuesOf<AttemptOperation>({
    sale: true,
    auth: true,
    capture: true,
    cancel_capture: true,
    adjust: true,
    void: true,
    refund: true,
    credit: true,
  }).map((operation) => `transaction.${operation}`),
  'core/billing/recurring: subscription.<next.status>': valuesOf<SubscriptionStatus>({
    active: true,
    past_due: true,
    paused: true,
    cancelled: true,
    expired: true,
  }).map((status) => `subscription.${status}`),
  'core/books/settlement: batch_payout.<status>': valuesOf<PayoutStatus>({ pending: true, processing: true, paid: true, failed: true }).map(
    (status) => `batch_payout.${status}`,
  ),
};

describe('labels of the audit log', () => {
  const { stated, composed } = auditActions();
  const all = new Set([...stated, ...Object.values(COMPOSED).flat()]);

  test('exist for every action that the service writes', () => {
    expect(stated).toEqual(expect.arrayContaining(['session.started', 'invoice.sent', 'user.two_factor_changed', 'dispute.won']));
    expect([...all].filter((action) => !Object.hasOwn(ACTION_LABELS, action))).toEqual([]);
  });

  test('know the values of every composed action', () => {
    expect(composed).toEqual(Object.keys(COMPOSED).toSorted());
  });

  test('exist for no action that the service no longer writes', () => {
    expect(Object.keys(ACTION_LABELS).filter((action) => !all.has(action))).toEqual([]);
  });

  test('differ from each other, so that a reader can tell actions apart', () => {
    const labels = Object.values(ACTION_LABELS);
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });

  test('spell out an action without a label', () => {
    expect(actionLabel('role.re_named')).toBe('Role re named');
  });
});

describe('actions in sources', () => {
  const actionsIn = (...texts: string[]) =>
    actionsOf(
      'core/things',
      texts.map((text, index) => ({ path: `core/things/${index}.ts`, text })),
    );

  test('are found in audit entries, also behind conditions and constants', () => {
    const text = `const KEPT = 'thing.kept';
      audit(work, { actor, action: 'thing.made' });
      audit(work, { actor, action: isNew ? 'thing.added' : 'thing.changed' });
      audit(work, { actor, action: KEPT });`;
    expect(actionsIn(text)).toEqual({ stated: ['thing.made', 'thing.added', 'thing.changed', 'thing.kept'], composed: [] });
  });

  test('are found in the arguments of functions that write entries, in any file of the capability', () => {
    const writer = `function auditThing(work: Work, action: string) { audit(work, { action: \`thing.\${action}\` }); }`;
    const callers = `auditThing(work, kind === 'in' ? 'put_in' : 'taken_out'); auditThing(work, row.status);`;
    expect(actionsIn(writer, callers)).toEqual({
      stated: ['thing.put_in', 'thing.taken_out'],
      composed: ['core/things: thing.<row.status>'],
    });
  });

  test('are found in a table of actions', () => {
    const text = `const PAST = { win: 'won', lose: 'lost' };
      audit(work, { action: \`thing.\${PAST[operation]}\` });
      audit(work, { action: \`thing.\${{ run: 'started' }[operation]}\` });`;
    expect(actionsIn(text)).toEqual({ stated: ['thing.won', 'thing.lost', 'thing.started'], composed: [] });
  });
});

describe('details of security activity', () => {
  test('name the fields of an entry, and keep the API name of an unknown one', () => {
    expect(detailsText({ before: { role: 'viewer' }, after: { role: 'manager', twoFactor: 'totp', shoeSize: 9 } })).toBe(
      'Role: viewer → manager; Two-factor: totp; shoeSize: 9',
    );
  });
});
