import { ReaderScreen } from '#core/processing/gateways';
import { route, Success } from '#server/http';
import { Params, ReaderActionBody } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Sandbox', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settings:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settings:write' } as const;
const READER_ERRORS = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

const reader = route({
  ...read,
  path: '/sandbox/terminals/:id',
  id: 'admin.sandboxTerminal',
  summary: 'What a simulated card reader shows',
  description: 'Not available on a live account.',
  params: Params('id'),
  response: Success(ReaderScreen),
  errors: READER_ERRORS,
  run: ({ core, actor, params }) => core.sandbox.readerScreen(actor, params.id),
});

const present = route({
  ...write,
  path: '/sandbox/terminals/:id/present',
  id: 'admin.presentToSandboxTerminal',
  idempotent: false,
  summary: 'Act at a simulated card reader',
  description:
    'Presents a card, cancels, or takes power or network from the reader. The payment that runs on it is concluded before the response, unless the reader lost the result. RESOURCE_CONFLICT with the reason `no_payment` if no payment waits for a card.',
  params: Params('id'),
  body: ReaderActionBody,
  response: Success(ReaderScreen),
  errors: [...READER_ERRORS, 'RESOURCE_CONFLICT', 'INVALID_CARD_NUMBER'],
  run: ({ core, actor, params, body }) => core.sandbox.presentToReader(actor, params.id, body),
});

export const adminSandboxReaders = [reader, present];
