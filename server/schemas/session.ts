import { Type } from 'typebox';
import { Text } from './fields.ts';

export const RefreshBody = Type.Object({
  refreshToken: Text(
    400,
    'Token that renews the access token, once',
    'ses_01m7y495cj0020acfq3xv5ygj8.1.ITCamxE4pVZ71OS3_dualXGVmG0Phz-Y5WNi7ztk-Cs',
  ),
});
