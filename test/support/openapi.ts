type Json = Record<string, unknown>;

/**
 * Returns a copy of an OpenAPI document with every reference replaced by its target, which all its references share. @throws Error if a target is missing.
 */
export function withoutReferences<Document extends object>(document: Document): Document {
  const targets = new Map<string, unknown>();
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    if ('$ref' in part) {
      const reference = String(part.$ref);
      const target = targets.get(reference) ?? resolve(targetOf(document as Json, reference));
      targets.set(reference, target);
      return target;
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]));
  };
  return resolve(document) as Document;
}

function targetOf(document: Json, reference: string): unknown {
  const [, ...path] = reference.split('/');
  const target = path.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document);
  if (target === undefined) throw new Error(`${reference} has no target.`);
  return target;
}
