import { maskCardNumbers } from '#shared/card-numbers';
import { isWholeGiftCardCode } from '#shared/gift-card-code';

/** Result of one attempt to send a message; `message` explains it to the reader of the outbox. */
export type Outcome =
  | { readonly kind: 'sent'; readonly providerId: string | null }
  /** The server will never accept the message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The server may accept it later. `ofChannel`: the server was not reached, or the fault concerns the channel and not the message. */
  | { readonly kind: 'fault'; readonly message: string; readonly ofChannel: boolean }
  /** The channel's settings are wrong, so that no message can be sent. */
  | { readonly kind: 'channel'; readonly message: string };

const MESSAGE_MAX = 300;

/**
 * Returns the words of a text that may be a code or the token of a link, so that a response that quotes them is not stored with them: spam filters
 * quote what they refuse.
 */
export const secretWords = (text: string): string[] =>
  (text.match(/[\w-]{6,}/g) ?? []).filter((word) => /\d/.test(word) || isWholeGiftCardCode(word));

/** Returns the text of a server as one line without control characters, card numbers, and the secrets that were sent to it. */
export function plainMessage(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets.filter(({ length }) => length > 0)) {
    const forms = [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)];
    for (const form of forms) redacted = redacted.replaceAll(form, '•••');
  }
  const line = maskCardNumbers(redacted)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX - 1)}…` : line;
}
