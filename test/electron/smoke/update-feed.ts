import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { signUpdate } from '../../../electron/updates/update-trust.ts';
import type { Application } from './application.ts';

const TLS = join(import.meta.dirname, '../../support/tls');
const VERSION = '99.1.0';
const DAY_MS = 86_400_000;

/** An update server on this computer with one signed version: a program that notes its start, in place of an AppImage. */
export interface UpdateFeed extends AsyncDisposable {
  readonly version: string;
  /** Environment of an application that is installed as the AppImage of this feed. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns true if the new version was installed and started. */
  isInstalled(): boolean;
}

/** Starts the server and makes it the one of the application. */
export async function startUpdateFeed(
  folder: string,
  { feed, publicKey, needsHttps }: NonNullable<Application['updates']>,
): Promise<UpdateFeed> {
  const started = join(folder, 'new-version-started');
  const program = `#!/bin/sh\necho "${VERSION}" > "$PAYDESK_SMOKE_STARTED"\n`;
  const sha512 = createHash('sha512').update(program).digest('base64');
  const keys = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const url = `Paydesk-${VERSION}.AppImage`;
  const files = [{ url, sha512, size: Buffer.byteLength(program) }];
  const expires = new Date(Date.now() + DAY_MS).toISOString();
  const signature = signUpdate({ version: VERSION, expires, files }, keys.privateKey);
  const answer: RequestListener = (request, response) => {
    if (request.url?.includes('.yml')) response.end(JSON.stringify({ version: VERSION, files, path: url, sha512, expires, signature }));
    else if (request.url?.includes('.AppImage')) response.end(program);
    else response.writeHead(404).end();
  };
  const certificate = { key: readFileSync(join(TLS, 'receiver-key.pem')), cert: readFileSync(join(TLS, 'receiver.pem')) };
  const server = needsHttps ? createSecureServer(certificate, answer) : createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    feed,
    `provider: generic\nurl: ${needsHttps ? 'https' : 'http'}://127.0.0.1:${port}/\nupdaterCacheDirName: paydesk-smoke-updater\n`,
  );
  writeFileSync(publicKey, keys.publicKey);
  const installed = join(folder, 'Paydesk.AppImage');
  writeFileSync(installed, '#!/bin/sh\nexit 0\n');
  chmodSync(installed, 0o755);
  return {
    version: VERSION,
    env: { APPIMAGE: installed, PAYDESK_SMOKE_STARTED: started, XDG_CACHE_HOME: join(folder, 'cache') },
    isInstalled: () => existsSync(started) && readFileSync(installed, 'utf8') === program,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
