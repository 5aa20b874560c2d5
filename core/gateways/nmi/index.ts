import type { ChargeRequest, Connector, Outcome, ReferencedRequest, StatusInquiry } from '../connector.ts';
import type { GatewayAccount, Processor } from '../processor.ts';
import { type Asked, outcomeOf } from './answers.ts';
import { check } from './check.ts';
import { type Client, createClient, type Form, TIMEOUT_MS } from './client.ts';
import { hasTwin, inquire, lookUp } from './inquire.ts';
import { STANDINGS } from './mapping.ts';
import { captureForm, paymentForm, refundForm, voidForm } from './requests.ts';
import { returns, settlementReport } from './settlement.ts';
import { textOf } from './xml.ts';

const NAME = 'nmi';

/**
 * Connector to NMI by its Payment and Query APIs, under every brand that sells it. `docs/connectors.md` lists what is not verified against
 * the live processor.
 */
export const nmi: Processor = {
  type: NAME,
  label: 'NMI',
  hasOwnHosts: true,
  credentials: [
    {
      name: 'securityKey',
      label: 'Security key',
      isSecret: true,
      isRequired: true,
      lengthMax: 64,
      hint: 'In the merchant portal under Settings, Security Keys; it needs the permissions for API and for queries.',
    },
    {
      name: 'processorId',
      label: 'Processor',
      isSecret: false,
      isRequired: false,
      lengthMax: 64,
      hint: 'Only where the account has several: the name of the one to use, as the portal shows it under Settings, Processors.',
    },
  ],
  open: (account, wire) => connectorOf(account, createClient(account, wire)),
  check: (account, wire) => check(createClient(account, wire), account),
};

function connectorOf({ currency }: GatewayAccount, client: Client): Connector {
  /** Sends once, and looks at the transaction where the answer alone does not tell. */
  async function send(form: Form, asked: Asked, question: StatusInquiry, order?: ChargeRequest): Promise<Outcome> {
    const said = outcomeOf(await client.pay(form), asked, client.clean);
    if (said.kind !== 'look') return said;
    return said.for === 'duplicate' ? afterDuplicate(question, order) : afterTooLate(question);
  }

  /** The processor's duplicate check compares contents, not references: the duplicate may be another payment, or this very attempt. */
  async function afterDuplicate(question: StatusInquiry, order: ChargeRequest | undefined): Promise<Outcome> {
    const hit = await lookUp(client, { order_id: question.processorRef });
    if (hit.kind === 'unknown') return hit;
    if (hit.kind === 'not-found') {
      if (order !== undefined && (await hasTwin(client, order)))
        return { kind: 'not-sent', reason: 'The processor has an equal payment already.', retry: 'error', code: 'DUPLICATE_TRANSACTION' };
      return { kind: 'unknown', cause: 'The processor speaks of an equal payment that it does not show.' };
    }
    const found = await inquire(client, question, currency);
    return found.kind === 'not-found' ? { kind: 'unknown', cause: 'The processor no longer shows the payment.' } : found;
  }

  async function afterTooLate({ sent }: StatusInquiry): Promise<Outcome> {
    const hit = await lookUp(client, { transaction_id: sent?.original?.reference ?? '' });
    const isVoided = hit.kind === 'found' && STANDINGS[textOf(hit.transaction, 'condition') ?? ''] === 'voided';
    if (isVoided) return { kind: 'not-sent', reason: 'It was voided already.', retry: 'error', code: 'ALREADY_VOIDED' };
    return { kind: 'not-sent', reason: 'It is settled and can no longer be voided.', retry: 'error', code: 'RESOURCE_CONFLICT' };
  }

  const pay = (type: 'sale' | 'auth' | 'credit') => (order: ChargeRequest) => {
    const { processorRef, source, amount, storedCredential } = order;
    const chainReference = storedCredential?.use === 'later' ? storedCredential.first?.chainReference : undefined;
    const asked: Asked = { type, processorRef, amountMinor: amount.minor, currency, source, chainReference };
    return send(paymentForm(type, order, client.processorId), asked, inquiryOf(order, type), order);
  };

  const follow = (type: 'capture' | 'void' | 'refund', form: (question: ReferencedRequest) => Form) => (question: ReferencedRequest) => {
    const { processorRef, amount, paidWith } = question;
    const source = paidWith?.kind === 'ach' ? paidWith : undefined;
    const asked: Asked = {
      type,
      processorRef: type === 'refund' ? processorRef : undefined,
      amountMinor: amount.minor,
      currency,
      source,
    };
    return send(form(question), asked, inquiryOf(question, type, question.original));
  };

  return {
    name: NAME,
    capabilities: {
      notFoundIsFinal: false,
      // Sends the request and, for some responses, looks up the transaction.
      answersWithinMs: TIMEOUT_MS * 3,
      cancelsCaptures: false,
      refundsUnsettled: 'all',
      returnsLate: true,
    },
    sell: pay('sale'),
    authorize: pay('auth'),
    credit: pay('credit'),
    capture: follow('capture', captureForm),
    cancelCapture: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor takes no capture back.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    void: follow('void', voidForm),
    refund: follow('refund', refundForm),
    inquire: (of) => inquire(client, of, currency),
    settlementReport: (of) => settlementReport(client, of, currency),
    returns: (of) => returns(client, of, currency),
  };
}

function inquiryOf(
  { tenantId, gatewayId, processorRef, amount }: ChargeRequest | ReferencedRequest,
  operation: NonNullable<StatusInquiry['sent']>['operation'],
  original?: ReferencedRequest['original'],
): StatusInquiry {
  return { tenantId, gatewayId, processorRef, sent: { operation, amount, at: new Date().toISOString(), original } };
}
