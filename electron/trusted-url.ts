/** Protocols of addresses that contain their content, and of the developer tools. */
const PROTOCOLS_WITHOUT_NETWORK = ['data:', 'blob:', 'devtools:'];

/**
 * Returns true if `url` has the server's origin and no user name. `baseUrl` is the server's address; while it is undefined the result is
 * false.
 */
export function isServerUrl(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  const parsed = URL.parse(url);
  const server = new URL(baseUrl);
  // A blob: address has the origin of the page that created it, so the protocol is compared too.
  return (
    parsed !== null &&
    parsed.protocol === server.protocol &&
    parsed.origin === server.origin &&
    `${parsed.username}${parsed.password}` === ''
  );
}

/** Returns true if our pages may load `url` as a resource: from our server, or without a network. */
export function isLoadable(url: string, baseUrl: string | undefined): boolean {
  return isServerUrl(url, baseUrl) || PROTOCOLS_WITHOUT_NETWORK.includes(URL.parse(url)?.protocol ?? '');
}

/** Returns true if `url` may be saved as a file: a response of our server, or content made by one of our pages. */
export function isSavable(url: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  return isServerUrl(url, baseUrl) || (url.startsWith('blob:') && URL.parse(url)?.origin === new URL(baseUrl).origin);
}

const ADDRESS_MAX = 4_096;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns true for an https address, and for an http address of this computer. Other protocols would start other programs. */
export function isProviderAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX || !URL.canParse(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}
