import type { Connector } from './connector.ts';
import type { HostedPageConnector, HostedPageCreation, HostedPageStatus } from './hosted-pages.ts';
import type { Outcome } from './outcome.ts';
import type { TerminalAnswer, TerminalConnector, TerminalRegistration } from './terminals.ts';

/** Effect of a completed request on the circuit. */
export type RequestResult =
  | { readonly kind: 'answer' }
  /** Says nothing about the connection to the gateway. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failure'; readonly reason: string; readonly isSetUp?: boolean };

/** Checks each request beforehand and records its result. */
export interface Guard {
  /** Returns the number of a request that moves money, or the reason why it must not be sent. */
  admitMoving(): number | string;
  /** Returns the number of a request that moves no money. */
  admitReading(): number;
  conclude(requestNumber: number, resultOf: RequestResult): void;
}

const ANSWERED: RequestResult = { kind: 'answer' };
/** A report may fail because it does not add up, which says nothing about payments. */
const NO_CONCLUSION: RequestResult = { kind: 'nothing' };
/** Fixed text, because a thrown value may contain anything. */
const THROWN: RequestResult = { kind: 'failure', reason: 'The response of the processor could not be used.' };

/**
 * Wraps a connector with a circuit breaker. Requests that move money may fail with `unavailable` without being sent; the result of every
 * sent request is recorded.
 */
export function guarded(connector: Connector, guard: Guard): Connector {
  const { cancelsCaptures } = connector.capabilities;

  async function recorded<Answer>(
    requestNumber: number,
    pending: Promise<Answer>,
    resultOf: (answer: Answer) => RequestResult,
    thrownResult = THROWN,
  ): Promise<Answer> {
    try {
      const answer = await pending;
      guard.conclude(requestNumber, resultOf(answer));
      return answer;
    } catch (error) {
      guard.conclude(requestNumber, thrownResult);
      throw error;
    }
  }

  async function callMoving<Answer extends TerminalAnswer | HostedPageCreation>(send: () => Promise<Answer>): Promise<Answer | NotSent> {
    const requestNumber = guard.admitMoving();
    if (typeof requestNumber === 'string') return { kind: 'not-sent', reason: requestNumber, retry: 'unavailable' };
    return recorded(requestNumber, started(send), resultOfOutcome);
  }

  const callReading = <Answer>(send: () => Promise<Answer>, resultOf: (answer: Answer) => RequestResult): Promise<Answer> =>
    recorded(guard.admitReading(), started(send), resultOf);

  /** Each page is a separate request. */
  async function* callPaged<Item>(pages: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const page = await recorded(guard.admitReading(), iterator.next(), toAnswered, NO_CONCLUSION);
        if (page.done) return;
        yield page.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  const guardTerminals = (terminals: TerminalConnector): TerminalConnector => ({
    isLocal: terminals.isLocal,
    ...(terminals.features && { features: terminals.features }),
    register: (request) => callReading(() => terminals.register(request), resultOfRegistration),
    remove: (request) => callReading(() => terminals.remove(request), toNothing),
    connectionOf: (request) => callReading(() => terminals.connectionOf(request), toNothing),
    start: (charge) => callMoving(() => terminals.start(charge)),
    status: (inquiry) => callReading(() => terminals.status(inquiry), resultOfOutcome),
    inquire: (inquiry) => callReading(() => terminals.inquire(inquiry), resultOfOutcome),
    cancel: (inquiry) => callReading(() => terminals.cancel(inquiry), toNothing),
  });

  const guardHostedPages = (pages: HostedPageConnector): HostedPageConnector => ({
    delivery: pages.delivery,
    opensWithinMs: pages.opensWithinMs,
    create: (page) => callMoving(() => pages.create(page)),
    find: (inquiry) => callReading(() => pages.find(inquiry), resultOfOutcome),
    ...(pages.close && { close: (page) => callReading(async () => (await pages.close?.(page)) ?? false, toNothing) }),
  });

  const { disputes, hostedPages, returns, terminals } = connector;
  return {
    name: connector.name,
    capabilities: connector.capabilities,
    purchase: (charge) => callMoving(() => connector.purchase(charge)),
    authorize: (charge) => callMoving(() => connector.authorize(charge)),
    credit: (charge) => callMoving(() => connector.credit(charge)),
    capture: (requestNumber) => callMoving(() => connector.capture(requestNumber)),
    // If captures cannot be canceled, the connector responds itself, which says nothing about the processor.
    cancelCapture: (requestNumber) =>
      cancelsCaptures ? callMoving(() => connector.cancelCapture(requestNumber)) : connector.cancelCapture(requestNumber),
    adjust: (requestNumber) => callMoving(() => connector.adjust(requestNumber)),
    void: (requestNumber) => callMoving(() => connector.void(requestNumber)),
    refund: (requestNumber) => callMoving(() => connector.refund(requestNumber)),
    inquire: (request) => callReading(() => connector.inquire(request), resultOfOutcome),
    settlementReport(request) {
      const report = connector.settlementReport(request);
      return 'then' in report ? recorded(guard.admitReading(), report, toAnswered, NO_CONCLUSION) : callPaged(report);
    },
    ...(returns && { returns: (request) => callPaged(returns.call(connector, request)) }),
    ...(terminals && { terminals: guardTerminals(terminals) }),
    ...(hostedPages && { hostedPages: guardHostedPages(hostedPages) }),
    ...(disputes && { disputes: (request) => callPaged(disputes.call(connector, request)) }),
  };
}

/** Turns a synchronous exception into a rejection. */
const started = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => send();

type NotSent = Extract<Outcome, { kind: 'not-sent' }>;

const toAnswered = (): RequestResult => ANSWERED;
const toNothing = (): RequestResult => NO_CONCLUSION;

const resultOfRegistration = (registration: TerminalRegistration): RequestResult =>
  registration.kind === 'unreachable' ? { kind: 'failure', reason: registration.reason } : ANSWERED;

/** Returns the effect of an outcome on the circuit. A missing response, an unavailable processor and a refused account are failures. Other alerts, and payments that are not shown yet, count as responses. */
function resultOfOutcome(outcome: TerminalAnswer | HostedPageCreation | HostedPageStatus | { readonly kind: 'not-found' }): RequestResult {
  if (outcome.kind === 'not-sent') {
    const isSetUp = outcome.alert === 'set-up';
    return isSetUp || outcome.retry === 'unavailable' ? { kind: 'failure', reason: outcome.reason, isSetUp } : ANSWERED;
  }
  if (outcome.kind !== 'unknown') return ANSWERED;
  const isSetUp = outcome.alert === 'set-up';
  if (!isSetUp && (outcome.alert !== undefined || outcome.isNotYetShown)) return ANSWERED;
  return { kind: 'failure', reason: typeof outcome.cause === 'string' ? outcome.cause : 'The processor did not respond.', isSetUp };
}
