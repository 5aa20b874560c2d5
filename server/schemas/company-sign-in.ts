import { Type } from 'typebox';
import { Maybe, Text } from './fields.ts';

const GroupRule = Type.Object({
  group: Text(256, 'value of the groups claim: a name, a path or an ID, as the provider sends it'),
  role: Text(60, 'ID or name of the role that the group grants; not `owner`'),
  merchantId: Maybe(Text(60, 'merchant of the users; null for all merchants')),
});

export const CompanySettingsBody = Type.Object({
  isOn: Type.Boolean({ description: 'true if the sign-in screen offers it' }),
  name: Text(60, 'name of the company or provider on the sign-in screen'),
  issuer: Text(500, 'address of the provider, exactly as it names itself'),
  clientId: Text(256, 'ID of Paydesk at the provider'),
  clientSecret: Type.Optional(
    Maybe(Text(1024, 'secret of a confidential client; absent to keep the present one of the same issuer, null for a public client')),
  ),
  groupsClaim: Text(100, 'claim with the groups, such as `groups` or `roles`'),
  domain: Type.Optional(Maybe(Text(253, 'domain that the `hd` claim of Google must have'))),
  address: Type.Optional(
    Maybe(Text(500, 'address of the screens as it is registered at the provider, if it is not the one of the server')),
  ),
  groups: Type.Array(GroupRule, {
    maxItems: 100,
    description: 'Roles of groups in the order of precedence: the first rule whose group an account has applies.',
  }),
  isRequired: Type.Boolean({ description: 'true if passwords of all users but `breakGlassUserId` are refused' }),
  breakGlassUserId: Type.Optional(
    Maybe(Text(60, 'owner with a password and an authenticator app, who can sign in if the provider fails; required by `isRequired`')),
  ),
});
