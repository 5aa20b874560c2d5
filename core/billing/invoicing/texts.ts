import type { Language } from '#shared/languages';

/**
 * Texts of an invoice or payment link for the payer. Amounts and dates are formatted already; names are single lines without control
 * characters.
 */
export interface InvoiceTexts {
  readonly subject: (details: { number: string; from: string; amount: string }) => string;
  readonly reminder: (details: { number: string; from: string; amount: string }) => string;
  readonly linkSubject: (details: { from: string; amount: string }) => string;
  readonly opening: (details: { number: string; from: string }) => string;
  readonly linkOpening: (details: { from: string; amount: string }) => string;
  readonly due: (details: { amount: string; day: string }) => string;
  readonly overdue: (details: { amount: string; day: string }) => string;
  readonly payableUntil: (details: { at: string }) => string;
  readonly button: (details: { amount: string }) => string;
  readonly payHere: string;
  /** Text message with an invoice. */
  readonly text: (details: { number: string; from: string; amount: string; url: string }) => string;
  /** Text message with a payment request. */
  readonly textRequest: (details: { from: string; amount: string; url: string }) => string;
  /** Text message with only the address of a pay page. */
  readonly textLink: (details: { from: string; url: string }) => string;
}

const en: InvoiceTexts = {
  subject: ({ number, from, amount }) => `Invoice ${number} from ${from}: ${amount}`,
  reminder: ({ number, from, amount }) => `Reminder: invoice ${number} from ${from}, ${amount} due`,
  linkSubject: ({ from, amount }) => `Payment request from ${from}: ${amount}`,
  opening: ({ number, from }) => `${from} has sent you invoice ${number}.`,
  linkOpening: ({ from, amount }) => `${from} requests a payment of ${amount}.`,
  due: ({ amount, day }) => `${amount} is due on ${day}.`,
  overdue: ({ amount, day }) => `${amount} was due on ${day}.`,
  payableUntil: ({ at }) => `You can pay online until ${at}.`,
  button: ({ amount }) => `Pay ${amount}`,
  payHere: 'View and pay online:',
  text: ({ number, from, amount, url }) => `Invoice ${number} from ${from}, ${amount}: ${url}`,
  textRequest: ({ from, amount, url }) => `Pay ${amount} to ${from}: ${url}`,
  textLink: ({ from, url }) => `Payment page of ${from}: ${url}`,
};

const es: InvoiceTexts = {
  subject: ({ number, from, amount }) => `Factura ${number} de ${from}: ${amount}`,
  reminder: ({ number, from, amount }) => `Recordatorio: factura ${number} de ${from}, ${amount} por pagar`,
  linkSubject: ({ from, amount }) => `Solicitud de pago de ${from}: ${amount}`,
  opening: ({ number, from }) => `${from} le ha enviado la factura ${number}.`,
  linkOpening: ({ from, amount }) => `${from} le solicita un pago de ${amount}.`,
  due: ({ amount, day }) => `El importe de ${amount} vence el ${day}.`,
  overdue: ({ amount, day }) => `El importe de ${amount} venció el ${day}.`,
  payableUntil: ({ at }) => `Puede pagar en línea hasta el ${at.replace(/\.$/, '')}.`,
  button: ({ amount }) => `Pagar ${amount}`,
  payHere: 'Vea los detalles y pague en línea:',
  text: ({ number, from, amount, url }) => `Factura ${number} de ${from}, ${amount}: ${url}`,
  textRequest: ({ from, amount, url }) => `Pague ${amount} a ${from}: ${url}`,
  textLink: ({ from, url }) => `Página de pago de ${from}: ${url}`,
};

export const INVOICE_TEXTS: Readonly<Record<Language, InvoiceTexts>> = { en, es };
