import { Type } from 'typebox';
import type { NewTenant } from '#core';
import { type LoginContext, NewInstallation, type SignedIn } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { described, flag, literals, text } from '#core/platform/fields';
import { loginContextOf } from '#server/hooks';
import { type Route, route, Success } from '#server/http';
import { CurrencyIn, EmailIn, ProtectedText, Text } from '#server/schemas';
import { type DatabaseExamination, type JoinPort, joinRoute } from './join.ts';
import { type RestorePort, restoreRoute } from './restore.ts';

const tag = 'Setup';

/** Operations of the first run that the server provides. */
export interface SetupPort extends RestorePort, JoinPort {
  examineDatabase(url: string): Promise<DatabaseExamination>;
  /** Switches to the chosen database, creates the tenant, optionally with sample data, and signs its owner in. */
  setUp(
    tenant: NewTenant,
    choice: { databaseUrl?: string; sampleData: boolean },
    from: LoginContext,
  ): Promise<SignedIn & { tenantId: string; merchantId: string }>;
}

/** Declares the routes of the first run. After the setup they respond with 404, except the status route. */
export function setupRoutes(port: SetupPort): Route[] {
  const refuseIfSetUp = async () => {
    if (await port.isSetUp()) throw new ServiceError('NOT_FOUND', 'Paydesk is set up already.');
  };

  // Several requests may arrive in parallel; each waits for the one before, so that only one finds the installation empty.
  let previous: Promise<unknown> = Promise.resolve();
  const inSequence = <T>(work: () => Promise<T>): Promise<T> => {
    const current = previous.then(work);
    previous = current.catch(() => {});
    return current;
  };

  const status = route({
    surface: 'open',
    method: 'GET',
    path: '/setup',
    id: 'setup.status',
    tag,
    beforeSetUp: true,
    summary: 'Setup status',
    description: 'Works before the first account exists.',
    rate: 'unlimited',
    response: Success(Type.Object({ required: flag('true until the first account is created', false) })),
    run: async () => ({ required: !(await port.isSetUp()) }),
  });

  const checkDatabase = route({
    surface: 'open',
    method: 'POST',
    path: '/setup/database-check',
    id: 'setup.checkDatabase',
    tag,
    beforeSetUp: true,
    summary: 'Check a PostgreSQL address',
    description: 'Connects to the database without changing it.',
    body: Type.Object({ databaseUrl: Text(500, 'Address of the PostgreSQL database', 'postgres://paydesk@db.office.lan/paydesk') }),
    response: Success(
      Type.Object({
        ok: flag('true if it succeeded', true),
        message: text('Explanation for a person', 'The database is reachable.'),
        holdsInstallation: Type.Boolean({ description: 'the database contains an installation; join it instead of setting up' }),
        needsKey: Type.Boolean({ description: 'the key of this workstation does not open the installation' }),
      }),
    ),
    errors: ['NOT_FOUND'],
    run: async ({ body }) => {
      await refuseIfSetUp();
      const { refusal, holdsInstallation, needsKey } = await port.examineDatabase(body.databaseUrl);
      const message = holdsInstallation ? 'The database is reachable and contains a Paydesk installation.' : 'The database is reachable.';
      return { ok: refusal === null, message: refusal ?? message, holdsInstallation, needsKey };
    },
  });

  const setUp = route({
    surface: 'open',
    method: 'POST',
    path: '/setup',
    id: 'setup.setUp',
    tag,
    beforeSetUp: true,
    summary: 'Create the account, its first merchant and its owner',
    description: 'Works once: afterwards it is NOT_FOUND. Only programs on the computer of the server can call it.',
    body: Type.Object({
      businessName: Type.String({ minLength: 1, maxLength: 100, ...described('Name of the business', 'Harbor Street') }),
      currency: CurrencyIn,
      timezone: Text(60, 'IANA time zone', 'America/New_York'),
      email: EmailIn(),
      password: ProtectedText(1024, 'Password', 'correct horse battery'),
      environment: literals(['sandbox', 'live'], 'sandbox or live'),
      sampleData: Type.Optional(flag('true to fill a sandbox with sample sales')),
      databaseUrl: Type.Optional(Text(500, 'Address of the PostgreSQL database', 'postgres://paydesk@db.office.lan/paydesk')),
    }),
    response: Success(NewInstallation),
    errors: ['INVALID_CURRENCY', 'INVALID_EMAIL', 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ body, request }) => {
      const { businessName: name, currency, timezone, email, password, environment } = body;
      const tenant: NewTenant = {
        name,
        environment,
        // The person who sets up the installation controls the computer, so rate limits would not protect anybody.
        tier: environment === 'sandbox' ? 'sandbox' : 'enterprise',
        merchant: { name, currency, timezone },
        owner: { email, password },
      };
      const choice = { databaseUrl: body.databaseUrl, sampleData: body.sampleData === true && environment === 'sandbox' };
      return inSequence(async () => {
        await refuseIfSetUp();
        return port.setUp(tenant, choice, loginContextOf(request));
      });
    },
  });

  return [status, checkDatabase, setUp, restoreRoute(port, inSequence), joinRoute(port, inSequence)];
}
