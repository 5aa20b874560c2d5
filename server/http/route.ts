import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Core } from '#core';
import type { Principal } from '#core/identity';
import type { Actor, ErrorCode, OwnerPermission, Permission } from '#core/kernel';
import { NOT_FREE_TEXT } from './free-text.ts';

/** Which credential a route asks for (specification 5). `open` routes take none. */
export type Surface = 'public' | 'admin' | 'sdk' | 'open';

/** The endpoint limits of specification 8; everything else counts in the tier's windows alone. */
export type RateClass =
  | 'default'
  | 'create-transaction'
  | 'list-transactions'
  | 'create-refund'
  | 'list-merchants'
  | 'test-webhook'
  | 'unlimited';

/** The input of a handler, which has passed its schema. */
interface OpenCall<Params, Query, Body> {
  readonly core: Core;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The input of a handler, and the caller. */
interface Call<Params, Query, Body> extends OpenCall<Params, Query, Body> {
  readonly actor: Actor;
  readonly principal: Principal;
}

/**
 * The reach of a route:
 * - `caller`: concerns the caller's own session, user or credential.
 * - `merchant`: concerns one merchant or its records. The operation checks that the caller acts for that merchant.
 * - `tenant`: concerns the whole tenant. A merchant-bound caller cannot change anything with it: MERCHANT_NOT_AUTHORIZED.
 * - `installation`: as `tenant`, and only callers of the installation's first tenant can change anything with it: PERMISSION_DENIED.
 */
type Scope = 'caller' | 'merchant' | 'tenant' | 'installation';

/** Access rules of a route. A route that takes a credential and states no permission or scope does not compile. */
type Access =
  | {
      readonly surface: 'open';
      readonly permission?: undefined;
      readonly scope?: undefined;
      readonly live?: undefined;
      readonly idempotent?: undefined;
      readonly confirms?: undefined;
    }
  | {
      readonly surface: Exclude<Surface, 'open'>;
      /** `session` is any caller that the surface knows. */
      readonly permission: Permission | 'session';
      readonly scope: Scope;
      /** A further permission that callers of a live account need. */
      readonly live?: OwnerPermission;
      /** True if the route accepts an Idempotency-Key. */
      readonly idempotent?: boolean;
      /**
       * Requires the caller's own password in this field of the body, and a code in `currentCode` from callers with an authenticator app:
       * on every account, or on live accounts only. The handler does not get these fields.
       */
      readonly confirms?: { readonly field: 'password' | 'currentPassword'; readonly on: 'every-account' | 'live' };
    };

type RouteDeclaration<On extends Surface, Params extends TObject, Query extends TObject, Body extends TObject, Result> = Access & {
  readonly surface: On;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1 and the surface's prefix, parameters written :name. */
  readonly path: string;
  /** Operation id of the OpenAPI document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** True for an absolute path outside of /api/v1. */
  readonly atRoot?: boolean;
  /** An open route that still names its tenant in X-Tenant-ID. */
  readonly namesTenant?: boolean;
  /** Payers and the pages of shops ask for it, under the public address too. */
  readonly isForPayers?: boolean;
  readonly rate?: RateClass;
  /** True if the route responds with 201 for a created resource. */
  readonly created?: boolean;
  /** True if the internal service key is accepted instead of the surface's credential (specification 5). */
  readonly serviceKey?: boolean;
  /** True if a client token is accepted instead of an API key (decisions 3). */
  readonly clientToken?: boolean;
  /** True if the route responds before the installation is set up. */
  readonly beforeSetUp?: boolean;
  /** Fields of the body that name the caller's request: sent again with the same ones, it is the same request even without a key. */
  readonly onceBy?: readonly string[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Accepts multipart/form-data with the named file instead of JSON; `fields` are the texts beside it. */
  readonly upload?: { readonly file: string; readonly bytesMax: number; readonly fields: TObject };
  /** Schema of the whole answer. */
  readonly answer: TSchema;
  readonly contentType?: string;
  /** Error codes besides those of every route of the surface. */
  readonly errors?: readonly ErrorCode[];
  /** Turns the core's names of fields into the caller's spelling. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Calls one operation of the core. An open route has no caller to ask for. */
  readonly run: (
    call: On extends 'open' ? OpenCall<Static<Params>, Static<Query>, Static<Body>> : Call<Static<Params>, Static<Query>, Static<Body>>,
  ) => Promise<Result>;
  /** Maps a result to the body of the response, without decisions. Absent if `run()` responds by itself. */
  readonly show?: (result: Result) => unknown;
};

export type Route = Omit<RouteDeclaration<Surface, TObject, TObject, TObject, never>, 'run'> &
  Access & {
    readonly run: (call: Call<never, never, never>) => Promise<unknown>;
  };

/** Declares a route. All that follows from it (validation, authorization, limits, OpenAPI) is made from the declaration. */
export function route<On extends Surface, Params extends TObject, Query extends TObject, Body extends TObject, Result>(
  declaration: RouteDeclaration<On, Params, Query, Body, Result>,
): Route {
  const declared = declaration as unknown as Route;
  return declared.confirms ? { ...declared, body: withConfirmation(declared.body, declared.confirms) } : declared;
}

/** Adds the fields of the confirmation to the schema of a body. */
function withConfirmation(body: TObject | undefined, { field, on }: NonNullable<Route['confirms']>): TObject {
  const description = `the caller's own password${on === 'live' ? '; required on a live account' : ''}`;
  const password = Type.String({ [NOT_FREE_TEXT]: 'protected', minLength: 1, maxLength: 1024, description });
  const currentCode = Type.Optional(
    Type.String({
      [NOT_FREE_TEXT]: 'protected',
      maxLength: 20,
      description: 'a code of the authenticator app, or a recovery code; required of callers with such an app',
    }),
  );
  const properties = { ...body?.properties, [field]: on === 'live' ? Type.Optional(password) : password, currentCode };
  const { additionalProperties } = (body ?? {}) as { additionalProperties?: boolean };
  return Type.Object(properties, additionalProperties === undefined ? {} : { additionalProperties });
}

/** The address of a route. */
export function urlOf({ surface, path, atRoot }: Pick<Route, 'surface' | 'path' | 'atRoot'>): string {
  if (atRoot) return path;
  const prefix = surface === 'public' || surface === 'sdk' ? `/${surface}` : '';
  return `/api/v1${prefix}${path}`;
}
