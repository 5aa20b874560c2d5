/** Result of one attempt to send a message; `words` explain it to the reader of the outbox. */
export type Outcome =
  | { readonly kind: 'sent'; readonly providerId: string | null }
  /** The server will never accept the message. */
  | { readonly kind: 'refused'; readonly words: string }
  /** The server may accept it later. `ofChannel`: the server was not reached, or the fault concerns the channel and not the message. */
  | { readonly kind: 'fault'; readonly words: string; readonly ofChannel: boolean }
  /** The channel's settings are wrong: no message can go. */
  | { readonly kind: 'channel'; readonly words: string };

const WORDS_MAX = 300;

/** Returns the text of a server as one harmless line without the secrets that were sent to it. */
export function plainMessage(text: string, secrets: readonly string[]): string {
  let said = text;
  for (const secret of secrets.filter(({ length }) => length > 0)) {
    const forms = [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)];
    for (const form of forms) said = said.replaceAll(form, '•••');
  }
  const line = said
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX - 1)}…` : line;
}
