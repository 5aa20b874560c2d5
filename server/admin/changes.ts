import { Type } from 'typebox';
import { route } from '../route.ts';

const changes = route({
  surface: 'admin',
  scope: 'caller',
  method: 'GET',
  path: '/changes',
  id: 'admin.listenForChanges',
  tag: 'Changes',
  permission: 'session',
  summary: 'Hear what changed, for screens that stay open',
  description:
    'Server-sent events named `change` with `{"topics": […]}` of transactions, refunds, refund-queue, webhooks, merchants, customers, recurring, invoices, messages, settlement and clock (of a sandbox): ask again for what you show of them. The stream ends with the access token; listen again with a fresh one.',
  rate: 'unlimited',
  answer: Type.String(),
  contentType: 'text/event-stream',
  run: async ({ core, actor, request, reply }) => {
    request.server.streams.open(reply, (send) => core.changes.subscribe(actor.tenantId, (topics) => send({ topics })));
  },
});

export const adminChanges = [changes];
