import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenantTime } from '#core/kernel';
import { afterPayment } from '../../../core/billing/recurring/billing-cycle.ts';
import { FREQUENCIES } from '../../../core/billing/recurring/calendar.ts';
import { SETTLE_SUBSCRIPTION, SUBSCRIPTIONS, type SubscriptionRow } from '../../../core/billing/recurring/schema.ts';

const NOW = tenantTime(Date.parse('2027-03-31T09:00:00.000Z'));
const DUNNING = { retryIntervalsDays: [1, 3], finalAction: 'cancel', missedPeriods: 'latest', notifyCustomer: true } as const;

test('stores every column of a subscription that a successful payment changes', () => {
  const subscription = fc.record({
    status: fc.constantFrom('active' as const, 'past_due' as const),
    frequency: fc.constantFrom(...FREQUENCIES),
    end_date: fc.constantFrom(null, '2027-03-31', '2027-04-15', '2029-01-01'),
    total_payments: fc.constantFrom(null, 1, 2, 12),
    failed_attempts: fc.nat({ max: 2 }),
    attempts: fc.nat({ max: 4 }),
    unpaid_minor: fc.constantFrom(null, 900),
    unpaid_tax_minor: fc.constantFrom(null, 0),
    unpaid_since: fc.constantFrom(null, '2027-03-24'),
    unsent_tries: fc.nat({ max: 3 }),
    last_reason: fc.constantFrom(null, 'Declined'),
  });
  fc.assert(
    fc.property(subscription, fc.nat({ max: 2 }), (given, index) => {
      const before: SubscriptionRow = {
        ...SUBSCRIPTIONS.blank,
        tenant_id: 'ten_1',
        id: 'sub_1',
        merchant_id: 'mer_1',
        customer_id: 'cus_1',
        amount_minor: 900,
        tax_minor: 0,
        currency: 'USD',
        start_date: '2027-03-31',
        anchor_date: '2027-03-31',
        next_index: 0,
        next_date: '2027-03-31',
        payments_made: 0,
        pending_transaction: 'txn_1',
        pending_payment: 'sbp_1',
        pending_index: index,
        retry_ms: given.status === 'past_due' ? NOW : null,
        due_ms: NOW,
        lease_ms: 1,
        fence: 1,
        created_at: '2027-03-01T00:00:00.000Z',
        updated_at: '2027-03-01T00:00:00.000Z',
        ...given,
      };
      const after = afterPayment(before, index, { kind: 'succeeded' }, { now: NOW, zone: 'America/New_York', dunning: DUNNING });
      const changed = SUBSCRIPTIONS.columns.filter((column) => after[column] !== before[column]);
      expect(SETTLE_SUBSCRIPTION.set).toEqual(expect.arrayContaining(changed));
    }),
  );
});
