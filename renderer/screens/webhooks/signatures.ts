const PREFIX = 'whsec_';

/** Returns the content of `X-Service-Signature`: the hexadecimal HMAC-SHA-256 of the body, keyed with the whole secret as text. */
export async function serviceSignature(secret: string, body: string): Promise<string> {
  const signed = await hmac(new TextEncoder().encode(secret), body);
  return [...signed].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the content of `webhook-signature` of Standard Webhooks 1.0, keyed with the base64 part of the secret. */
export async function standardSignature(secret: string, id: string, timestamp: string, body: string): Promise<string> {
  const key = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
  const signed = await hmac(key, `${id}.${timestamp}.${body}`);
  return `v1,${btoa(String.fromCharCode(...signed))}`;
}

async function hmac(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}
