import type { Language } from '#core/platform/documents';

/** A message with its subject, which a text message leaves out. */
export interface EmailText {
  readonly subject: string;
  readonly body: string;
}

/** A message that holds a code; the text is made around it. */
export interface CodeTexts {
  readonly subject: string;
  text(code: string): string;
}

/** Texts of a channel test. */
export const TEST_TEXTS: EmailText = {
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
export function channelChangedText({ channel, by, from, to }: ChannelChange): EmailText {
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

/** Text of a sign-in code for a user with a second factor. */
export const SIGN_IN_CODE: CodeTexts = {
  subject: 'Your sign-in code',
  text: (code) => `Your code is ${code}. It is good for 10 minutes. If you did not ask for it, somebody else knows your password.`,
};

/** Texts of messages with a password link. */
export const PASSWORD_TEXTS: Readonly<Record<'invite' | 'reset', (url: string) => EmailText>> = {
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
  /** Formatted amount with its currency. */
  readonly amount: string;
  readonly to: 'card' | 'account';
  readonly last4: string;
  readonly reference: string;
}

/** A payment of a subscription that failed, and what comes next. */
interface MissedPayment {
  /** Formatted amount with its currency. */
  readonly amount: string;
  readonly merchant: string;
  /** Contact details of the merchant; empty if unknown. */
  readonly contact: readonly string[];
  /** null where nothing is on file. */
  readonly method: { readonly kind: 'card' | 'account'; readonly brand: string | null; readonly last4: string } | null;
  /** The card or the account was refused, rather than that something else went wrong. */
  readonly isDeclined: boolean;
  readonly next: { readonly kind: 'retry'; readonly on: string } | { readonly kind: 'cancelled' | 'paused' };
}

/** Texts for payers. */
interface PayerTexts {
  readonly passcode: (merchant: string) => CodeTexts;
  readonly refund: (of: RefundOf) => EmailText;
  readonly missedPayment: (of: MissedPayment) => EmailText;
}

const en: PayerTexts = {
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

const es: PayerTexts = {
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

/** Texts for payers by the language of the merchant. */
export const PAYER_TEXTS: Readonly<Record<Language, PayerTexts>> = { en, es };
