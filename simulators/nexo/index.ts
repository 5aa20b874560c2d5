// A nexo card reader in the local network as documented, strict: it refuses wrong fields, keys, HMACs, nonces and clocks.
import type { ReceivedRequest, SimulatorContext, SimulatorProtocol, SimulatorResponse } from '../simulator-server.ts';
import { createRoot } from './certificates.ts';
import { type EnvelopeFault, keyOf, type OpenedRequest, openRequest, sealResponse } from './envelope.ts';
import { newReader, presentAt, READER_QUIRKS, type Reader, respond, responseHeaderOf } from './reader.ts';

const PATH = '/nexo';
const DOMAIN = 'test.terminal.adyen.com';
const ENVELOPE_FAULTS: readonly EnvelopeFault[] = ['wrong-hmac', 'wrong-key-version', 'wrong-outer-header', 'wrong-padding'];
const LONG = 1_048_576;
const DEEP = 10_000;

interface State {
  readonly reader: Reader;
  readonly nonces: Set<string>;
  /** The last response, for `replay`. */
  last: string;
}

const states = new WeakMap<SimulatorContext, State>();

function stateOf(context: SimulatorContext, id: string): State {
  const known = states.get(context);
  if (known) return known;
  const made = { reader: newReader(id), nonces: new Set<string>(), last: '' };
  states.set(context, made);
  return made;
}

/** Returns the decrypted request; null if it cannot be verified. */
function opened({ body }: ReceivedRequest, { credentials }: SimulatorContext, nonces: Set<string>): OpenedRequest | null {
  try {
    return openRequest(keyOf(credentials), body, nonces);
  } catch {
    return null;
  }
}

const json = (body: string, status = 200): SimulatorResponse => ({ status, contentType: 'application/json', body });

/** Returns a reader with an ID. All readers have the same key. */
export const nexoReader = (id: string): SimulatorProtocol => ({
  kind: 'nexo',
  credentials: {
    keyIdentifier: 'paydesk-test',
    keyVersion: '1',
    passphrase: 'paydesk-test-passphrase',
    rootCertificate: createRoot().certificate,
  },
  /**
   * `wrong-name`, `shared-name`, `other-root`: names and root of the certificate, from the start. `wrong-…`: faults of the encryption. `replay`: the previous
   * response again. `malformed`, `deep`, `long`: bodies that are not JSON, nested deeply, or too long. The others are faults of the reader.
   */
  quirks: [...READER_QUIRKS, ...ENVELOPE_FAULTS, 'wrong-name', 'other-root', 'replay', 'malformed', 'deep', 'long'],

  operationOf: ({ body }) => /"MessageCategory":"(\w+)"/.exec(body)?.[1] ?? '',

  device: {
    id,
    tls({ quirks }) {
      const name = quirks.has('wrong-name') ? 'SIM-000002' : quirks.has('shared-name') ? 'legacy-terminal-certificate' : id;
      return createRoot(quirks.has('other-root') ? 'another root' : undefined).issue(`${name}.${DOMAIN}`);
    },
    isReachable(context) {
      const { isPlugged, isConnected } = stateOf(context, id).reader;
      return isPlugged && isConnected;
    },
  },

  present: (context, input) => presentAt(stateOf(context, id).reader, context, input),

  async answer(received, context, protocolFault) {
    if (received.path !== PATH || received.method !== 'POST' || received.contentType !== 'application/json') return json('', 404);
    const state = stateOf(context, id);
    const request = opened(received, context, state.nonces);
    if (request === null) return json('', 401);
    if (protocolFault?.kind === 'busy') return json('', 503);
    const body = await respond(state.reader, request, context);
    if (body === undefined) return null;
    if (body === null) return json('');
    const { quirks } = context;
    if (quirks.has('malformed')) return json('<html>');
    if (quirks.has('deep')) return json('['.repeat(DEEP));
    if (quirks.has('long')) return json(JSON.stringify({ text: 'x'.repeat(LONG) }));
    if (quirks.has('replay') && state.last !== '') return json(state.last);
    const fault = ENVELOPE_FAULTS.find((each) => quirks.has(each));
    state.last = sealResponse(keyOf(context.credentials), responseHeaderOf(request.header), body, fault);
    return json(state.last);
  },
});

export const nexoSimulator = nexoReader('SIM-000001');
