/** Kinds of address that hold their content themselves, or are the developer tools'. */
const WITHOUT_NETWORK = ['data:', 'blob:', 'devtools:'];

/** Whether a page at `url` is one of ours: the server's origin, named without a user. `baseUrl` is the server's address; without one nothing is ours. */
export function isOurs(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  const parsed = URL.parse(url);
  const ours = new URL(baseUrl);
  // A blob: address has its maker's origin, so the protocol is asked too.
  return (
    parsed !== null && parsed.protocol === ours.protocol && parsed.origin === ours.origin && `${parsed.username}${parsed.password}` === ''
  );
}

/** Whether one of our pages may load `url` as a part of it: from our server, or from no network at all. */
export function isLoadable(url: string, baseUrl: string | undefined): boolean {
  return isOurs(url, baseUrl) || WITHOUT_NETWORK.includes(URL.parse(url)?.protocol ?? '');
}

/** Whether `url` may be saved as a file: an answer of our server, or something that one of our pages made. */
export function isSavable(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  return isOurs(url, baseUrl) || (url.startsWith('blob:') && URL.parse(url)?.origin === new URL(baseUrl).origin);
}
