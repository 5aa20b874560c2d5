import { Type } from 'typebox';
import { inspectPostgres, NewerSchema, OlderServersRunning } from '#core/database';
import { ServiceError } from '#core/kernel';
import { type KeyStore, lockOf } from '#core/records/vault';
import { MIGRATIONS } from '#migrations';
import { type Route, route, Success } from '#server/http';
import { AlwaysTrue, ProtectedText } from '#server/schemas';
import { givenKey } from './given-key.ts';

/** State of a database that a workstation wants to use. Examining it writes nothing. */
export interface DatabaseExamination {
  /** Reason why it cannot be used; null if it can. */
  readonly refusal: string | null;
  /** True if it contains an installation, which must be joined instead of set up. */
  readonly holdsInstallation: boolean;
  /** True if the key of this workstation does not open the installation. */
  readonly needsKey: boolean;
  opensWith(masterKey: Buffer): boolean;
}

const MAY_CREATE = "SELECT has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS may";
const unusable = (refusal: string): DatabaseExamination => ({ refusal, holdsInstallation: false, needsKey: false, opensWith: () => false });

const OTHER_THAN_OPTION = 'The server was started with `--database-url` for another one. Restart it without this option.';
const notUsable = (refusal: string) =>
  new ServiceError('VALIDATION_ERROR', `The database can't be used: ${refusal}`, { field: 'databaseUrl' });

/** Refuses a database that differs from that of the option, which the next start would use again. @throws VALIDATION_ERROR. */
export function checkChoice(url: string, optionUrl = url): void {
  if (url !== optionUrl) throw notUsable(OTHER_THAN_OPTION);
}

/** Connects to a PostgreSQL address and returns whether the first run can use the database. */
export async function examineDatabase(url: string, keyStore: KeyStore, optionUrl = url): Promise<DatabaseExamination> {
  if (url !== optionUrl) return unusable(OTHER_THAN_OPTION);
  try {
    const found = await inspectPostgres({ url, migrations: MIGRATIONS }, async (state, all) => ({
      state,
      mayCreate: (await all<{ may: boolean }>(MAY_CREATE))[0]?.may === true,
      hasTenants: state !== 'none' && (await all('SELECT 1 FROM tenants LIMIT 1')).length > 0,
    }));
    if (found.state === 'newer') return unusable(new NewerSchema().message);
    if (!found.mayCreate && found.state !== 'same') return unusable('The user is not allowed to create tables in this database.');
    const [lock, keys] = [await lockOf({ url }), await keyStore.keys()];
    const isOpen = lock === null || keys.some((key) => lock.opensWith(key));
    return {
      refusal: null,
      // An installation whose setup another workstation has begun belongs to that workstation, even if it has no user yet.
      holdsInstallation: found.hasTenants || !isOpen,
      needsKey: !isOpen,
      opensWith: (masterKey) => lock?.opensWith(masterKey) ?? false,
    };
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
}

/** Checks that a database is usable and contains no installation. @throws VALIDATION_ERROR, RESOURCE_CONFLICT. */
export function checkEmpty({ refusal, holdsInstallation }: DatabaseExamination): void {
  if (refusal !== null) throw notUsable(refusal);
  if (holdsInstallation)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'This database already contains a Paydesk installation. Join it with its key, or choose an empty database.',
      { field: 'databaseUrl' },
    );
}

/** Returns the key to join with: the one from the request, or that of this workstation if it opens the database. */
export async function keyToJoin(
  { refusal, holdsInstallation, opensWith }: DatabaseExamination,
  keyStore: KeyStore,
  input: { readonly key?: string; readonly passphrase?: string },
): Promise<Buffer> {
  if (refusal !== null) throw notUsable(refusal);
  if (!holdsInstallation)
    throw new ServiceError('VALIDATION_ERROR', 'There is no Paydesk installation in this database. Set it up instead.', {
      field: 'databaseUrl',
    });
  if (input.key === undefined || input.key.trim() === '') {
    const own = (await keyStore.keys()).find(opensWith);
    if (own) return own;
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'This installation requires its key: the key file or the recovery file.', {
      field: 'key',
    });
  }
  const masterKey = await givenKey(input.key, input.passphrase);
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

/** Translates a database error that the user can resolve into a service error. */
function asJoinRefusal(error: unknown): unknown {
  if (!(error instanceof NewerSchema) && !(error instanceof OlderServersRunning)) return error;
  return new ServiceError('RESOURCE_CONFLICT', error.message, { field: 'databaseUrl', cause: error });
}

/** Operations with which the first run joins an installation. */
export interface JoinPort {
  isSetUp(): Promise<boolean>;
  /** Switches to the installation in a database and stores its key here. If an error is thrown, nothing is changed. */
  join(databaseUrl: string, keyInput: { readonly key?: string; readonly passphrase?: string }): Promise<void>;
}

/** Declares the route to join an installation instead of setting one up. It responds with 404 after the setup. */
export function joinRoute(port: JoinPort, inSequence: <T>(work: () => Promise<T>) => Promise<T>): Route {
  return route({
    surface: 'open',
    method: 'POST',
    path: '/setup/join',
    id: 'setup.join',
    tag: 'Setup',
    beforeSetUp: true,
    summary: 'Join the installation in a PostgreSQL database',
    description:
      'The key is checked before anything is written. Afterwards the users of that installation can sign in on this workstation too.',
    body: Type.Object({
      databaseUrl: ProtectedText(500, 'Address of the PostgreSQL database', 'postgres://paydesk@db.office.lan/paydesk'),
      key: Type.Optional(
        ProtectedText(20_000, 'text of the master key file or of the recovery file; by default the key of this workstation'),
      ),
      passphrase: Type.Optional(ProtectedText(1_024, 'opens the recovery file')),
    }),
    response: Success(Type.Object({ joined: AlwaysTrue })),
    errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: ({ body }) =>
      inSequence(async () => {
        if (await port.isSetUp()) throw new ServiceError('NOT_FOUND', 'Paydesk is set up already.');
        const { databaseUrl, key, passphrase } = body;
        await port.join(databaseUrl, { key, passphrase }).catch((error: unknown) => {
          throw asJoinRefusal(error);
        });
        return { joined: true as const };
      }),
  });
}
