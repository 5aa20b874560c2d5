import { integer, type RowOf, table, text } from '#core/database';

export const MERCHANTS = table(
  'merchants',
  {
    tenant_id: text,
    id: text,
    name: text,
    legal_name: text.optional,
    email: text.optional,
    phone: text.optional,
    currency: text,
    timezone: text,
    country: text,
    address: text.optional,
    city: text.optional,
    state: text.optional,
    zip: text.optional,
    /** JSON of the values that differ from the defaults, as in the next eight columns. */
    vt_settings: text,
    amount_settings: text,
    settings: text,
    fraud_settings: text,
    branding: text,
    permissions: text,
    dunning_settings: text,
    reminder_settings: text,
    late_fee_settings: text,
    routing: text,
    /** JSON of the last change of the public address. */
    public_url_change: text.optional,
    deleted_at: text.optional,
    updated_at: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type MerchantRow = RowOf<typeof MERCHANTS>;

export const GATEWAY_STATUSES = ['active', 'disabled'] as const;
export type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

export const GATEWAYS = table(
  'gateways',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** The connector's name. */
    type: text,
    name: text,
    /** Encrypted JSON; null if the connector needs none. */
    credentials: text.optional,
    status: text.of<GatewayStatus>(),
    /** Order without a deciding rule; lower numbers come first. */
    priority: integer,
    /** JSON of the account's settings besides its credentials; null for a sandbox gateway. */
    settings: text.optional,
    /** JSON of the last check of the account at the processor. */
    last_check: text.optional,
    /** Time of removal. The gateway takes nothing new; its payments are still captured and refunded through it. */
    removed_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'merchant_id', 'name']] },
);

export type GatewayRow = RowOf<typeof GATEWAYS>;
