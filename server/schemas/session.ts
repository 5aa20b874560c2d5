import { Type } from 'typebox';
import { Text } from './fields.ts';

export const RefreshBody = Type.Object({ refreshToken: Text(400) });
