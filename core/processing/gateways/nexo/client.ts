import type { HttpClient, HttpResponse } from '../http-client.ts';
import type { GatewayAccount } from '../processor.ts';
import { withoutSecrets } from '../redaction.ts';
import { parseAddress } from './address.ts';
import { certificateFrom, isNameOf } from './certificate.ts';
import { type Fields, groupIn, readJson, textIn } from './json.ts';
import { type Category, headerOf, type Parties, saleIdOf } from './messages.ts';
import { open, seal, sharedKeyOf } from './security.ts';

const PATH = '/nexo';
/** A payment with receipts and a signature has at most a tenth of it. */
const RESPONSE_BYTES_MAX = 262_144;
const DEPTH_MAX = 16;
const TIMEOUT_MS = 15_000;

/** One text for every fault of a message, because its cause is no concern of its sender. */
const UNVERIFIED = 'The response of the card reader could not be verified. Check the key of the gateway.';

/** A reader of the account and its present address. */
export interface Reader {
  readonly deviceId: string;
  readonly address: string | null;
}

export interface Message {
  readonly category: Category;
  readonly serviceId: string;
  readonly body: object;
  readonly timeoutMs?: number;
  /** Called when the reader has proved its name, before the message is sent. */
  readonly onConnected?: () => void;
}

/**
 * Body of a verified response; empty if the reader confirmed without one. `not-sent`: the message certainly did not leave. `unverified`: a response came, but
 * not from the reader, or not to this message.
 */
export type ReaderResponse =
  | { readonly kind: 'answer'; readonly body: Fields }
  | { readonly kind: 'not-sent' | 'lost' | 'unverified'; readonly reason: string };

export interface Client {
  partiesOf(reader: Reader): Parties;
  send(reader: Reader, message: Message): Promise<ReaderResponse>;
  /** Removes secrets from a text of the reader. */
  clean(text: string): string;
}

/** Creates the client for the readers of an account, which share its key. */
export function createClient({ gatewayId, credentials, mode }: GatewayAccount, httpClient: HttpClient): Client {
  const { keyIdentifier: identifier = '', keyVersion: version = '', passphrase = '', rootCertificate = '' } = credentials;
  const key = sharedKeyOf({ identifier, version, passphrase });
  const root = certificateFrom(rootCertificate)?.pem ?? '';
  const saleId = saleIdOf(gatewayId);
  const partiesOf = ({ deviceId: poiId }: Reader): Parties => ({ saleId, poiId });

  return {
    partiesOf,
    clean: (text) => withoutSecrets(text, [passphrase]),
    async send(reader, { category, serviceId, body, timeoutMs = TIMEOUT_MS, onConnected }) {
      const address = parseAddress(reader.address ?? '');
      if (address === undefined || httpClient.postToReader === undefined)
        return { kind: 'not-sent', reason: 'The card reader has no address.' };
      const header = headerOf(partiesOf(reader), category, 'Request', serviceId);
      const plain = JSON.stringify({ SaleToPOIRequest: { MessageHeader: header, [`${category}Request`]: body } });
      const response = await httpClient.postToReader({
        ...address,
        path: PATH,
        contentType: 'application/json',
        body: JSON.stringify({ SaleToPOIRequest: { MessageHeader: header, ...seal(key, plain) } }),
        timeoutMs,
        bytesMax: RESPONSE_BYTES_MAX,
        mayBeLocalhost: mode === 'test' && address.isLoopback,
        root,
        isNamed: (commonName) => isNameOf(commonName, reader.deviceId, mode),
        ...(onConnected && { onConnected }),
      });
      return read(response, headerOf(partiesOf(reader), category, 'Response', serviceId));
    },
  };

  /** Verifies a response: the key, the outer header and the encrypted one. */
  function read(response: HttpResponse, expected: ReturnType<typeof headerOf>): ReaderResponse {
    if (response.kind !== 'answered') return response;
    if (response.status !== 200)
      return { kind: 'unverified', reason: `The card reader responded with HTTP ${response.status}. Check the key of the gateway.` };
    if (response.body === '' && expected.MessageCategory === 'Abort') return { kind: 'answer', body: {} };
    const envelope = groupIn(readJson(response.body, DEPTH_MAX) ?? {}, 'SaleToPOIResponse');
    const plain = open(key, textIn(envelope, 'NexoBlob'), groupIn(envelope, 'SecurityTrailer'));
    const message = groupIn(plain === null ? {} : (readJson(plain, DEPTH_MAX) ?? {}), 'SaleToPOIResponse');
    const isExpected = [envelope, message].every((each) => hasHeader(groupIn(each, 'MessageHeader'), expected));
    if (!isExpected) return { kind: 'unverified', reason: UNVERIFIED };
    return { kind: 'answer', body: groupIn(message, `${expected.MessageCategory}Response`) };
  }
}

/** Returns true if a header has exactly these fields. */
export function hasHeader(header: Fields, expected: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(expected);
  return Object.keys(header).length === names.length && names.every((name) => textIn(header, name) === expected[name]);
}
