import type { ChargeRequest, Connector, ReferencedRequest, StatusInquiry } from '../connector.ts';
import type { Outcome } from '../outcome.ts';
import type { GatewayAccount, Processor } from '../processor.ts';
import { outcomeOf, type SentRequest } from './answers.ts';
import { check } from './check.ts';
import { type Client, createClient, type Form, TIMEOUT_MS } from './client.ts';
import { disputes } from './disputes.ts';
import { hostedPages } from './hosted-pages.ts';
import { findTransaction, hasDuplicate, inquire } from './inquire.ts';
import { TRANSACTION_STATES } from './mapping.ts';
import { readers } from './readers.ts';
import { captureForm, paymentForm, refundForm, voidForm } from './requests.ts';
import { returns, settlementReport } from './settlement.ts';
import { textOf } from './xml.ts';

const NAME = 'nmi';

const CODE_NOT_TAKEN: Outcome = {
  kind: 'not-sent',
  reason: 'The processor takes no security code for a stored card that was charged before. Nothing was charged. Leave the code out.',
  retry: 'error',
  code: 'VALIDATION_ERROR',
};

/**
 * Connector to NMI by its Payment and Query APIs, under every brand that sells it. `docs/connectors.md` lists what is not verified against
 * the live processor.
 */
export const nmi: Processor = {
  type: NAME,
  label: 'NMI',
  hasOwnHosts: true,
  pairsReadersBy: 'code',
  credentials: [
    {
      name: 'securityKey',
      label: 'Security key',
      isSecret: true,
      isRequired: true,
      lengthMax: 64,
      hint: 'In the merchant portal under Settings, Security Keys; it requires the permissions for API and for queries.',
    },
    {
      name: 'processorId',
      label: 'Processor',
      isSecret: false,
      isRequired: false,
      selectsPart: true,
      lengthMax: 64,
      hint: 'Only if the account has several processors: the name of the one to use, as shown in the portal under Settings, Processors.',
    },
  ],
  open: (account, wire) => connectorOf(account, createClient(account, wire)),
  check: (account, wire) => check(createClient(account, wire), account),
};

function connectorOf({ currency }: GatewayAccount, client: Client): Connector {
  /** Sends a request once, and looks up the transaction if the response alone does not give the outcome. */
  async function send(form: Form, sentRequest: SentRequest, request: StatusInquiry, charge?: ChargeRequest): Promise<Outcome> {
    const outcome = outcomeOf(await client.pay(form), sentRequest, client.clean);
    if (outcome.kind !== 'look-up') return outcome;
    return outcome.for === 'duplicate' ? afterDuplicate(request, charge) : afterTooLate(request);
  }

  /** The processor's duplicate check compares contents, not references: the duplicate may be another payment, or this very attempt. */
  async function afterDuplicate(request: StatusInquiry, charge: ChargeRequest | undefined): Promise<Outcome> {
    const lookup = await findTransaction(client, { order_id: request.processorRef });
    if (lookup.kind === 'unknown') return lookup;
    if (lookup.kind === 'not-found') {
      if (charge !== undefined && (await hasDuplicate(client, charge)))
        return {
          kind: 'not-sent',
          reason: 'The processor already has an identical payment.',
          retry: 'error',
          code: 'DUPLICATE_TRANSACTION',
        };
      return { kind: 'unknown', cause: 'The processor reports an identical payment, but does not show it.' };
    }
    const inquiryResult = await inquire(client, request, currency);
    return inquiryResult.kind === 'not-found' ? { kind: 'unknown', cause: 'The processor no longer shows the payment.' } : inquiryResult;
  }

  async function afterTooLate({ sent }: StatusInquiry): Promise<Outcome> {
    const lookup = await findTransaction(client, { transaction_id: sent?.original?.reference ?? '' });
    const isVoided = lookup.kind === 'found' && TRANSACTION_STATES[textOf(lookup.transaction, 'condition') ?? ''] === 'voided';
    if (isVoided) return { kind: 'not-sent', reason: 'The payment was already voided.', retry: 'error', code: 'ALREADY_VOIDED' };
    return { kind: 'not-sent', reason: 'The payment is settled and can no longer be voided.', retry: 'error', code: 'RESOURCE_CONFLICT' };
  }

  const pay = (type: 'sale' | 'auth' | 'credit') => (charge: ChargeRequest) => {
    const { processorRef, source, amount, storedCredential, allowsPartialApproval } = charge;
    if (storedCredential?.use === 'later' && source.kind === 'card' && source.cvv !== undefined) return Promise.resolve(CODE_NOT_TAKEN);
    const credentialReference = storedCredential?.use === 'later' ? storedCredential.first?.credentialReference : undefined;
    const sentRequest: SentRequest = {
      type,
      processorRef,
      amountMinor: amount.minor,
      currency,
      source,
      credentialReference,
      allowsPartialApproval,
    };
    return send(paymentForm(type, charge, client.processorId), sentRequest, inquiryOf(charge, type), charge);
  };

  const changeOperation =
    (type: 'capture' | 'void' | 'refund', form: (request: ReferencedRequest) => Form) => (request: ReferencedRequest) => {
      const { processorRef, amount, paidWith, original } = request;
      const source = paidWith?.kind === 'ach' ? paidWith : undefined;
      const sentRequest: SentRequest = {
        type,
        // A capture or void creates no transaction of its own.
        ...(type === 'refund' ? { processorRef } : { originalReference: original.reference }),
        amountMinor: amount.minor,
        currency,
        source,
      };
      return send(form(request), sentRequest, inquiryOf(request, type, original));
    };

  return {
    name: NAME,
    capabilities: {
      notFoundIsFinal: false,
      // Sends the request and, for some responses, looks up the transaction.
      answersWithinMs: TIMEOUT_MS * 3,
      cancelsCaptures: false,
      refundsUnsettled: 'all',
      adjustsAmounts: false,
      returnsLate: true,
    },
    purchase: pay('sale'),
    authorize: pay('auth'),
    credit: pay('credit'),
    capture: changeOperation('capture', captureForm),
    cancelCapture: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor cannot cancel captures.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    adjust: () =>
      Promise.resolve({ kind: 'not-sent', reason: 'The processor cannot change amounts.', retry: 'error', code: 'RESOURCE_CONFLICT' }),
    void: changeOperation('void', voidForm),
    refund: changeOperation('refund', refundForm),
    inquire: (request) => inquire(client, request, currency),
    settlementReport: (request) => settlementReport(client, request, currency),
    returns: (request) => returns(client, request, currency),
    disputes: (request) => disputes(client, request, currency),
    terminals: readers(client, currency),
    hostedPages: hostedPages(client, currency),
  };
}

function inquiryOf(
  request: ChargeRequest | ReferencedRequest,
  operation: NonNullable<StatusInquiry['sent']>['operation'],
  original?: ReferencedRequest['original'],
): StatusInquiry {
  const { tenantId, gatewayId, processorRef, amount } = request;
  const part = 'allowsPartialApproval' in request ? { allowsPartialApproval: request.allowsPartialApproval } : {};
  return { tenantId, gatewayId, processorRef, sent: { operation, amount, at: new Date().toISOString(), original, ...part } };
}
