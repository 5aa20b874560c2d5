import { Type } from 'typebox';
import { count, flag, group, id, list, literals, mapOf, nullable, number, type RecordOf, record, text } from '#core/platform/fields';
import { FRAUD_RULES } from '../fraud/rules.ts';

const transactionId = id('txn', 'ID of the transaction');

/** Route of a simulated payment, with the reasons. */
export const RoutingSimulation = record('RoutingTest', {
  transactionId: nullable(transactionId),
  amount: number('Amount, in major units', 49.99),
  currency: text('ISO 4217 code of the currency', 'USD'),
  gateway: nullable(text('The first gateway that would be used', 'Main gateway')),
  rule: nullable(count('Index of the rule that chose it; null if none did', 0)),
  fallbacks: list(Type.String(), 'Gateways that are used if it does not respond', ['Second gateway']),
  trace: list(
    group('A rule', {
      index: count('Index of the rule', 0),
      condition: text('The expression, or `default`', 'amount > 100'),
      gateway: text('Gateway of the rule', 'Main gateway'),
      matched: flag('True if the rule matched'),
      skipped: nullable(text('Reason why a matching rule was skipped', null)),
      reasons: list(
        record('RoutingReason', {
          text: text('Comparison as written', 'amount > 100'),
          value: Type.Unknown({ description: 'Value of the field; null if the payment has none', example: 49.99 }),
          result: flag('Result of the comparison'),
        }),
        'Comparisons in the order of their evaluation',
      ),
    }),
    'Rules in their order',
  ),
  passedOver: list(
    group('A gateway', {
      gatewayId: id('gw', 'ID of the gateway'),
      name: text('Name of the gateway', 'Main gateway'),
      skipped: text('Reason why it cannot process the payment', 'The gateway is disabled.'),
    }),
    'gateways that cannot process the payment, regardless of the rules',
  ),
});
export type SimulatedRoute = RecordOf<typeof RoutingSimulation>;

/** Payments that fraud rules would have declined. */
export const FraudSimulation = group('The simulation', {
  examined: count('Examined payments', 12),
  stopped: count('Payments that the rules would have declined', 1),
  byRule: mapOf(Type.Integer(), 'Declined payments by rule', { maxAmount: 1 }),
  sample: list(
    group('A declined payment', {
      transactionId,
      rule: literals(FRAUD_RULES, 'Rule that declined it'),
      reason: text('Reason of the decline', 'The amount is above the limit.'),
    }),
    'The first declined payments',
  ),
});
export type FraudSimulation = RecordOf<typeof FraudSimulation>;
