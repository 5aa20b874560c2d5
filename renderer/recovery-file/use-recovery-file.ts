import { useMutation } from '@tanstack/react-query';
import { confirmSaved, makeRecoveryFile, saveToDisk } from './requests.ts';

/** Creates, saves and confirms a recovery file: `make` saves it to disk, `confirm` records that file and code are stored safely. */
export function useRecoveryFile(onConfirmed: () => void) {
  const make = useMutation({
    mutationFn: ({ password, passphrase }: { password: string; passphrase?: string }) => makeRecoveryFile(password, passphrase),
    onSuccess: saveToDisk,
  });
  const confirm = useMutation({ mutationFn: () => confirmSaved(make.data?.keyId ?? ''), onSuccess: onConfirmed });
  return { make, confirm, made: make.data, saveAgain: () => make.data && saveToDisk(make.data), failure: make.error ?? confirm.error };
}
