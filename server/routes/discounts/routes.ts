import { Discount } from '#core/sales/discounts';
import { type Route, route, Success } from '#server/http';
import { NewDiscountBody } from '#server/schemas';

/** Declares the route of discounts, which is the same on the Public and the Admin surface. */
export function discountRoutes(surface: 'admin' | 'public'): Route[] {
  return [
    route({
      surface,
      tag: surface === 'admin' ? 'Approvals' : 'Public API',
      scope: 'merchant',
      method: 'POST',
      permission: 'transactions:write',
      path: '/discounts',
      id: `${surface}.grantDiscount`,
      approvable: true,
      summary: 'Discount of a payment, before the payment',
      description:
        'Grants a discount, which the payment then names in `discountId`. Without an applicable rule it is granted at once; above `discountAbovePercent` a second person approves it first, because a payment with a keyed card cannot wait. It is valid for 15 minutes, for one payment of its requester, up to this discount and from this price. A declined payment releases it.',
      created: true,
      idempotent: true,
      body: NewDiscountBody,
      response: Success(Discount),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, body }) => ({ discount: await core.discounts.grant(actor, body) }),
      show: ({ discount }) => discount,
    }),
  ];
}
