import { later, newId, newProcessorRef, realNow } from '../../core/kernel/index.ts';
import type { IdempotencyKeyRow } from '../../core/platform/idempotency/schema.ts';
import type { LedgerRow } from '../../core/processing/gateways/sandbox/ledger.ts';
import type { AuditRow } from '../../core/records/audit/schema.ts';
import type { VaultRow } from '../../core/records/vault/schema.ts';
import type { EventRow } from '../../core/records/webhooks/schema.ts';
import { nameKeys } from '../../core/sales/payments/aggregates/name-keys.ts';
import type { AttemptRow, TransactionRow } from '../../core/sales/payments/schema.ts';

/** Rows of the first commit. A new column must be here as well: the same rows are compared. */
interface Intent {
  readonly idempotency_keys: IdempotencyKeyRow;
  readonly vault_entries: VaultRow;
  readonly transactions: TransactionRow;
  readonly attempts: AttemptRow;
}

/** Returns the plain rows that one sale writes: the same tables and columns that the service fills, without its logic. */
export function saleRows(idempotencyKey: string) {
  const now = Date.now();
  const number = nextNumber();
  const at = new Date(now).toISOString();
  const tenant_id = 'ten_bench';
  const id = newId('txn', now);
  const token = newId('tok', now);
  const attempt = newId('att', now);
  const processor_ref = newProcessorRef();
  const nothing = null;
  const answer = JSON.stringify({
    success: true,
    data: { transactionId: id, type: 'sale', amount: 49.99, currency: 'USD', status: 'approved', filler: FILLER },
  });
  return {
    answer,
    intent: {
      idempotency_keys: {
        tenant_id,
        credential_id: 'key_bench',
        key: idempotencyKey,
        route: 'public.createTransaction',
        fingerprint: FINGERPRINT,
        state: 'running',
        status: nothing,
        body: nothing,
        created_at: at,
        expires_ms: now + 86_400_000,
      },
      vault_entries: {
        tenant_id,
        id: token,
        kind: 'card',
        owner: nothing,
        merchant_id: 'mer_bench',
        gateway_id: nothing,
        key_version: 1,
        sealed: SEALED,
        fingerprint: FINGERPRINT,
        brand: 'visa',
        bin: '411111',
        last4: '1111',
        expiry_month: '12',
        expiry_year: '2030',
        account_type: nothing,
        created_at: at,
      },
      transactions: {
        tenant_id,
        id,
        merchant_id: 'mer_bench',
        type: 'sale',
        method: 'card',
        status: 'pending',
        amount_minor: 4_999,
        currency: 'USD',
        tip_minor: 0,
        surcharge_minor: 0,
        tax_minor: 0,
        discount_minor: 0,
        discount_id: null,
        discount_approved_by: null,
        captured_minor: 0,
        captured_at: nothing,
        refunded_minor: 0,
        reserved_minor: 0,
        disputed_minor: 0,
        voided_at: nothing,
        void_reason: nothing,
        settled_at: nothing,
        settlement_date: nothing,
        settlement_id: nothing,
        fee_minor: nothing,
        gateway: 'Sandbox',
        gateway_id: GATEWAY,
        processor_ref,
        gateway_reference: nothing,
        auth_code: nothing,
        avs_response: nothing,
        cvv_response: nothing,
        decline_code: nothing,
        decline_reason: nothing,
        token,
        card_brand: 'visa',
        last4: '1111',
        card_expiry: '12/2030',
        account_type: nothing,
        bank_name: nothing,
        customer_name: 'Ada Lovelace',
        ...nameKeys('Ada Lovelace'),
        customer_email: 'ada@example.com',
        customer_id: nothing,
        subscription_id: nothing,
        invoice_id: nothing,
        save_consent: nothing,
        billing: BILLING,
        rerun_of: nothing,
        rerun_transaction_id: nothing,
        order_id: nothing,
        description: nothing,
        metadata: nothing,
        source: 'api',
        channel: 'internet',
        created_by: 'key_bench',
        pending_reason: nothing,
        pending_attempt: nothing,
        day: at.slice(0, 10),
        requested_minor: nothing,
        queued_payment_id: nothing,
        credit_of: nothing,
        order_key: nothing,
        purchase_order_number: nothing,
        line_items: nothing,
        sec_code: nothing,
        bank_authorization: nothing,
        capture_held_until: nothing,
        returned_at: nothing,
        return_code: nothing,
        retry_advice: nothing,
        approved_by: nothing,
        shift_id: nothing,
        terminal_id: nothing,
        terminal: nothing,
        terminal_until_ms: nothing,
        created_at: at,
        updated_at: at,
      },
      attempts: {
        tenant_id,
        id: attempt,
        transaction_id: id,
        refund_id: nothing,
        tip_minor: 0,
        surcharge_minor: 0,
        tax_minor: 0,
        operation: 'sale',
        gateway: 'Sandbox',
        gateway_id: GATEWAY,
        processor_ref,
        amount_minor: 4_999,
        currency: 'USD',
        state: 'sending',
        result: nothing,
        reason: nothing,
        actor: 'bench',
        actor_id: 'key_bench',
        request_id: REQUEST,
        ip: '127.0.0.1',
        idempotency_credential: 'key_bench',
        idempotency_key: idempotencyKey,
        idempotency_route: 'public.createTransaction',
        inquiries: 0,
        due_ms: later(realNow(), 60_000),
        lease_ms: 0,
        fence: 0,
        approved_by: nothing,
        shift_id: nothing,
        shift_report_id: nothing,
        last_inquiry_at: nothing,
        missed: 0,
        alert: nothing,
        created_at: at,
        concluded_at: nothing,
      },
    } satisfies Intent,
    ledger: {
      tenant_id,
      processor_ref,
      reference: newId('pay', now),
      operation: 'sale',
      original_ref: nothing,
      amount_minor: 4_999,
      currency: 'USD',
      approved: 1,
      auth_code: '123456',
      avs_response: 'Y',
      cvv_response: 'M',
      decline_code: nothing,
      refund_rule: 'approve',
      last4: '1111',
      at,
    } satisfies LedgerRow,
    event: {
      tenant_id,
      n: number,
      id: newId('evt', now),
      type: 'transaction.approved',
      merchant_id: 'mer_bench',
      resource_id: id,
      data: EVENT_DATA,
      test: 0,
      created_at: at,
    } satisfies EventRow,
    transfer: {
      tenant_id,
      id: attempt,
      merchant_id: 'mer_bench',
      currency: 'USD',
      kind: 'capture',
      debit: 'processor',
      credit: 'unsettled',
      amount_minor: 4_999,
      subject_id: id,
      day: at.slice(0, 10),
      at,
    },
    audit: {
      tenant_id,
      n: number,
      id: newId('aud', now),
      at,
      actor: 'bench',
      actor_id: 'key_bench',
      action: 'transaction.sale',
      resource: `transactions/${id}`,
      merchant_id: 'mer_bench',
      before: nothing,
      after: AUDIT_AFTER,
      ip: '127.0.0.1',
      user_agent: nothing,
      request_id: REQUEST,
      previous_hash: HASH,
      hash: HASH,
    } satisfies AuditRow,
    result: { tenant_id, id, attempt, key: idempotencyKey, at, day: at.slice(0, 10), answer },
  };
}

export type SaleRows = ReturnType<typeof saleRows>;

type Row = Record<string, string | number | null>;

/** The counter rows that a group of sales adds to, by table and with the columns of their keys: summed over the group, as the service sums them. */
export function counterRows(
  day: string,
  sales: number,
): readonly { readonly table: string; readonly key: readonly string[]; readonly rows: Row[] }[] {
  const whose = { tenant_id: 'ten_bench', merchant_id: 'mer_bench' };
  const kind = { ...whose, status: 'approved', type: 'sale', method: 'card' };
  const fact = (name: string, measure: string, n: number, dimensions: Row = { brand: 'visa', detail: '' }): Row => ({
    ...whose,
    fact: name,
    day,
    currency: 'USD',
    type: 'sale',
    method: 'card',
    ...dimensions,
    measure,
    n,
  });
  const amount = sales * 4_999;
  const counted = [
    {
      table: 'transaction_counts',
      rows: [day, ''].map((countedDay) => ({ ...kind, day: countedDay, n: sales })),
    },
    {
      table: 'transaction_facts',
      rows: [
        fact('approved', 'count', sales),
        fact('approved', 'amount', amount),
        fact('capture', 'count', sales),
        fact('capture', 'amount', amount),
        fact('outcome', 'captured', amount, { brand: '', detail: 'approved' }),
      ],
    },
    {
      table: 'ledger_balances',
      rows: [
        { ...whose, currency: 'USD', account: 'processor', n: amount },
        { ...whose, currency: 'USD', account: 'unsettled', n: -amount },
      ],
    },
    { table: 'ledger_unsettled_lines', rows: [{ ...whose, currency: 'USD', n: sales }] },
    { table: 'event_heads', rows: [{ tenant_id: 'ten_bench', n: sales }] },
  ];
  return counted.map(({ table, rows }) => ({ table, rows, key: Object.keys(rows[0] ?? {}).filter((name) => name !== 'n') }));
}

let numbers = 0;
/** Returns the next number of the event and the audit entry of a sale. */
function nextNumber(): number {
  numbers += 1;
  return numbers;
}

const GATEWAY = `gw_${'0'.repeat(26)}`;
const HASH = 'a'.repeat(64);
const REQUEST = `req_${'0'.repeat(32)}`;
const AUDIT_AFTER = JSON.stringify({
  result: 'approved',
  amount: '49.99',
  currency: 'USD',
  gateway: 'sandbox',
  processorRef: 'ABCDEFGHIJKLMNOPQRST',
  status: 'approved',
});
const EVENT_DATA = JSON.stringify({
  transactionId: 'txn_00000000000000000000000000',
  type: 'sale',
  amount: 49.99,
  tipAmount: 0,
  surchargeAmount: 0,
  taxAmount: 0,
  discountAmount: 0,
  discountApprovedBy: null,
  currency: 'USD',
  authCode: '123456',
  card: { brand: 'visa', last4: '1111' },
  customer: { email: 'ada@example.com' },
});
const FINGERPRINT = 'f'.repeat(44);
const SEALED = Buffer.alloc(44, 7).toString('base64');
const BILLING = JSON.stringify({ address: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' });
/** Brings the stored response to the size of a real one. */
const FILLER = 'x'.repeat(1_312);
