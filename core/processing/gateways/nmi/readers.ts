import type { Currency } from '#core/kernel';
import type { Canceler, EntryMode } from '#shared/terminals';
import { brandOf } from '../card-brands.ts';
import type { CardPresent, Outcome } from '../outcome.ts';
import { withoutSecrets } from '../redaction.ts';
import type { TerminalAnswer, TerminalConnector, TerminalDevice, TerminalInquiry, TerminalRegistration } from '../terminals.ts';
import { declinedBy, meaningOf, outcomeOf, type SentRequest } from './answers.ts';
import type { Client, DeviceResponse } from './client.ts';
import { inquire } from './inquire.ts';
import { cancelForm, readerForm } from './requests.ts';
import { inquireVerification } from './verification.ts';

/** Paths of the API of card readers. */
const PATHS = {
  register: '/api/v2/devices/register',
  remove: '/api/v2/devices/deregister',
  device: '/api/v2/devices/list/',
  status: '/api/asyncstatus/',
} as const;

/** Code of a payment that a card reader has accepted and not ended. */
const ACCEPTED = '101';
const GUID = /^[\w-]{8,64}$/;
const DEPTH_MAX = 6;

const CANCELERS = { cancelledAtTerminal: 'customer', cancelledByTimeout: 'timeout', cancelledByApi: 'clerk' } as const;
/** `poiDeviceInUse` is not final: the request may still wait for the reader. */
const RUNNING: ReadonlySet<string> = new Set(['pending', 'inFlight', 'poiDeviceInUse']);

type Inquired = TerminalAnswer | { readonly kind: 'not-found' };
type Fields = Readonly<Record<string, unknown>>;

const UNREADABLE = { kind: 'unknown', cause: 'The state of the card reader could not be read.' } as const;

/**
 * Card readers that the processor's cloud controls, by its asynchronous requests only: a connection that stays open while the customer pays is lost with a
 * restart. The end of a dialog is not its result, so the records of the processor confirm each approval and its amount.
 */
export function readers(client: Client, currency: Currency): TerminalConnector {
  function recordsOf(inquiry: TerminalInquiry) {
    const { tenantId, gatewayId, processorRef, operation, amount, at } = inquiry;
    if (operation === 'verification') return inquireVerification(client, inquiry);
    return inquire(client, { tenantId, gatewayId, processorRef, sent: { operation, amount, at } }, currency, { reportsAmount: true });
  }

  /** Returns the state of the dialog, with the outcome if it has ended. */
  async function stateOf(inquiry: TerminalInquiry, requestId: string): Promise<TerminalAnswer> {
    const response = await client.device(`${PATHS.status}${encodeURIComponent(requestId)}`);
    if (response.kind !== 'answer') return { kind: 'unknown', cause: response.reason };
    const fields = fieldsOf(response.answer);
    const state = textOf(fields, 'asyncStatus') ?? textOf(fields, 'status') ?? '';
    if (RUNNING.has(state)) return { kind: 'running', step: 'waiting_for_card', requestId };
    if (Object.hasOwn(CANCELERS, state)) return canceled(inquiry, requestId, CANCELERS[state as keyof typeof CANCELERS]);
    return state === 'interactionComplete' ? resultOf(inquiry, requestId, fieldsOf(fields.transaction)) : UNREADABLE;
  }

  /** Returns the end of a canceled dialog. If the authorization was faster after all, or is not decided yet, the records show it. */
  async function canceled(inquiry: TerminalInquiry, requestId: string, canceledBy: Canceler): Promise<TerminalAnswer> {
    const recorded = await recordsOf(inquiry);
    if (recorded.kind === 'pending') return { kind: 'running', step: 'processing', requestId };
    if (recorded.kind === 'approved' || (recorded.kind === 'unknown' && !recorded.isNotYetShown)) return recorded;
    return { kind: 'not-sent', reason: 'The payment was canceled on the card reader.', retry: 'error', canceledBy };
  }

  /** Returns the result of a dialog that has ended. */
  async function resultOf(inquiry: TerminalInquiry, requestId: string, transaction: Fields): Promise<TerminalAnswer> {
    const orderId = textOf(transaction, 'orderid') ?? textOf(transaction, 'orderId');
    if (orderId !== undefined && orderId !== inquiry.processorRef)
      return { kind: 'unknown', cause: 'The processor responded with another payment.' };
    const card = cardOf(transaction);
    // A decline that does not name the payment may be that of another one, so the records decide.
    if (orderId !== undefined && isDeclined(transaction)) {
      const words = textOf(transaction, 'responsetext') ?? textOf(transaction, 'responseText') ?? '';
      const meaning = meaningOf(textOf(transaction, 'response_code') ?? textOf(transaction, 'responseCode') ?? '', words);
      const declineReason = client.clean(words) || 'The payment was declined.';
      const decline =
        meaning.kind === 'declined' ? declinedBy(meaning, client.clean(words)) : { declineCode: 'card_declined' as const, declineReason };
      return { kind: 'declined', ...decline, ...(card && { cardPresent: card }) };
    }
    const recorded = await recordsOf(inquiry);
    if (recorded.kind === 'not-found' || (recorded.kind === 'unknown' && recorded.isNotYetShown))
      return { kind: 'running', step: 'processing', requestId };
    return withCard(recorded, card);
  }

  async function start(charge: Parameters<TerminalConnector['start']>[0]): Promise<TerminalAnswer> {
    const response = await client.pay(readerForm(charge, client.processorId));
    if (response.kind === 'answer') {
      const guid = response.answer.get('async_status_guid');
      if (response.answer.get('response_code') === ACCEPTED && guid !== undefined && GUID.test(guid))
        return { kind: 'running', step: 'waiting_for_card', requestId: guid };
      const refusal = response.answer.get('response') === '3' ? refusalOf(response.answer.get('responsetext') ?? '') : null;
      if (refusal) return refusal;
    }
    const { operation, processorRef, amount } = charge;
    const type = operation === 'verification' ? 'validate' : operation;
    const sent: SentRequest = { type, processorRef, amountMinor: amount.minor, currency };
    const outcome = outcomeOf(response, sent, client.clean);
    if (outcome.kind === 'look-up') return { kind: 'unknown', cause: 'The processor reports an identical payment.' };
    // Only the records have the amount that was charged.
    return outcome.kind === 'approved'
      ? { kind: 'unknown', cause: 'The processor approved the payment without stating its amount.' }
      : outcome;
  }

  return {
    isLocal: false,
    features: new Set(['tip', 'partial-approval', 'credit', 'verification']),
    async register({ code, name }) {
      const response = await client.device(PATHS.register, { registrationCode: code, deviceNickname: name });
      const deviceId = response.kind === 'answer' && textOf(fieldsOf(fieldsOf(response.answer).poiDevice), 'poiDeviceId');
      if (!deviceId || !GUID.test(deviceId)) return refusedRegistration(response, client);
      const entry = entryOf(await client.device(`${PATHS.device}${encodeURIComponent(deviceId)}`), deviceId);
      const model = [textOf(entry, 'make'), textOf(entry, 'model')].filter(Boolean).join(' ').slice(0, 60) || 'Card reader';
      const device: TerminalDevice = { deviceId, model, serialNumber: textOf(entry, 'serialNumber')?.slice(0, 60) ?? null, address: null };
      return { kind: 'registered', device };
    },
    remove: async ({ deviceId }) => void (await client.device(PATHS.remove, { deviceId })),
    async connectionOf({ deviceId }) {
      const response = await client.device(`${PATHS.device}${encodeURIComponent(deviceId)}`);
      const status = textOf(entryOf(response, deviceId), 'connectionStatus');
      if (status === undefined) return null;
      return status.toLowerCase() === 'connected' ? 'online' : 'offline';
    },
    start,
    status: (inquiry) => (inquiry.requestId === null ? recordsOf(inquiry).then(orUnknown) : stateOf(inquiry, inquiry.requestId)),
    async inquire(inquiry): Promise<Inquired> {
      const state = inquiry.requestId === null ? null : await stateOf(inquiry, inquiry.requestId);
      if (state !== null && state.kind !== 'unknown' && state.kind !== 'running') return state;
      const recorded = await recordsOf(inquiry);
      const isOpen = recorded.kind === 'not-found' || (recorded.kind === 'unknown' && recorded.isNotYetShown);
      return isOpen && state?.kind === 'running' ? state : recorded;
    },
    cancel: async ({ deviceId }) => void (await client.pay(cancelForm(deviceId))),
  };
}

const orUnknown = (result: Inquired): TerminalAnswer =>
  result.kind === 'not-found' ? { kind: 'unknown', cause: 'The processor does not show the payment.', isNotYetShown: true } : result;

/** Returns the refusal of a start by its text, which is not documented; null if the text names another reason. */
function refusalOf(text: string): Extract<Outcome, { kind: 'not-sent' }> | null {
  if (/in use/i.test(text)) return { kind: 'not-sent', reason: 'The card reader is in use.', retry: 'error', refusedBy: 'terminal_busy' };
  if (/offline|not connected/i.test(text))
    return { kind: 'not-sent', reason: 'The card reader is offline.', retry: 'error', refusedBy: 'terminal_offline' };
  return null;
}

/** Returns why a card reader was not registered. The status and the form of refusals are not documented, so their texts decide. */
function refusedRegistration(response: DeviceResponse, client: Client): TerminalRegistration {
  if (response.kind !== 'answer') return { kind: 'unreachable', reason: response.reason };
  const text = client.clean(messageIn(response.answer));
  if (/registration code/i.test(text))
    return { kind: 'refused', reason: 'The code is wrong or has expired. Enter the code that the reader shows now.', field: 'code' };
  if (response.status >= 500) return { kind: 'unreachable', reason: `The processor responded with HTTP ${response.status}.` };
  const reason =
    text === '' ? 'The processor did not register the card reader.' : `The processor did not register the card reader: ${text}`;
  return { kind: 'refused', reason, field: 'gatewayId' };
}

/** True only if the processor says that the payment was declined; anything else is looked up in its records. */
function isDeclined(transaction: Fields): boolean {
  const approval = textOf(transaction, 'approval');
  return transaction.success === false && (approval === undefined || approval === 'declined');
}

const withCard = (outcome: Exclude<TerminalAnswer, { kind: 'running' }>, card: CardPresent | undefined): TerminalAnswer =>
  card && (outcome.kind === 'approved' || outcome.kind === 'declined')
    ? { ...outcome, cardPresent: { ...outcome.cardPresent, ...card } }
    : outcome;

const ENTRY_MODES: Readonly<Record<string, EntryMode>> = {
  emv_icc: 'chip',
  swiped: 'swipe',
  swiped_emv_fallback: 'swipe',
  nfc_msd: 'contactless',
  keyed: 'keyed',
  2: 'contactless',
  3: 'swipe',
  4: 'keyed',
  5: 'chip',
  6: 'contactless',
  7: 'keyed',
  8: 'swipe',
};
const APPLICATION_ID = /^[0-9A-F]{10,32}$/i;

/** Returns the card of a transaction; undefined without its last four digits. Clients of the processor name its fields differently. */
function cardOf(transaction: Fields): CardPresent | undefined {
  const number = textOf(transaction, 'cc_number') ?? textOf(transaction, 'ccNumber') ?? '';
  const last4 = /(\d{4})$/.exec(number)?.[1];
  if (last4 === undefined) return undefined;
  const name = textOf(transaction, 'card_type') ?? textOf(transaction, 'cardType') ?? '';
  const entryMode = ENTRY_MODES[textOf(transaction, 'entry_mode') ?? textOf(transaction, 'entryMode') ?? ''];
  const chip = fieldsOf(transaction.emvMetaData ?? transaction.emv_meta_data);
  const label = withoutSecrets(textOf(chip, 'applicationLabel') ?? '', []).slice(0, 40);
  const id = textOf(chip, 'applicationId') ?? textOf(chip, 'aid');
  return {
    brand: brandOf(name, number),
    last4,
    ...(entryMode && { entryMode }),
    ...(label && { applicationLabel: label }),
    ...(id && APPLICATION_ID.test(id) && { applicationId: id.toUpperCase() }),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns a field as text; numbers too, because the processor writes some codes as numbers. */
function textOf(fields: Fields | undefined, name: string): string | undefined {
  const value = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the entry of a device in a list whose envelope is not documented. */
function entryOf(response: DeviceResponse, deviceId: string): Fields | undefined {
  return response.kind === 'answer' ? find(response.answer, DEPTH_MAX, (fields) => fields.deviceId === deviceId) : undefined;
}

function find(value: unknown, depth: number, isWanted: (fields: Fields) => boolean): Fields | undefined {
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  const fields = fieldsOf(value);
  if (isWanted(fields)) return fields;
  for (const inner of Object.values(value)) {
    const found = find(inner, depth - 1, isWanted);
    if (found) return found;
  }
  return undefined;
}

/** Returns the message of a refusal, wherever its response has it. */
function messageIn(answer: unknown): string {
  const holder = find(answer, DEPTH_MAX, (fields) => typeof fields.message === 'string');
  return (textOf(holder, 'message') ?? textOf(fieldsOf(answer), 'error') ?? '').slice(0, 200);
}
