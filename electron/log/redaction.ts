import { LOG_LINE, redactCardNumbers } from '#shared/card-numbers';

/** Patterns of secrets without a name, with their replacements. The server's log omits secrets by name; this is the second safeguard. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[private key]'],
  // Paydesk's own secrets: API keys, service keys, client tokens and sign-in links; webhook secrets in base64; refresh tokens.
  [/\b(?:pk_(?:sandbox|live)|isk|prt|rt|ct|sk|inv|otk)_[\w-]{16,}/g, '[key]'],
  [/\bwhsec_[\w+/-]{16,}=*/g, '[key]'],
  [/\bses_[\da-z]+\.\d+\.[\w-]+/g, '[token]'],
  // The end of the address of a pay page, a card page or a short link. Everyone who has it can open the page.
  [/(?<=\/(?:pay|card|s)\/)[\w-]{8,}/g, '[link]'],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [credential]'],
  // A password in an address, as in postgres://paydesk:secret@host.
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s:/@"']*):[^\s/"']+@/gi, '$1:[password]@'],
  [
    /((?:pass(?:word|phrase|wd)|secret|token|api[-_]?key|authorization|cookie|cvv|cvc|security[-_]?code|master[-_]?key)\\?["']?\s*[:=]\s*\\?["']?)(?!\[)[^\s"',;&}\\]{3,}/gi,
    '$1[redacted]',
  ],
  // 32 bytes as in a key file: in base64, base64url and hexadecimal.
  [/(?<![\w+/])[A-Za-z\d+/]{43}=/g, '[key]'],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, '[key]'],
  [/(?<![\da-f])[\da-f]{64}(?![\da-f])/gi, '[key]'],
];

/** Redacts card numbers and everything that looks like a secret. */
export function redact(text: string): string {
  return SECRET_PATTERNS.reduce((left, [shape, instead]) => left.replace(shape, instead), redactCardNumbers(text, LOG_LINE));
}
