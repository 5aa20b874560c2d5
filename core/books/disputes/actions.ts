import { type Actor, actionOf, actionsOf, type WithActions } from '#core/kernel';
import { checkAttachable } from './attachments.ts';
import { checkReopenable, findDispute, OUTCOMES } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { checkDisputable } from './open.ts';
import { detailOf } from './read.ts';
import type { DisputeDetail } from './records.ts';
import { nextStatus } from './steps.ts';

export type DisputeAction = 'submit' | 'accept' | 'reopen' | 'conclude' | 'attach';

/**
 * Returns a dispute with what can be done with it now, by the checks of the operations themselves. `conclude` has the outcomes that can be recorded.
 * @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  disputeId: string,
): Promise<DisputeDetail & WithActions<DisputeAction>> {
  const row = await findDispute(deps, actor, disputeId);
  const payment = await deps.payments.disputed.read(actor, row.transaction_id);
  const read = deps.database.read(actor.tenantId);
  const locked = { row, payment };
  const actions = await actionsOf({
    submit: () => {
      nextStatus(row, 'submit');
      return {};
    },
    accept: () => {
      nextStatus(row, 'accept');
      return {};
    },
    reopen: () => {
      checkReopenable(locked);
      return {};
    },
    conclude: async () => {
      const outcomes = Object.entries(OUTCOMES);
      const answers = await Promise.all(
        outcomes.map(async ([outcome, operation]) => {
          const { allowed } = await actionOf(async () => {
            await checkDisputable(read, locked, operation);
            return {};
          });
          return allowed ? [outcome] : [];
        }),
      );
      const choices = answers.flat();
      if (choices.length === 0) await checkDisputable(read, locked, 'win');
      return { choices };
    },
    attach: async () => {
      await checkAttachable(read, row);
      return {};
    },
  });
  return { ...(await detailOf(deps, row)), actions };
}
