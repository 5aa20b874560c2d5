import type { ChargeRequest, Connector, Outcome, ReferencedRequest, StatusInquiry } from '#core/processing/gateways';
import { last4Of } from '#core/records/vault';

const DAY_MS = 86_400_000;

/** Interval and time limit of the inquiries about a payment that the processor does not show yet. */
export interface Patience {
  readonly everyMs: number;
  readonly atMostMs: number;
}

type Operation = 'sale' | 'auth' | 'credit';
type LaterOperation = 'capture' | 'void' | 'refund' | 'adjust';

/** The parts of a request that the trial chooses: the amount is a number of the step, so that no two payments are equal. */
export type Details = Omit<Partial<ChargeRequest>, 'amount' | 'processorRef'>;

interface AccountParts {
  readonly connector: Connector;
  readonly ids: { readonly tenantId: string; readonly merchantId: string; readonly gatewayId: string };
  readonly card: Details & Pick<ChargeRequest, 'source' | 'channel'>;
  readonly amountOf: (minor: number) => ChargeRequest['amount'];
  readonly newReference: () => string;
  readonly patience: Patience;
}

interface Sent {
  readonly operation: Operation | LaterOperation;
  readonly request: ChargeRequest | ReferencedRequest;
  readonly outcome: Outcome;
  readonly at: string;
}

/** An answer in words that can be compared, and the processor's own text. */
export interface Answer {
  readonly result: string;
  readonly text?: string;
}

/** A processor's account during a trial: it remembers what was sent by name, so that later steps can refer to it. */
export class TrialAccount {
  readonly connector: Connector;
  readonly #parts: AccountParts;
  readonly #sent = new Map<string, Sent>();

  constructor(parts: AccountParts) {
    this.connector = parts.connector;
    this.#parts = parts;
  }

  /** Sends a new payment and remembers it under its name. */
  async charge(operation: Operation, name: string, minor: number, details: Details = {}): Promise<Answer> {
    const { ids, card, amountOf, newReference } = this.#parts;
    const request: ChargeRequest = { ...ids, ...card, ...details, amount: amountOf(minor), processorRef: newReference() };
    return this.#send(name, operation, request);
  }

  /** Sends an operation on a payment of an earlier step, by default with its amount. */
  async later(operation: LaterOperation, name: string, of: string, minor?: number): Promise<Answer> {
    const { ids, amountOf, newReference } = this.#parts;
    const original = this.#sent.get(of);
    if (original === undefined || !('source' in original.request) || original.outcome.kind !== 'approved') return { result: `no ${of}` };
    const { source, processorRef, amount } = original.request;
    return this.#send(name, operation, {
      ...ids,
      processorRef: newReference(),
      amount: minor === undefined ? amount : amountOf(minor),
      original: { processorRef, reference: original.outcome.reference },
      paidWith: source.kind === 'ach' ? source : { kind: 'card', last4: last4Of(source) },
    });
  }

  /** Sends a payment of an earlier step once more, under its own reference. */
  async repeat(of: string): Promise<Answer> {
    const earlier = this.#sent.get(of);
    if (earlier === undefined || earlier.outcome.kind !== 'approved') return { result: `no ${of}` };
    const outcome = await this.#call(earlier.operation, earlier.request);
    const isSame = outcome.kind === 'approved' && outcome.reference === earlier.outcome.reference;
    return isSame ? { result: 'the same payment' } : answerOf(outcome);
  }

  /** Inquires about what an earlier step sent, until the processor shows it. */
  async find(of: string): Promise<Answer> {
    const earlier = this.#sent.get(of);
    if (earlier === undefined || earlier.outcome.kind === 'not-sent') return { result: `no ${of}` };
    const { request, operation, at } = earlier;
    const source = 'source' in request ? request.source : undefined;
    return this.#inquire({
      ...this.#parts.ids,
      processorRef: request.processorRef,
      sent: {
        operation,
        amount: request.amount,
        at,
        ...(source && { last4: last4Of(source) }),
        ...('original' in request && { original: request.original }),
      },
    });
  }

  /** Inquires about a payment that was never sent, as of a day ago. */
  async findNothing(minor: number): Promise<Answer> {
    const { ids, amountOf, newReference } = this.#parts;
    const at = new Date(Date.now() - DAY_MS).toISOString();
    return this.#inquire({ ...ids, processorRef: newReference(), sent: { operation: 'sale', amount: amountOf(minor), at, last4: '1111' } });
  }

  /** Returns what a first charge of a stored card returned for later ones; undefined if it returned nothing. */
  credentialOf(of: string): { credentialReference: string; amount: ChargeRequest['amount'] } | undefined {
    const earlier = this.#sent.get(of);
    if (earlier?.outcome.kind !== 'approved' || earlier.outcome.credentialReference === undefined) return undefined;
    return { credentialReference: earlier.outcome.credentialReference, amount: earlier.request.amount };
  }

  async #send(name: string, operation: Sent['operation'], request: Sent['request']): Promise<Answer> {
    const at = new Date().toISOString();
    const outcome = await this.#call(operation, request);
    this.#sent.set(name, { operation, request, outcome, at });
    return answerOf(outcome);
  }

  #call(operation: Sent['operation'], request: Sent['request']): Promise<Outcome> {
    const { connector } = this;
    if ('source' in request) {
      if (operation === 'credit') return connector.credit(request);
      return operation === 'auth' ? connector.authorize(request) : connector.purchase(request);
    }
    if (operation === 'capture') return connector.capture(request);
    if (operation === 'adjust') return connector.adjust(request);
    return operation === 'void' ? connector.void(request) : connector.refund(request);
  }

  async #inquire(inquiry: StatusInquiry): Promise<Answer> {
    const { everyMs, atMostMs } = this.#parts.patience;
    for (let waitedMs = 0; ; waitedMs += everyMs) {
      const found = await this.connector.inquire(inquiry);
      const isNotYetShown = found.kind === 'unknown' && found.isNotYetShown === true;
      if (!isNotYetShown || waitedMs + everyMs > atMostMs) return answerOf(found);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
}

function answerOf(outcome: Outcome | { readonly kind: 'not-found' }): Answer {
  switch (outcome.kind) {
    case 'approved': {
      const { authCode, avsResponse, cvvResponse, credentialReference } = outcome;
      return {
        result: [
          'approved',
          ...(authCode === undefined ? [] : ['authorization code']),
          ...(avsResponse === undefined ? [] : [`address ${avsResponse}`]),
          ...(cvvResponse === undefined ? [] : [`security code ${cvvResponse}`]),
          ...(credentialReference === undefined ? [] : ['reference for later charges']),
        ].join(', '),
      };
    }
    case 'declined':
      return { result: `declined, ${outcome.declineCode}`, text: outcome.declineReason };
    case 'pending':
      return { result: 'held for review', text: outcome.reason };
    case 'not-sent':
      return { result: `no effect, ${outcome.code ?? outcome.retry}`, text: outcome.reason };
    case 'unknown':
      return { result: outcome.isNotYetShown ? 'not shown yet' : `unconfirmed${outcome.alert === undefined ? '' : `, ${outcome.alert}`}` };
    case 'not-found':
      return { result: 'not found' };
  }
}
