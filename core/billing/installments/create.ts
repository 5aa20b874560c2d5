import type { NewInvoice } from '#core/billing/invoicing';
import type { Read, Work } from '#core/database';
import { type Actor, dateIn, isoTime, money, newId, ServiceError } from '#core/kernel';
import { idempotencyColumns, withClaimedKey } from '#core/platform/idempotency';
import { claimRow, dueAt } from '#core/platform/scheduling';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { Payer, PaymentMethod } from '#core/sales/customers';
import type { Channel } from '#shared/channels';
import { chargeNow } from './charge.ts';
import { type Dependencies, INSTALLMENT_JOB, LEASE_MS } from './dependencies.ts';
import { auditPlan, emitCreated } from './events.ts';
import { type Plan, withDue } from './progress.ts';
import type { InstallmentPlan } from './records.ts';

import { type ScheduleInput, scheduleOf } from './schedule.ts';
import { INSTALLMENT_PLANS, INSTALLMENTS, type PlanRow } from './schema.ts';
import { completeRequest, storeResponse } from './write.ts';

/** Input of a new plan: of an existing invoice, or of one that is created with it. */
export interface NewInstallmentPlan extends ScheduleInput {
  readonly invoiceId?: string;
  readonly invoice?: NewInvoice;
  /** A stored payment method of the customer; by default the customer's default one. */
  readonly paymentMethodId?: string;
  /** Text that the customer agreed to. Optional if the payment method was stored with one. */
  readonly consentText?: string;
  /** Channel by which the customer agreed to that text; by default that of the merchant's Sell screen. */
  readonly agreementChannel?: Channel;
}

/**
 * Creates a plan for the amount due of an invoice. An installment of today is charged before the response; a decline is not an error. @throws
 * ServiceError INVOICE_NOT_FOUND, INVOICE_ALREADY_PAID, INVOICE_CANCELLED, the errors of the schedule; REQUIRED_FIELD_MISSING without a payment
 * method; RESOURCE_CONFLICT with the reasons `no_consent`, `installment_plan` (the invoice has an open plan), `no_customer` and
 * `payment_in_progress`.
 */
export async function create(deps: Dependencies, actor: Actor, input: NewInstallmentPlan): Promise<InstallmentPlan> {
  const { tenantId } = actor;
  const { invoiceId, invoice } = input;
  if ((invoiceId === undefined) === (invoice === undefined))
    throw invoiceId === undefined
      ? new ServiceError('REQUIRED_FIELD_MISSING', 'Either `invoiceId` or `invoice` is required.', { field: 'invoiceId' })
      : new ServiceError('VALIDATION_ERROR', 'Send either `invoiceId` or `invoice`, not both.', { field: 'invoice' });
  if (invoice !== undefined && !actor.permissions.has('invoices:write'))
    throw new ServiceError('PERMISSION_DENIED', 'A new invoice requires the permission invoices:write, which you do not have.', {
      field: 'invoice',
      details: { permission: 'invoices:write' },
    });
  const balance = invoiceId === undefined ? null : (await deps.invoicing.balanceOf(actor, invoiceId)).balance;
  const customerId = balance?.customerId ?? invoice?.customerId ?? '';
  const payer = await deps.customers.payer(actor, customerId, input.paymentMethodId);
  const merchant = checkOpen(await deps.merchantFor(actor, payer.merchantId));
  const currency = balance?.currency ?? invoice?.currency ?? merchant.currency;
  const terms = await termsOf(deps, actor, payer, { merchant, currency }, input);
  let created: { id: string; claimed: PlanRow | null } | undefined;
  const attach = async (work: Work, id: string) => {
    deps.idempotencyKeys.claim(work, actor);
    created = await insertPlan(deps, work, { actor, merchant, payer, terms, invoiceId: id }, input);
  };
  await withClaimedKey(async () => {
    if (invoice === undefined) await deps.database.unitOfWork.transaction(tenantId, (work) => attach(work, invoiceId ?? ''));
    else await deps.invoicing.create({ ...actor, idempotencyKey: null }, invoice, attach);
  });
  const { id, claimed } = created as NonNullable<typeof created>;
  if (claimed !== null) await chargeNow(deps, claimed);
  return storeResponse(deps, tenantId, id);
}

/** Payment method of a plan and the consent to it. */
interface Terms {
  readonly paymentMethodId: string;
  readonly consentText: string;
  readonly consentAt: string;
  readonly agreementChannel: Channel | null;
}

/**
 * Returns the payment method with its consent. @throws ServiceError REQUIRED_FIELD_MISSING, RESOURCE_CONFLICT (`no_consent`); VALIDATION_ERROR if no gateway
 * takes the channel of its charges.
 */
export async function termsOf(
  deps: Dependencies,
  actor: Actor,
  payer: Payer,
  { merchant, currency }: { readonly merchant: Merchant; readonly currency: string },
  input: Pick<NewInstallmentPlan, 'consentText' | 'agreementChannel'>,
): Promise<Terms> {
  const { method, customerId } = payer;
  if (method === null)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'This customer has no payment method on file.', { field: 'paymentMethodId' });
  const terms = consentOf(deps, actor, method, merchant, input);
  const charges = { channel: 'installment', customerId, currency, agreedBy: terms.agreementChannel, method } as const;
  await deps.payments.checkAgreedChannel(actor, merchant, charges);
  return terms;
}

function consentOf(
  deps: Dependencies,
  { tenantId }: Actor,
  method: PaymentMethod,
  { vtSettings }: Merchant,
  { consentText, agreementChannel = vtSettings.channel }: Pick<NewInstallmentPlan, 'consentText' | 'agreementChannel'>,
): Terms {
  const { paymentMethodId } = method;
  const given = consentText?.trim();
  if (given) return { paymentMethodId, consentText: given, consentAt: isoTime(deps.clockOf(tenantId).now()), agreementChannel };
  if (method.consentText !== null)
    return {
      paymentMethodId,
      consentText: method.consentText,
      consentAt: method.consentAt ?? method.updatedAt,
      agreementChannel: method.agreementChannel,
    };
  throw new ServiceError('RESOURCE_CONFLICT', 'The customer has not agreed to later charges of this payment method.', {
    field: 'consentText',
    details: { reason: 'no_consent', paymentMethodId },
  });
}

interface PlanParts {
  readonly actor: Actor;
  readonly merchant: Merchant;
  readonly payer: Payer;
  readonly terms: Terms;
  readonly invoiceId: string;
}

/** Writes a plan for a locked invoice. Returns its claimed row if its first installment is due today. */
async function insertPlan(deps: Dependencies, work: Work, parts: PlanParts, input: NewInstallmentPlan) {
  const { actor, merchant, payer, terms, invoiceId } = parts;
  const { customerId } = payer;
  const balance = await deps.invoicing.lockBalance(work, invoiceId);
  if (balance.customerId !== customerId)
    throw new ServiceError('RESOURCE_CONFLICT', 'The invoice was changed in the meantime. Load it again.', {
      details: { reason: 'changed' },
    });
  await refuseSecondPlan(work, invoiceId);
  const due = money(balance.dueMinor, balance.currency);
  const now = deps.clockOf(actor.tenantId).now();
  const today = dateIn(merchant.timezone, now);
  const schedule = scheduleOf(input, due, today);
  // The deletion of a customer cancels the customer's plans: with the lock, this one exists before the deletion or is not created.
  await deps.customers.lock(work, customerId, terms.paymentMethodId);
  // The limits of the caller's API key were counted with a new invoice already.
  if (input.invoice === undefined) await deps.claimSpending(work, actor, due);
  await deps.invoicing.extendDueDate(work, invoiceId, schedule.at(-1)?.dueDate ?? today);
  const row = newRow(parts, { balance, count: schedule.length, interval: input.interval ?? null, now });
  const installments = schedule.map(({ number, dueDate, amount }) => ({
    tenant_id: actor.tenantId,
    plan_id: row.id,
    number,
    due_date: dueDate,
    amount_minor: amount.minor,
    paid_minor: 0,
    paid_at: null,
    transaction_id: null,
  }));
  const plan: Plan = { row, installments };
  const inserted = withDue(plan, { now, zone: merchant.timezone });
  work.insert(INSTALLMENT_PLANS, inserted);
  for (const each of installments) work.insert(INSTALLMENTS, each);
  auditPlan(deps, work, actor, 'created', null, inserted, {
    schedule: schedule.map(({ dueDate, amount }) => ({ dueDate, amountMinor: amount.minor })),
    consentText: terms.consentText,
  });
  emitCreated(deps, work, plan, now);
  work.afterCommit(() => {
    deps.changed(actor.tenantId, 'recurring', row.merchant_id);
    deps.changed(actor.tenantId, 'invoices', row.merchant_id);
    deps.scheduler.wake(INSTALLMENT_JOB, actor.tenantId);
  });
  const isDueToday = schedule[0]?.dueDate === today;
  if (isDueToday) return { id: row.id, claimed: await claimRow(deps.database, work, INSTALLMENT_PLANS, row.id, LEASE_MS) };
  await completeRequest(deps, work, inserted);
  return { id: row.id, claimed: null };
}

export async function refuseSecondPlan(read: Read, invoiceId: string): Promise<void> {
  const open = (await read.find(INSTALLMENT_PLANS, { invoice_id: invoiceId })).find(
    ({ status, pending_transaction }) =>
      status === 'active' || status === 'past_due' || status === 'paused' || pending_transaction !== null,
  );
  if (open === undefined) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This invoice is already paid in installments.', {
    details: { reason: 'installment_plan', installmentPlanId: open.id },
  });
}

interface PlanFacts {
  readonly balance: { readonly dueMinor: number; readonly paidMinor: number; readonly currency: string; readonly merchantId: string };
  readonly count: number;
  readonly interval: PlanRow['charge_interval'];
  readonly now: Parameters<typeof isoTime>[0];
}

function newRow({ actor, payer, terms, invoiceId }: PlanParts, { balance, count, interval, now }: PlanFacts): PlanRow {
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId('ipl', now),
    merchant_id: balance.merchantId,
    customer_id: payer.customerId,
    invoice_id: invoiceId,
    payment_method_id: terms.paymentMethodId,
    consent_text: terms.consentText,
    consent_at: terms.consentAt,
    agreement_channel: terms.agreementChannel,
    currency: balance.currency,
    invoice_minor: balance.paidMinor + balance.dueMinor,
    amount_minor: balance.dueMinor,
    base_minor: balance.paidMinor,
    paid_minor: 0,
    installment_count: count,
    charge_interval: interval,
    status: 'active',
    next_number: 1,
    failed_attempts: 0,
    retry_ms: null,
    unsent_tries: 0,
    last_payment_at: null,
    last_decline_code: null,
    last_reason: null,
    pending_transaction: null,
    pending_payment: null,
    renewed_during: null,
    pause_reason: null,
    paused_at: null,
    past_due_at: null,
    completed_at: null,
    canceled_at: null,
    canceled_by: null,
    cancel_reason: null,
    created_by: actor.name,
    ...idempotencyColumns(actor),
    ...dueAt(null),
    created_at: at,
    updated_at: at,
  };
}
