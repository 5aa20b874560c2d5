import { Type } from 'typebox';
import { type Route, route, success } from '#server/http';
import {
  CARD_ERRORS,
  CustomerFields,
  CustomerOut,
  checkMetadata,
  DateQuery,
  Deleted,
  datedPageFrom,
  PageQuery,
  Paginated,
  Params,
  PaymentMethodOut,
  paginated,
  Success,
  Text,
} from '#server/schemas';

/** How a surface names what it has of customers. */
interface CustomerPaths {
  readonly surface: 'admin' | 'public';
  readonly tag: string;
  /** Of the list, of one customer without its id, of a customer's methods, and of one method without its id. */
  readonly many: string;
  readonly one: string;
  readonly methods: string;
  readonly method: string;
}

export const CUSTOMER_MISSING = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
/** What storing a method may be refused with. */
export const METHOD_ERRORS = [...CUSTOMER_MISSING, ...CARD_ERRORS, 'REQUIRED_FIELD_MISSING', 'NOT_FOUND', 'RESOURCE_CONFLICT'] as const;
const BAD = ['INVALID_EMAIL', 'INVALID_PHONE', 'REQUIRED_FIELD_MISSING'] as const;

/** Customers and their methods, the same on the Public and the Admin surface (specification 4.1, 4.8). */
export function customerRoutes({ surface, tag, many, one, methods, method }: CustomerPaths): Route[] {
  const shared = { surface, tag, scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'customers:read' } as const;
  const write = { ...shared, permission: 'customers:write' } as const;
  const params = Params('id');
  return [
    route({
      ...write,
      method: 'POST',
      path: one,
      id: `${surface}.createCustomer`,
      summary: 'Make a customer',
      description: 'A name, a company or an e-mail address is needed; an address may be that of several customers.',
      created: true,
      body: Type.Object({ ...CustomerFields, merchantId: Type.Optional(Text(60)) }),
      answer: Success(CustomerOut),
      errors: [...BAD, 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, body }) => core.customers.create(actor, { ...body, metadata: checkMetadata(body.metadata ?? undefined) }),
      show: success,
    }),
    route({
      ...read,
      path: many,
      id: `${surface}.listCustomers`,
      summary: 'Customers, newest first',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        q: Type.Optional(Text(200, 'beginnings of a name, company, e-mail address or phone number, or last four digits; all must match')),
        merchantId: Type.Optional(Text(60)),
      }),
      answer: Paginated(CustomerOut),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, query }) =>
        core.customers.page(actor, { q: query.q, merchantId: query.merchantId }, await datedPageFrom(core, actor, query)),
      show: (page) => paginated(page, (customer) => customer),
    }),
    route({
      ...read,
      path: `${one}/:id`,
      id: `${surface}.getCustomer`,
      summary: 'One customer',
      params,
      answer: Success(CustomerOut),
      errors: CUSTOMER_MISSING,
      run: ({ core, actor, params: { id } }) => core.customers.get(actor, id),
      show: success,
    }),
    route({
      ...write,
      method: 'PUT',
      path: `${one}/:id`,
      id: `${surface}.updateCustomer`,
      summary: 'Change a customer',
      description: 'Fields that are not sent stay as they are; null empties one.',
      params,
      body: Type.Object(CustomerFields),
      answer: Success(CustomerOut),
      errors: [...CUSTOMER_MISSING, ...BAD],
      run: ({ core, actor, params: { id }, body }) => {
        checkMetadata(body.metadata ?? undefined);
        return core.customers.update(actor, id, body);
      },
      show: success,
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${one}/:id`,
      id: `${surface}.deleteCustomer`,
      summary: 'Delete a customer',
      description: 'Cancels the subscriptions and destroys every stored card and account with its key; transactions stay.',
      params,
      answer: Success(Deleted),
      errors: CUSTOMER_MISSING,
      run: async ({ core, actor, params: { id } }) => {
        await core.customers.remove(actor, id);
        return id;
      },
      show: (id) => success({ id, deleted: true }),
    }),
    route({
      ...read,
      path: methods,
      id: `${surface}.listPaymentMethods`,
      summary: 'Cards and accounts of a customer, the default first',
      params,
      query: Type.Object({ ...PageQuery, ...DateQuery }),
      answer: Paginated(PaymentMethodOut),
      errors: [...CUSTOMER_MISSING, 'INVALID_DATE'],
      run: async ({ core, actor, params: { id }, query }) => core.customers.methods(actor, id, await datedPageFrom(core, actor, query)),
      show: (page) => paginated(page, (of) => of),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${method}/:pmId`,
      id: `${surface}.removePaymentMethod`,
      summary: 'Remove a card or account; what it was stored as is destroyed',
      description: 'The newest other one becomes the default in its place. Subscriptions that were charged to it go by the default.',
      params: Params('id', 'pmId'),
      answer: Success(Deleted),
      errors: [...CUSTOMER_MISSING, 'NOT_FOUND'],
      run: async ({ core, actor, params: { id, pmId } }) => {
        await core.customers.removeMethod(actor, id, pmId);
        return pmId;
      },
      show: (id) => success({ id, deleted: true }),
    }),
  ];
}
