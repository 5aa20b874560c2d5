import type { Read, Work } from '#core/database';
import { type Actor, bind, isoTime, ServiceError, timeAfter } from '#core/kernel';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { Source, TokenDetails } from '#core/records/vault';
import {
  createUpdateLink,
  endPageUpdates,
  type UpdateLinkRecipients,
  type UpdateLinkSubject,
  updateAddressIn,
} from './card-update/links.ts';
import { openUpdatePage, saveOnUpdatePage } from './card-update/page.ts';
import { addExternalId, insertCustomer, prepareCustomer } from './create.ts';
import { auditFields, type CustomerInput, checkIdentifiable, columnsOf, nameKeyOf, type Payer, toMethod } from './customer.ts';
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
import { customerNotFound, expiring, get, methods, type PayerRequest, page, payerOf, payersOf, readCustomer } from './read.ts';
import type { Customer, ExternalId, PaymentMethod } from './records.ts';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, EXTERNAL_IDS, PAYMENT_METHODS, UPDATE_LINKS } from './schema.ts';
import { customerIdsMatching, updateSearchWords } from './search-words.ts';

export type { UpdateLinkRecipients } from './card-update/links.ts';
export type { CardUpdatePage } from './card-update/page.ts';
export type { CustomerInput, Payer } from './customer.ts';
export type { MethodInput } from './methods.ts';
export { checkAccess, merchantOfCustomer } from './read.ts';
export { READABLE_CUSTOMERS, READABLE_EXTERNAL_IDS, READABLE_METHODS } from './read-model.ts';
export { Customer, CustomerAddress, ExpiringCard, type ExternalId, PaymentMethod, shownMethod, UpdateLink } from './records.ts';

export const TABLES = [CUSTOMERS, PAYMENT_METHODS, CUSTOMER_WORDS, UPDATE_LINKS, EXTERNAL_IDS];

/** Customers and their payment methods. */
export type Customers = ReturnType<typeof createCustomers>;

export function createCustomers(deps: Dependencies) {
  const { database, vault, audit } = deps;
  const resource = (id: string) => `customers/${id}`;

  /** Locks an existing customer until the end of the unit of work and returns its row. @throws ServiceError CUSTOMER_NOT_FOUND */
  async function lockRow(work: Work, customerId: string): Promise<CustomerRow> {
    const row = await work.lockOne(CUSTOMERS, { id: customerId });
    if (!row || row.deleted_at !== null) throw customerNotFound(customerId);
    return row;
  }

  /** Locks an existing customer and applies a change to it. */
  async function change<Result>(
    actor: Pick<Actor, 'tenantId' | 'merchantId'>,
    customerId: string,
    apply: (work: Work, row: CustomerRow) => Promise<Result>,
  ): Promise<Result> {
    await readCustomer(deps, actor, customerId);
    return database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const row = await lockRow(work, customerId);
      work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
      return apply(work, row);
    });
  }

  /** Adds a stored payment method to a customer and publishes the change. */
  async function addToCustomer(
    work: Work,
    actor: Actor,
    row: CustomerRow,
    details: TokenDetails,
    consent: Consent,
    origin: ImportOrigin | null = null,
  ) {
    const added = await storeMethod(deps, work, row, details, consent, origin);
    audit(work, {
      actor,
      action: 'payment_method.stored',
      resource: `${resource(row.id)}/payment-methods/${added.method.id}`,
      merchantId: row.merchant_id,
      after: auditMethod(added.method),
    });
    if (added.isRenewal) emitMethodUpdated(deps, work, added.customer, added.method, null, 'merchant');
    return added;
  }

  /**
   * Returns the customer and the payment method: the named one, or the default. @throws ServiceError CUSTOMER_NOT_FOUND; NOT_FOUND for a
   * method of another customer.
   */
  async function payer(actor: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, methodId?: string): Promise<Payer> {
    const row = await readCustomer(deps, actor, customerId);
    if (methodId !== undefined) await methodOf(database.read(actor.tenantId), customerId, methodId);
    return payerOf(deps, actor.tenantId, { customerId, methodId: methodId ?? null }, row);
  }

  return {
    ...bind(deps, { page, get, methods, expiring }),
    foundBy: customerIdsMatching,

    /** Creates a customer. @throws ServiceError REQUIRED_FIELD_MISSING without a name, company or email address. */
    async create(actor: Actor, input: CustomerInput & { readonly merchantId?: string }): Promise<Customer> {
      const { merchantId } = checkOpen(await deps.merchantFor(actor, input.merchantId));
      const prepared = await prepareCustomer(deps, actor, merchantId, input);
      await database.unitOfWork.transaction(actor.tenantId, (work) => insertCustomer(deps, work, actor, prepared));
      return get(deps, actor, prepared.row.id);
    },

    /** Creates a customer in a unit of work, with its identifier at an earlier provider if it has one. Returns its row. */
    async createIn(work: Work, actor: Actor, merchantId: string, input: CustomerInput, external: ExternalId | null): Promise<CustomerRow> {
      const prepared = await prepareCustomer(deps, actor, merchantId, input);
      await insertCustomer(deps, work, actor, prepared, external);
      return prepared.row;
    },
    lockRow,
    /** Adds the identifier of an existing customer at an earlier provider. */
    addExternalId: (work: Work, row: CustomerRow, external: ExternalId) => addExternalId(deps, work, row, external),
    /** Stores an imported card or bank account of a locked customer, with its identifiers. Returns the ID of the method. */
    async addImportedMethod(work: Work, actor: Actor, row: CustomerRow, source: Source, origin: ImportOrigin): Promise<string> {
      const sealed = await vault.seal(actor.tenantId, source, { owner: row.id, merchantId: null }, work);
      await vault.write(work, sealed);
      const details = await vault.assignToOwner(work, actor, sealed.token, row.id);
      const { customer, method } = await addToCustomer(work, actor, row, details, { text: null, channel: null }, origin);
      if (origin.isDefault && customer.default_method_id !== method.id)
        await work.update(CUSTOMERS, { id: row.id }, { default_method_id: method.id });
      work.afterCommit(() => deps.changed(actor.tenantId, 'customers', row.merchant_id));
      return method.id;
    },

    /** Changes the fields that are given. */
    async update(actor: Actor, customerId: string, input: CustomerInput): Promise<Customer> {
      await change(actor, customerId, async (work, row) => {
        const updated_at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
        const columns = columnsOf(input);
        const set = { ...columns, name_key: nameKeyOf({ ...row, ...columns }), updated_at };
        const next = { ...row, ...set };
        checkIdentifiable(next);
        await work.update(CUSTOMERS, { id: customerId }, set);
        await updateSearchWords(work, next, await work.find(PAYMENT_METHODS, { customer_id: customerId }));
        const merchantId = row.merchant_id;
        const changed = [...(row.email === next.email ? [] : ['email' as const]), ...(row.phone === next.phone ? [] : ['sms' as const])];
        if (changed.length > 0)
          await deps.events.publish(work, 'customer.contact-changed', {
            tenantId: actor.tenantId,
            merchantId,
            customerId,
            before: { email: row.email, phone: row.phone },
            changed,
          });
        audit(work, {
          actor,
          action: 'customer.updated',
          resource: resource(customerId),
          merchantId,
          before: auditFields(row),
          after: auditFields(next),
        });
      });
      return get(deps, actor, customerId);
    },

    /** Hides the customer, cancels its subscriptions and destroys its payment methods with their key. Its transactions stay. */
    async remove(actor: Actor, customerId: string): Promise<void> {
      await change(actor, customerId, async (work, row) => {
        await deps.events.publish(work, 'customer.deleted', { actor, customerId });
        const at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
        const stored = await work.delete(PAYMENT_METHODS, { customer_id: customerId });
        await work.delete(CUSTOMER_WORDS, { customer_id: customerId });
        await work.delete(UPDATE_LINKS, { customer_id: customerId });
        await work.delete(EXTERNAL_IDS, { customer_id: customerId });
        await vault.destroyOwner(work, customerId);
        await work.update(CUSTOMERS, { id: customerId }, { default_method_id: null, deleted_at: at, updated_at: at });
        audit(work, {
          actor,
          action: 'customer.deleted',
          resource: resource(customerId),
          merchantId: row.merchant_id,
          before: { ...auditFields(row), paymentMethodsDestroyed: stored },
        });
      });
    },

    async addMethod(actor: Actor, customerId: string, input: MethodInput): Promise<PaymentMethod> {
      const { merchant_id } = await readCustomer(deps, actor, customerId);
      const { vtSettings } = checkOpen(await deps.merchantFor(actor, merchant_id));
      const { consentText: text = null, agreementChannel: channel = vtSettings.channel } = input;
      const store = await prepareMethod(deps, actor, customerId, input);
      return change(actor, customerId, async (work, row) => {
        const { customer, method } = await addToCustomer(work, actor, row, await store(work), { text, channel });
        return toMethod(method, customer.default_method_id);
      });
    },

    /** Checks and seals a payment method that `addMethodIn` then stores. */
    prepareMethod: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, input: MethodInput) =>
      prepareMethod(deps, actor, customerId, input),
    /** Same as `addMethod`, inside a unit of work that locks the customer. `store` comes from `prepareMethod`. */
    async addMethodIn(
      work: Work,
      actor: Actor,
      customerId: string,
      store: (work: Work) => Promise<TokenDetails>,
      consent: Consent,
    ): Promise<string> {
      const row = await lockRow(work, customerId);
      const { method } = await addToCustomer(work, actor, row, await store(work), consent);
      return method.id;
    },

    setDefault: (actor: Actor, customerId: string, methodId: string): Promise<PaymentMethod> =>
      change(actor, customerId, async (work, row) => {
        const method = await methodOf(work, customerId, methodId);
        if (row.default_method_id === methodId) return toMethod(method, methodId);
        const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
        await work.update(CUSTOMERS, { id: customerId }, { default_method_id: methodId, updated_at: isoTime(now) });
        const { tenantId } = actor;
        await deps.events.publish(work, 'payment-method.changed', { tenantId, customerId, paymentMethodId: methodId, isDefault: true });
        audit(work, {
          actor,
          action: 'payment_method.made_default',
          resource: `${resource(customerId)}/payment-methods/${methodId}`,
          merchantId: row.merchant_id,
          before: { defaultPaymentMethodId: row.default_method_id },
          after: { defaultPaymentMethodId: methodId },
        });
        return toMethod(method, methodId);
      }),

    /**
     * Removes a card or bank account. Subscriptions that used it use the default from then on. `check` runs under the lock of the customer, with the number of
     * its cards and bank accounts.
     */
    removeMethod: (
      actor: Actor,
      customerId: string,
      methodId: string,
      check?: (work: Work, methodCount: number) => Promise<void>,
    ): Promise<void> =>
      change(actor, customerId, async (work, row) => {
        if (check) await check(work, (await work.find(PAYMENT_METHODS, { customer_id: customerId })).length);
        await removeMethod(deps, work, actor, row, methodId);
      }),

    /** Creates a link to the page on which a customer replaces a card, and sends it if requested. */
    createUpdateLink: (actor: Actor, subject: UpdateLinkSubject, recipients: UpdateLinkRecipients = {}) =>
      createUpdateLink(deps, actor, subject, recipients),
    /** Creates a link in a unit of work and returns its address, for a message about a failed payment; null if customers cannot open it. */
    updateAddressIn: (work: Work, merchant: Merchant, subject: UpdateLinkSubject) => updateAddressIn(deps, work, merchant, subject),
    ...bind(deps, { endPageUpdates, openUpdatePage, saveOnUpdatePage }),

    /**
     * Locks an existing customer, and a method of it if one is named, until the end of the unit of work. @throws ServiceError
     * CUSTOMER_NOT_FOUND, NOT_FOUND.
     */
    async lock(work: Work, customerId: string, methodId?: string): Promise<void> {
      await lockRow(work, customerId);
      if (methodId !== undefined) await methodOf(work, customerId, methodId);
    },
    /** Returns the network's identifier of the first payment of a customer's card; null if the card was not imported with one. */
    async networkTransactionId(tenantId: string, customerId: string | null, token: string): Promise<string | null> {
      if (customerId === null) return null;
      return (await database.read(tenantId).one(PAYMENT_METHODS, { customer_id: customerId, token }))?.network_transaction_id ?? null;
    },
    payersOf: (tenantId: string, requests: readonly PayerRequest[], read?: Read) => payersOf(deps, tenantId, requests, read),
    payerOf: (tenantId: string, request: PayerRequest, read?: Read) => payerOf(deps, tenantId, request, null, read),
    payer,
    /** Returns a customer of one merchant. @throws as `payer()`; ServiceError VALIDATION_ERROR. */
    async payerAt(actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId: string, customerId: string): Promise<Payer> {
      const found = await payer(actor, customerId);
      if (found.merchantId !== merchantId)
        throw new ServiceError('VALIDATION_ERROR', 'This customer belongs to another merchant.', { field: 'customerId' });
      return found;
    },

    /** Stores the payment method of a sale on its customer, if both still exist. The entry was encrypted for the customer with the sale. */
    async storePaidMethod(actor: Actor, customerId: string, token: string, consent: Consent): Promise<void> {
      const { tenantId } = actor;
      await database.unitOfWork.transaction(tenantId, async (work) => {
        const row = await work.lockOne(CUSTOMERS, { id: customerId });
        if (!row || row.deleted_at !== null) return;
        // The payment method was removed at the customer's request before it could be stored.
        if (!(await vault.has(work, token))) return;
        await addToCustomer(work, actor, row, await vault.assignToOwner(work, { tenantId, merchantId: null }, token, customerId), consent);
        work.afterCommit(() => deps.changed(tenantId, 'customers', row.merchant_id));
      });
    },
  };
}
