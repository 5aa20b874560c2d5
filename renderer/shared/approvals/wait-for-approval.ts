import { ApiFailure, handleApprovals, type RequiredApproval } from '#renderer/base/client';
import { createStore } from '#renderer/base/module-state';

/** Operation of this screen that waits for the approval of a second person. */
interface Waiting extends RequiredApproval {
  /** Ends the wait with the response of the operation. */
  readonly finish: (response: Response) => void;
  /** Ends the wait without an effect of the operation. */
  readonly fail: (failure: ApiFailure) => void;
}

/** The operations that wait, oldest first. The prompt shows the first one. */
export const useWaiting = createStore<{ readonly waiting: readonly Waiting[] }>()(() => ({ waiting: [] }));

/** Not approved: a definite answer, after which nothing was done. */
export const notApproved = (message: string): ApiFailure => new ApiFailure('NOT_APPROVED', message, { status: 403 });

function waitForApproval(approval: RequiredApproval): Promise<Response> {
  return new Promise((resolve, reject) => {
    const end = () =>
      useWaiting.setState(({ waiting }) => ({ waiting: waiting.filter(({ approvalId }) => approvalId !== approval.approvalId) }));
    const entry: Waiting = {
      ...approval,
      finish: (response) => {
        end();
        resolve(response);
      },
      fail: (failure) => {
        end();
        reject(failure);
      },
    };
    useWaiting.setState(({ waiting }) => ({ waiting: [...waiting, entry] }));
  });
}

handleApprovals(waitForApproval);
