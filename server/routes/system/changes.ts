import { Type } from 'typebox';
import { isAllowedAddress, type Principal } from '#core/access/identity';
import { type Topic, topicsFor } from '#core/platform/change-feed';
import { route } from '#server/http';

/** Topics with which the rights of a session may have changed: those of its user or role, or the limits of a merchant. */
const RIGHTS: ReadonlySet<Topic> = new Set(['sessions', 'merchants']);

/** Time after which rights are read again before a message, because another server caches roles for a moment. */
const RIGHTS_KEPT_MS = 1_000;

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
    'Server-sent events named `change` with `{"topics": […]}` for the topics transactions, refunds, refund-queue, webhooks, merchants, customers, recurring, invoices, items, messages, settlement and clock (sandbox only): reload the data of these topics. `to-do` comes with every topic that may change the list of GET /to-do and its counts. A caller receives changes of its merchants, of topics that its permissions let it read. A changed right counts from the next change. The stream ends with the access token, or immediately when its session ends; reconnect with a fresh token. A session has at most five streams, and an account at most 100 on one server: a further one ends the oldest stream of the same session, or of the user with the most streams.',
  rate: 'unlimited',
  response: Type.String(),
  contentType: 'text/event-stream',
  run: async ({ core, principal, request, reply }) => {
    const { tenantId, sessionId } = principal;
    request.server.streams.open(reply, principal, (send, end) => {
      let hearer: Principal | null = principal;
      let readAtMs = 0;
      // While the database does not answer, the last rights count, unless they have changed: then the client opens another stream.
      const readRights = async (areChanged: boolean) => {
        readAtMs = performance.now();
        hearer = await core.identity.principalOfSession(tenantId, sessionId ?? '').catch(() => (areChanged ? null : hearer));
        if (hearer === null || !isAllowedAddress(hearer.allowedAddresses, request.ip)) {
          hearer = null;
          end();
        }
      };
      // The session or its rights may have changed after the request was authenticated and before the subscription.
      let ready = readRights(true);
      return core.changes.subscribe(tenantId, (changes) => {
        ready = ready.then(async () => {
          const areChanged = changes.some(({ topic }) => RIGHTS.has(topic));
          if (areChanged || performance.now() - readAtMs > RIGHTS_KEPT_MS) await readRights(areChanged);
          const topics = hearer === null ? [] : topicsFor(hearer, changes).filter((topic) => topic !== 'sessions');
          if (topics.length > 0) send({ topics });
        });
      });
    });
  },
});

export const adminChanges = [changes];
