import { listOf, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Actor, currencyOfPayment, isoTime, newId, newProcessorRef, realNow, realTime, ServiceError } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import type { TerminalAnswer } from '#core/processing/gateways';
import { checkOpen } from '#core/processing/merchants';
import { checkedWait, checkTerminalMerchant, type PairedTerminal, type TerminalUse, waitForEnd } from '#core/processing/terminals';
import { runningPayments } from '#core/sales/payments';
import { CARD_SAVE_JOB, changed, finish, inquiryOf, record } from './conclude.ts';
import type { Dependencies } from './dependencies.ts';
import { ANSWERS_WITHIN_MS, cardSaveJob } from './inquire.ts';
import { type CardSave, isOpen, toCardSave } from './records.ts';
import { CARD_SAVES, type CardSaveRow } from './schema.ts';

export { CardSave, isOpen } from './records.ts';

export const TABLES = [CARD_SAVES];

export type CardSaves = ReturnType<typeof createCardSaves>;

export interface CardSaveInput {
  readonly terminalId: string;
  /** Text that the customer agreed to. */
  readonly consentText: string;
  /** Longest time for which the request waits for the outcome; by default none. */
  readonly waitSeconds?: number;
}

const queries = queriesOn(CARD_SAVES);

const occupying = (terminalIds: readonly string[]) =>
  queries
    .selectFrom('card_saves')
    .select(['id', 'terminal_id', 'until_ms', 'created_by'])
    .where('tenant_id', '=', TENANT)
    .where('terminal_id', 'in', listOf(terminalIds))
    .where('until_ms', 'is not', null);

/** Returns the payments and the requests to store a card that run on card readers. */
export async function terminalUses(read: Read, terminalIds: readonly string[]): Promise<TerminalUse[]> {
  if (terminalIds.length === 0) return [];
  const saves = (await read.rows(occupying(terminalIds)))
    .filter(({ until_ms }) => Number(until_ms) > realNow())
    .map(({ id, terminal_id, created_by }) => ({ terminalId: terminal_id, cardSaveId: id, usedBy: created_by }));
  return [...(await runningPayments(read, terminalIds)), ...saves];
}

/** Claims a card reader for a request, in the unit of work that writes it. Claims that have expired end. */
async function claim(deps: Dependencies, work: Work, terminalId: string): Promise<void> {
  await deps.terminals.claim(work, terminalId);
  for (const { id } of await work.rows(occupying([terminalId]))) await work.update(CARD_SAVES, { id }, { until_ms: null });
}

/**
 * Cards that customers present to card readers to be stored. The processor verifies the card without a charge and stores it, and Paydesk stores its reference, which
 * this gateway alone can charge.
 */
export function createCardSaves(deps: Dependencies) {
  deps.scheduler.register(cardSaveJob(deps));

  /** @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED */
  async function find(actor: Actor, cardSaveId: string): Promise<CardSaveRow> {
    const row = await deps.database.read(actor.tenantId).one(CARD_SAVES, { id: cardSaveId });
    if (!row) {
      const details = { cardSaveId: cardSaveId.slice(0, 60) };
      throw new ServiceError('NOT_FOUND', `There is no request ${details.cardSaveId} to store a card.`, { details });
    }
    await deps.merchantFor(actor, row.merchant_id);
    return row;
  }

  /** Asks about a request immediately. */
  async function askNow({ tenant_id, id }: Pick<CardSaveRow, 'tenant_id' | 'id'>): Promise<void> {
    await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
      const row = await work.lockOne(CARD_SAVES, { id });
      if (row !== null && row.due_ms !== null) await work.update(CARD_SAVES, { id }, { due_ms: realNow() });
    });
    await deps.scheduler.runOne(CARD_SAVE_JOB, tenant_id, id);
  }

  async function start(row: CardSaveRow): Promise<TerminalAnswer> {
    try {
      const { terminals } = await deps.gateways.connectorFor(row.tenant_id, row.gateway_id);
      if (!terminals) return { kind: 'not-sent', reason: 'The gateway of the card reader is not set up.', retry: 'error' };
      return await terminals.start({ ...(await inquiryOf(deps, row)), merchantId: row.merchant_id });
    } catch (cause) {
      return { kind: 'unknown', cause };
    }
  }

  return {
    /**
     * Asks a customer on a card reader for a card, and stores it. @throws ServiceError CUSTOMER_NOT_FOUND; NOT_FOUND for an unknown reader; VALIDATION_ERROR
     * for a reader of another merchant, or whose processor does not store cards; RESOURCE_CONFLICT while the reader is in use.
     */
    async create(actor: Actor, customerId: string, input: CardSaveInput): Promise<CardSave> {
      const { tenantId } = actor;
      const waitSeconds = checkedWait(input.waitSeconds);
      const { merchantId } = await deps.customers.get(actor, customerId);
      const merchant = checkOpen(await deps.merchantFor(actor, merchantId));
      const terminal = await deps.terminals.forPayment(actor, input.terminalId);
      checkTerminalMerchant(terminal, merchantId);
      const connector = await deps.gateways.connectorFor(tenantId, terminal.gateway_id);
      if (!connector.terminals?.features?.has('verification'))
        throw refused(
          'terminalId',
          `The processor of ${terminal.name} stores no cards that Paydesk can charge later. Enter the card by its number.`,
          'card_saves_not_supported',
        );
      const row = newRow(deps, actor, terminal, { ...input, customerId, currency: currencyOfPayment(undefined, merchant) });
      const due = { ...row, ...dueAt(realTime(realNow() + connector.capabilities.answersWithinMs)) };
      await deps.database.unitOfWork.transaction(tenantId, async (work) => {
        await claim(deps, work, terminal.id);
        await deps.customers.lock(work, customerId);
        work.insert(CARD_SAVES, due);
        const after = { customerId, terminalId: terminal.id };
        deps.audit(work, {
          actor,
          action: 'card_save.started',
          resource: `customers/${customerId}/card-saves/${row.id}`,
          merchantId,
          after,
        });
        changed(deps, work, due, null);
      });
      const answer = await start(due);
      if (answer.kind === 'running' || answer.kind === 'unknown' || answer.kind === 'pending') await record(deps, due, answer);
      else await finish(deps, due, answer);
      const hasEnded = async () => !isOpen(toCardSave(await find(actor, row.id)));
      await waitForEnd(deps, tenantId, realNow() + waitSeconds * 1_000, hasEnded);
      return toCardSave(await find(actor, row.id));
    },

    get: async (actor: Actor, cardSaveId: string): Promise<CardSave> => toCardSave(await find(actor, cardSaveId)),

    /**
     * Asks the card reader to end the dialog, and returns the request: canceled, saved if the card was faster, or still open. @throws ServiceError
     * RESOURCE_CONFLICT with `details.reason` `not_on_reader` if it does not run on its reader.
     */
    async cancel(actor: Actor, cardSaveId: string): Promise<CardSave> {
      const row = await find(actor, cardSaveId);
      if (row.until_ms === null || row.until_ms <= realNow())
        throw new ServiceError('RESOURCE_CONFLICT', 'This request no longer runs on its card reader.', {
          details: { cardSaveId: row.id, reason: 'not_on_reader', status: row.state },
        });
      await deps.database.unitOfWork.transaction(actor.tenantId, async (work) =>
        deps.audit(work, {
          actor,
          action: 'card_save.cancel_requested',
          resource: `customers/${row.customer_id}/card-saves/${row.id}`,
          merchantId: row.merchant_id,
          after: { state: row.state },
        }),
      );
      const { terminals } = await deps.gateways.connectorFor(row.tenant_id, row.gateway_id);
      await terminals?.cancel(await inquiryOf(deps, row));
      await askNow(row);
      return toCardSave(await find(actor, cardSaveId));
    },

    /** Asks about a request immediately, because its reader has reported a change. */
    async terminalChanged(tenantId: string, processorRef: string): Promise<void> {
      const row = await deps.database.read(tenantId).one(CARD_SAVES, { processor_ref: processorRef });
      if (row) await askNow(row);
    },
  };
}

function newRow(
  deps: Dependencies,
  actor: Actor,
  { id, merchant_id, gateway_id, device_id, name }: PairedTerminal,
  { customerId, currency, consentText }: CardSaveInput & { customerId: string; currency: string },
): Omit<CardSaveRow, 'due_ms' | 'lease_ms' | 'fence'> {
  if (consentText.trim() === '')
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`consentText` is required: a card is stored with the consent of its holder only.', {
      field: 'consentText',
    });
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  return {
    tenant_id: actor.tenantId,
    id: newId('csv', now),
    merchant_id,
    customer_id: customerId,
    terminal_id: id,
    terminal_name: name,
    gateway_id,
    device_id,
    processor_ref: newProcessorRef(),
    request_id: null,
    currency,
    state: 'starting',
    canceled_by: null,
    reason: null,
    consent_text: consentText.trim(),
    payment_method_id: null,
    brand: null,
    last4: null,
    until_ms: realTime(realNow() + ANSWERS_WITHIN_MS),
    sent_at: isoTime(realNow()),
    created_by: actor.name,
    credential_id: actor.credentialId,
    created_at: at,
    updated_at: at,
  };
}

const refused = (field: string, message: string, reason?: string) =>
  new ServiceError('VALIDATION_ERROR', message, { field, ...(reason && { details: { reason } }) });
