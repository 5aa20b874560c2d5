import { ServiceError } from '#core/kernel';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An address that payers can be sent to: a scheme and a host, nothing behind them. VALIDATION_ERROR for anything else. */
export function parsePublicUrl(text: string, field: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
  if (!isBare || url.username !== '' || url.password !== '')
    throw new ServiceError('VALIDATION_ERROR', `${field} must be an address such as https://pay.example.com, without a path.`, { field });
  return url.origin;
}

/** Returns true if an address leads to this computer only. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** The host of an address as a browser sends it: with its port, where that is not the scheme's own. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
