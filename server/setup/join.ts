import { Type } from 'typebox';
import { inspectPostgres, NewerSchema, OlderStationsRunning } from '#core/database';
import { ServiceError } from '#core/kernel';
import { type KeyStore, lockOf } from '#core/vault';
import { MIGRATIONS } from '#migrations';
import { type Route, route, success } from '#server/http';
import { ProtectedText, Success } from '#server/schemas';
import { givenKey } from './given-key.ts';

/** State of a database for a workstation that is not set up; reading it writes nothing. */
export interface Examined {
  /** Reason why it cannot be used; null if it can. */
  readonly refusal: string | null;
  /** True if it contains an installation of another workstation, which is joined instead of set up. */
  readonly holdsInstallation: boolean;
  /** The key at hand does not open what is in it. */
  readonly needsKey: boolean;
  opensWith(masterKey: Buffer): boolean;
}

const MAY_CREATE = "SELECT has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS may";
const refusedBy = (refusal: string): Examined => ({ refusal, holdsInstallation: false, needsKey: false, opensWith: () => false });

/** Inspects a PostgreSQL address the way the first run would use it. */
export async function examineDatabase(url: string, keyStore: KeyStore): Promise<Examined> {
  if (!/^postgres(ql)?:\/\//.test(url)) return refusedBy('The address must begin with postgres://.');
  try {
    const found = await inspectPostgres({ url, migrations: MIGRATIONS }, async (state, all) => ({
      state,
      mayCreate: (await all<{ may: boolean }>(MAY_CREATE))[0]?.may === true,
      hasTenants: state !== 'none' && (await all('SELECT 1 FROM tenants LIMIT 1')).length > 0,
    }));
    if (found.state === 'newer') return refusedBy(new NewerSchema().message);
    if (!found.mayCreate && found.state !== 'same') return refusedBy('permission denied to create tables in this database');
    const [lock, keys] = [await lockOf({ url }), await keyStore.keys()];
    const isOpen = lock === null || keys.some((key) => lock.opensWith(key));
    return {
      refusal: null,
      // An installation that another workstation has begun to set up belongs to that one, even without a user.
      holdsInstallation: found.hasTenants || !isOpen,
      needsKey: !isOpen,
      opensWith: (masterKey) => lock?.opensWith(masterKey) ?? false,
    };
  } catch (error) {
    return refusedBy(error instanceof Error ? error.message : String(error));
  }
}

/** Refuses to create a second installation in the same database. */
export function checkEmpty({ refusal, holdsInstallation }: Examined): void {
  if (refusal !== null) throw new ServiceError('VALIDATION_ERROR', `The database can't be used: ${refusal}`, { field: 'databaseUrl' });
  if (holdsInstallation)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'This database contains a Paydesk installation already. Join it with its key, or choose an empty database.',
      { field: 'databaseUrl' },
    );
}

/** The key to join with: the one that is given, or the one at hand where it opens the database. */
export async function keyToJoin(
  { refusal, holdsInstallation, opensWith }: Examined,
  keyStore: KeyStore,
  given: { readonly key?: string; readonly passphrase?: string },
): Promise<Buffer> {
  if (refusal !== null) throw new ServiceError('VALIDATION_ERROR', `The database can't be used: ${refusal}`, { field: 'databaseUrl' });
  if (!holdsInstallation)
    throw new ServiceError('VALIDATION_ERROR', 'There is no Paydesk installation in this database. Set it up instead.', {
      field: 'databaseUrl',
    });
  if (given.key === undefined || given.key.trim() === '') {
    const own = (await keyStore.keys()).find(opensWith);
    if (own) return own;
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'This installation requires its key: the key file or the recovery file.', {
      field: 'key',
    });
  }
  const masterKey = await givenKey(given.key, given.passphrase);
  if (!opensWith(masterKey))
    throw new ServiceError(
      'VALIDATION_ERROR',
      'This is the key of another installation and does not open this database. Nothing was changed.',
      {
        field: 'key',
      },
    );
  return masterKey;
}

/** Translates an error of the database into one with instructions. */
function asJoinRefusal(error: unknown): unknown {
  if (!(error instanceof NewerSchema) && !(error instanceof OlderStationsRunning)) return error;
  return new ServiceError('RESOURCE_CONFLICT', error.message, { field: 'databaseUrl', cause: error });
}

/** Operations with which the first run joins an installation. */
export interface JoinPort {
  isSetUp(): Promise<boolean>;
  /** Continues with the installation in a database and stores its key here; if it is refused, nothing is changed. */
  join(databaseUrl: string, given: { readonly key?: string; readonly passphrase?: string }): Promise<void>;
}

/** Joining an installation in the place of the first run. Gone (404) once there is one here. */
export function joinRoute(port: JoinPort, inTurn: <T>(work: () => Promise<T>) => Promise<T>): Route {
  return route({
    surface: 'open',
    method: 'POST',
    path: '/setup/join',
    id: 'setup.join',
    tag: 'Set-up',
    beforeSetUp: true,
    summary: 'Join the installation that a PostgreSQL database holds',
    description:
      'The key is checked against the database before anything is written on either side. Afterwards the users of that installation sign in on this workstation too.',
    body: Type.Object({
      databaseUrl: ProtectedText(500),
      key: Type.Optional(ProtectedText(20_000, 'the text of the master key file, or of the recovery file; without it the key at hand')),
      passphrase: Type.Optional(ProtectedText(1_024, 'opens the recovery file')),
    }),
    answer: Success(Type.Object({ joined: Type.Literal(true) })),
    errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: ({ body }) =>
      inTurn(async () => {
        if (await port.isSetUp()) throw new ServiceError('NOT_FOUND', 'Paydesk is set up already.');
        const { databaseUrl, key, passphrase } = body;
        await port.join(databaseUrl, { key, passphrase }).catch((error: unknown) => {
          throw asJoinRefusal(error);
        });
        return { joined: true as const };
      }),
    show: success,
  });
}
