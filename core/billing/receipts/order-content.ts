import { add, dateIn, type Money, money } from '#core/kernel';
import { formatDay, formatMoney, formatTime, plain, plainLines } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { OrderDetail } from '#core/sales/orders';
import { amountFacts, lineFacts, methodOf, type ReceiptContent, type ReceiptCopy, type ReceiptFact } from './content.ts';
import { type ReceiptTexts, receiptTexts } from './texts.ts';

/** Input of the receipt of a sale with several payments. */
export interface OrderSubject {
  readonly order: OrderDetail;
  readonly merchant: Merchant;
  readonly copy: ReceiptCopy;
  readonly isSandbox: boolean;
  /** True if a payment was taken at a gateway in test mode, so that no money moved. */
  readonly isTest: boolean;
  /** True if this copy was printed before. */
  readonly isDuplicate: boolean;
}

type Payment = OrderDetail['payments'][number];

/** Returns the payments that a receipt lists: the approved ones, without those that were voided or returned by the bank. */
export const receivedPayments = ({ payments }: OrderDetail): Payment[] =>
  payments.filter(
    ({ state, shareAmount, returnedAmount, refundedAmount }) =>
      state === 'paid' && (returnedAmount.minor < shareAmount.minor || refundedAmount.minor > 0),
  );

/** Returns the total of an order with the tips and surcharges of its payments. */
export function totalOf({ amount, tipAmount, surchargeAmount }: OrderDetail): Money {
  return add(add(amount, tipAmount), surchargeAmount);
}

/** Returns the content of the one receipt of an order: its lines and its total once, and each payment and refund. */
export function orderContent(subject: OrderSubject): ReceiptContent {
  const { order, merchant, copy, isSandbox, isTest, isDuplicate } = subject;
  const { language, timezone } = merchant;
  const texts = receiptTexts(language);
  const { receiptHeader, receiptFooter } = merchant.vtSettings;
  const place = [merchant.city, merchant.state].filter(Boolean).join(', ');
  const { marks, parts } = texts;
  const [first, ...others] = plainLines(order.description);
  const total = totalOf(order);
  return {
    language,
    name: texts.receipt,
    heading: plain(merchant.name),
    headingLines: [...plainLines(place), ...plainLines(receiptHeader)],
    marks: [
      ...(isSandbox ? [marks.sandbox] : []),
      ...(isTest ? [marks.test] : []),
      ...(order.status === 'canceled' ? [marks.void] : []),
      ...(isDuplicate ? [marks.duplicate] : []),
    ],
    title: texts.titles.sale,
    facts: [
      { label: texts.facts.date, value: formatTime(order.paidAt ?? order.createdAt, timezone, language) },
      { label: texts.facts.order, value: plain([order.number, order.reference].filter(Boolean).join(', ')) },
      ...(order.customerName === null ? [] : [{ label: texts.tender.from, value: plain(order.customerName) }]),
    ],
    lines: lineFacts(order.lineItems, language),
    amounts: amountFacts(
      total,
      order.discountAmount,
      [
        { label: parts.tax, amount: order.taxAmount },
        { label: parts.tip, amount: order.tipAmount },
        { label: parts.surcharge, amount: order.surchargeAmount },
      ],
      language,
    ),
    total: { label: texts.totals.charged, value: formatMoney(total, language) },
    payments: paymentFacts(subject, texts),
    items: first === undefined ? [] : [`${texts.description}: ${first}`, ...others],
    blanks: [],
    signature: null,
    copyLine: texts.copies[copy],
    footer: plainLines(receiptFooter),
  };
}

/** Returns a line for each payment, the refunds below it, and what remains to be paid. */
function paymentFacts({ order, merchant: { language } }: OrderSubject, texts: ReceiptTexts): ReceiptFact[] {
  const due = order.status === 'canceled' ? money(0, order.currency) : order.remainingAmount;
  return [
    ...receivedPayments(order).flatMap((payment) => [
      { label: nameOf(payment, texts), value: formatMoney(payment.amount, language) },
      ...(payment.refundedAmount.minor > 0
        ? [{ label: texts.facts.refunded, value: `-${formatMoney(payment.refundedAmount, language)}` }]
        : []),
    ]),
    ...(due.minor > 0 ? [{ label: texts.tender.amountDue, value: formatMoney(due, language) }] : []),
  ];
}

/** Names a payment: "Visa ****1111, A1B2C3" with its authorization code, "Cash, T-000012" with its receipt. */
function nameOf({ kind, card, number, authCode }: Payment, texts: ReceiptTexts): string {
  const { cash, check, other, giftCard } = texts.tender;
  const kinds = { cash, check, other, gift_card: giftCard, ach: texts.order.bankAccount, card: texts.order.card };
  const cardName = card && methodOf({ card: { ...card, expiryMonth: '', expiryYear: '' }, bankAccount: null }, texts);
  return plain([cardName ?? kinds[kind], number ?? authCode].filter(Boolean).join(', '));
}

/** Returns the receipt of an order as one short text message. */
export function orderSms({ order, merchant }: OrderSubject): string {
  const { language, timezone, name } = merchant;
  const texts = receiptTexts(language);
  return texts.sms({
    merchant: plain(name),
    amount: formatMoney(totalOf(order), language),
    paidBy: receivedPayments(order)
      .map((payment) => nameOf({ ...payment, authCode: null, number: null }, texts))
      .join(', '),
    authCode: null,
    date: formatDay(dateIn(timezone, Date.parse(order.paidAt ?? order.createdAt)), language),
  });
}
