// Payers on the payment pages of simulated processors, and a ledger for the sandbox processor.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import type { Peer } from '../../simulators/index.ts';

const CARD = '4111111111111111';

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Opens the newest page with a reference as a browser does, fills in a card and sends the form. */
export async function payOnSimulatedPage(
  simulator: Pick<Peer, 'origin' | 'hostedPages'>,
  processorRef: string,
  number = CARD,
): Promise<Answer> {
  const page = simulator.hostedPages().findLast(({ ourReference }) => ourReference === processorRef);
  if (page === undefined) throw new Error(`The processor has no page with the reference ${processorRef}.`);
  const url = new URL(page.url, simulator.origin);
  const token = url.searchParams.get('token');
  const opened = token === null ? await fetch(url) : await post(new URL(url.pathname, url), { token });
  const html = await opened.text();
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) return { status: opened.status, text: html };
  const sent = await post(new URL(action, simulator.origin), {
    ...(token !== null && { token }),
    number,
    month: '12',
    year: '2031',
    code: '999',
  });
  return { status: sent.status, text: await sent.text() };
}

const post = (url: URL, fields: Readonly<Record<string, string>>) => fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

export async function openTemporaryLedger() {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-pages-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  return {
    ledger,
    clockOf: () => systemClock,
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
