import { CardSave, isOpen } from '#core/sales/card-saves';
import { Outcome, type Route, route, Success } from '#server/http';
import { CardSaveBody, Params } from '#server/schemas';

const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

/** Declares the routes by which a card reader stores a card of a customer, which are the same on the Public and the Admin surface. */
export function cardSaveRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Card readers' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'customers:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'customers:write' } as const;
  const params = Params('id');
  return [
    route({
      ...write,
      path: `/${surface === 'admin' ? 'customers' : 'customer'}/:id/card-saves`,
      id: `${surface}.createCardSave`,
      summary: 'Store the card that a customer presents to a card reader',
      description:
        'Asks for a card on the reader. The processor verifies it without a charge and stores it; the payment method then has `gatewayId`, because this gateway alone can charge it. The response is 202 while the reader waits; with `wait`, it may have the outcome. A reader whose processor stores no cards is VALIDATION_ERROR with the reason `card_saves_not_supported`.',
      params,
      body: CardSaveBody,
      response: Outcome(CardSave),
      errors: [...MISSING, 'CUSTOMER_NOT_FOUND', 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT', 'GATEWAY_UNAVAILABLE'],
      run: ({ core, actor, params: { id }, body: { wait, ...body } }) =>
        core.cardSaves.create(actor, id, { ...body, ...(wait !== undefined && { waitSeconds: wait }) }),
      acceptedIf: isOpen,
    }),
    route({
      ...read,
      path: '/card-saves/:id',
      id: `${surface}.getCardSave`,
      summary: 'One request to store a card by a card reader',
      description: 'Returns its status, and the payment method as soon as the card is stored.',
      params,
      response: Success(CardSave),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.cardSaves.get(actor, id),
    }),
    route({
      ...write,
      path: '/card-saves/:id/cancel',
      id: `${surface}.cancelCardSave`,
      summary: 'Cancel a request to store a card on its card reader',
      description:
        'Asks the reader to end the dialog. The outcome of the request decides: `canceled`, or `saved` if the card was faster. RESOURCE_CONFLICT with the reason `not_on_reader` if it does not run on a reader.',
      params,
      response: Success(CardSave),
      errors: [...MISSING, 'RESOURCE_CONFLICT', 'GATEWAY_UNAVAILABLE'],
      run: ({ core, actor, params: { id } }) => core.cardSaves.cancel(actor, id),
    }),
  ];
}
