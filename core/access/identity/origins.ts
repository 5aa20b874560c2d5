import { ServiceError } from '#core/kernel';

const FIELD = 'allowedOrigins';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns origins of web pages as browsers send them, each once. @throws ServiceError VALIDATION_ERROR for anything that is not the origin of one site, or
 * that is not encrypted on its way to the browser.
 */
export function parseOrigins(input: readonly string[]): string[] {
  return [...new Set(input.map(parseOrigin))];
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && !text.includes('*') && [url.origin, `${url.origin}/`].includes(url.href);
  // The host is compared without its letter case and default port.
  if (!isOrigin || !/^https?:\/\/[^/?#@]+\/?$/i.test(text))
    throw refused(`\`${FIELD}\` must contain origins such as https://shop.example, without a path or a wildcard.`);
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    throw refused(`An origin in \`${FIELD}\` must start with https://, except for pages of this computer such as http://localhost:3000.`);
  return url.origin;
}

const refused = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: FIELD });

/** Returns the stored form of origins; null means none. */
export const storedOrigins = (origins: readonly string[] = []) => (origins.length === 0 ? null : JSON.stringify(parseOrigins(origins)));

/** Returns the origins of a stored key. */
export const originsOf = ({ allowed_origins: stored }: { readonly allowed_origins: string | null }): string[] =>
  stored === null ? [] : (JSON.parse(stored) as string[]);
