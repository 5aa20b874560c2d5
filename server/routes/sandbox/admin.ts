import { Type } from 'typebox';
import type { DisputeStage } from '#core/books/disputes';
import { ServiceError } from '#core/kernel';
import {
  Chargeback,
  type ClockMove,
  SandboxClock,
  SandboxClockMove,
  SandboxGatewayMode,
  SandboxMessage,
  SandboxTier,
} from '#core/operation/sandbox';
import { Transaction } from '#core/sales/payments';
import { Paginated, route, Success } from '#server/http';
import { AlwaysTrue, AmountIn, IdIn, oneOf, PageQuery, pageFrom, Text, TransactionIdIn } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Sandbox', scope: 'tenant' } as const;
const read = { ...shared, method: 'GET', permission: 'settings:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settings:write' } as const;
const errors = ['NOT_FOUND'] as const;

const clock = route({
  ...read,
  path: '/sandbox/clock',
  id: 'admin.sandboxClock',
  summary: 'Present time of the test clock',
  description: 'Not available on a live account.',
  response: Success(SandboxClock),
  errors,
  run: ({ core, actor }) => core.sandbox.clock(actor),
});

const moveClock = route({
  ...write,
  path: '/sandbox/clock',
  id: 'admin.moveSandboxClock',
  summary: 'Move the test clock forward',
  description:
    'Takes `advanceSeconds` or `now`. The jobs that become due run before the response, in order of their due times, for at most 20 seconds. `isComplete` is false if some are still due then, or because other requests kept making jobs due; they run at the new time. A webhook receiver that does not answer is asked once: its further attempts of the move are recorded as failed.',
  body: Type.Object({
    advanceSeconds: Type.Optional(Type.Integer({ description: 'whole seconds' })),
    now: Type.Optional(Text(40, 'an ISO 8601 time, not before the present one')),
  }),
  response: Success(SandboxClockMove),
  errors,
  run: ({ core, actor, body }) => core.sandbox.moveClock(actor, moveOf(body)),
});

function moveOf({ advanceSeconds, now }: { advanceSeconds?: number; now?: string }): ClockMove {
  if (advanceSeconds !== undefined && now !== undefined) {
    throw new ServiceError('VALIDATION_ERROR', 'Send `advanceSeconds` or `now`, not both.', { field: 'now' });
  }
  if (advanceSeconds !== undefined) return { advanceSeconds };
  if (now !== undefined) return { now };
  throw new ServiceError('REQUIRED_FIELD_MISSING', '`advanceSeconds` or `now` is required.', { field: 'advanceSeconds' });
}

const messages = route({
  ...read,
  scope: 'merchant',
  path: '/sandbox/messages',
  id: 'admin.sandboxMessages',
  summary: 'Emails and text messages that would have been sent, newest first',
  description: 'Not available on a live account.',
  query: Type.Object(PageQuery),
  response: Paginated(SandboxMessage),
  errors,
  run: ({ core, actor, query }) => core.sandbox.messages(actor, pageFrom(query)),
});

const gatewayMode = route({
  ...read,
  path: '/sandbox/gateway',
  id: 'admin.sandboxGateway',
  summary: 'Mode of the sandbox gateway',
  description: 'Not available on a live account.',
  query: Type.Object({ gatewayId: Type.Optional(IdIn('gw', 'gateway')) }),
  response: Success(SandboxGatewayMode),
  errors,
  run: ({ core, actor, query }) => core.sandbox.gatewayMode(actor, query.gatewayId),
});

const setGatewayMode = route({
  ...write,
  path: '/sandbox/gateway',
  id: 'admin.setSandboxGateway',
  idempotent: false,
  summary: 'Simulate an outage, a slow gateway or lost answers',
  description: 'Applies to all gateways of the tenant or, with `gatewayId`, to one gateway, to test failover.',
  body: Type.Object({ ...SandboxGatewayMode.properties, gatewayId: Type.Optional(IdIn('gw', 'gateway')) }),
  response: Success(SandboxGatewayMode),
  errors,
  run: ({ core, actor, body }) => core.sandbox.setGatewayMode(actor, body.mode, body.gatewayId),
});

const tier = route({
  ...read,
  path: '/sandbox/tier',
  id: 'admin.sandboxTier',
  summary: 'Tier of the sandbox account, which decides its request limits',
  description: 'Not available on a live account.',
  response: Success(SandboxTier),
  errors,
  run: ({ core, actor }) => core.sandbox.tier(actor),
});

const setTier = route({
  ...write,
  method: 'PUT',
  path: '/sandbox/tier',
  id: 'admin.setSandboxTier',
  summary: 'Give the sandbox account the request limits of a tier',
  description:
    'To test how a program handles 429. It applies to every user and API key of the account at once, on other servers within two seconds; a key with a lower tier of its own keeps it. The tier `sandbox` removes the limits again. `tier` of `POST /api-keys` limits one key only.',
  body: SandboxTier,
  response: Success(SandboxTier),
  errors,
  run: ({ core, actor, body }) => core.sandbox.setTier(actor, body.tier),
});

const chargeback = route({
  ...write,
  scope: 'merchant',
  path: '/sandbox/chargebacks',
  id: 'admin.raiseSandboxChargeback',
  summary: 'Raise a chargeback, or conclude the active one',
  description:
    'Opens a dispute as a processor would, at the stage `chargeback` or another one. With an outcome it concludes the active dispute of the payment, or the new one. Emits chargeback.received, chargeback.won and chargeback.lost.',
  body: Type.Object({
    transactionId: TransactionIdIn,
    amount: Type.Optional(AmountIn),
    reason: Type.Optional(Text(200, 'a reason code of the scheme, such as 10.4, or a word such as not_received')),
    stage: oneOf('retrieval', 'chargeback', 'prearbitration', 'arbitration'),
    outcome: oneOf('won', 'lost'),
  }),
  response: Success(Chargeback),
  errors: ['NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_AMOUNT', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => {
    const { stage, outcome, ...rest } = body;
    return core.sandbox.raiseChargeback(actor, {
      ...rest,
      stage: stage as DisputeStage | undefined,
      outcome: outcome as 'won' | 'lost' | undefined,
    });
  },
});

const returnPayment = route({
  ...write,
  scope: 'merchant',
  path: '/sandbox/returns',
  id: 'admin.returnSandboxPayment',
  summary: 'Return a bank payment as its bank would',
  description:
    'The whole payment goes back, and its order or invoice is open again, as when a processor reports the return days later. Emits transaction.declined with `returned` true.',
  body: Type.Object({
    transactionId: TransactionIdIn,
    code: Type.Optional(Text(10, 'return code of the bank, such as R02; by default R01')),
    reason: Type.Optional(Text(200, 'reason of the bank; by default `Insufficient funds`')),
  }),
  response: Success(Transaction),
  errors: ['NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.sandbox.returnBankPayment(actor, body),
});

const reset = route({
  ...write,
  path: '/sandbox/reset',
  id: 'admin.resetSandbox',
  idempotent: false,
  summary: "Delete the tenant's data",
  description: 'Tenant, merchants, users, keys, settings and clock are kept.',
  response: Success(Type.Object({ reset: AlwaysTrue })),
  errors,
  run: ({ core, actor }) => core.sandbox.reset(actor),
  show: () => ({ reset: true }) as const,
});

export const adminSandbox = [clock, moveClock, messages, gatewayMode, setGatewayMode, tier, setTier, chargeback, returnPayment, reset];
