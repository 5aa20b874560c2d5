import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import { codeInAddress } from '#core/sales/gift-cards';
import { maskCardNumbers } from '#shared/card-numbers';
import { isMadeGiftCardCode } from '#shared/gift-card-code';
import { type Route, urlOf } from './route.ts';
import { DOCUMENTED_NAMES, type FieldRules, knownFieldsOf, type SentNames, withoutShownObjects } from './unknown-fields.ts';
import { check, checkParams, checkQuery } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Paths of the fields that the operation ignores; null if there are none. */
    ignoredFields: readonly string[] | null;
    /** Spellings of the caller; null before the fields are read, while errors name them as sent. */
    sentNames: SentNames | null;
  }
}

const IGNORED_HEADER = 'paydesk-ignored-fields';
const NAME_MAX = 100;
/** Length of the header. Some proxies refuse responses with 4 KB of headers. */
const HEADER_MAX = 1_000;
const NO_FIELDS = Type.Object({});

/**
 * Checks the parameters, the query and the body of a request against the declaration of its route, leaves the fields in the body that the operation has, and
 * notes the ignored ones. Returns the query. @throws the API error of the first problem.
 */
export function readInput(declared: Route, request: FastifyRequest): Record<string, string> {
  checkParams(request.params);
  const query = givenOf(checkQuery(request.query), declared.query);
  refuseUnknownQuery(declared, query);
  if (declared.query) check(declared.query, query);
  // Each list has its search text in `q`.
  if (isMadeGiftCardCode(query.q ?? '')) throw codeInAddress();
  readBody(declared, request);
  return query;
}

function readBody(declared: Route, request: FastifyRequest): void {
  const { upload, method, path, response, rate } = declared;
  // Forms are read by `receiveUpload`.
  if (upload !== undefined || method === 'GET') {
    request.sentNames = DOCUMENTED_NAMES;
    return;
  }
  const body = declared.body ?? NO_FIELDS;
  const isAbsent = request.body === undefined || (declared.body === undefined && request.body === null);
  const sent = isAbsent ? {} : request.body;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    if (declared.body === undefined) return;
    throw new ServiceError('VALIDATION_ERROR', 'The body must be a JSON object.');
  }
  const rules: FieldRules = { method, path, response, rate, body, isEitherSpelling: isPublic(declared) };
  const known = keepKnownFields(request, rules, withoutShownObjects(rules, sent));
  if (declared.body) check(declared.body, known);
  if (!isAbsent || declared.body !== undefined) request.body = known;
}

/** Returns the fields that an operation has, and notes the others for the header of the response. */
export function keepKnownFields(request: FastifyRequest, rules: FieldRules, sent: object): object {
  const { body, ignored, sentNames } = knownFieldsOf(rules, sent);
  if (ignored.length > 0) request.ignoredFields = ignored;
  request.sentNames = sentNames;
  return body;
}

const isPublic = (declared: Route) => urlOf(declared).startsWith('/api/v1/public/');

/**
 * Returns the parameters that are given: forms send empty fields as blank ones, and caches and libraries add names that begin with `_`, such
 * as `_=1732856400`. A blank parameter that the operation does not have is still refused.
 */
function givenOf(query: Record<string, string>, schema: TObject | undefined): Record<string, string> {
  const isLeftOut = ([name, value]: readonly [string, string]) =>
    name.startsWith('_') || (value.trim() === '' && Object.hasOwn(schema?.properties ?? {}, name));
  const entries = Object.entries(query);
  return entries.some(isLeftOut) ? Object.fromEntries(entries.filter((entry) => !isLeftOut(entry))) : query;
}

/** Rejects unknown query parameters, because a misspelled filter would otherwise return the whole list. */
function refuseUnknownQuery({ query: schema }: Route, query: Readonly<Record<string, string>>): void {
  const known = Object.keys(schema?.properties ?? {});
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const field = maskCardNumbers(unknown).slice(0, NAME_MAX);
  const hint = known.length === 0 ? 'This operation has none.' : `Known parameters: ${known.join(', ')}.`;
  throw new ServiceError('VALIDATION_ERROR', `There is no query parameter \`${field}\`. ${hint}`, { field });
}

/** Names the ignored fields of a request in a header of its response. */
export function nameIgnoredFields({ ignoredFields }: FastifyRequest, reply: FastifyReply): void {
  if (ignoredFields !== null) reply.header(IGNORED_HEADER, ignoredHeader(ignoredFields));
}

/** Returns the paths as a list that a header can contain; `...` stands for those that exceed its length. */
function ignoredHeader(paths: readonly string[]): string {
  let text = '';
  for (const path of paths) {
    const name = encodeURIComponent(path.slice(0, NAME_MAX).toWellFormed());
    if (text.length + name.length > HEADER_MAX) return text === '' ? '...' : `${text}, ...`;
    text = text === '' ? name : `${text}, ${name}`;
  }
  return text;
}
