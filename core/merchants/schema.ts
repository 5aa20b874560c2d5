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
    /** JSON of what differs from the defaults; so are the five below. */
    vt_settings: text,
    settings: text,
    fraud_settings: text,
    branding: text,
    permissions: text,
    dunning_settings: text,
    routing: text,
    deleted_at: text.optional,
    updated_at: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type MerchantRow = RowOf<typeof MERCHANTS>;

export type GatewayStatus = 'active' | 'disabled';

export const GATEWAYS = table(
  'gateways',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** The connector's name. */
    type: text,
    name: text,
    /** Sealed JSON; null where the connector needs none. */
    credentials: text.optional,
    status: text.of<GatewayStatus>(),
    /** The lower, the sooner, where no rule decides. */
    priority: integer,
    /** JSON of what a processor's account needs beside its credentials; null of the sandbox. */
    settings: text.optional,
    /** JSON of what the processor last said of the account. */
    last_check: text.optional,
    /** Time of removal. The gateway takes nothing new; its payments are still captured and refunded through it. */
    removed_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'merchant_id', 'name']] },
);

export type GatewayRow = RowOf<typeof GATEWAYS>;
