import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Core } from '#core';
import { PIN_PERMISSIONS, type Principal } from '#core/access/identity';
import type { Actor, ErrorCode, OwnerPermission, Permission } from '#core/kernel';
import { described, literals } from '#core/platform/fields';
import type { ExportArea } from '#shared/permission-areas';
import { NOT_FREE_TEXT } from './free-text.ts';
import { isReply, type Reply, replyInSdkNaming } from './replies.ts';

/** API surface, which determines the credential of its routes. `open` routes require none. */
export type Surface = 'public' | 'admin' | 'sdk' | 'open';

/** Rate limits of single endpoints. All other routes count against the limits of the tier only. */
export type RateClass =
  | 'default'
  | 'create-transaction'
  | 'list-transactions'
  | 'create-refund'
  | 'list-merchants'
  | 'test-webhook'
  | 'unlimited';

/** Validated input of a handler. */
interface OpenCall<Params, Query, Body> {
  readonly core: Core;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Validated input of a handler, with its caller. */
interface Call<Params, Query, Body> extends OpenCall<Params, Query, Body> {
  readonly actor: Actor;
  readonly principal: Principal;
}

/**
 * The reach of a route:
 * - `caller`: concerns the caller's own session, user or credential.
 * - `merchant`: concerns one merchant or its records. The operation checks that the caller has access to that merchant.
 * - `tenant`: concerns the whole tenant. A caller with access to one merchant cannot change anything with it: MERCHANT_NOT_AUTHORIZED.
 * - `installation`: as `tenant`, and only callers of the installation's first tenant can change anything with it: PERMISSION_DENIED.
 */
type Scope = 'caller' | 'merchant' | 'tenant' | 'installation';

/**
 * Confirmation of an operation by the caller. The handler does not receive its fields.
 * - `recent`: a sign-in with the password less than 15 minutes ago, or the caller's own password in `currentPassword`.
 * - `password`: the caller's own password in `currentPassword`, however recent the sign-in.
 *
 * With the password, callers with an authenticator app send a code in `currentCode`.
 */
interface Confirmation {
  readonly level: 'recent' | 'password';
  /** Accounts that need it; all by default. */
  readonly accounts?: 'live';
  /** Returns true for the bodies that need it, by default all. */
  readonly when?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** Returns true for the bodies that need the password itself where the path names the caller as the user. */
  readonly passwordOfSelf?: (
    core: Core,
    self: Pick<Principal, 'tenantId' | 'credentialId'>,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<boolean>;
}

/** Access rules of a route. A route with a credential but without a permission or scope does not compile. */
type Access =
  | {
      readonly surface: 'open';
      readonly permission?: undefined;
      readonly scope?: undefined;
      readonly exports?: undefined;
      readonly live?: undefined;
      readonly idempotent?: undefined;
      readonly takesDrawer?: undefined;
      readonly byPin?: undefined;
      readonly confirms?: undefined;
    }
  | {
      readonly surface: Exclude<Surface, 'open'>;
      /** Required permission; `session` admits any authenticated caller. */
      readonly permission: Permission | 'session';
      readonly scope: Scope;
      /**
       * The operation hands out records of this area as a file. It requires the `export` right of the area beside its permission, and the audit log records it
       * with its filter and the number of rows (`recordExport`).
       */
      readonly exports?: ExportArea;
      /** True for a route with the permission `session` that a session by PIN may use. For other routes, the permission decides, and false excludes the session. */
      readonly byPin?: boolean;
      /** A further permission that callers of a live account need. */
      readonly live?: OwnerPermission;
      /**
       * True if the operation claims the Idempotency-Key in the commit of its effect and stores its response. By default, the server does so around the
       * operation of a POST. False if the header is ignored, because a repeated request does no harm or its response must not be stored.
       */
      readonly idempotent?: boolean;
      /** True if the operation moves money of a card or bank account, which belongs to the open shift of the drawer that Paydesk-Drawer names. */
      readonly takesDrawer?: boolean;
      /** Confirmation that the operation needs. It applies to people on the Admin surface, and not to keys of programs. */
      readonly confirms?: Confirmation;
    };

/** Declaration of a form: the name and the size limit of its file, and the schema of its other fields. Objects among them are sent as JSON. */
export interface Form<Fields extends TObject = TObject> {
  readonly file: string;
  readonly bytesMax: number;
  readonly fields: Fields;
}

type RouteDeclaration<
  RouteSurface extends Surface,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Response extends TSchema,
  Result,
> = Access & {
  readonly surface: RouteSurface;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below /api/v1 and the prefix of the surface; parameters are written as :name. */
  readonly path: string;
  /** Operation ID in the OpenAPI document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Days (YYYY-MM-DD) since which the route is deprecated, and until which it stays at least. */
  readonly deprecated?: { readonly since: string; readonly lastDay: string };
  /** True for an absolute path outside of /api/v1. */
  readonly atRoot?: boolean;
  /** True for an open route that requires the X-Tenant-ID header. */
  readonly namesTenant?: boolean;
  /** True if payers and pages of shops use the route, which is then available under the public address too. */
  readonly isForPayers?: boolean;
  readonly rate?: RateClass;
  /** True if the route responds with 201 for a created resource. */
  readonly created?: boolean;
  /** True if the route responds with 202, because the work continues after the response. */
  readonly accepted?: boolean;
  /** Returns true for a result whose work continues after the response, which then has the status 202. */
  readonly acceptedIf?: (result: Result) => boolean;
  /**
   * True if the operation may need the approval of a second person. Its request is then stored, and the response is 202 with the ID of the
   * approval. The operation uses neither the request nor the reply of its call, because it runs later.
   */
  readonly approvable?: boolean;
  /** True if the internal service key is accepted instead of the surface's credential. */
  readonly serviceKey?: boolean;
  /** True if a client token is accepted instead of an API key. */
  readonly clientToken?: boolean;
  /**
   * Returns the body of the response while the database is down, so that no credential can be checked; null if the database answers. It
   * contains nothing of a tenant.
   */
  readonly withoutDatabase?: (core: Core) => Promise<unknown>;
  /** True if the route responds before the installation is set up. */
  readonly beforeSetUp?: boolean;
  /** Fields of the body that identify a request without an Idempotency-Key: with the same values it is a repeat of the same request. */
  readonly idempotentBy?: readonly string[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Accepts multipart/form-data with the named file instead of JSON; `fields` is the schema of its other fields. */
  readonly upload?: Form;
  /** Schema of the complete response: a `Reply` of a record, or another schema if `run()` writes the response. */
  readonly response: Response;
  readonly contentType?: string;
  /** Further content types that a caller can choose, such as that of a picture. */
  readonly otherContentTypes?: readonly string[];
  /** Headers of successful responses besides those of every route, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Error codes besides those of every route of the surface. */
  readonly errors?: readonly ErrorCode[];
  /** Field names of the caller by field name of the core, for errors. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Calls one operation of the core. Open routes have no caller. */
  readonly run: (
    call: RouteSurface extends 'open'
      ? OpenCall<Static<Params>, Static<Query>, Static<Body>>
      : Call<Static<Params>, Static<Query>, Static<Body>>,
  ) => Promise<Result>;
};

/** A schema that is no `Reply`. */
type CompleteBody = TSchema & { readonly '~shown'?: never };

export type Route = Omit<RouteDeclaration<Surface, TObject, TObject, TObject, TSchema, never>, 'run'> &
  Access & {
    readonly show?: (result: never) => unknown;
    /** Part that claims an Idempotency-Key of the request: the operation, or the server around it. Absent if the header is ignored. */
    readonly keyClaimedBy?: 'operation' | 'server';
    readonly run: (call: Call<never, never, never>) => Promise<unknown>;
  };

/** Records in the audit log that a caller received a file with this number of rows; `isComplete` is false if it was cut. */
export type RecordExport = (rows: number, isComplete: boolean) => Promise<void>;

/** Returns the HTTP status of a successful response, by default that of a result whose work has ended. */
export function statusOf({ created, accepted, acceptedIf }: Pick<Route, 'created' | 'accepted' | 'acceptedIf'>, result?: unknown): number {
  if (result !== undefined && acceptedIf?.(result as never)) return 202;
  if (created) return 201;
  return accepted ? 202 : 200;
}

/** Returns true if the server writes the body of a response from the result of `run()`, which otherwise writes it itself. */
export const isShown = ({ response, show }: Pick<Route, 'response' | 'show'>): boolean => show !== undefined || isReply(response);

/** Declares a route that returns what its response shows. Validation, authorization, limits and the OpenAPI document derive from the declaration. */
export function route<
  RouteSurface extends Surface,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Shown,
  const Result extends Shown,
>(declaration: RouteDeclaration<RouteSurface, Params, Query, Body, Reply<Shown>, Result> & { readonly show?: undefined }): Route;
/** Declares a route whose response shows something else than its operation returns; `show()` maps it, without decisions. */
export function route<
  RouteSurface extends Surface,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Shown,
  Result,
  const Mapped extends Shown,
>(
  declaration: RouteDeclaration<RouteSurface, Params, Query, Body, Reply<Shown>, Result> & { readonly show: (result: Result) => Mapped },
): Route;
/** Declares a route whose `run()` writes the response, so that it returns nothing. */
export function route<RouteSurface extends Surface, Params extends TObject, Query extends TObject, Body extends TObject>(
  declaration: RouteDeclaration<RouteSurface, Params, Query, Body, CompleteBody, void> & { readonly show?: undefined },
): Route;
export function route(declaration: object): Route {
  const given = declaration as Route;
  const keyClaimedBy = claimerOf(given);
  const response = given.surface === 'sdk' ? replyInSdkNaming(given.response) : given.response;
  const declared = {
    ...given,
    response,
    ...(sendsCsv(given) && takingByteOrderMark(given)),
    ...(keyClaimedBy !== undefined && { keyClaimedBy }),
  };
  if (declared.confirms === undefined) return declared;
  if (declared.surface !== 'admin') return { ...declared, confirms: undefined };
  return { ...declared, body: withConfirmation(declared.body, declared.confirms) };
}

const sendsCsv = ({ contentType, otherContentTypes = [] }: Route) => [contentType, ...otherContentTypes].includes('text/csv');

const BYTE_ORDER_MARK = Type.Optional(
  literals(
    ['true', 'false'],
    '`false` omits the byte order mark of a CSV file, by which spreadsheets recognize UTF-8; for programs that read it as text',
  ),
);

/** Adds the query parameter that `sendPages()` reads, which is no part of a filter. */
const takingByteOrderMark = ({ query, run }: Route): Pick<Route, 'query' | 'run'> => ({
  query: Type.Object({ ...query?.properties, bom: BYTE_ORDER_MARK }),
  run: (call) => {
    const { bom: _, ...rest } = call.query as { readonly bom?: string };
    return run({ ...call, query: rest as never });
  },
});

function claimerOf(declared: Route): Route['keyClaimedBy'] {
  const { method, surface, idempotent, upload } = declared;
  if (idempotent) return 'operation';
  const isExcluded = idempotent === false || !isShown(declared) || upload !== undefined;
  return method !== 'POST' || surface === 'open' || isExcluded ? undefined : 'server';
}

/** Adds the fields of the confirmation to the schema of a body. */
function withConfirmation(body: TObject | undefined, confirms: Confirmation): TObject {
  const { level, accounts } = confirms;
  const condition = accounts === 'live' ? ' on a live account' : '';
  const description =
    level === 'password'
      ? `the caller's own password; required${condition}. A user of the company sign-in has none: a sign-in at the provider less than 5 minutes ago takes its place`
      : `the caller's own password; required${condition} if the last sign-in with it was more than 15 minutes ago`;
  const currentPassword = Type.String({
    [NOT_FREE_TEXT]: 'protected',
    minLength: 1,
    maxLength: 1024,
    ...described(description, 'correct horse battery'),
  });
  const currentCode = Type.Optional(
    Type.String({
      [NOT_FREE_TEXT]: 'protected',
      maxLength: 20,
      ...described('a code of the authenticator app, or a recovery code; required with the password from callers who have one', '492039'),
    }),
  );
  const properties = { ...body?.properties, currentPassword: Type.Optional(currentPassword), currentCode };
  const { additionalProperties } = (body ?? {}) as { additionalProperties?: boolean };
  return Type.Object(properties, additionalProperties === undefined ? {} : { additionalProperties });
}

/** Returns true if a session by PIN may use a route, with the permissions that it keeps. */
export const isOpenByPin = ({ permission, exports, byPin }: Pick<Route, 'permission' | 'exports' | 'byPin'>): boolean =>
  permission === undefined || permission === 'session'
    ? byPin === true
    : byPin !== false && PIN_PERMISSIONS.has(permission) && exports === undefined;

/** Returns the URL path of a route. */
export function urlOf({ surface, path, atRoot }: Pick<Route, 'surface' | 'path' | 'atRoot'>): string {
  if (atRoot) return path;
  const prefix = surface === 'public' || surface === 'sdk' ? `/${surface}` : '';
  return `/api/v1${prefix}${path}`;
}
