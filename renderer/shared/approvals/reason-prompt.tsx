import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { ApiFailure, handleApprovalReasons } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { FormDialog } from '#renderer/kit/ui';

/** Operation of this screen that needs an approval, and a reason for the person who decides. */
interface Question {
  readonly id: number;
  /** Sentence that explains why an approval is needed. */
  readonly rule: string;
  /** Ends the question with the reason; null if the user cancels. */
  readonly answer: (reason: string | null) => void;
}

/** The open questions, oldest first. The prompt shows the first one. */
const useQuestions = createStore<{ readonly questions: readonly Question[]; readonly nextId: number }>()(() => ({
  questions: [],
  nextId: 1,
}));

function askForReason(rule: string): Promise<string | null> {
  return new Promise((resolve) => {
    const id = useQuestions.getState().nextId;
    const answer = (reason: string | null) => {
      useQuestions.setState(({ questions }) => ({ questions: questions.filter((question) => question.id !== id) }));
      resolve(reason);
    };
    useQuestions.setState(({ questions }) => ({ questions: [...questions, { id, rule, answer }], nextId: id + 1 }));
  });
}

handleApprovalReasons(async (rule, send) => {
  const reason = await askForReason(rule);
  if (reason !== null) return send(reason);
  throw new ApiFailure('NOT_APPROVED', t('You did not ask for the approval. Nothing was done.'), { status: 403 });
});

/** The dialog that asks why an operation of this screen needs its approval. Mounted once, in the shell. */
export function ReasonPrompt() {
  const question = useQuestions(({ questions }) => questions[0]);
  return question ? <Prompt key={question.id} {...question} /> : null;
}

function Prompt({ rule, answer }: Question) {
  const [reason, setReason] = useState('');
  const isGiven = reason.trim() !== '';
  return (
    <FormDialog
      title={t('Ask a second person for approval')}
      submitLabel={t('Ask for approval')}
      isDisabled={!isGiven}
      onSubmit={() => isGiven && answer(reason.trim())}
      onClose={() => answer(null)}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{serviceText(rule)}</Box>
        <TextField
          id="request-reason"
          label={t('Reason')}
          helperText={t('The person who approves reads it.')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          autoFocus
          slotProps={{ htmlInput: { maxLength: 200, autoComplete: 'off' } }}
        />
      </Box>
    </FormDialog>
  );
}
