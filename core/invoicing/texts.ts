import type { Language } from '#core/platform/documents';

/** Texts of an invoice or payment link for the payer. Amounts and days are formatted already; names are single harmless lines. */
export interface InvoiceTexts {
  readonly subject: (of: { number: string; from: string; amount: string }) => string;
  readonly reminder: (of: { number: string; from: string; amount: string }) => string;
  readonly linkSubject: (of: { from: string; amount: string }) => string;
  readonly opening: (of: { number: string; from: string }) => string;
  readonly linkOpening: (of: { from: string; amount: string }) => string;
  readonly due: (of: { amount: string; day: string }) => string;
  readonly wasDue: (of: { amount: string; day: string }) => string;
  readonly until: (of: { at: string }) => string;
  readonly button: (of: { amount: string }) => string;
  readonly payHere: string;
  /** A text message of an invoice. */
  readonly text: (of: { number: string; from: string; amount: string; url: string }) => string;
  /** One that asks for a payment. */
  readonly textRequest: (of: { from: string; amount: string; url: string }) => string;
  /** One with the address alone. */
  readonly textLink: (of: { from: string; url: string }) => string;
}

const en: InvoiceTexts = {
  subject: ({ number, from, amount }) => `Invoice ${number} from ${from}: ${amount}`,
  reminder: ({ number, from, amount }) => `Reminder: invoice ${number} from ${from}, ${amount} due`,
  linkSubject: ({ from, amount }) => `${from} asks you to pay ${amount}`,
  opening: ({ number, from }) => `${from} sends you invoice ${number}.`,
  linkOpening: ({ from, amount }) => `${from} asks you to pay ${amount}.`,
  due: ({ amount, day }) => `${amount} is due on ${day}.`,
  wasDue: ({ amount, day }) => `${amount} was due on ${day}.`,
  until: ({ at }) => `The page takes your payment until ${at}.`,
  button: ({ amount }) => `Pay ${amount}`,
  payHere: 'See it and pay here:',
  text: ({ number, from, amount, url }) => `Invoice ${number} from ${from}, ${amount}: ${url}`,
  textRequest: ({ from, amount, url }) => `Pay ${amount} to ${from}: ${url}`,
  textLink: ({ from, url }) => `From ${from}: ${url}`,
};

const es: InvoiceTexts = {
  subject: ({ number, from, amount }) => `Factura ${number} de ${from}: ${amount}`,
  reminder: ({ number, from, amount }) => `Recordatorio: factura ${number} de ${from}, ${amount} por pagar`,
  linkSubject: ({ from, amount }) => `${from} le pide un pago de ${amount}`,
  opening: ({ number, from }) => `${from} le envía la factura ${number}.`,
  linkOpening: ({ from, amount }) => `${from} le pide un pago de ${amount}.`,
  due: ({ amount, day }) => `${amount} por pagar, a más tardar el ${day}.`,
  wasDue: ({ amount, day }) => `${amount} por pagar; venció el ${day}.`,
  until: ({ at }) => `La página acepta su pago hasta el ${at}.`,
  button: ({ amount }) => `Pagar ${amount}`,
  payHere: 'Véala y pague aquí:',
  text: ({ number, from, amount, url }) => `Factura ${number} de ${from}, ${amount}: ${url}`,
  textRequest: ({ from, amount, url }) => `Pague ${amount} a ${from}: ${url}`,
  textLink: ({ from, url }) => `De ${from}: ${url}`,
};

export const INVOICE_TEXTS: Readonly<Record<Language, InvoiceTexts>> = { en, es };
