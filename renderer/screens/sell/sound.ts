const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.09;
const LOUDNESS = 0.08;

/** Two short rising notes: approved. */
export function soundApproved(): void {
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: LOUDNESS });
  gain.connect(context.destination);
  const notes = NOTES_HZ.map((frequency, index) => {
    const note = new OscillatorNode(context, { frequency });
    note.connect(gain);
    note.start(context.currentTime + index * NOTE_SECONDS);
    note.stop(context.currentTime + (index + 1) * NOTE_SECONDS);
    return note;
  });
  notes.at(-1)?.addEventListener('ended', () => void context.close());
}
