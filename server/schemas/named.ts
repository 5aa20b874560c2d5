import type { TSchema } from 'typebox';

/** Names a schema. The OpenAPI document contains it once, under `components/schemas`, and refers to it by this name. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => Object.assign(schema, { title: name });
