import { Type } from 'typebox';
import { SentMessage } from '#core/records/notifications';
import {
  GIFT_CARD_KINDS,
  GIFT_CARD_STATUSES,
  GiftCard,
  GiftCardBalance,
  GiftCardDetail,
  GiftCardImport,
  IssuedGiftCard,
  ListedGiftCard,
} from '#core/sales/gift-cards';
import { StoreCreditRefund } from '#core/sales/orders';
import { Paginated, type Route, receiveUpload, route, Success } from '#server/http';
import {
  AssignGiftCardBody,
  BlockGiftCardBody,
  CustomerIdIn,
  DateQuery,
  datedPageFrom,
  EmailGiftCardBody,
  ExtendGiftCardBody,
  GiftCardBalanceBody,
  GiftCardImportFields,
  NewGiftBody,
  oneOf,
  PageQuery,
  Params,
  ReloadGiftCardBody,
  ReplaceGiftCardBody,
  StoreCreditRefundBody,
  sortBy,
  Text,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const params = Params('id');
const IMPORT_FORM = { file: 'file', bytesMax: 1_048_576, fields: GiftCardImportFields } as const;

/** Declares the routes of gift cards, which are the same on the Public and the Admin surface. */
export function giftCardRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Gift cards' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'gift-cards:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'gift-cards:write' } as const;
  const manage = { ...shared, method: 'POST', permission: 'gift-cards:manage' } as const;
  const access = { reload: write, block: write, unblock: manage, replace: manage, extend: manage, assign: write };
  const change = { params, idempotent: true, errors: [...MISSING, 'RESOURCE_CONFLICT'] } as const;
  return [
    route({
      ...write,
      path: '/gift-cards',
      id: `${surface}.giveGiftCard`,
      approvable: true,
      summary: 'Give a gift card or store credit',
      description:
        'Gives money without a payment: a card with a new code, or with `customerId` store credit. The response alone contains the code. Callers without `gift-cards:manage` need an approval. Orders sell gift cards: send `giftCards` to `POST /orders`.',
      created: true,
      idempotent: true,
      body: NewGiftBody,
      response: Success(IssuedGiftCard),
      errors: [
        ...SCOPE,
        'INVALID_AMOUNT',
        'INVALID_CURRENCY',
        'REQUIRED_FIELD_MISSING',
        'CUSTOMER_NOT_FOUND',
        'RESOURCE_CONFLICT',
        'RATE_LIMIT_EXCEEDED',
      ],
      run: async ({ core, actor, body }) => ({ issuedGiftCard: await core.giftCards.give(actor, body) }),
      show: ({ issuedGiftCard }) => issuedGiftCard,
    }),
    route({
      ...read,
      path: '/gift-cards',
      id: `${surface}.listGiftCards`,
      summary: 'Gift cards and store credit, by default newest first',
      description: 'The balances of all cards of a merchant are its ledger account `giftCards`, which is what it owes to their holders.',
      query: Type.Object({
        ...PageQuery,
        sort: sortBy('-createdAt', 'createdAt', 'balance'),
        ...DateQuery,
        kind: oneOf(...GIFT_CARD_KINDS),
        status: oneOf(...GIFT_CARD_STATUSES),
        customerId: Type.Optional(CustomerIdIn),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
        q: Type.Optional(
          Text(
            60,
            'an ID, the last characters of a code, or for callers with `customers:read` the name, email address or phone number of a customer; a whole code gets VALIDATION_ERROR',
          ),
        ),
      }),
      response: Paginated(ListedGiftCard),
      errors: ['INVALID_DATE', ...SCOPE],
      run: async ({ core, actor, query }) => {
        const { kind, status, customerId, merchantId, q } = query;
        const filter = {
          ...(kind && { kind }),
          ...(status && { status }),
          ...(customerId && { customerId }),
          ...(merchantId && { merchantId }),
          ...(q && { q }),
        };
        return core.giftCards.page(actor, filter, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...shared,
      method: 'POST',
      permission: 'gift-cards:read',
      path: '/gift-cards/balance',
      id: `${surface}.giftCardBalance`,
      summary: 'Balance of a gift card by its code',
      description:
        'Unknown codes, wrong PINs, and codes of other merchants get the same NOT_FOUND. After 20 of them in an hour, a user or API key gets RATE_LIMIT_EXCEEDED, also for payments with gift cards; after 10 with one code, everyone.',
      body: GiftCardBalanceBody,
      response: Success(GiftCardBalance),
      errors: [...SCOPE, 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
      run: ({ core, actor, body }) => core.giftCards.balance(actor, body),
    }),
    route({
      ...write,
      path: '/gift-cards/email',
      id: `${surface}.emailGiftCard`,
      summary: 'Send the code of a gift card by email',
      description:
        'The request names the code, because no card stores it. The message stores the code encrypted until it is sent, and cannot be sent again. Unknown codes count as those of balance inquiries. RESOURCE_CONFLICT unless the card is `active`, or if email is not set up.',
      body: EmailGiftCardBody,
      response: Success(SentMessage),
      errors: [...SCOPE, 'NOT_FOUND', 'INVALID_EMAIL', 'RESOURCE_CONFLICT', 'RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED'],
      run: ({ core, actor, body }) => core.giftCards.email(actor, body),
    }),
    route({
      ...read,
      path: '/gift-cards/:id',
      id: `${surface}.getGiftCard`,
      summary: 'One gift card with its history',
      description: 'Returns the card with the changes of its balance, oldest first, and with what the caller can do with it.',
      params,
      response: Success(withActions('GiftCardWithActions', GiftCardDetail, access)),
      errors: MISSING,
      run: (call) => forCaller(call, access, call.core.giftCards.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...manage,
      path: '/gift-cards/import',
      id: `${surface}.importGiftCards`,
      summary: 'Import balances of another product from CSV',
      description:
        'A form with `file`: CSV with a header row, of at most 1 MB and 2,000 lines. `code` and `balance` are required columns, `pin` is optional. Usual names of columns in English, German and Spanish are recognized; `mapping`, as JSON, names the columns of other files, such as `{"code": "Bon", "balance": "Rest"}`. Codes that can be guessed need a PIN. A code that is in use stays unchanged, so the same file changes nothing when it is imported again. If a line has an error, nothing is stored. With `dryRun=true` nothing is stored in any case.',
      upload: IMPORT_FORM,
      response: Success(GiftCardImport),
      errors: [...SCOPE, 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, request }) => {
        const { file, fields } = await receiveUpload(request, actor.tenantId, IMPORT_FORM);
        try {
          const { dryRun, mapping, merchantId } = fields;
          return await core.giftCards.import(actor, {
            text: () => file.text(),
            dryRun: dryRun === 'true',
            mapping,
            ...(merchantId && { merchantId }),
          });
        } finally {
          await file.dispose();
        }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      permission: 'refunds:write',
      path: '/gift-cards/refund',
      id: `${surface}.refundToGiftCard`,
      takesDrawer: true,
      approvable: true,
      summary: 'Refund a payment or an order to a gift card or store credit',
      description:
        'Takes the place of a refund to the original payment, with its limits and approvals. Callers without `gift-cards:manage` need an approval. Card payments need `storeCreditForCards` of the merchant. Bank payments and checks are refused. What a gift card paid returns to that card only, unless it is store credit of a deleted customer.',
      created: true,
      idempotent: true,
      body: StoreCreditRefundBody,
      response: Success(StoreCreditRefund),
      errors: [
        ...MISSING,
        'TRANSACTION_NOT_FOUND',
        'INVALID_AMOUNT',
        'ALREADY_REFUNDED',
        'NOT_REFUNDABLE',
        'CUSTOMER_NOT_FOUND',
        'RESOURCE_CONFLICT',
      ],
      run: async ({ core, actor, body }) => ({ storeCreditRefund: await core.orders.refundToStoreCredit(actor, body) }),
      show: ({ storeCreditRefund }) => storeCreditRefund,
    }),
    route({
      ...write,
      ...change,
      path: '/gift-cards/:id/reload',
      id: `${surface}.reloadGiftCard`,
      approvable: true,
      summary: 'Give an amount to a gift card or store credit',
      description:
        'Gives money without a payment; callers without `gift-cards:manage` need an approval. If the customer pays, send `giftCards` with `giftCardId` to `POST /orders`.',
      body: ReloadGiftCardBody,
      response: Success(GiftCard),
      errors: [...change.errors, 'INVALID_AMOUNT', 'REQUIRED_FIELD_MISSING'],
      run: async ({ core, actor, params: { id }, body }) => ({ giftCard: await core.giftCards.giveTo(actor, id, body) }),
      show: ({ giftCard }) => giftCard,
    }),
    route({
      ...write,
      ...change,
      path: '/gift-cards/:id/block',
      id: `${surface}.blockGiftCard`,
      summary: 'Block a gift card or store credit',
      description: 'It pays nothing until it is unblocked. The balance stays.',
      body: BlockGiftCardBody,
      response: Success(GiftCard),
      run: async ({ core, actor, params: { id }, body }) => ({ giftCard: await core.giftCards.block(actor, id, body) }),
      show: ({ giftCard }) => giftCard,
    }),
    route({
      ...write,
      ...change,
      path: '/gift-cards/:id/assign',
      id: `${surface}.assignGiftCard`,
      summary: 'Name the customer of a gift card',
      description: 'The record of the customer shows the card, which still pays by its code only. `customerId` null removes the name.',
      body: AssignGiftCardBody,
      response: Success(GiftCard),
      errors: [...change.errors, 'CUSTOMER_NOT_FOUND'],
      run: async ({ core, actor, params: { id }, body }) => ({ giftCard: await core.giftCards.assign(actor, id, body) }),
      show: ({ giftCard }) => giftCard,
    }),
    route({
      ...manage,
      ...change,
      path: '/gift-cards/:id/unblock',
      id: `${surface}.unblockGiftCard`,
      summary: 'Unblock a gift card or store credit',
      description: 'It pays again. RESOURCE_CONFLICT with `details.reason` `not_blocked` unless it is blocked.',
      response: Success(GiftCard),
      run: async ({ core, actor, params: { id } }) => ({ giftCard: await core.giftCards.unblock(actor, id) }),
      show: ({ giftCard }) => giftCard,
    }),
    route({
      ...manage,
      ...change,
      path: '/gift-cards/:id/extend',
      id: `${surface}.extendGiftCard`,
      approvable: true,
      summary: 'Extend or reinstate a gift card',
      description:
        'Moves the last day of a card that expires, or removes it. `expiredAmount` of the card is put on it again, which counts with the gifts of the day. RESOURCE_CONFLICT with `details.reason` `no_expiry` if the card does not expire.',
      body: ExtendGiftCardBody,
      response: Success(GiftCard),
      errors: [...change.errors, 'INVALID_DATE', 'REQUIRED_FIELD_MISSING'],
      run: async ({ core, actor, params: { id }, body }) => ({ giftCard: await core.giftCards.extend(actor, id, body) }),
      show: ({ giftCard }) => giftCard,
    }),
    route({
      ...manage,
      ...change,
      path: '/gift-cards/:id/replace',
      id: `${surface}.replaceGiftCard`,
      summary: 'Replace a lost gift card',
      description: 'Moves the balance to a new card, whose code the response alone contains. The former code pays nothing any more.',
      created: true,
      body: ReplaceGiftCardBody,
      response: Success(IssuedGiftCard),
      errors: [...change.errors, 'RATE_LIMIT_EXCEEDED'],
      run: async ({ core, actor, params: { id }, body }) => ({ issuedGiftCard: await core.giftCards.replace(actor, id, body) }),
      show: ({ issuedGiftCard }) => issuedGiftCard,
    }),
  ];
}
