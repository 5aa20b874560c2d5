import type { EmailText } from '#core/records/notifications';
import type { Language } from '#shared/languages';

interface Details {
  readonly merchant: string;
  readonly url: string;
  /** Last day of the link, formatted. */
  readonly validUntil: string;
}

interface PageTexts {
  /** Message with a link that staff sent. */
  readonly message: (details: Details) => EmailText;
  /** Line above the address at the end of an invoice, receipt or reminder. */
  readonly footer: (merchant: string) => string;
}

const en: PageTexts = {
  message: ({ merchant, url, validUntil }) => ({
    subject: `Your account with ${merchant}`,
    body: `Here you can see and pay what you owe ${merchant}, and see your subscriptions, cards and receipts:\n${url}\nThe link is valid until ${validUntil}. Do not forward it: everyone who has it can see your invoices.`,
  }),
  footer: (merchant) => `See all your invoices, subscriptions, cards and receipts from ${merchant} here. Do not forward this link:`,
};

const es: PageTexts = {
  message: ({ merchant, url, validUntil }) => ({
    subject: `Su cuenta con ${merchant}`,
    body: `Aquí puede ver y pagar lo que debe a ${merchant}, y ver sus suscripciones, tarjetas y recibos:\n${url}\nEl enlace es válido hasta el ${validUntil}. No lo reenvíe: quien lo tenga puede ver sus facturas.`,
  }),
  footer: (merchant) => `Vea aquí todas sus facturas, suscripciones, tarjetas y recibos de ${merchant}. No reenvíe este enlace:`,
};

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { en, es };
