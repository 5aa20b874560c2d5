import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useImperativeHandle, useRef, useState } from 'react';

const PAUSE_MS = 250;

export interface SearchFieldHandle {
  readonly focus: () => void;
}

export interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Enter: the search is wanted now, and its only result with it. */
  readonly onEnter: (text: string) => void;
  /** Arrow down: into the rows. */
  readonly onDown: () => void;
  readonly ref: React.Ref<SearchFieldHandle>;
}

/** One box for all: an id, last four digits, an exact amount, an e-mail address or an order. Searches as soon as the typing pauses. */
export function SearchField({ value, onSearch, onEnter, onDown, ref }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);

  useImperativeHandle(ref, () => ({
    focus: () => {
      input.current?.focus();
      input.current?.select();
    },
  }));
  // The address may change from elsewhere: a cleared filter, the way back.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (typed: string) => {
    clearTimeout(timer.current);
    sent.current = typed.trim();
    onSearch(sent.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (text.trim() !== value) send(text);
      onEnter(text.trim());
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      setText('');
      send('');
    }
  };

  return (
    <TextField
      type="search"
      value={text}
      inputRef={input}
      placeholder="Id, last four, amount, e-mail, order"
      onChange={(event) => {
        const typed = event.target.value;
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(typed), PAUSE_MS);
      }}
      onKeyDown={onKeyDown}
      slotProps={{
        htmlInput: { 'aria-label': 'Search transactions', autoComplete: 'off', spellCheck: false, maxLength: 200 },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search size={16} aria-hidden />
            </InputAdornment>
          ),
        },
      }}
      sx={{ width: { xs: '100%', sm: 312 }, flexShrink: 0 }}
    />
  );
}
