import { ServiceError } from '#core/kernel';

const ANSWER_WITHIN_MS = 5_000;
/** Patroni answers when the switchover is complete. */
const SWITCHOVER_WITHIN_MS = 60_000;
/** Largest answer that is read. The members of a large cluster take about 20 KB. */
const ANSWER_BYTES_MAX = 262_144;
/** Status with which Patroni reports that it could not observe the end of a switchover. */
const OUTCOME_UNKNOWN = 503;

/** Codes of errors after which the request has not reached the member. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** REST API of the members of a Patroni cluster. */
export interface Patroni {
  /** Host and port of the members, without credentials. */
  readonly hosts: readonly string[];
  /** Returns the name of the primary. @throws ServiceError SERVICE_UNAVAILABLE if no member answers or there is no primary. */
  leader(): Promise<string>;
  /** Asks Patroni to replace the primary by a healthy standby. @throws ServiceError RESOURCE_CONFLICT with Patroni's reason if it refuses. */
  switchOver(leader: string): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
}

/**
 * Parses the addresses of Patroni members, separated by commas, such as `http://user:password@db1:8008,http://db2:8008`. @throws Error if one
 * is invalid; the message contains no password.
 */
export function parsePatroniUrls(text: string): URL[] {
  return text.split(',').map((entry) => {
    const url = URL.parse(entry.trim());
    if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
      throw new Error('--patroni-url requires addresses such as http://db1:8008,http://db2:8008.');
    return url;
  });
}

/** Returns the text of an answer as far as it arrives in time and within the size limit. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The member ended the connection, or its time has passed. An incomplete answer names no primary.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString();
}

function parseCluster(text: string): { readonly members?: readonly Member[] } | null {
  try {
    return JSON.parse(text) as { members?: Member[] } | null;
  } catch {
    return null;
  }
}

/** Creates a client of the REST API. The first member that answers is used. `answerWithinMs` includes the body of an answer. */
export function createPatroni(urls: readonly URL[], answerWithinMs = ANSWER_WITHIN_MS): Patroni {
  async function send(path: string, init: RequestInit, withinMs: number): Promise<Response> {
    const failures: string[] = [];
    for (const { origin, host, username, password } of urls) {
      const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
      const headers = { 'content-type': 'application/json', ...(username !== '' && { authorization: `Basic ${login}` }) };
      try {
        return await fetch(`${origin}${path}`, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(withinMs) });
      } catch (error) {
        const { cause, message } = error as Error & { cause?: { code?: string } };
        failures.push(`${host}: ${cause?.code ?? message}`);
        // The switchover may have begun, so that no other member must be asked.
        if (init.method === 'POST' && !NOT_SENT.test(cause?.code ?? '')) break;
      }
    }
    throw new ServiceError('SERVICE_UNAVAILABLE', `Patroni does not answer (${failures.join('; ')}).`);
  }

  return {
    hosts: urls.map(({ host }) => host),
    async leader() {
      const response = await send('/cluster', { method: 'GET' }, answerWithinMs);
      const cluster = parseCluster(await textOf(response));
      const leader = cluster?.members?.find(({ role }) => role === 'leader' || role === 'master' || role === 'primary');
      if (!leader) throw new ServiceError('SERVICE_UNAVAILABLE', 'Patroni reports no primary.');
      return leader.name;
    },
    async switchOver(leader) {
      const response = await send('/switchover', { method: 'POST', body: JSON.stringify({ leader }) }, SWITCHOVER_WITHIN_MS);
      if (response.ok || response.status === OUTCOME_UNKNOWN) return;
      const reason = (await textOf(response)).slice(0, 300).trim() || `status ${response.status}`;
      throw new ServiceError('RESOURCE_CONFLICT', `Patroni refused the switchover: ${reason}`);
    },
  };
}
