import { Type } from 'typebox';
import { Customer, PaymentMethod, UpdateLink } from '#core/sales/customers';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  CARD_ERRORS,
  CustomerFields,
  checkMetadata,
  DateQuery,
  Deleted,
  datedPageFrom,
  MerchantIn,
  PageQuery,
  Params,
  sortBy,
  Text,
  UPDATE_LINK_ERRORS,
  UpdateLinkFields,
} from '#server/schemas';

/** Paths and names of customer routes on an API surface. */
interface CustomerPaths {
  readonly surface: 'admin' | 'public';
  readonly tag: string;
  /** Paths of the list, of one customer, of a customer's payment methods and of one payment method. */
  readonly listPath: string;
  readonly customerPath: string;
  readonly methodsPath: string;
  readonly methodPath: string;
}

export const CUSTOMER_MISSING = ['CUSTOMER_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
/** Errors of storing a payment method. */
export const METHOD_ERRORS = [...CUSTOMER_MISSING, ...CARD_ERRORS, 'REQUIRED_FIELD_MISSING', 'NOT_FOUND', 'RESOURCE_CONFLICT'] as const;
const INPUT_ERRORS = ['INVALID_EMAIL', 'INVALID_PHONE', 'REQUIRED_FIELD_MISSING'] as const;

/** Declares the routes of customers and their payment methods, which are the same on the Public and the Admin surface. */
export function customerRoutes({
  surface,
  tag,
  listPath: many,
  customerPath: one,
  methodsPath: methods,
  methodPath: method,
}: CustomerPaths): Route[] {
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
      summary: 'Create a customer',
      description: 'Requires a name, a company or an email address; customers may share an address.',
      created: true,
      body: Type.Object({ ...CustomerFields, merchantId: MerchantIn }),
      response: Success(Customer),
      errors: [...INPUT_ERRORS, 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, body }) => core.customers.create(actor, { ...body, metadata: checkMetadata(body.metadata ?? undefined) }),
    }),
    route({
      ...read,
      path: many,
      id: `${surface}.listCustomers`,
      summary: 'Customers, newest first',
      description: 'Filters can be combined. `q` searches the beginnings of words.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        sort: sortBy('-createdAt', 'createdAt', 'name'),
        q: Type.Optional(Text(200, 'beginnings of a name, company, email address or phone number, or last four digits; all must match')),
        merchantId: MerchantIn,
      }),
      response: Paginated(Customer),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, query }) =>
        core.customers.page(actor, { q: query.q, merchantId: query.merchantId }, await datedPageFrom(core, actor, query)),
    }),
    route({
      ...read,
      path: `${one}/:id`,
      id: `${surface}.getCustomer`,
      summary: 'One customer',
      description: 'The default payment method is part of the response.',
      params,
      response: Success(Customer),
      errors: CUSTOMER_MISSING,
      run: ({ core, actor, params: { id } }) => core.customers.get(actor, id),
    }),
    route({
      ...write,
      method: 'PUT',
      path: `${one}/:id`,
      id: `${surface}.updateCustomer`,
      summary: 'Change a customer',
      description: 'Missing fields stay unchanged; null clears a field.',
      params,
      body: Type.Object(CustomerFields),
      response: Success(Customer),
      errors: [...CUSTOMER_MISSING, ...INPUT_ERRORS],
      run: ({ core, actor, params: { id }, body }) => {
        checkMetadata(body.metadata ?? undefined);
        return core.customers.update(actor, id, body);
      },
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${one}/:id`,
      id: `${surface}.deleteCustomer`,
      summary: 'Delete a customer',
      description:
        'Cancels the subscriptions and destroys every stored payment method with its key; transactions stay. A customer with store credit is not deleted: RESOURCE_CONFLICT with `details.reason` `store_credit`.',
      params,
      response: Success(Deleted),
      errors: [...CUSTOMER_MISSING, 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, params: { id } }) => {
        await core.customers.remove(actor, id);
        return id;
      },
      show: (id) => ({ id, deleted: true }),
    }),
    route({
      ...read,
      path: methods,
      id: `${surface}.listPaymentMethods`,
      summary: 'Payment methods of a customer, the default first',
      description: 'Never contains a number, only the last four digits.',
      params,
      query: Type.Object({ ...PageQuery, ...DateQuery }),
      response: Paginated(PaymentMethod),
      errors: [...CUSTOMER_MISSING, 'INVALID_DATE'],
      run: async ({ core, actor, params: { id }, query }) => core.customers.methods(actor, id, await datedPageFrom(core, actor, query)),
    }),
    route({
      ...write,
      method: 'POST',
      path: `${one}/:id/update-link`,
      id: `${surface}.createCardUpdateLink`,
      summary: 'Create a link by which the customer replaces a card',
      description:
        'The page of the link accepts one card within 30 days and shows only the brand and last four digits of the present one. The new card replaces it in subscriptions, and past due ones are retried.',
      created: true,
      params,
      body: Type.Object({
        paymentMethodId: Type.Optional(Text(60, 'payment method to replace; default is the default one of the customer')),
        ...UpdateLinkFields,
      }),
      response: Success(UpdateLink),
      errors: [...CUSTOMER_MISSING, 'NOT_FOUND', ...UPDATE_LINK_ERRORS],
      run: ({ core, actor, params: { id }, body: { paymentMethodId, ...recipients } }) =>
        core.customers.createUpdateLink(actor, { customerId: id, methodId: paymentMethodId }, recipients),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${method}/:pmId`,
      id: `${surface}.removePaymentMethod`,
      summary: 'Delete a payment method; its stored data is destroyed',
      description: 'The newest other one becomes the default. Subscriptions that used it use the default.',
      params: Params('id', 'pmId'),
      response: Success(Deleted),
      errors: [...CUSTOMER_MISSING, 'NOT_FOUND'],
      run: async ({ core, actor, params: { id, pmId } }) => {
        await core.customers.removeMethod(actor, id, pmId);
        return pmId;
      },
      show: (id) => ({ id, deleted: true }),
    }),
  ];
}
