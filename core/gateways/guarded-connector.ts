import type { Connector, Outcome } from './connector.ts';

/** Effect of a completed request on the circuit. */
export type Verdict =
  | { readonly is: 'answer' }
  /** Says nothing about the connection to the gateway. */
  | { readonly is: 'nothing' }
  | { readonly is: 'failure'; readonly reason: string; readonly isSetUp?: boolean };

/** Checks each request beforehand and records its result. */
export interface Guard {
  /** The number of a question that moves money, or why it may not be put. */
  admitMoney(): number | string;
  /** The number of a question that moves none. */
  admitReading(): number;
  conclude(question: number, verdict: Verdict): void;
}

const ANSWER: Verdict = { is: 'answer' };
/** A report may break off because it does not add up, which says nothing of payments. */
const UNUSABLE: Verdict = { is: 'nothing' };
/** Fixed text, because a thrown value may contain anything. */
const THREW: Verdict = { is: 'failure', reason: 'The answer of the processor could not be used.' };

/**
 * Wraps a connector with a circuit breaker. Requests that move money may fail with `unavailable` without being sent; the result of every
 * sent request is recorded.
 */
export function guarded(connector: Connector, guard: Guard): Connector {
  const { cancelsCaptures } = connector.capabilities;

  async function told<Answer>(
    question: number,
    asked: Promise<Answer>,
    verdict: (answer: Answer) => Verdict,
    threw = THREW,
  ): Promise<Answer> {
    try {
      const answer = await asked;
      guard.conclude(question, verdict(answer));
      return answer;
    } catch (error) {
      guard.conclude(question, threw);
      throw error;
    }
  }

  async function moving(ask: () => Promise<Outcome>): Promise<Outcome> {
    const question = guard.admitMoney();
    if (typeof question === 'string') return { kind: 'not-sent', reason: question, retry: 'unavailable' };
    return told(question, started(ask), verdictOf);
  }

  const reading = <Answer>(ask: () => Promise<Answer>, verdict: (answer: Answer) => Verdict): Promise<Answer> =>
    told(guard.admitReading(), started(ask), verdict);

  /** Each page is a separate request. */
  async function* paged<Item>(pages: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const page = await told(guard.admitReading(), iterator.next(), toAnswer, UNUSABLE);
        if (page.done) return;
        yield page.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  const { returns } = connector;
  return {
    name: connector.name,
    capabilities: connector.capabilities,
    sell: (order) => moving(() => connector.sell(order)),
    authorize: (order) => moving(() => connector.authorize(order)),
    credit: (order) => moving(() => connector.credit(order)),
    capture: (question) => moving(() => connector.capture(question)),
    // If captures cannot be canceled, the connector answers by itself, which says nothing about the processor.
    cancelCapture: (question) => (cancelsCaptures ? moving(() => connector.cancelCapture(question)) : connector.cancelCapture(question)),
    void: (question) => moving(() => connector.void(question)),
    refund: (question) => moving(() => connector.refund(question)),
    inquire: (of) => reading(() => connector.inquire(of), verdictOf),
    settlementReport(of) {
      const report = connector.settlementReport(of);
      return 'then' in report ? told(guard.admitReading(), report, toAnswer, UNUSABLE) : paged(report);
    },
    ...(returns && { returns: (of) => paged(returns.call(connector, of)) }),
  };
}

/** Turns a synchronous exception into a rejection. */
const started = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => ask();

const toAnswer = (): Verdict => ANSWER;

/** No answer, no service, or no account. What wants a person for another reason, or is not shown yet, was answered. */
function verdictOf(outcome: Outcome | { readonly kind: 'not-found' }): Verdict {
  if (outcome.kind === 'not-sent') {
    const isSetUp = outcome.alert === 'set-up';
    return isSetUp || outcome.retry === 'unavailable' ? { is: 'failure', reason: outcome.reason, isSetUp } : ANSWER;
  }
  if (outcome.kind !== 'unknown') return ANSWER;
  const isSetUp = outcome.alert === 'set-up';
  if (!isSetUp && (outcome.alert !== undefined || outcome.isNotYetShown)) return ANSWER;
  return { is: 'failure', reason: typeof outcome.cause === 'string' ? outcome.cause : 'The processor did not answer.', isSetUp };
}
