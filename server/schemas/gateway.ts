import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { CutoffTime, GatewayChannels, GatewayMode, HoldMinutes } from '#core/processing/merchants';
import { NOT_FREE_TEXT } from '#server/http';
import { CurrencyIn, Maybe, Text } from './fields.ts';

const Status = literals(['active', 'disabled'], 'one of active, disabled');
const GatewayName = Type.String({ minLength: 1, maxLength: 60, description: 'Name' });
const GatewayFields = {
  credentials: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), {
      [NOT_FREE_TEXT]: 'protected',
      description: 'credentials of the processor account; never returned',
    }),
  ),
  status: Type.Optional(Status),
  priority: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'a whole number; gateways with lower numbers are used first' }),
  ),
  mode: Type.Optional(GatewayMode),
  origin: Type.Optional(Maybe(Text(200, "an address such as https://secure.example.com, or null for the processor's own"))),
  currency: Type.Optional(CurrencyIn),
  timezone: Type.Optional(Text(60, 'an IANA time zone')),
  cutoffTime: Type.Optional(CutoffTime),
  captureHoldMinutes: Type.Optional(HoldMinutes),
  channels: Type.Optional(Maybe(GatewayChannels)),
};
export const NewGatewayBody = Type.Object({ type: Text(40, 'Type of the processor', 'nmi'), name: GatewayName, ...GatewayFields });
export const GatewayChange = Type.Object({
  type: Type.Optional(Text(40, 'Type of the processor', 'nmi')),
  name: Type.Optional(GatewayName),
  ...GatewayFields,
});
