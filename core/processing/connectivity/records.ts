import { count, flag, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

/** One active gateway of a merchant, as this server reaches it. */
const GatewayConnectivity = record('GatewayConnectivity', {
  gatewayId: id('gw', 'ID of the gateway'),
  name: text('Name of the gateway', 'Main'),
  type: text('Processor of the gateway', 'sandbox'),
  currency: nullable(text('Its only currency; null for the sandbox, which accepts all currencies', 'USD')),
  state: literals(['up', 'down'], '`up`: payments are sent to it; `down`: none is sent'),
  cause: nullable(
    literals(
      ['silent', 'network', 'refused'],
      '`silent`: the gateway does not respond; `network`: this computer has no connection to it; `refused`: it refuses the account. Null while it is up',
    ),
  ),
  since: nullable(time('Start of the outage; null while it is up, and if it is not known')),
  reason: nullable(text('Reason of the last failure, as a sentence; null while it is up', 'The gateway does not respond.')),
});
export type GatewayConnectivity = RecordOf<typeof GatewayConnectivity>;

/** Operations of a merchant that work now. */
const Works = record('ReachWorks', {
  cards: flag('True if cards can be charged', true),
  bankAccounts: flag('True if bank accounts can be charged', true),
  refunds: flag('True if card and bank payments can be refunded', true),
  chargeLater: flag('True if payments with saved cards and bank accounts can be queued to be charged later', true),
  cash: flag('True if cash can be taken', true),
  checks: flag('True if checks and other tenders can be taken', true),
  invoices: flag('True if invoices and payment links can be created', true),
  payPages: flag('True if payers can pay invoices and payment links', true),
  messages: flag('True if emails and text messages leave now; otherwise they wait and leave later', true),
});
export type Works = RecordOf<typeof Works>;

/** Connection of this server to everything that payments need, for one merchant. */
export const ConnectivityReport = record('ConnectivityReport', {
  state: literals(
    ['online', 'gateway-down', 'offline', 'database-down'],
    '`online`: payments reach a gateway; `gateway-down`: no gateway of the merchant takes payments; `offline`: this computer has no connection to any of them; `database-down`: the database does not respond',
  ),
  since: nullable(time('Start of the state; null if there was no outage yet')),
  merchantId: nullable(id('mer', 'ID of the merchant; null while the database is down')),
  gateways: list(GatewayConnectivity, 'Active gateways of the merchant; empty while the database is down'),
  works: Works,
  waitingMessages: count('Number of emails and text messages that wait to be sent', 0),
  waitingPayments: count('Number of payments that are charged when the gateway answers', 0),
});
export type ConnectivityReport = RecordOf<typeof ConnectivityReport>;
