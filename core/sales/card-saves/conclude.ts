import type { Work } from '#core/database';
import { type Actor, isoTime, later, money, realNow, ServiceError, serviceActor, storedCurrency } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { Outcome, TerminalAnswer, TerminalInquiry } from '#core/processing/gateways';
import type { CardAtGateway, SealedSource } from '#core/records/vault';
import type { CardSaveState } from '#shared/terminals';
import type { Dependencies } from './dependencies.ts';
import { isOpen } from './records.ts';
import { CARD_SAVES, type CardSaveRow } from './schema.ts';

/** Name of the job that asks card readers and processors about requests to store a card. */
export const CARD_SAVE_JOB = 'card-saves.inquire';
/** Interval of questions to a reader about the request that runs on it, and the longest one about a lost answer. */
const POLL_MS = 2_000;
const POLL_LAST_MS = 60_000;

type Ended = Exclude<Outcome, { kind: 'pending' | 'unknown' }>;
type Open = Exclude<TerminalAnswer, Ended>;

/** Returns the inquiry about a request, at the present address of its reader. */
export async function inquiryOf(deps: Dependencies, row: CardSaveRow): Promise<TerminalInquiry> {
  const reader = await deps.terminals.reachedAt(row.tenant_id, row.terminal_id);
  return {
    tenantId: row.tenant_id,
    gatewayId: row.gateway_id,
    deviceId: row.device_id,
    address: reader?.address ?? null,
    processorRef: row.processor_ref,
    requestId: row.request_id,
    operation: 'verification',
    amount: money(0, storedCurrency(row.currency)),
    at: row.sent_at,
  };
}

/** Emits the change of a request, in its unit of work, and notifies screens. Nothing is emitted while its state stays. */
export function changed(deps: Dependencies, work: Work, row: CardSaveRow, before: CardSaveState | null): void {
  const { tenant_id: tenantId, merchant_id: merchantId, id, state } = row;
  if (state === before) return;
  deps.emit(work, {
    tenantId,
    merchantId,
    resourceId: id,
    atMs: deps.clockOf(tenantId).now(),
    type: 'terminal.card_save_updated',
    data: {
      cardSaveId: id,
      customerId: row.customer_id,
      terminalId: row.terminal_id,
      name: row.terminal_name,
      state,
      canceledBy: row.canceled_by,
      paymentMethodId: row.payment_method_id,
      brand: row.brand,
      last4: row.last4,
    },
  });
  work.afterCommit(() => {
    deps.changed(tenantId, 'terminals', merchantId);
    if (state === 'saved') deps.changed(tenantId, 'customers', merchantId);
  });
}

/** Changes a request that is still open, and emits the change. Returns false if it has ended. */
async function update(
  deps: Dependencies,
  { tenant_id, id }: CardSaveRow,
  columnsOf: (work: Work, row: CardSaveRow) => Promise<Partial<CardSaveRow>>,
): Promise<boolean> {
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const row = await work.lockOne(CARD_SAVES, { id });
    if (row === null || !isOpen({ status: row.state })) return false;
    const set = { ...(await columnsOf(work, row)), updated_at: isoTime(deps.clockOf(tenant_id).now()) };
    await work.update(CARD_SAVES, { id }, set);
    changed(deps, work, { ...row, ...set }, row.state);
    return true;
  });
}

/** Records that a request runs on its reader, or that its outcome is not known, and when to ask again. */
export async function record(deps: Dependencies, row: CardSaveRow, answer: Open): Promise<void> {
  const isRunning = answer.kind === 'running';
  const ageMs = realNow() - Date.parse(row.sent_at);
  const delayMs = isRunning ? POLL_MS : Math.min(POLL_LAST_MS, Math.max(POLL_MS, ageMs / 4));
  const state = !isRunning ? 'unconfirmed' : answer.step === 'choosing_tip' ? 'waiting_for_card' : answer.step;
  await update(deps, row, async () => ({
    state,
    ...(isRunning && { request_id: answer.requestId }),
    ...released(later(realNow(), Math.round(delayMs))),
  }));
  deps.scheduler.wake(CARD_SAVE_JOB, row.tenant_id);
}

const END = { until_ms: null, ...released(null) };

/** Concludes a request. After an approval the card is stored on the customer in the same commit. */
export async function finish(deps: Dependencies, row: CardSaveRow, outcome: Ended | { readonly kind: 'not-found' }): Promise<void> {
  if (outcome.kind === 'approved') return save(deps, row, outcome);
  const set = columnsAfter(outcome);
  await update(deps, row, async () => ({ ...set, ...END }));
}

function columnsAfter(outcome: Exclude<Ended, { kind: 'approved' }> | { readonly kind: 'not-found' }): Partial<CardSaveRow> {
  if (outcome.kind === 'not-found') return { state: 'failed', reason: 'The processor never received the request. Ask for the card again.' };
  if (outcome.kind === 'not-sent') {
    const { reason, canceledBy } = outcome;
    return canceledBy === undefined ? { state: 'failed', reason } : { state: 'canceled', canceled_by: canceledBy };
  }
  const { declineReason: reason, cardPresent: card } = outcome;
  return { state: 'declined', reason, ...(card && { brand: card.brand, last4: card.last4 }) };
}

async function save(
  deps: Dependencies,
  row: CardSaveRow,
  { storedAs, cardPresent: card }: Extract<Ended, { kind: 'approved' }>,
): Promise<void> {
  if (storedAs === undefined || card === undefined) {
    const reason = 'The processor checked the card and did not say under which reference it stored it.';
    return void (await update(deps, row, async () => ({ state: 'failed', reason, ...END })));
  }
  const { brand, last4, expiryMonth = '', expiryYear = '' } = card;
  const source: CardAtGateway = {
    kind: 'card-at-gateway',
    gatewayId: row.gateway_id,
    reference: storedAs,
    brand,
    last4,
    expiryMonth,
    expiryYear,
  };
  const actor: Actor = { ...serviceActor(row.tenant_id), name: row.created_by, credentialId: row.credential_id };
  try {
    const sealed = await deps.vault.seal(row.tenant_id, source, { owner: row.customer_id, merchantId: row.merchant_id });
    await update(deps, row, async (work) => {
      const payment_method_id = await storeCard(deps, work, actor, row, sealed);
      return { state: 'saved', payment_method_id, brand, last4, ...END };
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'CUSTOMER_NOT_FOUND') throw error;
    await update(deps, row, async () => ({ state: 'failed', reason: 'The customer was removed in the meantime.', ...END }));
  }
}

function storeCard(deps: Dependencies, work: Work, actor: Actor, row: CardSaveRow, sealed: SealedSource): Promise<string> {
  const { customer_id, consent_text: text } = row;
  const store = async () => {
    await deps.vault.write(work, sealed);
    return deps.vault.assignToOwner(work, actor, sealed.token, customer_id);
  };
  return deps.customers.addMethodIn(work, actor, customer_id, store, { text, channel: 'counter' });
}
