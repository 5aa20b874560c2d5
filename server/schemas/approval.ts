import { type TSchema, Type } from 'typebox';
import { RequiredApproval, RULE_FIELDS } from '#core/access/approvals';
import { schemaInSdkNaming } from '#server/http';
import { Maybe, Success } from './fields.ts';
import { named } from './named.ts';

/** Response of an operation that waits for an approval. */
export const ApprovalRequiredOut = named('ApprovalRequired', Success(RequiredApproval));

/** The same response in the naming of the SDK surface. */
export const SdkApprovalRequiredOut = named('SdkApprovalRequired', Success(schemaInSdkNaming(RequiredApproval as TSchema) as TSchema));

const { currency } = RULE_FIELDS;
export const ApprovalRulesIn = Type.Partial(
  Type.Object({
    inherited: Type.Boolean({ description: 'true removes the rules of the merchant, so that those of the account apply' }),
    ...RULE_FIELDS,
    currency: Maybe(Type.String({ ...currency.anyOf[0], maxLength: 20 })),
  }),
);
