import type { PageOf, Work } from '#core/database';
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
import { auditMethod, drop, type MethodInput, methodOf, prepare, put } from './methods.ts';
import type { Needs } from './needs.ts';
import { type CustomerFilter, expiring, get, methods, noCustomer, type PayerOf, page, payersOf, present } from './read.ts';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, PAYMENT_METHODS } from './schema.ts';
import { foundBy, keepWords } from './words.ts';

export type { Payer } from './customer.ts';
export type { MethodInput } from './methods.ts';

export { checkReach } from './read.ts';

export const TABLES = [CUSTOMERS, PAYMENT_METHODS, CUSTOMER_WORDS];

/** Customers and what they pay with (specification 4.1, 4.8; decisions 7). */
export type Customers = ReturnType<typeof createCustomers>;

export function createCustomers(on: Needs) {
  const { database, vault, audit } = on;
  const resource = (id: string) => `customers/${id}`;

  /** Locks a customer that is there and carries a change of it out. */
  async function change<Result>(
    by: Pick<Actor, 'tenantId' | 'merchantId'>,
    customerId: string,
    carryOut: (work: Work, row: CustomerRow) => Promise<Result>,
  ): Promise<Result> {
    await present(on, by, customerId);
    return database.unitOfWork.run(by.tenantId, async (work) => {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      work.afterCommit(() => on.changed(by.tenantId, 'customers'));
      return carryOut(work, row);
    });
  }

  /** Puts a stored method on file and tells of it. */
  async function keep(work: Work, by: Actor, row: CustomerRow, details: TokenDetails, consentText: string | null) {
    const kept = await put(on, work, row, details, consentText);
    audit(work, {
      by,
      action: 'payment_method.stored',
      resource: `${resource(row.id)}/payment-methods/${kept.method.id}`,
      merchantId: row.merchant_id,
      after: auditMethod(kept.method),
    });
    return kept;
  }

  return {
    page: (by: Actor, filter: CustomerFilter, at: PageOf) => page(on, by, filter, at),
    get: (by: Actor, customerId: string) => get(on, by, customerId),
    methods: (by: Actor, customerId: string, at: PageOf) => methods(on, by, customerId, at),
    expiring: (by: Actor, of: { readonly days: number; readonly merchantId?: string }, at: PageOf) => expiring(on, by, of, at),
    foundBy,

    /** REQUIRED_FIELD_MISSING without anything to find the customer by. */
    async create(by: Actor, input: CustomerInput & { readonly merchantId?: string }): Promise<Customer> {
      const { merchantId } = openFor(await on.merchantFor(by, input.merchantId));
      const now = on.clockOf(by.tenantId).now();
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
        tenant_id: by.tenantId,
        id: newId('cus', now),
        merchant_id: merchantId,
        default_method_id: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      };
      checkNamed(row);
      const owner = await vault.newOwner(by.tenantId, row.id);
      await database.unitOfWork.run(by.tenantId, async (work) => {
        work.insert(CUSTOMERS, row);
        vault.insertOwner(work, owner);
        await keepWords(work, row, []);
        audit(work, { by, action: 'customer.created', resource: resource(row.id), merchantId, after: auditFields(row) });
        work.afterCommit(() => on.changed(by.tenantId, 'customers'));
      });
      return get(on, by, row.id);
    },

    /** Changes the fields that are given. */
    async update(by: Actor, customerId: string, input: CustomerInput): Promise<Customer> {
      await change(by, customerId, async (work, row) => {
        const updated_at = isoTime(timeAfter(on.clockOf(by.tenantId).now(), row.updated_at));
        const set = { ...columnsOf(input), updated_at };
        const next = { ...row, ...set };
        checkNamed(next);
        await work.update(CUSTOMERS, { id: customerId }, set);
        await keepWords(work, next, await work.find(PAYMENT_METHODS, { customer_id: customerId }));
        const merchantId = row.merchant_id;
        audit(work, {
          by,
          action: 'customer.updated',
          resource: resource(customerId),
          merchantId,
          before: auditFields(row),
          after: auditFields(next),
        });
      });
      return get(on, by, customerId);
    },

    /** Hides the customer, ends its subscriptions and destroys its cards with their key; its transactions stay (decisions 7). */
    async remove(by: Actor, customerId: string): Promise<void> {
      await change(by, customerId, async (work, row) => {
        await on.events.publish(work, 'customer.deleted', { by, customerId });
        const at = isoTime(timeAfter(on.clockOf(by.tenantId).now(), row.updated_at));
        const stored = await work.delete(PAYMENT_METHODS, { customer_id: customerId });
        await work.delete(CUSTOMER_WORDS, { customer_id: customerId });
        await vault.destroyOwner(work, customerId);
        await work.update(CUSTOMERS, { id: customerId }, { default_method_id: null, deleted_at: at, updated_at: at });
        audit(work, {
          by,
          action: 'customer.deleted',
          resource: resource(customerId),
          merchantId: row.merchant_id,
          before: { ...auditFields(row), paymentMethodsDestroyed: stored },
        });
      });
    },

    async addMethod(by: Actor, customerId: string, input: MethodInput): Promise<PaymentMethod> {
      const { merchant_id } = await present(on, by, customerId);
      openFor(await on.merchantFor(by, merchant_id));
      const store = await prepare(on, by, customerId, input);
      return change(by, customerId, async (work, row) => {
        const { customer, method } = await keep(work, by, row, await store(work), input.consentText ?? null);
        return toMethod(method, customer.default_method_id);
      });
    },

    /** Checks and seals a card or account that addMethodIn then stores. */
    prepareMethod: (by: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, input: MethodInput) =>
      prepare(on, by, customerId, input),
    /** As addMethod, inside a unit of work that locks the customer, for what is made together with its card. `store` comes of prepareMethod. */
    async addMethodIn(
      work: Work,
      by: Actor,
      customerId: string,
      store: (work: Work) => Promise<TokenDetails>,
      consentText: string | null,
    ): Promise<string> {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      const { method } = await keep(work, by, row, await store(work), consentText);
      return method.id;
    },

    setDefault: (by: Actor, customerId: string, methodId: string): Promise<PaymentMethod> =>
      change(by, customerId, async (work, row) => {
        const method = await methodOf(work, customerId, methodId);
        const now = timeAfter(on.clockOf(by.tenantId).now(), row.updated_at);
        await work.update(CUSTOMERS, { id: customerId }, { default_method_id: methodId, updated_at: isoTime(now) });
        const { tenantId } = by;
        await on.events.publish(work, 'payment-method.changed', { tenantId, customerId, paymentMethodId: methodId, isDefault: true });
        audit(work, {
          by,
          action: 'payment_method.made_default',
          resource: `${resource(customerId)}/payment-methods/${methodId}`,
          merchantId: row.merchant_id,
          before: { defaultPaymentMethodId: row.default_method_id },
          after: { defaultPaymentMethodId: methodId },
        });
        return toMethod(method, methodId);
      }),

    /** Removes a card or account; whatever was billed to it goes by the default from then on. */
    removeMethod: (by: Actor, customerId: string, methodId: string): Promise<void> =>
      change(by, customerId, (work, row) => drop(on, work, by, row, methodId)),

    /** Holds a customer that is there, and where one is named a method of it, until the end of the work. CUSTOMER_NOT_FOUND, NOT_FOUND. */
    async lock(work: Work, customerId: string, methodId?: string): Promise<void> {
      const row = await work.lockOne(CUSTOMERS, { id: customerId });
      if (!row || row.deleted_at !== null) throw noCustomer(customerId);
      if (methodId !== undefined) await methodOf(work, customerId, methodId);
    },
    payersOf: (tenantId: string, wanted: readonly PayerOf[]) => payersOf(on, tenantId, wanted),
    /** Who pays, and with what: the method that is named, else the default. CUSTOMER_NOT_FOUND; NOT_FOUND for a method of somebody else. */
    async payer(by: Pick<Actor, 'tenantId' | 'merchantId'>, customerId: string, methodId?: string): Promise<Payer> {
      await present(on, by, customerId);
      if (methodId !== undefined) await methodOf(database.read(by.tenantId), customerId, methodId);
      const [payer] = await payersOf(on, by.tenantId, [{ customerId, methodId: methodId ?? null }]);
      return payer as Payer;
    },

    /** Puts what a sale was paid with on file, where the customer and the card are still there; the entry was sealed for the customer with the sale. */
    async keepPaid(by: Actor, customerId: string, token: string, consentText: string): Promise<void> {
      const { tenantId } = by;
      await database.unitOfWork.run(tenantId, async (work) => {
        const row = await work.lockOne(CUSTOMERS, { id: customerId });
        if (!row || row.deleted_at !== null) return;
        // Removed at the customer's wish before it could be filed.
        if (!(await vault.has(work, token))) return;
        await keep(work, by, row, await vault.adopt(work, { tenantId, merchantId: null }, token, customerId), consentText);
        work.afterCommit(() => on.changed(tenantId, 'customers'));
      });
    },
  };
}
