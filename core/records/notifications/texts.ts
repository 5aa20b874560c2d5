import { brandName } from '#shared/card-brands';
import type { Language } from '#shared/languages';

/** Text of an email. A text message uses only the body. */
export interface EmailText {
  readonly subject: string;
  readonly body: string;
}

/** Texts of a message with a code. */
export interface CodeTexts {
  readonly subject: string;
  text(code: string): string;
}

/** Texts of a channel test. */
export const TEST_TEXTS: EmailText = {
  subject: 'Test message from Paydesk',
  body: 'This is a test message. Messages from Paydesk can reach you through this channel.',
};

/** A change of a message channel. */
export interface ChannelChange {
  readonly channel: 'email' | 'sms';
  /** Name of the actor. */
  readonly actorName: string;
  /** Servers before and after the change; null if the channel was or is not set up. */
  readonly previousServer: string | null;
  readonly newServer: string | null;
}

/** Returns the notice to an owner that a message channel was changed. */
export function channelChangedText({ channel, actorName, previousServer: from, newServer: to }: ChannelChange): EmailText {
  const settings = channel === 'email' ? 'email settings' : 'text message settings';
  const change =
    from === null
      ? `${to} was set up`
      : to === null
        ? `${from} was removed`
        : from === to
          ? `the settings of ${to} were changed`
          : `${from} was replaced with ${to}`;
  return {
    subject: `The ${settings} of your Paydesk account were changed`,
    body: `${actorName} changed the ${settings} of your Paydesk account: ${change}. If you did not expect this change, sign in to Paydesk, correct the settings and change your password.`,
  };
}

/** Returns the warning to an owner that callers have sent all messages of a day. */
export function limitReachedText(channel: 'email' | 'sms', limit: number, endsAt: string): EmailText {
  const messages = channel === 'email' ? 'emails' : 'text messages';
  return {
    subject: `Your Paydesk account has sent ${limit} ${messages} today`,
    body: `Users and API keys of your Paydesk account have sent ${limit} ${messages} today, which is the limit. Until ${endsAt}, Paydesk refuses further ones; receipts and reminders that Paydesk sends itself, sign-in codes and password links are not affected. If you did not expect this, open the outbox in Paydesk, see who sends the messages, and revoke the API key.`,
  };
}

/** Returns the notice to an owner that another person changed where payments or events are sent. `what` continues a sentence. */
export const destinationChangedText = (actorName: string, what: string): EmailText => ({
  subject: 'Someone changed where your Paydesk account sends data',
  body: `${actorName} changed ${what}. If you did not expect this change, sign in to Paydesk and look at System > Security activity.`,
});

/** Texts of a message with a sign-in code, for a user with a second factor. */
export const SIGN_IN_CODE: CodeTexts = {
  subject: 'Your sign-in code',
  text: (code) =>
    `Your sign-in code is ${code}. It is valid for 10 minutes. If you did not request it, someone else knows your password. Change your password.`,
};

/** Texts of messages with a password link. */
export const PASSWORD_TEXTS: Readonly<Record<'invite' | 'reset', (url: string) => EmailText>> = {
  invite: (url) => ({
    subject: 'Your invitation to Paydesk',
    body: `You have been invited to Paydesk. To choose your password, open this link within 7 days:\n${url}`,
  }),
  reset: (url) => ({
    subject: 'Set a new password',
    body: `To choose a new password, open this link within one hour:\n${url}\nIf you did not request this, ignore this email. Your password stays unchanged.`,
  }),
};

/** Message to a person whose PIN was removed, because someone tried to guess it. */
export const PIN_REMOVED_TEXT: EmailText = {
  subject: 'Your Paydesk PIN was removed',
  body: 'Your PIN was locked three times in a row after wrong attempts, so it was removed. If you did not enter it, someone tries to guess it: tell an administrator. To use a PIN again, sign in with your password and set a new one in Your account.',
};

interface RefundDetails {
  /** Formatted amount with its currency. */
  readonly amount: string;
  readonly to: 'card' | 'account';
  readonly last4: string;
  readonly reference: string;
}

/** A failed payment of a subscription or an installment, and the next step. */
interface FailedPaymentDetails {
  /** Formatted amount with its currency. */
  readonly amount: string;
  readonly merchant: string;
  /** Contact details of the merchant; empty if unknown. */
  readonly contact: readonly string[];
  /** Null if no payment method is stored. */
  readonly method: { readonly kind: 'card' | 'account'; readonly brand: string | null; readonly last4: string } | null;
  /** True if the card or bank account was declined; false after another failure. */
  readonly isDeclined: boolean;
  /** Next step; `date` is formatted. `due`: nothing is tried again automatically, and the page at `payUrl` accepts the payment. */
  readonly next:
    | { readonly kind: 'retry'; readonly date: string }
    | { readonly kind: 'cancelled' | 'paused' }
    | { readonly kind: 'due'; readonly payUrl: string | null };
  /** Address of the page on which the customer can replace the card; null if there is none. */
  readonly updateUrl: string | null;
}

/** A link to the page on which a customer replaces a card. */
interface CardUpdateDetails {
  readonly merchant: string;
  readonly url: string;
  /** Last day of the link, formatted. */
  readonly validUntil: string;
  readonly method: FailedPaymentDetails['method'];
  /** Formatted last day of the card, if it has expired or expires soon. */
  readonly expiry: { readonly day: string; readonly isPast: boolean } | null;
}

/** The code of a gift card, for its holder. */
interface GiftCardDetails {
  readonly merchant: string;
  readonly code: string;
  /** Formatted amount with its currency. */
  readonly balance: string;
  /** Formatted; null if the card never expires. */
  readonly lastDay: string | null;
}

const en = {
  passcode: (merchant: string) => ({
    subject: `Your code for ${merchant}`,
    text: (code: string) => `Your code for ${merchant} is ${code}. It is valid for 10 minutes. Do not share it with anyone.`,
  }),
  refund: ({ amount, to, last4, reference }: RefundDetails) => ({
    subject: `Your refund of ${amount}`,
    body: `We refunded ${amount} to your ${to} ending in ${last4}. The refund takes 3 to 5 business days to arrive.\nReference: ${reference}`,
  }),
  failedPayment: ({ amount, merchant, contact, method, isDeclined, next, updateUrl }: FailedPaymentDetails) => {
    const reason =
      method === null
        ? 'no card or bank account is on file'
        : isDeclined
          ? `your ${method.kind === 'card' ? brandName(method.brand ?? 'card') : 'bank account'} ending in ${method.last4} was declined`
          : 'it could not be processed';
    const reached =
      updateUrl !== null
        ? `To use a different card, open this page: ${updateUrl}`
        : contact.length === 0
          ? `Please provide ${merchant} with a different card or bank account.`
          : `To use a different card or bank account, contact ${contact.join(' or ')}.`;
    const help = isDeclined || method === null ? ` ${reached}` : '';
    const after =
      next.kind === 'retry'
        ? `We will try again on ${next.date}.${help}`
        : next.kind === 'due'
          ? `The payment is still due.${next.payUrl === null ? '' : ` To pay it now, open this page: ${next.payUrl}`}${help}`
          : next.kind === 'cancelled'
            ? 'Your subscription has been canceled. You will not be charged again.'
            : `Your subscription is paused. You will not be charged again until it is resumed.${help}`;
    const outcome = isDeclined ? 'was declined' : 'did not go through';
    return {
      subject:
        next.kind === 'retry' || next.kind === 'due' ? `Your payment to ${merchant} ${outcome}` : `Your subscription with ${merchant}`,
      body: `Your payment of ${amount} to ${merchant} did not go through: ${reason}. ${after}`,
    };
  },
  cardUpdate: ({ merchant, url, validUntil, method, expiry }: CardUpdateDetails) => {
    const name = method && `${method.kind === 'card' ? brandName(method.brand ?? 'card') : 'bank account'} ending in ${method.last4}`;
    const reason =
      name === null
        ? `${merchant} needs a card for your payments.`
        : expiry === null
          ? `${merchant} asks you to replace your ${name}.`
          : `Your ${name} on file with ${merchant} ${expiry.isPast ? 'expired' : 'expires'} on ${expiry.day}.`;
    return {
      subject: `Update your card for ${merchant}`,
      body: `${reason} To save a new card, open this page by ${validUntil}:\n${url}`,
    };
  },
  giftCard: ({ merchant, code, balance, lastDay }: GiftCardDetails) => ({
    subject: `Your gift card for ${merchant}`,
    body: `Your gift card for ${merchant} has a balance of ${balance} and the code ${code}. Show this code when you pay.${lastDay === null ? '' : ` You can use it until ${lastDay}.`} Keep it like cash: everyone who has the code can spend the card.`,
  }),
};

const es: typeof en = {
  passcode: (merchant) => ({
    subject: `Su código para ${merchant}`,
    text: (code) => `Su código para ${merchant} es ${code}. Es válido durante 10 minutos. No lo comparta con nadie.`,
  }),
  refund: ({ amount, to, last4, reference }) => ({
    subject: `Su reembolso de ${amount}`,
    body: `Reembolsamos ${amount} a su ${to === 'card' ? 'tarjeta' : 'cuenta'} terminada en ${last4}. El reembolso tarda de 3 a 5 días hábiles en llegar.\nReferencia: ${reference}`,
  }),
  failedPayment: ({ amount, merchant, contact, method, isDeclined, next, updateUrl }) => {
    const kind = method?.kind === 'card' ? ['su tarjeta', brandName(method.brand ?? '')].filter(Boolean).join(' ') : 'su cuenta bancaria';
    const reason =
      method === null
        ? 'no tenemos ninguna tarjeta ni cuenta bancaria registrada'
        : isDeclined
          ? `${kind} terminada en ${method.last4} fue rechazada`
          : 'no se pudo procesar';
    const reached =
      updateUrl !== null
        ? `Para usar otra tarjeta, abra esta página: ${updateUrl}`
        : contact.length === 0
          ? `Por favor, indique a ${merchant} otra tarjeta o cuenta bancaria.`
          : `Para usar otra tarjeta o cuenta bancaria, contacte con ${contact.join(' o ')}.`;
    const help = isDeclined || method === null ? ` ${reached}` : '';
    const after =
      next.kind === 'retry'
        ? `Lo intentaremos de nuevo el ${next.date}.${help}`
        : next.kind === 'due'
          ? `El pago sigue pendiente.${next.payUrl === null ? '' : ` Para pagarlo ahora, abra esta página: ${next.payUrl}`}${help}`
          : next.kind === 'cancelled'
            ? 'Su suscripción ha sido cancelada. No se le cobrará nada más.'
            : `Su suscripción está en pausa. No se le cobrará nada más hasta que se reanude.${help}`;
    const outcome = isDeclined ? 'fue rechazado' : 'no se pudo realizar';
    return {
      subject: next.kind === 'retry' || next.kind === 'due' ? `Su pago a ${merchant} ${outcome}` : `Su suscripción con ${merchant}`,
      body: `Su pago de ${amount} a ${merchant} no se pudo realizar: ${reason}. ${after}`,
    };
  },
  cardUpdate: ({ merchant, url, validUntil, method, expiry }) => {
    const kind = method?.kind === 'card' ? ['tarjeta', brandName(method.brand ?? '')].filter(Boolean).join(' ') : 'cuenta bancaria';
    const name = method && `${kind} terminada en ${method.last4}`;
    const reason =
      name === null
        ? `${merchant} necesita una tarjeta para sus pagos.`
        : expiry === null
          ? `${merchant} le pide que sustituya su ${name}.`
          : `Su ${name}, registrada en ${merchant}, ${expiry.isPast ? 'venció' : 'vence'} el ${expiry.day}.`;
    return {
      subject: `Actualice su tarjeta para ${merchant}`,
      body: `${reason} Para guardar una tarjeta nueva, abra esta página hasta el ${validUntil}:\n${url}`,
    };
  },
  giftCard: ({ merchant, code, balance, lastDay }) => ({
    subject: `Su tarjeta regalo de ${merchant}`,
    body: `Su tarjeta regalo de ${merchant} tiene un saldo de ${balance} y el código ${code}. Muéstrelo al pagar.${lastDay === null ? '' : ` Puede usarla hasta el ${lastDay}.`} Guárdelo como dinero en efectivo: quien tenga el código puede gastar la tarjeta.`,
  }),
};

/** Texts for payers by the language of the merchant. */
export const PAYER_TEXTS: Readonly<Record<Language, typeof en>> = { en, es };
