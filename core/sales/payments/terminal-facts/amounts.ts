import { type Actor, type Money, money, ServiceError } from '#core/kernel';
import type { AllowedChanges, ChargedAmount, Outcome, TerminalAnswer, TerminalFeature } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { PairedTerminal } from '#core/processing/terminals';
import { surchargeOn } from '#shared/surcharge';
import type { Dependencies } from '../dependencies.ts';
import { amountLimit } from '../fraud/amount-limits.ts';
import { type PartColumns, type Parts, partColumns, partsOf, splitParts } from '../parts/parts.ts';
import type { TransactionRow } from '../schema.ts';
import { surchargePercents } from '../surcharge/surcharge.ts';
import { factsOf, isAtTerminal } from './facts.ts';
import type { TerminalMethodInput } from './input.ts';

/** Highest tip in percent of the amount if the approval rules of the merchant set none. */
const TIP_PERCENT_MAX = 100;

interface NewPayment {
  readonly merchant: Merchant;
  readonly amount: Money;
  readonly parts: Parts;
  readonly allowPartialApproval?: boolean | undefined;
}

const FIELDS = { tip: 'askTip', surcharge: 'addSurcharge', 'partial-approval': 'allowPartialApproval' } as const satisfies Partial<
  Record<TerminalFeature, string>
>;

/**
 * Returns the changes of the amount that a new payment on a reader allows. The reader asks for a tip if the request or the setting of the reader says so. A key
 * with spending limits states its amounts, so the reader adds nothing to them. @throws ServiceError VALIDATION_ERROR for a change that the request asks for and
 * that is not possible.
 */
export async function changesFor(
  deps: Dependencies,
  actor: Actor,
  terminal: PairedTerminal,
  method: TerminalMethodInput,
  { merchant, amount, parts, allowPartialApproval }: NewPayment,
): Promise<AllowedChanges> {
  const { terminals } = await deps.gateways.connectorFor(actor.tenantId, terminal.gateway_id);
  const check = (feature: keyof typeof FIELDS, isWanted: boolean | undefined, obstacle: string | null = null) => {
    if (!isWanted) return false;
    const missing = terminals?.features?.has(feature) ? obstacle : `${terminal.name} does not support this.`;
    if (missing !== null) throw new ServiceError('VALIDATION_ERROR', missing, { field: FIELDS[feature] });
    return true;
  };
  const limited = actor.hasSpendingLimits
    ? 'An API key with spending limits states its amounts, so the card reader adds nothing to them.'
    : null;
  const tipped = parts.tip > 0 ? 'The payment has a tip, so the card reader does not ask for one.' : null;
  check('tip', method.asksTip, limited ?? tipped);
  const isAsked = method.asksTip ?? (terminal.asks_tip === 1 && tipped === null && limited === null);
  const percents = check('surcharge', method.addsSurcharge, limited) ? surchargePercents(merchant) : {};
  const base = amount.minor - parts.tip;
  const highest = surchargeOn(base, Math.max(0, ...Object.values(percents)));
  const max = isAsked ? await highestTip(deps, actor.tenantId, merchant, amount, highest) : 0;
  const { tipPercents, tipCustomAmount } = merchant.amountSettings;
  return {
    ...(max > 0 && { tip: { percents: tipPercents, allowsOther: tipCustomAmount, max: money(max, amount.currency) } }),
    ...(highest > 0 && { surchargePercents: percents }),
    ...(check('partial-approval', allowPartialApproval) && { allowsPartialApproval: true }),
  };
}

/** Returns the highest tip in minor units: within the approval rules, which nobody can ask at the reader, and within the limit of a payment. */
async function highestTip(
  deps: Dependencies,
  tenantId: string,
  merchant: Merchant,
  amount: Money,
  surchargeMinor: number,
): Promise<number> {
  const percent = (await deps.maxTipPercent(tenantId, merchant.merchantId)) ?? TIP_PERCENT_MAX;
  const share = Math.floor((amount.minor * Math.min(percent, TIP_PERCENT_MAX)) / 100);
  const limit = amountLimit(merchant, amount.currency);
  return limit === null ? share : Math.max(0, Math.min(share, limit - amount.minor - surchargeMinor));
}

/** Returns the highest amount that a payment may have with a surcharge of the reader; a tip is bounded by the same limit. */
export function highestAmount(amount: Money, { tip }: Parts, { surchargePercents: percents = {} }: AllowedChanges): Money {
  const surcharge = surchargeOn(amount.minor - tip, Math.max(0, ...Object.values(percents)));
  return money(amount.minor + surcharge, amount.currency);
}

/** Returns the changes of the amount that a payment allows. A card that no reader reads can only be approved in part. */
function allowedChangesOf(row: TransactionRow): AllowedChanges {
  if (isAtTerminal(row)) return factsOf(row).changes ?? {};
  return row.requested_minor === null ? {} : { allowsPartialApproval: true };
}

/** Amount and parts that a payment has after its approval, in minor units. */
export interface ApprovedAmount extends PartColumns {
  readonly amount_minor: number;
}

type Approval = Extract<TerminalAnswer, { kind: 'approved' }>;

/** Tip and surcharge of an approval. An excess that is not explained is the tip, if the reader asked for one. */
function additionsOf(changes: AllowedChanges, asked: number, { amount, tip, surcharge }: ChargedAmount) {
  const surchargeMinor = surcharge?.minor ?? 0;
  const excess = changes.tip === undefined ? 0 : Math.max(0, amount.minor - asked - surchargeMinor);
  return { tipMinor: tip?.minor ?? excess, surchargeMinor };
}

/** Returns the amount of a payment after its approval: the amount of the answer is the amount. */
export function approvedAmount(row: TransactionRow, { charged }: Approval): ApprovedAmount {
  const asked = partsOf(row);
  if (charged === undefined) return { amount_minor: row.amount_minor, ...partColumns(asked) };
  const { tipMinor, surchargeMinor } = additionsOf(allowedChangesOf(row), row.amount_minor, charged);
  const parts = { ...asked, tip: asked.tip + tipMinor, surcharge: asked.surcharge + surchargeMinor };
  const total = row.amount_minor + tipMinor + surchargeMinor;
  return { amount_minor: charged.amount.minor, ...partColumns(splitParts(charged.amount.minor, total, parts)) };
}

/**
 * Checks the amount of an approval. One with a tip above the limit, a surcharge that the card must not have, or a part that the payment does not accept becomes a
 * decline whose charge is voided, or an unknown outcome if its processor does not confirm voids. Any other amount is an unknown outcome, for a person.
 */
export function checkedAnswer<Answer extends { readonly kind: string }>(
  row: TransactionRow,
  answer: Answer | Approval,
): Answer | Approval | Extract<Outcome, { kind: 'declined' | 'unknown' }> {
  if (!isApproval(answer) || answer.charged === undefined) return answer;
  const { charged, cardPresent, reference } = answer;
  const changes = allowedChangesOf(row);
  const { tip, surchargePercents: percents, allowsPartialApproval } = changes;
  const { tipMinor, surchargeMinor } = additionsOf(changes, row.amount_minor, charged);
  const total = row.amount_minor + tipMinor + surchargeMinor;
  const voided = (declineReason: string): Extract<Outcome, { kind: 'declined' | 'unknown' }> =>
    charged.isNotVoidable
      ? { kind: 'unknown', cause: `The amount of ${reference} is not allowed.`, alert: 'other-amount' }
      : { kind: 'declined', declineCode: 'card_declined', declineReason, referenceToVoid: reference, cardPresent };
  if (charged.amount.minor > total || (tipMinor > 0 && tip === undefined))
    return { kind: 'unknown', cause: 'The amount at the processor differs.', alert: 'other-amount' };
  if (tipMinor > (tip?.max.minor ?? 0)) return voided('The tip was above the limit, so the payment was voided.');
  if (surchargeMinor > highestSurcharge(row, percents, cardPresent))
    return voided('The surcharge is not allowed for this card, so the payment was voided.');
  if (charged.amount.minor <= 0) return voided('Nothing of the amount was approved.');
  if (charged.amount.minor < total && !allowsPartialApproval) return voided('Only a part of the amount was approved.');
  return answer;
}

const isApproval = (answer: { readonly kind: string }): answer is Approval => answer.kind === 'approved';

/** Returns the highest surcharge for the card that was read; only a card that is known to be a credit card may have one. */
function highestSurcharge(row: TransactionRow, percents: AllowedChanges['surchargePercents'] = {}, card: Approval['cardPresent']): number {
  if (card?.funding !== 'credit') return 0;
  return surchargeOn(row.amount_minor - row.tip_minor, percents[card.brand] ?? 0);
}
