import { type TObject, Type } from 'typebox';
import { group, list } from '#core/platform/fields';
import { MerchantRecord, RulesIn, SECTIONS, type SectionName } from '#core/processing/merchants';
import { FraudSimulation, RoutingSimulation } from '#core/sales/payments';
import { Bare, NOT_FREE_TEXT, Paginated, type Reply, type Route, route, Success } from '#server/http';
import {
  AmountIn,
  DateQuery,
  Deleted,
  datedPageFrom,
  EmailIn,
  MerchantChange,
  MetadataIn,
  NewMerchantBody,
  oneOf,
  PageQuery,
  Params,
  SECTION_CHANGES,
  Text,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Merchants', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'merchants:read' } as const;
const write = { ...shared, permission: 'merchants:write' } as const;
const MISSING = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const closing = {
  ...shared,
  scope: 'tenant',
  permission: 'merchants:close',
  confirms: { level: 'recent' },
  params: Params('id'),
  errors: [...MISSING, 'RESOURCE_CONFLICT'],
} as const;

const create = (path: string, id: string, summary: string) =>
  route({
    ...write,
    scope: 'tenant',
    method: 'POST',
    path,
    id,
    summary,
    description: 'Currency, time zone and country default to those of the first merchant.',
    created: true,
    body: NewMerchantBody,
    response: Success(MerchantRecord),
    errors: ['INVALID_EMAIL', 'INVALID_PHONE', 'INVALID_CURRENCY', 'MERCHANT_NOT_AUTHORIZED'],
    run: ({ core, actor, body }) => core.merchants.create(actor, body),
  });

const merchants = [
  create('/merchants', 'admin.createMerchant', 'Create a merchant'),
  create('/merchants/provision', 'admin.provisionMerchant', 'Provision a merchant'),
  route({
    ...read,
    path: '/merchants',
    id: 'admin.listMerchants',
    summary: 'Merchants, newest first',
    description: 'Open ones by default. Callers with access to one merchant get that merchant.',
    rate: 'list-merchants',
    query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('open', 'closed') }),
    response: Paginated(MerchantRecord),
    run: async ({ core, actor, query }) => core.merchants.page(actor, { status: query.status }, await datedPageFrom(core, actor, query)),
  }),
  route({
    ...read,
    path: '/merchants/:id',
    id: 'admin.getMerchant',
    summary: 'One merchant',
    description: 'Settings have routes of their own.',
    params: Params('id'),
    response: Success(MerchantRecord),
    errors: MISSING,
    run: ({ core, actor, params }) => core.merchants.get(actor, params.id),
  }),
  route({
    ...write,
    method: 'PUT',
    path: '/merchants/:id',
    id: 'admin.updateMerchant',
    summary: 'Change a merchant',
    description:
      'Fields that are left out keep their values. Fields that cannot be changed are ignored, so the response of GET can be sent back.',
    params: Params('id'),
    body: MerchantChange,
    response: Success(MerchantRecord),
    errors: [...MISSING, 'INVALID_EMAIL', 'INVALID_PHONE', 'INVALID_CURRENCY'],
    run: ({ core, actor, params, body }) => core.merchants.update(actor, params.id, body),
  }),
  route({
    ...closing,
    method: 'DELETE',
    path: '/merchants/:id',
    id: 'admin.deleteMerchant',
    summary: 'Close a merchant',
    description:
      'The merchant takes no more payments, its pages answer 410 and its API keys 401; its payments can still be refunded. Refused with `details.obstacles` while money is unsettled, unpaid or disputed, and for the last merchant. It can be opened again within 30 days.',
    response: Success(Deleted),
    run: async ({ core, actor, params }) => {
      await core.merchants.close(actor, params.id);
      return params.id;
    },
    show: (id) => ({ id, deleted: true }) as const,
  }),
  route({
    ...closing,
    method: 'POST',
    path: '/merchants/:id/reopen',
    id: 'admin.reopenMerchant',
    summary: 'Open a closed merchant again',
    description: 'Within 30 days after it was closed. Its API keys and pages work again.',
    response: Success(MerchantRecord),
    run: async ({ core, actor, params }) => {
      await core.merchants.reopen(actor, params.id);
      return core.merchants.get(actor, params.id);
    },
  }),
];

/** Confirmations of changes of settings objects. */
const CONFIRMED_SECTIONS: Partial<Record<SectionName, Route['confirms']>> = {
  // Payers type their cards at the public address.
  settings: { level: 'recent', when: (body: Readonly<Record<string, unknown>>) => body.publicUrl !== undefined },
  permissions: { level: 'recent' },
  // Routing decides where money and card numbers are sent.
  'gateway-routing': { level: 'recent', accounts: 'live' },
};

/** Declares the two routes of a settings object. Absent fields stay unchanged; unknown fields are refused. */
function section(name: SectionName, title: string, description?: string): Route[] {
  const about = { path: `/merchants/:id/${name}`, params: Params('id') };
  const described = (text: string) => (description === undefined ? text : `${description} ${text}`);
  // Responses of branding have no envelope.
  const response = (name === 'branding' ? Bare(SECTIONS[name]) : Success(SECTIONS[name])) as Reply<object>;
  const pascal = name.replace(/(^|-)(\w)/g, (_all, _before, letter: string) => letter.toUpperCase());
  return [
    route({
      ...read,
      ...about,
      id: `admin.get${pascal}`,
      summary: title,
      description: described('Fields that were never set have their defaults.'),
      response,
      errors: MISSING,
      run: ({ core, actor, params }) => core.merchants.section(actor, params.id, name) as Promise<object>,
    }),
    route({
      ...write,
      ...about,
      scope: name === 'permissions' ? ('tenant' as const) : ('merchant' as const),
      method: 'PUT',
      id: `admin.change${pascal}`,
      approvable: name === 'permissions',
      confirms: CONFIRMED_SECTIONS[name],
      summary: `Change: ${title.toLowerCase()}`,
      description: described('Fields that are left out keep their values.'),
      body: SECTION_CHANGES[name] as TObject,
      response,
      errors: [...MISSING, 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params, body }) => core.merchants.changeSection(actor, params.id, name, body as never) as Promise<object>,
    }),
  ];
}

const sections = [
  ...section('settings', 'Settings of a merchant'),
  ...section('fraud-settings', 'Fraud rules of a merchant'),
  ...section('vt-settings', 'Settings of the Sell screen of a merchant'),
  ...section(
    'amount-settings',
    'Settings of tips, tax and surcharges',
    'A surcharge is never more than the limits of law and card schemes, whatever the settings say.',
  ),
  ...section('branding', 'Branding of pages and receipts', 'The response is the object itself, without the envelope.'),
  ...section(
    'permissions',
    'Permission limit of a merchant',
    'Limits the permissions of all users and keys of the merchant; null means no limit. Only users of the whole account can change it.',
  ),
  ...section('dunning-settings', 'Settings for failed renewals of a merchant'),
  ...section(
    'reminder-settings',
    'Reminders of unpaid invoices',
    'They are off until `enabled` is true. Preview them with `POST /merchants/{id}/reminder-settings/dry-run`.',
  ),
  ...section(
    'late-fee-settings',
    'Late fees of unpaid invoices',
    'They are off until `enabled` is true, and have no tax. Laws differ; the merchant decides. Preview them with `POST /merchants/{id}/late-fee-settings/dry-run`.',
  ),
  ...section(
    'gateway-routing',
    'Routing rules of a merchant',
    'The first rule that matches chooses the gateway. A condition compares amount, currency, card.brand, card.bin, card.last4, paymentMethod, type, customer.email and metadata.* with == != < <= > >= and `in [..]`, combined with and, or, not. For an invalid condition, `details.index`, `details.position` and `details.length` locate the error.',
  ),
];

const simulations = [
  route({
    ...write,
    method: 'POST',
    path: '/merchants/:id/gateway-routing/dry-run',
    permission: 'merchants:read',
    id: 'admin.tryGatewayRouting',
    idempotent: false,
    summary: 'Simulate routing rules',
    description: 'Applies the saved rules, or `rules`, to `sale`, or to the last 20 payments. Nothing is saved or sent.',
    params: Params('id'),
    body: Type.Object({
      rules: Type.Optional(RulesIn),
      sale: Type.Optional(
        group('Sale for which the rules are tried', {
          amount: AmountIn,
          currency: Type.Optional(Text(3, 'ISO 4217 code of the currency')),
          cardNumber: Type.Optional(
            Type.String({
              [NOT_FREE_TEXT]: 'protected',
              pattern: '^\\d{6,19}$',
              description: 'digits of a card; the first six suffice',
            }),
          ),
          paymentMethod: oneOf('card', 'ach', 'token'),
          type: oneOf('sale', 'auth'),
          email: Type.Optional(EmailIn()),
          metadata: Type.Optional(MetadataIn),
        }),
      ),
    }),
    response: Success(list(RoutingSimulation, 'Payments with their routes')),
    errors: [...MISSING, 'INVALID_AMOUNT', 'INVALID_CURRENCY'],
    run: ({ core, actor, params, body }) => core.payments.simulateRouting(actor, params.id, body as never),
  }),
  route({
    ...write,
    method: 'POST',
    path: '/merchants/:id/fraud-settings/dry-run',
    permission: 'merchants:read',
    id: 'admin.tryFraudSettings',
    idempotent: false,
    summary: "Simulate fraud rules on last week's sales",
    description: 'Uses the saved settings with the given fields replaced. Nothing is saved.',
    params: Params('id'),
    body: SECTION_CHANGES['fraud-settings'],
    response: Success(FraudSimulation),
    errors: [...MISSING, 'INVALID_AMOUNT', 'INVALID_CURRENCY'],
    run: ({ core, actor, params, body }) => core.payments.simulateFraudSettings(actor, params.id, body as never),
  }),
];

export const adminMerchants = [...merchants, ...sections, ...simulations];
