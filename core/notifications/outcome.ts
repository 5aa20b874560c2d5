/** What became of one try to send a message; `words` are for the person who looks into the outbox. */
export type Outcome =
  | { readonly kind: 'sent'; readonly providerId: string | null }
  /** It will never be taken as it is. */
  | { readonly kind: 'refused'; readonly words: string }
  /** It may be taken later; `ofChannel` where the server was not reached or spoke of itself, not of the message. */
  | { readonly kind: 'fault'; readonly words: string; readonly ofChannel: boolean }
  /** The channel's settings are wrong: no message can go. */
  | { readonly kind: 'channel'; readonly words: string };

const WORDS_MAX = 300;

/** What a server said, as one harmless line that tells nothing of the secrets that were sent to it. */
export function saidPlainly(text: string, secrets: readonly string[]): string {
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
