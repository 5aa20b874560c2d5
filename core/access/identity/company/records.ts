import { Type } from 'typebox';
import { flag, group, id, list, nullable, type RecordOf, text, time } from '#core/platform/fields';

/** Role that a group grants. The first rule whose group an account has applies. */
const GroupRule = group('A group with its role', {
  group: text('Group of the provider', 'Tills'),
  role: text('ID or name of a role, other than `owner`', 'cashier'),
  merchantId: nullable(text('Merchant of the users; null for all merchants', null)),
});
export type GroupRule = RecordOf<typeof GroupRule>;

/** Settings as owners see them. */
export const CompanySettings = group('The settings', {
  isOn: flag('True if the sign-in screen offers it', true),
  name: text('Name of the company or provider on the sign-in screen', 'Harbor'),
  issuer: text('Address of a provider of OpenID Connect', 'https://login.harbor.example'),
  clientId: text('ID of Paydesk at the provider', 'paydesk'),
  hasSecret: flag('True if a client secret is stored; it is never returned'),
  groupsClaim: text('Claim of the provider that contains the groups', 'groups'),
  domain: nullable(text('Domain that the `hd` claim of Google must have', 'harbor.example')),
  address: nullable(text('Address of the screens as it is registered at the provider, if it is not the one of the server', null)),
  groups: list(GroupRule, 'Roles of groups, in the order of precedence'),
  isRequired: flag('True if passwords of all users but `breakGlassUserId` are refused', false),
  breakGlassUserId: nullable(id('usr', 'Owner who can sign in with a password while company sign-in is required')),
  seenGroups: list(Type.String(), 'Groups of the last sign-ins, up to 200', ['Tills']),
  redirectUri: text('Address to register at the provider', 'https://pay.harbor.example/company-sign-in'),
  logoutUri: text('Address for the back-channel logout of the provider', 'https://pay.harbor.example/company-sign-in/logout'),
  updatedAt: nullable(time('Time of the last change; null before it')),
});
export type CompanySettings = RecordOf<typeof CompanySettings>;

/** A sign-in that has begun. */
export const BegunSignIn = group('The sign-in', {
  url: text('Address of the provider, which the browser opens', 'https://login.harbor.example/authorize?state=5b1f'),
  state: text('`state` of the redirect address', '5b1f'),
  browserKey: text('Secret of the browser that began a sign-in', '9f86d081'),
  expiresAt: time('Time at which the sign-in expires'),
});
export type BegunSignIn = RecordOf<typeof BegunSignIn>;
