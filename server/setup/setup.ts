import { Type } from 'typebox';
import type { NewTenant } from '#core';
import type { LoginContext, SignedIn } from '#core/identity';
import { ServiceError } from '#core/kernel';
import { fromOf } from '#server/hooks';
import { type Route, route, success } from '#server/http';
import { CurrencyIn, EmailIn, ProtectedText, SignedInFields, Success, Text } from '#server/schemas';
import { type Examined, type JoinPort, joinRoute } from './join.ts';
import { type RestorePort, restoreRoute } from './restore.ts';

const tag = 'Set-up';

/** Operations of the first run on the server around it. */
export interface SetupPort extends RestorePort, JoinPort {
  examineDatabase(url: string): Promise<Examined>;
  /** Moves to another database when one is named, makes the tenant, fills it with sample data when asked, and signs its owner in. */
  setUp(
    tenant: NewTenant,
    choice: { databaseUrl?: string; sampleData: boolean },
    from: LoginContext,
  ): Promise<SignedIn & { tenantId: string; merchantId: string }>;
}

/** The first run, over HTTP. Once a tenant exists these routes are gone (404), but for the question whether set-up is needed. */
export function setupRoutes(port: SetupPort): Route[] {
  const onlyBefore = async () => {
    if (await port.isSetUp()) throw new ServiceError('NOT_FOUND', 'Paydesk is set up already.');
  };

  // Several requests may arrive in parallel; each waits for the one before, so that only one finds the installation empty.
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = before.then(work);
    before = mine.catch(() => {});
    return mine;
  };

  const status = route({
    surface: 'open',
    method: 'GET',
    path: '/setup',
    id: 'setup.status',
    tag,
    beforeSetUp: true,
    summary: 'Whether the first run is still to be done',
    rate: 'unlimited',
    answer: Success(Type.Object({ required: Type.Boolean() })),
    run: async () => ({ required: !(await port.isSetUp()) }),
    show: success,
  });

  const checkDatabase = route({
    surface: 'open',
    method: 'POST',
    path: '/setup/database-check',
    id: 'setup.checkDatabase',
    tag,
    beforeSetUp: true,
    summary: 'Check a PostgreSQL address',
    body: Type.Object({ databaseUrl: Text(500) }),
    answer: Success(
      Type.Object({
        ok: Type.Boolean(),
        message: Type.String(),
        holdsInstallation: Type.Boolean({ description: 'join it instead of setting up' }),
        needsKey: Type.Boolean({ description: 'the present key does not open it' }),
      }),
    ),
    errors: ['NOT_FOUND'],
    run: async ({ body }) => {
      await onlyBefore();
      const { refusal, holdsInstallation, needsKey } = await port.examineDatabase(body.databaseUrl);
      const message = holdsInstallation ? 'The database answers, and holds an installation of Paydesk.' : 'The database answers.';
      return { ok: refusal === null, message: refusal ?? message, holdsInstallation, needsKey };
    },
    show: success,
  });

  const setUp = route({
    surface: 'open',
    method: 'POST',
    path: '/setup',
    id: 'setup.setUp',
    tag,
    beforeSetUp: true,
    summary: 'Create the business, its first merchant and its owner',
    body: Type.Object({
      businessName: Type.String({ minLength: 1, maxLength: 100, description: 'a name of 1 to 100 characters' }),
      currency: CurrencyIn,
      timezone: Text(60),
      email: EmailIn,
      password: ProtectedText(1024),
      environment: Type.Union([Type.Literal('sandbox'), Type.Literal('live')], { description: 'sandbox or live' }),
      sampleData: Type.Optional(Type.Boolean()),
      databaseUrl: Type.Optional(Text(500)),
    }),
    answer: Success(Type.Object({ ...SignedInFields, tenantId: Type.String(), merchantId: Type.String() })),
    errors: ['INVALID_CURRENCY', 'INVALID_EMAIL', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ body, request }) => {
      const { businessName: name, currency, timezone, email, password, environment } = body;
      const tenant: NewTenant = {
        name,
        environment,
        // The person who sets up the installation owns the computer, so limits would protect nobody.
        tier: environment === 'sandbox' ? 'sandbox' : 'enterprise',
        merchant: { name, currency, timezone },
        owner: { email, password },
      };
      const choice = { databaseUrl: body.databaseUrl, sampleData: body.sampleData === true && environment === 'sandbox' };
      return inTurn(async () => {
        await onlyBefore();
        return port.setUp(tenant, choice, fromOf(request));
      });
    },
    show: success,
  });

  return [status, checkDatabase, setUp, restoreRoute(port, inTurn), joinRoute(port, inTurn)];
}
