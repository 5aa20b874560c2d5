import { Type } from 'typebox';
import { Text } from './fields.ts';

const UserOut = Type.Object({ userId: Type.String(), email: Type.String(), role: Type.String(), tenantId: Type.String() });
/** What a sign-in answers with (decisions 3). */
export const SignedInFields = {
  token: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'seconds' }),
  user: UserOut,
};

export const RefreshBody = Type.Object({ refreshToken: Text(400) });
