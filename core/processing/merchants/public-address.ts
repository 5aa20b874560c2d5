import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { ServiceError } from '#core/kernel';
import {
  type AllowsPrivateHost,
  BlockedTarget,
  type ForbiddenTarget,
  lookupForTenant,
  reachable,
  type Trust,
} from '#core/platform/outbound';
import { isLoopback } from './public-url.ts';

/** Path under which every server of the installation proves that it is one. */
export const PROOF_PATH = '/.well-known/paydesk-address';
export const CHALLENGE = /^[0-9a-f]{64}$/;

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 1_024;

/** Dependencies of the check of a public address. */
export interface AddressCheck {
  /** Key that only servers of this installation have. */
  readonly key: KeyObject;
  /** Returns the address of this server, to which a public address may lead. */
  readonly serverUrl: () => string;
  readonly trust: Trust;
  /** Addresses that must not be requested: those of this server and of the database. */
  readonly forbidden: () => readonly ForbiddenTarget[];
  readonly allowsPrivateHost: AllowsPrivateHost;
}

/** Returns the answer to a challenge, which only servers of this installation can compute. */
export const proveAddress = ({ key }: Pick<AddressCheck, 'key'>, challenge: string): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

/** Why payers cannot open their pages at an address. */
export interface AddressProblem {
  readonly reason: 'address_not_reached' | 'address_of_another_server';
  /** A sentence. */
  readonly cause: string;
}

/**
 * Asks an address by a challenge whether it leads to this installation. Returns null if it does. `mayBePrivate` allows hosts of the local network. An
 * answer makes no statement about a proxy on the way, which sees what payers type; so only owners set an address.
 */
export async function addressProblem(check: AddressCheck, address: string, mayBePrivate: boolean): Promise<AddressProblem | null> {
  const { protocol, hostname, port: explicitPort } = new URL(address);
  const port = Number(explicitPort || (protocol === 'https:' ? 443 : 80));
  const reach = mayBePrivate || check.allowsPrivateHost(hostname, port) ? 'private' : 'public';
  const challenge = randomBytes(32).toString('hex');
  try {
    const answer = await request(check, address, { hostname, port, reach }, challenge);
    if (answer === proveAddress(check, challenge)) return null;
    return { reason: 'address_of_another_server', cause: 'Another server responds.' };
  } catch (cause) {
    return { reason: 'address_not_reached', cause: reasonOf(cause as Error) };
  }
}

/** Checks that an address leads to this installation before it is saved. @throws ServiceError VALIDATION_ERROR on `publicUrl`. */
export async function checkPublicAddress(check: AddressCheck, address: string, isLive: boolean): Promise<void> {
  if (isLive && (new URL(address).protocol !== 'https:' || isLoopback(address)))
    throw refused('not_https', 'On a live account, `publicUrl` must begin with https:// and name a host that payers can reach.');
  const problem = await addressProblem(check, address, !isLive);
  if (problem === null) return;
  throw refused(
    problem.reason,
    problem.reason === 'address_not_reached'
      ? `Paydesk did not reach ${address}: ${problem.cause} Point the host name and your HTTPS proxy to this server first, and then save the address.`
      : `${address} does not answer as this server. Let your HTTPS proxy forward all paths to this server, and then save the address.`,
  );
}

interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly reach: 'public' | 'private';
}

/** Returns the beginning of the answer to a challenge. Connects only to the addresses that were checked, and follows no redirect. */
async function request(check: AddressCheck, address: string, { hostname, port, reach }: Target, challenge: string): Promise<string> {
  const { port: ownPort } = new URL(check.serverUrl());
  const forbidden = check.forbidden().filter((target) => String(target.port) !== ownPort);
  const found = await reachable(hostname, port, { reach, forbidden, lookup: lookupForTenant });
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error('The host name has no address.'), '');
    else if (all) callback(null, [...found]);
    else callback(null, first.address, first.family);
  };
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS, allowH2: false, lookup, secureContext: check.trust() } });
  try {
    const path = `${PROOF_PATH}?challenge=${challenge}`;
    const response = await agent.request({ origin: address, path, method: 'GET', signal: AbortSignal.timeout(TIMEOUT_MS) });
    let text = '';
    for await (const chunk of response.body) {
      text += String(chunk);
      if (text.length > ANSWER_BYTES_MAX) break;
    }
    return response.statusCode === 200 ? text.trim() : '';
  } finally {
    await agent.destroy();
  }
}

const NAME_FAULT = /^(ENOTFOUND|ENODATA|EAI_\w+)$/;
const CERTIFICATE_FAULT = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/** Returns why a request failed, as a sentence. The message of the runtime is for programmers. */
function reasonOf(cause: Error): string {
  if (cause instanceof BlockedTarget) return cause.message;
  const { code = '' } = (cause.cause ?? cause) as { code?: string };
  if (NAME_FAULT.test(code)) return 'The host name cannot be resolved.';
  if (code === 'ECONNREFUSED') return 'No program listens on this port.';
  if (CERTIFICATE_FAULT.test(code)) return `The certificate is not valid for this address (${code}).`;
  return 'It did not respond as a web server in time.';
}

const refused = (reason: string, message: string) =>
  new ServiceError('VALIDATION_ERROR', message, { field: 'publicUrl', details: { reason } });
