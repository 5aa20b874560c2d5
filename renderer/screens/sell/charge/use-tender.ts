import { useMemo, useRef } from 'react';
import { ApiFailure, api, type NewTender, newIdempotencyKey, queryClient, type Tender, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, readAmount, writeMoney } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { rememberSale } from '#renderer/shared/receipt';
import { usePrintTender } from '#renderer/shared/tenders';
import type { SaleValues, TenderMode } from '../form/form.ts';
import { otherName, tenderInSentence } from '../form/tenders.ts';
import type { Total } from '../form/total.ts';
import type { LineRequest } from '../items/basket.ts';
import { discountField, isDiscountMissing, requestMissingDiscount } from './granted-discount.ts';
import { playApprovedSound } from './use-approval-report.ts';

/** A sale that is paid with a tender. */
export interface TenderSale {
  readonly mode: TenderMode;
  readonly values: SaleValues;
  readonly total: Total;
  readonly currency: string;
  /** Cash to take for the total, in minor units. */
  readonly cashDue: number;
  readonly merchantId: string;
  readonly customerId?: string | undefined;
  readonly lines: LineRequest[] | undefined;
  /** Lines of the order that it pays, by their position. */
  readonly orderLines?: number[] | undefined;
  /** Names the gift card or store credit that pays. */
  readonly giftCard?: Partial<NewTender> | undefined;
}

interface TenderRecorder {
  /** Records the tender of a sale. While its outcome is unknown, the next call sends the same key, so that it is recorded once. @throws ApiFailure */
  readonly record: (sale: TenderSale) => Promise<Tender>;
  /** The next tender is another one. */
  readonly renewKey: () => void;
}

/** Records tenders, prints their receipts and opens the drawer, as this workstation is set up. */
export function useTender(): TenderRecorder {
  const merchant = useMerchant();
  const printTender = usePrintTender();
  const key = useRef<string>(undefined);
  const report = (tender: Tender, { mode, currency }: TenderSale) => {
    const { sound, autoPrint } = useWorkstation.getState();
    rememberSale(tender.tenderId);
    const recorded = t('Recorded {{amount}}, {{tender}}.', {
      amount: writeMoney(tender.amount, currency),
      tender: tenderInSentence(mode),
    });
    const change = tender.change ?? 0;
    announce(change > 0 ? `${recorded} ${t('Change {{amount}}.', { amount: writeMoney(change, currency) })}` : recorded);
    if (sound) playApprovedSound();
    const prints = (autoPrint ?? (merchant.vtSettings.autoPrint ? 'customer' : 'never')) !== 'never';
    void printTender({ subject: { tender }, isCash: tender.kind === 'cash', reason: `Cash for ${tender.number}` }, prints);
    for (const name of ['tenders', 'shifts', 'reports', 'sell', 'orders', 'gift-cards'])
      void queryClient.invalidateQueries({ queryKey: [name] });
  };
  const latest = useRef(report);
  latest.current = report;
  return useMemo(() => {
    const send = async (body: NewTender): Promise<Tender> => {
      key.current ??= newIdempotencyKey();
      try {
        const header = { 'Idempotency-Key': key.current };
        const tender = await takeData(api.POST('/api/v1/tenders', { body: { ...body, ...discountField() }, params: { header } }));
        key.current = undefined;
        return tender;
      } catch (failure) {
        if (failure instanceof ApiFailure && !failure.isUnconfirmed) key.current = undefined;
        throw failure;
      }
    };
    return {
      async record(sale) {
        const body = tenderRequest(sale);
        const tender = await send(body).catch(async (failure: unknown) => {
          if (!(failure instanceof ApiFailure && isDiscountMissing(failure))) throw failure;
          await requestMissingDiscount(failure, sale.merchantId);
          return send(body);
        });
        latest.current(tender, sale);
        return tender;
      },
      renewKey: () => {
        key.current = undefined;
      },
    };
  }, []);
}

/** Returns the body of POST /tenders. */
function tenderRequest({
  mode,
  values,
  total,
  currency,
  cashDue,
  merchantId,
  customerId,
  lines,
  orderLines,
  giftCard,
}: TenderSale): NewTender {
  const textOf = (field: keyof SaleValues) => values[field]?.trim() ?? '';
  const [email, order, description, bank] = [textOf('email'), textOf('order'), textOf('description'), textOf('checkBank')];
  const tip = total.tip === null ? [] : [{ description: 'Tip', unitPrice: total.tip }];
  const shared = {
    amount: total.decimal,
    currency,
    merchantId,
    drawer: useWorkstation.getState().drawer,
    ...(customerId && { customerId }),
    ...(email && { customerEmail: email }),
    ...(order && { orderId: order }),
    ...(orderLines && { orderLines }),
    ...(description && { description }),
    ...(lines
      ? { lineItems: [...lines, ...tip] }
      : { ...(total.tax !== null && { taxAmount: total.tax }), ...(total.discount !== null && { discountAmount: total.discount }) }),
  };
  if (mode === 'check') return { ...shared, kind: 'check', checkNumber: textOf('checkNumber'), ...(bank && { checkBank: bank }) };
  if (mode === 'gift_card') return { ...shared, ...giftCard, kind: 'gift_card' };
  if (mode !== 'cash') return { ...shared, kind: 'other', name: otherName(mode) ?? '' };
  const given = readAmount(textOf('given'), currency);
  // Without an amount given, the customer gave exactly the cash to take.
  const amountGiven = given.kind === 'valid' ? given.decimal : decimalText(cashDue, currency);
  return { ...shared, kind: 'cash', ...(Number(amountGiven) > 0 && { amountGiven }) };
}
