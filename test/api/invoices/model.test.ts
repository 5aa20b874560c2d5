import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { cardPaymentBody, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, FULL } from '../../support/server.ts';

/** Number of runs; more in a long run. */
const RUNS = Number(process.env.PAYDESK_TEST_RUNS ?? 15);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_120);
const CENTS = 100;

type Step =
  | { readonly kind: 'pay'; readonly cents: number; readonly how: 'cash' | 'card' | 'declined' }
  | { readonly kind: 'void' | 'refund'; readonly index: number }
  | { readonly kind: 'send' | 'cancel' };

/** The expected state of an invoice. */
interface Model {
  readonly cents: number;
  sent: boolean;
  cancelled: boolean;
  readonly payments: {
    cents: number;
    status: 'succeeded' | 'failed' | 'voided';
    byCard: boolean;
    refunded: boolean;
    id: string | null;
    isCompared?: boolean;
  }[];
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      cents: fc.integer({ min: 1, max: 6_000 }),
      how: fc.constantFrom('cash' as const, 'card' as const, 'declined' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'refund' as const), index: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('send' as const, 'send' as const, 'cancel' as const) }) },
);

const paidOf = ({ payments }: Model) => payments.filter(({ status }) => status === 'succeeded').reduce((sum, { cents }) => sum + cents, 0);

function statusOf(model: Model): string {
  if (model.cancelled) return 'cancelled';
  const paid = paidOf(model);
  if (paid === model.cents) return 'paid';
  if (paid > 0) return 'partially_paid';
  return model.sent ? 'sent' : 'draft';
}

/** Returns the refusal of a step that is not possible in the current state. */
function refusalOf(model: Model): string | null {
  return { cancelled: 'INVOICE_CANCELLED', paid: 'INVOICE_ALREADY_PAID' }[statusOf(model)] ?? null;
}

async function pay(service: ApiFixture, id: string, model: Model, { cents, how }: Extract<Step, { kind: 'pay' }>): Promise<void> {
  const amount = (cents / CENTS).toFixed(2);
  const body = how === 'cash' ? { amount } : cardPaymentBody(how === 'card' ? CARDS.visa : CARDS.declined, { amount });
  const answer = await payInvoice(service, id, body);
  const refused = refusalOf(model) ?? (cents > model.cents - paidOf(model) ? 'PAYMENT_EXCEEDS_DUE' : null);
  if (refused !== null) {
    expect(answer.body.error?.code).toBe(refused);
    return;
  }
  expect(answer.status, answer.text).toBe(200);
  const { payments } = await getInvoice(service, id);
  const status = how === 'declined' ? 'failed' : 'succeeded';
  model.payments.push({ cents, status, byCard: how !== 'cash', refunded: false, id: payments.at(-1)?.transactionId ?? null });
}

async function undo(service: ApiFixture, model: Model, { kind, index }: Extract<Step, { kind: 'void' | 'refund' }>): Promise<void> {
  const payment = model.payments[index];
  if (payment?.id == null) return;
  const { status } = await service.api.admin.post(`/transactions/${payment.id}/${kind}`);
  const isPossible = payment.status === 'succeeded' && !payment.refunded;
  expect(status === 200).toBe(isPossible);
  if (!isPossible) return;
  if (kind === 'void') payment.status = 'voided';
  else payment.refunded = true;
}

async function perform(service: ApiFixture, id: string, model: Model, operation: Step): Promise<void> {
  if (operation.kind === 'pay') return pay(service, id, model, operation);
  if (operation.kind === 'void' || operation.kind === 'refund') return undo(service, model, operation);
  const { body } = await service.api.admin.post(`/invoices/${id}/${operation.kind}`, {});
  expect(body.success ? null : body.error.code).toBe(refusalOf(model));
  if (!body.success) return;
  if (operation.kind === 'send') model.sent = true;
  else model.cancelled = true;
}

describeOnBothDatabases('the lifecycle of an invoice', (fixture) => {
  test('an invoice follows a simple model for any sequence of operations', { ...FULL, timeout: 180_000 }, async () => {
    const service = fixture();
    const { merchantId } = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Modelled' }), 201);
    const { customerId } = await createCustomer(service, { merchantId });
    let made = 0;
    const life = fc.asyncProperty(
      fc.integer({ min: 1, max: 9_000 }).chain((cents) => fc.tuple(fc.constant(cents), fc.integer({ min: 0, max: cents }))),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async ([cents, taxCents], steps) => {
        const [amount, taxAmount] = [cents, taxCents].map((minor) => (minor / CENTS).toFixed(2));
        const body = { customerId, amount, taxAmount, purchaseOrderNumber: 'PO-77' };
        const { invoiceId, number } = await expectData(service.api.admin.post<InvoiceRecord>('/invoices', body), 201);
        made += 1;
        expect(number).toBe(`INV-${String(made).padStart(6, '0')}`);
        const model: Model = { cents, sent: false, cancelled: false, payments: [] };
        for (const each of steps) {
          await perform(service, invoiceId, model, each);
          const found = await getInvoice(service, invoiceId);
          expect(found.status).toBe(statusOf(model));
          expect([found.amountPaid, found.amountDue, found.amountPending].map((major) => Math.round(major * CENTS))).toEqual([
            paidOf(model),
            cents - paidOf(model),
            0,
          ]);
          expect(found.payments.map(({ status }) => status)).toEqual(model.payments.map(({ status }) => status));
          const taxes = found.payments.filter(({ status }) => status === 'succeeded').map(({ taxAmount: tax }) => Math.round(tax * CENTS));
          const taxed = taxes.reduce((sum, tax) => sum + tax, 0);
          if (found.status === 'paid') expect(taxed).toBe(taxCents);
          else expect(taxed).toBeLessThanOrEqual(taxCents);
          for (const [index, share] of found.payments.entries()) {
            if (share.transactionId === null || model.payments[index]?.isCompared) continue;
            const { data } = (await service.api.admin.get<TransactionRecord>(`/transactions/${share.transactionId}`)).body as {
              data: TransactionRecord;
            };
            expect(data).toMatchObject({ amount: share.amount, taxAmount: share.taxAmount, purchaseOrderNumber: 'PO-77' });
            const compared = model.payments[index];
            if (compared) compared.isCompared = true;
          }
        }
      },
    );
    await fc.assert(life, { numRuns: RUNS, seed: SEED });
  });
});
