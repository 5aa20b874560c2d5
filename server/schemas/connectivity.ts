import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { Maybe, Timestamp } from './fields.ts';
import { named } from './named.ts';

const GatewayConnectivityOut = named(
  'GatewayConnectivity',
  Type.Object({
    gatewayId: Type.String(),
    name: Type.String(),
    type: Type.String(),
    currency: Maybe(Type.String({ description: 'its only currency; null for the sandbox, which accepts all currencies' })),
    state: literals(['up', 'down'], '`up`: payments are sent to it; `down`: none is sent'),
    cause: Maybe(
      literals(
        ['silent', 'network', 'refused'],
        '`silent`: the gateway does not respond; `network`: this computer has no connection to it; `refused`: it refuses the account. Null while it is up',
      ),
    ),
    since: Maybe(Timestamp),
    reason: Maybe(Type.String({ description: 'reason of the last failure, as a sentence; null while it is up' })),
  }),
);

/** Connection of this server to the gateways of a merchant. */
export const ConnectivityOut = named(
  'ConnectivityReport',
  Type.Object({
    state: literals(
      ['online', 'gateway-down', 'offline', 'database-down'],
      '`online`: payments reach a gateway; `gateway-down`: no gateway of the merchant takes payments; `offline`: this computer has no connection to any of them; `database-down`: the database does not respond',
    ),
    since: Maybe(Type.String({ format: 'date-time', description: 'start of the state; null if there was no outage yet' })),
    merchantId: Maybe(Type.String({ description: 'null while the database is down' })),
    gateways: Type.Array(GatewayConnectivityOut, { description: 'active gateways of the merchant; empty while the database is down' }),
    works: named(
      'ReachWorks',
      Type.Object({
        cards: Type.Boolean({ description: 'true if cards can be charged' }),
        bankAccounts: Type.Boolean({ description: 'true if bank accounts can be charged' }),
        refunds: Type.Boolean({ description: 'true if card and bank payments can be refunded' }),
        chargeLater: Type.Boolean({
          description: 'true if payments with saved cards and bank accounts can be queued to be charged later',
        }),
        cash: Type.Boolean({ description: 'true if cash can be taken' }),
        checks: Type.Boolean({ description: 'true if checks and other tenders can be taken' }),
        invoices: Type.Boolean({ description: 'true if invoices and payment links can be created' }),
        payPages: Type.Boolean({ description: 'true if payers can pay invoices and payment links' }),
        messages: Type.Boolean({ description: 'true if emails and text messages leave now; otherwise they wait and leave later' }),
      }),
    ),
    waitingMessages: Type.Integer({ description: 'number of emails and text messages that wait to be sent' }),
    waitingPayments: Type.Integer({ description: 'number of payments that are charged when the gateway answers' }),
  }),
);
