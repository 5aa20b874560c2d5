import { Type } from 'typebox';
import { SettlementLine, SettlementSchedule, UnsettledLine } from '#core/books/settlement';
import { record } from '#core/platform/fields';
import { Maybe, Text } from './fields.ts';
import { PaymentFactsOut } from './payment-facts.ts';

const { merchantId: _merchantId, nextCutoffAt: _nextCutoffAt, ...RULE } = SettlementSchedule.properties;

/** Fields of a change of the schedule. The complete response of GET may be sent back. */
export const ScheduleBody = Type.Object({
  ...Type.Partial(Type.Object(RULE)).properties,
  merchantId: Type.Optional(Text(60, 'must be the merchant of the path')),
  nextCutoffAt: Type.Optional(Maybe(Type.String({ maxLength: 40, description: 'read-only; ignored' }))),
});

export const SettlementLineOut = record('SettlementLine', { ...SettlementLine.properties, payment: PaymentFactsOut });
export const UnsettledLineOut = record('UnsettledLine', { ...UnsettledLine.properties, payment: PaymentFactsOut });
