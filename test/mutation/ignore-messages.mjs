import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Position of the message text among the arguments of each function that takes one. */
const MESSAGE_ARGUMENT = {
  ServiceError: 1,
  ExpressionError: 2,
  amountAboveLimit: 0,
  assert: 1,
  fault: 1,
  refused: 1,
  // Factories of refusals in core/sales/payments/steps.ts; their argument is a part of the message.
  unconfirmed: 0,
  alreadyRefunded: 0,
  alreadySettled: 0,
  alreadyReturned: 0,
  creditCannotBe: 0,
};

/** Ignores texts that only people read, because no rule depends on their wording. */
const messages = {
  shouldIgnore({ parent, key, listKey }) {
    if (listKey !== 'arguments' || (parent.type !== 'CallExpression' && parent.type !== 'NewExpression')) return undefined;
    const isMessage = parent.callee.type === 'Identifier' && MESSAGE_ARGUMENT[parent.callee.name] === key;
    return isMessage ? 'Wording of a message' : undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'messages', messages)];
