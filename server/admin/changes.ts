import { Type } from 'typebox';
import { route } from '#server/http';

const changes = route({
  surface: 'admin',
  scope: 'caller',
  method: 'GET',
  path: '/changes',
  id: 'admin.listenForChanges',
  tag: 'Changes',
  permission: 'session',
  byPin: true,
  summary: 'Stream of changes for screens',
  description:
    'Server-sent events named `change` with `{"topics": […]}` for the topics transactions, refunds, refund-queue, webhooks, merchants, customers, recurring, invoices, items, messages, settlement and clock (sandbox only): reload the data of these topics. The stream ends with the access token, or immediately when its session ends; reconnect with a fresh token. A session has at most five streams, and an account at most 100 on one server: a further one ends the oldest stream of the same session, or of the user with the most streams.',
  rate: 'unlimited',
  response: Type.String(),
  contentType: 'text/event-stream',
  run: async ({ core, principal, request, reply }) => {
    const { tenantId, sessionId } = principal;
    request.server.streams.open(reply, principal, (send, end) => {
      // A session that cannot be checked counts as ended: the client opens another stream once the database answers.
      const endIfRevoked = () =>
        core.identity.sessions
          .isOpen(tenantId, sessionId ?? '')
          .catch(() => false)
          .then((isOpen) => isOpen || end());
      const stop = core.changes.subscribe(tenantId, (topics) => {
        if (topics.includes('sessions')) void endIfRevoked();
        const shown = topics.filter((topic) => topic !== 'sessions');
        if (shown.length > 0) send({ topics: shown });
      });
      // The session may have ended after the request was authenticated and before the subscription.
      void endIfRevoked();
      return stop;
    });
  },
});

export const adminChanges = [changes];
