import { table } from '#core/database';

export interface MerchantRow {
  tenant_id: string;
  id: string;
  name: string;
  legal_name: string | null;
  email: string | null;
  phone: string | null;
  currency: string;
  timezone: string;
  country: string;
  address: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  /** JSON of what differs from the defaults; so are the five below. */
  vt_settings: string;
  settings: string;
  fraud_settings: string;
  branding: string;
  permissions: string;
  dunning_settings: string;
  routing: string;
  deleted_at: string | null;
  updated_at: string | null;
  created_at: string;
}

export const MERCHANTS = table<MerchantRow>(
  'merchants',
  {
    tenant_id: 'text',
    id: 'text',
    name: 'text',
    legal_name: 'text?',
    email: 'text?',
    phone: 'text?',
    currency: 'text',
    timezone: 'text',
    country: 'text',
    address: 'text?',
    city: 'text?',
    state: 'text?',
    zip: 'text?',
    vt_settings: 'text',
    settings: 'text',
    fraud_settings: 'text',
    branding: 'text',
    permissions: 'text',
    dunning_settings: 'text',
    routing: 'text',
    deleted_at: 'text?',
    updated_at: 'text?',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'] },
);

export type GatewayStatus = 'active' | 'disabled';

export interface GatewayRow {
  tenant_id: string;
  id: string;
  merchant_id: string;
  /** The connector's name. */
  type: string;
  name: string;
  /** Sealed JSON; null where the connector needs none. */
  credentials: string | null;
  status: GatewayStatus;
  /** The lower, the sooner, where no rule decides. */
  priority: number;
  /** JSON of what a processor's account needs beside its credentials; null of the sandbox. */
  settings: string | null;
  /** JSON of what the processor last said of the account. */
  last_check: string | null;
  /** Since when it takes nothing new; what it took is still captured and given back through it. */
  removed_at: string | null;
  created_at: string;
  updated_at: string;
}

export const GATEWAYS = table<GatewayRow>(
  'gateways',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    type: 'text',
    name: 'text',
    credentials: 'text?',
    status: 'text',
    priority: 'integer',
    settings: 'text?',
    last_check: 'text?',
    removed_at: 'text?',
    created_at: 'text',
    updated_at: 'text',
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'merchant_id', 'name']] },
);
