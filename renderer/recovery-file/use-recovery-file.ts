import { useMutation } from '@tanstack/react-query';
import { confirmSaved, makeRecoveryFile, saveToDisk } from './requests.ts';

/** Making, saving and vouching for a recovery file: `make` saves it to disk at once, `confirm` notes that file and code are kept. */
export function useRecoveryFile(onConfirmed: () => void) {
  const make = useMutation({
    mutationFn: ({ password, passphrase }: { password: string; passphrase?: string }) => makeRecoveryFile(password, passphrase),
    onSuccess: saveToDisk,
  });
  const confirm = useMutation({ mutationFn: () => confirmSaved(make.data?.keyId ?? ''), onSuccess: onConfirmed });
  return { make, confirm, made: make.data, saveAgain: () => make.data && saveToDisk(make.data), failure: make.error ?? confirm.error };
}
