import { count, flag, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

/** This server's circuit state of a gateway. Times are real time. */
export const GatewayHealth = record('GatewayHealth', {
  state: literals(
    ['closed', 'open', 'half-open'],
    '`closed`: payments are sent; `open`: none is sent; `half-open`: one payment at a time is sent to test the gateway',
  ),
  since: nullable(time('Time of the last state change; null if the state never changed')),
  failures: count('Consecutive requests and probes without a response', 0),
  lastAnswerAt: nullable(time('Time of the last response')),
  lastFailureAt: nullable(time('Time of the last failure', null)),
  lastReason: nullable(text('Reason of the last failure', null)),
  isRefused: flag('The gateway responds, but refuses the account: a person must check the setup', false),
  nextProbeAt: nullable(time('Time of the next probe; null if none is scheduled', null)),
});
export type GatewayHealth = RecordOf<typeof GatewayHealth>;
