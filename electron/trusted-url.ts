/** Kinds of address that hold their content themselves, or are the developer tools'. */
const WITHOUT_NETWORK = ['data:', 'blob:', 'devtools:'];

/**
 * Returns true if the page at `url` belongs to the server: its origin, without a user name. `baseUrl` is the server's address; without it
 * the result is false.
 */
export function isOurs(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  const parsed = URL.parse(url);
  const ours = new URL(baseUrl);
  // A blob: address has its maker's origin, so the protocol is asked too.
  return (
    parsed !== null && parsed.protocol === ours.protocol && parsed.origin === ours.origin && `${parsed.username}${parsed.password}` === ''
  );
}

/** Returns true if our pages may load `url` as a resource: from our server, or without a network. */
export function isLoadable(url: string, baseUrl: string | undefined): boolean {
  return isOurs(url, baseUrl) || WITHOUT_NETWORK.includes(URL.parse(url)?.protocol ?? '');
}

/** Returns true if `url` may be saved as a file: a response of our server, or content made by one of our pages. */
export function isSavable(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  return isOurs(url, baseUrl) || (url.startsWith('blob:') && URL.parse(url)?.origin === new URL(baseUrl).origin);
}
