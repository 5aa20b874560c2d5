import { type Html, html } from '../html.ts';
import { type DocumentedSchema, type OpenApiDocument, resolved } from './document.ts';
import { markdown } from './markdown.ts';

const DEPTH_MAX = 4;

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Returns a table of the fields of a schema; the fields of a nested object have its name before a dot. */
export function fieldTable(document: OpenApiDocument, schema: DocumentedSchema, isRequest: boolean): Html {
  const rows = rowsOf(document, schema, '', 0);
  if (rows.length === 0) return html`<p class="quiet">No fields.</p>`;
  return html`<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th>${isRequest && html`<th>Required</th>`}<th>Description</th></tr></thead><tbody>${rows.map(
    ({ name, type, isRequired, description }) =>
      html`<tr><td><code>${name}</code></td><td>${type}</td>${isRequest && html`<td>${isRequired ? 'yes' : ''}</td>`}<td>${line(description)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Returns a description with its code, without the paragraph around it. */
export const line = (text: string): Html => ({ markup: markdown(text).markup.replaceAll(/^<p>|<\/p>$/g, '') });

function rowsOf(document: OpenApiDocument, part: DocumentedSchema, prefix: string, depth: number): Row[] {
  const schema = resolved(document, part);
  if (schema.anyOf) {
    const seen = new Set<string>();
    const rows = schema.anyOf.flatMap((choice) => rowsOf(document, choice, prefix, depth));
    return rows.filter(({ name }) => !seen.has(name) && seen.add(name));
  }
  if (schema.items) return rowsOf(document, schema.items, `${prefix}[]`, depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, own]) => {
    const field = resolved(document, own);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row = {
      name: path,
      type: typeOf(document, own),
      isRequired: schema.required?.includes(name) ?? false,
      description: withValues(field),
    };
    return [row, ...(depth < DEPTH_MAX ? rowsOf(document, own, path, depth + 1) : [])];
  });
}

function withValues({ description = '', enum: values }: DocumentedSchema): string {
  const shown = (values ?? []).filter((value) => value !== null);
  if (shown.length === 0 || shown.length > 30) return description;
  return `${description} ${shown.map((value) => `\`${String(value)}\``).join(', ')}`.trim();
}

/** Returns the type of a field in words. */
export function typeOf(document: OpenApiDocument, part: DocumentedSchema): string {
  const schema = resolved(document, part);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((choice) => typeOf(document, choice)))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${typeOf(document, schema.items)}`;
  const { type = 'any', format } = schema;
  const text = typeof type === 'string' ? type : type.join(' or ');
  return format === undefined ? text : `${text} (${format})`;
}
