import { type Actor, actionsOf, type WithActions } from '#core/kernel';
import { findShift } from './apply.ts';
import { checkChange, checkExplain } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { detailOf } from './read.ts';
import type { ShiftDetail } from './records.ts';

export type ShiftAction = 'payIn' | 'payOut' | 'close' | 'explain';

/** Returns a shift with what can be done with it now, by the checks of the operations themselves. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getWithActions(deps: Dependencies, actor: Actor, shiftId: string): Promise<ShiftDetail & WithActions<ShiftAction>> {
  const { row } = await findShift(deps, actor, shiftId);
  const change = () => {
    checkChange(row, actor);
    return {};
  };
  const actions = await actionsOf({
    payIn: change,
    payOut: change,
    close: change,
    explain: () => {
      checkExplain(row);
      return {};
    },
  });
  return { ...(await detailOf(deps, actor, row)), actions };
}
