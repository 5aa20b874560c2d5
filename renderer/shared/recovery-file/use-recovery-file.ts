import { useMutation } from '@tanstack/react-query';
import { confirmSaved, createRecoveryFile, saveToDisk } from './requests.ts';

/** Creates, saves and confirms a recovery file: `create` saves it to disk, `confirm` records that file and code are stored safely. */
export function useRecoveryFile(onConfirmed: () => void) {
  const create = useMutation({
    mutationFn: ({ password, passphrase }: { password: string; passphrase?: string }) => createRecoveryFile(password, passphrase),
    onSuccess: saveToDisk,
  });
  const confirm = useMutation({ mutationFn: () => confirmSaved(create.data?.keyId ?? ''), onSuccess: onConfirmed });
  return {
    create,
    confirm,
    createdFile: create.data,
    saveAgain: () => create.data && saveToDisk(create.data),
    failure: create.error ?? confirm.error,
  };
}
