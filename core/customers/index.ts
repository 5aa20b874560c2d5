import type { PageRequest, Work } from '#core/database';
import { type Actor, isoTime, newId, timeAfter } from '#core/kernel';
import { openFor } from '#core/merchants';
import type { TokenDetails } from '#core/vault';
import {
  auditFields,
  type Customer,
  type CustomerInput,
  checkNamed,
  columnsOf,
  type Payer,
  type PaymentMethod,
  toMethod,
} from './customer.ts';
import type { Dependencies } from './dependencies.ts';
import { auditMethod, drop, type MethodInput, methodOf, prepare, put } from './methods.ts';
import { type CustomerFilter, expiring, get, methods, noCustomer, type PayerOf, page, payersOf, present } from './read.ts';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, PAYMENT_METHODS } from './schema.ts';
import { foundBy, keepWords } from './words.ts';

export type { Payer } from './customer.ts';
export type { MethodInput } from './methods.ts';

export { checkReach } from './read.ts';

export const TABLES = [CUSTOMERS, PAYMENT_METHODS, CUSTOMER_WORDS];

/** Customers and what they pay with (specification 4.1, 4.8; decisions 7). */
export type Customers = ReturnType<typeof createCustomers>;

export function createCustomers(deps: Dependencies) {
  const { database, vault, audit } = deps;
  const resource = (id: string) => `customers/${id}`;

  /** Locks an existing customer and applies a change to it. */
  async function change<Result>(
    actor: Pick<Actor, 'tenantId' | 'merchantId'>,
    customerId: string,
    carryOut: (work: Work, row: CustomerRow) => Promise<Result>,
  ): Promise<Result> {
    await present(deps, actor, customerId);
    return database.unitOfWork.run(actor.tenantId, async (work) => {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      work.afterCommit(() => deps.changed(actor.tenantId, 'customers'));
      return carryOut(work, row);
    });
  }

  /** Adds a stored payment method to a customer and publishes the change. */
  async function keep(work: Work, actor: Actor, row: CustomerRow, details: TokenDetails, consentText: string | null) {
    const kept = await put(deps, work, row, details, consentText);
    audit(work, {
      actor,
      action: 'payment_method.stored',
      resource: `${resource(row.id)}/payment-methods/${kept.method.id}`,
      merchantId: row.merchant_id,
      after: auditMethod(kept.method),
    });
    return kept;
  }

  return {
    page: (actor: Actor, filter: CustomerFilter, at: PageRequest) => page(deps, actor, filter, at),
    get: (actor: Actor, customerId: string) => get(deps, actor, customerId),
    methods: (actor: Actor, customerId: string, at: PageRequest) => methods(deps, actor, customerId, at),
    expiring: (actor: Actor, of: { readonly days: number; readonly merchantId?: string }, at: PageRequest) => expiring(deps, actor, of, at),
    foundBy,

    /** REQUIRED_FIELD_MISSING without anything to find the customer by. */
    async create(actor: Actor, input: CustomerInput & { readonly merchantId?: string }): Promise<Customer> {
      const { merchantId } = openFor(await deps.merchantFor(actor, input.merchantId));
      const now = deps.clockOf(actor.tenantId).now();
      const at = isoTime(now);
      const blank = {
        first_name: null,
        last_name: null,
        email: null,
        phone: null,
        company: null,
        address: null,
        notes: null,
        metadata: null,
      };
      const row: CustomerRow = {
        ...blank,
        ...columnsOf(input),
        tenant_id: actor.tenantId,
        id: newId('cus', now),
        merchant_id: merchantId,
        default_method_id: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      };
      checkNamed(row);
      const owner = await vault.newOwner(actor.tenantId, row.id);
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        work.insert(CUSTOMERS, row);
        vault.insertOwner(work, owner);
        await keepWords(work, row, []);
        audit(work, { actor, action: 'customer.created', resource: resource(row.id), merchantId, after: auditFields(row) });
        work.afterCommit(() => deps.changed(actor.tenantId, 'customers'));
      });
      return get(deps, actor, row.id);
    },

    /** Changes the fields that are given. */
    async update(actor: Actor, customerId: string, input: CustomerInput): Promise<Customer> {
      await change(actor, customerId, async (work, row) => {
        const updated_at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
        const set = { ...columnsOf(input), updated_at };
        const next = { ...row, ...set };
        checkNamed(next);
        await work.update(CUSTOMERS, { id: customerId }, set);
        await keepWords(work, next, await work.find(PAYMENT_METHODS, { customer_id: customerId }));
        const merchantId = row.merchant_id;
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

    /** Hides the customer, ends its subscriptions and destroys its cards with their key; its transactions stay (decisions 7). */
    async remove(actor: Actor, customerId: string): Promise<void> {
      await change(actor, customerId, async (work, row) => {
        await deps.events.publish(work, 'customer.deleted', { by: actor, customerId });
        const at = isoTime(timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at));
        const stored = await work.delete(PAYMENT_METHODS, { customer_id: customerId });
        await work.delete(CUSTOMER_WORDS, { customer_id: customerId });
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
      const { merchant_id } = await present(deps, actor, customerId);
      openFor(await deps.merchantFor(actor, merchant_id));
      const store = await prepare(deps, actor, customerId, input);
      return change(actor, customerId, async (work, row) => {
        const { customer, method } = await keep(work, actor, row, await store(work), input.consentText ?? null);
        return toMethod(method, customer.default_method_id);
      });
    },

    /** Checks and seals a card or account that addMethodIn then stores. */
    prepareMethod: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, input: MethodInput) =>
      prepare(deps, actor, customerId, input),
    /** Same as `addMethod`, inside a unit of work that locks the customer. `store` comes from `prepareMethod`. */
    async addMethodIn(
      work: Work,
      actor: Actor,
      customerId: string,
      store: (work: Work) => Promise<TokenDetails>,
      consentText: string | null,
    ): Promise<string> {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      const { method } = await keep(work, actor, row, await store(work), consentText);
      return method.id;
    },

    setDefault: (actor: Actor, customerId: string, methodId: string): Promise<PaymentMethod> =>
      change(actor, customerId, async (work, row) => {
        const method = await methodOf(work, customerId, methodId);
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

    /** Removes a card or bank account. Subscriptions that used it use the default from then on. */
    removeMethod: (actor: Actor, customerId: string, methodId: string): Promise<void> =>
      change(actor, customerId, (work, row) => drop(deps, work, actor, row, methodId)),

    /**
     * Locks an existing customer, and a method of it if one is named, until the end of the unit of work. @throws ServiceError
     * CUSTOMER_NOT_FOUND, NOT_FOUND.
     */
    async lock(work: Work, customerId: string, methodId?: string): Promise<void> {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      if (methodId !== undefined) await methodOf(work, customerId, methodId);
    },
    payersOf: (tenantId: string, wanted: readonly PayerOf[]) => payersOf(deps, tenantId, wanted),
    /**
     * Returns the customer and the payment method: the named one, or the default. @throws ServiceError CUSTOMER_NOT_FOUND; NOT_FOUND for a
     * method of another customer.
     */
    async payer(actor: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, methodId?: string): Promise<Payer> {
      await present(deps, actor, customerId);
      if (methodId !== undefined) await methodOf(database.read(actor.tenantId), customerId, methodId);
      const [payer] = await payersOf(deps, actor.tenantId, [{ customerId, methodId: methodId ?? null }]);
      return payer as Payer;
    },

    /** Stores the payment method of a sale on its customer, if both still exist. The entry was encrypted for the customer with the sale. */
    async keepPaid(actor: Actor, customerId: string, token: string, consentText: string): Promise<void> {
      const { tenantId } = actor;
      await database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CUSTOMERS, { id: customerId });
        if (!row || row.deleted_at !== null) return;
        // Removed at the customer's wish before it could be filed.
        if (!(await vault.has(work, token))) return;
        await keep(work, actor, row, await vault.adopt(work, { tenantId, merchantId: null }, token, customerId), consentText);
        work.afterCommit(() => deps.changed(tenantId, 'customers'));
      });
    },
  };
}
