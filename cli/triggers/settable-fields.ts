import { editDistance } from '#shared/edit-distance';
import type { EventType } from '#shared/webhook-events';
import { CommandFailure, EXIT } from '../exit-codes.ts';

/** A part of the OpenAPI document that describes a value. */
interface Shape {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly allOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

type Document = object;

/** Operation of the main request of a flow, and the field of its body that `--set` changes if it is not the whole body. */
interface MainRequest {
  readonly path: string;
  readonly within?: string;
  /** Further fields of a customer in a file. */
  readonly also?: readonly string[];
}

const SALE: MainRequest = { path: '/transactions' };

/** Main requests by the first part of the event type; null for events whose flow has no field to set. */
const MAIN_REQUESTS = {
  transaction: SALE,
  refund: SALE,
  refund_decline_queue: SALE,
  chargeback: SALE,
  dispute: SALE,
  approval: SALE,
  subscription: { path: '/recurring' },
  invoice: { path: '/invoices' },
  payment_method: { path: '/customers/{id}/payment-methods', within: 'card' },
  installment_plan: { path: '/installment-plans' },
  installment: { path: '/installment-plans' },
  tender: { path: '/tenders' },
  order: { path: '/orders' },
  gift_card: null,
  shift: { path: '/shifts/open' },
  terminal: { path: '/terminals' },
  queued_payment: { path: '/queued-payments' },
  customer_import: { path: '/customers', also: ['customerId', 'paymentMethods'] },
  customer_export: { path: '/customers/exports' },
  system: null,
  security: null,
} satisfies Record<Category<EventType>, MainRequest | null>;

type Category<Type extends string> = Type extends `${infer First}.${string}` ? First : never;

/** Returns the main request of the flow of an event type; null if `--set` has no effect on it. */
export function mainRequestOf(type: EventType): MainRequest | null {
  return MAIN_REQUESTS[type.split('.')[0] as Category<EventType>];
}

/** Checks that the main request has the fields of `--set`, by the OpenAPI document. @throws CommandFailure that names the most similar field. */
export function checkFields(type: EventType, paths: readonly string[], document: Document): void {
  const request = mainRequestOf(type);
  if (request === null) throw new CommandFailure(EXIT.usage, `${type} has no fields to set: its flow always sends the same requests.`);
  const body = at(document, ['paths', `/api/v1${request.path}`, 'post', 'requestBody', 'content', 'application/json', 'schema']) as Shape;
  const root = request.within === undefined ? [body] : shapesIn([body], request.within, document);
  for (const path of paths.filter((each) => !request.also?.includes(each))) {
    let shapes: readonly Shape[] = root;
    for (const name of path.split('.')) {
      const known = namesIn(shapes, document);
      // An object without properties of its own, such as `metadata`, takes any name.
      if (known.length === 0) break;
      if (!known.includes(name)) throw new CommandFailure(EXIT.usage, unknownField(type, path, name, known));
      shapes = shapesIn(shapes, name, document);
    }
  }
}

function unknownField(type: EventType, path: string, name: string, known: readonly string[]): string {
  const distances = known.map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }));
  const nearest = distances.toSorted((one, other) => one.distance - other.distance)[0];
  const isSimilar = nearest !== undefined && nearest.distance <= Math.max(2, Math.floor(name.length / 3));
  const advice = isSimilar ? `Did you mean \`${nearest.each}\`?` : `Fields: ${known.join(', ')}.`;
  return `The main request of ${type} has no field \`${path}\`. ${advice}`;
}

/** Returns the objects that a shape can be, without references. */
function alternatives(shape: Shape, document: Document): readonly Shape[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = shape;
  if ($ref !== undefined) return alternatives(at(document, $ref.slice(2).split('/')) as Shape, document);
  return [shape, ...[...allOf, ...anyOf, ...oneOf].flatMap((each) => alternatives(each, document))];
}

const objectsOf = (shapes: readonly Shape[], document: Document) => shapes.flatMap((shape) => alternatives(shape, document));

function namesIn(shapes: readonly Shape[], document: Document): string[] {
  return [...new Set(objectsOf(shapes, document).flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function shapesIn(shapes: readonly Shape[], name: string, document: Document): readonly Shape[] {
  return objectsOf(shapes, document).flatMap(({ properties = {} }) => properties[name] ?? []);
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((part, name) => (part as Readonly<Record<string, unknown>> | undefined)?.[name] ?? {}, value);
