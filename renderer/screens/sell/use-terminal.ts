import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SwipedCard } from '#renderer/card-entry';
import type { Transaction } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { noteSale, usePrintReceipt } from '#renderer/receipt';
import { useIsLocked, useMerchant } from '#renderer/session';
import { announce, isUnderOverlay } from '#renderer/ui';
import { type AutoPrint, useWorkstation } from '#renderer/workstation';
import { takeInterrupted } from './charge/attempt-key.ts';
import { type AccountType, type CardEntry, saleRequest } from './charge/request.ts';
import { useCharge } from './charge/use-charge.ts';
import { type EnterGuard, useEnterGuard } from './charge/use-enter-guard.ts';
import { lastFourOf, meansOf, shortMeans } from './customer/means.ts';
import { customerName, methodName } from './customer/payer.ts';
import { type PayerChoice, usePayer } from './customer/use-payer.ts';
import type { SaleField, SaleMode, SaleRules, SaleType, SaleValues } from './form/form.ts';
import { type TestCard, testExpiry } from './form/test-cards.ts';
import { type SaleForm, useSaleForm } from './form/use-sale-form.ts';
import { soundApproved } from './sound.ts';
import { type Notice, type PendingCharge, type Stage, stageOfSettled } from './stage.ts';
import { type Doubt, useDoubts } from './unconfirmed/doubts.ts';
import { type TerminalSettings, terminalSettings } from './vt-settings.ts';
import { aloud, fieldAtFault } from './words.ts';

/** Gone from the page when the screen locks. */
const SECRET_FIELDS: readonly SaleField[] = ['number', 'expiry', 'code', 'routing', 'account'];
/** Emptied when another card is asked for; the first of them that is on the screen gets the focus. */
const MEANS_FIELDS: readonly SaleField[] = ['number', 'expiry', 'code', 'zip', 'routing', 'account', 'holder', 'token'];
/** Fields that may stand behind More. */
const MORE_FIELDS: readonly SaleField[] = ['name', 'email', 'phone', 'order', 'description', 'street', 'city', 'state', 'zip'];
const TEST_ZIP = '04101';

/** The virtual terminal as its screen sees it. */
export interface Terminal {
  readonly settings: TerminalSettings;
  readonly rules: SaleRules;
  readonly form: SaleForm;
  readonly stage: Stage;
  readonly type: SaleType;
  readonly mode: SaleMode;
  readonly accountType: AccountType;
  readonly paying: PayerChoice;
  /** Whether the last sale put its card on file. */
  readonly isCardSaved: boolean;
  readonly guard: EnterGuard;
  /** The button that a notice leads to. */
  readonly actionRef: RefObject<HTMLButtonElement | null>;
  readonly chargeRef: RefObject<HTMLButtonElement | null>;
  readonly setType: (type: SaleType) => void;
  readonly setMode: (mode: SaleMode) => void;
  readonly setAccountType: (accountType: AccountType) => void;
  readonly submit: () => void;
  /** Goes to the next required field that is not in order, or charges: what Enter does. */
  readonly goOn: () => void;
  readonly newSale: () => void;
  readonly otherMeans: () => void;
  /** Takes the warning of a charge in doubt away; the form is as it was. */
  readonly waitForDoubt: () => void;
  /** Charges although the same is in doubt. */
  readonly chargeAnyway: (charge: PendingCharge) => void;
  readonly fillTestCard: (card: TestCard) => void;
  readonly swiped: (card: SwipedCard) => void;
  readonly badRead: () => void;
  readonly toCustomer: () => void;
  readonly showResult: (transaction: Transaction) => void;
  /** A charge in doubt has ended. */
  readonly settled: (doubt: Doubt, transaction: Transaction) => void;
}

/** What happens at the terminal: typing, swiping, charging, and where each leads. */
export function useTerminal(prefill: SaleValues, linkedCustomer: string | null): Terminal {
  const merchant = useMerchant();
  const { currency, country, merchantId } = merchant;
  const settings = useMemo(() => terminalSettings(merchant), [merchant]);
  const { requireCode, requireZip, asksTip, surchargePercent } = settings;
  const usualMode = settings.modes[0] ?? 'card';
  const [type, setType] = useState(settings.type);
  const [chosenMode, setMode] = useState<SaleMode>(usualMode);
  // The merchant may stop taking what was chosen while the form is open.
  const mode = settings.modes.includes(chosenMode) ? chosenMode : usualMode;
  const [accountType, setAccountType] = useState<AccountType>('checking');
  const [isCardSaved, setCardSaved] = useState(false);
  const entry = useRef<CardEntry>('keyed');
  // A charge that was declined is not sent again as it is: the bank would only decline it again.
  const isDeclinedAsIs = useRef(false);
  const actionRef = useRef<HTMLButtonElement>(null);
  const chargeRef = useRef<HTMLButtonElement>(null);
  const rules = useMemo<SaleRules>(
    () => ({ mode, requireCode, requireZip, currency, country, asksTip, surchargePercent }),
    [mode, requireCode, requireZip, currency, country, asksTip, surchargePercent],
  );
  const touched = useCallback((field: SaleField | null) => {
    isDeclinedAsIs.current = false;
    if (field === 'number') entry.current = 'keyed';
  }, []);
  const form = useSaleForm({ rules, autoAdvance: useWorkstation((workstation) => workstation.autoAdvance), onTyped: touched });
  const charge = useCharge();
  const { stage, show } = charge;
  const guard = useEnterGuard(charge.isBusy);
  const greet = useApproval(settings);
  const isLocked = useIsLocked();

  const paying = usePayer(linkedCustomer, ({ customer, chosen }) => {
    if (charge.isBusy() || stage.kind !== 'entry') return;
    const isKeyed = ['number', 'account'].some((field) => form.values()[field as SaleField]?.trim());
    if (chosen !== null && !isKeyed && settings.modes.includes('saved')) {
      if (mode !== 'saved') flushSync(() => setMode('saved'));
      form.fill({ token: chosen.token });
    } else if (mode !== 'saved') {
      form.fill({ name: customerName(customer), email: customer.email ?? '' });
    }
    touched(null);
    // The form's own rules are still those of the mode before.
    const next = chosen !== null && !isKeyed ? (form.values().amount?.trim() ? null : 'amount') : form.next();
    if (next === null || !form.focus(next)) chargeRef.current?.focus();
  });

  /** Leads the focus to a field, and opens More for it where it must. */
  const toField = (field: SaleField): boolean => {
    if (form.focus(field)) return true;
    if (!MORE_FIELDS.includes(field)) return false;
    flushSync(() => useWorkstation.getState().change({ moreOpen: true }));
    return form.focus(field);
  };

  const leadTo = (notice: Notice) => {
    announce(aloud(notice));
    if (notice.kind === 'declined') {
      isDeclinedAsIs.current = true;
      form.clear(['code']);
      const { step } = notice.advice;
      if (step.kind !== 'field' || !toField(step.field)) actionRef.current?.focus();
    } else if (notice.kind === 'refused') {
      const field = fieldAtFault(notice.refusal.field);
      if (field !== null) form.blame(field, notice.refusal.message);
      if (field === null || !toField(field)) actionRef.current?.focus();
    } else if (notice.kind === 'same-charge') {
      actionRef.current?.focus();
    } else if (notice.kind === 'failed') {
      chargeRef.current?.focus();
    }
  };

  /** The stage has just changed by an answer: say it, and lead the focus. */
  const arrive = (next: Stage) => {
    guard.answered();
    if (next.kind === 'result') {
      form.reset();
      paying.clear();
      greet(next.transaction);
    } else if (next.kind === 'checking') announce('Checking with the processor, do not charge again.');
    else if (next.kind === 'entry' && next.notice) leadTo(next.notice);
  };

  const submit = async (despite?: PendingCharge) => {
    if (charge.isBusy() || stage.kind !== 'entry') return;
    const [fault] = form.judge();
    if (fault !== undefined) {
      toField(fault);
      return announce('This field is not in order yet.');
    }
    if (isDeclinedAsIs.current) return announce('Declined as it stands. Change the amount, the card or the code first.');
    const saved = mode === 'saved' ? null : paying.consent?.trim() || null;
    if (saved !== null && !canSave()) return;
    const customerId = saved === null ? paying.payer?.customer.customerId : await customerToSaveFor();
    if (saved !== null && customerId === undefined) return;
    const choices = { type, mode, entry: entry.current, accountType, merchantId, currency, country, surchargePercent };
    const kept = { ...(customerId ? { customerId } : {}), ...(saved === null ? {} : { saveConsent: saved }) };
    const request = saleRequest(form.values(), { ...choices, ...kept }, new Date());
    if (!request) return;
    const chosen = mode === 'saved' ? paying.payer?.chosen : null;
    setCardSaved(saved !== null);
    const means = meansOf(request, form.brand?.name ?? null, chosen ? methodName(chosen) : undefined);
    const next = await charge.send(request, { means, last4: lastFourOf(request, chosen), despite }, mode);
    if (next) arrive(next);
  };

  /** A card is kept for somebody: one that was chosen, or who is named on the form. */
  const canSave = () => {
    const { name, email } = form.values();
    if (paying.payer || name?.trim() || email?.trim()) return true;
    toField('name');
    form.blame('name', 'Whose card is saved? Name the customer, or choose one.');
    return false;
  };
  const customerToSaveFor = async () => {
    try {
      return await paying.forSaving(form.values(), merchantId);
    } catch (failure) {
      toField('email');
      form.blame('email', failure instanceof Error ? failure.message : 'The customer could not be made.');
      return undefined;
    }
  };

  const newSale = () => {
    if (charge.isBusy()) return;
    charge.renew();
    form.reset();
    paying.clear();
    touched('number');
    flushSync(() => {
      setType(settings.type);
      setMode(usualMode);
    });
    form.focus('amount');
  };

  /** Puts a card into the form, whatever it was for, and goes on to what is still wanted. */
  const fillCard = (values: SaleValues, how: CardEntry) => {
    if (stage.kind === 'entry' && stage.notice) show({ kind: 'entry', notice: null });
    if (mode !== 'card') flushSync(() => setMode('card'));
    form.fill(values);
    touched(null);
    entry.current = how;
    const next = form.next();
    if (next === null) chargeRef.current?.focus();
    else form.focus(next);
  };

  useLockCleaner(isLocked, form);
  usePrefill(prefill, form, show);

  return {
    settings,
    rules,
    form,
    stage,
    type,
    mode,
    accountType,
    paying,
    isCardSaved,
    guard,
    actionRef,
    chargeRef,
    setType,
    setMode,
    setAccountType,
    submit: () => void submit(),
    goOn: () => {
      const next = form.next();
      if (next === null) void submit();
      else form.focus(next);
    },
    newSale,
    waitForDoubt: () => {
      show({ kind: 'entry', notice: null });
      chargeRef.current?.focus();
    },
    chargeAnyway: (despite) => void submit(despite),
    otherMeans: () => {
      show({ kind: 'entry', notice: null });
      form.clear(MEANS_FIELDS);
      touched('number');
      MEANS_FIELDS.some((field) => form.focus(field));
    },
    fillTestCard: ({ number, code }) => fillCard({ number, code, expiry: testExpiry(new Date()), zip: TEST_ZIP }, 'keyed'),
    swiped: ({ number, expiry, name }) => {
      if (isLocked || charge.isBusy()) return;
      if (isCovered()) return announce('Close what is open, then swipe.');
      if (stage.kind !== 'entry') return announce('Begin a new sale, then swipe.');
      fillCard({ number, expiry, code: '', ...(name === null ? {} : { name }) }, 'swiped');
      announce('Card read.');
    },
    badRead: () => {
      if (isLocked || isCovered() || charge.isBusy() || stage.kind !== 'entry') return;
      const notice: Notice = { kind: 'bad-read' };
      show({ kind: 'entry', notice });
      leadTo(notice);
    },
    toCustomer: () => {
      if (stage.kind !== 'entry') return;
      flushSync(() => useWorkstation.getState().change({ moreOpen: true }));
      paying.customerRef.current?.focus();
      paying.customerRef.current?.select();
    },
    showResult: (transaction) => show({ kind: 'result', transaction }),
    settled: (doubt, transaction) => {
      const { open, settle } = useDoubts.getState();
      if (!open.includes(doubt)) return;
      settle(doubt.transactionId);
      const next = stageOfSettled(transaction, mode);
      const isWatched = stage.kind === 'checking' && stage.doubt.transactionId === doubt.transactionId;
      if (next && isWatched) {
        show(next);
        arrive(next);
      } else {
        announce(`${transaction.status === 'approved' ? 'Approved' : 'Not charged'}: ${doubt.means}, ${doubt.amount} ${doubt.currency}.`);
      }
    },
  };
}

/** Whether a dialog lies over the form: what is swiped then is not for it. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

/** What an approval sets off: words, sound and paper, as this workstation wants them. */
function useApproval({ autoPrint: byMerchant }: TerminalSettings): (transaction: Transaction) => void {
  const print = usePrintReceipt();
  return (transaction) => {
    const { sound, autoPrint } = useWorkstation.getState();
    noteSale(transaction.transactionId);
    const words = transaction.type === 'auth' ? 'Authorized' : 'Approved';
    announce(`${words}: ${writeMoney(transaction.amount, transaction.currency)}, ${shortMeans(transaction)}.`);
    if (sound) soundApproved();
    void printUnasked(autoPrint ?? (byMerchant ? 'customer' : 'never'), transaction);
  };

  async function printUnasked(choice: AutoPrint, transaction: Transaction): Promise<void> {
    if (choice !== 'never') await print({ transaction, copy: 'customer' });
    if (choice === 'both') await print({ transaction, copy: 'merchant' }, { follows: true });
  }
}

/** After the lock no digit of a card is left in the page; the rest of the form waits. */
function useLockCleaner(isLocked: boolean, form: SaleForm): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    if (isLocked) latest.current.clear(SECRET_FIELDS);
  }, [isLocked]);
}

/** Fills in what a link brought, puts the focus on the amount, and tells of a charge that a reload has cut off. */
function usePrefill(prefill: SaleValues, form: SaleForm, show: (stage: Stage) => void): void {
  const latest = useRef({ form, show });
  latest.current = { form, show };
  useEffect(() => {
    const terminal = latest.current;
    terminal.form.fill(prefill);
    if (MORE_FIELDS.some((field) => prefill[field])) useWorkstation.getState().change({ moreOpen: true });
    if (!isUnderOverlay()) terminal.form.focus('amount');
  }, [prefill]);
  useEffect(() => {
    if (!takeInterrupted(sessionStorage)) return;
    const notice: Notice = { kind: 'interrupted' };
    // Not while the screen is still being mounted.
    queueMicrotask(() => latest.current.show({ kind: 'entry', notice }));
    announce(aloud(notice));
  }, []);
}
