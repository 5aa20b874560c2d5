import { Type } from 'typebox';
import type { Principal } from '#core/access/identity';
import { CustomerPageLink, NewCustomerPageLink, RevokedPageLinks } from '#core/billing/customer-page';
import { ServiceError } from '#core/kernel';
import { Paginated, route, Success } from '#server/http';
import { PageQuery, Params, pageFrom, UpdateLinkFields } from '#server/schemas';
import { CUSTOMER_MISSING } from './routes.ts';

/** Permissions for what the page shows. */
const SHOWN = ['invoices:read', 'recurring:read', 'tenders:read', 'transactions:read'] as const;

/** A PIN is typed in front of others, and everyone who has the link sees the page. @throws ServiceError PERMISSION_DENIED. */
function checkSeesPage({ byPin, permissions }: Pick<Principal, 'byPin' | 'permissions'>): void {
  const permission = !byPin ? undefined : SHOWN.find((shown) => !permissions.has(shown));
  if (permission !== undefined)
    throw new ServiceError(
      'PERMISSION_DENIED',
      `This requires the permission ${permission}, which you do not have. Ask someone who has it.`,
      {
        details: { permission },
      },
    );
}

const shared = { surface: 'admin', tag: 'Customers', scope: 'merchant', permission: 'customers:write' } as const;

/** Links to the page on which a customer sees and settles everything. */
export const customerPageLinks = [
  route({
    ...shared,
    method: 'POST',
    path: '/customers/:id/page-links',
    id: 'admin.createCustomerPageLink',
    summary: 'Create a link to the page of a customer',
    description:
      'Everyone who has the link sees the open invoices, subscriptions, cards (last four digits) and receipts, and can pay. Changes need a code that is sent to the address on file. The link is sent to that address only, and it is not shown again. A session by PIN needs the permissions `invoices:read`, `recurring:read`, `tenders:read` and `transactions:read`, too.',
    created: true,
    params: Params('id'),
    body: Type.Object({
      sendVia: UpdateLinkFields.sendVia,
      validDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 90, description: 'days until it expires, from 1 to 90; 30 by default' }),
      ),
    }),
    response: Success(NewCustomerPageLink),
    errors: [...CUSTOMER_MISSING, 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT', 'MERCHANT_NOT_FOUND'],
    run: ({ core, actor, principal, params, body }) => {
      checkSeesPage(principal);
      return core.customerPages.create(actor, params.id, body);
    },
  }),
  route({
    ...shared,
    permission: 'customers:read',
    method: 'GET',
    path: '/customers/:id/page-links',
    id: 'admin.listCustomerPageLinks',
    summary: 'Links to the page of a customer, newest first',
    description: 'Without their addresses.',
    params: Params('id'),
    query: Type.Object(PageQuery),
    response: Paginated(CustomerPageLink),
    errors: CUSTOMER_MISSING,
    run: ({ core, actor, params, query }) => core.customerPages.list(actor, params.id, pageFrom(query)),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/customers/:id/page-links/:linkId',
    id: 'admin.revokeCustomerPageLink',
    summary: 'Revoke a link to the page of a customer',
    description: 'Its page shows nothing from then on, and codes that were entered on it are void.',
    params: Params('id', 'linkId'),
    response: Success(RevokedPageLinks),
    errors: [...CUSTOMER_MISSING, 'NOT_FOUND'],
    run: async ({ core, actor, params }) => ({ revoked: await core.customerPages.revoke(actor, params.id, params.linkId) }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/customers/:id/page-links',
    id: 'admin.revokeCustomerPageLinks',
    summary: 'Revoke all links to the page of a customer',
    description: 'Includes those in emails that were sent. Use it if a link got into other hands.',
    params: Params('id'),
    response: Success(RevokedPageLinks),
    errors: CUSTOMER_MISSING,
    run: async ({ core, actor, params }) => ({ revoked: await core.customerPages.revoke(actor, params.id) }),
  }),
];
