import type { Work } from '#core/database';
import { type Actor, isoTime, timeAfter } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import type { Source, TokenDetails } from '#core/records/vault';
import { changeCustomer, lockCustomerRow, resource } from './change.ts';
import { toMethod } from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import { emitMethodUpdated } from './method-events.ts';
import {
  auditMethod,
  type Consent,
  type ImportOrigin,
  type MethodInput,
  methodOf,
  prepareMethod,
  removeMethod,
  storeMethod,
} from './methods.ts';
import { readCustomer } from './read.ts';
import type { PaymentMethod } from './records.ts';
import { CUSTOMERS, type CustomerRow, PAYMENT_METHODS } from './schema.ts';

/** Adds a stored payment method to a customer and publishes the change. */
async function addToCustomer(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  row: CustomerRow,
  details: TokenDetails,
  consent: Consent,
  origin: ImportOrigin | null = null,
) {
  const added = await storeMethod(deps, work, actor, row, details, consent, origin);
  deps.audit(work, {
    actor,
    action: 'payment_method.stored',
    resource: `${resource(row.id)}/payment-methods/${added.method.id}`,
    merchantId: row.merchant_id,
    after: auditMethod(added.method),
  });
  if (added.isRenewal) emitMethodUpdated(deps, work, added.customer, added.method, null, 'merchant');
  return added;
}

/** Stores an imported card or bank account of a locked customer, with its identifiers. Returns the ID of the method. */
export async function addImportedMethod(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  row: CustomerRow,
  source: Source,
  origin: ImportOrigin,
): Promise<string> {
  const sealed = await deps.vault.seal(actor.tenantId, source, { owner: row.id, merchantId: null }, work);
  await deps.vault.write(work, sealed);
  const details = await deps.vault.assignToOwner(work, actor, sealed.token, row.id);
  const { customer, method } = await addToCustomer(deps, work, actor, row, details, { text: null, channel: null }, origin);
  if (origin.isDefault && customer.default_method_id !== method.id)
    await work.update(CUSTOMERS, { id: row.id }, { default_method_id: method.id });
  work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
  return method.id;
}

export async function addMethod(deps: Dependencies, actor: Actor, customerId: string, input: MethodInput): Promise<PaymentMethod> {
  const { merchant_id } = await readCustomer(deps, actor, customerId);
  const { vtSettings } = checkOpen(await deps.merchantFor(actor, merchant_id));
  const { consentText: text = null, agreementChannel: channel = vtSettings.channel } = input;
  const store = await prepareMethod(deps, actor, customerId, input);
  return changeCustomer(deps, actor, customerId, async (work, row) => {
    const { customer, method } = await addToCustomer(deps, work, actor, row, await store(work), { text, channel });
    return toMethod(method, customer.default_method_id);
  });
}

/** Same as `addMethod`, inside a unit of work that locks the customer. `store` comes from `prepareMethod`. */
export async function addMethodIn(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  customerId: string,
  store: (work: Work) => Promise<TokenDetails>,
  consent: Consent,
): Promise<string> {
  const row = await lockCustomerRow(work, customerId);
  const { method } = await addToCustomer(deps, work, actor, row, await store(work), consent);
  return method.id;
}

export const setDefaultMethod = (deps: Dependencies, actor: Actor, customerId: string, methodId: string): Promise<PaymentMethod> =>
  changeCustomer(deps, actor, customerId, async (work, row) => {
    const method = await methodOf(work, customerId, methodId);
    if (row.default_method_id === methodId) return toMethod(method, methodId);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    await work.update(CUSTOMERS, { id: customerId }, { default_method_id: methodId, updated_at: isoTime(now) });
    const { tenantId } = actor;
    await deps.events.publish(work, 'payment-method.changed', { tenantId, customerId, paymentMethodId: methodId, isDefault: true, actor });
    deps.audit(work, {
      actor,
      action: 'payment_method.made_default',
      resource: `${resource(customerId)}/payment-methods/${methodId}`,
      merchantId: row.merchant_id,
      before: { defaultPaymentMethodId: row.default_method_id },
      after: { defaultPaymentMethodId: methodId },
    });
    return toMethod(method, methodId);
  });

/**
 * Removes a card or bank account. Subscriptions that used it use the default from then on. `check` runs under the lock of the customer, with the number of
 * its cards and bank accounts.
 */
export const removeMethodOf = (
  deps: Dependencies,
  actor: Actor,
  customerId: string,
  methodId: string,
  check?: (work: Work, methodCount: number) => Promise<void>,
): Promise<void> =>
  changeCustomer(deps, actor, customerId, async (work, row) => {
    if (check) await check(work, (await work.find(PAYMENT_METHODS, { customer_id: customerId })).length);
    await removeMethod(deps, work, actor, row, methodId);
  });

/** Stores the payment method of a sale on its customer, if both still exist. The entry was encrypted for the customer with the sale. */
export async function storePaidMethod(
  deps: Dependencies,
  actor: Actor,
  customerId: string,
  token: string,
  consent: Consent,
): Promise<void> {
  const { tenantId } = actor;
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(CUSTOMERS, { id: customerId });
    if (!row || row.deleted_at !== null) return;
    // The payment method was removed at the customer's request before it could be stored.
    if (!(await deps.vault.has(work, token))) return;
    await addToCustomer(
      deps,
      work,
      actor,
      row,
      await deps.vault.assignToOwner(work, { tenantId, merchantId: null }, token, customerId),
      consent,
    );
    work.afterCommit(() => deps.changed(tenantId, 'customers', row.merchant_id));
  });
}
