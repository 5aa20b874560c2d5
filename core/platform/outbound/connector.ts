import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { reachable, type TargetRules } from './target.ts';
import type { Trust } from './trust.ts';

interface ConnectorOptions {
  readonly trust: Trust;
  readonly timeoutMs: number;
  /** Returns the rules for the next connection. */
  readonly rules: () => TargetRules;
}

/** Returns a connector that connects to the address that was checked, because a second lookup of the name could return another one. */
export function checkedConnector({ trust, timeoutMs, rules }: ConnectorOptions): buildConnector.connector {
  let connect: buildConnector.connector | undefined;
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    reachable(target.hostname, port, rules()).then(
      ([first]) => {
        if (!first) return callback(new Error('the host name has no address'), null);
        connect ??= buildConnector({ secureContext: trust(), timeout: timeoutMs, allowH2: false });
        const servername = isIP(target.hostname.replace(/^\[|\]$/g, '')) ? undefined : target.hostname;
        connect({ ...target, hostname: first.address, servername }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };
}
