import { type Money, majorUnit, money } from '#core/kernel';
import type { Source } from '#core/records/vault';
import type { ChargeRequest } from '../connector.ts';
import { ACH_DECLINE_CODES, CARD_DECLINE_CODES, type CardDeclineCode, type DeclineCode } from '../decline-codes.ts';
import type { Outcome } from '../outcome.ts';
import { type CardOutcome, PREPAID_BALANCE, SANDBOX_CARDS } from './cards.ts';

/** Delivery of the sandbox's response to the service. */
type ResponseDelivery = 'answered' | 'answer-lost' | 'never-received' | 'error';
/** Behavior of later requests for a payment: refunds as requested, always declined, or declined once; or inquiries without a result. */
type RefundRule = 'approve' | 'decline' | 'decline-first' | 'no-result';

export interface SandboxDecision {
  readonly outcome: Omit<Extract<Outcome, { kind: 'approved' }>, 'reference' | 'authCode'> | Extract<Outcome, { kind: 'declined' }>;
  readonly delivery: ResponseDelivery;
  readonly refundRule: RefundRule;
}

const DECLINE_REASONS: Readonly<Record<DeclineCode, string>> = {
  card_declined: 'The card was declined.',
  expired_card: 'The card has expired.',
  invalid_account: 'The card number is not valid.',
  invalid_expiry: 'The expiry date is not valid.',
  lost_stolen: 'The card was reported lost or stolen.',
  restricted_card: 'The card cannot be used for this payment.',
  call_issuer: 'The cardholder must call the issuer.',
  do_not_honor: 'The issuer could not process the payment.',
  cvv_failure: 'The security code does not match.',
  avs_failure: 'The billing address does not match.',
  fraud_suspected: 'The payment was stopped as suspicious.',
  insufficient_funds: 'The account does not have enough funds.',
  exceeds_limit: 'The amount exceeds the limit of the card.',
  R01: 'Insufficient funds.',
  R02: 'The account is closed.',
  R03: 'No account was found.',
  R04: 'The account number is not valid.',
  R05: 'The debit was not authorized.',
  R07: 'The authorization was revoked by the customer.',
  R10: 'The customer says the debit is not authorized.',
  R29: 'The account does not allow this entry.',
  refund_refused: 'The refund was refused.',
};

const CARD_DECLINES: ReadonlySet<string> = new Set(CARD_DECLINE_CODES);

const DELIVERIES: Readonly<Partial<Record<CardOutcome, ResponseDelivery>>> = {
  answer_lost: 'answer-lost',
  never_received: 'never-received',
  stays_unconfirmed: 'answer-lost',
  gateway_error: 'error',
};

const REFUND_RULES: Readonly<Partial<Record<CardOutcome, RefundRule>>> = {
  refund_declined: 'decline',
  refund_declined_once: 'decline-first',
  stays_unconfirmed: 'no-result',
};

const isCardDecline = (outcome: CardOutcome): outcome is CardDeclineCode => CARD_DECLINES.has(outcome);

const CVV_RESPONSES: Readonly<Record<string, string>> = { '901': 'N', '903': 'U', '904': 'P' };
const AVS_RESPONSES: Readonly<Record<string, string>> = { '46205': 'N', '46201': 'A', '46203': 'Z' };
/** Return codes by the last four digits of an account: `0029` is R29. */
const ACH_RETURNS: ReadonlyMap<string, DeclineCode> = new Map(ACH_DECLINE_CODES.map((code) => [`00${code.slice(1)}`, code]));
const DECLINED_AT_MAJOR = 1_000;
const LIMIT_MAJOR = 100_000;

interface Checks {
  readonly avsResponse?: string;
  readonly cvvResponse?: string;
}

export function decline(declineCode: DeclineCode, checks: Checks = {}): Extract<Outcome, { kind: 'declined' }> {
  const areBothMismatches = declineCode === 'cvv_failure' && checks.avsResponse === 'N' && checks.cvvResponse === 'N';
  const reason = areBothMismatches ? 'The security code and the billing address do not match.' : DECLINE_REASONS[declineCode];
  return { kind: 'declined', declineCode, declineReason: reason ?? 'The payment was declined.', ...checks };
}

function cvvResponse(source: Source): string | undefined {
  if (source.kind !== 'card' || source.cvv === undefined) return undefined;
  return CVV_RESPONSES[source.cvv.slice(-3)] ?? 'M';
}

/** Returns the result of the address check. It covers the sent fields: without a street a match is `Z`, without a ZIP code `A`. */
function avsResponse({ source, billing }: ChargeRequest): string | undefined {
  if (source.kind !== 'card') return undefined;
  const { zip, address } = billing ?? {};
  if (zip === undefined) return address === undefined ? undefined : 'A';
  return AVS_RESPONSES[zip.slice(0, 5)] ?? (address === undefined ? 'Z' : 'Y');
}

/** Returns true for amounts that are declined. Applies to sales, authorizations and credits. */
export function isDeclinedAmount({ amount, forInvoice }: Pick<ChargeRequest, 'amount' | 'forInvoice'>): boolean {
  if (forInvoice) return false;
  const unit = majorUnit(amount.currency);
  return amount.minor === DECLINED_AT_MAJOR * unit || amount.minor >= LIMIT_MAJOR * unit;
}

/** Returns the balance of a prepaid card; null for another card, and for a payment within the balance. */
function balanceBelow({ amount }: ChargeRequest, card: CardOutcome): Money | null {
  const balance = PREPAID_BALANCE * majorUnit(amount.currency);
  return card === 'prepaid_balance' && amount.minor > balance ? money(balance, amount.currency) : null;
}

/** Returns the sandbox's decision about a new payment by its card or account, amount, security code and address. */
export function decide(charge: ChargeRequest): SandboxDecision {
  const { source } = charge;
  if (source.kind === 'ach') {
    const declined = isDeclinedAmount(charge) ? 'exceeds_limit' : ACH_RETURNS.get(source.accountNumber.slice(-4));
    return { outcome: declined ? decline(declined) : { kind: 'approved' }, delivery: 'answered', refundRule: 'approve' };
  }
  // A card of the account that the sandbox does not have.
  if (source.kind === 'card-at-gateway') return { outcome: decline('invalid_account'), delivery: 'answered', refundRule: 'approve' };
  const checks = { avsResponse: avsResponse(charge), cvvResponse: cvvResponse(source) };
  const card = SANDBOX_CARDS[source.number] ?? 'approved';
  const balance = balanceBelow(charge, card);
  const declined: CardDeclineCode | null =
    (isDeclinedAmount(charge) && 'exceeds_limit') ||
    (isCardDecline(card) && card) ||
    (balance !== null && charge.allowsPartialApproval !== true && 'insufficient_funds') ||
    (checks.cvvResponse === 'N' && 'cvv_failure') ||
    (checks.avsResponse === 'N' && 'avs_failure') ||
    null;
  const shownChecks = {
    avsResponse: declined === 'avs_failure' ? 'N' : checks.avsResponse,
    cvvResponse: declined === 'cvv_failure' ? 'N' : checks.cvvResponse,
  };
  return {
    outcome: declined
      ? decline(declined, shownChecks)
      : { kind: 'approved', ...shownChecks, ...(balance !== null && { charged: { amount: balance } }) },
    delivery: DELIVERIES[card] ?? 'answered',
    refundRule: REFUND_RULES[card] ?? 'approve',
  };
}
