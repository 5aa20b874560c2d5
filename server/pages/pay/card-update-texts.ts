import type { Language } from '#shared/languages';

/** Texts of the page on which a customer replaces a card. */
const en = {
  title: 'Update your card',
  purpose: (merchant: string, replaced: string | null) =>
    replaced === null
      ? `${merchant} will charge the card that you enter here for the payments that you have agreed to.`
      : `The card that you enter here replaces your ${replaced}. Nothing is charged now unless a payment is overdue.`,
  card: (brand: string, last4: string) => `${brand} ending ${last4}`,
  account: (last4: string) => `bank account ending ${last4}`,
  /** Consent that the customer gives by saving the card; stored with the card. */
  consent: (merchant: string) =>
    `I allow ${merchant} to store this card and to charge it for the payments that I have agreed to, including overdue ones.`,
  save: 'Save card',
  saving: 'Saving…',
  faults: 'The card was not saved. Please correct the following:',
  retype: 'For your security, enter the card number again.',
  refused: 'This card can’t be saved here. Check your entries, or try another card.',
  saved: (merchant: string) => ({
    title: 'Card saved. Thank you.',
    text: `${merchant} charges your new card from now on. This link was used and is no longer valid. To change the card again, ask for a new link.`,
  }),
  expired: (merchant: string) => ({ title: 'This link has expired', text: `No card was saved. Ask ${merchant} for a new link.` }),
  closed: (merchant: string) => ({
    title: 'This link is no longer valid',
    text: `The card that this link was for is no longer stored. If ${merchant} asked you for a card, ask for a new link.`,
  }),
};

export type CardUpdateTexts = typeof en;

const es: CardUpdateTexts = {
  title: 'Actualice su tarjeta',
  purpose: (merchant, replaced) =>
    replaced === null
      ? `${merchant} cobrará en la tarjeta que indique aquí los pagos que usted ha aceptado.`
      : `La tarjeta que indique aquí sustituye a su ${replaced}. Ahora no se cobra nada, salvo que haya un pago atrasado.`,
  card: (brand, last4) => `${brand} terminada en ${last4}`,
  account: (last4) => `cuenta bancaria terminada en ${last4}`,
  /** Consent that the customer gives by saving the card; stored with the card. */
  consent: (merchant) =>
    `Autorizo a ${merchant} a guardar esta tarjeta y a cobrar en ella los pagos que he aceptado, también los atrasados.`,
  save: 'Guardar tarjeta',
  saving: 'Guardando…',
  faults: 'La tarjeta no se guardó. Por favor, corrija lo siguiente:',
  retype: 'Por su seguridad, escriba de nuevo el número de la tarjeta.',
  refused: 'Esta tarjeta no se puede guardar aquí. Revise los datos o pruebe con otra tarjeta.',
  saved: (merchant) => ({
    title: 'Tarjeta guardada. Gracias.',
    text: `${merchant} usará su nueva tarjeta a partir de ahora. Este enlace ya se usó y no es válido. Para cambiar la tarjeta otra vez, pida un enlace nuevo.`,
  }),
  expired: (merchant) => ({ title: 'Este enlace ha caducado', text: `No se guardó ninguna tarjeta. Pida a ${merchant} un enlace nuevo.` }),
  closed: (merchant) => ({
    title: 'Este enlace ya no es válido',
    text: `La tarjeta de este enlace ya no está guardada. Si ${merchant} le pidió una tarjeta, pida un enlace nuevo.`,
  }),
};

export const CARD_UPDATE_TEXTS: Readonly<Record<Language, CardUpdateTexts>> = { en, es };
