import type { FastifyInstance } from 'fastify';
import { DEFAULT_LANGUAGE, languageOf } from '#shared/languages';
import { addAsset } from '../asset.ts';
import { FRAME_ASSETS, FRAME_POLICY, framePage } from './frame-page.ts';
import { SHOP_SCRIPT } from './shop-script.ts';
import { FIELDS_FRAME_PATH, FIELDS_SCRIPT_PATH, FIELDS_VERSION } from './version.ts';

/** Version and paths of the hosted card fields. */
export const HOSTED_FIELDS = { version: FIELDS_VERSION, scriptPath: FIELDS_SCRIPT_PATH, framePath: FIELDS_FRAME_PATH } as const;

const SCRIPT_CACHE_CONTROL = 'public, max-age=3600';
const PAYERS = { config: { isForPayers: true } };

/** Serves the hosted card fields: payers type the card number into a frame of Paydesk, and the shop's page receives a token. */
export function addHostedFields(app: FastifyInstance): void {
  for (const asset of FRAME_ASSETS) addAsset(app, asset);
  app.get(FIELDS_SCRIPT_PATH, PAYERS, (_, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', SCRIPT_CACHE_CONTROL)
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(SHOP_SCRIPT),
  );
  app.get(FIELDS_FRAME_PATH, PAYERS, (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    reply.removeHeader('x-frame-options');
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', FRAME_POLICY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(framePage(typeof lang === 'string' ? (languageOf(lang) ?? DEFAULT_LANGUAGE) : DEFAULT_LANGUAGE));
  });
}
