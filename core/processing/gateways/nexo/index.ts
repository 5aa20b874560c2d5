import type { Connector, ReferencedRequest } from '../connector.ts';
import type { Outcome } from '../outcome.ts';
import type { AccountCheck, GatewayAccount, Processor } from '../processor.ts';
import { ReaderDialogs } from '../reader-dialogs.ts';
import { reasonIn, resultOf } from './answers.ts';
import { certificateFrom } from './certificate.ts';
import { type Client, createClient } from './client.ts';
import { newServiceId, reversalBody, transactionOf } from './messages.ts';
import { readers } from './readers.ts';

const NAME = 'nexo';

/** Longest time of a request that a person waits for; the payment itself runs on the reader. */
const ANSWERS_WITHIN_MS = 30_000;

const refused = (reason: string, code: Extract<Outcome, { kind: 'not-sent' }>['code'] = 'VALIDATION_ERROR') =>
  Promise.resolve<Outcome>({ kind: 'not-sent', reason: `${reason} Nothing was sent.`, retry: 'error', code });
const notOnReader = () => refused('This gateway takes payments on its card readers only.', 'CARD_NOT_SUPPORTED');
const noChange = () => refused('The card reader cannot change a payment.', 'RESOURCE_CONFLICT');

/** The reader only confirms that it received a reversal. Its result is sent to addresses on the internet, which a workstation does not have. */
const REVERSAL_ACCEPTED = "The card reader accepted the reversal. Its result is in the processor's portal.";

/**
 * Connector to card readers in the local network by the nexo protocol (Sale to POI) in the form that Adyen's terminals have. `docs/connectors.md` lists what is
 * not verified on a real reader.
 */
export const nexo: Processor = {
  type: NAME,
  label: 'nexo card readers (local network)',
  hasOwnHosts: false,
  pairsReadersBy: 'address',
  isForReadersOnly: true,
  credentials: [
    {
      name: 'keyIdentifier',
      label: 'Key identifier',
      isSecret: false,
      isReplaceable: true,
      isRequired: true,
      lengthMax: 64,
      hint: 'In the portal of the processor, in the settings of the terminals: the identifier of the shared key.',
    },
    {
      name: 'keyVersion',
      label: 'Key version',
      isSecret: false,
      isReplaceable: true,
      isRequired: true,
      lengthMax: 6,
      hint: 'Beside the identifier: a whole number.',
    },
    {
      name: 'passphrase',
      label: 'Passphrase',
      isSecret: true,
      isRequired: true,
      lengthMax: 128,
      hint: 'The passphrase of the shared key, as it was entered there.',
    },
    {
      name: 'rootCertificate',
      label: 'Root certificate',
      isSecret: false,
      isReplaceable: true,
      isMultiline: true,
      isRequired: true,
      lengthMax: 4_000,
      hint: "The processor's root certificate for terminals in this environment, in PEM: from BEGIN CERTIFICATE to END CERTIFICATE.",
    },
  ],
  open: (account, httpClient, dialogs = new ReaderDialogs()) => connectorOf(account, createClient(account, httpClient), dialogs),
  check: async ({ credentials }) => checkKey(credentials),
};

/** Checks the form of the key and the certificate. Only a reader can tell whether the key is its own. */
function checkKey({ keyVersion = '', rootCertificate = '' }: GatewayAccount['credentials']): AccountCheck {
  if (!/^(?:0|[1-9]\d*)$/.test(keyVersion))
    return { kind: 'refused', field: 'keyVersion', reason: 'The key version must be a whole number.' };
  const root = certificateFrom(rootCertificate)?.certificate;
  const field = 'rootCertificate';
  if (root === undefined) return { kind: 'refused', field, reason: 'The root certificate must be one certificate in PEM.' };
  if (!root.ca) return { kind: 'refused', field, reason: 'This certificate is not a root certificate, but that of a server.' };
  if (Date.parse(root.validTo) < Date.now()) return { kind: 'refused', field, reason: 'The root certificate has expired.' };
  return { kind: 'ok', takesBankAccounts: false };
}

function connectorOf(account: GatewayAccount, client: Client, dialogs: ReaderDialogs): Connector {
  /** Asks the reader of a payment to reverse it, in full or in part. */
  async function reverse({ original, reader, amount }: ReferencedRequest, isPart: boolean): Promise<Outcome> {
    const transaction = transactionOf(original.reference);
    if (reader === undefined || transaction === undefined)
      return refused("The card reader cannot find this payment. Reverse it in the processor's portal.", 'NOT_REFUNDABLE');
    const body = reversalBody(transaction, isPart ? amount : null);
    const response = await client.send(reader, { category: 'Reversal', serviceId: newServiceId(), body });
    if (response.kind === 'not-sent')
      return refused('The card reader is offline. It sends reversals to the processor.', 'RESOURCE_CONFLICT');
    if (response.kind !== 'answer') return { kind: 'unknown', cause: response.reason, alert: 'processor-at-a-loss' };
    const { Result, ErrorCondition } = resultOf(response.body);
    if (Result === 'Success') return { kind: 'pending', reference: transaction.id, reason: REVERSAL_ACCEPTED };
    if (Result !== 'Failure')
      return { kind: 'unknown', cause: 'The response to the reversal has no result.', alert: 'processor-at-a-loss' };
    if (ErrorCondition === 'Busy') return refused('The card reader is in use. Try again when it is free.', 'RESOURCE_CONFLICT');
    const words = reasonIn(response.body, client.clean);
    return { kind: 'not-sent', reason: words || 'The card reader refused the reversal.', retry: 'error', code: 'NOT_REFUNDABLE' };
  }

  return {
    name: NAME,
    capabilities: {
      notFoundIsFinal: false,
      answersWithinMs: ANSWERS_WITHIN_MS,
      cancelsCaptures: false,
      refundsUnsettled: 'all',
      adjustsAmounts: false,
      returnsLate: false,
    },
    purchase: notOnReader,
    authorize: notOnReader,
    credit: notOnReader,
    capture: noChange,
    cancelCapture: noChange,
    adjust: noChange,
    void: (request) => reverse(request, false),
    refund: (request) => reverse(request, true),
    inquire: async () => ({ kind: 'unknown', cause: REVERSAL_ACCEPTED, alert: 'processor-at-a-loss' }),
    // Readers in the local network have no report of settlements.
    settlementReport: async () => [],
    terminals: readers(client, account, dialogs),
  };
}
