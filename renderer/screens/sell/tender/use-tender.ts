import { useState } from 'react';
import { type ApiFailure, api, type NewTender, queryClient, type Tender, takeData, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, focusField } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { rememberSale } from '#renderer/shared/receipt';
import { usePrintTender } from '#renderer/shared/tenders';
import { useDiscountedPayment } from '../discount/use-discounted-payment.ts';
import { playApprovedSound } from '../sound.ts';
import type { TenderChoice } from './kinds.ts';

/** The sale that is paid, from the form of the terminal. */
export interface TenderSale {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly customerId?: string;
  readonly customerEmail?: string;
  readonly orderId?: string;
  readonly description?: string;
  /** Tax within the amount; not sent with lines, which have their own. */
  readonly taxAmount?: string;
  /** Taken off before the amount; not sent with lines either. */
  readonly discountAmount?: string;
  readonly lineItems?: NonNullable<NewTender['lineItems']>;
}

/** Texts that are typed in the dialog. */
export interface TenderTexts {
  /** Cash that the customer gave; empty means exactly the amount. */
  readonly given: string;
  readonly checkNumber: string;
  readonly checkBank: string;
}

interface TenderEntry {
  readonly texts: TenderTexts;
  readonly set: (change: Partial<TenderTexts>) => void;
  /** Problem of the field of the tender. */
  readonly problem: string | undefined;
  /** Refusal that is not about a field. */
  readonly failure: ApiFailure | null;
  readonly isBusy: boolean;
  /** The recorded tender. */
  readonly recorded: Tender | undefined;
  readonly submit: (given?: string) => void;
}

const FIELDS: Readonly<Record<string, string>> = { cash: 'tender-given', check: 'tender-check' };

/** Records a tender, prints its receipt and opens the drawer, as this workstation is set up. */
export function useTender(choice: TenderChoice, sale: TenderSale): TenderEntry {
  const merchant = useMerchant();
  const drawer = useWorkstation((settings) => settings.drawer);
  const printTender = usePrintTender();
  const [texts, setTexts] = useState<TenderTexts>({ given: '', checkNumber: '', checkBank: '' });
  const [isChecked, setChecked] = useState(false);
  const { amount, currency, ...details } = sale;
  const payment = useMoneyMutation(
    (body: NewTender, key) => takeData(api.POST('/api/v1/tenders', { body, params: { header: { 'Idempotency-Key': key } } })),
    {
      onSuccess: (tender) => {
        const { sound, autoPrint } = useWorkstation.getState();
        rememberSale(tender.tenderId);
        const recorded = t('Recorded {{amount}}, {{tender}}.', {
          amount: writeMoney(tender.amount, currency),
          tender: choice.labelInSentence,
        });
        const change = tender.change ?? 0;
        announce(change > 0 ? `${recorded} ${t('Change {{amount}}.', { amount: writeMoney(change, currency) })}` : recorded);
        if (sound) playApprovedSound();
        const prints = (autoPrint ?? (merchant.vtSettings.autoPrint ? 'customer' : 'never')) !== 'never';
        void printTender({ subject: { tender }, isCash: tender.kind === 'cash', reason: `Cash for ${tender.number}` }, prints);
        for (const key of ['tenders', 'shifts', 'reports', 'sell']) void queryClient.invalidateQueries({ queryKey: [key] });
      },
    },
  );
  const discounted = useDiscountedPayment(payment, merchant.merchantId);

  const problemOf = ({ given, checkNumber }: TenderTexts): string | undefined => {
    if (choice.kind === 'check') return checkNumber.trim() === '' ? t('Enter the check number.') : undefined;
    if (choice.kind !== 'cash' || given.trim() === '') return undefined;
    const read = readAmount(given, currency);
    if (read.kind !== 'valid') return amountProblem(given, currency) ?? undefined;
    const isEnough = toMinor(Number(read.decimal), currency) >= toMinor(Number(amount), currency);
    return isEnough ? undefined : t('The amount given is less than {{amount}}.', { amount: writeMoney(amount, currency) });
  };

  function bodyOf({ given, checkNumber, checkBank }: TenderTexts): NewTender {
    const shared = { amount, currency, merchantId: merchant.merchantId, drawer, ...details };
    if (choice.kind === 'other') return { ...shared, kind: 'other', name: choice.name };
    if (choice.kind === 'check')
      return { ...shared, kind: 'check', checkNumber: checkNumber.trim(), ...(checkBank.trim() && { checkBank: checkBank.trim() }) };
    const read = readAmount(given, currency);
    return { ...shared, kind: 'cash', amountGiven: read.kind === 'valid' ? read.decimal : amount };
  }

  const field = choice.kind === 'cash' ? 'amountGiven' : 'checkNumber';
  const { error } = discounted;
  const refusal = error?.field === field ? error.message : undefined;
  return {
    texts,
    set: (change) => {
      setTexts((now) => ({ ...now, ...change }));
      setChecked(false);
      if (error && !error.isUnconfirmed) discounted.reset();
    },
    problem: (isChecked ? problemOf(texts) : undefined) ?? refusal,
    failure: refusal === undefined ? error : null,
    isBusy: discounted.isPending,
    recorded: payment.data,
    submit: (given) => {
      if (discounted.isPending || payment.data !== undefined) return;
      const sent = given === undefined ? texts : { ...texts, given };
      setTexts(sent);
      setChecked(true);
      if (problemOf(sent) !== undefined) return focusField(FIELDS[choice.kind] ?? '');
      void discounted.pay(bodyOf(sent));
    },
  };
}
