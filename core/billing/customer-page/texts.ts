import type { Language } from '#shared/languages';

interface Details {
  readonly merchant: string;
  readonly url: string;
  /** Last day of the link, formatted. */
  readonly validUntil: string;
}

const en = {
  /** Message with a link that staff sent. */
  message: ({ merchant, url, validUntil }: Details) => ({
    subject: `Your account with ${merchant}`,
    body: `Here you can see and pay what you owe ${merchant}, and see your subscriptions, cards and receipts:\n${url}\nThe link is valid until ${validUntil}. Do not forward it: everyone who has it can see your invoices.`,
  }),
  /** Line above the address at the end of an invoice, receipt or reminder. */
  footer: (merchant: string) => `See all your invoices, subscriptions, cards and receipts from ${merchant} here. Do not forward this link:`,
  /** Notice to the former address of a customer. */
  contactChanged: (merchant: string) => ({
    subject: `Your contact details at ${merchant} were changed`,
    body: `${merchant} changed the email address or phone number that it has on file for you. If you did not ask for this, contact ${merchant} within 24 hours.`,
  }),
};

const es: typeof en = {
  message: ({ merchant, url, validUntil }) => ({
    subject: `Su cuenta con ${merchant}`,
    body: `Aquí puede ver y pagar lo que debe a ${merchant}, y ver sus suscripciones, tarjetas y recibos:\n${url}\nEl enlace es válido hasta el ${validUntil}. No lo reenvíe: quien lo tenga puede ver sus facturas.`,
  }),
  footer: (merchant) => `Vea aquí todas sus facturas, suscripciones, tarjetas y recibos de ${merchant}. No reenvíe este enlace:`,
  contactChanged: (merchant) => ({
    subject: `Se cambiaron sus datos de contacto en ${merchant}`,
    body: `${merchant} cambió la dirección de correo o el número de teléfono que tiene guardados de usted. Si no lo ha pedido, contacte con ${merchant} antes de 24 horas.`,
  }),
};

export const PAGE_TEXTS: Readonly<Record<Language, typeof en>> = { en, es };
