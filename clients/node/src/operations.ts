import type { paths } from './generated/api-types.ts';

/** Method of an operation. */
export type Method = 'get' | 'post' | 'put' | 'delete';

type Prefix = '/api/v1';
/** An endless response is not the result of a method. */
type Endless = { responses: { 200: { content: { 'text/event-stream': string } } } };
type FullPath<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? (paths[P][M] extends Endless ? never : P) : never;
}[keyof paths];

/** Paths with this method, without the prefix `/api/v1`: `/public/...` and `/sdk/...` take the API key, all others an access token. */
export type PathOf<M extends Method> = FullPath<M> extends infer P ? (P extends `${Prefix}${infer Short}` ? Short : never) : never;

type Operation<M extends Method, P extends string> = `${Prefix}${P}` extends keyof paths ? NonNullable<paths[`${Prefix}${P}`][M]> : never;

/** Fields of a form; those of files are a `Blob`, or a `File` if the name of the file matters. */
type FormFields<Fields> = { [Name in keyof Fields]: Name extends 'file' | 'backup' ? Blob : Fields[Name] };

/** Body of a request: the fields of its JSON or form, or a `FormData`; undefined if the operation takes none. */
export type BodyOf<M extends Method, P extends string> =
  Operation<M, P> extends { requestBody?: infer Request }
    ? [NonNullable<Request>] extends [never]
      ? undefined
      : NonNullable<Request> extends { content: { 'application/json': infer Body } }
        ? undefined extends Request
          ? Body | undefined
          : Body
        : NonNullable<Request> extends { content: { 'multipart/form-data': infer Fields } }
          ? FormFields<Fields> | FormData
          : undefined
    : undefined;

type Content<Responses, Status> = Status extends keyof Responses
  ? Responses[Status] extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never;
/** An operation that waits for an approval responds with 202, which is thrown; one that only runs in the background has no other status. */
type DoneStatus<Responses> = Extract<keyof Responses, 200 | 201> extends never ? 202 : 200 | 201;
type Answer<M extends Method, P extends string> =
  Operation<M, P> extends { responses: infer Responses } ? Content<Responses, Extract<keyof Responses, DoneStatus<Responses>>> : never;
type Accepted<Body> = Body extends { success: false } ? never : Body extends { success: true; data: infer Data } ? Data : Body;

/** Result of an operation: `data` of a successful response, or a `File` if the operation has no JSON. Declines and required approvals are thrown. */
export type DataOf<M extends Method, P extends string> = [Answer<M, P>] extends [never] ? File : Accepted<Answer<M, P>>;

/** One item of a list. */
export type ItemOf<P extends string> = Answer<'get', P> extends { data: (infer Item)[]; pagination: object } ? Item : never;

/** Paths of lists. */
export type ListPath = PathOf<'get'> extends infer P ? (P extends string ? ([ItemOf<P>] extends [never] ? never : P) : never) : never;

type Parameters<M extends Method, P extends string, Place extends 'path' | 'query'> =
  Operation<M, P> extends { parameters: Record<Place, infer Given> }
    ? { required: Given }
    : Operation<M, P> extends { parameters: { [Key in Place]?: infer Given } }
      ? [NonNullable<Given>] extends [never]
        ? { absent: true }
        : { optional: NonNullable<Given> }
      : { absent: true };
type Option<Name extends string, Given> = Given extends { required: infer Value }
  ? { [Key in Name]: Value }
  : Given extends { optional: infer Value }
    ? { [Key in Name]?: Value }
    : { [Key in Name]?: undefined };

/** Body among the options: only of a DELETE request, which rarely has one. */
type BodyOption<M extends Method, P extends string> = M extends 'delete'
  ? undefined extends BodyOf<M, P>
    ? { readonly body?: BodyOf<M, P> }
    : { readonly body: BodyOf<M, P> }
  : { readonly body?: undefined };

/** Reason for the approver: only of an operation that can need an approval. */
type ApprovalOption<M extends Method, P extends string> =
  Operation<M, P> extends { parameters: { header?: { 'Paydesk-Approval-Reason'?: infer Reason } } }
    ? [NonNullable<Reason>] extends [string]
      ? {
          /** Reason that the approver sees if the operation needs an approval, at most 200 characters; by default the `reason` of the body. */
          readonly approvalReason?: string;
        }
      : { readonly approvalReason?: undefined }
    : { readonly approvalReason?: undefined };

/** Options of a request. */
export type RequestOptions<M extends Method = Method, P extends string = string> = Option<'params', Parameters<M, P, 'path'>> &
  Option<'query', Parameters<M, P, 'query'>> &
  BodyOption<M, P> &
  ApprovalOption<M, P> & {
    /** Key of a POST request; a new one by default. Pass the ID of your own order to make the request safe across restarts. */
    readonly idempotencyKey?: string;
    /** Aborts the request and the wait before a retry. */
    readonly signal?: AbortSignal;
  };

/** Options as the last argument, which is required if the operation has required parameters. */
export type OptionArguments<M extends Method, P extends string> =
  Record<never, never> extends RequestOptions<M, P> ? [options?: RequestOptions<M, P>] : [options: RequestOptions<M, P>];
/** Body and options; the body can be omitted if it is optional and no options follow. */
export type BodyArguments<M extends Method, P extends string> =
  Record<never, never> extends RequestOptions<M, P>
    ? undefined extends BodyOf<M, P>
      ? [body?: BodyOf<M, P>, options?: RequestOptions<M, P>]
      : [body: BodyOf<M, P>, options?: RequestOptions<M, P>]
    : [body: BodyOf<M, P>, options: RequestOptions<M, P>];
