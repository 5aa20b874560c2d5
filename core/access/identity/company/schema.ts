import { integer, type RowOf, table, text } from '#core/database';

/** Company sign-in of a tenant (OpenID Connect): one row, with the ID `company`. */
export const COMPANY_SETTINGS = table(
  'company_sign_in',
  {
    tenant_id: text,
    id: text,
    is_on: integer,
    /** Name of the button on the sign-in screen. */
    name: text,
    issuer: text,
    client_id: text,
    /** Encrypted; null for a public client. */
    secret: text.optional,
    groups_claim: text,
    /** Domain that the `hd` claim must have; null for any. */
    domain: text.optional,
    /** Address of the screens as it is registered at the provider; null for the address of the server. */
    address: text.optional,
    /** JSON array of `GroupRule`, in the order of precedence. */
    groups: text,
    /** JSON array of the groups of the last sign-ins. */
    seen_groups: text,
    /** 1 if passwords of all users but the break-glass owner are refused. */
    is_required: integer,
    break_glass_user_id: text.optional,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type CompanySettingsRow = RowOf<typeof COMPANY_SETTINGS>;

/** Accounts at providers with their users. */
export const COMPANY_IDENTITIES = table(
  'company_identities',
  {
    tenant_id: text,
    /** SHA-256 of issuer and subject, which identify an account. An email address does not. */
    id: text,
    user_id: text,
    issuer: text,
    subject: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'company_identities_by_user', columns: ['tenant_id', 'user_id'] }] },
);

/** Sign-ins that have begun. Each is removed when it is used. */
export const COMPANY_ATTEMPTS = table(
  'company_sign_in_attempts',
  {
    tenant_id: text,
    /** SHA-256 of `state`. */
    id: text,
    /** SHA-256 of the secret of the browser that began. */
    browser_hash: text,
    /** Encrypted nonce and code verifier. */
    secrets: text,
    redirect_uri: text,
    /** Process that began a sign-in of the desktop application, which alone accepts its answer; null for a sign-in of a browser. */
    process_id: text.optional,
    /** Encrypted answer of the provider that another browser delivered. */
    answer: text.optional,
    expires_ms: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'company_sign_in_attempts_by_id', columns: ['id'] }] },
);

export type CompanyAttemptRow = RowOf<typeof COMPANY_ATTEMPTS>;
