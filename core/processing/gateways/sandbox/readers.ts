import { randomInt } from 'node:crypto';
import type { Database, Work } from '#core/database';
import { money, newId, parseMoneyOrZero, ServiceError, storedCurrency } from '#core/kernel';
import { brandOfDigits, type CardSource } from '#core/records/vault';
import type { EntryMode, ReaderAction, Verification } from '#shared/terminals';
import type { ChargeRequest } from '../connector.ts';
import type { CardPresent, Outcome } from '../outcome.ts';
import type { TerminalAnswer, TerminalCharge, TerminalConnector, TerminalInquiry, TerminalRegistration } from '../terminals.ts';
import { SANDBOX_CARDS, sandboxFundingOf } from './cards.ts';
import { outcomeOf, paymentEntry } from './entry.ts';
import { DIALOGS, type DialogRow, LEDGER, type LedgerRow, READERS, type ReaderRow } from './ledger.ts';
import { decide, decline } from './outcomes.ts';
import { amountCharged, changesOf, chargedOf, shownAmounts, surchargeFor, waitingFor } from './reader-amounts.ts';
import type { ReaderScreen } from './records.ts';

/** Codes that a simulated reader shows: one that pairs it, and two that do not. */
const READER_CODES = { valid: 'SIM123', expired: 'SIM000', taken: 'SIM999' } as const;

const DEFAULT_CARD = '4111111111111111';
const CHIP_REFUSAL = { outcome: decline('card_declined'), delivery: 'answered', refundRule: 'approve' } as const;
const PIN_TRIES = 3;
/** Time after which a reader gives up waiting for a card. */
const PRESENT_WITHIN_MS = 120_000;

/** Payment applications of the brands, as their chips name them. */
const APPLICATIONS: Readonly<Record<string, { readonly label: string; readonly id: string }>> = {
  visa: { label: 'Visa Credit', id: 'A0000000031010' },
  mastercard: { label: 'Mastercard Credit', id: 'A0000000041010' },
  amex: { label: 'American Express', id: 'A000000025010402' },
  discover: { label: 'Discover', id: 'A0000001523010' },
};

/** Entry mode and verification of each way to present a card. */
const PRESENTATIONS = {
  chip: ['chip', 'pin'],
  chip_signature: ['chip', 'signature'],
  chip_refuses: ['chip', 'none'],
  part: ['chip', 'pin'],
  other_amount: ['chip', 'pin'],
  contactless: ['contactless', 'none'],
  phone: ['contactless', 'device'],
  swipe: ['swipe', 'signature'],
  keyed: ['keyed', 'none'],
} as const satisfies Partial<Record<ReaderAction, readonly [EntryMode, Verification]>>;
type Presentation = keyof typeof PRESENTATIONS;

export interface ReaderInput {
  readonly action: ReaderAction;
  /** Number of a test card; the first one by default. */
  readonly cardNumber?: string;
  /** For the action `tip`: the tip. */
  readonly tipAmount?: string | number;
}

interface ReadersOptions {
  readonly ledger: Database;
  /** Calls the processor in the mode of the gateway: it may be down or slow. */
  readonly withMode: <Answer>(
    of: { readonly tenantId: string; readonly gatewayId: string | null },
    answer: () => Promise<Answer>,
  ) => Promise<Answer | Extract<Outcome, { kind: 'not-sent' }>>;
  /** Returns true if the gateway does not answer inquiries at present. */
  readonly isSilent: (tenantId: string, gatewayId: string | null) => Promise<boolean>;
  /** Returns the outcome of a lost answer, after the time-out. */
  readonly lost: () => Promise<Outcome>;
  readonly nowOf: (of: { readonly tenantId: string }) => number;
}

const NO_ANSWER = { kind: 'unknown', cause: 'The card reader does not answer.', isNotYetShown: true } as const;

/** Simulated card readers of the sandbox gateway. A dialog ends by an action of a person at the reader, or after two minutes. */
export function createSandboxReaders({ ledger, withMode, isSilent, lost, nowOf }: ReadersOptions) {
  async function readerOf(tenantId: string, id: string): Promise<ReaderRow> {
    const reader = await ledger.read(tenantId).one(READERS, { id });
    if (!reader) throw new ServiceError('NOT_FOUND', 'This card reader is not a simulated one.');
    return reader;
  }

  const inWork = <Result>(tenantId: string, work: (work: Work) => Promise<Result>) => ledger.unitOfWork.transaction(tenantId, work);

  const isReachable = (reader: Pick<ReaderRow, 'plugged' | 'connected'>) => reader.plugged === 1 && reader.connected === 1;
  const isRunning = ({ state }: Pick<DialogRow, 'state'>) => state === 'waiting' || state === 'processing';

  /** Returns a dialog, after it was ended if nobody presented a card in time. */
  async function dialogOf(tenantId: string, processorRef: string): Promise<DialogRow | null> {
    const dialog = await ledger.read(tenantId).one(DIALOGS, { processor_ref: processorRef });
    if (dialog?.state !== 'waiting' || Date.now() - dialog.started_ms < PRESENT_WITHIN_MS) return dialog;
    await endWaiting(tenantId, processorRef, { state: 'canceled', canceled_by: 'timeout' });
    return ledger.read(tenantId).one(DIALOGS, { processor_ref: processorRef });
  }

  /** Changes a dialog that waits for a card. Returns false if it does not wait any more. */
  async function endWaiting(tenantId: string, processorRef: string, set: Partial<DialogRow>): Promise<boolean> {
    return (await inWork(tenantId, (work) => work.update(DIALOGS, { processor_ref: processorRef, state: 'waiting' }, set))) === 1;
  }

  async function outcomeInLedger(tenantId: string, dialog: DialogRow): Promise<Outcome | null> {
    const row = await ledger.read(tenantId).one(LEDGER, { processor_ref: dialog.processor_ref });
    if (row === null) return null;
    if (row.refund_rule === 'no-result')
      return { kind: 'unknown', cause: 'The sandbox gateway never shows this payment.', isNotYetShown: true };
    const outcome = outcomeOf(row);
    const cardPresent = cardOf(dialog)?.cardPresent;
    if (outcome.kind === 'approved' && dialog.operation === 'verification')
      return { ...outcome, cardPresent, storedAs: dialog.processor_ref };
    if (outcome.kind === 'approved') return { ...outcome, cardPresent, charged: chargedOf(dialog, row.amount_minor) };
    return outcome.kind === 'declined' ? { ...outcome, cardPresent } : outcome;
  }

  async function answerOf(tenantId: string, dialog: DialogRow): Promise<TerminalAnswer> {
    switch (dialog.state) {
      case 'waiting':
        return { kind: 'running', ...waitingFor(dialog), requestId: dialog.processor_ref };
      case 'processing':
        return { kind: 'running', ...waitingFor(dialog), step: 'processing', requestId: dialog.processor_ref };
      case 'canceled':
        return {
          kind: 'not-sent',
          reason: 'The payment was canceled on the card reader.',
          retry: 'error',
          canceledBy: dialog.canceled_by ?? 'customer',
        };
      case 'failed':
        return { kind: 'not-sent', reason: 'The sandbox gateway responded with an error.', retry: 'error' };
      case 'decided':
        return (await outcomeInLedger(tenantId, dialog)) ?? NO_ANSWER;
      case 'lost':
        return NO_ANSWER;
    }
  }

  async function start(charge: TerminalCharge): Promise<TerminalAnswer> {
    const { tenantId, deviceId, processorRef } = charge;
    const answer = await withMode(charge, () => inWork(tenantId, (work) => open(work, charge)));
    if (answer.kind !== 'opened') return answer;
    if (await isSilent(tenantId, charge.gatewayId)) return lost();
    const dialog = await ledger.read(tenantId).one(DIALOGS, { processor_ref: processorRef });
    return dialog === null ? { kind: 'unknown', cause: `no dialog on ${deviceId}` } : answerOf(tenantId, dialog);
  }

  /** Opens the dialog on a reader that is free and connected. A repeated reference opens nothing. */
  async function open(work: Work, charge: TerminalCharge): Promise<{ kind: 'opened' } | Extract<Outcome, { kind: 'not-sent' }>> {
    const { processorRef, deviceId, operation, amount, merchantId, gatewayId, tenantId, changes } = charge;
    const reader = await work.lockOne(READERS, { id: deviceId });
    if (reader === null || !isReachable(reader))
      return { kind: 'not-sent', reason: 'The card reader is offline.', retry: 'error', refusedBy: 'terminal_offline' };
    const last = reader.dialog === null ? null : await work.one(DIALOGS, { processor_ref: reader.dialog });
    if (last?.processor_ref === processorRef) return { kind: 'opened' };
    if (last !== null && isRunning(last) && Date.now() - last.started_ms < PRESENT_WITHIN_MS)
      return { kind: 'not-sent', reason: 'The card reader is in use.', retry: 'error', refusedBy: 'terminal_busy' };
    work.insert(DIALOGS, {
      tenant_id: tenantId,
      processor_ref: processorRef,
      reader_id: deviceId,
      merchant_id: merchantId,
      gateway_id: gatewayId,
      operation,
      amount_minor: amount.minor,
      currency: amount.currency,
      state: 'waiting',
      canceled_by: null,
      wrong_pins: 0,
      note: null,
      card: null,
      changes: changes === undefined ? null : JSON.stringify({ ...changes, baseMinor: amount.minor - (charge.parts?.tip.minor ?? 0) }),
      tip_minor: null,
      surcharge_minor: null,
      started_ms: Date.now(),
    });
    await work.update(READERS, { id: deviceId }, { dialog: processorRef });
    return { kind: 'opened' };
  }

  async function status({ tenantId, gatewayId, deviceId, processorRef }: TerminalInquiry): Promise<TerminalAnswer> {
    if (await isSilent(tenantId, gatewayId)) return NO_ANSWER;
    const reader = await ledger.read(tenantId).one(READERS, { id: deviceId });
    const dialog = await dialogOf(tenantId, processorRef);
    return reader === null || dialog === null || !isReachable(reader) ? NO_ANSWER : answerOf(tenantId, dialog);
  }

  async function inquire(inquiry: TerminalInquiry): Promise<TerminalAnswer | { readonly kind: 'not-found' }> {
    if (await isSilent(inquiry.tenantId, inquiry.gatewayId)) return NO_ANSWER;
    return withMode(inquiry, () => resultOf(inquiry));
  }

  async function resultOf({ tenantId, deviceId, processorRef }: TerminalInquiry): Promise<TerminalAnswer | { readonly kind: 'not-found' }> {
    const dialog = await dialogOf(tenantId, processorRef);
    if (dialog === null) return { kind: 'not-found' };
    const known = await outcomeInLedger(tenantId, dialog);
    if (known !== null) return known;
    const reader = await ledger.read(tenantId).one(READERS, { id: deviceId });
    // A reader without power or network may still complete its dialog.
    if (reader !== null && !isReachable(reader)) return NO_ANSWER;
    return dialog.state === 'lost' ? { kind: 'not-found' } : answerOf(tenantId, dialog);
  }

  /** Presents a card to the reader that waits for one. */
  async function presentCard(reader: ReaderRow, dialog: DialogRow, way: Presentation, number: string, losesPower: boolean): Promise<void> {
    const { tenant_id: tenantId, processor_ref } = dialog;
    if (!(await endWaiting(tenantId, processor_ref, { state: 'processing', note: null }))) throw noDialog();
    if (reader.connected === 0) return setDialog(tenantId, processor_ref, { state: 'waiting', note: 'no_network' });
    const surcharge = surchargeFor(dialog, number);
    const charge = chargeOf({ ...dialog, surcharge_minor: surcharge }, number, way);
    // The reader reverses an approval that the chip refuses, so that the processor's books contain a decline.
    const { outcome, delivery, refundRule } = way === 'chip_refuses' ? CHIP_REFUSAL : decide(charge);
    // A verification stores the card, as an account at a real processor does.
    const stored = dialog.operation === 'verification' ? { number } : {};
    const card = JSON.stringify({ ...cardPresent(number, way), ...stored });
    const answer = await withMode(charge, async () => {
      if (delivery === 'never-received') return 'lost';
      if (delivery === 'error') return 'failed';
      await write(paymentEntry(dialog.operation, charge, { outcome, delivery, refundRule }, nowOf(charge)));
      return delivery === 'answer-lost' || losesPower ? 'lost' : 'decided';
    });
    if (typeof answer !== 'string') return setDialog(tenantId, processor_ref, { state: 'waiting', note: 'no_network' });
    await setDialog(tenantId, processor_ref, { state: answer, card, surcharge_minor: surcharge });
    if (losesPower) await inWork(tenantId, (work) => work.update(READERS, { id: reader.id }, { plugged: 0 }));
  }

  const write = (row: LedgerRow) => ledger.unitOfWork.writeBatch(row.tenant_id, (batch) => batch.insert(LEDGER, row));
  const setDialog = async (tenantId: string, processorRef: string, set: Partial<DialogRow>): Promise<void> =>
    void (await inWork(tenantId, (work) => work.update(DIALOGS, { processor_ref: processorRef }, set)));

  /** A wrong PIN is asked for again; after the last try the issuer declines. */
  async function enterWrongPin(dialog: DialogRow, number: string): Promise<void> {
    const { tenant_id: tenantId, processor_ref } = dialog;
    const wrongPins = dialog.wrong_pins + 1;
    if (wrongPins < PIN_TRIES) {
      if (!(await endWaiting(tenantId, processor_ref, { wrong_pins: wrongPins, note: 'wrong_pin' }))) throw noDialog();
      return;
    }
    if (!(await endWaiting(tenantId, processor_ref, { state: 'processing', wrong_pins: wrongPins, note: null }))) throw noDialog();
    const charge = chargeOf(dialog, number);
    const decision = { outcome: decline('restricted_card'), delivery: 'answered', refundRule: 'approve' } as const;
    await write(paymentEntry(dialog.operation, charge, decision, nowOf(charge)));
    await setDialog(tenantId, processor_ref, { state: 'decided', card: JSON.stringify(cardPresent(number, 'chip')) });
  }

  /** Enters the choice of a tip; one above the limit is asked for again. */
  async function chooseTip(dialog: DialogRow, given: string | number | undefined): Promise<void> {
    const { tip } = changesOf(dialog);
    if (tip === undefined || dialog.tip_minor !== null) throw conflict('This card reader asks for no tip.', 'no_tip');
    const tipMinor = given === undefined ? 0 : parseMoneyOrZero(given, storedCurrency(dialog.currency), 'tipAmount').minor;
    const set = tipMinor > tip.max.minor ? ({ note: 'tip_too_high' } as const) : { note: null, tip_minor: tipMinor };
    if (!(await endWaiting(dialog.tenant_id, dialog.processor_ref, set))) throw noDialog();
  }

  /** Runs an action on a reader. @throws ServiceError RESOURCE_CONFLICT if the reader has no power, or no payment waits for it. */
  async function present(tenantId: string, readerId: string, { action, cardNumber, tipAmount }: ReaderInput): Promise<ReaderScreen> {
    const reader = await readerOf(tenantId, readerId);
    if (action === 'connect' || action === 'disconnect' || action === 'unplug') await setPower(reader, action);
    else {
      const number = testCard(cardNumber);
      if (reader.plugged === 0) throw conflict('This card reader has no power. Connect it first.', 'no_power');
      const dialog = reader.dialog === null ? null : await dialogOf(tenantId, reader.dialog);
      if (dialog === null || !isRunning(dialog)) throw noDialog();
      if (action === 'cancel' || action === 'time_out') await cancelBy(dialog, action === 'cancel' ? 'customer' : 'timeout');
      else if (action === 'tip' || action === 'no_tip') await chooseTip(dialog, action === 'tip' ? tipAmount : undefined);
      else if (action === 'remove_card') await setDialog(tenantId, dialog.processor_ref, { note: 'card_removed' });
      else if (action === 'unreadable') await setDialog(tenantId, dialog.processor_ref, { note: 'card_unreadable' });
      else if (action === 'wrong_pin') await enterWrongPin(dialog, number);
      else
        await presentCard(reader, dialog, action === 'unplug_after_approval' ? 'chip' : action, number, action === 'unplug_after_approval');
    }
    return screenOf(tenantId, readerId);
  }

  async function cancelBy({ tenant_id: tenantId, processor_ref }: DialogRow, canceledBy: 'customer' | 'timeout'): Promise<void> {
    if (!(await endWaiting(tenantId, processor_ref, { state: 'canceled', canceled_by: canceledBy }))) throw noDialog();
  }

  async function setPower(reader: ReaderRow, action: 'connect' | 'disconnect' | 'unplug'): Promise<void> {
    const set = { connect: { plugged: 1, connected: 1 }, disconnect: { connected: 0 }, unplug: { plugged: 0 } }[action];
    await inWork(reader.tenant_id, async (work) => {
      await work.update(READERS, { id: reader.id }, set);
      if (action === 'unplug' && reader.dialog !== null)
        await work.update(DIALOGS, { processor_ref: reader.dialog, state: 'waiting' }, { state: 'lost' });
    });
  }

  async function screenOf(tenantId: string, readerId: string): Promise<ReaderScreen> {
    const reader = await readerOf(tenantId, readerId);
    const dialog = reader.dialog === null ? null : await dialogOf(tenantId, reader.dialog);
    const entry = dialog?.state === 'decided' ? await outcomeInLedger(tenantId, dialog) : null;
    return {
      isPlugged: reader.plugged === 1,
      isConnected: reader.connected === 1,
      dialog: dialog && {
        operation: dialog.operation,
        processorRef: dialog.processor_ref,
        ...shownAmounts(dialog),
        currency: storedCurrency(dialog.currency),
        state: dialog.state,
        note: dialog.note,
        canceledBy: dialog.canceled_by,
        isApproved: entry === null ? null : entry.kind === 'approved',
      },
    };
  }

  async function register({ tenantId, code }: { tenantId: string; code: string }): Promise<TerminalRegistration> {
    const given = code.trim().toUpperCase();
    if (given === READER_CODES.expired)
      return { kind: 'refused', reason: 'The code has expired. Enter the code that the reader shows now.', field: 'code' };
    if (given === READER_CODES.taken)
      return { kind: 'refused', reason: 'The reader is registered at another account. Remove it there first.', field: 'code' };
    if (given !== READER_CODES.valid)
      return { kind: 'refused', reason: `No reader shows this code. A simulated reader shows ${READER_CODES.valid}.`, field: 'code' };
    const reader = { id: newId('trm', Date.now()).replace('trm_', 'sim_'), serial_number: `SIM-${randomInt(100_000, 1_000_000)}` };
    await inWork(tenantId, async (work) =>
      work.insert(READERS, { tenant_id: tenantId, ...reader, plugged: 1, connected: 1, dialog: null }),
    );
    const { id: deviceId, serial_number: serialNumber } = reader;
    return { kind: 'registered', device: { deviceId, model: 'Simulated reader', serialNumber, address: null } };
  }

  const terminals: TerminalConnector = {
    isLocal: false,
    features: new Set(['tip', 'surcharge', 'partial-approval', 'credit', 'verification']),
    register,
    remove: async ({ tenantId, deviceId }) => void (await inWork(tenantId, (work) => work.delete(READERS, { id: deviceId }))),
    async connectionOf({ tenantId, gatewayId, deviceId }) {
      if (await isSilent(tenantId, gatewayId)) return null;
      const reader = await ledger.read(tenantId).one(READERS, { id: deviceId });
      return reader !== null && isReachable(reader) ? 'online' : 'offline';
    },
    start,
    status,
    inquire,
    async cancel({ tenantId, deviceId, processorRef }) {
      const reader = await ledger.read(tenantId).one(READERS, { id: deviceId });
      if (reader !== null && isReachable(reader)) await endWaiting(tenantId, processorRef, { state: 'canceled', canceled_by: 'clerk' });
    },
  };
  /** Returns the card that a verification stored; undefined if there is none. */
  async function storedCard(tenantId: string, reference: string): Promise<CardSource | undefined> {
    const dialog = await ledger.read(tenantId).one(DIALOGS, { processor_ref: reference, operation: 'verification', state: 'decided' });
    const { number, cardPresent: card } = (dialog && cardOf(dialog)) ?? {};
    if (number === undefined || card === undefined) return undefined;
    return { kind: 'card', number, brand: card.brand, expiryMonth: card.expiryMonth ?? '', expiryYear: card.expiryYear ?? '' };
  }
  return { terminals, present, screenOf, storedCard };
}

const conflict = (message: string, reason: string) => new ServiceError('RESOURCE_CONFLICT', message, { details: { reason } });
const noDialog = () => conflict('This card reader waits for no card. Start a payment on it first.', 'no_payment');

/** Returns the card of a dialog, with its number if the dialog stored it; undefined before a card was read. */
function cardOf({ card }: DialogRow): { readonly cardPresent: CardPresent; readonly number?: string } | undefined {
  if (card === null) return undefined;
  const { number, ...cardPresent } = JSON.parse(card) as CardPresent & { readonly number?: string };
  return { cardPresent, ...(number !== undefined && { number }) };
}

function testCard(number: string = DEFAULT_CARD): string {
  const digits = number.replaceAll(' ', '');
  if (Object.hasOwn(SANDBOX_CARDS, digits) || sandboxFundingOf(digits) !== undefined) return digits;
  throw new ServiceError(
    'VALIDATION_ERROR',
    '`cardNumber` must be the number of a test card. Its list is in the documentation of the sandbox.',
    {
      field: 'cardNumber',
    },
  );
}

/** Returns the request of a payment with the card that was read, on which the processor decides. */
function chargeOf(dialog: DialogRow, number: string, way?: Presentation): ChargeRequest {
  return {
    tenantId: dialog.tenant_id,
    merchantId: dialog.merchant_id,
    gatewayId: dialog.gateway_id,
    processorRef: dialog.processor_ref,
    amount: money(amountCharged(dialog, way), storedCurrency(dialog.currency)),
    source: { kind: 'card', number, brand: brandOfDigits(number), expiryMonth: '12', expiryYear: '2030' },
    channel: 'counter',
  };
}

function cardPresent(number: string, way: Presentation): CardPresent {
  const brand = brandOfDigits(number);
  const [entryMode, verification] = PRESENTATIONS[way];
  const funding = sandboxFundingOf(number);
  const card = {
    entryMode,
    brand,
    last4: number.slice(-4),
    expiryMonth: '12',
    expiryYear: '2030',
    verification,
    ...(funding && { funding }),
  };
  const application = entryMode === 'chip' || entryMode === 'contactless' ? APPLICATIONS[brand] : undefined;
  return application === undefined ? card : { ...card, applicationLabel: application.label, applicationId: application.id };
}
