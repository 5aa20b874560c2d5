import type { Language } from '#core/platform/documents';

/** A message with its subject, which a text message leaves out. */
export interface Letter {
  readonly subject: string;
  readonly body: string;
}

/** A message that holds a code; the text is made around it. */
export interface CodeWords {
  readonly subject: string;
  text(code: string): string;
}

/** What staff read in a test of a channel. */
export const TEST_WORDS: Letter = {
  subject: 'Test message from Paydesk',
  body: 'This is a test: messages from Paydesk reach you by this channel.',
};

/** A change of a message channel. */
export interface ChannelChange {
  readonly channel: 'email' | 'sms';
  /** Name of the actor. */
  readonly by: string;
  /** Server before and after the change; null where there was none, or is none any more. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The notice to an owner that a message channel was changed. */
export function channelChangedWords({ channel, by, from, to }: ChannelChange): Letter {
  const what = channel === 'email' ? 'e-mail settings' : 'text message settings';
  const change =
    from === null
      ? `set up ${to}`
      : to === null
        ? `removed ${from}`
        : from === to
          ? `changed the settings of ${to}`
          : `replaced ${from} with ${to}`;
  return {
    subject: `The ${what} of your Paydesk account were changed`,
    body: `${by} changed the ${what} of your Paydesk account: ${change}. If you did not expect this, sign in to Paydesk, correct the settings and change your password.`,
  };
}

/** What a user of ours reads who signs in with a second factor. */
export const SIGN_IN_CODE: CodeWords = {
  subject: 'Your sign-in code',
  text: (code) => `Your code is ${code}. It is good for 10 minutes. If you did not ask for it, somebody else knows your password.`,
};

/** What a user of ours reads with the link by which a password is set. */
export const PASSWORD_WORDS: Readonly<Record<'invite' | 'reset', (url: string) => Letter>> = {
  invite: (url) => ({
    subject: 'Your invitation to Paydesk',
    body: `You were invited to Paydesk. Choose your password within 7 days:\n${url}`,
  }),
  reset: (url) => ({
    subject: 'Set a new password',
    body: `Choose a new password within an hour:\n${url}\nIf you did not ask for this, leave it: your password stays as it is.`,
  }),
};

interface RefundOf {
  /** As it is read, with its currency. */
  readonly amount: string;
  readonly to: 'card' | 'account';
  readonly last4: string;
  readonly reference: string;
}

/** A payment of a subscription that failed, and what comes next. */
interface MissedPayment {
  /** As it is read, with its currency. */
  readonly amount: string;
  readonly merchant: string;
  /** How the merchant is reached; empty where that is not known. */
  readonly contact: readonly string[];
  /** null where nothing is on file. */
  readonly method: { readonly kind: 'card' | 'account'; readonly brand: string | null; readonly last4: string } | null;
  /** The card or the account was refused, rather than that something else went wrong. */
  readonly isDeclined: boolean;
  readonly next: { readonly kind: 'retry'; readonly on: string } | { readonly kind: 'cancelled' | 'paused' };
}

/** What payers read. */
interface PayerWords {
  readonly passcode: (merchant: string) => CodeWords;
  readonly refund: (of: RefundOf) => Letter;
  readonly missedPayment: (of: MissedPayment) => Letter;
}

const en: PayerWords = {
  passcode: (merchant) => ({
    subject: `Your code for ${merchant}`,
    text: (code) => `Your code for ${merchant} is ${code}. It is good for 10 minutes. Give it to nobody else.`,
  }),
  refund: ({ amount, to, last4, reference }) => ({
    subject: `Your refund of ${amount}`,
    body: `We refunded ${amount} to your ${to} ending in ${last4}. It takes 3 to 5 business days to arrive.\nReference: ${reference}`,
  }),
  missedPayment: ({ amount, merchant, contact, method, isDeclined, next }) => {
    const reason =
      method === null
        ? 'no card or bank account is on file'
        : isDeclined
          ? `your ${method.kind === 'card' ? (method.brand ?? 'card') : 'bank account'} ending in ${method.last4} was declined`
          : 'it could not be carried out';
    const reached =
      contact.length === 0 ? `Please give ${merchant} another card.` : `To give us another card, write to ${contact.join(' or ')}.`;
    const help = isDeclined || method === null ? ` ${reached}` : '';
    const after =
      next.kind === 'retry'
        ? `We will try again on ${next.on}.${help}`
        : next.kind === 'cancelled'
          ? 'Your subscription has been cancelled. Nothing more will be charged.'
          : `Your subscription is paused; nothing more will be charged until it is resumed.${help}`;
    const fault = isDeclined ? 'was declined' : 'did not go through';
    return {
      subject: next.kind === 'retry' ? `Your payment to ${merchant} ${fault}` : `Your subscription with ${merchant}`,
      body: `Your payment of ${amount} to ${merchant} did not go through: ${reason}. ${after}`,
    };
  },
};

const es: PayerWords = {
  passcode: (merchant) => ({
    subject: `Su código para ${merchant}`,
    text: (code) => `Su código para ${merchant} es ${code}. Es válido durante 10 minutos. No se lo dé a nadie más.`,
  }),
  refund: ({ amount, to, last4, reference }) => ({
    subject: `Su reembolso de ${amount}`,
    body: `Reembolsamos ${amount} a su ${to === 'card' ? 'tarjeta' : 'cuenta'} terminada en ${last4}. Tarda de 3 a 5 días hábiles en llegar.\nReferencia: ${reference}`,
  }),
  missedPayment: ({ amount, merchant, contact, method, isDeclined, next }) => {
    const kind = method?.kind === 'card' ? ['su tarjeta', method.brand].filter(Boolean).join(' ') : 'su cuenta bancaria';
    const reason =
      method === null
        ? 'no tenemos ninguna tarjeta ni cuenta bancaria registrada'
        : isDeclined
          ? `${kind} terminada en ${method.last4} fue rechazada`
          : 'no se pudo procesar';
    const reached =
      contact.length === 0
        ? `Por favor, entregue otra tarjeta a ${merchant}.`
        : `Para darnos otra tarjeta, escriba a ${contact.join(' o ')}.`;
    const help = isDeclined || method === null ? ` ${reached}` : '';
    const after =
      next.kind === 'retry'
        ? `Lo intentaremos de nuevo el ${next.on}.${help}`
        : next.kind === 'cancelled'
          ? 'Su suscripción ha sido cancelada. No se cobrará nada más.'
          : `Su suscripción está en pausa; no se cobrará nada más hasta que se reanude.${help}`;
    const fault = isDeclined ? 'fue rechazado' : 'no se pudo realizar';
    return {
      subject: next.kind === 'retry' ? `Su pago a ${merchant} ${fault}` : `Su suscripción con ${merchant}`,
      body: `Su pago de ${amount} a ${merchant} no se pudo realizar: ${reason}. ${after}`,
    };
  },
};

/** What payers read, by their merchant's language. */
export const PAYER_WORDS: Readonly<Record<Language, PayerWords>> = { en, es };
