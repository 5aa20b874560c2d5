import type { SessionRow } from '../schema.ts';

/** Columns of a session that describe the sign-in at its provider. */
export type CompanySession = Pick<
  SessionRow,
  'company_identity_id' | 'company_sid' | 'company_token' | 'company_checked_ms' | 'company_auth_ms'
>;

/** Columns of a session that did not begin at a provider. */
export const NO_COMPANY: CompanySession = {
  company_identity_id: null,
  company_sid: null,
  company_token: null,
  company_checked_ms: null,
  company_auth_ms: null,
};
