import type { GatewayAccount } from '../processor.ts';
import type { ReaderDialogs } from '../reader-dialogs.ts';
import type { TerminalAnswer, TerminalCharge, TerminalConnector, TerminalInquiry, TerminalRegistrationRequest } from '../terminals.ts';
import { addressFault, parseAddress } from './address.ts';
import { outcomeOf, reasonIn, resultOf } from './answers.ts';
import { type Client, hasHeader, type Reader, type ReaderResponse } from './client.ts';
import { type Fields, groupIn } from './json.ts';
import { abortBody, diagnosisBody, headerOf, newServiceId, paymentBody, serviceIdOf, statusBody } from './messages.ts';

/** Time in which a reader ends a payment. */
const PAYMENT_TIMEOUT_MS = 300_000;
/** Time after which a reader is asked about a payment although its connection is open. */
const ASK_AFTER_MS = 120_000;
/** Shortest time between two questions about a payment. */
const ASK_EVERY_MS = 4_000;
/** Time in which a reader refuses a payment that it does not start. */
const REFUSES_WITHIN_MS = 150;
/** Time in which a canceled payment gets its own answer. */
const CANCELS_WITHIN_MS = 2_000;

const POI_ID = /^[A-Za-z0-9]{2,20}-[A-Za-z0-9]{4,20}$/;

const OFFLINE = { kind: 'not-sent', reason: 'The card reader is offline.', retry: 'error', refusedBy: 'terminal_offline' } as const;
const RUNNING = { kind: 'running', step: 'waiting_for_card', requestId: null } as const;
const NO_ANSWER = { kind: 'unknown', cause: 'The card reader does not answer.', isNotYetShown: true } as const;
/** A reader forgets a payment with its power, so its word is no proof that nothing was charged. */
const NOT_KNOWN = {
  kind: 'unknown',
  cause: 'The card reader does not know the payment. Compare it with the records of the processor.',
  alert: 'processor-at-a-loss',
} as const;

/**
 * Card readers in the local network. A payment is one request whose response comes when the customer has paid. While its connection is open, the response is
 * awaited; if the connection is lost, as after a restart, the reader is asked for the outcome by the service ID, which follows from the reference.
 */
export function readers(client: Client, { mode }: Pick<GatewayAccount, 'mode'>, dialogs: ReaderDialogs): TerminalConnector {
  const asked = new Map<string, number>();

  async function start(charge: TerminalCharge): Promise<TerminalAnswer> {
    if (charge.operation === 'auth')
      return {
        kind: 'not-sent',
        reason: 'The card reader cannot authorize. Nothing was charged.',
        retry: 'error',
        code: 'VALIDATION_ERROR',
      };
    const { processorRef } = charge;
    let connected = () => {};
    const isConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const response = client.send(charge, {
      category: 'Payment',
      serviceId: serviceIdOf(processorRef),
      body: paymentBody(charge, new Date().toISOString()),
      timeoutMs: PAYMENT_TIMEOUT_MS,
      onConnected: connected,
    });
    const answer = response.then((read) => answerOf(read, charge));
    void dialogs.keep(processorRef, answer);
    await Promise.race([isConnected, answer]);
    return Promise.race([answer, pause(REFUSES_WITHIN_MS).then(() => RUNNING)]);
  }

  function answerOf(response: ReaderResponse, sent: Pick<TerminalCharge, 'processorRef' | 'amount'>): TerminalAnswer {
    if (response.kind === 'answer') return outcomeOf(response.body, sent, client.clean);
    return response.kind === 'not-sent' ? OFFLINE : { kind: 'unknown', cause: response.reason, isNotYetShown: true };
  }

  /** Asks the reader for the outcome of a payment. */
  async function ask(inquiry: TerminalInquiry): Promise<TerminalAnswer> {
    const { processorRef } = inquiry;
    const parties = client.partiesOf(inquiry);
    const serviceId = serviceIdOf(processorRef);
    const response = await client.send(inquiry, {
      category: 'TransactionStatus',
      serviceId: newServiceId(),
      body: statusBody(parties, serviceId),
    });
    if (response.kind !== 'answer') return { ...NO_ANSWER, ...(response.kind !== 'not-sent' && { cause: response.reason }) };
    const { Result, ErrorCondition } = resultOf(response.body);
    if (Result === 'Failure' && ErrorCondition === 'InProgress') return RUNNING;
    if (Result === 'Failure' && ErrorCondition === 'NotFound') return NOT_KNOWN;
    const repeated = groupIn(response.body, 'RepeatedMessageResponse');
    const isOurs = hasHeader(groupIn(repeated, 'MessageHeader'), headerOf(parties, 'Payment', 'Response', serviceId));
    if (Result !== 'Success' || !isOurs) return { ...NO_ANSWER, cause: 'The card reader responded with another payment.' };
    return outcomeOf(groupIn(repeated, 'RepeatedResponseMessageBody', 'PaymentResponse'), inquiry, client.clean);
  }

  async function status(inquiry: TerminalInquiry): Promise<TerminalAnswer> {
    const { processorRef } = inquiry;
    const dialog = await dialogs.find(processorRef);
    if (dialog?.outcome) return dialog.outcome;
    if (dialog && Date.now() - dialog.startedMs < ASK_AFTER_MS) return RUNNING;
    // After a restart the connection is lost, but the reader continues the dialog.
    if (Date.now() - (asked.get(processorRef) ?? 0) < ASK_EVERY_MS) return RUNNING;
    asked.set(processorRef, Date.now());
    const answer = await ask(inquiry);
    if (answer.kind !== 'running') asked.delete(processorRef);
    return dialog && answer.kind === 'unknown' ? RUNNING : answer;
  }

  /** Asks the reader whether it is ready, and for its name. */
  async function diagnose(reader: Reader): Promise<ReaderResponse> {
    return client.send(reader, { category: 'Diagnosis', serviceId: newServiceId(), body: diagnosisBody() });
  }

  return {
    isLocal: true,
    features: new Set(['tip', 'partial-approval', 'credit']),
    async register({ code, address: given }: TerminalRegistrationRequest) {
      const deviceId = code.trim();
      if (!POI_ID.test(deviceId))
        return {
          kind: 'refused',
          field: 'code',
          reason: 'The ID of the card reader is its model and serial number, such as V400m-123456789.',
        };
      const address = parseAddress(given ?? '');
      if (address === undefined)
        return { kind: 'refused', field: 'address', reason: 'Enter the address of the card reader, such as 192.168.1.50.' };
      const fault = addressFault(address, mode);
      if (fault !== null) return { kind: 'refused', field: 'address', reason: fault };
      const response = await diagnose({ deviceId, address: address.text });
      if (response.kind === 'unverified') return { kind: 'refused', field: 'gatewayId', reason: response.reason };
      if (response.kind !== 'answer') return { kind: 'refused', field: 'address', reason: response.reason };
      if (!isReady(response.body))
        return { kind: 'unreachable', reason: reasonIn(response.body, client.clean) || 'The card reader is not ready.' };
      const [model = 'Card reader', serialNumber = null] = deviceId.split('-');
      return { kind: 'registered', device: { deviceId, model, serialNumber, address: address.text } };
    },
    // A reader in the local network does not know the tills that use it.
    remove: async () => {},
    async connectionOf(reader) {
      const response = await diagnose(reader);
      return response.kind === 'answer' ? 'online' : 'offline';
    },
    start,
    status,
    async inquire(inquiry) {
      const dialog = await dialogs.find(inquiry.processorRef);
      return dialog?.outcome ?? ask(inquiry);
    },
    async cancel(inquiry) {
      const body = abortBody(client.partiesOf(inquiry), serviceIdOf(inquiry.processorRef));
      await client.send(inquiry, { category: 'Abort', serviceId: newServiceId(), body });
      asked.delete(inquiry.processorRef);
      await dialogs.waitForEnd(inquiry.processorRef, CANCELS_WITHIN_MS);
    },
  };
}

/** Returns true if a reader answered its diagnosis, also while it is busy. */
function isReady(body: Fields): boolean {
  const { Result, ErrorCondition } = resultOf(body);
  return Result === 'Success' || ErrorCondition === 'Busy';
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
