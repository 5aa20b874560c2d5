import { ServiceError } from '#core/kernel';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Parses a public address: a scheme and a host without a path. @throws ServiceError VALIDATION_ERROR. */
export function parsePublicUrl(text: string, field: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
  if (!isBare || url.username !== '' || url.password !== '')
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be an address such as https://pay.example.com, without a path.`, {
      field,
    });
  return url.origin;
}

/** Returns true if an address leads to this computer only. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** Returns the host of an address as a browser sends it, with the port unless it is the default of the scheme. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
